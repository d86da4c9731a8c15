/* Stores of rows that are written once and not read: worth no place in the caches where a launch
 * writes more than they hold. */
#ifndef SIMTCL_ROWSTORES_H
#define SIMTCL_ROWSTORES_H

#include "evenloops.h"
#include "warpregions.h"

struct rowstores_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    const uint8_t *columns; /* instructions: accesses that may lie in columns (columns.h) */
    const struct warpregions *regions;
    const struct evenloops *loops;
    const uint64_t *provenance; /* of registers (provenance.h) */
};

/* How a store is one: it is made once, or it is in a loop: how often is known when that begins. */
enum rowstore { ROWSTORE_NONE, ROWSTORE_ONCE, ROWSTORE_LOOP };

/* Marks those among the instructions; about: for a log, of each store what it is, or why it is
 * none. Both are zeros. *bytes: that a work-item stores so outside loops; false: no memory. */
bool rowstores_find(const struct rowstores_finder *f, uint8_t *of, const char **about,
                    uint32_t *bytes);

/* Where lanes leave a loop, if stores in it may be such; or 0. */
uint32_t rowstores_test(const struct isa_kernel *k, const struct evenloops *loops,
                        const struct warpregions *regions, uint32_t begin);

#endif
