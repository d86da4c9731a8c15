/* Runs whose length is known when lanes come to the loop: how many elements each lane has, and
 * whether its run begins where that of the lane before ends, is computed there. Then all lanes of
 * the warp go through all these elements as through one run, side by side; or, where the runs are
 * apart but long, through one run after the other. Any counters will do: what counts is where they
 * are, not how they came there. */
#include "dealer.h"
#include "device/isa/compare.h"
#include "device/isa/constant.h"

enum { MOST_COUNT = 1 << 25, MOST_NARROW_COUNT = 1 << 16 }; /* elements of one lane */

static enum isa_type type_of(const struct kernelcopy *c, isa_operand o) {
    return isa_operand_type(c->out, o);
}

/* A word as an integer of that type; it is less than 2^31. */
static isa_operand fitted(struct kernelcopy *c, enum isa_type type, isa_operand o) {
    return kernelcopy_converted(c, type == ISA_I64 ? ISA_zext : ISA_trunc, type, ISA_I32, o);
}

static isa_operand times_step(struct kernelcopy *c, enum isa_type type, isa_operand o,
                              isa_operand step) {
    int64_t by, times;
    bool known = constant_signed(c->out, step, &by);
    if (known && constant_signed(c->out, o, &times))
        return kernelcopy_number(c, type, (int64_t)((uint64_t)by * (uint64_t)times));
    o = fitted(c, type, o);
    if (known && by == 1) return o;
    return kernelcopy_result(c, ISA_mul, type, o, step);
}

static isa_operand step_of(struct kernelcopy *c, const struct run_counter *of) {
    return of->derived ? kernelcopy_number(c, type_of(c, of->reg), of->by) : of->step;
}

/* ---- how many elements ---- */

/* What an exit compares in the first iteration; what it widens. */
struct first_values {
    isa_operand value, bound, narrow;
};

/* What says where the loop begins and how it ends, for the first iteration. */
static void put_first(struct dealer *d, const struct run_loop *l, struct first_values *first,
                      struct spread *s) {
    struct kernelcopy *c = &d->copy;
    for (uint32_t n = l->begin + 1; n < c->k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        const isa_operand *src = isa_srcs(c->k, i);
        for (unsigned x = 0; x < l->nexits; x++) {
            if (l->exits[x].at == n) {
                first[x].value = kernelcopy_named(c, src[l->exits[x].value]);
                first[x].bound = kernelcopy_named(c, src[!l->exits[x].value]);
            }
            if (l->exits[x].extends == n) first[x].narrow = kernelcopy_named(c, src[0]);
        }
        for (unsigned p = 0; p < 2 * l->npairs; p++)
            if (l->pairs[p / 2].of[p % 2] == n) s->at[p / 2][p % 2] = kernelcopy_named(c, src[0]);
        if (!d->runs.first[n]) continue;
        kernelcopy_put_anew(c, n);
        for (unsigned x = 0; x < l->ncounters; x++)
            if (l->counters[x].derived && l->counters[x].at == n)
                s->first[x] = kernelcopy_named(c, l->counters[x].reg);
    }
    kernelcopy_keep_names(c);
}

/* Iterations until the exit, of its own type; *good: lanes of which that is known. What falls rises
 * where all bits are the other way round. */
