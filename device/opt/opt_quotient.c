/* Quotients and remainders by powers of two, with a sign, which the compiler has taken apart: to
 * what is negative 2^n - 1 is added, by its sign, before it is shifted or masked. As one operation,
 * a shift or a mask where nothing is negative, they tell what they are to whoever asks for rows,
 * for ranges or for halves; the host's code is the same. So do remainders of indices that are
 * written as what is left of them (x - x / n * n). */
#include "device/analysis/itemindex.h"
#include "device/analysis/numbers.h"
#include "device/analysis/warpregions.h"
#include "device/isa/constant.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

struct quotients {
    struct isa_kernel *k;
    struct loops l;
    struct numbers values;
};

/* What computes an operand in every iteration before it is read, if it is that operation; NULL. */
static const struct isa_inst *made_by(const struct quotients *q, isa_operand o, enum isa_op op) {
    const struct isa_inst *i = loops_definition(&q->l, q->k, o);
    return i && i->op == op ? i : NULL;
}

/* A register is the same for instructions `from` and `to`, which follows it. */
static bool is_kept(const struct quotients *q, isa_operand reg, uint32_t from, uint32_t to) {
    return q->l.ordered[reg] ||
           (from <= to && warpregions_passed(q->k, from, to) && loops_keep(q->k, reg, from, to));
}

/* Is the operand of instruction n x + (x < 0 ? 2^shift - 1 : 0)? *x: that one. */
static bool is_rounded(const struct quotients *q, uint32_t n, isa_operand o, unsigned shift,
                       isa_operand *x) {
    const struct isa_kernel *k = q->k;
    const struct isa_inst *sum = made_by(q, o, ISA_add);
    unsigned width = sum ? isa_type_size[sum->type] * 8u : 0;
    for (unsigned s = 0; sum && s < 2; s++) {
        const struct isa_inst *low = made_by(q, isa_srcs(k, sum)[s], ISA_shr_u), *sign;
        if (!low || !constant_is(k, isa_srcs(k, low)[1], width - shift)) continue;
        sign = made_by(q, isa_srcs(k, low)[0], ISA_shr_s);
        *x = isa_srcs(k, sum)[!s];
        struct interval none = numbers_signed(&q->values, k, isa_srcs(k, sum)[s]);
        if (!none.least && !none.most && isa_is_reg(*x) &&
            is_kept(q, *x, (uint32_t)(sum - k->insts), n))
            return true; /* it has no sign, as what was taken apart before */
        if (sign && isa_srcs(k, sign)[0] == *x && isa_is_reg(*x) &&
            constant_is(k, isa_srcs(k, sign)[1], width - 1) &&
            is_kept(q, *x, (uint32_t)(sign - k->insts), n))
            return true;
    }
    return false;
}

/* The instruction is the last one of a quotient of *x by 2^*shift, or of a remainder. */
static enum isa_op is_last(const struct quotients *q, uint32_t n, isa_operand *x, unsigned *shift) {
    const struct isa_kernel *k = q->k;
    const struct isa_inst *i = &k->insts[n], *whole;
    const isa_operand *src = isa_srcs(k, i);
    enum isa_type type = (enum isa_type)i->type;
    uint64_t bits;
    if (type != ISA_I32 && type != ISA_I64) return ISA_OP_COUNT;
    unsigned width = isa_type_size[type] * 8u;
    switch (i->op) {
    case ISA_shr_s:
        if (!isa_is_const(src[1])) return ISA_OP_COUNT;
        bits = k->consts[isa_const_index(src[1])].bits;
        *shift = bits && bits < width - 1 ? (unsigned)bits : 0;
        return *shift && is_rounded(q, n, src[0], *shift, x) ? ISA_div_s : ISA_OP_COUNT;
    case ISA_sub:
        whole = made_by(q, src[1], ISA_and);
        if (!whole || !isa_is_const(isa_srcs(k, whole)[1])) return ISA_OP_COUNT;
        bits = isa_cut(type, 0 - k->consts[isa_const_index(isa_srcs(k, whole)[1])].bits);
        if (bits < 2 || bits & (bits - 1) || bits >> (width - 1)) return ISA_OP_COUNT;
        *shift = (unsigned)__builtin_ctzll(bits);
        return is_rounded(q, n, isa_srcs(k, whole)[0], *shift, x) && *x == src[0] ? ISA_rem_s
                                                                                  : ISA_OP_COUNT;
    default: return ISA_OP_COUNT;
    }
}

