/* Selects for short ifs. The device's rule counts what a branch controls, and asks whether warps
 * are likely to diverge; a CPU's vectors do best with selects wherever they are few. */
#include "device/isa/ifconvert.h"
#include "opt_pass.h"

enum { MAX_WORK = 5 }; /* operations and selects */

static enum ifconvert_verdict decide(void *context, const struct ifconvert_case *c) {
    const struct trace_pass *p = context;
    if (!c->simple || c->work > MAX_WORK) return IFCONVERT_LEAVE;
    trace_tell(p, &c->k->insts[c->begin], "the if becomes selects");
    return IFCONVERT_SELECT;
}

void opt_select(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    bool any = false;
    for (uint32_t i = 0; i < k->ninsts && !any; i++) any = k->insts[i].op == ISA_if;
    if (any) ifconvert_run(k, arena, decide, (void *)p);
}
