/* The texture cache (guide 3.1.2.4): which lines a warp's read of an image needs, and whether they
 * are there. Private to device/observe.
 *
 * Groups run on any thread, and warps of a group in an order that the engine chooses. So that hits
 * and misses are the same whatever it is, each group begins with an empty cache, as if it were
 * alone on its cluster; what its warps read is noted, and looked up when the group ends: one read
 * of each warp in turn. A warp that reads more than there is room for has what was noted looked up
 * by itself, again from an empty cache. */
#ifndef SIMTCL_COUNTERS_TEXTURE_H
#define SIMTCL_COUNTERS_TEXTURE_H

#include "device/gpu/counters.h"
#include "device/gpu/model.h"
#include "counters_lines.h"
#include "observer.h"

enum { COUNTERS_TEXTURE_WARPS = 32, COUNTERS_TEXTURE_WORDS = 2048 };

/* What the warps of a group have read. Begins as zeros. */
struct counters_texture {
    bool known; /* where an image lies, and which */
    uint32_t image;
    struct counters_tiles tiles;
    uint32_t used[COUNTERS_TEXTURE_WARPS];
    uint32_t words[COUNTERS_TEXTURE_WARPS]
                  [COUNTERS_TEXTURE_WORDS]; /* site and number, then lines */
};

/* Of an image whose first texel is there; a buffer is not tiled. */
struct counters_tiles counters_tiles_of(const struct texture *t, uint32_t first);
/* Does the kernel read images? */
bool counters_texture_any(const struct isa_kernel *k);
/* A warp's read: sites has the counters of each site. */
void counters_texture_read(struct counters_texture *t, const struct model *model,
                           const struct observe_event *e, struct gpu_counters *sites);
/* The group has ended. */
void counters_texture_end(struct counters_texture *t, const struct model *model,
                          struct gpu_counters *sites);

#endif
