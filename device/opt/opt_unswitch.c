/* Guards in loops. A condition that a loop asks for in each iteration and does not change, of ids
 * and of what the launch works on, is asked once: the loop is there without it for the lanes for
 * which it holds, and for the others as it was, or, where they leave at once, not at all. The same
 * of what is selected by it before the loop, and of ifs by it behind. */
#include "device/analysis/warpregions.h"
#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "knowledge.h"
#include "opt_pass.h"
#include "regions.h"

enum {
    MOST_LOOP = 160,    /* instructions of it; */
    MOST_ALL = 320,     /* of all that is there twice */
    MOST_GUARDS = 4,    /* of a loop */
    MOST_DEPTH = 8,     /* of operations that values are made of */
    MOST_VERSIONED = 16 /* loops of a kernel */
};

struct versioned {
    uint32_t from, loop, to;         /* instructions [from, to), and where the loop begins */
    isa_operand guards[MOST_GUARDS]; /* of the loop, */
    enum truth wanted[MOST_GUARDS];  /* as they are in the version without them */
    unsigned count;
    struct knowledge all, without[MOST_GUARDS]; /* where they are so; where one of them is not */
    bool left;    /* lanes of which one is not leave the loop at once; */
    bool nothing; /* and nothing else is done for them */
};

struct unswitch {
    struct isa_kernel *k;
    const struct loops *l;
    struct versioned *list;
    unsigned count;
    uint32_t done;            /* instructions before are in none any more */
    uint32_t *tainted, stamp; /* of registers: the stamp, where they come of a select by a guard */
    uint8_t *made, *orders;   /* of registers: what is known of them as made_of and order_of */
    uint8_t *moved;           /* instructions that guards are made of: they come first */
};

static const struct isa_inst *definition(const struct unswitch *x, isa_operand o) {
    return loops_definition(x->l, x->k, o);
}

static uint32_t number_of(const struct unswitch *x, const struct isa_inst *i) {
    return (uint32_t)(i - x->k->insts);
}

/* ---- guards ---- */

enum { OF_NOTHING = 1, OF_IDS = 2, OF_ARGUMENTS = 4, OF_OTHERS = 8 };

/* What a value is made of, as bits. */
static unsigned made_of(const struct unswitch *x, isa_operand o, unsigned depth) {
    const struct isa_inst *i = definition(x, o);
    unsigned of = OF_NOTHING;
    if (isa_is_const(o)) return of;
    if (!i || !depth) return OF_OTHERS;
    if (x->made[o]) return x->made[o];
    if (i->op == ISA_special)
        of |= isa_special_uniform[i->imm] ? OF_ARGUMENTS : OF_IDS;
    else if (i->op == ISA_ld && i->space == ISA_PARAM)
        of |= OF_ARGUMENTS;
    else if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || isa_op_info[i->op].flags & ISA_OP_IMAGE)
        of |= OF_OTHERS;
    for (unsigned s = 0; s < i->nsrc && i->op != ISA_ld && !(of & OF_OTHERS); s++)
        of |= made_of(x, isa_srcs(x->k, i)[s], depth - 1);
    return x->made[o] = (uint8_t)of;
}

/* Orders of an id: with constants alone, as `x >= 0`; with what the launch says; and what is made
 * of both kinds, as flags that are numbers. */
enum order { NO_ORDER = 1, OF_CONSTANT, GUARD };

static bool is_flags(const struct unswitch *x, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(x->k, i);
    if (i->op == ISA_select) return isa_is_const(src[1]) && isa_is_const(src[2]);
    return i->op == ISA_and || i->op == ISA_or || i->op == ISA_mul;
}

