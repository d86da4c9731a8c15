/* What short loops look at bit by bit is shifted by one place in each iteration: `v >> k & 1` and
 * `v & 1 << k` of a counter, or `v & m` of a bit that is shifted. What such loops leave may be
 * known then without them. */
#include "device/analysis/closedloops.h"
#include "device/isa/constant.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { SHIFTED_MOST = 4 /* values in a loop */ };

/* An instruction that gives a bit of what its loop does not change, of another place each time, or
 * all bits from there up. */
struct shifted_look {
    uint32_t at, loop;
    isa_operand value;
    int first; /* the place when the loop begins */
    bool down; /* they become lower */
    bool flag; /* it is asked whether the bit is 0, and nothing else */
    bool all;
    isa_operand reg; /* what is shifted */
};

struct shifted_loop {
    struct closed_loop x;
    struct shifted_look looks[SHIFTED_MOST];
    unsigned nlooks;
};

static const struct isa_inst *written(const struct closed_loop *x, isa_operand o, uint32_t at) {
    uint32_t n = loops_written(x->l, o, x->loop, at);
    return n < LOOPS_NONE ? &x->k->insts[n] : NULL;
}

static int width_of(const struct closed_loop *x, isa_operand o) {
    return (int)isa_type_size[isa_operand_type(x->k, o)] * 8;
}

static bool one_bit(const struct isa_kernel *k, isa_operand o, int *place) {
    uint64_t bits;
    if (!constant_bits(k, o, &bits) || !bits || bits & (bits - 1)) return false;
    *place = __builtin_ctzll(bits);
    return true;
}

/* What a register is when the loop begins, if that is a constant. */
static bool begins_with(const struct closed_loop *x, isa_operand reg, isa_operand *value) {
    uint32_t start = loops_start_outside(x->k, x->l->loops[x->loop].begin, reg);
    const struct isa_inst *i = start ? &x->k->insts[start - 1] : NULL;
    if (!i || i->op != ISA_mov) return false;
    *value = isa_srcs(x->k, i)[0];
    return isa_is_const(*value);
}

/* How the loop is left by the comparison that instruction n makes, which nothing else reads; or
 * NULL. */
static const struct closed_condition *condition_at(const struct closed_loop *x, uint32_t n) {
    for (unsigned c = 0; c < x->nconditions; c++)
        if (x->conditions[c].leaf.at == n && x->l->reads[isa_dsts(x->k, &x->k->insts[n])[0]] == 1)
            return &x->conditions[c];
    return NULL;
}

/* The only comparison with 0 that reads what instruction n writes, or LOOPS_NONE. */
static uint32_t compared_at(const struct closed_loop *x, uint32_t n) {
    const struct loop *l = &x->l->loops[x->loop];
    isa_operand reg = isa_dsts(x->k, &x->k->insts[n])[0];
    if (x->l->reads[reg] != 1) return LOOPS_NONE;
    for (uint32_t m = n + 1; m < l->end; m++) {
        const struct isa_inst *i = &x->k->insts[m];
        const isa_operand *src = isa_srcs(x->k, i);
        if ((i->op == ISA_eq || i->op == ISA_ne) && src[0] == reg && constant_is(x->k, src[1], 0))
            return m;
    }
    return LOOPS_NONE;
}

/* Has the loop been left before the counter comes to places beyond `last`, where what instruction
 * n gives matters? */
static bool is_bounded(const struct closed_loop *x, uint32_t n, isa_operand reg, int64_t start,
                       int64_t plus, int64_t least, int64_t most) {
    uint32_t compare = compared_at(x, n);
    const struct closed_condition *own = compare < LOOPS_NONE ? condition_at(x, compare) : NULL;
    for (unsigned m = 0; m < x->nconditions; m++) {
        const struct loop_exit *e = &x->conditions[m].exit;
        int64_t bound;
        if (e->step != 1 || e->counter.reg != reg || !constant_signed(x->k, e->bound, &bound))
            continue;
        uint32_t leaves = x->conditions[m].leaves;
        if (n < leaves && (!own || own->leaves < leaves)) continue;
        int64_t off = (int32_t)e->off, last = bound - off;
        if (!e->inclusive) last += e->down ? 1 : -1;
        bool comes = e->down ? start >= last : start <= last;
        if (comes && last + plus >= least && last + plus <= most) return true;
    }
    return false;
}

