/* Random kernels, run by the interpreter and as native code on each level: all must leave the same
 * bits.
 *
 *   fuzz_kernels [--count N] [--seed S] [--levels 0|1|2|3] [--print]
 *
 * Each module of 16 kernels has a seed; with --levels 1 the seed says which level is compiled for.
 *
 * A kernel works on registers of all types, some uniform, some not, under nested control flow; each
 * work-item loads from a table anybody may read, stores to a row of its own, and trades values with
 * its group over barriers. A value that could be a NaN is not looked at bit by bit: which payload
 * survives is open. */
#include <string.h>

#include "contest.h"

enum { REGS = 6, ROW = 64, ITEMS = 256, TABLE = 4096, TYPES = ISA_F64 + 1, BATCH = 16 };
enum { FRAME = 96, COUNTERS = 256, MOST_COMPONENTS = 16 };
/* Bytes of a kernel's results: a row for each item, counters for all, and for each element's size
 * and number of components a place for every item. */
enum { COUNTS_SUM = 1 + 2 + 3 + 4 + 8 + 16, PLACES = 15 * COUNTS_SUM * ITEMS };
enum { RESULTS = ITEMS * ROW + COUNTERS + PLACES };
enum { TABLE_BYTES = ITEMS * 64 + 512 };

static uint64_t state;
static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

struct maker {
    struct isa_kernel *k;
    isa_operand regs[TYPES][REGS]; /* the first two of a type hold what is uniform at first */
    isa_operand row, thread, item; /* address of the item's results; its numbers, in the group and
                                      of all */
    uint32_t depth, budget;
    uint32_t loops;      /* open loops whose turns are the same for all */
    bool doubles, apart; /* apart: lanes may have gone different ways */
};

static isa_operand reg(struct maker *m, enum isa_type t) { return m->regs[t][any(REGS)]; }

static isa_operand operand(struct maker *m, enum isa_type t) {
    static const uint32_t floats[] = {0,          0x3f800000, 0xbf800000, 0x80000000, 0x00400000,
                                      0x7f800000, 0x40490fdb, 0x4b000001, 0xc1200000, 0x33800000};
    if (any(4)) return reg(m, t);
    if (t == ISA_PRED) return isa_const_new(m->k, t, any(2));
    if (t == ISA_F32) return isa_const_new(m->k, t, floats[any(10)]);
    if (t == ISA_F64)
        return isa_const_new(m->k, t, (uint64_t)(1000 + any(50)) << 52 | any(1 << 20));
    uint64_t bits = any(3) ? any(40) : (uint64_t)any(0xffffffff) << any(40);
    return isa_const_new(m->k, t, any(4) ? bits : 0 - bits);
}

static struct isa_inst *emit(struct maker *m, enum isa_op op, enum isa_type t, enum isa_type u,
                             isa_operand d, unsigned n, const isa_operand *s) {
    return isa_emit(m->k, op, t, u, d == ISA_NO_OPERAND ? 0 : 1, &d, n, s);
}

static enum isa_type any_type(const struct maker *m, uint32_t allowed) {
    for (;;) {
        enum isa_type t = (enum isa_type)any(TYPES);
        if (t == ISA_F64 && !m->doubles) continue;
        if (allowed >> t & 1) return t;
    }
}

/* Replaces a NaN: its payload is nobody's promise. */
static void settle(struct maker *m, isa_operand r, enum isa_type t) {
    if (t != ISA_F32 && t != ISA_F64) return;
    isa_operand p = isa_emit1(m->k, ISA_funo, ISA_PRED, t, r, r, ISA_NO_OPERAND);
    isa_operand one = isa_const_new(m->k, t, t == ISA_F32 ? 0x3f800000 : 0x3ff0000000000000);
    emit(m, ISA_select, t, ISA_NONE_T, r, 3, (isa_operand[]){p, one, r});
}

