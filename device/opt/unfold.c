#include "unfold.h"

#include <stdlib.h>
#include <string.h>

#include "apiece.h"
#include "device/analysis/itemindex.h"
#include "device/analysis/provenance.h"
#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "runitems.h"
#include "turned.h"

enum {
    DIMENSIONS = ITEMINDEX_DIMENSIONS,
    MOST_INSTS = 600,
    MOST_DEPTH = 16 /* operations that are looked through */
};

/* What a register's value hangs on. */
enum {
    ON_ID = 1,  /* << d: where in dimension d the work-item is; */
    ON_SIZE = 8 /* << d: how many there are */
};

/* A loop in strides. */
struct stride_loop {
    uint32_t begin, end, compare, leaves; /* instructions */
    isa_operand counter, bound, step;     /* step: of a launch, ISA_NO_OPERAND: the range's size */
    unsigned d;
    bool inclusive, inner; /* inner: the counter starts without the range's offset */
};

struct unfolder {
    const struct isa_kernel *k;
    struct loops l;
    struct stride_loop strides[DIMENSIONS];
    unsigned count;
    uint8_t *on;      /* registers */
    uint8_t *stepped; /* registers that a stride steps; */
    uint8_t *steps;   /* instructions that do */
    bool bare;        /* the one loop has no bound */
};

/* The only instruction that writes a register, or NULL. */
static const struct isa_inst *writer_of(const struct unfolder *u, isa_operand o) {
    uint32_t n = isa_is_reg(o) ? loops_writer(&u->l, o, 0) : LOOPS_NONE;
    return n < LOOPS_NONE ? &u->k->insts[n] : NULL;
}

/* The index that an instruction gives, maybe wider, whatever is launched. */
static struct itemindex index_of(const struct unfolder *u, const struct isa_inst *i) {
    const struct itemindex none = {.d = DIMENSIONS};
    i = itemindex_unconverted(u->k, &u->l, i);
    struct itemindex x = i ? itemindex_of(u->k, &u->l, i) : none;
    return x.size ? none : x;
}

/* ---- loops ---- */

/* The sum by which a loop steps a register, where it does so once and at its end; or NULL. */
static const struct isa_inst *step_of(const struct unfolder *u, const struct stride_loop *s,
                                      isa_operand reg) {
    uint32_t loop = loops_at(&u->l, s->begin), n = loops_writer(&u->l, reg, loop);
    if (n >= LOOPS_NONE || u->l.loop_of[n] != loop || u->l.nested[n]) return NULL;
    const struct isa_inst *i = &u->k->insts[n];
    if (i->op != ISA_add || isa_srcs(u->k, i)[0] != reg) return NULL;
    return isa_reads_between(u->k, reg, n + 1, s->end) ? NULL : i;
}

/* Is the operand made of arguments and constants alone? unfold_bound knows it. */
static bool is_of_launch(const struct unfolder *u, isa_operand o, unsigned depth) {
    const struct isa_inst *i = writer_of(u, o);
    if (isa_is_const(o)) return true;
    if (!i || !depth || !isa_is_timeless(i) || i->op == ISA_special) return false;
    for (unsigned s = 0; s < i->nsrc && i->op != ISA_ld; s++)
        if (!is_of_launch(u, isa_srcs(u->k, i)[s], depth - 1)) return false;
    return true;
}

/* The loop that begins there is one in strides; nothing but a comparison stands before it is left.
 */
static bool find_stride(struct unfolder *u, uint32_t begin, struct stride_loop *s) {
    const struct isa_kernel *k = u->k;
    uint32_t loop = loops_at(&u->l, begin);
    *s = (struct stride_loop){.begin = begin, .end = u->l.loops[loop].end};
    uint32_t n = begin + 1;
    while (n < s->end && isa_op_info[k->insts[n].op].flags & ISA_OP_PURE) n++;
    if (k->insts[n].op != ISA_breakif || k->insts[n].imm) return false;
    s->leaves = n;
    s->compare = loops_compare(&u->l, k, n);
    if (s->compare == LOOPS_NONE) return false;
    const struct isa_inst *c = &k->insts[s->compare];
    if (!compare_is_order(c->op)) return false;
    s->inclusive = compare_is_strict(c->op);
    s->bound = isa_srcs(k, c)[0];
    s->counter = isa_srcs(k, c)[1];
    if (!isa_is_reg(s->counter)) return false;
    const struct isa_inst *step = step_of(u, s, s->counter);
    uint32_t start = loops_start(k, begin, s->counter);
    if (!step || !start) return false;
    struct itemindex first = index_of(u, &k->insts[start - 1]);
    s->d = first.d;
    s->inner = first.sum;
    if (s->d == DIMENSIONS) return false;
    s->step = isa_srcs(k, step)[1];
    if (itemindex_count(k, &u->l, s->step) == s->d) s->step = ISA_NO_OPERAND;
    return s->step == ISA_NO_OPERAND || is_of_launch(u, s->step, MOST_DEPTH);
}

