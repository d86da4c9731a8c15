/* Warp IR to LLVM IR: the state while code is emitted, and what all files that emit share.
 *
 * A function runs a bundle of warps in lockstep: each instruction is emitted for one warp after the
 * other. Where warps may go different ways the whole region is emitted warp by warp. */
#ifndef SIMTCL_NATIVE_EMIT_H
#define SIMTCL_NATIVE_EMIT_H

#include "device/native/llvm.h"
#include "device/native/plan.h"

enum { EMIT_BUFFERS = 272 }; /* operands in memory of one assisted instruction */
/* More would cost LLVM time and loops registers: those of large kernels stay in memory. */
enum { EMIT_COUNTERS = 64 };

/* LLVM's side: the module, and what there is once for the kernel's function. Things that are made
 * when they are first asked for are NULL before. */
struct codegen {
    LLVMContextRef context;
    LLVMModuleRef module;
    bool names;     /* values get names, for a person to read */
    unsigned lanes; /* of vectors: a warp's, or a strip's */
    LLVMTypeRef scalar[ISA_TYPE_COUNT], vector[ISA_TYPE_COUNT], pointer, word, wide;
    LLVMBuilderRef entry_end;                   /* at the end of the entry block */
    LLVMValueRef run, params, warp[PLAN_WARPS]; /* warp: its index in the group */
    LLVMBasicBlockRef entry, start, finish;
    LLVMValueRef fields[sizeof(struct native_run) / 4];
    LLVMValueRef *slots;      /* of registers: [reg][warp][half] */
    LLVMValueRef *local_rows; /* where local memory begins, and that of each argument */
    LLVMValueRef buffers[EMIT_BUFFERS], sources, results;
    LLVMValueRef texels;     /* rows of an image access */
    uint32_t texelrows;      /* image accesses that there is code for, other than a call */
    LLVMValueRef samples[3]; /* functions that read texels by float coordinates */
    uint64_t *told;          /* instructions: which of the EMISSIONs were told, as bits */
    LLVMValueRef counters[EMIT_COUNTERS]; /* of probes: variables, */
    uint32_t ncounters;                   /* unless they are too many: 0 */
    LLVMValueRef *lanerows;               /* values of the plan's lane rows: [row][warp][word] */
    LLVMValueRef resume; /* of a resumable function: the switch to the points it goes on from */
    uint32_t points;
    struct { /* of a loop that goes by strips: which registers it reads, and writes; */
        uint8_t *of;
        LLVMValueRef *slots, *memory; /* the strips' own; the warp's vectors */
    } strips;
    struct { /* registers of one lane: scalars, all of them */
        uint8_t *kinds, *shared;
        LLVMValueRef *slots;
        LLVMValueRef *again; /* and the warp's, while it is told what lanes did by themselves */
    } lane;
};

struct open_region {
    bool loop, is_else, divergent;
    bool reconverges; /* lanes leave it for its end only: left, then, has those that came */
    bool no_continue; /* a loop in which no lane continues early */
    bool asks;        /* a loop at whose end it is asked whether a lane is left */
    LLVMBasicBlockRef head, end, exit, merge, over; /* NULL: nothing has jumped there */
    /* Masks of lanes that have left it, and that continue; of an if that reconverges `continued` is
     * those for its other part. */
    LLVMValueRef left[PLAN_WARPS], continued[PLAN_WARPS];
    LLVMValueRef cached; /* of a loop: the cursor's round it */
};
/* Regions of the kernel, and one for a lane that runs by itself. */
enum { EMIT_REGIONS = ISA_MAX_NESTING + 2 };

/* How registers are kept. */
struct emitter_registers {
    const uint8_t *kinds, *shared;
    LLVMValueRef *slots;
};

/* The cursor: where in the kernel we are, for which warps and lanes, and where the code goes. To
 * emit a part in another way a copy is made and changed, and forgotten afterwards. */
