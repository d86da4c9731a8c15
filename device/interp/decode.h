/* A kernel as the interpreter runs it. */
#ifndef SIMTCL_DECODE_H
#define SIMTCL_DECODE_H

#include "device/interp/lanes/lanes.h"

struct decoded {
    const struct isa_kernel *kernel;
    struct lanes_op *ops;
    uint32_t *lists;  /* operands of ops that have many */
    uint64_t *consts; /* the frame's constants */
    uint32_t nconsts;
    uint32_t consts_at;            /* their offset in the frame */
    uint32_t zero_begin, zero_end; /* part of the frame that starts as zero */
    uint32_t frame_bytes;          /* of one warp; a multiple of 128 */
    bool uses_ids;                 /* warp.id is read */
};

/* Plain; a warp may stop before each access that others can see; group_hooks are called, and every
 * instruction is executed by itself. */
enum decode_way { DECODE_PLAIN, DECODE_YIELDS, DECODE_STOPS };

/* Decodes a verified kernel for a level. NULL: out of memory, or `math` lacks an operation. */
struct decoded *decode_kernel(const struct isa_kernel *k, const struct lanes_table *lanes,
                              const struct math_table *math, enum decode_way way);
void decode_free(struct decoded *code); /* NULL is fine */

#endif
