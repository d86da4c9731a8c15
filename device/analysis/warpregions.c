#include "warpregions.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/constant.h"

uint32_t warpregions_end(const struct isa_kernel *k, uint32_t begin) {
    uint32_t end = begin;
    while (!(isa_op_info[k->insts[end].op].flags & ISA_OP_REGION_END)) end = k->insts[end].match;
    return end;
}

/* The end of the part of a region that n is in, or `most`, if that is less. */
static uint32_t part_end(const struct isa_kernel *k, uint32_t n, uint32_t most) {
    for (uint32_t depth = 0; n < most; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END) && !depth) break;
        depth += isa_deeper(&k->insts[n]);
    }
    return n;
}

uint32_t warpregions_part_end(const struct isa_kernel *k, uint32_t n) {
    return part_end(k, n, k->ninsts);
}

uint32_t warpregions_around(const struct isa_kernel *k, uint32_t n, bool *other) {
    uint32_t depth = 0;
    *other = false;
    while (n--) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (!depth && flags & ISA_OP_REGION_BEGIN) return n;
        *other |= !depth && flags & ISA_OP_REGION_ELSE;
        depth -= isa_deeper(&k->insts[n]);
    }
    return UINT32_MAX;
}

bool warpregions_passed(const struct isa_kernel *k, uint32_t n, uint32_t to) {
    return part_end(k, n + 1, to) >= to;
}

bool warpregions_closed(const struct isa_kernel *k, uint32_t from, uint32_t to) {
    uint32_t depth = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth += isa_deeper(i);
        if (i->op == ISA_ret || i->op == ISA_bar) return false;
        if (flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) return false;
    }
    return true;
}

/* A load of which lanes that are off touch nothing, also where none of a warp's is on. */
static bool loads_masked(const struct isa_inst *i) {
    bool plain = i->op == ISA_ld && i->count == 1 && !isa_is_watched(i);
    return plain && i->space != ISA_PRIVATE;
}

/* Warps may run a region in lockstep, also those of which all lanes have left it before others: it
 * does nothing but compute and load, what it computes for lanes that are off is not wanted, and no
 * value of the warp as a whole is wanted of a warp that is not there. */
static bool may_lockstep(const struct isa_kernel *k, const struct shape *shape, bool masked,
                         uint32_t begin, uint32_t end) {
    for (uint32_t n = begin; n <= end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (i->op == ISA_ret || (!(flags & (ISA_OP_CONTROL | ISA_OP_PURE | ISA_OP_PROBE)) &&
                                 !(masked && loads_masked(i))))
            return false;
        if ((i->op == ISA_if || flags & ISA_OP_JUMP) && shape_branch(shape, n) == SHAPE_WARP)
            return false;
        bool lanes = false;
        for (unsigned s = 0; s < i->nsrc; s++)
            lanes |= shape_operand(shape, k, isa_srcs(k, i)[s]).span < SHAPE_HALF_WARP;
        for (unsigned d = 0; d < i->ndst; d++)
            if (lanes && shape->regs[isa_dsts(k, i)[d]].span >= SHAPE_HALF_WARP) return false;
    }
    return true;
}

static void find_lockstep(struct warpregions *r, const struct isa_kernel *k,
                          const struct shape *shape, bool masked) {
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!r->per_warp[n] || r->lockstep[n]) continue;
        uint32_t end = warpregions_end(k, n);
        if (may_lockstep(k, shape, masked, n, end))
            for (uint32_t in = n; in < end; in++) r->lockstep[in] = r->per_warp[in];
    }
}

/* No jump may leave a region that each warp runs on its own, and no barrier be in one. */
static bool stays_inside(const struct warpregions *r, const struct isa_kernel *k) {
    uint32_t outer = 0, depth = 0; /* outer: depth of the outermost one, 0: none */
    bool stays = true;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            depth++;
            if (r->per_warp[n] && !outer) outer = depth;
        }
        if (flags & ISA_OP_REGION_END) {
            if (depth == outer) outer = 0;
            depth--;
        }
        if (!outer) continue;
        if (i->op == ISA_bar || i->op == ISA_ret) stays = false;
        if ((flags & ISA_OP_JUMP) && i->op != ISA_ret && depth - (uint32_t)i->imm < outer)
            stays = false;
    }
    return stays;
}

