/* What straight code adds up of a value's bits, one after the other, is how many of them are set:
 * one operation on most hosts. So is what it takes them together by `^`, of which the lowest bit is
 * whether that is odd. However a bit is looked at: shifted down and masked, masked and compared, or
 * shifted up to where the sign is. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum {
    FEWEST = 6,     /* bits that are worth it where a host counts in several operations */
    OTHER = 1 << 24 /* a write that is no sum */
};

enum bits_kind { BITS_NONE, BITS_SLICE, BITS_FLAG, BITS_COUNT, BITS_ODD };

/* What is known of a register.
 * slice  bits `mask` of it are those of the base by `shift` places up, its other ones 0; where it
 *        is not `valid` that is not known
 * flag   a predicate: the base's bit `mask` is set
 * count  how many of the base's bits `mask` are set, more than the other operand
 * odd    the other operand, its lowest bit changed if an odd number of these are set
 * inverted: they are not set. */
struct bits {
    uint8_t kind, inverted;
    int8_t shift;
    isa_operand base, with, other; /* the base: that register, or it by `^` with another one */
    uint32_t since;                /* the instruction that has read the other operand */
    uint64_t mask, valid;
};

struct bits_finder {
    struct isa_kernel *k;
    struct loops l;
    struct bits *of; /* of registers that are written once, before they are read */
};

static uint64_t ones(enum isa_type t) { return isa_cut(t, UINT64_MAX); }
static bool is_one_bit(uint64_t m) { return m && !(m & (m - 1)); }

static bool number(const struct bits_finder *f, isa_operand o, uint64_t *bits) {
    if (!isa_is_const(o)) return false;
    *bits = f->k->consts[isa_const_index(o)].bits;
    return true;
}

static struct bits known(const struct bits_finder *f, isa_operand o) {
    return isa_is_reg(o) ? f->of[o] : (struct bits){0};
}

/* A register as bits of itself, where nothing else is known. */
static struct bits slice(const struct bits_finder *f, isa_operand o, enum isa_type t) {
    struct bits b = known(f, o);
    if (b.kind == BITS_SLICE) return b;
    if (!isa_is_reg(o) || !f->l.ordered[o]) return (struct bits){0};
    return (struct bits){
        .kind = BITS_SLICE, .base = o, .with = ISA_NO_OPERAND, .mask = ones(t), .valid = ones(t)};
}

/* Which bit of the base a single bit of a slice is. */
static uint64_t at_base(const struct bits *b, uint64_t bit) {
    return b->shift < 0 ? bit >> -b->shift : bit << b->shift;
}

static struct bits flag(const struct bits *b, uint64_t bit, bool inverted) {
    struct bits r = *b;
    r.kind = BITS_FLAG;
    r.mask = at_base(b, bit);
    r.inverted = inverted;
    return r;
}

/* The same bits of two values, by `^`. */
static struct bits differing(const struct bits_finder *f, const struct isa_inst *i,
                             enum isa_type t) {
    struct bits a = slice(f, isa_srcs(f->k, i)[0], t), b = slice(f, isa_srcs(f->k, i)[1], t);
    bool same = a.kind == BITS_SLICE && b.kind == BITS_SLICE && a.shift == b.shift &&
                a.mask == b.mask && a.valid == b.valid && a.base != b.base;
    if (!same || a.with != ISA_NO_OPERAND || b.with != ISA_NO_OPERAND) return (struct bits){0};
    if (!a.shift && a.mask == ones(t)) return (struct bits){0}; /* of the registers themselves */
    a.with = b.base;
    return a;
}

static struct bits shifted(const struct bits_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    enum isa_type t = (enum isa_type)i->type;
    struct bits b = slice(f, src[0], t), none = {0};
    uint64_t by, width = 8u * isa_type_size[t], top = UINT64_C(1) << (width - 1);
    if (b.kind != BITS_SLICE || !number(f, src[1], &by) || by >= width) return none;
    if (i->op != ISA_shr_s && b.valid != ones(t)) return none;
    if (i->op == ISA_shl) {
        b.mask = isa_cut(t, b.mask << by);
        b.shift = (int8_t)(b.shift - (int)by);
    } else {
        bool fills = i->op == ISA_shr_s && (b.valid != ones(t) || b.mask & top);
        if (fills) b.valid >>= by;
        b.mask >>= by;
        b.shift = (int8_t)(b.shift + (int)by);
    }
    return b;
}

