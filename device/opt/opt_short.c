/* Counters of 8 and 16 bits that count up to an integer of 32. As they may come to their largest
 * value before, and go on from their least, nothing is known of what is made of them, addresses
 * above all. Where the bound is no more than they can hold they are integers of 32 bits: for that
 * there is a version of the loop. */
#include "alone.h"
#include "device/analysis/warpregions.h"
#include "device/isa/constant.h"
#include "device/isa/loops.h"
#include "opt_pass.h"

enum {
    MOST_INSTS = 2000,
    MOST_LOOP = 300, /* instructions, which are there twice */
    MOST_STEP = 64
};

struct short_counter {
    uint32_t step; /* the instruction that steps it; 0: the loop has none */
    isa_operand reg, bound, wide;
    int64_t by;        /* which is more than 0 */
    uint32_t most;     /* that the bound may be, */
    bool is_signed;    /* compared so */
    enum isa_op makes; /* sext or zext: how it becomes an i32 */
    bool wanted;       /* it is read as it is, too, or when the loop is come to again */
};

struct short_counters {
    const struct isa_kernel *k;
    struct arena *arena;
    struct loops l;
    struct short_counter *of; /* each loop */
    uint32_t *loop_of;        /* each instruction that makes an i32 of one: which loop's */
    struct kernelcopy copy;
};

static const struct isa_inst *inst(const struct short_counters *s, uint32_t n) {
    return &s->k->insts[n];
}

static bool extends(const struct isa_inst *i) {
    return (i->op == ISA_sext || i->op == ISA_zext) && i->type == ISA_I32;
}

/* The instruction by which lanes leave the loop before they do anything else; LOOPS_NONE: none. */
static uint32_t first_exit(const struct short_counters *s, uint32_t loop) {
    for (uint32_t n = s->l.loops[loop].begin + 1; n < s->l.loops[loop].end; n++) {
        const struct isa_inst *i = inst(s, n);
        if (i->op == ISA_breakif && !i->imm) return n;
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE)) return LOOPS_NONE;
    }
    return LOOPS_NONE;
}

/* What the loop counts up to, if it begins each iteration with a comparison of a short counter. */
static bool find_test(struct short_counters *s, uint32_t loop, struct short_counter *c) {
    uint32_t leaves = first_exit(s, loop);
    if (leaves == LOOPS_NONE) return false;
    uint32_t at = loops_written(&s->l, isa_srcs(s->k, inst(s, leaves))[0], loop, leaves);
    if (at >= LOOPS_NONE) return false;
    const struct isa_inst *compare = inst(s, at);
    bool lower = compare->op == ISA_lt_s || compare->op == ISA_lt_u;
    c->is_signed = compare->op == ISA_lt_s || compare->op == ISA_le_s;
    if (!lower && compare->op != ISA_le_s && compare->op != ISA_le_u) return false;
    if (compare->type2 != ISA_I32) return false;
    uint32_t from = loops_written(&s->l, isa_srcs(s->k, compare)[1], loop, at);
    if (from >= LOOPS_NONE || !extends(inst(s, from))) return false;
    c->makes = (enum isa_op)inst(s, from)->op;
    c->reg = isa_srcs(s->k, inst(s, from))[0];
    c->bound = isa_srcs(s->k, compare)[0];
    c->most = !lower; /* and by as much as it is stepped less than the largest */
    return isa_is_reg(c->reg) && !loops_varies(&s->l, c->bound, loop);
}

/* By what an instruction steps the counter, as it is or as an i32; 0: it does something else. */
static int64_t step_of(const struct short_counters *s, const struct short_counter *c, uint32_t at,
                       uint32_t loop) {
    struct loop_counter is;
    const struct isa_inst *i = inst(s, at), *of;
    int64_t by = 0;
    if (s->l.loop_of[at] != loop || s->l.nested[at]) return 0;
    if (loops_step(&s->l, s->k, at, &is))
        return is.sum == at && !is.down && constant_signed(s->k, is.step, &by) ? by : 0;
    if (i->op != ISA_trunc || i->type2 != ISA_I32) return 0;
    uint32_t sum = loops_written(&s->l, isa_srcs(s->k, i)[0], loop, at);
    if (sum >= LOOPS_NONE || inst(s, sum)->op != ISA_add) return 0;
    uint32_t from = loops_written(&s->l, isa_srcs(s->k, inst(s, sum))[0], loop, sum);
    of = from < LOOPS_NONE ? inst(s, from) : NULL;
    bool good = of && extends(of) && of->op == c->makes && isa_srcs(s->k, of)[0] == c->reg;
    return good && constant_signed(s->k, isa_srcs(s->k, inst(s, sum))[1], &by) ? by : 0;
}

