/* Common functions (6.11.4) and geometric functions (6.11.5). */
#include "builtin.h"

/* ---- common ---- */

isa_operand builtin_common_clamp(struct builtin_call *c, const isa_operand *a) {
    return builtin_op2(c, ISA_fmin, builtin_op2(c, ISA_fmax, a[0], a[1]), a[2]);
}

isa_operand builtin_common_degrees(struct builtin_call *c, const isa_operand *a) {
    return builtin_op2(c, ISA_fmul, a[0], builtin_constf(c, 57.295779513082320877));
}

isa_operand builtin_common_radians(struct builtin_call *c, const isa_operand *a) {
    return builtin_op2(c, ISA_fmul, a[0], builtin_constf(c, 0.017453292519943295769));
}

isa_operand builtin_common_mix(struct builtin_call *c, const isa_operand *a) {
    return builtin_op3(c, ISA_mad, builtin_op2(c, ISA_fsub, a[1], a[0]), a[2], a[0]);
}

isa_operand builtin_common_step(struct builtin_call *c, const isa_operand *a) {
    return builtin_pick(c, builtin_cmp(c, ISA_flt, a[1], a[0]), builtin_constf(c, 0),
                        builtin_constf(c, 1));
}

isa_operand builtin_common_smoothstep(struct builtin_call *c, const isa_operand *a) {
    isa_operand t = builtin_op2(c, ISA_fdiv, builtin_op2(c, ISA_fsub, a[2], a[0]),
                                builtin_op2(c, ISA_fsub, a[1], a[0]));
    t = builtin_op2(c, ISA_fmin, builtin_op2(c, ISA_fmax, t, builtin_constf(c, 0)),
                    builtin_constf(c, 1));
    isa_operand slope = builtin_op3(c, ISA_mad, builtin_constf(c, -2), t, builtin_constf(c, 3));
    return builtin_op2(c, ISA_fmul, builtin_op2(c, ISA_fmul, t, t), slope);
}

/* 1, -1, the zero itself, 0 of a NaN. */
isa_operand builtin_common_sign(struct builtin_call *c, const isa_operand *a) {
    isa_operand zero = builtin_constf(c, 0);
    isa_operand one = builtin_op2(c, ISA_copysign, builtin_constf(c, 1), a[0]);
    isa_operand nil = builtin_op2(c, ISA_copysign, zero, a[0]);
    isa_operand r = builtin_pick(c, builtin_cmp(c, ISA_feq, a[0], zero), nil, one);
    return builtin_pick(c, builtin_cmp(c, ISA_funo, a[0], a[0]), zero, r);
}

/* ---- geometry ---- */

/* Sum of products; over differently scaled vectors it serves length and normalize too. */
static isa_operand dot(struct builtin_call *c, const isa_operand *x, const isa_operand *y,
                       uint32_t n) {
    isa_operand r = builtin_op2(c, ISA_fmul, x[0], y[0]);
    for (uint32_t i = 1; i < n; i++) r = builtin_op3(c, ISA_mad, x[i], y[i], r);
    return r;
}

/* Greatest magnitude; NaNs count only when there is nothing else. */
static isa_operand greatest(struct builtin_call *c, const isa_operand *x, uint32_t n) {
    isa_operand m = builtin_op1(c, ISA_fabs, x[0]);
    for (uint32_t i = 1; i < n; i++)
        m = builtin_op2(c, ISA_fmax, m, builtin_op1(c, ISA_fabs, x[i]));
    return m;
}

/* Where an exponent lies in a number's bits, and to which one the greatest component goes: the
 * squares of four such neither overflow nor, where they matter, vanish. */
struct exponents {
    unsigned shift, bias, target;
};

static const struct exponents *exponents_of(enum isa_type t) {
    static const struct exponents f32 = {23, 127, 61}, f64 = {52, 1023, 509};
    return t == ISA_F64 ? &f64 : &f32;
}

/* Multiplies x by a power of two that suits its greatest magnitude; that power's exponent, biased.
 */
static isa_operand scale(struct builtin_call *c, isa_operand most, const isa_operand *x,
                         isa_operand *y, uint32_t n) {
    struct lower *l = c->l;
    const struct exponents *f = exponents_of(c->t);
    enum isa_type t = builtin_int(c->t);
    isa_operand shift = lower_const(l, t, f->shift);
    isa_operand e = lower_op2(l, ISA_shr_u, t, builtin_bits(c, t, c->t, most), shift);
    e = lower_op2(l, ISA_sub, t, lower_const(l, t, f->target + 2 * f->bias), e);
    e = lower_op2(l, ISA_min_u, t, e,
                  lower_const(l, t, 2 * f->bias - 1)); /* its inverse is normal as well */
    isa_operand factor = builtin_bits(c, c->t, t, lower_op2(l, ISA_shl, t, e, shift));
    for (uint32_t i = 0; i < n; i++) y[i] = builtin_op2(c, ISA_fmul, x[i], factor);
    return e;
}

