/* Addresses that advance evenly. Where a loop steps a counter once in every iteration, a value
 * computed as base + counter * factor need not be computed anew: a register starts with its first
 * value and is stepped beside the counter. Multiplications leave the loop, and most address
 * arithmetic with them. */
#include "device/isa/loops.h"
#include "pass.h"

#include <string.h>

enum { MAX_CHAIN = 24 }; /* operations of an address */

/* value = counter * (scale * factor) + something the loop does not change */
struct affine {
    uint32_t counter; /* index + 1; 0: not of this kind */
    uint32_t loop;
    uint32_t scale;
    isa_operand factor; /* ISA_NO_OPERAND: 1 */
};

struct reduced { /* a value that gets a register of its own */
    uint32_t value, reg, next;
    struct affine form;
};

struct strength {
    struct isa_kernel *k;
    struct arena *arena;
    struct loops l;
    uint32_t nregs; /* before there were registers that are stepped */
    struct loop_counters counters;
    struct affine *forms;  /* of each register */
    uint32_t *made;        /* of each ordered register: instruction + 1 */
    uint32_t *uses, *last; /* of each register: how many, the last instruction that does */
    uint32_t *replaced;    /* of each register: what stands for it, + 1 */
    struct reduced *reduced;
    uint32_t nreduced, *of_loop; /* list by loop, + 1 */
    struct rewrite_code old;
    uint32_t *clone; /* while cloning before one loop: of each register, + 1 */
    uint32_t *cloned, ncloned;
};

/* What an operand is as seen from an instruction: a counter, an affine value, or nothing of the
 * kind. */
static struct affine form_of(const struct strength *s, isa_operand o, uint32_t at) {
    struct affine found = {0};
    if (!isa_is_reg(o)) return found;
    for (uint32_t n = s->counters.of[o]; n; n = s->counters.list[n - 1].next) {
        const struct loop_counter *c = &s->counters.list[n - 1];
        if (at >= c->at || !loops_inside(&s->l, s->l.loop_of[at], c->loop)) continue;
        if (!found.counter || loops_inside(&s->l, c->loop, found.loop))
            found = (struct affine){n, c->loop, 1, ISA_NO_OPERAND};
    }
    return found.counter ? found : s->forms[o];
}

static void derive(struct strength *s, uint32_t at) {
    struct isa_kernel *k = s->k;
    const struct isa_inst *i = &k->insts[at];
    if (i->type != ISA_I32 || i->ndst != 1 || i->nsrc != 2) return;
    isa_operand dst = isa_dsts(k, i)[0];
    const isa_operand *src = isa_srcs(k, i);
    if (!s->l.ordered[dst] || !s->l.loop_of[at]) return;
    struct affine a = form_of(s, src[0], at), b = form_of(s, src[1], at), r = {0};
    uint32_t c;
    if (a.counter && b.counter &&
        a.loop != b.loop) { /* the outer loop's stands still in the inner */
        if (loops_inside(&s->l, a.loop, b.loop))
            b.counter = 0;
        else
            a.counter = 0;
    }
    if (a.counter && b.counter) {
        if (a.counter != b.counter || a.factor != ISA_NO_OPERAND || b.factor != ISA_NO_OPERAND ||
            (i->op != ISA_add && i->op != ISA_sub))
            return;
        r = a;
        r.scale = i->op == ISA_add ? a.scale + b.scale : a.scale - b.scale;
    } else if (a.counter || b.counter) {
        r = a.counter ? a : b;
        isa_operand other = a.counter ? src[1] : src[0];
        if (loops_varies(&s->l, other, r.loop)) return;
        switch (i->op) {
        case ISA_add: break;
        case ISA_sub:
            if (b.counter) r.scale = 0 - r.scale;
            break;
        case ISA_shl:
            if (b.counter || !isa_constant(s->k, other, &c)) return;
            r.scale <<= c & 31;
            break;
        case ISA_mul:
            if (isa_constant(s->k, other, &c))
                r.scale *= c;
            else if (r.factor == ISA_NO_OPERAND)
                r.factor = other;
            else
                return;
            break;
        default: return;
        }
    } else {
        return;
    }
    s->forms[dst] = r;
}

