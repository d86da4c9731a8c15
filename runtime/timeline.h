/* The timeline: a record of every command of the process, in the order of their calls, for those
 * who tell of it when the process ends (SIMTCL_PROFILE=trace, report). Times are the device's where
 * SIMTCL_TIME=model, those of the host otherwise; what failed, and what has not ended, has none.
 *
 * Memory is bounded: TIMELINE_MOST commands are kept, further ones are counted. Thread safe. */
#ifndef SIMTCL_TIMELINE_H
#define SIMTCL_TIMELINE_H

#include <stdio.h>

#include "device/device.h"
#include "event.h"

enum { TIMELINE_MOST = 1 << 17 };

/* What launches have in common that differ in time alone. */
struct timeline_shape {
    const char *kernel;
    uint32_t groups[3], local_size[3];
    uint32_t registers, shared_bytes; /* of a work-item; of a group */
    double occupancy;                 /* 0 to 1 */
    const char *limiter;              /* what keeps more groups away; lives for ever */
};

struct timeline_record {
    uint64_t times[EVENT_TIMES];        /* nanoseconds */
    uint64_t bytes;                     /* of a copy */
    const struct timeline_shape *shape; /* of a launch; NULL: another command */
    cl_command_type type;
    uint32_t context, queue; /* their numbers: from 1 on; in its context from 1 on */
    uint8_t device;          /* its number on the board */
    uint8_t engines;         /* CLOCK_*: what it has of the device; 0: it takes no time there */
    bool locked;             /* the host's side of the copy is page-locked */
    bool ended;              /* well, and its times are known */
};

/* Has records made from now on; before the first command. */
void timeline_begin(void);
bool timeline_on(void);

/* A command is enqueued: its number, 0 when nothing is recorded of it. */
uint32_t timeline_add(const struct timeline_record *record);
/* What a launch is: shape->kernel is copied. */
void timeline_set_shape(uint32_t record, const struct timeline_shape *shape);
/* It has ended well. */
void timeline_set_times(uint32_t record, const uint64_t times[EVENT_TIMES]);

/* Calls `each` with every command that has ended well, in the order of their calls. Returns how
 * many there were beyond TIMELINE_MOST, of which nothing is known. */
uint64_t timeline_each(void (*each)(void *user, const struct timeline_record *record), void *user);

/* Writes all of it in Chrome's trace format (JSON): docs/profiling.md. */
void timeline_write_trace(FILE *to);

#endif
