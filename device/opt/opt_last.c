/* Counters that a loop compares and steps before it does anything, as `while (n--)` and
 * `for (k = n; k-- > 0;)` do, are stepped at the end of each iteration, as other loops' counters
 * are: what is done with them meanwhile is done with a sum. */
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "opt_pass.h"

struct last_step {
    uint32_t at; /* the instruction that steps; 0: the loop stays */
    isa_operand reg, step;
    enum isa_type type;
    bool wanted; /* the counter is read behind the loop, too */
};

struct last_steps {
    const struct isa_kernel *k;
    struct loops l;
    struct last_step *of; /* each loop */
};

/* By what an instruction, which is there once for each iteration, moves a counter that only it
 * writes. */
static bool steps(const struct last_steps *s, uint32_t n, uint32_t loop, struct last_step *is) {
    struct loop_counter c;
    if (!loops_step(&s->l, s->k, n, &c) || c.loop != loop || c.down || isa_is_reg(c.step))
        return false;
    *is = (struct last_step){
        .at = n, .reg = c.reg, .step = c.step, .type = (enum isa_type)s->k->reg_types[c.reg]};
    return c.sum == n && (is->type == ISA_I32 || is->type == ISA_I64);
}

/* Is the register read outside of the loop after it, or by the loop when it is come to again? */
static bool is_wanted(const struct last_steps *s, isa_operand reg, uint32_t loop) {
    const struct loop *l = &s->l.loops[loop];
    return (l->parent && isa_reads_between(s->k, reg, 0, l->begin)) ||
           loops_goes_on(&s->l, s->k, loop, reg) ||
           isa_reads_between(s->k, reg, l->end, s->k->ninsts);
}

/* Do lanes come to the end of an iteration, or leave the loop for what stands behind it, or, where
 * nobody reads the counter there, for elsewhere? */
static bool stays(const struct last_steps *s, uint32_t loop, bool wanted) {
    uint32_t depth = 0;
    for (uint32_t n = s->l.loops[loop].begin + 1; n < s->l.loops[loop].end; n++) {
        const struct isa_inst *i = &s->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        bool leaves = flags & ISA_OP_JUMP && i->op != ISA_ret && (uint32_t)i->imm > depth;
        if (i->op == ISA_continue || (leaves && wanted)) return false;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
    return true;
}

/* Does it more than compute what lanes leave the loop by? */
static bool works(const struct last_steps *s, uint32_t n, uint32_t loop) {
    const struct isa_inst *i = &s->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    return flags & (ISA_OP_CONTROL | ISA_OP_PROBE) ||
           (flags & ISA_OP_MEMORY &&
            (i->op != ISA_ld || loops_varies(&s->l, isa_srcs(s->k, i)[0], loop)));
}

/* The counter that is read before it is stepped in what an iteration begins with, up to where lanes
 * leave the loop. */
static struct last_step find(const struct last_steps *s, uint32_t loop) {
    struct last_step is = {0}, one, none = {0};
    const struct isa_kernel *k = s->k;
    uint32_t begin = s->l.loops[loop].begin, n = begin + 1;
    for (; k->insts[n].op != ISA_breakif; n++) {
        if (works(s, n, loop)) return none;
        if (steps(s, n, loop, &one) && isa_reads_between(k, one.reg, begin + 1, n)) {
            if (is.at) return none;
            is = one;
        }
    }
    if (!is.at || k->insts[n].imm || k->insts[n + 1].op == ISA_endloop) return none;
    is.wanted = is_wanted(s, is.reg, loop);
    return stays(s, loop, is.wanted) ? is : none;
}

/* Writes the instruction, and what moves its loop's counter. However the loop is left, that comes
 * before the end of an iteration. */
static void put(const struct last_steps *s, struct kernelcopy *c, uint32_t n) {
    const struct isa_inst *i = &c->k->insts[n];
    const struct last_step *l = &s->of[i->op == ISA_loop ? loops_at(&s->l, n) : s->l.loop_of[n]];
    if (!l->at) {
        kernelcopy_put(c, n);
        return;
    }
    c->at = l->at;
    if (n == l->at)
        c->names[l->reg] = kernelcopy_result(c, ISA_add, l->type, l->reg, l->step);
    else if (i->op == ISA_endloop)
        kernelcopy_add(c, ISA_add, l->type, l->reg, l->reg, l->step);
    if (n != l->at) kernelcopy_put(c, n);
    if (i->op != ISA_endloop) return;
    c->names[l->reg] = l->reg;
    c->at = l->at;
    if (l->wanted) kernelcopy_add(c, ISA_add, l->type, l->reg, l->reg, l->step);
}

void opt_last(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct last_steps *s = ARENA_NEW(arena, struct last_steps);
    struct kernelcopy c;
    bool any = false;
    s->k = k;
    if (!loops_find(&s->l, k, arena)) return;
    s->of = ARENA_ARRAY(arena, struct last_step, s->l.nloops + 1u);
    for (uint32_t n = 1; n <= s->l.nloops; n++) {
        struct last_step *l = &s->of[n];
        *l = find(s, n);
        if (!l->at) continue;
        trace_tell(p, &k->insts[l->at], "the counter is stepped at the end of the iteration");
        any = true;
    }
    if (!any) return;
    kernelcopy_take(&c, k, arena);
    kernelcopy_keep_names(&c);
    for (uint32_t n = 0; n < c.k->ninsts && !c.failed; n++) put(s, &c, n);
}
