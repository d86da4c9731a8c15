/* What registers of neighbouring lanes are likely to hold where shape cannot tell: what was read
 * from anywhere, or values that mostly are evenly spaced (likelysteps.h). */
#ifndef SIMTCL_NEIGHBOURS_H
#define SIMTCL_NEIGHBOURS_H

#include "shape.h"

struct neighbours {  /* registers: */
    uint8_t *loaded; /* they hold, or come from, what lanes have read from memory each on its own,
                        or what is as uneven: addresses made of it are hardly ever in order */
    int32_t *steps;  /* by what they are likely to differ from lane to lane; 0: that is not known */
};

/* The caller frees both arrays, in any case. False: no memory. */
bool neighbours_find(struct neighbours *x, const struct isa_kernel *k, const struct shape *shape);
/* Words that lanes go through in a loop of instructions [from, to), each in a row of its own, while
 * these do little else: the lines of one warp's lanes are what the nearest cache holds until they
 * are used up. 0: there is none. shared: registers of which other warps have the same, and so the
 * same rows; or NULL. */
uint32_t neighbours_words(const struct neighbours *x, const struct isa_kernel *k,
                          const struct shape *shape, const uint8_t *shared, uint32_t from,
                          uint32_t to);

#endif
