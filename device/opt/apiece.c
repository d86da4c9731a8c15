#include "apiece.h"

#include <stdlib.h>

#include "arranged.h"
#include "device/analysis/linear.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "rolled.h"

enum {
    DIMENSIONS = 3,
    MOST_INSTS = 2000,
    MOST_SUMS = 12 /* operations that a sum is looked through */
};

struct apiece {
    const struct isa_kernel *k; /* with a loop of the elements */
    const struct rolled *rolled;
    struct loops l;
    uint32_t begin, end; /* of that loop */
    uint8_t *hangs;      /* registers, by what is before it: on the place in that dimension */
    unsigned d, times;
    uint32_t starts[ROLLED_COUNTERS + 1],
        steps[ROLLED_COUNTERS + 1]; /* the last ones: the turn's */
    isa_operand strides[ROLLED_COUNTERS + 1];
};

/* ---- the kernel with the elements as copies ---- */

/* What compilers leave differs by how guards are written. */
static bool prepare(struct isa_kernel *k, struct arena *arena) {
    static void (*const passes[])(struct isa_kernel *, struct arena *,
                                  const struct trace_pass *) = {
        opt_index, opt_blocks, opt_join, opt_narrow, opt_copies, opt_return, opt_join, opt_rename,
    };
    const struct trace_pass p = {.kernel = k->name, .name = "unfold"};
    bool low_ids = k->low_ids;
    k->low_ids = true; /* launches are asked for that */
    for (size_t n = 0; n < sizeof passes / sizeof *passes; n++) {
        passes[n](k, arena, &p);
        if (isa_kernel_failed(k)) return false;
        rewrite_match(k);
    }
    k->low_ids = low_ids;
    rewrite_rename_outside(k, arena);
    return !isa_kernel_failed(k);
}

/* ---- what hangs on the work-item's place ---- */

/* What a special register is of dimension d. */
enum special_kind { OTHER, PLACE, OFFSET, UNKNOWN };

static enum special_kind special_of(const struct isa_inst *i, unsigned d) {
    uint32_t which = (uint32_t)i->imm;
    if (i->op != ISA_special || which >= ISA_SPECIAL_work_dim || which % DIMENSIONS != d)
        return OTHER;
    if (which == ISA_SPECIAL_global_id_x + d) return PLACE;
    return which == ISA_SPECIAL_global_offset_x + d ? OFFSET : UNKNOWN;
}

/* What else is asked for of the dimension is known of none. False: before the loop more is done
 * than to compute, or anything behind it. */
static bool find_hangs(struct apiece *x) {
    const struct isa_kernel *k = x->k;
    bool any = false;
    for (uint32_t r = 0; r < k->nregs; r++) x->hangs[r] = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        enum special_kind kind = special_of(i, x->d);
        bool inside = n >= x->begin && n <= x->end, on = kind == PLACE || kind == UNKNOWN;
        if (inside && kind != OTHER) return false;
        if (inside) continue;
        any |= kind == PLACE;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            on |= isa_is_reg(o) && x->hangs[o];
        }
        bool loads = i->op == ISA_ld && !isa_is_watched(i) && !on;
        bool pure = isa_op_info[i->op].flags & ISA_OP_PURE;
        if (!pure && !(n < x->begin ? loads : i->op == ISA_ret)) return false;
        for (unsigned s = 0; s < i->ndst && on; s++) x->hangs[isa_dsts(k, i)[s]] = 1;
    }
    return any;
}

/* Adds an operand as a sum of what hangs on nothing, and of places. */
struct place_sum {
    const struct apiece *x;
    unsigned depth;
    uint32_t places;
};

static bool add_place(void *context, struct linear_sum *s, isa_operand o, uint32_t by) {
    struct place_sum *p = context;
    const struct apiece *x = p->x;
    if (!isa_is_reg(o) || !x->hangs[o]) return true;
    if (x->l.defs[o] != 1 || !p->depth) return false;
    const struct isa_inst *i = &x->k->insts[x->l.writers[o]];
    if (special_of(i, x->d) == PLACE) {
        p->places += by;
        return true;
    }
    p->depth--;
    bool good = linear_add_result(s, x->k, i, by, add_place, p);
    p->depth++;
    return good;
}

