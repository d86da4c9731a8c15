/* Searches along rows of the work-item's own (device/analysis/ownsearches.h), of several iterations
 * at a time: what these read is read first, a row of each lane in one. No lane leaves until all
 * have found what they look for, as masks that depend on what was read would have each load wait
 * for the one before; what a lane has when it would have left it keeps. What is read under a
 * condition is read without, too. That is where all that iterations may read lies in objects;
 * behind it, and where it does not, the loop goes on as it was. */
#include "device/analysis/ownsearches.h"

#include "device/analysis/provenance.h"
#include "device/isa/rewrite.h"
#include "device/isa/unroll.h"
#include "sized_pass.h"

#include <stdlib.h>

enum {
    MOST_KERNEL = 1000, /* instructions, */
    MOST_MORE = 1500,   /* as many as which are more, so that no other loop follows; */
    MOST_COPIED = 8000, /* more than what they may become; */
    MOST_WAY = 1 << 20, /* that the counter of a search goes: its bytes are a word; */
    NESTED = 2
};

/* What the loop does with a register of its own. */
enum search_register {
    SEARCH_READ,    /* nothing writes it */
    SEARCH_COUNTER, /* it is stepped by a constant: another register is, for all lanes */
    SEARCH_OWN,     /* nobody wants it of lanes that have left */
    SEARCH_RESULT   /* somebody does */
};

struct searcher {
    const struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    struct ownsearch s;   /* the one at hand, */
    uint8_t *is;          /* enum search_register of its registers, */
    bool *wanted;         /* counters of the list: of lanes that have left, too */
    isa_operand *stepped; /* what is in their place */
    isa_operand *loaded;  /* what is loaded in each iteration, load by load */
    isa_operand done;     /* lanes have left */
    isa_operand on;       /* lanes are in the if at hand; ISA_NO_OPERAND: there is none */
    uint32_t part;        /* its part ends there */
    uint32_t iteration;
    struct kernelcopy copy;
};

/* ---- registers ---- */

/* Does nothing but the loop read what it leaves in the register? */
static bool is_own(const struct searcher *x, isa_operand reg) {
    const struct isa_kernel *k = x->k;
    uint32_t reads = 0, loop = loops_at(&x->l, x->s.begin);
    bool read_first = false, written = false;
    for (uint32_t n = x->s.begin + 1; n < x->s.end; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned s = 0; s < i->nsrc; s++) {
            if (isa_srcs(k, i)[s] != reg) continue;
            reads++;
            read_first |= !written;
        }
        written |= isa_writes(k, i, reg) && !x->l.nested[n];
    }
    if (reads != x->l.reads[reg]) return false;
    return !read_first || !loops_goes_on(&x->l, k, loop, reg);
}

static void find_registers(struct searcher *x) {
    const struct isa_kernel *k = x->k;
    uint32_t loop = loops_at(&x->l, x->s.begin);
    for (uint32_t r = 0; r < k->nregs; r++) x->is[r] = SEARCH_READ;
    for (uint32_t n = x->s.begin + 1; n < x->s.end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!i->ndst) continue;
        isa_operand reg = isa_dsts(k, i)[0];
        const struct loop_counter *c = loops_counter(&x->counters, reg, loop);
        bool own = is_own(x, reg);
        x->is[reg] = own ? SEARCH_OWN : SEARCH_RESULT;
        if (!c || !loops_constant_step(k, c)) continue;
        x->is[reg] = SEARCH_COUNTER;
        x->wanted[c - x->counters.list] = !own;
    }
}

/* ---- where it is done ---- */