/* The power of two that undoes one of exponent e. */
static isa_operand inverse(struct builtin_call *c, isa_operand e) {
    const struct exponents *f = exponents_of(c->t);
    enum isa_type t = builtin_int(c->t);
    e = lower_op2(c->l, ISA_sub, t, lower_const(c->l, t, 2 * f->bias), e);
    return builtin_bits(c, c->t, t, lower_op2(c->l, ISA_shl, t, e, lower_const(c->l, t, f->shift)));
}

/* Without overflow or loss by underflow (7.5.1). */
static isa_operand length(struct builtin_call *c, const isa_operand *x, uint32_t n) {
    if (n == 1) return builtin_op1(c, ISA_fabs, x[0]);
    if (builtin_is_fast(c)) return builtin_op1(c, ISA_sqrt, dot(c, x, x, n));
    isa_operand y[4];
    isa_operand undo = inverse(c, scale(c, greatest(c, x, n), x, y, n));
    return builtin_op2(c, ISA_fmul, builtin_op1(c, ISA_sqrt, dot(c, y, y, n)), undo);
}

static isa_operand fast_length(struct builtin_call *c, const isa_operand *x, uint32_t n) {
    if (n == 1) return builtin_op1(c, ISA_fabs, x[0]);
    return builtin_op1(c, ISA_sqrt, dot(c, x, x, n));
}

static void differences(struct builtin_call *c, isa_operand *d) {
    for (uint32_t i = 0; i < c->args[0].n; i++)
        d[i] = builtin_op2(c, ISA_fsub, c->args[0].c[i], c->args[1].c[i]);
}

void builtin_common_cross(struct builtin_call *c) {
    const isa_operand *a = c->args[0].c, *b = c->args[1].c;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        isa_operand back = builtin_op1(c, ISA_fneg, builtin_op2(c, ISA_fmul, a[k], b[j]));
        c->result.c[i] = builtin_op3(c, ISA_mad, a[j], b[k], back);
    }
    if (c->result.n == 4) c->result.c[3] = builtin_constf(c, 0);
}

void builtin_common_dot(struct builtin_call *c) {
    c->result.c[0] = dot(c, c->args[0].c, c->args[1].c, c->args[0].n);
}
void builtin_common_length(struct builtin_call *c) {
    c->result.c[0] = length(c, c->args[0].c, c->args[0].n);
}
void builtin_common_fast_length(struct builtin_call *c) {
    c->result.c[0] = fast_length(c, c->args[0].c, c->args[0].n);
}

void builtin_common_distance(struct builtin_call *c) {
    isa_operand d[4] = {0};
    differences(c, d);
    c->result.c[0] = length(c, d, c->args[0].n);
}
void builtin_common_fast_distance(struct builtin_call *c) {
    isa_operand d[4] = {0};
    differences(c, d);
    c->result.c[0] = fast_length(c, d, c->args[0].n);
}

/* Vectors of zeros come back; a NaN spreads; infinities count as 1 and all else beside them as 0
 * (7.5.1). */
void builtin_common_normalize(struct builtin_call *c) {
    if (builtin_is_fast(c)) {
        builtin_common_fast_normalize(c);
        return;
    }
    struct lower *l = c->l;
    const isa_operand *x = c->args[0].c;
    uint32_t n = c->args[0].n;
    isa_operand y[4] = {0}, scaled[4] = {0}, zero = builtin_constf(c, 0),
                one = builtin_constf(c, 1);
    isa_operand infinity = builtin_constf(c, __builtin_inf()), most = greatest(c, x, n);
    scale(c, most, x, scaled, n);
    for (uint32_t i = 0; i < n; i++) {
        y[i] = lower_reg(l, c->t);
        lower_mov(l, y[i], scaled[i]);
    }
    lower_if(l, builtin_cmp(c, ISA_feq, most, infinity));
    for (uint32_t i = 0; i < n; i++) {
        isa_operand infinite = builtin_cmp(c, ISA_feq, builtin_op1(c, ISA_fabs, x[i]), infinity);
        isa_operand unit = builtin_op2(c, ISA_copysign, one, x[i]);
        lower_mov(l, y[i], builtin_pick(c, infinite, unit, builtin_op2(c, ISA_fmul, zero, x[i])));
    }
    lower_end(l);
    isa_operand square = dot(c, y, y, n);
    isa_operand empty = builtin_cmp(c, ISA_feq, square, zero);
    isa_operand r = builtin_pick(c, empty, one, builtin_op1(c, ISA_rsqrt, square));
    for (uint32_t i = 0; i < n; i++) c->result.c[i] = builtin_op2(c, ISA_fmul, y[i], r);
}

/* Squares that vanish give the vector back. */
void builtin_common_fast_normalize(struct builtin_call *c) {
    const isa_operand *x = c->args[0].c;
    uint32_t n = c->args[0].n;
    isa_operand square = dot(c, x, x, n), zero = builtin_constf(c, 0);
    isa_operand r = builtin_op1(c, ISA_native_rsqrt, square);
    r = builtin_pick(c, builtin_cmp(c, ISA_feq, square, zero), builtin_constf(c, 1), r);
    for (uint32_t i = 0; i < n; i++) c->result.c[i] = builtin_op2(c, ISA_fmul, x[i], r);
}
