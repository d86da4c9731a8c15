/* The native engine's compiler, and how its code is called. The contract between device/, which
 * runs kernels, and the helper process (helper/helper.h), where LLVM is. */
#ifndef SIMTCL_NATIVE_H
#define SIMTCL_NATIVE_H

#include <stddef.h>

#include "device/isa/probes.h"
#include "device/isa/trace.h"

struct group;
struct math_table;
struct texture;

enum { NATIVE_COMPONENTS = 3, NATIVE_TEXEL_ROWS = 7 };

/* Where a thread adds up what is only added to (device/run/privatised.h): an object's address and
 * size, and its tables in a row, of which neighbouring lanes take different ones. bytes 0: nowhere.
 */
enum { NATIVE_TABLES = 4 };
struct native_privatised {
    uint32_t first, bytes;
    uint32_t next; /* bytes from one table to the next one; 0: there is one only */
    uint32_t *table;
};

/* What one launch writes, at least, to have its stores go past the caches: beyond that most of it
 * would have left them before it is read. Where the host has a larger cache it is more. */
enum { NATIVE_STREAM_BYTES = 8 << 20 };

/* What native code sees of the group it runs. Its layout is known to the code: native_fields. */
struct native_run {
    char *base;         /* middle of the sandbox */
    const char *params; /* argument block */
    char *own;          /* host address of the group's private frames */
    char *state;        /* what warps keep over barriers */
    const struct math_table *math;
    /* Executes instruction `inst` of the kernel for the lanes of `mask` of a warp. src: 32 lanes of
     * each source (a predicate: a word of bits), dst: the same for destinations, active lanes only
     * are certain to be written; a memory operation's base comes without its displacement. Leaves
     * through group_fault. */
    void (*assist)(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask,
                   const void *const *src, void *const *dst);
    /* Reads or writes texels (instruction `inst`) where all lanes of `mask` mean one image and one
     * sampler. rows: 32 lanes of each coordinate, and from NATIVE_COMPONENTS on of each component.
     * Leaves through group_fault when the image is none or of another kind. */
    void (*image)(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask, uint32_t image,
                  uint32_t sampler, uint32_t (*rows)[ISA_WARP]);
    const struct texture *textures;
    struct group *group;
    uint32_t ntextures;
    uint32_t local_base, local_bytes, constant_base, frame_bytes, items;
    uint32_t special[ISA_SPECIAL_COUNT]; /* the uniform ones */
    struct native_privatised privatised;
    uint32_t cached; /* not 0: no store may go past the caches, but in loops that write much */
    uint32_t passed; /* not 0: one went past them in such a loop */
    uint32_t alone;  /* parameters, as bits: no other argument is in the same object. Of those only
                        that the code has asked for (native_object.alone) */
    float units[4];  /* 1, -1, 0, -0: constants that must not be seen, or x * 1 would not flush a
                        denormal */
    /* For probes; last, so that nothing else lies elsewhere with it. */
    uint64_t *counters;
    /* Instruction `inst`, a probe_call or what stands for one, whose operand is an address for each
     * lane. */
    void (*tell)(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask,
                 const uint32_t *addresses);
    /* Of each place of the list one; `noted` is called when that of place `place` is full. */
    struct isa_notes *notes;
    void (*noted)(struct native_run *r, uint32_t place);
    const struct isa_guard *guards; /* of each call */
    struct isa_reads *reads;
    void (*read)(struct native_run *r); /* they are full */
};

/* Runs the warps of a bundle from `point` (0: the beginning) to their end, or to a barrier. Returns
 * the point to go on from, 0 when they have ended; NATIVE_LEAVES: the group, of which nothing has
 * been done yet, is to be run by general code (native_request.general). */
typedef uint32_t (*native_fn)(struct native_run *r, uint32_t first_warp, uint32_t point);
#define NATIVE_LEAVES UINT32_MAX

/* The machine code of a kernel: a relocatable ELF object that holds the native_fn NATIVE_FUNCTION.
 */
struct native_object {
    void *bytes; /* malloc'ed */
    size_t size;
    uint32_t bundle;      /* warps that one call runs */
    uint32_t state_bytes; /* of native_run.state for each warp; 0: it has no barriers to stop at */
    uint32_t streamed;    /* bytes that a work-item stores past the caches where `cached` is 0 */
    uint32_t privatised_param; /* the parameter whose memory is only added to, + 1; 0: none */
    uint32_t alone;            /* parameters, as bits, of which the code has to know that */
    uint32_t leaves;           /* not 0: groups may leave */
};
#define NATIVE_FUNCTION "kernel"

/* Is what an object of unknown origin says of itself possible for the kernel? */
static inline bool native_object_fits(const struct native_object *o, const struct isa_kernel *k) {
    enum { MOST_WARPS = 2048, MOST_STATE = 1 << 24 };
    for (uint32_t p = 0; p < 32; p++)
        if (o->alone >> p & 1 && (p >= k->nparams || k->params[p].kind != ISA_PARAM_GLOBAL))
            return false;
    return o->size && o->bundle && o->bundle <= MOST_WARPS && o->state_bytes <= MOST_STATE &&
           o->privatised_param <= k->nparams &&
           (!o->privatised_param || k->params[o->privatised_param - 1].kind == ISA_PARAM_GLOBAL);
}

enum native_level { NATIVE_BASELINE, NATIVE_AVX2, NATIVE_AVX512 };

/* All that the code depends on: what is added here belongs to codecache.c's key too. */
struct native_request {
    const struct isa_module *module;
    const struct isa_kernel *kernel;
    uint32_t local_size[3]; /* of the groups that are to be run */
    uint32_t group_size[3]; /* of those that the kernel is told it runs in, where what is run are
                               tiles (device/analysis/tiles.h); zeros: it is not asked for */
    bool low_ids;           /* isa_kernel.low_ids */
    uint32_t cut;           /* dimensions, as bits: tiles may reach beyond the ND-range */
    bool flat;              /* tiles are of two dimensions, the ND-range has one, in rows of the
                               length that device/analysis/flat.h finds */
    uint32_t along;         /* the dimension of the ND-range that is x of a tile, and x is its */
    uint32_t packed;        /* groups that follow one another in a tile; 0: it is a box */
    uint32_t local_step;    /* bytes of local memory from one group of a tile to the next one */
    enum native_level level;
    bool general; /* for groups that leave other code: none leaves this */
    bool flush;   /* f32 denormals are flushed */
    bool check;   /* LLVM's verifier looks at the code; what it finds is told on stderr,
                     the code is the same */
    const struct trace *trace; /* may be NULL; where it is active no code is kept */
};

enum native_status { NATIVE_OK, NATIVE_TOO_LARGE, NATIVE_NO_MEMORY, NATIVE_FAILED };

/* Who compiles. */
struct native_api {
    /* Compiles; may take long. On success the caller frees object->bytes; otherwise *why may say
     * more than the status: text of the calling thread's, until its next call. */
    enum native_status (*compile)(const struct native_request *r, struct native_object *object,
                                  const char **why);
    const char *(*library)(void); /* path of the LLVM in use, or NULL */
};

/* LLVM itself. One call at a time. */
extern const struct native_api native_api;

#endif
