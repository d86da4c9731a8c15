/* Twins of kernels, written by hand for AVX-512 and AVX2: what the same 32-lane warps and
 * work-groups reach when nobody translates. They run on as many threads as the process may use, and
 * only where the CPU has one of the two; SIMTCL_SIMD chooses as it does for kernels. */
#ifndef BENCH_TWINS_H
#define BENCH_TWINS_H
#include "job.h"

struct twin;

/* The twin of a row; NULL when it has none. */
const struct twin *twins_find(const char *row);
/* Times and checks the twin and prints which percentage of it `result` is. False when the twin's
 * own result is wrong. */
bool twins_compare(const struct twin *twin, const struct row *row, const struct result *result,
                   const struct session *session);
#endif
