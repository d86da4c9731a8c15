/* A kernel with instructions where copies of one piece of code can be seen to be some. Private to
 * passes. */
#ifndef SIMTCL_ARRANGED_H
#define SIMTCL_ARRANGED_H

#include "device/isa/kernelcopy.h"

/* What is written is to be dropped or given on in any case. False: nothing moves, or there is no
 * memory.
 *
 * Registers that copies begin with are set where they are first wanted: sources set several at a
 * time. */
bool arranged_late(struct kernelcopy *c, const struct isa_kernel *k, uint32_t most,
                   struct arena *arena);
/* What parts of ifs compute of what is there before them is computed there. */
bool arranged_early(struct kernelcopy *c, const struct isa_kernel *k, uint32_t most,
                    struct arena *arena);

#endif
