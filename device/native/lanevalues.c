/* What lanes know of themselves and of each other. Special registers that are the same for a group
 * are fields of the run, or known; work-items' places are computed of the warp's number. What lanes
 * know of each other host passes alone ask for, where a whole warp is. */
#include "device/native/instructions.h"

#include <assert.h>
#include <stdio.h>

#include "device/native/mem/accesses.h"
#include "device/native/value.h"

/* ---- special registers ---- */

/* Index of a thread in dimension d of its group; thread: scalar or vector. */
static LLVMValueRef local_id(struct emitter *e, LLVMValueRef thread, unsigned d) {
    const uint32_t *size = e->request->local_size;
    uint32_t below = 1;
    for (unsigned n = 0; n < d; n++) below *= size[n];
    if (below * size[d] == e->plan->items && below == 1) return thread;
    if (size[d] == 1) return LLVMConstNull(LLVMTypeOf(thread));
    LLVMValueRef id = LLVMBuildUDiv(e->b, thread, emit_like(e, thread, emit_word(e, below)), "");
    if (below * size[d] == e->plan->items) return id;
    return LLVMBuildURem(e->b, id, emit_like(e, thread, emit_word(e, size[d])), "");
}

static LLVMValueRef of_thread(struct emitter *e, uint32_t special, LLVMValueRef thread) {
    if (special == ISA_SPECIAL_thread_id) return thread;
    bool global = special >= ISA_SPECIAL_global_id_x;
    unsigned d = special - (global ? ISA_SPECIAL_global_id_x : ISA_SPECIAL_local_id_x);
    LLVMValueRef id = local_id(e, thread, d);
    if (!global) return id;
    size_t fields = offsetof(struct native_run, special);
    LLVMValueRef group =
        emit_field(e, fields + 4 * (ISA_SPECIAL_group_id_x + d), e->c->word, "group");
    LLVMValueRef first = LLVMBuildMul(e->b, group, emit_word(e, e->request->local_size[d]), "");
    size_t offset = fields + 4 * (ISA_SPECIAL_global_offset_x + d);
    if (!e->request->low_ids)
        first = LLVMBuildAdd(e->b, first, emit_field(e, offset, e->c->word, "offset"), "");
    return LLVMBuildAdd(e->b, id, emit_like(e, thread, first), "");
}

static bool is_offset(uint32_t special) {
    return special - ISA_SPECIAL_global_offset_x <=
           ISA_SPECIAL_global_offset_z - ISA_SPECIAL_global_offset_x;
}

LLVMValueRef lanevalues_threads(struct emitter *e, unsigned w) {
    LLVMValueRef first = LLVMBuildMul(e->b, e->c->warp[w], emit_word(e, ISA_WARP), "");
    return LLVMBuildAdd(e->b, emit_splat(e, first), value_lanes(e, e->c->word, 1), "");
}

void lanevalues_special(struct emitter *e, unsigned w) {
    isa_operand dst = isa_dsts(e->k, e->inst)[0];
    uint32_t special = (uint32_t)e->inst->imm;
    if (isa_special_uniform[special]) {
        LLVMValueRef v;
        if (special >= ISA_SPECIAL_local_size_x && special <= ISA_SPECIAL_local_size_z)
            v = emit_word(e, e->request->local_size[special - ISA_SPECIAL_local_size_x]);
        else if (special == ISA_SPECIAL_undefined || (e->request->low_ids && is_offset(special)))
            v = emit_word(e, 0);
        else
            v = emit_field(e, offsetof(struct native_run, special) + 4 * special, e->c->word,
                           isa_special_name[special]);
        value_result(e, 0, w, v);
        return;
    }
    enum kind kind = emit_kind(e, dst);
    struct warp_value v = value_of(kind, ISA_I32, NULL);
    v.stride = kind == KIND_VARYING || kind == KIND_UNIFORM ? 0 : plan_stride(e->plan, dst);
    if (kind == KIND_VARYING) {
        v.v[0] = of_thread(e, special, lanevalues_threads(e, w));
    } else {
        LLVMValueRef first = LLVMBuildMul(e->b, e->c->warp[w], emit_word(e, ISA_WARP), "");
        v.v[0] = of_thread(e, special, first);
        if (kind == KIND_HALVES)
            v.v[1] = of_thread(e, special, LLVMBuildAdd(e->b, first, emit_word(e, 16), ""));
    }
    value_write(e, dst, w, v);
}

/* ---- other lanes ---- */

/* A register one lane of which is read lies in memory: it is written once, and not each time. */
static LLVMValueRef at(struct emitter *e, unsigned w) {
    const isa_operand *src = isa_srcs(e->k, e->inst);
    struct warp_value v = value_read(e, src[0], w), number = value_read(e, src[1], w);
    assert(number.kind == KIND_UNIFORM);
    LLVMValueRef lane = LLVMBuildAnd(e->b, number.v[0], emit_word(e, ISA_WARP - 1), "");
    if (v.kind != KIND_VARYING) return value_of_lane(e, &v, lane);
    if (v.type == ISA_PRED) return value_lane(e, v.v[0], v.type, lane);
    LLVMTypeRef type = e->c->scalar[v.type];
    return LLVMBuildLoad2(e->b, type, emit_element(e, type, *value_slot(e, src[0], w), lane), "");
}

void lanevalues_other(struct emitter *e, unsigned w) {
    LLVMValueRef v = value_read_vector(e, isa_srcs(e->k, e->inst)[0], w);
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(v)), on = value_active(e, w, v, none);
    char name[32]; /* of what joins them all, as the operation's is behind `lane_` */
    assert(!e->strip && !e->one_lane);
    snprintf(name, sizeof name, "llvm.vector.reduce.%s", isa_op_info[e->inst->op].name + 5);
    switch (e->inst->op) {
    case ISA_lane_first: v = scattered_lowest(e, v, w); break;
    case ISA_lane_at: v = at(e, w); break;
    case ISA_lane_before: v = value_raised(e, on, none, 1); break;
    default: v = emit_intrinsic(e, name, on); break;
    }
    value_result(e, 0, w, v);
}
