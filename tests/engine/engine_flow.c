/* Control flow: random structured programs, with lanes leaving loops, blocks and the kernel
 * wherever they like, against an oracle that runs each work-item by itself and knows no masks. */
#include <string.h>

#include "run.h"

enum { ITEMS = 80, LOCAL = 40, SLOTS = 32, PROGRAMS = 1500, TYPES = 4, VARS = 5, FUEL = 4000000 };

/* ---- random programs ---- */

static uint64_t seed;
static uint32_t any(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static const enum isa_type var_types[TYPES] = {ISA_I32, ISA_I8, ISA_I16, ISA_I64};

struct flow_program {
    struct isa_kernel *k;
    isa_operand vars[TYPES][VARS], preds[VARS], memory, own;
    uint8_t open[16]; /* 'i' if, 'l' loop, 'b' block */
    uint32_t depth, left;
};

static void emit(struct flow_program *p, enum isa_op op, enum isa_type type, enum isa_type type2,
                 isa_operand d, isa_operand a, isa_operand b, isa_operand c) {
    isa_operand src[3] = {a, b, c};
    uint32_t n = 0;
    while (n < 3 && src[n] != ISA_NO_OPERAND) n++;
    isa_emit(p->k, op, type, type2, d != ISA_NO_OPERAND, &d, n, src);
}
#define NO ISA_NO_OPERAND

static isa_operand constant(struct flow_program *p, enum isa_type type) {
    return isa_const_new(p->k, type,
                         any(3) ? any(8) : (uint64_t)any(1u << 30) * 0x9e3779b97f4a7c15u);
}
static isa_operand value(struct flow_program *p, int t) {
    return any(4) ? p->vars[t][any(VARS)] : constant(p, var_types[t]);
}
static isa_operand pred(struct flow_program *p) {
    return any(12) ? p->preds[any(VARS)] : isa_const_new(p->k, ISA_PRED, any(2));
}

static void compute(struct flow_program *p) {
    static const enum isa_op ops[] = {ISA_add, ISA_sub, ISA_mul,   ISA_and,  ISA_or,
                                      ISA_xor, ISA_shl, ISA_shr_u, ISA_min_s};
    static const enum isa_op tests[] = {ISA_eq, ISA_ne, ISA_lt_s, ISA_le_u};
    static const enum isa_op logic[] = {ISA_and, ISA_or, ISA_xor};
    int t = any(3) ? 0 : (int)any(TYPES);
    enum isa_type type = var_types[t];
    isa_operand d = p->vars[t][any(VARS)], q = p->preds[any(VARS)];
    switch (any(9)) {
    default: emit(p, ops[any(9)], type, ISA_NONE_T, d, value(p, t), value(p, t), NO); break;
    case 0:
    case 1: emit(p, tests[any(4)], ISA_PRED, type, q, value(p, t), value(p, t), NO); break;
    case 2: emit(p, ISA_mov, type, ISA_NONE_T, d, value(p, t), NO, NO); break;
    case 3: emit(p, ISA_select, type, ISA_NONE_T, d, pred(p), value(p, t), value(p, t)); break;
    case 4:
        switch (any(4)) {
        case 0: emit(p, logic[any(3)], ISA_PRED, ISA_NONE_T, q, pred(p), pred(p), NO); break;
        case 1: emit(p, ISA_not, ISA_PRED, ISA_NONE_T, q, pred(p), NO, NO); break;
        case 2: emit(p, ISA_mov, ISA_PRED, ISA_NONE_T, q, pred(p), NO, NO); break;
        default: emit(p, ISA_select, ISA_PRED, ISA_NONE_T, q, pred(p), pred(p), pred(p));
        }
        break;
    case 5: {
        int from = (int)any(TYPES);
        unsigned size = isa_type_size[type], other = isa_type_size[var_types[from]];
        if (size == other) break;
        emit(p,
             size < other ? ISA_trunc
             : any(2)     ? ISA_sext
                          : ISA_zext,
             type, var_types[from], d, value(p, from), NO, NO);
    }
    }
}

/* A result with one user, which an engine may make a part of it; what it reads may change in
 * between. */
static void chain(struct flow_program *p) {
    isa_operand t = isa_reg_new(p->k, ISA_I32), u = isa_reg_new(p->k, ISA_I32),
                d = p->vars[0][any(VARS)];
    emit(p, any(2) ? ISA_mul : ISA_shl, ISA_I32, ISA_NONE_T, t, value(p, 0), value(p, 0), NO);
    if (!any(3)) compute(p);
    bool first = any(2);
    isa_operand other = value(p, 0);
    emit(p, ISA_add, ISA_I32, ISA_NONE_T, any(2) ? d : u, first ? t : other, first ? other : t, NO);
    if (!any(3)) compute(p);
    emit(p, ISA_mov, ISA_I32, ISA_NONE_T, d, u, NO, NO);
}

static void access(struct flow_program *p) {
    int t = (int)any(TYPES);
    bool own = any(2), store = any(2);
    isa_operand at = own ? any(2) ? p->own : NO : p->memory, d = p->vars[t][any(VARS)],
                both[2] = {at, value(p, t)};
    struct isa_inst *i = store ? isa_emit(p->k, ISA_st, var_types[t], ISA_NONE_T, 0, NULL, 2, both)
                               : isa_emit(p->k, ISA_ld, var_types[t], ISA_NONE_T, 1, &d, 1, &at);
    i->space = own ? ISA_PRIVATE : ISA_GLOBAL;
    i->imm = (int32_t)(own ? 16 + any(40) : any(SLOTS * 4 - 7));
}

/* A region some way out that `what` may name. */
static int target(struct flow_program *p, const char *what) {
    for (int tries = 0; p->depth && tries < 8; tries++) {
        uint32_t n = any(p->depth);
        if (strchr(what, p->open[p->depth - 1 - n])) return (int)n;
    }
    return -1;
}

static void jump(struct flow_program *p, enum isa_op op, isa_operand src, int imm) {
    isa_emit(p->k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, src != NO, &src)->imm = imm;
}

static void statements(struct flow_program *p, uint32_t count);

static void region(struct flow_program *p, char kind, uint32_t count) {
    p->open[p->depth++] = (uint8_t)kind;
    statements(p, count);
    p->depth--;
}

static void statement(struct flow_program *p) {
    isa_operand n = NO, cond;
    int to;
    p->left--;
    switch (any(p->depth < 6 ? 16 : 12)) {
    default: compute(p); break;
    case 0: access(p); break;
    case 1: any(2) ? access(p) : chain(p); break;
    case 2:
    case 3:
        if ((to = target(p, "lb")) >= 0) jump(p, ISA_breakif, pred(p), to);
        break;
    case 4:
        if (any(2) && (to = target(p, "lb")) >= 0)
            jump(p, ISA_break, NO, to);
        else if (any(2) && (to = target(p, "l")) >= 0)
            jump(p, ISA_continue, NO, to);
        else if (!any(6))
            jump(p, ISA_ret, NO, 0);
        break;
    case 12:
    case 13:
        jump(p, ISA_if, pred(p), 0);
        region(p, 'i', 1 + any(4));
        if (any(2)) {
            jump(p, ISA_else, NO, 0);
            region(p, 'i', 1 + any(4));
        }
        jump(p, ISA_endif, NO, 0);
        break;
    case 14: /* ends: it counts its iterations before anything can go on with the next one */
        n = isa_reg_new(p->k, ISA_I32);
        cond = isa_reg_new(p->k, ISA_PRED);
        emit(p, ISA_mov, ISA_I32, ISA_NONE_T, n, isa_const_new(p->k, ISA_I32, 0), NO, NO);
        jump(p, ISA_loop, NO, 0);
        emit(p, ISA_add, ISA_I32, ISA_NONE_T, n, n, isa_const_new(p->k, ISA_I32, 1), NO);
        emit(p, ISA_lt_s, ISA_PRED, ISA_I32, cond, isa_const_new(p->k, ISA_I32, 1 + any(4)), n, NO);
        jump(p, ISA_breakif, cond, 0);
        if (any(2)) emit(p, ISA_mov, ISA_I32, ISA_NONE_T, p->vars[0][0], n, NO, NO);
        region(p, 'l', 1 + any(6));
        jump(p, ISA_endloop, NO, 0);
        break;
    case 15:
        jump(p, ISA_block, NO, 0);
        region(p, 'b', 1 + any(6));
        jump(p, ISA_endblock, NO, 0);
    }
}

static void statements(struct flow_program *p, uint32_t count) {
    while (count-- && p->left) statement(p);
}

static struct isa_module *generate(uint64_t number) {
    seed = number * 0x9e3779b97f4a7c15u + 1;
    struct isa_module *m = isa_module_new();
    struct flow_program p = {.k = isa_kernel_new(m, "random"), .left = 120};
    struct isa_param *param = isa_kernel_add_param(p.k, "memory", "int*");
    param->kind = ISA_PARAM_GLOBAL;
    param->size = param->align = p.k->param_bytes = 4;
    p.k->private_bytes = 80;
    for (int v = 0; v < VARS; v++) {
        for (int t = 0; t < TYPES; t++) p.vars[t][v] = isa_reg_new(p.k, var_types[t]);
        p.preds[v] = isa_reg_new(p.k, ISA_PRED);
    }
    p.memory = isa_reg_new(p.k, ISA_I32);
    p.own = isa_reg_new(p.k, ISA_I32);
    isa_operand id = isa_reg_new(p.k, ISA_I32), none = NO;
    isa_emit(p.k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &p.memory, 1, &none)->space = ISA_PARAM;
    isa_emit(p.k, ISA_special, ISA_I32, ISA_NONE_T, 1, &id, 0, NULL)->imm = ISA_SPECIAL_global_id_x;
    emit(&p, ISA_mul, ISA_I32, ISA_NONE_T, p.own, id, isa_const_new(p.k, ISA_I32, SLOTS * 4), NO);
    emit(&p, ISA_add, ISA_I32, ISA_NONE_T, p.memory, p.memory, p.own, NO);
    emit(&p, ISA_and, ISA_I32, ISA_NONE_T, p.own, id, isa_const_new(p.k, ISA_I32, 15), NO);
    for (int32_t o = 16; o < 80; o += 4) {
        isa_operand both[2] = {NO, isa_const_new(p.k, ISA_I32, 0)};
        struct isa_inst *i = isa_emit(p.k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, both);
        i->space = ISA_PRIVATE;
        i->imm = o;
    }
    /* Some variables differ by lane, some by warp, some not at all; the rest is read before it is
     * written. */
    if (any(4)) emit(&p, ISA_mov, ISA_I32, ISA_NONE_T, p.vars[0][0], id, NO, NO);
    if (any(4))
        emit(&p, ISA_and, ISA_I32, ISA_NONE_T, p.vars[0][1], id, isa_const_new(p.k, ISA_I32, 3),
             NO);
    if (any(2))
        emit(&p, ISA_shr_u, ISA_I32, ISA_NONE_T, p.vars[0][2], id, isa_const_new(p.k, ISA_I32, 5),
             NO);
    while (p.left) statement(&p);
    for (int v = 0; v < VARS; v++)
        for (int t = 0; t < TYPES; t++) {
            isa_operand both[2] = {p.memory, p.vars[t][v]};
            struct isa_inst *i = isa_emit(p.k, ISA_st, var_types[t], ISA_NONE_T, 0, NULL, 2, both);
            i->space = ISA_GLOBAL;
            i->imm = (v * TYPES + t) * 6;
        }
    run_verify(m);
    return m;
}

/* ---- the oracle ---- */

struct item {
    const struct isa_kernel *k;
    uint64_t *regs;
    uint32_t id, memory; /* address the kernel was given */
    char *at, own[80];   /* that address, here; the item's private frame */
};

static uint64_t cut(uint64_t x, enum isa_type type) {
    return type == ISA_PRED           ? x & 1
           : isa_type_size[type] == 8 ? x
                                      : x & ((1ull << isa_type_size[type] * 8) - 1);
}
static int64_t widen(uint64_t x, enum isa_type type) {
    int unused = 64 - 8 * isa_type_size[type];
    return (int64_t)(x << unused) >> unused;
}
static uint64_t get(const struct item *t, isa_operand o) {
    if (o == NO) return 0;
    return isa_is_const(o) ? t->k->consts[isa_const_index(o)].bits : t->regs[o];
}

static uint64_t evaluate(const struct item *t, const struct isa_inst *i, uint64_t a, uint64_t b,
                         uint64_t c) {
    int width = 8 * isa_type_size[i->type];
    switch (i->op) {
    case ISA_mov: return a;
    case ISA_special: return t->id;
    case ISA_add: return a + b;
    case ISA_sub: return a - b;
    case ISA_mul: return a * b;
    case ISA_and: return a & b;
    case ISA_or: return a | b;
    case ISA_xor: return a ^ b;
    case ISA_not: return ~a;
    case ISA_shl: return a << b % (unsigned)width;
    case ISA_shr_u: return a >> b % (unsigned)width;
    case ISA_min_s: return widen(a, i->type) < widen(b, i->type) ? a : b;
    case ISA_eq: return a == b;
    case ISA_ne: return a != b;
    case ISA_lt_s: return widen(a, i->type2) < widen(b, i->type2);
    case ISA_le_u: return a <= b;
    case ISA_select: return a ? b : c;
    case ISA_trunc:
    case ISA_zext: return a;
    case ISA_sext: return (uint64_t)widen(a, i->type2);
    default: CHECK(false, "the oracle does not know %s", isa_op_info[i->op].name);
    }
    return 0;
}

static uint32_t end_of(const struct isa_kernel *k, uint32_t i) {
    while (!(isa_op_info[k->insts[i].op].flags & ISA_OP_REGION_END)) i = k->insts[i].match;
    return i;
}

/* False: it takes too long to be worth it. */
static bool run_item(struct item *t) {
    uint32_t open[32], depth = 0, fuel = FUEL / ITEMS;
    const struct isa_kernel *k = t->k;
    for (uint32_t pc = 0; pc < k->ninsts; pc++) {
        const struct isa_inst *i = &k->insts[pc];
        const isa_operand *src = isa_srcs(k, i);
        uint64_t a = i->nsrc > 0 ? get(t, src[0]) : 0, b = i->nsrc > 1 ? get(t, src[1]) : 0;
        uint64_t c = i->nsrc > 2 ? get(t, src[2]) : 0;
        if (!fuel--) return false;
        switch (i->op) {
        case ISA_if:
            open[depth++] = pc;
            if (!a) {
                pc = i->match;
                if (k->insts[pc].op == ISA_endif) depth--;
            }
            break;
        case ISA_else: pc = i->match; /* fall through */
        case ISA_endif:
        case ISA_endblock: depth--; break;
        case ISA_loop:
        case ISA_block: open[depth++] = pc; break;
        case ISA_endloop: pc = open[depth - 1]; break;
        case ISA_breakif:
            if (!a) break; /* fall through */
        case ISA_break:
            depth -= (uint32_t)i->imm + 1;
            pc = end_of(k, open[depth]);
            break;
        case ISA_continue:
            depth -= (uint32_t)i->imm;
            pc = open[depth - 1];
            break;
        case ISA_ret: return true;
        case ISA_ld:
        case ISA_st: {
            uint32_t size = isa_type_size[i->type];
            char *at = i->space == ISA_PRIVATE ? t->own + a + i->imm
                                               : t->at + ((uint32_t)a - t->memory) + i->imm;
            uint64_t v = 0;
            if (i->op == ISA_st) {
                memcpy(at, &b, size);
            } else {
                if (i->space == ISA_PARAM)
                    v = t->memory;
                else
                    memcpy(&v, at, size);
                t->regs[isa_dsts(k, i)[0]] = v;
            }
            break;
        }
        default: t->regs[isa_dsts(k, i)[0]] = cut(evaluate(t, i, a, b, c), i->type);
        }
    }
    return true;
}

/* ---- both ---- */

static void compare(uint64_t number, struct memory *memory, uint32_t address, uint32_t *results) {
    enum { BYTES = ITEMS * SLOTS * 4 };
    static char expected[BYTES];
    struct isa_module *m = generate(number);
    const struct isa_kernel *k = m->kernels[0];
    char *at = memory_at(memory_base(memory), address);
    for (int b = 0; b < BYTES; b++) at[b] = expected[b] = (char)(b * 7);
    bool ends = true;
    uint64_t *regs = malloc(k->nregs * sizeof *regs);
    for (uint32_t n = 0; n < ITEMS && ends; n++) {
        struct item t = {.k = k, .regs = regs, .id = n, .memory = address, .at = expected};
        memset(regs, 0, k->nregs * sizeof *regs);
        ends = run_item(&t);
    }
    free(regs);
    if (ends) {
        struct fault f = run_kernel(memory, m, k, (struct size3){{ITEMS, 1, 1}},
                                    (struct size3){{LOCAL, 1, 1}}, &address);
        CHECK(f.kind == FAULT_NONE, "program %llu: fault %d", (unsigned long long)number, f.kind);
        for (int b = 0; b < BYTES; b++) {
            if (at[b] == expected[b]) continue;
            size_t length;
            char *text = isa_print(m, &length);
            puts(text);
            CHECK(false, "program %llu: item %d, byte %d is %d, not %d", (unsigned long long)number,
                  b / (SLOTS * 4), b % (SLOTS * 4), at[b], expected[b]);
        }
        for (int b = 0; b < BYTES; b++) *results = *results * 31 + (uint8_t)at[b];
    }
    isa_module_free(m);
}

static int first, count = PROGRAMS;

static void all(void *results) {
    struct memory *memory = memory_new(1 << 20);
    uint32_t address = memory_alloc(memory, ITEMS * SLOTS * 4, 128);
    for (int n = first; n < first + count; n++)
        compare((uint64_t)n, memory, address, (uint32_t *)results + (n - first));
    memory_free(memory);
}

int main(int argc, char **argv) {
    if (argc > 1) first = atoi(argv[1]);
    if (argc > 2) count = atoi(argv[2]);
    return run_levels("flow", all, (size_t)count * 4) != 0;
}