/* A shift by a counter: the places where it begins and how it goes on. */
static bool counted(const struct closed_loop *x, struct shifted_look *s, isa_operand by,
                    uint32_t at, int place, bool up) {
    const struct isa_inst *i;
    struct loop_counter c;
    isa_operand value;
    int64_t start, width = width_of(x, s->value);
    while ((i = written(x, by, at)) && (i->op == ISA_sext || i->op == ISA_zext)) {
        at = (uint32_t)(i - x->k->insts);
        by = isa_srcs(x->k, i)[0];
    }
    struct loop_sum sum = loops_sum(x->l, x->k, by, x->loop, at);
    if (!isa_is_reg(sum.reg) || loops_written(x->l, sum.reg, x->loop, sum.at) != LOOPS_NONE)
        return false;
    uint32_t w = loops_writer(x->l, sum.reg, x->loop);
    if (w >= LOOPS_NONE || !loops_step(x->l, x->k, w, &c) || c.reg != sum.reg) return false;
    int32_t step = loops_constant_step(x->k, &c);
    int64_t plus = isa_signed(isa_operand_type(x->k, sum.reg), sum.plus);
    if ((step != 1 && step != -1) || isa_operand_type(x->k, sum.reg) != ISA_I32 ||
        !begins_with(x, sum.reg, &value) || !constant_signed(x->k, value, &start))
        return false;
    int64_t first = start + plus, place_is = up ? place + first : place - first;
    if (first < 0 || first >= width || place_is < 0 || place_is >= width) return false;
    s->first = (int)place_is;
    s->down = up != (step > 0);
    /* Shifts are by less than what the type has, and places in it. */
    int64_t least = up ? 0 : place - width + 1, most = up ? width - 1 - place : place;
    if (least < 0) least = 0;
    if (most > width - 1) most = width - 1;
    if (is_bounded(x, s->at, sum.reg, start, plus, least, most)) return true;
    /* Or all places have been looked at by then, of which the first bit ends the loop. */
    uint32_t compare = compared_at(x, s->at);
    const struct closed_condition *own = compare < LOOPS_NONE ? condition_at(x, compare) : NULL;
    return !s->all && own && own->leaf.op == ISA_ne && s->first == (s->down ? width - 1 : 0);
}

/* A bit that is shifted by one place. */
static bool shifted(const struct closed_loop *x, struct shifted_look *s, isa_operand mask) {
    isa_operand value;
    uint32_t w = loops_writer(x->l, mask, x->loop);
    if (loops_written(x->l, mask, x->loop, s->at) != LOOPS_NONE || w >= LOOPS_NONE) return false;
    const struct isa_inst *i = &x->k->insts[w];
    const isa_operand *src = isa_srcs(x->k, i);
    bool twice = i->op == ISA_add && src[1] == mask;
    s->down = i->op == ISA_shr_u;
    return (twice || ((s->down || i->op == ISA_shl) && constant_is(x->k, src[1], 1))) &&
           src[0] == mask && begins_with(x, mask, &value) && one_bit(x->k, value, &s->first);
}

static bool find_and(const struct closed_loop *x, struct shifted_look *s, isa_operand a,
                     isa_operand b) {
    const struct isa_inst *by = written(x, a, s->at);
    uint32_t at = by ? (uint32_t)(by - x->k->insts) : 0;
    const isa_operand *src = by ? isa_srcs(x->k, by) : NULL;
    int width = width_of(x, b), place;
    bool right = by && (by->op == ISA_shr_u || by->op == ISA_shr_s), up = by && by->op == ISA_shl;
    if (by && !right && !up) return false;
    if (isa_is_const(b)) {
        if (!by || !one_bit(x->k, b, &place) || isa_is_const(src[0])) return false;
        s->value = src[0];
        s->flag = !right || place;
        if (loops_varies(x->l, s->value, x->loop) || (by->op == ISA_shr_s && place)) return false;
        return counted(x, s, src[1], at, place, right);
    }
    s->value = b;
    s->flag = true;
    if (loops_varies(x->l, b, x->loop)) return false;
    if (!by) return isa_is_reg(a) && shifted(x, s, a);
    if (!one_bit(x->k, src[0], &place) || (by->op == ISA_shr_s && place == width - 1)) return false;
    return counted(x, s, src[1], at, place, up);
}

