/* Runs whose length is known when lanes come to the loop: how many elements each lane has, and
 * whether its run begins where that of the lane before ends, is computed there. Then all lanes of
 * the warp go through all these elements as through one run, side by side; or, where the runs are
 * apart but long, through one run after the other. Any counters will do: what counts is where they
 * are, not how they came there. */
#include "dealer.h"

enum { MOST_COUNT = 1 << 25, MOST_NARROW_COUNT = 1 << 16 }; /* elements of one lane */

static isa_operand number(struct dealer *d, enum isa_type type, int64_t v) {
    uint64_t bits = (uint64_t)v;
    if (isa_type_size[type] < 8) bits &= (UINT64_C(1) << 8 * isa_type_size[type]) - 1;
    return isa_const_new(d->out, type, bits);
}

static isa_operand both(struct dealer *d, uint32_t n, isa_operand p, isa_operand q) {
    return p == ISA_NO_OPERAND ? q : dealer_made(d, n, ISA_and, ISA_PRED, p, q);
}

static enum isa_type type_of(const struct dealer *d, isa_operand o) {
    return isa_operand_type(d->out, o);
}

/* A word as an integer of that type; it is less than 2^31. */
static isa_operand fitted(struct dealer *d, uint32_t n, enum isa_type type, isa_operand o) {
    return dealer_converted(d, n, type == ISA_I64 ? ISA_zext : ISA_trunc, type, ISA_I32, o);
}

static isa_operand times_step(struct dealer *d, uint32_t n, enum isa_type type, isa_operand o,
                              isa_operand step) {
    int64_t c, times;
    if (runs_number(d->out, step, &c) && runs_number(d->out, o, &times))
        return number(d, type, (int64_t)((uint64_t)c * (uint64_t)times));
    o = fitted(d, n, type, o);
    if (runs_number(d->out, step, &c) && c == 1) return o;
    return dealer_made(d, n, ISA_mul, type, o, step);
}

static void control(struct dealer *d, uint32_t n, enum isa_op op, isa_operand p) {
    dealer_make(d, n, op, ISA_NONE_T, ISA_NO_OPERAND, p, ISA_NO_OPERAND);
}

static isa_operand step_of(struct dealer *d, const struct run_counter *c) {
    return c->derived ? number(d, type_of(d, c->reg), c->by) : c->step;
}

/* ---- how many elements ---- */

/* What an exit compares in the first iteration; what it widens. */
struct first_values {
    isa_operand value, bound, narrow;
};

/* What says where the loop begins and how it ends, for the first iteration. */
static void put_first(struct dealer *d, const struct run_loop *l, struct first_values *first,
                      struct spread *s) {
    for (uint32_t n = l->begin + 1; n < d->k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &d->k->insts[n];
        const isa_operand *src = isa_srcs(d->k, i);
        for (unsigned x = 0; x < l->nexits; x++) {
            if (l->exits[x].at == n) {
                first[x].value = dealer_named(d, src[l->exits[x].value]);
                first[x].bound = dealer_named(d, src[!l->exits[x].value]);
            }
            if (l->exits[x].extends == n) first[x].narrow = dealer_named(d, src[0]);
        }
        for (unsigned p = 0; p < 2 * l->npairs; p++)
            if (l->pairs[p / 2].of[p % 2] == n) s->at[p / 2][p % 2] = dealer_named(d, src[0]);
        if (!d->runs.first[n]) continue;
        isa_operand to[UINT8_MAX];
        for (unsigned w = 0; w < i->ndst; w++) {
            isa_operand r = isa_dsts(d->k, i)[w];
            to[w] = isa_reg_new(d->out, (enum isa_type)d->k->reg_types[r]);
        }
        dealer_put_to(d, n, to);
        for (unsigned w = 0; w < i->ndst; w++) d->names[isa_dsts(d->k, i)[w]] = to[w];
        for (unsigned c = 0; c < l->ncounters; c++)
            if (l->counters[c].derived && l->counters[c].at == n) s->first[c] = to[0];
    }
    dealer_keep(d);
}

/* Iterations until the exit, of its own type; *good: lanes of which that is known. What falls rises
 * where all bits are the other way round. */
