/* Small loops that step through memory make several iterations in one: the body is
 * there more than once, conditions for leaving it included, and addresses that advance by a
 * constant are displacements, stepped once. Loops that walk along rows, to where all work-items are
 * likely to end their own, have no conditions within: the last iterations are another loop's, as it
 * was. Rows of the work-item's own that are joined into a register wait for the passes that have
 * all lanes go along them side by side (sized/reductions.c). */
#include "unrolled.h"

#include <stdlib.h>

#include "device/analysis/gatherloops.h"
#include "device/analysis/ownsearches.h"
#include "device/analysis/reduction.h"
#include "device/isa/iteration.h"
#include "device/isa/rewrite.h"
#include "device/isa/unroll.h"

/* Instructions of a body that is repeated; that loads alone, that stores, too. */
enum { SMALL = 8, MOST = 16, MOST_LOADS = 48, MOST_STORES = 48 };
enum { COPIES_SMALL = 4, COPIES = 2 }; /* of it: iterations in one */
enum { MOST_STEP = 4096 };             /* bytes an address advances by */
enum { WALK = 8 };                     /* iterations in one of a walk; */
/* Instructions of those, of one that stores, and where all work-items load the same: all that is
 * saved there are the loop's own. */
enum { MOST_WALK = 400, MOST_CHAIN = 200, MOST_SHARED = 64 };
enum { LEAST_ROW = 24, MOST_ROW = 64 }; /* bytes of a row that they pass */
enum { MATH = 4 };                      /* instructions that a function of ISA_OP_MATH is like */

struct unrolled {
    const struct isa_kernel *k;
    struct arena *arena;
    struct loops l;
    struct shape *shape;                   /* in groups of any size */
    struct loop_counters counters, copied; /* the others are copies of sums, too */
    const uint64_t *provenance;            /* of registers */
    uint32_t *copies;                      /* of each loop; 0: it stays as it is */
    uint32_t *stepped;      /* of each register that only addresses are made of: its counter, + 1 */
    uint32_t *start;        /* of each counter: what starts it, + 1 */
    bool nests;             /* regions may be one deeper */
    uint8_t *uses, *made;   /* of registers: by an iteration; scratch */
    struct row_walk *walks; /* of each loop */
    struct kernelcopy *copy;
    const struct row_walk *walk; /* which loop is written, */
    struct unroll u;
};

/* The loop's body is short, and nothing but leaving the loop is done in it besides computing and
 * moving data. Returns how many iterations are to be one, 1: those of a walk alone, as where it
 * stores, so that it waits for memory, or has no need of more at a time, or 0. */
static uint32_t copies_of(const struct isa_kernel *k, uint32_t begin) {
    uint32_t n = begin + 1, probes = 0;
    bool stores = false, math = false;
    for (; n < k->ninsts && k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_PROBE) {
            probes++;
            continue;
        }
        bool plain = flags & ISA_OP_PURE || i->op == ISA_ld || i->op == ISA_st ||
                     (i->op == ISA_breakif && !i->imm);
        stores |= i->op == ISA_st;
        math |= (flags & ISA_OP_MATH) != 0;
        if (n - begin - probes > MOST_STORES || !plain) return 0;
    }
    uint32_t length = n - begin - 1 - probes;
    if (length >= MOST_LOADS && !stores) return 0;
    return length >= MOST || stores || math ? 1 : length <= SMALL ? COPIES_SMALL : COPIES;
}

/* Counters that are addresses and nothing else, stepped by constants; loops without stay as they
 * are. */
static void find_stepped(struct unrolled *t, struct arena *arena) {
    const struct isa_kernel *k = t->k;
    uint8_t *address = loops_addresses(&t->l, k, arena, &t->counters, WALK * MOST_STEP);
    uint32_t *saves = ARENA_ARRAY(arena, uint32_t, t->l.nloops + 1u);
    t->start = loops_starts(&t->l, k, arena, &t->counters);
    for (uint32_t n = 0; n < t->counters.count; n++) {
        const struct loop_counter *c = &t->counters.list[n];
        int32_t step = loops_constant_step(k, c);
        if (!t->start[n] || !address[n] || !step || abs(step) > MOST_STEP || !t->copies[c->loop])
            continue;
        t->stepped[c->reg] = n + 1;
        saves[c->loop] = t->copies[c->loop];
    }
    t->copies = saves;
}

