#include "device/native/bounded.h"

#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/probes.h"
#include "device/native/value.h"

/* Evenly spaced lanes are compared at their ends, which are fewer than 2^31 bytes apart, as bounds
 * are: what lies between both lies between these. */
enum { FURTHEST = 1 << 26 };

/* The second operand of a probe_guard. */
enum { GUARD_MOVES = 1 };

static bool says(const struct emitter *e, uint32_t bit) {
    isa_operand o = isa_srcs(e->k, e->inst)[1];
    return e->k->consts[isa_const_index(o)].bits & bit;
}

/* Bounds that move are looked up anew each time; of others what was read once will do. */
static LLVMValueRef bound(struct emitter *e, size_t field) {
    LLVMValueRef all = emit_field(e, offsetof(struct native_run, guards), e->c->pointer, "guards");
    size_t place = (size_t)(uint32_t)e->inst->imm * sizeof(struct isa_guard) + field;
    LLVMValueRef at = emit_inside(e, all, (int64_t)place);
    LLVMValueRef bound = LLVMBuildLoad2(e->b, e->c->word, at, "");
    if (!says(e, GUARD_MOVES)) access_invariant(e, bound);
    return bound;
}

/* Whether one that begins there lies outside. */
static LLVMValueRef outside(struct emitter *e, LLVMValueRef begin, LLVMValueRef extent,
                            LLVMValueRef at) {
    LLVMValueRef from = LLVMBuildSub(e->b, at, begin, "");
    return LLVMBuildICmp(e->b, LLVMIntUGE, from, extent, "");
}

/* Both ends of lanes that are evenly spaced: of the warp, or of each half. */
static LLVMValueRef ends_outside(struct emitter *e, const struct warp_value *v, LLVMValueRef begin,
                                 LLVMValueRef extent) {
    bool halves = v->kind == KIND_HALVES;
    uint32_t steps = v->kind == KIND_UNIFORM ? 0 : (halves ? ISA_WARP / 2 : ISA_WARP) - 1;
    LLVMValueRef any = NULL;
    for (unsigned h = 0; h < (halves ? 2u : 1u); h++) {
        LLVMValueRef first = value_piece(e, v, h);
        LLVMValueRef one = outside(e, begin, extent, first);
        any = any ? LLVMBuildOr(e->b, any, one, "") : one;
        if (!steps || !v->stride) continue;
        LLVMValueRef last =
            LLVMBuildAdd(e->b, first, emit_word(e, steps * (uint32_t)v->stride), "");
        any = LLVMBuildOr(e->b, any, outside(e, begin, extent, last), "");
    }
    return any;
}

static bool is_even(const struct warp_value *v) {
    return v->kind != KIND_VARYING && v->stride < FURTHEST && v->stride > -FURTHEST;
}

/* Lane by lane: whether an active one lies outside. */
static LLVMValueRef lanes_outside(struct emitter *e, unsigned w, const struct warp_value *v,
                                  LLVMValueRef begin, LLVMValueRef extent) {
    LLVMValueRef lanes =
        outside(e, emit_splat(e, begin), emit_splat(e, extent), value_vector(e, v));
    return masks_any(e, emit_full(e) ? lanes : masks_and(e, emit_mask(e, w), lanes));
}

void bounded_emit(struct emitter *e, unsigned w) {
    struct warp_value v = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    LLVMValueRef begin = bound(e, offsetof(struct isa_guard, begin)),
                 extent = bound(e, offsetof(struct isa_guard, extent));
    LLVMBasicBlockRef tell = emit_block(e, "outside"), after = emit_block(e, "");
    if (is_even(&v)) {
        LLVMBasicBlockRef look = emit_full(e) ? tell : emit_block(e, "beyond");
        assisted_branch(e, ends_outside(e, &v, begin, extent), look, after);
        if (look != tell) { /* lanes that are off may lie anywhere */
            LLVMPositionBuilderAtEnd(e->b, look);
            LLVMBuildCondBr(e->b, lanes_outside(e, w, &v, begin, extent), tell, after);
        }
    } else {
        assisted_branch(e, lanes_outside(e, w, &v, begin, extent), tell, after);
    }
    LLVMPositionBuilderAtEnd(e->b, tell);
    probes_tell(e, w);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}
