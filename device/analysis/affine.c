/* Affine values: the walk over a kernel. */
#include "affine.h"

#include <stdlib.h>
#include <string.h>

#include "affine_walk.h"
#include "device/isa/compare.h"

static void set(struct affine_walk *w, uint32_t reg, uint32_t value) {
    AFFINE_ADD(w, entries, (struct affine_entry){reg, w->now[reg]});
    w->now[reg] = value;
}

/* ---- accesses ---- */

static void record(struct affine_walk *w, uint32_t n) {
    const struct isa_inst *i = &w->k->insts[n];
    if (w->accesses.count == w->most) {
        w->failed = true;
        return;
    }
    struct affine_access a = {.inst = n, .nfacts = w->holding.count};
    struct affine_sum at = affine_read_value(w, isa_srcs(w->k, i)[0]), by = affine_number(i->imm);
    a.at = affine_add(&w->limits, &at, &by, 1);
    a.facts = w->lists.count;
    for (uint32_t f = 0; f < w->holding.count; f++) AFFINE_ADD(w, lists, w->holding.at[f]);
    AFFINE_ADD(w, accesses, a);
}

/* ---- regions ---- */

/* A register of which two parts say different things: the first one where the condition holds. */
static uint32_t met(struct affine_walk *w, const struct affine_condition *c, uint32_t reg,
                    uint32_t a, uint32_t b) {
    enum isa_type type = (enum isa_type)w->k->reg_types[reg];
    if (a == b || !a || !b) return a == b ? a : 0;
    if (type != ISA_I32 && type != ISA_I64) return 0;
    struct affine_sum r = affine_chosen(w, c, &w->values.at[a], &w->values.at[b]);
    return affine_equal(&r, &w->values.at[a]) ? a : affine_value_new(w, &r);
}

/* What an iteration of the loop moves the register by, a number. */
static bool find_step(const struct affine_walk *w, uint32_t reg, uint32_t loop, int64_t *by) {
    uint32_t at = loops_writer(&w->loops, reg, loop);
    struct loop_counter c;
    if (at >= LOOPS_NONE || w->k->insts[at].type != ISA_I32 || !w->loops.each[at] ||
        !loops_step(&w->loops, w->k, at, &c) || c.loop != loop ||
        loops_varies(&w->loops, c.step, loop))
        return false;
    struct affine_sum step = affine_read_value(w, c.step);
    if (!affine_is_number(&step)) return false;
    *by = c.down ? -step.low : step.low;
    return true;
}

/* Registers that the loop writes are unknown at its beginning, but for those that each iteration
 * moves by the same: what they are then. */
static void enter_loop(struct affine_walk *w, struct affine_region *r) {
    const struct isa_kernel *k = w->k;
    uint32_t end = k->insts[r->inst].match, first = w->parts.count;
    r->atom = w->atoms < AFFINE_ATOMS ? w->atoms++ : AFFINE_NO_LOOP;
    for (uint32_t n = r->inst + 1; n < end; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++) {
            uint32_t reg = isa_dsts(k, &k->insts[n])[d];
            struct affine_sum now = affine_unknown(), counter = affine_atom(r->atom);
            int64_t by;
            if (w->seen[reg]) continue;
            w->seen[reg] = 1;
            if (r->atom && w->now[reg] && find_step(w, reg, loops_at(&w->loops, r->inst), &by))
                now = affine_add(&w->limits, &w->values.at[w->now[reg]], &counter, by);
            AFFINE_ADD(w, parts, (struct affine_entry){reg, affine_value_new(w, &now)});
        }
    for (uint32_t n = first; n < w->parts.count; n++) {
        w->seen[w->parts.at[n].reg] = 0;
        set(w, w->parts.at[n].reg, w->parts.at[n].before);
    }
    w->parts.count = first;
}

/* A loop that is left at its end alone, by a counter: how often it goes round is a fact in it. */
static void hold_end(struct affine_walk *w, const struct affine_region *r) {
    const struct isa_kernel *k = w->k;
    uint32_t leaves = k->insts[r->inst].match - 1;
    enum isa_op op = (enum isa_op)k->insts[leaves].op;
    struct loop_exit x;
    if (!r->atom || op != ISA_breakif || k->insts[leaves].imm || !w->loops.each[leaves] ||
        !loops_exit(&w->loops, k, leaves, &x) || !w->loops.each[x.counter.at])
        return;
    op = (enum isa_op)k->insts[x.compare].op;
    if (op == ISA_eq || x.step > INT16_MAX || w->now[x.counter.reg] == 0) return;
    bool has_sign = compare_is_signed(op);
    struct affine_sum bound = affine_read_value(w, x.bound), start = affine_unknown(),
                      off = affine_number((int32_t)x.off), d;
    for (uint32_t n = r->entries; n < w->entries.count; n++)
        if (w->entries.at[n].reg == x.counter.reg) start = w->values.at[w->entries.at[n].before];
    start = affine_add(&w->limits, &start, &off, 1);
    d = x.down ? affine_add(&w->limits, &start, &bound, -1)
               : affine_add(&w->limits, &bound, &start, -1);
    int64_t low, high, step = x.step;
    if (!affine_exact(w, &start, has_sign, x.down ? -step : step) ||
        !affine_exact(w, &bound, has_sign, x.down ? -step : step) ||
        !affine_range(&w->limits, &d, &low, &high))
        return;
    int64_t most = x.inclusive ? high / step + 1 : (high + step - 1) / step;
    struct affine_fact f = {.sum = affine_atom(r->atom), .most = high < 0 ? 0 : most};
    f.whole = f.sum;
    f.to = f.most;
    AFFINE_ADD(w, facts, f);
    AFFINE_ADD(w, holding, w->facts.count - 1);
    affine_find_limits(w);
}

