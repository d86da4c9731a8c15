/* Numbers as their analysis sees them, and what each operation makes of them. Private to
 * numbers*.c.
 */
#ifndef SIMTCL_NUMBERS_VALUE_H
#define SIMTCL_NUMBERS_VALUE_H

#include "numbers.h"

/* Sums and products of these do not overflow, or are looked at. */
static const struct interval numbers_everything = {INT64_MIN, INT64_MAX};

struct interval numbers_hull(struct interval a, struct interval b);
struct interval numbers_sum(struct interval a, struct interval b);
struct interval numbers_negative(struct interval a);
/* What a type holds. */
struct interval numbers_whole(enum isa_type type, bool is_signed);
/* An operand's, as signed or unsigned; of i64 there is but the signed one. */
struct interval numbers_as(const struct numbers *x, const struct isa_kernel *k, isa_operand o,
                           bool is_signed);

/* Between what the only destination of instruction i lies, which is pure, and whose first two
 * operands lie in src[], if they are of the same type. local_size: zeros where it is not known. */
struct interval numbers_result(const struct numbers *x, const struct isa_kernel *k,
                               const struct isa_inst *i, bool is_signed,
                               const struct interval src[2], const uint32_t local_size[3]);
/* What the launch's argument block holds for destination d of instruction i. False: it loads no
 * argument of a launch that is known. */
bool numbers_argument(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                      unsigned d, uint64_t *value);
/* The low bits of destination d that are 0. */
unsigned numbers_result_zeros(const struct numbers *x, const struct isa_kernel *k,
                              const struct isa_inst *i, unsigned d);

#endif
