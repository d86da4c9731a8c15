#include "bitvalues.h"

#include "device/isa/constant.h"

uint64_t bitvalues_ones(enum isa_type t) { return isa_cut(t, UINT64_MAX); }

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
    if (!isa_is_reg(o) || !f->fixed[o]) return (struct bits){0};
    return (struct bits){.kind = BITS_SLICE,
                         .base = o,
                         .with = ISA_NO_OPERAND,
                         .mask = bitvalues_ones(t),
                         .valid = bitvalues_ones(t)};
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
    if (!a.shift && a.mask == bitvalues_ones(t))
        return (struct bits){0}; /* of the registers themselves */
    a.with = b.base;
    return a;
}

static struct bits shifted(const struct bits_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    enum isa_type t = (enum isa_type)i->type;
    struct bits b = slice(f, src[0], t), none = {0};
    uint64_t by, width = 8u * isa_type_size[t], top = UINT64_C(1) << (width - 1);
    if (b.kind != BITS_SLICE || !number(f, src[1], &by) || by >= width) return none;
    if (i->op != ISA_shr_s && b.valid != bitvalues_ones(t)) return none;
    if (i->op == ISA_shl) {
        b.mask = isa_cut(t, b.mask << by);
        b.shift = (int8_t)(b.shift - (int)by);
    } else {
        bool fills = i->op == ISA_shr_s && (b.valid != bitvalues_ones(t) || b.mask & top);
        if (fills) b.valid >>= by;
        b.mask >>= by;
        b.shift = (int8_t)(b.shift + (int)by);
    }
    return b;
}

/* A register as what is left of one without its lowest bits, maybe none of them. */
static struct bits less(const struct bits_finder *f, isa_operand o, enum isa_type t) {
    struct bits b = known(f, o);
    if (b.kind == BITS_LESS) return b;
    b = slice(f, o, t);
    if (b.kind != BITS_SLICE || b.shift || b.mask != bitvalues_ones(t) || b.with != ISA_NO_OPERAND)
        return (struct bits){0};
    b.kind = BITS_LESS;
    return b;
}

/* x & (x - 1) */
static struct bits without_lowest(const struct bits_finder *f, const struct isa_inst *i) {
    for (unsigned s = 0; s < 2; s++) {
        struct bits below = known(f, isa_srcs(f->k, i)[s]),
                    b = less(f, isa_srcs(f->k, i)[1 - s], (enum isa_type)i->type);
        if (below.kind != BITS_BELOW || b.kind != BITS_LESS || b.base != below.base ||
            b.shift != below.shift)
            continue;
        b.shift++;
        return b;
    }
    return (struct bits){0};
}

static struct bits masked(const struct bits_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    struct bits b = slice(f, src[0], (enum isa_type)i->type), none = {0};
    uint64_t m;
    if (b.kind != BITS_SLICE || !number(f, src[1], &m) || m & ~b.valid) return none;
    b.mask &= m;
    b.valid = bitvalues_ones((enum isa_type)i->type);
    return b;
}

