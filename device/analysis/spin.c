/* Each loop is looked at by itself: where does it leave, if what it asks for again and again may be
 * another value because another work-item has stored it, and does it come to an end alone? */
#include "spin.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/loops.h"
#include "provenance.h"

enum { DEEP = 16 }; /* values that are made of each other */

/* What others may have changed, on its way through registers and memory of a loop. */
struct traces {
    const struct isa_kernel *k;
    const struct loops *x;
    uint32_t loop;
    uint8_t *regs;    /* registers */
    uint8_t *regions; /* by where they begin: whether or when lanes leave them hangs on it */
    uint64_t stored[ISA_SPACE_COUNT]; /* it may be there, by provenance, */
    const uint64_t *provenance;       /* provenance_new's */
    bool meets; /* each iteration has a barrier: the group's work-items do not wait */
    bool grew;
};

static const struct loop *loop_of(const struct traces *t) { return &t->x->loops[t->loop]; }

/* Do all iterations come to the instruction? */
static bool always(const struct traces *t, uint32_t n) {
    return n < t->k->ninsts && t->x->loop_of[n] == t->loop && t->x->each[n];
}

static bool is_atomic(const struct isa_inst *i) { return isa_op_info[i->op].flags & ISA_OP_ATOMIC; }
static bool writes(const struct isa_inst *i) { return i->op == ISA_st || is_atomic(i); }

static bool is_fixed(const struct traces *t, isa_operand o) {
    return !loops_varies(t->x, o, t->loop);
}

/* ---- what moves on ---- */

static bool is_counter(const struct traces *t, uint32_t n) {
    struct loop_counter c;
    uint32_t step;
    return always(t, n) && loops_step(t->x, t->k, n, &c) && is_fixed(t, c.step) &&
           !(isa_constant(t->k, c.step, &step) && !step);
}

/* Has each iteration another value of o than the one before: a counter, or what is loaded from
 * where its last value led? chased: that one, on the way back to it. */
static bool moves(const struct traces *t, isa_operand o, isa_operand chased, unsigned left) {
    uint32_t n = loops_writer(t->x, o, t->loop);
    if (!always(t, n) || !left) return false;
    if (o == chased || is_counter(t, n)) return true;
    const struct isa_inst *i = &t->k->insts[n];
    const isa_operand *src = isa_srcs(t->k, i);
    bool second = i->op != ISA_shl && is_fixed(t, src[0]);
    switch (i->op) {
    case ISA_ld: return chased == ISA_NO_OPERAND && moves(t, src[0], o, left - 1);
    case ISA_add:
    case ISA_sub:
    case ISA_mul:
    case ISA_shl: return is_fixed(t, src[!second]) && moves(t, src[second], chased, left - 1);
    case ISA_sext:
    case ISA_zext:
        if (i->type2 != ISA_I32) return false; /* it goes round */
        return moves(t, src[0], chased, left - 1);
    case ISA_mov: return moves(t, src[0], chased, left - 1);
    default: return false;
    }
}

/* ---- loops that end alone ---- */

/* Is a counter of the loop wanted for more than how often it goes round? One that is not may bound
 * how long it waits. */
static bool counter_used(const struct traces *t, uint32_t compare) {
    for (uint32_t n = loop_of(t)->begin + 1; n < loop_of(t)->end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        if (!always(t, n) || n == compare || is_counter(t, n)) continue;
        for (unsigned s = 0; s < i->nsrc; s++) {
            uint32_t by = loops_writer(t->x, isa_srcs(t->k, i)[s], t->loop);
            if (by < t->k->ninsts && is_counter(t, by)) return true;
        }
    }
    return false;
}

/* A register as it was before copies, and what wrote it in the same iteration, or LOOPS_NONE. */
struct origin {
    isa_operand reg;
    uint32_t by;
};

static struct origin origin_of(const struct traces *t, isa_operand o, uint32_t at) {
    struct origin from = {o, loops_written(t->x, o, t->loop, at)};
    while (from.by < t->k->ninsts &&
           (t->k->insts[from.by].op == ISA_mov || t->k->insts[from.by].op == ISA_bits)) {
        from.reg = isa_srcs(t->k, &t->k->insts[from.by])[0];
        from.by = loops_written(t->x, from.reg, t->loop, from.by);
    }
    return from;
}

static bool is_same(struct origin a, struct origin b) { return a.reg == b.reg && a.by == b.by; }

/* a and b access one place. */
static bool is_one_place(const struct traces *t, uint32_t a, uint32_t b) {
    const struct isa_inst *i = &t->k->insts[a], *j = &t->k->insts[b];
    return i->space == j->space && i->imm == j->imm && i->count == 1 &&
           isa_type_size[i->type] == isa_type_size[j->type] &&
           is_same(origin_of(t, isa_srcs(t->k, i)[0], a), origin_of(t, isa_srcs(t->k, j)[0], b));
}

