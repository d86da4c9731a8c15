/* Iterations of a loop as code, one behind the other: all that there are, one that is a version, or
 * several that are one. What passes share that write loops out; how many is theirs to say. Private
 * to passes. */
#ifndef SIMTCL_UNROLL_H
#define SIMTCL_UNROLL_H

#include "kernelcopy.h"
#include "loops.h"

enum unroll_exit {
    UNROLL_ON,   /* another iteration may follow */
    UNROLL_OVER, /* all lanes have left the loop */
    UNROLL_NOT   /* it can not be written */
};

struct unroll {
    struct kernelcopy *copy;
    uint32_t begin, end;  /* of the loop, instructions of copy->k */
    uint32_t count, most; /* iterations; instructions after which there is no other one */
    /* Writes instructions of the body, whole regions; false: it can not. */
    bool (*put)(void *context, uint32_t from, uint32_t to);
    /* What is known of a place where the loop itself is left; NULL: it is written, too, for which
     * so many regions are around the iteration. */
    enum unroll_exit (*leave)(void *context, uint32_t at);
    uint32_t within;
    void *context;
    uint32_t iteration; /* this one, from 0 on */
};

/* UNROLL_ON: all are written, and lanes may be left. */
enum unroll_exit unroll_write(struct unroll *u);
/* Leaves a loop that instruction `leaves` leaves by such a comparison, where not so many iterations
 * are sure to follow. */
void unroll_leave(struct kernelcopy *c, const struct loop_exit *e, uint32_t leaves, uint32_t times);

#endif