static isa_operand count_until(struct dealer *d, uint32_t n, const struct run_exit *x,
                               const struct first_values *first, isa_operand *good) {
    enum isa_type type = type_of(d, first->value);
    isa_operand v = first->value, b = first->bound;
    int64_t step = x->step;
    if (x->op == ISA_eq) {
        isa_operand far = step > 0 ? dealer_made(d, n, ISA_sub, type, b, v)
                                   : dealer_made(d, n, ISA_sub, type, v, b);
        if (step < 0) step = -step;
        if (step == 1) return far;
        isa_operand count = dealer_made(d, n, ISA_div_u, type, far, number(d, type, step));
        isa_operand back = dealer_made(d, n, ISA_mul, type, count, number(d, type, step));
        *good = both(d, n, *good, dealer_made(d, n, ISA_eq, type, back, far));
        return count;
    }
    if (step < 0) {
        step = -step;
        v = dealer_made(d, n, ISA_not, type, v, ISA_NO_OPERAND);
        b = dealer_made(d, n, ISA_not, type, b, ISA_NO_OPERAND);
    }
    bool is_signed = x->op == ISA_lt_s || x->op == ISA_le_s,
         meets = x->op == ISA_lt_s || x->op == ISA_lt_u;
    enum isa_op less = is_signed ? ISA_lt_s : ISA_lt_u, most = is_signed ? ISA_le_s : ISA_le_u;
    /* Where it leaves is not beyond what the type can hold. */
    int64_t past = meets ? step : step - 1, end = type == ISA_I64 ? INT64_MAX : INT32_MAX;
    if (!is_signed) end = -1;
    if (past)
        *good = both(d, n, *good, dealer_made(d, n, most, type, b, number(d, type, end - past)));
    isa_operand on = dealer_made(d, n, meets ? most : less, type, v, b);
    isa_operand far = dealer_made(d, n, ISA_sub, type, b, v);
    if (step > 1 || meets) {
        if (!meets) far = dealer_made(d, n, ISA_sub, type, far, number(d, type, 1));
        if (step > 1) far = dealer_made(d, n, ISA_div_u, type, far, number(d, type, step));
        far = dealer_made(d, n, ISA_add, type, far, number(d, type, 1));
    }
    return dealer_chosen(d, n, type, on, far, number(d, type, 0));
}

/* What is widened does not wrap around in so many iterations. */
static isa_operand stays_narrow(struct dealer *d, uint32_t n, const struct run_exit *x,
                                isa_operand narrow, isa_operand count) {
    const struct isa_inst *i = &d->k->insts[x->extends];
    enum isa_type from = (enum isa_type)i->type2, to = (enum isa_type)i->type;
    isa_operand first = dealer_converted(d, n, (enum isa_op)i->op, to, from, narrow);
    isa_operand by = times_step(d, n, to, count, number(d, to, x->narrow));
    isa_operand last = dealer_made(d, n, ISA_add, to, first, by);
    isa_operand again = dealer_converted(d, n, ISA_trunc, from, to, last);
    again = dealer_converted(d, n, (enum isa_op)i->op, to, from, again);
    isa_operand few =
        dealer_made(d, n, ISA_le_u, ISA_I32, count, dealer_word(d, MOST_NARROW_COUNT));
    return both(d, n, few, dealer_made(d, n, ISA_eq, to, again, last));
}

/* Of each lane; *good: where that is known. */
static isa_operand count_elements(struct dealer *d, const struct run_loop *l, struct spread *s,
                                  isa_operand *good) {
    struct first_values first[RUNS_EXITS] = {{0}};
    isa_operand count = ISA_NO_OPERAND;
    uint32_t n = l->begin;
    put_first(d, l, first, s);
    for (unsigned x = 0; x < l->nexits && !d->failed; x++) {
        isa_operand one = count_until(d, n, &l->exits[x], &first[x], good);
        if (type_of(d, one) == ISA_I64) {
            one = dealer_made(d, n, ISA_min_u, ISA_I64, one, number(d, ISA_I64, UINT32_MAX));
            one = dealer_converted(d, n, ISA_trunc, ISA_I32, ISA_I64, one);
        }
        count = x ? dealer_made(d, n, ISA_min_u, ISA_I32, count, one) : one;
    }
    for (unsigned x = 0; x < l->nexits && !d->failed; x++)
        if (l->exits[x].extends)
            *good = both(d, n, *good, stays_narrow(d, n, &l->exits[x], first[x].narrow, count));
    isa_operand few = dealer_made(d, n, ISA_le_u, ISA_I32, count, dealer_word(d, MOST_COUNT));
    *good = both(d, n, *good, few);
    return l->bottom ? dealer_made(d, n, ISA_add, ISA_I32, count, dealer_word(d, 1)) : count;
}

