/* Shape analysis: the optimistic solution of what shape.h promises.
 *
 * All registers start as unknown and all branches as uniform. Writes lower what is known of
 * registers, until nothing changes; then branches are looked at again, and a write that lanes kept
 * waiting by a divergent branch must not see lowers its register to what that branch leaves. Round
 * follows round until both agree.
 */
#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/compare.h"
#include "numbers.h"
#include "shape_flow.h"
#include "shape_value.h"

enum {
    ROUNDS = 40,           /* then all branches count as divergent */
    MOST_STRIDE = 1 << 16, /* from lane to lane, of what is compared as evenly spaced: in a warp; */
    MOST_IN_GROUP = 64     /* in a group, which may have so many times more lanes */
};

struct solver {
    const struct isa_kernel *k;
    struct shape *s;
    struct flow flow;
    uint32_t size[3];      /* of a work-group, zeros: not known */
    enum shape_span reads; /* whose lanes read memory at one time */
    uint32_t *queue; /* registers whose readers are to be looked at: a stack, each at most once */
    uint32_t nqueue;
    uint8_t *queued;
    uint8_t *cap;          /* the span that waiting lanes leave to a register */
    struct numbers values; /* where they have been asked for, */
    struct arena *arena;   /* and not NULL */
    bool asked;
};

static struct shape_value source(const struct shape *s, const struct isa_kernel *k, isa_operand o) {
    if (isa_is_reg(o)) return s->regs[o];
    if (isa_is_const(o)) return shape_value_of_const(&k->consts[isa_const_index(o)]);
    return (struct shape_value){.span = SHAPE_GROUP, .align = SHAPE_ZERO_ALIGN};
}

struct shape_value shape_operand(const struct shape *s, const struct isa_kernel *k, isa_operand o) {
    return source(s, k, o);
}

/* ---- registers ---- */

static void lower(struct solver *v, uint32_t reg, struct shape_value to) {
    struct shape_value *have = &v->s->regs[reg];
    struct shape_value now = shape_value_narrow(shape_value_meet(*have, to), v->cap[reg]);
    if (now.span == have->span && now.stride == have->stride && now.align == have->align &&
        now.rising == have->rising)
        return;
    *have = now;
    if (v->queued[reg]) return;
    v->queued[reg] = 1;
    v->queue[v->nqueue++] = reg;
}

/* ---- comparisons of what is evenly spaced alike ---- */

/* Neither the values that lanes have nor those that other lanes of a warp would have wrap around.
 */
static bool stays(const struct solver *v, isa_operand o) {
    const int64_t most = MOST_STRIDE * (ISA_WARP - 1);
    bool wide = isa_operand_type(v->k, o) == ISA_I64;
    return interval_within(numbers_signed(&v->values, v->k, o),
                           (wide ? INT64_MIN : INT32_MIN) + most,
                           (wide ? INT64_MAX : INT32_MAX) - most);
}

/* The pieces of which all lanes' values compare alike, as those of a counter that begins at an id
 * with a limit that is as far from it for each lane. */
static struct shape_value compared(struct solver *v, const struct isa_inst *i,
                                   const struct shape_value src[2]) {
    const struct shape_value varying = {.span = SHAPE_VARYING};
    int32_t stride = src[0].stride;
    if (!compare_is_signed(i->op) || !stride || stride != src[1].stride || stride > MOST_STRIDE ||
        stride < -MOST_STRIDE)
        return varying;
    if (!v->asked) v->arena = numbers_new(&v->values, v->k, v->size);
    v->asked = true;
    if (!v->arena || !stays(v, isa_srcs(v->k, i)[0]) || !stays(v, isa_srcs(v->k, i)[1]))
        return varying;
    unsigned span = src[0].span < src[1].span ? src[0].span : src[1].span;
    bool near = stride <= MOST_IN_GROUP && stride >= -MOST_IN_GROUP;
    return shape_value_uniform((enum shape_span)(near || span < SHAPE_WARP ? span : SHAPE_WARP));
}

static void evaluate(struct solver *v, const struct isa_inst *i) {
    struct shape_value src[UINT8_MAX];
    const isa_operand *operands = isa_srcs(v->k, i), *dst = isa_dsts(v->k, i);
    if (!i->ndst) return;
    for (unsigned n = 0; n < i->nsrc; n++) {
        src[n] = source(v->s, v->k, operands[n]);
        if (src[n].span == SHAPE_UNKNOWN) return;
    }
    struct shape_value even = compared(v, i, src);
    for (unsigned n = 0; n < i->ndst; n++)
        lower(v, dst[n],
              even.span ? even
                        : shape_value_of_inst(v->k, i, (enum isa_type)v->k->reg_types[dst[n]], src,
                                              v->size, v->reads));
}

