/* What has to hold that no lane is cut off is a list of bounds of evenly spaced values, each of
 * which is a register and a number. Of those of one register that differ in the number the
 * outermost two say it all, if nothing between wraps around. */
#include "cuts.h"

#include <string.h>

#include "device/isa/compare.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"

enum {
    MOST_FAR = 1 << 20, /* numbers beside a register */
    MOST_STEP = 64,     /* from lane to lane */
    MOST_DEPTH = 8      /* operations that are looked through */
};

/* ---- what values are ---- */

/* The instruction that gives a register the value that `reader` reads; NULL: there may be others.
 */
static const struct isa_inst *writer_of(const struct cuts *t, isa_operand o, uint32_t reader) {
    uint32_t depth = 0; /* of regions that are passed before `reader` is; */
    bool other = false; /* it is the other part of an `if` */
    for (uint32_t n = isa_is_reg(o) ? reader : 0; n-- > 0;) {
        const struct isa_inst *i = &t->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (!other && isa_writes(t->k, i, o)) return depth ? NULL : i;
        if (flags & ISA_OP_REGION_END || (flags & ISA_OP_REGION_ELSE && !depth)) {
            other |= !depth && flags & ISA_OP_REGION_ELSE;
            depth++;
        } else if (flags & ISA_OP_REGION_BEGIN && depth) {
            other &= --depth > 0;
        } else if (i->op == ISA_loop && isa_writes_between(t->k, o, n, i->match)) {
            return NULL;
        }
    }
    return NULL;
}

/* What instruction `reader` reads is there when the version begins. */
static bool is_there(const struct cuts *t, isa_operand reg, uint32_t reader) {
    return loops_keep(t->k, reg, reader < t->from ? reader : t->from, reader);
}

/* The same, or it can be computed there, of what is there. */
static bool may_be_there(const struct cuts *t, isa_operand o, uint32_t reader, unsigned depth) {
    if (!isa_is_reg(o) || is_there(t, o, reader)) return true;
    const struct isa_inst *i = writer_of(t, o, reader);
    bool good = i && depth < MOST_DEPTH && isa_op_info[i->op].flags & ISA_OP_PURE && i->ndst == 1;
    for (unsigned s = 0; good && s < i->nsrc; s++)
        good = may_be_there(t, isa_srcs(t->k, i)[s], (uint32_t)(i - t->k->insts), depth + 1);
    return good;
}

/* Two operands have one value. */
static bool same_value(const struct cuts *t, isa_operand a, uint32_t a_reader, isa_operand b,
                       uint32_t b_reader) {
    if (!isa_is_reg(a) || !isa_is_reg(b)) return a == b;
    bool there = is_there(t, a, a_reader);
    if (there || is_there(t, b, b_reader)) return a == b && there == is_there(t, b, b_reader);
    const struct isa_inst *i = writer_of(t, a, a_reader), *j = writer_of(t, b, b_reader);
    bool same = i == j || (rewrite_alike(i, j) && i->imm == j->imm);
    for (unsigned s = 0; same && i != j && s < i->nsrc; s++)
        same = same_value(t, isa_srcs(t->k, i)[s], (uint32_t)(i - t->k->insts),
                          isa_srcs(t->k, j)[s], (uint32_t)(j - t->k->insts));
    return same;
}

static bool form_of(const struct cuts *t, isa_operand o, uint32_t reader, unsigned depth,
                    struct cut_form *f) {
    const struct isa_inst *i = writer_of(t, o, reader);
    if (isa_is_const(o)) {
        const struct isa_const *c = &t->k->consts[isa_const_index(o)];
        *f = (struct cut_form){.base = ISA_NO_OPERAND,
                               .reader = reader,
                               .by = c->type == ISA_I64 ? (int64_t)c->bits : (int32_t)c->bits};
        return c->type == ISA_I32 || c->type == ISA_I64;
    }
    if (!isa_is_reg(o)) return false;
    const isa_operand *src = i ? isa_srcs(t->k, i) : NULL;
    uint32_t at = i ? (uint32_t)(i - t->k->insts) : 0;
    if (i && depth < MOST_DEPTH) {
        if (i->op == ISA_mov) return form_of(t, src[0], at, depth + 1, f);
        if (t->of[at]) return form_of(t, src[t->of[at] - 1], at, depth + 1, f);
        struct cut_form by;
        bool sum = i->op == ISA_add && isa_is_const(src[1]);
        if (sum && form_of(t, src[0], at, depth + 1, f) && form_of(t, src[1], at, depth, &by)) {
            f->by += by.by;
            return f->by < MOST_FAR && f->by > -MOST_FAR;
        }
    }
    struct shape_value is = t->shape->regs[o];
    *f = (struct cut_form){.base = o, .reader = reader, .step = is.stride};
    return is.span >= SHAPE_WARP && is.stride <= MOST_STEP && is.stride >= -MOST_STEP &&
           may_be_there(t, o, reader, 0);
}

