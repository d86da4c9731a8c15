/* How often a loop goes round: till a counter comes to a bound. That is a number that all
 * work-items of a group have in common where how far the one is from the other is made of such
 * numbers, wherever each work-item begins: as (y * n + n) - y * n is. Private to host passes. */
#ifndef SIMTCL_TRIPS_H
#define SIMTCL_TRIPS_H

#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "linear.h"

struct trips {
    uint32_t leaves; /* instruction: by which the loop is left */
    struct loop_exit exit;
    bool equal;            /* where both are equal, however the counter comes there */
    bool is_signed;        /* how they are compared otherwise; */
    bool sure;             /* who begins before the bound comes to it exactly */
    struct linear_sum far; /* from the counter to the bound. A term's value: a factor, + 1, or 0 */
};

struct trips_finder {
    const struct isa_kernel *k;
    const struct loops *l;
    const struct shape *shape;
    const struct numbers *numbers;
};

/* Finds it of the loop that instruction `leaves` leaves; false: nobody knows, or a `continue` may
 * pass that instruction, or what counts. */
bool trips_find(const struct trips_finder *f, uint32_t leaves, struct trips *t);

/* Before the loop: that number, of registers as they are named there. It is right for work-items of
 * which trips_hold is true, and these begin an iteration at least; ISA_NO_OPERAND: for all. */
isa_operand trips_write(struct kernelcopy *c, const struct trips *t);
isa_operand trips_hold(struct kernelcopy *c, const struct trips *t, isa_operand number);

#endif
