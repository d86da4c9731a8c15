/* An address taken apart, by the straight code before its access: what is one for the warp, and
 * what varies over the lanes, so many times. */
#ifndef SIMTCL_SPLITADDRESS_H
#define SIMTCL_SPLITADDRESS_H

#include "shape.h"

enum { SPLITADDRESS_MOST = 8 };
struct splitaddress {
    isa_operand core; /* what varies; */
    unsigned shift;   /* the address is the sum of core << shift, */
    unsigned count;   /* and of so many operands, shifted likewise */
    isa_operand uniform[SPLITADDRESS_MOST];
    unsigned by[SPLITADDRESS_MOST];
};

/* Of the access that is instruction n of the kernel: what is named has there still the values that
 * the address was made of. core << shift steps by 16 bytes at most. */
struct splitaddress splitaddress_of(const struct isa_kernel *k, const struct shape *shape,
                                    uint32_t n);

#endif
