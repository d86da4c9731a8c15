#include <string.h>

#include "observe.h"

bool observe_set_equal(const struct observe_set *a, const struct observe_set *b) {
    static const struct observe_set nobody;
    if (!a) a = &nobody;
    if (!b) b = &nobody;
    return a->count == b->count && (!a->count || a->model == b->model) &&
           a->in_order == b->in_order && !memcmp(a->list, b->list, a->count * sizeof *a->list);
}

struct observe_set observe_set_for(const struct observe_set *set, const struct isa_kernel *k,
                                   const struct observe_grid *grid) {
    struct observe_set own = set ? *set : (struct observe_set){.count = 0};
    unsigned left = 0;
    for (unsigned n = 0; n < own.count; n++) {
        const struct observer *o = own.list[n];
        own.in_order |= o->in_order && o->in_order(grid->addresses);
        if (!o->idle || !o->idle(k, grid)) own.list[left++] = o;
    }
    for (unsigned n = left; n < own.count; n++) own.list[n] = NULL;
    own.count = left;
    return own;
}

void observe_unsettled(const struct observe_launch *l, struct observe_set *set) {
    unsigned left = 0;
    for (unsigned n = 0; n < set->count; n++)
        if (!observe_settled(l, set->list[n])) set->list[left++] = set->list[n];
    set->count = left;
}
