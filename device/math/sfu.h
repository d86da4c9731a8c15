/* The special function unit: the native_ functions as short sequences of IEEE operations, with the
 * errors of the guide's B.2, written once for both engines.
 *
 * Who includes this defines what the sequences are made of: for device/math these are operations on
 * floats, for the native engine instructions that it emits. All take the context `c` first:
 *
 *   sfu_context, sfu_real, sfu_word, sfu_flag   types: a float, 32 bits, a condition
 *   sfu_number(c, f)  sfu_bits(c, u)            constants
 *   sfu_add  sfu_sub  sfu_mul  sfu_div  sfu_mad     mad rounds once
 *   sfu_word_of(c, x)  sfu_real_of(c, w)        the same bits as the other type
 *   sfu_convert(c, w)                           the float of a signed integer
 *   sfu_plus  sfu_minus  sfu_and  sfu_xor  sfu_left(c, w, n)  sfu_right(c, w, n)   of words; signed
 *   sfu_below(c, v, w)                          of words, unsigned
 *   sfu_less(c, x, y)                           false for NaN
 *   sfu_select(c, f, x, y)                      f ? x : y
 *   sfu_size(c, x)                              the absolute value
 *   sfu_branch b = sfu_unless(c, f)  sfu_meet(c, b, x, y)   x where f holds for all lanes,
 * elsewhere y, which is x where f holds; what is computed between the two is only done there
 *   sfu_unless_below(c, v, w)                   sfu_unless(c, sfu_below(c, v, w)), of a constant w
 *   sfu_scales(c)  sfu_scale(c, x, k)           a C bool: there is the latter, x 2^k with one
 * rounding for whole k, denormals flushed
 *   sfu_root_ends(c, x, y, s)                   y; where x is 0 or denormal, an infinity of its
 * sign; 0 where it is infinite; below 0, and of a NaN, NaN. Where it is none of them s is in [0,
 * 1/2); elsewhere it is not, if denormals are zeros
 *
 * Each is one operation that rounds as IEEE says, so all engines and levels give the same bits. */
#ifndef SIMTCL_SFU_H
#define SIMTCL_SFU_H

#define SFU_ROUNDER 0x1.8p23f /* x + this: x rounded to a whole number, in the low bits */
#define SFU_PI_HIGH 0x1.921fb6p+1f
#define SFU_PI_LOW  -0x1.777a5cp-24f

/* (-1)^k sin(r) for x = k pi + r, |r| <= pi/2: error below 2^-27 before rounding. k is even or odd
 * as the low bit of `turns` says. Where x is so large that nothing of r is left, the result is some
 * number in [-1, 1]. */
static inline sfu_real sfu_sine_of(sfu_context c, sfu_real r, sfu_word turns) {
    sfu_real most = sfu_number(c, 1.6f), least = sfu_number(c, -1.6f);
    r = sfu_select(c, sfu_less(c, most, r), most, r);
    r = sfu_select(c, sfu_less(c, r, least), least, r);
    sfu_real s = sfu_mul(c, r, r);
    sfu_real p = sfu_mad(c, s, sfu_number(c, 0x1.5cb6c2p-19f), sfu_number(c, -0x1.9f5b44p-13f));
    p = sfu_mad(c, s, p, sfu_number(c, 0x1.110e50p-7f));
    p = sfu_mad(c, s, p, sfu_number(c, -0x1.555548p-3f));
    sfu_real sine = sfu_mad(c, sfu_mul(c, r, s), p, r);
    return sfu_real_of(c, sfu_xor(c, sfu_word_of(c, sine), sfu_left(c, turns, 31)));
}

static inline sfu_real sfu_less_turns(sfu_context c, sfu_real x, sfu_real k) {
    sfu_real r = sfu_mad(c, k, sfu_number(c, -SFU_PI_HIGH), x);
    return sfu_mad(c, k, sfu_number(c, -SFU_PI_LOW), r);
}

static inline sfu_real sfu_sin(sfu_context c, sfu_real x) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER);
    sfu_real turns = sfu_mad(c, x, sfu_number(c, 0x1.45f306p-2f), rounder);
    sfu_real r = sfu_less_turns(c, x, sfu_sub(c, turns, rounder));
    return sfu_sine_of(c, r, sfu_word_of(c, turns));
}

/* cos(x) = sin(x + pi/2): with x = (k - 1/2) pi + r it is (-1)^k sin(r). */
static inline sfu_real sfu_cos(sfu_context c, sfu_real x) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER);
    sfu_real half = sfu_mad(c, x, sfu_number(c, 0x1.45f306p-2f), sfu_number(c, 0.5f));
    sfu_real turns = sfu_add(c, half, rounder);
    sfu_real k = sfu_sub(c, sfu_sub(c, turns, rounder), sfu_number(c, 0.5f));
    return sfu_sine_of(c, sfu_less_turns(c, x, k), sfu_word_of(c, turns));
}

