/* Blocks of straight code that lanes leave at the first bit that is set, or where no more bits are,
 * as loops become whose few iterations were written out: where that is, is computed, and of it what
 * the block leaves: registers that count the iterations, or the bits. */
#include "bitvalues.h"
#include "device/isa/constant.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { FIRST_FEWEST = 6, FIRST_EXITS = 64, FIRST_LIVE = 6 };

/* What a register has been before the block, or 0 (ISA_NO_OPERAND), and a constant. */
struct first_sum {
    bool known;
    isa_operand reg;
    int64_t plus;
};

enum first_kind {
    FIRST_BIT,   /* lanes leave at a bit, of which each exit asks the next one; */
    FIRST_NONE,  /* where of the bits from there on none is set; */
    FIRST_LOWEST /* when so many of the lowest ones have been taken away */
};

struct first_live {
    isa_operand reg, made;
    struct first_sum at[FIRST_EXITS + 1];
    struct bits bits[FIRST_EXITS + 1];
    bool counts; /* the bits, and not the iterations */
};

struct first_block {
    uint32_t begin, end;
    enum first_kind kind;
    bool down;      /* the places become lower */
    unsigned exits; /* at the last one in `conditions` are those who leave by none */
    struct bits conditions[FIRST_EXITS + 1];
    struct first_live live[FIRST_LIVE];
    unsigned nlive;
};

struct first_finder {
    struct bits_finder bits;
    uint8_t *untouched; /* registers that the block has not written so far */
    struct first_sum *sums;
};

static bool is_straight(const struct isa_kernel *k, uint32_t begin, uint32_t *end) {
    uint32_t n = begin + 1, exits = 0;
    for (; n < k->ninsts && k->insts[n].op != ISA_endblock; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_breakif && !i->imm) {
            exits++;
            continue;
        }
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->site || i->ndst != 1) return false;
    }
    *end = n;
    return exits >= FIRST_FEWEST && exits <= FIRST_EXITS;
}

/* Where the innermost region that an instruction is in ends. */
static uint32_t region_end(const struct isa_kernel *k, uint32_t n) {
    for (uint32_t depth = 0; ++n < k->ninsts;) {
        unsigned flags = isa_op_info[k->insts[n].op].flags;
        bool ends = flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END),
             begins = flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE);
        if (ends && !depth) return n;
        depth += begins;
        depth -= ends;
    }
    return n;
}

/* Is what is in a register read behind a block that is in no loop? What is written to it first is
 * what others read up to the end of the region. */
static bool is_read_behind(const struct isa_kernel *k, uint32_t end, isa_operand reg) {
    for (uint32_t n = end + 1; n < k->ninsts; n++) {
        if (isa_reads(k, &k->insts[n], reg)) return true;
        if (isa_writes(k, &k->insts[n], reg)) n = region_end(k, n) - 1;
    }
    return false;
}

/* Is what the block writes in a register wanted behind it, or by an iteration that follows? */
static bool is_live(const struct first_finder *f, const struct first_block *b, isa_operand reg,
                    uint32_t first) {
    const struct isa_kernel *k = f->bits.k;
    uint32_t within = 0;
    if (!f->bits.l.nloops || !f->bits.l.loop_of[b->begin]) return is_read_behind(k, b->end, reg);
    for (uint32_t n = b->begin; n < b->end; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++) {
            if (isa_srcs(k, &k->insts[n])[s] != reg) continue;
            if (n <= first) return true;
            within++;
        }
    return within != f->bits.l.reads[reg];
}

static bool find_live(struct first_finder *f, struct first_block *b) {
    const struct isa_kernel *k = f->bits.k;
    b->nlive = 0;
    for (uint32_t n = b->begin + 1; n < b->end; n++) {
        if (!k->insts[n].ndst) continue;
        isa_operand reg = isa_dsts(k, &k->insts[n])[0];
        bool seen = !f->untouched[reg];
        f->untouched[reg] = false;
        if (seen || !is_live(f, b, reg, n)) continue;
        if (b->nlive == FIRST_LIVE || !isa_is_integer(isa_operand_type(k, reg))) return false;
        b->live[b->nlive++].reg = reg;
    }
    return b->nlive;
}

static void forget(struct first_finder *f, const struct first_block *b) {
    const struct isa_kernel *k = f->bits.k;
    for (uint32_t n = b->begin + 1; n < b->end; n++) {
        if (!k->insts[n].ndst) continue;
        isa_operand reg = isa_dsts(k, &k->insts[n])[0];
        f->untouched[reg] = true;
        f->bits.of[reg] = (struct bits){0};
    }
}

