/* Between which numbers the values of a kernel's integer registers lie, whatever the launch. */
#ifndef SIMTCL_INTERVALS_H
#define SIMTCL_INTERVALS_H

#include "device/isa/arena.h"
#include "device/isa/isa.h"

struct interval {
    int64_t least, most; /* both included */
};

struct intervals {
    struct interval *as_signed;   /* registers, as signed numbers of their type; */
    struct interval *as_unsigned; /* of at most 32 bits: as unsigned ones */
};

/* Everything is allocated in the arena. Near linear in the kernel's size. */
void intervals_find(struct intervals *x, const struct isa_kernel *k, struct arena *arena);
/* Of a register or a constant of an integer type, or ISA_NO_OPERAND, which is 0; as unsigned: of at
 * most 32 bits. */
struct interval intervals_signed(const struct intervals *x, const struct isa_kernel *k,
                                 isa_operand o);
struct interval intervals_unsigned(const struct intervals *x, const struct isa_kernel *k,
                                   isa_operand o);
/* All of v lies in [least, most]. */
static inline bool interval_within(struct interval v, int64_t least, int64_t most) {
    return v.least >= least && v.most <= most;
}

#endif
