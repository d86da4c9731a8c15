/* The tables of costs.def, and which kind an operation is of. */
#include "opcosts.h"

static const struct opcosts levels[] = {
#define COSTS(level, registers, lanes, vectors, all, moves, masked, window, held, looped, far,     \
              kernel)                                                                              \
    [level] = {registers, lanes, vectors, all, moves, masked, window, held, looped, far, kernel},
#include "costs.def"
};

enum kind_of_operation {
    OPERATION_OTHER,
#define LATENCY(name, clocks, operations, constants) OPERATION_##name,
#include "costs.def"
};
static const struct opcosts_operation operations[] = {
    {0, 0, 0},
#define LATENCY(name, clocks, operations, constants) {clocks, operations, constants},
#include "costs.def"
};
static const uint8_t kinds[ISA_OP_COUNT] = {
#define KIND(op, name) [ISA_##op] = OPERATION_##name,
#include "costs.def"
};

const struct opcosts *opcosts_of(enum native_level level) { return &levels[level]; }

struct opcosts_operation opcosts_operation(const struct isa_inst *i) {
    enum isa_type type = (enum isa_type)(i->type2 ? i->type2 : i->type);
    if (kinds[i->op]) return operations[kinds[i->op]];
    if (isa_op_info[i->op].flags & ISA_OP_MATH) return operations[OPERATION_SEQUENCE];
    return operations[type == ISA_F32 || type == ISA_F64 ? OPERATION_REAL : OPERATION_INTEGER];
}

/* Gathers of hosts without mask registers take longer, and both of AMD's (Zen 5: three times where
 * lanes lie at distances, as caches then foresee what single loads want, but not in tables that the
 * first cache holds). */
bool opcosts_each(enum native_level level, enum isa_space space, bool told) {
    return level == NATIVE_AVX2 ||
           (level == NATIVE_AVX512 && space != ISA_CONSTANT && !told && __builtin_cpu_is("amd"));
}