/* How far the counter is to go, as an i32. */
static isa_operand way_left(struct searcher *x) {
    struct kernelcopy *c = &x->copy;
    const struct loop_exit *e = &x->s.exit;
    enum isa_op leaves = (enum isa_op)x->k->insts[e->compare].op;
    isa_operand now = e->counter.reg;
    if (e->off) now = kernelcopy_result(c, ISA_add, ISA_I32, now, kernelcopy_word(c, e->off));
    isa_operand high = e->down ? now : e->bound, low = e->down ? e->bound : now,
                left = kernelcopy_result(c, ISA_sub, ISA_I32, high, low);
    if (leaves == ISA_eq) return left;
    isa_operand over = kernelcopy_result(c, leaves, ISA_I32, high, low);
    return kernelcopy_select(c, ISA_I32, over, kernelcopy_word(c, 0), left);
}

/* The same for all iterations that are to come, at most: a part of a step is one, and so is one
 * that ends by it. */
static isa_operand way(struct searcher *x, isa_operand left) {
    const struct loop_exit *e = &x->s.exit;
    uint32_t more = e->inclusive + x->s.last * e->step + (e->step > 1 ? e->step : 0);
    struct kernelcopy *c = &x->copy;
    return more ? kernelcopy_result(c, ISA_add, ISA_I32, left, kernelcopy_word(c, more)) : left;
}

/* Which lanes have all that a load may read in the object of its parameter. */
static isa_operand in_object(struct searcher *x, const struct ownsearch_load *ld, isa_operand way) {
    struct kernelcopy *c = &x->copy;
    const struct isa_inst *i = &x->k->insts[ld->at];
    uint32_t object = ISA_SPECIAL_object_0 + 2 * ld->param, far = (uint32_t)abs(ld->step),
             off = (uint32_t)i->imm + (ld->behind ? (uint32_t)ld->step : 0);
    if (ld->step < 0) off += isa_bytes(i); /* its end is */
    isa_operand at = x->counters.list[ld->base].reg, bytes = kernelcopy_special(c, object + 1);
    at = kernelcopy_result(c, ISA_sub, ISA_I32, at, kernelcopy_special(c, object));
    if (off) at = kernelcopy_result(c, ISA_add, ISA_I32, at, kernelcopy_word(c, off));
    isa_operand row = kernelcopy_word(c, far / x->s.exit.step);
    row = kernelcopy_result(c, ISA_mul, ISA_I32, way, row);
    isa_operand inside = kernelcopy_result(c, ISA_le_u, ISA_I32, at, bytes);
    isa_operand left = ld->step < 0 ? at : kernelcopy_result(c, ISA_sub, ISA_I32, bytes, at);
    isa_operand fits = kernelcopy_result(c, ISA_le_u, ISA_I32, row, left);
    return kernelcopy_result(c, ISA_and, ISA_PRED, inside, fits);
}

/* Whether a predicate holds for no lane, or for all. */
static isa_operand vote(struct searcher *x, isa_operand p, bool all) {
    struct kernelcopy *c = &x->copy;
    isa_operand one = kernelcopy_word(c, 1), zero = kernelcopy_word(c, 0);
    isa_operand lanes = kernelcopy_select(c, ISA_I32, p, all ? zero : one, all ? one : zero);
    lanes = kernelcopy_result(c, ISA_lane_add, ISA_I32, lanes, ISA_NO_OPERAND);
    return kernelcopy_result(c, ISA_eq, ISA_I32, lanes, zero);
}

/* Whether it is done: for all lanes alike. */
static isa_operand may_be(struct searcher *x) {
    struct kernelcopy *c = &x->copy;
    isa_operand left = way_left(x), far = way(x, left), good;
    uint32_t params = 0;
    good = kernelcopy_result(c, ISA_lt_u, ISA_I32, left, kernelcopy_word(c, MOST_WAY));
    for (unsigned n = 0; n < x->s.count; n++) {
        params |= 1u << x->s.loads[n].param;
        good = kernelcopy_joined(c, ISA_and, good, in_object(x, &x->s.loads[n], far));
    }
    good = kernelcopy_joined(c, ISA_and, good, kernelcopy_alone(c, params));
    return vote(x, good, true);
}