struct emitter {
    const struct native_request *request;
    const struct plan *plan;
    const struct isa_kernel *k; /* the plan's */
    struct codegen *c;
    LLVMBuilderRef b;            /* here */
    LLVMValueRef function, base; /* that is being emitted; the middle of the sandbox in it */
    uint32_t i;                  /* the instruction */
    const struct isa_inst *inst;
    unsigned from, to;             /* warps of the bundle */
    struct emitter_registers regs; /* those of the warps, or of one lane: */
    bool one_lane;                 /* what is being emitted is for one lane: */
    LLVMValueRef lane;             /* an i64, if branches, private memory and C are to know it */
    bool partial;                  /* the last of the warps may have lanes that are not there */
    bool later;                    /* others of the bundle have passed this segment */
    bool guarded;                  /* all lanes have passed the guards round it */
    uint32_t refused;              /* a guard that some have not passed, + 1; 0: none */
    LLVMValueRef cached;           /* of an iteration that all lanes make: no store may go past the
                                      caches if it is not 0; NULL: none may */
    bool rows_off;                 /* no local memory is accessed in known rows */
    bool probes_later;             /* probes are passed over: what is emitted may be done again */
    LLVMValueRef strip;            /* the first lane of what is being emitted; NULL: all lanes */
    LLVMValueRef mask[PLAN_WARPS]; /* variables: the active mask, */
    LLVMValueRef live[PLAN_WARPS]; /* and lanes that have not returned */
    struct open_region *open;      /* from 1 on */
    uint32_t depth;
    struct {
        uint32_t inst;        /* a load whose components lie side by side, + 1; 0: none */
        LLVMValueRef half[2]; /* as it found them */
    } whole[PLAN_WARPS];
};

/* Emits the planned kernel into c->module. false: out of memory. */
bool emit_kernel(struct codegen *c, const struct plan *plan);

/* Tells under SIMTCL_LOG=passes what an EMISSION makes of the cursor's instruction: once, for
 * however many warps it is emitted. */
void emit_tell(const struct emitter *e, enum plan_step step, const char *what);
LLVMValueRef emit_alloca(struct emitter *e, LLVMTypeRef type, const char *name);
LLVMBasicBlockRef emit_block(struct emitter *e, const char *name);
/* Ends the block: goes to `to`; the builder is then at `next`. */
void emit_goto(struct emitter *e, LLVMBasicBlockRef to, LLVMBasicBlockRef next);
/* Likewise, to one of two; the builder is at `yes`. NULL: a new block, where the builder is. */
void emit_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef yes,
                 LLVMBasicBlockRef no);
LLVMValueRef emit_word(struct emitter *e, uint32_t value);
/* How a word compares with a known one, as an i1. */
LLVMValueRef emit_compare(struct emitter *e, LLVMIntPredicate is, LLVMValueRef v, uint32_t to);
/* Calls an intrinsic; if there are several of the name that for the first operand's type, or for
 * those that are given. */
#define emit_intrinsic(e, name, ...)                                                               \
    emit_listed(e, name, (LLVMValueRef[]){__VA_ARGS__},                                            \
                sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))
LLVMValueRef emit_listed(struct emitter *e, const char *name, LLVMValueRef *args, unsigned nargs);
LLVMValueRef emit_typed(struct emitter *e, const char *name, LLVMTypeRef *types, unsigned ntypes,
                        LLVMValueRef *args, unsigned nargs);
/* Loads at the function's beginning what lies so many bytes from a pointer that is there. */
LLVMValueRef emit_early(struct emitter *e, LLVMTypeRef type, LLVMValueRef from, size_t offset,
                        const char *name);
/* A field of native_run, which does not change while the function runs: it is read once, there. */
LLVMValueRef emit_field(struct emitter *e, size_t offset, LLVMTypeRef type, const char *name);
#define emit_of_run(e, name, type) emit_field(e, offsetof(struct native_run, name), type, #name)
/* Metadata of an instruction: a name, and n parts. */
void emit_metadata(struct emitter *e, LLVMValueRef inst, const char *name, LLVMMetadataRef *parts,
                   unsigned n);
