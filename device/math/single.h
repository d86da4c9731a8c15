/* sin, cos, exp, log and pow in single precision as sequences of sfu.h's operations, written once
 * for both engines: errors below one ulp, pow's 1.03, and the same bits on every level. On top of
 * those operations who includes this defines
 *
 *   sfu_by_lowest(c, w, x, y)  x where the lowest bit is 1, else y
 *   sfu_both(c, f, g)          a condition: both of them
 *   sfu_negate(c, x)           the other sign
 *   sfu_pick(c, table, w)      one of the table's eight floats, by the three lowest bits
 *   sfu_keeps(c)               a C bool: denormals may be no zeros
 *   sfu_at_once(c)             a C bool: there are sfu_scale, and
 *   sfu_log_ends(c, x, y)      y; -infinity where x is 0; infinity where it is infinite; below 0,
 *                              and of a NaN, NaN */
#ifndef SIMTCL_MATH_SINGLE_H
#define SIMTCL_MATH_SINGLE_H

/* Angles that single_sin and single_cos are for: those below, by absolute value. */
#define SINGLE_ANGLES 125.0f

/* sin(x + quarter pi / 2). x = k pi / 2 + r - d, where d is what r lacks: the first part of pi / 2
 * leaves the difference exact, the second has so few bits that its products are exact, too;
 * all are positive, so that -0 stays what it is. s is the square of r - d; where it counts for
 * little the square of r is as good, and there sooner. */
static inline sfu_real single_circle(sfu_context c, sfu_real x, unsigned quarter) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER + (float)quarter);
    sfu_real turns = sfu_mad(c, x, sfu_number(c, 0x1.45f306p-1f), rounder);
    sfu_real k = sfu_sub(c, turns, rounder);
    sfu_real second = sfu_mul(c, k, sfu_number(c, 0x1.4442p-24f));
    sfu_real first = sfu_mad(c, k, sfu_number(c, -0x1.921fb4p+0f), x);
    sfu_real r = sfu_sub(c, first, second);
    sfu_real d = sfu_add(c, sfu_sub(c, r, first), second);
    d = sfu_mad(c, k, sfu_number(c, 0x1.a308d4p-41f), d);
    sfu_real near = sfu_mul(c, r, r);
    sfu_real less = sfu_mul(c, sfu_add(c, r, r), d);
    sfu_real s = sfu_mad(c, r, r, sfu_negate(c, less));
    sfu_real p = sfu_mad(c, near, sfu_number(c, 0x1.9955aep-13f), sfu_number(c, -0x1.11077cp-7f));
    p = sfu_mad(c, near, p, sfu_number(c, 0x1.555546p-3f));
    sfu_real sine = sfu_sub(c, r, sfu_mad(c, sfu_mul(c, r, s), p, d));
    sfu_real q = sfu_mad(c, near, sfu_number(c, 0x1.99e0e6p-16f), sfu_number(c, -0x1.6c0c1ap-10f));
    q = sfu_mad(c, near, q, sfu_number(c, 0x1.55554ap-5f));
    q = sfu_mad(c, s, q, sfu_number(c, -0.5f));
    sfu_real cosine = sfu_mad(c, s, q, sfu_number(c, 1));
    sfu_word quarters = sfu_word_of(c, turns);
    sfu_word size = sfu_word_of(c, sfu_by_lowest(c, quarters, cosine, sine));
    sfu_word sign = sfu_and(c, sfu_left(c, quarters, 30), sfu_word_of(c, sfu_bits(c, 0x80000000)));
    return sfu_real_of(c, sfu_xor(c, size, sign));
}

static inline sfu_real single_sin(sfu_context c, sfu_real x) { return single_circle(c, x, 0); }
static inline sfu_real single_cos(sfu_context c, sfu_real x) { return single_circle(c, x, 1); }

/* x = k ln 2 + r: e^r, and k in the low bits of `shifted`. */
static inline sfu_real single_exp_part(sfu_context c, sfu_real x, sfu_real *shifted) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER);
    *shifted = sfu_mad(c, x, sfu_number(c, 0x1.715476p+0f), rounder);
    sfu_real k = sfu_sub(c, *shifted, rounder);
    sfu_real r = sfu_mad(c, k, sfu_number(c, -0x1.62e43p-1f), x);
    r = sfu_mad(c, k, sfu_number(c, 0x1.05c61p-29f), r);
    sfu_real p = sfu_mad(c, r, sfu_number(c, 0x1.6d7392p-10f), sfu_number(c, 0x1.123accp-7f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.5554c6p-5f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.55549p-3f));
    p = sfu_mad(c, r, p, sfu_number(c, 0.5f));
    p = sfu_mad(c, r, p, sfu_number(c, 1));
    return sfu_mad(c, r, p, sfu_number(c, 1));
}

