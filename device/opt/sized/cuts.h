/* Cuts: minima, maxima and choices by which evenly spaced values are cut off at an edge, as a
 * clamped index is. The warp's first lane and its last one tell whether any of its lanes is cut
 * off: that is a test of scalars. Private to device/opt/sized. */
#ifndef SIMTCL_CUTS_H
#define SIMTCL_CUTS_H

#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"

enum { CUTS_BOUNDS = 16 };

/* base + by, evenly spaced over the warp; base ISA_NO_OPERAND: 0. */
struct cut_form {
    isa_operand base;
    uint32_t reader; /* of base */
    int64_t by;
    int32_t step;
};
/* No lane's value is above it (or below it), nor are those of the same base that are less far. */
struct cut_bound {
    struct cut_form value, bound; /* bound: one for the warp, or */
    bool half;                    /* half of one */
    int64_t nearest;              /* `by` of the least far one */
    enum isa_type type;
    bool upper, strict, is_signed;
};

struct cuts {
    const struct isa_kernel *k;
    const struct shape *shape;
    uint32_t from, to;
    uint8_t *of; /* instructions: the source that a cut gives if no lane is cut off, + 1; or 0 */
    struct cut_bound bounds[CUTS_BOUNDS]; /* that must hold */
    unsigned count;
};

/* May the instruction be one? */
bool cuts_may(const struct isa_inst *i);
/* Finds those in [from, to) of c->k, whose `of` the caller has made, zeros. False: there are none,
 * or nothing can be told of them where instruction `from` is. */
bool cuts_find(struct cuts *c);
/* Writes the test that no lane is cut off: a predicate that is one for the warp. */
isa_operand cuts_test(const struct cuts *c, struct kernelcopy *copy);

#endif
