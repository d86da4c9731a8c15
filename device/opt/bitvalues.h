/* Bits: which bits of which register a value is, tests, or counts, however a bit is looked at:
 * shifted down and masked, masked and compared, or shifted up to where the sign is. Private to host
 * passes. */
#ifndef SIMTCL_BITVALUES_H
#define SIMTCL_BITVALUES_H

#include "device/isa/arena.h"
#include "device/isa/loops.h"

enum {
    BITVALUES_FEWEST = 6 /* bits that are worth it where a host counts in several operations */
};

enum bits_kind {
    BITS_NONE,
    BITS_SLICE,
    BITS_FLAG,
    BITS_COUNT,
    BITS_ODD,
    BITS_ANY,
    BITS_LESS,
    BITS_BELOW,
    BITS_LEFT,
    BITS_PLACE
};

/* What is known of a register.
 * slice  bits `mask` of it are those of the base by `shift` places up, its other ones 0; where it
 *        is not `valid` that is not known
 * flag   a predicate: the base's bit `mask` is set
 * count  how many of the base's bits `mask` are set, more than the other operand
 * odd    the other operand, its lowest bit changed if an odd number of these are set
 * any    a predicate: some of the base's bits `mask` are set
 * less   the base without its lowest bits, `shift` of them; below: 1 less than that; left: a
 *        predicate, whether that is not 0
 * place  the other operand, or if some of the base's bits `mask` are set, a number of one of them,
 * the highest or (down) the lowest one: `value` of that at `shift`, and by `step` more with each
 *        one that is higher
 * inverted: they are not set. */
struct bits {
    uint8_t kind, inverted;
    int8_t shift;
    isa_operand base, with, other; /* the base: that register, or it by `^` with another one */
    uint32_t since;                /* the instruction that has read the other operand */
    uint64_t mask, valid;
    int64_t value, step;
    bool down;
};

struct bits_finder {
    struct isa_kernel *k;
    struct loops l;
    struct bits *of;      /* of registers */
    const uint8_t *fixed; /* registers that may be a base */
};

/* What an instruction with one result writes. */
struct bits bitvalues_of(const struct bits_finder *f, uint32_t n);
/* An operand that is a number of bits, which is one, or none, or a sum of such. */
struct bits bitvalues_counted(const struct bits_finder *f, isa_operand o, enum bits_kind kind);
/* All bits of a type. */
uint64_t bitvalues_ones(enum isa_type t);
static inline bool bitvalues_is_one(uint64_t m) { return m && !(m & (m - 1)); }
/* a (op) b, a new register; the base, by `^` with the other one, inverted if it is. */
isa_operand bitvalues_make(struct isa_kernel *k, enum isa_op op, enum isa_type t, isa_operand a,
                           isa_operand b);
isa_operand bitvalues_base(struct isa_kernel *k, const struct bits *b, enum isa_type t);
/* How many bits are below the lowest one that is set; all of them, if none is. */
isa_operand bitvalues_below(struct isa_kernel *k, enum isa_type t, isa_operand v);
/* A number of bits, of type `from`, as one of type t. */
isa_operand bitvalues_as(struct isa_kernel *k, enum isa_type t, enum isa_type from, isa_operand n);

/* What straight code adds up in one register, write by write, has a register each time. */
void bitvalues_rename(struct isa_kernel *k, struct arena *arena);

#endif