/* Is asked at n whether memory still had what was found there the last time? Only because somebody
 * else has got on it had not. */
static bool exchanges(const struct traces *t, uint32_t n) {
    const isa_operand *src = isa_srcs(t->k, &t->k->insts[n]);
    for (unsigned s = 0; s < 2 && t->k->insts[n].op == ISA_eq; s++) {
        uint32_t cas = origin_of(t, src[s], n).by;
        if (!always(t, cas) || t->k->insts[cas].op != ISA_atom_cas) continue;
        struct origin expected = origin_of(t, isa_srcs(t->k, &t->k->insts[cas])[1], cas);
        uint32_t from = loops_writer(t->x, expected.reg, t->loop);
        if (!is_same(expected, origin_of(t, src[!s], n)) || !always(t, from)) continue;
        if (from >= cas) from = origin_of(t, expected.reg, loop_of(t)->end).by;
        if (from == cas) return true;
        if (from < cas && t->k->insts[from].op == ISA_ld && is_one_place(t, from, cas)) return true;
    }
    return false;
}

/* Do the same lanes come to it in each iteration? */
static bool same_lanes(const struct traces *t, uint32_t n) {
    if (always(t, n)) return true;
    for (uint32_t within = 0; n > loop_of(t)->begin; n--) {
        uint32_t flags = isa_op_info[t->k->insts[n].op].flags;
        within += flags & ISA_OP_REGION_END ? 1 : 0;
        if (flags & ISA_OP_REGION_BEGIN && !within--) break;
    }
    return t->k->insts[n].op == ISA_if && always(t, n) &&
           is_fixed(t, isa_srcs(t->k, &t->k->insts[n])[0]);
}

/* What wrote that which is loaded from a fixed place of local memory, where the group's work-items
 * wait for the one that does, and only one instruction stores there. */
static uint32_t stored_by(const struct traces *t, uint32_t loads) {
    uint32_t by = LOOPS_NONE, stores = 0;
    const struct isa_inst *l = &t->k->insts[loads];
    if (l->space != ISA_LOCAL || !t->meets || !is_fixed(t, isa_srcs(t->k, l)[0])) return by;
    for (uint32_t n = loop_of(t)->begin + 1; n < loop_of(t)->end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        if (i->op != ISA_st || i->space != ISA_LOCAL || !is_one_place(t, n, loads)) continue;
        by = loops_writer(t->x, isa_srcs(t->k, i)[1], t->loop);
        stores++;
    }
    return stores == 1 && by < t->k->ninsts && same_lanes(t, by) ? by : LOOPS_NONE;
}

/* By which of 1 and -1 an instruction counts in memory; 0: it does not. */
static int counts(const struct traces *t, const struct isa_inst *i) {
    uint32_t by;
    if (i->op != ISA_atom_add && i->op != ISA_atom_sub) return 0;
    isa_operand step = isa_srcs(t->k, i)[1];
    uint32_t n = is_fixed(t, step) ? loops_writer(t->x, step, 0) : LOOPS_NONE;
    bool special = n < t->k->ninsts && t->k->insts[n].op == ISA_special; /* a size */
    if (special) by = 1;
    if (!special && (!isa_constant(t->k, step, &by) || !by)) return 0;
    return ((int32_t)by < 0) == (i->op == ISA_atom_add) ? -1 : 1;
}

/* The same of what o has at n, by way of local memory, too, where nothing else in the loop may set
 * the count back. */
static int counts_alone(const struct traces *t, isa_operand o, uint32_t n) {
    uint32_t by = origin_of(t, o, n).by;
    if (by < t->k->ninsts && t->k->insts[by].op == ISA_ld) by = stored_by(t, by);
    if (by >= t->k->ninsts) return 0;
    const struct isa_inst *own = &t->k->insts[by];
    int count = counts(t, own);
    for (uint32_t m = loop_of(t)->begin + 1; m < loop_of(t)->end && count; m++) {
        const struct isa_inst *i = &t->k->insts[m];
        if (!writes(i) || i->space != own->space || counts(t, i) == count) continue;
        isa_operand at = isa_srcs(t->k, i)[0], own_at = isa_srcs(t->k, own)[0];
        if (at == own_at ? i->imm == own->imm : is_fixed(t, at)) return 0;
    }
    return count;
}

/* Do lanes leave the loop at n, if a comparison says so? */
static bool is_exit(const struct traces *t, uint32_t n) {
    const struct isa_inst *i = &t->k->insts[n];
    if (i->op != ISA_if) return i->op == ISA_breakif;
    const struct isa_inst *last = &t->k->insts[i->match - 1];
    return last->op == ISA_ret || (last->op == ISA_break && last->imm);
}

