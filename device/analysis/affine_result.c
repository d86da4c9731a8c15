/* What instructions give, and what comparisons say. */
#include <stdlib.h>
#include <string.h>

#include "affine_walk.h"
#include "device/isa/compare.h"

/* A new element's index; 0 without memory, and then `failed`. */
uint32_t affine_grow(struct affine_walk *w, void **at, uint32_t *count, uint32_t *room,
                     size_t size) {
    if (*count == *room) {
        uint32_t more = *room ? 2 * *room : 64;
        void *list = realloc(*at, more * size);
        if (!list) {
            w->failed = true;
            return 0;
        }
        *at = list;
        *room = more;
    }
    return (*count)++;
}

uint32_t affine_value_new(struct affine_walk *w, const struct affine_sum *a) {
    if (!a->known) return 0;
    AFFINE_ADD(w, values, *a);
    return w->failed ? 0 : w->values.count - 1;
}

uint32_t affine_condition_new(struct affine_walk *w, const struct affine_condition *c) {
    if (!c->constant && !c->count[0] && !c->count[1]) return 0;
    AFFINE_ADD(w, conditions, *c);
    return w->failed ? 0 : w->conditions.count - 1;
}

/* ---- operands ---- */

struct affine_sum affine_read_value(const struct affine_walk *w, isa_operand o) {
    if (o == ISA_NO_OPERAND) return affine_number(0);
    enum isa_type type = isa_operand_type(w->k, o);
    if (type != ISA_I32 && type != ISA_I64) return affine_unknown();
    if (isa_is_const(o))
        return affine_number(isa_signed(type, w->k->consts[isa_const_index(o)].bits));
    return w->values.at[w->now[o]];
}

struct affine_condition affine_read_condition(const struct affine_walk *w, isa_operand o) {
    if (isa_is_const(o))
        return (struct affine_condition){.constant = true,
                                         .value = w->k->consts[isa_const_index(o)].bits != 0};
    return w->conditions.at[w->now[o]];
}

/* ---- facts ---- */

/* That the sum is at most that, or just that; false: it says nothing. */
static bool add_fact(struct affine_walk *w, const struct affine_sum *sum, int64_t most, bool exact,
                     struct affine_condition *c, unsigned side) {
    if (!sum->known || !sum->count || c->count[side] == AFFINE_SIDE) return false;
    for (unsigned n = 0; n < sum->count; n++)
        if (sum->terms[n].by <= 0) return false;
    struct affine_fact f = {.sum = *sum, .most = most - sum->low, .exact = exact};
    f.sum.low = f.sum.high = f.sum.nparts = 0;
    AFFINE_ADD(w, facts, f);
    if (w->failed) return false;
    c->facts[side][c->count[side]++] = w->facts.count - 1;
    return true;
}

/* That the sum, all of whose terms have by < 0, is at most that: their opposites come to at least
 * so much. */
static void add_least(struct affine_walk *w, const struct affine_sum *sum, int64_t most,
                      struct affine_condition *c, unsigned side) {
    struct affine_sum back = affine_scale(sum, -1);
    int64_t low, high, least = sum->low - most;
    if (!back.known || !back.count || c->count[side] == AFFINE_SIDE || least <= 0) return;
    for (unsigned n = 0; n < back.count; n++)
        if (back.terms[n].by <= 0) return;
    back.low = back.high = back.nparts = 0;
    if (!affine_range(&w->limits, &back, &low, &high) || high < least) return;
    struct affine_fact f = {.sum = back, .least = least, .most = high};
    AFFINE_ADD(w, facts, f);
    if (!w->failed) c->facts[side][c->count[side]++] = w->facts.count - 1;
}

/* That the sum, with all that is known of it, lies between these: it goes with what facts say of
 * its terms, from the first one of them on, or by itself. */
