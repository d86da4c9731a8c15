/* Lanes of which it is decided that they leave a loop leave it there, and not where that is asked
 * next: those for which a flag is set that the loop asks for when its next iteration begins, and
 * those for which one of several conditions does not hold that are asked at once. What is selected
 * by the same condition is one or the other then, and the loop's other condition is an exit by
 * itself. */
#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/constant.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum {
    MOST_ROUNDS = 16, /* exits of a loop, or of loops in it */
    MOST_PARTS = 4,   /* of a condition */
    MOST_DONE = 8     /* by those that leave */
};

/* Lanes leave where a predicate holds, or, inverse, where it does not. */
struct leave_part {
    isa_operand p;
    bool inverse;
};

/* What such a one asks of a register: how it compares with a constant; or it is the register. */
struct question {
    struct leave_part of;
    isa_operand reg;
    uint32_t compare; /* the instruction; LOOPS_NONE: the register is a predicate */
};

/* A loop that is changed. */
struct decision {
    uint32_t asked;                      /* the breakif, */
    struct leave_part parts[MOST_PARTS]; /* in place of which there is one for each of these */
    unsigned nparts;
    uint32_t at;            /* before this instruction there is one more exit; 0: there is none */
    struct leave_part part; /* it is by this; ISA_NO_OPERAND: it is the end of an `if`'s part */
    /* What is done there by those that leave: copies, or what these instructions do. */
    isa_operand to[MOST_DONE], from[MOST_DONE];
    uint32_t copy[MOST_DONE];
    unsigned ndone;
    bool other; /* there is another exit, behind which not all have come that leave */
};

enum decided_what { AS_IT_IS, GONE, SECOND, THIRD /* that source of a select */ };

struct decider {
    struct isa_kernel *k;
    const struct loops *l;
    const struct numbers *numbers;
    struct rewrite_readers readers;
    struct decision **asked_at; /* instructions */
    struct decision **exit_at;
    uint8_t *what;
};

/* ---- conditions ---- */

/* Takes a condition apart that is read at instruction `at` of a loop: lanes leave where one of the
 * parts says so. */
static void take_apart(const struct decider *x, struct leave_part c, uint32_t at, uint32_t asked,
                       struct decision *d, unsigned left) {
    const struct isa_kernel *k = x->k;
    uint32_t n = loops_written(x->l, c.p, x->l->loop_of[asked], at);
    const struct isa_inst *i = n == LOOPS_NONE ? NULL : &k->insts[n];
    const isa_operand *src = i ? isa_srcs(k, i) : NULL;
    bool kept = i && left;
    for (unsigned s = 0; kept && s < i->nsrc; s++)
        kept = !isa_is_reg(src[s]) || !isa_writes_between(k, src[s], n, asked);
    unsigned first = 0, second = 1;
    if (kept && (i->op == ISA_mov || i->op == ISA_not)) {
        c.inverse ^= i->op == ISA_not;
        c.p = src[0];
        take_apart(x, c, n, asked, d, left - 1);
        return;
    }
    bool both = kept && i->op == (c.inverse ? ISA_and : ISA_or);
    if (kept && i->op == ISA_select && src[0] == src[c.inverse ? 2 : 1]) {
        second = c.inverse ? 1 : 2;
        both = true;
    }
    if (both && d->nparts + 2 <= MOST_PARTS && isa_is_reg(src[first]) && isa_is_reg(src[second])) {
        take_apart(x, (struct leave_part){src[first], c.inverse}, n, asked, d, left - 1);
        take_apart(x, (struct leave_part){src[second], c.inverse}, n, asked, d, left - 1);
    } else if (d->nparts < MOST_PARTS) {
        d->parts[d->nparts++] = c;
    }
}

static bool find_question(const struct decider *x, struct leave_part c, uint32_t asked,
                          struct question *q) {
    const struct isa_kernel *k = x->k;
    uint32_t n = loops_written(x->l, c.p, x->l->loop_of[asked], asked);
    *q = (struct question){c, c.p, LOOPS_NONE};
    if (n == LOOPS_NONE) return true;
    const struct isa_inst *i = &k->insts[n];
    if (!compare_is_integer(i->op) || !isa_is_integer(i->type2)) return false;
    const isa_operand *src = isa_srcs(k, i);
    q->reg = src[isa_is_const(src[0])];
    q->compare = n;
    return isa_is_reg(q->reg) && isa_is_const(src[!isa_is_const(src[0])]) &&
           !isa_writes_between(k, q->reg, n, asked);
}