static struct bits masked(const struct bits_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    struct bits b = slice(f, src[0], (enum isa_type)i->type), none = {0};
    uint64_t m;
    if (b.kind != BITS_SLICE || !number(f, src[1], &m) || m & ~b.valid) return none;
    b.mask &= m;
    b.valid = ones((enum isa_type)i->type);
    return b;
}

/* One bit compared with 0 or with itself, or where the sign is. */
static struct bits compared(const struct bits_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    enum isa_type t = (enum isa_type)i->type2;
    bool sign = i->op == ISA_lt_s || i->op == ISA_le_s;
    unsigned side = i->op == ISA_le_s; /* 0 <= value */
    uint64_t c, top;
    struct bits b, none = {0};
    if (!isa_is_integer(t)) return none;
    top = UINT64_C(1) << (8 * isa_type_size[t] - 1);
    if (!sign && isa_is_reg(src[0]) && isa_is_reg(src[1])) {
        b = differing(f, i, t);
        bool one = b.kind == BITS_SLICE && b.valid == ones(t) && is_one_bit(b.mask);
        return one ? flag(&b, b.mask, i->op == ISA_eq) : none;
    }
    if (!number(f, src[1 - side], &c)) return none;
    b = slice(f, src[side], t);
    if (b.kind != BITS_SLICE || b.valid != ones(t)) return none;
    if (sign) return c || !(b.mask & top) ? none : flag(&b, top, side);
    if (!is_one_bit(b.mask) || (c && c != b.mask)) return none;
    return flag(&b, b.mask, (i->op == ISA_eq) == !c);
}

/* A number of bits that is one, or none, or a sum of such. */
static struct bits counted(const struct bits_finder *f, isa_operand o, enum bits_kind kind) {
    struct bits b = known(f, o);
    if (b.kind == BITS_SLICE && b.mask == 1 &&
        b.valid == ones((enum isa_type)isa_operand_type(f->k, o))) {
        b.mask = at_base(&b, 1);
        b.kind = BITS_COUNT;
        b.other = ISA_NO_OPERAND;
    }
    if (b.kind == BITS_COUNT && b.other == ISA_NO_OPERAND && is_one_bit(b.mask))
        b.kind = (uint8_t)kind;
    return b;
}

/* Bits that are counted on from an operand, which instruction n reads. */
static struct bits counted_on(const struct bits_finder *f, isa_operand o, struct bits more,
                              enum bits_kind kind, uint32_t n) {
    struct bits b = counted(f, o, kind);
    if (b.kind == kind && b.base == more.base && b.with == more.with &&
        b.inverted == more.inverted && !(b.mask & more.mask)) {
        b.mask |= more.mask;
        return b;
    }
    more.kind = (uint8_t)kind;
    more.other = o;
    more.since = n;
    return more;
}

static struct bits summed(const struct bits_finder *f, const struct isa_inst *i, uint32_t n) {
    enum bits_kind kind = i->op == ISA_add ? BITS_COUNT : BITS_ODD;
    for (unsigned s = 0; s < 2; s++) {
        struct bits more = counted(f, isa_srcs(f->k, i)[1 - s], kind);
        if (more.kind == kind && more.other == ISA_NO_OPERAND)
            return counted_on(f, isa_srcs(f->k, i)[s], more, kind, n);
    }
    return (struct bits){0};
}

