#include "neighbours.h"

#include <stdlib.h>

#include "likelysteps.h"

/* Divides by a constant by which no lane's value is divided evenly, though fewer lanes share a
 * quotient than are a half-warp. */
static bool is_uneven_quotient(const struct neighbours *x, const struct isa_kernel *k,
                               const struct shape *shape, const struct isa_inst *i, uint64_t by) {
    enum { HALF = ISA_WARP / 2 };
    isa_operand of = isa_srcs(k, i)[0];
    int64_t step = isa_is_reg(of) ? neighbours_step(x, shape, of) : 0;
    uint64_t far = step ? (uint64_t)llabs(step) : 1;
    return by > 1 && far % by && far * HALF > by;
}

/* What it gives is hardly ever in order: reals that are rounded, and quotients. */
static bool is_uneven(const struct neighbours *x, const struct isa_kernel *k,
                      const struct shape *shape, const struct isa_inst *i) {
    isa_operand by = i->nsrc > 1 ? isa_srcs(k, i)[1] : ISA_NO_OPERAND;
    uint64_t bits = isa_is_const(by) ? k->consts[isa_const_index(by)].bits : 0;
    switch (i->op) {
    case ISA_f2s:
    case ISA_f2u: return true;
    case ISA_div_s:
    case ISA_div_u: return is_uneven_quotient(x, k, shape, i, bits);
    case ISA_shr_s:
    case ISA_shr_u: return is_uneven_quotient(x, k, shape, i, bits ? 1ull << bits % 64 : 0);
    default: return false;
    }
}

static enum neighbours_kind kind_of(const struct neighbours *x, const struct isa_kernel *k,
                                    const struct shape *shape, const struct isa_inst *i) {
    enum neighbours_kind kind = is_uneven(x, k, shape, i) ? NEIGHBOURS_NEAR : NEIGHBOURS_EVEN;
    if (isa_op_info[i->op].flags & (ISA_OP_MEMORY | ISA_OP_IMAGE)) return NEIGHBOURS_READ;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (isa_is_reg(o) && x->kinds[o] > kind) kind = x->kinds[o];
    }
    return kind;
}

static void find_kinds(struct neighbours *x, const struct isa_kernel *k,
                       const struct shape *shape) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            enum neighbours_kind kind = kind_of(x, k, shape, i);
            for (unsigned d = 0; d < i->ndst; d++) {
                uint32_t dst = isa_dsts(k, i)[d];
                if (shape->regs[dst].span >= SHAPE_HALF_WARP || x->kinds[dst] >= kind) continue;
                x->kinds[dst] = (uint8_t)kind;
                changed = true;
            }
        }
    }
}

bool neighbours_find(struct neighbours *x, const struct isa_kernel *k, const struct shape *shape) {
    x->kinds = calloc(k->nregs + 1ull, sizeof *x->kinds);
    x->steps = likelysteps_new(k, shape, SHAPE_FOUR);
    if (!x->kinds || !x->steps) return false;
    find_kinds(x, k, shape);
    return true;
}

/* Lanes have one another's elements, as in butterflies: those are in no row where they are few. */
static bool is_swapped(const struct isa_kernel *k, isa_operand core) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_xor && isa_writes(k, &k->insts[n], core)) return true;
    return false;
}

bool neighbours_near(const struct neighbours *x, const struct isa_kernel *k, isa_operand at,
                     isa_operand core) {
    return x->kinds[at] == NEIGHBOURS_NEAR ||
           (x->kinds[at] == NEIGHBOURS_EVEN && is_swapped(k, core));
}

/* Words that lanes load by a register which lies far apart from lane to lane. */
static uint32_t words_of_row(const struct neighbours *x, const struct isa_kernel *k,
                             const struct shape *shape, const struct isa_inst *i) {
    enum { FAR = 64 /* bytes: other lines */ };
    isa_operand at = i->op == ISA_ld ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
    if (i->op != ISA_ld || i->space != ISA_GLOBAL || !isa_is_reg(at)) return 0;
    bool far =
        shape->regs[at].span < SHAPE_HALF_WARP ? !x->kinds[at] : abs(shape->regs[at].stride) >= FAR;
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