enum told { UNKNOWN, STAY, LEAVE };

static enum told tell(bool leave, bool known) { return !known ? UNKNOWN : leave ? LEAVE : STAY; }

/* What the answer is where the register holds an operand. */
static enum told answer(const struct decider *x, const struct question *q, isa_operand is) {
    const struct isa_kernel *k = x->k;
    if (isa_operand_type(k, is) != (enum isa_type)k->reg_types[q->reg]) return UNKNOWN;
    if (q->compare == LOOPS_NONE) {
        bool known = isa_is_const(is);
        return tell(known && (k->consts[isa_const_index(is)].bits & 1) != q->of.inverse, known);
    }
    const struct isa_inst *i = &k->insts[q->compare];
    struct interval v[2];
    for (unsigned s = 0; s < 2; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        v[s] = numbers_signed(x->numbers, k, o == q->reg ? is : o);
    }
    bool order = compare_is_order(i->op), strict = compare_is_strict(i->op), yes, no;
    if (order && !compare_is_signed(i->op) && (v[0].least < 0 || v[1].least < 0)) return UNKNOWN;
    if (order) {
        yes = strict ? v[0].most < v[1].least : v[0].most <= v[1].least;
        no = strict ? v[0].least >= v[1].most : v[0].least > v[1].most;
    } else {
        bool apart = v[0].most < v[1].least || v[1].most < v[0].least;
        bool same = v[0].least == v[0].most && v[1].least == v[1].most && !apart;
        yes = i->op == ISA_eq ? same : apart;
        no = i->op == ISA_eq ? apart : same;
    }
    return tell(yes != q->of.inverse, yes || no);
}

static bool is_same(const struct decider *x, const struct question *a, const struct question *b) {
    if (a->reg != b->reg || a->of.inverse != b->of.inverse) return false;
    if (a->compare == LOOPS_NONE || b->compare == LOOPS_NONE) return a->compare == b->compare;
    const struct isa_inst *i = &x->k->insts[a->compare], *j = &x->k->insts[b->compare];
    const isa_operand *p = isa_srcs(x->k, i), *r = isa_srcs(x->k, j);
    return i->op == j->op && i->type2 == j->type2 && p[0] == r[0] && p[1] == r[1];
}

/* Has the loop around another one asked the same right before that? */
static bool was_asked(const struct decider *x, const struct question *q, uint32_t begin) {
    const struct isa_kernel *k = x->k;
    uint32_t loop = x->l->loop_of[begin];
    if (!loop || x->l->nested[begin]) return false;
    for (uint32_t n = begin; n-- > x->l->loops[loop].begin;) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_writes(k, i, q->reg)) return false;
        if (i->op != ISA_breakif || i->imm || x->l->nested[n] || x->l->loop_of[n] != loop) continue;
        struct decision d = {0};
        take_apart(x, (struct leave_part){isa_srcs(k, i)[0], false}, n, n, &d, MOST_PARTS);
        for (unsigned p = 0; p < d.nparts; p++) {
            struct question other;
            if (find_question(x, d.parts[p], n, &other) && is_same(x, q, &other)) return true;
        }
    }
    return false;
}

/* No lane leaves by the answer in the loop's first iteration. */
static bool begins(const struct decider *x, const struct question *q, uint32_t loop) {
    for (; loop; loop = x->l->loops[loop].parent) {
        uint32_t begin = x->l->loops[loop].begin, n = loops_start(x->k, begin, q->reg);
        if (n) {
            const struct isa_inst *i = &x->k->insts[n - 1];
            return i->op == ISA_mov && answer(x, q, isa_srcs(x->k, i)[0]) == STAY;
        }
        if (was_asked(x, q, begin)) return true;
        uint32_t parent = x->l->loops[loop].parent;
        if (!parent || loops_assign(x->l, q->reg, parent)) return false;
    }
    return false;
}

/* ---- what those do not do any more that leave ---- */

/* Does the loop read what a register is when it begins? */
static bool is_begun_with(const struct isa_kernel *k, isa_operand reg, const struct loop *l) {
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        if (isa_reads(k, &k->insts[n], reg)) return !loops_start(k, l->begin, reg);
        if (isa_writes(k, &k->insts[n], reg)) return false;
        if (isa_deeper(&k->insts[n])) return true; /* nobody looks */
    }
    return false;
}

