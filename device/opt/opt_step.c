/* Addresses that move by the same in each iteration of a small loop are stepped: they are counters
 * of their own, and what they were made of is not computed there. The compiler does so where it can
 * see it; here it is done for what was of 64 bits before, for loops that count down, and others. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum {
    MOST_INSTS = 64, /* of a loop, */
    MOST_STEP = 4096,
    DEEP = 8 /* instructions that an address is made of, one of the other */
};

struct stepper {
    struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    uint32_t *writer;     /* of each register that is ordered: the instruction, + 1 */
    isa_operand *stepped; /* of each address: what is stepped in its place, + 1 */
    uint32_t *growth;     /* and by how much; */
    isa_operand *before;  /* of what it is made of: the same in the first iteration, + 1 */
    uint32_t *reads;      /* of each register */
    uint8_t *dead;        /* instructions whose result nobody reads any more */
    uint8_t *chosen;      /* those that begin and end such a loop */
    struct rewrite_code old;
};

/* ---- which ---- */

static const struct loop_counter *counter_of(const struct stepper *s, isa_operand o,
                                             uint32_t loop) {
    for (uint32_t n = s->counters.of[o]; n; n = s->counters.list[n - 1].next)
        if (s->counters.list[n - 1].loop == loop) return &s->counters.list[n - 1];
    return NULL;
}

static bool constant(const struct isa_kernel *k, isa_operand o, uint32_t *value) {
    if (!isa_is_const(o) || k->consts[isa_const_index(o)].type != ISA_I32) return false;
    *value = (uint32_t)k->consts[isa_const_index(o)].bits;
    return true;
}

/* By how much an operand grows from one iteration to the next, if that is always the same. */
static bool grows(const struct stepper *s, isa_operand o, uint32_t loop, uint32_t *by,
                  unsigned left) {
    const struct isa_kernel *k = s->k;
    *by = 0;
    if (!loops_varies(&s->l, o, loop)) return true;
    const struct loop_counter *c = counter_of(s, o, loop);
    if (c) return constant(k, c->step, by);
    uint32_t n = s->writer[o] - 1, a, b;
    if (!s->writer[o] || s->l.loop_of[n] != loop || s->l.nested[n] || !left) return false;
    const struct isa_inst *i = &k->insts[n];
    const isa_operand *src = isa_srcs(k, i);
    if (i->type != ISA_I32 || !i->nsrc || !grows(s, src[0], loop, &a, left - 1)) return false;
    switch (i->op) {
    case ISA_mov: *by = a; return true;
    case ISA_add:
    case ISA_sub:
        if (!grows(s, src[1], loop, &b, left - 1)) return false;
        *by = i->op == ISA_add ? a + b : a - b;
        return true;
    case ISA_shl:
        if (!constant(k, src[1], &b)) return false;
        *by = a << (b & 31);
        return true;
    case ISA_mul:
        if (constant(k, src[0], &b) ? !grows(s, src[1], loop, &a, left - 1)
                                    : !constant(k, src[1], &b))
            return false;
        *by = a * b;
        return true;
    default: return false;
    }
}

/* A loop without others in it, which computes and loads, and always comes to its end but where it
 * is left. */
static bool fits(const struct isa_kernel *k, uint32_t begin, uint32_t *end) {
    uint32_t n = begin + 1;
    for (; k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool leaves = i->op == ISA_breakif && i->imm == 0;
        bool plain = flags & ISA_OP_PURE || i->op == ISA_ld;
        if (n - begin > MOST_INSTS || flags & ISA_OP_PROBE || (!leaves && !plain)) return false;
    }
    *end = n;
    return true;
}

/* Every load of the loop is from one place, or moves evenly: where one hangs on what another has
 * read, lanes gather, and the loop is better left as it is. */
static bool walks(const struct stepper *s, uint32_t begin, uint32_t end) {
    const struct isa_kernel *k = s->k;
    uint32_t loop = s->l.loop_of[begin + 1], by;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool loads = i->op == ISA_ld && i->space != ISA_PARAM;
        if (loads && !grows(s, isa_srcs(k, i)[0], loop, &by, DEEP)) return false;
    }
    return true;
}

/* The addresses of one loop; false: there are none. */
static bool find_addresses(struct stepper *s, uint32_t begin, uint32_t end,
                           const struct trace_pass *p) {
    const struct isa_kernel *k = s->k;
    uint32_t loop = s->l.loop_of[begin + 1], by;
    bool any = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool loads = i->op == ISA_ld && i->space == ISA_GLOBAL;
        isa_operand at = loads ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        if (!loads || !isa_is_reg(at) || !s->writer[at]) continue;
        if (s->l.loop_of[s->writer[at] - 1] != loop || !grows(s, at, loop, &by, DEEP)) continue;
        if (!by || by + MOST_STEP > 2 * MOST_STEP) continue;
        if (!s->stepped[at]) trace_tell(p, i, "the address is stepped");
        if (!s->stepped[at]) s->stepped[at] = isa_reg_new(s->k, ISA_I32) + 1;
        s->growth[at] = by;
        s->reads[at]--;
        any = true;
    }
    return any;
}

