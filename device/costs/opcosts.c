/* The tables of costs.def, and which kind an operation is of. */
#include "opcosts.h"

static const struct opcosts levels[] = {
#define COSTS(level, registers, lanes, vectors, all, moves, most, integer, masked, gathered,       \
              scattered, window, held, looped, far, kernel)                                        \
    [level] = {registers, lanes,     vectors, all,  moves,  most, integer, masked,                 \
               gathered,  scattered, window,  held, looped, far,  kernel},
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

static uint64_t larger(uint64_t x, uint64_t y) { return x > y ? x : y; }

/* The operations begin as fast as the CPU lets them, or as their operands come: those of the next
 * iteration, too, as far as it looks ahead. Of the results as many lie in memory as are alive
 * beyond the registers, but no more than are moved if those stay that were used last. */
uint64_t opcosts_clocks(enum native_level level, const struct opcosts_iteration *t, uint32_t lanes,
                        uint32_t warps) {
    enum { UNIT = OPCOSTS_CLOCK };
    const struct opcosts *c = &levels[level];
    uint64_t wide = lanes / c->lanes; /* registers for a vector of those lanes */
    uint64_t vectors = t->vectors * wide, all = vectors + t->others;
    uint64_t alive = t->alive * wide / 2 + t->splats;
    uint64_t spilled =
        alive > c->registers ? t->results * wide * (alive - c->registers) / alive : 0;
    if (spilled > t->spilled) spilled = t->spilled;
    uint64_t most = larger(vectors * UNIT / c->most, all * UNIT / c->all);
    most = larger(most, (uint64_t)t->chain * UNIT);
    most = larger(most, (uint64_t)t->path * UNIT * (all < c->window ? all : c->window) / c->window);
    most += spilled * c->moves * UNIT / c->all;
    if (lanes < ISA_WARP) most += t->moved * wide * UNIT / c->all / LIMIT_TRIPS;
    return most * ISA_WARP * warps / lanes;
}

bool opcosts_fits(enum native_level level, const struct opcosts_iteration *t, uint32_t lanes) {
    const struct opcosts *c = &levels[level];
    return t->alive * (lanes / c->lanes) / 2 + t->splats <= c->registers;
}
