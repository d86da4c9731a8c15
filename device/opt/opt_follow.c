/* Elements that an index follows. Where a loop looks for the largest element, or the like, and
 * keeps where it was, it loads that one again in each iteration, from wherever each lane has it:
 *
 *     if (a[k] > a[most]) most = k;
 *
 * What lies there is what was loaded when the index was taken, as nothing is stored meanwhile: it
 * is in a register that is taken along. The first iteration's is loaded before the loop, by those
 * that come to it. */
#include "device/analysis/linear.h"
#include "device/isa/rewrite.h"
#include "firstiteration.h"
#include "opt_pass.h"

enum {
    MOST_INSTS = 64, /* of such a loop, */
    MOST_LEFT = 4,   /* places where it is left before it loads */
    DEEP = 12        /* operations that an address is made of, one after the other */
};

/* An index, and what is loaded by it. */
struct followed {
    uint32_t begin, end; /* of the loop; */
    uint32_t chosen;     /* where the index is taken from the counter, */
    uint32_t load;       /* what was loaded there, */
    uint32_t first;      /* and the first load by the index: all have its address */
    isa_operand reg;
};

struct follower {
    struct isa_kernel *k;
    struct loops l;
    struct firstiteration first;
    struct kernelcopy copy;
    /* an address while it is looked at: */
    uint32_t begin;
    isa_operand index;    /* a register of the loop, */
    struct linear_sum is; /* and what it is taken to be; */
    bool used;            /* the address hangs on it */
};

/* ---- addresses ---- */

struct follow_reader {
    struct follower *x;
    uint32_t at; /* the instruction that reads */
    unsigned left;
};

static bool add(void *context, struct linear_sum *s, isa_operand o, uint32_t by);

/* Adds a product of sums: products of two registers are terms, too, their `value` one of them. */
static bool add_product(struct linear_sum *s, const struct linear_sum *a,
                        const struct linear_sum *b, uint32_t by) {
    s->plus -= a->plus * b->plus * by; /* which both have */
    if (!linear_add_sum(s, a, b->plus * by) || !linear_add_sum(s, b, a->plus * by)) return false;
    for (uint32_t n = 0; n < a->terms; n++)
        for (uint32_t m = 0; m < b->terms; m++) {
            const struct linear_term *x = &a->of[n], *y = &b->of[m];
            bool less = x->reg < y->reg;
            if (x->value || y->value ||
                !linear_add(s, less ? x->reg : y->reg, (less ? y->reg : x->reg) + 1,
                            x->by * y->by * by))
                return false;
        }
    return true;
}

/* Adds what instruction n gives. */
static bool add_result(const struct follow_reader *r, struct linear_sum *s, uint32_t n,
                       uint32_t by) {
    struct follower *x = r->x;
    const struct isa_inst *i = &x->k->insts[n];
    struct follow_reader own = {x, n, r->left - 1};
    if (!r->left) return false;
    if (i->op != ISA_mul || i->type != ISA_I32) return linear_add_result(s, x->k, i, by, add, &own);
    struct linear_sum factor[2] = {{.terms = 0}, {.terms = 0}};
    bool was = x->used, uses[2];
    for (unsigned f = 0; f < 2; f++) {
        x->used = false;
        if (!add(&own, &factor[f], isa_srcs(x->k, i)[f], 1)) return false;
        uses[f] = x->used;
    }
    x->used = was || uses[0] || uses[1];
    return !(uses[0] && uses[1]) && add_product(s, &factor[0], &factor[1], by);
}

/* Adds an operand as an instruction before the loop reads it, or one in the loop, in which it does
 * not change: as what it is made of, or as a register that is the same for all that reads it. */
static bool add_kept(const struct follow_reader *r, struct linear_sum *s, isa_operand o,
                     uint32_t by) {
    struct follower *x = r->x;
    uint32_t end = x->k->insts[x->begin].match, ordered = x->l.ordered[o];
    uint32_t start = ordered ? x->l.writers[o] + 1 : loops_start(x->k, r->at, o);
    struct linear_sum made = *s;
    if (start && start <= x->begin && x->k->insts[start - 1].ndst == 1 &&
        add_result(r, &made, start - 1, by)) {
        *s = made;
        return true;
    }
    bool same =
        x->l.loop_of[r->at] == x->l.loop_of[x->begin] && !isa_writes_between(x->k, o, r->at, end);
    return (ordered || same) && linear_add(s, o, 0, by);
}