/* Is the operand how many work-items there are? */
static bool is_size(const struct apiece *x, isa_operand o) {
    const struct isa_inst *i = loops_definition(&x->l, x->k, o);
    return i && i->op == ISA_special && (uint32_t)i->imm == ISA_SPECIAL_global_size_x + x->d;
}

/* So much it grows from work-item to work-item, as all elements of one do; or as one of them where
 * they lie so many work-items apart. */
static bool follows(const struct apiece *x, const struct rolled_counter *c) {
    struct place_sum p = {.x = x, .depth = MOST_SUMS};
    struct linear_sum sum = {.plus = 0};
    if (isa_operand_type(x->k, c->reg) != ISA_I32 || !add_place(&p, &sum, c->first, 1))
        return false;
    if (c->stride != ISA_NO_OPERAND) return is_size(x, c->stride) && p.places == (uint32_t)c->step;
    return p.places == (uint32_t)c->step * x->times;
}

/* Elements are told apart in one way. */
static bool is_even(const struct rolled *r) {
    for (unsigned m = 1; m < r->ncounters; m++)
        if ((r->counters[m].stride == ISA_NO_OPERAND) != (r->counters[0].stride == ISA_NO_OPERAND))
            return false;
    return r->ncounters;
}

/* ---- the loop ---- */

static bool find_counter(struct apiece *x, unsigned m, isa_operand reg) {
    uint32_t loop = loops_at(&x->l, x->begin);
    x->starts[m] = loops_start(x->k, x->begin, reg) - 1;
    x->steps[m] = loops_writer(&x->l, reg, loop);
    return x->starts[m] < x->begin && x->steps[m] < LOOPS_NONE;
}

/* Which counter the instruction starts, or steps; more than there are: none. */
static unsigned counter_at(const struct apiece *x, const uint32_t *at, uint32_t n) {
    unsigned m = 0;
    while (m <= x->rolled->ncounters && at[m] != n) m++;
    return m;
}

/* Elements are told apart by counters that follow. */
static bool may_be(struct apiece *x) {
    const struct rolled *r = x->rolled;
    unsigned m = 0;
    if (!find_hangs(x) || !is_even(r)) return false;
    for (; m < r->ncounters; m++)
        if (!follows(x, &r->counters[m]) || !find_counter(x, m, r->counters[m].reg)) return false;
    if (!find_counter(x, m, r->turn) || x->l.reads[r->turn] != 2) return false;
    for (m = 0; m < r->ncounters; m++) x->hangs[r->counters[m].reg] = 0;
    for (uint32_t n = x->begin; n < x->end; n++)
        for (unsigned s = 0; s < x->k->insts[n].nsrc; s++) {
            isa_operand o = isa_srcs(x->k, &x->k->insts[n])[s];
            bool steps = counter_at(x, x->steps, n) < r->ncounters;
            if (isa_is_reg(o) && x->hangs[o] && !steps) return false;
        }
    return true;
}