static isa_operand count_until(struct kernelcopy *c, const struct run_exit *x,
                               const struct first_values *first, isa_operand *good) {
    enum isa_type type = type_of(c, first->value);
    isa_operand v = first->value, b = first->bound;
    int64_t step = x->step;
    if (x->op == ISA_eq) {
        isa_operand far = step > 0 ? kernelcopy_result(c, ISA_sub, type, b, v)
                                   : kernelcopy_result(c, ISA_sub, type, v, b);
        if (step < 0) step = -step;
        if (step == 1) return far;
        isa_operand count =
            kernelcopy_result(c, ISA_div_u, type, far, kernelcopy_number(c, type, step));
        isa_operand back =
            kernelcopy_result(c, ISA_mul, type, count, kernelcopy_number(c, type, step));
        *good = kernelcopy_joined(c, ISA_and, *good, kernelcopy_result(c, ISA_eq, type, back, far));
        return count;
    }
    if (step < 0) {
        step = -step;
        v = kernelcopy_result(c, ISA_not, type, v, ISA_NO_OPERAND);
        b = kernelcopy_result(c, ISA_not, type, b, ISA_NO_OPERAND);
    }
    bool is_signed = compare_is_signed(x->op), meets = compare_is_strict(x->op);
    enum isa_op less = is_signed ? ISA_lt_s : ISA_lt_u, most = is_signed ? ISA_le_s : ISA_le_u;
    /* Where it leaves is not beyond what the type can hold. */
    int64_t past = meets ? step : step - 1, end = type == ISA_I64 ? INT64_MAX : INT32_MAX;
    if (!is_signed) end = -1;
    if (past)
        *good = kernelcopy_joined(
            c, ISA_and, *good,
            kernelcopy_result(c, most, type, b, kernelcopy_number(c, type, end - past)));
    isa_operand on = kernelcopy_result(c, meets ? most : less, type, v, b);
    isa_operand far = kernelcopy_result(c, ISA_sub, type, b, v);
    if (step > 1 || meets) {
        if (!meets) far = kernelcopy_result(c, ISA_sub, type, far, kernelcopy_number(c, type, 1));
        if (step > 1)
            far = kernelcopy_result(c, ISA_div_u, type, far, kernelcopy_number(c, type, step));
        far = kernelcopy_result(c, ISA_add, type, far, kernelcopy_number(c, type, 1));
    }
    return kernelcopy_select(c, type, on, far, kernelcopy_number(c, type, 0));
}

/* What is widened does not wrap around in so many iterations. */
static isa_operand stays_narrow(struct kernelcopy *c, const struct run_exit *x, isa_operand narrow,
                                isa_operand count) {
    const struct isa_inst *i = &c->k->insts[x->extends];
    enum isa_type from = (enum isa_type)i->type2, to = (enum isa_type)i->type;
    isa_operand first = kernelcopy_converted(c, (enum isa_op)i->op, to, from, narrow);
    isa_operand by = times_step(c, to, count, kernelcopy_number(c, to, x->narrow));
    isa_operand last = kernelcopy_result(c, ISA_add, to, first, by);
    isa_operand again = kernelcopy_converted(c, ISA_trunc, from, to, last);
    again = kernelcopy_converted(c, (enum isa_op)i->op, to, from, again);
    isa_operand few =
        kernelcopy_result(c, ISA_le_u, ISA_I32, count, kernelcopy_word(c, MOST_NARROW_COUNT));
    return kernelcopy_joined(c, ISA_and, few, kernelcopy_result(c, ISA_eq, to, again, last));
}

/* Of each lane; *good: where that is known. */
static isa_operand count_elements(struct dealer *d, const struct run_loop *l, struct spread *s,
                                  isa_operand *good) {
    struct kernelcopy *c = &d->copy;
    struct first_values first[RUNS_EXITS] = {{0}};
    isa_operand count = ISA_NO_OPERAND;
    put_first(d, l, first, s);
    for (unsigned x = 0; x < l->nexits && !c->failed; x++) {
        isa_operand one = count_until(c, &l->exits[x], &first[x], good);
        if (type_of(c, one) == ISA_I64) {
            one = kernelcopy_result(c, ISA_min_u, ISA_I64, one,
                                    kernelcopy_number(c, ISA_I64, UINT32_MAX));
            one = kernelcopy_converted(c, ISA_trunc, ISA_I32, ISA_I64, one);
        }
        count = x ? kernelcopy_result(c, ISA_min_u, ISA_I32, count, one) : one;
    }
    for (unsigned x = 0; x < l->nexits && !c->failed; x++)
        if (l->exits[x].extends)
            *good = kernelcopy_joined(c, ISA_and, *good,
                                      stays_narrow(c, &l->exits[x], first[x].narrow, count));
    isa_operand few =
        kernelcopy_result(c, ISA_le_u, ISA_I32, count, kernelcopy_word(c, MOST_COUNT));
    *good = kernelcopy_joined(c, ISA_and, *good, few);
    return l->bottom ? kernelcopy_result(c, ISA_add, ISA_I32, count, kernelcopy_word(c, 1)) : count;
}

/* ---- whether ---- */

