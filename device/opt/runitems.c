#include "runitems.h"

#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "opt_pass.h"

enum { DIMENSIONS = 3 };

/* j * iteration + y * place + yn * place * n + g * size, all of it times the factor, and what hangs
 * on none of them; an iteration that is so many work-items further counts `size` times. Modulo
 * 2^32. */
struct run_form {
    bool is;
    uint32_t j, y, yn, g;
    isa_operand factor; /* a register; ISA_NO_OPERAND: 1 */
};

struct run_search {
    const struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    uint32_t *starts;        /* what starts them, + 1 */
    uint32_t begin, loop;    /* where the loop begins, and which it is */
    uint32_t start, compare; /* what starts its counter, and compares it */
    isa_operand counter, bound;
    unsigned d;             /* the place in that dimension; */
    bool apart;             /* elements are as many work-items apart as there are */
    struct run_form *forms; /* of registers, so far */
    isa_operand *strides;   /* of counters: by how much they go on; ISA_NO_OPERAND: as they do; */
    isa_operand *firsts;    /* what starts them */
};

/* ---- the loop ---- */

/* The kernel's first loop counts from 0 one by one, and is left only before an iteration. */
static bool find_loop(struct run_search *x) {
    const struct isa_kernel *k = x->k;
    struct loop_exit e;
    uint32_t n = x->begin + 1;
    while (n < k->ninsts && isa_op_info[k->insts[n].op].flags & ISA_OP_PURE) n++;
    if (n >= k->ninsts || k->insts[n].op != ISA_breakif || !loops_exit(&x->l, k, n, &e))
        return false;
    uint32_t start = loops_start(k, x->begin, e.counter.reg), zero;
    if (!start || k->insts[start - 1].op != ISA_mov ||
        !isa_constant(k, isa_srcs(k, &k->insts[start - 1])[0], &zero) || zero)
        return false;
    x->start = start - 1;
    x->compare = e.compare;
    x->counter = e.counter.reg;
    x->bound = e.bound;
    bool kept = isa_is_const(e.bound) || x->l.ordered[e.bound];
    isa_operand p = isa_dsts(k, &k->insts[e.compare])[0];
    return kept && e.step == 1 && !e.down && !e.off && !e.inclusive &&
           compare_is_order(k->insts[e.compare].op) && x->l.reads[p] == 1;
}

/* ---- forms ---- */

static const struct run_form none = {.is = true, .factor = ISA_NO_OPERAND};

static bool is_none(const struct run_form *f) { return f->is && !f->j && !f->y && !f->yn && !f->g; }

/* It is what it was where the place is 0 and the iteration that of all elements. */
static bool is_even(const struct run_search *x, const struct run_form *f) {
    uint32_t n;
    if (!f->is || f->g) return false;
    if (x->apart) return !f->yn && f->j == f->y;
    if (isa_constant(x->k, x->bound, &n)) return !f->yn && f->y == f->j * n;
    return !f->y && f->yn == f->j;
}

static struct run_form form_of(const struct run_search *x, isa_operand o) {
    return isa_is_reg(o) ? x->forms[o] : none;
}

static struct run_form sum(struct run_form a, struct run_form b, uint32_t times) {
    a.is &= b.is && (is_none(&a) || is_none(&b) || a.factor == b.factor);
    if (is_none(&a)) a.factor = b.factor;
    a.j += b.j * times;
    a.y += b.y * times;
    a.yn += b.yn * times;
    a.g += b.g * times;
    return a;
}

/* The register that an operand is a multiple of, and how often. */
static isa_operand factor_of(const struct run_search *x, isa_operand o, uint32_t *number) {
    const struct isa_inst *i = loops_definition(&x->l, x->k, o);
    bool scales = i && i->type == ISA_I32 && (i->op == ISA_shl || i->op == ISA_mul);
    *number = 1;
    isa_operand of = scales ? isa_srcs(x->k, i)[0] : o;
    bool kept = scales && isa_is_reg(of) && x->l.ordered[of];
    if (!kept || !isa_constant(x->k, isa_srcs(x->k, i)[1], number)) return o;
    if (i->op == ISA_shl) *number = 1u << (*number & 31);
    return of;
}

