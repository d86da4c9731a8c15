/* What the two kinds of accuracy tests share: accuracy.c, the functions with bounds in ulp, and
 * accuracy_native.c, the special function unit's. */
#ifndef SIMTCL_TESTS_ACCURACY_H
#define SIMTCL_TESTS_ACCURACY_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

#include "levels.h"

/* One warp of inputs and results. */
struct accuracy_warp {
    union accuracy_lanes {
        float f[32];
        double d[32];
        int32_t i[32];
        uint32_t u[32];
        uint64_t l[32];
    } a, b, r, other;
} __attribute__((aligned(128)));

extern unsigned accuracy_failures;
extern mpfr_t accuracy_x, accuracy_y, accuracy_r; /* arguments and result of MPFR's functions */

double accuracy_ulp(double exact, bool is_double);
bool accuracy_denormal(double x);
double accuracy_rsqrt_of(double x); /* what the C library has no name for */
double accuracy_recip_of(double x);

/* A number from all over the type's range; `round` says of which kind. */
double accuracy_random(bool is_double, unsigned round);

/* r = op(a, b) at the first level; a failure where another level gives other bits. */
void accuracy_compare_levels(const char *name, enum isa_op op, bool is_double,
                             struct accuracy_warp *w);

/* r = op(a, b) at the widest level. */
void accuracy_call(enum isa_op op, bool is_double, struct accuracy_warp *w);

/* The native_ functions: those of one argument on all floats of their range, or on a sample; of
 * `names` only, unless that is empty. */
void accuracy_natives(bool all, char **names);
bool accuracy_named(const char *name, char **names);

#endif
