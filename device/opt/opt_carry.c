/* What iterations hand on by way of memory. Where an iteration loads what the one before has
 * stored, as in running sums and recursive filters, or has loaded, as in differences along a row of
 * the work-item's own, the value is in a register meanwhile: the first iteration's is loaded before
 * the loop, by those that come to it. Where there are other stores, that is one version of the
 * loop, for arguments that are alone in their buffers. */
#include "alone.h"
#include "device/analysis/provenance.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "firstiteration.h"
#include "opt_pass.h"
#include "ownrows.h"

enum {
    MOST_INSTS = 64, /* of such a loop, */
    MOST_LEFT = 4,   /* places where it is left before it loads, */
    MOST_STORES = 4, /* and stores; */
    MOST_MOVES = 8,  /* loads and stores that are handed on */
    MOST_FAR = 4     /* iterations since it was stored, or loaded */
};

/* A store, or load, whose memory is loaded again `far` iterations later, and in each one between.
 */
struct carried_move {
    uint32_t at, last;        /* instructions: it, and the last load of the code */
    uint32_t loads[MOST_FAR]; /* the first of each distance: n, of what was moved n + 1 before */
    unsigned far;
    isa_operand regs[MOST_FAR];
};

struct carried {
    uint32_t begin, end;
    struct carried_move of[MOST_MOVES];
    uint32_t count, alone; /* parameters, as bits: others are not in their buffers */
};

struct carrier {
    struct isa_kernel *k;
    struct loops l;
    const uint64_t *provenance;
    struct arena *arena;
    struct ownrows rows;
    bool versions;               /* there may be */
    struct firstiteration first; /* loads */
    uint8_t *far;                /* each load of what was moved: how many iterations ago, */
    uint8_t *by;                 /* and by which of those that are handed on */
    struct kernelcopy copy;
};

/* ---- which ---- */

/* Straight code, which computes, loads and stores; returns its end, or 0. */
static uint32_t find_stores(const struct isa_kernel *k, uint32_t begin, uint32_t *stores,
                            uint32_t *count) {
    uint32_t n = begin + 1, left = 0;
    *count = 0;
    for (; k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool leaves = i->op == ISA_breakif && !i->imm, moves = i->op == ISA_ld || i->op == ISA_st;
        if (n - begin > MOST_INSTS || isa_op_info[i->op].flags & ISA_OP_PROBE) return 0;
        if (!leaves && !moves && !(isa_op_info[i->op].flags & ISA_OP_PURE)) return 0;
        left += leaves;
        if (i->op != ISA_st) continue;
        if (*count == MOST_STORES || i->flags & ISA_VOLATILE) return 0;
        stores[(*count)++] = n;
    }
    return left <= MOST_LEFT ? n : 0;
}

/* How many iterations ago has been moved what it loads? 0: that is not known. */
static uint32_t far_of(const struct isa_kernel *k, uint32_t n, uint32_t move, int32_t step) {
    const struct isa_inst *i = &k->insts[n], *s = &k->insts[move];
    int64_t away = (int64_t)s->imm - i->imm;
    if (i->op != ISA_ld || i->space != s->space || i->type != s->type || i->count != 1 ||
        i->flags & ISA_VOLATILE || isa_srcs(k, i)[0] != isa_srcs(k, s)[0])
        return 0;
    return away % step || away / step < 0 || away / step > MOST_FAR ? 0 : (uint32_t)(away / step);
}

/* Is the register between the two instructions what it is at either? */
static bool is_kept(const struct isa_kernel *k, isa_operand reg, uint32_t a, uint32_t b) {
    return !isa_writes_between(k, reg, a < b ? a : b, a < b ? b : a);
}

/* Does an iteration load what this one has moved in those before? A store's comes after them. */
static bool is_carried(struct carrier *x, uint32_t begin, uint32_t at, struct carried_move *s) {
    const struct isa_kernel *k = x->k;
    isa_operand to = isa_srcs(k, &k->insts[at])[0];
    uint32_t by, found = 0, end = k->insts[at].op == ISA_st ? at : k->insts[begin].match;
    bool behind;
    *s = (struct carried_move){.at = at};
    if (k->insts[at].count != 1 ||
        !loops_grows(&x->l, k, to, loops_at(&x->l, begin), at, &by, &behind) || !by)
        return false;
    for (uint32_t n = begin + 1; n < end; n++) {
        uint32_t far = far_of(k, n, at, (int32_t)by);
        if (!far || x->far[n] || !is_kept(k, to, n, at)) continue;
        if (!(found >> far & 1)) s->loads[far - 1] = n;
        found |= 1u << far;
        s->last = n;
        if (far > s->far) s->far = far;
    }
    return s->far && found == (2u << s->far) - 2 &&
           firstiteration_leaves(&x->first, begin, s->last) &&
           firstiteration_needs(&x->first, loops_at(&x->l, begin), to, s->last);
}

