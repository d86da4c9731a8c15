/* What lanes know of each other. They are asked for by host passes alone, where a whole warp is. */
#include "device/native/instructions.h"

#include <assert.h>

#include "device/native/mem/accesses.h"
#include "device/native/value.h"

/* A source's lanes, those that are off as 0. */
static LLVMValueRef active_lanes(struct emitter *e, unsigned w) {
    LLVMValueRef lanes = value_read_vector(e, isa_srcs(e->k, e->inst)[0], w);
    if (emit_full(e)) return lanes;
    return LLVMBuildSelect(e->b, emit_mask(e, w), lanes, LLVMConstNull(LLVMTypeOf(lanes)), "");
}

static LLVMValueRef sum(struct emitter *e, unsigned w) {
    return emit_intrinsic(e, "llvm.vector.reduce.add", active_lanes(e, w));
}

static LLVMValueRef before(struct emitter *e, unsigned w) {
    LLVMValueRef lanes = active_lanes(e, w);
    return value_raised(e, lanes, LLVMConstNull(LLVMTypeOf(lanes)), 1);
}

static LLVMValueRef first(struct emitter *e, unsigned w) {
    return scattered_lowest(e, value_read_vector(e, isa_srcs(e->k, e->inst)[0], w), w);
}

/* A lane's value out of memory costs less than moving it to where its number says. */
static LLVMValueRef at(struct emitter *e, unsigned w) {
    const isa_operand *src = isa_srcs(e->k, e->inst);
    struct warp_value v = value_read(e, src[0], w), number = value_read(e, src[1], w);
    assert(number.kind == KIND_UNIFORM);
    if (v.kind == KIND_UNIFORM) return v.v[0];
    LLVMValueRef lanes = value_vector(e, &v);
    LLVMValueRef lane = LLVMBuildAnd(e->b, number.v[0], emit_word(e, ISA_WARP - 1), "");
    return value_lane(e, lanes, v.type, lane);
}

void lanevalues_emit(struct emitter *e, unsigned w) {
    isa_operand dst = isa_dsts(e->k, e->inst)[0];
    enum isa_type type = (enum isa_type)e->k->reg_types[dst];
    assert(!e->strip && !e->one_lane);
    enum isa_op op = (enum isa_op)e->inst->op;
    struct warp_value v = value_of(op == ISA_lane_before ? KIND_VARYING : KIND_UNIFORM, type, NULL);
    v.v[0] = op == ISA_lane_before  ? before(e, w)
             : op == ISA_lane_first ? first(e, w)
             : op == ISA_lane_at    ? at(e, w)
                                    : sum(e, w);
    value_write(e, dst, w, v);
}