/* Is a register read behind the loop, or when it begins once more? */
static bool is_wanted(const struct decider *x, isa_operand reg, uint32_t loop) {
    const struct loop *l = &x->l->loops[loop];
    if (x->readers.last[reg] > l->end) return true;
    return l->parent && (x->readers.first[reg] < l->begin || is_begun_with(x->k, reg, l));
}

static bool is_nested(const struct decider *x, uint32_t n, uint32_t loop) {
    return x->l->nested[n] || x->l->loop_of[n] != loop;
}

static bool add(struct decision *d, isa_operand to, isa_operand from, uint32_t copy) {
    if (d->ndone == MOST_DONE || d->other) return false;
    d->to[d->ndone] = to;
    d->from[d->ndone] = from;
    d->copy[d->ndone++] = copy;
    return true;
}

/* The lanes that leave leave out instruction n, which comes after `from` in the same iteration; 0:
 * in the next one. False: somebody would see that. */
static bool leave_out(const struct decider *x, struct decision *d, uint32_t n, uint32_t from,
                      uint8_t *what) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags, loop = x->l->loop_of[d->asked];
    bool nested = is_nested(x, n, loop);
    const isa_operand *src = isa_srcs(k, i);
    if (flags & ISA_OP_JUMP) {
        d->other = true;
        return i->op == ISA_breakif && !i->imm && !nested;
    }
    if (flags & ISA_OP_REGION) return true;
    bool pure = flags & ISA_OP_PURE;
    if (!pure && (i->op != ISA_ld || i->flags & ISA_VOLATILE)) return false;
    bool selects = i->op == ISA_select && from && !nested && src[0] == d->part.p;
    if (selects) {
        isa_operand to = isa_dsts(k, i)[0], goes = src[d->part.inverse ? 2 : 1],
                    stays = src[d->part.inverse ? 1 : 2];
        *what = to == stays ? GONE : d->part.inverse ? SECOND : THIRD;
        if (goes == to || !is_wanted(x, to, loop)) return true;
        return (!isa_is_reg(goes) || !isa_writes_between(k, goes, from, n)) && add(d, to, goes, 0);
    }
    bool wanted = false, kept = from && !nested && pure;
    for (unsigned m = 0; m < i->ndst; m++) wanted |= is_wanted(x, isa_dsts(k, i)[m], loop);
    for (unsigned s = 0; s < i->nsrc && kept; s++)
        kept = !isa_is_reg(src[s]) || !isa_writes_between(k, src[s], from, n);
    return !wanted || (kept && add(d, ISA_NO_OPERAND, ISA_NO_OPERAND, n));
}

/* Lanes leave before instruction d->at, where those that come to d->asked next would. */
static bool may_leave(const struct decider *x, struct decision *d, uint32_t from) {
    const struct loop *l = &x->l->loops[x->l->loop_of[d->asked]];
    bool next = d->asked < from;
    uint32_t end = next ? l->end : d->asked;
    d->other = false;
    for (uint32_t n = from; n < end; n++)
        if (!leave_out(x, d, n, from, &x->what[n])) goto fails;
    for (uint32_t n = l->begin + 1; next && n < d->asked; n++)
        if (!leave_out(x, d, n, 0, &x->what[n])) goto fails;
    return true;
fails:
    for (uint32_t n = l->begin; n < l->end; n++) x->what[n] = AS_IT_IS;
    d->ndone = 0;
    d->at = 0;
    return false;
}

/* The first select by a predicate between two instructions of a loop's straight code, the second
 * one included. */
static uint32_t first_select(const struct decider *x, isa_operand p, uint32_t from, uint32_t to,
                             uint32_t loop) {
    for (uint32_t n = from + 1; n <= to; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op == ISA_select && isa_srcs(x->k, i)[0] == p && !is_nested(x, n, loop)) return n;
    }
    return to;
}

/* ---- flags ---- */

/* The lanes for which instruction n gives a register what makes them leave; the register is what it
 * was for others. */
static bool find_setting(const struct decider *x, const struct question *q, uint32_t n,
                         struct leave_part *c, isa_operand *is) {
    const struct isa_inst *i = &x->k->insts[n];
    const isa_operand *src = isa_srcs(x->k, i);
    bool other = i->nsrc > 1 && src[1] == q->reg;
    switch (i->op) {
    case ISA_select:
        if (src[1] != q->reg && src[2] != q->reg) return false;
        *c = (struct leave_part){src[0], other};
        *is = src[other ? 2 : 1];
        break;
    case ISA_or:
    case ISA_and:
        if (i->type != ISA_PRED || (src[0] != q->reg && !other)) return false;
        *c = (struct leave_part){src[!other], i->op == ISA_and};
        *is = isa_const_new(x->k, ISA_PRED, i->op == ISA_or);
        break;
    default: return false;
    }
    return isa_is_reg(c->p) && c->p != q->reg && answer(x, q, *is) == LEAVE;
}

