/* Accuracy of the device's math against MPFR, and equality of its bits on every instruction set.
 *
 *   accuracy [--all] [--page FILE] [NAME ...]
 *     --all   functions of one float on all 2^32 inputs (minutes each)
 *     --page  writes the results into the table in FILE
 *     NAME    only these functions
 *
 * Prints the largest error of each function beside both bounds; fails when one is over, when the
 * levels differ, or when a special value is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "page.h"

typedef int mp_unary(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int mp_binary(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/* ---- references that MPFR has not under this name ---- */

static int accuracy_lgamma(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
    int sign;
    return mpfr_lgamma(r, &sign, x, rnd);
}

static int accuracy_logb(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
    if (mpfr_zero_p(x)) return mpfr_set_inf(r, -1), 0;
    if (!mpfr_number_p(x)) return mpfr_abs(r, x, rnd);
    return mpfr_set_si(r, mpfr_get_exp(x) - 1, rnd);
}

static int accuracy_powr(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rnd) {
    bool bad = mpfr_nan_p(x) || mpfr_nan_p(y) || mpfr_cmp_ui(x, 0) < 0 ||
               ((mpfr_zero_p(x) || mpfr_inf_p(x)) && mpfr_zero_p(y)) ||
               (mpfr_cmp_ui(x, 1) == 0 && mpfr_inf_p(y));
    if (bad) return mpfr_set_nan(r), 0;
    mpfr_t a;
    mpfr_init2(a, mpfr_get_prec(x));
    mpfr_abs(a, x, rnd);
    int inexact = mpfr_pow(r, a, y, rnd);
    mpfr_clear(a);
    return inexact;
}

static int accuracy_pown(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rnd) {
    return mpfr_pow_si(r, x, mpfr_get_si(y, rnd), rnd);
}

static int accuracy_rootn(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rnd) {
    long n = mpfr_get_si(y, rnd);
    if (n == 0) return mpfr_set_nan(r), 0;
    if (n % 2 == 0 && mpfr_zero_p(x)) { /* an even root of -0 is that of 0 */
        n < 0 ? mpfr_set_inf(r, 1) : mpfr_set_zero(r, 1);
        return 0;
    }
    if (n > 0) return mpfr_rootn_ui(r, x, (unsigned long)n, rnd);
    mpfr_t a;
    mpfr_init2(a, 200);
    mpfr_rootn_ui(a, x, (unsigned long)-n, rnd);
    int inexact = mpfr_ui_div(r, 1, a, rnd);
    mpfr_clear(a);
    return inexact;
}

static int accuracy_ldexp(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rnd) {
    return mpfr_mul_2si(r, x, mpfr_get_si(y, rnd), rnd);
}

#define ROUNDS_TO(name, round)                                                                     \
    static int accuracy_##name(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {                         \
        return mpfr_##round(r, x), (void)rnd, 0;                                                   \
    }
ROUNDS_TO(floor, floor)
ROUNDS_TO(ceil, ceil)
ROUNDS_TO(trunc, trunc)
ROUNDS_TO(round, round) /* halves away from zero */
ROUNDS_TO(rint, roundeven)

static int accuracy_recip(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
    return mpfr_ui_div(r, 1, x, rnd);
}

/* MPFR's is infinite for -0 with the sign +. */
static int accuracy_rsqrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
    if (mpfr_zero_p(x)) return mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1), 0;
    return mpfr_rec_sqrt(r, x, rnd);
}

double accuracy_rsqrt_of(double x) { return 1 / sqrt(x); }
double accuracy_recip_of(double x) { return 1 / x; }

/* ---- the rows ---- */

struct accuracy_row {
    const char *name;
    enum isa_op op;
    double guide[2], opencl[2]; /* single, double */
    double (*reference)(double);
    double (*reference2)(double, double);
    mp_unary *unary;
    mp_binary *binary;
    bool integer; /* the second argument is an int */
};

