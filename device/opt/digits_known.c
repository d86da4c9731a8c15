#include "device/analysis/flat.h"
#include "digitstep.h"

/* Does the instruction load an argument that is a number? */
static bool loads_value(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op != ISA_ld || i->space != ISA_PARAM || i->count != 1 ||
        (i->type != ISA_I32 && i->type != ISA_I64) || isa_srcs(k, i)[0] != ISA_NO_OPERAND)
        return false;
    const struct isa_param *p = isa_param_at(k, (uint32_t)i->imm);
    return p && p->kind == ISA_PARAM_VALUE;
}

/* May what it computes be a number where its sources are? */
static bool computes(const struct isa_inst *i) {
    return i->op == ISA_mov || i->op == ISA_sext || i->op == ISA_zext || i->op == ISA_trunc ||
           i->op == ISA_add || i->op == ISA_sub || i->op == ISA_mul || i->op == ISA_shl;
}

static bool is_integer_of(const struct isa_kernel *k, isa_operand reg) {
    return k->reg_types[reg] == ISA_I32 || k->reg_types[reg] == ISA_I64;
}

/* Which sources are known, as bits; *all: each of them, or a constant. */
static uint32_t known_sources(const struct isa_kernel *k, const struct isa_inst *i,
                              const uint8_t *known, bool *all) {
    uint32_t bits = 0;
    *all = true;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (isa_is_reg(o) && known[o])
            bits |= 1u << s;
        else if (!isa_is_const(o))
            *all = false;
    }
    return bits;
}

/* Registers that are made of known ones, and of constants, are known. */
static void spread(const struct isa_kernel *k, const struct loops *l, uint8_t *known) {
    bool all;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->ndst != 1 || i->nsrc > 3 || !computes(i)) continue;
        isa_operand to = isa_dsts(k, i)[0];
        if (!l->ordered[to] || !is_integer_of(k, to)) continue;
        if (known_sources(k, i, known, &all) && all) known[to] = 1;
    }
}

/* Is something multiplied or divided by a known value, or stepped by it, as a register is that is
 * written more than once? Or the value itself by a constant, as where iterations are written out.
 */
static bool is_use(const struct isa_kernel *k, const struct loops *l, const struct isa_inst *i,
                   const uint8_t *known) {
    bool all, steps = i->op == ISA_add || i->op == ISA_sub;
    bool scales = i->op == ISA_mul || i->op == ISA_shl;
    if (isa_divides(i->op)) return isa_is_reg(isa_srcs(k, i)[1]) && known[isa_srcs(k, i)[1]];
    if (i->ndst != 1 || (!scales && !steps)) return false;
    if (!is_integer_of(k, isa_dsts(k, i)[0]) || !known_sources(k, i, known, &all)) return false;
    return scales || (!all && l->defs[isa_dsts(k, i)[0]] > 1);
}

static bool has_use(const struct isa_kernel *k, const struct loops *l, const uint8_t *known) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (is_use(k, l, &k->insts[n], known)) return true;
    return false;
}

bool digits_may_know(const struct isa_kernel *k, const struct loops *l, struct arena *arena) {
    uint8_t *known = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (loads_value(k, &k->insts[n])) known[isa_dsts(k, &k->insts[n])[0]] = 1;
    spread(k, l, known);
    return has_use(k, l, known);
}

/* What an instruction becomes that reads known registers. */
static struct digits_step becomes(const struct isa_kernel *k, const struct isa_inst *i,
                                  const uint8_t *known, const struct numbers *values) {
    struct digits_step step = {.act = STAYS};
    bool all, memory = isa_op_info[i->op].flags & ISA_OP_MEMORY;
    uint32_t bits = known_sources(k, i, known, &all);
    if (i->ndst == 1 && known[isa_dsts(k, i)[0]]) {
        step.act = NUMBER;
        step.what = (uint32_t)numbers_signed(values, k, isa_dsts(k, i)[0]).least;
        return step;
    }
    if (memory) bits &= ~1u; /* an address stays a register */
    for (unsigned s = 0; s < i->nsrc && s < 32; s++) {
        if (!(bits >> s & 1)) continue;
        uint32_t value = (uint32_t)numbers_signed(values, k, isa_srcs(k, i)[s]).least;
        if (step.act == STAYS) step = (struct digits_step){.act = OF_NUMBER, .what = value};
        if (step.what == value) step.part |= 1u << s;
    }
    if (i->op == ISA_mul && step.act == OF_NUMBER && step.what == 1)
        return (struct digits_step){.act = SAME, .part = bits & 1};
    return step;
}

/* Rows of that length are better seen by who knows it: they are short, and lanes lie evenly in
 * them, or no tiles are made of them. */
static bool is_short(int64_t length) {
    enum { VECTOR = 16, LONG = 64 };
    bool power = !(length & (length - 1));
    return length > 1 && length < LONG && (length < VECTOR ? power : length % VECTOR != 0);
}

/* The argument that is the length of rows into which the index is taken apart; param_bytes: none
 * is. False: no memory. */
static bool find_row(const struct isa_kernel *k, uint32_t *offset) {
    struct flat_code f;
    bool good = flat_begin(&f, k);
    struct flat_row row = {.is = false};
    if (good) row = flat_row(&f);
    bool is = row.is && !row.length && !row.power && !row.group;
    *offset = is ? row.offset : k->param_bytes;
    flat_end(&f);
    return good;
}

uint32_t digits_known(const struct isa_kernel *k, const struct loops *l,
                      const struct numbers *values, struct digits_step *steps,
                      struct arena *arena) {
    uint8_t *known = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    uint32_t found = 0, row;
    if (!find_row(k, &row)) return 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!loads_value(k, i)) continue;
        struct interval v = numbers_signed(values, k, isa_dsts(k, i)[0]);
        bool is = v.least == 1 || ((uint32_t)i->imm == row && is_short(v.least));
        known[isa_dsts(k, i)[0]] = is && v.least == v.most;
    }
    spread(k, l, known);
    for (uint32_t r = 0; r < k->nregs; r++) {
        struct interval v = known[r] ? numbers_signed(values, k, r) : (struct interval){0, 0};
        known[r] &= v.least == v.most && interval_within(v, INT32_MIN, INT32_MAX);
    }
    if (!has_use(k, l, known)) return 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (steps[n].act != STAYS) continue;
        steps[n] = becomes(k, &k->insts[n], known, values);
        found += steps[n].act != STAYS;
    }
    return found;
}