/* ---- whether ---- */

/* How many lanes do not say so: one number for the warp. */
static isa_operand none_without(struct dealer *d, uint32_t n, isa_operand p) {
    isa_operand not = dealer_chosen(d, n, ISA_I32, p, dealer_word(d, 0), dealer_word(d, 1));
    isa_operand sum = dealer_made(d, n, ISA_lane_sum, ISA_I32, not, ISA_NO_OPERAND);
    return dealer_made(d, n, ISA_eq, ISA_I32, sum, dealer_word(d, 0));
}

/* Lanes' runs follow one another: all counters begin where those of the lane before end. Those
 * without elements are the last ones. */
static isa_operand are_one(struct dealer *d, const struct run_loop *l, const struct spread *s) {
    uint32_t n = l->begin;
    isa_operand none = dealer_word(d, 0);
    isa_operand before = dealer_made(d, n, ISA_lane_before, ISA_I32, s->count, ISA_NO_OPERAND);
    isa_operand follows = dealer_made(d, n, ISA_ne, ISA_I32, before, none);
    for (unsigned c = 0; c < l->ncounters; c++) {
        isa_operand from = s->first[c];
        enum isa_type type = type_of(d, from);
        if (!l->counters[c].wanted) continue;
        isa_operand end = times_step(d, n, type, s->count, step_of(d, &l->counters[c]));
        end = dealer_made(d, n, ISA_add, type, from, end);
        end = dealer_made(d, n, ISA_lane_before, type, end, ISA_NO_OPERAND);
        follows = both(d, n, follows, dealer_made(d, n, ISA_eq, type, end, from));
    }
    isa_operand last = dealer_made(d, n, ISA_eq, ISA_I32, s->count, none);
    follows = dealer_made(d, n, ISA_or, ISA_PRED, follows, last);
    isa_operand first = dealer_made(d, n, ISA_eq, ISA_I32, s->lane, none);
    return none_without(d, n, dealer_made(d, n, ISA_or, ISA_PRED, follows, first));
}

/* The lanes that come to the loop are the first ones of the warp: these have the least sum. */
static isa_operand are_first(struct dealer *d, uint32_t n, const struct spread *s) {
    isa_operand sum = dealer_made(d, n, ISA_lane_sum, ISA_I32, s->lane, ISA_NO_OPERAND);
    sum = dealer_made(d, n, ISA_add, ISA_I32, sum, sum);
    isa_operand less = dealer_made(d, n, ISA_sub, ISA_I32, s->lanes, dealer_word(d, 1));
    less = dealer_made(d, n, ISA_mul, ISA_I32, less, s->lanes);
    return dealer_made(d, n, ISA_eq, ISA_I32, sum, less);
}

/* No two accesses of such pairs meet in one turn, but for an element's. */
static isa_operand are_apart(struct dealer *d, const struct run_loop *l, const struct spread *s,
                             bool always) {
    uint32_t n = l->begin;
    isa_operand none = dealer_word(d, 0),
                apart = dealer_made(d, n, ISA_eq, ISA_I32, s->count, none);
    isa_operand all = ISA_NO_OPERAND;
    for (unsigned p = 0; p < l->npairs; p++) {
        const struct run_pair *pair = &l->pairs[p];
        if (pair->always != always) continue;
        int64_t more = (int64_t)d->k->insts[pair->of[1]].imm - d->k->insts[pair->of[0]].imm;
        isa_operand far = dealer_made(d, n, ISA_sub, ISA_I32, s->at[p][1], s->at[p][0]);
        if (more) far = dealer_made(d, n, ISA_add, ISA_I32, far, number(d, ISA_I32, more));
        isa_operand beyond = dealer_made(d, n, ISA_add, ISA_I32, far, dealer_word(d, pair->far));
        beyond = dealer_made(d, n, ISA_le_u, ISA_I32, dealer_word(d, 2 * pair->far), beyond);
        isa_operand same = dealer_made(d, n, ISA_eq, ISA_I32, far, none);
        if (pair->same) beyond = dealer_made(d, n, ISA_or, ISA_PRED, beyond, same);
        all = both(d, n, all, beyond);
    }
    return none_without(d, n, dealer_made(d, n, ISA_or, ISA_PRED, apart, all));
}

