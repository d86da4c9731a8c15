/* If-conversion of switches: where the lanes of a warp take different cases, all cases are done at
 * once, with no jumps. What they compute is done for each under the mask of its lanes; and
 * as private memory is each lane's own and no lane takes two cases, the first accesses of all cases
 * are one, then the second ones, and so on. */
#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/probes.h"
#include "device/native/value.h"

enum {
    MOST = 16,        /* cases */
    MOST_EFFORT = 80, /* instructions of all of them */
    MOST_NESTING = 4  /* of ifs in a case */
};

/* What the lanes of a case do: instructions [from, to). */
struct switch_case {
    uint32_t from, to;
    LLVMValueRef mask; /* NULL: no lane comes here */
    unsigned depth;    /* of ifs that are open, with the masks before them and their conditions */
    LLVMValueRef before[MOST_NESTING], condition[MOST_NESTING];
};

struct switch_cases {
    isa_operand selector;
    uint32_t begin, end;       /* of the outermost block */
    uint32_t first, last;      /* of the choice: the first instruction, and behind the last */
    uint32_t eq[MOST], ncases; /* its pairs of eq and breakif */
    uint32_t rest;             /* case of lanes that no case takes; n: none */
    uint32_t n;
    struct switch_case cases[MOST];
};

/* ---- which switches ---- */

/* The instruction may be done for lanes that are off, or for none. */
static bool computes(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return probes_is(i) || (flags & ISA_OP_PURE && !(flags & (ISA_OP_MATH | ISA_OP_MEMORY)));
}

static uint32_t past_probes(const struct isa_kernel *k, uint32_t n) {
    while (probes_is(&k->insts[n])) n++;
    return n;
}

/* How long it is, but for probes. */
static uint32_t effort(const struct isa_kernel *k, uint32_t begin) {
    uint32_t count = 0;
    for (uint32_t n = begin; n < k->insts[begin].match; n++) count += !probes_is(&k->insts[n]);
    return count;
}

static uint32_t uses(const struct plan *plan, isa_operand reg, uint32_t from, uint32_t to,
                     bool writes) {
    uint32_t count = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &plan->k->insts[n];
        const isa_operand *o = writes ? isa_dsts(plan->k, i) : isa_srcs(plan->k, i);
        for (unsigned s = 0; s < (writes ? i->ndst : i->nsrc); s++) count += o[s] == reg;
    }
    return count;
}

/* What the case computes for the warp as a whole, even if no lane is here, is seen nowhere else. */
static bool stays_here(const struct plan *plan, const struct switch_case *a) {
    uint32_t depth = 0, all = plan->k->ninsts;
    for (uint32_t n = a->from; n < a->to; n++) {
        const struct isa_inst *i = &plan->k->insts[n];
        depth += i->op == ISA_if;
        depth -= i->op == ISA_endif;
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand reg = isa_dsts(plan->k, i)[d];
            if (plan_kind(plan, reg) == KIND_VARYING) continue;
            if (depth || uses(plan, reg, 0, all, true) != 1) return false;
            if (uses(plan, reg, 0, all, false) != uses(plan, reg, n + 1, a->to, false))
                return false;
        }
    }
    return true;
}

static bool accesses_own(const struct isa_inst *i) {
    return (i->op == ISA_ld || i->op == ISA_st) && i->space == ISA_PRIVATE && i->count == 1;
}

/* The body of a case that lies in `around` blocks: up to a break from all of them, or to the end of
 * the last. */
static bool find_case(const struct plan *plan, struct switch_case *a, uint32_t from,
                      uint32_t around) {
    const struct isa_inst *insts = plan->k->insts;
    uint32_t n = from, depth = 0;
    for (;; n++) {
        const struct isa_inst *i = &insts[n];
        if (i->op == ISA_if && depth < MOST_NESTING)
            depth++;
        else if (i->op == ISA_endif)
            depth--;
        else if (i->op != ISA_else && !computes(i) && (depth || !accesses_own(i)))
            break;
    }
    *a = (struct switch_case){.from = from, .to = n};
    if (depth || !stays_here(plan, a)) return false;
    if (insts[n].op == ISA_break && (uint32_t)insts[n].imm == around - 1)
        n++;
    else if (around > 1)
        return false;
    return insts[n].op == ISA_endblock;
}

/* The pair of instructions at n, and at `exit`, sends lanes to a case: each by a value of its own.
 */
