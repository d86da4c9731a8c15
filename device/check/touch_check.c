/* Marks what a launch accesses of global memory and images, where the runtime wants to know
 * (struct check_launch.touched). */
#include "touch_check.h"

#include "finding.h"
#include "texel_walk.h"
#include "touched.h"

static bool is_of_image(const struct isa_site *s) {
    return s->kind == ISA_SITE_image_read || s->kind == ISA_SITE_image_write;
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *s) {
    (void)k;
    bool memory =
        s->kind <= ISA_SITE_atomic && (s->space == ISA_GLOBAL || s->space == ISA_CONSTANT);
    return memory || is_of_image(s) ? OBSERVE_ADDRESS : 0;
}

static bool idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    (void)k;
    return !grid->check || !grid->check->touched;
}

struct texel_marks {
    struct touched *marks;
    enum touch how;
};

static bool mark_texel(void *user, const struct texture *t, unsigned lane, const uint32_t at[3],
                       uint32_t address) {
    const struct texel_marks *m = user;
    (void)lane, (void)at;
    touched_mark(m->marks, address, t->texel_bytes, m->how);
    return true;
}

static void mark_image(struct touched *t, const struct observe_event *e) {
    struct texel_marks m = {t, e->inst->op == ISA_img_write ? TOUCH_STORE : TOUCH_LOAD};
    for (uint32_t left = e->operands[0] ? e->mask : 0, same; left; left &= ~same) {
        same = texel_walk_alike(e, left);
        texel_walk(e, same, mark_texel, &m);
    }
}

static void mark(struct touched *t, const struct observe_event *e) {
    const struct isa_site *s = &e->kernel->sites[e->site];
    enum touch how = s->kind == ISA_SITE_load    ? TOUCH_LOAD
                     : s->kind == ISA_SITE_store ? TOUCH_STORE
                                                 : TOUCH_ATOMIC;
    if (e->mask == UINT32_MAX && e->strided && e->stride >= 0 && (uint32_t)e->stride == e->bytes) {
        touched_mark(t, e->sandbox[0], e->bytes * ISA_WARP, how);
        return;
    }
    for (uint32_t left = e->mask; left; left &= left - 1)
        touched_mark(t, e->sandbox[__builtin_ctz(left)], e->bytes, how);
}

static void event(void *accumulator, const struct observe_event *e) {
    (void)accumulator;
    struct touched *t = e->grid->check ? e->grid->check->touched : NULL;
    if (!t) return;
    if (is_of_image(&e->kernel->sites[e->site]))
        mark_image(t, e);
    else
        mark(t, e);
}

const struct observer touch_check = {
    .name = "touched", .sandbox = true, .wants = wants, .idle = idle, .event = event};