static struct run_form product(const struct run_search *x, struct run_form a, isa_operand by) {
    uint32_t number;
    if (isa_constant(x->k, by, &number)) return sum(none, a, number);
    bool place = by == x->bound && a.is && !a.j && !a.yn && !a.g;
    if (place) {
        a.yn = a.y;
        a.y = 0;
        return a;
    }
    if (is_even(x, &a)) return none;
    by = factor_of(x, by, &number);
    a.is &= a.factor == ISA_NO_OPERAND && x->l.ordered[by];
    a.factor = by;
    return sum(none, a, number);
}

static struct run_form special(const struct run_search *x, uint32_t which) {
    struct run_form f = none;
    if (which == ISA_SPECIAL_global_id_x + x->d) f.y = 1;
    if (which == ISA_SPECIAL_global_size_x + x->d) f.g = 1;
    return f;
}

/* Of sums and products; false: it is none. */
static bool computes(const struct run_search *x, const struct isa_inst *i, struct run_form *f) {
    const isa_operand *src = isa_srcs(x->k, i);
    uint32_t shift;
    if (i->type != ISA_I32 || i->type2 != ISA_NONE_T || i->ndst != 1) return false;
    struct run_form a = i->nsrc > 0 ? form_of(x, src[0]) : none,
                    b = i->nsrc > 1 ? form_of(x, src[1]) : none;
    switch (i->op) {
    case ISA_mov: *f = a; return true;
    case ISA_add: *f = sum(a, b, 1); return true;
    case ISA_sub: *f = sum(a, b, UINT32_MAX); return true;
    case ISA_shl:
        if (!isa_constant(x->k, src[1], &shift)) return false;
        *f = sum(none, a, 1u << (shift & 31));
        return true;
    case ISA_mul:
        if (!is_none(&a) && !is_none(&b)) return false;
        *f = is_none(&a) ? product(x, b, src[0]) : product(x, a, src[1]);
        return true;
    default: return false;
    }
}

/* The loop's counter that instruction n starts or steps, by what iterations are told apart. */
static const struct loop_counter *moved_by(const struct run_search *x, uint32_t n, bool *starts) {
    for (uint32_t m = 0; m < x->counters.count; m++) {
        const struct loop_counter *t = &x->counters.list[m];
        *starts = n + 1 == x->starts[m];
        if (t->loop != x->loop || !x->starts[m] || (!*starts && n != t->at)) continue;
        struct run_form step = form_of(x, t->step);
        bool far = step.is && step.g && !step.j && !step.y && !step.yn;
        if (t->reg == x->counter || (x->apart ? far : is_none(&step))) return t;
    }
    return NULL;
}

/* What the counter is in an iteration, of what it is before the loop. */
static struct run_form counted(const struct run_search *x, const struct loop_counter *t) {
    struct run_form by = none, first = form_of(x, t->reg), step = form_of(x, t->step);
    if (x->apart) {
        by.j = step.g;
        by.factor = step.factor;
        first.is &= t->reg != x->counter;
    } else if (isa_is_const(t->step)) {
        by.j = (uint32_t)loops_constant_step(x->k, t);
    } else {
        by.factor = factor_of(x, t->step, &by.j);
        by.is = x->l.ordered[by.factor];
    }
    return sum(first, by, 1);
}

static void begin_loop(struct run_search *x) {
    bool starts;
    for (uint32_t m = 0; m < x->counters.count; m++) {
        const struct loop_counter *t = &x->counters.list[m];
        if (moved_by(x, t->at, &starts) == t) x->forms[t->reg] = counted(x, t);
    }
}

static bool reads_even(const struct run_search *x, const struct isa_inst *i) {
    for (unsigned s = 0; s < i->nsrc; s++) {
        struct run_form f = form_of(x, isa_srcs(x->k, i)[s]);
        if (!is_even(x, &f)) return false;
    }
    return true;
}

/* Does nothing but its place and their number tell a work-item from others in the dimension? */
static bool is_fine(const struct run_search *x, const struct isa_inst *i) {
    uint32_t which = (uint32_t)i->imm;
    if (i->op != ISA_special) return !(isa_op_info[i->op].flags & ISA_OP_BARRIER);
    if (which >= ISA_SPECIAL_work_dim) return which == ISA_SPECIAL_work_dim;
    bool place = which == ISA_SPECIAL_global_id_x + x->d,
         size = which == ISA_SPECIAL_global_size_x + x->d;
    return which % DIMENSIONS != x->d || place || size;
}