static struct first_sum sum_of(const struct first_finder *f, const struct first_block *b,
                               isa_operand o) {
    const struct isa_kernel *k = f->bits.k;
    struct first_sum s = {.known = true, .reg = ISA_NO_OPERAND};
    if (isa_is_const(o)) {
        s.known = constant_signed(k, o, &s.plus);
        return s;
    }
    if (!isa_is_reg(o)) return (struct first_sum){0};
    if (!f->untouched[o]) return f->sums[o];
    uint32_t start = loops_start_outside(k, b->begin, o);
    const struct isa_inst *i = start ? &k->insts[start - 1] : NULL;
    if (i && i->op == ISA_mov && constant_signed(k, isa_srcs(k, i)[0], &s.plus)) return s;
    s.reg = o;
    return s;
}

static struct first_sum sum_at(const struct first_finder *f, const struct first_block *b,
                               uint32_t n) {
    const struct isa_kernel *k = f->bits.k;
    const struct isa_inst *i = &k->insts[n];
    struct first_sum s = {0};
    int64_t more = 0;
    if (i->op == ISA_mov) return sum_of(f, b, isa_srcs(k, i)[0]);
    if (i->op != ISA_add || !constant_signed(k, isa_srcs(k, i)[1], &more)) return s;
    s = sum_of(f, b, isa_srcs(k, i)[0]);
    s.plus = isa_signed(i->type, isa_cut(i->type, (uint64_t)s.plus + (uint64_t)more));
    return s;
}

static void note(struct first_finder *f, struct first_block *b) {
    for (unsigned n = 0; n < b->nlive; n++) {
        struct first_live *v = &b->live[n];
        v->at[b->exits] = sum_of(f, b, v->reg);
        v->bits[b->exits] = f->untouched[v->reg] ? (struct bits){0}
                                                 : bitvalues_counted(&f->bits, v->reg, BITS_COUNT);
    }
}

/* Goes through the block: what its exits ask, and what is in registers there. */
static void walk(struct first_finder *f, struct first_block *b) {
    const struct isa_kernel *k = f->bits.k;
    b->exits = 0;
    for (uint32_t n = b->begin + 1; n < b->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_breakif) {
            isa_operand p = isa_srcs(k, i)[0];
            b->conditions[b->exits] = isa_is_reg(p) ? f->bits.of[p] : (struct bits){0};
            note(f, b);
            b->exits++;
            continue;
        }
        struct bits of = bitvalues_of(&f->bits, n);
        struct first_sum sum = sum_at(f, b, n);
        isa_operand reg = isa_dsts(k, i)[0];
        /* Other operands of sums would have to stay. */
        bool sums = of.kind == BITS_COUNT || of.kind == BITS_ODD;
        if (sums && of.other != ISA_NO_OPERAND) of.kind = BITS_NONE;
        f->bits.of[reg] = of;
        f->sums[reg] = sum;
        f->untouched[reg] = false;
    }
    note(f, b);
}

static bool same_base(const struct bits *a, const struct bits *b) {
    return a->base == b->base && a->with == b->with && a->inverted == b->inverted;
}

static uint64_t lowest(uint64_t m) { return m & (0 - m); }
static uint64_t highest(uint64_t m) { return m ? UINT64_C(1) << (63 - __builtin_clzll(m)) : 0; }

/* What the exits have in common. */
static bool find_kind(const struct isa_kernel *k, struct first_block *b) {
    struct bits *c = b->conditions;
    bool bit = true, none = true, taken = true;
    for (unsigned n = 0; n < b->exits; n++) {
        bool of_bits = c[n].kind == BITS_FLAG || c[n].kind == BITS_ANY;
        if (!c[n].kind || !same_base(&c[0], &c[n])) return false;
        bit = bit && c[n].kind == BITS_FLAG;
        none = none && of_bits && c[n].inverted;
        taken = taken && c[n].inverted &&
                (n ? c[n].kind == BITS_LEFT && c[n].shift == (int)n : of_bits);
    }
    if (bit) {
        b->kind = FIRST_BIT;
        b->down = c[1].mask < c[0].mask;
        for (unsigned n = 1; n < b->exits; n++)
            if (c[n].mask != (b->down ? c[n - 1].mask >> 1 : c[n - 1].mask << 1)) return false;
        return true;
    }
    if (none) {
        uint64_t all = c[0].mask;
        b->kind = FIRST_NONE;
        b->down = c[1].mask != (all & ~lowest(all));
        if (!all || (all / lowest(all)) & (all / lowest(all) + 1)) return false;
        for (unsigned n = 1; n < b->exits; n++) {
            uint64_t m = c[n - 1].mask;
            if (c[n].mask != (m & ~(b->down ? highest(m) : lowest(m)))) return false;
        }
        return true;
    }
    b->kind = FIRST_LOWEST;
    /* The first exit asks for all bits, too. */
    return taken && c[0].mask == bitvalues_ones((enum isa_type)isa_operand_type(k, c[0].base));
}

