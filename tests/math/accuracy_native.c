/* native_: the bounds of the guide's B.2. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "accuracy.h"
#include "page.h"

typedef double allowed_error(double x, double y, double exact);
typedef int exact_function(mpfr_t r, const mpfr_t x, const mpfr_t y);

/* ---- what is allowed: absolute for arguments in a range, in ulp elsewhere ---- */

static double ulps(double exact, double n) { return n * accuracy_ulp(exact, false); }
static bool within(double x, double low, double high) { return x >= low && x <= high; }

#define ALLOWED(name, bound)                                                                       \
    static double allowed_##name(double x, double y, double exact) {                               \
        return (void)x, (void)y, (void)exact, (bound);                                             \
    }
#define SIN_ERROR 0x1.8186p-22 /* 2^-21.41 */
#define COS_ERROR 0x1.c0dfp-22 /* 2^-21.19 */
ALLOWED(sin, SIN_ERROR)
ALLOWED(cos, COS_ERROR)
ALLOWED(exp, ulps(exact, 2 + floor(fabs(1.16 * x))))
ALLOWED(exp2, ulps(exact, 2))
ALLOWED(exp10, ulps(exact, 2 + floor(fabs(2.95 * x))))
ALLOWED(log, within(x, 0.5, 2) ? 0x1.8186p-22 : ulps(exact, 3))
ALLOWED(log2, within(x, 0.5, 2) ? 0x1p-22 : ulps(exact, 2))
ALLOWED(log10, within(x, 0.5, 2) ? 0x1p-24 : ulps(exact, 3))
ALLOWED(ieee, ulps(exact, 0.5))
ALLOWED(two, ulps(exact, 2))

/* As the guide derives it: sin(x) * (1 / cos(x)), two roundings among them. */
static double allowed_tan(double x, double y, double exact) {
    double cosine = fabs(cos(x)) - COS_ERROR, sine = fabs(sin(x)) + SIN_ERROR;
    (void)y;
    if (cosine <= 0) return INFINITY;
    return sine / cosine - fabs(exact) + ulps(sine / cosine, 2);
}

/* As the guide derives it: exp2(y * log2(x)); the product rounds. */
static double allowed_powr(double x, double y, double exact) {
    double l = log2(x), off = fabs(y) * allowed_log2(x, 0, l) + ulps(y * l, 0.5);
    return exact * expm1(off * 0x1.62e42fefa39efp-1) + ulps(exact, 2);
}

/* ---- the rows ---- */

struct accuracy_native_row {
    const char *name;
    enum isa_op op;
    enum isa_op full; /* the function in double precision; 0: `reference` */
    double (*reference)(double);
    exact_function *exact;
    allowed_error *allowed;
    float low, high; /* arguments for which there is a bound */
};

#define EXACT(name, call)                                                                          \
    static int exact_##name(mpfr_t r, const mpfr_t x, const mpfr_t y) { return (void)y, (call); }
EXACT(sin, mpfr_sin(r, x, MPFR_RNDN))
EXACT(cos, mpfr_cos(r, x, MPFR_RNDN))
EXACT(tan, mpfr_tan(r, x, MPFR_RNDN))
EXACT(exp, mpfr_exp(r, x, MPFR_RNDN))
EXACT(exp2, mpfr_exp2(r, x, MPFR_RNDN))
EXACT(exp10, mpfr_exp10(r, x, MPFR_RNDN))
EXACT(log, mpfr_log(r, x, MPFR_RNDN))
EXACT(log2, mpfr_log2(r, x, MPFR_RNDN))
EXACT(log10, mpfr_log10(r, x, MPFR_RNDN))
EXACT(rsqrt, mpfr_rec_sqrt(r, x, MPFR_RNDN))
EXACT(recip, mpfr_ui_div(r, 1, x, MPFR_RNDN))
EXACT(divide, mpfr_div(r, x, y, MPFR_RNDN))
EXACT(powr, mpfr_pow(r, x, y, MPFR_RNDN))

#define MOST 0x1.fffffep127f
static const struct accuracy_native_row unary[] = {
/* native_sqrt is sqrt, a row of accuracy.def */
#define NATIVE(name, full, reference, allowed, low, high)                                          \
    {                                                                                              \
        "native_" #name, ISA_native_##name, full, reference, exact_##name, allowed_##allowed, low, \
            high                                                                                   \
    }
    NATIVE(sin, ISA_sin, NULL, sin, -3.14159274f, 3.14159274f),
    NATIVE(cos, ISA_cos, NULL, cos, -3.14159274f, 3.14159274f),
    NATIVE(tan, ISA_tan, NULL, tan, -3.14159274f, 3.14159274f),
    NATIVE(exp, ISA_exp, NULL, exp, -87.336f, 88.7228f),
    NATIVE(exp2, ISA_exp2, NULL, exp2, -126, 127.99999f),
    NATIVE(exp10, ISA_exp10, NULL, exp10, -37.929f, 38.5318f),
    NATIVE(log, ISA_log, NULL, log, 0x1p-126f, MOST),
    NATIVE(log2, ISA_log2, NULL, log2, 0x1p-126f, MOST),
    NATIVE(log10, ISA_log10, NULL, log10, 0x1p-126f, MOST),
    NATIVE(rsqrt, 0, accuracy_rsqrt_of, two, 0x1p-126f,
           MOST), /* as the full one: the guide has no row */
#undef NATIVE
    {"native_recip", ISA_native_recip, 0, accuracy_recip_of, exact_recip, allowed_ieee, -0x1p126f,
     0x1p126f},
};
static const struct accuracy_native_row binary[] = {
    {"native_divide", ISA_native_divide, 0, NULL, exact_divide, allowed_two, -MOST, MOST},
    {"native_powr", ISA_native_powr, 0, NULL, exact_powr, allowed_powr, 0x1p-126f, MOST},
};