/* Of each register that the region has written, once what it was before. */
static void compact(struct affine_walk *w, const struct affine_region *r) {
    uint32_t left = r->entries;
    for (uint32_t n = r->entries; n < w->entries.count; n++) {
        struct affine_entry e = w->entries.at[n];
        if (!w->seen[e.reg]) w->entries.at[left++] = e;
        w->seen[e.reg] = 1;
    }
    w->entries.count = left;
    for (uint32_t n = r->entries; n < left; n++) w->seen[w->entries.at[n].reg] = 0;
}

/* Behind a loop, and a block that is left from within: what was written may be anything. */
static void forget(struct affine_walk *w, const struct affine_region *r) {
    for (uint32_t n = r->entries; n < w->entries.count; n++) w->now[w->entries.at[n].reg] = 0;
}

/* What the first part made of registers is put aside, and they are what they were. */
static void begin_else(struct affine_walk *w, struct affine_region *r) {
    struct affine_condition c = w->conditions.at[r->condition];
    r->has_else = true;
    r->part = w->parts.count;
    compact(w, r);
    for (uint32_t n = r->entries; n < w->entries.count; n++) {
        struct affine_entry e = w->entries.at[n];
        AFFINE_ADD(w, parts, (struct affine_entry){e.reg, w->now[e.reg]});
        w->now[e.reg] = e.before;
    }
    w->entries.count = r->entries;
    r->nparts = w->parts.count - r->part;
    r->part_alive = w->alive;
    w->alive = r->alive && !(c.constant && c.value);
    affine_release(w, r->facts);
    affine_hold(w, &c, 0, false);
}

/* Both parts meet; one that nobody leaves at its end has no say. */
static void end_if(struct affine_walk *w, struct affine_region *r) {
    struct affine_condition c = w->conditions.at[r->condition];
    if (!r->has_else) begin_else(w, r);
    bool first = r->part_alive, second = w->alive;
    affine_release(w, r->facts); /* values that meet are of either part */
    compact(w, r);
    uint32_t end = w->entries.count;
    for (uint32_t n = r->part; n < r->part + r->nparts; n++) w->seen[w->parts.at[n].reg] = 1;
    for (uint32_t n = r->entries; n < end; n++) { /* what the second part alone has written */
        struct affine_entry e = w->entries.at[n];
        if (w->seen[e.reg]) continue;
        if (first) w->now[e.reg] = second ? met(w, &c, e.reg, e.before, w->now[e.reg]) : e.before;
    }
    for (uint32_t n = r->part; n < r->part + r->nparts; n++) {
        struct affine_entry e = w->parts.at[n];
        uint32_t other = w->now[e.reg];
        w->seen[e.reg] = 0;
        if (first) set(w, e.reg, second ? met(w, &c, e.reg, e.before, other) : e.before);
    }
    compact(w, r);
    w->parts.count = r->part;
    w->alive = first || second;
    if (r->alive && first != second) affine_hold(w, &c, first, false);
}

static struct affine_region *target(struct affine_walk *w, const struct isa_inst *i) {
    return &w->open[w->depth - 1 - (uint32_t)i->imm];
}

static void begin_region(struct affine_walk *w, uint32_t n) {
    const struct isa_inst *i = &w->k->insts[n];
    struct affine_region *r = &w->open[w->depth++];
    *r = (struct affine_region){.begin = (enum isa_op)i->op,
                                .inst = n,
                                .entries = w->entries.count,
                                .facts = w->holding.count,
                                .alive = w->alive};
    if (i->op == ISA_loop) {
        enter_loop(w, r);
        hold_end(w, r);
    }
    if (i->op != ISA_if) return;
    struct affine_condition c = affine_read_condition(w, isa_srcs(w->k, i)[0]);
    r->condition = affine_condition_new(w, &c);
    w->alive &= !(c.constant && !c.value);
    affine_hold(w, &c, 1, false);
}

