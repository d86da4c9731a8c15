/* Quotients and remainders by powers of two, with a sign, which the compiler has taken apart: to
 * what is negative 2^n - 1 is added, by its sign, before it is shifted or masked. As one operation,
 * a shift or a mask where nothing is negative, they tell what they are to whoever asks for rows,
 * for ranges or for halves; the host's code is the same. */
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

void opt_quotient(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct quotients q = {.k = k};
    uint32_t found = 0;
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts && !any; n++) any = k->insts[n].op == ISA_shr_s;
    if (!any) return;
    loops_find(&q.l, k, arena);
    numbers_find(&q.values, k, NULL, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct isa_inst *i = &k->insts[n];
        isa_operand x;
        unsigned shift;
        enum isa_op op = is_last(&q, n, &x, &shift);
        if (op == ISA_OP_COUNT) continue;
        bool sign = numbers_signed(&q.values, k, x).least < 0, rest = op == ISA_rem_s;
        i->op = (uint16_t)(sign ? op : rest ? ISA_and : ISA_shr_u);
        isa_srcs(k, i)[0] = x;
        isa_srcs(k, i)[1] = isa_const_new(k, (enum isa_type)i->type,
                                          sign   ? 1ull << shift
                                          : rest ? (1ull << shift) - 1
                                                 : shift);
        found++;
    }
    if (!found) return;
    trace_tell(p, NULL, "%u quotients by powers of two", found);
    rewrite_unread(k, arena, q.l.reads);
}