static void drain(struct solver *v) {
    const struct flow *f = &v->flow;
    while (v->nqueue) {
        uint32_t reg = v->queue[--v->nqueue];
        v->queued[reg] = 0;
        for (uint32_t a = f->first_access[reg]; a < f->first_access[reg + 1]; a++)
            if (!(f->accesses[a] & 1)) evaluate(v, &v->k->insts[f->accesses[a] / 2]);
    }
}

/* ---- branches ---- */

/* The pieces whose active lanes agree on the predicate; not known yet counts as agreement. */
static uint8_t agreement(const struct solver *v, const struct isa_inst *i) {
    if (!i->nsrc) return SHAPE_GROUP;
    struct shape_value p = source(v->s, v->k, isa_srcs(v->k, i)[0]);
    return p.span == SHAPE_UNKNOWN ? SHAPE_GROUP : p.span;
}

/* The pieces of which, when this jump is taken, all lanes of the region go: all that are in it must
 * be here. Those that left it before are gone; those that wait for its next iteration are not. */
static uint8_t departure(const struct solver *v, const struct flow_stack *s, uint32_t op) {
    const struct flow_op *o = &v->flow.ops[op];
    const struct isa_inst *i = flow_inst(&v->flow, op);
    const struct flow_open *target = &s->open[o->target_depth];
    uint8_t span = agreement(v, i), waiting = flow_waiting(&v->flow, s, o->target_depth + 1);
    if (waiting < span) span = waiting;
    bool stays = i->op == ISA_continue || target->next == FLOW_NONE;
    uint8_t iteration = stays ? (uint8_t)SHAPE_GROUP : v->flow.ops[target->next].chained;
    return iteration < span ? iteration : span;
}

static bool look_at_branches(struct solver *v, bool give_up) {
    struct flow *f = &v->flow;
    struct flow_stack s;
    bool changed = false;
    flow_start(&s);
    for (uint32_t n = 0; n < f->nops; n++) {
        struct flow_op *o = &f->ops[n];
        const struct isa_inst *i = flow_inst(f, n);
        bool jump = isa_op_info[i->op].flags & ISA_OP_JUMP;
        uint8_t span = SHAPE_GROUP;
        if (jump)
            span = departure(v, &s, n);
        else if (i->op == ISA_if)
            span = agreement(v, i);
        if (give_up && (jump || i->op == ISA_if)) span = SHAPE_VARYING;
        flow_step(f, &s, n);
        uint8_t before = o->chain == FLOW_NONE ? (uint8_t)SHAPE_GROUP : f->ops[o->chain].chained;
        uint8_t chained = before < span ? before : span;
        changed |= span < o->span || chained < o->chained;
        if (span < o->span) o->span = span;
        if (chained < o->chained) o->chained = chained;
    }
    return changed;
}

static void apply_harms(struct solver *v) {
    for (uint32_t n = 0; n < v->flow.nharms; n++) {
        const struct flow_harm *h = &v->flow.harms[n];
        uint8_t span = v->flow.ops[h->op].chained;
        if (span >= v->cap[h->reg]) continue;
        v->cap[h->reg] = span;
        if (v->s->regs[h->reg].span != SHAPE_UNKNOWN) lower(v, h->reg, v->s->regs[h->reg]);
    }
}

static void solve(struct solver *v) {
    const struct isa_kernel *k = v->k;
    for (uint32_t n = 0; n < k->ninsts; n++) evaluate(v, &k->insts[n]);
    for (unsigned round = 0;; round++) {
        drain(v);
        bool changed = look_at_branches(v, round >= ROUNDS);
        apply_harms(v);
        if (!changed && !v->nqueue) break;
    }
    /* What is unknown still is never executed; no promise is made about it. */
    for (uint32_t r = 0; r < k->nregs; r++)
        if (v->s->regs[r].span == SHAPE_UNKNOWN) lower(v, r, shape_value_uniform(SHAPE_VARYING));
    drain(v);
}

/* ---- results ---- */

/* How each open region's lanes may leave it, other than all together. */
struct leaving {
    uint8_t exit;   /* by jumps to its own end */
    uint8_t escape; /* by jumps further out */
};

static void note_jump(struct leaving *open, uint32_t depth, const struct flow_op *o) {
    for (uint32_t d = o->target_depth; d <= depth; d++) {
        uint8_t *least = d == o->target_depth ? &open[d].exit : &open[d].escape;
        if (o->span < *least) *least = o->span;
    }
}

