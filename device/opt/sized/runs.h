/* Runs: loops in which each work-item goes through elements that lie side by side, as dealt.c
 * rewrites them. Private to these two. */
#ifndef SIMTCL_RUNS_H
#define SIMTCL_RUNS_H

#include "device/analysis/shape.h"
#include "sized_pass.h"

enum {
    RUNS_LOOPS = 8, /* at most; of one: */
    RUNS_COUNTERS = 4,
    RUNS_PLACES = 8, /* that it stores to */
    RUNS_CHAIN = 16  /* instructions that a counter's start is made of */
};

struct run_counter {
    isa_operand reg, dealt; /* dealt: its name in the version */
    isa_operand step;       /* a constant, or one for the group */
    uint32_t at;            /* the instruction that steps it */
};

/* Accesses of an iteration by one register, to memory that it stores to. */
struct run_place {
    isa_operand reg, dealt;
    int32_t first, end; /* bytes from there on */
    uint32_t param;
    unsigned loads, stores;
    bool others; /* there are accesses by other registers, that may be elsewhere */
    bool again;  /* it is stored to in a loop within the loop */
};

struct run_loop {
    uint32_t begin, test, compare; /* instructions: the loop, where lanes leave it, and by what */
    uint32_t start;                /* the one that starts the counter that is compared */
    struct run_counter counters[RUNS_COUNTERS];
    struct run_place places[RUNS_PLACES];
    unsigned ncounters, nplaces, lanes;
    uint32_t run, total; /* iterations, and by how much that counter grows in them */
    uint32_t alone;      /* parameters, as bits */
    bool is_signed, refused;
};

struct runs {
    struct run_loop of[RUNS_LOOPS];
    unsigned count;
};

/* What they are found by. Arrays are of k's registers. */
struct runs_finder {
    const struct sized *sized;
    const struct isa_kernel *k;
    struct shape *shape;
    uint64_t *provenance;
    uint32_t *writes; /* instructions that write them, */
    uint32_t *writer; /* and the last one; */
    uint32_t *inside; /* how many of a loop at hand write them; */
    uint32_t *until;  /* up to where this iteration has written them; */
    uint32_t *part;   /* the `if` in whose first part that was, + 1 */
};

/* Finds those of s->k, which is not to change while `f` is used; runs_end frees what that has.
 * False: out of memory. */
bool runs_find(struct runs_finder *f, const struct sized *s, struct runs *found);
void runs_end(struct runs_finder *f);
/* Is the operand a constant of type i32? */
bool runs_constant(const struct isa_kernel *k, isa_operand o, uint32_t *value);
/* Is it a register that is written once, on every way to instruction n? */
bool runs_known(const struct runs_finder *f, isa_operand o, uint32_t n);
/* Have the lanes of such spans the same of a register? */
bool runs_one(const struct runs_finder *f, isa_operand reg, unsigned span);
/* Must the elements of one turn not lie in each other there? Of one instruction's stores, which are
 * in the order of lanes, they may. */
bool runs_checked(const struct run_place *p);

#endif
