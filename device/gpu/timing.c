#include "timing.h"

static void add(double *into, const double *more, unsigned count) {
    for (unsigned n = 0; n < count; n++) into[n] += more[n];
}

void gpu_timing_add(struct gpu_timing *into, const struct gpu_timing *more) {
    into->launches += more->launches;
    into->groups += more->groups;
    into->warps += more->warps;
    into->items = more->items;
    into->resources = more->resources;
    into->partitions = more->partitions;
    into->windows += more->windows;
    into->windows_seen += more->windows_seen;
    add(into->sums, more->sums, GPU_TIMING_SUMS);
    add(into->loaded, more->loaded, GPU_TIMING_RULES);
    for (unsigned r = 0; r < GPU_TIMING_RULES; r++) {
        add(into->transactions[r], more->transactions[r], GPU_TIMING_SIZES);
        add(into->waits[r], more->waits[r], GPU_WAITS);
    }
}
