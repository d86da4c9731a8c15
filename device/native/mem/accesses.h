/* Accesses to memory and images: instructions of a kind, for warp w, and what they are made of. */
#ifndef SIMTCL_NATIVE_ACCESSES_H
#define SIMTCL_NATIVE_ACCESSES_H

#include "device/analysis/splitaddress.h"
#include "device/native/value.h"

/* ---- plan ---- */

bool localrows_plan(struct plan *plan);
bool transposed_plan(struct plan *plan);
bool stream_plan(struct plan *plan);
bool lanerows_plan(struct plan *plan);
bool atomic_plan(struct plan *plan); /* makes privatised */

/* ---- instructions ---- */

void access_emit(struct emitter *e, unsigned w);
/* Past it, where it is a store that may be left out: a way of y. */
void access_overwritten(struct emitter *e, struct ways *y);
void private_emit(struct emitter *e, unsigned w);
void atomic_emit(struct emitter *e, unsigned w);
void images_emit(struct emitter *e, unsigned w);
/* The texture with that number in the launch's table, which has it. */
LLVMValueRef images_texture(struct emitter *e, LLVMValueRef image);

/* ---- addresses and rows ---- */

/* How a warp's lanes are moved. */
enum access_class {
    ACCESS_UNIFORM,  /* all at one address */
    ACCESS_POINTS,   /* each piece at one address */
    ACCESS_ROWS,     /* each piece in a row, element by element */
    ACCESS_STRIDED,  /* each piece at another even distance: vectors, from which lanes are picked */
    ACCESS_TABLE,    /* anywhere in a table that a few registers hold */
    ACCESS_DENSE,    /* pieces that may lie in one of these ways, which is tested at run time */
    ACCESS_SCATTERED /* anywhere: gathered, or lane by lane */
};
/* The plan of an access, from what is known of its addresses: in pieces of so many lanes that
 * follow one another, at an even distance. Of VARYING ones that holds for lanes that are on. */
struct access_plan {
    enum access_class class;
    struct warp_value at;
    unsigned lanes;            /* of a piece; 0: they lie anywhere */
    int32_t stride;            /* between lanes of a piece */
    unsigned size;             /* of an element */
    bool full;                 /* all lanes are on */
    struct splitaddress split; /* the address taken apart, of a TABLE or DENSE */
};
/* Of the cursor's load or store. */
struct access_plan access_plan_of(struct emitter *e, unsigned w);
/* Its lanes, all components, as vectors: loads them into `v`, or stores them from there. */
void access_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v);
/* The vectors that it stores; those that it has loaded, into its registers. */
void access_read_sources(struct emitter *e, unsigned w, LLVMValueRef *lanes);
void access_write_results(struct emitter *e, unsigned w, const LLVMValueRef *lanes);
/* The address of a piece's first lane, which must be on where they are VARYING. */
LLVMValueRef access_piece(struct emitter *e, const struct access_plan *p, unsigned piece);
/* Host addresses of sandbox addresses, one or one for each lane. */
LLVMValueRef access_host(struct emitter *e, LLVMValueRef address, int64_t displacement);
/* Whether so many bytes from an address on lie on one page, as an i1. */
enum { ACCESS_PAGE = 4096 };
LLVMValueRef access_on_page(struct emitter *e, LLVMValueRef address, unsigned bytes);
/* Whether of the first `lanes` of a vector of addresses each one's bytes, so many from there on,
 * end before the next one's begin, as an i1. */
LLVMValueRef access_in_order(struct emitter *e, LLVMValueRef at, unsigned lanes, unsigned bytes);
/* A vector in a row of memory; mask: lanes that are on, or NULL: all. */
LLVMValueRef access_row(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask);
void access_put_row(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask);
/* Asks for the lines that such a vector is to be stored to: where they are not foreseen, stores
 * would wait for one after the other, and loads behind them for stores. */
void access_ahead(struct emitter *e, LLVMTypeRef type, LLVMValueRef at);
/* Asks for a line, which is to be written or read. */
void access_prefetch(struct emitter *e, LLVMValueRef at, bool write);
LLVMValueRef access_gather(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, unsigned align,
                           LLVMValueRef mask);
void access_scatter(struct emitter *e, LLVMValueRef v, LLVMValueRef at, unsigned align,
                    LLVMValueRef mask);
void access_mark(struct emitter *e, LLVMValueRef access);
void access_invariant(struct emitter *e, LLVMValueRef load); /* of what no kernel changes */
LLVMValueRef access_plain(struct emitter *e, LLVMTypeRef type, LLVMValueRef at);

/* ---- ways of access ----
 *
 * A function that ends in _move does what access_move does. */

/* pieces.c: lanes at even distances. */
enum { ACCESS_PIECES = ISA_WARP / 2 }; /* at most */
struct access_rows {
    unsigned lanes;                 /* of a piece */
    bool down;                      /* its last lane is the lowest */
    LLVMValueRef at[ACCESS_PIECES]; /* host address; NULL: nobody is there */
    LLVMValueRef on[ACCESS_PIECES]; /* lanes; NULL: all */
};
/* One component: loaded into *v, or stored from there; loaded, one for each piece. */
void pieces_rows(struct emitter *e, const struct access_rows *r, LLVMValueRef *v);
LLVMValueRef pieces_points(struct emitter *e, const struct access_rows *r);
void pieces_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v);
void pieces_strided(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v);
/* The cursor's load of a row, for a strip. */
void pieces_strip(struct emitter *e, unsigned w);
bool pieces_strided_fits(const struct emitter *e, const struct access_plan *p);
/* The host has masked loads and stores of the cursor's elements. */
bool pieces_masked(const struct emitter *e);

