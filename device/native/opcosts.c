/* The tables of costs.def, and which kind an operation is of. */
#include "device/native/opcosts.h"

static const struct opcosts levels[] = {
#define COSTS(level, registers, lanes, vectors, all, moves, masked, window, held, looped, far,     \
              kernel)                                                                              \
    [level] = {registers, lanes, vectors, all, moves, masked, window, held, looped, far, kernel},
#include "device/native/costs.def"
};

enum kind_of_operation {
#define LATENCY(name, clocks, operations, constants) OPERATION_##name,
#include "device/native/costs.def"
};
static const struct opcosts_operation operations[] = {
#define LATENCY(name, clocks, operations, constants) {clocks, operations, constants},
#include "device/native/costs.def"
};

const struct opcosts *opcosts_of(enum native_level level) { return &levels[level]; }

struct opcosts_operation opcosts_operation(const struct isa_inst *i) {
    enum isa_type type = (enum isa_type)(i->type2 ? i->type2 : i->type);
    switch (i->op) {
    case ISA_mov:
    case ISA_bits: return operations[OPERATION_NONE];
    case ISA_mul:
    case ISA_mulhi_s:
    case ISA_mulhi_u:
    case ISA_mul24_s:
    case ISA_mul24_u: return operations[OPERATION_PRODUCT];
    case ISA_div_s:
    case ISA_div_u:
    case ISA_rem_s:
    case ISA_rem_u: return operations[OPERATION_QUOTIENT];
    case ISA_fdiv:
    case ISA_sqrt:
    case ISA_rsqrt:
    case ISA_native_recip:
    case ISA_native_divide: return operations[OPERATION_DIVIDE];
    case ISA_native_rsqrt: return operations[OPERATION_ROOT];
    case ISA_native_tan:
    case ISA_native_powr: return operations[OPERATION_SEQUENCES];
    default: break;
    }
    if (isa_op_info[i->op].flags & ISA_OP_MATH) return operations[OPERATION_SEQUENCE];
    return operations[type == ISA_F32 || type == ISA_F64 ? OPERATION_REAL : OPERATION_INTEGER];
}
