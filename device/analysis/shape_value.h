/* Values as shape analysis sees them, and what each operation makes of them. Private to shape*.c.
 */
#ifndef SIMTCL_SHAPE_VALUE_H
#define SIMTCL_SHAPE_VALUE_H

#include "shape.h"

enum { SHAPE_UNKNOWN = 255 }; /* span of a register for which no write has been seen yet */
enum { SHAPE_ZERO_ALIGN = 32 };

struct shape_value shape_value_uniform(enum shape_span span);
/* What is left of v when only `span` (or less) is promised. */
struct shape_value shape_value_narrow(struct shape_value v, unsigned span);
/* What holds for both. */
struct shape_value shape_value_meet(struct shape_value a, struct shape_value b);
struct shape_value shape_value_of_const(const struct isa_const *c);

/* The result of a destination of type `type` of instruction i, whose sources have the shapes src[].
 * size: the work-group's, zeros when it is not known. reads: the span whose lanes read memory at
 * one time, SHAPE_WARP or SHAPE_GROUP. */
struct shape_value shape_value_of_inst(const struct isa_kernel *k, const struct isa_inst *i,
                                       enum isa_type type, const struct shape_value src[],
                                       const uint32_t size[3], enum shape_span reads);

#endif
