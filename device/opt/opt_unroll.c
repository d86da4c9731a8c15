/* Small loops that step through memory make several iterations in one: the body is there more than
 * once, conditions for leaving it included, and addresses that advance by a constant are
 * displacements, stepped once. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { SMALL = 8, MOST = 16 };         /* instructions of a body that is repeated */
enum { COPIES_SMALL = 4, COPIES = 2 }; /* of it: iterations in one */
enum { MOST_STEP = 4096 };             /* bytes an address advances by */

struct unrolled {
    struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    uint32_t *copies;  /* of each loop; 0: it stays as it is */
    uint32_t *stepped; /* of each register that only addresses are made of: its counter, + 1 */
};

/* The loop's body is short, and nothing but leaving the loop is done in it besides computing and
 * moving data. Returns how many iterations are to be one, or 0. */
static uint32_t copies_of(const struct isa_kernel *k, uint32_t begin) {
    uint32_t n = begin + 1, probes = 0;
    for (; n < k->ninsts && k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_PROBE) {
            probes++;
            continue;
        }
        const uint32_t plain = ISA_OP_PURE | ISA_OP_MEMORY;
        bool leaves = i->op == ISA_breakif && i->imm == 0;
        if (n - begin - probes > MOST || (!leaves && !(flags & plain)) ||
            flags & (ISA_OP_ATOMIC | ISA_OP_MATH))
            return 0;
    }
    return n - begin - 1 - probes <= SMALL ? COPIES_SMALL : COPIES;
}

/* Is the loop one over a run of elements: it stores, and ends a constant from where a counter
 * begins? Engines know better what to do with those (native/opt/dealt.c). */
static bool is_run(const struct isa_kernel *k, uint32_t begin) {
    bool stores = false, run = false;
    for (uint32_t n = begin + 1; n < k->ninsts && k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        stores |= i->op == ISA_st;
        if (i->op < ISA_lt_s || i->op > ISA_le_u) continue;
        isa_operand end = isa_srcs(k, i)[0], counter = isa_srcs(k, i)[1];
        for (uint32_t at = begin; at-- && isa_is_reg(end) && isa_is_reg(counter);) {
            const struct isa_inst *before = &k->insts[at];
            if (!before->ndst || isa_dsts(k, before)[0] != end) continue;
            run |= before->op == ISA_add && isa_srcs(k, before)[0] == counter &&
                   isa_is_const(isa_srcs(k, before)[1]);
            break;
        }
    }
    return stores && run;
}

static int32_t step_of(const struct unrolled *t, const struct loop_counter *c) {
    return isa_is_const(c->step) ? (int32_t)t->k->consts[isa_const_index(c->step)].bits : 0;
}

/* Counters that only memory operations before their step read, as addresses. */
static bool find_stepped(struct unrolled *t, struct arena *arena) {
    const struct isa_kernel *k = t->k;
    uint32_t *start = loops_starts(&t->l, k, arena, &t->counters);
    uint32_t *reads = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    uint32_t *bases = ARENA_ARRAY(arena, uint32_t, t->counters.count + 1u);
    uint32_t *saves = ARENA_ARRAY(arena, uint32_t, t->l.nloops + 1u);
    bool any = false;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const isa_operand *src = isa_srcs(k, &k->insts[i]);
        for (unsigned n = 0; n < k->insts[i].nsrc; n++)
            if (isa_is_reg(src[n])) reads[src[n]]++;
        if (!(isa_op_info[k->insts[i].op].flags & ISA_OP_MEMORY) || !isa_is_reg(src[0])) continue;
        for (uint32_t n = t->counters.of[src[0]]; n; n = t->counters.list[n - 1].next) {
            const struct loop_counter *c = &t->counters.list[n - 1];
            int32_t far = k->insts[i].imm < 0 ? -k->insts[i].imm : k->insts[i].imm;
            bool fits = far < ISA_MAX_DISPLACEMENT - COPIES_SMALL * MOST_STEP;
            bases[n - 1] += fits && t->l.loop_of[i] == c->loop && i < c->at;
        }
    }
    for (uint32_t n = 0; n < t->counters.count; n++) {
        const struct loop_counter *c = &t->counters.list[n];
        int32_t step = step_of(t, c);
        if (!start[n] || !step || step > MOST_STEP || step < -MOST_STEP || !bases[n] ||
            reads[c->reg] != bases[n] + 1 || !t->copies[c->loop])
            continue;
        t->stepped[c->reg] = n + 1;
        saves[c->loop] = t->copies[c->loop];
        any = true;
    }
    t->copies = saves; /* the other loops stay as they are */
    return any;
}

/* The counter of a register that is stepped in this loop, or NULL. */
static const struct loop_counter *counter_in(const struct unrolled *t, isa_operand reg,
                                             uint32_t loop) {
    if (!isa_is_reg(reg) || !t->stepped[reg]) return NULL;
    const struct loop_counter *c = &t->counters.list[t->stepped[reg] - 1];
    return c->loop == loop ? c : NULL;
}

/* Instruction i in iteration n of those that are one. */
static void put(struct unrolled *t, const struct rewrite_code *old, uint32_t i, uint32_t n,
                uint32_t copies) {
    const struct isa_inst *inst = &old->insts[i];
    const isa_operand *dst = old->operands + inst->operands, *src = dst + inst->ndst;
    uint32_t loop = t->l.loop_of[i];
    const struct loop_counter *c = inst->ndst ? counter_in(t, dst[0], loop) : NULL;
    if (c && c->at == i) {
        if (n + 1 < copies) return;
        isa_operand all = isa_const_new(t->k, ISA_I32, (uint32_t)step_of(t, c) * copies);
        rewrite_put(t->k, inst, dst, (isa_operand[]){c->reg, all});
        return;
    }
    struct isa_inst *out = rewrite_put(t->k, inst, dst, src);
    if (!(isa_op_info[inst->op].flags & ISA_OP_MEMORY)) return;
    c = counter_in(t, src[0], loop);
    if (c) out->imm += (int32_t)n * step_of(t, c);
}

void opt_unroll(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct unrolled *t = ARENA_NEW(arena, struct unrolled);
    uint32_t loop = 0;
    t->k = k;
    if (k->ninsts > ISA_MAX_INSTRUCTIONS / COPIES_SMALL || !loops_find(&t->l, k, arena)) return;
    loops_counters(&t->l, k, arena, &t->counters);
    t->copies = ARENA_ARRAY(arena, uint32_t, t->l.nloops + 1u);
    t->stepped = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++)
        if (k->insts[i].op == ISA_loop) t->copies[++loop] = is_run(k, i) ? 0 : copies_of(k, i);
    if (!find_stepped(t, arena)) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t i = 0; i < old.ninsts && !isa_kernel_failed(k); i++) {
        put(t, &old, i, 0, 1);
        uint32_t copies = old.insts[i].op == ISA_loop ? t->copies[t->l.loop_of[i + 1]] : 0;
        if (!copies) continue;
        trace_tell(p, &old.insts[i], "%u iterations in one", copies);
        uint32_t end = i + 1;
        while (old.insts[end].op != ISA_endloop) end++;
        for (uint32_t n = 0; n < copies; n++)
            for (uint32_t in = i + 1; in < end; in++) put(t, &old, in, n, copies);
        i = end - 1;
    }
}
