/* What the first iteration of a loop would load, loaded before the loop, by those that come to it.
 * The loop is straight code, which computes, loads, stores and leaves. */
#ifndef SIMTCL_FIRSTITERATION_H
#define SIMTCL_FIRSTITERATION_H

#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"

struct firstiteration {
    const struct isa_kernel *k;
    const struct loops *l;
    uint8_t *needs; /* instructions: enum firstiteration_need */
};
/* An instruction that such a load needs; one that is made of more than what is computed. */
enum firstiteration_need { FIRSTITERATION_NEEDED = 1, FIRSTITERATION_NEVER };

/* Marks what the first iteration's value of an operand, as instruction `before` of the loop reads
 * it, is made of; false: of more than what is computed. */
bool firstiteration_needs(struct firstiteration *f, uint32_t loop, isa_operand o, uint32_t before);
/* The same of whether lanes leave the loop that begins there before they come to instruction
 * `last`. */
bool firstiteration_leaves(struct firstiteration *f, uint32_t begin, uint32_t last);
/* Writes that, and what `load` writes of each instruction up to the last, in ifs of those that have
 * not left: MOST_LEFT deep at most, if the loop is left so often. */
void firstiteration_put(const struct firstiteration *f, struct kernelcopy *copy, uint32_t begin,
                        uint32_t last, void (*load)(void *context, uint32_t n), void *context);

#endif
