/* Privatised atomics: memory that a kernel does nothing with but add to, without looking at what
 * was there. No work-item can tell when that is done; where it is an object of its own and small
 * (device/run/privatised.h), each thread adds up in a table that is its own, and adds that to
 * memory later. */
#include "device/analysis/provenance.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

static const char *why_not(const struct plan *plan, const struct isa_inst *i) {
    const struct isa_kernel *k = plan->k;
    uint64_t from = plan_provenance(plan, i);
    if (!provenance_only_adds(k, i)) return "what was there is used";
    if (!from || from & (from - 1)) return "it may be the memory of several parameters";
    if (plan->privatised.param) return "another parameter has the tables";
    return "its memory is accessed in another way too, by this kernel or as an image, or volatile";
}

bool privatise_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct plan_privatised *p = &plan->privatised;
    p->of = plan_of_instructions(plan, 1);
    if (!p->of || plan_off(plan, PLAN_privatised)) return p->of;
    p->param = provenance_added(k, plan_get(plan, provenance)->of);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!provenance_sums(i)) continue;
        p->of[n] = p->param && provenance_only_adds(k, i) &&
                   plan_provenance(plan, i) == (uint64_t)1 << (p->param - 1);
        if (p->of[n])
            plan_tell(plan, PLAN_privatised, n, "to parameter %s", k->params[p->param - 1].name);
        else
            plan_tell(plan, PLAN_privatised, n, "no: %s", why_not(plan, i));
    }
    return true;
}

static LLVMValueRef field(struct emitter *e, size_t at, LLVMTypeRef type) {
    return emit_field(e, offsetof(struct native_run, privatised) + at, type, "privatised");
}

static LLVMValueRef tables_of_lanes(struct emitter *e) {
    LLVMValueRef lanes[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP; n++) lanes[n] = emit_word(e, n % NATIVE_TABLES);
    return LLVMConstVector(lanes, ISA_WARP);
}

/* In a loop: the host finds out for each instruction of its own whether what that loads was stored
 * shortly before. */
void privatise_emit(struct emitter *e, struct ways *y, unsigned w, const struct warp_value *at,
                    const struct warp_value *by) {
    LLVMValueRef first = field(e, offsetof(struct native_privatised, first), e->c->word);
    LLVMValueRef bytes = field(e, offsetof(struct native_privatised, bytes), e->c->word);
    LLVMValueRef next = field(e, offsetof(struct native_privatised, next), e->c->word);
    LLVMValueRef table = field(e, offsetof(struct native_privatised, table), e->c->pointer);
    first = LLVMBuildSub(e->b, first, emit_word(e, (uint32_t)e->inst->imm), "");
    LLVMValueRef offset = LLVMBuildSub(e->b, value_vector(e, at), emit_splat(e, first), "");
    LLVMValueRef beyond = LLVMBuildICmp(e->b, LLVMIntUGE, offset, emit_splat(e, bytes), "");
    beyond = LLVMBuildAnd(e->b, beyond, emit_mask(e, w), "");
    ways_if(e, y, masks_none(e, beyond), "privatised");
    LLVMValueRef tables = LLVMBuildMul(e->b, emit_splat(e, next), tables_of_lanes(e), "");
    offset = LLVMBuildAdd(e->b, offset, tables, "");
    struct warp_value to_add = value_of(KIND_VARYING, ISA_I32, offset);
    struct lane_table offsets = scattered_table(e, 0, &to_add), values = scattered_table(e, 1, by);
    struct lane_loop l;
    scattered_begin(e, &l, emit_mask_bits(e, w));
    LLVMValueRef to = LLVMBuildZExt(e->b, scattered_entry(e, &offsets, l.lane), e->c->wide, "");
    to = emit_beyond(e, table, to);
    LLVMValueRef v = scattered_entry(e, &values, l.lane);
    LLVMValueRef sum = LLVMBuildLoad2(e->b, e->c->word, to, "");
    sum = e->inst->op == ISA_atom_add ? LLVMBuildAdd(e->b, sum, v, "")
                                      : LLVMBuildSub(e->b, sum, v, "");
    LLVMBuildStore(e->b, sum, to);
    scattered_end(e, &l);
    ways_else(e, y, NULL, 0);
}