static bool same_base(const struct cuts *t, const struct cut_form *a, const struct cut_form *b) {
    return same_value(t, a->base, a->reader, b->base, b->reader);
}

static bool same(const struct cuts *t, const struct cut_form *a, const struct cut_form *b) {
    return a->by == b->by && same_base(t, a, b);
}

/* One bound more, where one is not evenly spaced but one for the warp. */
static bool bounded(struct cuts *t, const struct cut_bound *b) {
    for (unsigned n = 0; n < t->count; n++) {
        struct cut_bound *have = &t->bounds[n];
        if (!same_base(t, &have->value, &b->value) || !same(t, &have->bound, &b->bound) ||
            have->type != b->type || have->upper != b->upper || have->strict != b->strict ||
            have->is_signed != b->is_signed || have->half != b->half)
            continue;
        int64_t by = b->value.by;
        if (b->upper ? by > have->value.by : by < have->value.by) have->value.by = by;
        if (b->upper ? by < have->nearest : by > have->nearest) have->nearest = by;
        return true;
    }
    if (t->count == CUTS_BOUNDS) return false;
    t->bounds[t->count] = *b;
    t->bounds[t->count++].nearest = b->value.by;
    return true;
}

/* The operand is a difference of what is one for the warp and `value`: *whole is the value that
 * both have in sum. */
static bool mirrors(const struct cuts *t, isa_operand o, uint32_t reader,
                    const struct cut_form *value, struct cut_form *whole) {
    struct cut_form taken;
    int64_t by = 0;
    const struct isa_inst *i = writer_of(t, o, reader);
    for (unsigned depth = 0; i && i->op != ISA_sub; depth++) {
        const isa_operand *src = isa_srcs(t->k, i);
        uint32_t at = (uint32_t)(i - t->k->insts);
        unsigned from = i->op == ISA_add || i->op == ISA_mov ? 1 : t->of[at];
        if (!from || depth == MOST_DEPTH) return false;
        if (i->op == ISA_add) {
            if (!isa_is_const(src[1]) || !form_of(t, src[1], at, 0, whole)) return false;
            by += whole->by;
        }
        i = writer_of(t, src[from - 1], at);
    }
    if (!i) return false;
    const isa_operand *src = isa_srcs(t->k, i);
    uint32_t at = (uint32_t)(i - t->k->insts);
    if (!form_of(t, src[0], at, 0, whole) || whole->step || !form_of(t, src[1], at, 0, &taken) ||
        taken.base == ISA_NO_OPERAND || !same_base(t, &taken, value))
        return false;
    whole->by += by + value->by - taken.by;
    return whole->by < MOST_FAR && whole->by > -MOST_FAR;
}

/* That a value is less than its mirror image (or as large, or more), as indices are that are
 * reflected at an edge: where it is not negative and at most half of what both have in sum, nothing
 * wraps around. */
static bool unmirrored(struct cuts *t, struct cut_bound x, const struct cut_form *whole,
                       bool less) {
    struct cut_form zero = {.base = ISA_NO_OPERAND};
    bool strict = x.strict, number = whole->base == ISA_NO_OPERAND;
    if (!x.is_signed || x.value.base == ISA_NO_OPERAND) return false;
    x.strict = x.upper = false;
    x.bound = zero;
    if (!less && !number) return false;
    if (!less && whole->by < -1) return false; /* the image of the largest number wraps around */
    if (!less) x.bound.by = (whole->by > 0 ? (whole->by + 1) / 2 : 0) + strict;
    if (!bounded(t, &x)) return false;
    if (!less) return true;
    x.strict = strict;
    x.upper = x.half = true;
    x.bound = *whole;
    return bounded(t, &x);
}