/* Beyond the ends of [-104, 89.5] nothing changes. */
static inline sfu_real single_exp(sfu_context c, sfu_real x) {
    sfu_real most = sfu_number(c, 89.5f), least = sfu_number(c, -104), shifted;
    sfu_real inside = sfu_select(c, sfu_less(c, most, x), most, x);
    inside = sfu_select(c, sfu_less(c, inside, least), least, inside);
    sfu_real rounder = sfu_number(c, SFU_ROUNDER);
    if (sfu_at_once(c)) {
        sfu_real p = single_exp_part(c, inside, &shifted);
        return sfu_scale(c, p, sfu_sub(c, shifted, rounder));
    }
    /* neither the result nor 2^k is denormal or infinite */
    sfu_real usual = single_exp_part(c, x, &shifted);
    sfu_word up = sfu_left(c, sfu_word_of(c, shifted), 23);
    usual = sfu_real_of(c, sfu_plus(c, sfu_word_of(c, usual), up));
    sfu_branch ends = sfu_unless_within(c, x, 87);
    /* by two powers of two: the first product is exact */
    sfu_real p = single_exp_part(c, inside, &shifted);
    sfu_word bias = sfu_word_of(c, sfu_bits(c, 127));
    sfu_word whole = sfu_minus(c, sfu_word_of(c, shifted), sfu_word_of(c, rounder));
    sfu_word half = sfu_right(c, whole, 1);
    sfu_word rest = sfu_minus(c, whole, half);
    p = sfu_mul(c, p, sfu_real_of(c, sfu_left(c, sfu_plus(c, half, bias), 23)));
    p = sfu_mul(c, p, sfu_real_of(c, sfu_left(c, sfu_plus(c, rest, bias), 23)));
    return sfu_meet(c, ends, usual, p);
}

/* log(x) - less ln 2. x = 2^e (1 + f), f in [-5/16, 3/8]; log(1 + f) = f + f^2 p(f), and e ln 2 in
 * two parts, of which the first is exact. */
static inline sfu_real single_log_less(sfu_context c, sfu_real x, const sfu_real *less) {
    sfu_word low_end = sfu_word_of(c, sfu_bits(c, 0x3f300000));
    sfu_word part = sfu_minus(c, sfu_word_of(c, x), low_end);
    sfu_real e = sfu_convert(c, sfu_right(c, part, 23));
    if (less) e = sfu_sub(c, e, *less);
    sfu_word digits = sfu_and(c, part, sfu_word_of(c, sfu_bits(c, 0x7fffff)));
    sfu_real f = sfu_sub(c, sfu_real_of(c, sfu_plus(c, digits, low_end)), sfu_number(c, 1));
    sfu_real p = sfu_mad(c, f, sfu_number(c, -0x1.8b9d86p-4f), sfu_number(c, 0x1.1318fep-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.0690aap-3f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.20d1eap-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.54d24ap-3f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.99b5ap-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.000168p-2f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.555538p-2f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.fffffep-2f));
    sfu_real first = sfu_mul(c, e, sfu_number(c, 0x1.62e4p-1f));
    sfu_real sum = sfu_add(c, first, f);
    sfu_real low = sfu_sub(c, f, sfu_sub(c, sum, first));
    low = sfu_mad(c, e, sfu_number(c, 0x1.7f7d1cp-20f), low);
    return sfu_add(c, sum, sfu_mad(c, sfu_mul(c, f, f), p, low));
}

static inline sfu_real single_log(sfu_context c, sfu_real x) {
    sfu_real y = single_log_less(c, x, NULL);
    if (sfu_at_once(c) && !sfu_keeps(c)) return sfu_log_ends(c, x, y);
    sfu_branch ends = sfu_unless_normal(c, x);
    sfu_real infinite = sfu_bits(c, 0x7f800000), zero = sfu_number(c, 0), all = y;
    if (sfu_keeps(c)) {
        sfu_flag tiny = sfu_less(c, x, sfu_bits(c, 0x00800000));
        sfu_real scaled = sfu_select(c, tiny, sfu_mul(c, x, sfu_number(c, 0x1p23f)), x);
        sfu_real less = sfu_select(c, tiny, sfu_number(c, 23), sfu_number(c, 0));
        all = single_log_less(c, scaled, &less);
    }
    all = sfu_select(c, sfu_less(c, x, infinite), all, x);
    sfu_real end =
        sfu_select(c, sfu_less(c, x, zero), sfu_bits(c, 0x7fffffff), sfu_sub(c, x, infinite));
    return sfu_meet(c, ends, y, sfu_select(c, sfu_less(c, zero, x), all, end));
}

/* x = 2^e m, m in [0.646, 1.292), and m c = 1 + r, |r| <= 1/16, with the c of the eighth in which m
 * lies; these have so few digits that r is exact. log2(x) = e - log2(c) + log2(1 + r), each as the
 * sum of two floats. c is 1 around 1, which keeps the digits of logarithms near 0. */
