/* Ranges: between which instructions a register has to keep its value, at most. */
#ifndef SIMTCL_LIVERANGES_H
#define SIMTCL_LIVERANGES_H

#include "shape.h"

struct liveranges {         /* of registers */
    uint32_t *first, *last; /* UINT32_MAX, 0: it is not used */
    uint8_t *zero;          /* it may be read before it is written, as zero */
};

/* Writes that shape says need no mask begin a range. The caller frees all three, in any case;
 * false: no memory. */
bool liveranges_find(struct liveranges *x, const struct isa_kernel *k, const struct shape *shape);

#endif