static bool is_case(const struct plan *plan, const struct switch_cases *a, uint32_t n,
                    uint32_t exit) {
    const struct isa_inst *i = &plan->k->insts[n], *to = &plan->k->insts[exit];
    const isa_operand *src = isa_srcs(plan->k, i);
    if (i->op != ISA_eq || to->op != ISA_breakif || !isa_is_reg(src[0]) || !isa_is_const(src[1]))
        return false;
    isa_operand p = isa_dsts(plan->k, i)[0];
    if (isa_srcs(plan->k, to)[0] != p || plan_kind(plan, p) != KIND_VARYING) return false;
    if (uses(plan, p, 0, plan->k->ninsts, true) != 1 ||
        uses(plan, p, 0, plan->k->ninsts, false) != uses(plan, p, n + 1, exit + 1, false))
        return false;
    for (uint32_t c = 0; c < a->ncases; c++) {
        const isa_operand *other = isa_srcs(plan->k, &plan->k->insts[a->eq[c]]);
        uint64_t x = plan->k->consts[isa_const_index(other[1])].bits;
        if (other[0] != src[0] || x == plan->k->consts[isa_const_index(src[1])].bits) return false;
    }
    return true;
}

/* Whether a switch begins at instruction n: blocks in blocks, in the innermost the choice. */
static bool find_switch(const struct plan *plan, uint32_t n, struct switch_cases *a) {
    const struct isa_inst *insts = plan->k->insts;
    uint32_t blocks = 0;
    *a = (struct switch_cases){.begin = n, .end = insts[n].match};
    while (insts[n].op == ISA_block) n++, blocks++;
    if (blocks < 2 || blocks - 1 > MOST) return false;
    a->n = a->rest = blocks - 1;
    a->first = n;
    for (uint32_t eq = past_probes(plan->k, n); a->ncases < MOST; eq = past_probes(plan->k, n)) {
        uint32_t exit = past_probes(plan->k, eq + 1);
        if (!is_case(plan, a, eq, exit)) break;
        if ((uint32_t)insts[exit].imm > a->n) return false;
        a->eq[a->ncases++] = eq;
        n = exit + 1;
    }
    if (a->ncases < 2) return false;
    a->selector = isa_srcs(plan->k, &insts[a->eq[0]])[0];
    a->last = n = past_probes(plan->k, n);
    if (insts[n].op == ISA_break)
        a->rest = (uint32_t)insts[n++].imm;
    else
        a->rest = 0;
    if (a->rest > a->n) return false;
    for (uint32_t k = 0; k < a->n; k++) {
        if (insts[n].op != ISA_endblock || !find_case(plan, &a->cases[k], n + 1, a->n - k))
            return false;
        n = a->cases[k].to;
        if (insts[n].op == ISA_break) n++;
    }
    return n == a->end && plan_kind(plan, a->selector) == KIND_VARYING;
}

static bool mentions(const struct plan *plan, const struct switch_case *a, isa_operand reg) {
    return uses(plan, reg, a->from, a->to, false) || uses(plan, reg, a->from, a->to, true);
}

/* Done at once, no case may write a register for lanes of another that has it too. */
static void mask_shared_writes(struct plan *plan, const struct switch_cases *a) {
    for (uint32_t k = 0; k < a->n; k++)
        for (uint32_t n = a->cases[k].from; n < a->cases[k].to; n++) {
            const struct isa_inst *i = &plan->k->insts[n];
            for (unsigned d = 0; d < i->ndst; d++)
                for (uint32_t o = 0; o < a->n; o++)
                    if (o != k && mentions(plan, &a->cases[o], isa_dsts(plan->k, i)[d]))
                        plan->shape.of->inst_flags[n] |= SHAPE_MASKED;
        }
}

bool switchconv_plan(struct plan *plan) {
    struct switch_cases a;
    plan->switches.of = plan_of_instructions(plan, 1);
    if (!plan->switches.of || plan_off(plan, PLAN_switches)) return plan->switches.of;
    for (uint32_t n = 0; n < plan->k->ninsts; n++) {
        const struct isa_inst *i = &plan->k->insts[n];
        if (i->op != ISA_block || i[1].op != ISA_block) continue;
        bool longer = effort(plan->k, n) > MOST_EFFORT;
        if (longer || !find_switch(plan, n, &a)) {
            plan_tell(plan, PLAN_switches, n, "no: %s",
                      longer ? "it is too long" : "no switch of short cases that lanes differ in");
            continue;
        }
        plan->switches.of[n] = 1;
        plan_tell(plan, PLAN_switches, n, "%u cases", a.ncases);
        mask_shared_writes(plan, &a);
        n = a.end;
    }
    return true;
}

