/* Several iterations of a loop, or several work-items' ones, as one piece of code, instruction by
 * instruction: what is the same for all of them, control above all, is there once. Whether they may
 * go on side by side is for who asks to know. Private to passes. */
#ifndef SIMTCL_JAM_H
#define SIMTCL_JAM_H

#include "kernelcopy.h"
#include "loops.h"

enum { JAM_MOST = 4 };

struct jam {
    const struct isa_kernel *k;
    uint32_t from, to;       /* of whole regions */
    const uint8_t *left_out; /* instructions that are not written; NULL: there are none */
    uint8_t *own;            /* registers of which each has its own; */
    uint8_t *each;           /* instructions that are there for each; and how many are */
    uint32_t shared, separate;
    unsigned copies;
    isa_operand *names[JAM_MOST]; /* of registers, for each */
};

/* What is found and written of [from, to), for so many copies; everything is in the arena. own: is
 * filled by who calls. */
struct jam *jam_new(const struct isa_kernel *k, struct arena *arena, uint32_t from, uint32_t to,
                    unsigned copies);
/* Finds what hangs on what each has of its own, so that each has its own of that. repeats: a load
 * gives all of them the same, if they ask at one address. False: their ways part, or something is
 * in the way. */
bool jam_find(struct jam *j, bool (*repeats)(const void *context, uint32_t n), const void *context);
/* As many copies as the registers, of so many bytes, have room for what loops in it carry on: in
 * half of them, if there are more than two. 1: two have no room. */
void jam_fit(struct jam *j, const struct loops *l, uint32_t bytes);
/* Names of the copy for all, as they are now; each has another one for what is its own. */
void jam_name(struct jam *j, struct kernelcopy *c);
void jam_put(const struct jam *j, struct kernelcopy *c);

#endif
