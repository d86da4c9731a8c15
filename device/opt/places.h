/* Places of private memory that an access by a register may be meant for, where they are few: what
 * its index may be, or what elements its array has, says so. Private to host passes. */
#ifndef SIMTCL_PLACES_H
#define SIMTCL_PLACES_H

#include "device/analysis/numbers.h"
#include "device/isa/loops.h"

enum { PLACES_MOST = 16 };

/* count 0: it is none of the kind. */
struct places {
    uint32_t first, step, count; /* bytes of the frame; how far apart; how many */
    bool beyond;                 /* lanes may mean others: these access memory */
    bool apart;                  /* lanes may mean several */
    uint32_t from; /* a store: of what is at the same places, as a load there + 1 gives
                      it, what it stores is computed, by marked instructions; or 0 */
};

/* Of instruction n, a load or store of a frame of so many bytes. */
struct places places_find(const struct isa_kernel *k, const struct numbers *numbers, uint32_t n,
                          uint32_t frame);

/* Is what store n puts back computed of what a load of the same places gives, in few cheap
 * operations without anything private between, and read by nothing else? Returns that load, + 1, or
 * 0; marks it and those operations. */
uint32_t places_update(const struct isa_kernel *k, const struct loops *l,
                       const struct places *places, uint32_t n, uint8_t *marks);

#endif
