/* Who looks on while kernels run: what the environment asks for (SIMTCL_PROFILE, the profiler's
 * log), and what programs do through the extension cl_simtcl_profile. */
#ifndef SIMTCL_PROFILING_H
#define SIMTCL_PROFILING_H

#include "device/observe/observe.h"
#include "object.h"

/* What is wanted of a launch. */
struct profiling_wish {
    const struct observe_set *observers; /* who looks on; lives for ever */
    bool kept;                           /* what was counted is for its event and kernel to keep */
};

/* Before the first command: the first call reads the environment, says on stderr which of the names
 * are none, and has the reports written when the process ends (exit, or the library is unloaded).
 */
void profiling_get_ready(void);
/* Of one that is enqueued now. */
struct profiling_wish profiling_wish(cl_command_queue queue);
/* The program has asked for a function of the extension: with SIMTCL_PROFILE=counters all that is
 * counted from now on is kept. */
void profiling_asked(void);

/* Entry points (include/simtcl/profile.h). */
struct error profiling_begin(cl_context context, cl_command_queue queue);
struct error profiling_end(cl_context context, cl_command_queue queue);

#endif
