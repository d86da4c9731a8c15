#include "places.h"

enum {
    MOST_BYTES = 48, /* of all elements that one of is chosen: more do not stay in registers; */
    MOST_BACK = 48,  /* instructions that are looked at before a store, */
    MOST_OPERATIONS = 4,
    MOST_CLOCKS = 4 /* of each of them */
};

/* The bytes of the variable that the access's addresses start from; false: that is not known. */
static bool variable_of(const struct isa_kernel *k, const struct isa_inst *i, int64_t *from,
                        int64_t *to) {
    uint32_t variable = i->site ? k->sites[i->site - 1].variable : 0;
    if (!variable || k->variables[variable - 1].space != ISA_PRIVATE) return false;
    *from = k->variables[variable - 1].offset;
    *to = *from + k->variables[variable - 1].bytes;
    return true;
}

struct places places_find(const struct isa_kernel *k, const struct numbers *numbers, uint32_t n,
                          uint32_t frame) {
    const struct isa_inst *i = &k->insts[n];
    const struct places none = {0};
    isa_operand at = isa_srcs(k, i)[0];
    if ((i->op != ISA_ld && i->op != ISA_st) || !isa_is_reg(at)) return none;
    struct interval by = numbers_unsigned(numbers, k, at),
                    with_sign = numbers_signed(numbers, k, at);
    unsigned zeros = numbers_zeros(numbers, k, at);
    int64_t step = INT64_C(1) << (zeros < 30 ? zeros : 30), bytes = isa_bytes(i), from, to;
    struct places p = {.step = (uint32_t)step};
    if (step < bytes) return none;
    /* Below 0 it is, modulo 2^32, what is less than the displacement. */
    if (with_sign.least < 0 && with_sign.least + i->imm >= 0) by = with_sign;
    int64_t first = by.least + i->imm, last = by.most + i->imm;
    if (first < 0 || last + bytes > frame || (last - first) / step >= PLACES_MOST) {
        if (!variable_of(k, i, &from, &to) || to > frame || i->imm < 0) return none;
        if (last > UINT32_MAX) first = i->imm & (step - 1);
        if (first < from) first += (from - first + step - 1) / step * step;
        if (last + bytes > to) last -= (last + bytes - to + step - 1) / step * step;
        if (last <= first) return none;
        p.beyond = true;
    }
    if ((last - first) / step >= PLACES_MOST) return none;
    p.first = (uint32_t)first;
    p.count = (uint32_t)((last - first) / step) + 1;
    return p.count * bytes > MOST_BYTES ? none : p;
}

static bool is_cheap(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return flags & ISA_OP_PURE && !(flags & ISA_OP_MATH) && i->ndst == 1 && i->op != ISA_lane_at &&
           isa_op_info[i->op].clocks <= MOST_CLOCKS;
}

static bool is_same(const struct places *a, const struct places *b) {
    return a->first == b->first && a->step == b->step && a->count == b->count;
}

/* May a store be of bytes of the other one's elements? */
static bool may_meet(const struct places *a, const struct places *b) {
    return !a->count ||
           (a->first < b->first + b->count * b->step && b->first < a->first + a->count * a->step);
}

/* What has come on the way back from a store: registers that it is computed from. */
struct places_chain {
    const struct isa_kernel *k;
    const struct loops *l;
    const struct places *places;
    uint32_t store, back[MOST_OPERATIONS]; /* operations, the last one first */
    unsigned count;
};

/* Does the register have at the store what it has at instruction n? */
static bool keeps(const struct places_chain *c, isa_operand reg, uint32_t n) {
    return !isa_is_reg(reg) || !isa_writes_between(c->k, reg, n, c->store);
}

/* The load that register `reg` comes from at instruction n, + 1, by what may be done at the store.
 */
static uint32_t come_from(struct places_chain *c, isa_operand reg, uint32_t n) {
    const struct isa_kernel *k = c->k;
    const struct isa_inst *st = &k->insts[c->store];
    if (!isa_is_reg(reg) || c->l->reads[reg] != 1) return 0;
    for (uint32_t m = n; m-- > 0 && n - m < MOST_BACK;) {
        const struct isa_inst *i = &k->insts[m];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)) return 0;
        if (i->op == ISA_st && i->space == ISA_PRIVATE &&
            may_meet(&c->places[m], &c->places[c->store]))
            return 0;
        if (!isa_writes(k, i, reg)) continue;
        const isa_operand *src = isa_srcs(k, i);
        if (i->op == ISA_ld)
            return i->space == ISA_PRIVATE && i->count == 1 && src[0] == isa_srcs(k, st)[0] &&
                           i->imm == st->imm && i->type == st->type && keeps(c, src[0], m) &&
                           c->places[m].count && is_same(&c->places[m], &c->places[c->store])
                       ? m + 1
                       : 0;
        if (!is_cheap(i) || c->count == MOST_OPERATIONS) return 0;
        c->back[c->count++] = m;
        for (unsigned s = 0; s < i->nsrc; s++) {
            bool others = true;
            for (unsigned o = 0; o < i->nsrc; o++) others &= o == s || keeps(c, src[o], m);
            uint32_t from = others ? come_from(c, src[s], m) : 0;
            if (from) return from;
        }
        c->count--;
        return 0;
    }
    return 0;
}

uint32_t places_update(const struct isa_kernel *k, const struct loops *l,
                       const struct places *places, uint32_t n, uint8_t *marks) {
    const struct isa_inst *i = &k->insts[n];
    struct places_chain c = {.k = k, .l = l, .places = places, .store = n};
    if (i->op != ISA_st || i->count != 1 || places[n].count < 2) return 0;
    uint32_t from = come_from(&c, isa_srcs(k, i)[1], n);
    if (!from) return 0;
    marks[from - 1] = 1;
    for (unsigned o = 0; o < c.count; o++) marks[c.back[o]] = 1;
    return from;
}
