/* How often a loop goes round: till a counter comes to a bound. That is a number that all
 * work-items of a group have in common where how far the one is from the other is made of such
 * numbers, wherever each work-item begins: as (y * n + n) - y * n is. Private to host passes. */
#ifndef SIMTCL_TRIPS_H
#define SIMTCL_TRIPS_H

#include "device/analysis/linear.h"
#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"

struct trips {
    uint32_t leaves; /* instruction: by which the loop is left */
    struct loop_exit exit;
    bool meets;                /* the bound is a counter, too, which goes down: */
    struct loop_counter other; /* that one, */
    uint32_t other_off;        /* and what is compared is that much more; */
    uint32_t step[2];          /* by that both go */
    bool equal;                /* where both are equal, however the counter comes there */
    bool is_signed;            /* how they are compared otherwise; */
    bool in_object;            /* it points into one, and so does the bound */
    bool whole;                /* so far it is in whole steps, and the bound is not passed */
    bool always;               /* the number is right for all work-items; */
    bool sure;                 /* for those that begin before the bound */
    struct linear_sum far;     /* from the counter to the bound, or what is likely to give the same
                                  number. A term's value: a factor, + 1, or 0 */
};

struct trips_finder {
    const struct isa_kernel *k;
    const struct loops *l;
    const struct shape *shape;
    const struct numbers *numbers;
    const uint8_t *pointers; /* registers, by trips_pointers */
};

/* Marks registers that are the address of what is not private, or that one of these is a copy of.
 */
uint8_t *trips_pointers(const struct isa_kernel *k, struct arena *arena);

/* Finds it of the loop that instruction `leaves` leaves; false: nobody knows, or a `continue` may
 * pass that instruction, or what counts. The same where two counters meet. */
bool trips_find(const struct trips_finder *f, uint32_t leaves, struct trips *t);
bool trips_find_meeting(const struct trips_finder *f, uint32_t leaves, struct trips *t);

/* Before the loop: that number, of registers as they are named there. If not always, it is right
 * for work-items of which trips_hold is true, and these begin an iteration at least. */
isa_operand trips_write(struct kernelcopy *c, const struct trips *t);
isa_operand trips_hold(struct kernelcopy *c, const struct trips *t, isa_operand number);

/* How far a counter of the loop is from an operand that does not change in it, when the loop
 * begins. *in_object: both point into one, so that this is no less than INT32_MIN then, nor more
 * than INT32_MAX, and not as long as the counter points there. */
bool trips_apart(const struct trips_finder *f, uint32_t loop, isa_operand counter, isa_operand from,
                 struct linear_sum *far, bool *in_object);
/* How many low bits of such a sum are 0; the sum, of registers as they are named. */
unsigned trips_zeros(const struct trips_finder *f, const struct linear_sum *s);
isa_operand trips_sum(struct kernelcopy *c, const struct linear_sum *s);

#endif
