/* What iterations hand on by way of memory. Where an iteration loads what the one before has
 * stored, as in running sums and recursive filters, the value is in a register meanwhile: the first
 * iteration's is loaded before the loop, by those that come to it. */
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum {
    MOST_INSTS = 64, /* of such a loop, */
    MOST_LEFT = 4,   /* places where it is left before it loads */
    MOST_FAR = 4     /* iterations since it was stored */
};

/* A loop whose only store to such memory is loaded again `far` iterations later, and in each one
 * between: load n loads what was stored n + 1 iterations before. */
struct carried {
    uint32_t begin, end, store;
    uint32_t loads[MOST_FAR], last; /* last: the last one of the code */
    unsigned far;
    isa_operand regs[MOST_FAR];
};

struct carrier {
    struct isa_kernel *k;
    struct loops l;
    struct arena *arena;
    uint8_t *first; /* instructions that loads of the first iteration need */
    struct kernelcopy copy;
};

/* ---- which ---- */

/* Straight code, which computes, loads and has one store; returns its end, or 0. */
static uint32_t find_store(const struct isa_kernel *k, uint32_t begin, struct carried *found) {
    uint32_t n = begin + 1, left = 0;
    *found = (struct carried){.begin = begin};
    for (; k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool leaves = i->op == ISA_breakif && !i->imm, moves = i->op == ISA_ld || i->op == ISA_st;
        if (n - begin > MOST_INSTS || isa_op_info[i->op].flags & ISA_OP_PROBE) return 0;
        if (!leaves && !moves && !(isa_op_info[i->op].flags & ISA_OP_PURE)) return 0;
        left += leaves;
        if (i->op != ISA_st) continue;
        if (found->store || i->count != 1 || i->flags & ISA_VOLATILE) return 0;
        found->store = n;
    }
    return found->store && left <= MOST_LEFT ? n : 0;
}

/* How many iterations ago has been stored what it loads? 0: that is not known. */
static uint32_t far_of(const struct isa_kernel *k, uint32_t n, uint32_t store, int32_t step) {
    const struct isa_inst *i = &k->insts[n], *s = &k->insts[store];
    int64_t away = (int64_t)s->imm - i->imm;
    if (i->op != ISA_ld || i->space != s->space || i->type != s->type || i->count != 1 ||
        i->flags & ISA_VOLATILE || isa_srcs(k, i)[0] != isa_srcs(k, s)[0])
        return 0;
    return away % step || away / step < 0 || away / step > MOST_FAR ? 0 : (uint32_t)(away / step);
}

/* Marks what the first iteration's value of an operand is made of; false: of more than what is
 * computed. */
static bool mark(struct carrier *x, uint32_t loop, isa_operand o, uint32_t before) {
    uint32_t n = loops_writer(&x->l, o, loop);
    if (n == LOOPS_NONE || (n < LOOPS_NONE && n > before)) return true;
    if (n == LOOPS_SEVERAL || !(isa_op_info[x->k->insts[n].op].flags & ISA_OP_PURE)) return false;
    const struct isa_inst *i = &x->k->insts[n];
    bool good = true;
    for (unsigned s = 0; s < i->nsrc && !x->first[n]; s++)
        good &= mark(x, loop, isa_srcs(x->k, i)[s], n);
    x->first[n] = 1;
    return good;
}

static bool marks_first(struct carrier *x, const struct carried *c) {
    uint32_t loop = loops_at(&x->l, c->begin);
    bool good = true;
    for (uint32_t n = c->begin + 1; n <= c->last; n++)
        if (x->k->insts[n].op == ISA_breakif)
            good &= mark(x, loop, isa_srcs(x->k, &x->k->insts[n])[0], n);
    return good && mark(x, loop, isa_srcs(x->k, &x->k->insts[c->store])[0], c->last);
}

static bool find(struct carrier *x, uint32_t begin, struct carried *c) {
    const struct isa_kernel *k = x->k;
    uint32_t by, found = 0, loop = loops_at(&x->l, begin);
    bool behind;
    if (!(c->end = find_store(k, begin, c))) return false;
    isa_operand at = isa_srcs(k, &k->insts[c->store])[0];
    if (!loops_grows(&x->l, k, at, loop, c->store, &by, &behind) || !by) return false;
    for (uint32_t n = begin + 1; n < c->store; n++) {
        uint32_t far = far_of(k, n, c->store, (int32_t)by);
        if (!far || isa_writes_between(k, at, n, c->store)) continue;
        if (found >> far & 1) return false;
        found |= 1u << far;
        c->loads[far - 1] = n;
        c->last = n;
        if (far > c->far) c->far = far;
    }
    return c->far && found == (2u << c->far) - 2 && marks_first(x, c);
}

