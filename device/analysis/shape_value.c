/* The shape of each operation's result: see shape_value.h. */
#include "shape_value.h"

static const struct shape_value varying = {.span = SHAPE_VARYING};

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned zeros_below(uint64_t bits) {
    return bits ? least((unsigned)__builtin_ctzll(bits), 31) : SHAPE_ZERO_ALIGN;
}

struct shape_value shape_value_uniform(enum shape_span span) {
    return (struct shape_value){.span = (uint8_t)span};
}

static struct shape_value make(unsigned span, unsigned align, int64_t stride) {
    if (span == SHAPE_VARYING) return varying;
    return (struct shape_value){
        .span = (uint8_t)span, .align = (uint8_t)align, .stride = (int32_t)stride};
}

struct shape_value shape_value_narrow(struct shape_value v, unsigned span) {
    if (v.span == SHAPE_UNKNOWN || v.span <= span) return v;
    if (span == SHAPE_VARYING) return varying;
    if (v.stride) /* smaller pieces begin at other lanes, so at other bases */
        v.align = (uint8_t)least(v.align, zeros_below((uint32_t)v.stride) + shape_span_bits(span));
    v.span = (uint8_t)span;
    return v;
}

struct shape_value shape_value_meet(struct shape_value a, struct shape_value b) {
    if (a.span == SHAPE_UNKNOWN) return b;
    if (b.span == SHAPE_UNKNOWN) return a;
    if (a.stride != b.stride) return varying;
    a = shape_value_narrow(a, b.span);
    b = shape_value_narrow(b, a.span);
    a.align = (uint8_t)least(a.align, b.align);
    a.rising &= b.rising;
    return a;
}

struct shape_value shape_value_of_const(const struct isa_const *c) {
    bool integer = c->type == ISA_I32 || c->type == ISA_I64;
    return make(SHAPE_GROUP, integer ? zeros_below(c->bits) : 0, 0);
}

/* The span on which v is uniform. */
static unsigned uniform_span(struct shape_value v) { return v.stride ? SHAPE_VARYING : v.span; }

/* ---- special registers ---- */

/* at_zero: those of the first group begin there; local: those of each. */
static struct shape_value of_id(unsigned dimension, bool local, bool at_zero,
                                const uint32_t size[3]) {
    uint64_t inner = 1, outer = 1;
    uint32_t own = size[dimension];
    for (unsigned d = 0; d < dimension; d++) inner *= size[d];
    for (unsigned d = dimension + 1; d < 3; d++) outer *= size[d];
    if (!own || !inner || !outer) return varying;
    unsigned zero = local ? SHAPE_ZERO_ALIGN : 0;
    if (own == 1) return make(SHAPE_GROUP, zero, 0);
    for (unsigned span = SHAPE_WARP; span > SHAPE_VARYING; span--)
        if (inner % shape_span_lanes(span) == 0) return make(span, 0, 0);
    if (inner != 1) return varying;
    if (outer == 1) return make(SHAPE_GROUP, local ? zero : at_zero ? zeros_below(own) : 0, 1);
    for (unsigned span = SHAPE_WARP; span > SHAPE_VARYING; span--)
        if (own % shape_span_lanes(span) == 0)
            return make(span, at_zero ? shape_span_bits(span) : 0, 1);
    return varying;
}

static struct shape_value rising(struct shape_value v) {
    v.rising = v.stride >= 0;
    return v;
}

static struct shape_value of_special(const struct isa_kernel *k, uint32_t special,
                                     const uint32_t size[3]) {
    uint32_t sizes = special - ISA_SPECIAL_global_size_x;
    if (sizes < 3 && size[sizes] && k->whole >> sizes & 1)
        return make(SHAPE_GROUP, zeros_below(size[sizes]), 0);
    if (isa_special_uniform[special]) return shape_value_uniform(SHAPE_GROUP);
    switch (special) {
    case ISA_SPECIAL_thread_id: return rising(make(SHAPE_GROUP, SHAPE_ZERO_ALIGN, 1));
    case ISA_SPECIAL_local_id_x:
    case ISA_SPECIAL_local_id_y:
    case ISA_SPECIAL_local_id_z:
        return rising(of_id(special - ISA_SPECIAL_local_id_x, true, true, size));
    case ISA_SPECIAL_global_id_x:
    case ISA_SPECIAL_global_id_y:
    case ISA_SPECIAL_global_id_z:
        return rising(of_id(special - ISA_SPECIAL_global_id_x, false, k->low_ids, size));
    default: return varying;
    }
}

