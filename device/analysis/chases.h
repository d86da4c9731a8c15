/* Loads that wait for one another. */
#ifndef SIMTCL_CHASES_H
#define SIMTCL_CHASES_H

#include "device/isa/isa.h"

/* A load of what work-items share, which may be made earlier or later. */
static inline bool chases_load(const struct isa_inst *i) {
    return i->op == ISA_ld && i->space != ISA_PRIVATE && !(i->flags & ISA_VOLATILE);
}
/* Whether where a load of the loop that begins there reads depends on what one of an earlier
 * iteration has read; also if there is no memory to tell. */
bool chases_loads(const struct isa_kernel *k, uint32_t begin);

#endif