/* ---- the iterations ---- */

/* A counter as an instruction reads it. */
static isa_operand counted(struct searcher *x, const struct loop_counter *counter, uint32_t n) {
    struct kernelcopy *c = &x->copy;
    uint32_t times = x->iteration + (n > counter->at);
    isa_operand is = x->stepped[counter - x->counters.list];
    if (!times) return is;
    uint32_t far = times * (uint32_t)loops_constant_step(x->k, counter);
    return kernelcopy_result(c, ISA_add, ISA_I32, is, kernelcopy_word(c, far));
}

static isa_operand operand(struct searcher *x, isa_operand o, uint32_t n) {
    const struct loop_counter *c = loops_counter(&x->counters, o, loops_at(&x->l, x->s.begin));
    if (isa_is_reg(o) && x->is[o] == SEARCH_COUNTER) return counted(x, c, n);
    return kernelcopy_named(&x->copy, o);
}

/* Is the register one of that part of an if, which ends there, alone? */
static bool is_of_part(const struct searcher *x, isa_operand reg, uint32_t n) {
    uint32_t mentions = 0;
    for (; n < x->part; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++)
            mentions += isa_dsts(x->k, i)[o] == reg;
    }
    return mentions == x->l.defs[reg] + x->l.reads[reg];
}

/* What instruction n writes; lanes that are not there keep what they have, and so do those that
 * have left, if somebody wants that. */
static void assign(struct searcher *x, isa_operand reg, isa_operand value, uint32_t n,
                   bool wanted) {
    struct kernelcopy *c = &x->copy;
    enum isa_type type = (enum isa_type)x->k->reg_types[reg];
    isa_operand was = c->names[reg];
    if (x->on != ISA_NO_OPERAND && !is_of_part(x, reg, n))
        value = kernelcopy_select(c, type, x->on, value, was);
    if (wanted && x->s.decides) value = kernelcopy_select(c, type, x->done, was, value);
    c->names[reg] = value;
}

/* Of an if: its lanes. */
static void put_region(struct searcher *x, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    x->part = i->match;
    if (i->op == ISA_if)
        x->on = operand(x, isa_srcs(x->k, i)[0], n);
    else if (i->op == ISA_else)
        x->on = kernelcopy_result(&x->copy, ISA_not, ISA_PRED, x->on, ISA_NO_OPERAND);
    else
        x->on = ISA_NO_OPERAND;
}

static void put_loads(struct searcher *x) {
    struct kernelcopy *c = &x->copy;
    for (unsigned n = 0; n < x->s.count; n++) {
        const struct ownsearch_load *ld = &x->s.loads[n];
        isa_operand to = isa_dsts(x->k, &x->k->insts[ld->at])[0], was = c->names[to];
        for (uint32_t j = 0; j < OWNSEARCHES_TIMES; j++) {
            kernelcopy_rename(c, to);
            x->loaded[n * OWNSEARCHES_TIMES + j] = c->names[to];
            c->at = ld->at;
            kernelcopy_put_with(c, ld->at, &x->stepped[ld->base])->imm +=
                ((int32_t)j + ld->behind) * ld->step;
        }
        c->names[to] = was;
    }
}

static void put_instruction(struct searcher *x, uint32_t n) {
    struct kernelcopy *c = &x->copy;
    const struct isa_inst *i = &x->k->insts[n];
    isa_operand src[UINT8_MAX], reg = isa_dsts(x->k, i)[0], was = c->names[reg], value;
    for (unsigned s = 0; s < i->nsrc; s++) src[s] = operand(x, isa_srcs(x->k, i)[s], n);
    c->at = n;
    if (i->op == ISA_mov && (!isa_is_reg(src[0]) || src[0] >= x->k->nregs)) {
        value = src[0];
    } else {
        kernelcopy_rename(c, reg);
        value = c->names[reg];
        kernelcopy_put_with(c, n, src);
        c->names[reg] = was;
    }
    assign(x, reg, value, n, x->is[reg] == SEARCH_RESULT);
}