/* Of an if, or where a work-item ends. */
static bool is_bracket(const struct isa_inst *i) {
    return i->op == ISA_if || i->op == ISA_else || i->op == ISA_endif || i->op == ISA_ret;
}

/* Nothing from `from` to `to` has an effect; loads and ifs count as none. */
static bool is_idle(const struct unfolder *u, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &u->k->insts[n];
        bool idle = isa_op_info[i->op].flags & ISA_OP_PURE || is_bracket(i) ||
                    (i->op == ISA_ld && !isa_is_watched(i));
        if (!idle) return false;
    }
    return true;
}

/* Loops in strides, one in the other, that hold all that the kernel does. */
static void find_strides(struct unfolder *u) {
    uint32_t from = 0, to = u->k->ninsts;
    while (u->count < DIMENSIONS) {
        uint32_t n = from;
        struct stride_loop s;
        while (n < to && u->k->insts[n].op != ISA_loop) n++;
        if (n >= to || !is_idle(u, from, n) || !find_stride(u, n, &s)) break;
        uint32_t behind = s.end + 1;
        for (; behind < to; behind++) { /* the step of the loop round it, if there is one */
            const struct isa_inst *i = &u->k->insts[behind];
            if (!(isa_op_info[i->op].flags & ISA_OP_PURE) && !is_bracket(i)) break;
        }
        bool again = behind < to;
        for (unsigned m = 0; m < u->count; m++) again |= u->strides[m].d == s.d;
        if (again) break;
        u->strides[u->count++] = s;
        from = s.leaves + 1;
        to = s.end;
    }
}

/* Which loop in strides is the innermost round the instruction, + 1; 0: none. */
static unsigned inside(const struct unfolder *u, uint32_t n) {
    unsigned in = 0;
    while (in < u->count && u->strides[in].begin < n && n < u->strides[in].end) in++;
    return in;
}

/* What hangs on that is another thing in the kernel that has none of the loops [from, to). */
static uint8_t of_loops(const struct unfolder *u, unsigned from, unsigned to) {
    uint8_t on = 0;
    for (unsigned m = from; m < to; m++) on |= (uint8_t)((ON_ID | ON_SIZE) << u->strides[m].d);
    return on;
}

/* ---- what iterations hand on ---- */

/* By how much a value grows with the work-item's place in a dimension: number * factor. */
struct growth {
    bool known;
    uint64_t number;
    isa_operand factor; /* ISA_NO_OPERAND: 1 */
};

static struct growth growth_of(const struct unfolder *u, isa_operand o, unsigned d, unsigned depth,
                               const struct isa_inst *by);

/* Is the operand, as that instruction reads it, where the loop's counter starts? Before, the
 * register may have been something else. */
static bool is_counter(const struct unfolder *u, isa_operand o, unsigned d,
                       const struct isa_inst *by) {
    uint32_t n = (uint32_t)(by - u->k->insts);
    for (unsigned m = 0; m < u->count; m++) {
        const struct stride_loop *s = &u->strides[m];
        if (s->counter == o && s->d == d)
            return n < s->begin && n >= loops_start(u->k, s->begin, o);
    }
    return false;
}

