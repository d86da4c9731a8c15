/* Segments: instructions between barriers that hold more vectors, of all the warps in lockstep,
 * than there are registers, and work with them for long. They are passed by some warps, all
 * instructions of them, and then by the next ones; what the others hold lies in memory meanwhile.
 *
 * Registers that are one for the bundle are written by the first of them: so a segment ends before
 * one that it has used already changes. */
#include "device/native/opt/rewrites.h"

/* Clocks of all warps in the segment, so many of which pass it at once. */
static uint64_t cost_of(const struct plan *p, const struct opcosts_iteration *t, uint32_t warps) {
    const struct opcosts *c = opcosts_of(p->request->level);
    uint32_t bundle = plan_bundle(p),
             moves = warps < bundle ? t->moved * bundle * (ISA_WARP / c->lanes) / c->all : 0;
    return opcosts_clocks(p->request->level, t, ISA_WARP * warps, bundle) + moves * OPCOSTS_CLOCK;
}

bool segments_plan(struct plan *p) {
    const struct isa_kernel *k = p->k;
    uint32_t *ends = p->segments.end = plan_of_instructions(p, sizeof *ends);
    uint8_t *used = plan_of_registers(p, 1),
            *warps = p->segments.warps = plan_of_instructions(p, 1);
    unsigned bundle = plan_bundle(p), wide = ISA_WARP / opcosts_of(p->request->level)->lanes;
    bool may = p->barriers && bundle > 1 && !plan_off(p, PLAN_segments);
    for (uint32_t n = 0, end; n < k->ninsts && may; n = end > n ? end : n + 1) {
        end = warpregions_straight_end(k, n, plan_get(p, shared)->of, plan_get(p, moved)->of, used);
        /* What comes from global memory is better asked for by all warps at once. */
        if (end < n + LIMIT_SEGMENT || warpregions_reads(k, n, end, ISA_GLOBAL)) continue;
        struct opcosts_iteration t = pressure_iteration(p, n, end - 1);
        if (t.results < LIMIT_SEGMENT) continue;
        uint64_t whole = cost_of(p, &t, bundle), least = whole;
        for (unsigned w = bundle / 2; w * wide >= LIMIT_PART; w /= 2) {
            uint64_t cost = bundle % w ? whole : cost_of(p, &t, w);
            if (cost + cost / LIMIT_WORTH >= least) continue;
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