/* What only those addresses were made of. */
static void find_dead(struct stepper *s, uint32_t begin, uint32_t end) {
    const struct isa_kernel *k = s->k;
    for (uint32_t n = end; --n > begin;) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool pure = flags & ISA_OP_PURE && !(flags & ISA_OP_IMAGE) && i->ndst == 1;
        if (!pure || !s->writer[isa_dsts(k, i)[0]] || s->reads[isa_dsts(k, i)[0]]) continue;
        s->dead[n] = 1;
        for (unsigned a = 0; a < i->nsrc; a++)
            if (isa_is_reg(isa_srcs(k, i)[a])) s->reads[isa_srcs(k, i)[a]]--;
    }
}

static bool choose(struct stepper *s, const struct trace_pass *p) {
    bool any = false;
    for (uint32_t n = 0, end; n < s->k->ninsts; n++) {
        if (s->k->insts[n].op != ISA_loop || !fits(s->k, n, &end)) continue;
        if (!walks(s, n, end) || !find_addresses(s, n, end, p)) continue;
        s->chosen[n] = s->chosen[end] = 1;
        find_dead(s, n, end);
        any = true;
    }
    return any && !isa_kernel_failed(s->k);
}

/* ---- writing ---- */

/* What an operand of instruction `at` is in the first iteration, as the code before the loop makes
 * it. */
static isa_operand first_of(struct stepper *s, isa_operand o, uint32_t at, uint32_t loop) {
    if (!loops_varies(&s->l, o, loop)) return o;
    const struct loop_counter *c = counter_of(s, o, loop);
    if (c && at < c->at) return o;
    if (c) return isa_emit1(s->k, ISA_add, ISA_I32, ISA_NONE_T, o, c->step, ISA_NO_OPERAND);
    if (s->before[o]) return s->before[o] - 1;
    const struct isa_inst *i = &s->old.insts[s->writer[o] - 1];
    const isa_operand *from = s->old.operands + i->operands + i->ndst;
    isa_operand src[2], dst = isa_reg_new(s->k, ISA_I32);
    for (unsigned n = 0; n < i->nsrc; n++) src[n] = first_of(s, from[n], s->writer[o] - 1, loop);
    rewrite_put(s->k, i, &dst, src);
    s->before[o] = dst + 1;
    return dst;
}

/* Addresses of the loop that begins there: with what they begin, or their steps. */
static void put_steps(struct stepper *s, uint32_t begin, bool first) {
    uint32_t loop = s->l.loop_of[begin + 1];
    for (uint32_t n = begin + 1; s->old.insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &s->old.insts[n];
        isa_operand dst = i->ndst == 1 ? s->old.operands[i->operands] : ISA_NO_OPERAND;
        if (dst == ISA_NO_OPERAND || s->writer[dst] != n + 1 || !s->stepped[dst]) continue;
        isa_operand to = s->stepped[dst] - 1, from[2] = {to};
        s->k->cur_file = i->file;
        s->k->cur_line = i->line;
        if (first)
            from[0] = first_of(s, dst, n, loop);
        else
            from[1] = isa_const_new(s->k, ISA_I32, s->growth[dst]);
        isa_emit(s->k, first ? ISA_mov : ISA_add, ISA_I32, ISA_NONE_T, 1, &to, first ? 1 : 2, from);
    }
}

static void write(struct stepper *s) {
    uint32_t begin = 0;
    for (uint32_t n = 0; n < s->old.ninsts && !isa_kernel_failed(s->k); n++) {
        const struct isa_inst *i = &s->old.insts[n];
        isa_operand *dst = s->old.operands + i->operands, *src = dst + i->ndst;
        if (i->op == ISA_loop) begin = n;
        if (s->chosen[n]) put_steps(s, begin, i->op == ISA_loop);
        if (s->dead[n]) continue;
        bool stepped = i->op == ISA_ld && isa_is_reg(src[0]) && s->stepped[src[0]];
        if (stepped) src[0] = s->stepped[src[0]] - 1;
        rewrite_put(s->k, i, dst, src);
    }
}

void opt_step(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct stepper *s = ARENA_NEW(arena, struct stepper);
    s->k = k;
    if (k->ninsts > ISA_MAX_INSTRUCTIONS / 2 || !loops_find(&s->l, k, arena)) return;
    loops_counters(&s->l, k, arena, &s->counters);
    s->writer = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    s->stepped = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    s->growth = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    s->before = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    s->reads = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    s->dead = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    s->chosen = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++)
            if (s->l.ordered[isa_dsts(k, i)[d]]) s->writer[isa_dsts(k, i)[d]] = n + 1;
        for (unsigned a = 0; a < i->nsrc; a++)
            if (isa_is_reg(isa_srcs(k, i)[a])) s->reads[isa_srcs(k, i)[a]]++;
    }
    if (!choose(s, p)) return;
    s->old = rewrite_take(k, arena);
    write(s);
}
