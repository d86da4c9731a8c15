/* Images: writes have to lie in them, and reads by samplers that do not say what lies around them.
 */
#include "texel_check.h"

#include <string.h>

#include "device/texture/texture.h"
#include "finding.h"

/* How far an image reaches along each coordinate that has to be inside; a layer that is read is
 * brought inside by the device (specification 8.2). */
static unsigned reach(const struct texture *t, bool write, uint32_t size[3]) {
    unsigned count = t->dim == ISA_DIM_3D ? 3 : t->dim >= ISA_DIM_2D ? 2 : 1;
    size[0] = t->width;
    size[1] = t->height;
    size[2] = t->depth;
    if (write && t->array_size) size[count++] = t->array_size;
    return count;
}

/* The coordinate rounded down; false: no integer holds it. */
static bool texel_of(uint32_t bits, bool real, int64_t *at) {
    float f;
    memcpy(&f, &bits, sizeof f);
    *at = (int32_t)bits;
    if (!real) return true;
    *at = INT32_MIN;
    if (!(f >= -2147483648.0f && f < 2147483648.0f)) return false;
    *at = (int64_t)f;
    *at -= f < (float)*at;
    return true;
}

/* Whether lane l's coordinates, which become at[], lie outside of the image. */
static bool is_outside(const struct observe_event *e, unsigned l, int64_t at[3]) {
    bool write = e->inst->op == ISA_img_write, out = false;
    uint32_t sampler = write ? 0 : e->operands[1][l], image = e->operands[0][l], size[3];
    if (image >= e->grid->ntextures || sampler & ISA_SAMPLER_NORMALIZED ||
        (sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK) != ISA_ADDRESS_NONE)
        return false;
    unsigned count = reach(&e->grid->textures[image], write, size);
    for (unsigned d = 0; d < count; d++) {
        const uint32_t *lanes = e->operands[(write ? 1 : 2) + d];
        if (!lanes) return false;
        out |=
            !texel_of(lanes[l], e->inst->type2 == ISA_F32, &at[d]) || at[d] < 0 || at[d] >= size[d];
    }
    return out;
}

static void say_object(const struct observe_event *e, unsigned lane, char *text, size_t size) {
    const struct isa_kernel *k = e->kernel;
    for (uint32_t n = 0; n < k->nparams; n++) {
        uint32_t index;
        if (k->params[n].kind != ISA_PARAM_IMAGE) continue;
        memcpy(&index, (const char *)e->grid->params + k->params[n].offset, sizeof index);
        if (index == e->operands[0][lane])
            snprintf(text, size, "%s, argument `%s`", e->grid->check->params[n].name,
                     k->params[n].name);
    }
}

static void say_place(const struct observe_event *e, unsigned lane, const int64_t at[3], char *text,
                      size_t size) {
    bool write = e->inst->op == ISA_img_write;
    uint32_t sizes[3];
    unsigned count = reach(&e->grid->textures[e->operands[0][lane]], write, sizes);
    size_t used = 0;
    for (unsigned d = 0; d < count; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? ", " : "coordinates (",
                                 (long long)at[d]);
    for (unsigned d = 0; d < count; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%u", d ? " x " : ") of ",
                                 (unsigned)sizes[d]);
    if (!write)
        snprintf(text + used, size - used, " texels, by a sampler without an addressing mode");
    else
        snprintf(text + used, size - used, " texels");
}

/* What of a read its sampler has no mode for; NULL: nothing (specification 6.12.14.2, 8.2). */
static const char *unsuited(const struct observe_event *e, unsigned l) {
    if (e->inst->op == ISA_img_write || !e->operands[1]) return NULL;
    uint32_t sampler = e->operands[1][l];
    unsigned address = sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK;
    bool normalized = sampler & ISA_SAMPLER_NORMALIZED;
    bool linear = sampler & ISA_SAMPLER_LINEAR;
    if (!normalized && (address == ISA_ADDRESS_REPEAT || address == ISA_ADDRESS_MIRRORED_REPEAT))
        return "repeating asks for normalised coordinates";
    if (e->inst->type2 != ISA_F32 && normalized)
        return "integer coordinates ask for a sampler that does not normalise them";
    if (e->inst->type2 != ISA_F32 && linear) return "integer coordinates ask for the nearest texel";
    if (e->inst->type != ISA_F32 && linear) return "texels of integers are not filtered";
    return NULL;
}