/* An instruction in a part of an `if` of the loop sets it: the end of that part; or 0. */
static uint32_t part_setting(const struct decider *x, const struct question *q, uint32_t n,
                             uint32_t loop) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    uint32_t depth = 0, begin = n, end = n;
    if (i->op != ISA_mov || x->l->loop_of[n] != loop) return 0;
    if (answer(x, q, isa_srcs(k, i)[0]) != LEAVE) return 0;
    for (; begin > x->l->loops[loop].begin; begin--) {
        const struct isa_inst *b = &k->insts[begin];
        if (isa_op_info[b->op].flags & ISA_OP_REGION_BEGIN && !depth) break;
        depth -= isa_deeper(b);
    }
    if (k->insts[begin].op != ISA_if || is_nested(x, begin, loop)) return 0;
    end = k->insts[begin].match;
    if (end < n) end = k->insts[end].match;
    return isa_op_info[k->insts[end - 1].op].flags & ISA_OP_JUMP ? 0 : end;
}

/* What is asked is known where a register is set: lanes leave there. */
static bool leave_flag(const struct decider *x, struct decision *d, const struct question *q) {
    const struct isa_kernel *k = x->k;
    uint32_t loop = x->l->loop_of[d->asked], n = loops_writer(x->l, q->reg, loop);
    isa_operand is;
    if (n == LOOPS_SEVERAL || !begins(x, q, loop)) return false;
    if (n == LOOPS_NONE) return true; /* it never holds */
    if (is_nested(x, n, loop)) {
        d->at = part_setting(x, q, n, loop);
        d->part = (struct leave_part){ISA_NO_OPERAND, false};
        if (!d->at) return false;
        uint32_t end = k->insts[d->at].op == ISA_else ? k->insts[d->at].match : d->at;
        return may_leave(x, d, end + 1);
    }
    if (!find_setting(x, q, n, &d->part, &is)) return false;
    uint32_t by = loops_written(x->l, d->part.p, loop, n);
    if (by == LOOPS_NONE || (by < d->asked && n > d->asked)) return false;
    d->at = first_select(x, d->part.p, by, n, loop);
    if (!may_leave(x, d, d->at)) return false;
    x->what[n] = GONE;
    return true;
}

/* Selects by what is asked come before: lanes leave before these. */
static bool leave_before(const struct decider *x, struct decision *d, struct leave_part c) {
    uint32_t loop = x->l->loop_of[d->asked], by = loops_written(x->l, c.p, loop, d->asked);
    if (by == LOOPS_NONE) return false;
    d->part = c;
    d->at = first_select(x, c.p, by, d->asked, loop);
    return d->at != d->asked && may_leave(x, d, d->at);
}

/* ---- which ---- */

/* Do lanes leave by a counter there? */
static bool counts(const struct decider *x, struct leave_part c, uint32_t asked) {
    struct loop_exit e;
    uint32_t n = loops_written(x->l, c.p, x->l->loop_of[asked], asked);
    return n != LOOPS_NONE && compare_is_integer(x->k->insts[n].op) &&
           loops_exit_by(x->l, x->k, n, c.inverse, &e);
}

static bool decide(const struct decider *x, uint32_t asked, struct decision *d) {
    *d = (struct decision){.asked = asked};
    take_apart(x, (struct leave_part){isa_srcs(x->k, &x->k->insts[asked])[0], false}, asked, asked,
               d, 2 * MOST_PARTS);
    for (unsigned n = 0; n < d->nparts; n++) {
        struct leave_part c = d->parts[n];
        struct question q;
        bool flag = find_question(x, c, asked, &q) && leave_flag(x, d, &q);
        if (!flag) d->ndone = 0;
        if (!flag && !leave_before(x, d, c)) {
            d->at = 0;
            continue;
        }
        d->parts[n] = d->parts[--d->nparts];
        return true;
    }
    /* What the loop does not change is asked once by `unswitch`, with what is asked beside it. */
    for (unsigned n = 0; n < d->nparts; n++)
        if (!loops_varies(x->l, d->parts[n].p, x->l->loop_of[asked])) return false;
    for (unsigned n = 0; n < d->nparts; n++) {
        struct leave_part c = d->parts[n];
        if (d->nparts == 1 || !counts(x, c, asked)) continue;
        d->parts[n] = d->parts[0];
        d->parts[0] = c;
        return true;
    }
    return false;
}