/* localrows.c: accesses whose addresses are known (plan: addresses): is the cursor's one? Do the
 * rows of those to arguments lie in local memory, as an i1? Where a work-item's word lies. */
bool localrows_known(const struct emitter *e);
LLVMValueRef localrows_fit(struct emitter *e);
/* What a group leaves in local memory nobody reads: LLVM sees zeros over each row of it, which are
 * taken out again behind its passes (jit.c), and what is stored there last with them. */
void localrows_forget(struct emitter *e);
LLVMValueRef localrows_place(struct emitter *e, uint32_t item);
void localrows_emit(struct emitter *e, unsigned w);

/* transposed.c: the whole bundle's access, if it is one of those: a way of y; the builder is where
 * it has to be done warp by warp. True: it is done. */
bool transposed_emit(struct emitter *e, struct ways *y);

/* riffle.c: 2^n rows of 16 words, row by row, made the same words column by column; or back. */
void riffle(struct emitter *e, LLVMValueRef *row, unsigned rows, bool back);

/* lanerows.c: the cursor's access, if it is one of those that are made together. */
bool lanerows_emit(struct emitter *e, unsigned w);

/* stream.c: the cursor's `cached` for a loop, before it; test: where lanes leave that. That some
 * was stored so is left in native_run. */
LLVMValueRef stream_loop(struct emitter *e, uint32_t begin, uint32_t test);
/* Stores a row past the caches where that is right: a way of y, if it may be. on: lanes,
 * NULL: all. */
void stream_put(struct emitter *e, struct ways *y, LLVMValueRef v, LLVMValueRef at,
                LLVMValueRef on);

/* dense.c: one component; lanes that may lie in a row. */
bool dense_fits(const struct emitter *e, const struct access_plan *p);
void dense_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v);
/* The sum of what is one for the warp in an address taken apart; NULL: nothing is. */
LLVMValueRef dense_uniform(struct emitter *e, const struct splitaddress *s, unsigned w);
/* Which lanes of a vector of words do not follow the first of their piece, so many lanes, `step` by
 * `step`, as i1s; base: what each lane has without its steps. */
LLVMValueRef dense_misfits(struct emitter *e, LLVMValueRef v, unsigned lanes, uint32_t step,
                           LLVMValueRef *base);

/* smalltables.c: loads from a table whose size is known, as lanes' indices are. */
bool smalltables_fits(const struct emitter *e, const struct access_plan *p);
void smalltables_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v);
/* Loads by lanes that are likely to lie near each other: of `count` elements from `imm` on, a way
 * of y. */
bool smalltables_near_fits(const struct emitter *e, const struct access_plan *p, unsigned count);
void smalltables_near(struct emitter *e, struct ways *y, const struct access_plan *p, unsigned w,
                      int64_t imm, unsigned count, LLVMValueRef *v);

/* scattered.c: lanes that lie anywhere. */
void scattered_move(struct emitter *e, LLVMValueRef address, unsigned w, LLVMValueRef *v);
/* An element of each lane that is on, with a displacement. */
LLVMValueRef scattered_load(struct emitter *e, enum isa_type type, LLVMValueRef address,
                            int64_t displacement, unsigned w);
/* What the lowest lane has that is on; the highest. */
LLVMValueRef scattered_lowest(struct emitter *e, LLVMValueRef v, unsigned w);
LLVMValueRef scattered_highest(struct emitter *e, const struct warp_value *v, unsigned w);
/* Whether all lanes that are on have the same of `v`, as an i1, and what that is. */
LLVMValueRef scattered_same(struct emitter *e, LLVMValueRef v, unsigned w, LLVMValueRef *one);
/* From here on for each lane of `bits`, of which one at least is set: t->lane, an i64. */
struct lane_loop {
    LLVMBasicBlockRef head;
    LLVMValueRef left, lane;
};
void scattered_begin(struct emitter *e, struct lane_loop *t, LLVMValueRef bits);
void scattered_end(struct emitter *e, const struct lane_loop *t);
/* What lanes have, for such a loop; in assisted buffer n if it differs; and one lane's. */
struct lane_table {
    LLVMValueRef one, rows;
    LLVMTypeRef type;
};
struct lane_table scattered_table(struct emitter *e, unsigned n, const struct warp_value *v);
LLVMValueRef scattered_entry(struct emitter *e, const struct lane_table *t, LLVMValueRef lane);

/* texelrows.c: images in which half-warps lie in rows. Where lanes do in this launch their
 * components are read into `v`, or written: a way of y. */
bool texelrows_fits(const struct emitter *e);
void texelrows_emit(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef image,
                    LLVMValueRef v[4]);
/* The same of float coordinates, which lie in the first of the texels' rows, as do the components
 * in the last ones. */
bool texelrows_samples(const struct emitter *e);
void texelrows_sample(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef image,
                      LLVMValueRef sampler, LLVMValueRef rows);

#endif