static void add_whole(struct affine_walk *w, const struct affine_sum *sum, int64_t from, int64_t to,
                      struct affine_condition *c, unsigned side, unsigned first) {
    struct affine_fact none = {.least = 0};
    if (!sum->known || w->failed) return;
    if (c->count[side] == first) {
        if (first == AFFINE_SIDE) return;
        AFFINE_ADD(w, facts, none);
        if (w->failed) return;
        c->facts[side][c->count[side]++] = w->facts.count - 1;
    }
    struct affine_fact *f = &w->facts.at[c->facts[side][first]];
    f->whole = *sum;
    f->from = from;
    f->to = to;
}

/* What the limits of atoms are where these facts hold. */
void affine_find_limits(struct affine_walk *w) {
    const struct affine_launch *l = w->l;
    for (unsigned d = 0; d < 3; d++) {
        w->limits.most[AFFINE_LOCAL + d] = (int64_t)l->local_size[d] - 1;
        w->limits.most[AFFINE_GROUP + d] = (int64_t)l->groups[d] - 1;
    }
    for (unsigned n = AFFINE_LOOPS; n < AFFINE_ATOMS; n++) w->limits.most[n] = -1;
    for (uint32_t n = 0; n < w->holding.count; n++) {
        const struct affine_fact *f = &w->facts.at[w->holding.at[n]];
        const struct affine_term *t = f->sum.terms;
        if (f->sum.count != 1 || t->low || t->width != AFFINE_WHOLE || f->most < 0) continue;
        int64_t most = f->most / t->by, *limit = &w->limits.most[t->atom];
        if (*limit < 0 || most < *limit) *limit = most;
    }
}

void affine_hold(struct affine_walk *w, const struct affine_condition *c, unsigned side,
                 bool own_exit) {
    for (unsigned n = 0; n < c->count[side] && (own_exit || !c->loop); n++)
        AFFINE_ADD(w, holding, c->facts[side][n]);
    affine_find_limits(w);
}

void affine_release(struct affine_walk *w, uint32_t upto) {
    if (w->holding.count == upto) return;
    w->holding.count = upto;
    affine_find_limits(w);
}

/* ---- comparisons ---- */

/* The loop's counter whose end is not known: then what a comparison says holds for one that is the
 * loop's exit, as it has held in each iteration before. */
static uint8_t counter_of(const struct affine_walk *w, const struct affine_sum *a) {
    for (unsigned n = 0; n < a->count; n++)
        if (a->terms[n].atom >= AFFINE_LOOPS && w->limits.most[a->terms[n].atom] < 0)
            return a->terms[n].atom;
    return AFFINE_NO_LOOP;
}

/* Is a, of a type that has a sign or not, the very number that it says? */
static bool is_exact(const struct affine_walk *w, const struct affine_sum *a, bool has_sign) {
    const int64_t end = INT64_C(1) << 31;
    int64_t low, high;
    return affine_range(&w->limits, a, &low, &high) && high < end && low >= (has_sign ? -end : 0);
}

bool affine_exact(const struct affine_walk *w, const struct affine_sum *a, bool has_sign,
                  int64_t more) {
    struct affine_sum by = affine_number(more), sum = affine_add(&w->limits, a, &by, 1);
    return is_exact(w, a, has_sign) && is_exact(w, &sum, has_sign);
}

/* A counted one: so it is as long as it has not come to its end, which is a step before it would
 * wrap around. */
static bool is_exact_counted(const struct affine_walk *w, const struct affine_sum *a,
                             const struct affine_sum *end, uint8_t counter, bool has_sign) {
    struct affine_sum start = *a;
    int64_t step = 0, low, high;
    const int64_t last = INT64_C(1) << 31;
    for (unsigned n = 0; n < start.count; n++) {
        if (start.terms[n].atom != counter) continue;
        if (step || start.terms[n].low || start.terms[n].width != AFFINE_WHOLE) return false;
        step = start.terms[n].by;
        memmove(start.terms + n, start.terms + n + 1, (--start.count - n) * sizeof *start.terms);
        n--;
    }
    if (!step || !is_exact(w, &start, has_sign) || !is_exact(w, end, has_sign) ||
        !affine_range(&w->limits, end, &low, &high))
        return false;
    return step > 0 ? high + step < last : low + step >= (has_sign ? -last : 0);
}