/* ---- arithmetic ---- */

struct args { /* of one instruction */
    const struct isa_kernel *k;
    const struct isa_inst *i;
    const struct shape_value *src;
    enum isa_type type;
};

/* The pieces on which all sources are uniform. */
static unsigned uniform_sources(const struct args *a) {
    unsigned span = SHAPE_GROUP;
    for (unsigned n = 0; n < a->i->nsrc; n++) span = least(span, uniform_span(a->src[n]));
    return span;
}

static bool const_source(const struct args *a, unsigned n, uint64_t *bits) {
    isa_operand o = isa_srcs(a->k, a->i)[n];
    if (!isa_is_const(o)) return false;
    *bits = a->k->consts[isa_const_index(o)].bits;
    return true;
}

/* Strides wrap around with i32; with i64 they have to fit. */
static struct shape_value strided(const struct args *a, unsigned span, unsigned align,
                                  int64_t stride) {
    int32_t wrapped = (int32_t)(uint32_t)(uint64_t)stride;
    if (a->type != ISA_I32 && wrapped != stride) return varying;
    return make(span, least(align, SHAPE_ZERO_ALIGN), wrapped);
}

static struct shape_value sum(const struct args *a, int sign) {
    unsigned span = least(a->src[0].span, a->src[1].span);
    struct shape_value x = shape_value_narrow(a->src[0], span),
                       y = shape_value_narrow(a->src[1], span);
    return strided(a, span, least(x.align, y.align), x.stride + (int64_t)sign * y.stride);
}

static struct shape_value times(const struct args *a, const struct shape_value *v,
                                uint64_t factor) {
    int64_t by = a->type == ISA_I32 ? (int32_t)factor : (int64_t)factor;
    if (by != (int32_t)by) return uniform_span(*v) ? shape_value_uniform(v->span) : varying;
    unsigned align = v->align + zeros_below(factor);
    return strided(a, v->span, v->align == SHAPE_ZERO_ALIGN ? v->align : least(align, 31),
                   v->stride * by);
}

static struct shape_value product(const struct args *a) {
    uint64_t factor;
    if (const_source(a, 1, &factor)) return times(a, &a->src[0], factor);
    if (const_source(a, 0, &factor)) return times(a, &a->src[1], factor);
    unsigned span = uniform_sources(a), align = a->src[0].align + (unsigned)a->src[1].align;
    return make(span, least(align, 31), 0);
}

/* The largest pieces on which v is base + lane with a base that begins such a piece, so that all
 * its values differ in their low bits only. */
static unsigned lane_span(struct shape_value v) {
    if (v.stride != 1) return SHAPE_VARYING;
    for (unsigned span = least(v.span, SHAPE_WARP); span > SHAPE_VARYING; span--)
        if (shape_value_narrow(v, span).align >= shape_span_bits(span)) return span;
    return SHAPE_VARYING;
}

static uint64_t low_bits(unsigned span) { return (1ull << shape_span_bits(span)) - 1; }

/* tid < 32, 64 <= tid ...: a bound between pieces decides for a whole piece. */
static struct shape_value compared(const struct args *a, bool or_equal) {
    unsigned lane = uniform_span(a->src[1]) ? 0 : 1;
    struct shape_value bound = a->src[1 - lane];
    unsigned span = least(lane_span(a->src[lane]), uniform_span(bound));
    uint64_t bits;
    if (span == SHAPE_VARYING) return varying;
    unsigned align = bound.align;
    if (or_equal != (lane == 1)) /* lane <= bound, bound < lane: it lies behind bound */
        align = const_source(a, 1 - lane, &bits) ? zeros_below(bits + 1) : 0;
    for (; span > SHAPE_VARYING; span--)
        if (align >= shape_span_bits(span)) return shape_value_uniform((enum shape_span)span);
    return varying;
}

/* thread_id & 15, thread_id & ~31 ... */
static struct shape_value masked(const struct args *a, unsigned n, uint64_t mask) {
    for (unsigned span = lane_span(a->src[n]); span != SHAPE_VARYING; span--) {
        if (!(mask & low_bits(span))) return shape_value_uniform((enum shape_span)span);
        if ((mask & low_bits(span)) == low_bits(span)) return make(span, shape_span_bits(span), 1);
    }
    return varying;
}

/* thread_id / 32, thread_id >> 4 ... */
static struct shape_value divided(const struct args *a, uint64_t by) {
    for (unsigned span = lane_span(a->src[0]); by && span != SHAPE_VARYING; span--)
        if (!(by & low_bits(span))) return shape_value_uniform((enum shape_span)span);
    return varying;
}

