#include "unroll.h"

/* The next place where the loop itself is left, or its end. */
static uint32_t next_exit(const struct unroll *u, uint32_t n) {
    for (uint32_t depth = 0; n < u->end; n++) {
        const struct isa_inst *i = &u->copy->k->insts[n];
        if (i->op == ISA_breakif && !depth && !i->imm) break;
        depth += isa_deeper(i);
    }
    return n;
}

static enum unroll_exit put_exit(const struct unroll *u, uint32_t at) {
    if (u->leave) return u->leave(u->context, at);
    if (!u->put(u->context, at, at + 1)) return UNROLL_NOT;
    u->copy->out->insts[u->copy->out->ninsts - 1].imm += (int32_t)u->within;
    return UNROLL_ON;
}

static enum unroll_exit put_iteration(const struct unroll *u) {
    enum unroll_exit exit = UNROLL_ON;
    for (uint32_t n = u->begin + 1, at; n < u->end && exit == UNROLL_ON; n = at + 1) {
        at = next_exit(u, n);
        exit = u->put(u->context, n, at) ? UNROLL_ON : UNROLL_NOT;
        if (exit == UNROLL_ON && at < u->end) exit = put_exit(u, at);
    }
    return exit;
}

enum unroll_exit unroll_write(struct unroll *u) {
    uint32_t first = u->copy->out->ninsts;
    enum unroll_exit exit = UNROLL_ON;
    for (u->iteration = 0; u->iteration < u->count && exit == UNROLL_ON; u->iteration++)
        exit = u->copy->out->ninsts - first > u->most ? UNROLL_NOT : put_iteration(u);
    return exit;
}

void unroll_leave(struct kernelcopy *c, const struct loop_exit *e, uint32_t leaves,
                  uint32_t times) {
    enum isa_op op = (enum isa_op)c->k->insts[e->compare].op;
    isa_operand most = kernelcopy_word(c, (times - 1) * e->step), now = e->counter.reg;
    c->at = e->compare;
    if (e->off) now = kernelcopy_result(c, ISA_add, ISA_I32, now, kernelcopy_word(c, e->off));
    isa_operand high = e->down ? now : e->bound, low = e->down ? e->bound : now;
    if (op != ISA_eq) { /* so that what is left is as large as it looks */
        isa_operand over = kernelcopy_result(c, op, ISA_I32, high, low);
        kernelcopy_put_with(c, leaves, &over);
    }
    isa_operand left = kernelcopy_result(c, ISA_sub, ISA_I32, high, low);
    isa_operand few = kernelcopy_result(c, e->inclusive ? ISA_lt_u : ISA_le_u, ISA_I32, left, most);
    kernelcopy_put_with(c, leaves, &few);
}
