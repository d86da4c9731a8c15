/* Marks what a launch accesses of global memory, where the runtime wants to know
 * (struct check_launch.touched). */
#include "touch_check.h"

#include "finding.h"
#include "touched.h"

static unsigned wants(const struct isa_kernel *k, const struct isa_site *s) {
    (void)k;
    return s->kind <= ISA_SITE_atomic && (s->space == ISA_GLOBAL || s->space == ISA_CONSTANT)
               ? OBSERVE_ADDRESS
               : 0;
}

static bool idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    (void)k;
    return !grid->check || !grid->check->touched;
}

static void event(void *accumulator, const struct observe_event *e) {
    const struct isa_site *s = &e->kernel->sites[e->site];
    enum touch how = s->kind == ISA_SITE_load    ? TOUCH_LOAD
                     : s->kind == ISA_SITE_store ? TOUCH_STORE
                                                 : TOUCH_ATOMIC;
    (void)accumulator;
    struct touched *t = e->grid->check ? e->grid->check->touched : NULL;
    if (!t) return;
    if (e->mask == UINT32_MAX && e->strided && e->stride >= 0 && (uint32_t)e->stride == e->bytes) {
        touched_mark(t, e->sandbox[0], e->bytes * ISA_WARP, how);
        return;
    }
    for (uint32_t left = e->mask; left; left &= left - 1)
        touched_mark(t, e->sandbox[__builtin_ctz(left)], e->bytes, how);
}

const struct observer touch_check = {
    .name = "touched", .wants = wants, .idle = idle, .event = event};
