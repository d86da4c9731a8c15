#include "itemindex.h"

#include "device/isa/constant.h"

enum { DIMENSIONS = ITEMINDEX_DIMENSIONS };

/* The same as itemindex_unconverted; *small: it has a sign on the way. */
static const struct isa_inst *unconverted(const struct isa_kernel *k, const struct loops *l,
                                          const struct isa_inst *i, bool *small) {
    while (i && (i->op == ISA_zext || i->op == ISA_sext || i->op == ISA_mov)) {
        *small |= i->op == ISA_sext;
        i = loops_definition(l, k, isa_srcs(k, i)[0]);
    }
    return i;
}

const struct isa_inst *itemindex_unconverted(const struct isa_kernel *k, const struct loops *l,
                                             const struct isa_inst *i) {
    bool small = false;
    return unconverted(k, l, i, &small);
}

/* The special register that an operand is, or ISA_SPECIAL_COUNT. */
static uint32_t special_of(const struct isa_kernel *k, const struct loops *l, isa_operand o,
                           bool *small) {
    const struct isa_inst *i = unconverted(k, l, loops_definition(l, k, o), small);
    return i && i->op == ISA_special ? (uint32_t)i->imm : ISA_SPECIAL_COUNT;
}

/* A constant that a number is multiplied by, if it may be a group's size; or 0. */
static uint32_t size_of(const struct isa_kernel *k, enum isa_op op, isa_operand by) {
    uint64_t bits;
    if (!constant_bits(k, by, &bits)) return 0;
    unsigned width = isa_type_size[isa_operand_type(k, by)] * 8u;
    if (op == ISA_shl) bits = 1ull << bits % width;
    return bits <= UINT32_MAX ? (uint32_t)bits : 0;
}

/* The operand is the index of the group's first work-item: that of the group, times its size. */
static bool is_first(const struct isa_kernel *k, const struct loops *l, isa_operand o,
                     struct itemindex *x) {
    const struct isa_inst *i = unconverted(k, l, loops_definition(l, k, o), &x->small);
    if (!i || (i->op != ISA_mul && i->op != ISA_shl)) return false;
    enum isa_op op = (enum isa_op)i->op;
    const isa_operand *src = isa_srcs(k, i);
    unsigned second = special_of(k, l, src[0], &x->small) != ISA_SPECIAL_group_id_x + x->d;
    if (second &&
        (op == ISA_shl || special_of(k, l, src[1], &x->small) != ISA_SPECIAL_group_id_x + x->d))
        return false;
    isa_operand by = src[!second];
    x->size = size_of(k, op, by);
    return x->size ||
           (op == ISA_mul && special_of(k, l, by, &x->small) == ISA_SPECIAL_local_size_x + x->d);
}

struct itemindex itemindex_of(const struct isa_kernel *k, const struct loops *l,
                              const struct isa_inst *i) {
    const struct itemindex none = {.d = DIMENSIONS};
    if (i->op == ISA_special && (uint32_t)i->imm - ISA_SPECIAL_global_id_x < DIMENSIONS)
        return (struct itemindex){.d = (uint32_t)i->imm - ISA_SPECIAL_global_id_x};
    for (unsigned s = 0; i->op == ISA_add && s < 2; s++) {
        const isa_operand *src = isa_srcs(k, i);
        struct itemindex x = {.sum = true};
        x.d = special_of(k, l, src[s], &x.small) - ISA_SPECIAL_local_id_x;
        if (x.d < DIMENSIONS && is_first(k, l, src[!s], &x)) return x;
    }
    return none;
}

unsigned itemindex_count(const struct isa_kernel *k, const struct loops *l, isa_operand o) {
    bool small = false;
    const struct isa_inst *i = unconverted(k, l, loops_definition(l, k, o), &small);
    if (i && i->op == ISA_special && (uint32_t)i->imm - ISA_SPECIAL_global_size_x < DIMENSIONS)
        return (uint32_t)i->imm - ISA_SPECIAL_global_size_x;
    for (unsigned s = 0; i && i->op == ISA_mul && s < 2; s++) {
        const isa_operand *src = isa_srcs(k, i);
        unsigned d = special_of(k, l, src[s], &small) - ISA_SPECIAL_num_groups_x;
        if (d < DIMENSIONS && special_of(k, l, src[!s], &small) == ISA_SPECIAL_local_size_x + d)
            return d;
    }
    return DIMENSIONS;
}
