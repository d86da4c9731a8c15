/* The tables behind isa.def and special.def. */
#include "isa.h"

/* The short words of isa.def's columns. */
enum {
    NONE = 0, /* no type, no unit */
    P = 1 << ISA_PRED,
    I16 = 1 << ISA_I16,
    I32 = 1 << ISA_I32,
    F32 = 1 << ISA_F32,
    I32L = I32 | 1 << ISA_I64,
    INT = 1 << ISA_I8 | I16 | I32L,
    INTP = INT | P,
    FLT = F32 | 1 << ISA_F64,
    F32I = F32 | I32,
    NUM = INT | FLT,
    ANY = NUM | P,

    SP = ISA_UNIT_SP,
    SFU = ISA_UNIT_SFU,
    MEM = ISA_UNIT_MEM,
    TEX = ISA_UNIT_TEX,

    OP_PURE = ISA_OP_PURE,
    OP_COMMUTES = ISA_OP_COMMUTES,
    OP_ROUNDS = ISA_OP_ROUNDS,
    OP_MATH = ISA_OP_MATH,
    OP_READS = ISA_OP_READS,
    OP_WRITES = ISA_OP_WRITES,
    OP_ATOMIC = ISA_OP_ATOMIC,
    OP_MEMORY = ISA_OP_MEMORY,
    OP_IMAGE = ISA_OP_IMAGE,
    OP_EFFECT = ISA_OP_EFFECT,
    OP_BARRIER = ISA_OP_BARRIER,
    OP_REGION_BEGIN = ISA_OP_REGION_BEGIN,
    OP_REGION_ELSE = ISA_OP_REGION_ELSE,
    OP_REGION_END = ISA_OP_REGION_END,
    OP_JUMP = ISA_OP_JUMP,
    OP_PROBE = ISA_OP_PROBE,
    OP_NOTE = ISA_OP_NOTE,
    OP_HOST = ISA_OP_HOST
};
_Static_assert((int)ISA_UNIT_NONE == (int)NONE, "NONE is a unit and a set of types");

const struct isa_op_info isa_op_info[ISA_OP_COUNT] = {
#define ISA_OP(name, operands, types, types2, unit, clocks, flags)                                 \
    [ISA_##name] = {#name, operands, types, types2, unit, clocks, flags},
#include "isa.def"
#undef ISA_OP
};

/* Code of all folders goes through these ranges, or takes numbers from their beginning: an
 * operation of the kind belongs into its range, and no other does. */
enum {
    ATOMIC_OPS = 0
#define ISA_OP(name, operands, types, types2, unit, clocks, flags) +(((flags)&OP_ATOMIC) != 0)
#include "isa.def"
#undef ISA_OP
    ,
    COMPARE_OPS = 0
#define ISA_OP(name, operands, types, types2, unit, clocks, flags) +((types) == P && (types2) != 0)
#include "isa.def"
#undef ISA_OP
    ,
    NATIVE_OPS = 0
#define ISA_OP(name, operands, types, types2, unit, clocks, flags)                                 \
    +(((flags)&OP_MATH) && (types) == F32)
#include "isa.def"
#undef ISA_OP
};
#define RANGE(first, last, count, what)                                                            \
    _Static_assert(ISA_##last - ISA_##first + 1 == (count), what " stand in one range of isa.def")
RANGE(atom_add, atom_cas, ATOMIC_OPS, "atomic operations");
RANGE(eq, funo, COMPARE_OPS, "comparisons");
RANGE(eq, le_u, 6, "comparisons of integers");
RANGE(feq, funo, 5, "comparisons of floats");
RANGE(native_sin, native_divide, NATIVE_OPS, "native functions");
RANGE(and, not, 4, "operations on bits");
RANGE(add, abs, 30, "operations on integers");
RANGE(trunc, f2h, 10, "conversions");
RANGE(fadd, round, 18, "operations on floats");
RANGE(floor, round, 5, "roundings");

const char *const isa_type_name[ISA_TYPE_COUNT] = {"none", "pred", "i8",  "i16",
                                                   "i32",  "i64",  "f32", "f64"};
const uint8_t isa_type_size[ISA_TYPE_COUNT] = {0, 0, 1, 2, 4, 8, 4, 8};

const char *const isa_special_name[ISA_SPECIAL_COUNT] = {
#define ISA_SPECIAL(name, uniform, what) [ISA_SPECIAL_##name] = #name,
#include "special.def"
#undef ISA_SPECIAL
};

const bool isa_special_uniform[ISA_SPECIAL_COUNT] = {
#define ISA_SPECIAL(name, uniform, what) [ISA_SPECIAL_##name] = uniform,
#include "special.def"
#undef ISA_SPECIAL
};

const uint8_t isa_image_coordinates[ISA_DIM_COUNT] = {
    [ISA_DIM_1D] = 1, [ISA_DIM_1D_ARRAY] = 2, [ISA_DIM_1D_BUFFER] = 1,
    [ISA_DIM_2D] = 2, [ISA_DIM_2D_ARRAY] = 3, [ISA_DIM_3D] = 3,
};
