/* What loops move evenly: registers to which each iteration adds the same, and what is made of
 * them. */
#include "compare.h"
#include "loops.h"

enum {
    DEEP = 8,        /* sums that are made of each other */
    MOST_BACK = 5000 /* instructions from a loop to where a counter starts */
};

/* ---- counters ---- */

bool loops_step(const struct loops *x, const struct isa_kernel *k, uint32_t at,
                struct loop_counter *c) {
    const struct isa_inst *i = &k->insts[at];
    uint32_t loop = x->loop_of[at];
    bool moves = i->op == ISA_add || i->op == ISA_sub || i->op == ISA_mov;
    if (!loop || !moves || !isa_is_integer(i->type) || x->nested[at]) return false;
    uint32_t reg = isa_dsts(k, i)[0], sum = at;
    if (i->op == ISA_mov) {
        sum = loops_written(x, isa_srcs(k, i)[0], loop, at);
        if (sum == LOOPS_NONE) return false;
        i = &k->insts[sum];
        if (i->op != ISA_add && i->op != ISA_sub) return false;
    }
    const isa_operand *src = isa_srcs(k, i);
    bool first = src[0] == reg, second = src[1] == reg && i->op == ISA_add;
    if (first == second || loops_writer(x, reg, loop) != at) return false;
    *c = (struct loop_counter){reg, loop, at, sum, src[first], i->op == ISA_sub, 0};
    return true;
}

static void find_counters(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                          bool copied, struct loop_counters *c) {
    c->list = ARENA_ARRAY(arena, struct loop_counter, k->ninsts + 1u);
    c->of = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    c->count = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        struct loop_counter *own = &c->list[c->count];
        if (k->insts[i].type != ISA_I32 || !loops_step(x, k, i, own)) continue;
        if (own->sum != i && !copied) continue;
        if (own->down || loops_varies(x, own->step, own->loop)) continue;
        own->next = c->of[own->reg];
        c->of[own->reg] = ++c->count;
    }
}

void loops_counters(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                    struct loop_counters *c) {
    find_counters(x, k, arena, false, c);
}

void loops_counters_copied(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                           struct loop_counters *c) {
    find_counters(x, k, arena, true, c);
}

const struct loop_counter *loops_counter(const struct loop_counters *c, isa_operand o,
                                         uint32_t loop) {
    for (uint32_t n = isa_is_reg(o) ? c->of[o] : 0; n; n = c->list[n - 1].next)
        if (c->list[n - 1].loop == loop) return &c->list[n - 1];
    return NULL;
}

int32_t loops_constant_step(const struct isa_kernel *k, const struct loop_counter *c) {
    uint32_t by;
    if (!isa_constant(k, c->step, &by)) return 0;
    return (int32_t)(c->down ? 0 - by : by);
}

/* outside: also before ifs and blocks in which the loop is. */
static uint32_t start(const struct isa_kernel *k, uint32_t begin, isa_operand reg, bool outside) {
    uint32_t depth = 0;
    for (uint32_t n = begin; n-- && begin - n < MOST_BACK;) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_END) depth++;
        if (isa_writes(k, i, reg)) return depth ? 0 : n + 1;
        bool around = outside && (i->op == ISA_if || i->op == ISA_block);
        if (outside && !depth && i->op == ISA_else) { /* its first part is beside the loop */
            depth++;
            continue;
        }
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE) && !depth && !around) return 0;
        if (flags & ISA_OP_REGION_BEGIN && depth) depth--;
    }
    return 0;
}

uint32_t loops_start(const struct isa_kernel *k, uint32_t begin, isa_operand reg) {
    return start(k, begin, reg, false);
}

uint32_t loops_start_outside(const struct isa_kernel *k, uint32_t begin, isa_operand reg) {
    return start(k, begin, reg, true);
}

bool loops_goes_on(const struct loops *x, const struct isa_kernel *k, uint32_t loop,
                   isa_operand reg) {
    return x->loops[loop].parent && !loops_start(k, x->loops[loop].begin, reg);
}

uint32_t *loops_starts(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                       const struct loop_counters *c) {
    uint32_t *start = ARENA_ARRAY(arena, uint32_t, c->count + 1u);
    for (uint32_t n = 0; n < c->count; n++) {
        uint32_t at = loops_start(k, x->loops[c->list[n].loop].begin, c->list[n].reg);
        start[n] = at && k->insts[at - 1].ndst == 1 ? at : 0;
    }
    return start;
}