/* What d <= most, and its opposite, say of `side` and the other one. */
static void add_order(struct affine_walk *w, struct affine_condition *c, const struct affine_sum *d,
                      int64_t most, unsigned side) {
    struct affine_sum back = affine_scale(d, -1);
    unsigned first[2] = {c->count[0], c->count[1]};
    add_fact(w, d, most, false, c, side);
    add_least(w, d, most, c, side);
    add_whole(w, d, AFFINE_LEAST, most, c, side, first[side]);
    add_fact(w, &back, -most - 1, false, c, !side);
    add_least(w, &back, -most - 1, c, !side);
    add_whole(w, d, most + 1, AFFINE_MOST, c, !side, first[!side]);
}

/* What d == 0, and its opposite, say of `side` and the other one. */
static void add_equality(struct affine_walk *w, struct affine_condition *c,
                         const struct affine_sum *d, unsigned side) {
    struct affine_sum back = affine_scale(d, -1);
    unsigned first[2] = {c->count[0], c->count[1]};
    int64_t low, high;
    if (d->low == d->high && !add_fact(w, d, 0, true, c, side))
        add_fact(w, &back, 0, true, c, side);
    add_whole(w, d, 0, 0, c, side, first[side]);
    if (!affine_range(&w->limits, d, &low, &high)) return;
    if (!low) add_whole(w, d, 1, high, c, !side, first[!side]);
    if (!high) add_whole(w, d, low, -1, c, !side, first[!side]);
}

static struct affine_condition compare_values(struct affine_walk *w, const struct isa_inst *i,
                                              isa_operand x, isa_operand y) {
    struct affine_sum a = affine_read_value(w, x), b = affine_read_value(w, y);
    bool orders = i->op != ISA_eq && i->op != ISA_ne;
    bool less = compare_is_strict(i->op);
    bool has_sign = i->op != ISA_lt_u && i->op != ISA_le_u;
    struct affine_condition c = {0}, none = {0};
    struct affine_sum d = affine_add(&w->limits, &a, &b, -1);
    int64_t low, high;
    if (!d.known) return none;
    uint8_t counter_a = counter_of(w, &a), counter_b = counter_of(w, &b);
    c.loop = counter_a ? counter_a : counter_b;
    if (counter_a && counter_b) return none;
    if (c.loop && !orders) return none;
    bool exact = (counter_a ? is_exact_counted(w, &a, &b, c.loop, has_sign)
                            : counter_b || is_exact(w, &a, has_sign)) &&
                 (counter_b ? is_exact_counted(w, &b, &a, c.loop, has_sign)
                            : counter_a || is_exact(w, &b, has_sign));
    if (!exact) return none;
    if (affine_range(&w->limits, &d, &low, &high)) {
        int64_t most = less ? -1 : 0;
        bool all = orders ? high <= most : !low && !high;
        bool none = orders ? low > most : low > 0 || high < 0;
        if (all || none) {
            c.constant = true;
            c.value = all != (i->op == ISA_ne);
            return c;
        }
    }
    if (orders)
        add_order(w, &c, &d, less ? -1 : 0, 1);
    else
        add_equality(w, &c, &d, i->op == ISA_eq);
    return c;
}

static void add_side(struct affine_condition *to, const struct affine_condition *from,
                     unsigned side) {
    for (unsigned n = 0; n < from->count[side] && to->count[side] < AFFINE_SIDE; n++)
        to->facts[side][to->count[side]++] = from->facts[side][n];
}

