/* Runs of elements, as where each work-item goes through several that lie side by side, dealt out
 * anew: lanes take elements in turn, so that in each iteration neighbours have neighbours, as if
 * each element had a work-item of its own. That is done where an iteration depends on its counters
 * and on what all lanes have the same of, and leaves nothing in registers; where what it stores to
 * is reached by one parameter alone, and no counter wraps around, which is known when the kernel is
 * launched. Else the loop is as it was. */
#include <stdlib.h>
#include <string.h>

#include "dealer.h"
#include "device/analysis/provenance.h"
#include "device/isa/compare.h"
#include "device/isa/rewrite.h"

enum { MOST_WAITING = 16 /* stores */ };

/* ---- what numbers are at most ---- */

static isa_operand most_of(struct dealer *d, isa_operand o, uint32_t before, unsigned left);

/* Of what instruction `at` writes, as an unsigned number that is one for the group and does not
 * wrap around; ISA_NO_OPERAND: that is not known. */
static isa_operand most_written(struct dealer *d, uint32_t at, unsigned left) {
    struct kernelcopy *c = &d->copy;
    const struct isa_inst *i = &c->k->insts[at];
    const isa_operand *src = isa_srcs(c->k, i);
    uint32_t by;
    if (i->type != ISA_I32 || !left) return ISA_NO_OPERAND;
    if (i->op == ISA_special) {
        unsigned which = (unsigned)i->imm;
        if (which <= ISA_SPECIAL_local_id_z)
            return kernelcopy_word(c, d->sized->groups.size[which] - 1);
        if (which == ISA_SPECIAL_thread_id) return kernelcopy_word(c, d->sized->items - 1);
        if (which < ISA_SPECIAL_global_id_x || which > ISA_SPECIAL_global_id_z)
            return ISA_NO_OPERAND;
        which -= ISA_SPECIAL_global_id_x;
        isa_operand items = kernelcopy_special(c, ISA_SPECIAL_global_size_x + which);
        items = kernelcopy_result(c, ISA_add, ISA_I32, items, kernelcopy_word(c, UINT32_MAX));
        isa_operand offset = kernelcopy_special(c, ISA_SPECIAL_global_offset_x + which);
        return kernelcopy_result(c, ISA_addsat_u, ISA_I32, items, offset);
    }
    bool knows = i->op == ISA_mov || i->op == ISA_add || i->op == ISA_mul || i->op == ISA_shl;
    if (!knows) return ISA_NO_OPERAND;
    isa_operand a = most_of(d, src[0], at, left - 1), b = ISA_NO_OPERAND;
    if (i->op == ISA_mov || a == ISA_NO_OPERAND) return a;
    if (i->op == ISA_shl && isa_constant(c->k, src[1], &by))
        b = kernelcopy_word(c, 1u << (by & 31));
    else if (i->op != ISA_shl)
        b = most_of(d, src[1], at, left - 1);
    if (b == ISA_NO_OPERAND) return b;
    if (i->op == ISA_add) return kernelcopy_result(c, ISA_addsat_u, ISA_I32, a, b);
    isa_operand high = kernelcopy_result(c, ISA_mulhi_u, ISA_I32, a, b);
    isa_operand low = kernelcopy_result(c, ISA_mul, ISA_I32, a, b);
    isa_operand beyond = kernelcopy_result(c, ISA_min_u, ISA_I32, high, kernelcopy_word(c, 1));
    beyond = kernelcopy_result(c, ISA_sub, ISA_I32, kernelcopy_word(c, 0), beyond); /* all ones */
    return kernelcopy_result(c, ISA_or, ISA_I32, low, beyond);
}

static isa_operand most_of(struct dealer *d, isa_operand o, uint32_t before, unsigned left) {
    if (isa_is_const(o)) return o;
    if (!runs_known(&d->runs, o, before)) return ISA_NO_OPERAND;
    if (runs_one(&d->runs, o, SHAPE_GROUP)) return o;
    return most_written(d, d->runs.loops.writers[o], left);
}

