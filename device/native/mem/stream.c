/* Stores that go past the caches. What a launch writes in rows, once, and does not read, is worth
 * no place there when it is more than the caches hold: the lines need not be fetched first. Which
 * stores those are is known here; how much a launch writes, when it starts (tier.c). */
#include "device/analysis/overwritten.h"
#include "device/analysis/paths.h"
#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { LINE = 64, LEAST_SIZE = 4 }; /* bytes: of a line of the cache; of an element */

static bool in_rows(const struct plan *plan, uint32_t n) {
    const struct isa_inst *i = &plan->k->insts[n];
    uint32_t size = isa_type_size[i->type];
    if (i->op != ISA_st || i->space != ISA_GLOBAL || (i->flags & ISA_VOLATILE)) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    if (!isa_is_reg(at) || size < LEAST_SIZE) return false;
    if (plan_get(plan, columns)->of[n] && !plan_get(plan, addresses)->known.of[n]) return true;
    enum kind kind = plan_kind(plan, at);
    return (kind == KIND_LINEAR || kind == KIND_HALVES) &&
           plan_stride(plan, at) == (int32_t)(size * i->count);
}

bool stream_plan(struct plan *plan) {
    struct plan_streams *s = &plan->streams;
    const struct isa_kernel *k = plan->k;
    uint64_t read = 0;
    uint32_t depth = 0, begins[ISA_MAX_NESTING + 1] = {0}; /* of loops */
    struct paths_sum bytes = {0};
    s->of = plan_of_instructions(plan, 1);
    if (!s->of || plan_off(plan, PLAN_streams)) return s->of;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool memory = (isa_op_info[i->op].flags & ISA_OP_MEMORY) && i->space == ISA_GLOBAL;
        if (memory && i->ndst) read |= plan_provenance(plan, i);
    }
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop) begins[++depth] = n;
        if (i->op == ISA_endloop) depth--;
        paths_add(&bytes, i, 0);
        bool evenly = depth && plan_get(plan, row_loops)->of.test[begins[depth]];
        if (i->op != ISA_st || i->space != ISA_GLOBAL) continue;
        const char *why = !in_rows(plan, n)                 ? "what a warp stores is no row"
                          : depth && !evenly                ? "lanes may leave its loop one by one"
                          : plan_provenance(plan, i) & read ? "the kernel may read that memory"
                          : overwritten_again(k, n)         ? "it is stored to again"
                                                            : NULL;
        if (why) {
            plan_tell(plan, PLAN_streams, n, "no: %s", why);
            continue;
        }
        s->of[n] = depth ? STREAM_LOOP : STREAM_ONCE;
        plan_tell(plan, PLAN_streams, n, depth ? "a row in each iteration" : "a row");
        if (depth) continue;
        bytes.sum[bytes.depth] += isa_bytes(i);
    }
    s->bytes = (uint32_t)bytes.sum[0];
    return true;
}

/* The row begins a line, all its lanes are on, and the launch is large. on: lanes, or NULL: all. */
static LLVMValueRef fits(struct emitter *e, LLVMValueRef at, LLVMValueRef on) {
    LLVMValueRef cached = e->cached;
    if (plan_get(e->plan, streams)->of[e->i] == STREAM_ONCE)
        cached = emit_field(e, offsetof(struct native_run, cached), e->c->word, "cached");
    LLVMValueRef low =
        LLVMBuildTrunc(e->b, LLVMBuildPtrToInt(e->b, at, e->c->wide, ""), e->c->word, "");
    low = LLVMBuildAnd(e->b, LLVMBuildOr(e->b, low, cached, ""), emit_word(e, LINE - 1), "");
    LLVMValueRef begins = LLVMBuildICmp(e->b, LLVMIntEQ, low, emit_word(e, 0), "");
    if (!on) return begins;
    LLVMTypeRef bits = LLVMIntTypeInContext(e->c->context, LLVMGetVectorSize(LLVMTypeOf(on)));
    LLVMValueRef all = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildBitCast(e->b, on, bits, ""),
                                     LLVMConstAllOnes(bits), "");
    return LLVMBuildAnd(e->b, begins, all, "");
}

void stream_put(struct emitter *e, struct ways *y, LLVMValueRef v, LLVMValueRef at,
                LLVMValueRef on) {
    static const char name[] = "nontemporal";
    if (!plan_get(e->plan, streams)->of[e->i]) return;
    if (plan_get(e->plan, streams)->of[e->i] == STREAM_LOOP && !e->cached) return;
    ways_if(e, y, fits(e, at, on), "past");
    LLVMValueRef store = LLVMBuildStore(e->b, v, at);
    LLVMSetAlignment(store, LINE);
    LLVMMetadataRef one = LLVMValueAsMetadata(emit_word(e, 1));
    LLVMSetMetadata(
        store, LLVMGetMDKindIDInContext(e->c->context, name, sizeof name - 1),
        LLVMMetadataAsValue(e->c->context, LLVMMDNodeInContext2(e->c->context, &one, 1)));
    ways_else(e, y, NULL, 0);
}
