/* Iterations side by side. Where each iteration of a loop goes through loops of its own, which make
 * one value, as where a work-item makes a column of a product of matrices or looks for the nearest
 * of several points, what the inner ones load is often the same for all, and each sum waits for
 * itself alone. So several iterations go through them together; what follows, stores and what is
 * handed on from one iteration to the next, is done by one after the other. Those that are left are
 * another loop's, as it was. */
#include "device/analysis/provenance.h"
#include "device/analysis/shape.h"
#include "device/isa/iteration.h"
#include "device/isa/jam.h"
#include "device/isa/unroll.h"
#include "sized_pass.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_KERNEL = 600, /* instructions, and of the one that is made; */
    MOST_MADE = 1200,
    MOST_LOOP = 200, /* of such a loop, */
    MOST_SHARED = 100,
    MOST_OWN = 60, /* of each iteration */
    MOST_COUNTERS = 24,
    MOST_LOOPS = 4
};

/* A loop of which several iterations are one. */
struct jammed_loop {
    uint32_t begin, end, leaves;
    uint32_t follows; /* from this instruction on one iteration follows the other */
    struct loop_exit exit;
    struct loop_counter counters[MOST_COUNTERS];
    unsigned ncounters;
    uint32_t alone; /* parameters, as bits, that have to be */
    struct jam *jam;
};

struct jammer {
    const struct sized *sized;
    const struct isa_kernel *k;
    struct loops loops;
    struct arena *arena;
    struct shape *shape;
    uint64_t *provenance;
    uint8_t *handed_on; /* registers that an iteration reads of the one before */
    uint8_t *left_out;
    uint8_t *uses; /* of registers by an iteration, as bits: enum iteration_use */
    struct jammed_loop list[MOST_LOOPS];
    unsigned count;
    bool any; /* there are loops */
    struct kernelcopy copy;
};

/* ---- registers ---- */

static const struct loop_counter *counter_of(const struct jammed_loop *l, isa_operand reg) {
    for (unsigned n = 0; n < l->ncounters; n++)
        if (l->counters[n].reg == reg) return &l->counters[n];
    return NULL;
}

static bool find_counters(const struct jammer *x, struct jammed_loop *l) {
    uint32_t loop = loops_at(&x->loops, l->begin);
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        struct loop_counter c;
        if (!loops_step(&x->loops, x->k, n, &c) || c.loop != loop) continue;
        if (loops_varies(&x->loops, c.step, loop)) continue;
        if (l->ncounters == MOST_COUNTERS) return false;
        l->counters[l->ncounters++] = c;
    }
    return true;
}

static bool is_read_outside(const struct jammer *x, const struct jammed_loop *l, isa_operand reg) {
    return isa_reads_between(x->k, reg, 0, l->begin) ||
           isa_reads_between(x->k, reg, l->end + 1, x->k->ninsts);
}

/* What an iteration reads, but counters, before it has written it, or where it may not have; and
 * what is read behind the loop, and not each iteration writes. */
static void find_handed_on(struct jammer *x, const struct jammed_loop *l) {
    const struct isa_kernel *k = x->k;
    iteration_find(k, l->begin, NULL, x->arena, x->uses);
    for (uint32_t r = 0; r < k->nregs; r++) {
        uint8_t use = x->uses[r];
        bool early = use & ITERATION_READS && use & ITERATION_WRITES && !counter_of(l, r);
        bool seldom = use & ITERATION_WRITES && !(use & ITERATION_ALWAYS);
        x->handed_on[r] = early || (seldom && is_read_outside(x, l, r));
    }
}

static bool hands_on(const struct jammer *x, const struct isa_inst *i) {
    const isa_operand *o = isa_dsts(x->k, i);
    for (unsigned n = 0; n < i->ndst + (unsigned)i->nsrc; n++)
        if (isa_is_reg(o[n]) && x->handed_on[o[n]]) return true;
    return false;
}

/* From where on it is one iteration after the other: what is handed on, and stores. False: there is
 * a loop, or something else that is in the way. */
static bool find_follows(const struct jammer *x, struct jammed_loop *l) {
    const struct isa_kernel *k = x->k;
    uint32_t top = l->begin + 1, depth = 0;
    l->follows = 0;
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool moves = i->op == ISA_ld || i->op == ISA_st;
        if (!depth) top = n;
        depth += isa_deeper(i);
        if (n == l->leaves) continue;
        if (!l->follows && (i->op == ISA_st || hands_on(x, i))) {
            l->follows = top;
            n = top - 1;
            depth = 0;
            continue;
        }
        if (!l->follows) continue;
        bool region = flags & ISA_OP_REGION && i->op != ISA_loop && i->op != ISA_block;
        if (moves ? i->flags & ISA_VOLATILE : !(flags & ISA_OP_PURE) && !region) return false;
    }
    return l->follows > l->leaves;
}

