/* Counting is done where the code is: each counter is a variable of the function, which LLVM keeps
 * in a register or makes a product of the iterations, and is added to memory when the function
 * returns. Addresses are counted by where lanes begin, or noted; all else is a call. */
#include "device/native/probes.h"

#include <stdlib.h>

#include "device/native/assisted.h"
#include "device/native/bounded.h"
#include "device/native/masks.h"
#include "device/native/value.h"

/* More counters would cost LLVM time and the loops registers: those of large kernels stay in
 * memory. */
enum { MOST_VARIABLES = 64 };

static uint32_t bins_source(const struct isa_kernel *k, const struct isa_inst *i, unsigned source) {
    return (uint32_t)k->consts[isa_const_index(isa_srcs(k, i)[source])].bits;
}

/* Counters that are variables: behind the last one of the instruction; 0: it has none. */
static uint32_t counters_behind(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op == ISA_probe_count) return (uint32_t)i->imm + (uint32_t)__builtin_popcount(i->mod);
    bool one = i->op == ISA_probe_bins && bins_source(k, i, ISA_BINS_COUNT) == 1;
    return one ? (uint32_t)i->imm + 1 : 0;
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
        uint32_t behind = counters_behind(e->k, &e->k->insts[n]);
        if (behind > count) count = behind;
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

/* ---- addresses ---- */

/* A call with an address, which is what most are. */
void probes_tell(struct emitter *e, unsigned w) {
    struct warp_value v = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    LLVMValueRef at = assisted_buffer(e, 0);
    LLVMBuildStore(e->b, value_vector(e, &v), at);
    LLVMTypeRef types[] = {e->c->pointer, e->c->word, e->c->word, e->c->word, e->c->pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->c->context), types, 5, false);
    LLVMValueRef function = emit_field(e, offsetof(struct native_run, tell), e->c->pointer, "tell");
    LLVMValueRef args[] = {e->c->run, emit_number(e), e->c->warp[w], emit_mask_bits(e, w), at};
    LLVMBuildCall2(e->b, type, function, args, 5, "");
}

static LLVMValueRef inside(struct emitter *e, LLVMValueRef at, size_t offset) {
    LLVMValueRef by = LLVMConstInt(e->c->wide, offset, false);
    return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c->context), at, &by, 1, "");
}

/* Address and mask are kept at `place`; of a warp without lanes the next one takes the room. */
static void note(struct emitter *e, unsigned w, uint32_t place) {
    struct warp_value v = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    LLVMTypeRef type = e->c->vector[ISA_I32];
    LLVMValueRef lanes = value_vector(e, &v);
    LLVMValueRef all = emit_field(e, offsetof(struct native_run, notes), e->c->pointer, "notes");
    LLVMValueRef own = inside(e, all, place * sizeof(struct isa_notes));
    LLVMValueRef count = inside(e, own, offsetof(struct isa_notes, count));
    LLVMValueRef n = LLVMBuildLoad2(e->b, e->c->word, count, "");
    LLVMValueRef index = LLVMBuildZExt(e->b, n, e->c->wide, "");
    LLVMValueRef at = inside(e, own, offsetof(struct isa_notes, addresses));
    at = LLVMBuildGEP2(e->b, type, at, &index, 1, "");
    LLVMSetAlignment(LLVMBuildStore(e->b, lanes, at), sizeof(uint32_t) * ISA_WARP);
    at = inside(e, own, offsetof(struct isa_notes, masks));
    at = LLVMBuildGEP2(e->b, e->c->word, at, &index, 1, "");
    LLVMBuildStore(e->b, emit_mask_bits(e, w), at);
    LLVMValueRef one = emit_full(e) ? emit_word(e, 1) : masks_any(e, emit_mask(e, w));
    one = LLVMBuildZExt(e->b, one, e->c->word, "");
    n = LLVMBuildAdd(e->b, n, one, "");
    LLVMBuildStore(e->b, n, count);
    LLVMBasicBlockRef full = emit_block(e, "noted"), after = emit_block(e, "");
    LLVMValueRef last = LLVMBuildICmp(e->b, LLVMIntEQ, n, emit_word(e, ISA_NOTES), "");
    assisted_branch(e, last, full, after);
    LLVMPositionBuilderAtEnd(e->b, full);
    LLVMTypeRef types[] = {e->c->pointer, e->c->word};
    LLVMTypeRef function = LLVMFunctionType(LLVMVoidTypeInContext(e->c->context), types, 2, false);
    LLVMValueRef noted = emit_field(e, offsetof(struct native_run, noted), e->c->pointer, "noted");
    LLVMBuildCall2(e->b, function, noted, (LLVMValueRef[]){e->c->run, emit_word(e, place)}, 2, "");
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}

