/* Searches along rows of the work-item's own: loops that end by a counter, or before, by what an
 * iteration has read; or that read under a condition. Lanes leave them one by one, or do not ask;
 * but what lies in a row that is known to be in an object may be read all the same. */
#ifndef SIMTCL_OWNSEARCHES_H
#define SIMTCL_OWNSEARCHES_H

#include "device/isa/loops.h"
#include "shape.h"

enum { OWNSEARCHES_LOADS = 4, OWNSEARCHES_TIMES = 8 /* iterations that are made together */ };

/* A load, and by what its address is stepped in each iteration. */
struct ownsearch_load {
    uint32_t at;   /* the instruction */
    uint32_t base; /* counter of the list */
    int32_t step;
    bool behind;    /* it comes after the step */
    uint32_t param; /* in whose object it reads */
};

struct ownsearch {
    uint32_t begin, end; /* of the loop */
    uint32_t leaves;     /* the instruction by which the counter leaves it, */
    struct loop_exit exit;
    bool last;        /* where an iteration ends */
    uint32_t decides; /* the first one that something else does; 0: none */
    struct ownsearch_load loads[OWNSEARCHES_LOADS];
    unsigned count;
};

/* Is the loop that begins there such a search? counters: of all loops; provenance: of registers. */
bool ownsearches_find(struct ownsearch *s, const struct isa_kernel *k, const struct loops *l,
                      const struct loop_counters *counters, const struct shape *shape,
                      const uint64_t *provenance, uint32_t begin);

#endif
