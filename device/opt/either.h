/* Elements that are one of a few, by what has been read (opt_either.c): what registers are that
 * such an index is made of. */
#ifndef SIMTCL_EITHER_H
#define SIMTCL_EITHER_H

#include "device/analysis/numbers.h"
#include "device/isa/loops.h"

enum {
    EITHER_RUN = 24, /* instructions from the first choice to the last access, at most */
    EITHER_ELEMENTS = 4,
    EITHER_CHOICES = 3,
    EITHER_COMBINED = 1 << EITHER_CHOICES /* of choices: a bit for each */
};

/* What a register is that an index is made of: a rest, and how much more for each combination of
 * choices; the rest is so much more for each work-item than for the one before it. */
struct either_part {
    uint32_t stamp, rest; /* 0: none; else two that are alike have one number */
    int32_t stride, at[EITHER_COMBINED];
};

/* How an instruction from the first choice on makes such a register. */
enum either_kind {
    EITHER_NONE,
    EITHER_SUM,
    EITHER_CHOSEN, /* a select, */
    EITHER_NUMBER  /* or a number from 0 on that has been read */
};

/* Accesses by choices. */
struct either {
    uint32_t start, first, last; /* instructions: the first choice; the first and the last access */
    uint32_t before;             /* the loop before which sums are made */
    struct {
        isa_operand by;
        uint32_t bit; /* of a number; 0: `by` is a predicate */
    } choices[EITHER_CHOICES];
    unsigned nchoices, elements;
    unsigned of[EITHER_ELEMENTS];   /* a combination that chooses an element; */
    isa_operand key;                /* the register that tells which one it is, */
    int32_t tells[EITHER_ELEMENTS]; /* and by what */
    uint8_t kinds[EITHER_RUN];      /* instructions from the choice on: enum either_kind; */
    bool inside[EITHER_RUN];        /* that each element has, */
    int32_t far[EITHER_RUN]
               [EITHER_COMBINED]; /* and how far from the first one it accesses, if it does */
};

struct eithers {
    struct isa_kernel *k;
    struct loops l;
    struct numbers numbers;
    struct shape *shape;
    const uint64_t *provenance;
    struct either_part *parts; /* of registers; of these are known: */
    uint32_t stamp;
    uint8_t *adds;       /* instructions: an `or` that is a sum */
    isa_operand *values; /* what registers are in the loop, without the rest; or ISA_NO_OPERAND */
    struct either *list;
    uint32_t count;
};

/* The register as a sum of choices and others, if it is one of those that are known; or NULL. */
static inline const struct either_part *either_part_of(const struct eithers *x, isa_operand o) {
    return isa_is_reg(o) && x->parts[o].stamp == x->stamp ? &x->parts[o] : NULL;
}
/* What a choice is, of instruction n, with which e->start and e->first have been filled in:
 * EITHER_NONE: it is none. */
enum either_kind either_choice(struct eithers *x, struct either *e, uint32_t n);
/* What instruction n makes of such sums. False: none. */
bool either_add(struct eithers *x, struct either *e, uint32_t n);

#endif
