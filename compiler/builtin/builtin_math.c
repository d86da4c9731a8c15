/* Math functions (6.11.2). Most are one operation; here are those that are made of several or that
 * give more than one result. */
#include "builtin.h"

/* a, or under -cl-fast-relaxed-math b. ldexp, pown and rootn take an int beside c->t as the
 * operation does. */
isa_operand builtin_math(struct builtin_call *c, const isa_operand *a) {
    enum isa_op op = (enum isa_op)(builtin_is_fast(c) ? c->b->b : c->b->a);
    uint32_t n = c->e->nargs;
    return n == 1   ? builtin_op1(c, op, a[0])
           : n == 2 ? builtin_op2(c, op, a[0], a[1])
                    : builtin_op3(c, op, a[0], a[1], a[2]);
}

isa_operand builtin_math_ilogb(struct builtin_call *c, const isa_operand *a) {
    return lower_cvt(c->l, ISA_ilogb, ISA_I32, c->t, ISA_RTE, a[0]);
}

/* maxmag and minmag hand on an operand as it is, and among denormals, which compare equal, any; in
 * single precision the result is flushed. */
static isa_operand flushed(struct builtin_call *c, isa_operand r) {
    uint64_t bits;
    if (c->t != ISA_F32 || lower_is_const(c->l, r, &bits)) return r;
    isa_operand src[2] = {r, builtin_constf(c, 1)};
    return isa_dsts(c->l->k, lower_emit(c->l, ISA_fmul, c->t, ISA_NONE_T, 1, NULL, 2, src))[0];
}

/* The one with the greater (smaller) magnitude; a: what decides when they are equal or one is a
 * NaN. */
static isa_operand magnitude(struct builtin_call *c, const isa_operand *a, bool greater) {
    isa_operand x = builtin_op1(c, ISA_fabs, a[0]), y = builtin_op1(c, ISA_fabs, a[1]);
    isa_operand first = greater ? builtin_cmp(c, ISA_flt, y, x) : builtin_cmp(c, ISA_flt, x, y);
    isa_operand second = greater ? builtin_cmp(c, ISA_flt, x, y) : builtin_cmp(c, ISA_flt, y, x);
    isa_operand rest = builtin_op2(c, (enum isa_op)c->b->a, a[0], a[1]);
    return flushed(c, builtin_pick(c, first, a[0], builtin_pick(c, second, a[1], rest)));
}
isa_operand builtin_math_maxmag(struct builtin_call *c, const isa_operand *a) {
    return magnitude(c, a, true);
}
isa_operand builtin_math_minmag(struct builtin_call *c, const isa_operand *a) {
    return magnitude(c, a, false);
}

/* A quiet NaN with the code in its significand. */
isa_operand builtin_math_nan(struct builtin_call *c, const isa_operand *a) {
    bool wide = c->t == ISA_F64;
    enum isa_type t = builtin_int(c->t);
    isa_operand payload =
        lower_op2(c->l, ISA_and, t, a[0], lower_const(c->l, t, wide ? 0x7ffffffffffff : 0x3fffff));
    isa_operand quiet = lower_const(c->l, t, wide ? 0x7ff8000000000000 : 0x7fc00000);
    return builtin_bits(c, c->t, t, lower_op2(c->l, ISA_or, t, payload, quiet));
}

/* min(x - floor(x), the greatest below 1); NaN stays; +-0 and +-inf give +-0 (7.5.1). */
void builtin_math_fract(struct builtin_call *c) {
    isa_operand whole[16];
    isa_operand greatest =
        builtin_constf(c, c->t == ISA_F64 ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1);
    for (uint32_t i = 0; i < c->result.n; i++) {
        isa_operand x = builtin_arg(c, 0, i);
        whole[i] = builtin_op1(c, ISA_floor, x);
        isa_operand part = builtin_op2(c, ISA_fsub, x, whole[i]);
        part = builtin_pick(c, builtin_cmp(c, ISA_flt, greatest, part), greatest, part);
        /* x + x == x holds for the zeros and infinities alone. */
        isa_operand edge = builtin_cmp(c, ISA_feq, builtin_op2(c, ISA_fadd, x, x), x);
        c->result.c[i] =
            builtin_pick(c, edge, builtin_op2(c, ISA_copysign, builtin_constf(c, 0), x), part);
    }
    builtin_store_out(c, 1, whole);
}

/* Both parts have x's sign; the fraction of an infinity is 0 (7.5.2). */
void builtin_math_modf(struct builtin_call *c) {
    isa_operand whole[16], zero = builtin_constf(c, 0);
    for (uint32_t i = 0; i < c->result.n; i++) {
        isa_operand x = builtin_arg(c, 0, i);
        whole[i] = builtin_op1(c, ISA_ftrunc, x);
        isa_operand part = builtin_op2(c, ISA_fsub, x, whole[i]);
        part = builtin_pick(c, builtin_cmp(c, ISA_feq, x, whole[i]), zero, part);
        c->result.c[i] = builtin_op2(c, ISA_copysign, part, x);
    }
    builtin_store_out(c, 1, whole);
}

void builtin_math_sincos(struct builtin_call *c) {
    isa_operand cosine[16];
    for (uint32_t i = 0; i < c->result.n; i++) {
        isa_operand x = builtin_arg(c, 0, i);
        if (builtin_is_fast(c)) {
            c->result.c[i] = builtin_op1(c, ISA_native_sin, x);
            cosine[i] = builtin_op1(c, ISA_native_cos, x);
            continue;
        }
        const struct isa_inst *both =
            lower_emit(c->l, ISA_sincos, c->t, ISA_NONE_T, 2, NULL, 1, &x);
        c->result.c[i] = isa_dsts(c->l->k, both)[0];
        cosine[i] = isa_dsts(c->l->k, both)[1];
    }
    builtin_store_out(c, 1, cosine);
}

/* frexp, lgamma_r, remquo: a value and an int, which goes where the last argument points. */
void builtin_math_pair(struct builtin_call *c) {
    isa_operand ints[16];
    uint32_t last = c->e->nargs - 1;
    for (uint32_t i = 0; i < c->result.n; i++) {
        isa_operand dst[2] = {lower_reg(c->l, c->t), lower_reg(c->l, ISA_I32)}, src[2];
        for (uint32_t j = 0; j < last; j++) src[j] = builtin_arg(c, j, i);
        lower_emit(c->l, (enum isa_op)c->b->a, c->t, ISA_NONE_T, 2, dst, last, src);
        c->result.c[i] = dst[0];
        ints[i] = dst[1];
    }
    builtin_store_out(c, last, ints);
}
