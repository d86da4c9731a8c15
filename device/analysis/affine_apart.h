/* Whether two accesses of a launch can meet, by what is known of their addresses before it runs. */
#ifndef SIMTCL_AFFINE_APART_H
#define SIMTCL_AFFINE_APART_H

#include "affine.h"

/* Do no two work-items ever access a common byte, one by a, the other by b (which may be the same
 * access)? Of local memory: no two of one group. */
bool affine_apart(const struct isa_kernel *k, const struct affine_accesses *all,
                  const struct affine_access *a, const struct affine_access *b);

#endif
