/* Host passes that make a kernel for groups of one size: sized.def is their table. Each makes
 * another kernel of the one before, or none. */
#ifndef SIMTCL_SIZED_H
#define SIMTCL_SIZED_H

#include "device/isa/isa.h"
#include "device/isa/trace.h"

enum sized_pass {
#define PASS(name, label, function, what) SIZED_##name,
#include "sized.def"
#undef PASS
    SIZED_PASSES
};

/* Which groups a kernel is made for. */
struct sized_groups {
    uint32_t size[3];  /* in work-items */
    uint32_t asked[3]; /* what the kernel is told of that, where groups are tiles
                          (device/analysis/tiles.h); zeros: it does not ask */
    bool low_ids;      /* isa_kernel.low_ids */
    uint32_t cut;      /* dimensions, as bits: tiles may reach beyond the ND-range */
    bool flat;         /* tiles are of two dimensions, the ND-range has one, in rows of the length
                          that device/analysis/flat.h finds */
    uint32_t along;    /* the dimension of the ND-range that is x of a tile, and x is its */
    uint32_t packed;   /* groups of a tile that follow one another, as do the work-items of each, in
                          one row; 0: it is a box of work-items */
    uint32_t local_step; /* bytes from the local memory of one group of a tile to that of the next
                            one; 0: it has none, or tiles are not of several such groups */
    uint32_t lockstep;   /* warps that the engine runs in lockstep, at most */
    uint32_t vectors;    /* bytes that the registers hold of them */
    bool versions;       /* masks are cheap: loops may be there in several versions; */
    bool masked;         /* and so are stores of which lanes are off */
    bool leave;          /* groups may leave (ISA_leave): there is other code for them */
};

/* An `if` that begins a version for some warps, and all lanes of others pass by. */
enum sized_version {
    SIZED_NO_VERSION,
    SIZED_VERSION,
    SIZED_VERSION_WHOLE /* only where all lanes of the warp are there */
};

/* A kernel that a pass has made; NULL: none. */
struct sized_kernel {
    struct isa_kernel *kernel;
    uint32_t *origins; /* which instruction of the kernel before it each one was; sized_make: of the
                          one before all passes */
    uint8_t *versions; /* its instructions: enum sized_version; may be NULL: there are none */
};

struct sized {
    const struct isa_module *module;
    struct sized_groups groups;
    uint32_t items, warps; /* of a group */
    const struct trace *trace;
    const struct isa_kernel *k; /* the newest one, at first the one that all are made of */
    const struct isa_kernel *first;
    struct sized_kernel made[SIZED_PASSES];
    bool unsound; /* a pass has made what the verifier refuses */
};

/* Runs the passes on kernel k of the module; sized_free is to be called in any case. False:
 * unsound, or there is no memory. */
bool sized_make(struct sized *s, const struct isa_module *m, const struct isa_kernel *k,
                const struct sized_groups *groups, const struct trace *trace);
void sized_free(struct sized *s);
/* Has a pass made the kernel larger for what it gains? The last one that did is taken back; false:
 * none has. */
bool sized_grown(const struct sized *s);
bool sized_take_back(struct sized *s);
/* Of the newest kernel; NULL: they are what they were; there are none. */
const uint32_t *sized_origins(const struct sized *s);
const uint8_t *sized_versions(const struct sized *s);

#endif
