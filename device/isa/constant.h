/* Operands that are constants of integer types. */
#ifndef SIMTCL_CONSTANT_H
#define SIMTCL_CONSTANT_H

#include "isa.h"

/* Is it one? Its bits, cut to its type. */
static inline bool constant_bits(const struct isa_kernel *k, isa_operand o, uint64_t *bits) {
    if (!isa_is_const(o)) return false;
    const struct isa_const *c = &k->consts[isa_const_index(o)];
    *bits = isa_cut((enum isa_type)c->type, c->bits);
    return isa_is_integer(c->type);
}

/* The same as a number with a sign. */
static inline bool constant_signed(const struct isa_kernel *k, isa_operand o, int64_t *value) {
    uint64_t bits;
    if (!constant_bits(k, o, &bits)) return false;
    *value = isa_signed(isa_operand_type(k, o), bits);
    return true;
}

/* Is it that number, as its type holds it? */
static inline bool constant_is(const struct isa_kernel *k, isa_operand o, int64_t value) {
    uint64_t bits;
    return constant_bits(k, o, &bits) && bits == isa_cut(isa_operand_type(k, o), (uint64_t)value);
}

#endif