bool warpregions_find(struct warpregions *r, const struct isa_kernel *k, const struct shape *shape,
                      bool masked) {
    uint32_t begins[ISA_MAX_NESTING + 1] = {0}, depth = 0;
    bool lockstep = true;
    r->divergent = calloc(k->ninsts + 1ull, 1);
    r->per_warp = calloc(k->ninsts + 1ull, 1);
    r->lockstep = calloc(k->ninsts + 1ull, 1);
    if (!r->divergent || !r->per_warp || !r->lockstep) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        enum shape_span span = shape_branch(shape, n);
        if (flags & ISA_OP_REGION_BEGIN) begins[++depth] = n;
        if (flags & ISA_OP_REGION_END) depth--;
        if (i->op == ISA_if && span < SHAPE_GROUP) r->per_warp[n] = 1;
        if (!(flags & ISA_OP_JUMP)) continue;
        if (i->op == ISA_ret) {
            lockstep &= span == SHAPE_GROUP;
            continue;
        }
        uint32_t to = begins[depth - (uint32_t)i->imm];
        if (span < SHAPE_WARP) r->divergent[to] = 1;
        if (span < SHAPE_GROUP) r->per_warp[to] = 1;
    }
    find_lockstep(r, k, shape, masked);
    r->all_lockstep = lockstep && stays_inside(r, k);
    return true;
}

void warpregions_leave_lockstep(struct warpregions *r, const struct isa_kernel *k, uint32_t n) {
    for (uint32_t begin = 0; begin <= n; begin++)
        if (r->lockstep[begin] && warpregions_end(k, begin) > n) r->lockstep[begin] = 0;
}

/* Is that id of a lane the same in all warps? */
static bool is_alike(uint32_t which, const uint32_t size[3]) {
    uint32_t items = 1;
    for (unsigned d = 0; d < 3; d++) {
        items *= size[d];
        if (which == ISA_SPECIAL_local_id_x + d || which == ISA_SPECIAL_global_id_x + d)
            return ISA_WARP % items == 0;
    }
    return isa_special_uniform[which];
}

/* Does the instruction give the number of a lane, and so the same in all warps? */
static bool is_lane(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op != ISA_and || !constant_is(k, isa_srcs(k, i)[1], ISA_WARP - 1)) return false;
    for (const struct isa_inst *by = i; by-- > k->insts;)
        if (isa_writes(k, by, isa_srcs(k, i)[0]))
            return by->op == ISA_special && by->imm == ISA_SPECIAL_thread_id;
    return false;
}

struct sharing {
    const struct warpregions *x;
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct liveranges *live;
    const uint32_t *size;
    bool whole;
};

/* May a result of instruction n be one for all warps, where the operands are? own: the innermost
 * region that each passes by itself, + 1; 0: there is none. There a warp has what it has made
 * itself, and all of it, if it is alive nowhere else; outside, lanes that are off in one warp alone
 * must not tell. */
static bool may_be_shared(const struct sharing *s, uint32_t n, isa_operand dst, uint32_t own) {
    const struct isa_inst *i = &s->k->insts[n];
    bool uniform = shape_is_uniform(s->shape, dst) && s->shape->regs[dst].span == SHAPE_GROUP;
    bool loads = i->op == ISA_ld && i->space != ISA_PARAM;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) && i->op != ISA_ld) return false;
    if (own && s->live->first[dst] < own) return false;
    if (uniform && !(own && loads)) return true;
    if (loads && i->space == ISA_PRIVATE) return false;
    if (own ? s->x->lockstep[own - 1] || s->live->last[dst] >= warpregions_end(s->k, own - 1)
            : !s->whole || shape_full(s->shape, n) < SHAPE_WARP)
        return false;
    return i->op != ISA_special || is_alike((uint32_t)i->imm, s->size);
}