struct largest {
    double part, x, y; /* of the bound */
};

static double part_of(const struct accuracy_native_row *r, double x, double y, double got,
                      double want) {
    double part = fabs(got - want) / r->allowed(x, y, want);
    return got == want ? 0 : part == part ? part : INFINITY;
}

static void judge(const struct accuracy_native_row *r, double x, double y, double got,
                  struct largest *most) {
    mpfr_set_d(accuracy_x, x, MPFR_RNDN);
    mpfr_set_d(accuracy_y, y, MPFR_RNDN);
    r->exact(accuracy_r, accuracy_x, accuracy_y);
    double part = part_of(r, x, y, got, mpfr_get_d(accuracy_r, MPFR_RNDN));
    if (!(part <= most->part)) *most = (struct largest){part, x, y};
}

/* What judge is spared: most errors are seen to be small by the function in double precision. */
static void estimate(const struct accuracy_native_row *r, const struct accuracy_warp *w,
                     struct accuracy_warp *in) {
    for (int i = 0; i < 32; i++) in->a.d[i] = w->a.f[i];
    if (r->full)
        accuracy_call(r->full, true, in);
    else
        for (int i = 0; i < 32; i++) in->r.d[i] = r->reference(in->a.d[i]);
}

/* All floats of its range, or a sample. */
static struct largest measure_unary(const struct accuracy_native_row *r, bool all) {
    struct largest most = {0};
    struct accuracy_warp w, in;
    memset(&w, 0, sizeof w);
    for (uint64_t k = 0; k < 1ull << 27; k += all ? 1 : 1021) {
        for (uint32_t i = 0; i < 32; i++) {
            w.a.u[i] = (uint32_t)k * 32 + i;
            if (!within(w.a.f[i], r->low, r->high)) w.a.f[i] = 1;
        }
        if (!all || k % 16 == 0) accuracy_compare_levels(r->name, r->op, false, &w);
        accuracy_call(r->op, false, &w);
        estimate(r, &w, &in);
        for (int i = 0; i < 32; i++) {
            double x = in.a.d[i], got = w.r.f[i];
            bool probe = i == 0 && k % 4096 == 0; /* lest the estimate be wrong */
            if (accuracy_denormal(x) || (r->op == ISA_native_recip && x == 0)) continue;
            if (probe || !(part_of(r, x, 0, got, in.r.d[i]) <= most.part))
                judge(r, x, 0, got, &most);
        }
    }
    return most;
}

/* Is there a bound: for these arguments, and a result that is no denormal and not too large? */
static bool bounded(const struct accuracy_native_row *r, double x, double y) {
    if (!within(x, r->low, r->high) || accuracy_denormal(x)) return false;
    double size = r->op == ISA_native_divide ? fabs(x / y) : pow(x, y);
    bool divisor = r->op != ISA_native_divide || within(fabs(y), 0x1p-126, 0x1p126);
    return divisor && isfinite(y) && !accuracy_denormal(y) && within(size, 0x1p-125, 0x1p127);
}

static struct largest measure_binary(const struct accuracy_native_row *r) {
    struct largest most = {0};
    struct accuracy_warp w;
    for (unsigned n = 0; n < 4000; n++) {
        for (int i = 0; i < 32; i++) {
            w.a.f[i] = (float)accuracy_random(false, n);
            w.b.f[i] = (float)accuracy_random(false, n >> 2);
            if (!bounded(r, w.a.f[i], w.b.f[i])) w.a.f[i] = w.b.f[i] = 1;
        }
        accuracy_compare_levels(r->name, r->op, false, &w);
        for (int i = 0; i < 32; i++) judge(r, w.a.f[i], w.b.f[i], w.r.f[i], &most);
    }
    return most;
}

static void report(const struct accuracy_native_row *r, struct largest most, bool all, bool two) {
    bool over = !(most.part <= 1);
    char at[80];
    snprintf(at, sizeof at, two ? "%a, %a" : "%a", most.x, most.y);
    accuracy_failures += over;
    printf("%-14s single  %6.3f of the guide's bound, at %s%s\n", r->name, most.part, at,
           over ? "  OVER" : "");
    fflush(stdout);
    page_note(r->name, "single", all, "%.3f of the bound | 1 | | %s", most.part, at);
}

void accuracy_natives(bool all, char **names) {
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        if (accuracy_named(unary[i].name, names))
            report(&unary[i], measure_unary(&unary[i], all), all, false);
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (accuracy_named(binary[i].name, names))
            report(&binary[i], measure_binary(&binary[i]), false, true);
}
