/* Loops without side effects whose results are known from how often they go round: the number is
 * computed, and of it what the loop leaves. What an iteration does before it leaves the loop is
 * done once behind it. */
#include "device/analysis/closedloops.h"
#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/constant.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

struct closed_code {
    struct kernelcopy c;
    const struct closed_loop *x;
    isa_operand trips; /* i32: how often the loop goes round */
};

static isa_operand number(struct closed_code *w, isa_operand like, int64_t value) {
    return kernelcopy_number(&w->c, isa_operand_type(w->c.out, like), value);
}

static isa_operand make(struct closed_code *w, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(&w->c, op, isa_operand_type(w->c.out, a), a, b);
}

static isa_operand make_by(struct closed_code *w, enum isa_op op, isa_operand a, int64_t b) {
    return make(w, op, a, number(w, a, b));
}

/* An integer as one of the type of another operand. */
static isa_operand as(struct closed_code *w, isa_operand a, isa_operand like) {
    enum isa_type from = isa_operand_type(w->c.out, a), to = isa_operand_type(w->c.out, like);
    return kernelcopy_converted(
        &w->c, isa_type_size[to] < isa_type_size[from] ? ISA_trunc : ISA_zext, to, from, a);
}

static isa_operand chosen(struct closed_code *w, isa_operand p, isa_operand a, isa_operand b) {
    return kernelcopy_select(&w->c, isa_operand_type(w->c.out, a), p, a, b);
}

/* What division of a signed number by 2^n leaves: the shift of its amount. */
static isa_operand halved(struct closed_code *w, isa_operand r, isa_operand n) {
    isa_operand sign =
        make_by(w, ISA_shr_s, r, isa_type_size[isa_operand_type(w->c.out, r)] * 8 - 1);
    r = make(w, ISA_shr_u, make(w, ISA_abs, r, ISA_NO_OPERAND), n);
    return make(w, ISA_sub, make(w, ISA_xor, r, sign), sign);
}

/* A register that is shifted, or loses bits, after one iteration. */
static isa_operand stepped(struct closed_code *w, const struct recurrence *s, isa_operand r) {
    switch (s->kind) {
    case RECUR_SHR_U: return make_by(w, ISA_shr_u, r, s->shift);
    case RECUR_SHR_S: return make_by(w, ISA_shr_s, r, s->shift);
    case RECUR_HALVE: return halved(w, r, number(w, r, s->shift));
    case RECUR_SHL: return make_by(w, ISA_shl, r, s->shift);
    default: return make(w, ISA_and, r, make_by(w, ISA_add, r, -1));
    }
}

/* Is the loop in the first part of an `if` that asks whether the register is not 0, which it has
 * not been given anew since? */
static bool is_guarded(const struct closed_loop *x, isa_operand reg, uint32_t start) {
    const struct isa_kernel *k = x->k;
    uint32_t begin = x->l->loops[x->loop].begin;
    for (uint32_t n = begin; n-- > start;) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op != ISA_if || i->match < begin) continue;
        const struct isa_inst *p = loops_definition(x->l, k, isa_srcs(k, i)[0]);
        uint32_t at = p ? (uint32_t)(p - k->insts) : 0;
        if (p && p->op == ISA_ne && isa_srcs(k, p)[0] == reg &&
            constant_is(k, isa_srcs(k, p)[1], 0) && at >= start && loops_keep(k, reg, at, begin))
            return true;
    }
    return false;
}

/* Has the driver, where it starts, a bit that comes to be the one that ends the loop? */
static bool comes_there(const struct closed_loop *x, const struct closed_condition *c) {
    const struct recurrence *d = c->driver;
    uint32_t start = loops_start_outside(x->k, x->l->loops[x->loop].begin, d->reg);
    uint64_t bits = UINT64_MAX;
    if (!c->odd || c->reaches || c->behind || !start) return false;
    const struct isa_inst *i = &x->k->insts[start - 1];
    if (i->op == ISA_and) constant_bits(x->k, isa_srcs(x->k, i)[1], &bits);
    bool below = d->kind != RECUR_SHL || !(bits >> c->bits >> 1);
    return below && is_guarded(x, d->reg, start);
}