static bool has_pairs(const struct run_loop *l, bool always) {
    for (unsigned p = 0; p < l->npairs; p++)
        if (l->pairs[p].always == always) return true;
    return false;
}

/* Elements may be done in turns: no other parameter leads to what they store to, or it leads far
 * enough from there. */
static isa_operand are_free(struct dealer *d, const struct run_loop *l, const struct spread *s) {
    const isa_operand none = ISA_NO_OPERAND;
    uint32_t n = l->begin;
    isa_operand is_free = s->alone;
    if (has_pairs(l, false)) {
        is_free = dealer_made(d, n, ISA_mov, ISA_PRED, s->alone, none);
        control(d, n, ISA_if, dealer_made(d, n, ISA_not, ISA_PRED, s->alone, none));
        dealer_make(d, n, ISA_mov, ISA_PRED, is_free, are_apart(d, l, s, false), none);
        control(d, n, ISA_endif, none);
    }
    return has_pairs(l, true) ? both(d, n, is_free, are_apart(d, l, s, true)) : is_free;
}

void spread_test(struct dealer *d, struct run_loop *l, struct spread *s) {
    const isa_operand none = ISA_NO_OPERAND;
    uint32_t n = l->begin;
    isa_operand good = none;
    *s = (struct spread){.one = none};
    for (unsigned c = 0; c < l->ncounters; c++) s->first[c] = l->counters[c].reg;
    exits_prepare(&d->runs, l);
    s->lane = dealer_special(d, n, ISA_SPECIAL_thread_id);
    s->lane = dealer_made(d, n, ISA_and, ISA_I32, s->lane, dealer_word(d, ISA_WARP - 1));
    s->count = count_elements(d, l, s, &good);
    s->total = dealer_made(d, n, ISA_lane_sum, ISA_I32, s->count, none);
    s->lanes = dealer_word(d, ISA_WARP);
    if (!l->full) s->lanes = dealer_made(d, n, ISA_lane_sum, ISA_I32, dealer_word(d, 1), none);
    isa_operand least = dealer_made(d, n, ISA_mul, ISA_I32, s->lanes, dealer_word(d, l->worth));
    isa_operand worth = dealer_made(d, n, ISA_le_u, ISA_I32, least, s->total);
    if (!l->nown) {
        s->one = are_one(d, l, s);
        worth = dealer_made(d, n, ISA_or, ISA_PRED, worth, s->one);
    }
    s->alone = dealer_alone(d, l);
    s->right = both(d, n, are_free(d, l, s), worth);
    s->right = both(d, n, s->right, none_without(d, n, good));
    if (!l->full) s->right = both(d, n, s->right, are_first(d, n, s));
}

/* ---- the version ---- */

static void put_body(struct dealer *d, const struct run_loop *l) {
    for (uint32_t n = l->begin + 1; n < d->k->insts[l->begin].match; n++)
        if (!d->runs.left_out[n]) dealer_put(d, n);
}

static struct isa_inst *leave_if(struct dealer *d, uint32_t n, isa_operand p) {
    return dealer_make(d, n, ISA_breakif, ISA_NONE_T, ISA_NO_OPERAND, p, ISA_NO_OPERAND);
}

/* Steps counters by so many elements; the body has stepped those that are not derived by one. */
static void step_counters(struct dealer *d, const struct run_loop *l, isa_operand all,
                          isa_operand others) {
    for (unsigned c = 0; c < l->ncounters; c++) {
        const struct run_counter *of = &l->counters[c];
        enum isa_type type = type_of(d, of->dealt);
        if (!of->wanted) continue;
        isa_operand by = times_step(d, l->begin, type, of->derived ? all : others, step_of(d, of));
        dealer_make(d, l->begin, ISA_add, type, of->dealt, of->dealt, by);
    }
}

static isa_operand less_one(struct dealer *d, uint32_t n, isa_operand o) {
    int64_t c;
    if (runs_number(d->out, o, &c)) return dealer_word(d, (uint32_t)c - 1);
    return dealer_made(d, n, ISA_sub, ISA_I32, o, dealer_word(d, 1));
}

/* One run of so many elements, by all lanes side by side; counters are where each lane begins. Of
 * the last turn some lanes have no element; where elements may be done again it begins earlier,
 * with those that others have done before. */
