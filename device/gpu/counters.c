#include "counters.h"

#include <string.h>

enum { PROFILER = GPU_COUNTER_PROFILER, SITES = GPU_COUNTER_SITES, MAXIMUM = GPU_COUNTER_MAXIMUM };

const struct gpu_counter_info gpu_counter_info[GPU_COUNTERS] = {
#define COUNTER(name, unit, first, last, flags, section, what)                                     \
    [GPU_COUNTER_##name] = {#name, unit, section, what, first, last, flags},
#include "counters.def"
#undef COUNTER
};

enum gpu_counter gpu_counter_find(const char *name) {
    int n = 0;
    while (n < GPU_COUNTERS && strcmp(gpu_counter_info[n].name, name) != 0) n++;
    return (enum gpu_counter)n;
}

void gpu_counters_add(struct gpu_counters *into, const struct gpu_counters *more) {
    for (int n = 0; n < GPU_COUNTERS; n++) {
        uint64_t *sum = &into->value[n];
        if (!(gpu_counter_info[n].flags & GPU_COUNTER_MAXIMUM))
            *sum += more->value[n];
        else if (*sum < more->value[n])
            *sum = more->value[n];
    }
}