/* What instruction n does with what hangs on places is the same. */
static bool look_at(struct run_search *x, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    bool starts;
    struct run_form f = none;
    if (!is_fine(x, i)) return false;
    if (n == x->begin) begin_loop(x);
    const struct loop_counter *t = moved_by(x, n, &starts);
    if (t && starts) {
        if (i->op == ISA_special)
            f = special(x, (uint32_t)i->imm);
        else if (!computes(x, i, &f) && !reads_even(x, i))
            return false;
        x->forms[t->reg] = f;
        return true;
    }
    if (t) return !isa_reads_between(x->k, t->reg, n + 1, x->l.loops[x->loop].end);
    if (n == x->compare) return true;
    isa_operand to = i->ndst == 1 ? isa_dsts(x->k, i)[0] : ISA_NO_OPERAND;
    if (i->op == ISA_special) {
        f = special(x, (uint32_t)i->imm);
        if (is_none(&f)) return true;
        x->forms[to] = f;
        return x->l.ordered[to];
    }
    if (isa_is_reg(to) && x->l.ordered[to] && computes(x, i, &f)) {
        x->forms[to] = f;
        return true;
    }
    return reads_even(x, i);
}

static bool holds(struct run_search *x) {
    bool any = false, good = true;
    for (uint32_t r = 0; r < x->k->nregs; r++) x->forms[r] = none;
    for (unsigned again = 0; again < 2; again++) { /* steps may stand behind what they step */
        good = true;
        for (uint32_t n = 0; n < x->k->ninsts; n++) {
            const struct isa_inst *i = &x->k->insts[n];
            any |= i->op == ISA_special && i->imm == (int32_t)(ISA_SPECIAL_global_id_x + x->d);
            good &= look_at(x, n);
        }
    }
    struct run_form bound = form_of(x, x->bound);
    return any && good && is_none(&bound);
}

/* ---- in strides ---- */

/* So many work-items, times how much a counter goes on in an iteration, or in one that is as many
 * further as there are. */
static isa_operand steps(const struct run_search *x, struct kernelcopy *c,
                         const struct loop_counter *t, isa_operand items) {
    struct run_form step = form_of(x, t->step);
    if (t->reg == x->counter) return items;
    if (!x->apart) return kernelcopy_result(c, ISA_mul, ISA_I32, items, t->step);
    items = kernelcopy_result(c, ISA_mul, ISA_I32, items, kernelcopy_word(c, step.g));
    if (step.factor == ISA_NO_OPERAND) return items;
    return kernelcopy_result(c, ISA_mul, ISA_I32, items, step.factor);
}

/* Before the loop: where counters start, and by how much they go on in it; those that lie apart do
 * so already. */
static void put_begin(const struct run_search *x, struct kernelcopy *c) {
    isa_operand place = kernelcopy_special(c, ISA_SPECIAL_global_id_x + x->d);
    isa_operand size = kernelcopy_special(c, ISA_SPECIAL_global_size_x + x->d);
    bool starts;
    for (uint32_t m = 0; m < x->counters.count && !c->failed; m++) {
        const struct loop_counter *t = &x->counters.list[m];
        if (moved_by(x, t->at, &starts) != t) continue;
        if (!x->apart || t->reg == x->counter) x->strides[m] = steps(x, c, t, size);
        if (t->reg == x->counter)
            kernelcopy_move(c, t->reg, place);
        else
            kernelcopy_add(c, ISA_add, ISA_I32, t->reg, x->firsts[m], steps(x, c, t, place));
    }
}

static bool is_place(const struct run_search *x, const struct isa_inst *i) {
    return i->op == ISA_special && i->imm == (int32_t)(ISA_SPECIAL_global_id_x + x->d);
}