static struct growth grows_by(const struct unfolder *u, const struct isa_inst *i, unsigned d,
                              unsigned depth) {
    const struct growth unknown = {.known = false};
    const isa_operand *src = isa_srcs(u->k, i);
    struct growth a, b;
    if (index_of(u, i).d == d) return (struct growth){true, 1, ISA_NO_OPERAND};
    if (i->op == ISA_special || !depth || i->nsrc < 1 || i->nsrc > 2) return unknown;
    a = growth_of(u, src[0], d, depth - 1, i);
    if (i->op == ISA_mov || i->op == ISA_trunc) return a;
    /* What is extended may have wrapped around, but for ids and what does not grow. */
    if (i->op == ISA_zext || i->op == ISA_sext)
        return !a.number || is_counter(u, src[0], d, i) ? a : unknown;
    if (i->nsrc != 2) return unknown;
    b = growth_of(u, src[1], d, depth - 1, i);
    if (!a.known || !b.known) return unknown;
    uint64_t number = isa_is_const(src[1]) ? u->k->consts[isa_const_index(src[1])].bits : 0;
    switch (i->op) {
    case ISA_sub: b.number = 0 - b.number; /* fall through */
    case ISA_add:
        if (a.number && b.number && a.factor != b.factor) return unknown;
        return (struct growth){true, a.number + b.number, a.number ? a.factor : b.factor};
    case ISA_shl:
        if (!isa_is_const(src[1])) return unknown;
        a.number <<= number & 63;
        return a;
    case ISA_mul:
        if (a.number && b.number) return unknown;
        if (isa_is_const(src[1])) {
            a.number *= number;
            return a;
        }
        number = a.number ? a.number : b.number;
        if (number && (a.number ? a : b).factor != ISA_NO_OPERAND) return unknown;
        return (struct growth){true, number, a.number ? src[1] : src[0]};
    default: return unknown;
    }
}

static struct growth growth_of(const struct unfolder *u, isa_operand o, unsigned d, unsigned depth,
                               const struct isa_inst *by) {
    const struct growth one = {true, 1, ISA_NO_OPERAND}, none = {true, 0, ISA_NO_OPERAND};
    if (is_counter(u, o, d, by)) return one; /* as it starts */
    if (!isa_is_reg(o) || !(u->on[o] & ON_ID << d)) return none;
    const struct isa_inst *i = writer_of(u, o);
    return i ? grows_by(u, i, d, depth) : (struct growth){.known = false};
}

/* A step that is the range's size in the loop's dimension, times something. */
static struct growth times_size(const struct unfolder *u, isa_operand o,
                                const struct stride_loop *s, unsigned depth) {
    const struct growth unknown = {.known = false}, one = {true, 1, ISA_NO_OPERAND};
    const struct isa_inst *i = writer_of(u, o);
    if (o == s->step) return one;
    if (!i || !depth) return unknown;
    const isa_operand *src = isa_srcs(u->k, i);
    if (s->step == ISA_NO_OPERAND && itemindex_count(u->k, &u->l, o) == s->d) return one;
    bool left = i->nsrc == 2 && (i->op == ISA_mul || i->op == ISA_shl);
    if (!left && i->op != ISA_mov) return unknown; /* what is extended may have wrapped around */
    struct growth g = times_size(u, src[0], s, depth - 1);
    isa_operand by = src[1];
    if (!left) return g;
    if (!g.known && i->op == ISA_mul) {
        g = times_size(u, src[1], s, depth - 1);
        by = src[0];
    }
    uint64_t number = isa_is_const(by) ? u->k->consts[isa_const_index(by)].bits : 0;
    if (isa_is_const(by)) {
        g.number = i->op == ISA_mul ? g.number * number : g.number << (number & 63);
    } else {
        g.known = g.known && i->op == ISA_mul && g.factor == ISA_NO_OPERAND && writer_of(u, by);
        g.factor = by;
    }
    return g;
}

/* A register that the loop steps starts with what it would have for a work-item that is where the
 * counter is, and is stepped by what that is more in the next iteration. */
static bool goes_along(const struct unfolder *u, const struct stride_loop *s, isa_operand reg,
                       const struct isa_inst *step) {
    uint32_t start = loops_start(u->k, s->begin, reg);
    struct growth by = times_size(u, isa_srcs(u->k, step)[1], s, MOST_DEPTH);
    if (!start || !by.known) return false;
    struct growth first = grows_by(u, &u->k->insts[start - 1], s->d, MOST_DEPTH);
    enum isa_type type = (enum isa_type)step->type;
    return first.known && first.factor == by.factor &&
           isa_cut(type, first.number) == isa_cut(type, by.number);
}

