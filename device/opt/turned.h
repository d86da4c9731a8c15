/* A kernel as it is for an ND-range of another form, whose loop then goes on in strides of it, so
 * that it can be unfolded. Private to unfold.c. */
#ifndef SIMTCL_TURNED_H
#define SIMTCL_TURNED_H

#include "device/analysis/linegrowth.h"

/* Each group of a range of one dimension is a row of a range of two: dimension 1 counts groups,
 * dimension 0 what is in them. Owned; NULL: the kernel asks for something else, or not for its
 * place in the group, or there is no memory. */
struct isa_kernel *turned_rows(const struct isa_kernel *k);
/* Each work-item of a range of two dimensions at most, which goes through a loop upwards, by small
 * steps, from 0 or above, has a line of a range of one dimension more: dimension 0 counts
 * iterations, and those that were dimensions 0 and 1 are 1 and 2. Owned; NULL: there is no such
 * loop, the kernel asks where in its group it is, or there is no memory. *along, *across: how far
 * what is stored in a line, and from line to line, lies apart; the factors are registers of it. For
 * launches without an offset, of low ids (isa_kernel.low_ids). */
struct isa_kernel *turned_lines(const struct isa_kernel *k, struct linegrowth *along,
                                struct linegrowth *across);
/* Is that worth it? In bytes; given: loops in it go on by what an argument gives, and stay loops.
 */
bool turned_near(uint64_t along, uint64_t across, bool given);

#endif