static void compute(struct maker *m) {
    static const char exact[] = "t:t t:tt t:ttt t:ptt p:uu t:u ";
    for (;;) {
        enum isa_op op = (enum isa_op)any(ISA_ld);
        const struct isa_op_info *info = &isa_op_info[op];
        char shape[16];
        snprintf(shape, sizeof shape, "%s ", info->operands);
        if (!(info->flags & ISA_OP_PURE) || !strstr(exact, shape) ||
            (info->types == 1 << ISA_F64 && !m->doubles))
            continue;
        /* minimum and maximum of a denormal, or of two zeros, may keep or flush it */
        if (op == ISA_fmin || op == ISA_fmax) continue;
        enum isa_type t = any_type(m, info->types), u = ISA_NONE_T;
        if (info->types2) u = any_type(m, info->types2);
        if ((op == ISA_bits && isa_type_size[t] != isa_type_size[u]) || (op == ISA_f2f && t == u))
            continue;
        if (op == ISA_trunc && isa_type_size[t] >= isa_type_size[u]) continue;
        if ((op == ISA_sext || op == ISA_zext) && isa_type_size[t] <= isa_type_size[u]) continue;
        isa_operand src[3];
        unsigned n = 0;
        for (const char *c = strchr(info->operands, ':') + 1; *c; c++)
            src[n++] = operand(m, *c == 't' ? t : *c == 'p' ? ISA_PRED : u);
        isa_operand d = reg(m, t);
        struct isa_inst *i = emit(m, op, t, u, d, n, src);
        if (info->flags & ISA_OP_ROUNDS) i->mod = (uint8_t)any(ISA_ROUNDING_COUNT);
        settle(m, d, t);
        return;
    }
}

static isa_operand word(struct maker *m, uint32_t v) { return isa_const_new(m->k, ISA_I32, v); }

static isa_operand param(struct maker *m, uint32_t offset) {
    isa_operand d = isa_reg_new(m->k, ISA_I32), none = ISA_NO_OPERAND;
    struct isa_inst *i = emit(m, ISA_ld, ISA_I32, ISA_NONE_T, d, 1, &none);
    i->space = ISA_PARAM;
    i->imm = (int32_t)offset;
    return d;
}

static void load(struct maker *m) {
    enum isa_type t = any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 |
                                      1 << ISA_F32 | 1 << ISA_F64);
    isa_operand index = any(2) ? reg(m, ISA_I32) : m->thread, at, base = param(m, 0);
    isa_operand scale = word(m, any(2) ? isa_type_size[t] : 1 + any(16));
    at = isa_emit1(m->k, ISA_mul, ISA_I32, ISA_NONE_T, index, scale, ISA_NO_OPERAND);
    if (any(2))
        at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, reg(m, ISA_I32), ISA_NO_OPERAND);
    if (index != m->thread || any(2))
        at = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, at, word(m, TABLE / 2 - 1),
                       ISA_NO_OPERAND);
    at = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, at, word(m, TABLE - 1), ISA_NO_OPERAND);
    at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, base, ISA_NO_OPERAND);
    isa_operand d[4];
    unsigned count = (unsigned[]){1, 1, 2, 4}[any(4)], first = any(REGS - 3);
    for (unsigned c = 0; c < count; c++) d[c] = m->regs[t][first + c];
    struct isa_inst *i = isa_emit(m->k, ISA_ld, t, ISA_NONE_T, count, d, 1, &at);
    i->space = any(3) ? ISA_GLOBAL : ISA_CONSTANT;
    i->imm = (int32_t)any(16);
    for (unsigned c = 0; c < count; c++) settle(m, d[c], t);
}

static void store(struct maker *m) {
    enum isa_type t = any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 |
                                      1 << ISA_F32 | 1 << ISA_F64);
    isa_operand src[5] = {m->row};
    unsigned count = (unsigned[]){1, 1, 2, 4}[any(4)];
    for (unsigned c = 0; c < count; c++) src[1 + c] = operand(m, t);
    struct isa_inst *i = isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 1 + count, src);
    i->space = ISA_GLOBAL;
    i->imm = (int32_t)any(ROW - 31);
}

static unsigned any_count(unsigned *before) {
    static const uint8_t counts[] = {1, 2, 3, 4, 8, 16};
    unsigned n = any(6);
    *before = 0;
    for (unsigned c = 0; c < n; c++) *before += counts[c];
    return counts[n];
}

static isa_operand scaled(struct maker *m, isa_operand index, uint32_t by, isa_operand base) {
    isa_operand at =
        isa_emit1(m->k, ISA_mul, ISA_I32, ISA_NONE_T, index, word(m, by), ISA_NO_OPERAND);
    return isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, base, ISA_NO_OPERAND);
}

/* Vectors evenly apart: loads from the table, stores to places where no other item nor any other
 * kind of store comes. */
