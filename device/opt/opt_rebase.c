/* Addresses that loops step side by side, as those of a loop that was unrolled by hand: where they
 * always lie a constant apart, and only accesses read them, they become one of them and
 * displacements; and so does one that is stepped several times in an iteration, as a pointer that
 * goes on. What lies side by side can be moved as one then, and loops step less. */
#include "device/analysis/linear.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { DEEP = 8, MARGIN = 1 << 16 };

struct rebaser {
    struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    uint32_t *start;        /* of each counter: what starts it, + 1 */
    struct linear_sum *sum; /* of each counter: its start; no terms: it is not looked at */
    uint32_t *on;           /* of each counter: the one that stands for it, + 1 */
    uint32_t *of;           /* of each register: such a counter, + 1 */
    uint8_t *gone;          /* instructions that are left out */
};

/* ---- steps ---- */

/* Steps of a register that its loop writes by adding constants alone, to itself or to a copy of
 * what it was before. */
struct rebase_steps {
    uint32_t loop, count, first, last; /* steps: instructions */
    int32_t sum, far;                  /* of them; what it has grown by, to where it is written */
    isa_operand copied;                /* of a copy: the register, + 1 */
    bool copies, no;
};

/* The constant that an instruction steps its result by; 0: it is no such step. */
static int32_t step_by(const struct isa_kernel *k, const struct rebase_steps *all,
                       const struct isa_inst *i, const isa_operand *dst, const isa_operand *src) {
    uint32_t by;
    if (i->op != ISA_add || i->type != ISA_I32 || !isa_is_reg(src[0]) ||
        !isa_constant(k, src[1], &by) || (dst[0] != src[0] && all[src[0]].copied != dst[0] + 1))
        return 0;
    return (int32_t)by < LINEAR_FAR && (int32_t)by > -LINEAR_FAR ? (int32_t)by : 0;
}

static int32_t steps_at(const struct isa_kernel *k, const struct rebase_steps *all, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    return step_by(k, all, i, isa_dsts(k, i), isa_srcs(k, i));
}

static void note_copy(const struct rebaser *x, struct rebase_steps *all, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    if (i->op != ISA_mov || i->type != ISA_I32 || !x->l.loop_of[n] || x->l.nested[n]) return;
    isa_operand copy = isa_dsts(x->k, i)[0], of = isa_srcs(x->k, i)[0];
    if (!isa_is_reg(of) || !x->l.ordered[copy] || x->l.ordered[of]) return;
    all[copy].copied = of + 1;
    all[copy].loop = x->l.loop_of[n];
    all[of].copies = true;
}

static void note_step(const struct rebaser *x, struct rebase_steps *s, uint32_t n, int32_t by) {
    uint32_t loop = x->l.loop_of[n];
    s->no |= !loop || x->l.nested[n] || (s->count && s->loop != loop);
    s->loop = loop;
    if (!s->count) s->first = n;
    s->last = n;
    s->sum += by;
    s->no |= s->sum >= MARGIN || s->sum <= -MARGIN;
    s->count++;
}

/* Do lanes go on to the next iteration from behind the first step? Or leave the loop from there,
 * with what it goes on from when it is come to again? */
static bool parts(const struct rebaser *x, const struct rebase_steps *s, isa_operand reg) {
    const struct loop *l = &x->l.loops[s->loop];
    bool again = loops_goes_on(&x->l, x->k, s->loop, reg);
    for (uint32_t n = s->first; n < l->end; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op == ISA_continue || (again && isa_op_info[i->op].flags & ISA_OP_JUMP)) return true;
    }
    return false;
}

static bool is_displaced(const struct isa_inst *i) {
    return (i->op == ISA_ld || i->op == ISA_st) && i->imm < ISA_MAX_DISPLACEMENT - 2 * MARGIN &&
           i->imm > 2 * MARGIN - ISA_MAX_DISPLACEMENT;
}

/* Of a register or a copy: those of the register. */
static struct rebase_steps *steps_of(struct rebase_steps *all, isa_operand reg) {
    return all[reg].copied ? &all[all[reg].copied - 1] : &all[reg];
}

/* An instruction reads a register that is stepped: only accesses of the loop, copies and steps do,
 * where it can be rewritten. */
static void note_read(const struct rebaser *x, struct rebase_steps *all, uint32_t n, unsigned o) {
    const struct isa_inst *i = &x->k->insts[n];
    isa_operand reg = isa_srcs(x->k, i)[o];
    struct rebase_steps *s = steps_of(all, reg);
    bool copies = i->op == ISA_mov && all[isa_dsts(x->k, i)[0]].copied == reg + 1;
    bool knows = steps_at(x->k, all, n) || copies || (!o && is_displaced(i));
    s->no |= !knows || s->loop != x->l.loop_of[n] || (all[reg].copied && all[reg].loop != s->loop);
}