/* How often a 1 is shifted until it is as much as another number, or more. */
static isa_operand count_to(struct closed_code *w, const struct closed_condition *c,
                            isa_operand *never) {
    isa_operand y = c->far;
    int64_t width = isa_type_size[isa_operand_type(w->c.out, y)] * 8;
    if (c->is_signed)
        y = make_by(w, ISA_max_s, y, c->beyond ? 0 : 1);
    else if (!c->beyond)
        y = make_by(w, ISA_max_u, y, 1);
    if (!c->beyond) y = make_by(w, ISA_add, y, -1);
    /* 2^(bits + n) is to be more than that. */
    isa_operand limit = number(w, y, (int64_t)(UINT64_C(1) << (width - 1 - c->is_signed)));
    *never = make(w, ISA_le_u, limit, y);
    isa_operand n = make(w, ISA_clz, y, ISA_NO_OPERAND);
    n = make(w, ISA_sub, number(w, y, width - c->bits), n);
    return make_by(w, ISA_max_s, n, 0);
}

/* How often a value is shifted. *never: where that has no end. */
static isa_operand count_shifts(struct closed_code *w, const struct closed_condition *c,
                                isa_operand y, isa_operand *never) {
    const struct recurrence *d = c->driver;
    int64_t width = isa_type_size[isa_operand_type(w->c.out, y)] * 8;
    if (c->reaches) return count_to(w, c, never);
    if (c->clear && d->kind == RECUR_SHL) {
        if (c->bits + 1u < width) y = make_by(w, ISA_shl, y, width - 1 - c->bits);
        return make(w, ISA_clz, make(w, ISA_not, y, ISA_NO_OPERAND), ISA_NO_OPERAND);
    }
    if (c->clear) { /* zeros are shifted in */
        isa_operand above = make(w, ISA_not, y, ISA_NO_OPERAND);
        return make(w, ISA_popc, make(w, ISA_and, y, make_by(w, ISA_add, above, -1)),
                    ISA_NO_OPERAND);
    }
    if (c->odd && d->kind == RECUR_SHL) {
        y = make_by(w, ISA_and, y, (int64_t)(UINT64_MAX >> (63 - c->bits)));
        *never = make_by(w, ISA_eq, y, 0);
        return make_by(w, ISA_sub, make(w, ISA_clz, y, ISA_NO_OPERAND), width - 1 - c->bits);
    }
    if (c->odd) {
        *never = make_by(w, ISA_eq, y, 0);
        isa_operand below = make(w, ISA_not, y, ISA_NO_OPERAND);
        return make(w, ISA_popc, make(w, ISA_and, below, make_by(w, ISA_add, y, -1)),
                    ISA_NO_OPERAND);
    }
    if (d->kind == RECUR_LOWEST) return make(w, ISA_popc, y, ISA_NO_OPERAND);
    if (d->kind == RECUR_SHL) { /* until the lowest bit is shifted out */
        y = make(w, ISA_or, y, make(w, ISA_sub, number(w, y, 0), y));
        y = make(w, ISA_popc, y, ISA_NO_OPERAND);
        if (d->shift == 1) return y;
        return make_by(w, ISA_div_u, make_by(w, ISA_add, y, d->shift - 1), d->shift);
    }
    if (c->one)
        *never = make_by(w, d->kind == RECUR_SHR_U ? ISA_le_u : ISA_le_s, y, 0);
    else if (d->kind == RECUR_SHR_S && !c->is_signed && !c->positive)
        *never = make_by(w, ISA_lt_s, y, 0);
    if (c->is_signed)
        y = make_by(w, ISA_max_s, y, 0);
    else if (d->kind == RECUR_HALVE)
        y = make(w, ISA_abs, y, ISA_NO_OPERAND);
    if (c->bits) y = make_by(w, ISA_or, y, ((int64_t)1 << c->bits) - 1);
    isa_operand zeros = make(w, ISA_clz, y, ISA_NO_OPERAND);
    isa_operand n = make(w, ISA_sub, number(w, y, width - c->bits), zeros);
    if (d->shift == 1) return n;
    return make_by(w, ISA_div_u, make_by(w, ISA_add, n, d->shift - 1), d->shift);
}

