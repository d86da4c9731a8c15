/* What costs.def says. */
#ifndef SIMTCL_COSTS_OPCOSTS_H
#define SIMTCL_COSTS_OPCOSTS_H

#include "device/native/native.h"

struct opcosts {
    uint8_t registers, lanes, vectors, all, moves, masked, window, held, looped, far;
    uint16_t kernel;
};
enum {
#define LIMIT(name, value, what) LIMIT_##name = (value),
#include "costs.def"
};
struct opcosts_operation {
    uint8_t clocks, operations, constants;
};

const struct opcosts *opcosts_of(enum native_level level);
/* Whether lanes that are all on are moved one by one sooner than gathered and scattered. told:
 * where they lie has been read from memory, lane by lane. */
bool opcosts_each(enum native_level level, enum isa_space space, bool told);
/* Of an operation on lanes or on scalars. */
struct opcosts_operation opcosts_operation(const struct isa_inst *i);

#endif
