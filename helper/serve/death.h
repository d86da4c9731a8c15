/* How the helper process ends before its time: the driver is told why. */
#ifndef SIMTCL_DEATH_H
#define SIMTCL_DEATH_H

/* From here on crashes and allocations that fail in C++ code are told before the process ends.
 * Once. */
void death_watch(void);
/* Gives the calling thread a stack to tell on when its own has run out; death_watch does it for the
 * thread that calls it. */
void death_ready(void);

_Noreturn void death_tell(const char *why);
_Noreturn void death_of_memory(void);

#endif