static void end_region(struct affine_walk *w) {
    struct affine_region *r = &w->open[--w->depth];
    if (r->begin == ISA_if) {
        end_if(w, r);
        return;
    }
    compact(w, r);
    if (r->begin == ISA_loop || r->broken) forget(w, r);
    w->alive = r->alive && (w->alive || r->broken || r->begin == ISA_loop);
    affine_release(w, r->facts);
}

static void jump(struct affine_walk *w, const struct isa_inst *i) {
    struct affine_condition c = {.constant = true, .value = true};
    if (i->op == ISA_breakif) c = affine_read_condition(w, isa_srcs(w->k, i)[0]);
    if (w->alive && i->op == ISA_continue) target(w, i)->continued = true;
    if (w->alive && (i->op == ISA_break || i->op == ISA_breakif)) target(w, i)->broken = true;
    const struct affine_region *inner = w->depth ? &w->open[w->depth - 1] : NULL;
    bool own = inner && inner->begin == ISA_loop && inner->atom == c.loop && !inner->continued;
    if (c.constant)
        w->alive &= !c.value;
    else
        affine_hold(w, &c, 0, own);
}

static void step(struct affine_walk *w, uint32_t n) {
    const struct isa_inst *i = &w->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    bool shared = i->space == ISA_GLOBAL || i->space == ISA_LOCAL;
    if (flags & ISA_OP_MEMORY && shared && w->alive) record(w, n);
    if (flags & ISA_OP_REGION_BEGIN) begin_region(w, n);
    if (flags & ISA_OP_REGION_ELSE) begin_else(w, &w->open[w->depth - 1]);
    if (flags & ISA_OP_REGION_END) end_region(w);
    if (flags & ISA_OP_JUMP) jump(w, i);
    uint32_t results[ISA_WARP];
    for (unsigned d = 0; d < i->ndst && d < ISA_WARP; d++) results[d] = affine_result(w, i, d);
    for (unsigned d = 0; d < i->ndst && d < ISA_WARP; d++) set(w, isa_dsts(w->k, i)[d], results[d]);
}

static bool begin(struct affine_walk *w) {
    struct affine_sum none = affine_unknown();
    w->now = calloc(w->k->nregs + (size_t)1, sizeof *w->now);
    w->seen = calloc(w->k->nregs + (size_t)1, 1);
    w->arena = loops_new(&w->loops, w->k);
    w->open = malloc((ISA_MAX_NESTING + 2) * sizeof *w->open);
    w->alive = true;
    w->atoms = AFFINE_LOOPS;
    AFFINE_ADD(w, values, none);
    AFFINE_ADD(w, conditions, (struct affine_condition){0});
    affine_find_limits(w);
    /* All registers begin as 0. */
    struct affine_sum zero = affine_number(0);
    uint32_t value = affine_value_new(w, &zero);
    for (uint32_t n = 0; w->now && n < w->k->nregs; n++)
        if (w->k->reg_types[n] == ISA_I32 || w->k->reg_types[n] == ISA_I64) w->now[n] = value;
    return w->now && w->seen && w->arena && w->open && !w->failed;
}

static struct affine_accesses *finish(struct affine_walk *w) {
    struct affine_accesses *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    *a = (struct affine_accesses){.list = w->accesses.at,
                                  .count = w->accesses.count,
                                  .facts = w->facts.at,
                                  .nfacts = w->facts.count,
                                  .auxiliaries = w->auxiliaries.at,
                                  .nauxiliaries = w->auxiliaries.count,
                                  .fact_lists = w->lists.at};
    for (unsigned d = 0; d < 3; d++) {
        a->most[AFFINE_LOCAL + d] = w->l->local_size[d] - 1;
        a->most[AFFINE_GROUP + d] = w->l->groups[d] - 1;
    }
    w->accesses.at = NULL;
    w->facts.at = NULL;
    w->auxiliaries.at = NULL;
    w->lists.at = NULL;
    return a;
}

struct affine_accesses *affine_find(const struct isa_kernel *k, const struct affine_launch *l,
                                    uint32_t most) {
    struct affine_walk w = {.k = k, .l = l, .most = most};
    bool good = begin(&w);
    for (uint32_t n = 0; good && n < k->ninsts && !w.failed; n++) step(&w, n);
    struct affine_accesses *found = good && !w.failed ? finish(&w) : NULL;
    free(w.values.at);
    free(w.conditions.at);
    free(w.now);
    free(w.entries.at);
    free(w.parts.at);
    free(w.facts.at);
    free(w.auxiliaries.at);
    free(w.holding.at);
    free(w.accesses.at);
    free(w.lists.at);
    free(w.open);
    free(w.seen);
    arena_free(w.arena);
    return found;
}

void affine_free(struct affine_accesses *a) {
    if (!a) return;
    free(a->list);
    free(a->facts);
    free(a->auxiliaries);
    free(a->fact_lists);
    free(a);
}

int64_t affine_most(const struct affine_accesses *a, const struct affine_term *t) {
    return affine_field_end(t->atom < AFFINE_LOOPS ? (int64_t)a->most[t->atom] : -1, t);
}