/* Is operand `more` the other one with 1 added, or its lowest bit changed, at instruction n? */
static bool is_next(const struct bits_finder *f, isa_operand more, isa_operand than,
                    enum bits_kind *kind, uint32_t n) {
    const struct isa_inst *i = loops_definition(&f->l, f->k, more);
    uint64_t one;
    if (!i || !isa_is_reg(than) || (i->op != ISA_add && i->op != ISA_xor)) return false;
    if (isa_srcs(f->k, i)[0] != than || !number(f, isa_srcs(f->k, i)[1], &one) || one != 1)
        return false;
    *kind = i->op == ISA_add ? BITS_COUNT : BITS_ODD;
    uint32_t at = (uint32_t)(i - f->k->insts);
    return f->l.ordered[than] || (at < n && !isa_writes_between(f->k, than, at, n) &&
                                  f->l.loop_of[at] == f->l.loop_of[n]);
}

static struct bits chosen(const struct bits_finder *f, const struct isa_inst *i, uint32_t n) {
    const isa_operand *src = isa_srcs(f->k, i);
    struct bits b = known(f, src[0]);
    uint64_t yes, no;
    enum bits_kind kind;
    if (b.kind != BITS_FLAG || isa_operand_type(f->k, b.base) != i->type) return (struct bits){0};
    if (number(f, src[1], &yes) && number(f, src[2], &no) && yes + no == 1 && (yes | no) == 1) {
        b.kind = BITS_COUNT;
        b.inverted ^= (uint8_t)no;
        b.other = ISA_NO_OPERAND;
        return b;
    }
    for (unsigned s = 0; s < 2; s++) {
        if (!is_next(f, src[1 + s], src[2 - s], &kind, n)) continue;
        b.inverted ^= (uint8_t)s;
        return counted_on(f, src[2 - s], b, kind, n);
    }
    return (struct bits){0};
}

static struct bits result(const struct bits_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    struct bits b;
    switch (i->op) {
    case ISA_mov: return known(f, isa_srcs(f->k, i)[0]);
    case ISA_shl:
    case ISA_shr_s:
    case ISA_shr_u: return shifted(f, i);
    case ISA_and: return i->type == ISA_PRED ? (struct bits){0} : masked(f, i);
    case ISA_eq:
    case ISA_ne:
    case ISA_lt_s:
    case ISA_le_s: return compared(f, i);
    case ISA_not:
        b = known(f, isa_srcs(f->k, i)[0]);
        b.inverted ^= 1;
        return b.kind == BITS_FLAG ? b : (struct bits){0};
    case ISA_add: return summed(f, i, n);
    case ISA_xor:
        if (i->type == ISA_PRED) return (struct bits){0};
        b = differing(f, i, (enum isa_type)i->type);
        return b.kind ? b : summed(f, i, n);
    case ISA_select: return isa_is_integer(i->type) ? chosen(f, i, n) : (struct bits){0};
    default: return (struct bits){0};
    }
}

/* Is the other operand what it was when it was read? */
static bool stays(const struct bits_finder *f, const struct bits *b, uint32_t n) {
    if (!isa_is_reg(b->other) || f->l.ordered[b->other]) return true;
    for (uint32_t m = b->since; m < n; m++)
        if (isa_op_info[f->k->insts[m].op].flags & ISA_OP_CONTROL ||
            isa_writes(f->k, &f->k->insts[m], b->other))
            return false;
    return true;
}

static isa_operand make(struct isa_kernel *k, enum isa_op op, enum isa_type t, isa_operand a,
                        isa_operand b) {
    return isa_emit1(k, op, t, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

static void write(struct isa_kernel *k, const struct bits *b, isa_operand to) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, to);
    isa_operand v = b->base;
    if (b->with != ISA_NO_OPERAND) v = make(k, ISA_xor, t, v, b->with);
    if (b->inverted) v = make(k, ISA_not, t, v, ISA_NO_OPERAND);
    if (b->mask != ones(t)) v = make(k, ISA_and, t, v, isa_const_new(k, t, b->mask));
    v = make(k, ISA_popc, t, v, ISA_NO_OPERAND);
    if (b->kind == BITS_ODD) v = make(k, ISA_and, t, v, isa_const_new(k, t, 1));
    isa_operand other = b->other == ISA_NO_OPERAND ? isa_const_new(k, t, 0) : b->other;
    isa_emit(k, b->kind == BITS_ODD ? ISA_xor : ISA_add, t, ISA_NONE_T, 1, &to, 2,
             (isa_operand[]){other, v});
}