/* That low is less than high, or as large. */
static bool ordered(struct cuts *t, isa_operand low, isa_operand high, uint32_t reader, bool strict,
                    bool is_signed) {
    struct cut_form a, b, whole;
    if (!form_of(t, low, reader, 0, &a) || !form_of(t, high, reader, 0, &b)) return false;
    struct cut_bound x = {.value = a,
                          .bound = b,
                          .type = isa_operand_type(t->k, low),
                          .upper = true,
                          .strict = strict,
                          .is_signed = is_signed};
    if (b.step) {
        x.value = b;
        x.bound = a;
        x.upper = false;
    }
    if (a.step && b.step) {
        bool less = mirrors(t, high, reader, &a, &whole);
        if (!less && !mirrors(t, low, reader, &b, &whole)) return false;
        if (less) x.value = a;
        return unmirrored(t, x, &whole, less);
    }
    return x.value.base != ISA_NO_OPERAND && bounded(t, &x);
}

/* That the predicate is that for all lanes. */
static bool all_are(struct cuts *t, isa_operand p, uint32_t reader, bool truth, unsigned depth) {
    const struct isa_inst *i = writer_of(t, p, reader);
    if (!i || depth == MOST_DEPTH) return false;
    const isa_operand *src = isa_srcs(t->k, i);
    uint32_t at = (uint32_t)(i - t->k->insts);
    unsigned before = t->count;
    bool is_signed = compare_is_signed(i->op), less = compare_is_strict(i->op);
    switch (i->op) {
    case ISA_lt_s:
    case ISA_lt_u:
    case ISA_le_s:
    case ISA_le_u:
        if (truth) return ordered(t, src[0], src[1], at, less, is_signed);
        return ordered(t, src[1], src[0], at, !less, is_signed);
    case ISA_and:
    case ISA_or:
        if (!all_are(t, src[0], at, truth, depth + 1))
            return truth == (i->op == ISA_or) && all_are(t, src[1], at, truth, depth + 1);
        if (truth == (i->op == ISA_or) || all_are(t, src[1], at, truth, depth + 1)) return true;
        t->count = before;
        return false;
    case ISA_not: return all_are(t, src[0], at, !truth, depth + 1);
    default: return false;
    }
}

static bool is_spaced(const struct cuts *t, isa_operand o, uint32_t reader, bool up) {
    struct cut_form f;
    return form_of(t, o, reader, 0, &f) && f.step && up == (f.step > 0);
}

bool cuts_may(const struct isa_inst *i) {
    return i->op == ISA_select || i->op == ISA_min_s || i->op == ISA_min_u || i->op == ISA_max_s ||
           i->op == ISA_max_u;
}

/* The instruction is a cut, and has what it needs noted. */
static void look_at(struct cuts *t, uint32_t n) {
    const struct isa_inst *i = &t->k->insts[n];
    const isa_operand *src = isa_srcs(t->k, i);
    struct cut_bound before[CUTS_BOUNDS];
    unsigned count = t->count;
    if (!cuts_may(i) || (i->type != ISA_I32 && i->type != ISA_I64)) return;
    if (t->shape->regs[isa_dsts(t->k, i)[0]].span >= SHAPE_WARP) return;
    memcpy(before, t->bounds, sizeof before);
    /* What goes up first: what goes down may be its mirror image. */
    for (unsigned take = 0; take < 2u * i->nsrc && !t->of[n]; take++) {
        unsigned s = take % i->nsrc;
        bool good = is_spaced(t, src[s], n, take < i->nsrc);
        isa_operand other = i->nsrc == 2 ? src[!s] : ISA_NO_OPERAND;
        switch (i->op) {
        case ISA_min_s:
        case ISA_min_u:
            good = good && ordered(t, src[s], other, n, false, i->op == ISA_min_s);
            break;
        case ISA_max_s:
        case ISA_max_u:
            good = good && ordered(t, other, src[s], n, false, i->op == ISA_max_s);
            break;
        default: good = good && s && all_are(t, src[0], n, s == 1, 0);
        }
        if (good) {
            t->of[n] = (uint8_t)(s + 1);
        } else {
            memcpy(t->bounds, before, sizeof before);
            t->count = count;
        }
    }
}

