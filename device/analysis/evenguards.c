#include "evenguards.h"

/* Lanes at different addresses of a buffer, so that it matters whether all of them are on. */
static bool moves_lanes(const struct evenguard_finder *f, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(f->k, i)[0];
    return isa_is_reg(at) && !shape_is_uniform(f->shape, at);
}

/* The instructions (from, to) stay among themselves, and are worth being there twice. */
static bool may_be_body(const struct evenguard_finder *f, uint32_t from, uint32_t to) {
    bool moves = false;
    if (to - from > f->longest || !warpregions_closed(f->k, from + 1, to)) return false;
    for (uint32_t n = from + 1; n < to; n++) moves |= moves_lanes(f, &f->k->insts[n]);
    return moves;
}

/* Accesses of that kind, in no region in there but loops. */
static uint32_t moves_always(const struct evenguard_finder *f, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t n = from + 1; n < to; n++) {
        if (f->k->insts[n].op == ISA_if || f->k->insts[n].op == ISA_block)
            n = warpregions_end(f->k, n);
        else
            count += moves_lanes(f, &f->k->insts[n]);
    }
    return count;
}

/* Where the instructions (from, to) may be left. */
static uint32_t exits_in(const struct evenguard_finder *f, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t n = from + 1; n < to; n++)
        count += (isa_op_info[f->k->insts[n].op].flags & ISA_OP_JUMP) != 0;
    return count;
}

/* Which part all lanes take, mostly: the one that does more; of two that do the same the one that
 * does not ask again, or the larger one. */
static enum guard part_of(const struct evenguard_finder *f, uint32_t begin) {
    uint32_t middle = f->k->insts[begin].match, end = warpregions_end(f->k, begin);
    uint32_t first = moves_always(f, begin, middle), second = moves_always(f, middle, end);
    uint32_t asks = exits_in(f, begin, middle), asks_too = exits_in(f, middle, end);
    bool otherwise = first != second    ? second > first
                     : asks != asks_too ? asks_too < asks && second
                                        : end - middle > middle - begin;
    if (otherwise ? !may_be_body(f, middle, end) : !may_be_body(f, begin, middle))
        return GUARD_NONE;
    return otherwise ? GUARD_ELSE : GUARD_THEN;
}

/* What is known of the lanes in a region. */
enum evenguard_lanes { SOME_LANES, ALL_LANES, ALL_THAT_PASS /* the guards round it */ };

/* What guards the region that begins at n. */
static enum guard guard_of(const struct evenguard_finder *f, uint32_t n,
                           enum evenguard_lanes around) {
    if (f->loops->test[n]) return f->may_be_loop ? GUARD_LOOP : GUARD_NONE;
    if (f->k->insts[n].op != ISA_if || !f->may_be_if) return GUARD_NONE;
    if (around == SOME_LANES || f->regions->divergent[n]) return GUARD_NONE;
    if (f->versions && f->versions[n])
        return may_be_body(f, n, f->k->insts[n].match) ? GUARD_THEN : GUARD_NONE;
    return shape_branch(f->shape, n) < SHAPE_GROUP ? part_of(f, n) : GUARD_NONE;
}

/* Those in the region that begins at n. Whether all lanes come to a loop is seen there. */
static enum evenguard_lanes lanes_in(const struct evenguard_finder *f, uint32_t n,
                                     enum evenguard_lanes around, uint8_t *of) {
    bool is_if = f->k->insts[n].op == ISA_if;
    if (around == ALL_LANES && shape_full(f->shape, n) < SHAPE_WARP) around = SOME_LANES;
    enum guard guard = guard_of(f, n, around);
    of[n] = (uint8_t)guard;
    if (guard != GUARD_NONE) return guard == GUARD_ELSE ? SOME_LANES : ALL_THAT_PASS;
    if (f->regions->divergent[n]) return SOME_LANES;
    return is_if && shape_branch(f->shape, n) < SHAPE_WARP ? SOME_LANES : around;
}

void evenguards_find(const struct evenguard_finder *f, uint8_t *of, uint8_t *full) {
    enum evenguard_lanes lanes[ISA_MAX_NESTING + 1] = {f->whole ? ALL_LANES : SOME_LANES};
    uint32_t begins[ISA_MAX_NESTING + 1] = {0}, depth = 0;
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        uint32_t flags = isa_op_info[f->k->insts[n].op].flags;
        full[n] = lanes[depth] == ALL_THAT_PASS;
        if (flags & ISA_OP_REGION_BEGIN) {
            lanes[depth + 1] = lanes_in(f, n, lanes[depth], of);
            begins[++depth] = n;
        } else if (flags & ISA_OP_REGION_ELSE && of[begins[depth]]) {
            bool body = of[begins[depth]] == GUARD_ELSE;
            lanes[depth] = body ? ALL_THAT_PASS : SOME_LANES;
        } else if (flags & ISA_OP_REGION_END) {
            depth--;
        }
    }
}

/* Warps may pass instruction n together, also those that have no lane there. */
static bool may_be_masked(const struct evenguard_lockstep *g, uint32_t n) {
    const struct isa_inst *i = &g->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    if (g->taken[n]) return false;
    if (i->op == ISA_loop || i->op == ISA_block) return !g->regions->per_warp[n];
    if (i->op == ISA_if || flags & ISA_OP_JUMP)
        return i->op != ISA_ret && (shape_branch(g->shape, n) == SHAPE_GROUP ||
                                    (i->op == ISA_if && shape_branch(g->shape, n) < SHAPE_WARP));
    if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) return true;
    bool load = i->op == ISA_ld, memory = load || i->op == ISA_st;
    if (!memory && !(flags & ISA_OP_PURE)) return false;
    if (memory && (i->count > 1 || i->space == ISA_PRIVATE || isa_is_watched(i))) return false;
    if (memory && !g->masks) return false;
    bool lanes = false;
    for (unsigned s = 0; s < i->nsrc; s++)
        lanes |= shape_operand(g->shape, g->k, isa_srcs(g->k, i)[s]).span < SHAPE_HALF_WARP;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand dst = isa_dsts(g->k, i)[d];
        if (lanes && g->shape->regs[dst].span >= SHAPE_HALF_WARP) return false;
        bool own = g->shape->regs[dst].span < SHAPE_HALF_WARP &&
                   (load || g->shape->inst_flags[n] & SHAPE_MASKED);
        if (own && g->shared[dst]) return false; /* by the first warp's lanes */
    }
    if (!memory || i->space == ISA_PARAM) return true;
    struct shape_value at = shape_operand(g->shape, g->k, isa_srcs(g->k, i)[0]);
    bool one = at.span >= SHAPE_WARP && !at.stride;
    return !one || (load && at.span == SHAPE_GROUP);
}

bool evenguards_together(const struct evenguard_lockstep *g, uint32_t begin) {
    uint32_t end = warpregions_end(g->k, begin);
    bool loops = false;
    if (g->k->insts[begin].op != ISA_if || shape_branch(g->shape, begin) >= SHAPE_WARP)
        return false;
    for (uint32_t n = begin + 1; n < end; n++) {
        loops |= g->k->insts[n].op == ISA_loop;
        if (!may_be_masked(g, n)) return false;
    }
    return loops;
}
