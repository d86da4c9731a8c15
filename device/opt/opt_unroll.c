/* Small loops that step through memory make several iterations in one (unrolled.h). */
#include "alone.h"
#include "device/isa/loops.h"
#include "opt_pass.h"
#include "unrolled.h"

void opt_unroll(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct kernelcopy c;
    if (!loops_between(k, 0, k->ninsts)) return;
    struct unrolled *t = unrolled_find(k, arena, alone_provenance(k, arena), UNROLLED_OTHERS);
    if (!unrolled_any(t)) return;
    kernelcopy_take(&c, k, arena);
    unrolled_write(t, &c, p);
}
