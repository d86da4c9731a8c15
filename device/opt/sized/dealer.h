/* What writes versions of runs, in a kernel that is made of another one. Private to dealt.c and
 * spread.c. */
#ifndef SIMTCL_DEALER_H
#define SIMTCL_DEALER_H

#include "runs.h"

enum { DEALER_MOST = 1200 /* instructions of the kernel that is made */ };

struct dealer {
    const struct sized *sized;
    struct runs_finder runs;
    struct runs found;
    struct kernelcopy copy;
};

/* Names of its own for all that the loop writes. */
void dealer_rename(struct kernelcopy *c, struct run_loop *l);
/* Is the register read anywhere but in the loop, and before it without another one around? */
bool dealer_reads_later(const struct isa_kernel *k, const struct run_loop *l, isa_operand reg);

/* spread.c: whether that version is right, as a predicate that is one for the warp, and the
 * version. */
struct spread {
    isa_operand right, lane, lanes; /* lanes: that come to the loop */
    isa_operand count;              /* iterations of each lane, */
    isa_operand total, one;         /* all of them; they are one run */
    isa_operand alone;              /* no other parameter shares the memory it stores to */
    isa_operand first[RUNS_COUNTERS],
        at[RUNS_PAIRS][2]; /* counters', addresses in the first iteration */
};
void spread_test(struct dealer *d, struct run_loop *l, struct spread *s);
/* Whether accesses by one parameter, but several addresses, are so far apart in a run of a known
 * length, as such a predicate; ISA_NO_OPERAND: there are none. */
isa_operand spread_apart(struct dealer *d, struct run_loop *l);
void spread_write(struct dealer *d, struct run_loop *l, const struct spread *s);

/* reductions.c: where a row begins, nothing is joined yet; behind it, what lanes have joined is in
 * the registers of the lane that the predicate holds for. What they have joined is kept before a
 * turn, and is what it was for lanes that have done again what others had done. */
void reductions_begin(struct kernelcopy *c, const struct run_loop *l);
void reductions_keep(struct kernelcopy *c, const struct run_loop *l, isa_operand *kept);
void reductions_give_back(struct kernelcopy *c, const struct run_loop *l, const isa_operand *kept,
                          isa_operand is_again);
void reductions_end(struct kernelcopy *c, const struct run_loop *l, isa_operand is_mine);

#endif