static bool same_kind(const struct strength *s, isa_operand o, const struct affine *f) {
    return isa_is_reg(o) && o < s->nregs && s->made[o] && s->forms[o].counter == f->counter;
}

/* Clocks saved in every iteration when the value is stepped instead: its operation and those only
 * it uses. */
static uint32_t saving(const struct strength *s, uint32_t value, unsigned depth) {
    const struct isa_inst *i = &s->k->insts[s->made[value] - 1];
    uint32_t clocks = isa_op_info[i->op].clocks;
    for (unsigned n = 0; n < i->nsrc && depth; n++) {
        isa_operand o = isa_srcs(s->k, i)[n];
        if (same_kind(s, o, &s->forms[value]) && s->uses[o] == 1) clocks += saving(s, o, depth - 1);
    }
    return clocks;
}

/* Takes the operations of a value's chain from what is left; false: they are more. */
static bool fits(const struct strength *s, isa_operand o, unsigned *left) {
    if (!*left) return false;
    --*left;
    const isa_operand *src = isa_srcs(s->k, &s->k->insts[s->made[o] - 1]);
    for (unsigned n = 0; n < 2; n++)
        if (same_kind(s, src[n], &s->forms[o]) && !fits(s, src[n], left)) return false;
    return true;
}

/* Values that some other operation than those of a chain reads. */
static void choose(struct strength *s, const struct pass *p) {
    struct isa_kernel *k = s->k;
    enum { STEP = 4 }; /* clocks of stepping the register */
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (!(isa_op_info[inst->op].flags & ISA_OP_MEMORY)) continue;
        isa_operand base = isa_srcs(k, inst)[0];
        if (base == ISA_NO_OPERAND || !isa_is_reg(base) || base >= s->nregs || s->replaced[base])
            continue;
        const struct affine *f = &s->forms[base];
        if (!f->counter) continue;
        const struct loop_counter *c = &s->counters.list[f->counter - 1];
        uint32_t step;
        unsigned left = MAX_CHAIN;
        bool stepped = isa_constant(s->k, c->step, &step) || f->factor == ISA_NO_OPERAND;
        if (!stepped || s->last[base] >= c->at || !fits(s, base, &left) ||
            saving(s, base, MAX_CHAIN) <= STEP)
            continue;
        isa_operand reg = isa_reg_new(k, ISA_I32);
        if (reg == ISA_NO_OPERAND) return;
        s->replaced[base] = reg + 1;
        trace_tell(&p->trace, inst, "the address is stepped");
        s->reduced[s->nreduced] = (struct reduced){base, reg, s->of_loop[f->loop], *f};
        s->of_loop[f->loop] = ++s->nreduced;
    }
}

/* ---- rewriting ---- */

/* The value as it is before the loop, computed there. */
static isa_operand before(struct strength *s, isa_operand o, const struct affine *f) {
    if (!same_kind(s, o, f)) return o;
    if (s->clone[o]) return s->clone[o] - 1;
    const struct isa_inst *i = &s->old.insts[s->made[o] - 1];
    const isa_operand *src = s->old.operands + i->operands + i->ndst;
    isa_operand a = before(s, src[0], f), b = before(s, src[1], f);
    isa_operand r = isa_emit1(s->k, (enum isa_op)i->op, i->type, ISA_NONE_T, a, b, ISA_NO_OPERAND);
    s->clone[o] = r + 1;
    s->cloned[s->ncloned++] = o;
    return r;
}

/* What the register advances by in every iteration. */
static isa_operand advance(struct strength *s, const struct affine *f) {
    const struct loop_counter *c = &s->counters.list[f->counter - 1];
    uint32_t step = 1;
    isa_operand by = f->factor;
    if (!isa_constant(s->k, c->step, &step)) by = c->step; /* the factor is 1 then */
    isa_operand scale = isa_const_new(s->k, ISA_I32, step * f->scale);
    if (by == ISA_NO_OPERAND) return scale;
    return isa_emit1(s->k, ISA_mul, ISA_I32, ISA_NONE_T, by, scale, ISA_NO_OPERAND);
}

