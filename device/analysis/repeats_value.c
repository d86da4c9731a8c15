#include "repeats_value.h"

#include <string.h>

#include "device/analysis/linear.h"
#include "device/isa/rewrite.h"

enum {
    MOST_DEPTH = 24,  /* operations from an operand to what it is made of */
    MOST_SUMS = 40,   /* sums of sums, */
    MOST_LOOKS = 1000 /* and all that one is made of */
};

static const struct isa_inst *inst(const struct repeats *x, uint32_t n) { return &x->k->insts[n]; }
static bool has(const struct isa_inst *i, uint32_t flags) {
    return isa_op_info[i->op].flags & flags;
}

/* What instruction n, of a copy, reads. */
isa_operand repeats_operand(const struct repeats *x, uint32_t n, unsigned s) {
    bool joined = x->nested && n == x->begin && x->outer != ISA_NO_OPERAND;
    return joined ? x->inner : isa_srcs(x->k, inst(x, n))[s];
}

struct repeats_value *repeats_find_value(struct repeats *x, const isa_operand *t) {
    for (unsigned v = 0; v < x->nvalues; v++)
        if (!memcmp(x->values[v].of, t, x->copies * sizeof *t)) return &x->values[v];
    return NULL;
}

struct repeats_value *repeats_add_value(struct repeats *x, enum repeats_kind kind,
                                        const isa_operand *t) {
    if (x->nvalues == REPEATS_VALUES) return NULL;
    struct repeats_value *v = &x->values[x->nvalues++];
    *v = (struct repeats_value){.kind = kind, .stride = ISA_NO_OPERAND};
    memcpy(v->of, t, x->copies * sizeof *t);
    return v;
}

bool repeats_all_same(const struct repeats *x, const isa_operand *t) {
    for (unsigned c = 1; c < x->copies; c++)
        if (t[c] != t[0]) return false;
    return true;
}

/* Has what instruction n reads the same value before the last piece? */
static bool is_stable(const struct repeats *x, isa_operand o, uint32_t n) {
    return !isa_is_reg(o) || x->loops.defs[o] == 1 || n >= x->begin;
}

/* The bits of a constant, sign-extended. */
static uint64_t bits_of(const struct isa_kernel *k, isa_operand o) {
    const struct isa_const *c = &k->consts[isa_const_index(o)];
    return (uint64_t)isa_signed((enum isa_type)c->type, c->bits);
}

/* Takes constants off a sum: the operand without them. */
static isa_operand without_constants(const struct repeats *x, isa_operand o, uint64_t *plus) {
    *plus = 0;
    for (unsigned n = 0; n < MOST_SUMS && isa_is_reg(o) && x->loops.defs[o] == 1; n++) {
        const struct isa_inst *i = inst(x, x->loops.writers[o]);
        const isa_operand *src = isa_srcs(x->k, i);
        bool adds = (i->op == ISA_add || i->op == ISA_sub) && isa_is_const(src[1]);
        if (!adds || !is_stable(x, src[0], x->loops.writers[o])) break;
        *plus += i->op == ISA_add ? bits_of(x->k, src[1]) : -bits_of(x->k, src[1]);
        o = src[0];
    }
    if (isa_is_const(o)) *plus += bits_of(x->k, o);
    return o;
}

/* A sum, and the instruction that reads it. */
struct sum_reader {
    const struct repeats *x;
    uint32_t at;
    unsigned depth, *left;
};

/* Adds what the operand is the sum of, as far as nothing that pieces write is in it. */
static bool add_to_sum(void *context, struct linear_sum *s, isa_operand o, uint32_t by) {
    const struct sum_reader *r = context;
    const struct repeats *x = r->x;
    struct linear_sum was = *s;
    if (isa_is_const(o)) {
        s->plus += (uint32_t)bits_of(x->k, o) * by;
        return true;
    }
    if (!isa_is_reg(o) || x->moved[o] || !is_stable(x, o, r->at)) return false;
    if (r->depth && *r->left && x->loops.defs[o] == 1) {
        uint32_t at = x->loops.writers[o];
        struct sum_reader next = {x, at, r->depth - 1, r->left};
        --*r->left;
        if (linear_add_result(s, x->k, inst(x, at), by, add_to_sum, &next)) return true;
        *s = was;
    }
    return linear_add(s, o, 0, by);
}

