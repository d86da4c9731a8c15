/* Conditions of loops that are made of several. `while (a && b)` looks at b under an `if`, where it
 * may not be computed otherwise, and leaves where one of both does not hold. Lanes for which a does
 * not hold leave there instead, so that what follows is no region, and each exit has a comparison
 * of its own. */
#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* A predicate, or its opposite. */
struct exit_condition {
    isa_operand p;
    bool inverse;
};

struct exits {
    struct isa_kernel *k;
    const struct loops *l;
    uint8_t *what;                 /* becomes of each instruction; */
    struct exit_condition *unless; /* of an exit: where it is not taken */
};

enum { AS_IT_IS, GONE, EXIT };

enum { MOST_CONDITIONS = 8 /* of one loop */ };

/* What an operand is, as instruction `at` reads it, going back over copies and opposites. */
static struct exit_condition condition_of(const struct exits *x, isa_operand p, uint32_t at) {
    struct exit_condition c = {p, false};
    for (uint32_t n; (n = loops_written(x->l, c.p, x->l->loop_of[at], at)) != LOOPS_NONE; at = n) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op != ISA_mov && i->op != ISA_not) break;
        c.p = isa_srcs(x->k, i)[0];
        c.inverse ^= i->op == ISA_not;
    }
    return c;
}

/* The last write of a register in the straight code before an instruction, or 0. */
static uint32_t written_before(const struct isa_kernel *k, isa_operand reg, uint32_t at) {
    while (at-- && !(isa_op_info[k->insts[at].op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)))
        if (isa_writes(k, &k->insts[at], reg)) return at;
    return 0;
}

/* May all of it be done without the `if` around it? It writes the register in any case, or not. */
static bool is_free(const struct isa_kernel *k, uint32_t begin, isa_operand reg, bool *writes) {
    uint32_t depth = 0;
    *writes = false;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_JUMP && (i->op == ISA_ret || (uint32_t)i->imm >= depth)) return false;
        if (flags & ISA_OP_BARRIER) return false;
        depth += isa_deeper(i);
        if (isa_reads(k, i, reg)) return false;
        *writes |= !depth && isa_writes(k, i, reg);
    }
    return true;
}

/* The opposite of a comparison of integers, as compare_opposite. */
static enum isa_op opposite_of(const struct isa_inst *i, bool *turned) {
    enum isa_op opposite = compare_opposite(i->op, turned);
    return isa_is_integer(i->type2) ? opposite : ISA_OP_COUNT;
}

/* Is what an instruction compares the opposite of a predicate that is read behind it? */
static bool compares_opposite(const struct exits *x, uint32_t n, isa_operand p, uint32_t at) {
    const struct isa_kernel *k = x->k;
    uint32_t m = loops_written(x->l, p, x->l->loop_of[at], at);
    const struct isa_inst *a = &k->insts[n], *b = m == LOOPS_NONE ? NULL : &k->insts[m];
    bool turned;
    if (!b || opposite_of(a, &turned) != b->op || a->type2 != b->type2) return false;
    for (unsigned s = 0; s < 2; s++) {
        if (isa_srcs(k, a)[s] != isa_srcs(k, b)[turned ? !s : s]) return false;
        if (isa_writes_between(k, isa_srcs(k, a)[s], m < n ? m : n, m < n ? n : m)) return false;
    }
    return true;
}

/* The breakif at `leaves` follows an `if`, whose lanes alone may stay. */
static bool find(struct exits *x, uint32_t leaves, const struct trace_pass *p) {
    const struct isa_kernel *k = x->k;
    isa_operand r = isa_srcs(k, &k->insts[leaves])[0];
    uint32_t n = leaves, begin, first;
    bool leave = true, writes;
    while (n-- && isa_writes(k, &k->insts[n], r)) {
        const struct isa_inst *i = &k->insts[n];
        if ((i->op != ISA_mov && i->op != ISA_not) || x->l->reads[r] != 1) return false;
        leave ^= i->op == ISA_not;
        r = isa_srcs(k, i)[0];
    }
    if (k->insts[n].op != ISA_endif || !isa_is_reg(r) || x->l->reads[r] != 1) return false;
    begin = k->insts[n].match;
    if (k->insts[begin].op != ISA_if || x->l->loop_of[begin] != x->l->loop_of[leaves] ||
        x->l->nested[begin] || !is_free(k, begin, r, &writes))
        return false;
    first = written_before(k, r, begin);
    if (!first) return false;
    struct exit_condition a = condition_of(x, isa_srcs(k, &k->insts[begin])[0], begin),
                          b = {a.p, true};
    if (k->insts[first].op == ISA_mov || k->insts[first].op == ISA_not) {
        b = condition_of(x, isa_srcs(k, &k->insts[first])[0], first);
        b.inverse ^= k->insts[first].op == ISA_not;
    } else if (!compares_opposite(x, first, a.p, begin)) {
        return false;
    }
    /* Where the `if` is not passed a.p is a.inverse, and so the register is known. */
    if (a.p != b.p || (a.inverse != b.inverse) != leave) return false;
    trace_tell(p, &k->insts[begin], "the loop is left where its other condition need not be known");
    x->what[begin] = EXIT;
    x->unless[begin] = a;
    x->what[n] = GONE;
    if (writes) x->what[first] = GONE;
    return true;
}

