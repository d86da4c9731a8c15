/* Integers of 64 bits of which the low half is all that matters are of 32: those that only
 * addresses are made of, which have 32 bits, and those whose values fit, as counters up to an int.
 * What is known of 32-bit indices is then known of these, too. */
#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* How a register of 64 bits is kept: as it is, or its low half in one of 32: only that is wanted,
 * or it is all of it, with a sign or without. */
enum narrow_form { WIDE, LOW, SIGNED, UNSIGNED };

struct narrower {
    struct isa_kernel *k;
    struct numbers values;
    uint8_t *form;     /* registers: enum narrow_form */
    isa_operand *half; /* registers: the one of 32 bits */
    struct rewrite_code old;
};

static const int64_t least_s = INT32_MIN, most_s = INT32_MAX, most_u = UINT32_MAX;

static bool is_wide(const struct isa_kernel *k, isa_operand o) {
    return isa_is_reg(o) && k->reg_types[o] == ISA_I64;
}

/* Is it the sign extension, or the zero extension, of its low half? */
static bool fits_signed(const struct narrower *t, isa_operand o) {
    return interval_within(numbers_signed(&t->values, t->k, o), least_s, most_s);
}
static bool fits_unsigned(const struct narrower *t, isa_operand o) {
    return interval_within(numbers_signed(&t->values, t->k, o), 0, most_u);
}

/* ---- which ---- */

/* The low half of the result is made of the low halves of the operands. */
static bool makes_low(const struct isa_kernel *k, const struct isa_inst *i,
                      const isa_operand *src) {
    if (i->type != ISA_I64) return false;
    if (i->op == ISA_shl)
        return isa_is_const(src[1]) && k->consts[isa_const_index(src[1])].bits % 64 < 32;
    return i->op == ISA_select || opt_makes_low((enum isa_op)i->op);
}

/* Only the low half of its operands matters, as registers are kept by now. */
static bool wants_low(const struct narrower *t, const struct isa_inst *i) {
    const struct isa_kernel *k = t->k;
    if (i->op == ISA_trunc) return true;
    return makes_low(k, i, isa_srcs(k, i)) && t->form[isa_dsts(k, i)[0]] != WIDE;
}

static bool choose(struct narrower *t, struct arena *arena) {
    const struct isa_kernel *k = t->k;
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++)
            any |= is_wide(k, isa_dsts(k, &k->insts[n])[d]);
    if (!any) return false;
    numbers_find(&t->values, k, NULL, arena);
    t->form = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    for (uint32_t r = 0; r < k->nregs; r++)
        if (is_wide(k, r))
            t->form[r] = fits_signed(t, r) ? SIGNED : fits_unsigned(t, r) ? UNSIGNED : LOW;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = k->ninsts; n--;) {
            const struct isa_inst *i = &k->insts[n];
            bool low = i->nsrc && wants_low(t, i);
            for (unsigned s = 0; s < i->nsrc && !low; s++) {
                isa_operand o = isa_srcs(k, i)[s];
                if (!is_wide(k, o) || t->form[o] != LOW) continue;
                t->form[o] = WIDE;
                changed = true;
            }
        }
    }
    any = false;
    t->half = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    for (uint32_t r = 0, nregs = k->nregs; r < nregs; r++) {
        if (t->form[r] == WIDE) continue;
        t->half[r] = isa_reg_new(t->k, ISA_I32);
        any = true;
    }
    return any && !isa_kernel_failed(k);
}

/* ---- writing ---- */

static isa_operand made(struct narrower *t, enum isa_op op, enum isa_type type, enum isa_type type2,
                        isa_operand a, isa_operand b) {
    return isa_emit1(t->k, op, type, type2, a, b, ISA_NO_OPERAND);
}

/* An operand's low half; all of it. */
static isa_operand low_of(struct narrower *t, isa_operand o) {
    if (isa_is_const(o)) {
        const struct isa_const *c = &t->k->consts[isa_const_index(o)];
        return c->type == ISA_I64 ? isa_const_new(t->k, ISA_I32, (uint32_t)c->bits) : o;
    }
    if (!is_wide(t->k, o)) return o;
    return t->form[o] != WIDE ? t->half[o]
                              : made(t, ISA_trunc, ISA_I32, ISA_I64, o, ISA_NO_OPERAND);
}
static isa_operand all_of(struct narrower *t, isa_operand o) {
    if (!is_wide(t->k, o) || t->form[o] == WIDE) return o;
    enum isa_op op = t->form[o] == SIGNED ? ISA_sext : ISA_zext;
    return made(t, op, ISA_I64, ISA_I32, t->half[o], ISA_NO_OPERAND);
}

