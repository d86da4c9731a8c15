/* Segments: instructions between barriers that hold more vectors, of all the warps in lockstep,
 * than there are registers, and work with them for long. They are passed by some warps, all
 * instructions of them, and then by the next ones; what the others hold lies in memory meanwhile.
 *
 * Registers that are one for the bundle are written by the first of them: so a segment ends before
 * one that it has used already changes. */
#include "device/costs/opcosts.h"
#include "device/native/opt/rewrites.h"

/* Instructions for one warp's vectors of the segment, for so many warps at once; in 64ths. */
static uint64_t cost_of(const struct plan *p, uint32_t begin, uint32_t end, uint32_t warps) {
    const struct opcosts *c = opcosts_of(p->request->level);
    uint64_t wide = ISA_WARP / c->lanes, vectors = 0, moved = 0;
    uint64_t alive = pressure_most(p, begin, end, 1) * wide * warps / 2;
    uint64_t excess = alive > c->registers ? alive - c->registers : 0;
    for (uint32_t n = begin; n < end; n++) vectors += plan_makes_vector(p, &p->k->insts[n]);
    if (warps < plan_bundle(p)) moved = pressure_across(p, begin) + pressure_across(p, end);
    vectors *= wide * 64;
    return vectors + moved * wide * 64 + (alive ? vectors * excess * c->moves / alive : 0);
}

bool segments_plan(struct plan *p) {
    const struct isa_kernel *k = p->k;
    uint32_t *ends = p->segments.end = plan_of_instructions(p, sizeof *ends);
    uint8_t *used = plan_of_registers(p, 1),
            *warps = p->segments.warps = plan_of_instructions(p, 1);
    unsigned bundle = plan_bundle(p);
    bool may = bundle > 1 && !plan_off(p, PLAN_segments) && p->request->level != NATIVE_AVX512;
    for (uint32_t n = 0, end; n < k->ninsts && may; n = end > n ? end : n + 1) {
        end = warpregions_straight_end(k, n, plan_get(p, shared)->of, plan_get(p, moved)->of, used);
        if (end < n + LIMIT_SEGMENT) continue;
        uint64_t whole = cost_of(p, n, end, bundle), least = whole - whole / LIMIT_WORTH;
        for (unsigned w = bundle / 2; w; w /= 2) {
            uint64_t cost = bundle % w ? whole : cost_of(p, n, end, w);
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
