/* Guards round barriers, as `if (i < n)` round all that a group does, or an early return ahead of
 * it, and exits of loops that have barriers. Where all work-items of a group pass them, or leave
 * together, the group is as if there were none: its warps come to barriers together and have all
 * their lanes. Whether they do is computed first, from what ids lie between in the group; a group
 * of which that is not sure leaves, and is run by the kernel as it was. */
#include <string.h>

#include "device/analysis/warpregions.h"
#include "device/isa/compare.h"
#include "device/isa/rewrite.h"
#include "groupbounds.h"

enum {
    MOST_KERNEL = 2000, /* instructions */
    MOST_TEST = 120,    /* of the test */
    MOST_GUARDS = 16,
    MOST_EXITS = 8,
};

/* What an `if` becomes. */
enum fate { STAYS, FIRST_PART, OTHER_PART };

/* How lanes leave a loop that has barriers: a counter comes up to what the group has one value of.
 */
struct group_exit {
    uint32_t begin, leaves, compare; /* instructions: the loop, the `breakif`, its comparison */
    struct loop_counter counter;
    uint32_t start;    /* what starts the counter */
    isa_operand ours;  /* counts as the group's first work-item does, in what is written; */
    isa_operand first; /* from there on */
};

struct groupguards {
    const struct isa_kernel *k;
    struct kernelcopy copy;
    struct groupbounds test;
    struct loops loops;
    uint32_t *reads; /* of registers: how many operands read it */
    uint8_t *fates;  /* of instructions: of those that are an `if`, enum fate */
    uint8_t *dead;   /* and of others, that nobody reads what it gives */
    uint32_t guards[MOST_GUARDS];
    unsigned count;
    struct group_exit exits[MOST_EXITS];
    unsigned nexits;
    bool lost; /* there are others, of which nobody knows, or barriers in both parts of an `if` */
};

/* ---- the guards ---- */

struct part_has {
    bool barrier, ret;
};

static struct part_has look(const struct isa_kernel *k, uint32_t from, uint32_t to,
                            uint32_t barrier) {
    struct part_has has = {false, false};
    for (uint32_t n = from; n < to; n++) {
        has.barrier |= k->insts[n].op == ISA_bar;
        has.ret |= k->insts[n].op == ISA_ret && n < barrier;
    }
    return has;
}

/* Which part of an `if` a group goes through whose work-items go one way. *both: there are barriers
 * in either. */
static enum fate fate_of(const struct isa_kernel *k, uint32_t n, uint32_t barrier, bool *both) {
    uint32_t other = k->insts[n].match, end = other;
    if (k->insts[other].op == ISA_else) end = k->insts[other].match;
    struct part_has first = look(k, n + 1, other, barrier), second = look(k, other, end, barrier);
    if (first.barrier != second.barrier) return first.barrier ? FIRST_PART : OTHER_PART;
    *both |= first.barrier;
    if (first.barrier || first.ret == second.ret) return STAYS;
    return first.ret ? OTHER_PART : FIRST_PART;
}

/* Is it an exit of its loop by a counter that goes up? */
static bool find_exit(struct groupguards *g, uint32_t leaves) {
    const struct isa_kernel *k = g->k;
    const struct loops *x = &g->loops;
    struct group_exit e = {.leaves = leaves, .compare = loops_compare(x, k, leaves)};
    uint32_t loop = x->loop_of[leaves];
    if (x->nested[leaves] || e.compare == LOOPS_NONE || g->nexits == MOST_EXITS) return false;
    const struct isa_inst *c = &k->insts[e.compare];
    isa_operand reg = isa_srcs(k, c)[1];
    if (!compare_is_order(c->op) || c->type2 != ISA_I32 || !isa_is_reg(reg)) return false;
    uint32_t step = loops_writer(x, reg, loop);
    e.begin = x->loops[loop].begin;
    if (step >= LOOPS_NONE || !loops_step(x, k, step, &e.counter) || e.counter.down) return false;
    if (e.counter.loop != loop || e.counter.reg != reg || e.counter.sum != e.counter.at)
        return false;
    uint32_t start = loops_start(k, e.begin, reg);
    if (!start) return false;
    e.start = start - 1;
    g->exits[g->nexits++] = e;
    return true;
}

