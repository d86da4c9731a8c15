#include "variant.h"

#include <pthread.h>
#include <string.h>

#include "device/host/cpus.h"
#include "device/host/moment.h"
#include "device/interp/assist.h"
#include "device/interp/level.h"
#include "device/observe/observe.h"
#include "privatised.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static double least_streamed; /* bytes of a launch */

/* What half of the cache holds, beside what was read for it, may still be there when it is read.
 * Virtual machines say more than they have: no more is believed than twice the least. */
static void find_least(void) {
    double part = (double)cpus_cache() / 2, least = NATIVE_STREAM_BYTES;
    least_streamed = part < least ? least : part > 2 * least ? 2 * least : part;
}

static bool streams(const struct group *g) {
    const struct variant *v = g->code;
    const uint32_t *size = g->launch->global_size;
    pthread_once(&once, find_least);
    return (double)v->object.streamed * size[0] * size[1] * size[2] >= least_streamed;
}

static void fill(struct native_run *r, struct group *g) {
    const struct launch *l = g->launch;
    r->base = g->base;
    r->params = g->params;
    r->own = g->base + (int32_t)g->private_base;
    r->state = NULL;
    r->math = level_get()->math;
    r->assist = assist_run;
    r->image = assist_image;
    r->textures = l->textures;
    r->ntextures = l->ntextures;
    r->group = g;
    r->local_base = g->local_base;
    r->local_bytes = g->tiling && g->tiling->local_step
                         ? (uint32_t)tiles_local_bytes(g->tiling, l->local_size)
                         : l->local_bytes;
    r->constant_base = g->constant_base;
    r->frame_bytes = g->frame_bytes;
    r->items = g->items;
    for (unsigned d = 0; d < 3; d++) {
        unsigned own = tiles_turned(g->tiling ? g->tiling->along : 0, d);
        r->special[ISA_SPECIAL_local_size_x + own] = l->local_size[d];
        r->special[ISA_SPECIAL_global_size_x + own] = l->global_size[d];
        r->special[ISA_SPECIAL_num_groups_x + own] = l->global_size[d] / l->local_size[d];
        r->special[ISA_SPECIAL_global_offset_x + own] = l->offset[d];
    }
    r->special[ISA_SPECIAL_work_dim] = l->work_dim;
    r->privatised = (struct native_privatised){0};
    r->cached = streams(g) ? 0 : UINT32_MAX;
    r->passed = 0;
    r->counters = g->observe ? g->observe->counters : NULL;
    r->tell = assist_tell;
    r->notes = g->observe ? g->observe->notes : NULL;
    r->noted = assist_noted;
    r->guards = g->observe ? g->observe->guards : NULL;
    r->reads = g->observe ? g->observe->reads : NULL;
    r->read = assist_read;
    r->units[0] = 1;
    r->units[1] = -1;
    r->units[2] = 0;
    r->units[3] = -0.0f;
}

enum { RERUN_NS = 200000000 }; /* of a group that does not end, to find the loop it is in */

/* Native code leaves no trace of where it is. The launch has failed: the group runs once more, in
 * the interpreter, which knows. Returns the lane at fault, or -1; fault_kind is FAULT_NONE when all
 * went well. */
static int run_again(struct group *g) {
    const struct variant *v = g->code;
    sigjmp_buf outer;
    memcpy(&outer, &g->escape, sizeof outer);
    g->code = v->interpreted->data;
    g->print = NULL;
    g->fault_kind = FAULT_NONE;
    g->native = NULL;
    if (g->observe) g->observe->again = true;
    volatile int lane = -1;
    group_begin(g); /* observers see it from its beginning */
    if (sigsetjmp(g->escape, 0) == 0) {
        interpreter.run(g);
        g->inst = NULL;
    } else {
        lane = g->fault_lane;
        if (g->fault_kind == FAULT_ACCESS && lane < 0)
            lane = interpreter.blame(g, g->fault_address);
    }
    g->code = v;
    memcpy(&g->escape, &outer, sizeof outer);
    return lane;
}

/* The same of all groups of a block, until one of them is found to be the one. */
static int find_fault(struct group *g) {
    uint64_t first = g->group_index, count = g->tiling ? tiles_groups(g->tiling) : 1;
    int lane = -1;
    g->rerun_until = moment_ns() + RERUN_NS;
    if (!g->tiling) return run_again(g);
    g->fault_kind = FAULT_NONE;
    for (uint64_t n = 0; n < count && g->fault_kind == FAULT_NONE; n++)
        if (group_seek(g, first + n)) lane = run_again(g);
    if (g->fault_kind == FAULT_NONE) group_seek(g, first);
    return lane;
}

static int blame(struct group *g, uint32_t address) {
    int lane = find_fault(g);
    if (g->fault_kind == FAULT_NONE) g->fault_address = address;
    return lane;
}

/* Not all warps came to one barrier. */
static _Noreturn void fail_barrier(struct group *g) {
    int lane = find_fault(g);
    group_fault(g, g->fault_kind == FAULT_NONE ? FAULT_BARRIER : g->fault_kind, lane,
                g->fault_address);
}

