/* Faults: how a work-group that goes wrong is left, and what is said about it. Private to device/.
 *
 * A wild access lands on an unmapped page of the sandbox and raises SIGSEGV or SIGBUS. The handler
 * takes the signals of threads that are running a group of the sandbox they hit; every other one
 * goes to whoever handled it before. */
#ifndef SIMTCL_FAULT_H
#define SIMTCL_FAULT_H

#include <signal.h>

#include "device/engine.h"
#include "hostfault.h"

/* Makes sure that the handler is in place, also when the host has put its own there since (which
 * then gets what is not ours). Called before each chunk of a launch and now and then within: the
 * host may do so while kernels run. False: the host does not let it be there. */
bool fault_arm(void);

/* fault_arm before a launch that was asked for by call number `call`; 0: it is not known. What the
 * thread has found a moment ago (now_ns: moment_ns) holds for what was asked for before that:
 * of a handler that the host puts over ours while kernels run nobody knows at once. */
bool fault_arm_for(uint64_t call, uint64_t now_ns);

/* What the calling thread had before it ran groups: a launch may run inside a callback of another.
 */
struct fault_scope {
    struct group *outer;
    bool blocked; /* the signals of faults, by `mask` */
    sigset_t mask;
};

/* The calling thread runs groups with `g` from here on, whose `escape` is set before each that may
 * fault. It gets its faults even when the host's thread has them blocked. */
void fault_enter(struct fault_scope *scope, struct group *g);
void fault_leave(const struct fault_scope *scope);

/* Interrupts a thread of the process: when it runs a group of a launch that is overdue it leaves it
 * with FAULT_TIMEOUT, if it is in native code, or has the interpreter look at its next iteration.
 * Otherwise nothing happens. */
void fault_interrupt(pid_t thread);

/* After an escape: fills `f` from what the engine and the handler left in `g`. */
void fault_fill(struct fault *f, struct group *g, const struct engine *engine);

#endif