/* Those of loops with barriers by which not all warps of the group leave together. */
static void find_exits(struct groupguards *g, const struct shape *shape) {
    const struct isa_kernel *k = g->k;
    const struct loops *x = &g->loops;
    uint32_t guarded = 0; /* where a guard ends that is around */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (g->fates[n] != STAYS && n >= guarded) guarded = warpregions_end(k, n);
        bool jumps = isa_op_info[i->op].flags & ISA_OP_JUMP && i->op != ISA_ret;
        if (!jumps || n < guarded || shape_branch(shape, n) == SHAPE_GROUP) continue;
        uint32_t loop = x->loop_of[n], end = loop ? x->loops[loop].end : 0;
        struct part_has has = look(k, loop ? x->loops[loop].begin : 0, end, 0);
        if (!loop || !has.barrier) continue;
        g->lost |= i->op != ISA_breakif || i->imm || !find_exit(g, n);
    }
}

static void find(struct groupguards *g, const struct shape *shape) {
    const struct isa_kernel *k = g->k;
    uint32_t barrier = 0;
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_bar) barrier = n;
    for (uint32_t n = 0; n < k->ninsts && barrier; n++) {
        if (k->insts[n].op != ISA_if || shape_branch(shape, n) == SHAPE_GROUP) continue;
        g->fates[n] = (uint8_t)fate_of(k, n, barrier, &g->lost);
        if (g->fates[n] == STAYS) continue;
        if (g->count < MOST_GUARDS) g->guards[g->count] = n;
        g->count++;
    }
}

/* That all work-items make as many iterations until that exit; ISA_NO_OPERAND: nobody knows. */
static isa_operand same_count(struct groupguards *g, struct group_exit *e) {
    const struct isa_inst *c = &g->k->insts[e->compare];
    bool is_signed = compare_is_signed(c->op);
    bool to = compare_is_strict(c->op); /* and not beyond */
    int64_t most = is_signed ? INT32_MAX : UINT32_MAX;
    isa_operand none = ISA_NO_OPERAND, bound = isa_srcs(g->k, c)[0], step = e->counter.step;
    g->test.reader = e->begin;
    struct group_bounds from = groupbounds_result(&g->test, &g->k->insts[e->start]);
    if (!from.bits || !groupbounds_within(&g->test, from, is_signed ? INT32_MIN : 0, most))
        return none;
    if (!groupbounds_one(&g->test, bound, e->begin) || !groupbounds_one(&g->test, step, e->begin))
        return none;
    struct group_bounds end = groupbounds_of_one(&g->test, bound),
                        by = groupbounds_of_one(&g->test, step);
    if (!groupbounds_within(&g->test, by, 1, INT32_MAX)) return none;
    struct group_bounds last =
        groupbounds_sum(&g->test, end, by, false); /* it is left before it wraps around */
    if (!groupbounds_within(&g->test, end, is_signed ? INT32_MIN : 0, most)) return none;
    if (!groupbounds_within(&g->test, last, INT32_MIN, most - 1)) return none;
    isa_operand first = from.low;
    if (e->compare > e->counter.at) { /* what an iteration has stepped is compared */
        from = groupbounds_sum(&g->test, from, by, false);
        if (!groupbounds_within(&g->test, from, INT32_MIN, most)) return none;
    }
    isa_operand left[2] = {from.low, from.high};
    for (unsigned n = 0; n < 2; n++) {
        left[n] = groupbounds_add(&g->test, ISA_sub, end.low, left[n]);
        if (!to)
            left[n] = groupbounds_add(&g->test, ISA_add, left[n], groupbounds_wide(&g->test, -1));
    }
    isa_operand never =
        groupbounds_compare(&g->test, ISA_lt_s, left[0], groupbounds_wide(&g->test, 0));
    isa_operand all =
        groupbounds_compare(&g->test, ISA_le_s, groupbounds_wide(&g->test, 0), left[1]);
    isa_operand same =
        groupbounds_compare(&g->test, ISA_eq, groupbounds_add(&g->test, ISA_div_s, left[0], by.low),
                            groupbounds_add(&g->test, ISA_div_s, left[1], by.low));
    e->first = kernelcopy_converted(&g->copy, ISA_trunc, ISA_I32, ISA_I64, first);
    return groupbounds_both(&g->test, ISA_or, never,
                            groupbounds_both(&g->test, ISA_and, all, same));
}