static uint8_t branch_flags(const struct flow *f, const struct flow_stack *s, uint32_t op,
                            struct leaving *open) {
    const struct flow_op *o = &f->ops[op];
    const struct isa_inst *i = flow_inst(f, op);
    struct leaving *here = &open[s->depth];
    uint8_t flags = o->span;
    bool empty = false;
    switch (i->op) {
    case ISA_if:
    case ISA_loop:
    case ISA_block:
        here[1] = (struct leaving){.exit = SHAPE_GROUP, .escape = SHAPE_GROUP};
        empty = o->span < SHAPE_WARP;
        break;
    case ISA_else: empty = f->ops[s->open[s->depth].op].span < SHAPE_WARP; break;
    case ISA_endloop:
        flags = here->exit < here->escape ? here->exit : here->escape; /* fall through */
    case ISA_endif:
    case ISA_endblock: empty = here->escape < SHAPE_WARP; break;
    case ISA_breakif: empty = o->span < SHAPE_WARP; /* fall through */
    case ISA_break:
    case ISA_ret: note_jump(open, s->depth, o); break;
    case ISA_continue: /* those lanes stay in the loop: only the regions within are left */
        for (uint32_t d = o->target_depth + 1; d <= s->depth; d++)
            if (o->span < open[d].escape) open[d].escape = o->span;
    }
    return empty ? flags | SHAPE_MAY_EMPTY : flags;
}

static void set_flags(struct solver *v) {
    struct flow *f = &v->flow;
    uint8_t *flags = v->s->inst_flags, full = SHAPE_GROUP;
    struct leaving open[ISA_MAX_NESTING + 1] = {{SHAPE_GROUP, SHAPE_GROUP}};
    struct flow_stack s;
    flow_start(&s);
    for (uint32_t n = 0, op = 0; n < v->k->ninsts; n++) {
        bool control = op < f->nops && f->ops[op].inst == n;
        flags[n] = (uint8_t)(full << SHAPE_FULL_SHIFT);
        if (!control) continue;
        flags[n] |= branch_flags(f, &s, op, open);
        flow_step(f, &s, op++);
        full = flow_waiting(f, &s, 0);
    }
    for (uint32_t n = 0; n < f->nharms; n++)
        if (f->ops[f->harms[n].op].chained < SHAPE_WARP) flags[f->harms[n].inst] |= SHAPE_MASKED;
    for (uint32_t r = 0; r < v->k->nregs; r++) {
        if (!(f->reg_flags[r] & FLOW_GIVEN_UP)) continue;
        for (uint32_t a = f->first_access[r]; a < f->first_access[r + 1]; a++)
            if (f->accesses[a] & 1) flags[f->accesses[a] / 2] |= SHAPE_MASKED;
    }
}

/* ---- outside ---- */

static void set_size(struct solver *v, const uint32_t local_size[3]) {
    const uint32_t *required = v->k->required_size;
    bool given = local_size && local_size[0] && local_size[1] && local_size[2];
    memcpy(v->size, given ? local_size : required, sizeof v->size);
}

static bool start(struct solver *v) {
    const struct isa_kernel *k = v->k;
    v->queue = malloc((k->nregs + 1ull) * sizeof *v->queue);
    v->queued = calloc(k->nregs + 1ull, 1);
    v->cap = malloc(k->nregs + 1ull);
    v->s->regs = malloc((k->nregs + 1ull) * sizeof *v->s->regs);
    v->s->inst_flags = malloc(k->ninsts + 1ull);
    if (!flow_init(&v->flow, k) || !v->queue || !v->queued || !v->cap || !v->s->regs ||
        !v->s->inst_flags)
        return false;
    for (uint32_t r = 0; r < k->nregs; r++) {
        uint32_t flags = v->flow.reg_flags[r];
        bool read_first = flags & FLOW_FROM_ENTRY;
        bool idle = v->flow.first_access[r] == v->flow.first_access[r + 1];
        v->cap[r] = flags & FLOW_GIVEN_UP ? SHAPE_VARYING : SHAPE_GROUP;
        v->s->regs[r] = (struct shape_value){.span = SHAPE_UNKNOWN};
        if (flags & FLOW_GIVEN_UP) v->s->regs[r].span = SHAPE_VARYING;
        if (idle || (read_first && !(flags & FLOW_GIVEN_UP)))
            v->s->regs[r] = source(v->s, k, ISA_NO_OPERAND);
    }
    return true;
}

static struct shape *find(const struct isa_kernel *k, const uint32_t local_size[3],
                          enum shape_span reads) {
    struct solver v = {.k = k, .s = calloc(1, sizeof *v.s), .reads = reads};
    if (!v.s) return NULL;
    set_size(&v, local_size);
    bool good = start(&v);
    if (good) {
        solve(&v);
        set_flags(&v);
    }
    flow_free(&v.flow);
    arena_free(v.arena);
    free(v.queue);
    free(v.queued);
    free(v.cap);
    if (good) return v.s;
    shape_free(v.s);
    return NULL;
}

struct shape *shape_new(const struct isa_kernel *k, const uint32_t local_size[3]) {
    return find(k, local_size, SHAPE_WARP);
}

struct shape *shape_new_lockstep(const struct isa_kernel *k, const uint32_t local_size[3]) {
    bool barriers = isa_waits_between(k, 0, k->ninsts);
    return find(k, local_size, barriers && !k->probed ? SHAPE_GROUP : SHAPE_WARP);
}

void shape_free(struct shape *s) {
    if (!s) return;
    free(s->regs);
    free(s->inst_flags);
    free(s);
}