/* Of two conditions; decides: the value of either that decides. */
static struct affine_condition both(const struct affine_condition *a,
                                    const struct affine_condition *b, bool decides) {
    struct affine_condition c = {0};
    if (a->constant && b->constant)
        c = (struct affine_condition){
            .constant = true, .value = decides ? a->value || b->value : a->value && b->value};
    else if (a->constant || b->constant)
        c = (a->constant ? a : b)->value == decides ? *(a->constant ? a : b)
            : a->constant                           ? *b
                                                    : *a;
    else if (!a->loop || !b->loop || a->loop == b->loop) {
        c.loop = a->loop | b->loop;
        add_side(&c, a, !decides);
        add_side(&c, b, !decides);
    }
    return c;
}

/* The lesser one of two, or the greater one, that a source is: neither has changed since. */
static const struct isa_inst *nearer(const struct affine_walk *w, isa_operand o, bool has_sign) {
    uint32_t n = loops_writer(&w->loops, o, 0);
    if (n >= LOOPS_NONE || w->loops.loop_of[n]) return NULL;
    const struct isa_inst *i = &w->k->insts[n];
    bool is = has_sign ? i->op == ISA_min_s || i->op == ISA_max_s
                       : i->op == ISA_min_u || i->op == ISA_max_u;
    for (unsigned s = 0; s < i->nsrc && is; s++) {
        uint32_t at = loops_writer(&w->loops, isa_srcs(w->k, i)[s], 0);
        is = at != LOOPS_SEVERAL && (at == LOOPS_NONE || !w->loops.loop_of[at]);
    }
    return is ? i : NULL;
}

/* What is less than a minimum is less than both; so is what a maximum is less than. */
static uint32_t compare(struct affine_walk *w, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(w->k, i);
    bool has_sign = compare_is_signed(i->op), orders = i->op != ISA_eq && i->op != ISA_ne;
    struct affine_condition c = compare_values(w, i, src[0], src[1]);
    for (unsigned s = 0; s < 2 && orders; s++) {
        const struct isa_inst *of = nearer(w, src[s], has_sign);
        if (!of) continue;
        const isa_operand *one = isa_srcs(w->k, of);
        bool least = of->op == ISA_min_s || of->op == ISA_min_u;
        struct affine_condition a = compare_values(w, i, s ? src[0] : one[0], s ? one[0] : src[1]),
                                b = compare_values(w, i, s ? src[0] : one[1], s ? one[1] : src[1]);
        if (!c.constant) c = both(&a, &b, least != s);
        break;
    }
    return affine_condition_new(w, &c);
}

/* Of predicates. */
static uint32_t combine(struct affine_walk *w, const struct isa_inst *i) {
    struct affine_condition a = affine_read_condition(w, isa_srcs(w->k, i)[0]), c = {0};
    if (i->op == ISA_mov) return affine_condition_new(w, &a);
    if (i->op == ISA_not) {
        c = a;
        c.value = !a.value;
        for (unsigned s = 0; s < 2; s++) {
            c.count[s] = a.count[!s];
            memcpy(c.facts[s], a.facts[!s], sizeof c.facts[s]);
        }
        return affine_condition_new(w, &c);
    }
    if (i->op != ISA_and && i->op != ISA_or) return 0;
    struct affine_condition b = affine_read_condition(w, isa_srcs(w->k, i)[1]);
    c = both(&a, &b, i->op == ISA_or);
    return affine_condition_new(w, &c);
}

/* ---- what instructions give ---- */