/* Does the loop end by this exit, whatever others do or do not? */
static bool ends(const struct traces *t, uint32_t leaves) {
    if (!always(t, leaves) || !is_exit(t, leaves)) return false;
    uint32_t n = loops_compare(t->x, t->k, leaves);
    if (n == LOOPS_NONE || exchanges(t, n)) return n != LOOPS_NONE;
    const struct isa_inst *i = &t->k->insts[n];
    const isa_operand *src = isa_srcs(t->k, i);
    for (unsigned s = 0; s < 2; s++) {
        if (!is_fixed(t, src[!s])) continue;
        uint32_t by = loops_writer(t->x, src[s], t->loop);
        if (by < t->k->ninsts && is_counter(t, by) && counter_used(t, n)) return true;
        bool orders = i->op != ISA_eq && i->op != ISA_ne;
        if (orders && counts_alone(t, src[s], n) == (s ? 1 : -1)) return true;
    }
    return false;
}

/* ---- traces ---- */

static void note(struct traces *t, uint8_t *traced) {
    t->grew |= !*traced;
    *traced = 1;
}

static bool source_traced(const struct traces *t, const struct isa_inst *i) {
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(t->k, i)[s];
        if (isa_is_reg(o) && t->regs[o]) return true;
    }
    return false;
}

/* Does the loop ask there for what it has asked for before? */
static bool asks(const struct traces *t, const struct isa_inst *i) {
    bool shared = i->space == ISA_GLOBAL || (i->space == ISA_LOCAL && !t->meets);
    bool again = is_atomic(i) || (i->op == ISA_ld && i->flags & ISA_VOLATILE);
    return shared && again && !moves(t, isa_srcs(t->k, i)[0], ISA_NO_OPERAND, DEEP);
}

static void trace(struct traces *t, const struct isa_inst *i, bool within) {
    bool memory = isa_op_info[i->op].flags & ISA_OP_MEMORY;
    uint64_t where = memory ? provenance_of(t->k, t->provenance, i) : 0;
    bool stored = t->stored[i->space] & where, given = within || source_traced(t, i);
    if (given && writes(i)) {
        t->grew |= where & ~t->stored[i->space];
        t->stored[i->space] |= where;
    }
    for (unsigned d = 0; d < i->ndst && (given || stored || asks(t, i)); d++)
        note(t, &t->regs[isa_dsts(t->k, i)[d]]);
}

/* One pass over the loop; true: whether it goes on depends on a trace. */
static bool pass(struct traces *t) {
    uint32_t depth = 0, regions[ISA_MAX_NESTING + 1] = {loop_of(t)->begin};
    bool within[ISA_MAX_NESTING + 1] = {t->regions[loop_of(t)->begin]};
    for (uint32_t n = loop_of(t)->begin + 1; n < loop_of(t)->end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            bool traced = within[depth] || t->regions[n] || source_traced(t, i);
            regions[++depth] = n;
            within[depth] = traced;
        } else if (flags & ISA_OP_REGION_END) {
            depth--;
        } else if (flags & ISA_OP_JUMP && (within[depth] || source_traced(t, i))) {
            uint32_t out = i->op == ISA_ret ? depth + 1 : (uint32_t)i->imm;
            if (out >= depth + (i->op == ISA_continue)) return true;
            for (uint32_t d = depth - out; d <= depth; d++) note(t, &t->regions[regions[d]]);
        } else {
            trace(t, i, within[depth]);
        }
    }
    return false;
}

static bool waits(struct traces *t) {
    bool alone = false, leaves = false;
    memset(t->stored, 0, sizeof t->stored);
    t->meets = false;
    t->grew = true;
    for (uint32_t n = loop_of(t)->begin; n < loop_of(t)->end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        t->regions[n] = 0;
        for (unsigned d = 0; d < i->ndst; d++) t->regs[isa_dsts(t->k, i)[d]] = 0;
        t->meets |= i->op == ISA_bar && always(t, n);
    }
    while (!leaves && t->grew) {
        t->grew = false;
        leaves = pass(t);
    }
    for (uint32_t n = loop_of(t)->begin; leaves && !alone && n < loop_of(t)->end; n++)
        alone = ends(t, n);
    /* How often lanes go round hangs on the others all the same, and who looks on is to be told the
     * same by both engines. */
    return leaves && (!alone || t->k->probed);
}

bool spin_may(const struct isa_kernel *k) {
    struct loops x = {0};
    struct arena *arena = loops_new(&x, k);
    uint64_t *provenance = provenance_new(k);
    struct traces t = {.k = k, .x = &x, .provenance = provenance};
    t.regs = calloc(k->nregs + 1ull, 1);
    t.regions = calloc(k->ninsts + 1ull, 1);
    bool may = !arena || !provenance || !t.regs || !t.regions;
    for (t.loop = 1; !may && t.loop <= x.nloops; t.loop++) may = waits(&t);
    free(provenance);
    free(t.regs);
    free(t.regions);
    arena_free(arena);
    return may;
}
