/* Shuffles (6.11.12 of 1.1). */
#include "builtin.h"

/* Component `index` of a pool whose length is a power of two: by one bit of the index after the
 * other. */
static isa_operand pick_component(struct builtin_call *c, const isa_operand *pool, uint32_t n,
                                  isa_operand index) {
    struct lower *l = c->l;
    enum isa_type t = builtin_int(c->t);
    isa_operand left[32], none = lower_const(l, t, 0);
    for (uint32_t i = 0; i < n; i++) left[i] = pool[i];
    for (uint32_t bit = 1; bit < n; bit <<= 1) {
        isa_operand set = lower_op2(l, ISA_and, t, index, lower_const(l, t, bit));
        isa_operand odd = lower_cmp(l, ISA_ne, t, set, none);
        for (uint32_t i = 0; i < n / bit / 2; i++)
            left[i] = builtin_pick(c, odd, left[2 * i + 1], left[2 * i]);
    }
    return left[0];
}

/* shuffle, shuffle2: a mask's component counts modulo the components there are. */
void builtin_shuffle(struct builtin_call *c) {
    uint32_t vectors = c->e->nargs - 1, n = 0;
    const struct value *mask = &c->args[vectors];
    isa_operand pool[32];
    for (uint32_t i = 0; i < vectors; i++)
        for (uint32_t j = 0; j < c->args[i].n; j++) pool[n++] = c->args[i].c[j];
    for (uint32_t i = 0; i < c->result.n; i++) {
        uint64_t index;
        c->result.c[i] = lower_is_const(c->l, mask->c[i], &index)
                             ? pool[index % n]
                             : pick_component(c, pool, n, mask->c[i]);
    }
}
