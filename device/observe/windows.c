#include "windows.h"

#include "device/gpu/model.h"
#include "device/gpu/occupancy.h"

void windows_find(struct window_plan *w, const struct observe_set *set,
                  const struct observe_grid *grid) {
    bool asked = false;
    struct gpu_occupancy o;
    *w = (struct window_plan){0};
    for (unsigned n = 0; n < set->count; n++) asked |= set->list[n]->window != NULL;
    if (!asked || !set->model || set->every > 1) return;
    gpu_occupancy_find(set->model, &grid->resources, grid->items, &o);
    w->groups = (uint64_t)o.groups * set->model->multiprocessors;
    if (!w->groups) return;
    uint64_t all = (uint64_t)grid->groups[0] * grid->groups[1] * grid->groups[2];
    w->count = (all + w->groups - 1) / w->groups;
    w->seen = w->count < OBSERVE_WINDOWS ? (uint32_t)w->count : OBSERVE_WINDOWS;
}

/* Which window of its share of the launch is looked at. */
static uint64_t chosen(const struct window_plan *w, unsigned share) {
    uint64_t first = share * w->count / w->seen, next = (share + 1) * w->count / w->seen;
    return first + (share * UINT64_C(2654435761) >> 16) % (next - first);
}

unsigned windows_of(const struct window_plan *w, uint64_t group) {
    if (!w->groups) return OBSERVE_WINDOWS;
    uint64_t window = group / w->groups;
    unsigned share = (unsigned)(window * w->seen / w->count);
    while (share + 1 < w->seen && (share + 1) * w->count / w->seen <= window) share++;
    return chosen(w, share) == window ? share : OBSERVE_WINDOWS;
}
