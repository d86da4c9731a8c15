/* Another ND-range for the same work-items: programs that write kernels for a GPU deal out what
 * lies side by side in memory to groups and work-items as that likes it,
 *
 *     x = group_id(0) * 12 + local_id(1) * 4;  row = local_id(0);  a[row * 3540 + x] = ...
 *
 * where the ND-range's own dimensions have nothing to do with rows. In a launch of which sizes are
 * known each work-item is six digits, of which each adds to addresses so many times; those that go
 * on where one before ends are one index. Of a kernel for a range of such indices, the one that
 * rows in memory go along first, tiles and all else then see rows. */
#ifndef SIMTCL_REGRID_H
#define SIMTCL_REGRID_H

#include "device/isa/isa.h"

struct regrid {
    struct isa_kernel *kernel;              /* the other one, owned; NULL: it stays as it is */
    uint32_t global_size[3], local_size[3]; /* of its launch */
};

/* Does the kernel ask for what may be dealt out otherwise, and nothing that shows? */
bool regrid_may(const struct isa_kernel *k);
/* Of a kernel as compilers make it, in launches of these sizes without an offset. False: no memory.
 */
bool regrid_make(struct regrid *r, const struct isa_kernel *k, const uint32_t global_size[3],
                 const uint32_t local_size[3]);

#endif
