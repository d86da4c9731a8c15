/* Integer functions (6.11.3). */
#include "builtin.h"

static enum isa_op by_sign(const struct builtin_call *c, enum isa_op s, enum isa_op u) {
    return c->is_signed ? s : u;
}

/* a for signed components, b for unsigned ones. */
isa_operand builtin_integer(struct builtin_call *c, const isa_operand *a) {
    enum isa_op op = by_sign(c, (enum isa_op)c->b->a, (enum isa_op)c->b->b);
    return c->e->nargs == 1 ? builtin_op1(c, op, a[0]) : builtin_op2(c, op, a[0], a[1]);
}

/* The difference of maximum and minimum wraps to the right unsigned number. */
isa_operand builtin_integer_abs_diff(struct builtin_call *c, const isa_operand *a) {
    return builtin_op2(c, ISA_sub, builtin_op2(c, by_sign(c, ISA_max_s, ISA_max_u), a[0], a[1]),
                       builtin_op2(c, by_sign(c, ISA_min_s, ISA_min_u), a[0], a[1]));
}

isa_operand builtin_integer_clamp(struct builtin_call *c, const isa_operand *a) {
    return builtin_op2(c, by_sign(c, ISA_min_s, ISA_min_u),
                       builtin_op2(c, by_sign(c, ISA_max_s, ISA_max_u), a[0], a[1]), a[2]);
}

/* What the programmer expects changes nothing here. */
isa_operand builtin_integer_expect(struct builtin_call *c, const isa_operand *a) {
    (void)c;
    return a[0];
}

/* mad_hi, mad24: the product's operation, then an addition. */
isa_operand builtin_integer_mad(struct builtin_call *c, const isa_operand *a) {
    enum isa_op op = by_sign(c, (enum isa_op)c->b->a, (enum isa_op)c->b->b);
    return builtin_op2(c, ISA_add, builtin_op2(c, op, a[0], a[1]), a[2]);
}

/* In a type twice as wide nothing overflows; then clamp. */
static isa_operand mad_sat_wide(struct builtin_call *c, const isa_operand *a) {
    struct lower *l = c->l;
    enum isa_type wide = c->t == ISA_I32 ? ISA_I64 : ISA_I32;
    enum isa_op extend = by_sign(c, ISA_sext, ISA_zext);
    unsigned bits = isa_type_size[c->t] * 8u;
    isa_operand w[3];
    for (int i = 0; i < 3; i++) w[i] = lower_cvt(l, extend, wide, c->t, ISA_RTE, a[i]);
    isa_operand r = lower_op2(l, ISA_add, wide, lower_op2(l, ISA_mul, wide, w[0], w[1]), w[2]);
    if (c->is_signed) {
        uint64_t top = (1ull << (bits - 1)) - 1;
        r = lower_op2(l, ISA_min_s, wide, r, lower_const(l, wide, top));
        r = lower_op2(l, ISA_max_s, wide, r, lower_const(l, wide, ~top));
    } else
        r = lower_op2(l, ISA_min_u, wide, r, lower_const(l, wide, (1ull << bits) - 1));
    return lower_cvt(l, ISA_trunc, c->t, wide, ISA_RTE, r);
}

/* 128 bits in two halves: the sum fits when the high one is what extending the low one gives. */
isa_operand builtin_integer_mad_sat(struct builtin_call *c, const isa_operand *a) {
    if (c->t != ISA_I64) return mad_sat_wide(c, a);
    isa_operand one = builtin_const(c, 1), none = builtin_const(c, 0),
                ones = builtin_const(c, ~0ull);
    isa_operand high = builtin_op2(c, by_sign(c, ISA_mulhi_s, ISA_mulhi_u), a[0], a[1]);
    isa_operand low = builtin_op2(c, ISA_add, builtin_op2(c, ISA_mul, a[0], a[1]), a[2]);
    isa_operand carry = builtin_pick(c, builtin_cmp(c, ISA_lt_u, low, a[2]), one, none);
    high = builtin_op2(c, ISA_add, high, carry);
    if (!c->is_signed) return builtin_pick(c, builtin_cmp(c, ISA_eq, high, none), low, ones);
    isa_operand top = builtin_const(c, 63);
    high = builtin_op2(c, ISA_add, high, builtin_op2(c, ISA_shr_s, a[2], top));
    isa_operand fits = builtin_cmp(c, ISA_eq, high, builtin_op2(c, ISA_shr_s, low, top));
    isa_operand limit =
        builtin_op2(c, ISA_xor, builtin_op2(c, ISA_shr_s, high, top), builtin_const(c, INT64_MAX));
    return builtin_pick(c, fits, low, limit);
}

isa_operand builtin_integer_upsample(struct builtin_call *c, const isa_operand *a) {
    struct lower *l = c->l;
    enum isa_type wide = c->t == ISA_I8 ? ISA_I16 : c->t == ISA_I16 ? ISA_I32 : ISA_I64;
    isa_operand high = lower_cvt(l, ISA_zext, wide, c->t, ISA_RTE, a[0]);
    isa_operand low = lower_cvt(l, ISA_zext, wide, c->t, ISA_RTE, a[1]);
    return lower_op2(
        l, ISA_or, wide,
        lower_op2(l, ISA_shl, wide, high, lower_const(l, wide, isa_type_size[c->t] * 8u)), low);
}