/* One bit compared with 0 or with itself, or where the sign is. */
static struct bits compared(const struct bits_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    enum isa_type t = (enum isa_type)i->type2;
    bool sign = i->op == ISA_lt_s || i->op == ISA_le_s;
    unsigned side = i->op == ISA_le_s; /* 0 <= value */
    uint64_t c, top;
    struct bits b, r, none = {0};
    if (!isa_is_integer(t)) return none;
    top = UINT64_C(1) << (8 * isa_type_size[t] - 1);
    if (!sign && isa_is_reg(src[0]) && isa_is_reg(src[1])) {
        b = differing(f, i, t);
        bool one = b.kind == BITS_SLICE && b.valid == bitvalues_ones(t) && bitvalues_is_one(b.mask);
        return one ? flag(&b, b.mask, i->op == ISA_eq) : none;
    }
    if (!number(f, src[1 - side], &c)) return none;
    b = known(f, src[side]);
    if (b.kind == BITS_LESS && !sign && !c) {
        b.kind = BITS_LEFT;
        b.inverted = i->op == ISA_eq;
        return b;
    }
    if (b.kind == BITS_COUNT && b.other == ISA_NO_OPERAND && bitvalues_is_one(b.mask) && !sign &&
        c < 2) {
        b.kind = BITS_FLAG;
        b.inverted ^= (i->op == ISA_eq) == !c;
        return b;
    }
    b = slice(f, src[side], t);
    if (b.kind != BITS_SLICE || b.valid != bitvalues_ones(t)) return none;
    if (sign) return c || !(b.mask & top) ? none : flag(&b, top, side);
    if (c && (c != b.mask || !bitvalues_is_one(c))) return none;
    r = flag(&b, b.mask, (i->op == ISA_eq) == !c);
    if (!bitvalues_is_one(b.mask)) r.kind = BITS_ANY;
    return r;
}

struct bits bitvalues_counted(const struct bits_finder *f, isa_operand o, enum bits_kind kind) {
    struct bits b = known(f, o);
    if (b.kind == BITS_SLICE && b.mask == 1 &&
        b.valid == bitvalues_ones((enum isa_type)isa_operand_type(f->k, o))) {
        b.mask = at_base(&b, 1);
        b.kind = BITS_COUNT;
        b.other = ISA_NO_OPERAND;
    }
    if (b.kind == BITS_COUNT && b.other == ISA_NO_OPERAND && bitvalues_is_one(b.mask))
        b.kind = (uint8_t)kind;
    return b;
}

