#include "texel_walk.h"

#include "device/texture/footprint.h"

/* Of images with layers in place of rows, or slices, those come where the coordinates say. */
static uint32_t address_of(const struct texture *t, const uint32_t at[3]) {
    return t->address + at[0] * t->texel_bytes + at[1] * t->row_pitch + at[2] * t->slice_pitch;
}

uint32_t texel_walk_alike(const struct observe_event *e, uint32_t left) {
    unsigned first = (unsigned)__builtin_ctz(left);
    uint32_t same = 0;
    for (unsigned l = first; l < ISA_WARP; l++) {
        bool image = e->operands[0][l] == e->operands[0][first];
        bool sampler = e->inst->op == ISA_img_write || !e->operands[1] ||
                       e->operands[1][l] == e->operands[1][first];
        same |= (uint32_t)(image && sampler) << l;
    }
    return same & left;
}

/* ---- writes ---- */

static void write(const struct observe_event *e, const struct texture *t, unsigned lane,
                  texel_walk_fn *take, void *user) {
    uint32_t at[3] = {0, 0, 0}, layers = t->array_size ? t->array_size : t->depth;
    for (unsigned d = 0; d < isa_image_coordinates[t->dim]; d++) {
        unsigned to = t->dim == ISA_DIM_1D_ARRAY && d ? 2 : d;
        if (!e->operands[1 + d]) return;
        at[to] = e->operands[1 + d][lane];
    }
    if (at[0] >= t->width || at[1] >= t->height || at[2] >= layers) return;
    take(user, t, lane, at, address_of(t, at));
}

/* ---- reads ---- */

static void read(const struct texture *t, const struct footprint *f, bool linear, unsigned lane,
                 texel_walk_fn *take, void *user) {
    unsigned most[3];
    for (unsigned d = 0; d < 3; d++) most[d] = f->count[d] ? f->count[d] : 1;
    for (unsigned n = 0; n < most[0] * most[1] * most[2]; n++) {
        unsigned place[3] = {n % most[0], n / most[0] % most[1], n / most[0] / most[1]};
        uint32_t at[3];
        bool counts = true;
        for (unsigned d = 0; d < 3; d++) {
            const struct texels_axis *a = &f->axes[d];
            at[d] = f->count[d] ? a->offset[place[d]][lane] : 0;
            if (f->border[d] && a->outside[place[d]][lane]) counts = false;
            if (linear && f->count[d] == 2 && a->weight[place[d]][lane] == 0) counts = false;
        }
        if (counts && !take(user, t, lane, at, address_of(t, at))) return;
    }
}

void texel_walk(const struct observe_event *e, uint32_t lanes, texel_walk_fn *take, void *user) {
    static footprint_find_fn *const find[] = {[OBSERVE_BASELINE] = footprint_find_baseline,
                                              [OBSERVE_AVX2] = footprint_find_avx2,
                                              [OBSERVE_AVX512] = footprint_find_avx512};
    unsigned first = (unsigned)__builtin_ctz(lanes);
    uint32_t image = e->operands[0][first];
    const struct texture *t = image < e->grid->ntextures ? &e->grid->textures[image] : NULL;
    if (!t || t->dim != e->inst->mod) return;
    if (e->inst->op == ISA_img_write) {
        for (uint32_t left = lanes; left; left &= left - 1)
            write(e, t, (unsigned)__builtin_ctz(left), take, user);
        return;
    }
    if (!e->operands[1]) return;
    bool real = e->inst->type2 == ISA_F32, linear = e->inst->type == ISA_F32;
    const void *const coordinates[3] = {e->operands[2], e->operands[3], e->operands[4]};
    struct footprint f;
    find[e->grid->level](t, e->operands[1][first], coordinates, real, linear, &f);
    for (uint32_t left = lanes; left; left &= left - 1)
        read(t, &f, linear, (unsigned)__builtin_ctz(left), take, user);
}
