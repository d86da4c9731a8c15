/* Counters that are wanted behind their loop. Lanes that leave the loop early keep the counter as
 * it was then, so it differs from lane to lane, although those in the loop have all counted the
 * same. The loop gets a counter of its own, which nobody reads behind it: shape analysis finds it
 * uniform, and with it the addresses and conditions made of it. The other one is a copy of it at
 * every iteration. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

struct counter_split {
    struct isa_kernel *k;
    struct loops l;
    struct loop_counters counters;
    uint32_t *start;  /* of each counter: the instruction that gives it its first value, + 1 */
    isa_operand *own; /* of each counter: the loop's register, or ISA_NO_OPERAND */
    uint32_t *of_at;  /* of each instruction that starts or steps such a counter: which, + 1 */
};

/* The counter that a read of the register at an instruction is of: in its loop, or on the way
 * there; or NULL. */
static const struct loop_counter *read_of(const struct counter_split *s, uint32_t reg,
                                          uint32_t at) {
    for (uint32_t n = s->counters.of[reg]; n; n = s->counters.list[n - 1].next) {
        const struct loop_counter *c = &s->counters.list[n - 1];
        bool before = s->start[n - 1] && at >= s->start[n - 1] && at < s->l.loops[c->loop].begin;
        if (before || loops_inside(&s->l, s->l.loop_of[at], c->loop)) return c;
    }
    return NULL;
}

/* Counters of which something is made in the loop, and that are read outside of it, too. */
static bool choose(struct counter_split *s, struct arena *arena, const struct trace_pass *p) {
    const struct isa_kernel *k = s->k;
    uint32_t *within = ARENA_ARRAY(arena, uint32_t, s->counters.count + 1u);
    uint32_t *before = ARENA_ARRAY(arena, uint32_t, s->counters.count + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++)
        for (unsigned n = 0; n < k->insts[i].nsrc; n++) {
            isa_operand o = isa_srcs(k, &k->insts[i])[n];
            if (!isa_is_reg(o)) continue;
            const struct loop_counter *c = read_of(s, o, i);
            if (c) (i < s->l.loops[c->loop].begin ? before : within)[c - s->counters.list]++;
        }
    bool any = false;
    for (uint32_t n = 0; n < s->counters.count; n++) {
        const struct loop_counter *c = &s->counters.list[n];
        s->own[n] = ISA_NO_OPERAND;
        /* One read is its step. */
        if (!s->start[n] || within[n] < 2 || s->l.reads[c->reg] == before[n] + within[n]) continue;
        s->own[n] = isa_reg_new(s->k, ISA_I32);
        s->of_at[s->start[n] - 1] = s->of_at[c->at] = n + 1;
        trace_tell(p, &k->insts[c->at], "the loop counts in a register of its own");
        any = true;
    }
    return any;
}

/* What stands for the register at an instruction. */
static isa_operand own_of(const struct counter_split *s, isa_operand reg, uint32_t at) {
    const struct loop_counter *c = read_of(s, reg, at);
    isa_operand own = c ? s->own[c - s->counters.list] : ISA_NO_OPERAND;
    return own == ISA_NO_OPERAND ? reg : own;
}

static void rewrite(struct counter_split *s, struct arena *arena) {
    struct isa_kernel *k = s->k;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t i = 0; i < old.ninsts && !isa_kernel_failed(k); i++) {
        const struct isa_inst *inst = &old.insts[i];
        isa_operand *dst = old.operands + inst->operands, *src = dst + inst->ndst;
        uint32_t counter = s->of_at[i];
        for (unsigned n = 0; n < inst->nsrc; n++)
            if (isa_is_reg(src[n])) src[n] = own_of(s, src[n], i);
        if (counter) dst[0] = s->own[counter - 1];
        k->cur_file = inst->file;
        k->cur_line = inst->line;
        rewrite_put(k, inst, dst, src);
        if (counter)
            isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &s->counters.list[counter - 1].reg, 1,
                     dst);
    }
}

void opt_split(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct counter_split *s = ARENA_NEW(arena, struct counter_split);
    s->k = k;
    if (!loops_find(&s->l, k, arena)) return;
    loops_counters_copied(&s->l, k, arena, &s->counters);
    s->own = ARENA_ARRAY(arena, isa_operand, s->counters.count + 1u);
    s->of_at = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    s->start = loops_starts(&s->l, k, arena, &s->counters);
    if (choose(s, arena, p) && !isa_kernel_failed(k)) rewrite(s, arena);
}