static enum order order_of(const struct unswitch *x, isa_operand p, unsigned depth) {
    const struct isa_inst *i = definition(x, p);
    enum order of = NO_ORDER;
    if (!i || !depth) return of;
    if (x->orders[p]) return (enum order)x->orders[p];
    const isa_operand *src = isa_srcs(x->k, i);
    bool flags = i->type == ISA_PRED ? i->op == ISA_and || i->op == ISA_or : is_flags(x, i);
    if (i->op == ISA_mov || i->op == ISA_not || i->op == ISA_ne || i->op == ISA_eq ||
        (i->op == ISA_select && flags)) {
        if ((i->op != ISA_ne && i->op != ISA_eq) || isa_is_const(src[1]))
            of = order_of(x, src[0], depth - 1);
    } else if (flags) {
        enum order a = order_of(x, src[0], depth - 1), b = order_of(x, src[1], depth - 1);
        of = a == NO_ORDER || b == NO_ORDER ? NO_ORDER : a > b ? a : b;
    } else if (compare_is_order(i->op)) {
        unsigned made = made_of(x, src[0], MOST_DEPTH) | made_of(x, src[1], MOST_DEPTH);
        bool by_id = made & OF_IDS && !(made & OF_OTHERS);
        bool constant = isa_is_const(src[0]) || isa_is_const(src[1]);
        of = by_id && made & OF_ARGUMENTS ? GUARD : by_id && constant ? OF_CONSTANT : NO_ORDER;
    }
    x->orders[p] = (uint8_t)of;
    return of;
}

/* Is the predicate one of the kind that lanes that work together mostly share: does an id lie below
 * or above what the launch says? */
static bool is_guard(const struct unswitch *x, isa_operand p) {
    return order_of(x, p, MOST_DEPTH) == GUARD;
}

/* ---- what is known ---- */

static enum truth told(const struct unswitch *x, const struct knowledge *a, isa_operand p) {
    return knowledge_tells(a, x->k, x->l, p);
}

/* What a predicate is in the version without guards, or in the other one. */
static enum truth known(const struct unswitch *x, const struct versioned *v, bool other,
                        isa_operand p) {
    if (!other) return told(x, &v->all, p);
    enum truth is = told(x, &v->without[0], p);
    for (unsigned n = 1; n < v->count; n++)
        if (told(x, &v->without[n], p) != is) return UNKNOWN;
    return is;
}

/* ---- which loops ---- */

static bool moves(const struct isa_inst *i) { return i->op == ISA_ld || i->op == ISA_st; }

static bool moves_between(const struct isa_kernel *k, uint32_t from, uint32_t to) {
    while (from < to && !moves(&k->insts[from])) from++;
    return from < to;
}

/* What a guard has to be for the better at an instruction that reads it. */
static enum truth wanted_by(const struct isa_kernel *k, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    uint32_t other = i->match, end = other;
    switch (i->op) {
    case ISA_breakif: return FALSE;
    case ISA_and: return TRUE;
    case ISA_or: return FALSE;
    case ISA_select: return isa_is_const(isa_srcs(k, i)[1]) ? FALSE : TRUE;
    case ISA_if:
        if (k->insts[other].op == ISA_else) end = k->insts[other].match;
        bool first = moves_between(k, n, other), second = moves_between(k, other, end);
        return first == second ? UNKNOWN : truth_of(first);
    default: return UNKNOWN;
    }
}

/* Adds a guard, unless it is there. False: not as it is wanted, or there are too many. */
static bool add(const struct unswitch *x, struct versioned *v, isa_operand p, enum truth wanted) {
    enum truth is = told(x, &v->all, p);
    if (is != UNKNOWN || wanted == UNKNOWN) return is == wanted;
    if (v->count == MOST_GUARDS) return false;
    knowledge_note(&v->all, x->k, x->l, p, wanted);
    v->without[v->count].count = 0;
    knowledge_note(&v->without[v->count], x->k, x->l, p, truth_opposite(wanted));
    v->guards[v->count] = p;
    v->wanted[v->count++] = wanted;
    return true;
}

/* Those that instruction n reads. False: one of them is wanted otherwise elsewhere. */
static bool add_read(const struct unswitch *x, struct versioned *v, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand p = isa_srcs(x->k, i)[s];
        if (!isa_is_reg(p) || x->k->reg_types[p] != ISA_PRED) continue;
        const struct isa_inst *d = definition(x, p);
        if (!d || number_of(x, d) >= v->loop || !is_guard(x, p)) continue;
        if (!add(x, v, p, wanted_by(x->k, n))) return false;
    }
    return true;
}

