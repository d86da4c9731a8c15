/* Loops of a kernel, as the passes on both sides see them: which loop an instruction is in, what
 * writes a register there, and by how much registers are moved from iteration to iteration. Private
 * to passes and rewrites. */
#ifndef SIMTCL_LOOPS_H
#define SIMTCL_LOOPS_H

#include "arena.h"
#include "isa.h"

struct loop {
    uint32_t begin, end, parent; /* instructions; loop around it, 0: none */
    uint32_t level;              /* loops around it and itself */
};

struct loop_mark {
    uint32_t reg, loop, at; /* the only instruction that does, or LOOPS_SEVERAL */
};

struct loops {
    struct loop *loops; /* from 1 on, as they begin; 0 is the kernel */
    uint32_t nloops;
    uint32_t *loop_of;    /* each instruction's innermost loop */
    uint8_t *conditional; /* each instruction: not every iteration of its loop comes to it */
    uint8_t *nested;      /* each instruction: an if or block lies between it and its loop */
    uint8_t *each;        /* each instruction: no lane comes to the next iteration but by it */
    uint32_t *defs;       /* each register's definitions; */
    uint32_t *reads;      /* operands that read it */
    uint32_t *writers;    /* of which this is the only one, or LOOPS_NONE, LOOPS_SEVERAL */
    uint8_t *ordered;     /* a register: one definition, before every use, in a region around it */
    struct loop_mark *marks;
    uint32_t cap_marks, nmarks;
};

/* Looks at a kernel; everything is allocated in the arena. False: it has no loop, and all there is
 * is what writes and reads registers. */
bool loops_find(struct loops *x, const struct isa_kernel *k, struct arena *arena);
/* The same in an arena of its own, to be freed. NULL: no memory. */
struct arena *loops_new(struct loops *x, const struct isa_kernel *k);
/* The loop that begins at an instruction. */
static inline uint32_t loops_at(const struct loops *x, uint32_t begin) {
    return x->loop_of[begin + 1];
}
/* Does one of the instructions [from, to) begin a loop? */
static inline bool loops_between(const struct isa_kernel *k, uint32_t from, uint32_t to) {
    while (from < to && k->insts[from].op != ISA_loop) from++;
    return from < to;
}
/* Is it the loop `outer`, or in it? */
bool loops_inside(const struct loops *x, uint32_t loop, uint32_t outer);

/* ---- what writes registers ---- */

/* The only instruction of the loop that writes the register; or one of these, which are greater
 * than all. */
#define LOOPS_NONE    (UINT32_MAX - 1) /* none does, as with constants */
#define LOOPS_SEVERAL UINT32_MAX
uint32_t loops_writer(const struct loops *x, isa_operand o, uint32_t loop);
/* The same where an iteration comes to it before `at`, an instruction of the loop, so that this one
 * reads what was written there. Otherwise LOOPS_NONE. */
uint32_t loops_written(const struct loops *x, isa_operand o, uint32_t loop, uint32_t at);
/* The only instruction that writes an operand, where whatever reads it has come by that one; or
 * NULL. */
const struct isa_inst *loops_definition(const struct loops *x, const struct isa_kernel *k,
                                        isa_operand o);
/* Is a register for instruction `to` what it is before `from`, however often loops that begin
 * between them are iterated? */
bool loops_keep(const struct isa_kernel *k, isa_operand reg, uint32_t from, uint32_t to);
/* Is the register assigned in the loop? */
bool loops_assign(const struct loops *x, uint32_t reg, uint32_t loop);
/* Is the operand a register that is? */
bool loops_varies(const struct loops *x, isa_operand o, uint32_t loop);

/* ---- loops_counters.c: what is moved evenly ---- */

/* A register to which its loop adds, by its only assignment of it, in no if or block: by add or
 * sub, or by a copy of such a sum that was made before. */
struct loop_counter {
    uint32_t reg, loop, at; /* the loop it counts; the instruction that writes it */
    uint32_t sum;           /* what adds to it: that one, or one before, of which it is a copy */
    isa_operand step;
    bool down;     /* which is subtracted */
    uint32_t next; /* the same register in another loop, + 1 */
};

struct loop_counters {
    struct loop_counter *list;
    uint32_t count, *of; /* list of each register, + 1 */
};

/* Is what the instruction writes such a register? Its step may be anything, and so may its type
 * among integers. */
bool loops_step(const struct loops *x, const struct isa_kernel *k, uint32_t at,
                struct loop_counter *c);
/* The counters of all loops, of type i32, by add reg, reg, step, where the step does not change in
 * the loop; allocated in the arena. */
