#include "groupbounds.h"

#include "device/analysis/warpregions.h"
#include "device/isa/compare.h"

enum {
    MOST_DEPTH = 24, /* of operations within one another */
    SURE_BITS = 62   /* of a bound that does not wrap around */
};

void groupbounds_begin(struct groupbounds *g, const struct sized *s, const struct loops *loops,
                       struct kernelcopy *c, struct arena *arena) {
    *g = (struct groupbounds){.k = s->k,
                              .copy = c,
                              .size = s->groups.size,
                              .items = s->items,
                              .loops = loops,
                              .one = ARENA_ARRAY(arena, uint8_t, s->k->nregs + 1u),
                              .bounds = ARENA_ARRAY(arena, struct group_bounds, s->k->nregs + 1u),
                              .holds = ISA_NO_OPERAND};
}

/* ---- values ---- */

static const struct group_bounds unknown = {ISA_NO_OPERAND, ISA_NO_OPERAND, 0};

isa_operand groupbounds_wide(struct groupbounds *g, int64_t value) {
    return isa_const_new(g->copy->out, ISA_I64, (uint64_t)value);
}

static int64_t constant(const struct groupbounds *g, isa_operand o) {
    return (int64_t)g->copy->out->consts[isa_const_index(o)].bits;
}

isa_operand groupbounds_both(struct groupbounds *g, enum isa_op op, isa_operand a, isa_operand b) {
    if (a == ISA_NO_OPERAND || b == ISA_NO_OPERAND) return ISA_NO_OPERAND;
    return kernelcopy_result(g->copy, op, ISA_PRED, a, b);
}

isa_operand groupbounds_compare(struct groupbounds *g, enum isa_op op, isa_operand a,
                                isa_operand b) {
    return kernelcopy_result(g->copy, op, ISA_I64, a, b);
}

isa_operand groupbounds_add(struct groupbounds *g, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(g->copy, op, ISA_I64, a, b);
}

static void demand(struct groupbounds *g, isa_operand condition) {
    g->holds =
        g->holds == ISA_NO_OPERAND ? condition : groupbounds_both(g, ISA_and, g->holds, condition);
}

/* What gives the operand its value where instruction `user` reads it, before `reader`; NULL: no
 * one instruction. */
static const struct isa_inst *writer_of(const struct groupbounds *g, isa_operand o, uint32_t user) {
    uint32_t n = loops_writer(g->loops, o, 0);
    bool is = n < user && user <= g->reader && warpregions_passed(g->k, n, g->reader);
    return is ? &g->k->insts[n] : NULL;
}

static uint32_t number_of(const struct groupbounds *g, const struct isa_inst *i) {
    return (uint32_t)(i - g->k->insts);
}

/* Has the group one value of it, which can be computed first? It is then. */
bool groupbounds_one(struct groupbounds *g, isa_operand o, uint32_t user) {
    if (isa_is_const(o)) return true;
    const struct isa_inst *i = writer_of(g, o, user);
    if (!i || g->depth == MOST_DEPTH) return false;
    if (g->one[o]) return true;
    bool one = i->space == ISA_PARAM && i->op == ISA_ld;
    if (i->op == ISA_special)
        one = isa_special_uniform[i->imm];
    else if (isa_op_info[i->op].flags & ISA_OP_PURE && !(isa_op_info[i->op].flags & ISA_OP_IMAGE))
        one = i->nsrc > 0;
    g->depth++;
    for (unsigned s = 0; s < i->nsrc && one && i->op != ISA_ld; s++)
        one = groupbounds_one(g, isa_srcs(g->k, i)[s], number_of(g, i));
    g->depth--;
    if (!one || g->copy->failed) return false;
    g->copy->at = number_of(g, i);
    kernelcopy_put_anew(g->copy, g->copy->at);
    for (unsigned d = 0; d < i->ndst; d++) g->one[isa_dsts(g->k, i)[d]] = 1;
    return true;
}

static struct group_bounds of_ids(struct groupbounds *g, uint32_t which) {
    const uint32_t *size = g->size;
    unsigned d = which % 3;
    if (which == ISA_SPECIAL_thread_id)
        return (struct group_bounds){groupbounds_wide(g, 0), groupbounds_wide(g, g->items - 1), 12};
    if (which - d == ISA_SPECIAL_local_id_x)
        return (struct group_bounds){groupbounds_wide(g, 0), groupbounds_wide(g, size[d] - 1), 12};
    if (which - d != ISA_SPECIAL_global_id_x) return unknown;
    struct kernelcopy *c = g->copy;
    isa_operand part[2];
    for (unsigned n = 0; n < 2; n++) {
        isa_operand id =
            kernelcopy_special(c, (n ? ISA_SPECIAL_global_offset_x : ISA_SPECIAL_group_id_x) + d);
        part[n] = kernelcopy_converted(c, ISA_zext, ISA_I64, ISA_I32, id);
    }
    part[0] = groupbounds_add(g, ISA_mul, part[0], groupbounds_wide(g, size[d]));
    isa_operand low = groupbounds_add(g, ISA_add, part[0], part[1]);
    return (struct group_bounds){
        low, groupbounds_add(g, ISA_add, low, groupbounds_wide(g, size[d] - 1)), 46};
}

