/* The caches of constant memory (guide 3.1.2.3): which lines a kernel reads, and whether they are
 * there. A bank of constants is 64 KB, the caches of a multiprocessor, a cluster and the device are
 * smaller.
 *
 * What is counted depends on nothing that an engine chooses. Where all lines that the launch reads
 * in a set of a cache have room in it, each is fetched once: by each multiprocessor that runs a
 * group, by each cluster, by the device. Where they have not, each group begins with that set
 * empty, as if it were alone, and its warps read in turn (counters_turns.h); a cluster's cache is
 * asked for what the multiprocessor's has not, the device's for what that has not. Only launches
 * whose constants are larger than the multiprocessor's cache can come to that: of these reads are
 * told in order. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_CONSTANT_H
#define SIMTCL_COUNTERS_CONSTANT_H

#include "device/gpu/counters.h"
#include "device/gpu/model.h"
#include "device/gpu/setcache.h"
#include "counters_turns.h"
#include "counters_lanes.h"
#include "observer.h"

enum {
    COUNTERS_CONSTANT_BYTES = 64 << 10,
    COUNTERS_CONSTANT_LINE = SETCACHE_CONSTANT_L1_LINE,
    COUNTERS_CONSTANT_LINES = COUNTERS_CONSTANT_BYTES / COUNTERS_CONSTANT_LINE,
    COUNTERS_CONSTANT_SETS = SETCACHE_CONSTANT_L1_SETS,
    COUNTERS_CONSTANT_WORDS = COUNTERS_CONSTANT_LINES / 64,
    COUNTERS_CONSTANT_LEVELS = 3
};

/* What a site has read. Begins as zeros. */
struct counters_constant {
    uint64_t lines[COUNTERS_CONSTANT_WORDS]; /* a bit each */
    /* Misses of each level by groups alone, by the set of the first. */
    uint64_t missed[COUNTERS_CONSTANT_LEVELS][COUNTERS_CONSTANT_SETS];
};

/* Caches of all levels. Of each set the lines by a byte, the last used lowest; 0: none. */
struct counters_constant_caches {
    uint64_t l1[SETCACHE_CONSTANT_L1_SETS];
    uint64_t l2[SETCACHE_CONSTANT_L2_SETS];
    uint64_t l3[SETCACHE_CONSTANT_L3_SETS];
};

/* What the warps of a group have read. Begins as zeros. */
struct counters_constant_group {
    struct counters_turns turns;
    struct counters_constant_caches caches[COUNTERS_TURNS_CACHES];
};

/* Does the kernel read constant memory? */
bool counters_constant_any(const struct isa_kernel *k);
/* Do launches with such constants have to tell in which order they are read? */
bool counters_constant_in_order(const struct gpu_addresses *a);

/* Reads of warps, of so many bytes a lane: their lines. */
void counters_constant_read(struct counters_constant *site, const struct counted_lanes *lanes,
                            uint32_t bytes);
/* The same read, in its order. list: of all sites. */
void counters_constant_note(struct counters_constant_group *g, struct counters_constant *list,
                            const struct observe_event *e);
/* The group has ended. */
void counters_constant_group_end(struct counters_constant_group *g, struct counters_constant *list);
void counters_constant_merge(struct counters_constant *into, const struct counters_constant *from);
/* The launch has ended: hits and misses of the sites, of which nothing is kept. */
void counters_constant_end(struct counters_constant *list, uint32_t nsites,
                           const struct model *model, const struct observe_grid *grid,
                           struct gpu_counters *sites);

#endif
