#include "worst_read.h"

#include <string.h>

#include "counters_texture.h"
#include "device/gpu/setcache.h"
#include "device/gpu/tiling.h"
#include "device/texture/footprint.h"

static unsigned many(unsigned count) { return count ? count : 1; }

unsigned worst_read_texels(const struct worst_read *r, unsigned lane,
                           uint32_t texels[WORST_TEXELS][3]) {
    unsigned n = 0;
    for (unsigned c = 0; c < WORST_TEXELS; c++) {
        unsigned place[3] = {c & 1, c >> 1 & 1, c >> 2};
        bool there = r->mask >> lane & 1;
        for (unsigned d = 0; d < 3 && there; d++)
            there = place[d] < many(r->count[d]) && !(r->outside[d][place[d]] >> lane & 1);
        if (!there) continue;
        for (unsigned d = 0; d < 3; d++) texels[n][d] = r->place[d][place[d]][lane];
        n++;
    }
    return n;
}

/* The line that texel (x, y, z) is in. */
static struct worst_line line_of(const struct worst_read *r, const struct tiling *t, uint32_t bytes,
                                 const uint32_t texel[3]) {
    uint32_t row = r->linear || bytes < TILING_TILE_WIDTH ? bytes : (uint32_t)TILING_TILE_WIDTH;
    uint32_t size = r->texel_bytes, byte = texel[0] * size, high = bytes / row;
    uint32_t at = r->linear ? byte : tiling_offset(t, texel[0], texel[1], texel[2], size);
    return (struct worst_line){.address = at & ~(bytes - 1),
                               .x = (byte & ~(row - 1)) / size,
                               .y = texel[1] & ~(high - 1),
                               .z = texel[2],
                               .wide = row / size,
                               .high = high};
}

unsigned worst_read_lines(const struct worst_read *r, const struct model *m,
                          struct worst_line lines[WORST_LINES]) {
    uint32_t bytes = setcache_geometry[setcache_texture(m->cc_minor)].line;
    uint32_t texels[WORST_TEXELS][3];
    struct tiling tiling;
    unsigned count = 0;
    tiling_init(&tiling, r->width * r->texel_bytes, r->height ? r->height : 1);
    for (unsigned lane = 0; lane < WORST_LANES; lane++) {
        unsigned of = worst_read_texels(r, lane, texels);
        for (unsigned n = 0, i; n < of; n++) {
            struct worst_line line = line_of(r, &tiling, bytes, texels[n]);
            for (i = 0; i < count && lines[i].address != line.address; i++) {
            }
            if (i == count) lines[count++] = line;
            lines[i].lanes |= (uint16_t)(1u << lane);
        }
    }
    return count;
}

/* Lanes that read no other image, and with no other sampler, than the first. */
static uint32_t alike(const struct observe_event *e, uint32_t lanes) {
    unsigned first = (unsigned)__builtin_ctz(lanes);
    uint32_t same = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        if (e->operands[0][l] == e->operands[0][first] &&
            e->operands[1][l] == e->operands[1][first])
            same |= 1u << l;
    }
    return same;
}

static uint32_t hash_of(const struct observe_event *e, unsigned lane) {
    uint64_t hash = 0;
    for (unsigned d = 2; d < OBSERVE_OPERANDS; d++)
        hash = (hash + (e->operands[d] ? e->operands[d][lane] : 0)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 40);
}

/* The half-warp that begins at lane `from`, of a read with one image. */
static struct worst_read read_of(const struct footprint *f, const struct texture *t, uint32_t lanes,
                                 unsigned from) {
    struct worst_read r = {.mask = lanes >> from & ((1u << WORST_LANES) - 1),
                           .width = t->width,
                           .height = t->height,
                           .texel_bytes = t->texel_bytes,
                           .linear = t->dim == ISA_DIM_1D_BUFFER};
    for (unsigned d = 0; d < 3; d++) {
        r.count[d] = (uint8_t)f->count[d];
        for (unsigned p = 0; p < f->count[d]; p++)
            for (uint32_t left = r.mask; left; left &= left - 1) {
                unsigned l = (unsigned)__builtin_ctz(left);
                bool outside = f->border[d] && f->axes[d].outside[p][from + l];
                if (outside) r.outside[d][p] |= (uint16_t)(1u << l);
                r.place[d][p][l] = outside ? 0 : f->axes[d].offset[p][from + l];
            }
    }
    return r;
}

/* Is r kept in place of another one? */
static bool is_worse(const struct worst_read *r, const struct worst_read *kept) {
    if (!r->mask || !kept->mask) return r->mask;
    if (r->cost != kept->cost) return r->cost > kept->cost;
    if (r->hash != kept->hash) return r->hash < kept->hash;
    if (r->mask != kept->mask) return r->mask < kept->mask;
    return memcmp(r->place, kept->place, sizeof r->place) < 0;
}

void worst_read_take(struct worst_read *kept, const struct worst_read *r) {
    if (is_worse(r, kept)) *kept = *r;
}

void worst_read_add(struct worst_read *kept, const struct observe_event *e,
                    bool skipped(const struct observe_grid *grid, uint32_t hash)) {
    const struct model *m = model_or_default(e->grid->model);
    struct worst_line lines[WORST_LINES];
    struct footprint f;
    if (!e->operands[0] || !e->operands[1]) return;
    for (uint32_t left = e->mask, same; left; left &= ~same) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint32_t hash = hash_of(e, first);
        bool cheap = skipped(e->grid, hash);
        same = alike(e, left);
        if (cheap && kept->mask && (kept->cost || hash > kept->hash)) continue;
        const struct texture *t = counters_texture_footprint(e, first, &f);
        if (!t) continue;
        for (unsigned from = 0; from < ISA_WARP; from += WORST_LANES) {
            struct worst_read r = read_of(&f, t, same, from);
            r.hash = hash;
            if (!cheap) r.cost = worst_read_lines(&r, m, lines);
            worst_read_take(kept, &r);
        }
    }
}
