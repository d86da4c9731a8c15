#include "efforts.h"

#include "opcosts.h"

/* An access to memory by lanes that lie anywhere. */
static bool is_scattered(const struct isa_inst *i, struct efforts_form f) {
    return isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space != ISA_PARAM && f.scattered;
}

uint64_t efforts_weight(enum native_level level, const struct isa_inst *i, struct efforts_form f) {
    if (isa_op_info[i->op].flags & ISA_OP_PROBE) return 0;
    if (level != NATIVE_BASELINE) return 1;
    if (i->ndst && !f.vector) return 1;
    if (i->op == ISA_mad || i->op == ISA_fma) return LIMIT_WEIGHT_FUSED;
    if (i->op == ISA_fmad || f.sequence) return LIMIT_WEIGHT_SEQUENCE;
    return is_scattered(i, f) ? (uint64_t)LIMIT_WEIGHT_LANES * i->count : 1;
}

uint64_t efforts_time(enum native_level level, const struct isa_inst *i, struct efforts_form f) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (!(flags & ISA_OP_MEMORY) || i->space == ISA_PARAM) return efforts_weight(level, i, f);
    bool wide = level == NATIVE_AVX512, narrow = isa_type_size[i->type] < 4;
    if (f.uniform) return 1;
    if (flags & ISA_OP_ATOMIC) return LIMIT_WEIGHT_ATOMIC;
    if (i->space == ISA_PRIVATE) return (uint64_t)LIMIT_WEIGHT_OWN * i->count;
    if (is_scattered(i, f) && level == NATIVE_BASELINE) return LIMIT_WEIGHT_LANES;
    if (is_scattered(i, f)) return narrow || !wide ? 3 + i->count / 4 : i->count;
    if (i->count == 1) return 1;
    if (wide) return narrow ? i->count / 2 : 1 + i->count / 4;
    return (uint64_t)(narrow ? 8 : 4) * i->count;
}

uint64_t efforts_large(enum native_level level, const struct isa_inst *i, struct efforts_form f) {
    uint64_t more = level == NATIVE_AVX512 ? 1 : 2, time = efforts_time(level, i, f);
    if (isa_deeper(i) || i->op == ISA_else) return LIMIT_LARGE_REGION;
    if (isa_op_info[i->op].flags & ISA_OP_MATH) return LIMIT_LARGE_MATH;
    if (isa_type_size[i->type] == 8) time *= LIMIT_LARGE_WIDE * more;
    return is_scattered(i, f) ? LIMIT_LARGE_LANES * more * time : time;
}