static struct shape_value selected(const struct args *a) {
    unsigned span = uniform_span(a->src[0]);
    return shape_value_narrow(shape_value_meet(a->src[1], a->src[2]), span);
}

/* Results that are no plain function of uniform sources, or more than that. */
static struct shape_value of_strides(const struct args *a) {
    const struct isa_inst *i = a->i;
    unsigned width = 8u * isa_type_size[i->type];
    uint64_t bits;
    switch (i->op) {
    case ISA_mov: return a->src[0];
    case ISA_select: return selected(a);
    case ISA_add: return sum(a, 1);
    case ISA_sub: return sum(a, -1);
    case ISA_mul: return product(a);
    case ISA_shl:
        return const_source(a, 1, &bits) ? times(a, &a->src[0], 1ull << bits % width) : varying;
    case ISA_shr_u:
    case ISA_shr_s: return const_source(a, 1, &bits) ? divided(a, 1ull << bits % width) : varying;
    case ISA_div_u: return const_source(a, 1, &bits) ? divided(a, bits) : varying;
    case ISA_rem_u:
        if (!const_source(a, 1, &bits) || !bits || bits & (bits - 1)) return varying;
        return masked(a, 0, bits - 1);
    case ISA_and:
        if (const_source(a, 1, &bits)) return masked(a, 0, bits);
        return const_source(a, 0, &bits) ? masked(a, 1, bits) : varying;
    case ISA_trunc: return make(a->src[0].span, a->src[0].align, a->src[0].stride);
    case ISA_sext:
    case ISA_zext: { /* such a piece does not wrap around */
        if (a->i->op == ISA_zext && a->src[0].rising) return a->src[0];
        unsigned span = lane_span(a->src[0]);
        return span ? shape_value_narrow(a->src[0], span) : varying;
    }
    case ISA_eq:
    case ISA_ne:
        if (a->src[0].stride != a->src[1].stride) return varying;
        return shape_value_uniform((enum shape_span)least(a->src[0].span, a->src[1].span));
    case ISA_lt_s:
    case ISA_lt_u: return compared(a, false);
    case ISA_le_s:
    case ISA_le_u: return compared(a, true);
    default: return varying;
    }
}

/* single: the group is one work-item, whose own memory is the group's. */
static struct shape_value of_load(const struct args *a, enum shape_span reads, bool single) {
    switch (a->i->space) {
    case ISA_PARAM: return shape_value_uniform(SHAPE_GROUP);
    case ISA_PRIVATE:
        return single ? shape_value_uniform((enum shape_span)uniform_span(a->src[0])) : varying;
    case ISA_GLOBAL:
    case ISA_LOCAL:
    case ISA_CONSTANT:
        if (isa_is_watched(a->i)) return varying;
        return shape_value_uniform((enum shape_span)least(reads, uniform_span(a->src[0])));
    default: return varying;
    }
}

/* Only i32 and i64 have strides and alignment. */
static struct shape_value fitted(struct shape_value v, enum isa_type type) {
    if (type == ISA_I32 || type == ISA_I64) return v;
    return v.stride ? varying : shape_value_uniform((enum shape_span)v.span);
}

struct shape_value shape_value_of_inst(const struct isa_kernel *k, const struct isa_inst *i,
                                       enum isa_type type, const struct shape_value src[],
                                       const uint32_t size[3], enum shape_span reads) {
    struct args a = {.k = k, .i = i, .src = src, .type = type};
    switch (i->op) {
    case ISA_special: return of_special(k, (uint32_t)i->imm, size);
    case ISA_localaddr:
    case ISA_constaddr: return make(SHAPE_GROUP, 0, 0);
    case ISA_printf: return make(SHAPE_GROUP, SHAPE_ZERO_ALIGN, 0);
    case ISA_lane_add:
    case ISA_lane_or:
    case ISA_lane_xor:
    case ISA_lane_umax:
    case ISA_lane_first:
    case ISA_lane_at: return shape_value_uniform(SHAPE_WARP);
    case ISA_ld:
        return fitted(of_load(&a, reads, size && size[0] == 1 && size[1] == 1 && size[2] == 1),
                      type);
    case ISA_img_read:
        return shape_value_uniform((enum shape_span)least(reads, uniform_sources(&a)));
    }
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE)) return varying;
    struct shape_value plain = shape_value_uniform((enum shape_span)uniform_sources(&a));
    struct shape_value better = fitted(of_strides(&a), type);
    return better.span >= plain.span ? better : plain;
}
