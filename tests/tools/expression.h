/* Expected values, written as C expressions over the element index: how kernel tests say what they
 * want. */
#ifndef SIMTCL_TEST_EXPRESSION_H
#define SIMTCL_TEST_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number: an integer (64 bits, two's complement, wraps) or a double. */
struct expression_number {
    bool real;
    int64_t i;
    double f;
};

/* What names stand for. Gives false for an unknown one. index: value inside [...], or -1 without.
 */
typedef bool expression_lookup(void *user, const char *name, size_t length,
                               const struct expression_number *index,
                               struct expression_number *value);

/* Evaluates C's operators (all but assignment), casts to scalar types, literals, f(x) of min max
 * abs sqrt floor ceil rint fabs fmod sin cos exp log pow clz popcount bits(x) (the bits of x as
 * float) float(x), names and name[index]. False: the reason is in `error`. */
bool expression_evaluate(const char *text, expression_lookup *lookup, void *user,
                         struct expression_number *value, char error[128]);

#endif