/* Local ids are the same in all iterations: their stride is whole groups. */
static uint8_t on_special(uint32_t which) {
    unsigned d = which % DIMENSIONS;
    if (which >= ISA_SPECIAL_work_dim) return 0;
    switch (which - d) {
    case ISA_SPECIAL_global_id_x:
    case ISA_SPECIAL_group_id_x: return (uint8_t)(ON_ID << d);
    case ISA_SPECIAL_global_size_x:
    case ISA_SPECIAL_num_groups_x: return (uint8_t)(ON_SIZE << d);
    default: return 0;
    }
}

/* What the operand of instruction n hangs on. A register that a loop steps has in it what it has
 * for a work-item that is there; before it, that is where the work-item begins. */
static uint8_t on_of(const struct unfolder *u, isa_operand o, uint32_t n) {
    if (!isa_is_reg(o)) return 0;
    unsigned m = u->stepped[o];
    if (!m) return u->on[o];
    const struct stride_loop *s = &u->strides[m - 1];
    return s->begin < n && n < s->end ? 0 : (uint8_t)(ON_ID << s->d);
}

static void find_on(struct unfolder *u) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < u->k->ninsts; n++) {
            const struct isa_inst *i = &u->k->insts[n];
            uint8_t on = i->op == ISA_special ? on_special((uint32_t)i->imm) : 0;
            for (unsigned s = 0; s < i->nsrc; s++) on |= on_of(u, isa_srcs(u->k, i)[s], n);
            for (unsigned d = 0; d < i->ndst; d++) {
                uint8_t *has = &u->on[isa_dsts(u->k, i)[d]];
                changed |= (*has | on) != *has;
                *has |= on;
            }
        }
    }
}

/* Registers that the loops step. False: one goes on other than its counter. */
static bool find_stepped(struct unfolder *u) {
    for (uint32_t n = 0; n < u->k->ninsts; n++) {
        const struct isa_inst *i = &u->k->insts[n];
        unsigned in = inside(u, n);
        if (!in || i->op != ISA_add) continue;
        isa_operand reg = isa_dsts(u->k, i)[0];
        u->steps[n] = step_of(u, &u->strides[in - 1], reg) == i;
        if (u->steps[n]) u->stepped[reg] = (uint8_t)in;
    }
    find_on(u);
    for (uint32_t n = 0; n < u->k->ninsts; n++) {
        const struct isa_inst *i = &u->k->insts[n];
        if (u->steps[n] && !goes_along(u, &u->strides[inside(u, n) - 1], isa_dsts(u->k, i)[0], i))
            return false;
    }
    return true;
}

/* ---- where iterations begin ---- */

/* Both have one value, as it is or made wider. */
static bool is_same(const struct unfolder *u, isa_operand a, isa_operand b) {
    const struct isa_inst *x = itemindex_unconverted(u->k, &u->l, writer_of(u, a)),
                          *y = itemindex_unconverted(u->k, &u->l, writer_of(u, b));
    bool params = x && y && x->op == ISA_ld && y->op == ISA_ld && x->space == ISA_PARAM &&
                  y->space == ISA_PARAM;
    return a == b || (x && x == y) || (params && x->imm == y->imm && x->type == y->type);
}

/* The operand is where the loop's counter starts. */
static bool is_start(const struct unfolder *u, const struct stride_loop *s, isa_operand o) {
    struct itemindex x = index_of(u, writer_of(u, o));
    return x.d == s->d && x.sum == s->inner;
}

/* The comparison holds for no iteration of the loop, or for all, as for the work-item if it has
 * any. */
static bool tests_start(const struct unfolder *u, const struct stride_loop *s,
                        const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(u->k, i);
    bool above = is_start(u, s, src[1]) && is_same(u, src[0], s->bound);
    bool below = is_start(u, s, src[0]) && is_same(u, src[1], s->bound);
    if (!above && !below) return false;
    return compare_is_signed(i->op) == compare_is_signed(u->k->insts[s->compare].op) &&
           (!s->inclusive || compare_is_strict(i->op) == above);
}

/* A condition that stands before loops says the same for each iteration as for the work-item: it
 * does not hang on where that is, or only by what such comparisons say. */
