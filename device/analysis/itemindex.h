/* Indices in the ND-range: where a work-item is, and how many there are, as special registers give
 * it or kernels compute it: of the index of the group, its size and the index in it, in 32 bits or
 * in 64. */
#ifndef SIMTCL_ITEMINDEX_H
#define SIMTCL_ITEMINDEX_H

#include "device/isa/loops.h"

enum { ITEMINDEX_DIMENSIONS = 3 };

struct itemindex {
    unsigned d;    /* the dimension; ITEMINDEX_DIMENSIONS: it is none */
    bool sum;      /* computed: it is without the range's offset; */
    bool small;    /* only where it is less than 2^31; */
    uint32_t size; /* only where a group has this size there; 0: whatever it is */
};

/* What an instruction gives. */
struct itemindex itemindex_of(const struct isa_kernel *k, const struct loops *l,
                              const struct isa_inst *i);
/* The dimension of which an operand is the number of work-items; ITEMINDEX_DIMENSIONS: of none. */
unsigned itemindex_count(const struct isa_kernel *k, const struct loops *l, isa_operand o);
/* What gives an instruction's value before it is copied or made wider: itself, or another one. */
const struct isa_inst *itemindex_unconverted(const struct isa_kernel *k, const struct loops *l,
                                             const struct isa_inst *i);

#endif
