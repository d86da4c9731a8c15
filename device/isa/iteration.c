#include "iteration.h"

#include <string.h>

/* A set of registers that a lane has written on its way; or of none, which never comes here. */
struct lane_way {
    uint64_t *set;
    bool none;
};

/* A region that the way is in. */
struct way_region {
    struct lane_way begin; /* where it begins; an if's: where its other part does, */
    struct lane_way end;   /* and of those that have come to its end */
    bool loop;
};

struct ways_walk {
    uint32_t words; /* of a set */
    struct lane_way now;
    struct way_region regions[ISA_MAX_NESTING + 2];
    uint32_t depth; /* 0: the loop itself */
};

static void copy(const struct ways_walk *x, struct lane_way *to, const struct lane_way *from) {
    memcpy(to->set, from->set, x->words * sizeof *to->set);
    to->none = from->none;
}

/* Both come to one place: what both have is written there. */
static void meet(const struct ways_walk *x, struct lane_way *at, const struct lane_way *other) {
    if (other->none) return;
    if (at->none) {
        copy(x, at, other);
        return;
    }
    for (uint32_t w = 0; w < x->words; w++) at->set[w] &= other->set[w];
}

/* Lanes that jump are where they leave a region, or the next iteration begins. One of a loop inside
 * has written no less than those of its first. */
static void jump(struct ways_walk *x, const struct isa_inst *i) {
    bool inside = i->op != ISA_ret && (uint32_t)i->imm <= x->depth;
    uint32_t to = inside ? x->depth - (uint32_t)i->imm : 0;
    bool continues = i->op == ISA_continue;
    if (inside && continues == !to) meet(x, &x->regions[to].end, &x->now);
    x->now.none |= i->op != ISA_breakif;
}

static void step_region(struct ways_walk *x, const struct isa_inst *i, uint32_t flags) {
    struct way_region *r = &x->regions[x->depth];
    if (flags & ISA_OP_REGION_BEGIN) {
        r = &x->regions[++x->depth];
        copy(x, &r->begin, &x->now);
        r->end.none = true;
        r->loop = i->op == ISA_loop;
    } else if (flags & ISA_OP_REGION_ELSE) {
        meet(x, &r->end, &x->now);
        copy(x, &x->now, &r->begin);
        r->begin.none = true;
    } else {
        x->now.none |= r->loop; /* a loop's end goes on at its beginning */
        meet(x, &x->now, &r->end);
        if (i->op == ISA_endif) meet(x, &x->now, &r->begin);
        x->depth--;
    }
}

void iteration_find(const struct isa_kernel *k, uint32_t begin, const uint8_t *skip,
                    struct arena *arena, uint8_t *uses) {
    struct ways_walk x = {.words = k->nregs / 64 + 1};
    x.now.set = ARENA_ARRAY(arena, uint64_t, x.words);
    for (unsigned d = 0; d < ISA_MAX_NESTING + 2; d++) {
        x.regions[d].begin.set = ARENA_ARRAY(arena, uint64_t, x.words);
        x.regions[d].end.set = ARENA_ARRAY(arena, uint64_t, x.words);
    }
    x.regions[0].end.none = true;
    memset(uses, 0, k->nregs);
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (skip && skip[n]) continue;
        for (unsigned s = 0; s < i->nsrc && !x.now.none; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (isa_is_reg(o) && !(x.now.set[o / 64] >> o % 64 & 1)) uses[o] |= ITERATION_READS;
        }
        if (flags & ISA_OP_REGION)
            step_region(&x, i, flags);
        else if (flags & ISA_OP_JUMP)
            jump(&x, i);
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand r = isa_dsts(k, i)[d];
            x.now.set[r / 64] |= 1ull << r % 64;
            uses[r] |= ITERATION_WRITES;
        }
    }
    meet(&x, &x.now, &x.regions[0].end);
    for (uint32_t r = 0; r < k->nregs; r++)
        if (x.now.none || x.now.set[r / 64] >> r % 64 & 1)
            uses[r] |= uses[r] & ITERATION_WRITES ? ITERATION_ALWAYS : 0;
}
