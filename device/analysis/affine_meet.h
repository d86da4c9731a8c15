/* Whether two accesses can meet, as a system of linear equations. Private to affine*.c. */
#ifndef SIMTCL_AFFINE_MEET_H
#define SIMTCL_AFFINE_MEET_H

#include "affine.h"

/* Do no two work-items access a common byte, one by a and the other by b, which access so many
 * bytes? local: no two of one group. False: it is not known. */
bool affine_never_meet(const struct affine_accesses *all, const struct affine_access *a,
                       const struct affine_access *b, bool local, const unsigned bytes[2]);

#endif