/* Is what has been stepped looked at before it is sure that lanes stay, which it may have wrapped
 * for? */
static bool is_seen_early(const struct short_counters *s, const struct short_counter *c,
                          uint32_t loop) {
    uint32_t leaves = first_exit(s, loop), n = c->step + 1;
    while (n < leaves && !(extends(inst(s, n)) && isa_srcs(s->k, inst(s, n))[0] == c->reg)) n++;
    return n < leaves;
}

static bool find_step(struct short_counters *s, uint32_t loop, struct short_counter *c) {
    uint32_t at = loops_writer(&s->l, c->reg, loop);
    enum isa_type type = isa_operand_type(s->k, c->reg);
    unsigned bits = 8u * isa_type_size[type] - (c->makes == ISA_sext);
    if (at >= LOOPS_NONE || (type != ISA_I8 && type != ISA_I16)) return false;
    c->by = step_of(s, c, at, loop);
    if (c->by < 1 || c->by > MOST_STEP) return false;
    c->most += (1u << bits) - 1 - (uint32_t)c->by;
    c->step = at;
    return !is_seen_early(s, c, loop);
}

/* Who reads the counter of a loop: instructions that make the same i32 of it, and others. */
static void find_reads(struct short_counters *s, uint32_t loop) {
    struct short_counter *c = &s->of[loop];
    const struct loop *l = &s->l.loops[loop];
    uint32_t made = 0, steps = inst(s, c->step)->op == ISA_add; /* which reads it, too */
    for (uint32_t n = l->begin; n < l->end; n++) {
        const struct isa_inst *i = inst(s, n);
        if (!extends(i) || i->op != c->makes || isa_srcs(s->k, i)[0] != c->reg) continue;
        s->loop_of[n] = loop;
        made++;
    }
    c->wanted = s->l.reads[c->reg] != made + steps || loops_goes_on(&s->l, s->k, loop, c->reg);
}

/* Has the loop, or one in it, such a counter up to what it does not change? */
static bool counts(const struct short_counters *s, uint32_t loop) {
    bool any = false;
    for (uint32_t n = loop; n <= s->l.nloops && loops_inside(&s->l, n, loop); n++) {
        if (!s->of[n].step) continue;
        if (loops_varies(&s->l, s->of[n].bound, loop)) return false;
        any = true;
    }
    return any;
}

/* Whether all of the loop's bounds are so small; ISA_NO_OPERAND: they are. */
static isa_operand put_test(struct short_counters *s, uint32_t loop) {
    struct kernelcopy *c = &s->copy;
    isa_operand all = ISA_NO_OPERAND;
    for (uint32_t n = loop; n <= s->l.nloops && loops_inside(&s->l, n, loop); n++) {
        const struct short_counter *is = &s->of[n];
        int64_t value;
        if (!is->step) continue;
        if (constant_signed(s->k, is->bound, &value) && value >= 0 && value <= is->most) continue;
        isa_operand fits =
            kernelcopy_result(c, is->is_signed ? ISA_le_s : ISA_le_u, ISA_I32,
                              kernelcopy_named(c, is->bound), kernelcopy_word(c, is->most));
        all = kernelcopy_joined(c, ISA_and, all, fits);
    }
    return all;
}

static void put_step(struct short_counters *s, const struct short_counter *is) {
    struct kernelcopy *c = &s->copy;
    enum isa_type type = isa_operand_type(s->k, is->reg);
    kernelcopy_add(c, ISA_add, ISA_I32, is->wide, is->wide, kernelcopy_word(c, (uint32_t)is->by));
    if (!is->wanted) return;
    isa_operand low = kernelcopy_converted(c, ISA_trunc, type, ISA_I32, is->wide);
    kernelcopy_move(c, kernelcopy_named(c, is->reg), low);
}

