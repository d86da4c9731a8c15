/* Warp IR to LLVM IR: what the files of this folder share.
 *
 * A function runs a bundle of warps in lockstep: each instruction is emitted for one warp after the
 * other. Where warps may go different ways the whole region is emitted warp by warp. */
#ifndef SIMTCL_NATIVE_EMIT_H
#define SIMTCL_NATIVE_EMIT_H

#include "llvm.h"
#include "native.h"
#include "device/analysis/shape.h"

enum { EMIT_WARPS = 8 };     /* most warps of a bundle */
enum { EMIT_COST = 3000 };   /* instructions of a kernel that is compiled at all */
enum { EMIT_BUFFERS = 272 }; /* operands in memory of one assisted instruction */

/* How a register is kept, by what shape knows of it. */
enum kind {
    KIND_VARYING, /* a vector of 32 lanes */
    KIND_HALVES,  /* a scalar for each half-warp, to which stride * lane is added */
    KIND_LINEAR,  /* one scalar for the warp, likewise */
    KIND_UNIFORM  /* one scalar */
};

struct warp_value {
    enum kind kind;
    enum isa_type type;
    int32_t stride;
    LLVMValueRef v[2];
};

struct open_region {
    bool loop, is_else, divergent;
    bool reconverges; /* lanes leave it for its end only: left, then, has those that came */
    bool no_continue; /* a loop in which no lane continues early */
    LLVMBasicBlockRef head, end, exit, merge, over;       /* NULL: nothing has jumped there */
    LLVMValueRef left[EMIT_WARPS], continued[EMIT_WARPS]; /* masks of lanes that wait; again of a
                                                         reconverging if: for the other part */
};

/* How each register is kept. */
struct emitter_registers {
    uint8_t *kinds;
    uint8_t *shared;     /* one for the whole bundle */
    LLVMValueRef *slots; /* [reg][warp][half] */
};

/* What the values of a register are at most, and how many low bits are 0. */
struct value_bound {
    uint32_t most;
    uint8_t zeros;
};

struct emitter {
    const struct native_request *request;
    const struct isa_kernel *k;     /* the request's, or made of it */
    struct isa_kernel *specialised; /* then this, */
    uint32_t *origins;              /* and which instruction of the request's each one was */
    struct shape *shape;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b, eb; /* here; at the end of the entry block */
    LLVMValueRef fields[sizeof(struct native_run) / 4];
    LLVMValueRef function, run;
    LLVMBasicBlockRef entry, finish;
    LLVMTypeRef scalar[ISA_TYPE_COUNT], vector[ISA_TYPE_COUNT], pointer, word, wide;
    LLVMValueRef base, params, own, warp[EMIT_WARPS]; /* warp: its index in the group */
    uint32_t items, warps;
    unsigned bundle, from, to;  /* warps of a bundle; those being emitted now */
    bool resumable;             /* stops at barriers */
    bool too_large;             /* to be compiled in reasonable time */
    uint32_t atomics;           /* atomic instructions of the kernel */
    bool partial;               /* the last warp of a group has lanes off */
    uint8_t *kinds;             /* of registers */
    uint8_t *shared;            /* registers: one for the whole bundle */
    uint8_t *per_warp;          /* instructions: begin of a region that is emitted warp by warp */
    uint8_t *lockstep;          /* likewise: that warps pass together, some without lanes */
    uint8_t *scattered;         /* registers: made of what lanes have read */
    uint8_t *read;              /* registers: written by loads only, and denormals are flushed */
    bool reinterprets;          /* integers that were stored may be read as f32, likewise */
    struct value_bound *bounds; /* of registers */
    int32_t **addresses;        /* accesses to local memory: the place of each work-item, or NULL */
    LLVMValueRef local_rows;    /* where local memory begins, once it was asked for */
    uint8_t *streams;           /* instructions: stores that may go past the caches */
    uint32_t streamed;          /* bytes that a work-item stores so */
    uint64_t *provenance;       /* registers: parameters whose addresses they hold, as bits */
    uint8_t *privatised;        /* instructions: atomics that may go to a table */
    uint32_t privatised_param;  /* the parameter whose memory is only added to, + 1; 0: none */
    uint8_t *switches;          /* instructions: begin of a switch whose cases are done at once */
    uint8_t *divergent;         /* instructions: begin of a region that lanes leave one by one */
    uint8_t *serialised;        /* instructions: begin of a loop that lanes may end one by one */
    bool one_lane;              /* what is being emitted now is for one lane */
    bool full_mask;             /* or an iteration of a loop that all lanes make */
    LLVMValueRef cached; /* in which no store may go past the caches: not 0; NULL: so it is */
    struct emitter_registers lane; /* of one lane */
    LLVMValueRef *slots;           /* of registers: [reg][warp][half] */
    LLVMValueRef mask[EMIT_WARPS], live[EMIT_WARPS];
    LLVMValueRef buffers[EMIT_BUFFERS], sources, results;
    struct {
        uint32_t inst;        /* a load whose components lie side by side, + 1; 0: none */
        LLVMValueRef half[2]; /* as it found them */
    } whole[EMIT_WARPS];
    LLVMValueRef texels;     /* rows of an image access */
    uint32_t texelrows;      /* image accesses that there is code for, other than a call */
    LLVMValueRef samples[3]; /* functions that read texels by float coordinates */
    struct open_region open[ISA_MAX_NESTING + 1];
    uint32_t depth;
    uint32_t i;
    const struct isa_inst *inst;
    /* barriers of a resumable function */
    LLVMValueRef resume; /* the switch */
    uint32_t points, state_bytes;
    uint32_t *state_at; /* of registers */
    uint32_t *first, *last;
    LLVMBasicBlockRef start;
};