/* Tells LLVM that the address, just loaded, is an object's: from none does a displacement reach the
 * end of a half of the sandbox, so what is added to it may be one, too. */
LLVMValueRef emit_within_half(struct emitter *e, LLVMValueRef address);
/* The number of the lowest bit of a word that is not 0. */
LLVMValueRef emit_lowest_bit(struct emitter *e, LLVMValueRef bits);
/* Calls a C function that returns nothing. */
void emit_call(struct emitter *e, LLVMValueRef function, LLVMValueRef *args, unsigned nargs);
LLVMValueRef emit_unit(struct emitter *e, unsigned n);         /* native_run.units[n] */
LLVMValueRef emit_bits(struct emitter *e, LLVMValueRef lanes); /* of a mask, as a word */
LLVMValueRef emit_all_bits(struct emitter *e);                 /* of a mask of all lanes */
LLVMValueRef emit_splat(struct emitter *e, LLVMValueRef scalar);
LLVMValueRef emit_words(struct emitter *e, uint32_t value); /* in all lanes */
bool emit_is_vector(LLVMValueRef v);
/* A scalar beside v: in all lanes, where that is a vector. */
LLVMValueRef emit_like(struct emitter *e, LLVMValueRef v, LLVMValueRef scalar);
/* Where element n lies, a word or an i64, of those of a type that begin at an address. */
LLVMValueRef emit_element(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef n);
/* The host address so many bytes, an i64 or i64s, from another; the same of a known distance. */
LLVMValueRef emit_beyond(struct emitter *e, LLVMValueRef at, LLVMValueRef bytes);
LLVMValueRef emit_inside(struct emitter *e, LLVMValueRef at, int64_t bytes);
/* All 32 lanes are on at this instruction, whatever the warp. */
bool emit_full(const struct emitter *e);
LLVMValueRef emit_mask(struct emitter *e, unsigned w);      /* <32 x i1> */
LLVMValueRef emit_mask_bits(struct emitter *e, unsigned w); /* i32 */
LLVMValueRef emit_number(struct emitter *e); /* of the instruction, in the request's kernel */
/* The instructions [from, to), whole regions, for the warps of the cursor. */
void emit_range(struct emitter *e, uint32_t from, uint32_t to);
/* The same for vectors of so many lanes. */
struct codegen emit_narrow(const struct codegen *c, unsigned lanes);
/* A copy of the cursor, at instruction n. */
struct emitter emit_at(const struct emitter *e, uint32_t n);

static inline enum kind emit_kind(const struct emitter *e, isa_operand reg) {
    return (enum kind)e->regs.kinds[reg];
}
/* Several warps are being emitted. */
static inline bool emit_many(const struct emitter *e) { return e->to - e->from > 1; }

/* ---- ways.c: ways that code may go at run time, one of several, until they meet again ----
 *
 * What each way gives is told at its end; where they meet it is one value. */

enum { WAYS_MOST = 6, WAYS_VALUES = 16 };

struct ways { /* zeros: none has begun */
    LLVMBasicBlockRef other, after;
    LLVMBasicBlockRef from[WAYS_MOST];
    LLVMValueRef v[WAYS_MOST][WAYS_VALUES];
    unsigned count;
};

/* Begins a way where the condition, an i1, holds. */
void ways_if(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name);
/* In a way that has just begun: goes on where another condition holds, too. */
void ways_and(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name);
/* The same as ways_if where that is rare. */
void ways_rarely(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name);
/* Ends a way, which gives n values; the builder is where the condition did not hold. */
void ways_else(struct emitter *e, struct ways *y, const LLVMValueRef *v, unsigned n);
/* Ends the last way, likewise; the builder is where all meet, and v has what they gave: NULL where
 * one of them gave NULL. Where none has begun there is nothing to end. */
void ways_end(struct emitter *e, struct ways *y, LLVMValueRef *v, unsigned n);

#endif
