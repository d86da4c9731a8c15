/* Closed loops: short ones without side effects of which it is known how often they go round, and
 * what an iteration makes of each register that goes on. They count bits, by shifts of a value or
 * without its lowest one, look for the highest or the lowest bit, or count to a bound. */
#ifndef SIMTCL_CLOSEDLOOPS_H
#define SIMTCL_CLOSEDLOOPS_H

#include "device/isa/loops.h"

enum {
    CLOSEDLOOPS_INSTS = 40, /* of a loop, at most */
    CLOSEDLOOPS_CONDITIONS = 4
};

/* What an iteration makes of a register. */
enum recurrence_kind {
    RECUR_ADD,  /* what the loop does not change is added; */
    RECUR_XOR,  /* the same of xor */
    RECUR_BIT,  /* the lowest bit of a register that is shifted is added */
    RECUR_FLIP, /* the same of xor, or where that bit is 1 another number */
    RECUR_TURN, /* it is taken from what the loop does not change; */
    RECUR_SIGN, /* where such a bit is 1 */
    RECUR_SHR_U,
    RECUR_SHR_S,
    RECUR_HALVE, /* as signed division by a power of 2 */
    RECUR_SHL,
    RECUR_LOWEST /* the lowest bit becomes 0 */
};

struct recurrence {
    isa_operand reg;
    enum recurrence_kind kind;
    uint32_t at;      /* the instruction that computes it, maybe of a wider type */
    bool wider;       /* it is; */
    bool down;        /* subtracts */
    unsigned shift;   /* by so many bits */
    isa_operand by;   /* what is added; RECUR_BIT, RECUR_FLIP, RECUR_SIGN: whose bit; */
    bool behind;      /* which is shifted before; */
    bool top;         /* not the lowest bit: the highest one of what is shifted up; */
    bool zeros;       /* counts where it is 0 */
    isa_operand what; /* by which it is changed, or from what it is taken; none: 1 */
    isa_operand last; /* for who writes the code: as the last iteration finds it */
};

/* A comparison that holds where lanes leave. */
struct closed_leaf {
    enum isa_op op;
    isa_operand src[2];
    uint32_t at; /* the instruction */
};

/* One of the conditions by which the loop is left: the first that holds. */
struct closed_condition {
    struct closed_leaf leaf;
    uint32_t leaves;           /* the exit */
    struct recurrence *driver; /* the loop goes on until it is less than 2^bits, */
    unsigned bits;
    bool is_signed;  /* compared as a signed number; */
    bool odd;        /* or until its lowest bit is 1, or that one, of what is shifted up, */
    bool clear;      /* or (and odd) until that bit is 0, */
    bool reaches;    /* or (and odd) until the 1 that is shifted, from place `bits` on, is, as a
                        number, `far`, */
    bool beyond;     /* or more than that; */
    isa_operand far; /* which does not change */
    bool one;        /* or until it is 1 */
    bool behind;     /* which is asked of it after its step */
    bool positive;   /* for who writes the code: it does not start as a negative number */
    struct loop_exit exit; /* without driver: a counter comes to its bound */
    bool equal;            /* by equality */
};

struct closed_loop {
    const struct isa_kernel *k;
    const struct loops *l;
    uint32_t loop, leaves, last; /* its first exit and its last one, between which nothing that
                                    matters outside is computed */
    struct recurrence steps[CLOSEDLOOPS_INSTS];
    unsigned nsteps;
    struct closed_condition conditions[CLOSEDLOOPS_CONDITIONS];
    unsigned nconditions;
};

/* Does the loop only compute, each register at one place? Fills in its exits. */
bool closedloops_simple(struct closed_loop *x, const struct isa_kernel *k, const struct loops *l,
                        uint32_t loop);
/* The conditions by which the exit leaves the loop, of which each is enough, behind those that are
 * there. False: there are others. */
bool closedloops_conditions(struct closed_loop *x, uint32_t leaves);
/* Is the loop one? Fills in all but `positive`. */
bool closedloops_find(struct closed_loop *x, const struct isa_kernel *k, const struct loops *l,
                      uint32_t loop);

#endif
