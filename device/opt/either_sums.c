/* Registers as sums of a rest and of what choices by what has been read add to it. */
#include "either.h"

#include "device/analysis/shape.h"

enum { MOST_DEPTH = 6 /* of operations that a condition is made of */ };

/* Is an operand made of what has been loaded? */
static bool is_read(const struct eithers *x, isa_operand o, unsigned left) {
    uint32_t n = loops_writer(&x->l, o, 0);
    if (n >= LOOPS_NONE || !left) return n == LOOPS_SEVERAL;
    const struct isa_inst *i = &x->k->insts[n];
    if (i->op == ISA_ld) return i->space != ISA_PARAM;
    bool is = false;
    for (unsigned s = 0; s < i->nsrc && isa_op_info[i->op].flags & ISA_OP_PURE; s++)
        is |= is_read(x, isa_srcs(x->k, i)[s], left - 1);
    return is;
}

/* Is `a | b`, or `b | a`, a sum, as the one is chosen of constants, and the other one a multiple of
 * more? */
static bool is_or_a_sum(const struct eithers *x, const isa_operand *src) {
    for (unsigned s = 0; s < 2; s++) {
        const struct either_part *of = either_part_of(x, src[s]);
        unsigned zeros = numbers_zeros(&x->numbers, x->k, src[!s]);
        uint32_t bits = 0;
        for (unsigned c = 0; c < EITHER_COMBINED && of; c++) bits |= (uint32_t)of->at[c];
        if (of && !of->rest && zeros < 32 && !(bits >> zeros)) return true;
    }
    return false;
}

/* How much more is an operand for a work-item than for the one before it? False: it may be
 * anything. */
static bool find_stride(const struct eithers *x, isa_operand o, int32_t *stride, unsigned left) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = loops_definition(&x->l, k, o);
    int32_t of[3] = {0};
    uint32_t c = 0;
    *stride = 0;
    if (!isa_is_reg(o) || shape_is_uniform(x->shape, o)) return true;
    if (!i || !left) return false;
    if (i->op == ISA_special) {
        *stride = i->imm == ISA_SPECIAL_global_id_x || i->imm == ISA_SPECIAL_local_id_x ||
                  i->imm == ISA_SPECIAL_thread_id;
        return true;
    }
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->nsrc > 3) return false;
    for (unsigned s = 0; s < i->nsrc; s++)
        if (!find_stride(x, isa_srcs(k, i)[s], &of[s], left - 1)) return false;
    switch (i->op) {
    case ISA_mov: *stride = of[0]; return true;
    case ISA_add: *stride = (int32_t)((uint32_t)of[0] + (uint32_t)of[1]); return true;
    case ISA_sub: *stride = (int32_t)((uint32_t)of[0] - (uint32_t)of[1]); return true;
    case ISA_shl:
    case ISA_mul:
        if (!isa_constant(k, isa_srcs(k, i)[1], &c)) break;
        *stride = (int32_t)((uint32_t)of[0] * (i->op == ISA_shl ? 1u << (c & 31) : c));
        return true;
    }
    return !of[0] && !of[1] && !of[2];
}

/* A choice more; false: there would be too many. */
static bool add_choice(struct either *e, isa_operand by, uint32_t bit) {
    if (e->nchoices == EITHER_CHOICES) return false;
    e->choices[e->nchoices].by = by;
    e->choices[e->nchoices++].bit = bit;
    return true;
}

static bool find_part(struct eithers *x, struct either *e, isa_operand o, uint32_t before,
                      struct either_part *to);

/* One of what a select chooses: a sum of one register and a constant, or with choices. */
static bool find_chosen(struct eithers *x, struct either *e, isa_operand o, uint32_t before,
                        struct either_part *to) {
    const struct isa_inst *d = either_part_of(x, o) ? NULL : loops_definition(&x->l, x->k, o);
    uint32_t plus;
    bool adds = d && d->op == ISA_add && isa_constant(x->k, isa_srcs(x->k, d)[1], &plus);
    isa_operand base = adds ? isa_srcs(x->k, d)[0] : o;
    if (!adds || either_part_of(x, base)) return find_part(x, e, o, before, to);
    if (!isa_is_reg(base) || !x->l.ordered[base] || !find_part(x, e, base, before, to))
        return false;
    for (unsigned c = 0; c < EITHER_COMBINED; c++) to->at[c] = (int32_t)plus;
    return true;
}

/* What a select by what has been read is. */
static bool choose(struct eithers *x, struct either *e, uint32_t n, struct either_part *to) {
    const isa_operand *src = isa_srcs(x->k, &x->k->insts[n]);
    struct either_part yes;
    bool differ = false;
    if (!isa_is_reg(src[0]) || shape_is_uniform(x->shape, src[0]) ||
        !is_read(x, src[0], MOST_DEPTH) || !find_chosen(x, e, src[1], n, &yes) ||
        !find_chosen(x, e, src[2], n, to) || yes.rest != to->rest)
        return false;
    unsigned by = 1u << e->nchoices;
    for (unsigned c = 0; c < EITHER_COMBINED; c++) {
        differ |= yes.at[c] != to->at[c];
        if (c & by) to->at[c] = yes.at[c];
    }
    return differ && add_choice(e, src[0], 0);
}

