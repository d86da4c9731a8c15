/* What all groups of a launch do alike, and what each does whatever the others do. */
#ifndef SIMTCL_RACE_STEADY_H
#define SIMTCL_RACE_STEADY_H

#include "device/isa/isa.h"

/* Do all groups make the same accesses by these sites, between the same barriers: at the same
 * places of their local and private memory, by the same work-items? Then what is no race in one of
 * them is none in any. False also where it is not known, and for sites of other memory. */
bool race_steady(const struct isa_kernel *k, const bool *sites);

/* Does each group make the same accesses by these sites, with the same values, whenever the other
 * groups run? sites: all where work-items may meet. False also where it is not known. */
bool race_alone(const struct isa_kernel *k, const bool *sites);

#endif
