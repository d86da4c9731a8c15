#include "columns.h"

#include "tiletraits.h"

enum { HALF = ISA_WARP / 2, WORD = 4, MOST_STEP = 1 << 26 /* 32 of them do not wrap */ };

struct column_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct neighbours *near;
    const uint32_t *size; /* of the group */
};

/* Rows are half-warps. */
static bool in_halves(const struct column_finder *f) { return f->size[0] == HALF; }

/* Lanes lie apart, by ids alone: at any distance, or at one that is known. */
static bool may_be_column(const struct column_finder *f, isa_operand at) {
    if (!isa_is_reg(at)) return false;
    struct shape_value known = f->shape->regs[at];
    if (known.span < SHAPE_HALF_WARP) return !f->near->kinds[at];
    return known.span == SHAPE_HALF_WARP && in_halves(f) &&
           known.stride >= (int32_t)(WORD * HALF) && known.stride <= MOST_STEP;
}

/* Rows of the work-group are half-warps or warps. */
static bool may_store(const struct column_finder *f, const struct isa_inst *i) {
    return i->op == ISA_st && columns_word(i) && (in_halves(f) || f->size[0] == ISA_WARP) &&
           f->size[1] > 1 && may_be_column(f, isa_srcs(f->k, i)[0]);
}

/* Half-warps are rows, of which there may be as many in a bundle as lanes. */
static bool may_load(const struct column_finder *f, const struct isa_inst *i) {
    return i->op == ISA_ld && columns_word(i) && in_halves(f) && f->size[1] >= HALF &&
           may_be_column(f, isa_srcs(f->k, i)[0]) &&
           f->shape->regs[isa_dsts(f->k, i)[0]].span < SHAPE_HALF_WARP;
}

/* Each lane accesses the word before or behind, too, which in a column is another row's. */
static bool has_neighbour(const struct isa_kernel *k, uint32_t n) {
    enum { NEAR = 32 }; /* instructions between the two */
    const struct isa_inst *i = &k->insts[n];
    for (uint32_t m = n < NEAR ? 0 : n - NEAR; m < k->ninsts && m <= n + NEAR; m++) {
        const struct isa_inst *other = &k->insts[m];
        if (other->op != i->op || other->space != i->space || !columns_word(other)) continue;
        int64_t far = (int64_t)other->imm - i->imm;
        if (isa_srcs(k, other)[0] == isa_srcs(k, i)[0] && (far == WORD || far == -WORD))
            return true;
    }
    return false;
}

/* A load that is none would have its address tested in vain, so that it has to look like one. */
uint8_t *columns_find(const struct isa_kernel *k, const struct shape *shape,
                      const struct neighbours *near, const uint32_t size[3]) {
    struct column_finder f = {k, shape, near, size};
    uint8_t *of = tiletraits_columns(k, false);
    for (uint32_t n = 0; of && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        of[n] = (may_store(&f, i) || (of[n] && may_load(&f, i))) && !has_neighbour(k, n);
    }
    return of;
}

const char *columns_refused(const struct isa_kernel *k, uint32_t n, const struct shape *shape,
                            const struct neighbours *near, const uint32_t size[3]) {
    const struct isa_inst *i = &k->insts[n];
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return NULL;
    isa_operand at = isa_srcs(k, i)[0];
    if (!isa_is_reg(at) || shape->regs[at].span >= SHAPE_HALF_WARP) return NULL;
    if (!columns_word(i)) return "it is no access to one word";
    if (near->kinds[at]) return "the address comes from memory";
    if (size[0] != HALF && size[0] != ISA_WARP)
        return "rows of the work-group are no half-warps or warps";
    return "the bundle has not as many rows as lanes";
}
