/* Constant folding. An operation on floats is folded only where no operand and no result can be a
 * denormal or a NaN, so neither flushing nor a NaN's bits can tell folded code from executed code.
 */
#include <float.h>
#include <string.h>
#include <tgmath.h>

#include "compare.h"

static float as_f32(uint64_t bits) {
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

static double as_f64(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t of_f32(float f) {
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static uint64_t of_f64(double d) {
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return b;
}

static unsigned width_of(enum isa_type t) { return t == ISA_PRED ? 1 : isa_type_size[t] * 8u; }

static uint64_t high_u(uint64_t a, uint64_t b, unsigned width) {
    return (uint64_t)(((unsigned __int128)a * b) >> width);
}

static uint64_t high_s(int64_t a, int64_t b, unsigned width) {
    return (uint64_t)(((__int128)a * b) >> width);
}

static int64_t clamp_s(__int128 v, unsigned width) {
    __int128 top = ((__int128)1 << (width - 1)) - 1;
    return (int64_t)(v > top ? top : v < -top - 1 ? -top - 1 : v);
}

static uint64_t clamp_u(__int128 v, unsigned width) {
    __int128 top = ((__int128)1 << width) - 1;
    return (uint64_t)(v > top ? top : v < 0 ? 0 : v);
}

static bool fold_int(enum isa_op op, enum isa_type t, const uint64_t *s, uint64_t *out) {
    unsigned w = width_of(t);
    uint64_t a = s[0], b = s[1], ones = isa_cut(t, ~(uint64_t)0);
    int64_t sa = isa_signed(t, a), sb = isa_signed(t, b);
    uint64_t lowest = (uint64_t)1 << (w - 1);
    unsigned count = (unsigned)(b & (w - 1));
    switch (op) {
    case ISA_add: *out = a + b; return true;
    case ISA_sub: *out = a - b; return true;
    case ISA_mul: *out = a * b; return true;
    case ISA_mulhi_s: *out = high_s(sa, sb, w); return true;
    case ISA_mulhi_u: *out = high_u(a, b, w); return true;
    case ISA_mul24_s:
        *out = (uint64_t)(((int64_t)(a << 40) >> 40) * ((int64_t)(b << 40) >> 40));
        return true;
    case ISA_mul24_u: *out = (a & 0xffffff) * (b & 0xffffff); return true;
    case ISA_div_u: *out = b ? a / b : ones; return true;
    case ISA_rem_u: *out = b ? a % b : a; return true;
    case ISA_div_s:
        *out = !b ? ones : a == lowest && b == ones ? a : (uint64_t)(sa / sb);
        return true;
    case ISA_rem_s: *out = !b ? a : a == lowest && b == ones ? 0 : (uint64_t)(sa % sb); return true;
    case ISA_min_s: *out = sa < sb ? a : b; return true;
    case ISA_min_u: *out = a < b ? a : b; return true;
    case ISA_max_s: *out = sa > sb ? a : b; return true;
    case ISA_max_u: *out = a > b ? a : b; return true;
    case ISA_addsat_s: *out = (uint64_t)clamp_s((__int128)sa + sb, w); return true;
    case ISA_subsat_s: *out = (uint64_t)clamp_s((__int128)sa - sb, w); return true;
    case ISA_addsat_u: *out = clamp_u((__int128)a + b, w); return true;
    case ISA_subsat_u: *out = clamp_u((__int128)a - b, w); return true;
    case ISA_hadd_s: *out = (uint64_t)(((__int128)sa + sb) >> 1); return true;
    case ISA_hadd_u: *out = (uint64_t)(((__int128)a + b) >> 1); return true;
    case ISA_rhadd_s: *out = (uint64_t)(((__int128)sa + sb + 1) >> 1); return true;
    case ISA_rhadd_u: *out = (uint64_t)(((__int128)a + b + 1) >> 1); return true;
    case ISA_shl: *out = a << count; return true;
    case ISA_shr_s: *out = (uint64_t)(sa >> count); return true;
    case ISA_shr_u: *out = a >> count; return true;
    case ISA_rotl: *out = count ? a << count | a >> (w - count) : a; return true;
    case ISA_clz: *out = a ? (unsigned)__builtin_clzll(a) - (64 - w) : w; return true;
    case ISA_popc: *out = (unsigned)__builtin_popcountll(a); return true;
    case ISA_abs: *out = sa < 0 ? 0 - a : a; return true;
    default: return false;
    }
}

static bool fold_bits(enum isa_op op, const uint64_t *s, uint64_t *out) {
    switch (op) {
    case ISA_and: *out = s[0] & s[1]; return true;
    case ISA_or: *out = s[0] | s[1]; return true;
    case ISA_xor: *out = s[0] ^ s[1]; return true;
    case ISA_not: *out = ~s[0]; return true;
    default: return false;
    }
}

static bool fold_compare(enum isa_op op, enum isa_type t, const uint64_t *s, uint64_t *out) {
    if (op == ISA_eq || op == ISA_ne) {
        *out = (s[0] == s[1]) == (op == ISA_eq);
        return true;
    }
    int64_t a = isa_signed(t, s[0]), b = isa_signed(t, s[1]);
    switch (op) {
    case ISA_lt_s: *out = a < b; return true;
    case ISA_le_s: *out = a <= b; return true;
    case ISA_lt_u: *out = s[0] < s[1]; return true;
    case ISA_le_u: *out = s[0] <= s[1]; return true;
    default: return false;
    }
}

/* Zero or far enough from the denormals that no way of rounding reaches them. */
static bool plain(enum isa_type t, double x) {
    double least = t == ISA_F32 ? 2.0 * FLT_MIN : 2.0 * DBL_MIN;
    return x == 0.0 || (isfinite(x) && fabs(x) >= least);
}

static double real_of(enum isa_type t, uint64_t bits) {
    return t == ISA_F32 ? (double)as_f32(bits) : as_f64(bits);
}

static bool fold_float_compare(enum isa_op op, enum isa_type t, const uint64_t *s, bool exact,
                               uint64_t *out) {
    double a = real_of(t, s[0]), b = real_of(t, s[1]);
    if (!exact && (!(plain(t, a) || isinf(a)) || !(plain(t, b) || isinf(b)))) return false;
    switch (op) {
    case ISA_feq: *out = a == b; return true;
    case ISA_fne: *out = a != b; return true;
    case ISA_flt: *out = a < b; return true;
    case ISA_fle: *out = a <= b; return true;
    case ISA_funo: *out = isnan(a) || isnan(b); return true;
    default: return false;
    }
}

/* In the precision of `real`. */
#define ARITHMETIC(name, real)                                                                     \
    static bool name(enum isa_op op, real a, real b, real c, real *r) {                            \
        switch (op) {                                                                              \
        case ISA_fadd: *r = a + b; return true;                                                    \
        case ISA_fsub: *r = a - b; return true;                                                    \
        case ISA_fmul: *r = a * b; return true;                                                    \
        case ISA_fdiv: *r = a / b; return true;                                                    \
        case ISA_fma:                                                                              \
        case ISA_mad: *r = fma(a, b, c); return true;                                              \
        case ISA_fmin: *r = b < a ? b : a; return true;                                            \
        case ISA_fmax: *r = a < b ? b : a; return a != b;                                          \
        case ISA_floor: *r = floor(a); return true;                                                \
        case ISA_ceil: *r = ceil(a); return true;                                                  \
        case ISA_ftrunc: *r = trunc(a); return true;                                               \
        case ISA_rint: *r = rint(a); return true;                                                  \
        case ISA_round: *r = round(a); return true;                                                \
        default: return false;                                                                     \
        }                                                                                          \
    }
ARITHMETIC(arith_f32, float)
ARITHMETIC(arith_f64, double)
#undef ARITHMETIC

/* A zero from nonzero factors is an underflow, which the device may sign or flush in its own way.
 */
static bool underflows(enum isa_op op, double a, double b, double r) {
    if (r != 0.0) return false;
    if (op == ISA_fmul) return a != 0.0 && b != 0.0;
    if (op == ISA_fdiv) return a != 0.0;
    return (op == ISA_fma || op == ISA_mad) && a != 0.0 && b != 0.0;
}

static bool fold_float(enum isa_op op, enum isa_type t, const uint64_t *s, unsigned n, bool exact,
                       uint64_t *out) {
    uint64_t sign = (uint64_t)1 << (width_of(t) - 1);
    switch (op) { /* bit operations */
    case ISA_fneg: *out = s[0] ^ sign; return true;
    case ISA_fabs: *out = s[0] & ~sign; return true;
    case ISA_copysign: *out = (s[0] & ~sign) | (s[1] & sign); return true;
    case ISA_canon:
        *out = (s[0] & ~sign) > 0x7f800000 ? 0x7fffffff
               : (s[0] & ~sign) < 0x800000 ? s[0] & sign
                                           : s[0];
        return true;
    default: break;
    }
    double x[3] = {0, 0, 0};
    for (unsigned i = 0; i < n; i++) {
        x[i] = real_of(t, s[i]);
        if (!exact && !plain(t, x[i])) return false;
    }
    double r;
    if (t == ISA_F32) {
        float f;
        if (!arith_f32(op, (float)x[0], (float)x[1], (float)x[2], &f)) return false;
        r = f;
        *out = of_f32(f);
    } else {
        if (!arith_f64(op, x[0], x[1], x[2], &r)) return false;
        *out = of_f64(r);
    }
    bool infinite = op == ISA_fdiv && x[0] != 0.0 && x[1] == 0.0; /* as INFINITY is written */
    return exact || infinite || (plain(t, r) && !underflows(op, x[0], x[1], r));
}

static bool float_to_int(enum isa_op op, enum isa_type to, unsigned mod, double x, uint64_t *out) {
    if (isnan(x)) {
        *out = 0;
        return true;
    }
    double r = mod == ISA_RTZ   ? trunc(x)
               : mod == ISA_RTP ? ceil(x)
               : mod == ISA_RTN ? floor(x)
                                : rint(x);
    unsigned w = width_of(to);
    bool is_signed = op == ISA_f2s;
    double top = ldexp(1.0, (int)(is_signed ? w - 1 : w)), bottom = is_signed ? -top : 0.0;
    uint64_t ones = isa_cut(to, ~(uint64_t)0);
    if (r >= top)
        *out = is_signed ? ones >> 1 : ones;
    else if (r <= bottom)
        *out = is_signed ? (uint64_t)1 << (w - 1) : 0;
    else
        *out = is_signed ? (uint64_t)(int64_t)r : (uint64_t)r;
    return true;
}

static bool half_to_float(uint64_t h, enum isa_type to, uint64_t *out) {
    unsigned exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31) return false; /* infinity, NaN */
    double m = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
    if (h & 0x8000) m = -m;
    *out = to == ISA_F32 ? of_f32((float)m) : of_f64(m);
    return true;
}

static bool fold_convert(enum isa_op op, enum isa_type to, enum isa_type from, unsigned mod,
                         uint64_t a, bool exact, uint64_t *out) {
    switch (op) {
    case ISA_trunc:
    case ISA_zext: *out = a; return true;
    case ISA_sext: *out = (uint64_t)isa_signed(from, a); return true;
    case ISA_bits: *out = a; return true;
    case ISA_s2f:
        if (mod != ISA_RTE) return false;
        *out = to == ISA_F32 ? of_f32((float)isa_signed(from, a))
                             : of_f64((double)isa_signed(from, a));
        return true;
    case ISA_u2f:
        if (mod != ISA_RTE) return false;
        *out = to == ISA_F32 ? of_f32((float)a) : of_f64((double)a);
        return true;
    case ISA_f2s:
    case ISA_f2u: {
        double x = real_of(from, a);
        return (exact || plain(from, x) || isinf(x)) && float_to_int(op, to, mod, x, out);
    }
    case ISA_f2f: {
        double x = real_of(from, a);
        if (!exact && !plain(from, x)) return false;
        if (to == ISA_F64) {
            *out = of_f64(x);
            return true;
        }
        float f = (float)x;
        if (mod != ISA_RTE && (double)f != x) return false;
        *out = of_f32(f);
        return exact || (plain(ISA_F32, f) && !(f == 0.0f && x != 0.0));
    }
    case ISA_h2f: return half_to_float(a, to, out);
    default: return false;
    }
}

bool isa_fold(enum isa_op op, enum isa_type type, enum isa_type type2, unsigned mod,
              const struct isa_const *src, unsigned nsrc, bool exact, uint64_t *bits) {
    uint64_t s[3] = {0, 0, 0}, r;
    if (nsrc == 0 || nsrc > 3) return false;
    for (unsigned i = 0; i < nsrc; i++) s[i] = src[i].bits;
    const struct isa_op_info *info = &isa_op_info[op];
    bool done;
    if (!(info->flags & ISA_OP_PURE)) return false;
    if (op == ISA_mov)
        r = s[0], done = true;
    else if (op == ISA_select)
        r = s[0] ? s[1] : s[2], done = true;
    else if (op >= ISA_and && op <= ISA_not)
        done = fold_bits(op, s, &r);
    else if (compare_is_integer(op))
        done = fold_compare(op, type2, s, &r);
    else if (op >= ISA_feq && op <= ISA_funo)
        done = fold_float_compare(op, type2, s, exact, &r);
    else if (op == ISA_bits || (op >= ISA_trunc && op <= ISA_f2h))
        done = fold_convert(op, type, type2, mod, s[0], exact, &r);
    else if (op >= ISA_add && op <= ISA_abs)
        done = fold_int(op, type, s, &r);
    else if (op >= ISA_fadd && op <= ISA_round)
        done = fold_float(op, type, s, nsrc, exact, &r);
    else
        done = false;
    if (done) *bits = isa_cut(type, r);
    return done;
}