/* How many lanes do not say so: one number for the warp. */
static isa_operand none_without(struct kernelcopy *c, isa_operand p) {
    isa_operand not =
        kernelcopy_select(c, ISA_I32, p, kernelcopy_word(c, 0), kernelcopy_word(c, 1));
    isa_operand sum = kernelcopy_result(c, ISA_lane_add, ISA_I32, not, ISA_NO_OPERAND);
    return kernelcopy_result(c, ISA_eq, ISA_I32, sum, kernelcopy_word(c, 0));
}

/* Lanes' runs follow one another: all counters begin where those of the lane before end. Those
 * without elements are the last ones. */
static isa_operand are_one(struct kernelcopy *c, const struct run_loop *l, const struct spread *s) {
    isa_operand none = kernelcopy_word(c, 0);
    isa_operand before = kernelcopy_result(c, ISA_lane_before, ISA_I32, s->count, ISA_NO_OPERAND);
    isa_operand follows = kernelcopy_result(c, ISA_ne, ISA_I32, before, none);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand from = s->first[n];
        enum isa_type type = type_of(c, from);
        if (!l->counters[n].wanted) continue;
        isa_operand end = times_step(c, type, s->count, step_of(c, &l->counters[n]));
        end = kernelcopy_result(c, ISA_add, type, from, end);
        end = kernelcopy_result(c, ISA_lane_before, type, end, ISA_NO_OPERAND);
        follows =
            kernelcopy_joined(c, ISA_and, follows, kernelcopy_result(c, ISA_eq, type, end, from));
    }
    isa_operand last = kernelcopy_result(c, ISA_eq, ISA_I32, s->count, none);
    follows = kernelcopy_result(c, ISA_or, ISA_PRED, follows, last);
    isa_operand first = kernelcopy_result(c, ISA_eq, ISA_I32, s->lane, none);
    return none_without(c, kernelcopy_result(c, ISA_or, ISA_PRED, follows, first));
}

/* The lanes that come to the loop are the first ones of the warp: these have the least sum. */
static isa_operand are_first(struct kernelcopy *c, const struct spread *s) {
    isa_operand sum = kernelcopy_result(c, ISA_lane_add, ISA_I32, s->lane, ISA_NO_OPERAND);
    sum = kernelcopy_result(c, ISA_add, ISA_I32, sum, sum);
    isa_operand less = kernelcopy_result(c, ISA_sub, ISA_I32, s->lanes, kernelcopy_word(c, 1));
    less = kernelcopy_result(c, ISA_mul, ISA_I32, less, s->lanes);
    return kernelcopy_result(c, ISA_eq, ISA_I32, sum, less);
}

/* No two accesses of such pairs meet in one turn, but for an element's. */
static isa_operand are_apart(struct kernelcopy *c, const struct run_loop *l, const struct spread *s,
                             bool always) {
    isa_operand none = kernelcopy_word(c, 0), all = ISA_NO_OPERAND;
    for (unsigned p = 0; p < l->npairs; p++) {
        const struct run_pair *pair = &l->pairs[p];
        if (pair->always != always) continue;
        int64_t more = (int64_t)c->k->insts[pair->of[1]].imm - c->k->insts[pair->of[0]].imm;
        isa_operand far = kernelcopy_result(c, ISA_sub, ISA_I32, s->at[p][1], s->at[p][0]);
        if (more)
            far = kernelcopy_result(c, ISA_add, ISA_I32, far, kernelcopy_number(c, ISA_I32, more));
        isa_operand beyond =
            kernelcopy_result(c, ISA_add, ISA_I32, far, kernelcopy_word(c, pair->far));
        beyond = kernelcopy_result(c, ISA_le_u, ISA_I32, kernelcopy_word(c, 2 * pair->far), beyond);
        isa_operand same = kernelcopy_result(c, ISA_eq, ISA_I32, far, none);
        if (pair->same) beyond = kernelcopy_result(c, ISA_or, ISA_PRED, beyond, same);
        all = kernelcopy_joined(c, ISA_and, all, beyond);
    }
    if (s->count != ISA_NO_OPERAND)
        all = kernelcopy_result(c, ISA_or, ISA_PRED,
                                kernelcopy_result(c, ISA_eq, ISA_I32, s->count, none), all);
    return none_without(c, all);
}

