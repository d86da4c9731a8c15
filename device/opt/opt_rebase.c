/* Addresses that small loops step side by side, as those of a loop that was unrolled by hand: where
 * they always lie a constant apart, and only accesses read them, they become one of them and
 * displacements. What lies side by side can be moved as one then, and loops step less. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { TERMS = 8, DEEP = 8 };
enum { MOST_FAR = 1024 /* bytes from one to the other */, MARGIN = 1 << 16 };

/* reg[0] * by[0] + ... + plus, modulo 2^32. */
struct linear_sum {
    isa_operand reg[TERMS];
    uint32_t by[TERMS], plus, terms;
};

struct rebaser {
    struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    uint32_t *start;        /* of each counter: what starts it, + 1 */
    uint32_t *writer;       /* of each register that is ordered: the instruction, + 1 */
    struct linear_sum *sum; /* of each counter: its start; no terms: it is not looked at */
    uint32_t *on;           /* of each counter: the one that stands for it, + 1 */
    uint32_t *of;           /* of each register: such a counter, + 1 */
    uint8_t *gone;          /* instructions that are left out */
};

/* ---- what they start from ---- */

static bool constant(const struct isa_kernel *k, isa_operand o, uint32_t *value) {
    if (!isa_is_const(o) || k->consts[isa_const_index(o)].type != ISA_I32) return false;
    *value = (uint32_t)k->consts[isa_const_index(o)].bits;
    return true;
}

static bool add_term(struct linear_sum *s, isa_operand reg, uint32_t by) {
    uint32_t n = 0;
    while (n < s->terms && s->reg[n] != reg) n++;
    if (n == TERMS) return false;
    if (n == s->terms) {
        s->terms++;
        s->reg[n] = reg;
        s->by[n] = 0;
    }
    s->by[n] += by;
    return true;
}

static bool add_written(const struct rebaser *x, struct linear_sum *s, uint32_t n, uint32_t by,
                        unsigned left);

/* Adds an operand by times. */
static bool add_operand(const struct rebaser *x, struct linear_sum *s, isa_operand o, uint32_t by,
                        unsigned left) {
    uint32_t c;
    if (constant(x->k, o, &c)) {
        s->plus += c * by;
        return true;
    }
    if (!isa_is_reg(o) || !x->writer[o]) return false;
    struct linear_sum before = *s;
    if (left && add_written(x, s, x->writer[o] - 1, by, left - 1)) return true;
    *s = before;
    return add_term(s, o, by);
}

/* What instruction n writes; false: that is no sum. */
static bool add_written(const struct rebaser *x, struct linear_sum *s, uint32_t n, uint32_t by,
                        unsigned left) {
    const struct isa_inst *i = &x->k->insts[n];
    const isa_operand *src = isa_srcs(x->k, i);
    uint32_t c;
    if (i->type != ISA_I32 || i->type2 != ISA_NONE_T) return false;
    switch (i->op) {
    case ISA_mov: return add_operand(x, s, src[0], by, left);
    case ISA_add: return add_operand(x, s, src[0], by, left) && add_operand(x, s, src[1], by, left);
    case ISA_sub:
        return add_operand(x, s, src[0], by, left) && add_operand(x, s, src[1], 0 - by, left);
    case ISA_shl:
        return constant(x->k, src[1], &c) && add_operand(x, s, src[0], by << (c & 31), left);
    case ISA_mul: return constant(x->k, src[1], &c) && add_operand(x, s, src[0], by * c, left);
    default: return false;
    }
}

/* They differ by a constant, which is from b to a. */
static bool is_constant_apart(const struct linear_sum *a, const struct linear_sum *b,
                              int32_t *far) {
    struct linear_sum d = *a;
    for (uint32_t n = 0; n < b->terms; n++)
        if (!add_term(&d, b->reg[n], 0 - b->by[n])) return false;
    for (uint32_t n = 0; n < d.terms; n++)
        if (d.by[n]) return false;
    *far = (int32_t)(a->plus - b->plus);
    return *far<MOST_FAR && * far> - MOST_FAR;
}

/* ---- which ---- */

