/* A kernel with copies of one piece of code, one behind the other or one in the other, written as
 * one with a loop. Private to passes. */
#ifndef SIMTCL_ROLLED_H
#define SIMTCL_ROLLED_H

#include "device/analysis/repeats.h"
#include "device/isa/kernelcopy.h"

enum { ROLLED_COUNTERS = 63 };

struct rolled {
    struct repeats *found;
    struct kernelcopy copy;     /* the kernel that is made */
    isa_operand turn;           /* which copy this is */
    uint32_t loop;              /* where it begins in the copy */
    struct rolled_counter {     /* what steps from copy to copy */
        isa_operand first, reg; /* what it begins with */
        int64_t step;
        isa_operand stride; /* so many times that; or ISA_NO_OPERAND */
        isa_operand by;     /* what both are in the copy */
    } counters[ROLLED_COUNTERS];
    unsigned ncounters;
    struct repeats_value *scope[REPEATS_VALUES]; /* that are computed, in this order */
    unsigned nscope;
};

/* Writes it, of at most so many instructions. x->copy is to be dropped or given on in any case.
 * False: there is no memory, or no room. */
bool rolled_write(struct rolled *x, struct repeats *found, uint32_t most);

#endif
