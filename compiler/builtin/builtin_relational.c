/* Relational functions (6.11.6). Tests of a number's class look at its bits, so that they see
 * denormals where arithmetic flushes them. */
#include "builtin.h"

/* 1 of a scalar, -1 (all bits) of a vector's component; the component is as wide as the operands'.
 */
static isa_operand truth(struct builtin_call *c, isa_operand p) {
    return c->result.n == 1 ? lower_truth(c->l, p) : lower_mask(c->l, builtin_int(c->t), p);
}

isa_operand builtin_relational(struct builtin_call *c, const isa_operand *a) {
    return truth(c, builtin_cmp(c, (enum isa_op)c->b->a, a[0], a[1]));
}
isa_operand builtin_relational_swapped(struct builtin_call *c, const isa_operand *a) {
    return truth(c, builtin_cmp(c, (enum isa_op)c->b->a, a[1], a[0]));
}
isa_operand builtin_relational_lessgreater(struct builtin_call *c, const isa_operand *a) {
    isa_operand less = builtin_cmp(c, ISA_flt, a[0], a[1]),
                greater = builtin_cmp(c, ISA_flt, a[1], a[0]);
    return truth(c, lower_op2(c->l, ISA_or, ISA_PRED, less, greater));
}
isa_operand builtin_relational_ordered(struct builtin_call *c, const isa_operand *a) {
    return truth(c, lower_op1(c->l, ISA_not, ISA_PRED, builtin_cmp(c, ISA_funo, a[0], a[1])));
}

/* ---- classes ---- */

/* An IEEE format's bits. */
struct format {
    uint64_t magnitude, infinity, one_exponent;
};

static const struct format *format_of(enum isa_type t) {
    static const struct format f32 = {0x7fffffff, 0x7f800000, 0x00800000};
    static const struct format f64 = {0x7fffffffffffffff, 0x7ff0000000000000, 0x0010000000000000};
    return t == ISA_F64 ? &f64 : &f32;
}

/* op(|a|'s bits - base, limit), unsigned. */
static isa_operand classify(struct builtin_call *c, enum isa_op op, isa_operand a, uint64_t base,
                            uint64_t limit) {
    enum isa_type t = builtin_int(c->t);
    isa_operand magnitude = lower_const(c->l, t, format_of(c->t)->magnitude);
    isa_operand m = lower_op2(c->l, ISA_and, t, builtin_bits(c, t, c->t, a), magnitude);
    if (base) m = lower_op2(c->l, ISA_sub, t, m, lower_const(c->l, t, base));
    return truth(c, lower_cmp(c->l, op, t, m, lower_const(c->l, t, limit)));
}

isa_operand builtin_relational_isfinite(struct builtin_call *c, const isa_operand *a) {
    return classify(c, ISA_lt_u, a[0], 0, format_of(c->t)->infinity);
}
isa_operand builtin_relational_isinf(struct builtin_call *c, const isa_operand *a) {
    return classify(c, ISA_eq, a[0], 0, format_of(c->t)->infinity);
}
isa_operand builtin_relational_isnormal(struct builtin_call *c, const isa_operand *a) {
    const struct format *f = format_of(c->t);
    return classify(c, ISA_lt_u, a[0], f->one_exponent, f->infinity - f->one_exponent);
}
isa_operand builtin_relational_isnan(struct builtin_call *c, const isa_operand *a) {
    return truth(c, builtin_cmp(c, ISA_funo, a[0], a[0]));
}
isa_operand builtin_relational_signbit(struct builtin_call *c, const isa_operand *a) {
    enum isa_type t = builtin_int(c->t);
    return truth(
        c, lower_cmp(c->l, ISA_lt_s, t, builtin_bits(c, t, c->t, a[0]), lower_const(c->l, t, 0)));
}

/* ---- any, all, bitselect, select ---- */

/* any, all: the most significant bits, or-ed or and-ed (a). */
void builtin_relational_reduce(struct builtin_call *c) {
    const struct value *v = &c->args[0];
    isa_operand r = v->c[0];
    for (uint32_t i = 1; i < v->n; i++) r = builtin_op2(c, (enum isa_op)c->b->a, r, v->c[i]);
    isa_operand p = builtin_cmp(c, ISA_lt_s, r, builtin_const(c, 0));
    c->result.c[0] = lower_truth(c->l, p);
}

isa_operand builtin_relational_bitselect(struct builtin_call *c, const isa_operand *a) {
    enum isa_type t = builtin_int(c->t);
    isa_operand bits[3];
    for (int i = 0; i < 3; i++) bits[i] = builtin_bits(c, t, c->t, a[i]);
    isa_operand differing = lower_op2(c->l, ISA_xor, t, bits[0], bits[1]);
    isa_operand taken = lower_op2(c->l, ISA_and, t, differing, bits[2]);
    return builtin_bits(c, c->t, t, lower_op2(c->l, ISA_xor, t, bits[0], taken));
}

/* A scalar's condition is any bit, a vector's the most significant one. */
isa_operand builtin_relational_select(struct builtin_call *c, const isa_operand *a) {
    enum isa_type t = builtin_int(c->t);
    isa_operand p =
        lower_cmp(c->l, c->result.n == 1 ? ISA_ne : ISA_lt_s, t, a[2], lower_const(c->l, t, 0));
    return builtin_pick(c, p, a[1], a[0]);
}