/* The instruction with another operation, on other operands, of 32 bits; its result may be so. */
static void put(struct narrower *t, const struct isa_inst *i, enum isa_op op,
                const isa_operand *dst, const isa_operand *src) {
    struct isa_inst now = *i;
    now.op = op;
    if (now.type == ISA_I64) now.type = ISA_I32;
    if (now.type2 == ISA_I64) now.type2 = ISA_I32;
    rewrite_put(t->k, &now, dst, src);
}

/* Comparisons of what fits without a sign, x, with what fits with one, y: by their low halves. */
static bool put_mixed(struct narrower *t, const struct isa_inst *i, const isa_operand *dst,
                      const isa_operand *src) {
    if (!compare_is_signed(i->op)) return false;
    bool first = fits_unsigned(t, src[0]) && fits_signed(t, src[1]);
    if (!first && !(fits_signed(t, src[0]) && fits_unsigned(t, src[1]))) return false;
    isa_operand half[2] = {low_of(t, src[0]), low_of(t, src[1])}, y = half[first];
    isa_operand none = isa_const_new(t->k, ISA_I32, 0);
    if (first == (i->op == ISA_lt_s)) { /* x < max(y, 0); max(y, 0) <= x */
        half[first] = made(t, ISA_max_s, ISA_I32, ISA_NONE_T, y, none);
        put(t, i, first ? ISA_lt_u : ISA_le_u, dst, half);
        return true;
    }
    /* x <= y: y is not negative, too; y < x: or it is. */
    isa_operand by = made(t, first ? ISA_le_u : ISA_lt_u, ISA_PRED, ISA_I32, half[0], half[1]);
    isa_operand sign =
        made(t, first ? ISA_le_s : ISA_lt_s, ISA_PRED, ISA_I32, first ? none : y, first ? y : none);
    isa_emit(t->k, first ? ISA_and : ISA_or, ISA_PRED, ISA_NONE_T, 1, dst, 2,
             (isa_operand[]){by, sign});
    return true;
}

/* The operation on low halves that are all of the operands; or none: ISA_OP_COUNT. */
static enum isa_op on_halves(const struct narrower *t, const struct isa_inst *i,
                             const isa_operand *src) {
    bool s = true, u = true;
    for (unsigned n = 0; n < i->nsrc; n++) {
        s &= fits_signed(t, src[n]);
        u &= fits_unsigned(t, src[n]);
    }
    if (!s && !u) return ISA_OP_COUNT;
    switch (i->op) {
    case ISA_eq:
    case ISA_ne: return (enum isa_op)i->op;
    case ISA_lt_s: return s ? ISA_lt_s : ISA_lt_u;
    case ISA_le_s: return s ? ISA_le_s : ISA_le_u;
    case ISA_lt_u: return ISA_lt_u; /* the order of low halves is that of the whole, either way */
    case ISA_le_u: return ISA_le_u;
    case ISA_min_s: return s ? ISA_min_s : ISA_min_u;
    case ISA_max_s: return s ? ISA_max_s : ISA_max_u;
    case ISA_min_u: return ISA_min_u;
    case ISA_max_u: return ISA_max_u;
    case ISA_div_s: return s ? ISA_div_s : ISA_div_u;
    case ISA_rem_s: return s ? ISA_rem_s : ISA_rem_u;
    case ISA_div_u: return u ? ISA_div_u : ISA_OP_COUNT;
    case ISA_rem_u: return u ? ISA_rem_u : ISA_OP_COUNT;
    case ISA_s2f: return s ? ISA_s2f : ISA_u2f;
    case ISA_u2f: return u ? ISA_u2f : ISA_OP_COUNT;
    default: return ISA_OP_COUNT;
    }
}

/* Shifts to the right, by a constant, of what fits. */
static bool put_shift(struct narrower *t, const struct isa_inst *i, const isa_operand *dst,
                      const isa_operand *src) {
    if ((i->op != ISA_shr_s && i->op != ISA_shr_u) || !isa_is_const(src[1])) return false;
    bool s = fits_signed(t, src[0]) && i->op == ISA_shr_s;
    uint64_t by = t->k->consts[isa_const_index(src[1])].bits % 64;
    if (by >= 32 || (!s && !fits_unsigned(t, src[0]))) return false;
    isa_operand half[] = {low_of(t, src[0]), isa_const_new(t->k, ISA_I32, by)};
    put(t, i, s ? ISA_shr_s : ISA_shr_u, dst, half);
    return true;
}