static bool find(const struct closed_loop *x, uint32_t n, struct shifted_look *s) {
    const struct isa_inst *i = &x->k->insts[n];
    const isa_operand *src = isa_srcs(x->k, i);
    *s = (struct shifted_look){.at = n, .loop = x->loop};
    if (i->op == ISA_and && i->type != ISA_PRED) {
        if (!find_and(x, s, src[0], src[1]) && !find_and(x, s, src[1], src[0])) return false;
        return !s->flag || compared_at(x, n) < LOOPS_NONE;
    }
    if (i->op != ISA_shr_u || isa_is_const(src[0]) || loops_varies(x->l, src[0], x->loop))
        return false;
    s->value = src[0];
    s->all = true;
    return compared_at(x, n) < LOOPS_NONE && counted(x, s, src[1], n, 0, true) && !s->down;
}

static bool find_looks(struct shifted_loop *o) {
    struct closed_loop *x = &o->x;
    const struct loop *l = &x->l->loops[x->loop];
    o->nlooks = 0;
    for (uint32_t n = x->leaves; n <= x->last; n++)
        if (x->k->insts[n].op == ISA_breakif && !closedloops_conditions(x, n)) return false;
    for (uint32_t n = l->begin + 1; n < l->end && o->nlooks < SHIFTED_MOST; n++)
        if (find(x, n, &o->looks[o->nlooks])) o->nlooks++;
    return o->nlooks;
}

static void begin(struct kernelcopy *c, struct shifted_loop *o) {
    for (unsigned n = 0; n < o->nlooks; n++) {
        struct shifted_look *s = &o->looks[n];
        enum isa_type t = (enum isa_type)isa_operand_type(c->out, s->value);
        int by = s->down ? (int)isa_type_size[t] * 8 - 1 - s->first : s->first;
        s->reg = kernelcopy_result(c, s->down ? ISA_shl : ISA_shr_u, t, s->value,
                                   kernelcopy_number(c, t, by));
    }
}

static void step(struct kernelcopy *c, const struct shifted_loop *o) {
    for (unsigned n = 0; n < o->nlooks; n++) {
        const struct shifted_look *s = &o->looks[n];
        enum isa_type t = (enum isa_type)isa_operand_type(c->out, s->value);
        kernelcopy_add(c, s->down ? ISA_shl : ISA_shr_u, t, s->reg, s->reg,
                       kernelcopy_number(c, t, 1));
    }
}

static void look(struct kernelcopy *c, const struct shifted_look *s, isa_operand to) {
    enum isa_type t = (enum isa_type)isa_operand_type(c->out, s->value);
    int top = (int)isa_type_size[t] * 8 - 1;
    if (s->all)
        kernelcopy_move(c, to, s->reg);
    else if (s->down && !s->flag)
        kernelcopy_add(c, ISA_shr_u, t, to, s->reg, kernelcopy_number(c, t, top));
    else
        kernelcopy_add(c, ISA_and, t, to, s->reg,
                       kernelcopy_number(c, t, s->down ? INT64_MIN >> (63 - top) : 1));
}

void opt_shifted(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l = {0};
    struct kernelcopy c;
    unsigned any = 0;
    if (!loops_find(&l, k, arena)) return;
    struct shifted_loop **found = ARENA_ARRAY(arena, struct shifted_loop *, l.nloops + 1u);
    for (uint32_t n = 1; n <= l.nloops; n++) {
        struct shifted_loop *o = ARENA_NEW(arena, struct shifted_loop);
        if (!closedloops_simple(&o->x, k, &l, n) || !find_looks(o)) continue;
        trace_tell(p, &k->insts[l.loops[n].begin], "what the loop looks at bit by bit is shifted");
        found[n] = o;
        any++;
    }
    if (!any) return;
    uint32_t *reads = rewrite_reads(k, arena), nregs = k->nregs;
    kernelcopy_take(&c, k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !isa_kernel_failed(k); n++) {
        uint16_t op = c.k->insts[n].op;
        struct shifted_loop *o = found[op == ISA_loop      ? loops_at(&l, n)
                                       : op == ISA_endloop ? l.loop_of[n - 1]
                                                           : l.loop_of[n]];
        const struct shifted_look *s = NULL;
        c.at = n;
        for (unsigned m = 0; o && m < o->nlooks; m++)
            if (o->looks[m].at == n) s = &o->looks[m];
        if (o && op == ISA_loop) begin(&c, o);
        if (o && n == l.loops[o->x.loop].end) step(&c, o);
        if (s)
            look(&c, s, isa_dsts(c.k, &c.k->insts[n])[0]);
        else
            kernelcopy_put(&c, n);
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, reads, nregs);
}
