/* Where a kernel's registers lie in a warp's frame: registers that are never needed at the same
 * time share a place, so that a frame is as small as a first-level cache wants it. */
#ifndef SIMTCL_FRAME_H
#define SIMTCL_FRAME_H

#include "device/isa/isa.h"
#include "fuse.h"
#include "device/analysis/shape.h"

enum { FRAME_TEMP_BYTES = 8 * ISA_WARP }; /* a place for any register */

struct frame_map {
    uint32_t *regs;   /* byte offset of each register */
    uint32_t consts;  /* of the constants, 8 bytes each, behind them one that is zero */
    uint32_t regions; /* of the region masks: two words for each level of nesting */
    uint32_t zero_begin, zero_end; /* registers that may be read before they are written */
    uint32_t temps;                /* end of the registers, aligned for what is to follow */
};

/* Lays out the frame of a verified kernel, from byte `header` on; a register that is made as a part
 * of its user has no place. False: out of memory, or beyond 2 GiB; nothing needs to be freed then.
 */
bool frame_layout(struct frame_map *f, const struct isa_kernel *k, const struct shape *s,
                  const struct fuse *fuse, uint32_t header);
void frame_free(struct frame_map *f);

#endif