static struct affine_sum special(const struct affine_walk *w, const struct isa_inst *i) {
    const struct affine_launch *l = w->l;
    unsigned s = (unsigned)i->imm, d = 0;
    struct affine_sum r;
    if (s == ISA_SPECIAL_work_dim) return affine_between(1, 3);
    if (s == ISA_SPECIAL_thread_id) {
        r = affine_number(0);
        for (int64_t by = 1; d < 3; by *= l->local_size[d++]) {
            struct affine_sum id = affine_atom(AFFINE_LOCAL + d);
            if (l->local_size[d] > 1) r = affine_add(&w->limits, &r, &id, by);
        }
        return r;
    }
    d = s % 3;
    struct affine_sum local =
        l->local_size[d] > 1 ? affine_atom(AFFINE_LOCAL + d) : affine_number(0);
    struct affine_sum group = l->groups[d] > 1 ? affine_atom(AFFINE_GROUP + d) : affine_number(0);
    switch (s - d) {
    case ISA_SPECIAL_local_id_x: return local;
    case ISA_SPECIAL_global_id_x:
        local.low += l->offset[d];
        local.high += l->offset[d];
        return affine_add(&w->limits, &local, &group, l->local_size[d]);
    case ISA_SPECIAL_group_id_x: return group;
    case ISA_SPECIAL_local_size_x: return affine_number(l->local_size[d]);
    case ISA_SPECIAL_global_size_x: return affine_number((int64_t)l->local_size[d] * l->groups[d]);
    case ISA_SPECIAL_num_groups_x: return affine_number(l->groups[d]);
    case ISA_SPECIAL_global_offset_x: return affine_number(l->offset[d]);
    default: return affine_unknown();
    }
}
_Static_assert(ISA_SPECIAL_local_id_x % 3 == 0 && ISA_SPECIAL_global_id_x % 3 == 0 &&
                   ISA_SPECIAL_global_offset_x % 3 == 0,
               "one of each dimension");

static struct affine_sum argument(const struct affine_walk *w, const struct isa_inst *i,
                                  unsigned n) {
    const char *params = w->l->params;
    size_t size = isa_type_size[i->type];
    uint64_t bits = 0;
    if (i->type != ISA_I32 && i->type != ISA_I64) return affine_unknown();
    memcpy(&bits, params + i->imm + n * size, size);
    return affine_number(isa_signed((enum isa_type)i->type, bits));
}

static uint32_t selected(struct affine_walk *w, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(w->k, i);
    struct affine_condition c = affine_read_condition(w, src[0]);
    struct affine_sum a = affine_read_value(w, src[1]), b = affine_read_value(w, src[2]);
    struct affine_sum r = !c.constant ? affine_chosen(w, &c, &a, &b) : c.value ? a : b;
    return affine_value_new(w, &r);
}

static bool is_integer(const struct affine_walk *w, uint32_t reg) {
    return w->k->reg_types[reg] == ISA_I32 || w->k->reg_types[reg] == ISA_I64;
}

/* What a destination becomes. */
uint32_t affine_result(struct affine_walk *w, const struct isa_inst *i, unsigned n) {
    enum { MOST_SOURCES = 3 };
    uint32_t reg = isa_dsts(w->k, i)[n];
    struct affine_sum src[MOST_SOURCES], r = affine_unknown();
    if (w->k->reg_types[reg] == ISA_PRED) {
        bool compares = compare_is_integer(i->op);
        bool predicates = isa_op_info[i->op].flags & ISA_OP_PURE && i->nsrc && i->op != ISA_select;
        for (unsigned s = 0; s < i->nsrc; s++)
            predicates &= isa_operand_type(w->k, isa_srcs(w->k, i)[s]) == ISA_PRED;
        if (predicates) return combine(w, i);
        return compares ? compare(w, i) : 0;
    }
    if (!is_integer(w, reg)) return 0;
    if (i->op == ISA_special)
        r = special(w, i);
    else if (i->op == ISA_localaddr)
        r = affine_number(i->imm);
    else if (i->op == ISA_ld && i->space == ISA_PARAM)
        r = argument(w, i, n);
    else if (i->op == ISA_select)
        return selected(w, i);
    else if (isa_op_info[i->op].flags & ISA_OP_PURE && i->nsrc && i->nsrc <= MOST_SOURCES) {
        for (unsigned s = 0; s < i->nsrc; s++) src[s] = affine_read_value(w, isa_srcs(w->k, i)[s]);
        r = affine_of_inst(&w->limits, i, src);
        r = affine_refined(w, i, src, &r);
    }
    return affine_value_new(w, &r);
}
