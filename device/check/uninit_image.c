#include "uninit_image.h"

#include <stdio.h>
#include <string.h>

#include "device/sandbox/memory.h"
#include "device/texture/footprint.h"
#include "finding.h"
#include "uninit.h"

/* Of images with layers in place of rows, or slices, those come where the coordinates say. */
static uint32_t address_of(const struct texture *t, uint32_t x, uint32_t y, uint32_t z) {
    return t->address + x * t->texel_bytes + y * t->row_pitch + z * t->slice_pitch;
}

static char *shadow(const struct observe_event *e, uint32_t address) {
    return memory_shadow_at(memory_base(e->grid->check->memory), address);
}

/* ---- writes ---- */

static void write(const struct observe_event *e, unsigned lane) {
    uint32_t image = e->operands[0][lane], at[3] = {0, 0, 0};
    const struct texture *t = image < e->grid->ntextures ? &e->grid->textures[image] : NULL;
    if (!t || t->dim != e->inst->mod) return;
    unsigned count = isa_image_coordinates[t->dim];
    for (unsigned d = 0; d < count; d++) {
        unsigned to = t->dim == ISA_DIM_1D_ARRAY && d ? 2 : d;
        if (!e->operands[1 + d]) return;
        at[to] = e->operands[1 + d][lane];
    }
    uint32_t layers = t->array_size ? t->array_size : t->depth;
    if (at[0] >= t->width || at[1] >= t->height || at[2] >= layers) return;
    memset(shadow(e, address_of(t, at[0], at[1], at[2])), 0, t->texel_bytes);
}

/* ---- reads ---- */

/* A texel that the lane takes and that is not set; those of weight 0 do not count. */
static bool find_unset(const struct observe_event *e, const struct texture *t,
                       const struct footprint *f, bool linear, unsigned lane, uint32_t at[3]) {
    unsigned most[3];
    for (unsigned d = 0; d < 3; d++) most[d] = f->count[d] ? f->count[d] : 1;
    for (unsigned n = 0; n < most[0] * most[1] * most[2]; n++) {
        unsigned place[3] = {n % most[0], n / most[0] % most[1], n / most[0] / most[1]};
        bool counts = true;
        for (unsigned d = 0; d < 3; d++) {
            const struct texels_axis *a = &f->axes[d];
            at[d] = f->count[d] ? a->offset[place[d]][lane] : 0;
            if (f->border[d] && a->outside[place[d]][lane]) counts = false;
            if (linear && f->count[d] == 2 && a->weight[place[d]][lane] == 0) counts = false;
        }
        const char *s = counts ? shadow(e, address_of(t, at[0], at[1], at[2])) : NULL;
        for (unsigned b = 0; s && b < t->texel_bytes; b++)
            if (s[b]) return true;
    }
    return false;
}

static void say(const struct observe_event *e, unsigned lane, const uint32_t at[3],
                uint64_t count) {
    struct check_finding f = {.rule = CHECK_unset_texel,
                              .severity = check_rules[CHECK_unset_texel].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .again = e->again,
                              .count = count};
    const struct isa_kernel *k = e->kernel;
    f.party.site = e->site + 1;
    f.party.item_known = true;
    f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp, lane);
    snprintf(f.party.subject, sizeof f.party.subject, "image read");
    snprintf(f.detail, sizeof f.detail, "texel (%u, %u, %u)", (unsigned)at[0], (unsigned)at[1],
             (unsigned)at[2]);
    for (uint32_t n = 0; n < k->nparams; n++) {
        uint32_t index;
        if (k->params[n].kind != ISA_PARAM_IMAGE) continue;
        memcpy(&index, (const char *)e->grid->params + k->params[n].offset, sizeof index);
        if (index == e->operands[0][lane])
            snprintf(f.object, sizeof f.object, "%s, argument `%s`", f.launch->params[n].name,
                     k->params[n].name);
    }
    check_tell(&f);
}

/* Lanes of one image and sampler. */
static void read(const struct observe_event *e, uint32_t lanes) {
    static footprint_find_fn *const find[] = {[OBSERVE_BASELINE] = footprint_find_baseline,
                                              [OBSERVE_AVX2] = footprint_find_avx2,
                                              [OBSERVE_AVX512] = footprint_find_avx512};
    unsigned first = (unsigned)__builtin_ctz(lanes), teller = 0;
    uint32_t image = e->operands[0][first], sampler = e->operands[1][first], at[3],
             told[3] = {0, 0, 0};
    const struct texture *t = image < e->grid->ntextures ? &e->grid->textures[image] : NULL;
    bool real = e->inst->type2 == ISA_F32, linear = e->inst->type == ISA_F32;
    const void *const coordinates[3] = {e->operands[2], e->operands[3], e->operands[4]};
    struct footprint f;
    uint64_t count = 0;
    if (!t || t->dim != e->inst->mod) return;
    find[e->grid->level](t, sampler, coordinates, real, linear, &f);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!find_unset(e, t, &f, linear, lane, at) || count++) continue;
        teller = lane;
        memcpy(told, at, sizeof told);
    }
    if (count) say(e, teller, told, count);
}

bool uninit_image_is_set(struct memory *m, const struct texture *t) {
    uint32_t layers = t->array_size ? t->array_size : t->depth;
    uint64_t bytes = (uint64_t)t->slice_pitch * layers, rows = (uint64_t)t->row_pitch * t->height;
    return uninit_is_set(m, t->address, bytes < rows ? rows : bytes);
}

/* Is the image set as a whole? Looked at once: nothing takes that away while a launch runs. */
static bool is_whole(struct uninit_images *images, const struct observe_event *e, uint32_t image) {
    if (image >= e->grid->ntextures || image >= UNINIT_IMAGES) return false;
    if (images->known[image]) return images->known[image] == 1;
    bool whole = uninit_image_is_set(e->grid->check->memory, &e->grid->textures[image]);
    images->known[image] = whole ? 1 : 2;
    return whole;
}

static bool all_whole(struct uninit_images *images, const struct observe_event *e) {
    uint32_t first = e->operands[0][__builtin_ctz(e->mask)], differs = 0;
    for (unsigned l = 0; l < ISA_WARP; l++) differs |= (uint32_t)(e->operands[0][l] != first) << l;
    return !(differs & e->mask) && is_whole(images, e, first);
}

void uninit_image(struct uninit_images *images, const struct observe_event *e) {
    if (!e->operands[0] || !memory_shadowed(e->grid->check->memory)) return;
    if (all_whole(images, e)) return;
    for (uint32_t left = e->mask, same; left; left &= ~same) {
        unsigned first = (unsigned)__builtin_ctz(left);
        same = 1u << first;
        if (e->inst->op == ISA_img_write) {
            write(e, first);
            continue;
        }
        if (!e->operands[1]) return;
        for (unsigned l = first; l < ISA_WARP; l++)
            same |= (uint32_t)(e->operands[0][l] == e->operands[0][first] &&
                               e->operands[1][l] == e->operands[1][first])
                    << l;
        read(e, same & left);
    }
}
