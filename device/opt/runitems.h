/* Work-items that do a run of elements each in a loop,
 *
 *     for (j = 0; j < n; j++) element(get_global_id(d) * n + j);
 *
 * or one as many work-items apart as there are,
 *
 *     for (j = 0, x = get_global_id(d); j < n; j++, x += get_global_size(d)) element(x);
 *
 * as a loop in strides of a range n times as long, whatever n is in a launch. Private to unfold.c.
 */
#ifndef SIMTCL_RUNITEMS_H
#define SIMTCL_RUNITEMS_H

#include "device/isa/isa.h"

/* In it the loop's end is not asked for: each work-item does one iteration. For launches without an
 * offset, of low ids (isa_kernel.low_ids). Owned; NULL: there is no such loop, or no memory. */
struct isa_kernel *runitems_strides(const struct isa_kernel *k);

#endif
