/* Work-item functions (6.11.1). size_t is 32 bits wide. */
#include "builtin.h"

static isa_operand special(struct builtin_call *c, int which) {
    return lower_special(c->l, (enum isa_special)which);
}

void builtin_workitem_dim(struct builtin_call *c) { c->result.c[0] = special(c, c->b->a); }

/* The x, y and z registers lie one behind the other. Of dimensions the ND-range lacks they hold 0
 * or 1 themselves, so only indices beyond 2 need care. */
void builtin_workitem_special(struct builtin_call *c) {
    isa_operand none = lower_const(c->l, ISA_I32, (uint64_t)c->b->b), dim = c->args[0].c[0];
    uint64_t constant;
    if (builtin_constant(c, 0, &constant)) {
        c->result.c[0] = constant < 3 ? special(c, c->b->a + (int)constant) : none;
        return;
    }
    isa_operand r = none;
    for (int d = 2; d >= 0; d--) {
        isa_operand here =
            lower_cmp(c->l, ISA_eq, ISA_I32, dim, lower_const(c->l, ISA_I32, (uint64_t)d));
        r = lower_select(c->l, ISA_I32, here, special(c, c->b->a + d), r);
    }
    c->result.c[0] = r;
}