/* The counter of a register that is stepped in this loop, or NULL. */
static const struct loop_counter *counter_in(const struct unrolled *t, isa_operand reg,
                                             uint32_t loop) {
    if (!isa_is_reg(reg) || !t->stepped[reg]) return NULL;
    const struct loop_counter *c = &t->counters.list[t->stepped[reg] - 1];
    return c->loop == loop ? c : NULL;
}

/* ---- walks ---- */

/* How a loop is written. */
struct row_walk {
    uint32_t times; /* iterations in one */
    bool own;       /* along rows of which each work-item has its own */
    bool even;      /* all are likely to start as far from the bound */
    bool walks;     /* it is left in one place, as all are likely to start as far from the bound: */
    uint32_t leaves; /* by this instruction */
    struct loop_exit exit;
    bool last;        /* an iteration ends where it leaves the loop: */
    isa_operand done; /* whether it did, when several are done */
};

/* Is the operand the same for all work-items of a group? */
static bool is_shared(const struct unrolled *t, isa_operand o) {
    struct shape_value v = shape_operand(t->shape, t->k, o);
    return v.span == SHAPE_GROUP && !v.stride;
}

static bool computes_shared(const struct unrolled *t, const struct isa_inst *i) {
    bool shared = isa_op_info[i->op].flags & ISA_OP_PURE;
    for (unsigned s = 0; s < i->nsrc; s++) shared &= is_shared(t, isa_srcs(t->k, i)[s]);
    return shared;
}

/* A value: an operand, and the instruction that makes it; NULL: that is not known. */
struct unroll_value {
    isa_operand o;
    const struct isa_inst *by;
};

static struct unroll_value value_of(const struct unrolled *t, isa_operand o) {
    struct unroll_value v = {o, NULL};
    uint32_t n = loops_writer(&t->l, o, 0);
    if (n < LOOPS_NONE && t->k->insts[n].ndst == 1) v.by = &t->k->insts[n];
    return v;
}

static bool is_alike(const struct unrolled *t, struct unroll_value a, struct unroll_value b,
                     unsigned left);

/* The same of what an instruction makes b of: something like a, and what is shared. */
static bool is_near(const struct unrolled *t, struct unroll_value a, struct unroll_value b,
                    unsigned left) {
    const isa_operand *src = b.by ? isa_srcs(t->k, b.by) : NULL;
    if (!src) return false;
    unsigned first = b.by->op == ISA_select;
    switch (b.by->op) {
    case ISA_mov: return is_alike(t, a, value_of(t, src[0]), left);
    case ISA_sub: return is_shared(t, src[1]) && is_alike(t, a, value_of(t, src[0]), left);
    case ISA_add:
    case ISA_select: /* as a minimum is */
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u:
        for (unsigned s = 0; s < 2; s++)
            if (is_shared(t, src[first + !s]) && is_alike(t, a, value_of(t, src[first + s]), left))
                return true;
        return false;
    default: return false;
    }
}

/* Is how far a value is from another one likely to be the same for all work-items? */
static bool is_alike(const struct unrolled *t, struct unroll_value a, struct unroll_value b,
                     unsigned left) {
    if (a.o == b.o) return true;
    if (!left--) return false;
    if (is_near(t, a, b, left) || is_near(t, b, a, left)) return true;
    if (!a.by || !b.by || a.by->op != b.by->op || a.by->type2 != b.by->type2) return false;
    const isa_operand *x = isa_srcs(t->k, a.by), *y = isa_srcs(t->k, b.by);
    bool same[2] = {false};
    for (unsigned s = 0; s < 2 && s < a.by->nsrc; s++) same[s] = x[s] == y[s] && is_shared(t, x[s]);
    switch (a.by->op) {
    case ISA_sext:
    case ISA_zext:
    case ISA_trunc: return is_alike(t, value_of(t, x[0]), value_of(t, y[0]), left);
    case ISA_mul:
        if (same[0]) return is_alike(t, value_of(t, x[1]), value_of(t, y[1]), left);
        /* fall through */
    case ISA_shl:
    case ISA_div_s:
    case ISA_div_u: return same[1] && is_alike(t, value_of(t, x[0]), value_of(t, y[0]), left);
    default: return false;
    }
}