/* The loop stands in no region. */
static bool find_loop(struct apiece *x) {
    uint32_t depth = 0;
    for (uint32_t n = 0; n < x->begin; n++) {
        depth += (isa_op_info[x->k->insts[n].op].flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (isa_op_info[x->k->insts[n].op].flags & ISA_OP_REGION_END) != 0;
    }
    x->end = x->k->insts[x->begin].match;
    return !depth;
}

/* ---- in strides ---- */

static isa_operand times(struct kernelcopy *c, isa_operand a, int64_t by) {
    if (by == 1) return a;
    return kernelcopy_result(c, ISA_mul, ISA_I32, a, kernelcopy_number(c, ISA_I32, by));
}

static int64_t step_of(const struct apiece *x, unsigned m) {
    return m < x->rolled->ncounters ? x->rolled->counters[m].step : 1;
}

static void put(struct apiece *x, struct kernelcopy *c, uint32_t n, isa_operand place,
                isa_operand size) {
    const struct isa_inst *i = &c->k->insts[n];
    unsigned last = x->rolled->ncounters, start = counter_at(x, x->starts, n),
             step = counter_at(x, x->steps, n);
    c->at = n;
    enum special_kind kind = special_of(i, x->d);
    if (kind == PLACE || kind == OFFSET) {
        kernelcopy_move(c, isa_dsts(c->k, i)[0], kernelcopy_word(c, 0));
    } else if (start == last) {
        kernelcopy_add(c, ISA_special, ISA_I32, x->rolled->turn, ISA_NO_OPERAND, ISA_NO_OPERAND)
            ->imm = (int32_t)(ISA_SPECIAL_global_id_x + x->d);
    } else if (start < last) {
        kernelcopy_add(c, ISA_add, ISA_I32, x->rolled->counters[start].reg, isa_srcs(c->k, i)[0],
                       times(c, place, step_of(x, start)));
    } else if (step <= last) {
        kernelcopy_add(c, ISA_add, ISA_I32, isa_dsts(c->k, i)[0], isa_dsts(c->k, i)[0],
                       x->strides[step]);
    } else {
        if (n == x->begin)
            for (unsigned m = 0; m <= last; m++) x->strides[m] = times(c, size, step_of(x, m));
        kernelcopy_put(c, n);
    }
}

static struct isa_kernel *write(struct apiece *x) {
    struct kernelcopy c;
    struct isa_kernel *out = NULL;
    bool good = kernelcopy_begin(&c, x->k, 2 * x->k->ninsts + 2 * ROLLED_COUNTERS);
    if (good) {
        isa_operand place = kernelcopy_special(&c, ISA_SPECIAL_global_id_x + x->d);
        isa_operand size = kernelcopy_special(&c, ISA_SPECIAL_global_size_x + x->d);
        for (uint32_t n = 0; n < x->k->ninsts && !c.failed; n++) put(x, &c, n, place, size);
    }
    if (good && !c.failed && kernelcopy_finish(c.out)) {
        out = c.out;
        c.out = NULL;
    }
    kernelcopy_drop(&c);
    return out;
}

/* The loop that was made of copies, in strides; NULL: it can not be. */
static struct isa_kernel *in_strides(const struct rolled *r, struct arena *arena) {
    struct apiece x = {.k = r->copy.out, .rolled = r, .begin = r->loop, .times = r->found->copies};
    x.hangs = ARENA_ARRAY(arena, uint8_t, x.k->nregs + 1u);
    if (!find_loop(&x)) return NULL;
    loops_find(&x.l, x.k, arena);
    for (; x.d < DIMENSIONS; x.d++)
        if (may_be(&x)) return write(&x);
    return NULL;
}

struct apiece_search {
    struct isa_kernel *copy;
    struct repeats found;
    struct rolled rolled;
};

static struct isa_kernel *search_in(struct apiece_search *s, const struct isa_kernel *k,
                                    struct arena *arena) {
    struct isa_kernel *made = NULL;
    repeats_begin(&s->found, k, arena);
    s->found.strides = true;
    while (!made && repeats_next(&s->found)) {
        if (rolled_write(&s->rolled, &s->found, MOST_INSTS)) made = in_strides(&s->rolled, arena);
        kernelcopy_drop(&s->rolled.copy);
    }
    return made;
}

/* As it is, and arranged. */
static struct isa_kernel *search(struct apiece_search *s, struct arena *arena) {
    static bool (*const arrange[])(struct kernelcopy *, const struct isa_kernel *, uint32_t,
                                   struct arena *) = {arranged_early, arranged_late};
    if (!prepare(s->copy, arena) || rewrite_nesting(s->copy) + 2 > ISA_MAX_NESTING) return NULL;
    struct isa_kernel *made = search_in(s, s->copy, arena);
    for (unsigned n = 0; n < 2 && !made; n++) {
        struct kernelcopy c;
        if (arrange[n](&c, s->copy, MOST_INSTS, arena)) made = search_in(s, c.out, arena);
        kernelcopy_drop(&c);
    }
    return made;
}

static struct isa_kernel *search_safely(struct apiece_search *s) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return NULL;
    struct isa_kernel *made = search(s, t.arena);
    arena_free(t.arena);
    return made;
}

struct isa_kernel *apiece_strides(const struct isa_kernel *k, unsigned *times) {
    unsigned effects = 0;
    *times = 0;
    for (uint32_t n = 0; n < k->ninsts; n++)
        effects += (isa_op_info[k->insts[n].op].flags & (ISA_OP_WRITES | ISA_OP_ATOMIC)) != 0;
    if (effects < 2) return NULL;
    if (k->ninsts > MOST_INSTS) return NULL;
    struct apiece_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->copy = isa_kernel_copy(k);
    struct isa_kernel *made = s->copy ? search_safely(s) : NULL;
    if (made) *times = s->found.copies;
    isa_kernel_free(s->copy);
    free(s);
    return made;
}
