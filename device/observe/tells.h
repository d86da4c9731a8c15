/* What an observer puts into the engines' copy of a kernel itself: calls that are made where a
 * predicate holds. For struct observer.instrument. */
#ifndef SIMTCL_TELLS_H
#define SIMTCL_TELLS_H

#include "device/isa/arena.h"
#include "observer.h"

struct tells_call {
    struct observe_told told;
    const struct isa_inst *of; /* struct tells.inst when it was put there */
};

struct tells {
    struct isa_kernel *k; /* the copy */
    struct arena *arena;
    uint32_t first;              /* number of the first call */
    const struct isa_inst *inst; /* what calls are about that are put there next */
    uint32_t number;             /* and which of the device's instructions that is */
    struct tells_call *calls;
    uint32_t count, room;
};

/* From here to tells_end only those lanes run for which the predicate holds. The first thing they
 * do is to tell the observer: struct observe_event.own and .what; operand, an i32, is told with it
 * (ISA_NO_OPERAND: none). Without memory the arena is exhausted. */
void tells_begin(struct tells *t, uint8_t what, isa_operand predicate, isa_operand operand);
void tells_end(struct tells *t);
/* Both. */
void tells_if(struct tells *t, uint8_t what, isa_operand predicate, isa_operand operand);
/* The same with as many operands, up to OBSERVE_OPERANDS, of 32 bits. */
void tells_if_all(struct tells *t, uint8_t what, isa_operand predicate, const isa_operand *operands,
                  uint32_t count);
/* Makes the calls those of *added, which the caller owns. False: no memory. */
bool tells_take(const struct tells *t, struct observe_added *added);

/* An instrument that looks at instructions before they run: those of the kernel `k` for which
 * `wanted` says so, which looks at their operation and their site alone. `test` gets what
 * `wanted` got, and their sources in the copy. False: no memory. */
struct tells_tests {
    bool (*wanted)(const struct isa_kernel *k, const struct isa_inst *i, const void *user);
    void (*test)(struct tells *t, const struct isa_inst *i, const isa_operand *src);
    const void *user;
};
bool tells_instrument(const struct tells_tests *tests, const struct isa_kernel *k,
                      struct isa_kernel *copy, uint32_t first, struct observe_added *added);

#endif