/* The bytes that are loaded, or stored, in an iteration by a counter. */
static int32_t moved_by(const struct unrolled *t, uint32_t begin, uint32_t end, enum isa_op op,
                        isa_operand reg) {
    int32_t bytes = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        if (i->op == op && isa_srcs(t->k, i)[0] == reg) bytes += (int32_t)isa_bytes(i);
    }
    return bytes;
}

static bool stores(const struct isa_kernel *k, uint32_t begin, uint32_t end) {
    uint32_t n = begin + 1;
    while (n < end && k->insts[n].op != ISA_st) n++;
    return n < end;
}

/* Does a loop that stores go along a row here and across others there, or are its iterations a
 * chain? What goes along rows alone engines have lanes go along side by side (sized/dealt.c,
 * spread.c), and so they do in runs. */
static bool crosses(const struct unrolled *t, uint32_t begin, uint32_t end) {
    bool across = loops_carries(&t->l, t->k, loops_at(&t->l, begin));
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        if (i->op != ISA_ld && i->op != ISA_st) continue;
        isa_operand at = isa_srcs(t->k, i)[0];
        const struct loop_counter *c = loops_counter(&t->counters, at, loops_at(&t->l, begin));
        int32_t step = c ? loops_constant_step(t->k, c) : 0;
        bool own = i->space == ISA_PRIVATE || i->space == ISA_LOCAL;
        if (!c && i->op == ISA_st && !own) return false;
        across |= c ? !step || abs(step) > moved_by(t, begin, end, (enum isa_op)i->op, at)
                    : i->op == ISA_st;
    }
    return across;
}

/* Have work-items that are neighbours each another value of what the instruction makes, before the
 * loop that begins there? What is made of the other dimensions' ids, or of quotients, most of them
 * have alike. */
static bool is_own(const struct unrolled *t, uint32_t begin, const struct isa_inst *i,
                   unsigned left) {
    bool own = i->op == ISA_ld;
    if (i->op == ISA_special)
        return i->imm == ISA_SPECIAL_global_id_x || i->imm == ISA_SPECIAL_local_id_x ||
               i->imm == ISA_SPECIAL_thread_id;
    if (!left || isa_divides((enum isa_op)i->op)) return false;
    for (unsigned s = 0; s < i->nsrc && !own; s++) {
        isa_operand o = isa_srcs(t->k, i)[s];
        uint32_t from = isa_is_reg(o) ? loops_start_outside(t->k, begin, o) : 0;
        own = from && !is_shared(t, o) && is_own(t, begin, &t->k->insts[from - 1], left - 1);
    }
    return own;
}

/* How many bytes it walks on in an iteration, where it loads or stores each time what lies behind
 * the last; or 0. near: or not far from it. What it stores may wait for what it loads (opt_late.c).
 * *shared: work-items go along the same rows; *own: neighbours along others. */
static uint32_t row_step(const struct unrolled *t, uint32_t begin, uint32_t end, bool near,
                         bool *shared, bool *own) {
    enum { LEVELS = 8 };
    const struct isa_kernel *k = t->k;
    uint32_t most = 0;
    *shared = true;
    *own = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & ISA_OP_PROBE || isa_is_watched(i)) return 0;
        bool moves = i->op == ISA_ld || i->op == ISA_st;
        isa_operand at = moves ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        if (!isa_is_reg(at) || !t->stepped[at]) continue;
        const struct loop_counter *c = &t->counters.list[t->stepped[at] - 1];
        int32_t step = loops_constant_step(t->k, c),
                bytes = moved_by(t, begin, end, (enum isa_op)i->op, at);
        uint32_t far = (uint32_t)(step < 0 ? -step : step);
        bool is_row = near ? far <= 2 * (uint32_t)bytes : far == (uint32_t)bytes;
        if (c->loop != t->l.loop_of[n] || !is_row) continue;
        if (far > most) most = far;
        *shared &= is_shared(t, at);
        *own |= !is_shared(t, at) &&
                is_own(t, begin, &k->insts[t->start[t->stepped[at] - 1] - 1], LEVELS);
    }
    return most;
}

