/* The calling thread's stacks: may work-groups run on them? Threads of a host may have as little as
 * 16 KB, be coroutines on stacks of their own, or have an alternate stack for signals that a
 * fault's frame does not fit. Private to device/ and the runtime. */
#ifndef SIMTCL_STACK_H
#define SIMTCL_STACK_H

#include <stdbool.h>

/* Is there room for a kernel's code and for the handler of its faults? */
bool stack_suffices(void);
/* Calls run(argument): here, or, where this thread has too little stack left for what takes some
 * dozens of kilobytes, on a thread that is made for it and waited for. False: there is none to be
 * had, and nothing was called. */
bool stack_call(void (*run)(void *argument), void *argument);

#endif
