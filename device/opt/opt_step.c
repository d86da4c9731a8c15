/* Addresses that move by the same in each iteration of a small loop are stepped: they are counters
 * of their own, and what they were made of is not computed there. The compiler does so where it can
 * see it; here it is done for what was of 64 bits before, for loops that count down, and others. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum {
    MOST_INSTS = 64, /* of a loop, */
    MOST_STEP = 4096
};

struct step_first { /* what stands for a register in the first iteration of a loop */
    isa_operand reg;
    uint32_t loop;
};

struct stepper {
    struct isa_kernel *k;
    struct loops l;
    isa_operand *stepped;     /* of each address: what is stepped in its place, + 1 */
    uint32_t *growth;         /* and by how much; */
    struct step_first *first; /* of what it is made of */
    uint8_t *chosen;          /* instructions that begin and end such a loop */
    struct rewrite_code old;
    struct isa_kernel was; /* with the old code */
};

/* ---- which ---- */

/* By how much what instruction n reads as an address grows from one iteration to the next, if that
 * is always the same. */
static bool grows(const struct stepper *s, uint32_t n, uint32_t *by) {
    bool behind;
    return loops_grows(&s->l, s->k, isa_srcs(s->k, &s->k->insts[n])[0], s->l.loop_of[n], n, by,
                       &behind);
}

/* A loop without others in it, which computes and loads, under ifs, too, and always comes to its
 * end but where it is left. It may store where its iterations are a chain, and in private memory:
 * those of others engines deal out to lanes (sized/dealt.c, spread.c). */
static bool fits(const struct stepper *s, uint32_t begin, uint32_t *end) {
    const struct isa_kernel *k = s->k;
    uint32_t n = begin + 1, depth = 0;
    bool stores = false;
    for (; k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth += isa_deeper(i);
        bool leaves = i->op == ISA_breakif && (uint32_t)i->imm == depth,
             passes = i->op == ISA_if || i->op == ISA_else || i->op == ISA_endif,
             plain = flags & ISA_OP_PURE || i->op == ISA_ld || (i->op == ISA_st && !depth);
        stores |= i->op == ISA_st && i->space != ISA_PRIVATE;
        if (n - begin > MOST_INSTS || flags & ISA_OP_PROBE || (!leaves && !passes && !plain))
            return false;
    }
    *end = n;
    return !stores || loops_carries(&s->l, k, loops_at(&s->l, begin));
}

/* Every load of the loop is from one place or private memory, or moves evenly: where one hangs on
 * what another has read, lanes gather, and the loop is better left as it is. */
static bool walks(const struct stepper *s, uint32_t begin, uint32_t end) {
    const struct isa_kernel *k = s->k;
    uint32_t by;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool own = i->space == ISA_PARAM || i->space == ISA_PRIVATE;
        if (i->op == ISA_ld && !own && !grows(s, n, &by)) return false;
    }
    return true;
}

/* The addresses of one loop; false: there are none. */
static bool find_addresses(struct stepper *s, uint32_t begin, uint32_t end,
                           const struct trace_pass *p) {
    const struct isa_kernel *k = s->k;
    uint32_t loop = loops_at(&s->l, begin), by;
    bool any = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool moves = (i->op == ISA_ld || i->op == ISA_st) && i->space == ISA_GLOBAL;
        isa_operand at = moves ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        if (!loops_varies(&s->l, at, loop) || !s->l.ordered[at]) continue;
        if (!grows(s, n, &by) || !by || by + MOST_STEP > 2 * MOST_STEP) continue;
        if (!s->stepped[at]) trace_tell(p, i, "the address is stepped");
        if (!s->stepped[at]) s->stepped[at] = isa_reg_new(s->k, ISA_I32) + 1;
        s->growth[at] = by;
        any = true;
    }
    return any;
}

static bool choose(struct stepper *s, const struct trace_pass *p) {
    bool any = false;
    for (uint32_t n = 0, end; n < s->k->ninsts; n++) {
        if (s->k->insts[n].op != ISA_loop || !fits(s, n, &end)) continue;
        if (!walks(s, n, end) || !find_addresses(s, n, end, p)) continue;
        s->chosen[n] = s->chosen[end] = 1;
        any = true;
    }
    return any && !isa_kernel_failed(s->k);
}

/* ---- writing ---- */

/* What an operand of instruction `at` is in the first iteration, as the code before the loop makes
 * it. */
static isa_operand first_of(struct stepper *s, isa_operand o, uint32_t at, uint32_t loop) {
    struct loop_counter c;
    uint32_t writer = loops_writer(&s->l, o, loop);
    if (writer == LOOPS_NONE) return o;
    if (loops_step(&s->l, &s->was, writer, &c)) {
        if (at < writer) return o;
        return isa_emit1(s->k, c.down ? ISA_sub : ISA_add, ISA_I32, ISA_NONE_T, o, c.step,
                         ISA_NO_OPERAND);
    }
    if (s->first[o].loop == loop) return s->first[o].reg;
    const struct isa_inst *i = &s->old.insts[writer];
    const isa_operand *from = s->old.operands + i->operands + i->ndst;
    isa_operand src[2], dst = isa_reg_new(s->k, ISA_I32);
    for (unsigned n = 0; n < i->nsrc; n++) src[n] = first_of(s, from[n], writer, loop);
    rewrite_put(s->k, i, &dst, src);
    s->first[o] = (struct step_first){dst, loop};
    return dst;
}

/* Addresses of the loop that begins there: with what they begin, or their steps. */
static void put_steps(struct stepper *s, uint32_t begin, bool first) {
    uint32_t loop = loops_at(&s->l, begin);
    for (uint32_t n = begin + 1; s->old.insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &s->old.insts[n];
        isa_operand dst = i->ndst == 1 ? s->old.operands[i->operands] : ISA_NO_OPERAND;
        if (dst == ISA_NO_OPERAND || !s->stepped[dst]) continue;
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
        bool moves = i->op == ISA_ld || i->op == ISA_st;
        if (moves && isa_is_reg(src[0]) && s->stepped[src[0]]) src[0] = s->stepped[src[0]] - 1;
        rewrite_put(s->k, i, dst, src);
    }
}

void opt_step(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct stepper *s = ARENA_NEW(arena, struct stepper);
    s->k = k;
    if (k->ninsts > ISA_MAX_INSTRUCTIONS / 2 || !loops_find(&s->l, k, arena)) return;
    s->stepped = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    s->growth = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    s->first = ARENA_ARRAY(arena, struct step_first, k->nregs + 1u);
    s->chosen = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    if (!choose(s, p)) return;
    s->old = rewrite_take(k, arena);
    s->was = *k;
    s->was.insts = s->old.insts;
    s->was.operands = s->old.operands;
    write(s);
    if (!isa_kernel_failed(k)) rewrite_unread(k, arena, s->l.reads);
}
