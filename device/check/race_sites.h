/* Which sites of a kernel could take part in a race. */
#ifndef SIMTCL_RACE_SITES_H
#define SIMTCL_RACE_SITES_H

#include "device/observe/observer.h"

/* Of each site whether its accesses have to be looked at: all stores; loads and atomic operations
 * of memory that the kernel also accesses in another way; those of local memory only if that may
 * happen between the same two barriers. Objects are told apart by the parameter that the address
 * comes from, but where they are shared: several arguments lie in one. grid: of this launch alone,
 * where work-items whose addresses are known to be apart need not be looked at; NULL: of all
 * launches. The caller frees, and has two more elements for its own use; NULL: no memory. */
bool *race_sites_find(const struct isa_kernel *k, const struct observe_grid *grid, bool shared);

#endif