static inline sfu_real sfu_tan(sfu_context c, sfu_real x) {
    return sfu_mul(c, sfu_sin(c, x), sfu_div(c, sfu_number(c, 1), sfu_cos(c, x)));
}

/* Unless |x| is below `limit`, which NaN is not: as words, of which a maximum is one operation. */
static inline sfu_branch sfu_unless_within(sfu_context c, sfu_real x, float limit) {
    return sfu_unless_below(c, sfu_word_of(c, sfu_size(c, x)),
                            sfu_word_of(c, sfu_number(c, limit)));
}

/* b^x with log2(b) = scale: x scale = k - r, a polynomial for 2^-r, and k added to its exponent,
 * which it does not leave for x in [least, last]. Below the result is 0, from over on, the next
 * float, infinite. Scaling comes to that by itself, if r is no infinity less another. */
static inline sfu_real sfu_power_of(sfu_context c, sfu_real x, float scale, float least, float last,
                                    float over) {
    sfu_real rounder = sfu_number(c, SFU_ROUNDER), by = sfu_number(c, scale), in = x;
    if (sfu_scales(c)) {
        sfu_real fewest = sfu_number(c, -1000);
        in = sfu_select(c, sfu_less(c, sfu_number(c, last), in), sfu_number(c, 1000), in);
        in = sfu_select(c, sfu_less(c, in, fewest), fewest, in);
    }
    sfu_real shifted = sfu_mad(c, in, by, rounder), k = sfu_sub(c, shifted, rounder);
    sfu_real r = sfu_mad(c, in, sfu_number(c, -scale), k);
    sfu_real p = sfu_mad(c, r, sfu_number(c, 0x1.44843cp-13f), sfu_number(c, -0x1.5f483cp-10f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.3b29bcp-7f));
    p = sfu_mad(c, r, p, sfu_number(c, -0x1.c6aecep-5f));
    p = sfu_mad(c, r, p, sfu_number(c, 0x1.ebfbep-3f));
    p = sfu_mad(c, r, p, sfu_number(c, -0x1.62e43p-1f));
    p = sfu_mad(c, r, p, sfu_number(c, 1));
    if (sfu_scales(c)) return sfu_scale(c, p, k);
    sfu_word up = sfu_left(c, sfu_word_of(c, shifted), 23);
    sfu_real power = sfu_real_of(c, sfu_plus(c, sfu_word_of(c, p), up)), usual = power;
    sfu_branch ends = sfu_unless_within(c, x, -least);
    sfu_real infinite = sfu_mul(c, x, sfu_bits(c, 0x7f800000)); /* or NaN */
    power = sfu_select(c, sfu_less(c, x, sfu_number(c, over)), power, infinite);
    power = sfu_select(c, sfu_less(c, x, sfu_number(c, least)), sfu_number(c, 0), power);
    return sfu_meet(c, ends, usual, power);
}

static inline sfu_real sfu_exp2(sfu_context c, sfu_real x) {
    return sfu_power_of(c, x, 1, -126, 0x1.fffffep+6f, 128);
}
static inline sfu_real sfu_exp(sfu_context c, sfu_real x) {
    return sfu_power_of(c, x, 0x1.715476p+0f, -0x1.5d589ep+6f, 0x1.62e42ep+6f, 0x1.62e430p+6f);
}
static inline sfu_real sfu_exp10(sfu_context c, sfu_real x) {
    return sfu_power_of(c, x, 0x1.a934fp+1f, -0x1.2f703p+5f, 0x1.344134p+5f, 0x1.344136p+5f);
}

/* Positive, normal and finite: by how much above the least such number, and below which. */
static inline sfu_word sfu_normal_part(sfu_context c, sfu_real x) {
    return sfu_minus(c, sfu_word_of(c, x), sfu_word_of(c, sfu_bits(c, 0x00800000)));
}
static inline sfu_word sfu_normal_range(sfu_context c) {
    return sfu_word_of(c, sfu_bits(c, 0x7f000000));
}
static inline sfu_flag sfu_normal(sfu_context c, sfu_real x) {
    return sfu_below(c, sfu_normal_part(c, x), sfu_normal_range(c));
}
static inline sfu_branch sfu_unless_normal(sfu_context c, sfu_real x) {
    return sfu_unless_below(c, sfu_normal_part(c, x), sfu_normal_range(c));
}

