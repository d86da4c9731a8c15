/* Repeats: pieces of code that do the same one after the other, as where iterations of a loop were
 * written out; or one in the other, where iterations may be the last one. What corresponding
 * instructions read is the same, steps by as much from copy to copy, or is what corresponding
 * instructions computed. Private to passes. */
#ifndef SIMTCL_REPEATS_H
#define SIMTCL_REPEATS_H

#include "device/isa/loops.h"

enum {
    REPEATS_COPIES = 32,
    REPEATS_PIECES = 24,  /* of a copy */
    REPEATS_VALUES = 384, /* of a copy that are looked at */
    REPEATS_BLOCK = 128   /* pieces of a block */
};

enum repeats_kind {
    REPEATS_SAME,    /* one operand, which does not change meanwhile */
    REPEATS_STEPS,   /* integers that grow by `step` from copy to copy */
    REPEATS_INNER,   /* what pieces write */
    REPEATS_COMPUTED /* what pure operations and loads between pieces compute alike */
};

/* What an operand is in each copy. */
struct repeats_value {
    enum repeats_kind kind;
    isa_operand of[REPEATS_COPIES];
    isa_operand stride;          /* STEPS: they grow by so many times that; or ISA_NO_OPERAND */
    int64_t step;                /* modulo 2^64; INNER: what is to be added to it where it begins,
                                    in place of displacements of all accesses by it */
    uint32_t at[REPEATS_COPIES]; /* COMPUTED: by which instructions; */
    unsigned result;             /* which of their results; */
    int32_t further;             /* by how much their displacement grows; */
    bool ordered;                /* they may not be moved past a piece */
    uint32_t writes;             /* INNER: instructions of a copy that write it */
    isa_operand *written;        /* for who writes it: the results; */
    bool fixed;                  /* and whether it is one value for all copies */
};

/* What is kept in order: a store, a region, a register that is written several times. */
struct repeats_piece {
    uint32_t from, to;
};

struct repeats {
    const struct isa_kernel *k;
    struct arena *arena;
    struct loops loops;             /* what writes and reads registers */
    unsigned copies, pieces;        /* of a copy */
    const struct repeats_piece *of; /* pieces of the first copy, the second one ... */
    uint32_t begin, end;            /* instructions: between what else has an effect */
    bool nested; /* each copy is in an `if`, its first piece, that ends the one before; */
    isa_operand inner, outer; /* the first one's condition is also another one: as that of other
                                 copies, and that one; else ISA_NO_OPERAND */
    struct repeats_value *values;
    unsigned nvalues;
    int32_t *further; /* instructions in pieces of the first copy: as above */
    uint8_t *free;    /* instructions that compute, wherever they are, the same */
    uint8_t *moved;   /* registers that are not there before the last piece */
    uint8_t *dead;    /* instructions that the copies alone need */
    bool strides;     /* what grows by several times a register is looked for, too */
    bool sums;        /* these are such by what addresses are sums of */
    unsigned tries, skip;
};

/* Looks at a kernel, which must not change while it is used. */
void repeats_begin(struct repeats *x, const struct isa_kernel *k, struct arena *arena);
/* Finds the next ones. False: there are no more. */
bool repeats_next(struct repeats *x);
/* The value that was found for a source of an instruction, in pieces of the first copy or what a
 * value is computed by; never NULL for these. */
struct repeats_value *repeats_source(struct repeats *x, const uint32_t *at, unsigned source);
/* That of what it writes in pieces. */
struct repeats_value *repeats_result(struct repeats *x, const uint32_t *at);
/* Goes through the instructions of a piece that are kept in order, in all copies at once; begins
 * with zeros. False: at least one copy has no more. */
struct repeats_walk {
    unsigned piece;
    bool began;
    uint32_t at[REPEATS_COPIES];
};
bool repeats_walk(const struct repeats *x, struct repeats_walk *w);
/* Does an instruction that is not in [from, to) read the register? */
bool repeats_read_outside(const struct isa_kernel *k, isa_operand reg, uint32_t from, uint32_t to);

#endif
