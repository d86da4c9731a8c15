#include "counters_texture.h"

#include "device/gpu/address.h"
#include "device/gpu/setcache.h"
#include "device/gpu/tiling.h"
#include "device/texture/texture.h"

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

/* Whose caches, and where hits are counted. */
struct texture_reader {
    struct setcache *caches;
    enum setcache_kind kind;
    struct gpu_counters *sites;
};

static void empty(void *user, unsigned cache) {
    const struct texture_reader *r = user;
    setcache_init(&r->caches[cache], r->kind);
}

static void look_up(void *user, unsigned cache, uint32_t site, const uint32_t *lines,
                    unsigned count) {
    const struct texture_reader *r = user;
    uint64_t *v = r->sites[site].value;
    unsigned hits = setcache_hits(&r->caches[cache], lines, count);
    v[GPU_COUNTER_tex_cache_hit] += hits;
    v[GPU_COUNTER_tex_cache_miss] += count - hits;
}

static struct texture_reader reader_of(struct counters_texture *t, const struct model *model,
                                       struct gpu_counters *sites) {
    return (struct texture_reader){t->caches, setcache_texture(model->cc_minor), sites};
}

void counters_texture_end(struct counters_texture *t, const struct model *model,
                          struct gpu_counters *sites) {
    struct texture_reader r = reader_of(t, model, sites);
    const struct counters_turns_reader to = {empty, look_up, &r};
    counters_turns_end(&t->turns, &to);
}

/* ---- reading ---- */

/* What is compiled for a level. */
#define LEVEL(level)                                                                               \
    { footprint_find_##level, counters_lines_##level, counters_row_##level, counters_alike_##level }
static const struct {
    footprint_find_fn *find;
    counters_lines_fn *lines;
    counters_row_fn *row;
    counters_alike_fn *alike;
} levels[] = {[OBSERVE_BASELINE] = LEVEL(baseline),
              [OBSERVE_AVX2] = LEVEL(avx2),
              [OBSERVE_AVX512] = LEVEL(avx512)};
#undef LEVEL

const struct texture *counters_texture_footprint(const struct observe_event *e, unsigned first,
                                                 struct footprint *f) {
    const struct observe_grid *grid = e->grid;
    uint32_t image = e->operands[0][first];
    if (image >= grid->ntextures || grid->textures[image].dim != e->inst->mod) return NULL;
    const struct texture *texture = &grid->textures[image];
    bool real = e->inst->type2 == ISA_F32, linear = e->inst->type == ISA_F32;
    const void *const at[3] = {e->operands[2], e->operands[3], e->operands[4]};
    levels[grid->level].find(texture, e->operands[1][first], at, real, linear, f);
    return texture;
}

/* The lines of lanes that read one image with one sampler. */
static void find_lines(struct counters_texture *t, const struct observe_event *e, uint32_t lanes,
                       uint32_t bytes, struct counters_lines *lines) {
    const struct observe_grid *grid = e->grid;
    unsigned first = (unsigned)__builtin_ctz(lanes);
    uint32_t image = e->operands[0][first];
    const struct texture *texture = &grid->textures[image];
    const struct counters_tiles *tiles = find_tiles(t, grid, image);
    const uint32_t size[2] = {texture->width, texture->height};
    struct footprint f;
    if (e->inst->type2 != ISA_F32 && texture->dim == ISA_DIM_2D &&
        levels[grid->level].row(tiles, size, e->operands[2], e->operands[3], lanes, bytes, lines))
        return;
    counters_texture_footprint(e, first, &f);
    levels[grid->level].lines(tiles, &f, lanes, bytes, lines);
}

void counters_texture_read(struct counters_texture *t, const struct model *model,
                           const struct observe_event *e, struct gpu_counters *sites) {
    const struct observe_grid *grid = e->grid;
    struct texture_reader r = reader_of(t, model, sites);
    const struct counters_turns_reader to = {empty, look_up, &r};
    uint32_t bytes = setcache_geometry[r.kind].line;
    if (!e->operands[0] || !e->operands[1]) return;
    for (uint32_t left = e->mask, same; left; left &= ~same) {
        uint32_t image = e->operands[0][__builtin_ctz(left)];
        struct counters_lines lines;
        same = levels[grid->level].alike(e->operands[0], e->operands[1], left);
        if (image >= grid->ntextures || grid->textures[image].dim != e->inst->mod) continue;
        find_lines(t, e, same, bytes, &lines);
        sites[e->site].value[GPU_COUNTER_tex_texels] += lines.texels;
        for (unsigned half = 0; half < 2; half++)
            counters_turns_note(&t->turns, &to, e->warp, e->site, lines.line[half],
                                lines.count[half]);
    }
}
