/* The watchdog: a thread of its own that looks after launches while they run, and after builds. It
 * sees to it that the handler of their faults is in place, which a host may put another over at any
 * time, and ends those that run for longer than they may (SIMTCL_TIMEOUT): it marks them as overdue
 * and interrupts the threads that run their groups, again and again until they have left: native
 * code is left where it is, the interpreter at its loop's next iteration. Kernels hold no code for
 * it. What takes long it tells of, more and more seldom (SIMTCL_LOG=progress). Private to device/
 * and the runtime. */
#ifndef SIMTCL_WATCHDOG_H
#define SIMTCL_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is looked after: a launch, or something else that may take long. */
struct watch {
    /* The caller's: writes a line, without its end, that says what is going on, or has ended; `ns`
     * since it began. Called on any thread, before watchdog_end returns. NULL: nothing is said. */
    void (*say)(const struct watch *w, uint64_t ns, bool ended, char *text, size_t size);
    /* The watchdog's. Times are CLOCK_MONOTONIC's. */
    struct watch *next;
    bool looked_after, runs_kernel;
    uint64_t deadline_ns;       /* 0: none */
    uint64_t began_ns, said_ns; /* said_ns: for how long it had run when it was told of last */
    atomic_bool overdue;
};

/* How long a launch may run; 0: for ever. Before the first launch. */
void watchdog_limit(uint64_t ns);
/* What has run for so long is told of by `tell`, which may block; NULL: nothing is. Before anything
 * is looked after. */
void watchdog_tell(uint64_t ns, void (*tell)(const char *line));
/* Something other than a launch begins, which has no limit; it ends with watchdog_end. */
void watchdog_begin_work(struct watch *w);
/* The launch's first group is about to run, its last one has ended. lasting: a group may run for
 * long; one that cannot is left alone where there is no limit. Thread safe. */
void watchdog_begin(struct watch *w, bool lasting);
void watchdog_end(struct watch *w);
/* The calling thread, which holds the slot, runs groups of it from here on; NULL: no more. */
void watchdog_runs(unsigned slot, struct watch *w);

#endif
