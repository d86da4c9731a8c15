/* An address taken apart, by the straight code before its access: what is one for the warp, and
 * what varies over the lanes, so many times. */
#ifndef SIMTCL_SPLITADDRESS_H
#define SIMTCL_SPLITADDRESS_H

#include <stdbool.h>

#include "device/isa/isa.h"

enum { SPLITADDRESS_MOST = 8 };
struct splitaddress {
    isa_operand core; /* what varies; */
    unsigned shift;   /* the address is the sum of core << shift, */
    unsigned count;   /* and of so many operands, shifted likewise */
    isa_operand uniform[SPLITADDRESS_MOST];
    unsigned by[SPLITADDRESS_MOST];
};

/* How an operand is kept. */
enum splitaddress_kind { SPLITADDRESS_UNIFORM, SPLITADDRESS_VARYING, SPLITADDRESS_OTHER };

/* Of the access that is instruction n of the kernel: what is named has there still the values that
 * the address was made of. core << shift steps by the element's size at most. */
struct splitaddress splitaddress_of(const struct isa_kernel *k, uint32_t n,
                                    enum splitaddress_kind (*kind)(const void *, isa_operand),
                                    const void *context);

#endif