/* plan.c: chooses k and fills what emit_range wants to know of it. false: too_large, or out of
 * memory; plan_free is called then, too. */
bool plan_make(struct emitter *e);
void plan_free(struct emitter *e);

/* emit.c */
bool emit_kernel(struct emitter *e); /* false: too_large, or out of memory */
LLVMValueRef emit_alloca(struct emitter *e, LLVMTypeRef type, const char *name);
LLVMBasicBlockRef emit_block(struct emitter *e, const char *name);
LLVMValueRef emit_word(struct emitter *e, uint32_t value);
LLVMValueRef emit_intrinsic(struct emitter *e, const char *name, LLVMTypeRef *types,
                            unsigned ntypes, LLVMValueRef *args, unsigned nargs);
LLVMValueRef emit_field(struct emitter *e, size_t offset, LLVMTypeRef type, const char *name);
bool emit_full(struct emitter *e); /* all 32 lanes are on at this instruction, whatever the warp */
LLVMValueRef emit_mask(struct emitter *e, unsigned w);      /* <32 x i1> */
LLVMValueRef emit_mask_bits(struct emitter *e, unsigned w); /* i32 */
LLVMValueRef emit_number(struct emitter *e); /* of the instruction, in the request's kernel */
LLVMValueRef emit_bits(struct emitter *e, LLVMValueRef lanes);
LLVMValueRef emit_unit(struct emitter *e, unsigned n); /* native_run.units[n] */
LLVMValueRef emit_splat(struct emitter *e, LLVMValueRef scalar);
void emit_range(struct emitter *e, uint32_t from, uint32_t to);
void emit_instruction(struct emitter *e, unsigned w); /* which is no control flow */