static bool has_pairs(const struct run_loop *l, bool always) {
    for (unsigned p = 0; p < l->npairs; p++)
        if (l->pairs[p].always == always) return true;
    return false;
}

/* Elements may be done in turns: no other parameter leads to what they store to, or it leads far
 * enough from there. */
static isa_operand are_free(struct kernelcopy *c, const struct run_loop *l,
                            const struct spread *s) {
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand is_free = s->alone;
    if (has_pairs(l, false)) {
        is_free = kernelcopy_result(c, ISA_mov, ISA_PRED, s->alone, none);
        kernelcopy_control(c, ISA_if, kernelcopy_result(c, ISA_not, ISA_PRED, s->alone, none));
        kernelcopy_move(c, is_free, are_apart(c, l, s, false));
        kernelcopy_control(c, ISA_endif, none);
    }
    return has_pairs(l, true) ? kernelcopy_joined(c, ISA_and, is_free, are_apart(c, l, s, true))
                              : is_free;
}

isa_operand spread_apart(struct dealer *d, struct run_loop *l) {
    struct spread s = {.count = ISA_NO_OPERAND};
    if (!l->npairs) return ISA_NO_OPERAND;
    exits_prepare(&d->runs, l);
    put_first(d, l, NULL, &s);
    return are_apart(&d->copy, l, &s, true);
}

void spread_test(struct dealer *d, struct run_loop *l, struct spread *s) {
    struct kernelcopy *c = &d->copy;
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand good = none;
    *s = (struct spread){.one = none};
    for (unsigned n = 0; n < l->ncounters; n++) s->first[n] = l->counters[n].reg;
    exits_prepare(&d->runs, l);
    s->lane = kernelcopy_special(c, ISA_SPECIAL_thread_id);
    s->lane = kernelcopy_result(c, ISA_and, ISA_I32, s->lane, kernelcopy_word(c, ISA_WARP - 1));
    s->count = count_elements(d, l, s, &good);
    s->total = kernelcopy_result(c, ISA_lane_add, ISA_I32, s->count, none);
    s->lanes = kernelcopy_word(c, ISA_WARP);
    if (!l->full)
        s->lanes = kernelcopy_result(c, ISA_lane_add, ISA_I32, kernelcopy_word(c, 1), none);
    isa_operand least =
        kernelcopy_result(c, ISA_mul, ISA_I32, s->lanes, kernelcopy_word(c, l->worth));
    isa_operand worth = kernelcopy_result(c, ISA_le_u, ISA_I32, least, s->total);
    if (!l->nown && !l->nreductions) {
        s->one = are_one(c, l, s);
        worth = kernelcopy_result(c, ISA_or, ISA_PRED, worth, s->one);
    }
    s->alone = kernelcopy_alone(c, l->alone);
    s->right = kernelcopy_joined(c, ISA_and, are_free(c, l, s), worth);
    s->right = kernelcopy_joined(c, ISA_and, s->right, none_without(c, good));
    if (!l->full) s->right = kernelcopy_joined(c, ISA_and, s->right, are_first(c, s));
}

/* ---- the version ---- */

/* Of one row; jam: of several. */
static void put_body(struct dealer *d, const struct run_loop *l, const struct jam *jam) {
    struct kernelcopy *c = &d->copy;
    if (jam) {
        jam_put(jam, c);
        return;
    }
    for (uint32_t n = l->begin + 1; n < c->k->insts[l->begin].match; n++)
        if (!d->runs.left_out[n]) kernelcopy_put(c, n);
}

static struct isa_inst *leave_if(struct kernelcopy *c, isa_operand p) {
    return kernelcopy_add(c, ISA_breakif, ISA_NONE_T, ISA_NO_OPERAND, p, ISA_NO_OPERAND);
}

/* How many rows have a register of their own, and which one: several have, where they are jammed.
 */
static unsigned rows_of(const struct jam *jam, isa_operand reg) {
    return jam && jam->own[reg] ? jam->copies : 1;
}

static isa_operand name_of(const struct kernelcopy *c, const struct jam *jam, isa_operand reg,
                           unsigned row) {
    return jam ? jam->names[row][reg] : c->names[reg];
}

