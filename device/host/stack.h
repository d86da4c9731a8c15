/* The calling thread's stacks: may work-groups run on them? Threads of a host may have as little as
 * 16 KB, be coroutines on stacks of their own, or have an alternate stack for signals that a
 * fault's frame does not fit. Private to device/ and the runtime. */
#ifndef SIMTCL_STACK_H
#define SIMTCL_STACK_H

#include <stdbool.h>

/* Is there room for a kernel's code and for the handler of its faults? */
bool stack_suffices(void);

#endif