/* Does the instruction read what comes of a select by a guard? */
static bool reads_tainted(const struct unswitch *x, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    bool reads = false;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(x->k, i)[s];
        reads |= isa_is_reg(o) && x->tainted[o] == x->stamp;
    }
    return reads;
}

static bool is_straight(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return !(flags & (ISA_OP_CONTROL | ISA_OP_BARRIER | ISA_OP_PROBE)) &&
           (flags & ISA_OP_PURE || moves(i));
}

/* Does it write what the loop writes, too? */
static bool starts(const struct unswitch *x, uint32_t n, uint32_t loop) {
    const struct isa_inst *i = &x->k->insts[n];
    bool is = false;
    for (unsigned d = 0; d < i->ndst; d++)
        is |= loops_assign(x->l, isa_dsts(x->k, i)[d], loops_at(x->l, loop));
    return is;
}

/* No predicate, nor a flag that is a number. */
static bool selects_values(const struct unswitch *x, const struct isa_inst *i) {
    return i->op == ISA_select && i->type != ISA_PRED && !is_flags(x, i);
}

/* Selects by guards in the straight code before the loop, of which something comes to it. The
 * versions begin there, or where what they change begins. */
static bool add_selects(struct unswitch *x, struct versioned *v, uint32_t end) {
    const struct isa_kernel *k = x->k;
    uint32_t first = v->loop, begin = v->loop, start = v->loop;
    bool fed = false;
    while (begin > x->done && is_straight(&k->insts[begin - 1])) begin--;
    x->stamp++;
    for (uint32_t n = begin; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        isa_operand p = selects_values(x, i) && n < v->loop ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        bool of_guard = isa_is_reg(p) && is_guard(x, p);
        bool tainted = of_guard || reads_tainted(x, n);
        if (of_guard && first == v->loop) first = n;
        fed |= n >= v->loop && tainted;
        for (unsigned d = 0; d < i->ndst && tainted; d++) x->tainted[isa_dsts(k, i)[d]] = x->stamp;
    }
    for (uint32_t n = begin; n < v->loop && !v->left; n++)
        if (starts(x, n, v->loop) && n < start) start = n;
    if (fed && first < start) start = first;
    v->from = start;
    if (!fed) return true;
    for (uint32_t n = v->from; n < v->loop; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (selects_values(x, i) && !add_read(x, v, n)) return false;
    }
    return true;
}

/* Code behind the loop up to the last if by what is known. */
static void extend(const struct unswitch *x, struct versioned *v) {
    const struct isa_kernel *k = x->k;
    for (uint32_t n = v->to; n < k->ninsts && n - v->from < MOST_ALL; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (is_straight(i)) continue;
        if (i->op != ISA_if || known(x, v, false, isa_srcs(k, i)[0]) == UNKNOWN) return;
        uint32_t end = warpregions_end(k, n) + 1;
        if (end - v->from > MOST_ALL || !warpregions_closed(k, n, end)) return;
        v->to = end;
        n = end - 1;
    }
}

/* Is the register read and written by instructions [from, to) alone? */
static bool is_within(const struct unswitch *x, isa_operand reg, uint32_t from, uint32_t to) {
    uint32_t reads = 0, writes = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned s = 0; s < i->nsrc; s++) reads += isa_srcs(x->k, i)[s] == reg;
        writes += isa_writes(x->k, i, reg);
    }
    return reads == x->l->reads[reg] && writes == x->l->defs[reg];
}

/* Do they write it before they read it? */
static bool begins(const struct unswitch *x, isa_operand reg, uint32_t from, uint32_t to) {
    uint32_t depth = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_srcs(x->k, i)[s] == reg) return false;
        if (isa_writes(x->k, i, reg)) return !depth;
        depth += isa_deeper(i);
    }
    return false;
}

static bool is_own(const struct unswitch *x, isa_operand reg, uint32_t from, uint32_t to) {
    return begins(x, reg, from, to) && is_within(x, reg, from, to);
}

static bool gives_own(const struct unswitch *x, uint32_t n, uint32_t from, uint32_t to) {
    const struct isa_inst *i = &x->k->insts[n];
    bool own = true;
    for (unsigned d = 0; d < i->ndst && own; d++) own = is_own(x, isa_dsts(x->k, i)[d], from, to);
    return own;
}

