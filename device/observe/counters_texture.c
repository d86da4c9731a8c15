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

/* The texels of a warp's lanes, which read one texture with one sampler. */
static void find_texels(const struct observe_grid *grid, const struct texture *texture,
                        uint32_t sampler, const struct isa_inst *inst, const void *const at[3],
                        struct footprint *f) {
    bool real = inst->type2 == ISA_F32, linear = inst->type == ISA_F32;
    levels[grid->level].find(texture, sampler, at, real, linear, f);
}

const struct texture *counters_texture_footprint(const struct observe_event *e, unsigned first,
                                                 struct footprint *f) {
    const struct observe_grid *grid = e->grid;
    uint32_t image = e->operands[0][first];
    if (image >= grid->ntextures || grid->textures[image].dim != e->inst->mod) return NULL;
    const struct texture *texture = &grid->textures[image];
    const void *const at[3] = {e->operands[2], e->operands[3], e->operands[4]};
    find_texels(grid, texture, e->operands[1][first], e->inst, at, f);
    return texture;
}

/* A warp's read of one image with one sampler. */
struct texture_read {
    uint32_t site, warp, mask, image, sampler;
    const struct isa_inst *inst;
    const void *at[3];
};

static void find_lines(struct counters_texture *t, const struct observe_grid *grid,
                       const struct texture_read *of, uint32_t bytes,
                       struct counters_lines *lines) {
    const struct texture *texture = &grid->textures[of->image];
    const struct counters_tiles *tiles = find_tiles(t, grid, of->image);
    const uint32_t size[2] = {texture->width, texture->height};
    struct footprint f;
    if (of->inst->type2 != ISA_F32 && texture->dim == ISA_DIM_2D &&
        levels[grid->level].row(tiles, size, of->at[0], of->at[1], of->mask, bytes, lines))
        return;
    find_texels(grid, texture, of->sampler, of->inst, of->at, &f);
    levels[grid->level].lines(tiles, &f, of->mask, bytes, lines);
}

static void add_read(struct counters_texture *t, const struct counters_turns_reader *to,
                     const struct observe_grid *grid, const struct texture_read *of) {
    const struct texture_reader *r = to->user;
    struct counters_lines lines;
    if (of->image >= grid->ntextures || grid->textures[of->image].dim != of->inst->mod) return;
    find_lines(t, grid, of, setcache_geometry[r->kind].line, &lines);
    r->sites[of->site].value[GPU_COUNTER_tex_texels] += lines.texels;
    for (unsigned half = 0; half < 2; half++)
        counters_turns_note(&t->turns, to, of->warp, of->site, lines.line[half], lines.count[half]);
}

void counters_texture_read(struct counters_texture *t, const struct model *model,
                           const struct observe_event *e, struct gpu_counters *sites) {
    struct texture_reader r = reader_of(t, model, sites);
    const struct counters_turns_reader to = {empty, look_up, &r};
    const uint32_t *const *o = e->operands;
    if (!o[0] || !o[1]) return;
    for (uint32_t left = e->mask, same; left; left &= ~same) {
        unsigned first = (unsigned)__builtin_ctz(left);
        same = levels[e->grid->level].alike(o[0], o[1], left);
        const struct texture_read of = {.site = e->site,
                                        .warp = e->warp,
                                        .mask = same,
                                        .image = o[0][first],
                                        .sampler = o[1][first],
                                        .inst = e->inst,
                                        .at = {o[2], o[3], o[4]}};
        add_read(t, &to, e->grid, &of);
    }
}

void counters_texture_reads(struct counters_texture *t, const struct model *model,
                            const struct observe_reads *reads, struct gpu_counters *sites) {
    struct texture_reader r = reader_of(t, model, sites);
    const struct counters_turns_reader to = {empty, look_up, &r};
    for (uint32_t n = 0; n < reads->count; n++) {
        const struct isa_read *one = &reads->of[n];
        const struct texture_read of = {.site = reads->sites[n],
                                        .warp = one->warp,
                                        .mask = one->mask,
                                        .image = one->image,
                                        .sampler = one->sampler,
                                        .inst = reads->insts[n],
                                        .at = {one->at[0], one->at[1], one->at[2]}};
        add_read(t, &to, reads->grid, &of);
    }
}