/* May what instruction `at` loads be handed on, as nothing else does that in its place? */
static bool may_hand_on(struct carrier *x, uint32_t begin, uint32_t at) {
    const struct isa_inst *i = &x->k->insts[at];
    return i->op == ISA_ld && !x->far[at] &&
           loops_writer(&x->l, isa_dsts(x->k, i)[0], loops_at(&x->l, begin)) == at &&
           ownrows_loads(&x->rows, at);
}

/* Do other stores leave its memory alone, where that parameter is? */
static bool is_apart(struct carrier *x, const struct carried_move *s, const uint32_t *stores,
                     uint32_t count, uint32_t *alone) {
    const struct isa_kernel *k = x->k;
    if (count == 1) return true;
    uint32_t param = x->versions ? provenance_param(k, x->provenance, &k->insts[s->at]) : 0;
    *alone |= param;
    for (uint32_t n = 0; n < count; n++)
        if (stores[n] != s->at && provenance_of(k, x->provenance, &k->insts[stores[n]]) & param)
            return false;
    return param;
}

/* Marks the loads that are of what is carried: of move number `which` of those. */
static void mark_loads(struct carrier *x, const struct carried *c, uint32_t which) {
    const struct isa_kernel *k = x->k;
    const struct carried_move *s = &c->of[which];
    isa_operand to = isa_srcs(k, &k->insts[s->at])[0];
    uint32_t by;
    bool behind;
    loops_grows(&x->l, k, to, loops_at(&x->l, c->begin), s->at, &by, &behind);
    for (uint32_t n = c->begin + 1; n <= s->last; n++) {
        uint32_t far =
            x->far[n] || !is_kept(k, to, n, s->at) ? 0 : far_of(k, n, s->at, (int32_t)by);
        if (!far) continue;
        x->far[n] = (uint8_t)far;
        x->by[n] = (uint8_t)which;
    }
}

static bool find(struct carrier *x, uint32_t begin, struct carried *c) {
    uint32_t stores[MOST_STORES], count;
    *c = (struct carried){.begin = begin};
    if (!(c->end = find_stores(x->k, begin, stores, &count))) return false;
    for (uint32_t n = 0; n < count; n++) {
        struct carried_move *s = &c->of[c->count];
        if (!is_carried(x, begin, stores[n], s)) continue;
        if (!is_apart(x, s, stores, count, &c->alone)) return false;
        c->count++;
    }
    for (uint32_t n = 0; n < c->count; n++) mark_loads(x, c, n);
    /* Iterations that store may have nothing to do with one another: then others go side by side.
     */
    for (uint32_t n = begin + 1; n < c->end && !count && c->count < MOST_MOVES; n++)
        if (may_hand_on(x, begin, n) && is_carried(x, begin, n, &c->of[c->count]))
            mark_loads(x, c, c->count++);
    return c->count;
}

/* ---- writing ---- */

/* What has moved before what instruction n loads; NULL: nothing that is handed on. */
static const struct carried_move *loaded_by(const struct carrier *x, const struct carried *c,
                                            uint32_t n) {
    return x->far[n] ? &c->of[x->by[n]] : NULL;
}

/* What is handed on from a store, as soon as that is made, or from loads when the iteration ends.
 */
static void hand_on(struct carrier *x, const struct carried *c, uint32_t n) {
    struct kernelcopy *copy = &x->copy;
    for (uint32_t s = 0; s < c->count; s++) {
        const struct carried_move *m = &c->of[s];
        const struct isa_inst *i = &copy->k->insts[m->at];
        if (n != (i->op == ISA_st ? m->at : c->end)) continue;
        isa_operand value = i->op == ISA_st ? isa_srcs(copy->k, i)[1] : isa_dsts(copy->k, i)[0];
        for (unsigned f = m->far - 1; f; f--) kernelcopy_move(copy, m->regs[f], m->regs[f - 1]);
        kernelcopy_move(copy, m->regs[0], kernelcopy_named(copy, value));
    }
}

/* The first iteration's loads. */
struct first_loads {
    struct carrier *x;
    const struct carried *c;
};
static void put_load(void *context, uint32_t n) {
    const struct first_loads *f = context;
    struct kernelcopy *copy = &f->x->copy;
    const struct carried_move *s = loaded_by(f->x, f->c, n);
    if (!s || s->loads[f->x->far[n] - 1] != n) return;
    kernelcopy_put_anew(copy, n);
    kernelcopy_move(copy, s->regs[f->x->far[n] - 1],
                    kernelcopy_named(copy, isa_dsts(copy->k, &copy->k->insts[n])[0]));
}