/* Do sums of several operands, as addresses are, grow so? */
static bool sums_step(const struct repeats *x, const isa_operand *t, int64_t *step) {
    struct linear_sum first = {.plus = 0};
    unsigned left = MOST_LOOKS;
    struct sum_reader r = {x, x->end, MOST_SUMS, &left};
    int32_t by = 0, far;
    if (isa_operand_type(x->k, t[0]) != ISA_I32 || !add_to_sum(&r, &first, t[0], 1)) return false;
    for (unsigned c = 1; c < x->copies; c++) {
        struct linear_sum other = {.plus = 0};
        if (isa_operand_type(x->k, t[c]) != ISA_I32 || !add_to_sum(&r, &other, t[c], 1) ||
            !linear_apart(&other, &first, &far))
            return false;
        if (c == 1) by = far;
        if (far != (int64_t)by * c) return false;
    }
    *step = by;
    return true;
}

/* Do sums grow by a register's value, so many times, from copy to copy? */
static bool sums_stride(const struct repeats *x, const isa_operand *t, struct repeats_value *v) {
    struct linear_sum first = {.plus = 0};
    unsigned left = MOST_LOOKS;
    struct sum_reader r = {x, x->end, MOST_SUMS, &left};
    if (isa_operand_type(x->k, t[0]) != ISA_I32 || !add_to_sum(&r, &first, t[0], 1)) return false;
    for (unsigned c = 1; c < x->copies; c++) {
        struct linear_sum far = {.plus = 0};
        uint32_t terms = 0, term = 0;
        if (isa_operand_type(x->k, t[c]) != ISA_I32 || !add_to_sum(&r, &far, t[c], 1) ||
            !linear_add_sum(&far, &first, UINT32_MAX) || far.plus)
            return false;
        for (uint32_t n = 0; n < far.terms; n++)
            if (far.of[n].by) {
                terms++;
                term = n;
            }
        if (terms != 1) return false;
        if (c == 1) {
            v->stride = far.of[term].reg;
            v->step = (int32_t)far.of[term].by;
        }
        if (far.of[term].reg != v->stride || far.of[term].by != (uint32_t)v->step * c) return false;
    }
    return true;
}

/* Do integers grow by as much from copy to copy? */
static bool steps(const struct repeats *x, const isa_operand *t, int64_t *step) {
    uint64_t first, next, by = 0;
    enum isa_type type = isa_operand_type(x->k, t[0]);
    *step = 0;
    if (!isa_is_integer(type)) return false;
    isa_operand base = without_constants(x, t[0], &first);
    bool is_const = isa_is_const(base);
    if (is_const ? !isa_is_const(t[0]) : x->moved[base] || x->moved[t[0]]) return false;
    for (unsigned c = 1; c < x->copies; c++) {
        if (isa_operand_type(x->k, t[c]) != type) return false;
        isa_operand other = without_constants(x, t[c], &next);
        if (is_const ? !isa_is_const(t[c]) : other != base) return false;
        if (c == 1) by = next - first;
        if (next - first != by * c) return false;
    }
    *step = (int64_t)by;
    return true;
}

static struct repeats_value *value(struct repeats *x, const isa_operand *t, unsigned depth);

static bool find_sources(struct repeats *x, const uint32_t *at, unsigned depth, bool *ordered) {
    isa_operand t[REPEATS_COPIES];
    for (unsigned s = 0; s < inst(x, at[0])->nsrc; s++) {
        for (unsigned c = 0; c < x->copies; c++) t[c] = repeats_operand(x, at[c], s);
        const struct repeats_value *v = value(x, t, depth);
        if (!v) return false;
        for (unsigned c = 0; c < x->copies; c++) {
            if (!is_stable(x, t[c], at[c])) return false;
            *ordered |= v->kind == REPEATS_INNER && x->loops.defs[t[c]] != 1;
        }
    }
    return true;
}