/* ---- the version ---- */

/* Whether all lanes of a warp are on and go through all of their runs; ISA_NO_OPERAND: they do. */
static isa_operand are_whole(struct dealer *d, const struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    isa_operand one = kernelcopy_word(c, 1), stay = ISA_NO_OPERAND;
    if (!l->ncuts && !l->partial) return stay;
    for (unsigned n = 0; n < l->ncuts; n++) {
        const struct run_cut *cut = &l->cuts[n];
        isa_operand p = cut->fixed;
        if (p == ISA_NO_OPERAND) {
            isa_operand reg = isa_dsts(c->k, &c->k->insts[cut->start])[0];
            uint32_t by = cut->off + (l->run - 1 - l->bottom) * cut->step;
            isa_operand at = kernelcopy_result(c, ISA_add, ISA_I32, reg, kernelcopy_word(c, by));
            p = cut->side ? kernelcopy_result(c, cut->op, ISA_I32, at, cut->bound)
                          : kernelcopy_result(c, cut->op, ISA_I32, cut->bound, at);
        }
        if (!cut->opposite) p = kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND);
        stay = n ? kernelcopy_result(c, ISA_and, ISA_PRED, stay, p) : p;
    }
    if (l->ncuts) one = kernelcopy_select(c, ISA_I32, stay, one, kernelcopy_word(c, 0));
    isa_operand lanes = kernelcopy_result(c, ISA_lane_add, ISA_I32, one, ISA_NO_OPERAND);
    return kernelcopy_result(c, ISA_eq, ISA_I32, lanes, kernelcopy_word(c, ISA_WARP));
}

/* Whether a counter that instruction `start` starts does not wrap around when it goes on by that.
 */
static isa_operand is_straight(struct dealer *d, uint32_t start, uint32_t total, bool is_signed) {
    struct kernelcopy *c = &d->copy;
    uint32_t limit = (is_signed ? (uint32_t)INT32_MAX : UINT32_MAX) - total;
    isa_operand most = most_written(d, start, RUNS_CHAIN);
    c->failed |= most == ISA_NO_OPERAND;
    return c->failed ? most
                     : kernelcopy_result(c, ISA_le_u, ISA_I32, most, kernelcopy_word(c, limit));
}

/* Whether it is right, as a predicate that is one for the warp. */
static isa_operand is_right(struct dealer *d, struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    isa_operand fits = is_straight(d, l->start, l->total, l->is_signed);
    for (unsigned n = 0; n < l->ncuts && !c->failed; n++) {
        const struct run_cut *cut = &l->cuts[n];
        if (cut->fixed != ISA_NO_OPERAND || cut->start == l->start) continue;
        bool is_signed = compare_is_signed(cut->op);
        uint32_t step = (int32_t)cut->step < 0 ? -cut->step : cut->step;
        fits = kernelcopy_joined(c, ISA_and, is_straight(d, cut->start, l->run * step, is_signed),
                                 fits);
    }
    if (c->failed) return ISA_NO_OPERAND;
    fits = kernelcopy_result(c, ISA_and, ISA_PRED, fits, kernelcopy_alone(c, l->alone));
    fits = kernelcopy_joined(c, ISA_and, are_whole(d, l), fits);
    return kernelcopy_joined(c, ISA_and, spread_apart(d, l), fits);
}

static isa_operand times(struct kernelcopy *c, isa_operand o, uint32_t by) {
    uint32_t value;
    if (isa_constant(c->k, o, &value)) return kernelcopy_word(c, value * by);
    return kernelcopy_result(c, ISA_mul, ISA_I32, o, kernelcopy_word(c, by));
}

/* Stores that wait for loads behind them, so that elements that lie side by side are loaded, and
 * stored, together. */
struct dealt_stores {
    uint32_t at[MOST_WAITING]; /* instructions */
    unsigned count;
};