/* The instruction by low halves, if that can be; its result is then of 32 bits. */
static bool put_low(struct narrower *t, const struct isa_inst *i, const isa_operand *dst,
                    const isa_operand *src) {
    isa_operand half[3];
    bool all = i->type2 == ISA_I64 && compare_is_integer(i->op);
    bool to_float = i->op == ISA_s2f || i->op == ISA_u2f;
    if ((i->op == ISA_sext || i->op == ISA_zext) && i->type == ISA_I64) {
        put(t, i, i->type2 == ISA_I32 ? ISA_mov : (enum isa_op)i->op, dst, src);
        if (i->type2 == ISA_I32) t->k->insts[t->k->ninsts - 1].type2 = ISA_NONE_T;
        return true;
    }
    if (makes_low(t->k, i, src)) {
        for (unsigned n = 0; n < i->nsrc; n++) half[n] = low_of(t, src[n]);
        put(t, i, (enum isa_op)i->op, dst, half);
        return true;
    }
    if (i->op == ISA_trunc && i->type2 == ISA_I64) {
        half[0] = low_of(t, src[0]);
        put(t, i, i->type == ISA_I32 ? ISA_mov : ISA_trunc, dst, half);
        if (i->type == ISA_I32) t->k->insts[t->k->ninsts - 1].type2 = ISA_NONE_T;
        return true;
    }
    if (!all && !(to_float && i->type2 == ISA_I64) && i->type != ISA_I64) return false;
    if (i->nsrc > 2 || !(isa_op_info[i->op].flags & ISA_OP_PURE)) return false;
    if (put_shift(t, i, dst, src)) return true;
    enum isa_op op = all || to_float || i->nsrc == 2 ? on_halves(t, i, src) : ISA_OP_COUNT;
    if (op == ISA_OP_COUNT) return all && put_mixed(t, i, dst, src);
    for (unsigned n = 0; n < i->nsrc; n++) half[n] = low_of(t, src[n]);
    put(t, i, op, dst, half);
    return true;
}

static bool reads_half(const struct narrower *t, const struct isa_inst *i, const isa_operand *src) {
    for (unsigned n = 0; n < i->nsrc; n++)
        if (is_wide(t->k, src[n]) && t->form[src[n]] != WIDE) return true;
    return false;
}

static void write(struct narrower *t, uint32_t n) {
    const struct isa_inst *i = &t->old.insts[n];
    isa_operand *dst = t->old.operands + i->operands, *src = dst + i->ndst, after[UINT8_MAX];
    bool wide = i->ndst == 1 && is_wide(t->k, dst[0]), halved = wide && t->form[dst[0]] != WIDE;
    t->k->cur_file = i->file;
    t->k->cur_line = i->line;
    if (halved || (!wide && reads_half(t, i, src)))
        if (put_low(t, i, halved ? &t->half[dst[0]] : dst, src)) return;
    for (unsigned s = 0; s < i->nsrc; s++) src[s] = all_of(t, src[s]);
    for (unsigned d = 0; d < i->ndst; d++) {
        after[d] = dst[d];
        if (is_wide(t->k, dst[d]) && t->form[dst[d]] != WIDE) dst[d] = isa_reg_new(t->k, ISA_I64);
    }
    rewrite_put(t->k, i, dst, src);
    for (unsigned d = 0; d < i->ndst; d++)
        if (dst[d] != after[d])
            isa_emit(t->k, ISA_trunc, ISA_I32, ISA_I64, 1, &t->half[after[d]], 1, &dst[d]);
}

void opt_narrow(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct narrower *t = ARENA_NEW(arena, struct narrower);
    uint32_t halves = 0, nregs = k->nregs;
    t->k = k;
    if (k->ninsts > ISA_MAX_INSTRUCTIONS / 4 || !choose(t, arena)) return;
    for (uint32_t r = 0; r < nregs; r++) halves += t->form[r] != WIDE;
    t->old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < t->old.ninsts && !isa_kernel_failed(k); n++) write(t, n);
    trace_tell(p, NULL, "%u registers of 64 bits are of 32", halves);
}