/* Does the register step from exit to exit? */
static bool steps(const struct first_block *b, const struct first_live *v) {
    int64_t step = v->at[1].plus - v->at[0].plus;
    for (unsigned n = 0; n <= b->exits; n++) {
        if (!v->at[n].known || v->at[n].reg != v->at[0].reg) return false;
        if (n && n < b->exits && v->at[n].plus - v->at[n - 1].plus != step) return false;
    }
    return true;
}

/* Has it the bits so far, and are those that it has not those of which none is set? */
static bool counts(const struct first_block *b, const struct first_live *v) {
    const struct bits *all = &v->bits[b->exits], *c = b->conditions;
    if (b->kind != FIRST_NONE || all->kind != BITS_COUNT || all->inverted) return false;
    if (all->base != c[0].base || all->with != c[0].with) return false;
    for (unsigned n = 0; n < b->exits; n++) {
        const struct bits *x = &v->bits[n];
        bool zero = v->at[n].known && v->at[n].reg == ISA_NO_OPERAND && !v->at[n].plus;
        bool some = x->kind == BITS_COUNT && x->base == all->base && x->with == all->with &&
                    !x->inverted && !(x->mask & ~all->mask);
        if ((!zero && !some) || all->mask & ~(some ? x->mask : 0) & ~c[n].mask) return false;
    }
    return true;
}

static bool find(struct first_finder *f, struct first_block *b) {
    bool live = find_live(f, b);
    forget(f, b);
    if (!live) return false;
    walk(f, b);
    forget(f, b);
    if (!find_kind(f->bits.k, b)) return false;
    for (unsigned n = 0; n < b->nlive; n++) {
        struct first_live *v = &b->live[n];
        v->counts = !steps(b, v);
        if (v->counts && !counts(b, v)) return false;
        enum isa_type t = (enum isa_type)isa_operand_type(f->bits.k, v->reg);
        if (v->counts && t != isa_operand_type(f->bits.k, b->conditions[0].base)) return false;
    }
    return true;
}

static isa_operand constant(struct isa_kernel *k, enum isa_type t, int64_t value) {
    return isa_const_new(k, t, isa_cut(t, (uint64_t)value));
}

/* How many exits lanes have passed. */
static isa_operand passed(struct isa_kernel *k, const struct first_block *b, enum isa_type t) {
    struct bits c = b->conditions[0];
    unsigned width = isa_type_size[t] * 8, most = width, by;
    if (b->kind != FIRST_BIT) c.inverted = false;
    isa_operand v = bitvalues_base(k, &c, t), w;
    if (b->kind == FIRST_LOWEST) {
        v = bitvalues_make(k, ISA_popc, t, v, ISA_NO_OPERAND);
    } else {
        uint64_t end = b->down ? highest(c.mask) : lowest(c.mask);
        uint64_t all = c.mask | (b->down ? end - 1 : ~(end - 1));
        by = (unsigned)__builtin_ctzll(end);
        if (b->down) by = width - 1 - by;
        if (b->kind == FIRST_NONE && isa_cut(t, all) != c.mask)
            v = bitvalues_make(k, ISA_and, t, v, constant(k, t, (int64_t)c.mask));
        if (b->kind == FIRST_NONE) most = (unsigned)__builtin_popcountll(c.mask);
        if (by) v = bitvalues_make(k, b->down ? ISA_shl : ISA_shr_u, t, v, constant(k, t, by));
        if (b->kind == FIRST_BIT && b->down) {
            v = bitvalues_make(k, ISA_clz, t, v, ISA_NO_OPERAND);
        } else if (b->kind == FIRST_BIT) {
            v = bitvalues_below(k, t, v);
        } else if (b->down) {
            w = bitvalues_make(k, ISA_sub, t, constant(k, t, 0), v);
            v = bitvalues_make(k, ISA_popc, t, bitvalues_make(k, ISA_or, t, v, w), ISA_NO_OPERAND);
        } else {
            v = bitvalues_make(k, ISA_clz, t, v, ISA_NO_OPERAND);
            v = bitvalues_make(k, ISA_sub, t, constant(k, t, width), v);
        }
    }
    return most <= b->exits ? v : bitvalues_make(k, ISA_min_u, t, v, constant(k, t, b->exits));
}

