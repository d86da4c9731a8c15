#include "warps.h"

#include <string.h>

#include "level.h"

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

void warps_start(struct group *g, const struct decoded *code, char *frames) {
    for (uint32_t n = 0; n < g->warps; n++) start(warps_at(frames, code, n), g, code, n);
}

struct warps *warps_room(struct group *g, const struct decoded *code, uint64_t count) {
    char *scratch = group_scratch(g, sizeof(struct warps) + 128 + count * code->frame_bytes);
    if (!scratch) group_fault(g, FAULT_RESOURCES, -1, 0);
    return (struct warps *)(scratch + -(uintptr_t)scratch % 128);
}

void warps_run(struct warps *r, struct group *g, struct warp *w) {
    r->current = w;
    g->iterations = &w->iterations;
    g->warp = w->index;
    w->state = WARP_RUNS;
    for (const struct lanes_op *op = w->resume; op;) op = op->run(op, w);
}

_Noreturn void warps_stop(struct group *g, const struct warp *w) {
    g->inst = w->paused->inst;
    g->mask = w->mask;
    group_fault(g, FAULT_TIMEOUT, __builtin_ctz(w->mask), 0);
}

bool warps_pass_barrier(struct group *g, const struct decoded *code, char *frames) {
    const struct lanes_op *at = NULL;
    for (uint32_t n = 0; n < g->warps; n++) {
        struct warp *w = warps_at(frames, code, n);
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

/* Looks which active lane of the warp was at `address`: exactly, or on its page, as the host
 * reports one access of many lanes no better. */
int warps_blame(struct group *g, uint32_t address) {
    enum { PAGE = 4096 };
    if (!*g->scratch) return -1;
    char *scratch = *g->scratch;
    scratch += -(uintptr_t)scratch % 128;
    const struct warp *w = ((const struct warps *)scratch)->current;
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
