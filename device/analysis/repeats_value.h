/* What operands are in each copy of repeated pieces. Private to repeats. */
#ifndef SIMTCL_REPEATS_VALUE_H
#define SIMTCL_REPEATS_VALUE_H

#include "repeats.h"

/* What instruction n, of a copy, reads. */
isa_operand repeats_operand(const struct repeats *x, uint32_t n, unsigned source);
/* The value of an operand of each copy; NULL: it is not known. */
struct repeats_value *repeats_find_value(struct repeats *x, const isa_operand *t);
/* Adds it. NULL: there are too many. */
struct repeats_value *repeats_add_value(struct repeats *x, enum repeats_kind kind,
                                        const isa_operand *t);
/* Is it one operand in all copies? */
bool repeats_all_same(const struct repeats *x, const isa_operand *t);
/* Is the instruction in a piece of a copy? */
bool repeats_in_pieces(const struct repeats *x, uint32_t n);
/* Do the instructions do the same? further: their displacement grows by that from copy to copy. */
bool repeats_alike(const struct repeats *x, const uint32_t *at, int32_t *further);
/* Finds the values of what the instructions read. False: one has none. */
bool repeats_find_sources(struct repeats *x, const uint32_t *at);

#endif