/* Do lanes of which one guard is not as it is wanted leave the loop before it has done anything? */
static bool leaves_at_once(const struct unswitch *x, const struct versioned *v,
                           const struct knowledge *where) {
    const struct isa_kernel *k = x->k;
    uint32_t end = k->insts[v->loop].match;
    for (uint32_t n = v->loop + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_breakif) {
            if (told(x, where, isa_srcs(k, i)[0]) == TRUE) return true;
        } else if (!(isa_op_info[i->op].flags & ISA_OP_PURE) ||
                   !gives_own(x, n, v->loop + 1, end)) {
            return false;
        }
    }
    return false;
}

/* Is nothing left of the other version? */
static bool has_nothing(const struct unswitch *x, const struct versioned *v) {
    const struct isa_kernel *k = x->k;
    for (uint32_t n = v->from; n < v->to; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (n == v->loop) {
            n = i->match;
        } else if (i->op == ISA_if && k->insts[i->match].op == ISA_endif &&
                   known(x, v, true, isa_srcs(k, i)[0]) == FALSE) {
            n = i->match;
        } else if (!x->moved[n] && (!(isa_op_info[i->op].flags & ISA_OP_PURE) ||
                                    !gives_own(x, n, v->from, v->to))) {
            return false;
        }
    }
    return true;
}

/* Is the operand what it was before `from`, or is it by what comes first? */
static bool is_early(const struct unswitch *x, const struct versioned *v, isa_operand o) {
    const struct isa_inst *i = definition(x, o);
    if (isa_is_const(o) || o == ISA_NO_OPERAND) return true;
    if (!i) return !isa_writes_between(x->k, o, v->from, v->loop);
    return number_of(x, i) < v->from || x->moved[number_of(x, i)];
}

/* Marks what an operand is made of in the code before the loop. */
static void mark_made(const struct unswitch *x, const struct versioned *v, isa_operand o) {
    const struct isa_inst *i = definition(x, o);
    uint32_t n = i ? number_of(x, i) : 0;
    if (!i || n < v->from || n >= v->loop || x->moved[n]) return;
    x->moved[n] = 1;
    for (unsigned s = 0; s < i->nsrc; s++) mark_made(x, v, isa_srcs(x->k, i)[s]);
}

/* What both versions would have alike of the code before the loop comes first, and so does what
 * guards are made of. False: that can not be. */
static bool move_first(const struct unswitch *x, const struct versioned *v) {
    bool all = true;
    for (uint32_t n = v->from; n < v->loop; n++) x->moved[n] = 0;
    for (unsigned g = 0; g < v->count; g++) mark_made(x, v, v->guards[g]);
    for (uint32_t n = v->from; n < v->loop; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        const isa_operand *src = isa_srcs(x->k, i);
        bool early = isa_is_timeless(i) && i->ndst == 1 && definition(x, isa_dsts(x->k, i)[0]);
        if (i->op == ISA_select && !x->moved[n]) early &= known(x, v, false, src[0]) == UNKNOWN;
        for (unsigned s = 0; s < i->nsrc && early; s++) early = is_early(x, v, src[s]);
        x->moved[n] = early;
    }
    for (unsigned g = 0; g < v->count; g++) all &= is_early(x, v, v->guards[g]);
    for (uint32_t n = v->from; n < v->loop && !all; n++) x->moved[n] = 0;
    return all;
}

static bool find(struct unswitch *x, uint32_t loop, struct versioned *v) {
    const struct isa_kernel *k = x->k;
    uint32_t begin = x->l->loops[loop].begin, end = x->l->loops[loop].end + 1;
    *v = (struct versioned){.from = begin, .loop = begin, .to = end};
    if (end - begin > MOST_LOOP || !warpregions_closed(k, begin, end)) return false;
    for (uint32_t n = begin; n < end; n++)
        if (!(isa_op_info[k->insts[n].op].flags & ISA_OP_CONTROL) && !is_straight(&k->insts[n]))
            return false;
    for (uint32_t n = begin + 1; n < end; n++)
        if (!add_read(x, v, n)) return false;
    v->left = v->count;
    for (unsigned n = 0; n < v->count; n++) v->left &= leaves_at_once(x, v, &v->without[n]);
    if (!add_selects(x, v, end) || !v->count) return false;
    for (unsigned n = 0; n < v->count; n++) v->left &= leaves_at_once(x, v, &v->without[n]);
    if (v->from < x->done || !(v->left || moves_between(k, begin, end))) return false;
    extend(x, v);
    if (!move_first(x, v)) return false;
    v->nothing = v->left && has_nothing(x, v);
    return true;
}

