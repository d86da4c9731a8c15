/* SIMTCL_CHECK: which checks look on at launches, what they are told of these and of the objects
 * that kernels work on, and their findings' reports when the process ends (device/check/finding.h).
 */
#ifndef SIMTCL_CHECKING_H
#define SIMTCL_CHECKING_H

#include "device/check/finding.h"
#include "kernel.h"
#include "mem.h"

/* Reads the environment and adds the observers that it asks for to the set: profiling.h, once. */
struct observe_set;
void checking_watch(struct observe_set *set);
/* Whether anything is checked; this very kind. */
bool checking_on(void);
bool checking_kind(enum check_kind kind);

/* A memory object has its place in the sandbox; its last reference has gone. */
void checking_created(cl_mem mem);
void checking_freed(cl_mem mem);
/* "buffer 3, 4096 bytes, created at clCreateBuffer call 2" */
void checking_describe(cl_mem mem, char *text, size_t size);

/* What checks are told of a launch whose arguments are held; sets l->check. NULL: nothing is
 * checked, or out of memory. */
struct checked;
struct checked *checking_new(cl_command_queue queue, cl_kernel kernel, const struct build *build,
                             struct launch *l);
void checking_free(struct checked *c); /* NULL is fine for both */
/* The launch has ended well: what it accessed is known (ordering.h). */
void checking_ended(struct checked *c, cl_event event);

#endif