/* Instructions that are there once for each iteration. */
static uint32_t repeated(const struct unrolled *t, uint32_t begin, uint32_t end) {
    uint32_t length = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        bool once = i->ndst && counter_in(t, isa_dsts(t->k, i)[0], t->l.loop_of[n]);
        if (once || i->op == ISA_mov || isa_op_info[i->op].flags & ISA_OP_PROBE) continue;
        length += isa_op_info[i->op].flags & ISA_OP_MATH ? MATH : 1;
    }
    return length;
}

/* Takes how many iterations are one: as many as fill a row, and are not too long. */
static bool find_times(const struct unrolled *t, uint32_t begin, uint32_t end, struct row_walk *w) {
    bool shared;
    uint32_t step = row_step(t, begin, end, false, &shared, &w->own),
             length = repeated(t, begin, end);
    uint32_t most = stores(t->k, begin, end) ? MOST_CHAIN : shared ? MOST_SHARED : MOST_WALK;
    w->times = WALK;
    while (w->times > 1 && (w->times * length > most || w->times * step > MOST_ROW)) w->times /= 2;
    bool small = step <= 2 && w->times == WALK; /* elements that are no words */
    return step && w->times > (shared ? COPIES : 1) && (small || w->times * step >= LEAST_ROW);
}

/* All are likely to start as far from the bound. */
static bool starts_alike(const struct unrolled *t, const struct isa_inst *from, isa_operand bound) {
    enum { LEVELS = 5 };
    struct unroll_value start = {isa_dsts(t->k, from)[0], from};
    if (is_shared(t, bound)) return computes_shared(t, from);
    return isa_op_info[from->op].flags & ISA_OP_PURE &&
           is_alike(t, start, value_of(t, bound), LEVELS);
}

/* Where the loop is left, if that is one place, and by what. */
static bool find_exit(const struct unrolled *t, uint32_t begin, uint32_t end, struct row_walk *w) {
    const struct isa_kernel *k = t->k;
    w->leaves = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!(isa_op_info[i->op].flags & ISA_OP_JUMP)) continue;
        bool asks = i->op == ISA_breakif && !i->imm && isa_is_reg(isa_srcs(k, i)[0]);
        if (w->leaves || !asks) return false;
        w->leaves = n;
    }
    return w->leaves && t->l.reads[isa_srcs(k, &k->insts[w->leaves])[0]] == 1 &&
           loops_exit(&t->l, k, w->leaves, &w->exit) && w->exit.step <= MOST_STEP;
}

/* All that follows where the loop is left are steps of addresses. */
static bool leaves_last(const struct unrolled *t, uint32_t end, const struct row_walk *w) {
    bool last = true;
    for (uint32_t n = w->leaves + 1; n < end; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        last &= i->ndst == 1 && counter_in(t, isa_dsts(t->k, i)[0], t->l.loop_of[n]) != NULL;
    }
    return last;
}

static bool find_walk(const struct unrolled *t, uint32_t begin, struct row_walk *w) {
    uint32_t end = t->l.loops[loops_at(&t->l, begin)].end;
    if (end - begin < 4 || (stores(t->k, begin, end) && !crosses(t, begin, end)) ||
        !find_exit(t, begin, end, w))
        return false;
    uint32_t start = loops_start_outside(t->k, begin, w->exit.counter.reg);
    if (stores(t->k, begin, end) && !is_shared(t, w->exit.bound)) return false;
    w->walks = true;
    w->last = t->nests && leaves_last(t, end, w);
    w->even = start && starts_alike(t, &t->k->insts[start - 1], w->exit.bound);
    return w->even && find_times(t, begin, end, w);
}

/* ---- writing ---- */