/* ---- writing ---- */

/* The first iteration's loads, by those that come to them. */
static void put_first(struct carrier *x, const struct carried *c) {
    struct kernelcopy *copy = &x->copy;
    unsigned depth = 0;
    for (uint32_t n = c->begin + 1; n <= c->last; n++) {
        const struct isa_inst *i = &copy->k->insts[n];
        copy->at = n;
        if (i->op == ISA_breakif) {
            isa_operand leaves = kernelcopy_named(copy, isa_srcs(copy->k, i)[0]);
            isa_operand stays = kernelcopy_result(copy, ISA_not, ISA_PRED, leaves, ISA_NO_OPERAND);
            kernelcopy_add(copy, ISA_if, ISA_NONE_T, ISA_NO_OPERAND, stays, ISA_NO_OPERAND)->site =
                i->site;
            depth++;
        }
        if (x->first[n]) kernelcopy_put_anew(copy, n);
        for (unsigned f = 0; f < c->far; f++) {
            if (c->loads[f] != n) continue;
            kernelcopy_put_anew(copy, n);
            kernelcopy_move(copy, c->regs[f], kernelcopy_named(copy, isa_dsts(copy->k, i)[0]));
        }
    }
    while (depth--) kernelcopy_control(copy, ISA_endif, ISA_NO_OPERAND);
    kernelcopy_keep_names(copy);
}

/* An address that only the loop reads stays one that only the loop reads. */
static void rename_address(struct carrier *x, const struct carried *c) {
    const struct isa_kernel *k = x->copy.k;
    isa_operand at = isa_srcs(k, &k->insts[c->store])[0];
    uint32_t reads = 0;
    for (uint32_t n = c->begin; n < c->end; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++) reads += isa_srcs(k, &k->insts[n])[s] == at;
    if (reads != x->l.reads[at] || !loops_start(k, c->begin, at)) return;
    kernelcopy_rename(&x->copy, at);
    kernelcopy_move(&x->copy, x->copy.names[at], at);
}

static void put_loop(struct carrier *x, const struct carried *c) {
    struct kernelcopy *copy = &x->copy;
    rename_address(x, c);
    for (uint32_t n = c->begin; n <= c->end; n++) {
        const struct isa_inst *i = &copy->k->insts[n];
        unsigned f = 0;
        while (f < c->far && c->loads[f] != n) f++;
        copy->at = n;
        if (f < c->far)
            kernelcopy_move(copy, isa_dsts(copy->k, i)[0], c->regs[f]);
        else
            kernelcopy_put(copy, n);
        if (n != c->store) continue;
        for (f = c->far - 1; f; f--) kernelcopy_move(copy, c->regs[f], c->regs[f - 1]);
        kernelcopy_move(copy, c->regs[0], isa_srcs(copy->k, i)[1]);
    }
    kernelcopy_keep_names(copy);
}

void opt_carry(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct carrier x = {.k = k, .arena = arena};
    struct carried c;
    if (rewrite_nesting(k) + MOST_LEFT > ISA_MAX_NESTING || !loops_find(&x.l, k, arena)) return;
    struct carried *list = ARENA_ARRAY(arena, struct carried, x.l.nloops + 1u);
    uint32_t count = 0, next = 0;
    x.first = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_loop || !find(&x, n, &c)) continue;
        trace_tell(p, &k->insts[c.store], "what is stored here is in registers, for %u iterations",
                   c.far);
        enum isa_type type = (enum isa_type)k->insts[c.store].type;
        for (unsigned f = 0; f < c.far; f++) c.regs[f] = isa_reg_new(k, type);
        list[count++] = c;
    }
    if (!count || isa_kernel_failed(k)) return;
    kernelcopy_take(&x.copy, k, arena);
    for (uint32_t n = 0; n < x.copy.k->ninsts && !x.copy.failed; n++) {
        if (next == count || list[next].begin != n) {
            kernelcopy_put(&x.copy, n);
            continue;
        }
        put_first(&x, &list[next]);
        put_loop(&x, &list[next]);
        n = list[next++].end;
    }
}
