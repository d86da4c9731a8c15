/* Quotients and remainders, as of ids in one dimension that are taken apart by / and %. Where a
 * warp lies in one row, that is where no lane's remainder begins anew, the quotient is one for the
 * warp and the remainders are evenly spaced. The warp's first lane tells whether it does: a test of
 * scalars. Private to device/opt/sized. */
#ifndef SIMTCL_ROWDIVISIONS_H
#define SIMTCL_ROWDIVISIONS_H

#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"

/* A division of x by y, or what is one as y is a power of two. */
struct row_division {
    isa_operand x, y;   /* y: a constant where there is none */
    uint32_t row;       /* y, where it is known; 0: it is not */
    enum isa_type type; /* of 32 or 64 bits */
    bool remainder, is_signed;
};
/* What is known of it where the warp lies in one row. */
struct row_known {
    isa_operand offset;           /* of each lane from the warp's first */
    isa_operand quotient, column; /* of that one */
};

/* Is the instruction one of k's? Then of what, in *d. */
bool rowdivisions_of(const struct isa_kernel *k, const struct isa_inst *i, struct row_division *d);
/* Is it one of evenly spaced values, of which shape does not say what is known in one row? */
bool rowdivisions_fit(const struct isa_kernel *k, const struct shape *shape,
                      const struct isa_inst *i);
/* Marks in `of` what of [from, to) is a division like that at `from`, of what it divides. */
void rowdivisions_mark(const struct isa_kernel *k, uint32_t from, uint32_t to, uint8_t *of);
/* Writes the test of whether a warp lies in one row of the division at n, and what is known then;
 * returns it, a predicate that is one for the warp. is_signed: one of those that use it is. */
isa_operand rowdivisions_test(struct kernelcopy *c, const struct shape *shape, uint32_t n,
                              bool is_signed, struct row_known *r);

#endif