/* Counters that accesses of their loop alone read, as addresses, all before they are stepped. */
static bool find_addresses(struct rebaser *x, struct arena *arena) {
    const struct isa_kernel *k = x->k;
    uint32_t *reads = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    uint32_t *bases = ARENA_ARRAY(arena, uint32_t, x->counters.count + 1u);
    uint32_t found = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        const isa_operand *src = isa_srcs(k, inst);
        for (unsigned n = 0; n < inst->nsrc; n++)
            if (isa_is_reg(src[n])) reads[src[n]]++;
        if ((inst->op != ISA_ld && inst->op != ISA_st) || !isa_is_reg(src[0])) continue;
        for (uint32_t n = x->counters.of[src[0]]; n; n = x->counters.list[n - 1].next) {
            const struct loop_counter *c = &x->counters.list[n - 1];
            bool fits = inst->imm < ISA_MAX_DISPLACEMENT - MARGIN &&
                        inst->imm > MARGIN - ISA_MAX_DISPLACEMENT;
            bases[n - 1] += fits && x->l.loop_of[i] == c->loop && i < c->at;
        }
    }
    for (uint32_t n = 0; n < x->counters.count; n++) {
        const struct loop_counter *c = &x->counters.list[n];
        uint32_t step;
        if (!x->start[n] || !bases[n] || reads[c->reg] != bases[n] + 1 || x->l.defs[c->reg] != 2 ||
            !constant(k, c->step, &step))
            continue;
        if (!add_written(x, &x->sum[n], x->start[n] - 1, 1, DEEP)) x->sum[n].terms = 0;
        found += x->sum[n].terms != 0;
    }
    return found > 1;
}

/* Are all accesses by counter b before counter a is stepped, too? */
static bool is_read_before(const struct rebaser *x, const struct loop_counter *b,
                           const struct loop_counter *a) {
    for (uint32_t i = a->at; i < b->at; i++)
        for (unsigned n = 0; n < x->k->insts[i].nsrc; n++)
            if (isa_srcs(x->k, &x->k->insts[i])[n] == b->reg) return false;
    return true;
}

static bool stands_for(const struct rebaser *x, uint32_t a, uint32_t b) {
    const struct loop_counter *of = x->counters.list;
    uint32_t one, other;
    int32_t far;
    return x->sum[a].terms && !x->on[a] && of[a].loop == of[b].loop &&
           constant(x->k, of[a].step, &one) && constant(x->k, of[b].step, &other) && one == other &&
           is_constant_apart(&x->sum[b], &x->sum[a], &far) && far >= 0 && (far || a < b) &&
           is_read_before(x, &of[b], &of[a]);
}

/* The lowest of those that lie a constant apart stands for the others. */
static bool choose(struct rebaser *x, const struct trace_pass *p) {
    bool any = false;
    for (uint32_t b = 0; b < x->counters.count; b++) {
        uint32_t lowest = 0;
        for (uint32_t a = 0; a < x->counters.count && x->sum[b].terms; a++)
            if (a != b && stands_for(x, a, b) && (!lowest || stands_for(x, a, lowest - 1)))
                lowest = a + 1;
        if (!lowest) continue;
        const struct loop_counter *c = &x->counters.list[b];
        bool used = false; /* it stands for others itself */
        for (uint32_t n = 0; n < b; n++) used |= x->on[n] == b + 1;
        if (used) continue;
        x->on[b] = lowest;
        x->of[c->reg] = b + 1;
        x->gone[c->at] = x->gone[x->start[b] - 1] = 1;
        trace_tell(p, &x->k->insts[c->at], "the address is another one and a displacement");
        any = true;
    }
    return any;
}

/* ---- writing ---- */

static void rewrite(struct rebaser *x, struct arena *arena) {
    struct rewrite_code old = rewrite_take(x->k, arena);
    for (uint32_t i = 0; i < old.ninsts && !isa_kernel_failed(x->k); i++) {
        const struct isa_inst *inst = &old.insts[i];
        isa_operand *dst = old.operands + inst->operands, *src = dst + inst->ndst;
        int32_t far = 0;
        if (x->gone[i]) continue;
        bool moves = inst->op == ISA_ld || inst->op == ISA_st;
        uint32_t b = moves && isa_is_reg(src[0]) ? x->of[src[0]] : 0;
        if (b) {
            uint32_t a = x->on[b - 1] - 1;
            far = (int32_t)(x->sum[b - 1].plus - x->sum[a].plus);
            src[0] = x->counters.list[a].reg;
        }
        rewrite_put(x->k, inst, dst, src)->imm += far;
    }
}

void opt_rebase(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct rebaser *x = ARENA_NEW(arena, struct rebaser);
    x->k = k;
    if (!loops_find(&x->l, k, arena)) return;
    loops_counters(&x->l, k, arena, &x->counters);
    x->start = loops_starts(&x->l, k, arena, &x->counters);
    x->writer = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->sum = ARENA_ARRAY(arena, struct linear_sum, x->counters.count + 1u);
    x->on = ARENA_ARRAY(arena, uint32_t, x->counters.count + 1u);
    x->of = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->gone = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++)
        for (unsigned d = 0; d < k->insts[i].ndst; d++) {
            isa_operand reg = isa_dsts(k, &k->insts[i])[d];
            if (x->l.ordered[reg]) x->writer[reg] = i + 1;
        }
    if (find_addresses(x, arena) && choose(x, p)) rewrite(x, arena);
}