/* Steps counters by so many elements; the body has stepped those that are not derived by one. */
static void step_counters(struct kernelcopy *c, const struct run_loop *l, const struct jam *jam,
                          isa_operand all, isa_operand others) {
    for (unsigned n = 0; n < l->ncounters; n++) {
        const struct run_counter *of = &l->counters[n];
        enum isa_type type = type_of(c, of->dealt);
        if (!of->wanted) continue;
        isa_operand by = times_step(c, type, of->derived ? all : others, step_of(c, of));
        for (unsigned row = 0; row < rows_of(jam, of->reg); row++) {
            isa_operand reg = name_of(c, jam, of->reg, row);
            kernelcopy_add(c, ISA_add, type, reg, reg, by);
        }
    }
}

static isa_operand less_one(struct kernelcopy *c, isa_operand o) {
    int64_t value;
    if (constant_signed(c->out, o, &value)) return kernelcopy_word(c, (uint32_t)value - 1);
    return kernelcopy_result(c, ISA_sub, ISA_I32, o, kernelcopy_word(c, 1));
}

/* One run of so many elements, by all lanes side by side; counters are where each lane begins. Of
 * the last turn some lanes have no element; where elements may be done again it begins earlier,
 * with those that others have done before. */
static void write_run(struct dealer *d, const struct run_loop *l, const struct jam *jam,
                      const struct spread *s, isa_operand count, isa_operand again) {
    struct kernelcopy *c = &d->copy;
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand next = kernelcopy_result(c, ISA_mov, ISA_I32, s->lanes, none);
    isa_operand left = kernelcopy_result(c, ISA_mov, ISA_I32, count, none), by = s->lanes;
    isa_operand done = none, kept[RUNS_REDUCTIONS]; /* done: lanes that do elements again */
    if (again != none && !reductions_again(l))
        done = kernelcopy_result(c, ISA_mov, ISA_I32, kernelcopy_word(c, 0), none);
    kernelcopy_control(c, ISA_loop, none);
    isa_operand over = kernelcopy_result(c, ISA_lt_u, ISA_I32, count, next);
    leave_if(c, over)->site = c->k->insts[l->test].site;
    if (done != none) reductions_keep(c, l, kept);
    put_body(d, l, jam);
    if (done != none)
        reductions_give_back(c, l, kept, kernelcopy_result(c, ISA_lt_u, ISA_I32, s->lane, done));
    kernelcopy_add(c, ISA_sub, ISA_I32, left, count, next);
    leave_if(c, kernelcopy_result(c, ISA_eq, ISA_I32, left, kernelcopy_word(c, 0)));
    if (again != none) {
        by = kernelcopy_result(c, ISA_min_u, ISA_I32, left, s->lanes);
        if (isa_is_reg(again)) by = kernelcopy_select(c, ISA_I32, again, by, s->lanes);
        if (done != none) kernelcopy_add(c, ISA_sub, ISA_I32, done, s->lanes, by);
    }
    step_counters(c, l, jam, by, less_one(c, by));
    kernelcopy_add(c, ISA_add, ISA_I32, next, next, by);
    kernelcopy_control(c, ISA_endloop, none);
    kernelcopy_control(c, ISA_block, none); /* an `if` may look as if all lanes mostly passed it */
    leave_if(c, kernelcopy_result(c, ISA_le_u, ISA_I32, left, s->lane));
    put_body(d, l, jam);
    kernelcopy_control(c, ISA_endblock, none);
}

/* Nothing that it stores is read in it, and nothing joined: to do the last elements again changes
 * nothing. */
static bool may_again(const struct run_loop *l) {
    for (unsigned p = 0; p < l->nplaces; p++)
        if (l->places[p].loads) return false;
    return !l->joined;
}

