/* How many vectors are alive at once, how long operations wait for their operands, and what follows
 * for warps in lockstep. */

#include "device/costs/opcosts.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

uint32_t pressure_most(const struct plan *plan, uint32_t from, uint32_t to, uint32_t warps) {
    const uint8_t *together = warps > 1 ? plan_get(plan, guards)->full : NULL;
    return warpregions_alive(&plan_get(plan, regions)->of, plan->k, plan_shape(plan),
                             &plan_get(plan, liveness)->of, together, from, to, warps);
}

uint32_t pressure_across(const struct plan *plan, uint32_t n) {
    const struct liveranges *live = &plan_get(plan, liveness)->of;
    uint32_t count = 0;
    for (uint32_t r = 0; r < plan->k->nregs; r++)
        count += plan_kind(plan, r) == KIND_VARYING && live->first[r] < n && live->last[r] >= n;
    return count;
}

/* ---- waiting ---- */

struct vector_wait {
    const struct plan *plan;
    uint32_t integer; /* clocks of an operation on integers */
};

static uint32_t clocks_of(const void *wait, const struct isa_inst *i) {
    const struct vector_wait *w = wait;
    const struct plan *p = w->plan;
    uint32_t clocks = opcosts_operation(i).clocks;
    if (i->op != ISA_ld || i->space == ISA_PARAM) return clocks == 1 ? w->integer : clocks;
    return plan_operand_kind(p, isa_srcs(p->k, i)[0]) == KIND_VARYING ? LIMIT_GATHER : LIMIT_LOAD;
}

struct latencies pressure_latencies(const struct plan *p, uint32_t begin, uint32_t end,
                                    uint32_t integer) {
    uint32_t *ready = plan_of_registers(p, sizeof *ready);
    for (uint32_t r = 0; r < p->k->nregs; r++)
        ready[r] = plan_kind(p, r) == KIND_VARYING ? 0 : UINT32_MAX;
    return latencies_of(p->k, begin, end, clocks_of, &(struct vector_wait){p, integer}, ready);
}

/* Functions that are sequences of operations are most of what the loop computes, and its iterations
 * do not wait for them: a warp by itself keeps the CPU busy, in fewer registers than several. */
static bool is_busy(const struct plan *p, uint32_t begin, uint32_t end) {
    const struct opcosts *c = opcosts_of(p->request->level);
    uint32_t sequences = 0, all = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        if (i->op == ISA_loop) return false;
        if (!plan_makes_vector(p, i)) continue;
        uint32_t operations = opcosts_operation(i).operations;
        sequences += isa_op_info[i->op].flags & ISA_OP_MATH ? operations : 0;
        all += operations;
    }
    return 2 * sequences > all &&
           pressure_latencies(p, begin, end, 1).chain <= all * ISA_WARP / c->lanes / c->vectors;
}

bool pressure_busy(const struct plan *p) {
    for (uint32_t n = 0; n < p->k->ninsts; n++)
        if (p->k->insts[n].op == ISA_loop && !plan_get(p, seldom)->of[n] &&
            is_busy(p, n, p->k->insts[n].match))
            return true;
    return false;
}

bool pressure_hidden(const struct plan *p) {
    const struct opcosts *c = opcosts_of(p->request->level);
    uint64_t all = 0;
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        all += plan_makes_vector(p, i) ? opcosts_operation(i).operations : 0;
    }
    all = all * ISA_WARP / c->lanes;
    uint64_t path = pressure_latencies(p, 0, p->k->ninsts, 1).path;
    return path * (all < c->window ? all : c->window) / c->window <= all / c->vectors;
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