static isa_operand count_steps(struct closed_code *w, const struct closed_condition *c) {
    const struct loop_exit *e = &c->exit;
    isa_operand y = e->counter.reg, bound = e->bound;
    bool is_signed = compare_is_signed(c->leaf.op);
    if (e->off) y = make_by(w, ISA_add, y, e->off);
    /* Compared is by equality what may wrap before it is there. */
    if (!c->equal) {
        uint64_t value;
        if (e->inclusive && constant_bits(w->c.out, bound, &value))
            bound = number(w, y, (int64_t)(e->down ? value - 1 : value + 1));
        enum isa_op max = is_signed ? ISA_max_s : ISA_max_u,
                    min = is_signed ? ISA_min_s : ISA_min_u;
        bound = make(w, e->down ? min : max, y, bound);
    }
    isa_operand n = make(w, ISA_sub, e->down ? y : bound, e->down ? bound : y);
    if (e->step == 1) return n;
    /* (n + step - 1) / step, of which the sum may not fit */
    isa_operand some = make_by(w, ISA_min_u, n, 1);
    return make(w, ISA_add, make_by(w, ISA_div_u, make(w, ISA_sub, n, some), e->step), some);
}

/* A register that is shifted so often; by as many bits as it has, or more, it may be. */
static isa_operand shifted(struct closed_code *w, const struct recurrence *s) {
    const struct closed_condition *x = w->x->conditions;
    int64_t width = isa_type_size[isa_operand_type(w->c.out, s->reg)] * 8;
    bool drives = w->x->nconditions == 1 && s == x->driver;
    isa_operand n = w->trips;
    if (!drives) n = make_by(w, ISA_min_u, n, width);
    n = as(w, n, s->reg);
    if (s->shift != 1) n = make_by(w, ISA_mul, n, s->shift);
    bool fits = drives && !x->clear && (x->behind || x->odd || x->bits + x->is_signed >= s->shift);
    if (s->kind == RECUR_SHR_S) {
        if (!fits) n = make_by(w, ISA_min_u, n, width - 1);
        return make(w, ISA_shr_s, s->reg, n);
    }
    isa_operand r = s->kind == RECUR_HALVE
                        ? halved(w, s->reg, n)
                        : make(w, s->kind == RECUR_SHL ? ISA_shl : ISA_shr_u, s->reg, n);
    if (fits) return r;
    return chosen(w, make_by(w, ISA_lt_u, n, width), r, number(w, s->reg, 0));
}

/* A constant in the register's type. */
static isa_operand in_type(struct closed_code *w, const struct recurrence *s, isa_operand o) {
    uint64_t value;
    return s->wider && constant_bits(w->c.out, o, &value) ? number(w, s->reg, (int64_t)value) : o;
}

/* A register that is changed n times, and is every other time what it was. */
static isa_operand changed(struct closed_code *w, const struct recurrence *s, isa_operand n) {
    isa_operand what = s->what == ISA_NO_OPERAND ? number(w, s->reg, 1) : in_type(w, s, s->what);
    n = make_by(w, ISA_and, n, 1);
    if (s->kind == RECUR_TURN || s->kind == RECUR_SIGN)
        return chosen(w, make_by(w, ISA_eq, n, 0), s->reg, make(w, ISA_sub, what, s->reg));
    if (s->what == ISA_NO_OPERAND) return make(w, ISA_xor, s->reg, n);
    n = make(w, ISA_sub, number(w, s->reg, 0), n);
    return make(w, ISA_xor, s->reg, make(w, ISA_and, n, what));
}

/* A register as the last iteration finds it. */
static isa_operand last_of(struct closed_code *w, const struct recurrence *s) {
    const struct closed_condition *x = w->x->conditions;
    bool drives = w->x->nconditions == 1 && s == x->driver;
    isa_operand n = as(w, w->trips, s->reg), by = in_type(w, s, s->by), a, b;
    switch (s->kind) {
    case RECUR_ADD:
        if (!constant_is(w->c.out, by, 1)) n = make(w, ISA_mul, n, by);
        return make(w, s->down ? ISA_sub : ISA_add, s->reg, n);
    case RECUR_XOR:
    case RECUR_TURN: return changed(w, s, n);
    case RECUR_BIT:
    case RECUR_FLIP:
    case RECUR_SIGN: break;
    case RECUR_LOWEST:
        if (!x->behind) return number(w, s->reg, 0);
        /* The highest one is left. */
        a = number(w, s->reg,
                   INT64_MIN >> (64 - isa_type_size[isa_operand_type(w->c.out, s->reg)] * 8));
        b = make(w, ISA_shr_u, a, make(w, ISA_clz, s->reg, ISA_NO_OPERAND));
        return make(w, ISA_and, s->reg, b);
    default:
        if (drives && !x->behind && !x->bits && !x->odd && !x->is_signed)
            return number(w, s->reg, 0);
        return shifted(w, s);
    }
    const struct recurrence *of = w->x->steps;
    while (of->reg != s->by) of++;
    a = of->reg;
    b = of->last;
    if (s->behind) {
        a = stepped(w, of, a);
        b = stepped(w, of, b);
    }
    a = make(w, ISA_popc, a, ISA_NO_OPERAND);
    if (!constant_is(w->c.out, b, 0)) a = make(w, ISA_sub, a, make(w, ISA_popc, b, ISA_NO_OPERAND));
    a = as(w, a, s->reg);
    if (s->zeros) a = make(w, ISA_sub, n, a);
    if (s->kind != RECUR_BIT) return changed(w, s, a);
    return make(w, s->down ? ISA_sub : ISA_add, s->reg, a);
}