static bool is_alike(const struct unfolder *u, isa_operand o, uint32_t n, unsigned depth) {
    const struct isa_inst *i = writer_of(u, o);
    unsigned in = inside(u, n);
    if (!(on_of(u, o, n) & of_loops(u, in, u->count))) return true;
    if (!i || !depth) return false;
    if (compare_is_order(i->op)) {
        for (unsigned m = in; m < u->count; m++)
            if (tests_start(u, &u->strides[m], i)) return true;
        return false;
    }
    bool joins = i->type == ISA_PRED && (i->op == ISA_and || i->op == ISA_or || i->op == ISA_xor ||
                                         i->op == ISA_not || i->op == ISA_mov);
    for (unsigned s = 0; s < i->nsrc && joins; s++)
        joins = is_alike(u, isa_srcs(u->k, i)[s], n, depth - 1);
    return joins;
}

/* Ifs before the loops, and between them, go the same way for each iteration. */
static bool begins_alike(const struct unfolder *u) {
    for (uint32_t n = 0; n < u->strides[u->count - 1].begin; n++) {
        const struct isa_inst *i = &u->k->insts[n];
        bool decides = isa_op_info[i->op].flags & ISA_OP_CONTROL && i->nsrc;
        for (unsigned m = 0; m < u->count; m++) decides &= n != u->strides[m].leaves;
        for (unsigned s = 0; s < i->nsrc && decides; s++)
            if (!is_alike(u, isa_srcs(u->k, i)[s], n, MOST_DEPTH)) return false;
    }
    return true;
}

/* ---- what iterations do ---- */

/* Registers, 1 or 0: those that have been written on each way to the instruction that is looked at,
 * since the outermost loop's iteration began; as regions began, and where they are left. */
struct unfold_written {
    uint8_t *now, *before[ISA_MAX_NESTING + 1], *left[ISA_MAX_NESTING + 1];
};

static void meet(uint8_t *a, const uint8_t *b, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) a[r] &= b[r];
}

static void pass_region(const struct unfolder *u, struct unfold_written *w,
                        const struct isa_inst *i, uint32_t *depth) {
    uint32_t flags = isa_op_info[i->op].flags, count = u->k->nregs;
    if (flags & ISA_OP_REGION_BEGIN) {
        ++*depth;
        memcpy(w->before[*depth], w->now, count);
        memset(w->left[*depth], 1, count);
    } else if (flags & ISA_OP_REGION_ELSE) {
        meet(w->left[*depth], w->now, count);
        memcpy(w->now, w->before[*depth], count);
        memset(w->before[*depth], 1, count);
    } else if (flags & ISA_OP_REGION_END) {
        if (i->op != ISA_endblock) meet(w->now, w->before[*depth], count);
        meet(w->now, w->left[(*depth)--], count);
    }
}

/* It loads from memory that all work-items see, stores or adds up there, and computes; what it
 * reads hangs on the iteration alone. */
static bool may_be(const struct unfolder *u, const struct unfold_written *w, uint32_t n) {
    const struct isa_inst *i = &u->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags, loop = loops_at(&u->l, u->strides[0].begin);
    bool memory = (i->op == ISA_ld || i->op == ISA_st) && i->space != ISA_LOCAL &&
                  i->space != ISA_PRIVATE && !isa_is_watched(i);
    if (i->op == ISA_ret || flags & ISA_OP_PROBE) return false;
    if (!memory && !(flags & (ISA_OP_CONTROL | ISA_OP_PURE)) && !provenance_only_joins(u->k, i))
        return false;
    uint8_t gone = of_loops(u, 0, inside(u, n));
    for (unsigned s = 0; s < i->nsrc && !u->steps[n]; s++) {
        isa_operand o = isa_srcs(u->k, i)[s];
        if (!isa_is_reg(o)) continue;
        if (on_of(u, o, n) & gone) return false;
        if (!w->now[o] && !u->stepped[o] && loops_assign(&u->l, o, loop)) return false;
    }
    return true;
}

/* An iteration of a loop in the outermost one begins: what iterations of it write is another one's
 * yet. */
