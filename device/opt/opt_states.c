/* What straight code makes of a value's bits, one after the other, by whatever operations: where
 * all that it depends on is how many of them are set, or which is the first one (of 1s, or of 0s,
 * from either end), it is a function of that number, of which all values are known: flags that are
 * set there, signs that flip, counts that end, places. What is even, linear, or one of two, is
 * computed of it at once. */
#include "bitstates.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { GAIN = 4 /* instructions that are gone, for each that is written */ };

struct states_finder {
    struct bits_finder bits;
    struct bitstates *of; /* of registers: of each kind, one */
    struct arena *arena;
};

/* What is known of bits, but for sums: those are found here. */
static struct bits known(const struct states_finder *f, uint32_t n) {
    struct bits b = bitvalues_of(&f->bits, n);
    bool one = b.kind == BITS_COUNT && b.other == ISA_NO_OPERAND && bitvalues_is_one(b.mask);
    return b.kind == BITS_SLICE || b.kind == BITS_FLAG || one ? b : (struct bits){0};
}

/* Is what instruction n gives such a function, of enough bits? */
static bool find(struct states_finder *f, uint32_t n, struct bitstate *found) {
    struct isa_kernel *k = f->bits.k;
    const struct isa_inst *i = &k->insts[n];
    isa_operand to = isa_dsts(k, i)[0];
    if (!f->bits.l.ordered[to]) return false;
    struct bits b = known(f, n);
    f->bits.of[to] = b;
    struct bitstates *r = &f->of[to];
    /* What is made of such a function first: its own sign, as that of a place so far, is a bit of a
     * register, too. */
    if (!bitstates_result(k, f->of, f->bits.l.ordered, n, r, f->arena))
        bitstates_of_bit(k, &b, i->type, r, f->arena);
    for (unsigned kind = 0; kind < BITSTATES; kind++) {
        struct bitstate s = {0};
        if (!r->of[kind] || !bitstates_whole(r->of[kind], i->type, &s)) continue;
        if (s.n < BITVALUES_FEWEST) continue;
        *found = s;
        return true;
    }
    return false;
}

void opt_states(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct states_finder f = {.bits.k = k, .arena = arena};
    uint32_t whole = 0, needed = 0;
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts && !any; n++)
        any = k->insts[n].op == ISA_select || k->insts[n].op == ISA_or || k->insts[n].op == ISA_mul;
    if (!any) return;
    bitvalues_rename(k, arena);
    loops_find(&f.bits.l, k, arena);
    f.bits.fixed = f.bits.l.ordered;
    f.bits.of = ARENA_ARRAY(arena, struct bits, k->nregs + 1u);
    f.of = ARENA_ARRAY(arena, struct bitstates, k->nregs + 1u);
    struct bitstate *made = ARENA_ARRAY(arena, struct bitstate, k->ninsts + 1u);
    uint8_t *live = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->ndst == 1 && isa_op_info[i->op].flags & ISA_OP_PURE) whole += find(&f, n, &made[n]);
    }
    if (!whole) return;
    /* Backwards from what has effects: what only such values are made of is not needed. */
    for (uint32_t n = k->ninsts; n-- > 0;) {
        const struct isa_inst *i = &k->insts[n];
        bool pure = isa_op_info[i->op].flags & ISA_OP_PURE && i->ndst == 1;
        if (pure && f.bits.l.ordered[isa_dsts(k, i)[0]] && !live[n]) {
            made[n].n = 0;
            continue;
        }
        needed += made[n].n != 0;
        for (unsigned s = 0; s < i->nsrc && !made[n].n; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (isa_is_reg(o) && f.bits.l.writers[o] < LOOPS_NONE) live[f.bits.l.writers[o]] = true;
        }
    }
    if (!needed || needed * GAIN > whole) return;
    uint32_t *reads = rewrite_reads(k, arena), nregs = k->nregs;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        k->cur_file = old.insts[n].file;
        k->cur_line = old.insts[n].line;
        if (made[n].n)
            bitstates_write(k, &made[n], old.operands[old.insts[n].operands]);
        else
            rewrite_keep(k, &old, n);
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, reads, nregs);
    const struct isa_inst all = {.line = 0};
    trace_tell(p, &all, "%u values are computed of how many bits are set, or of the first one",
               needed);
}
