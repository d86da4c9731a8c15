/* The watchdog: a thread of its own that looks after launches while they run. It sees to it that
 * the handler of their faults is in place, which a host may put another over at any time, and ends
 * those that run for longer than they may (SIMTCL_TIMEOUT): it marks them as overdue and interrupts
 * the threads that run their groups, again and again until they have left: native code is left
 * where it is, the interpreter at its loop's next iteration. Kernels hold no code for it. Private
 * to device/, but for the limit. */
#ifndef SIMTCL_WATCHDOG_H
#define SIMTCL_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A launch that is looked after. */
struct watch {
    struct watch *next;
    bool looked_after;
    uint64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
    atomic_bool overdue;
};

/* How long a launch may run; 0: for ever. Before the first launch. */
void watchdog_limit(uint64_t ns);
/* The launch's first group is about to run, its last one has ended. lasting: a group may run for
 * long; one that cannot is left alone where there is no limit. Thread safe. */
void watchdog_begin(struct watch *w, bool lasting);
void watchdog_end(struct watch *w);
/* The calling thread, which holds the slot, runs groups of it from here on; NULL: no more. */
void watchdog_runs(unsigned slot, struct watch *w);

#endif
