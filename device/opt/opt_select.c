/* Selects for short ifs. The device's rule counts what a branch controls, and asks whether warps
 * are likely to diverge; a CPU does best with selects as long as they cost no more than a branch of
 * which it does not know where it leads. */
#include "device/analysis/shape.h"
#include "device/isa/ifconvert.h"
#include "opt_pass.h"

struct select_pass {
    const struct trace_pass *p;
    const uint8_t *uniform; /* of each register */
    uint32_t nregs;
};

static enum ifconvert_verdict decide(void *context, const struct ifconvert_case *c) {
    const struct select_pass *x = context;
    isa_operand p = isa_srcs(c->k, &c->k->insts[c->begin])[0];
    bool uniform = !isa_is_reg(p) || (p < x->nregs && x->uniform[p]);
    if (!ifconvert_pays(c, !uniform, false)) return IFCONVERT_LEAVE;
    trace_tell(x->p, &c->k->insts[c->begin], "the if becomes selects");
    return IFCONVERT_SELECT;
}

void opt_select(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    uint8_t *uniform = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    struct select_pass x = {p, uniform, k->nregs};
    bool any = false;
    for (uint32_t i = 0; i < k->ninsts && !any; i++) any = k->insts[i].op == ISA_if;
    struct shape *shape = any ? shape_new(k, NULL) : NULL;
    if (!shape) return;
    for (uint32_t r = 0; r < k->nregs; r++) uniform[r] = shape_is_uniform(shape, r);
    shape_free(shape);
    ifconvert_run(k, arena, decide, &x);
}
