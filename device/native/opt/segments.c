/* Segments: instructions between barriers that hold more vectors, of all the warps in lockstep,
 * than there are registers, and work with them for long. They are passed by some warps, all
 * instructions of them, and then by the next ones; what the others hold lies in memory meanwhile.
 *
 * Registers that are one for the bundle are written by the first of them: so a segment ends before
 * one that it has used already changes. */
#include "device/costs/opcosts.h"
#include "device/native/opt/rewrites.h"

/* Clocks of all warps in the segment, so many of which pass it at once. */
static uint64_t cost_of(const struct plan *p, const struct opcosts_iteration *t, uint32_t warps) {
    uint32_t bundle = plan_bundle(p), moves = warps < bundle ? t->moved * bundle : 0;
    return opcosts_clocks(p->request->level, t, ISA_WARP * warps, bundle) + moves * OPCOSTS_CLOCK;
}

/* What comes from global memory is better asked for by all warps at once. */
static bool segment_of(const struct plan *p, uint32_t begin, uint32_t end,
                       struct opcosts_iteration *t) {
    const struct opcosts *c = opcosts_of(p->request->level);
    *t = (struct opcosts_iteration){.spilled = UINT64_MAX};
    for (uint32_t n = begin; n < end; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        if (i->op == ISA_ld && i->space == ISA_GLOBAL) return false;
        if (!plan_makes_vector(p, i)) continue;
        t->vectors += opcosts_operation(i).operations;
        t->results++;
    }
    t->alive = pressure_most(p, begin, end, 1);
    t->path = pressure_latencies(p, begin, end, c->integer).path;
    t->moved = (pressure_across(p, begin) + pressure_across(p, end)) * ISA_WARP / c->lanes / c->all;
    return t->results >= LIMIT_SEGMENT;
}

bool segments_plan(struct plan *p) {
    const struct isa_kernel *k = p->k;
    uint32_t *ends = p->segments.end = plan_of_instructions(p, sizeof *ends);
    uint8_t *used = plan_of_registers(p, 1),
            *warps = p->segments.warps = plan_of_instructions(p, 1);
    unsigned bundle = plan_bundle(p), wide = ISA_WARP / opcosts_of(p->request->level)->lanes;
    bool may = p->barriers && bundle > 1 && !plan_off(p, PLAN_segments);
    for (uint32_t n = 0, end; n < k->ninsts && may; n = end > n ? end : n + 1) {
        struct opcosts_iteration t;
        end = warpregions_straight_end(k, n, plan_get(p, shared)->of, plan_get(p, moved)->of, used);
        if (end <= n || !segment_of(p, n, end, &t)) continue;
        uint64_t whole = cost_of(p, &t, bundle), least = whole - whole / LIMIT_WORTH;
        for (unsigned w = bundle / 2; w * wide >= LIMIT_PART; w /= 2) {
            uint64_t cost = bundle % w ? whole : cost_of(p, &t, w);
            if (cost >= least) continue;
            least = cost;
            warps[n] = (uint8_t)w;
            ends[n] = end;
        }
        plan_tell(p, PLAN_segments, n, "%s%u instructions, by %u of %u warps",
                  warps[n] ? "" : "no: ", end - n, warps[n] ? warps[n] : bundle, bundle);
    }
    return true;
}

bool segments_emit(struct emitter *e) {
    uint32_t begin = e->i, end = plan_get(e->plan, segments)->end[begin];
    unsigned warps = plan_get(e->plan, segments)->warps[begin];
    if (!end || e->to - e->from <= warps) return false;
    for (unsigned w = e->from; w < e->to; w += warps) {
        struct emitter some = emit_at(e, begin);
        some.from = w;
        some.to = w + warps < e->to ? w + warps : e->to;
        some.later = e->later || w > e->from;
        emit_range(&some, begin, end);
        /* What these warps have read is not kept for the next ones. */
        if (some.to < e->to) LLVMBuildFence(e->b, LLVMAtomicOrderingAcquireRelease, true, "");
    }
    e->i = end - 1;
    return true;
}