/* Before the loop counters are registers of their own, which do not go on. */
static struct isa_inst *put_early(const struct run_search *x, struct kernelcopy *c, uint32_t n) {
    const struct isa_inst *i = &c->k->insts[n];
    isa_operand src[UINT8_MAX];
    for (unsigned s = 0; s < i->nsrc; s++) {
        src[s] = isa_srcs(c->k, i)[s];
        for (uint32_t m = 0; m < x->counters.count; m++)
            if (x->counters.list[m].reg == src[s] && x->firsts[m] != ISA_NO_OPERAND)
                src[s] = x->firsts[m];
    }
    return kernelcopy_put_with(c, n, src);
}

static void put_start(const struct run_search *x, struct kernelcopy *c, uint32_t n,
                      const struct loop_counter *t) {
    isa_operand first = isa_reg_new(c->out, ISA_I32);
    if (c->failed) return;
    if (is_place(x, &c->k->insts[n]))
        kernelcopy_move(c, first, kernelcopy_word(c, 0));
    else
        isa_dsts(c->out, put_early(x, c, n))[0] = first;
    x->firsts[t - x->counters.list] = first;
}

static void put(const struct run_search *x, struct kernelcopy *c, uint32_t n) {
    const struct isa_inst *i = &c->k->insts[n];
    bool starts;
    c->at = n;
    if (n == x->begin) put_begin(x, c);
    const struct loop_counter *t = moved_by(x, n, &starts);
    isa_operand stride = t ? x->strides[t - x->counters.list] : ISA_NO_OPERAND;
    if (t && starts)
        put_start(x, c, n, t);
    else if (is_place(x, i))
        kernelcopy_move(c, isa_dsts(c->k, i)[0], kernelcopy_word(c, 0));
    else if (stride != ISA_NO_OPERAND)
        kernelcopy_add(c, ISA_add, ISA_I32, t->reg, t->reg, stride);
    else if (n < x->begin)
        put_early(x, c, n);
    else
        kernelcopy_put(c, n);
}

static struct isa_kernel *write(const struct run_search *x) {
    enum { AROUND = 4, EACH = 8 };
    struct kernelcopy c;
    struct isa_kernel *out = NULL;
    bool good = kernelcopy_begin(&c, x->k, x->k->ninsts + AROUND + EACH * x->counters.count);
    for (uint32_t m = 0; m < x->counters.count; m++) x->strides[m] = x->firsts[m] = ISA_NO_OPERAND;
    for (uint32_t n = 0; good && n < x->k->ninsts && !c.failed; n++) put(x, &c, n);
    if (good && !c.failed && kernelcopy_finish(c.out)) {
        out = c.out;
        c.out = NULL;
    }
    kernelcopy_drop(&c);
    return out;
}

static struct isa_kernel *search(struct isa_kernel *copy, struct arena *arena) {
    const struct trace_pass p = {.kernel = copy->name, .name = "unfold"};
    struct run_search x = {.k = copy};
    bool low_ids = copy->low_ids;
    copy->low_ids = true; /* launches are asked for that */
    opt_index(copy, arena, &p);
    copy->low_ids = low_ids;
    if (isa_kernel_failed(copy) || !loops_find(&x.l, copy, arena)) return NULL;
    x.loop = 1;
    x.begin = x.l.loops[x.loop].begin;
    loops_counters(&x.l, copy, arena, &x.counters);
    x.starts = loops_starts(&x.l, copy, arena, &x.counters);
    x.strides = ARENA_ARRAY(arena, isa_operand, x.counters.count + 1u);
    x.firsts = ARENA_ARRAY(arena, isa_operand, x.counters.count + 1u);
    x.forms = ARENA_ARRAY(arena, struct run_form, copy->nregs + 1u);
    if (!find_loop(&x)) return NULL;
    for (unsigned way = 0; way < 2 * DIMENSIONS; way++) {
        x.d = way / 2;
        x.apart = way % 2;
        if (holds(&x)) return write(&x);
    }
    return NULL;
}

struct isa_kernel *runitems_strides(const struct isa_kernel *k) {
    struct arena_try t;
    struct isa_kernel *copy = isa_kernel_copy(k), *made = NULL;
    if (copy && !ARENA_FAILS(&t)) {
        made = search(copy, t.arena);
        arena_free(t.arena);
    }
    isa_kernel_free(copy);
    return made;
}
