/* What becomes of instructions in a launch, as digits.c finds it and digits_write.c writes it.
 * Private to these and to digits_known.c. */
#ifndef SIMTCL_DIGITSTEP_H
#define SIMTCL_DIGITSTEP_H

#include "device/analysis/numbers.h"
#include "device/isa/loops.h"

/* What an instruction becomes. */
enum digits_act {
    STAYS,
    SUM,       /* of what has no bits in common */
    SAME,      /* as its source `part` */
    PART,      /* a copy of the register `part` */
    OF_PART,   /* the same of the register `part` alone */
    OF_BOTH,   /* the sum of the same of the registers `part` and `what` */
    LOW_BITS,  /* those of `part` that the number `what` has */
    NUMBER,    /* the number `what` */
    OF_NUMBER, /* the same of it, in place of the sources that `part` has as bits */
    OWN,       /* an access to private memory: byte `what` of what is own, */
    OWN_MOVES, /* or that and what the address has more than array `part` has for the ids */
    PRODUCT,   /* of the first source and a length */
    QUOTIENT,  /* and the same of both */
    REST
};

/* Where a length comes from that the launch has. */
enum digits_from { ARGUMENT, POWER, SPECIAL };

struct digits_step {
    uint16_t act;  /* enum digits_act */
    uint16_t from; /* enum digits_from */
    uint32_t part;
    uint32_t
        what; /* the argument's offset, the special register's number, a byte, a register or bits */
};

_Static_assert(sizeof(struct digits_step) == 12, "no bytes between, as they are compared");

/* Arguments that are 1, by which something is multiplied or stepped, as elements apart are, are
 * numbers, and so are lengths of short rows into which the index is taken apart, and what is made
 * of them. Steps that are there already stay. Returns how many
 * there are more. */
uint32_t digits_known(const struct isa_kernel *k, const struct loops *l,
                      const struct numbers *values, struct digits_step *steps, struct arena *arena);
/* Is there anything that may be an argument of the kind? */
bool digits_may_know(const struct isa_kernel *k, const struct loops *l, struct arena *arena);

#endif
