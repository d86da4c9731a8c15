/* Rows that each work-item has for itself: what loops along them load is worth keeping, where
 * others cost little. */
#ifndef SIMTCL_OWNROWS_H
#define SIMTCL_OWNROWS_H

#include "device/isa/isa.h"

struct ownrows {
    const struct isa_kernel *k;
    struct shape *shape; /* NULL: nobody has asked, or there is no memory */
};
/* Is instruction n a load from such a row, of one element, which may be made at another time? */
bool ownrows_loads(struct ownrows *o, uint32_t n);
void ownrows_end(struct ownrows *o);

#endif
