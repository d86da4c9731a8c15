#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "device/analysis/tiles.h"
#include "device/debug/debug.h"
#include "device/host/moment.h"
#include "device/observe/observe.h"
#include "device/printf.h"
#include "device/sandbox/fault.h"
#include "device/sandbox/memory.h"
#include "launchstate.h"

enum {
    LOCAL_WINDOW = 16 << 10, /* what the GPUs have; also its alignment */
    PRIVATE_STEP = 64 << 10,
    REARM = 128 /* groups after which the fault handler is looked after again */
};

/* What a slot keeps from launch to launch. */
struct store {
    _Alignas(POOL_LINE) void *scratch;
    size_t scratch_bytes;
    void *params;
    size_t params_bytes;
};
static struct store stores[POOL_MAX_WORKERS];

/* ---- what a group needs, from its slot ---- */

/* The stores are in an order that leaves the slot usable in a child forked at any point. */
static bool store_grow(void **at, size_t *bytes, size_t need) {
    if (*bytes >= need) return true;
    size_t size = (need + need / 2 + 4095) & ~(size_t)4095;
    void *grown = size > need ? aligned_alloc(64, size) : NULL;
    if (!grown) return false;
    void *old = *at;
    __atomic_store_n(bytes, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(at, grown, __ATOMIC_SEQ_CST);
    free(old);
    __atomic_store_n(bytes, size, __ATOMIC_SEQ_CST);
    return true;
}

void *group_scratch(struct group *g, size_t bytes) {
    return store_grow(g->scratch, g->scratch_bytes, bytes) ? *g->scratch : NULL;
}

/* A region of the sandbox, behind a page that may be read where there is a `lead`: of what warps
 * load as rows, lanes that are off may lie before it, and processors take hundreds of clocks to
 * find out that it does not matter whether there is anything. */
static uint32_t region_new(struct memory *m, uint64_t size, uint32_t lead) {
    uint32_t at = memory_reserve(m, size + lead, LOCAL_WINDOW);
    if (at && lead && !memory_lead(m, at, lead)) {
        memory_release(m, at);
        return 0;
    }
    return at ? at + lead : 0;
}

/* The same for a region. */
static bool region_grow(struct memory *m, uint32_t *base, uint32_t *bytes, uint64_t need,
                        uint32_t step, uint32_t lead) {
    if (*bytes >= need) return true;
    uint64_t size = (need + step - 1) / step * step;
    uint32_t old = *base ? *base - lead : 0, grown = region_new(m, size, lead);
    if (!grown) { /* the old one may be what is in the way */
        __atomic_store_n(bytes, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(base, 0, __ATOMIC_SEQ_CST);
        memory_release(m, old);
        old = 0;
        grown = region_new(m, size, lead);
        if (!grown) return false;
    }
    __atomic_store_n(bytes, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(base, grown, __ATOMIC_SEQ_CST);
    memory_release(m, old);
    __atomic_store_n(bytes, (uint32_t)size, __ATOMIC_SEQ_CST);
    return true;
}

/* Local memory and private frames are not cleared for each group, but what another program's
 * kernels have left there is none of this one's business. */
static void take_over(struct group *g, struct memory_window *w, uint64_t frames) {
    uint64_t program = executable_serial(g->launch->executable);
    if (w->program != program) {
        uint32_t used = w->private_used < w->private_bytes ? w->private_used : w->private_bytes;
        if (w->local_bytes) memset(memory_at(g->base, w->local_base), 0, w->local_bytes);
        if (used) memset(memory_at(g->base, w->private_base), 0, used);
        w->private_used = 0;
        w->program = program;
    }
    if (frames > w->private_used) w->private_used = (uint32_t)frames;
}

/* The argument block as the groups in a place of this slot see it: local arguments become
 * addresses. */
static void set_params(struct group *g) {
    const struct launch *l = g->launch;
    g->params = l->params;
    if (!l->nlocal_args) return;
    char *params = g->own_params;
    memcpy(params, l->params, l->kernel->param_bytes);
    for (uint32_t i = 0; i < l->nlocal_args; i++) {
        uint32_t address;
        memcpy(&address, params + l->local_args[i], sizeof address);
        address += g->local_base;
        memcpy(params + l->local_args[i], &address, sizeof address);
    }
    g->params = params;
}

void group_place(struct group *g, uint32_t place) {
    const struct launch_state *s = g->launch->state;
    g->local_base = g->first_local + place * s->local_step;
    g->private_base = g->first_private + place * s->warps * ISA_WARP * s->frame_bytes;
    if (g->observe) observe_local(g->observe, g->local_base);
    set_params(g);
}

uint32_t groups_local_bytes(const struct launch *l) {
    return l->local_bytes > l->kernel->local_bytes ? l->local_bytes : l->kernel->local_bytes;
}

uint32_t groups_local_step(const struct launch *l) {
    return (groups_local_bytes(l) + LOCAL_WINDOW - 1) / LOCAL_WINDOW * LOCAL_WINDOW;
}

/* Bytes for the frames of a tile, or of a group, if that takes more. */
static uint64_t frames_of_tile(const struct launch_state *s, uint64_t frames) {
    const uint32_t *size = s->tiling.size;
    uint64_t warps = ((uint64_t)size[0] * size[1] * size[2] + ISA_WARP - 1) / ISA_WARP;
    uint64_t tile = warps * ISA_WARP * s->frame_bytes;
    return tile > frames ? tile : frames;
}

bool groups_prepare(struct group *g, struct launch *l, unsigned slot) {
    struct launch_state *s = l->state;
    struct store *store = &stores[slot];
    struct memory_window *w = memory_window(s->memory, slot);
    g->launch = l;
    g->kernel = executable_run_kernel(s->kernel);
    g->code = NULL;
    g->base = memory_base(s->memory);
    memset(g->group_id, 0, sizeof g->group_id);
    g->group_index = 0;
    g->begun = 0;
    g->tiling = s->tiling.size[0] ? &s->tiling : NULL;
    g->items = s->items;
    g->warps = s->warps;
    g->constant_base = executable_constants(l->executable);
    g->frame_bytes = s->frame_bytes;
    g->scratch = &store->scratch;
    g->scratch_bytes = &store->scratch_bytes;
    g->print = s->log ? print_log_buffer(s->log, slot) : NULL;
    g->observe = NULL;
    g->debug = s->debug;
    g->hooks = s->debug ? &debug_hooks : NULL;
    if (s->observed && !(g->observe = observe_launch_thread(s->observed, slot))) return false;
    g->inst = NULL;
    g->warp = g->mask = 0;
    g->iterations = NULL;
    g->native = NULL;
    g->native_bytes = 0;
    g->rerun_until = 0;
    uint64_t local = groups_local_bytes(l) + (uint64_t)(s->places - 1) * s->local_step;
    uint64_t frames = (uint64_t)s->places * s->warps * ISA_WARP * s->frame_bytes;
    if (s->tiling.size[0]) {
        uint64_t of_tile = tiles_local_bytes(&s->tiling, l->local_size);
        frames = frames_of_tile(s, frames);
        if (of_tile > local) local = of_tile;
    }
    if (!region_grow(s->memory, &w->local_base, &w->local_bytes, local, LOCAL_WINDOW,
                     LOCAL_WINDOW) ||
        !region_grow(s->memory, &w->private_base, &w->private_bytes, frames, PRIVATE_STEP, 0))
        return false;
    if (l->nlocal_args && !store_grow(&store->params, &store->params_bytes, l->kernel->param_bytes))
        return false;
    take_over(g, w, frames);
    g->own_params = store->params;
    g->places = s->places;
    g->first_local = w->local_base;
    g->first_private = w->private_base;
    group_place(g, 0);
    return true;
}

/* ---- running: what engines call, of group after group ---- */

bool group_overdue(const struct group *g) {
    return launch_overdue(g->launch) && (!g->rerun_until || moment_ns() >= g->rerun_until);
}

void group_begin(struct group *g) {
    if (g->observe) observe_group_begin(g->observe, g->group_id);
    if (g->debug) debug_group_begin(g);
}

void group_end(struct group *g) {
    if (g->observe) observe_group_end(g->observe);
}

bool group_goes_on(struct group *g) {
    const struct launch_state *s = g->launch->state;
    if (atomic_load_explicit(&s->stopped, memory_order_relaxed)) return false;
    if (++g->begun % REARM == 0) fault_arm_for(g->launch->asked, moment_ns());
    if (launch_overdue(g->launch)) group_fault(g, FAULT_TIMEOUT, -1, 0);
    return true;
}

bool group_seek(struct group *g, uint64_t index) {
    const uint32_t *groups = ((const struct launch_state *)g->launch->state)->groups;
    g->group_index = index;
    if (g->tiling) return tiles_group(g->tiling, groups, index, g->group_id);
    g->group_id[0] = (uint32_t)(index % groups[0]);
    g->group_id[1] = (uint32_t)(index / groups[0] % groups[1]);
    g->group_id[2] = (uint32_t)(index / groups[0] / groups[1]);
    return true;
}

bool group_next(struct group *g, uint64_t end) {
    const struct launch_state *s = g->launch->state;
    group_end(g);
    if (++g->group_index >= end || !group_goes_on(g)) return false;
    if (g->tiling) {
        while (!group_seek(g, g->group_index))
            if (++g->group_index >= end) return false;
        return true; /* nobody looks on */
    }
    for (int d = 0; d < 3 && ++g->group_id[d] == s->groups[d]; d++) g->group_id[d] = 0;
    group_begin(g);
    return true;
}

bool group_pass(struct group *g, uint64_t passed, uint64_t end) {
    g->group_index += passed;
    return group_next(g, end);
}