static const float single_pow_c[8] = {1.5f, 1.375f, 1.25f, 1.125f, 1.0625f, 1, 0.90625f, 0.8125f};
static const float single_pow_log[8] = {-0x1.2b8p-1f, -0x1.d674p-2f, -0x1.49a8p-2f,
                                        -0x1.5cp-3f,  -0x1.664p-4f,  0,
                                        0x1.22d8p-3f, 0x1.32cp-2f};
static const float single_pow_log_rest[8] = {-0x1.a39fbep-20f, -0x1.3e032ep-18f, 0x1.ed0cbap-20f,
                                             -0x1.a39fbep-19f, 0x1.20a6dep-21f,  0,
                                             0x1.6e155ap-18f,  -0x1.1c8f12p-22f};

/* x^y = 2^(y log2(x)), where x is positive, normal and finite, and the result between 2^-125 and
 * 2^125: `common`. Anything elsewhere. */
static inline sfu_real single_pow_common(sfu_context c, sfu_real x, sfu_real y, sfu_flag *common) {
    sfu_word low_end = sfu_word_of(c, sfu_bits(c, 0x3f255555));
    sfu_word part = sfu_minus(c, sfu_word_of(c, x), low_end);
    sfu_real e = sfu_convert(c, sfu_right(c, part, 23));
    sfu_word eighth = sfu_right(c, part, 20);
    sfu_word digits = sfu_and(c, part, sfu_word_of(c, sfu_bits(c, 0x7fffff)));
    sfu_real m = sfu_real_of(c, sfu_plus(c, digits, low_end));
    sfu_real r = sfu_mad(c, m, sfu_pick(c, single_pow_c, eighth), sfu_number(c, -1));
    /* log(1 + r) = high + low */
    sfu_real half = sfu_number(c, -0.5f), square = sfu_mul(c, r, r);
    sfu_real high = sfu_mad(c, square, half, r);
    sfu_real low = sfu_mad(c, square, half, sfu_sub(c, r, high));
    low = sfu_mad(c, sfu_mad(c, r, r, sfu_negate(c, square)), half, low);
    sfu_real p = sfu_mad(c, r, sfu_number(c, 0x1.25b09p-3f), sfu_number(c, -0x1.56975ep-3f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.999952p-3f));
    p = sfu_mad(c, r, p, sfu_number(c, -0x1.ffffbp-3f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.555556p-2f));
    low = sfu_mad(c, sfu_mul(c, r, square), p, low);
    /* by log2(e) */
    sfu_real by = sfu_number(c, 0x1.715476p+0f), part_high = sfu_mul(c, high, by);
    sfu_real part_low = sfu_mad(c, high, by, sfu_negate(c, part_high));
    part_low = sfu_mad(c, high, sfu_number(c, 0x1.4ae0cp-26f), part_low);
    part_low = sfu_mad(c, low, by, part_low);
    sfu_real whole = sfu_add(c, e, sfu_pick(c, single_pow_log, eighth));
    sfu_real sum = sfu_add(c, whole, part_high);
    sfu_real rest = sfu_sub(c, part_high, sfu_sub(c, sum, whole));
    part_low = sfu_add(c, part_low, sfu_pick(c, single_pow_log_rest, eighth));
    rest = sfu_add(c, rest, part_low);
    /* by y */
    sfu_real power = sfu_mul(c, y, sum);
    sfu_real below = sfu_mad(c, y, sum, sfu_negate(c, power));
    below = sfu_mad(c, y, rest, below);
    sfu_real rounder = sfu_number(c, SFU_ROUNDER), near = sfu_add(c, power, below);
    *common = sfu_less(c, sfu_size(c, near), sfu_number(c, 125));
    *common = sfu_both(c, *common, sfu_normal(c, x));
    sfu_real shifted = sfu_add(c, near, rounder);
    sfu_real g = sfu_add(c, sfu_sub(c, power, sfu_sub(c, shifted, rounder)), below);
    p = sfu_mad(c, g, sfu_number(c, 0x1.4416cp-13f), sfu_number(c, 0x1.5f0d34p-10f));
    p = sfu_mad(c, g, p, sfu_number(c, 0x1.3b2a5p-7f));
    p = sfu_mad(c, g, p, sfu_number(c, 0x1.c6af66p-5f));
    p = sfu_mad(c, g, p, sfu_number(c, 0x1.ebfbep-3f));
    p = sfu_mad(c, g, p, sfu_number(c, 0x1.62e43p-1f));
    p = sfu_mad(c, g, p, sfu_number(c, 1));
    sfu_word up = sfu_left(c, sfu_word_of(c, shifted), 23);
    return sfu_real_of(c, sfu_plus(c, sfu_word_of(c, p), up));
}

#endif
