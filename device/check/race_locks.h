/* Locks and signals between warps and groups, which order plain accesses: made of atomic
 * operations, and of a fence for the memory that is accessed. Two warps that have both done an
 * atomic operation on the same word are taken to be ordered by it, if the kernel has such a fence.
 */
#ifndef SIMTCL_RACE_LOCKS_H
#define SIMTCL_RACE_LOCKS_H

#include "device/isa/isa.h"

struct race_touch {
    uint64_t group;
    uint32_t word, warp;
};

struct race_locks {
    unsigned fences; /* ISA_FENCE_LOCAL, ISA_FENCE_GLOBAL: those that the kernel has */
    uint64_t group;
    struct race_touch *touches; /* a table by hash */
    uint64_t count, room;       /* room: a power of two */
};

void race_locks_begin(struct race_locks *l, const struct isa_kernel *k);
void race_locks_end(struct race_locks *l);
void race_locks_group(struct race_locks *l, uint64_t index);
/* An atomic operation of the group's. */
void race_locks_touch(struct race_locks *l, uint32_t warp, uint32_t mask,
                      const uint32_t *addresses);
/* Is what the warp of that group did in order with what a warp of the present one does? */
bool race_locks_order(const struct race_locks *l, bool local, uint64_t group, uint32_t warp,
                      uint32_t own);

#endif