/* Is the operand a work-item's index, or what it is taken apart into? */
static bool is_of_index(const struct quotients *q, isa_operand o) {
    const struct isa_inst *i;
    while ((i = itemindex_unconverted(q->k, &q->l, loops_definition(&q->l, q->k, o)))) {
        if (!isa_divides(i->op)) return itemindex_of(q->k, &q->l, i).d < ITEMINDEX_DIMENSIONS;
        o = isa_srcs(q->k, i)[0];
    }
    return false;
}

/* The operand is one of an instruction's two; *other: the other one. */
static bool has(const struct isa_kernel *k, const struct isa_inst *i, isa_operand o,
                isa_operand *other) {
    const isa_operand *src = isa_srcs(k, i);
    *other = src[src[0] == o];
    return src[0] == o || src[1] == o;
}

/* A product is quotient * by, of which `by` may be a product, too. */
static bool is_multiple(const struct quotients *q, const struct isa_inst *product,
                        isa_operand quotient, isa_operand by) {
    isa_operand with, more;
    if (has(q->k, product, quotient, &with)) return with == by;
    const struct isa_inst *of = made_by(q, by, ISA_mul);
    for (unsigned s = 0; of && s < 2; s++) {
        const struct isa_inst *in = made_by(q, isa_srcs(q->k, product)[s], ISA_mul);
        if (in && has(q->k, in, quotient, &with) && has(q->k, of, with, &more))
            return isa_srcs(q->k, product)[!s] == more;
    }
    return false;
}

/* Instruction n is x - x / by * by, of an index: the quotient; or NULL. That is the remainder
 * whatever they are, 0 and -1 included. */
static const struct isa_inst *rest_of(const struct quotients *q, uint32_t n) {
    const struct isa_kernel *k = q->k;
    const struct isa_inst *i = &k->insts[n], *product;
    if (i->op != ISA_sub) return NULL;
    isa_operand x = isa_srcs(k, i)[0];
    if (!isa_is_reg(x) || !is_of_index(q, x)) return NULL;
    product = made_by(q, isa_srcs(k, i)[1], ISA_mul);
    if (!product) return NULL;
    for (uint32_t m = 0; m < n; m++) {
        const struct isa_inst *whole = &k->insts[m];
        if (!isa_is_quotient(whole->op) || isa_srcs(k, whole)[0] != x) continue;
        isa_operand by = isa_srcs(k, whole)[1], reg = isa_dsts(k, whole)[0];
        bool kept = q->l.ordered[reg] && (!isa_is_reg(by) || q->l.ordered[by]);
        if (kept && is_multiple(q, product, reg, by)) return whole;
    }
    return NULL;
}

static uint32_t put_rests(const struct quotients *q) {
    struct isa_kernel *k = q->k;
    uint32_t found = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *whole = rest_of(q, n);
        if (!whole) continue;
        k->insts[n].op = whole->op == ISA_div_s ? ISA_rem_s : ISA_rem_u;
        isa_srcs(k, &k->insts[n])[1] = isa_srcs(k, whole)[1];
        found++;
    }
    return found;
}

static uint32_t put_powers(struct quotients *q) {
    struct isa_kernel *k = q->k;
    uint32_t found = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct isa_inst *i = &k->insts[n];
        isa_operand x;
        unsigned shift;
        enum isa_op op = is_last(q, n, &x, &shift);
        if (op == ISA_OP_COUNT) continue;
        bool sign = numbers_signed(&q->values, k, x).least < 0, rest = op == ISA_rem_s;
        i->op = (uint16_t)(sign ? op : rest ? ISA_and : ISA_shr_u);
        isa_srcs(k, i)[0] = x;
        isa_srcs(k, i)[1] = isa_const_new(k, (enum isa_type)i->type,
                                          sign   ? 1ull << shift
                                          : rest ? (1ull << shift) - 1
                                                 : shift);
        found++;
    }
    return found;
}

void opt_quotient(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct quotients q = {.k = k};
    bool shifts = false, divides = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        shifts |= k->insts[n].op == ISA_shr_s;
        divides |= isa_is_quotient(k->insts[n].op);
    }
    if (!shifts && !divides) return;
    loops_find(&q.l, k, arena);
    if (shifts) numbers_find(&q.values, k, NULL, arena);
    uint32_t powers = shifts ? put_powers(&q) : 0, rests = divides ? put_rests(&q) : 0;
    if (powers) trace_tell(p, NULL, "%u quotients by powers of two", powers);
    if (rests) trace_tell(p, NULL, "%u remainders of indices", rests);
    if (powers || rests) rewrite_unread(k, arena, q.l.reads);
}