static bool add(void *context, struct linear_sum *s, isa_operand o, uint32_t by) {
    struct follow_reader r = *(const struct follow_reader *)context;
    struct follower *x = r.x;
    uint32_t loop = loops_at(&x->l, x->begin), c;
    if (isa_constant(x->k, o, &c)) {
        s->plus += c * by;
        return true;
    }
    if (!isa_is_reg(o)) return false;
    if (r.at <= x->begin) return add_kept(&r, s, o, by);
    if (o == x->index) {
        x->used = true;
        return linear_add_sum(s, &x->is, by);
    }
    if (loops_varies(&x->l, o, loop)) {
        uint32_t n = loops_written(&x->l, o, loop, r.at);
        return n < LOOPS_NONE && add_result(&r, s, n, by);
    }
    r.at = x->begin;
    return add_kept(&r, s, o, by);
}

/* The address of load n, where a register of the loop is that. */
static bool address(struct follower *x, uint32_t n, isa_operand index, const struct linear_sum *is,
                    struct linear_sum *s) {
    struct follow_reader r = {x, n, DEEP};
    x->index = index;
    x->is = *is;
    x->used = false;
    *s = (struct linear_sum){.plus = (uint32_t)x->k->insts[n].imm};
    return add(&r, s, isa_srcs(x->k, &x->k->insts[n])[0], 1);
}

/* What a counter is in the first iteration, and by how much it grows. */
static bool counted(struct follower *x, isa_operand reg, uint32_t before, struct linear_sum *from,
                    struct linear_sum *by) {
    struct loop_counter c;
    struct follow_reader r = {x, x->begin, DEEP};
    uint32_t n = isa_is_reg(reg) ? loops_writer(&x->l, reg, loops_at(&x->l, x->begin)) : LOOPS_NONE;
    *from = *by = (struct linear_sum){.terms = 0};
    if (n >= LOOPS_NONE || n <= before || !loops_step(&x->l, x->k, n, &c)) return false;
    uint32_t start = loops_start(x->k, x->begin, reg);
    if (!start || x->k->insts[start - 1].ndst != 1 || loops_varies(&x->l, c.step, c.loop))
        return false;
    return add_result(&r, from, start - 1, 1) && add(&r, by, c.step, c.down ? UINT32_MAX : 1);
}

static bool are_same(const struct linear_sum *a, const struct linear_sum *b) {
    int32_t far;
    return linear_apart(a, b, &far) && !far;
}

/* Has load n, in each iteration, the address that load `other` has where the index is the counter?
 * Both are sums: they are the same if they are so in two iterations. */
static bool is_at_index(struct follower *x, uint32_t n, isa_operand counter, uint32_t other,
                        isa_operand index) {
    struct linear_sum from, by, next, own[2], of[2], start, step;
    if (!counted(x, counter, n, &from, &by)) return false;
    next = from;
    if (!linear_add_sum(&next, &by, 1)) return false;
    for (unsigned t = 0; t < 2; t++)
        if (!address(x, other, index, t ? &next : &from, &of[t]) || !x->used) return false;
    if (counted(x, isa_srcs(x->k, &x->k->insts[n])[0], n, &start, &step)) {
        start.plus += (uint32_t)x->k->insts[n].imm;
        own[0] = own[1] = start;
        if (!linear_add_sum(&own[1], &step, 1)) return false;
    } else {
        for (unsigned t = 0; t < 2; t++)
            if (!address(x, n, counter, t ? &next : &from, &own[t]) || !x->used) return false;
    }
    return are_same(&own[0], &of[0]) && are_same(&own[1], &of[1]);
}

/* ---- which ---- */

/* Straight code, which computes and loads. */
static bool is_straight(const struct isa_kernel *k, uint32_t begin) {
    uint32_t left = 0, end = k->insts[begin].match;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool leaves = i->op == ISA_breakif && !i->imm;
        left += leaves;
        if (!leaves && i->op != ISA_ld && !(isa_op_info[i->op].flags & ISA_OP_PURE)) return false;
    }
    return end - begin <= MOST_INSTS && left <= MOST_LEFT;
}

static bool is_load(const struct isa_inst *i) {
    return i->op == ISA_ld && i->count == 1 && i->space != ISA_PARAM && !(i->flags & ISA_VOLATILE);
}

/* The loads by what instruction f->chosen takes from the counter, in its loop before that: of one
 * address, which another load has at the counter. */