uint8_t *loops_addresses(const struct loops *x, const struct isa_kernel *k, struct arena *arena,
                         const struct loop_counters *c, int32_t margin) {
    uint32_t *bases = ARENA_ARRAY(arena, uint32_t, c->count + 1u);
    uint8_t *only = ARENA_ARRAY(arena, uint8_t, c->count + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if ((i->op != ISA_ld && i->op != ISA_st) || i->imm >= ISA_MAX_DISPLACEMENT - margin ||
            i->imm <= margin - ISA_MAX_DISPLACEMENT)
            continue;
        const struct loop_counter *of = loops_counter(c, isa_srcs(k, i)[0], x->loop_of[n]);
        if (of && n < of->at) bases[of - c->list]++;
    }
    for (uint32_t n = 0; n < c->count; n++)
        only[n] = bases[n] && x->reads[c->list[n].reg] == bases[n] + 1;
    return only;
}

/* ---- sums ---- */

struct loop_sum loops_sum(const struct loops *x, const struct isa_kernel *k, isa_operand o,
                          uint32_t loop, uint32_t at) {
    struct loop_sum s = {o, at, 0};
    for (uint32_t n; (n = loops_written(x, s.reg, loop, s.at)) != LOOPS_NONE;) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        if (!isa_is_integer(i->type)) break;
        bool adds = (i->op == ISA_add || i->op == ISA_sub) && isa_is_const(src[1]);
        if ((!adds && i->op != ISA_mov) || !isa_is_reg(src[0])) break;
        uint64_t by = adds ? k->consts[isa_const_index(src[1])].bits : 0;
        s.plus = isa_cut((enum isa_type)i->type, i->op == ISA_sub ? s.plus - by : s.plus + by);
        s.reg = src[0];
        s.at = n;
    }
    return s;
}

uint32_t loops_compare(const struct loops *x, const struct isa_kernel *k, uint32_t leaves) {
    isa_operand p = isa_srcs(k, &k->insts[leaves])[0];
    uint32_t n = loops_written(x, p, x->loop_of[leaves], leaves);
    bool compares = n != LOOPS_NONE && compare_is_integer(k->insts[n].op);
    return compares ? n : LOOPS_NONE;
}

static bool exit_by(const struct loops *x, const struct isa_kernel *k, uint32_t n, bool opposite,
                    bool steps, struct loop_exit *e) {
    uint32_t loop = x->loop_of[n];
    const struct isa_inst *i = &k->insts[n];
    bool equal = i->op == ISA_eq || i->op == ISA_ne, less = compare_is_strict(i->op);
    if (i->op == (opposite ? ISA_eq : ISA_ne) || i->type2 != ISA_I32) return false;
    for (unsigned s = 0; s < 2; s++) {
        struct loop_sum sum = loops_sum(x, k, isa_srcs(k, i)[!s], loop, n);
        uint32_t at = loops_writer(x, sum.reg, loop);
        *e = (struct loop_exit){
            .compare = n, .off = (uint32_t)sum.plus, .bound = isa_srcs(k, i)[s], .side = s};
        if (loops_varies(x, e->bound, loop) || at >= LOOPS_NONE ||
            !loops_step(x, k, at, &e->counter) || e->counter.loop != loop)
            continue;
        int32_t step = loops_constant_step(k, &e->counter);
        if (!step && (!steps || loops_varies(x, e->counter.step, loop))) continue;
        e->down = step ? step < 0 : e->counter.down;
        e->step = e->down ? 0 - (uint32_t)step : (uint32_t)step;
        e->inclusive = !equal && less != opposite;
        return equal || e->down == (s != opposite);
    }
    return false;
}

bool loops_exit_by(const struct loops *x, const struct isa_kernel *k, uint32_t n, bool opposite,
                   struct loop_exit *e) {
    return exit_by(x, k, n, opposite, false, e);
}

bool loops_exit(const struct loops *x, const struct isa_kernel *k, uint32_t leaves,
                struct loop_exit *e) {
    uint32_t n = loops_compare(x, k, leaves);
    return n != LOOPS_NONE && loops_exit_by(x, k, n, false, e);
}

bool loops_exit_steps(const struct loops *x, const struct isa_kernel *k, uint32_t leaves,
                      struct loop_exit *e) {
    uint32_t n = loops_compare(x, k, leaves);
    return n != LOOPS_NONE && exit_by(x, k, n, false, true, e);
}