static void look_at(struct decider *x, struct arena *arena) {
    const struct isa_kernel *k = x->k;
    x->readers = rewrite_readers(k, arena);
    x->asked_at = ARENA_ARRAY(arena, struct decision *, k->ninsts + 1u);
    x->exit_at = ARENA_ARRAY(arena, struct decision *, k->ninsts + 1u);
    x->what = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
}

/* One in each loop, and in none around that or in it. */
static bool find_all(struct decider *x, struct arena *arena, const struct trace_pass *p) {
    const struct isa_kernel *k = x->k;
    uint32_t done = 0;
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct decision d, *mine;
        uint32_t loop = x->l->loop_of[n];
        if (k->insts[n].op != ISA_breakif || k->insts[n].imm || x->l->nested[n] || !loop ||
            x->l->loops[loop].begin < done || !decide(x, n, &d))
            continue;
        mine = ARENA_NEW(arena, struct decision);
        *mine = d;
        x->asked_at[n] = mine;
        if (d.at) x->exit_at[d.at] = mine;
        done = x->l->loops[loop].end;
        any = true;
        trace_tell(p, &k->insts[n],
                   d.at ? "lanes of which that is decided before leave the loop there"
                        : "%u exits, one for each condition",
                   d.nparts);
    }
    return any;
}

/* ---- rewriting ---- */

static isa_operand leaving(struct kernelcopy *c, struct leave_part of) {
    if (!of.inverse) return of.p;
    return kernelcopy_result(c, ISA_not, ISA_PRED, of.p, ISA_NO_OPERAND);
}

static void put_jump(struct kernelcopy *c, const struct decision *d, enum isa_op op, isa_operand p,
                     int32_t label) {
    struct isa_inst *i = kernelcopy_add(c, op, ISA_NONE_T, ISA_NO_OPERAND, p, ISA_NO_OPERAND);
    i->imm = label;
    i->site = op == ISA_break ? 0 : c->k->insts[d->asked].site;
}

static void put_exit(struct kernelcopy *c, const struct decision *d) {
    bool part = d->part.p == ISA_NO_OPERAND;
    c->at = d->at;
    isa_operand p = part ? ISA_NO_OPERAND : leaving(c, d->part);
    if (!part && !d->ndone) {
        put_jump(c, d, ISA_breakif, p, 0);
        return;
    }
    if (!part) put_jump(c, d, ISA_if, p, 0);
    for (unsigned n = 0; n < d->ndone; n++) {
        if (d->to[n] == ISA_NO_OPERAND)
            kernelcopy_put(c, d->copy[n]);
        else
            kernelcopy_move(c, d->to[n], d->from[n]);
    }
    c->at = d->at;
    put_jump(c, d, ISA_break, ISA_NO_OPERAND, 1);
    if (!part) kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

static void rewrite(struct decider *x, struct arena *arena) {
    struct kernelcopy c;
    kernelcopy_take(&c, x->k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !isa_kernel_failed(x->k); n++) {
        const struct isa_inst *i = &c.k->insts[n];
        const struct decision *d = x->asked_at[n];
        if (x->exit_at[n]) put_exit(&c, x->exit_at[n]);
        c.at = n;
        for (unsigned part = 0; d && part < d->nparts; part++)
            put_jump(&c, d, ISA_breakif, leaving(&c, d->parts[part]), 0);
        if (d && !d->nparts) isa_site_remove(c.out, i->site, ISA_REMOVED_empty);
        if (d || x->what[n] == GONE) continue;
        if (x->what[n] == AS_IT_IS)
            kernelcopy_put(&c, n);
        else
            kernelcopy_move(&c, isa_dsts(c.k, i)[0], isa_srcs(c.k, i)[x->what[n] == THIRD ? 2 : 1]);
    }
}

void opt_decided(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct numbers numbers;
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        struct loops l = {0};
        struct decider x = {.k = k, .l = &l, .numbers = &numbers};
        if (!loops_find(&l, k, arena)) return;
        numbers_find(&numbers, k, NULL, arena);
        look_at(&x, arena);
        if (!find_all(&x, arena, p)) return;
        uint32_t nregs = k->nregs;
        rewrite(&x, arena);
        if (isa_kernel_failed(k)) return;
        rewrite_unread_since(k, arena, l.reads, nregs);
        rewrite_match(k);
    }
}