static void enter(const struct unfolder *u, struct unfold_written *w, uint32_t begin) {
    uint32_t loop = loops_at(&u->l, begin);
    for (uint32_t r = 0; r < u->k->nregs; r++)
        if (loops_assign(&u->l, r, loop)) w->now[r] = 0;
}

static bool goes_through(const struct unfolder *u, struct unfold_written *w) {
    uint32_t depth = 0, from = u->strides[0].begin, to = u->strides[0].end;
    for (uint32_t n = from + 1; n < to; n++) {
        const struct isa_inst *i = &u->k->insts[n];
        unsigned in = inside(u, n);
        if (!may_be(u, w, n)) return false;
        if (isa_op_info[i->op].flags & ISA_OP_JUMP && n != u->strides[in - 1].leaves) {
            if ((uint32_t)i->imm > depth || depth - (uint32_t)i->imm < in) return false;
            meet(w->left[depth - (uint32_t)i->imm], w->now, u->k->nregs);
        }
        if (in < u->count && n == u->strides[in].begin) enter(u, w, n);
        pass_region(u, w, i, &depth);
        for (unsigned d = 0; d < i->ndst; d++) w->now[isa_dsts(u->k, i)[d]] = 1;
    }
    return true;
}

/* An iteration reads no register that an earlier one has written, but those that are stepped. */
static bool hands_nothing_on(const struct unfolder *u) {
    struct unfold_written w;
    uint32_t each = u->k->nregs, levels = ISA_MAX_NESTING + 1;
    uint8_t *all = calloc(1 + 2ull * levels, each);
    w.now = all;
    for (uint32_t d = 0; all && d < levels; d++) {
        w.before[d] = all + (1 + 2ull * d) * each;
        w.left[d] = all + (2 + 2ull * d) * each;
    }
    bool nothing = all && goes_through(u, &w);
    free(all);
    return nothing;
}

/* Where the work-item is in dimension 0 plays no part: warps do it once. */
static bool is_common(const struct unfolder *u, const struct isa_inst *i) {
    for (unsigned d = 0; d < i->ndst; d++)
        if (u->on[isa_dsts(u->k, i)[d]] & ON_ID) return false;
    return true;
}

/* What is done before iterations, and then for each of them, costs less than they do. */
static bool is_worth(const struct unfolder *u) {
    enum { ITERATIONS = 8, ACCESS = 8, LEAST = 96 /* clocks */ };
    uint64_t outside = 0, common = 0, within = LEAST, times = 1;
    for (uint32_t n = 0; n < u->k->ninsts; n++) {
        const struct isa_inst *i = &u->k->insts[n];
        bool memory = isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space != ISA_PARAM;
        bool in = inside(u, n) == u->count;
        if (in && i->op == ISA_loop && times < 1 << 20) times *= ITERATIONS;
        uint64_t *of = in ? &within : is_common(u, i) ? &common : &outside;
        *of += times * (isa_op_info[i->op].clocks + (memory ? ACCESS : 0u));
        if (in && i->op == ISA_endloop && times > 1) times /= ITERATIONS;
    }
    return outside + common / ISA_WARP <= within;
}

/* ---- the other kernel ---- */

/* One guard does for a loop and the one in it: nothing but computation stands between. */
static bool is_joined(const struct unfolder *u, unsigned m) {
    bool joined = m + 1 < u->count;
    for (uint32_t n = u->strides[m].leaves + 1; joined && n < u->strides[m + 1].begin; n++)
        joined = isa_is_timeless(&u->k->insts[n]);
    return joined;
}

/* In place of where the loop is left: the guard. `joined`: of the loop round it, or
 * ISA_NO_OPERAND. */
static isa_operand put_guard(const struct unfolder *u, struct kernelcopy *c, unsigned m,
                             isa_operand joined) {
    const struct stride_loop *s = &u->strides[m];
    bool turned; /* as orders are */
    enum isa_op goes_on = compare_opposite(u->k->insts[s->compare].op, &turned);
    isa_site_remove(c->out, u->k->insts[s->leaves].site, ISA_REMOVED_unrolled);
    isa_operand in =
        kernelcopy_result(c, goes_on, isa_operand_type(u->k, s->counter), s->counter, s->bound);
    in = kernelcopy_joined(c, ISA_and, joined, in);
    if (is_joined(u, m)) return in;
    kernelcopy_control(c, ISA_if, in);
    return ISA_NO_OPERAND;
}