bool loops_exit_meets(const struct loops *x, const struct isa_kernel *k, uint32_t leaves,
                      struct loop_exit *e, struct loop_counter *other, uint32_t *other_off) {
    uint32_t loop = x->loop_of[leaves], n = loops_compare(x, k, leaves);
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = &k->insts[n];
    if (!compare_is_order(i->op) || i->type2 != ISA_I32) return false;
    struct loop_sum sum[2];
    struct loop_counter c[2];
    for (unsigned s = 0; s < 2; s++) {
        sum[s] = loops_sum(x, k, isa_srcs(k, i)[s], loop, n);
        uint32_t at = loops_writer(x, sum[s].reg, loop);
        if (at >= LOOPS_NONE || !loops_step(x, k, at, &c[s]) || c[s].loop != loop || !x->each[at])
            return false;
    }
    int32_t down = loops_constant_step(k, &c[0]), up = loops_constant_step(k, &c[1]);
    if (down >= 0 || up <= 0) return false;
    *e = (struct loop_exit){.compare = n,
                            .counter = c[1],
                            .off = (uint32_t)sum[1].plus,
                            .bound = sum[0].reg,
                            .step = (uint32_t)up - (uint32_t)down,
                            .inclusive = compare_is_strict(i->op)};
    *other = c[0];
    *other_off = (uint32_t)sum[0].plus;
    return true;
}

/* ---- growth ---- */

static bool grows(const struct loops *x, const struct isa_kernel *k, isa_operand o, uint32_t loop,
                  uint32_t at, uint32_t *by, bool *behind, unsigned left) {
    struct loop_counter c;
    uint32_t n = loops_writer(x, o, loop), a, b;
    *by = 0;
    if (n == LOOPS_NONE) return true;
    if (n == LOOPS_SEVERAL || k->insts[n].type != ISA_I32 || !left) return false;
    if (loops_step(x, k, n, &c) && c.loop == loop && x->each[n] && isa_is_const(c.step)) {
        *by = (uint32_t)loops_constant_step(k, &c);
        *behind |= n < at;
        return true;
    }
    bool here = x->ordered[o] && x->loop_of[n] == loop; /* where it is written it is read, too */
    if (!here && loops_written(x, o, loop, at) != n) return false;
    const struct isa_inst *i = &k->insts[n];
    const isa_operand *src = isa_srcs(k, i);
    switch (i->op) {
    case ISA_mov: return grows(x, k, src[0], loop, n, by, behind, left - 1);
    case ISA_add:
    case ISA_sub:
    case ISA_shl:
    case ISA_mul: break;
    default: return false;
    }
    if (!grows(x, k, src[0], loop, n, &a, behind, left - 1) ||
        !grows(x, k, src[1], loop, n, &b, behind, left - 1))
        return false;
    if (i->op == ISA_add || i->op == ISA_sub) {
        *by = i->op == ISA_add ? a + b : a - b;
        return true;
    }
    uint32_t factor;
    if (isa_constant(k, src[1], &factor))
        *by = i->op == ISA_mul ? a * factor : a << (factor & 31);
    else if (i->op == ISA_mul && isa_constant(k, src[0], &factor))
        *by = b * factor;
    else
        return !a && !b;
    return true;
}

bool loops_grows(const struct loops *x, const struct isa_kernel *k, isa_operand o, uint32_t loop,
                 uint32_t at, uint32_t *by, bool *behind) {
    *behind = false;
    return grows(x, k, o, loop, at, by, behind, DEEP);
}

/* Does the loop write a register between its begin and instruction n? */
static bool written_before(const struct loops *x, const struct isa_kernel *k, isa_operand o,
                           uint32_t loop, uint32_t n) {
    uint32_t at = loops_writer(x, o, loop);
    return at == LOOPS_SEVERAL ? isa_writes_between(k, o, x->loops[loop].begin, n) : at < n;
}

bool loops_carried(const struct loops *x, const struct isa_kernel *k, isa_operand o, uint32_t loop,
                   uint32_t n) {
    struct loop_counter c;
    if (!loops_varies(x, o, loop) || written_before(x, k, o, loop, n)) return false;
    uint32_t at = loops_writer(x, o, loop);
    return at == LOOPS_SEVERAL || !loops_step(x, k, at, &c) || c.loop != loop ||
           loops_varies(x, c.step, loop);
}

bool loops_carries(const struct loops *x, const struct isa_kernel *k, uint32_t loop) {
    for (uint32_t n = x->loops[loop].begin + 1; n < x->loops[loop].end; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++)
            if (loops_carried(x, k, isa_srcs(k, &k->insts[n])[s], loop, n)) return true;
    return false;
}
