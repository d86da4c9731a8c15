/* Numbers: what is known of the values of a kernel's integer registers, whatever was written to
 * them last: between which they lie, and how many of their low bits are 0. In every launch, in
 * those with groups of one size, or in a single one. */
#ifndef SIMTCL_NUMBERS_H
#define SIMTCL_NUMBERS_H

#include "affine.h"
#include "device/isa/arena.h"
#include "device/isa/isa.h"

enum {
    NUMBERS_ZERO = 64,  /* low bits of 0 */
    NUMBERS_OBJECTS = 7 /* of where buffers, the module's constant data and a group's local memory
                           begin: they are multiples of 128 */
};

struct interval {
    int64_t least, most; /* both included */
};

/* Of each register. */
struct numbers {
    struct interval *as_signed;   /* as signed numbers of their type; */
    struct interval *as_unsigned; /* of at most 32 bits: as unsigned ones */
    uint8_t *zeros;               /* low bits that are 0 */
    /* Of each instruction: the source, + 1, that its loop has compared before, and between which
     * it lies there, with a sign; 0: none. */
    uint8_t *tested;
    struct interval *there;
    const struct affine_launch *launch; /* the only one; NULL: they are of all */
};

/* Everything is allocated in the arena. local_size: the work-group's, if it is known; or NULL. Near
 * linear in the kernel's size. */
void numbers_find(struct numbers *x, const struct isa_kernel *k, const uint32_t local_size[3],
                  struct arena *arena);
/* The same in an arena of its own, to be freed. NULL: no memory. */
struct arena *numbers_new(struct numbers *x, const struct isa_kernel *k,
                          const uint32_t local_size[3]);

/* Of one launch. */
void numbers_of_launch(struct numbers *x, const struct isa_kernel *k, const struct affine_launch *l,
                       struct arena *arena);

/* Of a register or a constant of an integer type, or ISA_NO_OPERAND, which is 0; as unsigned: of at
 * most 32 bits. */
struct interval numbers_signed(const struct numbers *x, const struct isa_kernel *k, isa_operand o);
struct interval numbers_unsigned(const struct numbers *x, const struct isa_kernel *k,
                                 isa_operand o);
/* Of a source of instruction n, where it reads that: as signed. */
struct interval numbers_read(const struct numbers *x, const struct isa_kernel *k, uint32_t n,
                             unsigned s);
/* Of what instruction n alone writes to its only destination, of an integer type: as signed. */
struct interval numbers_written(const struct numbers *x, const struct isa_kernel *k, uint32_t n);
/* All of v lies in [least, most]. */
static inline bool interval_within(struct interval v, int64_t least, int64_t most) {
    return v.least >= least && v.most <= most;
}

/* How many low bits are 0: of an operand, of a type of any kind. */
unsigned numbers_zeros(const struct numbers *x, const struct isa_kernel *k, isa_operand o);
/* Has every address of the instruction, which accesses memory, so many? */
bool numbers_aligned(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                     unsigned bits);
/* Does no offset that one in private memory can have lead out of the work-item's frame? They have
 * so many low bits that are 0. */
bool numbers_in_frame(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                      unsigned bits);

#endif