static const struct accuracy_row rows[] = {
#define ACCURACY1(op, gs, cs, gd, cd, d, mp) ACCURACY1_AS(op, op, gs, cs, gd, cd, d, mp)
#define ACCURACY1_AS(name, op, gs, cs, gd, cd, d, mp)                                              \
    {#name, ISA_##op, {gs, gd}, {cs, cd}, d, NULL, mp, NULL, false},
#define ACCURACY2(op, gs, cs, gd, cd, d, mp, k)                                                    \
    {#op, ISA_##op, {gs, gd}, {cs, cd}, NULL, d, NULL, mp, #k[0] == 'i'},
#include "accuracy.def"
};

/* The tighter of both bounds, measured from the exact value. The guide measures from the correctly
 * rounded one, which lies up to half an ulp beside. Where both are 0 the result is that one. */
static double bound_of(const struct accuracy_row *r, bool is_double) {
    double g = r->guide[is_double], c = r->opencl[is_double];
    if (!g && !c) return 0.5;
    return !g || (c && c < g + 0.5) ? c : g + 0.5;
}

static unsigned nlevels;
unsigned accuracy_failures;
mpfr_t accuracy_x, accuracy_y, accuracy_r;

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* ---- ulps ---- */

double accuracy_ulp(double exact, bool is_double) {
    uint64_t bits;
    memcpy(&bits, &exact, 8);
    int e = (int)(bits >> 52 & 0x7ff) - 1023; /* 2^e <= |exact| */
    int digits = is_double ? 52 : 23, least = is_double ? -1022 : -126;
    if (e < least) e = least;
    if (e - digits < -1022) return ldexp(1, e - digits);
    bits = (uint64_t)(e - digits + 1023) << 52;
    memcpy(&exact, &bits, 8);
    return exact;
}

/* The error of `got` against the value in accuracy_r, in ulp. Denormal results may be flushed in
 * single precision. */
static double error_of(double got, bool is_double) {
    double want = mpfr_get_d(accuracy_r, MPFR_RNDN);
    double largest = is_double ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
    if (mpfr_nan_p(accuracy_r)) return isnan(got) ? 0 : INFINITY;
    if (isnan(got)) return INFINITY;
    if (!is_double && fabs(want) >= 0x1.ffffffp127) want = copysign(INFINITY, want);
    if (isinf(want))
        return got == want                                             ? 0
               : fabs(got) == largest && signbit(got) == signbit(want) ? 1
                                                                       : INFINITY;
    if (isinf(got)) return fabs(want) >= largest * (1 - 1e-6) ? 1 : INFINITY;
    if (!is_double && fabs(want) < 0x1p-126 && got == 0) return 0;
    mpfr_sub_d(accuracy_r, accuracy_r, got, MPFR_RNDN);
    return fabs(mpfr_get_d(accuracy_r, MPFR_RNDN)) / accuracy_ulp(want, is_double);
}

/* ---- one warp of inputs through all levels ---- */

void accuracy_call(enum isa_op op, bool is_double, struct accuracy_warp *w) {
    levels_call(nlevels - 1, op, is_double, &w->a, &w->b, &w->r, NULL);
}

struct worst {
    double error, x, y, got;
};

bool accuracy_denormal(double x) { return x != 0 && fabs(x) < 0x1p-126; }

static double exact_error(const struct accuracy_row *r, bool is_double, double x, double y,
                          double got) {
    mpfr_set_d(accuracy_x, x, MPFR_RNDN);
    mpfr_set_d(accuracy_y, y, MPFR_RNDN);
    r->unary ? r->unary(accuracy_r, accuracy_x, MPFR_RNDN)
             : r->binary(accuracy_r, accuracy_x, accuracy_y, MPFR_RNDN);
    return error_of(got, is_double);
}

static void judge(const struct accuracy_row *r, bool is_double, double x, double y, double got,
                  struct worst *w) {
    /* glibc's double functions are right to far below a float's ulp: MPFR is asked only when they
     * see an error that could matter. */
    if (!is_double && isfinite(x) && isfinite(y) && (r->reference || r->reference2)) {
        double want = r->reference ? r->reference(x) : r->reference2(x, y);
        if (isfinite(want) && fabs(want) < 0x1p127 && fabs(want) > 0x1p-125) {
            double e = fabs(got - want) / accuracy_ulp(want, false);
            if (e < w->error * 0.999) return;
            if (e < w->error && e < 0.4) return;
        }
    }
    double e = exact_error(r, is_double, x, y, got);
    if (e > w->error && !is_double) { /* a denormal argument may count as zero */
        double fx = accuracy_denormal(x) ? copysign(0, x) : x,
               fy = !r->integer && accuracy_denormal(y) ? copysign(0, y) : y;
        if (fx != x || fy != y) {
            double flushed = exact_error(r, is_double, fx, fy, got);
            if (flushed < e) e = flushed;
        }
    }
    if (e > w->error) *w = (struct worst){e, x, y, got};
}

void accuracy_compare_levels(const char *name, enum isa_op op, bool is_double,
                             struct accuracy_warp *w) {
    levels_call(0, op, is_double, &w->a, &w->b, &w->r, NULL);
    for (unsigned l = 1; l < nlevels; l++) {
        levels_call(l, op, is_double, &w->a, &w->b, &w->other, NULL);
        for (int i = 0; i < 32; i++) {
            double x = is_double ? w->r.d[i] : w->r.f[i],
                   y = is_double ? w->other.d[i] : w->other.f[i];
            bool same = is_double ? w->r.l[i] == w->other.l[i] : w->r.u[i] == w->other.u[i];
            if (same || (isnan(x) && isnan(y))) continue;
            if (accuracy_failures++ < 20)
                printf("%s: %s gives %a, %s gives %a for %a\n", name, levels_name(0), x,
                       levels_name(l), y, is_double ? w->a.d[i] : w->a.f[i]);
        }
    }
}

/* The guide excludes lgamma where it goes through zero. */
static bool left_out(const struct accuracy_row *r, bool is_double, double x) {
    return r->op == ISA_lgamma &&
           (is_double ? x > -11.0001 && x < -2.2637 : x > -10.001 && x < -2.264);
}

static void run_warp(const struct accuracy_row *r, bool is_double, struct accuracy_warp *w,
                     struct worst *worst) {
    accuracy_compare_levels(r->name, r->op, is_double, w);
    for (int i = 0; i < 32; i++) {
        double y = !r->binary ? 0 : r->integer ? w->b.i[i] : is_double ? w->b.d[i] : w->b.f[i];
        double x = is_double ? w->a.d[i] : w->a.f[i];
        if (left_out(r, is_double, x)) continue;
        judge(r, is_double, x, y, is_double ? w->r.d[i] : w->r.f[i], worst);
    }
}

/* ---- inputs ---- */

static const double specials[] = {0.0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.5,
                                  -0.5,
                                  2,
                                  -2,
                                  3,
                                  -3,
                                  1.5,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1p-126,
                                  0x1.fffffep127,
                                  -0x1.fffffep127,
                                  0x1p23,
                                  0x1.000002p23,
                                  -0x1p24,
                                  0x1p-149,
                                  48039.0,
                                  100,
                                  -100,
                                  88.7,
                                  -87.4,
                                  0x1.921fb6p+1,
                                  0x1.921fb6p+0,
                                  170.6,
                                  35.04,
                                  10,
                                  -171.99999999999997,
                                  -37.7,
                                  1e10};
enum { SPECIALS = sizeof(specials) / sizeof(*specials) };

double accuracy_random(bool is_double, unsigned round) {
    uint64_t u = random_bits();
    switch (round % 4) {
    case 0: /* any bit pattern */
        if (is_double) {
            double d;
            memcpy(&d, &u, 8);
            return d;
        } else {
            float f;
            uint32_t half = (uint32_t)(u >> 20);
            memcpy(&f, &half, 4);
            return f;
        }
    case 1: return (double)(int64_t)u * 0x1p-63 * 100;
    case 2: return (double)(int64_t)u * 0x1p-63 * 4;
    default: return ldexp((double)(int64_t)u * 0x1p-63, (int)(random_bits() % 40) - 20);
    }
}

static int random_integer(unsigned round) {
    static const int few[] = {0,   1,  -1,  2,    -2,  3,    -3,   7,         10,
                              -10, 33, 126, -126, 149, -149, 1000, INT32_MAX, INT32_MIN};
    if (round & 1) return few[random_bits() % (sizeof(few) / sizeof(*few))];
    return (int)(random_bits() % 400) - 200;
}

static void store(struct accuracy_warp *w, bool second, bool is_double, int i, double x) {
    if (is_double) {
        if (second)
            w->b.d[i] = x;
        else
            w->a.d[i] = x;
    } else {
        if (second)
            w->b.f[i] = (float)x;
        else
            w->a.f[i] = (float)x;
    }
}

static struct worst measure(const struct accuracy_row *r, bool is_double, unsigned warps) {
    struct worst worst = {0};
    struct accuracy_warp w;
    for (unsigned s = 0; s < SPECIALS; s++) {
        for (int i = 0; i < 32; i++) {
            store(&w, false, is_double, i, specials[s]);
            if (!r->binary) store(&w, false, is_double, i, specials[(s + (unsigned)i) % SPECIALS]);
            if (r->integer)
                w.b.i[i] = random_integer((unsigned)i);
            else
                store(&w, true, is_double, i, specials[i]);
        }
        run_warp(r, is_double, &w, &worst);
    }
    for (unsigned n = 0; n < warps; n++) {
        for (int i = 0; i < 32; i++) {
            store(&w, false, is_double, i, accuracy_random(is_double, n));
            if (r->integer)
                w.b.i[i] = random_integer(n >> 1);
            else if (r->binary)
                store(&w, true, is_double, i, accuracy_random(is_double, n >> 2));
        }
        run_warp(r, is_double, &w, &worst);
    }
    return worst;
}

/* ---- all inputs ---- */

/* What the device's double function gives, which is right to far below a float's ulp; where the
 * float function is that one too, or one of few operations, glibc's. */
static void estimate(const struct accuracy_row *r, const struct accuracy_warp *w, double *want) {
    if (r->op < ISA_sin || r->op == ISA_erfc || r->op == ISA_tgamma || !levels_have(r->op, true)) {
        for (int i = 0; i < 32; i++) want[i] = r->reference(w->a.f[i]);
        return;
    }
    struct accuracy_warp in;
    for (int i = 0; i < 32; i++) in.a.d[i] = w->a.f[i];
    accuracy_call(r->op, true, &in);
    memcpy(want, in.r.d, sizeof in.r.d);
}

/* Can the error be seen without MPFR not to be more than `known` by a millionth? */
static bool harmless(double got, double want, double known) {
    double size = fabs(want);
    if (size > 0x1p-126 && size < 0x1p127) {
        int64_t exponent;
        memcpy(&exponent, &size, 8);
        uint64_t inverse = (uint64_t)(1023 + 23 + 1023 - (exponent >> 52)) << 52; /* of an ulp */
        double scale;
        memcpy(&scale, &inverse, 8);
        return fabs(got - want) * scale < known * 0.999 + 1e-6;
    }
    if (size < 0x0.ffffffp-126) return got == 0;
    if (size > 0x1p128) return got == copysign(INFINITY, want);
    return isnan(want) && isnan(got);
}

/* After a sample that finds a large error, the widest level on all inputs and the others on every
 * 16th warp; MPFR where the error may be a new largest one, and on every 4096th input, lest the
 * estimate be wrong. */
static struct worst measure_all(const struct accuracy_row *r) {
    struct worst worst = measure(r, false, 4000);
    struct accuracy_warp w;
    float zeros[2];
    double want[32] __attribute__((aligned(128)));
    memset(&w, 0, sizeof w);
    for (int i = 0; i < 32; i++) w.a.f[i] = i ? -0.0f : 0.0f;
    accuracy_call(r->op, false, &w);
    zeros[0] = w.r.f[0], zeros[1] = w.r.f[1];
    for (uint64_t n = 0; n < 1ull << 27; n++) {
        for (uint32_t i = 0; i < 32; i++) w.a.u[i] = (uint32_t)n * 32 + i;
        if (n % 16 == (n >> 8) % 16) accuracy_compare_levels(r->name, r->op, false, &w);
        accuracy_call(r->op, false, &w);
        estimate(r, &w, want);
        for (int i = 0; i < 32; i++) {
            double x = w.a.f[i], got = w.r.f[i];
            bool probe = n % 128 == 5 && i == (int)(n >> 7) % 32;
            if ((!probe && harmless(got, want[i], worst.error)) || left_out(r, false, x)) continue;
            if (accuracy_denormal(x) && !memcmp(&w.r.f[i], &zeros[signbit(x) != 0], 4)) continue;
            judge(r, false, x, 0, got, &worst);
        }
    }
    return worst;
}

/* ---- remquo: results and the quotient's low bits, as glibc has them ---- */

static void measure_remquo(bool is_double, unsigned warps) {
    struct accuracy_warp w;
    int32_t quotient[32] __attribute__((aligned(128)));
    unsigned wrong = 0;
    for (unsigned n = 0; n < warps; n++) {
        for (int i = 0; i < 32; i++) {
            double x = accuracy_random(is_double, n), y = accuracy_random(is_double, n >> 2);
            if (n % 3 == 0) y = x / (double)(1 + random_bits() % 300);
            if (n % 5 == 0) x = y * ((double)(random_bits() % 300) + 0.5); /* a tie */
            store(&w, false, is_double, i, x);
            store(&w, true, is_double, i, y);
        }
        for (unsigned l = 0; l < nlevels; l++) {
            levels_call(l, ISA_remquo, is_double, &w.a, &w.b, &w.r, quotient);
            for (int i = 0; i < 32; i++) {
                double x = is_double ? w.a.d[i] : w.a.f[i], y = is_double ? w.b.d[i] : w.b.f[i];
                if (!is_double && (accuracy_denormal(x) || accuracy_denormal(y))) continue;
                double got = is_double ? w.r.d[i] : w.r.f[i];
                int low = 0;
                double want = remquo(x, y, &low);
                if (!is_double && accuracy_denormal(want)) want = copysign(0, want);
                bool same = isnan(want) ? isnan(got) && quotient[i] == 0
                                        : got == want && signbit(got) == signbit(want) &&
                                              (quotient[i] & 7) == (low & 7);
                if (same || wrong++) continue;
                printf("remquo(%a, %a) on %s: %a, %d instead of %a, %d\n", x, y, levels_name(l),
                       got, quotient[i], want, low);
            }
        }
    }
    accuracy_failures += wrong != 0;
    printf("remquo       %s  %u wrong\n", is_double ? "double" : "single", wrong);
}

/* ---- the command ---- */

static void report(const struct accuracy_row *r, bool is_double, bool all) {
    struct worst w =
        all ? measure_all(r) : measure(r, is_double, r->unary && !is_double ? 4000 : 400);
    bool over = w.error > bound_of(r, is_double);
    char at[80];
    snprintf(at, sizeof at, r->binary ? "%a, %a" : "%a", w.x, w.y);
    accuracy_failures += over;
    printf("%-12s %s  %12.4f  %6.3g  %6.3g   %s%s\n", r->name, is_double ? "double" : "single",
           w.error, r->guide[is_double], r->opencl[is_double], at, over ? "  OVER" : "");
    if (over) printf("    gave %a\n", w.got);
    fflush(stdout);
    page_note(r->name, is_double ? "double" : "single", all, "%.4f | %.3g | %.3g | %s", w.error,
              r->guide[is_double], r->opencl[is_double], at);
}

bool accuracy_named(const char *name, char **names) {
    if (!*names) return true;
    for (char **n = names; *n; n++)
        if (!strcmp(*n, name)) return true;
    return false;
}

int main(int argc, char **argv) {
    const char *long_tier = getenv("SIMTCL_TEST_LONG"), *page = NULL;
    bool all = long_tier && *long_tier;
    char **names = argv + 1;
    for (; names < argv + argc && !strncmp(*names, "--", 2); names++) {
        if (!strcmp(*names, "--all")) all = true;
        if (!strcmp(*names, "--page") && names[1]) page = *++names;
    }
    nlevels = levels_find();
    mpfr_inits2(160, accuracy_x, accuracy_y, accuracy_r, (mpfr_ptr)0);
    printf("%-12s type    largest error   guide  opencl   at\n", "function");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (!accuracy_named(rows[i].name, names)) continue;
        report(&rows[i], false, all && rows[i].unary);
        if (levels_have(rows[i].op, true)) report(&rows[i], true, false);
    }
    for (int is_double = 0; accuracy_named("remquo", names) && is_double < 2; is_double++)
        measure_remquo(is_double, 4000);
    accuracy_natives(all, names);
    mpfr_clears(accuracy_x, accuracy_y, accuracy_r, (mpfr_ptr)0);
    mpfr_free_cache();
    if (page && !page_write(page)) accuracy_failures++, perror(page);
    printf("%u failed\n", accuracy_failures);
    return accuracy_failures != 0;
}