/* Have all lanes that are on the value that the first of them has? */
static bool is_one(const uint32_t lanes[ISA_WARP], uint32_t mask) {
    uint32_t first = lanes[__builtin_ctz(mask)], differs = 0;
    for (unsigned l = 0; l < ISA_WARP; l++) differs |= (uint32_t)(lanes[l] != first) << l;
    return !(differs & mask);
}

/* Do all lanes lie in one image, by coordinates that are integers? */
static bool are_inside(const struct observe_event *e) {
    bool write = e->inst->op == ISA_img_write;
    uint32_t image = e->operands[0][__builtin_ctz(e->mask)], size[3], out = 0;
    if (e->inst->type2 == ISA_F32 || image >= e->grid->ntextures ||
        !is_one(e->operands[0], e->mask))
        return false;
    unsigned count = reach(&e->grid->textures[image], write, size);
    for (unsigned d = 0; d < count; d++) {
        const uint32_t *lanes = e->operands[(write ? 1 : 2) + d];
        if (!lanes) return false;
        for (unsigned l = 0; l < ISA_WARP; l++) out |= (uint32_t)(lanes[l] >= size[d]) << l;
    }
    return !(out & e->mask);
}

/* Is it clear at a glance that all is well? */
static bool is_safe(const struct observe_event *e) {
    const uint32_t *samplers = e->operands[1];
    if (e->inst->op == ISA_img_write) return are_inside(e);
    unsigned first = (unsigned)__builtin_ctz(e->mask);
    if (!samplers || !is_one(samplers, e->mask) || unsuited(e, first)) return false;
    bool mode = samplers[first] & ISA_SAMPLER_NORMALIZED ||
                (samplers[first] >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK) !=
                    ISA_ADDRESS_NONE;
    return mode || are_inside(e);
}

static void tell_unsuited(const struct observe_event *e) {
    struct check_finding f = {.rule = CHECK_sampler_mode,
                              .severity = check_rules[CHECK_sampler_mode].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .again = e->again};
    for (uint32_t mask = f.launch ? e->mask : 0; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        const char *why = unsuited(e, lane);
        if (!why || f.count++) continue;
        f.party.site = e->site + 1;
        f.party.item_known = true;
        f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp, lane);
        snprintf(f.party.subject, sizeof f.party.subject, "image read");
        say_object(e, lane, f.object, sizeof f.object);
        snprintf(f.detail, sizeof f.detail, "%s", why);
    }
    if (f.count) check_tell(&f);
}

static void look(const struct observe_event *e) {
    struct check_finding f = {.rule = CHECK_image_outside,
                              .severity = check_rules[CHECK_image_outside].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .again = e->again};
    tell_unsuited(e);
    for (uint32_t mask = e->grid->check ? e->mask : 0; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        int64_t at[3];
        if (!is_outside(e, lane, at) || f.count++) continue;
        f.party.site = e->site + 1;
        f.party.item_known = true;
        f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp, lane);
        snprintf(f.party.subject, sizeof f.party.subject, "image %s",
                 e->inst->op == ISA_img_write ? "write" : "read");
        say_object(e, lane, f.object, sizeof f.object);
        say_place(e, lane, at, f.detail, sizeof f.detail);
    }
    if (f.count) check_tell(&f);
}

static void event(void *accumulator, const struct observe_event *e) {
    (void)accumulator;
    if (!is_safe(e)) look(e);
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return site->kind == ISA_SITE_image_read || site->kind == ISA_SITE_image_write ? OBSERVE_ADDRESS
                                                                                   : 0;
}

const struct observer texel_check = {.name = "image", .wants = wants, .event = event};
