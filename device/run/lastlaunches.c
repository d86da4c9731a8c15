#include "lastlaunches.h"

#include <string.h>

#include "device/analysis/isolation.h"

bool lastlaunches_is(const struct last_launch *last, const struct affine_launch *l,
                     uint32_t bytes) {
    const struct affine_launch *was = &last->launch;
    return last->known && !memcmp(was->groups, l->groups, sizeof l->groups) &&
           !memcmp(was->local_size, l->local_size, sizeof l->local_size) &&
           !memcmp(was->offset, l->offset, sizeof l->offset) &&
           was->local_bytes == l->local_bytes && !memcmp(last->params, l->params, bytes);
}

void lastlaunches_note(struct last_launch *last, const struct affine_launch *l, uint32_t bytes) {
    last->known = true;
    last->launch = *l;
    memcpy(last->params, l->params, bytes);
}

bool lastlaunches_apart(struct last_launches *all, const struct isa_kernel *k,
                        const struct affine_launch *l, double insts) {
    enum { WORTH = 1 << 16 };
    uint32_t bytes = k->param_bytes;
    unsigned n = 0;
    bool thorough = insts >= WORTH;
    if (bytes > LASTLAUNCHES_PARAMS ||
        atomic_flag_test_and_set_explicit(&all->busy, memory_order_acquire))
        return isolation_holds(k, l, thorough);
    while (n < LASTLAUNCHES && !lastlaunches_is(&all->of[n], l, bytes)) n++;
    bool known = n < LASTLAUNCHES;
    if (!known) {
        n = all->next;
        all->next = (n + 1) % LASTLAUNCHES;
        lastlaunches_note(&all->of[n], l, bytes);
    }
    if (!known || (!all->apart[n] && !all->thorough[n])) {
        all->thorough[n] = known || thorough;
        all->apart[n] = isolation_holds(k, l, all->thorough[n]);
    }
    bool apart = all->apart[n];
    atomic_flag_clear_explicit(&all->busy, memory_order_release);
    return apart;
}
