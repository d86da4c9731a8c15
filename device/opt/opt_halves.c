/* Integers of 32 bits that are made of bytes and halves, and of which bytes and halves and
 * comparisons alone are made, are of 16 bits where that tells nothing: vectors hold twice as many.
 */
#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { HALF = 16 /* bits */ };

struct halver {
    struct isa_kernel *k;
    struct numbers values;
    uint8_t *beside;   /* registers: those that are loaded with others, as words */
    uint8_t *fits;     /* registers: those of 16 bits */
    isa_operand *half; /* which these are then */
};

static bool is_half(const struct halver *h, isa_operand o) {
    return isa_is_const(o) || (isa_is_reg(o) && h->fits[o]);
}

/* Are operands all of their low halves, with a sign or without? */
static bool all_within(const struct halver *h, const struct isa_inst *i, int64_t least,
                       int64_t most) {
    for (unsigned s = 0; s < i->nsrc; s++)
        if (!interval_within(numbers_signed(&h->values, h->k, isa_srcs(h->k, i)[s]), least, most))
            return false;
    return true;
}

static void find_beside(struct halver *h) {
    for (uint32_t n = 0; n < h->k->ninsts; n++) {
        const struct isa_inst *i = &h->k->insts[n];
        for (unsigned d = 0; i->op == ISA_ld && i->count > 1 && d < i->ndst; d++)
            h->beside[isa_dsts(h->k, i)[d]] = 1;
    }
}

/* By which of two operations, for numbers with a sign and without; ISA_OP_COUNT: neither. */
static enum isa_op either(const struct halver *h, const struct isa_inst *i, enum isa_op with,
                          enum isa_op without) {
    if (with != ISA_OP_COUNT && all_within(h, i, INT16_MIN, INT16_MAX)) return with;
    return all_within(h, i, 0, UINT16_MAX) ? without : ISA_OP_COUNT;
}

static bool compares(const struct isa_inst *i) {
    return compare_is_integer(i->op) && i->type2 == ISA_I32;
}

/* The operation that makes the low half of the result of the operands' low halves; or none:
 * ISA_OP_COUNT. */
static enum isa_op on_halves(const struct halver *h, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(h->k, i);
    const enum isa_op none = ISA_OP_COUNT, op = (enum isa_op)i->op;
    bool shifts = op == ISA_shl || op == ISA_shr_u || op == ISA_shr_s;
    uint32_t by;
    if ((i->type != ISA_I32 && !compares(i)) || i->ndst != 1) return none;
    if (shifts && !(isa_constant(h->k, src[1], &by) && by < HALF)) return none;
    if (op == ISA_shl || opt_makes_low(op)) return op;
    switch (op) {
    case ISA_zext:
    case ISA_sext:
        /* what is loaded as words with others is extended for nothing */
        if (isa_is_reg(src[0]) && h->beside[src[0]]) return none;
        return i->type2 == ISA_I16 ? ISA_mov : op;
    case ISA_select: return op;
    case ISA_eq:
    case ISA_ne: return either(h, i, op, op);
    case ISA_lt_u:
    case ISA_le_u:
    case ISA_shr_u:
    case ISA_div_u:
    case ISA_rem_u:
    case ISA_min_u:
    case ISA_max_u: return either(h, i, none, op);
    case ISA_lt_s: return either(h, i, op, ISA_lt_u);
    case ISA_le_s: return either(h, i, op, ISA_le_u);
    case ISA_shr_s: return either(h, i, op, ISA_shr_u);
    case ISA_div_s: return either(h, i, op, ISA_div_u);
    case ISA_rem_s: return either(h, i, op, ISA_rem_u);
    case ISA_min_s: return either(h, i, op, ISA_min_u);
    case ISA_max_s: return either(h, i, op, ISA_max_u);
    default: return none;
    }
}

static bool extends(const struct isa_inst *i) { return i->op == ISA_zext || i->op == ISA_sext; }

/* Is all that it reads and writes of 16 bits, or narrower? */
static bool is_of_halves(const struct halver *h, const struct isa_inst *i) {
    if (i->op == ISA_trunc) return i->type2 == ISA_I32;
    if (i->ndst != 1 || (!compares(i) && !h->fits[isa_dsts(h->k, i)[0]]) ||
        on_halves(h, i) == ISA_OP_COUNT)
        return false;
    for (unsigned s = i->op == ISA_select; s < i->nsrc && !extends(i); s++)
        if (!is_half(h, isa_srcs(h->k, i)[s])) return false;
    return true;
}