/* ---- writing ---- */

struct unswitch_writer {
    struct kernelcopy c;
    struct regions r;
};

/* Passes over a part of a version that no lane comes to: instructions [from, to). */
static uint32_t leave_out(struct unswitch_writer *w, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++)
        isa_site_remove(w->c.out, w->c.k->insts[n].site, ISA_REMOVED_unreachable);
    return to;
}

/* Instruction n of a version, where what is known is made use of. Returns the last one of those
 * that have been passed. */
static uint32_t put(struct unswitch_writer *w, const struct unswitch *x, const struct versioned *v,
                    uint32_t n, bool other, uint8_t *gone) {
    struct kernelcopy *c = &w->c;
    const struct isa_inst *i = &c->k->insts[n];
    const isa_operand *src = isa_srcs(c->k, i), *dst = isa_dsts(c->k, i);
    uint32_t flags = isa_op_info[i->op].flags;
    enum truth is = UNKNOWN;
    c->at = n;
    if (x->moved[n]) return n;
    if (i->op == ISA_if || i->op == ISA_breakif || i->op == ISA_select)
        is = known(x, v, other, src[0]);
    if (is != UNKNOWN) isa_site_remove(c->out, i->site, ISA_REMOVED_folded);
    if (i->op == ISA_if && is == FALSE) {
        uint32_t to = leave_out(w, n + 1, i->match);
        if (c->k->insts[to].op == ISA_endif) return to;
        regions_begin(&w->r, false);
        gone[w->r.depth] = 1;
        return to;
    }
    if (i->op == ISA_breakif && is == FALSE) return n;
    if (i->op == ISA_select && is != UNKNOWN) {
        kernelcopy_move(c, kernelcopy_named(c, dst[0]),
                        kernelcopy_named(c, src[is == TRUE ? 1 : 2]));
        return n;
    }
    if ((i->op == ISA_and || i->op == ISA_or) && i->type == ISA_PRED) {
        for (unsigned s = 0; s < 2; s++) {
            if (known(x, v, other, src[s]) != truth_of(i->op == ISA_and)) continue;
            kernelcopy_move(c, kernelcopy_named(c, dst[0]), kernelcopy_named(c, src[!s]));
            return n;
        }
    }
    if (flags & ISA_OP_REGION_BEGIN) {
        bool kept = !(i->op == ISA_if && is == TRUE);
        if (kept) kernelcopy_put(c, n);
        regions_begin(&w->r, kept);
        gone[w->r.depth] = !kept;
    } else if (flags & ISA_OP_REGION_ELSE) {
        if (gone[w->r.depth]) {
            regions_end(&w->r, false);
            return leave_out(w, n + 1, i->match);
        }
        kernelcopy_put(c, n);
    } else if (flags & ISA_OP_REGION_END) {
        bool kept = !gone[w->r.depth];
        if (kept) kernelcopy_put(c, n);
        regions_end(&w->r, kept);
    } else {
        regions_put(&w->r, c, n);
    }
    return n;
}

static void put_version(struct unswitch_writer *w, const struct unswitch *x,
                        const struct versioned *v, bool other) {
    uint8_t gone[ISA_MAX_NESTING + 2] = {0};
    for (uint32_t n = v->from; n < v->to && !isa_kernel_failed(w->c.out); n++) {
        if (other && v->left && n == v->loop)
            n = w->c.k->insts[n].match;
        else
            n = put(w, x, v, n, other, gone);
    }
}

/* What the version begins has names of its own in it, so that analyses see it by itself. */
static void rename_begun(struct kernelcopy *c, const struct unswitch *x,
                         const struct versioned *v) {
    for (uint32_t n = v->from; n < v->to; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        for (unsigned d = 0; d < i->ndst && !x->moved[n]; d++) {
            isa_operand reg = isa_dsts(c->k, i)[d];
            if (c->names[reg] == reg &&
                (begins(x, reg, v->from, v->to) || is_within(x, reg, v->from, v->to)))
                kernelcopy_rename(c, reg);
        }
    }
}

