/* Events of copies that the work-items of a group make together, in programs that are built with
 * -fcheck-copies: a number that the call and the destination give, so that copies by one call in a
 * loop have events of their own. */
#ifndef SIMTCL_ISA_COPIES_H
#define SIMTCL_ISA_COPIES_H

#include <stdint.h>

enum { COPIES_FACTOR = 0x3779b9b1 }; /* odd: destinations that differ give events that differ */

/* site: of the call's first note, from 1 on. Never 0. */
static inline uint32_t copies_event(uint32_t site, uint32_t destination) {
    return (destination * (uint32_t)COPIES_FACTOR ^ site) | 1;
}

#endif