/* log2(x) * scale: x = 2^e (1 + f), f in [-1/3, 1/3]. Denormals count as zero. */
static inline sfu_real sfu_log_of(sfu_context c, sfu_real x, float scale) {
    sfu_word u = sfu_word_of(c, x), two_thirds = sfu_word_of(c, sfu_bits(c, 0x3f2aaaab));
    sfu_word least = sfu_word_of(c, sfu_bits(c, 0x00800000));
    sfu_word part = sfu_minus(c, u, two_thirds);
    sfu_real e = sfu_convert(c, sfu_right(c, part, 23));
    sfu_word digits = sfu_and(c, part, sfu_word_of(c, sfu_bits(c, 0x7fffff)));
    sfu_real f = sfu_sub(c, sfu_real_of(c, sfu_plus(c, digits, two_thirds)), sfu_number(c, 1));
    sfu_real p = sfu_mad(c, f, sfu_number(c, 0x1.b2be66p-3f), sfu_number(c, -0x1.cf30e8p-3f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.988b7ap-3f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.e335e4p-3f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.27d496p-2f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.71811cp-2f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.ec6e98p-2f));
    p = sfu_mad(c, f, p, sfu_number(c, -0x1.715434p-1f));
    p = sfu_mad(c, f, p, sfu_number(c, 0x1.715478p+0f));
    sfu_real r = sfu_mad(c, f, p, e);
    if (scale != 1) r = sfu_mul(c, r, sfu_number(c, scale));
    if (sfu_scales(c)) return sfu_log_ends(c, x, r);
    sfu_branch ends = sfu_unless_normal(c, x);
    sfu_flag normal = sfu_normal(c, x);
    sfu_real odd = sfu_select(c, sfu_less(c, x, sfu_number(c, 0)), sfu_bits(c, 0x7fffffff), x);
    sfu_word size = sfu_and(c, u, sfu_word_of(c, sfu_bits(c, 0x7fffffff)));
    odd = sfu_select(c, sfu_below(c, size, least), sfu_bits(c, 0xff800000), odd);
    return sfu_meet(c, ends, r, sfu_select(c, normal, r, odd));
}

static inline sfu_real sfu_log2(sfu_context c, sfu_real x) { return sfu_log_of(c, x, 1); }
static inline sfu_real sfu_log(sfu_context c, sfu_real x) {
    return sfu_log_of(c, x, 0x1.62e43p-1f);
}
static inline sfu_real sfu_log10(sfu_context c, sfu_real x) {
    return sfu_log_of(c, x, 0x1.344136p-2f);
}

static inline sfu_real sfu_powr(sfu_context c, sfu_real x, sfu_real y) {
    return sfu_exp2(c, sfu_mul(c, y, sfu_log2(c, x)));
}
static inline sfu_real sfu_recip(sfu_context c, sfu_real x) {
    return sfu_div(c, sfu_number(c, 1), x);
}

/* Halving the exponent, and with it the first digits, gives u, 0.84 to 0.89 of the result; then
 * u (x u^2)^(-1/2) as u + u p. The scale of u is the one at which p is v^4 + ..., and v starts
 * where that has no v^3, so p is a square and a line. Below 1.22 ulp, and exact where x is a power
 * of 4. */
static inline sfu_real sfu_rsqrt(sfu_context c, sfu_real x) {
    sfu_word half = sfu_right(c, sfu_word_of(c, x), 1);
    sfu_real u = sfu_real_of(c, sfu_minus(c, sfu_word_of(c, sfu_bits(c, 0x5f1a36ce)), half));
    sfu_real v = sfu_mad(c, sfu_mul(c, x, u), u, sfu_number(c, -0x1.ede062p-1f));
    sfu_real line = sfu_mad(c, v, sfu_number(c, -0x1.097406p-1f), sfu_number(c, -0x1.5a7086p-5f));
    sfu_real square = sfu_mad(c, v, v, sfu_number(c, 0x1.f9517ep-3f));
    return sfu_root_ends(c, x, sfu_mad(c, u, sfu_mad(c, square, square, line), u), square);
}
static inline sfu_real sfu_divide(sfu_context c, sfu_real x, sfu_real y) {
    return sfu_div(c, x, y);
}

/* SFU_FUNCTION1(name), SFU_FUNCTION2(name): all of them, by the number of arguments. */
#define SFU_FUNCTIONS                                                                              \
    SFU_FUNCTION1(sin)                                                                             \
    SFU_FUNCTION1(cos)                                                                             \
    SFU_FUNCTION1(tan)                                                                             \
    SFU_FUNCTION1(exp)                                                                             \
    SFU_FUNCTION1(exp2)                                                                            \
    SFU_FUNCTION1(exp10)                                                                           \
    SFU_FUNCTION1(log)                                                                             \
    SFU_FUNCTION1(log2)                                                                            \
    SFU_FUNCTION1(log10)                                                                           \
    SFU_FUNCTION2(powr)                                                                            \
    SFU_FUNCTION1(rsqrt)                                                                           \
    SFU_FUNCTION1(recip)                                                                           \
    SFU_FUNCTION2(divide)

#endif
