/* Registers and operands in LLVM's terms. */
#ifndef SIMTCL_NATIVE_VALUE_H
#define SIMTCL_NATIVE_VALUE_H

#include "device/native/emit.h"

/* May LLVM compute `i` with what it knows, and leave a denormal that the CPU flushes? */
bool value_loses_flush(const struct emitter *e, const struct isa_inst *i);
/* Is an operand of f32 flushed, and no NaN that signals? */
bool value_flushed(const struct emitter *e, isa_operand o);

/* What the lanes of a warp have. */
struct warp_value {
    enum kind kind;
    enum isa_type type;
    int32_t stride;
    LLVMValueRef v[2];
};

static inline struct warp_value value_of(enum kind kind, enum isa_type type, LLVMValueRef v) {
    return (struct warp_value){.kind = kind, .type = type, .v = {v, NULL}};
}
struct warp_value value_read(struct emitter *e, isa_operand o, unsigned w);
LLVMValueRef value_vector(struct emitter *e, const struct warp_value *v);
LLVMValueRef value_read_vector(struct emitter *e, isa_operand o, unsigned w);
/* Of a lane, any integer; of the first one, which may be a strip's. Not of vectors. */
LLVMValueRef value_of_lane(struct emitter *e, const struct warp_value *v, LLVMValueRef lane);
LLVMValueRef value_first(struct emitter *e, const struct warp_value *v);
/* Of lane 16 * half. */
LLVMValueRef value_piece(struct emitter *e, const struct warp_value *v, unsigned half);
/* Writes a register as shape allows; `v` is UNIFORM, VARYING or of the register's kind. */
void value_write(struct emitter *e, isa_operand reg, unsigned w, struct warp_value v);
/* Writes result d of the cursor's instruction: one for all lanes, or a vector. */
void value_result(struct emitter *e, unsigned d, unsigned w, LLVMValueRef v);
/* Where values have names: that of a register, of its half `half`, for a value that has none. */
void value_name(struct emitter *e, LLVMValueRef v, isa_operand reg, unsigned w, unsigned half);
LLVMValueRef *value_slot(struct emitter *e, isa_operand reg, unsigned w);
/* How many of them it has, and of which type; makes those that are NULL; copies all. */
static inline unsigned value_slots(const struct emitter *e, isa_operand reg) {
    return emit_kind(e, reg) == KIND_HALVES ? 2 : 1;
}
LLVMTypeRef value_type(const struct emitter *e, isa_operand reg);
void value_make(struct emitter *e, isa_operand reg, LLVMValueRef *slots);
void value_copy(struct emitter *e, isa_operand reg, const LLVMValueRef *from, LLVMValueRef *to);
/* In memory a vector of i1 is a word of bits. align: 0: the type's. */
void value_put(struct emitter *e, LLVMValueRef v, LLVMValueRef at, unsigned align);
LLVMValueRef value_get(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, unsigned align);
/* The same where an i1 is a word, so that lanes lie apart: a lane's type, and its vector's. */
LLVMTypeRef value_word_type(const struct codegen *c, enum isa_type type, bool vector);
void value_put_words(struct emitter *e, enum isa_type type, LLVMValueRef v, LLVMValueRef at,
                     unsigned align);
LLVMValueRef value_get_words(struct emitter *e, enum isa_type type, bool vector, LLVMValueRef at,
                             unsigned align);

/* A vector with the lanes that are off as in another one. */
LLVMValueRef value_active(struct emitter *e, unsigned w, LLVMValueRef v, LLVMValueRef off);
/* One lane of a vector. */
LLVMValueRef value_lane(struct emitter *e, LLVMValueRef v, enum isa_type type, LLVMValueRef lane);
/* Lanes of two vectors, one behind the other, by number, UINT32_MAX: any; y NULL: of x alone. */
LLVMValueRef value_shuffled(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, const uint32_t *from,
                            unsigned n);
/* The same of lanes first, first + step ... */
LLVMValueRef value_picked(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, int first, int step,
                          unsigned n);
/* Vectors: 0, step, 2 step ...; lanes 16 * half to 16 * half + 15 of one; two halves as one. */
LLVMValueRef value_lanes(struct emitter *e, LLVMTypeRef element, int64_t step);
LLVMValueRef value_half(struct emitter *e, LLVMValueRef v, unsigned half);
LLVMValueRef value_joined(struct emitter *e, LLVMValueRef low, LLVMValueRef high);
/* Piece number n of a vector, of so many lanes; all lanes of such pieces, which are overwritten; so
 * many of them, one behind the other, with undefined ones up to a power of two. */
LLVMValueRef value_part(LLVMBuilderRef b, LLVMValueRef v, unsigned lanes, unsigned n);
LLVMValueRef value_whole(struct emitter *e, LLVMValueRef *parts, unsigned lanes);
LLVMValueRef value_chain(LLVMBuilderRef b, LLVMValueRef *v, unsigned count, unsigned lanes);
/* An intrinsic of so many lanes, of its operands and its result, on longer vectors, by parts. */
LLVMValueRef value_by_parts(struct emitter *e, const char *name, unsigned lanes,
                            const LLVMValueRef *args, unsigned nargs);
/* What the lane `by` below each has; the lowest ones have what `fill` has there. */
LLVMValueRef value_raised(struct emitter *e, LLVMValueRef v, LLVMValueRef fill, unsigned by);

/* LLVM, where it knows an f32, rounds it or takes its square root as it is, though it is a denormal
 * that is to be flushed. So integers that become f32 are hidden from it unless they were read from
 * memory, and those stored unless nothing reads f32 there (plan: denormals). */
LLVMValueRef value_real(struct emitter *e, isa_operand from, LLVMValueRef bits, LLVMTypeRef type);
/* Integers, one or a vector, with a 0 in them that LLVM does not know. */
LLVMValueRef value_obscured(struct emitter *e, LLVMValueRef bits);
struct warp_value value_stored(struct emitter *e, isa_operand o, unsigned w);

/* ---- masks.c: masks of 32 lanes, each a <32 x i1>: where one is kept, what is made of them ----
 */

LLVMValueRef masks_slot(struct emitter *e, const char *name);
LLVMValueRef masks_get(struct emitter *e, LLVMValueRef slot);
void masks_put(struct emitter *e, LLVMValueRef mask, LLVMValueRef slot);
LLVMValueRef masks_and(struct emitter *e, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef masks_or(struct emitter *e, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef masks_without(struct emitter *e, LLVMValueRef mask, LLVMValueRef off);
/* How many lanes of warp w are on. */
LLVMValueRef masks_count(struct emitter *e, unsigned w);
/* As an i1: some of its lanes are on; none is; all lanes of warp w are; some of its half are. */
LLVMValueRef masks_any(struct emitter *e, LLVMValueRef mask);
LLVMValueRef masks_none(struct emitter *e, LLVMValueRef mask);
LLVMValueRef masks_all(struct emitter *e, unsigned w);
LLVMValueRef masks_half(struct emitter *e, unsigned w, unsigned half);

#endif
