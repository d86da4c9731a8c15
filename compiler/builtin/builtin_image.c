/* Image functions (6.11.13 of 1.1, 6.12.14 of 1.2). */
#include "builtin.h"

#include <string.h>

/* Coordinates are as many as the kind of image has; what a longer vector holds behind them is
 * ignored. a: type of the components, b: flags. Without a sampler: nearest, coordinates neither
 * scaled nor clamped (6.12.14.3 of 1.2). */
void builtin_image_read(struct builtin_call *c) {
    struct lower *l = c->l;
    bool sampler = c->e->nargs == 3;
    const struct value *at = &c->args[sampler ? 2 : 1];
    uint32_t n = isa_image_coordinates[c->bind.dim];
    isa_operand src[5] = {c->args[0].c[0]};
    src[1] = sampler ? c->args[1].c[0] : lower_const(l, ISA_I32, ISA_SAMPLER_NEAREST);
    for (uint32_t i = 0; i < n; i++) src[2 + i] = at->c[i];
    struct isa_inst *i = lower_emit(l, ISA_img_read, (enum isa_type)c->b->a,
                                    lower_type(lower_element(at->type)), 4, NULL, 2 + n, src);
    i->mod = (uint8_t)c->bind.dim;
    i->flags = (uint8_t)c->b->b;
    lower_site(l, i, ISA_SITE_image_read);
    memcpy(c->result.c, isa_dsts(l->k, i), 4 * sizeof *c->result.c);
}

void builtin_image_write(struct builtin_call *c) {
    uint32_t n = isa_image_coordinates[c->bind.dim];
    isa_operand src[8] = {c->args[0].c[0]};
    for (uint32_t i = 0; i < n; i++) src[1 + i] = c->args[1].c[i];
    for (uint32_t i = 0; i < 4; i++) src[1 + n + i] = c->args[2].c[i];
    struct isa_inst *i =
        lower_emit(c->l, ISA_img_write, (enum isa_type)c->b->a, ISA_I32, 0, NULL, 5 + n, src);
    i->mod = (uint8_t)c->bind.dim;
    i->flags = (uint8_t)c->b->b;
    lower_site(c->l, i, ISA_SITE_image_write);
}

static isa_operand info(struct builtin_call *c, int what) {
    struct isa_inst *i =
        lower_emit(c->l, ISA_img_info, ISA_I32, ISA_NONE_T, 1, NULL, 1, c->args[0].c);
    i->mod = (uint8_t)c->bind.dim;
    i->imm = what;
    return isa_dsts(c->l->k, i)[0];
}

void builtin_image_info(struct builtin_call *c) { c->result.c[0] = info(c, c->b->a); }

/* Width, height; of a 3D image depth and 0. */
void builtin_image_dim(struct builtin_call *c) {
    c->result.c[0] = info(c, ISA_IMAGE_WIDTH);
    c->result.c[1] = info(c, ISA_IMAGE_HEIGHT);
    if (c->result.n == 4) {
        c->result.c[2] = info(c, ISA_IMAGE_DEPTH);
        c->result.c[3] = lower_const(c->l, ISA_I32, 0);
    }
}