void warpregions_shared(const struct warpregions *x, const struct isa_kernel *k,
                        const struct shape *shape, const struct liveranges *live,
                        const uint32_t size[3], bool whole, uint8_t *shared) {
    struct sharing s = {x, k, shape, live, size, whole};
    memset(shared, 1, k->nregs);
    uint32_t own[ISA_MAX_NESTING + 1] = {0}, depth = 0; /* innermost such regions, + 1 */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            own[depth + 1] = x->per_warp[n] ? n + 1 : own[depth];
            depth++;
        }
        depth -= (flags & ISA_OP_REGION_END) != 0;
        for (unsigned d = 0; d < i->ndst; d++)
            shared[isa_dsts(k, i)[d]] &= may_be_shared(&s, n, isa_dsts(k, i)[d], own[depth]);
    }
    /* an instruction of a shared register must not read one that is each warp's own */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool own = false, lane = is_lane(k, i);
            for (unsigned s = 0; s < i->nsrc && !lane; s++) {
                isa_operand o = isa_srcs(k, i)[s];
                own |= isa_is_reg(o) && !shared[o];
            }
            for (unsigned d = 0; d < i->ndst; d++) own |= !shared[isa_dsts(k, i)[d]];
            for (unsigned d = 0; own && d < i->ndst; d++) {
                uint8_t *one = &shared[isa_dsts(k, i)[d]];
                changed |= *one;
                *one = 0;
            }
        }
    }
}

/* Regions without loops that each warp passes on its own, one right behind the other: the number of
 * each at its instructions, but for those that warps pass together, too. What is alive only there
 * is of one warp. */
static void find_own(const struct warpregions *r, const struct isa_kernel *k,
                     const uint8_t *together, uint32_t *own) {
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!r->per_warp[n]) continue;
        uint32_t begin = n, end = warpregions_end(k, n);
        bool loops = false;
        for (; n < end; n++) loops |= k->insts[n].op == ISA_loop;
        for (uint32_t in = begin; !loops && in < end; in++)
            own[in] = together && together[in] ? 0 : end;
    }
}

uint32_t warpregions_alive(const struct warpregions *x, const struct isa_kernel *k,
                           const struct shape *shape, const struct liveranges *live,
                           const uint8_t *together, uint32_t from, uint32_t to, uint32_t warps) {
    int32_t *change = calloc(k->ninsts + 2ull, sizeof *change), alive = 0, most = 0;
    uint32_t *own = calloc(k->ninsts + 1ull, sizeof *own);
    if (own && warps > 1) find_own(x, k, together, own);
    for (uint32_t r = 0; own && change && r < k->nregs; r++) {
        uint32_t first = live->first[r], last = live->last[r];
        if (shape->regs[r].span >= SHAPE_HALF_WARP || k->reg_types[r] == ISA_PRED || first > last)
            continue;
        uint32_t vectors = isa_type_size[k->reg_types[r]] == 8 ? 4 : 2;
        if (!own[first] || own[first] != own[last]) vectors *= warps;
        change[first] += (int32_t)vectors;
        change[last + 1] -= (int32_t)vectors;
    }
    for (uint32_t n = 0; change && n < to; n++) {
        alive += change[n];
        if (n >= from && alive > most) most = alive;
    }
    bool good = own && change;
    free(own);
    free(change);
    return good ? (uint32_t)most : UINT32_MAX;
}

/* Is the register, vectors that are not there before instruction `begin`, written by the
 * instructions [from, to), and read behind them? */
static bool is_left(const struct isa_kernel *k, const struct shape *shape,
                    const struct liveranges *live, isa_operand reg, uint32_t begin, uint32_t from,
                    uint32_t to) {
    if (k->reg_types[reg] == ISA_PRED || shape->regs[reg].span >= SHAPE_HALF_WARP) return false;
    return isa_writes_between(k, reg, from, to) && live->first[reg] > begin && live->last[reg] > to;
}

