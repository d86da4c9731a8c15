/* SIMTCL_CHECK=api: who calls what, as far as checks want to know. Each does nothing when it is not
 * checked. */
#ifndef SIMTCL_CHECKING_API_H
#define SIMTCL_CHECKING_API_H

#include "kernel.h"
#include "mem.h"

struct check_launch;

/* A callback of the host's is called on this thread, and has returned. */
void checking_callback_begin(void);
void checking_callback_end(void);
/* The function of the API waits for commands. */
void checking_waits(const char *function);
/* A launch is enqueued with the arguments as they are. */
void checking_args(cl_kernel kernel, const struct isa_kernel *code, const struct check_launch *l);
/* The process ends, and there is this memory object; all objects that are not memory. */
void checking_left(cl_mem mem);
void checking_left_others(void);

#endif