/* How often the loop goes round until the condition holds. *never: where it does not. */
static isa_operand count(struct closed_code *w, const struct closed_condition *c,
                         isa_operand *never) {
    *never = ISA_NO_OPERAND;
    if (!c->driver) return count_steps(w, c);
    isa_operand y = c->driver->reg;
    if (c->behind) y = stepped(w, c->driver, y);
    y = count_shifts(w, c, y, never);
    if (comes_there(w->x, c)) *never = ISA_NO_OPERAND;
    return as(w, y, kernelcopy_word(&w->c, 0));
}

static void write(struct closed_code *w, struct closed_loop *x) {
    const struct loop *l = &x->l->loops[x->loop];
    isa_operand never = ISA_NO_OPERAND;
    w->x = x;
    w->c.at = l->begin;
    for (unsigned n = 0; n < x->nconditions; n++) {
        isa_operand not_by, trips = count(w, &x->conditions[n], &not_by);
        if (x->nconditions > 1 && not_by != ISA_NO_OPERAND)
            trips = chosen(w, not_by, kernelcopy_word(&w->c, UINT32_MAX), trips);
        w->trips = n ? make(w, ISA_min_u, w->trips, trips) : trips;
        bool all = !n || (never != ISA_NO_OPERAND && not_by != ISA_NO_OPERAND);
        if (n && all) not_by = kernelcopy_joined(&w->c, ISA_and, never, not_by);
        never = all ? not_by : ISA_NO_OPERAND;
    }
    if (never != ISA_NO_OPERAND) {
        kernelcopy_control(&w->c, ISA_if, never);
        kernelcopy_put_range(&w->c, l->begin, l->end + 1);
        kernelcopy_control(&w->c, ISA_endif, ISA_NO_OPERAND);
    } else {
        for (uint32_t n = x->leaves; n <= x->last; n++)
            if (w->c.k->insts[n].op == ISA_breakif)
                isa_site_remove(w->c.out, w->c.k->insts[n].site, ISA_REMOVED_empty);
    }
    for (unsigned s = 0; s < x->nsteps; s++) x->steps[s].last = last_of(w, &x->steps[s]);
    for (unsigned s = 0; s < x->nsteps; s++)
        kernelcopy_move(&w->c, x->steps[s].reg, x->steps[s].last);
    kernelcopy_put_range(&w->c, l->begin + 1, x->leaves);
}

void opt_closed(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l = {0};
    struct numbers numbers;
    struct closed_code w;
    bool any = false;
    if (!loops_find(&l, k, arena)) return;
    struct closed_loop **found = ARENA_ARRAY(arena, struct closed_loop *, l.nloops + 1u);
    for (uint32_t n = 1; n <= l.nloops; n++) {
        struct closed_loop *x = ARENA_NEW(arena, struct closed_loop);
        if (!closedloops_find(x, k, &l, n)) continue;
        if (!any) numbers_find(&numbers, k, NULL, arena);
        for (unsigned c = 0; c < x->nconditions; c++) {
            const struct recurrence *d = x->conditions[c].driver;
            x->conditions[c].positive = d && numbers_signed(&numbers, k, d->reg).least >= 0;
        }
        trace_tell(p, &k->insts[l.loops[n].begin], "the loop is gone: what it leaves is computed");
        found[n] = x;
        any = true;
    }
    if (!any) return;
    kernelcopy_take(&w.c, k, arena);
    for (uint32_t n = 0; n < w.c.k->ninsts && !isa_kernel_failed(k); n++) {
        struct closed_loop *x = w.c.k->insts[n].op == ISA_loop ? found[loops_at(&l, n)] : NULL;
        if (x) {
            x->k = w.c.k;
            write(&w, x);
            n = l.loops[x->loop].end;
        } else {
            kernelcopy_put(&w.c, n);
        }
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, l.reads, w.c.k->nregs);
}