uint32_t warpregions_left(const struct isa_kernel *k, const struct shape *shape,
                          const struct liveranges *live, uint32_t from, uint32_t to) {
    uint32_t all = 0, last = 0;
    for (uint32_t n = from; n < to; n++) {
        if (k->insts[n].op != ISA_if || shape_branch(shape, n) >= SHAPE_WARP) continue;
        uint32_t end = warpregions_end(k, n);
        all += last;
        last = 0;
        for (uint32_t r = 0; r < k->nregs; r++)
            if (is_left(k, shape, live, r, from, n, end))
                last += isa_type_size[k->reg_types[r]] == 8 ? 4 : 2;
        n = end;
    }
    return all;
}

void warpregions_jumps(const struct isa_kernel *k, uint32_t begin, bool *far, bool *continues) {
    uint32_t depth = 0, n = begin;
    *far = *continues = false;
    do {
        const struct isa_inst *i = &k->insts[n];
        depth += isa_deeper(i);
        if (!(isa_op_info[i->op].flags & ISA_OP_JUMP)) continue;
        *far |= i->op == ISA_ret || (uint32_t)i->imm >= depth;
        *continues |= i->op == ISA_continue && (uint32_t)i->imm + 1 == depth;
    } while (n++, depth);
}

uint8_t *warpregions_seldom(const struct isa_kernel *k) {
    uint8_t *of = calloc(k->ninsts + 1ull, 1), *asks = calloc(k->nregs + 1ull, 1);
    for (uint32_t n = 0; of && asks && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        bool asked = i->op == ISA_special && i->imm == ISA_SPECIAL_alone;
        if (i->op == ISA_and || i->op == ISA_eq)
            for (unsigned s = 0; s < i->nsrc; s++) asked |= isa_is_reg(src[s]) && asks[src[s]];
        if (asked) asks[isa_dsts(k, i)[0]] = 1;
        if (i->op != ISA_if || !isa_is_reg(src[0]) || !asks[src[0]]) continue;
        uint32_t end = warpregions_end(k, n);
        for (uint32_t in = i->match; in < end; in++) of[in] = 1;
    }
    if (!asks) free(of);
    bool good = asks;
    free(asks);
    return good ? of : NULL;
}

uint32_t warpregions_asked(const struct isa_kernel *k) {
    uint32_t bits = 0;
    isa_operand alone = ISA_NO_OPERAND;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        if (i->op == ISA_special && i->imm == ISA_SPECIAL_alone) alone = isa_dsts(k, i)[0];
        if (i->op == ISA_and && src[0] == alone && isa_is_const(src[1]))
            bits |= (uint32_t)k->consts[isa_const_index(src[1])].bits;
    }
    return bits;
}

uint32_t warpregions_exit(const struct isa_kernel *k, uint32_t begin) {
    uint32_t n = begin + 1, end = k->insts[begin].match;
    while (n < end && isa_op_info[k->insts[n].op].flags & ISA_OP_PURE) n++;
    bool leaves = k->insts[n].op == ISA_breakif && !k->insts[n].imm;
    return leaves && warpregions_closed(k, n + 1, end) ? n : 0;
}

uint32_t warpregions_straight_end(const struct isa_kernel *k, uint32_t n, const uint8_t *shared,
                                  const uint8_t *taken, uint8_t *used) {
    memset(used, 0, k->nregs);
    for (; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & (ISA_OP_CONTROL | ISA_OP_ATOMIC | ISA_OP_PROBE | ISA_OP_IMAGE) ||
            i->op == ISA_bar || i->op == ISA_fence || i->op == ISA_printf || i->op == ISA_st ||
            isa_is_watched(i) || taken[n])
            return n;
        for (unsigned d = 0; d < i->ndst; d++)
            if (shared[isa_dsts(k, i)[d]] && used[isa_dsts(k, i)[d]]) return n;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s])) used[isa_srcs(k, i)[s]] = 1;
        for (unsigned d = 0; d < i->ndst; d++) used[isa_dsts(k, i)[d]] = 1;
    }
    return n;
}

bool warpregions_reads(const struct isa_kernel *k, uint32_t from, uint32_t to,
                       enum isa_space space) {
    for (uint32_t n = from; n < to; n++)
        if (k->insts[n].op == ISA_ld && k->insts[n].space == space) return true;
    return false;
}
