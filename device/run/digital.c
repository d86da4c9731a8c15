#include "digital.h"

#include "device/analysis/affine.h"
#include "device/debug/debug.h"
#include "device/engine.h"
#include "device/observe/observe.h"
#include "tier.h"

/* Is the launch worth the look? */
static bool is_worth(const struct launch *l) {
    enum { LEAST = 1 << 16 }; /* instructions of work-items */
    double insts = l->kernel->ninsts;
    for (unsigned d = 0; d < 3; d++) insts *= l->global_size[d];
    return insts >= LEAST;
}

const struct isa_kernel *digital_begin(struct launch *l) {
    const struct isa_kernel *was = l->kernel, *other;
    bool seen = (l->observers && l->observers->count) || debug_wanted(l->kernel->name);
    if (l->order != LAUNCH_ANY || seen || !tier_compiles() || !is_worth(l) ||
        trace_off(tier_trace(), "digits"))
        return was;
    struct affine_launch a = {.params = l->params, .local_bytes = l->local_bytes};
    for (unsigned d = 0; d < 3; d++) {
        if (!l->local_size[d]) return was;
        a.groups[d] = l->global_size[d] / l->local_size[d];
        a.local_size[d] = l->local_size[d];
        a.offset[d] = l->offset[d];
    }
    other = executable_digital(l->executable, was, &a);
    if (other) l->kernel = other;
    return was;
}

bool digital_never(const struct launch *l) {
    return !tier_compiles() || trace_off(tier_trace(), "digits") || !is_worth(l) ||
           !executable_has_digits(l->executable, l->kernel);
}

void digital_end(struct launch *l, const struct isa_kernel *was) {
    if (l->kernel == was) return;
    l->kernel = was;
    if (l->fault.kernel) l->fault.kernel = was->name;
}
