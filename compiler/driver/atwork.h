/* Threads inside libclang, for which the end of the process waits: the exit handlers that run next
 * destroy what such a thread uses. */
#ifndef SIMTCL_ATWORK_H
#define SIMTCL_ATWORK_H

#include <stdbool.h>

/* The calling thread is about to use libclang. False: the process is ending, and it must not. Until
 * atwork_end, which follows a true begin, the thread runs no code of the host. */
bool atwork_begin(void);
void atwork_end(void);
/* When it returns no thread is inside libclang, and none will be. Any number of times. */
void atwork_stop(void);

#endif
