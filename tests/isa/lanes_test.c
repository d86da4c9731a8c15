/* Holds analyses against an execution: random kernels are run lane by lane on a small machine, and
 * everything that shape.h and numbers.h promise is checked at every step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"

/* ---- random kernels ---- */

enum { INTS = 12, PREDS = 6, STATEMENTS = 60 };

struct generator {
    uint64_t seed;
    struct isa_kernel *k;
    isa_operand ints[INTS], preds[PREDS];
    bool calm;                         /* use the first half of the registers only */
    unsigned left;                     /* statements still to be made */
    enum isa_op open[ISA_MAX_NESTING]; /* regions */
    unsigned depth;
};

static uint32_t below(struct generator *g, uint32_t n) {
    g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->seed >> 33) % n;
}

static isa_operand int_reg(struct generator *g) {
    return g->ints[below(g, g->calm ? INTS / 2 : INTS)];
}

static isa_operand any_int(struct generator *g) {
    static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 15, 16, 31, 32, 64, 0xffffffff, 0xffffffe0};
    if (below(g, 4)) return int_reg(g);
    return isa_const_new(g->k, ISA_I32, values[below(g, sizeof values / sizeof *values)]);
}

static isa_operand any_pred(struct generator *g) {
    return g->preds[below(g, g->calm ? PREDS / 2 : PREDS)];
}

static void make_value(struct generator *g) {
    static const uint16_t ops[] = {ISA_add,   ISA_add,   ISA_sub,   ISA_mul,   ISA_shl,
                                   ISA_shr_u, ISA_shr_s, ISA_div_u, ISA_rem_u, ISA_and,
                                   ISA_mov,   ISA_mov,   ISA_min_s, ISA_max_s};
    static const uint16_t specials[] = {ISA_SPECIAL_thread_id,  ISA_SPECIAL_local_id_x,
                                        ISA_SPECIAL_local_id_y, ISA_SPECIAL_local_id_z,
                                        ISA_SPECIAL_group_id_x, ISA_SPECIAL_global_id_x};
    isa_operand dst = int_reg(g), src[3] = {any_int(g), any_int(g)};
    uint32_t what = g->calm ? 4 + below(g, 28) : below(g, 16);
    if (what < 2) {
        isa_emit(g->k, ISA_special, ISA_I32, ISA_NONE_T, 1, &dst, 0, NULL)->imm =
            specials[below(g, sizeof specials / sizeof *specials)];
    } else if (what < 4) {
        enum isa_space space = (enum isa_space)(ISA_GLOBAL + below(g, 5));
        bool based = space != ISA_PARAM && below(g, 4);
        isa_operand base = based ? int_reg(g) : ISA_NO_OPERAND;
        struct isa_inst *i = isa_emit(g->k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &dst, 1, &base);
        i->space = (uint8_t)space;
        i->imm = 4 * (int32_t)below(g, 3);
        i->flags = !below(g, 6) ? ISA_VOLATILE : 0;
    } else if (what == 4) {
        isa_operand select[3] = {any_pred(g), src[0], src[1]};
        isa_emit(g->k, ISA_select, ISA_I32, ISA_NONE_T, 1, &dst, 3, select);
    } else if (what == 5 && !g->calm) {
        src[0] = int_reg(g);
        isa_emit(g->k, ISA_atom_add, ISA_I32, ISA_NONE_T, 1, &dst, 2, src)->space = ISA_GLOBAL;
    } else {
        uint16_t op = ops[below(g, sizeof ops / sizeof *ops)];
        isa_emit(g->k, (enum isa_op)op, ISA_I32, ISA_NONE_T, 1, &dst, op == ISA_mov ? 1 : 2, src);
    }
}

static void make_pred(struct generator *g) {
    static const uint16_t ops[] = {ISA_eq, ISA_ne, ISA_lt_s, ISA_le_s, ISA_lt_u, ISA_le_u};
    isa_operand dst = any_pred(g), ints[2] = {any_int(g), any_int(g)};
    isa_operand preds[2] = {any_pred(g), any_pred(g)};
    if (below(g, 6))
        isa_emit(g->k, (enum isa_op)ops[below(g, 6)], ISA_PRED, ISA_I32, 1, &dst, 2, ints);
    else
        isa_emit(g->k, ISA_and, ISA_PRED, ISA_NONE_T, 1, &dst, 2, preds);
}