/* Of one of the iterations that are one. */
static bool put(void *context, uint32_t from, uint32_t to) {
    struct unrolled *t = context;
    struct kernelcopy *c = t->copy;
    const struct row_walk *w = t->walk;
    bool is_last = t->u.iteration + 1 == w->times;
    for (uint32_t n = from; n < to && !c->failed; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        const isa_operand *dst = isa_dsts(c->k, i), *src = isa_srcs(c->k, i);
        bool exits = w->walks && (n == w->exit.compare || n == w->leaves),
             moves = isa_op_info[i->op].flags & ISA_OP_MEMORY;
        uint32_t loop = t->l.loop_of[n];
        const struct loop_counter *steps = i->ndst ? counter_in(t, dst[0], loop) : NULL,
                                  *at = moves ? counter_in(t, src[0], loop) : NULL;
        c->at = n;
        if (steps && steps->at == n) {
            uint32_t all = (uint32_t)loops_constant_step(t->k, steps) * w->times;
            isa_operand by[] = {dst[0], kernelcopy_word(c, all)};
            if (is_last) kernelcopy_put_with(c, n, by);
        } else if (!exits) {
            int32_t far = at ? (int32_t)t->u.iteration * loops_constant_step(t->k, at) : 0;
            kernelcopy_put(c, n)->imm += far;
        } else if (n == w->exit.compare && w->last && is_last) {
            kernelcopy_add(c, (enum isa_op)i->op, ISA_I32, w->done, src[0], src[1]);
        }
    }
    return !c->failed;
}

/* So many iterations at a time, as often as there are so many, or once. */
static void put_several(struct unrolled *t, uint32_t begin, uint32_t end, struct row_walk *w,
                        bool once) {
    const isa_operand none = ISA_NO_OPERAND;
    struct kernelcopy *c = t->copy;
    t->walk = w;
    t->u = (struct unroll){c, begin, end, w->times, UINT32_MAX, put, NULL, 0, t, 0};
    c->at = begin;
    if (once)
        kernelcopy_control(c, ISA_block, none);
    else
        kernelcopy_put(c, begin);
    if (w->walks) unroll_leave(c, &w->exit, w->leaves, w->times - w->last);
    unroll_write(&t->u);
    if (w->last) kernelcopy_put_with(c, w->leaves, &w->done);
    if (once)
        kernelcopy_control(c, ISA_endblock, none);
    else
        kernelcopy_put(c, end);
}

/* Are of those that are left half as many done at a time? */
static bool halves(const struct row_walk *w) {
    return w->walks && w->own && !w->last && w->times == WALK;
}

/* The loop for several iterations at a time; and behind that of a walk the loop for those that are
 * left: where the last ones may be among those, if there are any. Of rows of the work-item's own
 * half as many come first: one by one their elements are gathered. */
static void put_loop(struct unrolled *t, uint32_t begin, uint32_t end, struct row_walk *w) {
    const isa_operand none = ISA_NO_OPERAND;
    struct kernelcopy *c = t->copy;
    c->at = begin;
    if (w->last)
        w->done = kernelcopy_result(c, ISA_mov, ISA_PRED, kernelcopy_number(c, ISA_PRED, 0), none);
    put_several(t, begin, end, w, false);
    if (halves(w)) {
        w->times /= 2;
        put_several(t, begin, end, w, true);
    }
    if (w->last) {
        c->at = w->leaves;
        isa_operand more = kernelcopy_result(c, ISA_not, ISA_PRED, w->done, none);
        kernelcopy_add(c, ISA_if, ISA_NONE_T, none, more, none)->site = c->k->insts[c->at].site;
    }
    if (w->walks) kernelcopy_put_range(c, begin, end + 1);
    if (w->last) kernelcopy_control(c, ISA_endif, none);
}

/* Lanes go through the loop as if each was by itself, and it is known how often: engines have code
 * for that (gatherloops.h), which what ends an iteration of several would be in the way of. */
static bool is_by_lanes(const struct unrolled *t, uint32_t begin) {
    struct gatherloop l = gatherloops_at(t->k, &t->l, begin);
    struct liveranges live = {0};
    unsigned most;
    bool lanes = l.test < l.end && shape_branch(t->shape, l.test) < SHAPE_WARP &&
                 gatherloops_exact(t->k, &l, &most) && liveranges_find(&live, t->k, t->shape) &&
                 gatherloops_fit(t->k, &t->l, t->shape, &live, begin, true);
    free(live.first);
    free(live.last);
    free(live.zero);
    return lanes;
}

/* Engines make several iterations of it at a time (sized/searches.c). */
static bool is_search(const struct unrolled *t, uint32_t begin) {
    struct ownsearch s;
    return ownsearches_find(&s, t->k, &t->l, &t->copied, t->shape, t->provenance, begin);
}

