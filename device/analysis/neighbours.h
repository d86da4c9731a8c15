/* What registers of neighbouring lanes are likely to hold where shape cannot tell: what was read
 * from anywhere, or values that mostly are evenly spaced (likelysteps.h). */
#ifndef SIMTCL_NEIGHBOURS_H
#define SIMTCL_NEIGHBOURS_H

#include "shape.h"

enum neighbours_kind {
    NEIGHBOURS_EVEN, /* more often than not lanes are evenly apart */
    NEIGHBOURS_NEAR, /* hardly ever, but near each other: reals that are rounded, quotients */
    NEIGHBOURS_READ  /* anywhere: lanes have read it from memory, each on its own */
};
struct neighbours { /* registers: */
    uint8_t *kinds; /* what they hold, or come from, as a neighbours_kind */
    int32_t *steps; /* by what they are likely to differ from lane to lane; 0: that is not known */
};

/* What lanes have of a register is, or is likely to be, apart. */
static inline int32_t neighbours_step(const struct neighbours *x, const struct shape *shape,
                                      isa_operand reg) {
    struct shape_value known = shape->regs[reg];
    return known.span != SHAPE_VARYING ? known.stride : x->steps[reg];
}

/* The caller frees both arrays, in any case. False: no memory. */
bool neighbours_find(struct neighbours *x, const struct isa_kernel *k, const struct shape *shape);
/* Lanes are likely to be near each other where they are in no row, by the register `at`, which has
 * what varies of `core`. */
bool neighbours_near(const struct neighbours *x, const struct isa_kernel *k, isa_operand at,
                     isa_operand core);
/* Words that lanes go through in a loop of instructions [from, to), each in a row of its own, while
 * these do little else: the lines of one warp's lanes are what the nearest cache holds until they
 * are used up. 0: there is none. shared: registers of which other warps have the same, and so the
 * same rows; or NULL. */
uint32_t neighbours_words(const struct neighbours *x, const struct isa_kernel *k,
                          const struct shape *shape, const uint8_t *shared, uint32_t from,
                          uint32_t to);

#endif