/* ---- memory ---- */

/* What is loaded before is not what iterations store that now come later. */
static bool may_come_before(const struct jammer *x, struct jammed_loop *l) {
    const struct isa_kernel *k = x->k;
    bool versions = k->nparams <= PROVENANCE_PARAMS;
    for (uint32_t s = l->follows; s < l->end; s++) {
        const struct isa_inst *st = &k->insts[s];
        if (st->op != ISA_st) continue;
        uint32_t param = versions ? provenance_param(k, x->provenance, st) : 0;
        for (uint32_t n = l->begin + 1; n < l->follows; n++) {
            const struct isa_inst *ld = &k->insts[n];
            bool global = ld->space == ISA_GLOBAL || ld->space == ISA_CONSTANT;
            if (ld->op != ISA_ld ||
                (ld->space != st->space && !(st->space == ISA_GLOBAL && global)))
                continue;
            if (st->space != ISA_GLOBAL || !param || provenance_of(k, x->provenance, ld) & param)
                return false;
            l->alone |= param;
        }
    }
    return true;
}

static bool repeats(const void *context, uint32_t n) {
    (void)context;
    (void)n;
    return true;
}

/* ---- which ---- */

/* The only place where it is left, before it does anything. */
static bool find_exit(struct jammer *x, struct jammed_loop *l) {
    const struct isa_kernel *k = x->k;
    uint32_t n = l->begin + 1;
    while (n < l->end && isa_op_info[k->insts[n].op].flags & ISA_OP_PURE) n++;
    if (k->insts[n].op != ISA_breakif || k->insts[n].imm) return false;
    l->leaves = n;
    isa_operand p = isa_srcs(k, &k->insts[n])[0];
    if (x->loops.reads[p] != 1 || !loops_exit(&x->loops, k, n, &l->exit)) return false;
    for (uint32_t depth = 0; ++n < l->end; depth += isa_deeper(&k->insts[n])) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_ret) return false;
        if (isa_op_info[i->op].flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) return false;
    }
    return l->exit.step <= 1u << 16;
}

/* Does an inner loop load by lanes what is the same for all iterations? */
static bool gains(const struct jammer *x, const struct jammed_loop *l) {
    uint32_t loop = loops_at(&x->loops, l->begin);
    for (uint32_t n = l->begin + 1; n < l->follows; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op == ISA_ld && !l->jam->each[n] && x->loops.loop_of[n] != loop &&
            !shape_is_uniform(x->shape, isa_dsts(x->k, i)[0]))
            return true;
    }
    return false;
}

static bool find(struct jammer *x, uint32_t begin, struct jammed_loop *l) {
    const struct isa_kernel *k = x->k;
    *l = (struct jammed_loop){.begin = begin, .end = k->insts[begin].match};
    if (l->end - begin > MOST_LOOP || !loops_between(k, begin + 1, l->end)) return false;
    if (!find_exit(x, l) || !find_counters(x, l)) return false;
    find_handed_on(x, l);
    if (!find_follows(x, l) || !loops_between(k, begin + 1, l->follows) || !may_come_before(x, l))
        return false;
    struct jam *j = jam_new(k, x->arena, begin + 1, l->follows, JAM_MOST);
    j->left_out = x->left_out;
    x->left_out[l->leaves] = 1;
    if (x->loops.reads[isa_dsts(k, &k->insts[l->exit.compare])[0]] == 1)
        x->left_out[l->exit.compare] = 1;
    for (unsigned n = 0; n < l->ncounters; n++) j->own[l->counters[n].reg] = 1;
    for (uint32_t n = l->follows; n < l->end; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++) {
            isa_operand r = isa_dsts(k, &k->insts[n])[d];
            if (!x->handed_on[r]) j->own[r] = 1;
        }
    l->jam = j;
    if (!jam_find(j, repeats, NULL)) return false;
    jam_fit(j, &x->loops, x->sized->groups.vectors);
    return j->copies > 1 && j->shared <= MOST_SHARED &&
           j->separate + l->end - l->follows <= MOST_OWN && gains(x, l);
}

/* ---- writing ---- */

static isa_operand steps_of(struct kernelcopy *c, const struct loop_counter *of, uint32_t times) {
    enum isa_type type = (enum isa_type)c->k->reg_types[of->reg];
    return kernelcopy_result(c, ISA_mul, type, of->step, kernelcopy_number(c, type, times));
}