/* What the loop's counter begins with, as an i32. */
static isa_operand put_begin(struct short_counters *s, const struct short_counter *is, uint32_t n) {
    struct kernelcopy *c = &s->copy;
    enum isa_type type = isa_operand_type(s->k, is->reg);
    uint32_t start = loops_start(s->k, n, is->reg);
    const struct isa_inst *i = start ? inst(s, start - 1) : NULL;
    uint64_t bits;
    if (i && i->op == ISA_mov && constant_bits(s->k, isa_srcs(s->k, i)[0], &bits)) {
        int64_t value = is->makes == ISA_sext ? isa_signed(type, bits) : (int64_t)bits;
        return kernelcopy_word(c, (uint32_t)value);
    }
    return kernelcopy_converted(c, is->makes, ISA_I32, type, kernelcopy_named(c, is->reg));
}

/* Instruction n, with counters of 32 bits. */
static void put(struct short_counters *s, uint32_t n) {
    struct kernelcopy *c = &s->copy;
    const struct isa_inst *i = inst(s, n);
    struct short_counter *around = &s->of[s->l.loop_of[n]], *of = &s->of[s->loop_of[n]];
    c->at = n;
    if (i->op == ISA_loop) {
        struct short_counter *begins = &s->of[loops_at(&s->l, n)];
        if (begins->step) {
            begins->wide = isa_reg_new(c->out, ISA_I32);
            kernelcopy_move(c, begins->wide, put_begin(s, begins, n));
        }
        kernelcopy_put(c, n);
    } else if (s->loop_of[n]) {
        kernelcopy_move(c, kernelcopy_named(c, isa_dsts(s->k, i)[0]), of->wide);
    } else if (around->step && around->step == n) {
        put_step(s, around);
    } else {
        kernelcopy_put(c, n);
    }
}

/* The loop with such counters. */
static void put_wide(struct short_counters *s, uint32_t loop) {
    const struct loop *l = &s->l.loops[loop];
    for (uint32_t n = l->begin; n <= l->end && !s->copy.failed; n++) put(s, n);
}

static void put_versions(struct short_counters *s, uint32_t loop) {
    struct kernelcopy *c = &s->copy;
    const struct loop *l = &s->l.loops[loop];
    c->at = l->begin;
    isa_operand fits = put_test(s, loop);
    if (fits == ISA_NO_OPERAND) {
        put_wide(s, loop);
        return;
    }
    kernelcopy_control(c, ISA_if, fits);
    alone_rename(c, l->begin, l->end, false, s->arena);
    put_wide(s, loop);
    kernelcopy_keep_names(c);
    kernelcopy_otherwise(c, l->begin, l->end + 1, NULL);
}

static bool may_version(const struct short_counters *s, uint32_t loop) {
    const struct loop *l = &s->l.loops[loop];
    return l->end - l->begin <= MOST_LOOP && counts(s, loop) &&
           warpregions_closed(s->k, l->begin, l->end + 1);
}

static void rewrite(struct short_counters *s, struct isa_kernel *k, const uint8_t *chosen) {
    uint32_t n = 0;
    kernelcopy_take(&s->copy, k, s->arena);
    s->k = s->copy.k;
    for (uint32_t loop = 1; loop <= s->l.nloops && !s->copy.failed; loop++) {
        if (!chosen[loop]) continue;
        kernelcopy_put_range(&s->copy, n, s->l.loops[loop].begin);
        put_versions(s, loop);
        n = s->l.loops[loop].end + 1;
    }
    kernelcopy_put_range(&s->copy, n, s->k->ninsts);
}

void opt_short(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct short_counters s = {.k = k, .arena = arena};
    bool any = false;
    uint32_t end = 0;
    if (k->ninsts > MOST_INSTS || !alone_may(k) || !loops_find(&s.l, k, arena)) return;
    s.of = ARENA_ARRAY(arena, struct short_counter, s.l.nloops + 1u);
    s.loop_of = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    uint8_t *chosen = ARENA_ARRAY(arena, uint8_t, s.l.nloops + 1u);
    for (uint32_t loop = 1; loop <= s.l.nloops; loop++) {
        struct short_counter c = {.step = 0};
        if (!find_test(&s, loop, &c) || !find_step(&s, loop, &c)) continue;
        s.of[loop] = c;
        find_reads(&s, loop);
    }
    for (uint32_t loop = 1; loop <= s.l.nloops; loop++) {
        if (s.l.loops[loop].begin < end || !may_version(&s, loop)) continue;
        trace_tell(p, &k->insts[s.l.loops[loop].begin],
                   "once more for where counters do not wrap, which are of 32 bits then");
        chosen[loop] = 1;
        end = s.l.loops[loop].end;
        any = true;
    }
    if (any && !isa_kernel_failed(k)) rewrite(&s, k, chosen);
}
