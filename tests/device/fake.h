/* An engine whose kernels are C functions, and what a launch of one needs. */
#ifndef SIMTCL_FAKE_H
#define SIMTCL_FAKE_H

#include "device/engine.h"

/* Runs one group. What the engine is for the launch being tested: set before it starts. */
extern void (*fake_run)(struct group *g);
extern int (*fake_blame)(struct group *g, uint32_t address);
extern _Atomic int fake_prepared, fake_discarded;

/* A module of one kernel "k" of file "k.cl": a load at instruction 0 (line 7), a printf at 1,
 * `loops` a loop behind them. The caller may add to it before fake_launch. */
struct isa_module *fake_module(bool loops, const char *format);

/* A launch of kernel 0 in one dimension; `finished` sets a flag that fake_wait waits for. */
struct launch *fake_launch(struct executable *x, uint32_t global, uint32_t local);
void fake_wait(struct launch *l);
void fake_free(struct launch *l);
const char *fake_printed(const struct launch *l);
/* launch_start and fake_wait. */
void fake_go(struct launch *l);

#endif