static void even(struct maker *m) {
    enum isa_type t = any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 |
                                      1 << ISA_F32 | 1 << ISA_F64);
    unsigned before, count = any_count(&before), size = isa_type_size[t];
    isa_operand list[1 + MOST_COMPONENTS];
    if (any(2)) {
        uint32_t at = ITEMS * ROW + COUNTERS + ((size - 1) * COUNTS_SUM + before * size) * ITEMS;
        list[0] = scaled(m, m->item, size * count, param(m, 4));
        for (unsigned c = 0; c < count; c++) list[1 + c] = operand(m, t);
        struct isa_inst *i = isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 1 + count, list);
        i->space = ISA_GLOBAL;
        i->imm = (int32_t)at;
        return;
    }
    list[0] = scaled(m, m->thread, size * (1 + any(64 / size)), param(m, 0));
    for (unsigned c = 0; c < count; c++) list[1 + c] = isa_reg_new(m->k, t);
    struct isa_inst *i = isa_emit(m->k, ISA_ld, t, ISA_NONE_T, count, list + 1, 1, list);
    i->space = any(3) ? ISA_GLOBAL : ISA_CONSTANT;
    i->imm = (int32_t)any(128);
    for (unsigned n = 0; n < 2; n++) {
        isa_operand d = reg(m, t);
        emit(m, ISA_mov, t, ISA_NONE_T, d, 1, &list[1 + any(count)]);
        settle(m, d, t);
    }
}

/* Private memory: the address is inside for any value. */
static void own(struct maker *m) {
    static const uint32_t masks[] = {28, 30, 31, 24};
    enum isa_type t =
        any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 | 1 << ISA_F32);
    isa_operand at = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, operand(m, ISA_I32),
                               word(m, masks[any(4)]), ISA_NO_OPERAND);
    bool fixed = !any(3);
    if (fixed) at = ISA_NO_OPERAND;
    unsigned count = (unsigned[]){1, 1, 2, 4}[any(4)], first = any(REGS - 3);
    isa_operand list[5] = {at};
    for (unsigned c = 0; c < count; c++) list[1 + c] = m->regs[t][first + c];
    bool reads = any(2);
    struct isa_inst *i = reads ? isa_emit(m->k, ISA_ld, t, ISA_NONE_T, count, list + 1, 1, list)
                               : isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 1 + count, list);
    i->space = ISA_PRIVATE;
    i->imm = (int32_t)(16 + any(fixed ? 12 : 2) * 4);
    for (unsigned c = 0; reads && c < count; c++) settle(m, list[1 + c], t);
}

static enum isa_op any_atomic(void) {
    return (enum isa_op)(ISA_atom_add + any(ISA_atom_xor + 1 - ISA_atom_add));
}

/* Counters that all items of all groups change, by operations whose order does not matter. Each of
 * them has its own two. */
static void count(struct maker *m) {
    enum isa_type t = any(2) ? ISA_I32 : ISA_I64;
    enum isa_op op = any_atomic();
    if (op == ISA_atom_xchg) op = ISA_atom_add;
    int32_t place = op <= ISA_atom_sub ? 0 : op - ISA_atom_xchg;
    isa_operand at = param(m, 8);
    if (any(2)) {
        isa_operand which = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, reg(m, ISA_I32),
                                      word(m, 1), ISA_NO_OPERAND);
        which = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, which, word(m, 7), ISA_NO_OPERAND);
        at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, which, at, ISA_NO_OPERAND);
    }
    isa_operand old = isa_reg_new(m->k, t);
    struct isa_inst *i = emit(m, op, t, ISA_NONE_T, old, 2, (isa_operand[]){at, operand(m, t)});
    i->space = ISA_GLOBAL;
    i->imm = place * 8 + (t == ISA_I64) * 64;
}

/* Atomic operations where nobody else comes, on the item's own row or a place in local memory; the
 * old values are looked at. */
static void change(struct maker *m) {
    enum isa_type t = any(2) ? ISA_I32 : ISA_I64;
    bool local = any(2), swaps = !any(4);
    isa_operand at = m->row, operands[3];
    int32_t imm = (int32_t)any(ROW / 8) * 8;
    if (local) {
        isa_operand first = isa_reg_new(m->k, ISA_I32);
        isa_emit(m->k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &first, 0, NULL)->imm = imm =
            4 * ITEMS;
        at = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, m->thread, word(m, 3), ISA_NO_OPERAND);
        at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, first, ISA_NO_OPERAND);
        imm = 0;
        isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, operand(m, t)})
            ->space = ISA_LOCAL;
    }
    operands[0] = at;
    operands[1] = operand(m, t);
    operands[2] = operand(m, t);
    struct isa_inst *i = emit(m, swaps ? ISA_atom_cas : any_atomic(), t, ISA_NONE_T, reg(m, t),
                              swaps ? 3 : 2, operands);
    i->space = local ? ISA_LOCAL : ISA_GLOBAL;
    i->imm = imm;
    if (!local) return;
    emit(m, ISA_ld, t, ISA_NONE_T, reg(m, t), 1, &at)->space = ISA_LOCAL;
}