static bool tells_address(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    return i->nsrc == 1 && isa_operand_type(e->k, isa_srcs(e->k, i)[0]) == ISA_I32;
}

static void count_bin(struct emitter *e, LLVMValueRef address) {
    const struct isa_inst *i = e->inst;
    uint32_t bins = bins_source(e->k, i, ISA_BINS_COUNT);
    uint32_t granule = bins_source(e->k, i, ISA_BINS_GRANULE);
    uint32_t displacement = bins_source(e->k, i, ISA_BINS_DISPLACEMENT);
    uint32_t shift = (uint32_t)__builtin_ctz(granule);
    if (bins == 1) {
        count(e, (uint32_t)i->imm, emit_word(e, 1));
        return;
    }
    LLVMValueRef n = LLVMBuildAdd(e->b, address, emit_word(e, displacement), "");
    n = LLVMBuildLShr(e->b, n, emit_word(e, shift), "");
    n = LLVMBuildURem(e->b, n, emit_word(e, bins), "");
    n = LLVMBuildZExt(e->b, n, e->c->wide, "");
    LLVMValueRef first = in_memory(e, (uint32_t)i->imm);
    add_to(e, LLVMBuildGEP2(e->b, e->c->wide, first, &n, 1, ""),
           LLVMConstInt(e->c->wide, 1, false));
}

/* Where a half-warp begins that is evenly spaced. */
static LLVMValueRef beginning(struct emitter *e, const struct warp_value *v, unsigned half) {
    if (v->kind != KIND_VARYING) return value_piece(e, v, half);
    return LLVMBuildExtractElement(e->b, v->v[0], emit_word(e, half * ISA_WARP / 2), "");
}

static void count_bins(struct emitter *e, unsigned w) {
    struct warp_value v = value_read(e, isa_srcs(e->k, e->inst)[ISA_BINS_ADDRESS], w);
    bool halves = bins_source(e->k, e->inst, ISA_BINS_HALVES);
    for (unsigned half = 0; half < (halves ? 2u : 1u); half++) count_bin(e, beginning(e, &v, half));
}

/* Whether each half-warp is as evenly spaced as was guessed. */
static LLVMValueRef guessed_right(struct emitter *e, unsigned w) {
    struct warp_value v = value_read(e, isa_srcs(e->k, e->inst)[ISA_BINS_ADDRESS], w);
    uint32_t stride = bins_source(e->k, e->inst, ISA_BINS_STRIDE);
    LLVMValueRef at = value_vector(e, &v), first[ISA_WARP], by[ISA_WARP];
    for (unsigned l = 0; l < ISA_WARP; l++) {
        first[l] = emit_word(e, l & ISA_WARP / 2);
        by[l] = emit_word(e, l % (ISA_WARP / 2) * stride);
    }
    LLVMValueRef even = LLVMBuildShuffleVector(e->b, at, at, LLVMConstVector(first, ISA_WARP), "");
    even = LLVMBuildAdd(e->b, even, LLVMConstVector(by, ISA_WARP), "");
    even = emit_bits(e, LLVMBuildICmp(e->b, LLVMIntEQ, at, even, ""));
    return LLVMBuildICmp(e->b, LLVMIntEQ, even, emit_word(e, ~0u), "");
}

static void emit_bins(struct emitter *e, unsigned w) {
    LLVMValueRef all = NULL;
    if (!emit_full(e))
        all = LLVMBuildICmp(e->b, LLVMIntEQ, emit_mask_bits(e, w), emit_word(e, ~0u), "");
    if (bins_source(e->k, e->inst, ISA_BINS_GUESS)) {
        LLVMValueRef right = guessed_right(e, w);
        all = all ? LLVMBuildAnd(e->b, all, right, "") : right;
    }
    if (!all) {
        count_bins(e, w);
        return;
    }
    LLVMBasicBlockRef full = emit_block(e, "bins"), part = emit_block(e, "note"),
                      after = emit_block(e, "");
    LLVMBuildCondBr(e->b, all, full, part);
    LLVMPositionBuilderAtEnd(e->b, part);
    note(e, w, bins_source(e->k, e->inst, ISA_BINS_NOTES));
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, full);
    count_bins(e, w);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}

void probes_emit(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    uint32_t counter = (uint32_t)i->imm;
    if (e->probes_later) return;
    if (i->op == ISA_probe_call) {
        if (tells_address(e))
            probes_tell(e, w);
        else
            assisted_emit(e, w);
        return;
    }
    if (i->op == ISA_probe_guard) {
        bounded_emit(e, w);
        return;
    }
    if (i->op == ISA_probe_bins) {
        emit_bins(e, w);
        return;
    }
    if (i->op == ISA_probe_note) {
        note(e, w, (uint32_t)i->imm);
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