static void put_waiting(struct kernelcopy *c, struct dealt_stores *w) {
    for (unsigned n = 0; n < w->count; n++) kernelcopy_put(c, w->at[n]);
    w->count = 0;
}

/* May what it loads be what waiting stores have stored, or are their operands not its own? */
static bool meets(const struct dealer *d, const struct run_loop *l, const struct dealt_stores *w,
                  uint32_t n) {
    const struct isa_kernel *k = d->copy.k;
    const struct isa_inst *i = &k->insts[n];
    bool loads = i->op == ISA_ld && i->space == ISA_GLOBAL;
    if (loads && provenance_of(k, d->runs.provenance, i) & l->alone) return true;
    if (i->op != ISA_ld && !(isa_op_info[i->op].flags & ISA_OP_PURE)) return true;
    for (unsigned s = 0; s < w->count; s++) {
        const struct isa_inst *store = &k->insts[w->at[s]];
        for (unsigned o = 0; o < store->nsrc; o++)
            if (isa_writes(k, i, isa_srcs(k, store)[o])) return true;
    }
    return false;
}

/* The counter is stepped behind all that reads it: once, by what its step and the way to the lane's
 * next element are together, so that its alignment is known throughout. */
static bool is_stepped_last(const struct dealer *d, const struct run_loop *l,
                            const struct run_counter *c) {
    const struct isa_kernel *k = d->copy.k;
    if (c->derived) return false;
    for (uint32_t n = c->at + 1; n < k->insts[l->begin].match; n++)
        if (isa_reads(k, &k->insts[n], c->reg) && !d->runs.left_out[n]) return false;
    return true;
}

/* Is it such a step? */
static bool is_last_step(const struct dealer *d, const struct run_loop *l, uint32_t n) {
    for (unsigned c = 0; c < l->ncounters; c++)
        if (l->counters[c].at == n) return is_stepped_last(d, l, &l->counters[c]);
    return false;
}

/* An iteration, where no other parameter shares the memory that it stores to. */
static void put_iteration(struct dealer *d, const struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    struct dealt_stores w = {0};
    for (uint32_t n = l->begin + 1; n < c->k->insts[l->begin].match; n++) {
        if (d->runs.left_out[n] || is_last_step(d, l, n)) continue;
        const struct isa_inst *i = &c->k->insts[n];
        bool waits = i->op == ISA_st && i->space == ISA_GLOBAL && !(i->flags & ISA_VOLATILE);
        if (waits ? w.count == MOST_WAITING : meets(d, l, &w, n)) put_waiting(c, &w);
        if (waits)
            w.at[w.count++] = n;
        else
            kernelcopy_put(c, n);
    }
    put_waiting(c, &w);
}

static void write_dealt(struct dealer *d, struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand lane = kernelcopy_special(c, ISA_SPECIAL_thread_id);
    runlengths_prepare(&d->runs, l);
    lane = kernelcopy_result(c, ISA_and, ISA_I32, lane, kernelcopy_word(c, l->lanes - 1));
    dealer_rename(c, l);
    /* Of a run that goes down the last element is the first one. */
    isa_operand at =
        l->down ? kernelcopy_result(c, ISA_add, ISA_I32, lane, kernelcopy_word(c, 1)) : lane;
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand back = times(c, l->counters[n].step, l->run - 1);
        isa_operand by = kernelcopy_result(c, ISA_mul, ISA_I32, at, back);
        kernelcopy_add(c, l->down ? ISA_add : ISA_sub, ISA_I32, l->counters[n].dealt,
                       l->counters[n].reg, by);
    }
    isa_operand on[RUNS_COUNTERS];
    uint32_t turn_on = l->down ? -(l->lanes + 1) : l->lanes - 1;
    for (unsigned n = 0; n < l->ncounters; n++)
        on[n] = times(c, l->counters[n].step, turn_on + is_stepped_last(d, l, &l->counters[n]));
    isa_operand turn = kernelcopy_result(c, ISA_mov, ISA_I32, kernelcopy_word(c, 0), none);
    kernelcopy_control(c, ISA_loop, none);
    isa_operand over = kernelcopy_result(c, ISA_le_u, ISA_I32, kernelcopy_word(c, l->run), turn);
    kernelcopy_add(c, ISA_breakif, ISA_NONE_T, none, over, none)->site = c->k->insts[l->test].site;
    put_iteration(d, l);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].dealt;
        kernelcopy_add(c, ISA_add, ISA_I32, reg, reg, on[n]);
    }
    kernelcopy_add(c, ISA_add, ISA_I32, turn, turn, kernelcopy_word(c, 1));
    kernelcopy_control(c, ISA_endloop, none);
    kernelcopy_keep_names(c);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].reg;
        if (!dealer_reads_later(c->k, l, reg)) continue;
        uint32_t steps = l->run + (!l->bottom && l->counters[n].at < l->test);
        kernelcopy_add(c, ISA_add, ISA_I32, reg, reg, times(c, l->counters[n].step, steps));
    }
}