static void put_iteration(struct searcher *x) {
    const struct ownsearch *s = &x->s;
    const struct isa_kernel *k = x->k;
    uint32_t loop = loops_at(&x->l, s->begin), load = 0;
    bool ends = s->last && x->iteration + 1 == OWNSEARCHES_TIMES;
    for (uint32_t n = s->begin + 1; n < s->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        isa_operand reg = i->ndst ? isa_dsts(k, i)[0] : ISA_NO_OPERAND;
        x->copy.at = n;
        if (i->op == ISA_ld) {
            isa_operand value = x->loaded[load++ * OWNSEARCHES_TIMES + x->iteration];
            assign(x, reg, value, n, x->is[reg] == SEARCH_RESULT);
        } else if (i->op == ISA_if || i->op == ISA_else || i->op == ISA_endif) {
            put_region(x, n);
        } else if (i->op == ISA_breakif) {
            if (n == s->leaves && !ends) continue;
            isa_operand p = operand(x, isa_srcs(k, i)[0], n);
            x->done = kernelcopy_result(&x->copy, ISA_or, ISA_PRED, x->done, p);
        } else if (x->is[reg] == SEARCH_COUNTER) {
            const struct loop_counter *c = loops_counter(&x->counters, reg, loop);
            if (x->wanted[c - x->counters.list]) assign(x, reg, counted(x, c, n + 1), n, true);
        } else if (n != s->exit.compare || ends || x->l.reads[reg] > 1) {
            put_instruction(x, n);
        }
    }
}

/* What the next ones begin with is in the registers. */
static void put_ends(struct searcher *x, isa_operand done) {
    struct kernelcopy *c = &x->copy;
    c->at = x->s.end;
    if (x->s.decides) kernelcopy_move(c, done, x->done);
    for (uint32_t r = 0; r < x->k->nregs; r++)
        if (c->names[r] != r) kernelcopy_move(c, r, c->names[r]);
    kernelcopy_keep_names(c);
}

static void each_counter(struct searcher *x, void (*put)(struct searcher *x, uint32_t n)) {
    for (uint32_t n = 0; n < x->counters.count; n++) {
        const struct loop_counter *c = &x->counters.list[n];
        if (c->loop == loops_at(&x->l, x->s.begin) && x->is[c->reg] == SEARCH_COUNTER) put(x, n);
    }
}

static void put_start(struct searcher *x, uint32_t n) {
    x->stepped[n] = isa_reg_new(x->copy.out, ISA_I32);
    kernelcopy_move(&x->copy, x->stepped[n], x->counters.list[n].reg);
}

static void put_step(struct searcher *x, uint32_t n) {
    uint32_t by = OWNSEARCHES_TIMES * (uint32_t)loops_constant_step(x->k, &x->counters.list[n]);
    isa_operand is = x->stepped[n];
    kernelcopy_add(&x->copy, ISA_add, ISA_I32, is, is, kernelcopy_word(&x->copy, by));
}

static void put_back(struct searcher *x, uint32_t n) {
    if (!x->wanted[n]) kernelcopy_move(&x->copy, x->counters.list[n].reg, x->stepped[n]);
}

/* ---- the loop ---- */

static void put_branch(struct searcher *x, enum isa_op op, isa_operand p) {
    kernelcopy_add(&x->copy, op, ISA_NONE_T, ISA_NO_OPERAND, p, ISA_NO_OPERAND)->site =
        x->k->insts[x->s.decides ? x->s.decides : x->s.leaves].site;
}

