/* Accesses to memory and images: the instructions of a kind, for warp w, and the parts they are
 * made of. */
#ifndef SIMTCL_NATIVE_ACCESSES_H
#define SIMTCL_NATIVE_ACCESSES_H

#include "device/native/emit.h"
#include "device/native/value.h"

/* ---- plan ---- */

bool dense_plan(struct plan *plan);
bool addresses_plan(struct plan *plan);
void addresses_free(struct plan *plan);
/* Stores that may lie in columns by what is known before the bundle is chosen; then all of them. */
bool transposed_find(struct plan *plan);
bool transposed_plan(struct plan *plan);
bool stream_plan(struct plan *plan);
bool overwritten_plan(struct plan *plan);
bool lanerows_plan(struct plan *plan);
bool privatise_plan(struct plan *plan);

/* ---- instructions ---- */

void access_load(struct emitter *e, unsigned w);
void access_store(struct emitter *e, unsigned w);
void private_emit(struct emitter *e, unsigned w);
void atomic_emit(struct emitter *e, unsigned w);
void images_emit(struct emitter *e, unsigned w);

/* ---- addresses and rows ---- */

/* Addresses in pieces: of so many lanes that follow one another, at an even distance. Of VARYING
 * ones that holds for lanes that are on. */
struct warp_address {
    struct warp_value at;
    unsigned lanes; /* of a piece; 0: they lie anywhere */
    int32_t stride; /* between lanes of a piece */
    unsigned size;  /* of an element */
    bool full;      /* all lanes are on */
};
/* Of the cursor's instruction. */
struct warp_address access_address(struct emitter *e, unsigned w);
/* The cursor's load or store, all components, whose lanes are vectors. */
void access_load_lanes(struct emitter *e, const struct warp_address *p, unsigned w,
                       LLVMValueRef *lanes);
void access_store_lanes(struct emitter *e, const struct warp_address *p, unsigned w,
                        const LLVMValueRef *lanes);
/* The address of a piece's first lane, which must be on where they are VARYING. */
LLVMValueRef access_piece(struct emitter *e, const struct warp_address *p, unsigned piece);
/* Host addresses of sandbox addresses, one or one for each lane. */
LLVMValueRef access_host(struct emitter *e, LLVMValueRef address, int64_t displacement);
/* A vector in a row of memory; mask: lanes that are on, or NULL: all. */
LLVMValueRef access_row(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask);
void access_put_row(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask);
LLVMValueRef access_gather(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, unsigned align,
                           LLVMValueRef mask);
void access_scatter(struct emitter *e, LLVMValueRef v, LLVMValueRef at, unsigned align,
                    LLVMValueRef mask);
void access_mark(struct emitter *e, LLVMValueRef access);
void access_invariant(struct emitter *e, LLVMValueRef load); /* of what no kernel changes */
LLVMValueRef access_plain(struct emitter *e, LLVMTypeRef type, LLVMValueRef at);

/* ---- ways of access ---- */

/* strided.c: all components of an instruction at once. */
bool strided_fits(const struct emitter *e, const struct warp_address *p, bool store);
void strided_load(struct emitter *e, const struct warp_address *p, unsigned w, LLVMValueRef *v);
void strided_store(struct emitter *e, const struct warp_address *p, unsigned w,
                   const LLVMValueRef *v);

/* localrows.c: accesses whose addresses are known (plan: addresses): is the cursor's one? Do the
 * rows of those to arguments lie in local memory, as an i1? */
bool localrows_known(const struct emitter *e);
LLVMValueRef localrows_fit(struct emitter *e);
void localrows_load(struct emitter *e, unsigned w);
void localrows_store(struct emitter *e, unsigned w);

/* transposed.c: the whole bundle's access. The builder is left where it has to be done warp by
 * warp; returns where it goes on when it was not, or NULL: it is none of those. */
