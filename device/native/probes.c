/* Counting is done where the code is: each counter is a variable of the function, which LLVM keeps
 * in a register or makes a product of the iterations, and is added to memory when the function
 * returns. All else is a call. */
#include "device/native/probes.h"

#include <stdlib.h>

#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/value.h"

/* More counters would cost LLVM time and the loops registers: those of large kernels stay in
 * memory. */
enum { MOST_VARIABLES = 64 };

static unsigned counters_of(const struct isa_inst *i) {
    return (unsigned)__builtin_popcount(i->mod);
}

static LLVMValueRef in_memory(struct emitter *e, uint32_t counter) {
    LLVMValueRef all =
        emit_field(e, offsetof(struct native_run, counters), e->c->pointer, "counters");
    LLVMValueRef index = emit_word(e, counter);
    return LLVMBuildGEP2(e->b, e->c->wide, all, &index, 1, "");
}

static void add_to(struct emitter *e, LLVMValueRef at, LLVMValueRef value) {
    LLVMValueRef sum = LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, e->c->wide, at, ""), value, "");
    LLVMBuildStore(e->b, sum, at);
}

void probes_begin(struct emitter *e) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < e->k->ninsts; n++) {
        const struct isa_inst *i = &e->k->insts[n];
        if (i->op == ISA_probe_count && (uint32_t)i->imm + counters_of(i) > count)
            count = (uint32_t)i->imm + counters_of(i);
    }
    if (!count || count > MOST_VARIABLES) return;
    e->c->counters = calloc(count, sizeof *e->c->counters);
    for (uint32_t n = 0; e->c->counters && n < count; n++) {
        e->c->counters[n] = emit_alloca(e, e->c->wide, "counter");
        LLVMBuildStore(e->c->entry_end, LLVMConstNull(e->c->wide), e->c->counters[n]);
        e->c->ncounters++;
    }
}

void probes_end(struct emitter *e) {
    for (uint32_t n = 0; n < e->c->ncounters; n++)
        add_to(e, in_memory(e, n), LLVMBuildLoad2(e->b, e->c->wide, e->c->counters[n], ""));
}

static void count(struct emitter *e, uint32_t counter, LLVMValueRef value) {
    add_to(e, e->c->ncounters ? e->c->counters[counter] : in_memory(e, counter),
           LLVMBuildZExt(e->b, value, e->c->wide, ""));
}

/* A warp without lanes does not get here, but with others at its side it may. */
static LLVMValueRef one_warp(struct emitter *e, unsigned w) {
    if (emit_full(e) || !emit_many(e)) return emit_word(e, 1);
    return masks_any(e, emit_mask(e, w));
}

static LLVMValueRef lanes(struct emitter *e, unsigned w) {
    if (emit_full(e)) return emit_word(e, ISA_WARP);
    LLVMValueRef bits = emit_mask_bits(e, w);
    return emit_intrinsic(e, "llvm.ctpop", &e->c->word, 1, &bits, 1);
}

/* Whether lanes go both ways; NULL: they do not. */
static LLVMValueRef splits(struct emitter *e, unsigned w) {
    struct warp_value p = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    if (p.kind == KIND_UNIFORM) return NULL;
    LLVMValueRef mask = emit_mask(e, w), holds = value_vector(e, &p);
    LLVMValueRef on = masks_any(e, masks_and(e, mask, holds)),
                 off = masks_any(e, masks_without(e, mask, holds));
    return LLVMBuildAnd(e->b, on, off, "");
}

void probes_emit(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    uint32_t counter = (uint32_t)i->imm;
    if (e->probes_later) return;
    if (i->op == ISA_probe_call) {
        assisted_emit(e, w);
        return;
    }
    if (i->mod & ISA_COUNT_WARPS) count(e, counter++, one_warp(e, w));
    if (i->mod & ISA_COUNT_LANES) count(e, counter++, lanes(e, w));
    if (i->mod & ISA_COUNT_SPLITS) {
        LLVMValueRef both = splits(e, w);
        if (both) count(e, counter, both);
    }
}

void probes_emit_later(struct emitter *e, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        struct emitter at = emit_at(e, n);
        at.probes_later = false;
        for (unsigned w = e->from; probes_is(at.inst) && w < e->to; w++) probes_emit(&at, w);
    }
}
