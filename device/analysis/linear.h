/* Sums of registers and a constant, modulo 2^32, as addresses are. Of host passes. */
#ifndef SIMTCL_LINEAR_H
#define SIMTCL_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "device/isa/isa.h"

enum { LINEAR_TERMS = 8 };
enum { LINEAR_FAR = 1024 /* bytes from one address to another that displacements are worth */ };

struct linear_term {
    isa_operand reg;
    uint32_t value; /* which of the values that it has one after the other; */
    uint32_t by;    /* so many times */
};

struct linear_sum {
    struct linear_term of[LINEAR_TERMS];
    uint32_t plus, terms;
};

/* Adds a register's value so many times; another sum. False: there is no room. */
bool linear_add(struct linear_sum *s, isa_operand reg, uint32_t value, uint32_t by);
bool linear_add_sum(struct linear_sum *s, const struct linear_sum *other, uint32_t by);
/* Adds what an instruction computes so many times, of its operands, which `add` adds. False: that
 * is no sum, or add has said so. */
bool linear_add_result(struct linear_sum *s, const struct isa_kernel *k, const struct isa_inst *i,
                       uint32_t by,
                       bool (*add)(void *context, struct linear_sum *s, isa_operand o, uint32_t by),
                       void *context);
/* They differ by a constant, from b to a, of less than LINEAR_FAR. */
bool linear_apart(const struct linear_sum *a, const struct linear_sum *b, int32_t *far);

#endif