bool repeats_alike(const struct repeats *x, const uint32_t *at, int32_t *further) {
    const struct isa_inst *a = inst(x, at[0]);
    *further = 0;
    if (a->flags & ISA_VOLATILE) return false;
    for (unsigned c = 1; c < x->copies; c++) {
        struct isa_inst b = *inst(x, at[c]);
        if (b.op == ISA_if) b.flags = a->flags; /* whether a GPU would branch */
        if (!rewrite_alike(a, &b)) return false;
        int64_t apart = (int64_t)b.imm - a->imm;
        if (c == 1) *further = (int32_t)apart;
        if (apart != (int64_t)*further * c) return false;
    }
    bool has_base = has(a, ISA_OP_MEMORY) && isa_srcs(x->k, a)[0] != ISA_NO_OPERAND;
    return !*further || has_base;
}

/* How many pieces of the copy are before the instruction; false: it is not among that copy. */
static bool place(const struct repeats *x, unsigned copy, uint32_t n, unsigned *before) {
    const struct repeats_piece *of = x->of + copy * x->pieces;
    if (n < (copy ? of[-1].to : x->begin)) return false;
    for (*before = 0; *before < x->pieces && of[*before].to <= n; ++*before) continue;
    return *before < x->pieces;
}

/* Are they all before the same piece of their copies? */
static bool is_in_place(const struct repeats *x, const uint32_t *at) {
    unsigned first, before;
    if (!place(x, 0, at[0], &first)) return false;
    for (unsigned c = 1; c < x->copies; c++)
        if (!place(x, c, at[c], &before) || before != first) return false;
    return true;
}

bool repeats_in_pieces(const struct repeats *x, uint32_t n) {
    for (unsigned p = 0; p < x->copies * x->pieces; p++)
        if (n >= x->of[p].from && n < x->of[p].to) return true;
    return false;
}

static struct repeats_value *computed(struct repeats *x, const isa_operand *t, unsigned depth) {
    struct repeats_value v = {.kind = REPEATS_COMPUTED, .stride = ISA_NO_OPERAND};
    for (unsigned c = 0; c < x->copies; c++) {
        if (!isa_is_reg(t[c]) || x->loops.defs[t[c]] != 1) return NULL;
        v.at[c] = x->loops.writers[t[c]];
        if (repeats_in_pieces(x, v.at[c]) && !x->free[v.at[c]]) return NULL;
    }
    const struct isa_inst *i = inst(x, v.at[0]);
    bool loads = i->op == ISA_ld || i->op == ISA_img_read;
    if ((!loads && !has(i, ISA_OP_PURE)) || !repeats_alike(x, v.at, &v.further)) return NULL;
    while (isa_dsts(x->k, i)[v.result] != t[0]) v.result++;
    for (unsigned c = 1; c < x->copies; c++)
        if (isa_dsts(x->k, inst(x, v.at[c]))[v.result] != t[c]) return NULL;
    v.ordered = loads && i->space != ISA_CONSTANT;
    if (!find_sources(x, v.at, depth - 1, &v.ordered)) return NULL;
    if (v.ordered && !is_in_place(x, v.at)) return NULL;
    struct repeats_value *is = repeats_add_value(x, REPEATS_COMPUTED, t);
    if (!is) return NULL;
    memcpy(v.of, is->of, sizeof v.of);
    *is = v;
    return is;
}

static struct repeats_value *value(struct repeats *x, const isa_operand *t, unsigned depth) {
    struct repeats_value *v = repeats_find_value(x, t);
    int64_t step;
    if (v || !depth) return v;
    if (repeats_all_same(x, t) && (!isa_is_reg(t[0]) || !x->moved[t[0]]))
        return repeats_add_value(x, REPEATS_SAME, t);
    for (unsigned c = 0; c < x->copies; c++)
        if (t[c] == ISA_NO_OPERAND) return NULL;
    bool counts = steps(x, t, &step), sums = !counts && sums_step(x, t, &step);
    x->sums |= sums;
    if (counts || sums) {
        v = repeats_add_value(x, REPEATS_STEPS, t);
        if (v) v->step = step;
        return v;
    }
    struct repeats_value far = {.step = 0};
    if (x->strides && sums_stride(x, t, &far)) {
        v = repeats_add_value(x, REPEATS_STEPS, t);
        if (!v) return NULL;
        v->stride = far.stride;
        v->step = far.step;
        return v;
    }
    return computed(x, t, depth);
}

bool repeats_find_sources(struct repeats *x, const uint32_t *at) {
    bool ordered = false;
    return find_sources(x, at, MOST_DEPTH, &ordered);
}
