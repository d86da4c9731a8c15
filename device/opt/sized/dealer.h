/* What writes versions of runs: the kernel that is made of another one, and instructions in it.
 * Private to dealt.c and spread.c. */
#ifndef SIMTCL_DEALER_H
#define SIMTCL_DEALER_H

#include "runs.h"

enum { DEALER_MOST = 1200 /* instructions of the kernel that is made */ };

struct dealer {
    const struct sized *sized;
    const struct isa_kernel *k; /* as it was */
    struct runs_finder runs;
    struct runs found;
    isa_operand *names; /* of k's registers in the version that is written */
    struct isa_kernel *out;
    uint32_t *origins; /* of its instructions */
    bool failed;
};

/* A new instruction in the place of instruction n. */
struct isa_inst *dealer_make(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type type,
                             isa_operand to, isa_operand a, isa_operand b);
/* The same, to a new register. */
isa_operand dealer_made(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type type,
                        isa_operand a, isa_operand b);
/* Of integers: by sext, zext or trunc; the same if the type is. */
isa_operand dealer_converted(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type to,
                             enum isa_type from, isa_operand a);
isa_operand dealer_chosen(struct dealer *d, uint32_t n, enum isa_type type, isa_operand p,
                          isa_operand yes, isa_operand no);
isa_operand dealer_special(struct dealer *d, uint32_t n, enum isa_special which);
isa_operand dealer_word(struct dealer *d, uint32_t value);
/* Instruction n as it is, its registers by d->names. */
void dealer_put(struct dealer *d, uint32_t n);
void dealer_put_to(struct dealer *d, uint32_t n, const isa_operand *to); /* other destinations */
isa_operand dealer_named(const struct dealer *d, isa_operand o);
/* Names of its own for all that the loop writes; and those of k again. */
void dealer_rename(struct dealer *d, struct run_loop *l);
void dealer_keep(struct dealer *d);
/* Is the register read anywhere but in the loop, and before it without another one around? */
bool dealer_reads_later(const struct dealer *d, const struct run_loop *l, isa_operand reg);
/* Are the parameters whose memory it stores to alone there? */
isa_operand dealer_alone(struct dealer *d, const struct run_loop *l);

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
void spread_write(struct dealer *d, struct run_loop *l, const struct spread *s);

#endif