/* Bits that are counted on from an operand, which instruction n reads. */
static struct bits counted_on(const struct bits_finder *f, isa_operand o, struct bits more,
                              enum bits_kind kind, uint32_t n) {
    struct bits b = bitvalues_counted(f, o, kind);
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
        struct bits more = bitvalues_counted(f, isa_srcs(f->k, i)[1 - s], kind);
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

/* A constant where the bit is set, behind others that bits before it gave. */
static struct bits placed(const struct bits_finder *f, isa_operand prior, struct bits b,
                          int64_t value, uint32_t n) {
    struct bits p = known(f, prior);
    int place = __builtin_ctzll(b.mask);
    if (p.kind == BITS_COUNT && p.other == ISA_NO_OPERAND && bitvalues_is_one(p.mask)) {
        p.kind = BITS_PLACE;
        p.shift = (int8_t)__builtin_ctzll(p.mask);
        p.value = 1;
    }
    bool next = p.kind == BITS_PLACE && p.base == b.base && p.with == b.with &&
                p.inverted == b.inverted && (place == p.shift + 1 || place == p.shift - 1);
    int64_t step = place > p.shift ? value - p.value : p.value - value;
    bool first = next && bitvalues_is_one(p.mask);
    if (next && (first || (p.step == step && p.down == (place < p.shift)))) {
        p.down = place < p.shift;
        p.step = step;
        p.mask |= b.mask;
    } else {
        p = b;
        p.kind = BITS_PLACE;
        p.other = prior;
        p.since = n;
    }
    p.shift = (int8_t)place;
    p.value = value;
    return p;
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
    for (unsigned s = 0; s < 2; s++) {
        if (!number(f, src[1 + s], &yes)) continue;
        b.inverted ^= (uint8_t)s;
        return placed(f, src[2 - s], b, isa_signed(i->type, yes), n);
    }
    return (struct bits){0};
}

/* A bit as a number of another type. */
static struct bits converted(const struct bits_finder *f, isa_operand o) {
    struct bits b = bitvalues_counted(f, o, BITS_COUNT);
    bool one = b.kind == BITS_COUNT && b.other == ISA_NO_OPERAND && bitvalues_is_one(b.mask);
    return one ? b : (struct bits){0};
}

struct bits bitvalues_of(const struct bits_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    struct bits b;
    switch (i->op) {
    case ISA_mov: return known(f, isa_srcs(f->k, i)[0]);
    case ISA_trunc:
    case ISA_zext: return converted(f, isa_srcs(f->k, i)[0]);
    case ISA_shl:
    case ISA_shr_s:
    case ISA_shr_u: return shifted(f, i);
    case ISA_and:
        if (i->type == ISA_PRED) return (struct bits){0};
        b = without_lowest(f, i);
        return b.kind ? b : masked(f, i);
    case ISA_eq:
    case ISA_ne:
    case ISA_lt_s:
    case ISA_le_s: return compared(f, i);
    case ISA_not:
        b = known(f, isa_srcs(f->k, i)[0]);
        b.inverted ^= 1;
        return b.kind == BITS_FLAG || b.kind == BITS_ANY || b.kind == BITS_LEFT ? b
                                                                                : (struct bits){0};
    case ISA_add:
        if (constant_is(f->k, isa_srcs(f->k, i)[1], -1)) {
            b = less(f, isa_srcs(f->k, i)[0], (enum isa_type)i->type);
            if (b.kind == BITS_LESS) b.kind = BITS_BELOW;
            return b;
        }
        return summed(f, i, n);
    case ISA_xor:
        if (i->type == ISA_PRED) return (struct bits){0};
        b = differing(f, i, (enum isa_type)i->type);
        return b.kind ? b : summed(f, i, n);
    case ISA_select: return isa_is_integer(i->type) ? chosen(f, i, n) : (struct bits){0};
    default: return (struct bits){0};
    }
}

isa_operand bitvalues_make(struct isa_kernel *k, enum isa_op op, enum isa_type t, isa_operand a,
                           isa_operand b) {
    return isa_emit1(k, op, t, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

isa_operand bitvalues_base(struct isa_kernel *k, const struct bits *b, enum isa_type t) {
    isa_operand v = b->base;
    if (b->with != ISA_NO_OPERAND) v = bitvalues_make(k, ISA_xor, t, v, b->with);
    return b->inverted ? bitvalues_make(k, ISA_not, t, v, ISA_NO_OPERAND) : v;
}

isa_operand bitvalues_below(struct isa_kernel *k, enum isa_type t, isa_operand v) {
    isa_operand less = bitvalues_make(k, ISA_add, t, v, isa_const_new(k, t, bitvalues_ones(t)));
    v = bitvalues_make(k, ISA_not, t, v, ISA_NO_OPERAND);
    return bitvalues_make(k, ISA_popc, t, bitvalues_make(k, ISA_and, t, v, less), ISA_NO_OPERAND);
}

isa_operand bitvalues_as(struct isa_kernel *k, enum isa_type t, enum isa_type from, isa_operand n) {
    if (isa_type_size[t] == isa_type_size[from]) return n;
    return isa_emit1(k, isa_type_size[t] < isa_type_size[from] ? ISA_trunc : ISA_zext, t, from, n,
                     ISA_NO_OPERAND, ISA_NO_OPERAND);
}

/* ---- names ---- */

enum { OTHER = 1 << 24 /* a write that is no sum */ };

/* Writes the instruction what may be a sum of bits so far? */
static bool sums_up(const struct isa_kernel *k, const struct isa_inst *i) {
    bool both = i->op == ISA_add || i->op == ISA_xor || i->op == ISA_or || i->op == ISA_mul;
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
                (writes[r] < BITVALUES_FEWEST || writes[r] >= OTHER || !isa_is_integer(t)))
                continue;
            names[r] = --writes[r] ? isa_reg_new(k, t) : ISA_NO_OPERAND;
            if (names[r] != ISA_NO_OPERAND) dst[d] = names[r];
        }
    }
}

void bitvalues_rename(struct isa_kernel *k, struct arena *arena) {
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
