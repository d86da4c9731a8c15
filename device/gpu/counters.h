/* What is counted of a launch: counters.def as C. */
#ifndef SIMTCL_COUNTERS_H
#define SIMTCL_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

enum gpu_counter {
#define COUNTER(name, unit, first, last, flags, section, what) GPU_COUNTER_##name,
#include "counters.def"
#undef COUNTER
    GPU_COUNTERS
};

enum { GPU_PARTITIONS = 8 }; /* counters partition_0 on */

/* The counters of a kernel, a launch, or a site. All begin as 0. */
struct gpu_counters {
    uint64_t value[GPU_COUNTERS];
};

enum {
    GPU_COUNTER_PROFILER = 1, /* the profiler of the time has a counter of that name */
    GPU_COUNTER_SITES = 2,    /* known for each site as well as for a kernel */
    GPU_COUNTER_MAXIMUM = 4   /* of several launches or sites the largest counts, not the sum */
};

struct gpu_counter_info {
    const char *name, *unit;
    const char *section; /* of the guide, "profiler", or "" */
    const char *what;    /* one event of what is counted */
    uint8_t first, last; /* minor compute capability 1.x from, to which devices have it */
    uint8_t flags;       /* GPU_COUNTER_* */
};
extern const struct gpu_counter_info gpu_counter_info[GPU_COUNTERS];

/* The counter of that name, GPU_COUNTERS when there is none. */
enum gpu_counter gpu_counter_find(const char *name);
/* Does a device of compute capability 1.minor have it? */
static inline bool gpu_counter_has(enum gpu_counter c, unsigned minor) {
    return gpu_counter_info[c].first <= minor && minor <= gpu_counter_info[c].last;
}
/* Adds what was counted: sums, or the larger one. */
void gpu_counters_add(struct gpu_counters *into, const struct gpu_counters *more);

#endif
