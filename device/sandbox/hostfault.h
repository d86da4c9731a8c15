/* What the runtime does about faults: another look at those of the process that are no kernel's,
 * and what it tells of the host's calls. */
#ifndef SIMTCL_HOSTFAULT_H
#define SIMTCL_HOSTFAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Called in the signal's handler, on any thread. at: the instruction, and what lies on top of the
 * stack (of a function without a frame, where it returns to), NULL where that is not known. True:
 * the access is to be made again. */
typedef bool fault_watcher(void *address, bool write, void *const at[2]);
/* It is the one for the process, and the handler is in place, also when the host has put its own
 * there since. False: the host does not let it be there. */
bool fault_watch(fault_watcher *watcher);
/* Numbers the host's calls that ask for launches, from 1 on. */
uint64_t fault_asked(void);
/* A call of the host's may let launches begin that were asked for earlier. */
void fault_released(void);

#endif