/* What is in the place of the guards: whether all of them are passed. False: nobody knows. */
static bool put_test(struct groupguards *g) {
    struct kernelcopy *c = &g->copy;
    isa_operand passed = ISA_NO_OPERAND;
    for (unsigned n = 0; n < g->count; n++) {
        uint32_t at = g->guards[n];
        g->test.reader = at;
        isa_operand p = isa_srcs(g->k, &g->k->insts[at])[0];
        isa_operand is = groupbounds_all(&g->test, p, at, g->fates[at] == FIRST_PART);
        if (is == ISA_NO_OPERAND || c->failed) return false;
        passed = passed == ISA_NO_OPERAND ? is : groupbounds_both(&g->test, ISA_and, passed, is);
        c->at = at;
    }
    for (unsigned n = 0; n < g->nexits; n++) {
        isa_operand is = same_count(g, &g->exits[n]);
        if (is == ISA_NO_OPERAND || c->failed) return false;
        passed = passed == ISA_NO_OPERAND ? is : groupbounds_both(&g->test, ISA_and, passed, is);
        c->at = g->exits[n].begin;
    }
    if (g->test.holds != ISA_NO_OPERAND)
        passed = groupbounds_both(&g->test, ISA_and, passed, g->test.holds);
    kernelcopy_control(c, ISA_leave, passed);
    return !c->failed;
}

/* ---- the kernel without them ---- */

/* What the group's own counters are, before loops and behind steps. */
static void count_together(struct groupguards *g, uint32_t n) {
    for (unsigned e = 0; e < g->nexits; e++) {
        const struct group_exit *x = &g->exits[e];
        if (n == x->counter.at)
            kernelcopy_add(&g->copy, ISA_add, ISA_I32, x->ours, x->ours, x->counter.step);
    }
}

static void begin_together(struct groupguards *g, uint32_t n) {
    for (unsigned e = 0; e < g->nexits; e++) {
        struct group_exit *x = &g->exits[e];
        if (n != x->begin) continue;
        x->ours = isa_reg_new(g->copy.out, ISA_I32);
        g->copy.at = n;
        kernelcopy_move(&g->copy, x->ours, x->first);
    }
}

/* The condition by which the group leaves a loop, if n is such an exit. */
static isa_operand leave_together(struct groupguards *g, uint32_t n) {
    for (unsigned e = 0; e < g->nexits; e++) {
        const struct group_exit *x = &g->exits[e];
        const struct isa_inst *c = &g->k->insts[x->compare];
        if (n != x->leaves) continue;
        g->copy.at = n;
        return kernelcopy_result(&g->copy, (enum isa_op)c->op, ISA_I32, isa_srcs(g->k, c)[0],
                                 x->ours);
    }
    return ISA_NO_OPERAND;
}

/* Jumps count the regions that they leave. */
static void put(struct groupguards *g, uint32_t n, const uint8_t *gone, uint32_t depth) {
    const struct isa_inst *i = &g->k->insts[n];
    uint32_t less = 0;
    bool jumps = isa_op_info[i->op].flags & ISA_OP_JUMP && i->op != ISA_ret;
    for (uint32_t d = 0; jumps && d < (uint32_t)i->imm; d++) less += gone[depth - d];
    isa_operand left = leave_together(g, n);
    struct isa_inst *is = left == ISA_NO_OPERAND ? kernelcopy_put(&g->copy, n)
                                                 : kernelcopy_put_with(&g->copy, n, &left);
    is->imm -= (int32_t)less;
    count_together(g, n);
}

