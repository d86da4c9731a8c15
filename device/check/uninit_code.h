/* SIMTCL_CHECK=uninit, in the code: a pass over the engines' copy of a kernel gives each register
 * that may hold what nothing has set another one, its shadow, whose bits are 1 where the register's
 * are not set. Operations compute shadows as uninit.def says; loads and stores move them from and
 * to the shadow of memory (device/sandbox/memory.h), that of private memory lies behind the
 * frame. Where it matters the code tells. */
#ifndef SIMTCL_UNINIT_CODE_H
#define SIMTCL_UNINIT_CODE_H

#include "device/observe/observer.h"

enum uninit_use {
    UNINIT_LOADED,  /* memory that is not set was loaded. Operand: where its shadow lies, less the
                       displacement; of private memory the frame's byte likewise */
    UNINIT_STORED,  /* a component that nothing of is set is stored to global memory; operand
                       likewise */
    UNINIT_WRITTEN, /* a texel that nothing of is set is written to an image */
    UNINIT_ADDRESS, /* what follows is used */
    UNINIT_BRANCH,
    UNINIT_DIVISOR,
    UNINIT_PRINTED
};

/* Where a value that is not set may come from. */
struct uninit_source {
    uint32_t loaded; /* a call, + 1; 0: of a variable that is not set */
    uint32_t site;   /* of the load, + 1; 0: none. Other calls may be of the same */
    uint16_t file;   /* of that */
    uint32_t line;
};

/* One for each call of what the pass put there; what it tells is an enum uninit_use. */
struct uninit_call {
    uint32_t sources, nsources;
};

struct uninit_code {
    struct uninit_call *calls;
    struct uninit_source *sources;
    uint32_t nsources;
    const struct observe_told *told; /* of each call: those of struct observe_added */
};

/* struct observer.instrument; added->data is a struct uninit_code. */
bool uninit_instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added);

#endif