LLVMBasicBlockRef transposed_store(struct emitter *e);
LLVMBasicBlockRef transposed_load(struct emitter *e);
/* Riffles 2^n rows of 16 n times: what lay row by row then lies column by column. */
void transposed_rows(struct emitter *e, LLVMValueRef *row, unsigned rows);

/* lanerows.c: the cursor's access, if it is one of those that are made together. */
bool lanerows_access(struct emitter *e, unsigned w);

/* stream.c: stores a row past the caches where that is right; goes on where it is not, and returns
 * the block where both ways meet, or NULL when there is but one. */
LLVMBasicBlockRef stream_put(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef on);

/* dense.c: one component; lanes that may lie in a row. */
/* Which lanes of a vector of words do not follow the first of their piece, so many lanes, `step` by
 * `step`, as i1s; base: what each lane has without its steps. */
LLVMValueRef dense_misfits(struct emitter *e, LLVMValueRef v, unsigned lanes, uint32_t step,
                           LLVMValueRef *base);
LLVMValueRef dense_load(struct emitter *e, const struct warp_address *p, int64_t displacement,
                        unsigned w);
void dense_store(struct emitter *e, LLVMValueRef value, const struct warp_address *p,
                 int64_t displacement, unsigned w);

/* scattered.c: lanes that are on, one by one; one component, or all of the instruction's. */
struct lane_loop {
    LLVMBasicBlockRef head;
    LLVMValueRef left, lane;
};
LLVMValueRef scattered_load(struct emitter *e, LLVMValueRef address, int64_t displacement,
                            unsigned w);
void scattered_store(struct emitter *e, LLVMValueRef value, LLVMValueRef address,
                     int64_t displacement, unsigned w);
void scattered_load_all(struct emitter *e, LLVMValueRef address, unsigned w, LLVMValueRef *v);
void scattered_store_all(struct emitter *e, const LLVMValueRef *v, LLVMValueRef address,
                         unsigned w);
/* Whether all lanes that are on have the same of `v`, as an i1, and what that is. */
LLVMValueRef scattered_same(struct emitter *e, LLVMValueRef v, unsigned w, LLVMValueRef *one);
/* From here on for each lane of `bits`, of which one at least is set: t->lane, an i64. */
void scattered_begin(struct emitter *e, struct lane_loop *t, LLVMValueRef bits);
void scattered_end(struct emitter *e, const struct lane_loop *t);

/* private.c: loads, or stores, of one size in one: of different lanes. */
struct private_access { /* one component by the lanes of a mask */
    uint32_t i;
    LLVMValueRef mask;
};
void private_combined(struct emitter *e, unsigned w, const struct private_access *parts,
                      unsigned n);

/* privatise.c: adds each active lane's value in the thread's table, where all their addresses are
 * in it. The builder is left where they are not; returns where it goes on when that is done. */
LLVMBasicBlockRef privatise_emit(struct emitter *e, unsigned w, const struct warp_value *at,
                                 const struct warp_value *by);

/* texelrows.c: images in which half-warps lie in rows. Where lanes do in this launch their
 * components are read into `v`, or written; the builder is then left where they do not, *from is
 * the block where they did, and the result that where both ways meet. */
bool texelrows_fits(const struct emitter *e);
LLVMBasicBlockRef texelrows_emit(struct emitter *e, unsigned w, LLVMValueRef image,
                                 LLVMValueRef v[4], LLVMBasicBlockRef *from);
/* The same of float coordinates, which lie in the first of the texels' rows, as do the components
 * in the last ones. */
bool texelrows_samples(const struct emitter *e);
LLVMBasicBlockRef texelrows_sample(struct emitter *e, unsigned w, LLVMValueRef image,
                                   LLVMValueRef sampler, LLVMValueRef rows);

/* Where the cursor's instruction is a store that may be left out: goes past it if so, on where not,
 * and returns the block where both ways meet; or NULL. */
LLVMBasicBlockRef overwritten_pass(struct emitter *e);

#endif
