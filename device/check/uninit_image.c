#include "uninit_image.h"

#include <stdio.h>
#include <string.h>

#include "device/sandbox/memory.h"
#include "finding.h"
#include "texel_walk.h"
#include "uninit.h"

static char *shadow(const struct observe_event *e, uint32_t address) {
    return memory_shadow_at(memory_base(e->grid->check->memory), address);
}

/* What a walk over texels finds. */
struct unset {
    const struct observe_event *e;
    uint64_t count; /* lanes that take a texel that is not set: the first, and its first */
    unsigned lane;
    uint32_t at[3];
};

static bool set_texel(void *user, const struct texture *t, unsigned lane, const uint32_t at[3],
                      uint32_t address) {
    (void)lane, (void)at;
    memset(shadow(((struct unset *)user)->e, address), 0, t->texel_bytes);
    return true;
}

static bool find_unset(void *user, const struct texture *t, unsigned lane, const uint32_t at[3],
                       uint32_t address) {
    struct unset *u = user;
    const char *s = shadow(u->e, address);
    bool set = true;
    for (unsigned b = 0; b < t->texel_bytes; b++) set &= !s[b];
    if (set || u->count++) return set;
    u->lane = lane;
    memcpy(u->at, at, sizeof u->at);
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
    texel_walk_fn *take = e->inst->op == ISA_img_write ? set_texel : find_unset;
    for (uint32_t left = e->mask, same; left; left &= ~same) {
        struct unset u = {.e = e};
        same = texel_walk_alike(e, left);
        texel_walk(e, same, take, &u);
        if (u.count) say(e, u.lane, u.at, u.count);
    }
}
