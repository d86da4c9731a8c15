/* The log of NVIDIA's command line profiler: a file for each context, a row for each kernel and
 * copy, in the order of their ends (profiler_config.h says which columns). Rows are written as they
 * come, so that a process that is killed loses none. */
#ifndef SIMTCL_PROFILER_H
#define SIMTCL_PROFILER_H

#include <stddef.h>

#include "device/device.h"
#include "event.h"

struct profiler_log;
struct profiler_slot;

/* What the log tells of a launch besides its times. */
struct profiler_launch {
    const char *kernel;
    uint32_t groups[3], local_size[3];
    bool chosen;                          /* the driver chose local_size */
    uint32_t shared_bytes, dynamic_bytes; /* shared memory of a group: its own; __local arguments */
    uint32_t registers;                   /* of a work-item */
    double occupancy;                     /* 0 to 1 */
    const struct gpu_counters *counters;  /* NULL: not counted */
    uint64_t start, end;                  /* as events have them */
};

/* The log of a new context, whose devices are known; NULL: none is asked for, or (the log says why)
 * it cannot be written. */
struct profiler_log *profiler_log_open(cl_context context);
void profiler_log_close(struct profiler_log *log); /* NULL is fine */
/* Has any been opened? */
bool profiler_writes(void);
/* Does it tell of counters? NULL: no. */
bool profiler_log_counts(const struct profiler_log *log);
/* A launch of the event's context, or a copy, has ended well. */
void profiler_log_launch(struct profiler_log *log, cl_event event,
                         const struct profiler_launch *launch);
void profiler_log_copy(struct profiler_log *log, cl_event event);

/* With the device's clock (clock.h) rows are in the order of the calls, and are written when they,
 * and those before them, have their times: a place for a command that is enqueued. Without memory
 * NULL, and the log has no row of it. */
struct profiler_slot *profiler_slot_new(struct profiler_log *log);
/* The log has been told of the command, or there is nothing to tell. */
void profiler_slot_settle(struct profiler_slot *slot);
/* Its times are known. Each of the two is called once. */
void profiler_slot_time(struct profiler_slot *slot, const uint64_t times[EVENT_TIMES]);

#endif