static void control(struct generator *g, enum isa_op op, bool pred, int32_t imm) {
    isa_operand p = any_pred(g);
    isa_emit(g->k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, pred, &p)->imm = imm;
}

static void make_jump(struct generator *g) {
    uint32_t what = below(g, 12);
    if (!what) {
        control(g, ISA_ret, false, 0);
        return;
    }
    if (!g->depth) return;
    uint32_t label = below(g, g->depth);
    enum isa_op target = g->open[g->depth - 1 - label];
    for (unsigned tries = 0; target == ISA_if && tries < 4; tries++) {
        label = below(g, g->depth);
        target = g->open[g->depth - 1 - label];
    }
    if (target == ISA_if) return;
    if (what < 6)
        control(g, ISA_breakif, true, (int32_t)label);
    else if (what < 8)
        control(g, ISA_break, false, (int32_t)label);
    else if (target == ISA_loop)
        control(g, ISA_continue, false, (int32_t)label);
}

static void make_body(struct generator *g);

/* Leaves a loop where a counter has come to a limit, or steps the counter, mostly towards it. */
static void make_exit(struct generator *g, isa_operand counter, bool up) {
    static const uint16_t ops[] = {ISA_lt_s, ISA_le_s, ISA_lt_s, ISA_le_s, ISA_lt_u, ISA_le_u};
    isa_operand limit = below(g, 3) ? isa_const_new(g->k, ISA_I32, below(g, 40)) : any_int(g);
    isa_operand done = any_pred(g), src[] = {up ? limit : counter, up ? counter : limit};
    isa_emit(g->k, (enum isa_op)ops[below(g, 6)], ISA_PRED, ISA_I32, 1, &done, 2, src);
    isa_emit(g->k, ISA_breakif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &done);
}
static void make_step(struct generator *g, isa_operand counter, bool up) {
    isa_operand src[] = {counter, isa_const_new(g->k, ISA_I32, 1 + below(g, 5))};
    isa_emit(g->k, up ? ISA_add : ISA_sub, ISA_I32, ISA_NONE_T, 1, &counter, 2, src);
}