/* A comparison of the loop's straight code, with such an opposite, of what is the same still at
 * `at`; or LOOPS_NONE. */
static uint32_t compared_at(const struct isa_kernel *k, const struct loops *l, isa_operand p,
                            uint32_t at) {
    uint32_t n = loops_written(l, p, l->loop_of[at], at);
    bool turned;
    if (n == LOOPS_NONE || opposite_of(&k->insts[n], &turned) == ISA_OP_COUNT) return LOOPS_NONE;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t w = loops_writer(l, isa_srcs(k, &k->insts[n])[s], l->loop_of[at]);
        if (w == LOOPS_SEVERAL || (w > n && w < at)) return LOOPS_NONE;
    }
    return n;
}

/* The loop is left where a condition does not hold, as instruction `at` finds it. */
static void leave_unless(struct kernelcopy *c, const struct exits *x, uint32_t at) {
    isa_operand p = x->unless[at].p;
    uint32_t n = compared_at(c->k, x->l, p, at);
    c->at = at;
    if (x->unless[at].inverse) {
        /* it is where the predicate holds */
    } else if (n == LOOPS_NONE) {
        p = kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND);
    } else {
        const struct isa_inst *i = &c->k->insts[n];
        const isa_operand *src = isa_srcs(c->k, i);
        bool turned;
        enum isa_op op = opposite_of(i, &turned);
        p = kernelcopy_result(c, op, (enum isa_type)i->type2, src[turned], src[!turned]);
    }
    kernelcopy_control(c, ISA_breakif, p);
    if (!isa_kernel_failed(c->out)) c->out->insts[c->out->ninsts - 1].site = c->k->insts[at].site;
}

static bool find_all(struct exits *x, struct arena *arena, const struct trace_pass *p) {
    bool any = false;
    x->what = ARENA_ARRAY(arena, uint8_t, x->k->ninsts + 1u);
    x->unless = ARENA_ARRAY(arena, struct exit_condition, x->k->ninsts + 1u);
    for (uint32_t n = 0; n < x->k->ninsts; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op != ISA_breakif || i->imm || x->l->nested[n]) continue;
        any |= find(x, n, p);
        struct exit_condition c = condition_of(x, isa_srcs(x->k, i)[0], n);
        if (!c.inverse || compared_at(x->k, x->l, c.p, n) == LOOPS_NONE) continue;
        x->what[n] = EXIT;
        x->unless[n] = (struct exit_condition){c.p, false};
        any = true;
    }
    return any;
}

static void rewrite(struct exits *x, struct arena *arena) {
    struct isa_kernel *k = x->k;
    struct kernelcopy c;
    kernelcopy_take(&c, k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !isa_kernel_failed(k); n++) {
        if (x->what[n] == AS_IT_IS) kernelcopy_put(&c, n);
        if (x->what[n] == AS_IT_IS || x->what[n] == GONE) continue;
        leave_unless(&c, x, n);
    }
}

void opt_exits(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    for (unsigned round = 0; round < MOST_CONDITIONS; round++) {
        struct loops l = {0};
        struct exits x = {.k = k, .l = &l};
        if (!loops_find(&l, k, arena) || !find_all(&x, arena, p)) return;
        uint32_t nregs = k->nregs;
        rewrite(&x, arena);
        if (isa_kernel_failed(k)) return;
        rewrite_unread_since(k, arena, l.reads, nregs);
        rewrite_match(k);
    }
}
