#include "neighbours.h"

#include <stdlib.h>

#include "likelysteps.h"

/* What it gives is in order as seldom as what was read: reals that are rounded, and quotients that
 * a few lanes share. */
static bool is_uneven(const struct isa_kernel *k, const struct isa_inst *i) {
    enum { FEW = 16 };
    isa_operand by = i->nsrc > 1 ? isa_srcs(k, i)[1] : ISA_NO_OPERAND;
    uint64_t bits = isa_is_const(by) ? k->consts[isa_const_index(by)].bits : 0;
    switch (i->op) {
    case ISA_f2s:
    case ISA_f2u: return true;
    case ISA_div_s:
    case ISA_div_u: return bits > 1 && bits < FEW;
    case ISA_shr_s:
    case ISA_shr_u: return bits && 1ull << bits % 64 < FEW;
    default: return false;
    }
}

static void find_loaded(const struct isa_kernel *k, const struct shape *shape, uint8_t *loaded) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool read =
                isa_op_info[i->op].flags & (ISA_OP_MEMORY | ISA_OP_IMAGE) || is_uneven(k, i);
            for (unsigned s = 0; s < i->nsrc && !read; s++)
                read = isa_is_reg(isa_srcs(k, i)[s]) && loaded[isa_srcs(k, i)[s]];
            for (unsigned d = 0; read && d < i->ndst; d++) {
                uint32_t dst = isa_dsts(k, i)[d];
                if (shape->regs[dst].span >= SHAPE_HALF_WARP || loaded[dst]) continue;
                loaded[dst] = 1;
                changed = true;
            }
        }
    }
}

bool neighbours_find(struct neighbours *x, const struct isa_kernel *k, const struct shape *shape) {
    x->loaded = calloc(k->nregs + 1ull, sizeof *x->loaded);
    x->steps = likelysteps_new(k, shape, SHAPE_FOUR);
    if (!x->loaded || !x->steps) return false;
    find_loaded(k, shape, x->loaded);
    return true;
}

/* Words that lanes load by a register which lies far apart from lane to lane. */
static uint32_t words_of_row(const struct neighbours *x, const struct isa_kernel *k,
                             const struct shape *shape, const struct isa_inst *i) {
    enum { FAR = 64 /* bytes: other lines */ };
    isa_operand at = i->op == ISA_ld ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
    if (i->op != ISA_ld || i->space != ISA_GLOBAL || !isa_is_reg(at)) return 0;
    bool far = shape->regs[at].span < SHAPE_HALF_WARP ? !x->loaded[at]
                                                      : abs(shape->regs[at].stride) >= FAR;
    return far ? i->count : 0;
}

uint32_t neighbours_words(const struct neighbours *x, const struct isa_kernel *k,
                          const struct shape *shape, const uint8_t *shared, uint32_t from,
                          uint32_t to) {
    uint32_t most = 0, loops = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &k->insts[n];
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        if (loops && isa_op_info[i->op].flags & ISA_OP_MATH) return 0;
        uint32_t words = loops ? words_of_row(x, k, shape, i) : 0;
        if (words && shared && shared[isa_srcs(k, i)[0]]) continue;
        for (uint32_t next = n + 1; words && k->insts[next].op != ISA_endloop; next++)
            if (words_of_row(x, k, shape, &k->insts[next]) &&
                isa_srcs(k, &k->insts[next])[0] == isa_srcs(k, i)[0])
                words += k->insts[next].count;
        if (words > most) most = words;
    }
    return most;
}
