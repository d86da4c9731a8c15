/* Rows of elements that each lane accesses one behind the other, while the lanes' lie apart:
 * members of a structure, components of a vector, an unrolled walk along a row. The accesses of a
 * straight piece of code to such a row may be made together, loads with the first of them, stores
 * with the last: nothing between them tells. */
#ifndef SIMTCL_ELEMENTROWS_H
#define SIMTCL_ELEMENTROWS_H

#include "neighbours.h"
#include "shape.h"

enum { ELEMENTROWS_MOST = 16 }; /* elements of a row */
struct elementrow {
    uint32_t first, last; /* instructions */
    isa_operand base;     /* the address is in, */
    int64_t imm;          /* and how far from it they begin */
    uint32_t count, used; /* elements, and which of them are accessed, as bits */
    bool paired;          /* words that lie anywhere, of which the host gathers two at once */
};
struct elementrows {
    uint32_t *of; /* instructions: loads and stores: their row, + 1; 0: none */
    struct elementrow *list;
    uint32_t count;
};

/* What the host has, and what it is not asked about. */
struct elementrows_host {
    const uint8_t *taken; /* instructions that are no part of a row; NULL: none is */
    bool masks;           /* parts of vectors are moved, and bytes and halves gathered as words */
    bool pairs;           /* two words are gathered as one of twice the size */
    unsigned gathered;    /* words of a lane that it gathers as fast as it transposes them */
};

/* Finds the rows that are worth more than their elements one by one. The caller frees both arrays,
 * in any case. False: no memory. */
bool elementrows_find(struct elementrows *rows, const struct isa_kernel *k,
                      const struct shape *shape, const struct neighbours *near,
                      const struct elementrows_host *host);
/* The bytes of one of a row's elements. */
static inline unsigned elementrows_size(const struct isa_kernel *k, const struct elementrow *r) {
    return isa_type_size[k->insts[r->first].type];
}
/* Accessed elements side by side, as many as a power of two: where such runs begin, and how long
 * they are. Returns how many there are. */
unsigned elementrows_runs(const struct elementrow *r, uint8_t first[ELEMENTROWS_MOST],
                          uint8_t count[ELEMENTROWS_MOST]);

#endif
