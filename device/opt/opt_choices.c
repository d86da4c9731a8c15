/* Loops that choose among registers by what they count, or go through a small array of the
 * work-item's own, as where an element is moved until it is in its place, and that lanes leave
 * early: written out, for as often as they go round at most, what an iteration chooses is known. */
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
    if (any) write_all(k, arena, p);
    if (any_unknown(k)) ifconvert_run(k, arena, decide, NULL);
}
