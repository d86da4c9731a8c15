/* Values as functions of how many of a register's bits are set, or of which is the first one, with
 * all their values: what an operation gives of such values is found by doing it to each. Private to
 * host passes. */
#ifndef SIMTCL_BITSTATES_H
#define SIMTCL_BITSTATES_H

#include "bitvalues.h"
#include "device/isa/arena.h"

enum {
    BITSTATES_COUNT, /* of how many of the bits are set */
    BITSTATES_UP,    /* of which is the first one from below; from above; */
    BITSTATES_DOWN,
    BITSTATES_UP_ZERO, /* the first one that is not set */
    BITSTATES_DOWN_ZERO,
    BITSTATES
};

/* One of the values: a constant, one of two, what an operand is, or not known. */
struct bitstate_value {
    enum { BITSTATE_UNKNOWN, BITSTATE_CONST, BITSTATE_EITHER, BITSTATE_OPERAND } is;
    uint64_t bits, other;
};

/* values[0..n]. count: of 0 to n bits. Others: of the bit at place `from` on, as one goes, to the
 * last one, and where it is none of these. */
struct bitstate {
    uint8_t kind, n;
    uint8_t from;
    isa_operand base, with; /* as in struct bits */
    uint64_t mask;          /* count: those bits */
    struct bitstate_value *values;
};

struct bitstates {
    struct bitstate *of[BITSTATES];
};

/* What is of one bit, as a number or a predicate of a type: false if it is not. */
bool bitstates_of_bit(const struct isa_kernel *k, const struct bits *b, enum isa_type t,
                      struct bitstates *r, struct arena *a);
/* What instruction n gives of what its operands are. fixed: registers that may be operands.
 * False: none. */
bool bitstates_result(const struct isa_kernel *k, const struct bitstates *of, const uint8_t *fixed,
                      uint32_t n, struct bitstates *r, struct arena *a);
/* Is it known for all bits, and can be written as a value of that type? *whole: of as few bits as
 * it is a function of. */
bool bitstates_whole(const struct bitstate *s, enum isa_type t, struct bitstate *whole);
void bitstates_write(struct isa_kernel *k, const struct bitstate *s, isa_operand to);

#endif