/* Over local memory to another work-item, where all of the group are. */
static void trade(struct maker *m) {
    isa_operand local = isa_reg_new(m->k, ISA_I32), at, from, size = isa_reg_new(m->k, ISA_I32);
    isa_emit(m->k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &local, 0, NULL);
    at = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, m->thread, word(m, 2), ISA_NO_OPERAND);
    at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, local, ISA_NO_OPERAND);
    isa_emit(m->k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, reg(m, ISA_I32)})
        ->space = ISA_LOCAL;
    isa_emit(m->k, ISA_bar, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = ISA_FENCE_LOCAL;
    isa_emit(m->k, ISA_special, ISA_I32, ISA_NONE_T, 1, &size, 0, NULL)->imm =
        ISA_SPECIAL_local_size_x;
    from = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, m->thread,
                     any(2) ? word(m, any(64)) : reg(m, ISA_I32), ISA_NO_OPERAND);
    from = isa_emit1(m->k, ISA_rem_u, ISA_I32, ISA_NONE_T, from, size, ISA_NO_OPERAND);
    from = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, from, word(m, 2), ISA_NO_OPERAND);
    from = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, from, local, ISA_NO_OPERAND);
    isa_operand d = reg(m, ISA_I32);
    emit(m, ISA_ld, ISA_I32, ISA_NONE_T, d, 1, &from)->space = ISA_LOCAL;
    isa_emit(m->k, ISA_bar, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = ISA_FENCE_LOCAL;
}

static void control(struct maker *m, enum isa_op op, int32_t imm, isa_operand p) {
    isa_emit(m->k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, p != ISA_NO_OPERAND, &p)->imm = imm;
}

static void body(struct maker *m);

static void branch(struct maker *m) {
    bool before = m->apart;
    m->apart = true;
    control(m, ISA_if, 0, operand(m, ISA_PRED));
    body(m);
    if (any(2)) {
        control(m, ISA_else, 0, ISA_NO_OPERAND);
        body(m);
    }
    control(m, ISA_endif, 0, ISA_NO_OPERAND);
    m->apart = before;
}

/* At most a few turns; lanes may leave or skip the rest of one on their own. */
static void loop(struct maker *m) {
    isa_operand n = isa_reg_new(m->k, ISA_I32);
    bool before = m->apart, own_way = any(2);
    emit(m, ISA_mov, ISA_I32, ISA_NONE_T, n, 1, (isa_operand[]){word(m, 1 + any(4))});
    control(m, ISA_loop, 0, ISA_NO_OPERAND);
    isa_operand done = isa_emit1(m->k, ISA_eq, ISA_PRED, ISA_I32, n, word(m, 0), ISA_NO_OPERAND);
    control(m, ISA_breakif, 0, done);
    emit(m, ISA_sub, ISA_I32, ISA_NONE_T, n, 2, (isa_operand[]){n, word(m, 1)});
    m->apart |= own_way;
    body(m);
    if (own_way) {
        control(m, ISA_breakif, 0, reg(m, ISA_PRED));
        body(m);
        control(m, ISA_if, 0, operand(m, ISA_PRED));
        control(m, any(2) ? ISA_continue : ISA_break, 1, ISA_NO_OPERAND);
        control(m, ISA_endif, 0, ISA_NO_OPERAND);
        body(m);
    }
    control(m, ISA_endloop, 0, ISA_NO_OPERAND);
    m->apart = before;
}

static void block(struct maker *m) {
    bool before = m->apart;
    m->apart = true;
    control(m, ISA_block, 0, ISA_NO_OPERAND);
    body(m);
    control(m, ISA_breakif, 0, operand(m, ISA_PRED));
    body(m);
    control(m, ISA_endblock, 0, ISA_NO_OPERAND);
    m->apart = before;
}

static void body(struct maker *m) {
    m->depth++;
    for (uint32_t n = 1 + any(6); n && m->budget; n--) {
        m->budget--;
        switch (any(m->depth < 5 ? 16 : 11)) {
        case 0: load(m); break;
        case 1: store(m); break;
        case 2: own(m); break;
        case 3: (any(2) ? count : change)(m); break;
        case 4: even(m); break;
        case 12: branch(m); break;
        case 13: loop(m); break;
        case 14: block(m); break;
        case 15:
            if (!m->apart) trade(m);
            break;
        default: compute(m);
        }
    }
    m->depth--;
}