/* Does the loop load from anywhere, too? */
static bool gathers(const struct rebaser *x, struct rebase_steps *all, uint32_t loop) {
    for (uint32_t n = x->l.loops[loop].begin; n < x->l.loops[loop].end; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        isa_operand at = i->op == ISA_ld ? isa_srcs(x->k, i)[0] : ISA_NO_OPERAND;
        if (loops_varies(&x->l, at, loop) && !steps_of(all, at)->count) return true;
    }
    return false;
}

/* Registers that are stepped several times in an iteration, or by way of copies, and that accesses
 * of the loop alone read. NULL: there are none. */
static struct rebase_steps *find_steps(const struct rebaser *x, struct arena *arena) {
    const struct isa_kernel *k = x->k;
    struct rebase_steps *all = ARENA_ARRAY(arena, struct rebase_steps, k->nregs + 1u);
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) note_copy(x, all, n);
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (steps_at(k, all, n))
            note_step(x, &all[isa_dsts(k, &k->insts[n])[0]], n, steps_at(k, all, n));
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned d = 0; d < i->ndst && !steps_at(k, all, n); d++) { /* where it starts */
            struct rebase_steps *s = &all[isa_dsts(k, i)[d]];
            s->no |= !s->copied && loops_inside(&x->l, x->l.loop_of[n], s->loop);
        }
        for (unsigned o = 0; o < i->nsrc; o++)
            if (isa_is_reg(isa_srcs(k, i)[o])) note_read(x, all, n, o);
    }
    for (uint32_t r = 0; r < k->nregs; r++) {
        struct rebase_steps *s = &all[r];
        s->no |= s->copied || s->count + s->copies < 2 || !s->count;
        s->no = s->no || parts(x, s, r) ||
                (s->count < 2 && gathers(x, all, s->loop)); /* no rows of several iterations */
        any |= !s->no;
    }
    return any ? all : NULL;
}

/* The steps of a loop, before its end. */
static void put_steps(struct rebaser *x, const struct rewrite_code *old,
                      const struct rebase_steps *all, uint32_t loop, const struct trace_pass *p) {
    for (uint32_t r = 0; r < old->nregs; r++) {
        const struct rebase_steps *s = &all[r];
        if (s->no || s->loop != loop) continue;
        isa_operand src[] = {r, isa_const_new(x->k, ISA_I32, (uint32_t)s->far)};
        trace_tell(p, &old->insts[s->last], "what goes on between accesses is stepped once");
        rewrite_put(x->k, &old->insts[s->last], &r, src);
    }
}

/* Takes one step in the place of several, and the register for its copies. false: there are none.
 */
static bool merge_steps(struct rebaser *x, struct arena *arena, const struct trace_pass *p) {
    struct rebase_steps *all = find_steps(x, arena);
    if (!all) return false;
    struct rewrite_code old = rewrite_take(x->k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(x->k); n++) {
        const struct isa_inst *i = &old.insts[n];
        isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        isa_operand reg = i->nsrc && isa_is_reg(src[0]) ? src[0] : ISA_NO_OPERAND;
        struct rebase_steps *s = reg != ISA_NO_OPERAND ? steps_of(all, reg) : NULL;
        int32_t by = i->ndst && i->nsrc > 1 ? step_by(x->k, all, i, dst, src) : 0;
        if (i->op == ISA_endloop) put_steps(x, &old, all, x->l.loop_of[n], p);
        if (!s || s->no) {
            rewrite_put(x->k, i, dst, src);
        } else if (by) {
            s->far = all[reg].far + by;
        } else if (i->op == ISA_mov) {
            all[dst[0]].far = all[reg].far;
        } else {
            src[0] = (isa_operand)(s - all);
            rewrite_put(x->k, i, dst, src)->imm += all[reg].far;
        }
    }
    return true;
}

/* ---- what they start from ---- */

/* How far one still goes back. */
struct rebase_walk {
    const struct rebaser *x;
    unsigned left;
};

/* Adds an operand by times. */
static bool add_operand(void *context, struct linear_sum *s, isa_operand o, uint32_t by) {
    const struct rebase_walk *walk = context;
    const struct rebaser *x = walk->x;
    uint32_t c;
    if (isa_constant(x->k, o, &c)) {
        s->plus += c * by;
        return true;
    }
    if (!isa_is_reg(o) || !x->l.ordered[o]) return false;
    struct linear_sum before = *s;
    struct rebase_walk back = {x, walk->left - 1};
    const struct isa_inst *i = &x->k->insts[loops_writer(&x->l, o, 0)];
    if (walk->left && linear_add_result(s, x->k, i, by, add_operand, &back)) return true;
    *s = before;
    return linear_add(s, o, 0, by);
}