static isa_operand stepped(struct isa_kernel *k, const struct first_block *b,
                           const struct first_live *v, isa_operand n, enum isa_type from) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, v->reg);
    int64_t step = v->at[1].plus - v->at[0].plus, first = v->at[0].plus;
    isa_operand r = bitvalues_as(k, t, from, n), other = v->at[0].reg, p;
    if (step != 1 && step != -1) r = bitvalues_make(k, ISA_mul, t, r, constant(k, t, step));
    if (step == -1) {
        isa_operand base = other != ISA_NO_OPERAND ? other : constant(k, t, first);
        r = bitvalues_make(k, ISA_sub, t, base, r);
        if (other == ISA_NO_OPERAND) first = 0;
    } else if (other != ISA_NO_OPERAND) {
        r = bitvalues_make(k, ISA_add, t, r, other);
    }
    if (first) r = bitvalues_make(k, ISA_add, t, r, constant(k, t, first));
    int64_t last = v->at[b->exits].plus;
    if (last == v->at[0].plus + step * (int64_t)b->exits) return r;
    p = isa_emit1(k, ISA_eq, ISA_PRED, from, n, constant(k, from, b->exits), ISA_NO_OPERAND);
    isa_operand end = constant(k, t, last);
    if (other != ISA_NO_OPERAND) end = bitvalues_make(k, ISA_add, t, other, end);
    return isa_emit1(k, ISA_select, t, ISA_NONE_T, p, end, r);
}

static void write(struct isa_kernel *k, const struct rewrite_code *old, struct first_block *b) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, b->conditions[0].base);
    isa_operand n = passed(k, b, t);
    for (unsigned m = 0; m < b->nlive; m++) {
        struct first_live *v = &b->live[m];
        if (!v->counts) {
            v->made = stepped(k, b, v, n, t);
            continue;
        }
        struct bits all = v->bits[b->exits];
        v->made = bitvalues_base(k, &all, t);
        if (all.mask != bitvalues_ones(t))
            v->made = bitvalues_make(k, ISA_and, t, v->made, constant(k, t, (int64_t)all.mask));
        v->made = bitvalues_make(k, ISA_popc, t, v->made, ISA_NO_OPERAND);
    }
    for (unsigned m = 0; m < b->nlive; m++) {
        enum isa_type of = (enum isa_type)isa_operand_type(k, b->live[m].reg);
        isa_emit(k, ISA_mov, of, ISA_NONE_T, 1, &b->live[m].reg, 1, &b->live[m].made);
    }
    for (uint32_t m = b->begin; m < b->end; m++)
        if (old->insts[m].op == ISA_breakif)
            isa_site_remove(k, old->insts[m].site, ISA_REMOVED_empty);
}

void opt_first(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct first_finder f = {.bits.k = k};
    struct first_block *b = NULL,
                       **found = ARENA_ARRAY(arena, struct first_block *, k->ninsts + 1u);
    bool any = false;
    uint32_t end;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_block || !is_straight(k, n, &end)) continue;
        if (!f.untouched) {
            loops_find(&f.bits.l, k, arena);
            f.untouched = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
            f.sums = ARENA_ARRAY(arena, struct first_sum, k->nregs + 1u);
            f.bits.of = ARENA_ARRAY(arena, struct bits, k->nregs + 1u);
            f.bits.fixed = f.bits.l.ordered;
            for (uint32_t m = 0; m < k->ninsts; m++) {
                if (k->insts[m].ndst != 1) continue;
                isa_operand reg = isa_dsts(k, &k->insts[m])[0];
                if (f.bits.l.ordered[reg]) f.bits.of[reg] = bitvalues_of(&f.bits, m);
            }
            f.bits.fixed = f.untouched;
            for (uint32_t r = 0; r < k->nregs; r++) f.untouched[r] = true;
        }
        if (!b) b = ARENA_NEW(arena, struct first_block);
        b->begin = n;
        b->end = end;
        if (!find(&f, b)) continue;
        trace_tell(p, &k->insts[n],
                   "where %u exits are left, of bits one after the other, is computed", b->exits);
        found[n] = b;
        b = NULL;
        any = true;
    }
    if (!any) return;
    uint32_t *before = rewrite_reads(k, arena), nregs = k->nregs;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        k->cur_file = old.insts[n].file;
        k->cur_line = old.insts[n].line;
        if (found[n]) {
            write(k, &old, found[n]);
            n = found[n]->end;
        } else {
            rewrite_keep(k, &old, n);
        }
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, before, nregs);
}