/* The last iteration has the registers that it always had, so that they are there afterwards. */
static void put_loop(struct jammer *x, const struct jammed_loop *l) {
    struct kernelcopy *c = &x->copy;
    const isa_operand none = ISA_NO_OPERAND;
    unsigned copies = l->jam->copies;
    isa_operand shared = none, steps[JAM_MOST][MOST_COUNTERS];
    c->at = l->begin;
    if (l->alone)
        shared = kernelcopy_result(c, ISA_not, ISA_PRED, kernelcopy_alone(c, l->alone), none);
    for (unsigned n = 0; n < l->ncounters; n++)
        for (unsigned i = 1; i < copies; i++) steps[i][n] = steps_of(c, &l->counters[n], i);
    jam_name(l->jam, c);
    isa_operand *last = l->jam->names[0];
    l->jam->names[0] = l->jam->names[copies - 1];
    l->jam->names[copies - 1] = last;
    kernelcopy_put(c, l->begin);
    if (shared != none) kernelcopy_put_with(c, l->leaves, &shared);
    unroll_leave(c, &l->exit, l->leaves, copies);
    for (unsigned i = 0; i < copies; i++)
        for (unsigned n = 0; n < l->ncounters; n++) {
            const struct loop_counter *of = &l->counters[n];
            isa_operand to = l->jam->names[i][of->reg];
            if (i)
                kernelcopy_add(c, of->down ? ISA_sub : ISA_add,
                               (enum isa_type)c->k->reg_types[of->reg], to, of->reg, steps[i][n]);
            else
                kernelcopy_move(c, to, of->reg);
        }
    jam_put(l->jam, c);
    for (unsigned i = 0; i < copies; i++) {
        isa_operand *names = c->names;
        c->names = l->jam->names[i];
        for (uint32_t n = l->follows; n < l->end; n++)
            if (!x->left_out[n]) kernelcopy_put(c, n);
        c->names = names;
    }
    kernelcopy_put(c, l->end);
    kernelcopy_put_range(c, l->begin, l->end + 1);
}

/* False: there is no room, or no memory. */
static bool make_kernel(struct jammer *x, const struct trace_pass *p) {
    const struct isa_kernel *k = x->k;
    unsigned next = 0;
    if (!kernelcopy_begin(&x->copy, k, MOST_MADE)) return false;
    kernelcopy_keep_names(&x->copy);
    for (uint32_t n = 0; n < k->ninsts && !x->copy.failed; n++) {
        const struct jammed_loop *l = &x->list[next];
        if (next == x->count || l->begin != n) {
            kernelcopy_put(&x->copy, n);
            continue;
        }
        trace_tell(p, &k->insts[n], "%u iterations side by side: %u of %u instructions are shared",
                   l->jam->copies, l->jam->shared, l->jam->shared + l->jam->separate);
        put_loop(x, l);
        n = l->end;
        next++;
    }
    return !x->copy.failed && kernelcopy_finish(x->copy.out);
}

/* Finds what is known of the kernel. False: no memory. */
static bool look(struct jammer *x) {
    const struct isa_kernel *k = x->k;
    struct arena_try t;
    if (ARENA_FAILS(&t)) {
        x->arena = NULL;
        return false;
    }
    x->arena = t.arena;
    x->any = loops_find(&x->loops, k, t.arena);
    x->handed_on = ARENA_ARRAY(t.arena, uint8_t, k->nregs + 1u);
    x->left_out = ARENA_ARRAY(t.arena, uint8_t, k->ninsts + 1u);
    x->uses = ARENA_ARRAY(t.arena, uint8_t, k->nregs + 1u);
    for (uint32_t n = 0; x->any && n < k->ninsts; n++) {
        struct jammed_loop l;
        if (k->insts[n].op != ISA_loop) continue;
        if (!x->shape) x->shape = shape_new_lockstep(k, x->sized->groups.size);
        if (!x->provenance) x->provenance = provenance_new(k);
        if (!x->shape || !x->provenance) return false;
        if (x->count == MOST_LOOPS || !find(x, n, &l)) continue;
        x->list[x->count++] = l;
        n = l.end;
    }
    return true;
}

bool jammed_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct jammer *x = calloc(1, sizeof *x);
    bool good = x, dealt = s->made[SIZED_DEAL].kernel;
    if (x && !dealt && s->groups.versions && !s->k->probed && s->k->ninsts <= MOST_KERNEL) {
        x->sized = s;
        x->k = s->k;
        good = look(x);
        if (good && x->count) {
            if (make_kernel(x, p))
                sized_kernel_take(made, &x->copy);
            else
                kernelcopy_drop(&x->copy);
        }
        shape_free(x->shape);
        free(x->provenance);
        arena_free(x->arena);
    }
    free(x);
    return good;
}