static void write_run(struct dealer *d, const struct run_loop *l, const struct spread *s,
                      isa_operand count, isa_operand again) {
    const isa_operand none = ISA_NO_OPERAND;
    uint32_t n = l->begin;
    isa_operand next = dealer_made(d, n, ISA_mov, ISA_I32, s->lanes, none);
    isa_operand left = dealer_made(d, n, ISA_mov, ISA_I32, count, none), by = s->lanes;
    control(d, n, ISA_loop, none);
    isa_operand over = dealer_made(d, n, ISA_lt_u, ISA_I32, count, next);
    leave_if(d, n, over)->site = d->k->insts[l->test].site;
    put_body(d, l);
    dealer_make(d, n, ISA_sub, ISA_I32, left, count, next);
    leave_if(d, n, dealer_made(d, n, ISA_eq, ISA_I32, left, dealer_word(d, 0)));
    if (again != none) {
        by = dealer_made(d, n, ISA_min_u, ISA_I32, left, s->lanes);
        if (isa_is_reg(again)) by = dealer_chosen(d, n, ISA_I32, again, by, s->lanes);
    }
    step_counters(d, l, by, less_one(d, n, by));
    dealer_make(d, n, ISA_add, ISA_I32, next, next, by);
    control(d, n, ISA_endloop, none);
    control(d, n, ISA_block, none); /* an `if` may look as if all lanes mostly passed it */
    leave_if(d, n, dealer_made(d, n, ISA_le_u, ISA_I32, left, s->lane));
    put_body(d, l);
    control(d, n, ISA_endblock, none);
}

/* Nothing that it stores is read in it: to do the last elements again changes nothing. */
static bool may_again(const struct run_loop *l) {
    for (unsigned p = 0; p < l->nplaces; p++)
        if (l->places[p].loads) return false;
    return true;
}

void spread_write(struct dealer *d, struct run_loop *l, const struct spread *s) {
    const isa_operand none = ISA_NO_OPERAND;
    uint32_t n = l->begin;
    isa_operand run = dealer_made(d, n, ISA_mov, ISA_I32, dealer_word(d, 0), none);
    isa_operand runs = s->lanes;
    if (s->one != none) runs = dealer_chosen(d, n, ISA_I32, s->one, dealer_word(d, 1), s->lanes);
    dealer_rename(d, l);
    control(d, n, ISA_loop, none);
    leave_if(d, n, dealer_made(d, n, ISA_le_u, ISA_I32, runs, run));
    isa_operand count = dealer_made(d, n, ISA_lane_at, ISA_I32, s->count, run);
    if (s->one != none) count = dealer_chosen(d, n, ISA_I32, s->one, s->total, count);
    for (unsigned c = 0; c < l->ncounters; c++) {
        const struct run_counter *of = &l->counters[c];
        enum isa_type type = type_of(d, of->reg);
        if (!of->wanted) continue;
        isa_operand first = dealer_made(d, n, ISA_lane_at, type, s->first[c], run);
        isa_operand by = times_step(d, n, type, s->lane, step_of(d, of));
        dealer_make(d, n, ISA_add, type, of->dealt, first, by);
    }
    for (unsigned o = 0; o < l->nown; o++)
        d->names[l->own[o]] = dealer_made(d, n, ISA_lane_at, type_of(d, l->own[o]), l->own[o], run);
    isa_operand again = has_pairs(l, false) ? s->alone : isa_const_new(d->out, ISA_PRED, 1);
    write_run(d, l, s, count, may_again(l) ? again : none);
    dealer_make(d, n, ISA_add, ISA_I32, run, run, dealer_word(d, 1));
    control(d, n, ISA_endloop, none);
    dealer_keep(d);
    for (unsigned c = 0; c < l->ncounters; c++) {
        const struct run_counter *of = &l->counters[c];
        enum isa_type type = type_of(d, of->reg);
        if (of->derived || !dealer_reads_later(d, l, of->reg)) continue;
        int more = (of->at < l->test) - l->bottom;
        isa_operand times = s->count;
        if (more)
            times = dealer_made(d, n, ISA_add, ISA_I32, times, dealer_word(d, (uint32_t)more));
        isa_operand by = times_step(d, n, type, times, of->step);
        dealer_make(d, n, ISA_add, type, of->reg, of->reg, by);
    }
}