/* masks.c: where a mask is kept; what is computed with masks, each a <32 x i1>. any: an i1 */
LLVMValueRef mask_slot(struct emitter *e, const char *name);
LLVMValueRef mask_get(struct emitter *e, LLVMValueRef slot);
void mask_put(struct emitter *e, LLVMValueRef mask, LLVMValueRef slot);
LLVMValueRef mask_and(struct emitter *e, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef mask_or(struct emitter *e, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef mask_without(struct emitter *e, LLVMValueRef mask, LLVMValueRef off);
LLVMValueRef mask_any(struct emitter *e, LLVMValueRef mask);

/* value.c */
enum kind value_kind(const struct shape *s, const struct isa_kernel *k, isa_operand o);
struct warp_value value_read(struct emitter *e, isa_operand o, unsigned w);
LLVMValueRef value_vector(struct emitter *e, const struct warp_value *v);
LLVMValueRef value_piece(struct emitter *e, const struct warp_value *v,
                         unsigned half); /* of lane 16 * half */
/* LLVM, where it knows an f32, rounds it or takes its square root as it is, though it is a denormal
 * that is to be flushed. So integers that become f32 are hidden from it unless they were read from
 * memory, and those stored unless nothing reads f32 there. The first fills read and reinterprets.
 */
void value_plan(struct emitter *e);
LLVMValueRef value_real(struct emitter *e, isa_operand from, LLVMValueRef bits, LLVMTypeRef type);
/* Integers, one or a vector, with a 0 in them that LLVM does not know. */
LLVMValueRef value_obscured(struct emitter *e, LLVMValueRef bits);
struct warp_value value_stored(struct emitter *e, isa_operand o, unsigned w);
/* Writes a register as shape allows; `v` is UNIFORM, VARYING or of the register's kind. */
void value_write(struct emitter *e, isa_operand reg, unsigned w, struct warp_value v);
LLVMValueRef *value_slot(struct emitter *e, isa_operand reg, unsigned w);
LLVMValueRef value_lanes(struct emitter *e, LLVMTypeRef element,
                         int64_t step); /* 0, step, 2 step ... */
static inline struct warp_value value_of(enum kind kind, enum isa_type type, LLVMValueRef v) {
    return (struct warp_value){.kind = kind, .type = type, .v = {v, NULL}};
}

/* alu.c: one operation on scalars or vectors; NULL: it has to be assisted. The first source of a
 * select may be a scalar beside vectors. */
LLVMValueRef alu_emit(struct emitter *e, LLVMValueRef *src, bool vectors);
LLVMValueRef alu_fma(struct emitter *e, LLVMValueRef *src, enum isa_type type, bool vectors);

/* sfu.c: likewise for the native_ functions; NULL: it is none of them. */
LLVMValueRef sfu_emit(struct emitter *e, LLVMValueRef *src, bool vectors);

/* squareroot.c: the rounded square root of a scalar or a vector */
LLVMValueRef squareroot_emit(struct emitter *e, LLVMValueRef x);

/* veclib.c: a math function whose operands stay in registers; false: it is none of those. */
bool veclib_emit(struct emitter *e, unsigned w);

/* access.c, private.c, atomic.c, assisted.c, control.c: instructions of a kind, for warp w */
void access_load(struct emitter *e, unsigned w);
void access_store(struct emitter *e, unsigned w);
void private_emit(struct emitter *e, unsigned w);
struct private_access { /* an access of one component by the lanes of a mask */
    uint32_t i;
    LLVMValueRef mask;
};
/* Loads, or stores, of one size in one: of different lanes. */
void private_combined(struct emitter *e, unsigned w, const struct private_access *parts,
                      unsigned n);
void atomic_emit(struct emitter *e, unsigned w);
void images_emit(struct emitter *e, unsigned w);
void assisted_emit(struct emitter *e, unsigned w);
void assisted_math(struct emitter *e, unsigned w);
LLVMBasicBlockRef assisted_if(struct emitter *e, unsigned w, LLVMValueRef condition);
LLVMValueRef assisted_buffer(struct emitter *e, unsigned n); /* room for 32 lanes of any type */
/* access.c: host addresses of sandbox addresses, one or one for each lane; accesses to those */
struct warp_address { /* the addresses of a warp */
    struct warp_value at;
    int32_t stride; /* between lanes, LINEAR and HALVES */
    unsigned size;  /* of an element */
    bool full;      /* all lanes are on */
};
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
LLVMValueRef access_half(struct emitter *e, LLVMValueRef v, unsigned half);
LLVMValueRef access_joined(struct emitter *e, LLVMValueRef low, LLVMValueRef high);

/* pressure.c: vectors that registers hold at once, at most, at the instructions [from, to) */
uint32_t pressure_most(const struct emitter *e, uint32_t from, uint32_t to);
void pressure_split(struct emitter *e); /* adds to per_warp */

/* strided.c: all components of an instruction at once */
bool strided_fits(const struct emitter *e, const struct warp_address *p, bool store);
void strided_load(struct emitter *e, const struct warp_address *p, unsigned w, LLVMValueRef *v);
void strided_store(struct emitter *e, const struct warp_address *p, unsigned w,
                   const LLVMValueRef *v);

/* specialise.c: a kernel that does the same in groups of `size`, of at most `most` instructions, or
 * NULL: there is none that would be better, or no memory. versions: bodies of loops may be there
 * several times, for several values. It refers to k. Whoever asked for it frees it by
 * specialise_free and *origins by free. */
struct isa_kernel *specialise_new(const struct isa_kernel *k, const uint32_t size[3], uint32_t most,
                                  bool versions, uint32_t **origins);
void specialise_free(struct isa_kernel *k); /* NULL is fine */

/* addresses.c: makes addresses; an entry is the byte of local memory that each work-item of the
 * group accesses, -1: it is off. All lie in whole rows of 32 words of the kernel's local memory. */
bool addresses_find(struct emitter *e); /* false: out of memory */
void addresses_free(struct emitter *e);

/* localrows.c: accesses whose addresses are known, for warp w */
void localrows_load(struct emitter *e, unsigned w);
void localrows_store(struct emitter *e, unsigned w);

/* liveranges.c: fills first and last; false: out of memory */
bool liveranges_find(struct emitter *e);

/* bounds.c */
bool bounds_find(struct emitter *e); /* makes bounds; false: out of memory */
struct value_bound bounds_of(const struct emitter *e, isa_operand o);

/* transposed.c: what several warps store or load, where it lies in columns */
bool transposed_may(const struct emitter *e, const struct isa_inst *i);
bool transposed_plan(const struct emitter *e); /* there may be such a store */
LLVMBasicBlockRef transposed_store(struct emitter *e);
LLVMBasicBlockRef transposed_load(struct emitter *e);

/* provenance.c: which parameters an address comes from, as bits */
bool provenance_find(struct emitter *e); /* makes provenance; false: out of memory */
uint64_t provenance_of(const struct emitter *e, const struct isa_inst *i);

/* texelrows.c: images in which half-warps lie in rows. Where lanes do in this launch their
 * components are read into `v`, or written; the builder is then left where they do not, *from is
 * the place where they did, and the result that where both ways meet. */
bool texelrows_fits(const struct emitter *e);
LLVMBasicBlockRef texelrows_emit(struct emitter *e, unsigned w, LLVMValueRef image,
                                 LLVMValueRef v[4], LLVMBasicBlockRef *from);
/* The same of float coordinates, which lie in the first of the texels' rows, as do the components
 * in the last ones. */
bool texelrows_samples(const struct emitter *e);
LLVMBasicBlockRef texelrows_sample(struct emitter *e, unsigned w, LLVMValueRef image,
                                   LLVMValueRef sampler, LLVMValueRef rows);

/* iterations.c: the only instruction of the loop at `begin` that writes a register; begin: none
 * does, the loop's end: several do. And whether an operand is the same in all iterations. */
uint32_t loopvars_writer(const struct emitter *e, uint32_t begin, isa_operand reg);
bool loopvars_invariant(const struct emitter *e, uint32_t begin, isa_operand o);

/* fullmask.c: iterations of loops that all lanes make, although they may leave one by one */
bool fullmask_may(const struct emitter *e, uint32_t begin); /* it is such a loop */
bool fullmask_plan(const struct emitter *e);                /* there is one */
void fullmask_emit(struct emitter *e, uint32_t begin);

/* privatise.c: memory that is only added to */
void privatise_plan(struct emitter *e); /* fills privatised */
LLVMBasicBlockRef privatise_emit(struct emitter *e, unsigned w, const struct warp_value *at,
                                 const struct warp_value *by);

/* stream.c: rows that are written once and not read */
void stream_plan(struct emitter *e); /* fills streams */
LLVMBasicBlockRef stream_put(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef on);

/* dense.c: one component; lanes that may lie in a row */
void dense_plan(struct emitter *e); /* fills scattered */
/* Which lanes of a vector of words do not follow the first of their half-warp `step` by `step`, as
 * i1s; base: what each lane has without its steps. */
LLVMValueRef dense_misfits(struct emitter *e, LLVMValueRef v, uint32_t step, LLVMValueRef *base);
LLVMValueRef dense_load(struct emitter *e, LLVMValueRef address, int64_t displacement, unsigned w);
void dense_store(struct emitter *e, LLVMValueRef value, LLVMValueRef address, int64_t displacement,
                 unsigned w);

/* scattered.c: lanes that are on, one by one; one component, or all of the instruction's */
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
LLVMValueRef scattered_same(struct emitter *e, LLVMValueRef v, unsigned w, LLVMValueRef *one);
void scattered_begin(struct emitter *e, struct lane_loop *t, LLVMValueRef bits);
void scattered_end(struct emitter *e, const struct lane_loop *t);

/* serialise.c: loops that lanes end one after the other */
bool serialise_plan(struct emitter *e); /* fills serialised; false: out of memory */
void serialise_free(struct emitter *e);
LLVMValueRef serialise_begin(struct emitter *e);
LLVMBasicBlockRef serialise_emit(struct emitter *e, LLVMValueRef iterations);

/* switchconv.c: switches that lanes take their own ways */
void switchconv_plan(struct emitter *e); /* fills switches, adds SHAPE_MASKED */
void switchconv_emit(struct emitter *e);

void control_emit(struct emitter *e);
void control_else(struct emitter *e, bool reached);
void control_end(struct emitter *e);
void control_per_warp(struct emitter *e, uint32_t n); /* warps pass instruction n one by one */
bool control_plan(struct emitter *e); /* fills per_warp, lockstep, divergent; false: the kernel
                                         cannot run in lockstep */

#endif