static void put_several(struct searcher *x, isa_operand done) {
    struct kernelcopy *c = &x->copy;
    struct loop_exit exit = x->s.exit;
    each_counter(x, put_start);
    kernelcopy_put(c, x->s.begin);
    exit.counter.reg =
        x->stepped[loops_counter(&x->counters, exit.counter.reg, loops_at(&x->l, x->s.begin)) -
                   x->counters.list];
    unroll_leave(c, &exit, x->s.leaves, OWNSEARCHES_TIMES - x->s.last);
    put_loads(x);
    x->done = done;
    x->on = ISA_NO_OPERAND;
    for (x->iteration = 0; x->iteration < OWNSEARCHES_TIMES; x->iteration++) put_iteration(x);
    put_ends(x, done);
    each_counter(x, put_step);
    if (x->s.decides) put_branch(x, ISA_breakif, vote(x, done, true));
    kernelcopy_put(c, x->s.end);
    each_counter(x, put_back);
}

static void put(struct searcher *x) {
    struct kernelcopy *c = &x->copy;
    isa_operand done = isa_reg_new(c->out, ISA_PRED);
    c->at = x->s.begin;
    find_registers(x);
    if (x->s.decides) kernelcopy_move(c, done, isa_const_new(c->out, ISA_PRED, 0));
    put_branch(x, ISA_if, may_be(x));
    put_several(x, done);
    c->at = x->s.end;
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
    if (x->s.decides)
        put_branch(x, ISA_if, kernelcopy_result(c, ISA_not, ISA_PRED, done, ISA_NO_OPERAND));
    for (uint32_t n = x->s.begin; n <= x->s.end; n++) kernelcopy_put(c, n);
    c->at = x->s.end;
    if (x->s.decides) kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

/* ---- the kernel ---- */

static bool write(struct searcher *x, const struct shape *shape, const uint64_t *provenance,
                  const struct trace_pass *p) {
    struct kernelcopy *c = &x->copy;
    bool any = false;
    kernelcopy_keep_names(c);
    for (uint32_t n = 0; !c->failed && n < x->k->ninsts; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op != ISA_loop || c->out->ninsts > n + MOST_MORE ||
            !ownsearches_find(&x->s, x->k, &x->l, &x->counters, shape, provenance, n)) {
            kernelcopy_put(c, n);
            continue;
        }
        trace_tell(p, i, "%u iterations at a time%s", OWNSEARCHES_TIMES,
                   x->s.decides ? ", until all lanes have left" : "");
        put(x);
        n = x->s.end;
        any = true;
    }
    return any && !c->failed && kernelcopy_finish(c->out);
}

bool searches_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    const struct isa_kernel *k = s->k;
    struct arena_try t;
    uint32_t loops = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) loops += k->insts[n].op == ISA_loop;
    if (k->probed || k->ninsts > MOST_KERNEL || !loops || k->nparams > PROVENANCE_PARAMS ||
        rewrite_nesting(k) + NESTED > ISA_MAX_NESTING)
        return true;
    if (ARENA_FAILS(&t)) return false;
    struct searcher *x = ARENA_NEW(t.arena, struct searcher);
    uint64_t *provenance = provenance_new(k);
    struct shape *shape = shape_new_lockstep(k, s->groups.size);
    bool good = provenance && shape;
    x->k = k;
    if (good && loops_find(&x->l, k, t.arena)) {
        loops_counters_copied(&x->l, k, t.arena, &x->counters);
        x->is = ARENA_ARRAY(t.arena, uint8_t, k->nregs + 1u);
        x->wanted = ARENA_ARRAY(t.arena, bool, x->counters.count + 1u);
        x->stepped = ARENA_ARRAY(t.arena, isa_operand, x->counters.count + 1u);
        x->loaded = ARENA_ARRAY(t.arena, isa_operand, OWNSEARCHES_LOADS * OWNSEARCHES_TIMES);
        if (kernelcopy_begin(&x->copy, k, MOST_COPIED) && write(x, shape, provenance, p))
            sized_kernel_take(made, &x->copy);
        else
            kernelcopy_drop(&x->copy);
    }
    shape_free(shape);
    free(provenance);
    arena_free(t.arena);
    return good;
}
