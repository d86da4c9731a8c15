/* Loops that choose among registers by what they count, or go through a small array of the
 * work-item's own, as where an element is moved until it is in its place, and that lanes leave
 * early: written out, for as often as they go round at most, what an iteration chooses is known. */
#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/constant.h"
#include "device/isa/ifconvert.h"
#include "device/isa/rewrite.h"
#include "expand.h"
#include "opt_pass.h"

enum { MOST_ROUNDS = 8, MOST_WRITTEN = 400, MOST_MADE = 1600 /* instructions */ };

static bool is_own(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space == ISA_PRIVATE &&
           !isa_is_watched(i);
}

/* Does the loop do nothing but compute, and choose by comparisons of its own, or by an index? */
static bool chooses(const struct isa_kernel *k, uint32_t begin, uint32_t end) {
    bool any = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool picks = i->op == ISA_if || i->op == ISA_else || i->op == ISA_endif || is_own(i);
        if (i->op != ISA_breakif && !picks && !(isa_op_info[i->op].flags & ISA_OP_PURE))
            return false;
        any |= is_own(i) && isa_is_reg(isa_srcs(k, i)[0]);
        if (i->op != ISA_eq) continue;
        for (uint32_t m = n + 1; m < end; m++)
            any |=
                k->insts[m].op == ISA_select && isa_srcs(k, &k->insts[m])[0] == isa_dsts(k, i)[0];
    }
    return any && expand_may_count(k, begin, end);
}

/* Where a counter is compared with what is never beyond a constant (as a place in the array is), it
 * comes to that at the latest: which constant, in place of which source, + 1. */
static unsigned comes_to(const struct isa_kernel *k, const struct loops *l, const struct numbers *x,
                         uint32_t leaves, int64_t *last) {
    struct loop_exit e;
    uint64_t first;
    if (!loops_exit(l, k, leaves, &e) || isa_is_const(e.bound)) return 0;
    const struct isa_inst *compare = &k->insts[e.compare];
    uint32_t start = loops_start_outside(k, l->loops[l->loop_of[leaves]].begin, e.counter.reg);
    const struct isa_inst *i = start ? &k->insts[start - 1] : NULL;
    if (!i || i->op != ISA_mov || !constant_bits(k, isa_srcs(k, i)[0], &first)) return 0;
    if (!compare_is_signed(compare->op)) return 0;
    struct interval at = numbers_signed(x, k, e.bound);
    *last = e.down ? at.least : at.most;
    int64_t far = e.down ? (int32_t)first - *last : *last - (int32_t)first;
    return far >= 0 && far <= MOST_ROUNDS * (int64_t)e.step ? e.side + 1 : 0;
}

/* Loops that would be written out if they counted to constants are left there, too. */
static void bound(struct isa_kernel *k, struct arena *arena) {
    struct loops l;
    struct numbers numbers;
    bool any = false;
    uint8_t *sides = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint32_t *leaves = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    int64_t *last = ARENA_ARRAY(arena, int64_t, k->ninsts + 1u);
    loops_find(&l, k, arena);
    numbers_find(&numbers, k, NULL, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_breakif || k->insts[n].imm || !l.loop_of[n]) continue;
        const struct loop *of = &l.loops[l.loop_of[n]];
        if (!chooses(k, of->begin, of->end)) continue;
        sides[n] = (uint8_t)comes_to(k, &l, &numbers, n, &last[n]);
        if (!sides[n]) continue;
        leaves[loops_compare(&l, k, n)] = n;
        any = true;
    }
    if (!any) return;
    struct kernelcopy c;
    kernelcopy_take(&c, k, arena);
    isa_operand *there = ARENA_ARRAY(arena, isa_operand, c.k->ninsts + 1u);
    for (uint32_t n = 0; n < c.k->ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &c.k->insts[n];
        if (sides[n] && i->op == ISA_breakif)
            isa_emit(k, ISA_breakif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &there[n]);
        kernelcopy_put(&c, n);
        if (!leaves[n]) continue;
        isa_operand src[2] = {isa_srcs(c.k, i)[0], isa_srcs(c.k, i)[1]};
        src[sides[leaves[n]] - 1] = kernelcopy_word(&c, (uint32_t)last[leaves[n]]);
        there[leaves[n]] =
            isa_emit1(k, (enum isa_op)i->op, ISA_PRED, ISA_I32, src[0], src[1], ISA_NO_OPERAND);
    }
    rewrite_match(k);
}

static bool unroll_left(struct expander *x, uint32_t begin, uint32_t end) {
    return expand_unroll_left(x, begin, end, MOST_ROUNDS + 1, MOST_WRITTEN, MOST_ROUNDS);
}

static bool write_out(struct expander *x, uint32_t begin) {
    return chooses(x->k, begin, x->k->insts[begin].match) && expand_try(x, begin, unroll_left);
}

/* What follows where lanes leave is computed for all: who leaves when hardly repeats itself, and a
 * CPU does not foresee it. No site tells of these ifs. */
static enum ifconvert_verdict decide(void *context, const struct ifconvert_case *c) {
    (void)context;
    return c->simple && !c->k->insts[c->begin].site ? IFCONVERT_SELECT : IFCONVERT_LEAVE;
}

static bool any_unknown(const struct isa_kernel *k) {
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) any |= k->insts[n].op == ISA_if && !k->insts[n].site;
    return any;
}

static void write_all(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct expander x = {.write_out = write_out};
    uint32_t before = k->ninsts, nregs = k->nregs;
    uint32_t *reads = rewrite_reads(k, arena);
    if (!isa_sites_finish(k)) return; /* what is known of sites by now is known of the copy's */
    if (expand_begin(&x, k, NULL, MOST_MADE) && expand_write(&x)) {
        struct isa_kernel was = *k;
        *k = *x.copy.out;
        *x.copy.out = was;
        rewrite_unread_since(k, arena, reads, nregs);
        trace_tell(p, NULL, "%u instructions instead of %u", k->ninsts, before);
    }
    kernelcopy_drop(&x.copy);
    expand_end(&x);
}

void opt_choices(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    bool any = false,
         fits = k->ninsts < MOST_MADE && rewrite_nesting(k) + MOST_ROUNDS <= ISA_MAX_NESTING;
    for (uint32_t n = 0; fits && n < k->ninsts && !any; n++)
        any = k->insts[n].op == ISA_loop && chooses(k, n, k->insts[n].match);
    if (any) bound(k, arena);
    if (any) write_all(k, arena, p);
    if (any_unknown(k)) ifconvert_run(k, arena, decide, NULL);
}
