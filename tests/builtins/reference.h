/* What built-in functions have to give, computed on the host: long double for floating point,
 * 128-bit integers for integers. Knows functions of values, component by component; what works on
 * memory or on whole vectors is the test's own. */
#ifndef SIMTCL_TESTS_REFERENCE_H
#define SIMTCL_TESTS_REFERENCE_H

#include "compiler/builtin/builtin.h"

/* A number of OpenCL C: its bits, from the lowest. */
struct reference_number {
    enum ast_type_kind kind;
    uint64_t bits;
};

/* What is expected. */
struct want {
    bool any;          /* whatever comes: undefined, or the implementation's choice */
    bool real;         /* `value` within `ulp` ulp and `slack`, else exactly `bits` */
    bool flushed;      /* results below the least normal may be zero */
    long double value; /* of a real */
    double ulp, slack;
    uint64_t bits;
};

unsigned reference_size(enum ast_type_kind kind); /* in bytes */
bool reference_is_real(enum ast_type_kind kind);
bool reference_is_signed(enum ast_type_kind kind);
long double reference_real(struct reference_number a); /* any number's value */
int64_t reference_integer(struct reference_number a);  /* an integer's, sign extended */
uint64_t reference_truncate(enum ast_type_kind kind, uint64_t bits);

/* The function of c, one component: args are the arguments' components. `second` gets what a
 * pointer argument receives. False: not known here. */
bool reference_value(const struct builtin_case *c, enum ast_type_kind result,
                     const struct reference_number *args, struct want *first, struct want *second);
/* A conversion to `to`; rounded: with that rounding, else the default. */
struct want reference_convert(struct reference_number a, enum ast_type_kind to, bool saturate,
                              bool rounded, enum isa_rounding rounding);
bool reference_accepts(const struct want *w, struct reference_number got);

#endif
