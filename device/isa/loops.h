/* Loops of a kernel, as the passes on both sides see them: which loop an instruction is in, what a
 * loop assigns, which registers count. Private to passes and rewrites. */
#ifndef SIMTCL_LOOPS_H
#define SIMTCL_LOOPS_H

#include "arena.h"
#include "isa.h"

struct loop {
    uint32_t begin, parent; /* instruction; loop around it, 0: none */
    uint32_t level;         /* loops around it and itself */
};

struct loop_mark {
    uint32_t reg, loop;
};

struct loops {
    struct loop *loops; /* from 1 on, as they begin; 0 is the kernel */
    uint32_t nloops;
    uint32_t *loop_of;    /* each instruction's innermost loop */
    uint8_t *conditional; /* each instruction: not every iteration of its loop comes to it */
    uint8_t *nested;      /* each instruction: an if or block lies between it and its loop */
    uint32_t *defs;       /* each register's definitions */
    uint8_t *ordered;     /* a register: one definition, before every use, in a region around it */
    struct loop_mark *marks;
    uint32_t cap_marks, nmarks;
};

struct loop_counter { /* add reg, reg, step: its loop's only assignment of reg, in no if or block */
    uint32_t reg, loop, at; /* the loop it counts; the instruction that steps it */
    isa_operand step;       /* does not change in the loop */
    uint32_t next;          /* the same register in another loop, + 1 */
};

struct loop_counters {
    struct loop_counter *list;
    uint32_t count, *of; /* list of each register, + 1 */
};

/* Looks at a kernel; everything is allocated in the arena. False: it has no loop. */
bool loops_find(struct loops *x, const struct isa_kernel *k, struct arena *arena);
/* Is the register assigned in the loop? */
bool loops_assign(const struct loops *x, uint32_t reg, uint32_t loop);
/* Is the operand a register that is? */
bool loops_varies(const struct loops *x, isa_operand o, uint32_t loop);
/* Is it the loop `outer`, or in it? */
bool loops_inside(const struct loops *x, uint32_t loop, uint32_t outer);
/* The counters of all loops, of type i32; allocated in the arena. */
void loops_counters(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                    struct loop_counters *c);
/* What starts each counter, + 1: its last assignment before the loop, in the part of a region in
 * which the loop begins, so that all lanes that come to the loop have been there; 0: there is none
 * of the kind. */
uint32_t *loops_starts(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                       const struct loop_counters *c);

/* ---- of one loop, which begins at instruction `begin`, with regions' ends known ---- */

/* The only instruction of the loop that writes a register; begin: none does, the loop's end:
 * several do. And whether an operand is the same in all iterations. */
uint32_t loops_writer(const struct isa_kernel *k, uint32_t begin, isa_operand reg);
bool loops_invariant(const struct isa_kernel *k, uint32_t begin, isa_operand o);

#endif