static void put(const struct unfolder *u, struct kernelcopy *c, uint32_t n, isa_operand *joined) {
    c->at = n;
    for (unsigned m = 0; m < u->count; m++) {
        const struct stride_loop *s = &u->strides[m];
        if (n == s->leaves && !u->bare) *joined = put_guard(u, c, m, *joined);
        if (n == s->end && !u->bare && !is_joined(u, m))
            kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
        if (n == s->begin || n == s->leaves || n == s->end) return;
    }
    if (!u->steps[n]) kernelcopy_put(c, n);
}

/* Does the kernel ask for local ids, or groups' sizes, in that dimension? */
static bool asks_for_groups(const struct isa_kernel *k, unsigned d) {
    bool asks = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t which = k->insts[n].op == ISA_special ? (uint32_t)k->insts[n].imm : UINT32_MAX;
        asks |= which == ISA_SPECIAL_thread_id || which == ISA_SPECIAL_local_id_x + d ||
                which == ISA_SPECIAL_local_size_x + d;
    }
    return asks;
}

static bool write(const struct unfolder *u, struct unfold *made) {
    struct kernelcopy c;
    bool good = kernelcopy_begin(&c, u->k, u->k->ninsts + 2 * DIMENSIONS);
    isa_operand joined = ISA_NO_OPERAND;
    for (uint32_t n = 0; good && n < u->k->ninsts && !c.failed; n++) put(u, &c, n, &joined);
    good = good && !c.failed && kernelcopy_finish(c.out);
    for (unsigned m = 0; good && m < u->count; m++)
        made->ranges[u->strides[m].d] =
            (struct unfold_range){.is = true,
                                  .bound = u->strides[m].bound,
                                  .step = u->strides[m].step,
                                  .inclusive = u->strides[m].inclusive,
                                  .inner = u->strides[m].inner,
                                  .grouped = asks_for_groups(u->k, u->strides[m].d)};
    if (good) {
        made->kernel = c.out;
        c.out = NULL;
    }
    kernelcopy_drop(&c);
    return good;
}

/* Unfolds loops in strides of the ND-range. False: no memory. */
static bool unfold_range(struct unfold *made, const struct isa_kernel *k) {
    struct unfolder u = {.k = k, .bare = made->times};
    struct arena *arena = loops_new(&u.l, k);
    u.on = calloc(k->nregs + 1ull, 1);
    u.stepped = calloc(k->nregs + 1ull, 1);
    u.steps = calloc(k->ninsts + 1ull, 1);
    bool good = arena && u.on && u.stepped && u.steps;
    if (good) find_strides(&u);
    if (good && u.count && find_stepped(&u) && begins_alike(&u) && is_worth(&u) &&
        hands_nothing_on(&u))
        good = write(&u, made);
    arena_free(arena);
    free(u.on);
    free(u.stepped);
    free(u.steps);
    return good;
}

/* The same of another kernel, which is freed; NULL: there is none. */
static bool unfold_other(struct unfold *made, struct isa_kernel *other) {
    bool good = !other || unfold_range(made, other);
    isa_kernel_free(other);
    return good;
}

bool unfold_make(struct unfold *made, const struct isa_kernel *k) {
    bool loops = false, good = true;
    *made = (struct unfold){.kernel = NULL};
    for (uint32_t n = 0; n < k->ninsts; n++) loops |= k->insts[n].op == ISA_loop;
    if (k->probed) return true;
    if (loops && k->ninsts <= MOST_INSTS) {
        good = unfold_range(made, k);
        if (good && !made->kernel) {
            good = unfold_other(made, turned_rows(k));
            made->rows = made->kernel;
        }
        if (good && !made->kernel) {
            made->times = 1;
            good = unfold_other(made, runitems_strides(k));
            made->run = made->kernel;
            made->times = made->run;
        }
        if (good && !made->kernel) {
            good = unfold_other(made, turned_lines(k, &made->along, &made->across));
            made->lines = made->kernel;
        }
    }
    if (good && !made->kernel) {
        struct isa_kernel *strides = apiece_strides(k, &made->times);
        good = unfold_other(made, strides);
    }
    return good;
}
