/* Explicit conversions, convert_type<n>[_sat][_rounding] (6.2.3). */
#include "builtin.h"

static unsigned width(enum isa_type t) { return isa_type_size[t] * 8u; }

static isa_operand resize(struct builtin_call *c, isa_operand a, enum isa_type to) {
    if (to == c->t) return a;
    enum isa_op op = width(to) < width(c->t) ? ISA_trunc : c->is_signed ? ISA_sext : ISA_zext;
    return lower_cvt(c->l, op, to, c->t, ISA_RTE, a);
}

/* Integer to integer, clamped to what the target holds. */
static isa_operand saturate(struct builtin_call *c, isa_operand a, enum isa_type to,
                            bool to_signed) {
    unsigned value_bits = width(to) - to_signed;
    uint64_t top = value_bits == 64 ? ~0ull : (1ull << value_bits) - 1;
    /* The source's own range ends below `top`, or a signed one's bottom fits: no clamp on that
     * side. */
    if (width(c->t) - c->is_signed > value_bits)
        a = builtin_op2(c, c->is_signed ? ISA_min_s : ISA_min_u, a, builtin_const(c, top));
    if (c->is_signed && !to_signed)
        a = builtin_op2(c, ISA_max_s, a, builtin_const(c, 0));
    else if (c->is_signed && width(to) < width(c->t))
        a = builtin_op2(c, ISA_max_s, a, builtin_const(c, ~top));
    return resize(c, a, to);
}

isa_operand builtin_convert(struct builtin_call *c, const isa_operand *a) {
    enum ast_type_kind kind = c->bind.named;
    bool to_float = kind == AST_FLOAT || kind == AST_DOUBLE;
    bool to_signed = !to_float && builtin_int_kind(kind, false) == kind;
    enum isa_type to = builtin_type(kind);
    if (kind == c->bind.type) return a[0];
    if (!to_float && !c->is_float)
        return c->bind.saturate ? saturate(c, a[0], to, to_signed) : resize(c, a[0], to);
    /* To integers toward zero, to floating point to nearest even, unless the name says otherwise.
     * f2s and f2u clamp, which is what _sat wants and what an implementation may do without it. */
    enum isa_rounding r = c->bind.rounded ? c->bind.rounding : to_float ? ISA_RTE : ISA_RTZ;
    enum isa_op op = !to_float      ? (to_signed ? ISA_f2s : ISA_f2u)
                     : c->is_float  ? ISA_f2f
                     : c->is_signed ? ISA_s2f
                                    : ISA_u2f;
    isa_operand v = lower_cvt(c->l, op, to, c->t, r, a[0]);
    if (!to_float && !c->bind.saturate) lower_site_computed(c->l, c->e, v);
    return v;
}
