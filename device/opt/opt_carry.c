/* What iterations hand on by way of memory. Where an iteration loads what the one before has
 * stored, as in running sums and recursive filters, the value is in a register meanwhile: the first
 * iteration's is loaded before the loop, by those that come to it. Where there are several stores,
 * that is one version of the loop, for arguments that are alone in their buffers. */
#include "alone.h"
#include "device/analysis/provenance.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "firstiteration.h"
#include "opt_pass.h"

enum {
    MOST_INSTS = 64, /* of such a loop, */
    MOST_LEFT = 4,   /* places where it is left before it loads, */
    MOST_STORES = 4, /* and stores */
    MOST_FAR = 4     /* iterations since it was stored */
};

/* A store whose memory is loaded again `far` iterations later, and in each one between. */
struct carried_store {
    uint32_t at, last;        /* instructions: it, and the last load of the code */
    uint32_t loads[MOST_FAR]; /* the first of each distance: n, of what was stored n + 1 before */
    unsigned far;
    isa_operand regs[MOST_FAR];
};

struct carried {
    uint32_t begin, end;
    struct carried_store of[MOST_STORES];
    uint32_t count, alone; /* parameters, as bits: others are not in their buffers */
};

struct carrier {
    struct isa_kernel *k;
    struct loops l;
    const uint64_t *provenance;
    struct arena *arena;
    bool versions;               /* there may be */
    struct firstiteration first; /* loads */
    uint8_t *far;                /* each load of what was stored: how many iterations ago */
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
    return *count && left <= MOST_LEFT ? n : 0;
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

/* Does an iteration load what this one has stored in those before? */
static bool is_carried(struct carrier *x, uint32_t begin, uint32_t at, struct carried_store *s) {
    const struct isa_kernel *k = x->k;
    isa_operand to = isa_srcs(k, &k->insts[at])[0];
    uint32_t by, found = 0;
    bool behind;
    *s = (struct carried_store){.at = at};
    if (k->insts[at].count != 1 ||
        !loops_grows(&x->l, k, to, loops_at(&x->l, begin), at, &by, &behind) || !by)
        return false;
    for (uint32_t n = begin + 1; n < at; n++) {
        uint32_t far = far_of(k, n, at, (int32_t)by);
        if (!far || isa_writes_between(k, to, n, at)) continue;
        if (!(found >> far & 1)) s->loads[far - 1] = n;
        found |= 1u << far;
        s->last = n;
        if (far > s->far) s->far = far;
    }
    return s->far && found == (2u << s->far) - 2 &&
           firstiteration_leaves(&x->first, begin, s->last) &&
           firstiteration_needs(&x->first, loops_at(&x->l, begin), to, s->last);
}

/* Do other stores leave its memory alone, where that parameter is? */
static bool is_apart(struct carrier *x, const struct carried_store *s, const uint32_t *stores,
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

/* Marks the loads that are of what is carried. */
static void mark_loads(struct carrier *x, uint32_t begin, const struct carried_store *s) {
    const struct isa_kernel *k = x->k;
    isa_operand to = isa_srcs(k, &k->insts[s->at])[0];
    uint32_t by;
    bool behind;
    loops_grows(&x->l, k, to, loops_at(&x->l, begin), s->at, &by, &behind);
    for (uint32_t n = begin + 1; n < s->at; n++)
        if (!isa_writes_between(k, to, n, s->at))
            x->far[n] |= (uint8_t)far_of(k, n, s->at, (int32_t)by);
}

static bool find(struct carrier *x, uint32_t begin, struct carried *c) {
    uint32_t stores[MOST_STORES], count;
    *c = (struct carried){.begin = begin};
    if (!(c->end = find_stores(x->k, begin, stores, &count))) return false;
    for (uint32_t n = 0; n < count; n++) {
        struct carried_store *s = &c->of[c->count];
        if (!is_carried(x, begin, stores[n], s)) continue;
        if (!is_apart(x, s, stores, count, &c->alone)) return false;
        c->count++;
    }
    for (uint32_t n = 0; n < c->count; n++) mark_loads(x, begin, &c->of[n]);
    return c->count;
}

/* ---- writing ---- */

/* Of which store's memory instruction n loads what was stored before; NULL: none, or not so. */
static const struct carried_store *loaded_by(const struct carrier *x, const struct carried *c,
                                             uint32_t n) {
    const struct isa_kernel *k = x->copy.k;
    for (uint32_t s = 0; s < c->count && x->far[n]; s++)
        if (isa_srcs(k, &k->insts[n])[0] == isa_srcs(k, &k->insts[c->of[s].at])[0])
            return &c->of[s];
    return NULL;
}

static const struct carried_store *stored_by(const struct carried *c, uint32_t n) {
    for (uint32_t s = 0; s < c->count; s++)
        if (c->of[s].at == n) return &c->of[s];
    return NULL;
}

/* The first iteration's loads. */
struct first_loads {
    struct carrier *x;
    const struct carried *c;
};
static void put_load(void *context, uint32_t n) {
    const struct first_loads *f = context;
    struct kernelcopy *copy = &f->x->copy;
    const struct carried_store *s = loaded_by(f->x, f->c, n);
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

/* An address that only the loop reads stays one that only the loop reads. */
static void rename_address(struct carrier *x, const struct carried *c, uint32_t store) {
    const struct isa_kernel *k = x->copy.k;
    isa_operand at = isa_srcs(k, &k->insts[store])[0];
    uint32_t reads = 0;
    for (uint32_t n = c->begin; n < c->end; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++) reads += isa_srcs(k, &k->insts[n])[s] == at;
    if (reads != x->l.reads[at] || !loops_start(k, c->begin, at)) return;
    kernelcopy_rename(&x->copy, at);
    kernelcopy_move(&x->copy, x->copy.names[at], at);
}

static void put_loop(struct carrier *x, const struct carried *c) {
    struct kernelcopy *copy = &x->copy;
    if (c->alone)
        alone_rename(copy, c->begin, c->end, false, x->arena);
    else
        rename_address(x, c, c->of[0].at);
    for (uint32_t n = c->begin; n <= c->end; n++) {
        const struct isa_inst *i = &copy->k->insts[n];
        const struct carried_store *ld = loaded_by(x, c, n), *st = stored_by(c, n);
        copy->at = n;
        if (ld)
            kernelcopy_move(copy, kernelcopy_named(copy, isa_dsts(copy->k, i)[0]),
                            ld->regs[x->far[n] - 1]);
        else
            kernelcopy_put(copy, n);
        if (!st) continue;
        for (unsigned f = st->far - 1; f; f--) kernelcopy_move(copy, st->regs[f], st->regs[f - 1]);
        kernelcopy_move(copy, st->regs[0], kernelcopy_named(copy, isa_srcs(copy->k, i)[1]));
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
    for (uint32_t n = c->begin; n <= c->end; n++) kernelcopy_put(copy, n);
    kernelcopy_keep_names(copy);
    kernelcopy_control(copy, ISA_endif, ISA_NO_OPERAND);
}

static void tell(struct carrier *x, struct carried *c, const struct trace_pass *p) {
    for (uint32_t n = 0; n < c->count; n++) {
        struct carried_store *s = &c->of[n];
        const struct isa_inst *st = &x->k->insts[s->at];
        trace_tell(p, st, "what is stored here is in registers, for %u iterations%s", s->far,
                   c->alone ? ", where the buffer is no other argument's" : "");
        for (unsigned f = 0; f < s->far; f++)
            s->regs[f] = isa_reg_new(x->k, (enum isa_type)st->type);
    }
}

static void rewrite(struct carrier *x, const struct carried *list, uint32_t count) {
    uint32_t next = 0;
    kernelcopy_take(&x->copy, x->k, x->arena);
    for (uint32_t n = 0; n < x->copy.k->ninsts && !x->copy.failed; n++) {
        if (next == count || list[next].begin != n) {
            kernelcopy_put(&x->copy, n);
            continue;
        }
        put(x, &list[next]);
        n = list[next++].end;
    }
}

void opt_carry(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    const uint64_t *provenance = alone_provenance(k, arena);
    struct carrier x = {.k = k, .arena = arena, .provenance = provenance};
    uint32_t count = 0;
    bool any = rewrite_nesting(k) + MOST_LEFT < ISA_MAX_NESTING && loops_find(&x.l, k, arena);
    struct carried *list = ARENA_ARRAY(arena, struct carried, x.l.nloops + 1u);
    x.first = (struct firstiteration){k, &x.l, ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u)};
    x.far = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x.versions = provenance && alone_may(k);
    for (uint32_t n = 0; any && n < k->ninsts; n++)
        if (k->insts[n].op == ISA_loop && find(&x, n, &list[count])) tell(&x, &list[count++], p);
    if (count && !isa_kernel_failed(k)) rewrite(&x, list, count);
}
