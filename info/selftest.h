/* A kernel that uses what kernels use, run on one engine. */
#ifndef SIMTCL_SELFTEST_H
#define SIMTCL_SELFTEST_H

#include "driver.h"

/* Runs it in this process, on the engine that SIMTCL_ENGINE names. NULL: its results are right;
 * otherwise what went wrong. */
const char *selftest_run(const struct driver *d);

#endif
