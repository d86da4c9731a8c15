/* If-conversion: the parts of an if are computed by all lanes, and selects pick the results. What
 * both sides' passes share; which ifs are worth it is theirs to say. Private to passes. */
#ifndef SIMTCL_IFCONVERT_H
#define SIMTCL_IFCONVERT_H

#include "arena.h"
#include "isa.h"

/* An if whose end has been come to. */
struct ifconvert_case {
    const struct isa_kernel *k;
    uint32_t begin, end; /* instructions of k: the `if`, and behind the last one before `endif` */
    bool simple;         /* nothing but pure operations: selects can take its place; if so: */
    unsigned work;       /* the operations that are computed, and the selects, */
    unsigned clocks;     /* what they cost a CPU, */
    unsigned dearest;    /* and what the one that costs most does by isa.def */
};

enum ifconvert_verdict {
    IFCONVERT_LEAVE,
    IFCONVERT_MARK,  /* it stays, as ISA_PREDICATED */
    IFCONVERT_SELECT /* of a simple one */
};

/* Does a CPU compute both parts and select in less time than it branches? Where lanes of a warp may
 * part, a branch makes and moves masks; else it is a jump. stores: what the parts stored is stored
 * behind the selects, and so without a mask. */
bool ifconvert_pays(const struct ifconvert_case *c, bool divergent, bool stores);

/* Goes through the kernel's ifs, inner ones first, and asks of each that holds no region. True: one
 * became selects. */
bool ifconvert_run(struct isa_kernel *k, struct arena *arena,
                   enum ifconvert_verdict (*decide)(void *context, const struct ifconvert_case *c),
                   void *context);

#endif
