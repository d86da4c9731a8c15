#include "linegrowth.h"

enum { MOST_SUMS = 40 /* operations that are looked through */ };

struct growth_step {
    enum { UNASKED, ASKED } state;
    struct linegrowth by;
};

struct growth_finder {
    const struct isa_kernel *k;
    const struct loops *l;
    uint32_t loop;
    struct growth_step *steps; /* registers */
};

static const struct linegrowth unknown = {.known = false};

static struct linegrowth number(uint32_t by) {
    return (struct linegrowth){true, by, ISA_NO_OPERAND};
}

static struct linegrowth grows(struct growth_finder *f, isa_operand o, unsigned depth);

static struct linegrowth sum(struct linegrowth a, struct linegrowth b, bool less) {
    if (!a.known || !b.known || (a.by && b.by && a.factor != b.factor)) return unknown;
    a.factor = a.by ? a.factor : b.factor;
    a.by = less ? a.by - b.by : a.by + b.by;
    return a;
}

/* One that grows, times an operand that does not. */
static struct linegrowth times(const struct growth_finder *f, struct linegrowth a, isa_operand by) {
    uint32_t factor;
    if (isa_constant(f->k, by, &factor)) {
        a.by *= factor;
    } else if (a.factor == ISA_NO_OPERAND) {
        a.factor = by;
    } else {
        a.known = false;
    }
    return a;
}

static struct linegrowth of_inst(struct growth_finder *f, const struct isa_inst *i,
                                 unsigned depth) {
    const isa_operand *src = isa_srcs(f->k, i);
    struct linegrowth a = unknown, b = number(0);
    uint32_t shift;
    if (i->op == ISA_special && !f->loop) return number(i->imm == (int32_t)ISA_SPECIAL_global_id_x);
    if (i->op == ISA_ld && i->space == ISA_PARAM) return number(0);
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->nsrc < 1 || i->nsrc > 2) return unknown;
    a = grows(f, src[0], depth);
    if (i->nsrc == 2) b = grows(f, src[1], depth);
    if (!a.known || !b.known || (!a.by && !b.by)) return a.known && b.known ? number(0) : unknown;
    if (i->type != ISA_I32) return unknown;
    switch (i->op) {
    case ISA_mov: return a;
    case ISA_add: return sum(a, b, false);
    case ISA_sub: return sum(a, b, true);
    case ISA_shl:
        if (b.by || !isa_constant(f->k, src[1], &shift)) return unknown;
        a.by <<= shift & 31;
        return a;
    case ISA_mul: return a.by && b.by ? unknown : times(f, a.by ? a : b, src[a.by ? 1 : 0]);
    default: return unknown;
    }
}

/* All that writes a register agrees; steps of loops in it are the same in each iteration. */
static struct linegrowth find(struct growth_finder *f, isa_operand o, unsigned depth) {
    struct linegrowth found = unknown, with;
    uint32_t n = f->loop ? f->l->loops[f->loop].begin : 0,
             end = f->loop ? f->l->loops[f->loop].end : f->k->ninsts;
    for (; n < end; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        struct loop_counter c;
        if (!isa_writes(f->k, i, o)) continue;
        if (i->op == ISA_add && isa_srcs(f->k, i)[0] == o) {
            with = grows(f, isa_srcs(f->k, i)[1], depth);
            if (!with.known || with.by) return unknown;
            if (!f->loop || f->l->loop_of[n] != f->loop) continue;
            if (!loops_step(f->l, f->k, n, &c)) return unknown;
            with = times(f, number(1), c.step);
        } else {
            with = of_inst(f, i, depth);
        }
        bool same = with.by == found.by && (with.factor == found.factor || !with.by);
        if (!with.known || (found.known && !same)) return unknown;
        found = with;
    }
    return found;
}

static struct linegrowth grows(struct growth_finder *f, isa_operand o, unsigned depth) {
    if (!isa_is_reg(o) || (f->loop && !loops_assign(f->l, o, f->loop))) return number(0);
    struct growth_step *s = &f->steps[o];
    if (s->state == UNASKED && depth) {
        s->state = ASKED; /* while it is asked for it is unknown */
        s->by = find(f, o, depth - 1);
    }
    return s->by;
}

struct linegrowth linegrowth_of(const struct isa_kernel *k, const struct loops *l, uint32_t loop,
                                struct arena *arena) {
    struct growth_finder f = {.k = k, .l = l, .loop = loop};
    struct linegrowth all = unknown;
    uint32_t n = loop ? l->loops[loop].begin : 0, end = loop ? l->loops[loop].end : k->ninsts;
    f.steps = ARENA_ARRAY(arena, struct growth_step, k->nregs + 1u);
    for (; n < end; n++) {
        if (k->insts[n].op != ISA_st) continue;
        struct linegrowth one = grows(&f, isa_srcs(k, &k->insts[n])[0], MOST_SUMS);
        if ((int32_t)one.by < 0) one.by = 0 - one.by;
        if (!one.known || (all.known && one.factor != all.factor)) return unknown;
        if (!all.known || (loop ? one.by > all.by : one.by < all.by)) all = one;
    }
    return all;
}
