/* What passes over loops want to know of a kernel: which loop an instruction is in, which registers
 * a loop assigns, which registers are assigned once, before every use. */
#include "loops.h"

#include <string.h>

static struct loop_mark *slot(struct loop_mark *table, uint32_t cap, uint32_t reg, uint32_t loop) {
    uint64_t h = ((uint64_t)reg << 32 | loop) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(h >> 36) & (cap - 1);
    while (table[at].loop && (table[at].reg != reg || table[at].loop != loop))
        at = (at + 1) & (cap - 1);
    return &table[at];
}

/* Notes that `loop` and those around it assign `reg`. */
static void assign(struct loops *x, struct arena *arena, uint32_t reg, uint32_t loop) {
    for (; loop; loop = x->loops[loop].parent) {
        if (x->nmarks * 2 >= x->cap_marks) {
            uint32_t cap = x->cap_marks ? x->cap_marks * 2 : 256;
            struct loop_mark *table = ARENA_ARRAY(arena, struct loop_mark, cap);
            for (uint32_t i = 0; i < x->cap_marks; i++)
                if (x->marks[i].loop)
                    *slot(table, cap, x->marks[i].reg, x->marks[i].loop) = x->marks[i];
            x->marks = table;
            x->cap_marks = cap;
        }
        struct loop_mark *m = slot(x->marks, x->cap_marks, reg, loop);
        if (m->loop) return;
        *m = (struct loop_mark){reg, loop};
        x->nmarks++;
    }
}

bool loops_assign(const struct loops *x, uint32_t reg, uint32_t loop) {
    return x->cap_marks && slot(x->marks, x->cap_marks, reg, loop)->loop;
}

bool loops_varies(const struct loops *x, isa_operand o, uint32_t loop) {
    return isa_is_reg(o) && loops_assign(x, o, loop);
}

bool loops_inside(const struct loops *x, uint32_t loop, uint32_t outer) {
    while (loop && loop != outer) loop = x->loops[loop].parent;
    return loop == outer;
}

static void structure(struct loops *x, const struct isa_kernel *k, struct arena *arena) {
    uint32_t loops[ISA_MAX_NESTING + 1] = {0};
    bool conditional[ISA_MAX_NESTING + 1] = {false}, nested[ISA_MAX_NESTING + 1] = {false};
    unsigned depth = 0;
    x->loops = ARENA_ARRAY(arena, struct loop, k->ninsts + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        uint32_t flags = isa_op_info[inst->op].flags;
        x->loop_of[i] = loops[depth];
        x->conditional[i] = conditional[depth];
        x->nested[i] = nested[depth];
        if (flags & ISA_OP_REGION_BEGIN) {
            bool loop = inst->op == ISA_loop;
            uint32_t inner = loops[depth];
            if (loop) {
                inner = ++x->nloops;
                x->loops[inner] = (struct loop){i, loops[depth], x->loops[loops[depth]].level + 1};
            }
            depth++;
            loops[depth] = inner;
            conditional[depth] = nested[depth] = !loop;
        } else if (flags & ISA_OP_REGION_END) {
            depth--;
        } else if (flags & ISA_OP_JUMP) {
            /* What follows is not reached in every iteration; but for a loop's own condition, since
             * most loops have at least one. */
            bool own = inst->op == ISA_breakif && inst->imm == 0 && !conditional[depth];
            for (unsigned d = depth; d > 0 && !own; d--) conditional[d] = true;
        }
    }
}

static void order(struct loops *x, const struct isa_kernel *k, struct arena *arena) {
    uint32_t *opened = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u); /* a definition's region + 1 */
    uint8_t *open = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint32_t stack[ISA_MAX_NESTING + 1] = {0}, regions = 0;
    unsigned depth = 0;
    memset(x->ordered, 1, k->nregs);
    open[0] = 1;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        const isa_operand *dst = isa_dsts(k, inst), *src = isa_srcs(k, inst);
        uint32_t flags = isa_op_info[inst->op].flags;
        for (unsigned s = 0; s < inst->nsrc; s++)
            if (isa_is_reg(src[s]) && (!opened[src[s]] || !open[opened[src[s]] - 1]))
                x->ordered[src[s]] = 0;
        if (flags & (ISA_OP_REGION_END | ISA_OP_REGION_ELSE)) open[stack[depth--]] = 0;
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE)) {
            stack[++depth] = ++regions;
            open[regions] = 1;
        }
        for (unsigned d = 0; d < inst->ndst; d++) {
            if (x->defs[dst[d]]++) x->ordered[dst[d]] = 0;
            opened[dst[d]] = stack[depth] + 1;
        }
    }
}