/* What is read of that behind it. */
static void hand_back(struct kernelcopy *c, const struct unswitch *x, const struct versioned *v) {
    for (uint32_t n = v->from; n < v->to; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand reg = isa_dsts(c->k, i)[d], name = c->names[reg];
            c->names[reg] = reg;
            if (name == reg || is_within(x, reg, v->from, v->to)) continue;
            c->at = v->to - 1;
            kernelcopy_move(c, reg, name);
        }
    }
}

static void put_both(struct unswitch_writer *w, const struct unswitch *x,
                     const struct versioned *v) {
    struct kernelcopy *c = &w->c;
    isa_operand all = ISA_NO_OPERAND;
    for (uint32_t n = v->from; n < v->loop; n++)
        if (x->moved[n]) kernelcopy_put(c, n);
    c->at = v->loop;
    for (unsigned n = 0; n < v->count; n++) {
        isa_operand p = v->guards[n];
        if (v->wanted[n] == FALSE) p = kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND);
        all = kernelcopy_joined(c, ISA_and, all, p);
    }
    kernelcopy_control(c, ISA_if, all);
    w->r.now++;
    if (!v->nothing) rename_begun(c, x, v);
    put_version(w, x, v, false);
    if (!v->nothing) hand_back(c, x, v);
    kernelcopy_keep_names(c);
    c->at = v->loop;
    if (!v->nothing) {
        kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
        put_version(w, x, v, true);
    }
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
    w->r.now--;
}

static void rewrite(const struct unswitch *x, struct arena *arena) {
    struct unswitch_writer w = {.r = {.depth = 0}};
    const struct versioned *v = x->list, *end = x->list + x->count;
    kernelcopy_take(&w.c, x->k, arena);
    struct unswitch as_it_was = *x; /* what the kernel is made of is in the copy now */
    as_it_was.k = (struct isa_kernel *)w.c.k;
    for (uint32_t n = 0; n < w.c.k->ninsts && !isa_kernel_failed(x->k); n++) {
        uint32_t flags = isa_op_info[w.c.k->insts[n].op].flags;
        if (v < end && n == v->from) {
            put_both(&w, &as_it_was, v);
            n = v++->to - 1;
            continue;
        }
        if (flags & ISA_OP_REGION_END) regions_end(&w.r, true);
        regions_put(&w.r, &w.c, n);
        if (flags & ISA_OP_REGION_BEGIN) regions_begin(&w.r, true);
    }
}

static bool find_all(struct unswitch *x, struct arena *arena, const struct trace_pass *p) {
    x->list = ARENA_ARRAY(arena, struct versioned, MOST_VERSIONED);
    x->tainted = ARENA_ARRAY(arena, uint32_t, x->k->nregs + 1u);
    x->made = ARENA_ARRAY(arena, uint8_t, x->k->nregs + 1u);
    x->orders = ARENA_ARRAY(arena, uint8_t, x->k->nregs + 1u);
    x->moved = ARENA_ARRAY(arena, uint8_t, x->k->ninsts + 1u);
    for (uint32_t loop = 1; loop <= x->l->nloops && x->count < MOST_VERSIONED; loop++) {
        struct versioned *v = &x->list[x->count];
        if (x->l->loops[loop].begin < x->done || !find(x, loop, v)) continue;
        x->done = v->to;
        x->count++;
        trace_tell(p, &x->k->insts[v->loop],
                   v->left ? "what it is left by at once is asked first"
                           : "once more without what it asks for in each iteration");
    }
    return x->count;
}

void opt_unswitch(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l = {0};
    struct unswitch x = {.k = k, .l = &l};
    if (!loops_find(&l, k, arena) || rewrite_nesting(k) >= ISA_MAX_NESTING) return;
    if (!find_all(&x, arena, p)) return;
    uint32_t nregs = k->nregs;
    rewrite(&x, arena);
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, l.reads, nregs);
}
