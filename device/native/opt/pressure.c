/* How many vectors are alive at once, and what follows for warps in lockstep. */

#include "device/costs/opcosts.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

uint32_t pressure_most(const struct plan *plan, uint32_t from, uint32_t to, uint32_t warps) {
    const uint8_t *together = warps > 1 ? plan_get(plan, guards)->full : NULL;
    return warpregions_alive(&plan_get(plan, regions)->of, plan->k, plan_shape(plan),
                             &plan_get(plan, liveness)->of, together, from, to, warps);
}

struct opcosts_iteration pressure_iteration(const struct plan *p, uint32_t begin, uint32_t end) {
    return vectorwork_iteration(plan_work(p), begin, end, pressure_most(p, begin, end, 1));
}

/* ---- loops that hold too much ---- */

/* Loops between barriers whose vectors, of all warps, are far more than the registers hold, or in
 * which lanes go along rows of their own: each warp goes through them by itself. */
bool pressure_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    if (!plan->barriers || plan_bundle(plan) == 1 || plan_off(plan, PLAN_pressure)) return true;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_loop || !warpregions_closed(k, n, k->insts[n].match + 1))
            continue;
        uint32_t end = k->insts[n].match;
        uint32_t vectors = pressure_most(plan, n, end, 1);
        bool far_more =
            (uint64_t)vectors * plan_bundle(plan) > opcosts_of(plan->request->level)->far;
        bool apart = plan_goes_apart(plan, n, end);
        if (far_more || apart) plan->regions.of.per_warp[n] = REGION_OWN;
        plan_tell(plan, PLAN_pressure, n, "%s%u vectors for each of %u warps%s",
                  far_more || apart ? "" : "no: ", vectors, plan_bundle(plan),
                  apart ? ", lanes go along rows of their own" : "");
        n = end;
    }
    return true;
}

/* ---- what such a loop carries ---- */

enum { MOST_CARRIED = 32 };

/* A vector that the loop changes, and is there before it begins. */
static bool is_carried(const struct emitter *e, isa_operand reg, uint32_t begin) {
    const struct loops *l = plan_loops(e->plan);
    const struct liveranges *live = &plan_get(e->plan, liveness)->of;
    return emit_kind(e, reg) == KIND_VARYING && !e->regs.shared[reg] && live->first[reg] < begin &&
           live->last[reg] >= begin && loops_assign(l, reg, loops_at(l, begin));
}

static void copy(struct emitter *e, LLVMTypeRef type, LLVMValueRef from, LLVMValueRef to,
                 LLVMValueRef memory) {
    LLVMValueRef load = LLVMBuildLoad2(e->b, type, from, "");
    LLVMSetVolatile(from == memory ? load : LLVMBuildStore(e->b, load, to), true);
    if (from == memory) LLVMBuildStore(e->b, load, to);
}

void pressure_emit(struct emitter *e, uint32_t begin, uint32_t end) {
    isa_operand carried[MOST_CARRIED];
    LLVMValueRef memory[MOST_CARRIED], *slot;
    unsigned count = 0;
    for (isa_operand reg = 0; reg < e->k->nregs && count < MOST_CARRIED; reg++) {
        if (!is_carried(e, reg, begin)) continue;
        LLVMTypeRef type = e->c->vector[e->k->reg_types[reg]];
        carried[count] = reg;
        slot = value_slot(e, reg, e->from);
        memory[count] = *slot;
        *slot = emit_alloca(e, type, "carried");
        copy(e, type, memory[count], *slot, memory[count]);
        count++;
    }
    emit_range(e, begin, end + 1);
    for (unsigned n = 0; n < count; n++) {
        slot = value_slot(e, carried[n], e->from);
        copy(e, e->c->vector[e->k->reg_types[carried[n]]], *slot, memory[n], memory[n]);
        *slot = memory[n];
    }
}