void loops_counters(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                    struct loop_counters *c);
/* The same with those that are copies of what is added to them. */
void loops_counters_copied(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                           struct loop_counters *c);
/* The counter of the loop that an operand is, or NULL. */
const struct loop_counter *loops_counter(const struct loop_counters *c, isa_operand o,
                                         uint32_t loop);
/* By how much a counter grows, if its step is a constant; or 0. */
int32_t loops_constant_step(const struct isa_kernel *k, const struct loop_counter *c);
/* What starts a register of the loop that begins there, + 1: its last assignment before the loop,
 * in the part of a region in which the loop begins, so that all lanes that come to the loop have
 * been there; 0: there is none of the kind. */
uint32_t loops_start(const struct isa_kernel *k, uint32_t begin, isa_operand reg);
/* The same, also where the loop is in ifs and blocks, and that is before them: then lanes have been
 * there that do not come to the loop. */
uint32_t loops_start_outside(const struct isa_kernel *k, uint32_t begin, isa_operand reg);
/* The same of each counter, where the instruction writes nothing else. */
uint32_t *loops_starts(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                       const struct loop_counters *c);
/* Where a loop in a loop is come to again, may it read what it left in the register? */
bool loops_goes_on(const struct loops *x, const struct isa_kernel *k, uint32_t loop,
                   isa_operand reg);

/* Which counters, as bytes of the list, are addresses and nothing else: what reads them but their
 * step are loads and stores of their own loop that come before it, with displacements of which so
 * many bytes can be taken more. */
uint8_t *loops_addresses(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                         const struct loop_counters *c, int32_t margin);

/* A register as an instruction reads it, and a constant. */
struct loop_sum {
    isa_operand reg;
    uint32_t at;
    uint64_t plus; /* modulo what its type holds */
};
/* What an instruction of the loop reads as an operand: goes back through copies and sums that are
 * made before, in the same iteration. */
struct loop_sum loops_sum(const struct loops *x, const struct isa_kernel *k, isa_operand o,
                          uint32_t loop, uint32_t at);
/* The comparison by which a `breakif` leaves its loop, made before in the same iteration; or
 * LOOPS_NONE. */
uint32_t loops_compare(const struct loops *x, const struct isa_kernel *k, uint32_t leaves);

/* How a `breakif` leaves its loop: an i32 counter comes to a bound that the loop does not change,
 * by a constant in each iteration. */
struct loop_exit {
    uint32_t compare; /* instruction: the comparison of both */
    struct loop_counter counter;
    uint32_t off; /* compared is what the counter is when an iteration begins, and that */
    isa_operand bound;
    unsigned side;  /* which source of the comparison that is */
    uint32_t step;  /* so far it goes in an iteration, */
    bool down;      /* where numbers become less; */
    bool inclusive; /* and not only to the bound */
};
bool loops_exit(const struct loops *x, const struct isa_kernel *k, uint32_t leaves,
                struct loop_exit *e);
/* The same of a counter whose step is no constant, but one number while the loop lasts: step is 0
 * then, and it is taken for positive. */
bool loops_exit_steps(const struct loops *x, const struct isa_kernel *k, uint32_t leaves,
                      struct loop_exit *e);
/* The same where lanes leave if that comparison holds, or, opposite, if it does not. */
bool loops_exit_by(const struct loops *x, const struct isa_kernel *k, uint32_t compare,
                   bool opposite, struct loop_exit *e);

/* The same where the bound is another counter, which is `*other_off` more than at the iteration's
 * begin when it is compared: that goes down, the first one goes up, and they come closer by `step`.
 */
bool loops_exit_meets(const struct loops *x, const struct isa_kernel *k, uint32_t leaves,
                      struct loop_exit *e, struct loop_counter *other, uint32_t *other_off);

/* Is the operand of instruction n what an iteration before has left in a register, and does not
 * count by steps that are all the same? Has the loop such ones? */
bool loops_carried(const struct loops *x, const struct isa_kernel *k, isa_operand o, uint32_t loop,
                   uint32_t n);
bool loops_carries(const struct loops *x, const struct isa_kernel *k, uint32_t loop);

/* By how much an operand grows from one iteration to the next, modulo 2^32, as instruction `at` of
 * the loop reads it. *behind: something that is stepped before is read, so that already the first
 * iteration has more than what comes to the loop. false: it is not always the same. */
bool loops_grows(const struct loops *x, const struct isa_kernel *k, isa_operand o, uint32_t loop,
                 uint32_t at, uint32_t *by, bool *behind);

#endif
