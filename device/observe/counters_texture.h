/* The texture cache (guide 3.1.2.4): which lines a warp's read of an image needs, and whether they
 * are there; counters_turns.h says in which order warps read. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_TEXTURE_H
#define SIMTCL_COUNTERS_TEXTURE_H

#include "device/gpu/counters.h"
#include "device/gpu/model.h"
#include "device/gpu/setcache.h"
#include "counters_lines.h"
#include "counters_turns.h"
#include "observer.h"

/* What the warps of a group have read. Begins as zeros. */
struct counters_texture {
    bool known; /* where an image lies, and which */
    uint32_t image;
    struct counters_tiles tiles;
    struct counters_turns turns;
    struct setcache caches[COUNTERS_TURNS_CACHES];
};

/* Of an image whose first texel is there; a buffer is not tiled. */
struct counters_tiles counters_tiles_of(const struct texture *t, uint32_t first);
/* Does the kernel read images? */
bool counters_texture_any(const struct isa_kernel *k);
/* The texels that a read takes whose image and sampler are those of lane `first`. Returns the
 * image; NULL: there is none. */
const struct texture *counters_texture_footprint(const struct observe_event *e, unsigned first,
                                                 struct footprint *f);
/* A warp's read: sites has the counters of each site. */
void counters_texture_read(struct counters_texture *t, const struct model *model,
                           const struct observe_event *e, struct gpu_counters *sites);
/* The same of many. */
void counters_texture_reads(struct counters_texture *t, const struct model *model,
                            const struct observe_reads *reads, struct gpu_counters *sites);
/* The group has ended. */
void counters_texture_end(struct counters_texture *t, const struct model *model,
                          struct gpu_counters *sites);

#endif
