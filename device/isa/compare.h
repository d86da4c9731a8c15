/* Comparisons of numbers: which of them are orders of integers, and the opposite of each. */
#ifndef SIMTCL_COMPARE_H
#define SIMTCL_COMPARE_H

#include "isa.h"

/* A comparison of integers. */
static inline bool compare_is_integer(unsigned op) { return op >= ISA_eq && op <= ISA_le_u; }
_Static_assert(ISA_le_u - ISA_eq == 5, "comparisons of integers are in a row");

/* An order of integers: less, or less or equal. */
static inline bool compare_is_order(unsigned op) { return op >= ISA_lt_s && op <= ISA_le_u; }
_Static_assert(ISA_le_u - ISA_lt_s == 3, "orders of integers are in a row");

/* An order of integers that have a sign. */
static inline bool compare_is_signed(unsigned op) { return op == ISA_lt_s || op == ISA_le_s; }

/* An order of integers that equal ones are not in. */
static inline bool compare_is_strict(unsigned op) { return op == ISA_lt_s || op == ISA_lt_u; }

/* The comparison that holds where one does not; ISA_OP_COUNT: there is none, as of orders of
 * floats. *turned: its operands are in the other order. */
static inline enum isa_op compare_opposite(unsigned op, bool *turned) {
    *turned = compare_is_order(op);
    switch (op) {
    case ISA_eq: return ISA_ne;
    case ISA_ne: return ISA_eq;
    case ISA_lt_s: return ISA_le_s;
    case ISA_le_s: return ISA_lt_s;
    case ISA_lt_u: return ISA_le_u;
    case ISA_le_u: return ISA_lt_u;
    case ISA_feq: return ISA_fne;
    case ISA_fne: return ISA_feq;
    default: return ISA_OP_COUNT;
    }
}

#endif
