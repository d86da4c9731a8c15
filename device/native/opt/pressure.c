/* How many vectors are alive at once, and what follows for warps in lockstep. */
#include <stdlib.h>

#include "device/native/opcosts.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

/* Regions without loops that each warp passes on its own, one right behind the other: the number of
 * each at its instructions. What is alive only there is of one warp. */
static void find_own(const struct plan *plan, uint32_t *own) {
    const struct isa_kernel *k = plan->k;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!plan_get(plan, regions)->per_warp[n]) continue;
        uint32_t begin = n, end = plan_region_end(k, n);
        bool loops = false;
        for (; n < end; n++) loops |= k->insts[n].op == ISA_loop;
        for (uint32_t in = begin; !loops && in < end; in++) own[in] = end;
    }
}

/* Live ranges tell. */
uint32_t pressure_most(const struct plan *plan, uint32_t from, uint32_t to, uint32_t warps) {
    const struct liveranges *live = &plan_get(plan, liveness)->of;
    int32_t *change = calloc(plan->k->ninsts + 2ull, sizeof *change), alive = 0, most = 0;
    uint32_t *own = plan_of_instructions(plan, sizeof *own);
    if (own && warps > 1) find_own(plan, own);
    for (uint32_t r = 0; own && change && r < plan->k->nregs; r++) {
        uint32_t first = live->first[r], last = live->last[r];
        if (plan_kind(plan, r) != KIND_VARYING || plan->k->reg_types[r] == ISA_PRED || first > last)
            continue;
        uint32_t vectors = isa_type_size[plan->k->reg_types[r]] == 8 ? 4 : 2;
        if (!own[first] || own[first] != own[last]) vectors *= warps;
        change[first] += (int32_t)vectors;
        change[last + 1] -= (int32_t)vectors;
    }
    for (uint32_t n = 0; change && n < to; n++) {
        alive += change[n];
        if (n >= from && alive > most) most = alive;
    }
    bool good = own && change;
    free(own);
    free(change);
    return good ? (uint32_t)most : UINT32_MAX;
}

/* Nothing waits for other warps in the loop, and every jump in it stays in it. */
static bool self_contained(const struct isa_kernel *k, uint32_t loop) {
    uint32_t depth = 0;
    for (uint32_t n = loop; n <= k->insts[loop].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        if (i->op == ISA_bar || i->op == ISA_ret) return false;
        if (flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) return false;
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    return true;
}

/* Loops between barriers whose vectors, of all warps, are far more than the registers hold: each
 * warp goes through them on its own. */
bool pressure_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    bool barriers = false;
    for (uint32_t n = 0; n < k->ninsts; n++) barriers |= k->insts[n].op == ISA_bar;
    if (!barriers || plan_bundle(plan) == 1 || plan_off(plan, PLAN_pressure)) return true;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_loop || !self_contained(k, n)) continue;
        uint32_t end = k->insts[n].match;
        uint32_t vectors = pressure_most(plan, n, end, 1);
        bool far_more =
            (uint64_t)vectors * plan_bundle(plan) > opcosts_of(plan->request->level)->far;
        if (far_more) {
            plan->regions.per_warp[n] = REGION_OWN;
            plan->pressure.loops++;
        }
        plan_tell(plan, PLAN_pressure, n, "%s%u vectors for each of %u warps",
                  far_more ? "" : "no: ", vectors, plan_bundle(plan));
        n = end;
    }
    return true;
}

/* ---- what such a loop carries ---- */

enum { MOST_CARRIED = 32 };

static bool accesses(const struct isa_kernel *k, const struct isa_inst *i, isa_operand reg,
                     bool *writes) {
    bool reads = false;
    for (unsigned d = 0; d < i->ndst; d++) *writes |= isa_dsts(k, i)[d] == reg;
    for (unsigned s = 0; s < i->nsrc; s++) reads |= isa_srcs(k, i)[s] == reg;
    return reads || *writes;
}

/* Is instruction n in a loop that `at` is not in? */
static bool in_other_loop(const struct isa_kernel *k, uint32_t n, uint32_t at) {
    for (uint32_t loop = 0; loop < n; loop++)
        if (k->insts[loop].op == ISA_loop && k->insts[loop].match > n &&
            (at < loop || at > k->insts[loop].match))
            return true;
    return false;
}

/* A vector that the loop changes, is there before it begins, and in no loop beside it. */
static bool is_carried(const struct emitter *e, isa_operand reg, uint32_t begin, uint32_t end) {
    const struct isa_kernel *k = e->k;
    const struct liveranges *live = &plan_get(e->plan, liveness)->of;
    bool changes = false;
    if (emit_kind(e, reg) != KIND_VARYING || e->regs.shared[reg]) return false;
    if (live->first[reg] >= begin || live->last[reg] < begin) return false;
    for (uint32_t n = live->first[reg]; n <= live->last[reg] && n < k->ninsts; n++) {
        bool writes = false, in = n >= begin && n <= end;
        if (!accesses(k, &k->insts[n], reg, &writes)) continue;
        changes |= in && writes;
        if (!in && in_other_loop(k, n, begin)) return false;
    }
    return changes;
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
        if (!is_carried(e, reg, begin, end)) continue;
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
