/* Images: writes have to lie in them, and reads by samplers that do not say what lies around them.
 * The test is in the engines' copy of a kernel, before the access; those that fail it are told. */
#include "texel_check.h"

#include <string.h>

#include "device/observe/tells.h"
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
static const char *unsuited(const struct isa_inst *i, uint32_t sampler) {
    unsigned address = sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK;
    bool normalized = sampler & ISA_SAMPLER_NORMALIZED;
    bool linear = sampler & ISA_SAMPLER_LINEAR;
    if (!normalized && (address == ISA_ADDRESS_REPEAT || address == ISA_ADDRESS_MIRRORED_REPEAT))
        return "repeating asks for normalised coordinates";
    if (i->type2 != ISA_F32 && normalized)
        return "integer coordinates ask for a sampler that does not normalise them";
    if (i->type2 != ISA_F32 && linear) return "integer coordinates ask for the nearest texel";
    if (i->type != ISA_F32 && linear) return "texels of integers are not filtered";
    return NULL;
}

static void tell_unsuited(const struct observe_event *e) {
    struct check_finding f = {.rule = CHECK_sampler_mode,
                              .severity = check_rules[CHECK_sampler_mode].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .again = e->again};
    bool reads = f.launch && e->inst->op != ISA_img_write;
    for (uint32_t mask = reads ? e->mask : 0; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        const char *why = unsuited(e->inst, e->operands[1][lane]);
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
    if (e->own && e->grid->check) look(e);
}

/* ---- the code that tells ---- */

static isa_operand constant(struct tells *x, uint32_t bits) {
    return isa_const_new(x->k, ISA_I32, bits);
}
static isa_operand compared(struct tells *x, enum isa_op op, enum isa_type t, isa_operand a,
                            isa_operand b) {
    return isa_emit1(x->k, op, ISA_PRED, t, a, b, ISA_NO_OPERAND);
}
static isa_operand joined(struct tells *x, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(x->k, op, ISA_PRED, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}
static isa_operand negated(struct tells *x, isa_operand p) {
    return isa_emit1(x->k, ISA_not, ISA_PRED, ISA_NONE_T, p, ISA_NO_OPERAND, ISA_NO_OPERAND);
}

/* Which of img_info's answers a coordinate has to be less than; false: it need not be. */
static bool bound_of(const struct isa_inst *i, unsigned coordinate, uint32_t *info) {
    static const uint32_t sizes[] = {ISA_IMAGE_WIDTH, ISA_IMAGE_HEIGHT, ISA_IMAGE_DEPTH};
    bool array = i->mod == ISA_DIM_1D_ARRAY || i->mod == ISA_DIM_2D_ARRAY;
    bool layer = array && coordinate + 1u == isa_image_coordinates[i->mod];
    *info = layer ? ISA_IMAGE_ARRAY_SIZE : sizes[coordinate];
    return !layer || i->op == ISA_img_write;
}

/* Does the coordinate lie in the image? What is between -1 and 0 does not, nor does a NaN. */
static isa_operand inside(struct tells *x, const struct isa_inst *i, isa_operand image,
                          isa_operand at, uint32_t info) {
    isa_operand size =
        isa_emit1(x->k, ISA_img_info, ISA_I32, ISA_NONE_T, image, ISA_NO_OPERAND, ISA_NO_OPERAND);
    x->k->insts[x->k->ninsts - 1].imm = (int32_t)info;
    if (i->type2 != ISA_F32) return compared(x, ISA_lt_u, ISA_I32, at, size);
    isa_operand real =
        isa_emit1(x->k, ISA_u2f, ISA_F32, ISA_I32, size, ISA_NO_OPERAND, ISA_NO_OPERAND);
    return joined(x, ISA_and, compared(x, ISA_fle, ISA_F32, isa_const_new(x->k, ISA_F32, 0), at),
                  compared(x, ISA_flt, ISA_F32, at, real));
}

static isa_operand outside(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    const isa_operand *at = src + (i->op == ISA_img_write ? 1 : 2);
    isa_operand in = ISA_NO_OPERAND;
    for (unsigned d = 0; d < isa_image_coordinates[i->mod]; d++) {
        uint32_t info;
        if (!bound_of(i, d, &info)) continue;
        isa_operand one = inside(x, i, src[0], at[d], info);
        in = d ? joined(x, ISA_and, in, one) : one;
    }
    return negated(x, in);
}

/* Are those bits of the sampler so? */
static isa_operand has(struct tells *x, isa_operand sampler, uint32_t bits, uint32_t value) {
    isa_operand some =
        isa_emit1(x->k, ISA_and, ISA_I32, ISA_NONE_T, sampler, constant(x, bits), ISA_NO_OPERAND);
    return compared(x, ISA_eq, ISA_I32, some, constant(x, value));
}

enum { ADDRESS = ISA_SAMPLER_ADDRESS_MASK << ISA_SAMPLER_ADDRESS_SHIFT };

/* A sampler that is known while the kernel runs: has it no mode, or does it not suit the read? What
 * is outside counts where it has none. */
static isa_operand wrong(struct tells *x, const struct isa_inst *i, isa_operand sampler,
                         isa_operand out) {
    isa_operand p = joined(x, ISA_and, out, has(x, sampler, ADDRESS | ISA_SAMPLER_NORMALIZED, 0));
    static const uint32_t modes[] = {ISA_ADDRESS_REPEAT, ISA_ADDRESS_MIRRORED_REPEAT};
    for (unsigned n = 0; n < 2; n++)
        p = joined(x, ISA_or, p,
                   has(x, sampler, ADDRESS | ISA_SAMPLER_NORMALIZED,
                       modes[n] << ISA_SAMPLER_ADDRESS_SHIFT));
    bool integers = i->type2 != ISA_F32;
    uint32_t never = (integers ? ISA_SAMPLER_NORMALIZED : 0) |
                     (integers || i->type != ISA_F32 ? ISA_SAMPLER_LINEAR : 0);
    return never ? joined(x, ISA_or, p, negated(x, has(x, sampler, never, 0))) : p;
}

static bool is_of_image(const struct isa_kernel *k, const struct isa_inst *i, const void *user) {
    (void)k;
    (void)user;
    return i->op == ISA_img_read || i->op == ISA_img_write;
}

static void test(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    uint32_t count = isa_image_coordinates[i->mod] + (i->op == ISA_img_write ? 1u : 2u);
    isa_operand sampler = src[1];
    if (i->op == ISA_img_write) {
        tells_if_all(x, 0, outside(x, i, src), src, count);
    } else if (!isa_is_const(sampler)) {
        tells_if_all(x, 0, wrong(x, i, sampler, outside(x, i, src)), src, count);
    } else {
        uint32_t bits = (uint32_t)x->k->consts[isa_const_index(sampler)].bits;
        if (unsuited(i, bits))
            tells_if_all(x, 0, isa_const_new(x->k, ISA_PRED, 1), src, count);
        else if (!(bits & (ADDRESS | ISA_SAMPLER_NORMALIZED)))
            tells_if_all(x, 0, outside(x, i, src), src, count);
    }
}

static bool instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added) {
    static const struct tells_tests tests = {.wanted = is_of_image, .test = test};
    return tells_instrument(&tests, k, copy, first, added);
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    (void)site;
    return 0;
}

const struct observer texel_check = {
    .name = "image", .wants = wants, .instrument = instrument, .event = event};