/* Writes the instruction what may be a sum of bits so far? */
static bool sums_up(const struct isa_kernel *k, const struct isa_inst *i) {
    bool both = i->op == ISA_add || i->op == ISA_xor;
    return i->op == ISA_select || (both && isa_is_reg(isa_srcs(k, i)[1]));
}

/* Sums that straight code writes to one register have a register each, but the last one. */
static void rename_sums(struct isa_kernel *k, uint32_t from, uint32_t to, uint32_t old,
                        uint32_t *writes, isa_operand *names) {
    for (uint32_t n = from; n < to; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++) {
            writes[isa_dsts(k, &k->insts[n])[d]] = 0;
            names[isa_dsts(k, &k->insts[n])[d]] = ISA_NO_OPERAND;
        }
    for (uint32_t n = from; n < to; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++)
            writes[isa_dsts(k, &k->insts[n])[d]] += sums_up(k, &k->insts[n]) ? 1 : OTHER;
    for (uint32_t n = from; n < to; n++) {
        isa_operand *src = isa_srcs(k, &k->insts[n]), *dst = isa_dsts(k, &k->insts[n]);
        for (unsigned s = 0; s < k->insts[n].nsrc; s++)
            if (isa_is_reg(src[s]) && src[s] < old && names[src[s]] != ISA_NO_OPERAND)
                src[s] = names[src[s]];
        for (unsigned d = 0; d < k->insts[n].ndst; d++) {
            isa_operand r = dst[d];
            enum isa_type t = (enum isa_type)k->reg_types[r];
            if (names[r] == ISA_NO_OPERAND &&
                (writes[r] < FEWEST || writes[r] >= OTHER || !isa_is_integer(t)))
                continue;
            names[r] = --writes[r] ? isa_reg_new(k, t) : ISA_NO_OPERAND;
            if (names[r] != ISA_NO_OPERAND) dst[d] = names[r];
        }
    }
}

static void rename_all(struct isa_kernel *k, struct arena *arena) {
    uint32_t *writes = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u), from = 0;
    isa_operand *names = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    uint32_t old = k->nregs;
    for (uint32_t r = 0; r < old; r++) names[r] = ISA_NO_OPERAND;
    for (uint32_t n = 0; n <= k->ninsts && !isa_kernel_failed(k); n++) {
        bool ends = n == k->ninsts || isa_op_info[k->insts[n].op].flags & ISA_OP_CONTROL;
        if (!ends) continue;
        rename_sums(k, from, n, old, writes, names);
        from = n + 1;
    }
}

void opt_bits(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct bits_finder f = {.k = k};
    uint32_t sums = 0;
    rename_all(k, arena);
    loops_find(&f.l, k, arena);
    f.of = ARENA_ARRAY(arena, struct bits, k->nregs + 1u);
    struct bits *made = ARENA_ARRAY(arena, struct bits, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->ndst != 1) continue;
        struct bits b = result(&f, n);
        isa_operand to = isa_dsts(k, i)[0];
        bool counts = b.kind == BITS_COUNT || b.kind == BITS_ODD;
        if (counts && isa_operand_type(k, b.base) != isa_operand_type(k, to)) continue;
        if (counts && !stays(&f, &b, n)) continue;
        if (f.l.ordered[to]) f.of[to] = b;
        if (!counts || __builtin_popcountll(b.mask) < FEWEST) continue;
        made[n] = b;
        sums++;
    }
    if (!sums) return;
    uint32_t *reads = rewrite_reads(k, arena), nregs = k->nregs;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (made[n].kind)
            write(k, &made[n], old.operands[i->operands]);
        else
            rewrite_keep(k, &old, n);
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, reads, nregs);
    const struct isa_inst whole = {.line = 0};
    trace_tell(p, &whole, "%u sums of bits are counted at once", sums);
}
