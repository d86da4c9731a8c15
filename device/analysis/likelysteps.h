/* Likely steps: by what the values of neighbouring lanes differ more often than not, where shape
 * promises nothing: mostly a minimum, a remainder, a choice has of its operands that which is no
 * bound, and what is converted fits. What relies on one tests it at run time. */
#ifndef SIMTCL_LIKELYSTEPS_H
#define SIMTCL_LIKELYSTEPS_H

#include "shape.h"

/* Of registers; 0: it is not known, or they are the same. What shape promises for smaller pieces
 * than `least` is not looked at. To be freed; NULL: out of memory. */
int32_t *likelysteps_new(const struct isa_kernel *k, const struct shape *shape,
                         enum shape_span least);

#endif