/* A loop that counts, if its body leaves the counter alone. */
static void make_counted(struct generator *g) {
    isa_operand counter = int_reg(g), start = isa_const_new(g->k, ISA_I32, below(g, 50));
    bool up = below(g, 3), first = below(g, 2), early = !below(g, 4);
    isa_emit(g->k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &counter, 1, &start);
    isa_emit(g->k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    g->open[g->depth++] = ISA_loop;
    if (first) make_exit(g, counter, up);
    if (early) make_step(g, counter, up);
    if (!below(g, 3)) make_step(g, counter, below(g, 2));
    if (!below(g, 4)) make_exit(g, counter, up);
    make_body(g);
    if (!early) make_step(g, counter, up);
    if (!first) make_exit(g, counter, up);
    g->depth--;
    isa_emit(g->k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

static void make_region(struct generator *g) {
    static const enum isa_op begins[] = {ISA_if, ISA_if, ISA_if, ISA_loop, ISA_loop, ISA_block};
    enum isa_op op = begins[below(g, 6)];
    if (g->depth == 6) return;
    if (op == ISA_loop && below(g, 2)) {
        make_counted(g);
        return;
    }
    control(g, op, op == ISA_if, 0);
    g->open[g->depth++] = op;
    make_body(g);
    if (op == ISA_if && below(g, 2)) {
        control(g, ISA_else, false, 0);
        make_body(g);
    }
    if (op == ISA_loop && below(g, 4)) {
        make_pred(g);
        control(g, ISA_breakif, true, 0);
    }
    g->depth--;
    control(g, op == ISA_if ? ISA_endif : op == ISA_loop ? ISA_endloop : ISA_endblock, false, 0);
}

static void make_body(struct generator *g) {
    for (unsigned n = 1 + below(g, 7); n && g->left; n--) {
        g->left--;
        g->calm = below(g, 4);
        uint32_t what = below(g, 12);
        if (what < 6)
            make_value(g);
        else if (what < 8)
            make_pred(g);
        else if (what < 10)
            make_jump(g);
        else
            make_region(g);
    }
}

static struct isa_module *make_module(uint64_t seed, uint32_t size[3]) {
    static const uint32_t sizes[][3] = {{0, 0, 0}, {64, 1, 1}, {16, 4, 1}, {32, 2, 1}, {1, 64, 1},
                                        {8, 8, 1}, {2, 1, 32}, {1, 1, 64}, {4, 16, 1}, {4, 4, 4}};
    struct isa_module *m = isa_module_new();
    struct generator g = {.seed = seed, .k = isa_kernel_new(m, "random"), .left = STATEMENTS};
    for (unsigned n = 0; n < 8; n++) below(&g, 2);
    memcpy(size, sizes[below(&g, sizeof sizes / sizeof *sizes)], 3 * sizeof *size);
    g.k->param_bytes = 64;
    for (unsigned n = 0; n < INTS; n++) g.ints[n] = isa_reg_new(g.k, ISA_I32);
    for (unsigned n = 0; n < PREDS; n++) g.preds[n] = isa_reg_new(g.k, ISA_PRED);
    while (g.left) make_body(&g);
    return m;
}

/* ---- the machine: `lanes` lanes in step, 32 for a warp, 64 for a whole group ---- */

enum { LANES = 64, STEPS = 1000 };

struct machine {
    const struct isa_kernel *k;
    const struct shape *s;
    const struct numbers *n;
    const uint32_t *size;
    unsigned first, lanes; /* thread ids */
    uint64_t all;
    uint32_t regs[INTS + PREDS + 1][LANES];
    bool stale[INTS + PREDS + 1][LANES]; /* a blind write has destroyed what the lane held */
    uint32_t scalar[INTS + PREDS + 1];   /* of uniform registers */
    uint64_t active;
    struct open {
        uint32_t begin;
        uint64_t exit, next, other; /* waiting lanes */
        uint64_t entry;             /* active at the region's, the iteration's beginning */
    } open[ISA_MAX_NESTING];
    unsigned depth;
    uint32_t at, atomics;
    bool elsewhere;     /* an engine that skips code without lanes would not be here */
    uint32_t dead_from; /* code behind a jump, down to the end of a region so deep; ~0u: not */
};

static const char *wrong;

static bool check(bool good, const char *what) {
    if (!good && !wrong) wrong = what;
    return good;
}

static uint32_t mix(uint32_t a, uint32_t b) {
    uint64_t h = (a + 1ull) * 0x9e3779b97f4a7c15u ^ (b * 0xc2b2ae3d27d4eb4fu);
    return (uint32_t)(h >> 32 ^ h >> 61) % 5 * 16;
}

static uint32_t special_value(const struct machine *m, uint32_t special, unsigned lane) {
    static const uint32_t plain[3] = {4, 4, 4};
    const uint32_t *d = m->size[0] ? m->size : plain;
    uint32_t id = m->first + lane;
    switch (special) {
    case ISA_SPECIAL_thread_id: return id;
    case ISA_SPECIAL_local_id_x: return id % d[0];
    case ISA_SPECIAL_local_id_y: return id / d[0] % d[1];
    case ISA_SPECIAL_local_id_z: return id / d[0] / d[1];
    case ISA_SPECIAL_global_id_x: return 7 * d[0] + 5 + id % d[0];
    default: return 7;
    }
}

static uint32_t source_value(const struct machine *m, isa_operand o, unsigned lane) {
    if (o == ISA_NO_OPERAND) return 0;
    return isa_is_reg(o) ? m->regs[o][lane] : (uint32_t)m->k->consts[isa_const_index(o)].bits;
}

static uint32_t compute(struct machine *m, const struct isa_inst *i, unsigned lane) {
    const isa_operand *src = isa_srcs(m->k, i);
    uint32_t x[3] = {0};
    for (unsigned n = 0; n < i->nsrc; n++) x[n] = source_value(m, src[n], lane);
    switch (i->op) {
    case ISA_special: return special_value(m, (uint32_t)i->imm, lane);
    case ISA_mov: return x[0];
    case ISA_select: return x[0] ? x[1] : x[2];
    case ISA_add: return x[0] + x[1];
    case ISA_sub: return x[0] - x[1];
    case ISA_mul: return x[0] * x[1];
    case ISA_shl: return x[0] << x[1] % 32;
    case ISA_shr_u: return x[0] >> x[1] % 32;
    case ISA_shr_s: return (uint32_t)((int32_t)x[0] >> x[1] % 32);
    case ISA_div_u: return x[1] ? x[0] / x[1] : UINT32_MAX;
    case ISA_rem_u: return x[1] ? x[0] % x[1] : x[0];
    case ISA_and: return x[0] & x[1];
    case ISA_min_s: return (int32_t)x[0] < (int32_t)x[1] ? x[0] : x[1];
    case ISA_max_s: return (int32_t)x[0] < (int32_t)x[1] ? x[1] : x[0];
    case ISA_eq: return x[0] == x[1];
    case ISA_ne: return x[0] != x[1];
    case ISA_lt_s: return (int32_t)x[0] < (int32_t)x[1];
    case ISA_le_s: return (int32_t)x[0] <= (int32_t)x[1];
    case ISA_lt_u: return x[0] < x[1];
    case ISA_le_u: return x[0] <= x[1];
    case ISA_atom_add: return m->atomics++ % 7;
    case ISA_ld: {
        bool moody = isa_is_watched(i) && i->space != ISA_PARAM;
        uint32_t place = i->space == ISA_PRIVATE || moody ? lane + m->atomics++ : 0;
        bool racing = i->space != ISA_PARAM && m->lanes > 32; /* warps read at different times */
        if (racing) place += 100 + (lane / 32 ? m->atomics++ : 0);
        return mix(x[0] + (uint32_t)i->imm, 8 * place + i->space);
    }
    }
    abort();
}

static bool on(uint64_t mask, unsigned lane) { return mask >> lane & 1; }

/* Lanes in a piece of the span; 0: this machine is not the one to judge. */
static unsigned piece_of(const struct machine *m, unsigned span) {
    if (m->lanes > 32) return span == SHAPE_GROUP ? LANES : 0;
    return span == SHAPE_VARYING ? 0 : shape_span_lanes(span);
}

static uint64_t lanes_from(unsigned first, unsigned count) {
    return (count == 64 ? ~0ull : (1ull << count) - 1) << first;
}

static void check_number(const struct machine *m, isa_operand reg, uint32_t v) {
    struct interval s = numbers_signed(m->n, m->k, reg), u = numbers_unsigned(m->n, m->k, reg);
    unsigned zeros = numbers_zeros(m->n, m->k, reg);
    check(s.least <= (int32_t)v && (int32_t)v <= s.most, "between what a register lies");
    check(u.least <= v && v <= u.most, "between what it lies without a sign");
    check(zeros < 32 ? !(v & ((1u << zeros) - 1)) : !v, "low bits that are 0");
}

static void check_read(struct machine *m, isa_operand reg) {
    struct shape_value v = m->s->regs[reg];
    const uint32_t *now = m->regs[reg];
    bool uniform = m->lanes == 32 && shape_is_uniform(m->s, reg);
    unsigned piece = piece_of(m, v.span);
    for (unsigned a = 0; a < m->lanes; a++) {
        if (!on(m->active, a)) continue;
        if (m->lanes == 32) check(!m->stale[reg][a], "a blind write has harmed a lane");
        if (uniform) check(m->scalar[reg] == now[a], "a scalar is out of date");
        if (m->k->reg_types[reg] != ISA_I32) continue;
        check_number(m, reg, now[a]);
        if (!piece) continue;
        uint64_t before = m->active & lanes_from(a / piece * piece, a % piece);
        unsigned b = before ? (unsigned)__builtin_ctzll(before) : a;
        check(now[a] - now[b] == (uint32_t)v.stride * (a - b), "stride of a register");
        unsigned lanes = v.span == SHAPE_GROUP ? LANES : piece;
        uint32_t base = now[a] - (uint32_t)v.stride * ((m->first + a) % lanes);
        check(v.align == 32 ? !base : !(base & ((1u << v.align) - 1)), "alignment of a base");
    }
}

static void write_reg(struct machine *m, const struct isa_inst *i) {
    isa_operand dst = isa_dsts(m->k, i)[0];
    bool blind = !(m->s->inst_flags[m->at] & SHAPE_MASKED);
    uint32_t values[LANES];
    for (unsigned a = 0; a < m->lanes; a++)
        if (on(m->active, a)) values[a] = compute(m, i, a);
    for (unsigned a = 0; a < m->lanes; a++) {
        if (on(m->active, a)) {
            m->regs[dst][a] = m->scalar[dst] = values[a];
            m->stale[dst][a] = false;
        } else if (blind) {
            m->stale[dst][a] = true;
        }
    }
}

/* Every piece of the claimed span has its lanes, of those that take part, all go or all stay. */
static void check_branch(struct machine *m, uint64_t part, uint64_t go) {
    unsigned piece = piece_of(m, shape_branch(m->s, m->at));
    for (unsigned a = 0; piece && a < m->lanes; a += piece) {
        uint64_t lanes = lanes_from(a, piece) & part;
        check(!(lanes & go) || !(lanes & ~go), "lanes that should go together");
    }
}

static uint64_t lanes_where(const struct machine *m, const struct isa_inst *i) {
    uint64_t mask = 0;
    for (unsigned a = 0; a < m->lanes; a++)
        if (on(m->active, a) && source_value(m, isa_srcs(m->k, i)[0], a)) mask |= 1ull << a;
    return mask;
}

/* The lanes that are in open[d], waiting for its later parts included, without its exit. */
static uint64_t inside(const struct machine *m, unsigned d) {
    uint64_t mask = m->active;
    for (unsigned n = d; n < m->depth; n++) {
        const struct open *o = &m->open[n];
        mask |= o->next | o->other | (n > d ? o->exit : 0);
    }
    return mask;
}

static void jump(struct machine *m, const struct isa_inst *i, uint64_t go) {
    unsigned d = i->op == ISA_ret ? 0 : m->depth - 1 - (unsigned)i->imm;
    uint64_t part = inside(m, d);
    if (i->op == ISA_ret) {
        part |= m->depth ? m->open[0].exit : 0;
    } else if (i->op == ISA_continue) {
        part &= ~m->open[d].next;
        m->open[d].next |= go;
    } else {
        m->open[d].exit |= go;
    }
    check_branch(m, part, go);
    m->active &= ~go;
}

static void enter(struct machine *m, uint64_t other) {
    m->open[m->depth++] = (struct open){.begin = m->at, .other = other, .entry = m->active};
}

static void end_loop(struct machine *m) {
    struct open *o = &m->open[m->depth - 1];
    uint64_t left = m->active | o->next;
    if (m->active && shape_branch(m->s, m->at) >= (m->lanes > 32 ? SHAPE_GROUP : SHAPE_WARP))
        check(left == o->entry, "all lanes come round");
    o->next = 0;
    m->active = left;
    if (left) {
        o->entry = left;
        m->at = o->begin;
        return;
    }
    m->active = o->exit;
    m->depth--;
}

static void execute_control(struct machine *m, const struct isa_inst *i) {
    struct open *top = m->depth ? &m->open[m->depth - 1] : NULL;
    uint64_t go;
    switch (i->op) {
    case ISA_if:
        go = lanes_where(m, i);
        check_branch(m, m->active, go);
        enter(m, m->active & ~go);
        m->active = go;
        break;
    case ISA_else: /* `exit` of an if: lanes that have done the first part */
        go = m->active;
        m->active = top->other;
        top->other = 0;
        top->exit = go;
        break;
    case ISA_endif:
        m->active |= top->other | top->exit;
        m->depth--;
        break;
    case ISA_loop:
    case ISA_block: enter(m, 0); break;
    case ISA_endblock:
        m->active |= top->exit;
        m->depth--;
        break;
    case ISA_endloop: end_loop(m); break;
    case ISA_breakif: jump(m, i, lanes_where(m, i)); break;
    default: jump(m, i, m->active);
    }
}

static void check_full(const struct machine *m) {
    unsigned piece = piece_of(m, shape_full(m->s, m->at));
    for (unsigned a = 0; piece && a < m->lanes; a += piece) {
        uint64_t lanes = lanes_from(a, piece);
        check(!(m->active & lanes) || !(lanes & ~m->active), "a mask that should be full");
    }
}

/* No lane is left behind instruction `at`: an engine must have been told. */
static void check_empty(struct machine *m, const struct isa_inst *i, uint32_t at, bool real) {
    bool told = m->s->inst_flags[at] & SHAPE_MAY_EMPTY;
    switch (i->op) {
    case ISA_break:
    case ISA_continue:
    case ISA_ret:
        if (!real) m->dead_from = m->depth;
        m->elsewhere = real;
        return;
    case ISA_else: /* of a real branch: the engine goes to endif */
        real = shape_branch(m->s, m->open[m->depth - 1].begin) >= SHAPE_WARP;
    }
    check(told || real, "a mask that should not be empty");
    m->elsewhere = true;
}

/* With an empty mask the machine walks on, as some engines do not; values are not checked then. */
static void step(struct machine *m) {
    const struct isa_inst *i = &m->k->insts[m->at];
    const isa_operand *src = isa_srcs(m->k, i);
    uint32_t at = m->at, flags = isa_op_info[i->op].flags;
    bool was_active = m->active;
    bool real = shape_branch(m->s, at) >= SHAPE_WARP && flags & (ISA_OP_JUMP | ISA_OP_REGION_BEGIN);
    bool ends = flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END);
    if (was_active) m->elsewhere = false;
    if (was_active || (ends && m->depth <= m->dead_from)) m->dead_from = ~0u;
    bool followed = !m->elsewhere && m->dead_from == ~0u && m->lanes == 32;
    if (was_active) {
        check_full(m);
        for (unsigned n = 0; n < i->nsrc; n++)
            if (isa_is_reg(src[n])) check_read(m, src[n]);
    }
    if (i->ndst) {
        if (was_active) write_reg(m, i);
    } else {
        execute_control(m, i);
        if (!m->active && followed) check_empty(m, i, at, real);
    }
    m->at++;
}

static void run(struct machine m, unsigned first, unsigned lanes) {
    m.first = first;
    m.lanes = lanes;
    m.active = m.all = lanes == 64 ? ~0ull : 0xffffffffu;
    for (unsigned steps = 0; m.at < m.k->ninsts && steps < STEPS && !wrong; steps++) step(&m);
    if (wrong) fprintf(stderr, "instruction %u, lanes %u: %s\n", m.at, lanes, wrong);
}

/* ---- */

static bool try_seed(uint64_t seed, uint64_t counts[SHAPE_GROUP + 1]) {
    uint32_t size[3];
    struct isa_module *m = make_module(seed, size);
    struct isa_error error;
    bool good = isa_verify(m, &error);
    if (!good) fprintf(stderr, "%s\n", error.text);
    struct numbers numbers;
    struct shape *s = good ? shape_new(m->kernels[0], size) : NULL;
    struct arena *arena = good ? numbers_new(&numbers, m->kernels[0], size) : NULL;
    if (s && arena) {
        const struct machine start = {
            .k = m->kernels[0], .s = s, .n = &numbers, .size = size, .dead_from = ~0u};
        run(start, 0, 32);
        run(start, 32, 32);
        run(start, 0, 64);
        for (uint32_t r = 0; r < m->kernels[0]->nregs; r++) counts[s->regs[r].span]++;
    }
    good = s && arena && !wrong;
    if (!good) {
        size_t length;
        char *text = isa_print(m, &length);
        fprintf(stderr, "seed %llu, size %u %u %u\n", (unsigned long long)seed, size[0], size[1],
                size[2]);
        if (text) fputs(text, stderr);
        free(text);
    }
    shape_free(s);
    arena_free(arena);
    isa_module_free(m);
    return good;
}

int main(int argc, char **argv) {
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, counts[SHAPE_GROUP + 1] = {0};
    for (uint64_t n = 0; n < count; n++, seed++)
        if (!try_seed(seed, counts)) return 1;
    printf("%llu kernels; registers varying", (unsigned long long)count);
    printf(" %llu", (unsigned long long)counts[SHAPE_VARYING]);
    for (unsigned span = SHAPE_FOUR; span < SHAPE_GROUP; span++)
        printf(", of %u lanes %llu", shape_span_lanes(span), (unsigned long long)counts[span]);
    printf(", group %llu\n", (unsigned long long)counts[SHAPE_GROUP]);
    return 0;
}