/* Does it join rows of the work-item's own into registers, in any order, and do nothing else? */
static bool joins_rows(struct unrolled *t, uint32_t begin) {
    enum { CARRIED = ITERATION_READS | ITERATION_WRITES };
    const struct isa_kernel *k = t->k;
    uint32_t loop = loops_at(&t->l, begin), end = t->l.loops[loop].end;
    bool shared, own, any = false;
    if (stores(k, begin, end) || !row_step(t, begin, end, true, &shared, &own) || !own)
        return false;
    iteration_find(k, begin, NULL, t->arena, t->uses);
    for (isa_operand reg = 0; reg < k->nregs; reg++) {
        if ((t->uses[reg] & CARRIED) != CARRIED || loops_counter(&t->counters, reg, loop)) continue;
        if (reduction_of(k, begin, reg, t->uses, t->made) == ISA_OP_COUNT) return false;
        any = true;
    }
    return any;
}

/* How the loop that begins there is written. */
static struct row_walk way_of(struct unrolled *t, uint32_t begin, enum unrolled_rows rows) {
    struct row_walk w = {0};
    uint32_t times = t->copies[loops_at(&t->l, begin)];
    bool walks = find_walk(t, begin, &w);
    if (!times || joins_rows(t, begin) != rows) return (struct row_walk){.even = w.even};
    if (walks) return w;
    if (is_by_lanes(t, begin) || is_search(t, begin)) times = 1;
    return (struct row_walk){.times = times, .even = w.even};
}

struct unrolled *unrolled_find(const struct isa_kernel *k, struct arena *arena,
                               const uint64_t *provenance, enum unrolled_rows rows) {
    struct unrolled *t = ARENA_NEW(arena, struct unrolled);
    uint32_t loop = 0;
    t->k = k;
    t->arena = arena;
    if (k->ninsts > ISA_MAX_INSTRUCTIONS / COPIES_SMALL || !loops_find(&t->l, k, arena))
        return NULL;
    loops_counters(&t->l, k, arena, &t->counters);
    t->nests = rewrite_nesting(k) < ISA_MAX_NESTING;
    t->copies = ARENA_ARRAY(arena, uint32_t, t->l.nloops + 1u);
    t->stepped = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    t->uses = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    t->made = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    t->walks = ARENA_ARRAY(arena, struct row_walk, t->l.nloops + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++)
        if (k->insts[i].op == ISA_loop) t->copies[++loop] = copies_of(k, i);
    find_stepped(t, arena);
    t->provenance = provenance;
    loops_counters_copied(&t->l, k, arena, &t->copied);
    t->shape = shape_new(k, NULL);
    for (uint32_t i = 0; t->shape && i < k->ninsts; i++)
        if (k->insts[i].op == ISA_loop) t->walks[loops_at(&t->l, i)] = way_of(t, i, rows);
    shape_free(t->shape);
    t->shape = NULL;
    return t;
}

bool unrolled_any(const struct unrolled *t) {
    bool any = false;
    for (uint32_t n = 1; t && n <= t->l.nloops; n++) any |= t->walks[n].times > 1;
    return any;
}

enum unrolled_way unrolled_way(const struct unrolled *t, uint32_t begin) {
    const struct row_walk *w = t ? &t->walks[loops_at(&t->l, begin)] : NULL;
    return !w || !w->even ? UNROLLED_UNEVEN : w->walks ? UNROLLED_ROWS : UNROLLED_EVEN;
}

void unrolled_write(struct unrolled *t, struct kernelcopy *c, const struct trace_pass *p) {
    t->copy = c;
    for (uint32_t i = 0; i < c->k->ninsts && !c->failed; i++) {
        const struct isa_inst *inst = &c->k->insts[i];
        struct row_walk *w = &t->walks[inst->op == ISA_loop ? loops_at(&t->l, i) : 0];
        if (w->times < 2) {
            kernelcopy_put(c, i);
            continue;
        }
        trace_tell(p, inst, "%u iterations in one%s", w->times,
                   halves(w)  ? ", half as many of those that are left, and others"
                   : w->walks ? ", and those that are left"
                              : "");
        uint32_t end = t->l.loops[loops_at(&t->l, i)].end;
        put_loop(t, i, end, w);
        i = end;
    }
}