static bool find_loads(struct follower *x, struct followed *f, isa_operand index,
                       isa_operand counter) {
    const struct isa_inst *insts = x->k->insts;
    for (uint32_t n = f->begin + 1; n < f->chosen; n++)
        for (uint32_t at = f->begin + 1; is_load(&insts[n]) && at < f->chosen; at++) {
            bool alike = at != n && is_load(&insts[at]) && insts[at].space == insts[n].space &&
                         insts[at].type == insts[n].type &&
                         x->l.defs[isa_dsts(x->k, &insts[at])[0]] == 1;
            if (!alike || !is_at_index(x, at, counter, n, index)) continue;
            f->load = at;
            f->first = n;
            return true;
        }
    return false;
}

/* The index that instruction n takes from a counter, and what is loaded by it. */
static bool find_index(struct follower *x, uint32_t n, struct followed *f) {
    const struct isa_inst *i = &x->k->insts[n];
    uint32_t loop = loops_at(&x->l, f->begin);
    if (i->op != ISA_select || i->type != ISA_I32) return false;
    const isa_operand *src = isa_srcs(x->k, i);
    isa_operand index = isa_dsts(x->k, i)[0], counter = src[src[1] == index ? 2 : 1];
    if ((src[1] == index) == (src[2] == index) || !isa_is_reg(counter)) return false;
    f->chosen = n;
    return loops_writer(&x->l, index, loop) == n &&
           loops_writer(&x->l, counter, loop) < LOOPS_NONE &&
           loops_writer(&x->l, counter, loop) > n && find_loads(x, f, index, counter) &&
           firstiteration_leaves(&x->first, f->begin, f->first) &&
           firstiteration_needs(&x->first, loop, isa_srcs(x->k, &x->k->insts[f->first])[0],
                                f->first);
}

static bool find(struct follower *x, uint32_t begin, struct followed *f) {
    uint32_t end = x->k->insts[begin].match;
    *f = (struct followed){.begin = begin, .end = end};
    if (!is_straight(x->k, begin)) return false;
    x->begin = begin;
    for (uint32_t n = begin + 1; n < end; n++)
        if (find_index(x, n, f)) return true;
    return false;
}

/* ---- writing ---- */

struct first_load {
    struct follower *x;
    const struct followed *f;
};
static void put_load(void *context, uint32_t n) {
    const struct first_load *l = context;
    struct kernelcopy *copy = &l->x->copy;
    if (n != l->f->first) return;
    kernelcopy_put_anew(copy, n);
    kernelcopy_move(copy, l->f->reg,
                    kernelcopy_named(copy, isa_dsts(copy->k, &copy->k->insts[n])[0]));
}

static void put(struct follower *x, const struct followed *f) {
    struct kernelcopy *copy = &x->copy;
    struct first_load load = {x, f};
    const struct isa_kernel *k = copy->k;
    const isa_operand *src = isa_srcs(k, &k->insts[f->chosen]);
    bool taken = src[1] != isa_dsts(k, &k->insts[f->chosen])[0]; /* where the condition holds */
    isa_operand value = isa_dsts(k, &k->insts[f->load])[0];
    enum isa_type type = (enum isa_type)k->insts[f->load].type;
    copy->at = f->begin;
    kernelcopy_move(copy, f->reg, isa_const_new(copy->out, type, 0));
    firstiteration_put(&x->first, copy, f->begin, f->first, put_load, &load);
    for (uint32_t n = f->begin; n <= f->end; n++) {
        copy->at = n;
        if (n == f->chosen)
            kernelcopy_move(copy, f->reg,
                            kernelcopy_select(copy, type, src[0], taken ? value : f->reg,
                                              taken ? f->reg : value));
        if (n == f->first)
            kernelcopy_move(copy, isa_dsts(k, &k->insts[n])[0], f->reg);
        else
            kernelcopy_put(copy, n);
    }
}

void opt_follow(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct follower x = {.k = k};
    uint32_t count = 0;
    if (rewrite_nesting(k) + MOST_LEFT >= ISA_MAX_NESTING || !loops_find(&x.l, k, arena)) return;
    x.first = (struct firstiteration){k, &x.l, ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u)};
    struct followed *list = ARENA_ARRAY(arena, struct followed, x.l.nloops + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_loop || !find(&x, n, &list[count])) continue;
        struct followed *f = &list[count++];
        trace_tell(p, &k->insts[f->first], "what the index has come to is in a register");
        f->reg = isa_reg_new(k, (enum isa_type)k->insts[f->first].type);
    }
    if (!count || isa_kernel_failed(k)) return;
    kernelcopy_take(&x.copy, k, arena);
    uint32_t from = 0;
    for (const struct followed *f = list; f < list + count; f++) {
        kernelcopy_put_range(&x.copy, from, f->begin);
        put(&x, f);
        from = f->end + 1;
    }
    kernelcopy_put_range(&x.copy, from, x.copy.k->ninsts);
}
