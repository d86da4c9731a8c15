/* What the profiler of the time is to write: COMPUTE_PROFILE and the variables beside it, and the
 * configuration file, one name a line. */
#ifndef SIMTCL_PROFILER_CONFIG_H
#define SIMTCL_PROFILER_CONFIG_H

#include <stdbool.h>

#include "device/device.h"

enum profiler_field {
#define FIELD(name, of, columns, what) PROFILER_##name,
#include "profiler_fields.def"
#undef FIELD
    PROFILER_FIELDS,
    PROFILER_COUNTERS_BEFORE = PROFILER_memtransfersize
};

/* Which rows have a field: all, without being asked, or those of kernels, of copies, of both. */
enum profiler_of { PROFILER_EVERY, PROFILER_KERNELS, PROFILER_COPIES, PROFILER_BOTH };

struct profiler_field_info {
    const char *name, *columns;
    enum profiler_of of;
};
extern const struct profiler_field_info profiler_field_info[PROFILER_FIELDS];

struct profiler_config {
    bool csv;
    const char *path; /* with %d for the context's number from 0, %p for the process */
    bool fields[PROFILER_FIELDS];
    unsigned ncounters; /* in the order in which they were asked for, each once */
    enum gpu_counter counters[GPU_COUNTERS];
};

/* Read at the first call, which says on stderr what it could not make use of; NULL: no log is asked
 * for. Lives for ever. */
const struct profiler_config *profiler_config_get(void);

#endif