static void put_first(struct carrier *x, const struct carried *c) {
    struct first_loads loads = {x, c};
    uint32_t last = 0;
    for (uint32_t s = 0; s < c->count; s++)
        if (c->of[s].last > last) last = c->of[s].last;
    firstiteration_put(&x->first, &x->copy, c->begin, last, put_load, &loads);
}

/* Addresses that only the loop reads stay such. */
static void rename_addresses(struct carrier *x, const struct carried *c) {
    const struct isa_kernel *k = x->copy.k;
    for (uint32_t m = 0; m < c->count; m++) {
        isa_operand at = isa_srcs(k, &k->insts[c->of[m].at])[0];
        uint32_t reads = 0;
        for (uint32_t n = c->begin; n < c->end; n++)
            for (unsigned s = 0; s < k->insts[n].nsrc; s++)
                reads += isa_srcs(k, &k->insts[n])[s] == at;
        if (reads != x->l.reads[at] || !loops_start(k, c->begin, at)) continue;
        if (x->copy.names[at] != at) continue; /* of another move */
        kernelcopy_rename(&x->copy, at);
        kernelcopy_move(&x->copy, x->copy.names[at], at);
    }
}

static void put_loop(struct carrier *x, const struct carried *c) {
    struct kernelcopy *copy = &x->copy;
    if (c->alone)
        alone_rename(copy, c->begin, c->end, false, x->arena);
    else
        rename_addresses(x, c);
    for (uint32_t n = c->begin; n <= c->end; n++) {
        const struct isa_inst *i = &copy->k->insts[n];
        const struct carried_move *ld = loaded_by(x, c, n);
        copy->at = n;
        if (n == c->end) hand_on(x, c, n);
        if (ld)
            kernelcopy_move(copy, kernelcopy_named(copy, isa_dsts(copy->k, i)[0]),
                            ld->regs[x->far[n] - 1]);
        else
            kernelcopy_put(copy, n);
        if (n != c->end) hand_on(x, c, n);
    }
    kernelcopy_keep_names(copy);
}

static uint32_t branch_of(const struct isa_kernel *k, const struct carried *c) {
    uint32_t n = c->begin;
    while (k->insts[n].op != ISA_breakif && n < c->end) n++;
    return k->insts[n].site;
}

static void put(struct carrier *x, const struct carried *c) {
    struct kernelcopy *copy = &x->copy;
    copy->at = c->begin;
    if (c->alone) alone_if(copy, c->alone, branch_of(copy->k, c));
    put_first(x, c);
    put_loop(x, c);
    if (!c->alone) return;
    kernelcopy_control(copy, ISA_else, ISA_NO_OPERAND);
    alone_rename(copy, c->begin, c->end, true, x->arena);
    kernelcopy_put_range(copy, c->begin, c->end + 1);
    kernelcopy_keep_names(copy);
    kernelcopy_control(copy, ISA_endif, ISA_NO_OPERAND);
}

static void tell(struct carrier *x, struct carried *c, const struct trace_pass *p) {
    for (uint32_t n = 0; n < c->count; n++) {
        struct carried_move *s = &c->of[n];
        const struct isa_inst *st = &x->k->insts[s->at];
        trace_tell(p, st, "what is %s here is in registers, for %u iterations%s",
                   st->op == ISA_st ? "stored" : "loaded", s->far,
                   c->alone ? ", where the buffer is no other argument's" : "");
        for (unsigned f = 0; f < s->far; f++)
            s->regs[f] = isa_reg_new(x->k, (enum isa_type)st->type);
    }
}

static void rewrite(struct carrier *x, const struct carried *list, uint32_t count) {
    uint32_t from = 0;
    kernelcopy_take(&x->copy, x->k, x->arena);
    for (const struct carried *c = list; c < list + count; c++) {
        kernelcopy_put_range(&x->copy, from, c->begin);
        put(x, c);
        from = c->end + 1;
    }
    kernelcopy_put_range(&x->copy, from, x->copy.k->ninsts);
}

void opt_carry(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    const uint64_t *provenance = alone_provenance(k, arena);
    struct carrier x = {.k = k, .arena = arena, .provenance = provenance, .rows = {.k = k}};
    uint32_t count = 0;
    bool any = rewrite_nesting(k) + MOST_LEFT < ISA_MAX_NESTING && loops_find(&x.l, k, arena);
    struct carried *list = ARENA_ARRAY(arena, struct carried, x.l.nloops + 1u);
    x.first = (struct firstiteration){k, &x.l, ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u)};
    x.far = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x.by = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x.versions = provenance && alone_may(k);
    for (uint32_t n = 0; any && n < k->ninsts; n++)
        if (k->insts[n].op == ISA_loop && find(&x, n, &list[count])) tell(&x, &list[count++], p);
    ownrows_end(&x.rows);
    if (count && !isa_kernel_failed(k)) rewrite(&x, list, count);
}