bool loops_find(struct loops *x, const struct isa_kernel *k, struct arena *arena) {
    bool any = false;
    for (uint32_t i = 0; i < k->ninsts && !any; i++) any = k->insts[i].op == ISA_loop;
    if (!any) return false;
    *x = (struct loops){0};
    x->loop_of = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    x->conditional = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->nested = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->defs = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->ordered = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    structure(x, k, arena);
    order(x, k, arena);
    for (uint32_t i = 0; i < k->ninsts; i++)
        for (unsigned d = 0; d < k->insts[i].ndst; d++)
            assign(x, arena, isa_dsts(k, &k->insts[i])[d], x->loop_of[i]);
    return true;
}

/* ---- counters ---- */

enum { MAX_DEFINITIONS = 64 }; /* of a register that is a counter */

/* The definitions of registers: lists of places in the operand list, + 1. */
struct definitions {
    uint32_t *first, *next, *inst;
};

static struct definitions list_definitions(const struct isa_kernel *k, struct arena *arena) {
    struct definitions d = {ARENA_ARRAY(arena, uint32_t, k->nregs + 1u),
                            ARENA_ARRAY(arena, uint32_t, k->noperands + 1u),
                            ARENA_ARRAY(arena, uint32_t, k->noperands + 1u)};
    for (uint32_t i = 0; i < k->ninsts; i++)
        for (unsigned n = 0; n < k->insts[i].ndst; n++) {
            uint32_t at = k->insts[i].operands + n, r = k->operands[at];
            d.inst[at] = i;
            d.next[at] = d.first[r];
            d.first[r] = at + 1;
        }
    return d;
}

/* Does the loop assign the register at this one instruction only? */
static bool only_definition(const struct loops *x, const struct definitions *d, uint32_t reg,
                            uint32_t at) {
    uint32_t loop = x->loop_of[at];
    for (uint32_t n = d->first[reg]; n; n = d->next[n - 1])
        if (d->inst[n - 1] != at && loops_inside(x, x->loop_of[d->inst[n - 1]], loop)) return false;
    return true;
}

void loops_counters(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                    struct loop_counters *c) {
    struct definitions d = list_definitions(k, arena);
    c->list = ARENA_ARRAY(arena, struct loop_counter, k->ninsts + 1u);
    c->of = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    c->count = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        uint32_t loop = x->loop_of[i];
        if (inst->op != ISA_add || inst->type != ISA_I32 || !loop || x->nested[i]) continue;
        uint32_t r = isa_dsts(k, inst)[0];
        const isa_operand *src = isa_srcs(k, inst);
        isa_operand step = src[0] == r ? src[1] : src[1] == r ? src[0] : ISA_NO_OPERAND;
        if (step == ISA_NO_OPERAND || step == r || loops_varies(x, step, loop)) continue;
        if (x->defs[r] > MAX_DEFINITIONS || !only_definition(x, &d, r, i)) continue;
        c->list[c->count] = (struct loop_counter){r, loop, i, step, c->of[r]};
        c->of[r] = ++c->count;
    }
}

uint32_t *loops_starts(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                       const struct loop_counters *c) {
    uint32_t *start = ARENA_ARRAY(arena, uint32_t, c->count + 1u);
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u); /* assignment, + 1 */
    uint32_t *part = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, x->nloops + 1u); /* counters, + 1 */
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, c->count + 1u);
    uint32_t stack[ISA_MAX_NESTING + 1] = {0}, depth = 0, parts = 0, loop = 0;
    for (uint32_t n = 0; n < c->count; n++) {
        next[n] = first[c->list[n].loop];
        first[c->list[n].loop] = n + 1;
    }
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        uint32_t flags = isa_op_info[inst->op].flags;
        part[i] = stack[depth];
        if (inst->op == ISA_loop)
            for (uint32_t n = first[++loop]; n; n = next[n - 1]) {
                uint32_t at = last[c->list[n - 1].reg];
                if (at && part[at - 1] == part[i] && k->insts[at - 1].ndst == 1) start[n - 1] = at;
            }
        if (flags & (ISA_OP_REGION_END | ISA_OP_REGION_ELSE)) depth--;
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE)) stack[++depth] = ++parts;
        for (unsigned d = 0; d < inst->ndst; d++) last[isa_dsts(k, inst)[d]] = i + 1;
    }
    return start;
}

/* ---- one loop ---- */

uint32_t loops_writer(const struct isa_kernel *k, uint32_t begin, isa_operand reg) {
    uint32_t found = begin, end = k->insts[begin].match;
    for (uint32_t n = begin + 1; n < end; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++)
            if (isa_dsts(k, &k->insts[n])[d] == reg) found = found == begin ? n : end;
    return found;
}

bool loops_invariant(const struct isa_kernel *k, uint32_t begin, isa_operand o) {
    return !isa_is_reg(o) || loops_writer(k, begin, o) == begin;
}