static void enter_loop(struct strength *s, uint32_t loop, isa_operand *steps) {
    for (uint32_t n = s->of_loop[loop]; n; n = s->reduced[n - 1].next) {
        struct reduced *r = &s->reduced[n - 1];
        isa_operand first = before(s, r->value, &r->form);
        isa_emit(s->k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &r->reg, 1, &first);
        steps[n - 1] = advance(s, &r->form);
    }
    while (s->ncloned) s->clone[s->cloned[--s->ncloned]] = 0;
}

static void rewrite(struct strength *s) {
    struct isa_kernel *k = s->k;
    isa_operand *steps = ARENA_ARRAY(s->arena, isa_operand, s->nreduced);
    uint32_t loop = 0;
    for (uint32_t i = 0; i < s->old.ninsts && !isa_kernel_failed(k); i++) {
        const struct isa_inst *inst = &s->old.insts[i];
        isa_operand *dst = s->old.operands + inst->operands, *src = dst + inst->ndst;
        k->cur_file = inst->file;
        k->cur_line = inst->line;
        if (inst->op == ISA_loop) enter_loop(s, ++loop, steps);
        for (unsigned n = 0; n < inst->nsrc; n++)
            if (isa_is_reg(src[n]) && src[n] < s->nregs && s->replaced[src[n]])
                src[n] = s->replaced[src[n]] - 1;
        rewrite_put(k, inst, dst, src);
        uint32_t in = s->l.loop_of[i];
        if (inst->op != ISA_add || !in) continue;
        for (uint32_t n = s->of_loop[in]; n; n = s->reduced[n - 1].next) {
            const struct reduced *r = &s->reduced[n - 1];
            isa_operand sum[2] = {r->reg, steps[n - 1]};
            if (s->counters.list[r->form.counter - 1].at == i)
                isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, &r->reg, 2, sum);
        }
    }
}

bool pass_strength(const struct pass *p) {
    struct isa_kernel *k = p->k;
    struct arena *arena = p->arena;
    struct strength *s = ARENA_NEW(arena, struct strength);
    uint32_t nregs = k->nregs;
    s->k = k;
    s->arena = arena;
    if (!loops_find(&s->l, k, arena)) return false;
    s->nregs = nregs;
    s->forms = ARENA_ARRAY(arena, struct affine, nregs + 1u);
    s->made = ARENA_ARRAY(arena, uint32_t, nregs + 1u);
    s->uses = ARENA_ARRAY(arena, uint32_t, nregs + 1u);
    s->last = ARENA_ARRAY(arena, uint32_t, nregs + 1u);
    s->replaced = ARENA_ARRAY(arena, uint32_t, nregs + 1u);
    s->clone = ARENA_ARRAY(arena, uint32_t, nregs + 1u);
    s->cloned = ARENA_ARRAY(arena, uint32_t, nregs + 1u);
    s->reduced = ARENA_ARRAY(arena, struct reduced, nregs + 1u);
    s->of_loop = ARENA_ARRAY(arena, uint32_t, s->l.nloops + 1u);
    loops_counters(&s->l, k, arena, &s->counters);
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        for (unsigned n = 0; n < inst->nsrc; n++) {
            isa_operand o = isa_srcs(k, inst)[n];
            if (!isa_is_reg(o)) continue;
            s->uses[o]++;
            s->last[o] = i;
        }
        for (unsigned d = 0; d < inst->ndst; d++) s->made[isa_dsts(k, inst)[d]] = i + 1;
        derive(s, i);
    }
    choose(s, p);
    if (!s->nreduced || isa_kernel_failed(k)) return false;
    s->old = rewrite_take(k, arena);
    rewrite(s);
    return true;
}