/* A number that has been read, of two values or four: each bit is a choice. */
static bool choose_number(const struct eithers *x, struct either *e, isa_operand o,
                          struct either_part *to) {
    struct interval lies = numbers_unsigned(&x->numbers, x->k, o);
    unsigned low = numbers_zeros(&x->numbers, x->k, o);
    if (lies.least < 0 || lies.most < 1 || low >= 31 || lies.most >> low > 3 ||
        shape_is_uniform(x->shape, o) || !is_read(x, o, MOST_DEPTH))
        return false;
    for (unsigned bit = low; lies.most >> bit; bit++) {
        unsigned by = 1u << e->nchoices;
        if (!add_choice(e, o, 1u << bit)) return false;
        for (unsigned c = 0; c < EITHER_COMBINED; c++)
            to->at[c] = (int32_t)((uint32_t)to->at[c] + (c & by ? 1u << bit : 0));
    }
    return true;
}

/* What a choice is, of instruction n: EITHER_NONE: it is none. */
enum either_kind either_choice(struct eithers *x, struct either *e, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    struct either_part to = {0};
    isa_operand dst = i->ndst == 1 ? isa_dsts(x->k, i)[0] : ISA_NO_OPERAND;
    enum either_kind kind = i->op == ISA_select ? EITHER_CHOSEN : EITHER_NUMBER;
    if (i->ndst != 1 || i->type != ISA_I32 || x->l.defs[dst] != 1 ||
        !(isa_op_info[i->op].flags & ISA_OP_PURE))
        return EITHER_NONE;
    if (kind == EITHER_CHOSEN ? !choose(x, e, n, &to) : !choose_number(x, e, dst, &to))
        return EITHER_NONE;
    to.stamp = x->stamp;
    x->parts[dst] = to;
    return kind;
}

/* An operand as such a sum, perhaps without a choice. What has been chosen since the first choice
 * for this sum alone is one, too. */
static bool find_part(struct eithers *x, struct either *e, isa_operand o, uint32_t before,
                      struct either_part *to) {
    uint32_t c, n = isa_is_reg(o) && !either_part_of(x, o) ? loops_writer(&x->l, o, 0) : LOOPS_NONE;
    if (n > e->start && n < before && !e->first && x->l.reads[o] == 1)
        e->kinds[n - e->start] = (uint8_t)either_choice(x, e, n);
    const struct either_part *of = either_part_of(x, o);
    *to = of ? *of : (struct either_part){.rest = o + 1};
    if (of) return true;
    if (!isa_constant(x->k, o, &c))
        return isa_is_reg(o) && find_stride(x, o, &to->stride, MOST_DEPTH);
    to->rest = 0;
    for (unsigned n = 0; n < EITHER_COMBINED; n++) to->at[n] = (int32_t)c;
    return true;
}

/* Both operands added. */
static bool add_parts(struct eithers *x, struct either *e, uint32_t n, struct either_part *to) {
    const isa_operand *src = isa_srcs(x->k, &x->k->insts[n]);
    struct either_part of;
    if (!find_part(x, e, src[0], n, to) || !find_part(x, e, src[1], n, &of)) return false;
    to->rest = to->rest && of.rest ? x->k->nregs + 1 + n : to->rest | of.rest;
    to->stride = (int32_t)((uint32_t)to->stride + (uint32_t)of.stride);
    for (unsigned c = 0; c < EITHER_COMBINED; c++)
        to->at[c] = (int32_t)((uint32_t)to->at[c] + (uint32_t)of.at[c]);
    return true;
}

/* What instruction n makes of such sums. False: none. */
bool either_add(struct eithers *x, struct either *e, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    const isa_operand *src = isa_srcs(x->k, i);
    struct either_part to = {0};
    uint32_t c;
    if (i->ndst != 1 || i->type != ISA_I32 || x->l.defs[isa_dsts(x->k, i)[0]] != 1) return false;
    e->kinds[n - e->start] = i->op == ISA_select ? EITHER_CHOSEN : EITHER_SUM;
    switch (i->op) {
    case ISA_mov: to = x->parts[src[0]]; break;
    case ISA_select:
        if (!choose(x, e, n, &to)) return false;
        break;
    case ISA_or:
    case ISA_add:
        if (!add_parts(x, e, n, &to) || (i->op == ISA_or && !is_or_a_sum(x, src))) return false;
        x->adds[n] = i->op == ISA_or;
        break;
    case ISA_shl:
    case ISA_mul:
        if (!either_part_of(x, src[0]) || !isa_constant(x->k, src[1], &c)) return false;
        if (i->op == ISA_shl) c = 1u << (c & 31);
        to = x->parts[src[0]];
        if (to.rest) to.rest = x->k->nregs + 1 + n;
        to.stride = (int32_t)((uint32_t)to.stride * c);
        for (unsigned o = 0; o < EITHER_COMBINED; o++) to.at[o] = (int32_t)((uint32_t)to.at[o] * c);
        break;
    default: return false;
    }
    to.stamp = x->stamp;
    x->parts[isa_dsts(x->k, i)[0]] = to;
    return true;
}