static struct group_bounds bounds_of(struct groupbounds *g, isa_operand o, uint32_t user);

/* By a value that is not negative and one for the group, a constant. */
static struct group_bounds scaled(struct groupbounds *g, struct group_bounds a, isa_operand by,
                                  bool shift) {
    uint32_t value;
    if (!a.bits || !isa_constant(g->k, by, &value)) return unknown;
    if (shift ? value > 31 : value > INT32_MAX) return unknown;
    unsigned more = shift ? value : value ? 32 - (unsigned)__builtin_clz(value) : 1;
    if (a.bits + more > SURE_BITS) return unknown;
    isa_operand factor = groupbounds_wide(g, shift ? (int64_t)1 << value : (int64_t)value);
    return (struct group_bounds){groupbounds_add(g, ISA_mul, a.low, factor),
                                 groupbounds_add(g, ISA_mul, a.high, factor), a.bits + more};
}

struct group_bounds groupbounds_sum(struct groupbounds *g, struct group_bounds a,
                                    struct group_bounds b, bool minus) {
    unsigned bits = (a.bits > b.bits ? a.bits : b.bits) + 1;
    if (!a.bits || !b.bits || bits > SURE_BITS) return unknown;
    enum isa_op op = minus ? ISA_sub : ISA_add;
    return (struct group_bounds){groupbounds_add(g, op, a.low, minus ? b.high : b.low),
                                 groupbounds_add(g, op, a.high, minus ? b.low : b.high), bits};
}

bool groupbounds_within(struct groupbounds *g, struct group_bounds a, int64_t least, int64_t most) {
    if (!a.bits) return false;
    if (a.bits <= 12 && !least)
        return true; /* ids in the group, and what is made smaller of them */
    for (unsigned n = 0; n < g->demands; n++)
        if (g->demanded[n].low == a.low && g->demanded[n].high == a.high &&
            g->demanded[n].least == least && g->demanded[n].most == most)
            return true;
    if (g->demands == GROUPBOUNDS_DEMANDS) return false;
    demand(g, groupbounds_compare(g, ISA_le_s, groupbounds_wide(g, least), a.low));
    demand(g, groupbounds_compare(g, ISA_le_s, a.high, groupbounds_wide(g, most)));
    g->demanded[g->demands].low = a.low, g->demanded[g->demands].high = a.high;
    g->demanded[g->demands].least = least, g->demanded[g->demands++].most = most;
    return true;
}

/* Of a quotient or a remainder, by a constant, of what is no negative number. */
static struct group_bounds part(struct groupbounds *g, const struct isa_inst *i,
                                struct group_bounds a) {
    uint32_t by;
    if (!isa_constant(g->k, isa_srcs(g->k, i)[1], &by) || i->type != ISA_I32) return unknown;
    if (!groupbounds_within(g, a, 0, INT32_MAX)) return unknown;
    unsigned bits = a.bits < 31 ? a.bits : 31;
    switch (i->op) {
    case ISA_and:
        if (by > INT32_MAX) return unknown;
        return (struct group_bounds){groupbounds_wide(g, 0), groupbounds_wide(g, by), 31};
    case ISA_rem_u:
    case ISA_rem_s:
        if (!by || by > INT32_MAX) return unknown;
        return (struct group_bounds){groupbounds_wide(g, 0), groupbounds_wide(g, by - 1), 31};
    case ISA_shr_u:
    case ISA_shr_s:
        if (by > 31) return unknown;
        return (struct group_bounds){groupbounds_add(g, ISA_shr_s, a.low, groupbounds_wide(g, by)),
                                     groupbounds_add(g, ISA_shr_s, a.high, groupbounds_wide(g, by)),
                                     bits};
    case ISA_div_u:
    case ISA_div_s:
        if (!by || by > INT32_MAX) return unknown;
        return (struct group_bounds){groupbounds_add(g, ISA_div_s, a.low, groupbounds_wide(g, by)),
                                     groupbounds_add(g, ISA_div_s, a.high, groupbounds_wide(g, by)),
                                     bits};
    default: return unknown;
    }
}

struct group_bounds groupbounds_result(struct groupbounds *g, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(g->k, i);
    uint32_t n = number_of(g, i);
    struct group_bounds a = unknown;
    if (i->op == ISA_special) return of_ids(g, (uint32_t)i->imm);
    if (i->type != ISA_I32 && i->type != ISA_I64) return unknown;
    switch (i->op) {
    case ISA_mov: return bounds_of(g, src[0], n);
    case ISA_add:
    case ISA_sub:
        a = bounds_of(g, src[0], n);
        return a.bits ? groupbounds_sum(g, a, bounds_of(g, src[1], n), i->op == ISA_sub) : unknown;
    case ISA_mul: return scaled(g, bounds_of(g, src[0], n), src[1], false);
    case ISA_shl: return scaled(g, bounds_of(g, src[0], n), src[1], true);
    case ISA_sext:
    case ISA_zext:
        if (i->type2 != ISA_I32) return unknown;
        a = bounds_of(g, src[0], n);
        if (i->op == ISA_sext) return groupbounds_within(g, a, INT32_MIN, INT32_MAX) ? a : unknown;
        return groupbounds_within(g, a, 0, UINT32_MAX) ? a : unknown;
    case ISA_and:
    case ISA_shr_u:
    case ISA_shr_s:
    case ISA_div_u:
    case ISA_div_s:
    case ISA_rem_u:
    case ISA_rem_s: return part(g, i, bounds_of(g, src[0], n));
    default: return unknown;
    }
}

