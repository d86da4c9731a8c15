/* Loops that count from a constant to a constant, in few iterations, however they are written: what
 * the compiler does to those that say so in their heads. */
#include "expand.h"
#include "opt_pass.h"

enum { MOST_MADE = 1600 /* instructions */ };

void opt_expand(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct expander x = {.write_out = expand_counted};
    uint32_t before = k->ninsts;
    bool any = false;
    (void)arena;
    for (uint32_t n = 0; n < before && !any; n++)
        any = k->insts[n].op == ISA_loop && expand_may_count(k, n, k->insts[n].match);
    if (!any || before >= MOST_MADE) return;
    if (expand_begin(&x, k, NULL, MOST_MADE) && expand_write(&x)) {
        struct isa_kernel was = *k;
        *k = *x.copy.out;
        *x.copy.out = was;
        trace_tell(p, NULL, "%u instructions instead of %u", k->ninsts, before);
    }
    kernelcopy_drop(&x.copy);
    expand_end(&x);
}
