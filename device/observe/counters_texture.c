#include "counters_texture.h"

#include <math.h>
#include <string.h>

#include "device/gpu/address.h"
#include "device/gpu/setcache.h"
#include "device/gpu/tiling.h"
#include "device/texture/texture.h"

enum {
    HALF = ISA_WARP / 2,
    MOST_LINES = HALF * 8, /* of a half-warp: 8 texels a lane, in 3 dimensions */
    COUNT_BITS = 8         /* of an entry's first word; the site is above them */
};

bool counters_texture_any(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nsites; n++)
        if (k->sites[n].kind == ISA_SITE_image_read) return true;
    return false;
}

/* ---- which texels ---- */

/* A read of one image by one lane. */
struct texture_read {
    const struct texture *texture;
    uint32_t sampler;
    bool real, linear;
};

static double coordinate(const struct texture_read *r, uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return r->real ? (double)f : (double)(int32_t)bits;
}

static int64_t whole(double x) {
    return x >= -1e9 && x <= 1e9 ? (int64_t)floor(x) : -1; /* NaNs too */
}

/* The texels along one axis, -1 where it is the border that is read. Returns how many: 1 or 2. */
static unsigned along(const struct texture_read *r, uint32_t bits, uint32_t size,
                      int64_t texel[2]) {
    unsigned mode = r->sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK;
    bool normalized = r->real && r->sampler & ISA_SAMPLER_NORMALIZED;
    bool repeat = normalized && mode == ISA_ADDRESS_REPEAT;
    bool mirror = normalized && mode == ISA_ADDRESS_MIRRORED_REPEAT;
    bool edge = mode == ISA_ADDRESS_CLAMP_TO_EDGE || mirror;
    double u = coordinate(r, bits);
    if (repeat) u -= floor(u);
    if (mirror) u = fabs(u - 2.0 * nearbyint(0.5 * u));
    if (normalized) u *= size;
    if (r->linear) u -= 0.5;
    texel[0] = whole(u);
    texel[1] = texel[0] + 1;
    for (unsigned n = 0; n < 2; n++) {
        int64_t last = (int64_t)size - 1;
        if (repeat) texel[n] = texel[n] < 0 ? last : texel[n] > last ? 0 : texel[n];
        if (texel[n] >= 0 && texel[n] <= last) continue;
        texel[n] = !edge ? -1 : texel[n] < 0 ? 0 : last;
    }
    return r->linear ? 2 : 1;
}

static uint32_t layer(const struct texture_read *r, uint32_t bits) {
    double at = coordinate(r, bits);
    if (r->real) at = nearbyint(at);
    if (!(at > 0)) return 0;
    return at >= r->texture->array_size ? r->texture->array_size - 1 : (uint32_t)at;
}

/* The bytes of the image that the lane's texels begin at. Returns how many. */
static unsigned texels_of(const struct texture_read *r, const uint32_t at[3], uint32_t bytes[8]) {
    const struct texture *t = r->texture;
    int64_t x[2], y[2] = {0, 0}, z[2] = {0, 0};
    unsigned nx = along(r, at[0], t->width, x), ny = 1, nz = 1, n = 0;
    bool flat = t->dim == ISA_DIM_2D || t->dim == ISA_DIM_2D_ARRAY || t->dim == ISA_DIM_3D;
    struct tiling tiling;
    if (flat) ny = along(r, at[1], t->height, y);
    if (t->dim == ISA_DIM_3D) nz = along(r, at[2], t->depth, z);
    if (t->dim == ISA_DIM_1D_ARRAY) z[0] = layer(r, at[1]);
    if (t->dim == ISA_DIM_2D_ARRAY) z[0] = layer(r, at[2]);
    tiling_init(&tiling, t->width * t->texel_bytes, t->height ? t->height : 1);
    for (unsigned c = 0; c < nx * ny * nz; c++) {
        int64_t tx = x[c % nx], ty = y[c / nx % ny], tz = z[c / nx / ny];
        if (tx < 0 || ty < 0 || tz < 0) continue;
        bytes[n++] =
            t->dim == ISA_DIM_1D_BUFFER
                ? (uint32_t)tx * t->texel_bytes
                : tiling_offset(&tiling, (uint32_t)tx, (uint32_t)ty, (uint32_t)tz, t->texel_bytes);
    }
    return n;
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

static unsigned add_line(uint32_t *lines, unsigned count, uint32_t line) {
    for (unsigned n = 0; n < count; n++)
        if (lines[n] == line) return count;
    lines[count] = line;
    return count + 1;
}

void counters_texture_read(struct counters_texture *t, const struct model *model,
                           const struct observe_event *e, struct gpu_counters *sites) {
    const struct observe_grid *grid = e->grid;
    const struct gpu_addresses *device = grid->addresses;
    uint32_t line = setcache_geometry[setcache_texture(model->cc_minor)].line;
    if (!e->operands[0] || !e->operands[1]) return;
    for (unsigned half = 0; half < 2; half++) {
        uint32_t lines[MOST_LINES];
        unsigned count = 0;
        for (unsigned l = half * HALF; l < (half + 1) * HALF; l++) {
            uint32_t image = e->operands[0][l], at[3] = {0}, bytes[8];
            if (!(e->mask >> l & 1) || image >= grid->ntextures) continue;
            for (unsigned c = 0; c < 3 && c + 2 < OBSERVE_OPERANDS && e->operands[c + 2]; c++)
                at[c] = e->operands[c + 2][l];
            struct texture_read r = {.texture = &grid->textures[image],
                                     .sampler = e->operands[1][l],
                                     .real = e->inst->type2 == ISA_F32};
            r.linear = r.real && e->inst->type == ISA_F32 && r.sampler & ISA_SAMPLER_LINEAR;
            uint32_t first =
                device && image < device->nimages ? device->images[image] : r.texture->address;
            unsigned n = texels_of(&r, at, bytes);
            sites[e->site].value[GPU_COUNTER_tex_texels] += n;
            for (unsigned b = 0; b < n; b++)
                count = add_line(lines, count, (first + bytes[b]) / line * line);
        }
        note(t, e->warp % COUNTERS_TEXTURE_WARPS, e->site, lines, count, model, sites);
    }
}
