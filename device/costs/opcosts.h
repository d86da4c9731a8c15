/* What costs.def says. */
#ifndef SIMTCL_COSTS_OPCOSTS_H
#define SIMTCL_COSTS_OPCOSTS_H

#include "device/native/native.h"

struct opcosts {
    uint8_t registers, lanes, vectors, all, moves, most, integer, masked, gathered, scattered,
        window, held, looped, far;
    uint16_t kernel;
};
enum {
#define LIMIT(name, value, what) LIMIT_##name = (value),
#include "costs.def"
};
struct opcosts_operation {
    uint8_t clocks, operations, constants;
};

/* An iteration of a loop, for a whole warp. */
struct opcosts_iteration {
    uint32_t vectors, others; /* operations on vectors of 32 lanes; on scalars, and constants */
    uint32_t results;         /* vectors that are written, moves' too */
    uint32_t alive;           /* vectors at once, in pieces of 16 lanes */
    uint64_t spilled;         /* registers that are moved if the others hold what was used last */
    uint32_t splats;          /* scalars of before that lanes are computed with */
    uint32_t moved;           /* vectors that are there before it, or behind it */
    uint32_t path, chain;     /* clocks of waiting (device/analysis/latencies.h) */
};
enum { OPCOSTS_CLOCK = 64 }; /* parts of a clock */

const struct opcosts *opcosts_of(enum native_level level);
/* Whether lanes that are all on are moved one by one sooner than gathered and scattered. told:
 * where they lie has been read from memory, lane by lane. */
bool opcosts_each(enum native_level level, enum isa_space space, bool told);
/* Of an operation on lanes or on scalars. */
struct opcosts_operation opcosts_operation(const struct isa_inst *i);
/* What all lanes of `warps` warps cost in an iteration that is made for so many lanes at once. */
uint64_t opcosts_clocks(enum native_level level, const struct opcosts_iteration *t, uint32_t lanes,
                        uint32_t warps);

/* Do so many lanes' vectors fit in the registers, so that none is moved? Of those that do not LLVM
 * moves more than is counted here. */
bool opcosts_fits(enum native_level level, const struct opcosts_iteration *t, uint32_t lanes);

#endif