/* Of what the group has one value of, its bits count, as those of a signed number. */
struct group_bounds groupbounds_of_one(struct groupbounds *g, isa_operand o) {
    enum isa_type type = isa_operand_type(g->k, o);
    isa_operand one = kernelcopy_named(g->copy, o);
    if (type != ISA_I32 && type != ISA_I64) return unknown;
    if (isa_is_const(o))
        one = groupbounds_wide(g, isa_signed(type, g->k->consts[isa_const_index(o)].bits));
    else
        one = kernelcopy_converted(g->copy, ISA_sext, ISA_I64, type, one);
    return (struct group_bounds){one, one, type == ISA_I32 ? 32 : 64};
}

static struct group_bounds bounds_of(struct groupbounds *g, isa_operand o, uint32_t user) {
    const struct isa_inst *i = writer_of(g, o, user);
    if (g->copy->failed || g->depth == MOST_DEPTH || (!i && !isa_is_const(o))) return unknown;
    if (i && g->bounds[o].bits) return g->bounds[o];
    struct group_bounds b;
    if (groupbounds_one(g, o, user)) {
        b = groupbounds_of_one(g, o);
    } else {
        g->depth++;
        b = groupbounds_result(g, i);
        g->depth--;
    }
    if (i) g->bounds[o] = b;
    return b;
}

/* ---- predicates ---- */

/* A comparison: what it says of bounds where it holds for all work-items, or for none. */
static isa_operand all_compare(struct groupbounds *g, const struct isa_inst *i, bool truth) {
    const isa_operand *src = isa_srcs(g->k, i);
    if (i->type2 != ISA_I32 && i->type2 != ISA_I64) return ISA_NO_OPERAND;
    bool less = compare_is_strict(i->op), of_signs = compare_is_signed(i->op);
    bool small = i->type2 == ISA_I32;
    if (!compare_is_order(i->op)) return ISA_NO_OPERAND;
    uint32_t n = number_of(g, i);
    struct group_bounds a = bounds_of(g, src[0], n), b = a.bits ? bounds_of(g, src[1], n) : unknown;
    int64_t least = !of_signs ? 0 : small ? INT32_MIN : INT64_MIN;
    int64_t most = !small ? INT64_MAX : of_signs ? INT32_MAX : UINT32_MAX;
    if (!a.bits || !b.bits) return ISA_NO_OPERAND;
    if ((a.low != a.high || !of_signs) && !groupbounds_within(g, a, least, most))
        return ISA_NO_OPERAND;
    if ((b.low != b.high || !of_signs) && !groupbounds_within(g, b, least, most))
        return ISA_NO_OPERAND;
    isa_operand left = truth ? a.high : b.high, right = truth ? b.low : a.low;
    bool strictly = less == truth;
    if (isa_is_const(left) && isa_is_const(right)) { /* no group passes */
        int64_t x = constant(g, left), y = constant(g, right);
        if (strictly ? x >= y : x > y) return ISA_NO_OPERAND;
    }
    return groupbounds_compare(g, strictly ? ISA_lt_s : ISA_le_s, left, right);
}

/* That the predicate is that for all work-items, or that it is not sure that it is;
 * ISA_NO_OPERAND: nobody knows. */
isa_operand groupbounds_all(struct groupbounds *g, isa_operand p, uint32_t user, bool truth) {
    const struct isa_inst *i = writer_of(g, p, user);
    isa_operand none = ISA_NO_OPERAND, a, b;
    if (g->copy->failed || g->depth == MOST_DEPTH) return none;
    if (groupbounds_one(g, p, user)) {
        a = kernelcopy_named(g->copy, p);
        return truth ? a : kernelcopy_result(g->copy, ISA_not, ISA_PRED, a, none);
    }
    if (!i) return none;
    const isa_operand *src = isa_srcs(g->k, i);
    uint32_t n = number_of(g, i);
    g->depth++;
    if (i->op == ISA_mov) {
        a = groupbounds_all(g, src[0], n, truth);
    } else if (i->op == ISA_not) {
        a = groupbounds_all(g, src[0], n, !truth);
    } else if (i->op == ISA_and || i->op == ISA_or) {
        a = groupbounds_all(g, src[0], n, truth);
        b = a == none ? none : groupbounds_all(g, src[1], n, truth);
        a = groupbounds_both(g, (i->op == ISA_and) == truth ? ISA_and : ISA_or, a, b);
    } else {
        a = all_compare(g, i, truth);
    }
    g->depth--;
    return a;
}