/* What only the guards have asked for. */
static void find_dead(struct groupguards *g) {
    const struct isa_kernel *k = g->k;
    memcpy(g->reads, g->loops.reads, k->nregs * sizeof *g->reads);
    for (unsigned n = 0; n < g->count; n++) {
        isa_operand p = isa_srcs(k, &k->insts[g->guards[n]])[0];
        if (isa_is_reg(p)) g->reads[p]--;
    }
    rewrite_dead(k, g->loops.reads, g->reads, g->dead);
}

static void write(struct groupguards *g) {
    const struct isa_kernel *k = g->k;
    uint8_t gone[ISA_MAX_NESTING + 1] = {0};
    uint32_t depth = 0;
    for (uint32_t n = 0; n < k->ninsts && !g->copy.failed; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        enum fate fate = (enum fate)g->fates[n];
        if (g->dead[n]) {
            isa_site_remove(g->copy.out, k->insts[n].site, ISA_REMOVED_dead);
            continue;
        }
        if (flags & ISA_OP_REGION_BEGIN) {
            gone[++depth] = fate != STAYS;
            if (fate == OTHER_PART) {
                n = k->insts[n].match;
                if (k->insts[n].op == ISA_endif) depth--;
            }
            if (fate != STAYS) continue;
        }
        if (gone[depth] && flags & ISA_OP_REGION_ELSE) n = k->insts[n].match;
        bool ends = isa_op_info[k->insts[n].op].flags & ISA_OP_REGION_END;
        if (k->insts[n].op == ISA_loop) begin_together(g, n);
        if (!(ends && gone[depth])) put(g, n, gone, depth);
        depth -= ends;
    }
}

/* Writes the kernel, if it is known what to test. False: no memory. */
static bool make(struct groupguards *g, struct sized_kernel *made) {
    if (!kernelcopy_begin(&g->copy, g->k, g->k->ninsts + MOST_TEST)) return false;
    kernelcopy_keep_names(&g->copy);
    bool good = put_test(g);
    if (good) {
        kernelcopy_keep_names(&g->copy);
        find_dead(g);
        write(g);
    }
    if (good && !g->copy.failed && kernelcopy_finish(g->copy.out)) {
        sized_kernel_take(made, &g->copy);
        return true;
    }
    good = !isa_kernel_failed(g->copy.out);
    kernelcopy_drop(&g->copy);
    return good;
}

/* ---- the pass ---- */

bool groupguards_make(const struct sized *s, const struct trace_pass *p,
                      struct sized_kernel *made) {
    const struct isa_kernel *k = s->k;
    struct arena_try t;
    if (!s->groups.leave || k->probed || k->ninsts > MOST_KERNEL) return true;
    if (ARENA_FAILS(&t)) return false;
    struct groupguards g = {.k = k,
                            .reads = ARENA_ARRAY(t.arena, uint32_t, k->nregs + 1u),
                            .fates = ARENA_ARRAY(t.arena, uint8_t, k->ninsts + 1u),
                            .dead = ARENA_ARRAY(t.arena, uint8_t, k->ninsts + 1u)};
    loops_find(&g.loops, k, t.arena);
    groupbounds_begin(&g.test, s, &g.loops, &g.copy, t.arena);
    struct shape *shape = shape_new_lockstep(k, s->groups.size);
    bool good = shape;
    if (good) find(&g, shape);
    if (good) find_exits(&g, shape);
    shape_free(shape);
    if (good && !g.lost && g.count + g.nexits && g.count <= MOST_GUARDS) good = make(&g, made);
    if (made->kernel)
        trace_tell(p, &k->insts[g.count ? g.guards[0] : g.exits[0].leaves],
                   "groups whose work-items do not all pass it are run apart");
    arena_free(t.arena);
    return good;
}