/* Finds them; false: there is no operation on some. */
static bool choose(struct halver *h) {
    const struct isa_kernel *k = h->k;
    uint32_t found = 0;
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (!compares(&k->insts[n]) && on_halves(h, &k->insts[n]) != ISA_OP_COUNT)
            h->fits[isa_dsts(k, &k->insts[n])[0]] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        found = 0;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool good = is_of_halves(h, i);
            found += good && i->op != ISA_trunc && i->op != ISA_mov && !extends(i) && !compares(i);
            for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc && !good; o++) {
                isa_operand of = k->operands[i->operands + o];
                if (!isa_is_reg(of) || !h->fits[of]) continue;
                h->fits[of] = 0;
                changed = true;
            }
        }
    }
    return found;
}

/* Leaves out what has nothing to do with bytes and halves, as counters up to a constant: nothing is
 * gained, and less is known of them. False: that was all. */
static bool keep_related(struct halver *h, struct arena *arena) {
    const struct isa_kernel *k = h->k;
    uint8_t *related = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            const isa_operand *of = k->operands + i->operands;
            unsigned count = i->ndst + (unsigned)i->nsrc;
            bool is = extends(i) || i->op == ISA_trunc;
            for (unsigned o = 0; o < count; o++) is |= isa_is_reg(of[o]) && related[of[o]];
            for (unsigned o = 0; o < count && is; o++) {
                if (!isa_is_reg(of[o]) || !h->fits[of[o]] || related[of[o]]) continue;
                related[of[o]] = 1;
                changed = true;
            }
        }
    }
    for (uint32_t r = 0; r < k->nregs; r++) any |= h->fits[r] &= related[r];
    return any;
}

static isa_operand half_of(struct halver *h, isa_operand o) {
    uint32_t value;
    if (isa_constant(h->k, o, &value)) return isa_const_new(h->k, ISA_I16, (uint16_t)value);
    return isa_is_reg(o) && h->fits[o] ? h->half[o] : o;
}

static void write(struct halver *h, const struct rewrite_code *old, uint32_t n, enum isa_op op) {
    struct isa_inst now = old->insts[n];
    isa_operand *dst = old->operands + now.operands, *src = dst + now.ndst;
    bool cuts = now.op == ISA_trunc && isa_is_reg(src[0]) && h->fits[src[0]];
    h->k->cur_file = now.file;
    h->k->cur_line = now.line;
    if (op != ISA_OP_COUNT || cuts) {
        for (unsigned s = now.op == ISA_select; s < now.nsrc && !extends(&now); s++)
            src[s] = half_of(h, src[s]);
        if (cuts) {
            op = now.type == ISA_I16 ? ISA_mov : ISA_trunc;
            now.type2 = ISA_I16;
        } else if (compares(&now)) {
            now.type2 = ISA_I16;
        } else {
            now.type = ISA_I16;
            dst[0] = h->half[dst[0]];
        }
        now.op = op;
        if (op == ISA_mov) now.type2 = ISA_NONE_T;
    }
    rewrite_put(h->k, &now, dst, src);
}

void opt_halves(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct halver h = {.k = k};
    uint32_t halves = 0, nregs = k->nregs;
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts && !any; n++)
        any = (k->insts[n].op == ISA_trunc && k->insts[n].type2 == ISA_I32) ||
              (extends(&k->insts[n]) && k->insts[n].type == ISA_I32);
    if (!any || k->ninsts > ISA_MAX_INSTRUCTIONS / 4) return;
    numbers_find(&h.values, k, NULL, arena);
    h.beside = ARENA_ARRAY(arena, uint8_t, nregs + 1u);
    find_beside(&h);
    h.fits = ARENA_ARRAY(arena, uint8_t, nregs + 1u);
    h.half = ARENA_ARRAY(arena, isa_operand, nregs + 1u);
    uint16_t *ops = ARENA_ARRAY(arena, uint16_t, k->ninsts + 1u);
    if (!choose(&h) || !keep_related(&h, arena)) return;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool is =
            i->ndst == 1 && (h.fits[isa_dsts(k, i)[0]] || (compares(i) && is_of_halves(&h, i)));
        ops[n] = is ? on_halves(&h, i) : ISA_OP_COUNT;
    }
    for (uint32_t r = 0; r < nregs; r++) {
        if (!h.fits[r]) continue;
        h.half[r] = isa_reg_new(k, ISA_I16);
        halves++;
    }
    if (isa_kernel_failed(k)) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++)
        write(&h, &old, n, (enum isa_op)ops[n]);
    trace_tell(p, NULL, "%u registers of 32 bits are of 16", halves);
}