enum { ENDED = NATIVE_LEAVES - 1 };

/* Bundle after bundle to its next barrier, until all have ended. False: the group leaves. */
static bool run_to_barriers(struct native_run *r, struct group *g, const struct variant *v,
                            uint32_t warps) {
    size_t states = (size_t)warps * v->object.state_bytes;
    char *scratch = group_scratch(g, states + warps * sizeof(uint32_t));
    if (!scratch) group_fault(g, FAULT_RESOURCES, -1, 0);
    uint32_t *points = (uint32_t *)(void *)(scratch + states), at = 0;
    memset(points, 0, warps * sizeof *points);
    r->state = scratch;
    do {
        at = ENDED;
        for (uint32_t w = 0; w < warps; w += v->object.bundle) {
            if (points[w] == ENDED) continue;
            uint32_t point = v->run(r, w, points[w]);
            if (point == NATIVE_LEAVES) return false;
            points[w] = point ? point : ENDED;
            if (!point) continue;
            if (at != ENDED && at != point) fail_barrier(g);
            at = point;
        }
    } while (at != ENDED);
    return true;
}

static void run_in(struct group *g, const struct elfobject *placed) {
    g->native_bytes = placed->bytes;
    g->native = placed->pages;
}

/* So many warps, of a tile or of the group. Short groups are all that some launches have: no call
 * more than there must be. False: the group leaves. */
__attribute__((always_inline)) static inline bool run_bundles(struct native_run *r, struct group *g,
                                                              const struct variant *v,
                                                              uint32_t warps) {
    if (v->object.state_bytes) return run_to_barriers(r, g, v, warps);
    for (uint32_t w = 0; w < warps; w += v->object.bundle)
        if (v->run(r, w, 0) == NATIVE_LEAVES) return false;
    return true;
}

static uint32_t warps_of(const uint32_t size[3]) {
    return (size[0] * size[1] * size[2] + ISA_WARP - 1) / ISA_WARP;
}

/* By general code. */
__attribute__((noinline)) static void run_apart(struct native_run *r, struct group *g,
                                                const struct variant *v) {
    struct native_run own = *r;
    privatised_tell(&own, g, v->general->object.alone);
    own.privatised = (struct native_privatised){0};
    run_in(g, &v->general->placed);
    run_bundles(&own, g, v->general, g->tiling ? warps_of(g->tiling->size) : g->warps);
    run_in(g, &v->placed);
    r->passed |= own.passed;
}

/* The tiles of the block that begins with the group. */
static void run_block(struct native_run *r, struct group *g, const struct variant *v) {
    const struct launch *l = g->launch;
    const struct tiles *t = g->tiling;
    uint32_t first[3], end[3], warps = warps_of(t->size);
    unsigned along = t->down, across = !along;
    tiles_of_block(t, l->global_size, l->local_size, g->group_id, first, end);
    tiles_turn(first, t->along);
    tiles_turn(end, t->along);
    uint32_t *id = &r->special[ISA_SPECIAL_group_id_x];
    for (id[2] = first[2]; id[2] < end[2]; id[2]++)
        for (uint32_t n = first[across]; n < end[across]; n++)
            for (uint32_t m = first[along]; m < end[along]; m++) {
                id[across] = n;
                id[along] = m;
                if (!run_bundles(r, g, v, warps)) run_apart(r, g, v); /* one of the launch's */
            }
}

static void run_groups(struct native_run *r, struct group *g, uint64_t end) {
    const struct variant *v = g->code;
    if (g->tiling) {
        do run_block(r, g, v);
        while (group_pass(g, tiles_groups(g->tiling) - 1, end));
        return;
    }
    do {
        for (unsigned d = 0; d < 3; d++) r->special[ISA_SPECIAL_group_id_x + d] = g->group_id[d];
        if (g->observe) { /* its own, if it is not looked at */
            r->counters = g->observe->counters;
            r->notes = g->observe->notes;
            r->reads = g->observe->reads;
        }
        if (!run_bundles(r, g, v, g->warps)) run_apart(r, g, v);
    } while (group_next(g, end));
}

static void run_privatised(struct native_run *r, struct group *g, uint64_t end) {
    const struct variant *v = g->code;
    struct privatised s;
    privatised_begin(&s, r, g, v->object.privatised_param - 1, end);
    run_groups(r, g, end);
    privatised_end(&s, g->base);
}

static void run_until(struct group *g, uint64_t end) {
    const struct variant *v = g->code;
    struct native_run r;
    fill(&r, g);
    privatised_tell(&r, g, v->object.alone);
    run_in(g, &v->placed);
    if (v->object.privatised_param)
        run_privatised(&r, g, end);
    else
        run_groups(&r, g, end);
#if defined __x86_64__
    if (!r.cached || r.passed) __builtin_ia32_sfence(); /* such stores wait for no other */
#endif
}

static void discard(void *code) { (void)code; }

const struct engine variant_engine = {
    .name = "native", .discard = discard, .run_until = run_until, .blame = blame};
