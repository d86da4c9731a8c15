/* What passes over loops want to know of a kernel: which loop an instruction is in, which registers
 * a loop assigns, which registers are assigned once, before every use. */
#include "loops.h"

#include <string.h>

#include "rewrite.h"

static struct loop_mark *slot(struct loop_mark *table, uint32_t cap, uint32_t reg, uint32_t loop) {
    uint64_t h = ((uint64_t)reg << 32 | loop) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(h >> 36) & (cap - 1);
    while (table[at].loop && (table[at].reg != reg || table[at].loop != loop))
        at = (at + 1) & (cap - 1);
    return &table[at];
}

/* Notes that instruction `at` in `loop` assigns `reg`, in those around it, too. */
static void assign(struct loops *x, struct arena *arena, uint32_t reg, uint32_t loop, uint32_t at) {
    x->writers[reg] = x->writers[reg] == LOOPS_NONE ? at : LOOPS_SEVERAL;
    for (; loop; loop = x->loops[loop].parent) {
        if (x->nmarks * 2 >= x->cap_marks) {
            uint32_t cap = x->cap_marks * 2;
            struct loop_mark *table = ARENA_ARRAY(arena, struct loop_mark, cap);
            for (uint32_t i = 0; i < x->cap_marks; i++)
                if (x->marks[i].loop)
                    *slot(table, cap, x->marks[i].reg, x->marks[i].loop) = x->marks[i];
            x->marks = table;
            x->cap_marks = cap;
        }
        struct loop_mark *m = slot(x->marks, x->cap_marks, reg, loop);
        if (m->loop && m->at == LOOPS_SEVERAL) return; /* and so in those around it */
        x->nmarks += !m->loop;
        *m = (struct loop_mark){reg, loop, m->loop ? LOOPS_SEVERAL : at};
    }
}

uint32_t loops_writer(const struct loops *x, isa_operand o, uint32_t loop) {
    if (!isa_is_reg(o)) return LOOPS_NONE;
    if (!loop) return x->writers[o];
    const struct loop_mark *m = slot(x->marks, x->cap_marks, o, loop);
    return m->loop ? m->at : LOOPS_NONE;
}

uint32_t loops_written(const struct loops *x, isa_operand o, uint32_t loop, uint32_t at) {
    uint32_t n = loops_writer(x, o, loop);
    return n < at && x->loop_of[n] == loop && !x->nested[n] ? n : LOOPS_NONE;
}

const struct isa_inst *loops_definition(const struct loops *x, const struct isa_kernel *k,
                                        isa_operand o) {
    return isa_is_reg(o) && x->defs[o] && x->ordered[o] ? &k->insts[x->writers[o]] : NULL;
}

bool loops_keep(const struct isa_kernel *k, isa_operand reg, uint32_t from, uint32_t to) {
    uint32_t end = to;
    for (uint32_t n = from; n < end; n++)
        if (k->insts[n].op == ISA_loop && k->insts[n].match > end) end = k->insts[n].match;
    return !isa_writes_between(k, reg, from, end);
}

bool loops_assign(const struct loops *x, uint32_t reg, uint32_t loop) {
    return loops_writer(x, reg, loop) != LOOPS_NONE;
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
    bool conditional[ISA_MAX_NESTING + 1] = {false}, nested[ISA_MAX_NESTING + 1] = {false},
                                       skipped[ISA_MAX_NESTING + 1] = {false};
    unsigned depth = 0;
    x->loops = ARENA_ARRAY(arena, struct loop, k->ninsts + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        uint32_t flags = isa_op_info[inst->op].flags;
        x->loop_of[i] = loops[depth];
        x->conditional[i] = conditional[depth];
        x->nested[i] = nested[depth];
        x->each[i] = !nested[depth] && !skipped[depth];
        if (flags & ISA_OP_REGION_BEGIN) {
            bool loop = inst->op == ISA_loop;
            uint32_t inner = loops[depth];
            if (loop) {
                inner = ++x->nloops;
                x->loops[inner] = (struct loop){
                    .begin = i, .parent = loops[depth], .level = x->loops[loops[depth]].level + 1};
            }
            depth++;
            loops[depth] = inner;
            conditional[depth] = nested[depth] = !loop;
            skipped[depth] = false;
        } else if (flags & ISA_OP_REGION_END) {
            if (inst->op == ISA_endloop) x->loops[loops[depth]].end = i;
            depth--;
        } else if (flags & ISA_OP_JUMP) {
            /* What follows is not reached in every iteration; but for a loop's own condition, since
             * most loops have at least one. */
            bool own = inst->op == ISA_breakif && inst->imm == 0 && !conditional[depth];
            for (unsigned d = depth; d > 0 && !own; d--) conditional[d] = true;
            if (inst->op == ISA_continue) skipped[depth - (uint32_t)inst->imm] = true;
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
    *x = (struct loops){0};
    x->loop_of = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    x->conditional = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->nested = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->each = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->defs = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->reads = rewrite_reads(k, arena);
    x->writers = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->ordered = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    structure(x, k, arena);
    order(x, k, arena);
    for (uint32_t r = 0; r < k->nregs; r++) x->writers[r] = LOOPS_NONE;
    x->cap_marks = 256;
    x->marks = ARENA_ARRAY(arena, struct loop_mark, x->cap_marks);
    for (uint32_t i = 0; i < k->ninsts; i++)
        for (unsigned d = 0; d < k->insts[i].ndst; d++)
            assign(x, arena, isa_dsts(k, &k->insts[i])[d], x->loop_of[i], i);
    return x->nloops;
}

struct arena *loops_new(struct loops *x, const struct isa_kernel *k) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return NULL;
    loops_find(x, k, t.arena);
    return t.arena;
}
