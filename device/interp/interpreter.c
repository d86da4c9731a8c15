/* The interpreter: decoded kernels, and the warps of a group one after the other. */
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "device/engine.h"
#include "level.h"

static void *prepare(const struct isa_module *module, const struct isa_kernel *kernel) {
    (void)module;
    const struct level *level = level_get();
    return decode_kernel(kernel, level->lanes, level->math);
}

static void discard(void *code) { decode_free(code); }

/* ---- groups ---- */

/* What lies at the beginning of a thread's scratch memory while a group runs; the warps' frames
 * follow. */
struct interpreter_run {
    struct warp *current;
} __attribute__((aligned(128)));

static void start(struct warp *w, struct group *g, const struct decoded *code, uint32_t index) {
    uint32_t left = g->items - index * ISA_WARP;
    w->mask = w->live = left < ISA_WARP ? (1u << left) - 1 : ~0u;
    w->index = index;
    w->state = WARP_RUNS;
    w->iterations = LANES_ITERATIONS;
    w->resume = code->ops;
    w->memory_op = NULL;
    w->lists = code->lists;
    w->group = g;
    w->base = g->base;
    w->own = g->base + (int32_t)g->private_base + (size_t)index * g->frame_bytes * ISA_WARP;
    if (code->uses_ids) level_get()->lanes->ids(w, g->launch->local_size);
    memcpy((char *)w + code->consts_at, code->consts, code->nconsts * sizeof *code->consts);
    memset((char *)w + code->zero_begin, 0, code->zero_end - code->zero_begin);
}

static void run_warp(struct interpreter_run *r, struct group *g, struct warp *w) {
    r->current = w;
    g->iterations = &w->iterations;
    g->warp = w->index;
    w->state = WARP_RUNS;
    for (const struct lanes_op *op = w->resume; op;) op = op->run(op, w);
}

/* The launch has run for too long, and the warp is at the end of a loop's iteration. */
static _Noreturn void stop(struct group *g, const struct warp *w) {
    g->inst = w->paused->inst;
    g->mask = w->mask;
    group_fault(g, FAULT_TIMEOUT, __builtin_ctz(w->mask), 0);
}

/* All warps that have not finished wait: lets them go on, from one and the same barrier. False: all
 * finished. */
static bool pass_barrier(struct group *g, char *frames, uint32_t frame_bytes) {
    const struct lanes_op *at = NULL;
    for (uint32_t n = 0; n < g->warps; n++) {
        struct warp *w = (struct warp *)(frames + (size_t)n * frame_bytes);
        if (w->state != WARP_AT_BARRIER) continue;
        if (at && w->resume != at) {
            g->inst = w->resume[-1].inst;
            g->warp = n;
            g->mask = w->mask;
            group_fault(g, FAULT_BARRIER, __builtin_ctz(w->mask), 0);
        }
        at = w->resume;
        w->state = WARP_RUNS;
    }
    return at != NULL;
}

static void run(struct group *g) {
    const struct decoded *code = g->code;
    size_t bytes = sizeof(struct interpreter_run) + 64 + (size_t)g->warps * code->frame_bytes;
    char *scratch = group_scratch(g, bytes);
    if (!scratch) group_fault(g, FAULT_RESOURCES, -1, 0);
    scratch += -(uintptr_t)scratch % 128;
    struct interpreter_run *r = (struct interpreter_run *)scratch;
    char *frames = scratch + sizeof *r;
    for (uint32_t n = 0; n < g->warps; n++)
        start((struct warp *)(frames + (size_t)n * code->frame_bytes), g, code, n);
    do {
        bool paused;
        do {
            paused = false;
            for (uint32_t n = 0; n < g->warps; n++) {
                struct warp *w = (struct warp *)(frames + (size_t)n * code->frame_bytes);
                if (w->state != WARP_RUNS && w->state != WARP_PAUSED) continue;
                run_warp(r, g, w);
                if (w->state != WARP_PAUSED) continue;
                if (group_overdue(g)) stop(g, w);
                paused = true;
            }
        } while (paused);
    } while (pass_barrier(g, frames, code->frame_bytes));
}

/* ---- faults ---- */

/* Looks which active lane of the warp was at `address`: exactly, or on its page, as the host
 * reports one access of many lanes no better. */
static int blame(struct group *g, uint32_t address) {
    enum { PAGE = 4096 };
    if (!*g->scratch) return -1;
    char *scratch = *g->scratch;
    scratch += -(uintptr_t)scratch % 128;
    const struct warp *w = ((const struct interpreter_run *)scratch)->current;
    const struct lanes_op *op = w->memory_op;
    if (!op) return -1;
    g->inst = op->inst;
    g->warp = w->index;
    g->mask = w->mask;
    if (!(isa_op_info[op->inst->op].flags & ISA_OP_MEMORY)) return -1;
    bool atomic = isa_op_info[op->inst->op].flags & ISA_OP_ATOMIC;
    uint32_t base = (uint32_t)op->imm, shift = 0, spread = !atomic && op->c == 1 ? 0 : 1;
    if (!atomic && op->c > 1) { /* made of a uniform part and a varying one */
        base += *(const uint32_t *)((const char *)w + op->c);
        shift = op->extra;
    }
    const uint32_t *at = (const uint32_t *)((const char *)w + op->a);
    uint32_t bytes = isa_type_size[op->inst->type] * (uint32_t)op->inst->count;
    int near = -1;
    for (int i = 0; i < ISA_WARP; i++) {
        if (!(w->mask >> i & 1)) continue;
        uint32_t a = (at[spread * (uint32_t)i] << shift) + base;
        if (address - a < bytes) return i;
        uint32_t page = address / PAGE;
        if (near < 0 && (a / PAGE == page || (a + bytes - 1) / PAGE == page)) near = i;
    }
    return near;
}

const struct engine interpreter = {
    .name = "interpreter", .prepare = prepare, .discard = discard, .run = run, .blame = blame};