/* The loop as it was, the other part of the `if`. What it counts with has a name of its own there,
 * too, so that what is known of where it starts is known in the version. */
static void write_as_it_was(struct dealer *d, const struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    uint32_t end = c->k->insts[l->begin].match;
    kernelcopy_keep_names(c);
    c->at = l->begin;
    kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].reg;
        if (l->counters[n].derived || dealer_reads_later(c->k, l, reg)) continue;
        kernelcopy_rename(c, reg);
        kernelcopy_move(c, c->names[reg], reg);
    }
    kernelcopy_put_range(c, l->begin, end + 1);
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
    kernelcopy_keep_names(c);
}

static void write_spread(struct dealer *d, struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    struct spread spread;
    spread_test(d, l, &spread);
    kernelcopy_control(c, ISA_if, spread.right);
    spread_write(d, l, &spread);
    write_as_it_was(d, l);
}

static void write_versions(struct dealer *d, struct run_loop *l) {
    struct kernelcopy *c = &d->copy;
    const isa_operand none = ISA_NO_OPERAND;
    c->at = l->begin;
    if (l->spread) {
        write_spread(d, l);
        return;
    }
    kernelcopy_control(c, ISA_if, is_right(d, l));
    write_dealt(d, l);
    if (!l->other || l->other->refused) {
        write_as_it_was(d, l);
        return;
    }
    kernelcopy_keep_names(c);
    kernelcopy_control(c, ISA_else, none);
    write_spread(d, l->other);
    kernelcopy_control(c, ISA_endif, none);
}

/* Writes the copy, with those that are not refused; false: there are none, or no room. */
static bool write(struct dealer *d) {
    struct kernelcopy *c = &d->copy;
    unsigned next = 0, written = 0;
    kernelcopy_keep_names(c);
    for (uint32_t n = 0; !c->failed && n < c->k->ninsts; n++) {
        struct run_loop *l = next < d->found.count ? &d->found.of[next] : NULL;
        next += l && l->begin == n;
        if (!l || l->begin != n || l->refused) {
            kernelcopy_put(c, n);
            continue;
        }
        write_versions(d, l);
        written++;
        n = c->k->insts[n].match;
    }
    return written && !c->failed && kernelcopy_finish(c->out);
}

/* Two accesses of a place, one of which stores, with `step` bytes from lane to lane: where elements
 * of one turn meet, is the one of the earlier iteration before the other one in the code, too, as
 * all lanes do one instruction after the other? */
static bool keeps_order(const struct isa_kernel *k, uint32_t store, uint32_t other, int64_t step,
                        unsigned lanes) {
    const struct isa_inst *s = &k->insts[store], *i = &k->insts[other];
    for (int64_t later = -(int64_t)lanes + 1; later < (int64_t)lanes; later++) {
        int64_t at = s->imm + later * step;
        bool meet = at < i->imm + (int64_t)isa_bytes(i) && i->imm < at + (int64_t)isa_bytes(s);
        if (later && meet && (later > 0 ? other >= store : store >= other)) return false;
    }
    return true;
}