/* ---- all cases at once ---- */

static void at(struct emitter *e, uint32_t n, LLVMValueRef mask, unsigned w) {
    e->i = n;
    e->inst = &e->k->insts[n];
    masks_put(e, mask, e->mask[w]);
}

static LLVMValueRef condition(struct emitter *e, unsigned w) {
    struct warp_value p = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    return value_vector(e, &p);
}

static void send(struct emitter *e, struct switch_cases *a, uint32_t number, LLVMValueRef lanes) {
    if (number == a->n) return;
    LLVMValueRef *mask = &a->cases[number].mask;
    *mask = *mask ? masks_or(e, *mask, lanes) : lanes;
}

/* Comparisons are made for all lanes, probes see those that have not left yet. */
static void choose(struct emitter *e, struct switch_cases *a, LLVMValueRef on, unsigned w) {
    LLVMValueRef rest = on;
    for (uint32_t n = a->first; n < a->last; n++) {
        bool leaves = e->k->insts[n].op == ISA_breakif;
        at(e, n, probes_is(&e->k->insts[n]) ? rest : on, w);
        if (!leaves) emit_instruction(e, w);
        if (!leaves) continue;
        LLVMValueRef lanes = masks_and(e, on, condition(e, w));
        send(e, a, (uint32_t)e->inst->imm, lanes);
        rest = masks_without(e, rest, lanes);
    }
    send(e, a, a->rest, rest);
}

/* Up to the next access of memory, or the end. */
static void advance(struct emitter *e, struct switch_case *a, unsigned w) {
    for (; a->from < a->to && !(isa_op_info[e->k->insts[a->from].op].flags & ISA_OP_MEMORY);
         a->from++) {
        at(e, a->from, a->mask, w);
        unsigned d = a->depth;
        switch (e->inst->op) {
        case ISA_if:
            a->before[d] = a->mask;
            a->condition[d] = condition(e, w);
            a->mask = masks_and(e, a->mask, a->condition[d]);
            a->depth++;
            break;
        case ISA_else: a->mask = masks_without(e, a->before[d - 1], a->condition[d - 1]); break;
        case ISA_endif: a->mask = a->before[--a->depth]; break;
        default: emit_instruction(e, w);
        }
    }
}

/* The next accesses of all cases that are alike: loads first, so that they are more. */
static unsigned next_accesses(struct emitter *e, struct switch_cases *a,
                              struct private_access *parts) {
    const struct isa_inst *like = NULL;
    unsigned n = 0;
    for (int stores = 0; stores < 2 && !n; stores++)
        for (uint32_t k = 0; k < a->n; k++) {
            struct switch_case *one = &a->cases[k];
            const struct isa_inst *i = &e->k->insts[one->from];
            if (!one->mask || one->from == one->to || (i->op == ISA_st) != stores) continue;
            if (like && isa_type_size[i->type] != isa_type_size[like->type]) continue;
            like = i;
            parts[n++] = (struct private_access){.i = one->from++, .mask = one->mask};
        }
    return n;
}

static void convert(struct emitter *e, struct switch_cases *a, unsigned w) {
    struct private_access parts[MOST];
    LLVMValueRef on = emit_mask(e, w);
    choose(e, a, on, w);
    for (unsigned n = 1; n;) {
        for (uint32_t k = 0; k < a->n; k++)
            if (a->cases[k].mask) advance(e, &a->cases[k], w);
        n = next_accesses(e, a, parts);
        if (n) private_combined(e, w, parts, n);
    }
    at(e, a->end, on, w);
}

void switchconv_emit(struct emitter *e) {
    struct switch_cases a;
    unsigned w = e->from;
    struct emitter cases = emit_at(e, e->i), jumps = emit_at(e, e->i);
    find_switch(e->plan, e->i, &a);
    cases.maybe_none = true;
    struct warp_value selector = value_read(e, a.selector, w);
    LLVMValueRef one, same = scattered_same(e, value_vector(e, &selector), w, &one);
    LLVMBasicBlockRef uniform = emit_block(e, "uniform"), divergent = emit_block(e, "divergent"),
                      after = emit_block(e, "");
    LLVMBuildCondBr(e->b, same, uniform, divergent);
    LLVMPositionBuilderAtEnd(e->b, divergent);
    convert(&cases, &a, w);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, uniform);
    jumps.jumps = a.begin + 1;
    emit_range(&jumps, a.begin, a.end + 1);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
    e->i = a.end;
}
