/* Random trees, networks and exchanges in local memory, run by the interpreter and as native code
 * on each level: all must leave the same bits.
 *
 *   fuzz_trees [--count N] [--seed S] [--levels 0|1|2|3] [--print]
 *
 * A kernel halves or doubles a distance from iteration to iteration, sometimes from where only the
 * group's size or number tells; in an iteration some work-items load words at places made of the
 * distance and of their number, change them and store them elsewhere. A store stands between
 * barriers, alone, so that which of two to one place stays does not depend on how warps take turns.
 */
#include <string.h>

#include "contest.h"

enum { WORDS = 512, ROW = 64, ITEMS = CONTEST_ITEMS, BATCH = 16, RESULTS = ITEMS * ROW };
enum { TABLE_BYTES = 4 * WORDS + 64 };

static uint64_t state;
static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

struct tree_maker {
    struct isa_kernel *k;
    isa_operand thread, items, group, distance, local, out;
    isa_operand words[3]; /* what a work-item has at hand */
    enum isa_type type;   /* of words: i32, or f32 that are whole numbers */
};

static isa_operand word(struct tree_maker *m, uint32_t bits) {
    return isa_const_new(m->k, ISA_I32, bits);
}

static isa_operand two(struct tree_maker *m, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(m->k, op, ISA_I32, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

static isa_operand special(struct tree_maker *m, enum isa_special which) {
    isa_operand d = isa_reg_new(m->k, ISA_I32);
    isa_emit(m->k, ISA_special, ISA_I32, ISA_NONE_T, 1, &d, 0, NULL)->imm = (int32_t)which;
    return d;
}

static void set(struct tree_maker *m, isa_operand reg, enum isa_type t, isa_operand to) {
    isa_emit(m->k, ISA_mov, t, ISA_NONE_T, 1, &reg, 1, &to);
}

static void control(struct tree_maker *m, enum isa_op op, isa_operand p) {
    isa_emit(m->k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, p == ISA_NO_OPERAND ? 0 : 1, &p);
}

static void barrier(struct tree_maker *m) {
    isa_emit(m->k, ISA_bar, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = ISA_FENCE_LOCAL;
}

/* ---- places ---- */

/* A word's number, anything. */
static isa_operand number(struct tree_maker *m) {
    isa_operand t = m->thread, s = m->distance, c = word(m, any(70));
    switch (any(10)) {
    case 0: return t;
    case 1: return two(m, ISA_add, t, s);
    case 2: return two(m, ISA_xor, t, s);
    case 3:
    case 4: { /* the lower of a pair, or the upper */
        isa_operand in = two(m, ISA_and, t, two(m, ISA_sub, s, word(m, 1)));
        isa_operand low = two(m, ISA_sub, two(m, ISA_shl, t, word(m, 1)), in);
        return any(2) ? low : two(m, ISA_add, low, s);
    }
    case 5: return two(m, ISA_mul, s, two(m, ISA_add, two(m, ISA_shl, t, word(m, 1)), c));
    case 6: return two(m, ISA_xor, t, c);
    case 7: return two(m, ISA_mul, t, word(m, 1 + any(40)));
    case 8: return two(m, ISA_sub, c, t);
    default: return two(m, ISA_add, t, c);
    }
}

/* The address of `count` words; what is added to it stays within the array. */
static isa_operand place(struct tree_maker *m, uint32_t count, int32_t *more) {
    isa_operand n = two(m, ISA_and, number(m), word(m, count > 1 ? WORDS / 2 - 2 : WORDS / 2 - 1));
    *more = any(4) ? 0 : count > 1 ? 4 * WORDS / 2 : 4;
    return two(m, ISA_add, two(m, ISA_shl, n, word(m, 2)), m->local);
}

static void load(struct tree_maker *m, uint32_t count) {
    int32_t more;
    isa_operand src[] = {place(m, count, &more)};
    struct isa_inst *i = isa_emit(m->k, ISA_ld, m->type, ISA_NONE_T, count, m->words, 1, src);
    i->space = ISA_LOCAL;
    i->imm = more;
}

static void store(struct tree_maker *m, uint32_t count) {
    int32_t more;
    isa_operand src[3] = {place(m, count, &more), m->words[any(3)], m->words[any(3)]};
    struct isa_inst *i = isa_emit(m->k, ISA_st, m->type, ISA_NONE_T, 0, NULL, 1 + count, src);
    i->space = ISA_LOCAL;
    i->imm = more;
}

/* ---- iterations ---- */

static void combine(struct tree_maker *m) {
    static const enum isa_op whole[] = {ISA_add, ISA_xor, ISA_min_s, ISA_max_u, ISA_sub};
    isa_operand src[] = {m->words[any(3)], m->words[any(3)]}, to = m->words[any(3)];
    enum isa_op op = m->type == ISA_F32 ? (any(2) ? ISA_fadd : ISA_fmax) : whole[any(5)];
    isa_emit(m->k, op, m->type, ISA_NONE_T, 1, &to, 2, src);
}

static isa_operand compare(struct tree_maker *m, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(m->k, op, ISA_PRED, ISA_I32, a, b, ISA_NO_OPERAND);
}

/* Who takes part, or whose words are such. */
static isa_operand condition(struct tree_maker *m) {
    isa_operand t = m->thread, s = m->distance;
    isa_operand other;
    switch (any(6)) {
    case 0: return compare(m, ISA_lt_s, t, s);
    case 1: return compare(m, ISA_eq, two(m, ISA_and, t, s), word(m, 0));
    case 2: return compare(m, ISA_lt_u, t, word(m, any(80)));
    case 3: return compare(m, ISA_le_s, s, two(m, ISA_and, t, word(m, 31)));
    case 4: return compare(m, ISA_ne, two(m, ISA_and, t, word(m, 1 + any(63))), word(m, 0));
    default:
        other = m->words[any(3)];
        return isa_emit1(m->k, m->type == ISA_F32 ? ISA_flt : ISA_lt_s, ISA_PRED, m->type,
                         m->words[any(3)], other, ISA_NO_OPERAND);
    }
}

static void iteration(struct tree_maker *m) {
    for (uint32_t n = 1 + any(2); n; n--) {
        bool some = any(3);
        if (some) control(m, ISA_if, condition(m));
        for (uint32_t loads = any(3); loads; loads--) {
            load(m, 1 + any(4) / 3);
            if (any(2)) combine(m);
        }
        if (some && !any(3)) {
            control(m, ISA_else, ISA_NO_OPERAND);
            load(m, 1);
        }
        if (some) control(m, ISA_endif, ISA_NO_OPERAND);
        barrier(m);
        some = any(3);
        if (some) control(m, ISA_if, condition(m));
        store(m, 1 + any(4) / 3);
        if (some) control(m, ISA_endif, ISA_NO_OPERAND);
        barrier(m);
    }
}

static isa_operand start(struct tree_maker *m, bool halves) {
    switch (any(halves ? 5 : 2)) {
    case 0: return word(m, halves ? 1u << any(10) : 1);
    case 1: return word(m, halves ? any(300) : 1 + any(5));
    case 2: return two(m, ISA_shr_u, m->items, word(m, 1));
    case 3: return two(m, ISA_shl, word(m, 1 + any(3)), m->group);
    default: return two(m, ISA_add, m->group, word(m, any(100)));
    }
}

static void loop(struct tree_maker *m) {
    bool halves = any(3);
    isa_operand last = word(m, halves ? 0 : 1u << any(10));
    if (!halves && any(2)) last = m->items;
    set(m, m->distance, ISA_I32, start(m, halves));
    control(m, ISA_loop, ISA_NO_OPERAND);
    control(m, ISA_breakif,
            halves ? compare(m, ISA_le_s, m->distance, last)
                   : compare(m, ISA_lt_s, last, m->distance));
    iteration(m);
    isa_operand src[] = {m->distance, word(m, 1)};
    isa_emit(m->k, halves ? (any(2) ? ISA_shr_s : ISA_shr_u) : ISA_shl, ISA_I32, ISA_NONE_T, 1,
             &m->distance, 2, src);
    control(m, ISA_endloop, ISA_NO_OPERAND);
}

/* ---- kernels ---- */

static isa_operand parameter(struct tree_maker *m, const char *name, int32_t offset) {
    struct isa_param *p = isa_kernel_add_param(m->k, name, "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .offset = (uint32_t)offset,
                            .pointee_align = 1};
    isa_operand d = isa_reg_new(m->k, ISA_I32), none = ISA_NO_OPERAND;
    struct isa_inst *i = isa_emit(m->k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &d, 1, &none);
    i->space = ISA_PARAM;
    i->imm = offset;
    return d;
}

/* All words, from the table; floats are small whole numbers. */
static void fill(struct tree_maker *m, isa_operand table) {
    isa_operand n = isa_reg_new(m->k, ISA_I32), w = isa_reg_new(m->k, ISA_I32);
    set(m, n, ISA_I32, m->thread);
    control(m, ISA_loop, ISA_NO_OPERAND);
    control(m, ISA_breakif, compare(m, ISA_le_s, word(m, WORDS), n));
    isa_operand at = two(m, ISA_shl, n, word(m, 2)), from = two(m, ISA_add, table, at);
    isa_emit(m->k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &w, 1, &from)->space = ISA_GLOBAL;
    isa_operand src[] = {two(m, ISA_add, m->local, at), w};
    if (m->type == ISA_F32)
        src[1] = isa_emit1(m->k, ISA_u2f, ISA_F32, ISA_I32, two(m, ISA_and, w, word(m, 15)),
                           ISA_NO_OPERAND, ISA_NO_OPERAND);
    isa_emit(m->k, ISA_st, m->type, ISA_NONE_T, 0, NULL, 2, src)->space = ISA_LOCAL;
    for (unsigned i = 0; i < 3; i++) set(m, m->words[i], m->type, src[1]);
    isa_operand step[] = {n, m->items};
    isa_emit(m->k, ISA_add, ISA_I32, ISA_NONE_T, 1, &n, 2, step);
    control(m, ISA_endloop, ISA_NO_OPERAND);
    barrier(m);
}

static void make_kernel(struct isa_module *module, unsigned number) {
    char name[16];
    snprintf(name, sizeof name, "k%u", number);
    struct tree_maker m = {.k = isa_kernel_new(module, name), .type = any(3) ? ISA_I32 : ISA_F32};
    isa_operand table = parameter(&m, "table", 0);
    m.out = parameter(&m, "out", 4);
    m.k->param_bytes = 12;
    m.k->local_bytes = 4 * WORDS;
    m.thread = special(&m, ISA_SPECIAL_thread_id);
    m.group = special(&m, ISA_SPECIAL_group_id_x);
    isa_operand depth = special(&m, ISA_SPECIAL_local_size_z);
    m.items = two(&m, ISA_mul, special(&m, ISA_SPECIAL_local_size_y), depth);
    m.items = two(&m, ISA_mul, special(&m, ISA_SPECIAL_local_size_x), m.items);
    m.distance = isa_reg_new(m.k, ISA_I32);
    m.local = isa_reg_new(m.k, ISA_I32);
    for (unsigned n = 0; n < 3; n++) m.words[n] = isa_reg_new(m.k, m.type);
    isa_emit(m.k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &m.local, 0, NULL);
    fill(&m, table);
    for (uint32_t n = 1 + any(2); n; n--) loop(&m);
    set(&m, m.distance, ISA_I32, word(&m, 1u << any(9)));
    load(&m, 2);
    isa_operand item = two(&m, ISA_add, two(&m, ISA_mul, m.group, m.items), m.thread);
    isa_operand src[] = {two(&m, ISA_add, m.out, two(&m, ISA_mul, item, word(&m, ROW))), m.words[0],
                         m.words[1]};
    isa_emit(m.k, ISA_st, m.type, ISA_NONE_T, 0, NULL, 3, src)->space = ISA_GLOBAL;
}

/* levels: how many of them each module runs on; which is the seed's choice. */
static int contest_of(uint64_t seed, bool print, unsigned levels) {
    static const struct contest_rules rules = {
        .fill = contest_noise, .table_bytes = TABLE_BYTES, .result_bytes = RESULTS, .large = true};
    state = seed * 0x9e3779b97f4a7c15u + 1;
    struct isa_module *module = isa_module_new();
    for (unsigned n = 0; n < BATCH; n++) make_kernel(module, n);
    run_verify(module);
    struct contestant list[CONTEST_MOST] = {
        {module, TIER_INTERPRETER, NATIVE_BASELINE, "the interpreter, baseline"}};
    unsigned n = contest_levels(list, 1, module, seed, levels);
    if (print) contest_print(module);
    int failures = contest(list, n, seed, &rules);
    isa_module_free(module);
    return failures;
}

int main(int argc, char **argv) { return contest_main(argc, argv, BATCH, contest_of); }