static bool is_of(const struct dealer *d, const struct run_place *p, uint32_t n) {
    const struct isa_inst *i = &d->copy.k->insts[n];
    return (i->op == ISA_ld || i->op == ISA_st) && i->space == ISA_GLOBAL &&
           provenance_of(d->copy.k, d->runs.provenance, i) >> p->param & 1;
}

/* Elements of one turn keep their order where it accesses what it stores more than once; the order
 * of turns is that of each work-item. */
static bool is_ordered(const struct dealer *d, const struct shape *shape, const struct run_loop *l,
                       const struct run_place *p) {
    const struct isa_kernel *k = d->copy.k;
    struct shape_value v = shape->regs[p->dealt];
    int64_t far = v.stride < 0 ? -(int64_t)v.stride : v.stride;
    uint32_t end = k->insts[l->begin].match;
    bool good = shape_span_lanes(v.span) >= l->lanes;
    if (!good || far >= p->end - p->first) return good;
    if (l->down || p->again) return false;
    for (uint32_t s = l->begin + 1; s < end; s++)
        for (uint32_t n = l->begin + 1; n < end && k->insts[s].op == ISA_st && is_of(d, p, s); n++)
            good &= !is_of(d, p, n) || keeps_order(k, s, n, v.stride, l->lanes);
    return good;
}

static bool is_apart(const struct dealer *d, const struct shape *shape, const struct run_loop *l) {
    bool good = true;
    for (unsigned p = 0; p < l->nplaces; p++)
        good &= !runs_checked(&l->places[p]) || is_ordered(d, shape, l, &l->places[p]);
    return good;
}

/* Those that are not known to be so are refused. */
static bool check(struct dealer *d) {
    struct shape *shape = shape_new_lockstep(d->copy.out, d->sized->groups.size);
    bool good = shape;
    for (unsigned n = 0; shape && n < d->found.count; n++)
        for (struct run_loop *l = &d->found.of[n]; l && !d->found.of[n].refused; l = l->other)
            if (!l->refused && !is_apart(d, shape, l)) {
                l->refused = true;
                good = false;
            }
    shape_free(shape);
    return good;
}

/* ---- the kernel ---- */

static bool make_kernel(struct dealer *d) {
    for (unsigned tries = 0; tries <= 2 * RUNS_LOOPS; tries++) {
        bool written = kernelcopy_begin(&d->copy, d->sized->k, DEALER_MOST) && write(d);
        if (written && check(d)) return true;
        kernelcopy_drop(&d->copy);
        if (!written) return false;
    }
    return false;
}

static void tell(const struct trace_pass *p, const struct dealer *d) {
    for (unsigned n = 0; n < d->found.count; n++) {
        const struct run_loop *l = &d->found.of[n];
        if (l->refused) continue;
        if (l->spread)
            trace_tell(p, &d->copy.k->insts[l->begin], "runs by all lanes side by side, one %s",
                       l->nown || l->nreductions ? "after the other" : "for all where they adjoin");
        else
            trace_tell(p, &d->copy.k->insts[l->begin], "runs of %u elements, by %u lanes in turn%s",
                       l->run, l->lanes,
                       l->ncuts || l->partial ? ", where all of a warp have them" : "");
    }
}

bool dealt_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    const struct isa_kernel *k = s->k;
    if (k->probed || k->ninsts >= DEALER_MOST / 3 || k->nparams > 64 ||
        rewrite_nesting(k) + 4 > ISA_MAX_NESTING)
        return true;
    struct dealer *d = calloc(1, sizeof *d);
    bool good = d && runs_find(&d->runs, s, &d->found);
    if (good && d->found.count) {
        d->sized = s;
        if (make_kernel(d)) {
            tell(p, d);
            sized_kernel_take(made, &d->copy);
        }
    }
    if (d) runs_end(&d->runs);
    free(d);
    return good;
}