/* Where a row begins: counters, and what it has of its own. */
static void put_row(struct kernelcopy *c, const struct run_loop *l, const struct jam *jam,
                    const struct spread *s, isa_operand run, unsigned row) {
    for (unsigned n = 0; n < l->ncounters; n++) {
        const struct run_counter *of = &l->counters[n];
        enum isa_type type = type_of(c, of->reg);
        if (!of->wanted || row >= rows_of(jam, of->reg)) continue;
        isa_operand first = kernelcopy_result(c, ISA_lane_at, type, s->first[n], run);
        isa_operand by = times_step(c, type, s->lane, step_of(c, of));
        kernelcopy_add(c, ISA_add, type, name_of(c, jam, of->reg, row), first, by);
    }
    for (unsigned o = 0; o < l->nown; o++)
        (jam ? jam->names[row] : c->names)[l->own[o]] =
            kernelcopy_result(c, ISA_lane_at, type_of(c, l->own[o]), l->own[o], run);
}

/* Several rows at a time, as far as there are so many of one length. */
static void write_jammed(struct dealer *d, const struct run_loop *l, const struct spread *s,
                         isa_operand run, isa_operand runs, isa_operand again) {
    struct kernelcopy *c = &d->copy;
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand count = kernelcopy_result(c, ISA_lane_first, ISA_I32, s->count, none);
    isa_operand even = none_without(c, kernelcopy_result(c, ISA_eq, ISA_I32, s->count, count));
    isa_operand most = kernelcopy_select(c, ISA_I32, even, runs, kernelcopy_word(c, 0));
    jam_name(l->jam, c);
    kernelcopy_control(c, ISA_loop, none);
    isa_operand next =
        kernelcopy_result(c, ISA_add, ISA_I32, run, kernelcopy_word(c, l->jam->copies));
    leave_if(c, kernelcopy_result(c, ISA_lt_u, ISA_I32, most, next));
    for (unsigned row = 0; row < l->jam->copies; row++) {
        isa_operand at = run;
        if (row) at = kernelcopy_result(c, ISA_add, ISA_I32, run, kernelcopy_word(c, row));
        put_row(c, l, l->jam, s, at, row);
    }
    write_run(d, l, l->jam, s, count, again);
    kernelcopy_move(c, run, next);
    kernelcopy_control(c, ISA_endloop, none);
}

void spread_write(struct dealer *d, struct run_loop *l, const struct spread *s) {
    struct kernelcopy *c = &d->copy;
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand run = kernelcopy_result(c, ISA_mov, ISA_I32, kernelcopy_word(c, 0), none);
    isa_operand runs = s->lanes;
    if (s->one != none)
        runs = kernelcopy_select(c, ISA_I32, s->one, kernelcopy_word(c, 1), s->lanes);
    dealer_rename(c, l);
    isa_operand again = none;
    if (may_again(l) && !(d->sized->groups.masked && l->nreductions && !reductions_again(l)))
        again = has_pairs(l, false) ? s->alone : isa_const_new(c->out, ISA_PRED, 1);
    if (l->jam) write_jammed(d, l, s, run, runs, again);
    kernelcopy_control(c, ISA_loop, none);
    leave_if(c, kernelcopy_result(c, ISA_le_u, ISA_I32, runs, run));
    isa_operand count = kernelcopy_result(c, ISA_lane_at, ISA_I32, s->count, run);
    if (s->one != none) count = kernelcopy_select(c, ISA_I32, s->one, s->total, count);
    put_row(c, l, NULL, s, run, 0);
    reductions_begin(c, l);
    write_run(d, l, NULL, s, count, again);
    reductions_end(c, l, kernelcopy_result(c, ISA_eq, ISA_I32, s->lane, run));
    kernelcopy_add(c, ISA_add, ISA_I32, run, run, kernelcopy_word(c, 1));
    kernelcopy_control(c, ISA_endloop, none);
    kernelcopy_keep_names(c);
    for (unsigned n = 0; n < l->ncounters; n++) {
        const struct run_counter *of = &l->counters[n];
        enum isa_type type = type_of(c, of->reg);
        if (of->derived || !dealer_reads_later(c->k, l, of->reg)) continue;
        int more = (of->at < l->test) - l->bottom;
        isa_operand times = s->count;
        if (more)
            times =
                kernelcopy_result(c, ISA_add, ISA_I32, times, kernelcopy_word(c, (uint32_t)more));
        isa_operand by = times_step(c, type, times, of->step);
        kernelcopy_add(c, ISA_add, type, of->reg, of->reg, by);
    }
}
