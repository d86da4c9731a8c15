/* What straight code adds up of a value's bits, one after the other, is how many of them are set:
 * one operation on most hosts. So is what it takes them together by `^`, of which the lowest bit is
 * whether that is odd. However a bit is looked at: shifted down and masked, masked and compared, or
 * shifted up to where the sign is. */
#include "bitvalues.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* Is the other operand what it was when it was read? */
static bool stays(const struct bits_finder *f, const struct bits *b, uint32_t n) {
    if (!isa_is_reg(b->other) || f->l.ordered[b->other]) return true;
    for (uint32_t m = b->since; m < n; m++)
        if (isa_op_info[f->k->insts[m].op].flags & ISA_OP_CONTROL ||
            isa_writes(f->k, &f->k->insts[m], b->other))
            return false;
    return true;
}

/* The number of the highest bit, or the lowest one. */
static void write_place(struct isa_kernel *k, const struct bits *b, isa_operand to) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, to);
    isa_operand v = bitvalues_base(k, b, t), zero = isa_const_new(k, t, 0), n, p;
    int64_t from = b->value - b->shift * b->step; /* that of the bit at place 0 */
    if (b->mask != bitvalues_ones(t))
        v = bitvalues_make(k, ISA_and, t, v, isa_const_new(k, t, b->mask));
    if (b->down) {
        n = bitvalues_below(k, t, v);
    } else {
        unsigned top = isa_type_size[t] * 8 - 1;
        n = bitvalues_make(k, ISA_clz, t, v, ISA_NO_OPERAND);
        n = bitvalues_make(k, ISA_sub, t, isa_const_new(k, t, top), n);
    }
    if (b->step != 1)
        n = bitvalues_make(k, ISA_mul, t, n, isa_const_new(k, t, isa_cut(t, (uint64_t)b->step)));
    if (from) n = bitvalues_make(k, ISA_add, t, n, isa_const_new(k, t, isa_cut(t, (uint64_t)from)));
    p = isa_emit1(k, ISA_eq, ISA_PRED, t, v, zero, ISA_NO_OPERAND);
    isa_operand other = b->other == ISA_NO_OPERAND ? zero : b->other;
    isa_emit(k, ISA_select, t, ISA_NONE_T, 1, &to, 3, (isa_operand[]){p, other, n});
}

static void write(struct isa_kernel *k, const struct bits *b, isa_operand to) {
    if (b->kind == BITS_PLACE) {
        write_place(k, b, to);
        return;
    }
    enum isa_type t = (enum isa_type)isa_operand_type(k, to);
    isa_operand v = bitvalues_base(k, b, t);
    if (b->mask != bitvalues_ones(t))
        v = bitvalues_make(k, ISA_and, t, v, isa_const_new(k, t, b->mask));
    v = bitvalues_make(k, ISA_popc, t, v, ISA_NO_OPERAND);
    if (b->kind == BITS_ODD) v = bitvalues_make(k, ISA_and, t, v, isa_const_new(k, t, 1));
    isa_operand other = b->other == ISA_NO_OPERAND ? isa_const_new(k, t, 0) : b->other;
    isa_emit(k, b->kind == BITS_ODD ? ISA_xor : ISA_add, t, ISA_NONE_T, 1, &to, 2,
             (isa_operand[]){other, v});
}

void opt_bits(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct bits_finder f = {.k = k};
    uint32_t sums = 0;
    bitvalues_rename(k, arena);
    loops_find(&f.l, k, arena);
    f.fixed = f.l.ordered;
    f.of = ARENA_ARRAY(arena, struct bits, k->nregs + 1u);
    struct bits *made = ARENA_ARRAY(arena, struct bits, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->ndst != 1) continue;
        struct bits b = bitvalues_of(&f, n);
        isa_operand to = isa_dsts(k, i)[0];
        bool counts = b.kind == BITS_COUNT || b.kind == BITS_ODD || b.kind == BITS_PLACE;
        bool one = b.kind == BITS_COUNT && b.other == ISA_NO_OPERAND && bitvalues_is_one(b.mask);
        if (counts && !one && isa_operand_type(k, b.base) != isa_operand_type(k, to)) continue;
        if (counts && !stays(&f, &b, n)) continue;
        if (f.l.ordered[to]) f.of[to] = b;
        if (!counts || __builtin_popcountll(b.mask) < BITVALUES_FEWEST) continue;
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