static void make_kernel(struct isa_module *module, unsigned number) {
    char name[16];
    snprintf(name, sizeof name, "k%u", number);
    struct maker m = {.k = isa_kernel_new(module, name),
                      .budget = 10 + any(any(4) ? 25 : 70),
                      .doubles = any(3) == 0};
    struct isa_kernel *k = m.k;
    struct isa_param *p = isa_kernel_add_param(k, "table", "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .pointee_align = 1};
    p = isa_kernel_add_param(k, "out", "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .offset = 4,
                            .pointee_align = 1};
    p = isa_kernel_add_param(k, "counters", "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .offset = 8,
                            .pointee_align = 1};
    k->param_bytes = 12;
    k->local_bytes = 12 * ITEMS;
    k->private_bytes = FRAME;
    for (int t = ISA_PRED; t < TYPES; t++)
        for (int n = 0; n < REGS; n++) {
            if (t == ISA_F64 && !m.doubles) continue;
            m.regs[t][n] = isa_reg_new(k, (enum isa_type)t);
        }
    m.thread = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &m.thread, 0, NULL)->imm =
        ISA_SPECIAL_thread_id;
    isa_operand id = m.item = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &id, 0, NULL)->imm = ISA_SPECIAL_global_id_x;
    isa_operand at = isa_emit1(k, ISA_mul, ISA_I32, ISA_NONE_T, id, word(&m, ROW), ISA_NO_OPERAND);
    m.row = isa_emit1(k, ISA_add, ISA_I32, ISA_NONE_T, at, param(&m, 4), ISA_NO_OPERAND);
    emit(&m, ISA_mov, ISA_I32, ISA_NONE_T, m.regs[ISA_I32][2], 1, &id);
    emit(&m, ISA_mov, ISA_I32, ISA_NONE_T, m.regs[ISA_I32][3], 1, &m.thread);
    emit(&m, ISA_u2f, ISA_F32, ISA_I32, m.regs[ISA_F32][2], 1, &id);
    emit(&m, ISA_lt_u, ISA_PRED, ISA_I32, m.regs[ISA_PRED][2], 2,
         (isa_operand[]){m.thread, word(&m, any(64))});
    for (int32_t at = 16; at < FRAME; at += 8) {
        isa_operand src[] = {ISA_NO_OPERAND, isa_const_new(k, ISA_I64, 0)};
        struct isa_inst *i = isa_emit(k, ISA_st, ISA_I64, ISA_NONE_T, 0, NULL, 2, src);
        i->space = ISA_PRIVATE;
        i->imm = at;
    }
    while (m.budget) body(&m);
    for (int t = ISA_I8; t < TYPES; t++) {
        if (t == ISA_F64 && !m.doubles) continue;
        for (int n = 2; n < 4; n++) {
            isa_operand src[] = {m.row, m.regs[t][n]};
            struct isa_inst *i = isa_emit(k, ISA_st, (enum isa_type)t, ISA_NONE_T, 0, NULL, 2, src);
            i->space = ISA_GLOBAL;
            i->imm = t * 8 + (n - 2) * 4 % (8 - isa_type_size[t] + 1);
        }
    }
}

static struct isa_module *make_module(uint64_t seed) {
    state = seed * 0x9e3779b97f4a7c15u + 1;
    struct isa_module *module = isa_module_new();
    for (unsigned n = 0; n < BATCH; n++) make_kernel(module, n);
    run_verify(module);
    return module;
}

/* ---- running ---- */

/* levels: how many of them each module runs on; which is the seed's choice. */
static int compare(uint64_t seed, bool print, unsigned levels) {
    static const struct contest_rules rules = {.fill = contest_noise,
                                               .table_bytes = TABLE_BYTES,
                                               .result_bytes = RESULTS,
                                               .counters = ITEMS * ROW};
    struct isa_module *module = make_module(seed);
    struct contestant list[CONTEST_MOST] = {
        {module, "interpreter", "avx512", "the interpreter, avx512"},
        {module, "interpreter", "baseline", "the interpreter, baseline"}};
    unsigned n = contest_levels(list, 2, module, seed, levels);
    if (print) {
        size_t length;
        char *text = isa_print(module, &length);
        puts(text ? text : "");
        free(text);
    }
    int failures = contest(list, n, seed, &rules);
    isa_module_free(module);
    return failures;
}

int main(int argc, char **argv) { return contest_main(argc, argv, BATCH, compare); }
