#include "counters_texture.h"

#include <string.h>

#include "device/gpu/address.h"
#include "device/gpu/setcache.h"
#include "device/gpu/tiling.h"
#include "device/texture/texture.h"

enum {
    COUNT_BITS = 8 /* of an entry's first word; the site is above them */
};

bool counters_texture_any(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nsites; n++)
        if (k->sites[n].kind == ISA_SITE_image_read) return true;
    return false;
}

/* ---- where images lie ---- */

struct counters_tiles counters_tiles_of(const struct texture *t, uint32_t first) {
    struct tiling tiling;
    bool linear = t->dim == ISA_DIM_1D_BUFFER;
    tiling_init(&tiling, t->width * t->texel_bytes, t->height ? t->height : 1);
    uint32_t column = tiling.height * TILING_TILE_BYTES;
    return (struct counters_tiles){.first = first,
                                   .texel_bytes = t->texel_bytes,
                                   .column_bytes = linear ? (uint32_t)TILING_TILE_WIDTH : column,
                                   .height_shift = (uint32_t)__builtin_ctz(tiling.height),
                                   .band_bytes = column * tiling.columns,
                                   .slice_bytes = tiling.slice_bytes};
}

static const struct counters_tiles *find_tiles(struct counters_texture *t,
                                               const struct observe_grid *grid, uint32_t image) {
    const struct gpu_addresses *device = grid->addresses;
    const struct texture *texture = &grid->textures[image];
    bool known = device && image < device->nimages;
    if (image == t->image && t->known) return &t->tiles;
    t->tiles = counters_tiles_of(texture, known ? device->images[image] : texture->address);
    t->image = image;
    t->known = true;
    return &t->tiles;
}

/* ---- looking up ---- */

static unsigned entry_count(uint32_t head) { return head & ((1u << COUNT_BITS) - 1); }

static void look_up(struct setcache *cache, const uint32_t *entry, struct gpu_counters *sites) {
    uint64_t *v = sites[*entry >> COUNT_BITS].value;
    for (unsigned n = 1; n <= entry_count(*entry); n++)
        v[setcache_lookup(cache, entry[n]) ? GPU_COUNTER_tex_cache_hit
                                           : GPU_COUNTER_tex_cache_miss]++;
}

/* All of one warp's. */
static void alone(struct counters_texture *t, uint32_t warp, const struct model *model,
                  struct gpu_counters *sites) {
    struct setcache cache;
    setcache_init(&cache, setcache_texture(model->cc_minor));
    for (uint32_t n = 0; n < t->used[warp]; n += 1 + entry_count(t->words[warp][n]))
        look_up(&cache, &t->words[warp][n], sites);
    t->used[warp] = 0;
}

void counters_texture_end(struct counters_texture *t, const struct model *model,
                          struct gpu_counters *sites) {
    uint32_t next[COUNTERS_TEXTURE_WARPS] = {0};
    struct setcache cache;
    setcache_init(&cache, setcache_texture(model->cc_minor));
    for (bool more = true; more;) {
        more = false;
        for (unsigned w = 0; w < COUNTERS_TEXTURE_WARPS; w++) {
            const uint32_t *entry = &t->words[w][next[w]];
            if (next[w] >= t->used[w]) continue;
            look_up(&cache, entry, sites);
            next[w] += 1 + entry_count(*entry);
            more = true;
        }
    }
    memset(t->used, 0, sizeof t->used);
}

/* ---- reading ---- */

static void note(struct counters_texture *t, uint32_t warp, uint32_t site, const uint32_t *lines,
                 unsigned count, const struct model *model, struct gpu_counters *sites) {
    if (!count) return;
    if (t->used[warp] + count + 1 > COUNTERS_TEXTURE_WORDS) alone(t, warp, model, sites);
    uint32_t *entry = &t->words[warp][t->used[warp]];
    entry[0] = site << COUNT_BITS | count;
    memcpy(entry + 1, lines, count * sizeof *lines);
    t->used[warp] += count + 1;
}

/* The lanes of `mask` whose image and sampler are those of its lowest one. */
static uint32_t alike(const struct observe_event *e, uint32_t mask) {
    const uint32_t *image = e->operands[0], *sampler = e->operands[1];
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint32_t same = 0;
    for (unsigned l = 0; l < ISA_WARP; l++)
        same |= (uint32_t)(image[l] == image[first] && sampler[l] == sampler[first]) << l;
    return same & mask;
}

void counters_texture_read(struct counters_texture *t, const struct model *model,
                           const struct observe_event *e, struct gpu_counters *sites) {
    static const struct {
        footprint_find_fn *find;
        counters_lines_fn *lines;
    } levels[] = {[OBSERVE_BASELINE] = {footprint_find_baseline, counters_lines_baseline},
                  [OBSERVE_AVX2] = {footprint_find_avx2, counters_lines_avx2},
                  [OBSERVE_AVX512] = {footprint_find_avx512, counters_lines_avx512}};
    const struct observe_grid *grid = e->grid;
    uint32_t bytes = setcache_geometry[setcache_texture(model->cc_minor)].line;
    bool real = e->inst->type2 == ISA_F32, linear = e->inst->type == ISA_F32;
    const void *const at[3] = {e->operands[2], e->operands[3], e->operands[4]};
    if (!e->operands[0] || !e->operands[1]) return;
    for (uint32_t left = e->mask, same; left; left &= ~same) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint32_t image = e->operands[0][first];
        struct footprint f;
        struct counters_lines lines;
        same = alike(e, left);
        if (image >= grid->ntextures || grid->textures[image].dim != e->inst->mod) continue;
        levels[grid->level].find(&grid->textures[image], e->operands[1][first], at, real, linear,
                                 &f);
        levels[grid->level].lines(find_tiles(t, grid, image), &f, same, bytes, &lines);
        sites[e->site].value[GPU_COUNTER_tex_texels] += lines.texels;
        for (unsigned half = 0; half < 2; half++)
            note(t, e->warp % COUNTERS_TEXTURE_WARPS, e->site, lines.line[half], lines.count[half],
                 model, sites);
    }
}
