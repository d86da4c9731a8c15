/* sin, cos, exp and log in single precision as sequences of sfu.h's operations, written once for
 * both engines: errors below one ulp, and the same bits on every level. On top of those operations
 * who includes this defines
 *
 *   sfu_odd(c, w)              a condition: the lowest bit
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
 * all are positive, so that -0 stays what it is. */
static inline sfu_real single_circle(sfu_context c, sfu_real x, unsigned quarter) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER);
    sfu_real turns = sfu_mad(c, x, sfu_number(c, 0x1.45f306p-1f), rounder);
    sfu_real k = sfu_sub(c, turns, rounder);
    sfu_real first = sfu_mad(c, k, sfu_number(c, -0x1.921fb4p+0f), x);
    sfu_real r = sfu_mad(c, k, sfu_number(c, -0x1.4442p-24f), first);
    sfu_real d = sfu_mad(c, k, sfu_number(c, 0x1.4442p-24f), sfu_sub(c, r, first));
    d = sfu_mad(c, k, sfu_number(c, 0x1.a308d4p-41f), d);
    sfu_real s = sfu_mad(c, r, r, sfu_mul(c, r, sfu_mul(c, d, sfu_number(c, -2))));
    sfu_real p = sfu_mad(c, s, sfu_number(c, 0x1.9955aep-13f), sfu_number(c, -0x1.11077cp-7f));
    p = sfu_mad(c, s, p, sfu_number(c, 0x1.555546p-3f));
    sfu_real sine = sfu_sub(c, r, sfu_mad(c, sfu_mul(c, r, s), p, d));
    sfu_real q = sfu_mad(c, s, sfu_number(c, 0x1.99e0e6p-16f), sfu_number(c, -0x1.6c0c1ap-10f));
    q = sfu_mad(c, s, q, sfu_number(c, 0x1.55554ap-5f));
    q = sfu_mad(c, s, q, sfu_number(c, -0.5f));
    sfu_real cosine = sfu_mad(c, s, q, sfu_number(c, 1));
    sfu_word quarters = sfu_word_of(c, turns);
    if (quarter) quarters = sfu_plus(c, quarters, sfu_word_of(c, sfu_bits(c, quarter)));
    sfu_flag odd = sfu_odd(c, quarters);
    sfu_word size = sfu_word_of(c, sfu_select(c, odd, cosine, sine));
    sfu_word sign = sfu_and(c, sfu_left(c, quarters, 30), sfu_word_of(c, sfu_bits(c, 0x80000000)));
    return sfu_real_of(c, sfu_xor(c, size, sign));
}

static inline sfu_real single_sin(sfu_context c, sfu_real x) { return single_circle(c, x, 0); }
static inline sfu_real single_cos(sfu_context c, sfu_real x) { return single_circle(c, x, 1); }

/* x = k ln 2 + r. Beyond the ends of [-104, 89.5] nothing changes. */
static inline sfu_real single_exp(sfu_context c, sfu_real x) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER);
    sfu_real most = sfu_number(c, 89.5f), least = sfu_number(c, -104);
    x = sfu_select(c, sfu_less(c, most, x), most, x);
    x = sfu_select(c, sfu_less(c, x, least), least, x);
    sfu_real shifted = sfu_mad(c, x, sfu_number(c, 0x1.715476p+0f), rounder);
    sfu_real k = sfu_sub(c, shifted, rounder);
    sfu_real r = sfu_mad(c, k, sfu_number(c, -0x1.62e43p-1f), x);
    r = sfu_mad(c, k, sfu_number(c, 0x1.05c61p-29f), r);
    sfu_real p = sfu_mad(c, r, sfu_number(c, 0x1.6d7392p-10f), sfu_number(c, 0x1.123accp-7f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.5554c6p-5f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.55549p-3f));
    p = sfu_mad(c, r, p, sfu_number(c, 0.5f));
    p = sfu_mad(c, r, p, sfu_number(c, 1));
    p = sfu_mad(c, r, p, sfu_number(c, 1));
    if (sfu_at_once(c)) return sfu_scale(c, p, k);
    /* by two powers of two: the first product is exact */
    sfu_word bias = sfu_word_of(c, sfu_bits(c, 127));
    sfu_word whole = sfu_minus(c, sfu_word_of(c, shifted), sfu_word_of(c, rounder));
    sfu_word half = sfu_right(c, whole, 1);
    sfu_word rest = sfu_minus(c, whole, half);
    p = sfu_mul(c, p, sfu_real_of(c, sfu_left(c, sfu_plus(c, half, bias), 23)));
    return sfu_mul(c, p, sfu_real_of(c, sfu_left(c, sfu_plus(c, rest, bias), 23)));
}

/* x = 2^e (1 + f), f in [-1/3, 1/3]; log(1 + f) = f - f^2 / 2 + f^3 p(f), the first two terms as
 * high + low, and e ln 2 in two parts, of which the first is exact. */
static inline sfu_real single_log(sfu_context c, sfu_real x) {
    sfu_word two_thirds = sfu_word_of(c, sfu_bits(c, 0x3f2aaaab));
    sfu_real scaled = x, less = sfu_number(c, 0);
    if (sfu_keeps(c)) {
        sfu_flag tiny = sfu_less(c, x, sfu_bits(c, 0x00800000));
        scaled = sfu_select(c, tiny, sfu_mul(c, x, sfu_number(c, 0x1p23f)), x);
        less = sfu_select(c, tiny, sfu_number(c, 23), less);
    }
    sfu_word part = sfu_minus(c, sfu_word_of(c, scaled), two_thirds);
    sfu_real e = sfu_convert(c, sfu_right(c, part, 23));
    if (sfu_keeps(c)) e = sfu_sub(c, e, less);
    sfu_word digits = sfu_and(c, part, sfu_word_of(c, sfu_bits(c, 0x7fffff)));
    sfu_real f = sfu_sub(c, sfu_real_of(c, sfu_plus(c, digits, two_thirds)), sfu_number(c, 1));
    sfu_real half = sfu_number(c, -0.5f), square = sfu_mul(c, f, f);
    sfu_real high = sfu_mad(c, square, half, f);
    sfu_real low = sfu_mad(c, sfu_mul(c, f, half), f, sfu_sub(c, f, high));
    sfu_real p = sfu_mad(c, f, sfu_number(c, -0x1.07e12ep-3f), sfu_number(c, 0x1.1e737cp-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.f3226p-4f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.1ed428p-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.559d2ap-3f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.99d05ep-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.fffef4p-3f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.555506p-2f));
    low = sfu_mad(c, sfu_mul(c, square, f), p, low);
    low = sfu_mad(c, e, sfu_number(c, 0x1.7f7d1cp-20f), low);
    sfu_real first = sfu_mul(c, e, sfu_number(c, 0x1.62e4p-1f));
    sfu_real sum = sfu_add(c, first, high);
    low = sfu_add(c, low, sfu_sub(c, high, sfu_sub(c, sum, first)));
    sfu_real y = sfu_add(c, sum, low);
    if (sfu_at_once(c)) return sfu_log_ends(c, x, y);
    sfu_real infinite = sfu_bits(c, 0x7f800000), zero = sfu_number(c, 0);
    y = sfu_select(c, sfu_less(c, x, infinite), y, x);
    sfu_real end =
        sfu_select(c, sfu_less(c, x, zero), sfu_bits(c, 0x7fffffff), sfu_sub(c, x, infinite));
    return sfu_select(c, sfu_less(c, zero, x), y, end);
}

#endif