/* What starts counter n; no terms: that is no sum. */
static void find_sum(struct rebaser *x, uint32_t n) {
    struct rebase_walk walk = {x, DEEP};
    const struct isa_inst *i = &x->k->insts[x->start[n] - 1];
    if (!linear_add_result(&x->sum[n], x->k, i, 1, add_operand, &walk)) x->sum[n].terms = 0;
}

/* ---- which ---- */

/* Counters that are addresses and start as a sum. */
static bool find_addresses(struct rebaser *x, struct arena *arena) {
    uint8_t *address = loops_addresses(&x->l, x->k, arena, &x->counters, MARGIN);
    uint32_t found = 0, step;
    for (uint32_t n = 0; n < x->counters.count; n++) {
        const struct loop_counter *c = &x->counters.list[n];
        if (!x->start[n] || !address[n] || x->l.defs[c->reg] != 2 ||
            !isa_constant(x->k, c->step, &step))
            continue;
        find_sum(x, n);
        found += x->sum[n].terms != 0;
    }
    return found > 1;
}

/* Are all accesses by counter b before counter a is stepped, too? */
static bool is_read_before(const struct rebaser *x, const struct loop_counter *b,
                           const struct loop_counter *a) {
    return !isa_reads_between(x->k, b->reg, a->at, b->at);
}

static bool stands_for(const struct rebaser *x, uint32_t a, uint32_t b) {
    const struct loop_counter *of = x->counters.list;
    uint32_t one, other;
    int32_t far;
    return x->sum[a].terms && !x->on[a] && of[a].loop == of[b].loop &&
           isa_constant(x->k, of[a].step, &one) && isa_constant(x->k, of[b].step, &other) &&
           one == other && linear_apart(&x->sum[b], &x->sum[a], &far) && far >= 0 &&
           (far || a < b) && is_read_before(x, &of[b], &of[a]);
}

/* The lowest of those that lie a constant apart stands for the others. */
static bool choose(struct rebaser *x, const struct trace_pass *p) {
    bool any = false;
    for (uint32_t b = 0; b < x->counters.count; b++) {
        uint32_t lowest = 0;
        for (uint32_t a = 0; a < x->counters.count && x->sum[b].terms; a++)
            if (a != b && stands_for(x, a, b) && (!lowest || stands_for(x, a, lowest - 1)))
                lowest = a + 1;
        if (!lowest) continue;
        const struct loop_counter *c = &x->counters.list[b];
        bool used = false; /* it stands for others itself */
        for (uint32_t n = 0; n < b; n++) used |= x->on[n] == b + 1;
        if (used) continue;
        x->on[b] = lowest;
        x->of[c->reg] = b + 1;
        x->gone[c->at] = x->gone[x->start[b] - 1] = 1;
        trace_tell(p, &x->k->insts[c->at], "the address is another one and a displacement");
        any = true;
    }
    return any;
}

/* ---- writing ---- */

static void rewrite(struct rebaser *x, struct arena *arena) {
    struct rewrite_code old = rewrite_take(x->k, arena);
    for (uint32_t i = 0; i < old.ninsts && !isa_kernel_failed(x->k); i++) {
        const struct isa_inst *inst = &old.insts[i];
        isa_operand *dst = old.operands + inst->operands, *src = dst + inst->ndst;
        int32_t far = 0;
        if (x->gone[i]) continue;
        bool moves = inst->op == ISA_ld || inst->op == ISA_st;
        uint32_t b = moves && isa_is_reg(src[0]) ? x->of[src[0]] : 0;
        if (b) {
            uint32_t a = x->on[b - 1] - 1;
            far = (int32_t)(x->sum[b - 1].plus - x->sum[a].plus);
            src[0] = x->counters.list[a].reg;
        }
        rewrite_put(x->k, inst, dst, src)->imm += far;
    }
}

void opt_rebase(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct rebaser *x = ARENA_NEW(arena, struct rebaser);
    x->k = k;
    if (!loops_find(&x->l, k, arena)) return;
    if (merge_steps(x, arena, p) && (isa_kernel_failed(k) || !loops_find(&x->l, k, arena))) return;
    loops_counters(&x->l, k, arena, &x->counters);
    x->start = loops_starts(&x->l, k, arena, &x->counters);
    x->sum = ARENA_ARRAY(arena, struct linear_sum, x->counters.count + 1u);
    x->on = ARENA_ARRAY(arena, uint32_t, x->counters.count + 1u);
    x->of = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->gone = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    if (find_addresses(x, arena) && choose(x, p)) rewrite(x, arena);
}
