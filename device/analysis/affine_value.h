/* Sums and what operations make of them. Private to affine*.c. */
#ifndef SIMTCL_AFFINE_VALUE_H
#define SIMTCL_AFFINE_VALUE_H

#include "affine.h"

/* The largest values of atoms, which say what fields come to; -1: not known. */
struct affine_limits {
    int64_t most[AFFINE_ATOMS];
};

struct affine_sum affine_number(int64_t n);
struct affine_sum affine_between(int64_t low, int64_t high); /* any of these */
struct affine_sum affine_unknown(void);
struct affine_sum affine_atom(unsigned atom);

bool affine_is_number(const struct affine_sum *a);
bool affine_equal(const struct affine_sum *a, const struct affine_sum *b);

/* The largest value of a field, of an atom's that is `most`; -1: not known. */
int64_t affine_field_end(int64_t most, const struct affine_term *t);
/* From where to where it reaches. False: not known. */
bool affine_range(const struct affine_limits *l, const struct affine_sum *a, int64_t *low,
                  int64_t *high);

/* a + times * b. */
struct affine_sum affine_add(const struct affine_limits *l, const struct affine_sum *a,
                             const struct affine_sum *b, int64_t times);
struct affine_sum affine_scale(const struct affine_sum *a, int64_t times);
/* One of both. */
struct affine_sum affine_either(const struct affine_sum *a, const struct affine_sum *b);
/* What instruction i, which has no effect, makes of its sources; of a number, not of a predicate.
 */
struct affine_sum affine_of_inst(const struct affine_limits *l, const struct isa_inst *i,
                                 const struct affine_sum *src);

#endif