bool cuts_find(struct cuts *t) {
    t->count = 0;
    for (uint32_t n = t->from; n < t->to; n++) look_at(t, n);
    return t->count;
}

/* ---- the test ---- */

struct cuts_writer {
    const struct cuts *cuts;
    struct kernelcopy *copy;
    bool done[CUTS_BOUNDS];
};

/* An operand where the version begins. */
static isa_operand value_of(struct cuts_writer *w, isa_operand o, uint32_t reader) {
    const struct cuts *t = w->cuts;
    struct kernelcopy *c = w->copy;
    if (!isa_is_reg(o) || is_there(t, o, reader)) return kernelcopy_named(c, o);
    const struct isa_inst *i = writer_of(t, o, reader);
    uint32_t n = (uint32_t)(i - t->k->insts);
    isa_operand src[UINT8_MAX], name = c->names[o];
    for (unsigned s = 0; s < i->nsrc; s++) src[s] = value_of(w, isa_srcs(t->k, i)[s], n);
    kernelcopy_rename(c, o);
    kernelcopy_put_with(c, n, src);
    isa_operand value = c->names[o];
    c->names[o] = name; /* what it is called where it was made */
    return value;
}

static isa_operand plus(struct kernelcopy *c, enum isa_type type, isa_operand o, int64_t by) {
    isa_operand number = kernelcopy_number(c, type, by);
    if (o == ISA_NO_OPERAND) return number;
    return by ? kernelcopy_result(c, ISA_add, type, o, number) : o;
}

static isa_operand ordered_as(struct kernelcopy *c, const struct cut_bound *b, isa_operand low,
                              isa_operand high, bool strict) {
    enum isa_op less = b->is_signed ? ISA_lt_s : ISA_lt_u,
                most = b->is_signed ? ISA_le_s : ISA_le_u;
    return kernelcopy_result(c, strict ? less : most, b->type, low, high);
}

/* Of bound n, and of those of the same register that follow: that they hold, and that nothing wraps
 * around between the values. */
static isa_operand test_of(struct cuts_writer *w, unsigned n) {
    const struct cut_bound *b = &w->cuts->bounds[n];
    struct kernelcopy *c = w->copy;
    isa_operand all = ISA_NO_OPERAND, first = value_of(w, b->value.base, b->value.reader);
    int64_t last = (int64_t)b->value.step * (ISA_WARP - 1), low = b->value.by, high = low,
            least = last < 0 ? last : 0, most = last > 0 ? last : 0;
    if (b->value.step)
        first = kernelcopy_result(c, ISA_sub, b->type, first,
                                  kernelcopy_lanes(c, b->type, b->value.step));
    for (unsigned m = n; m < w->cuts->count; m++) {
        const struct cut_bound *x = &w->cuts->bounds[m];
        if (!same_base(w->cuts, &x->value, &b->value) || x->type != b->type ||
            x->is_signed != b->is_signed)
            continue;
        isa_operand value = plus(c, x->type, first, x->value.by + (x->upper ? most : least));
        isa_operand bound =
            plus(c, x->type, value_of(w, x->bound.base, x->bound.reader), x->bound.by);
        if (x->half)
            bound =
                kernelcopy_result(c, ISA_shr_s, x->type, bound, kernelcopy_number(c, x->type, 1));
        all = kernelcopy_joined(
            c, ISA_and, all,
            ordered_as(c, x, x->upper ? value : bound, x->upper ? bound : value, x->strict));
        int64_t lowest = x->upper ? x->nearest : x->value.by,
                highest = x->upper ? x->value.by : x->nearest;
        low = lowest < low ? lowest : low;
        high = highest > high ? highest : high;
        w->done[m] = true;
    }
    if (low + least == high + most) return all;
    isa_operand lowest = plus(c, b->type, first, low + least),
                highest = plus(c, b->type, first, high + most);
    return kernelcopy_joined(c, ISA_and, all, ordered_as(c, b, lowest, highest, false));
}

isa_operand cuts_test(const struct cuts *cuts, struct kernelcopy *c) {
    struct cuts_writer w = {.cuts = cuts, .copy = c};
    isa_operand all = ISA_NO_OPERAND;
    for (unsigned n = 0; n < cuts->count; n++)
        if (!w.done[n]) all = kernelcopy_joined(c, ISA_and, all, test_of(&w, n));
    return all;
}
