/* What an operation makes of numbers: intervals as if there were no end of bits, which are anything
 * where the type ends before; and low zeros. */
#include "numbers_value.h"

#include <string.h>

static const struct interval nothing = {INT64_MAX, INT64_MIN};

struct interval numbers_hull(struct interval a, struct interval b) {
    return (struct interval){a.least < b.least ? a.least : b.least,
                             a.most > b.most ? a.most : b.most};
}

struct interval numbers_whole(enum isa_type type, bool is_signed) {
    unsigned bits = 8u * isa_type_size[type];
    if (bits == 64) return numbers_everything;
    if (!is_signed) return (struct interval){0, (int64_t)((UINT64_C(1) << bits) - 1)};
    return (struct interval){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
}

static struct interval of_constant(const struct isa_const *c, bool is_signed) {
    unsigned unused = 64 - 8u * isa_type_size[c->type];
    int64_t v = (int64_t)c->bits;
    if (is_signed && unused) v = (int64_t)(c->bits << unused) >> unused;
    return (struct interval){v, v};
}

static struct interval query(const struct interval *of, const struct isa_kernel *k, isa_operand o,
                             bool is_signed) {
    if (isa_is_const(o)) return of_constant(&k->consts[isa_const_index(o)], is_signed);
    return isa_is_reg(o) ? of[o] : (struct interval){0, 0};
}

struct interval numbers_signed(const struct numbers *x, const struct isa_kernel *k, isa_operand o) {
    return query(x->as_signed, k, o, true);
}

struct interval numbers_unsigned(const struct numbers *x, const struct isa_kernel *k,
                                 isa_operand o) {
    return query(x->as_unsigned, k, o, false);
}

struct interval numbers_as(const struct numbers *x, const struct isa_kernel *k, isa_operand o,
                           bool is_signed) {
    if (is_signed || isa_operand_type(k, o) == ISA_I64) return numbers_signed(x, k, o);
    return numbers_unsigned(x, k, o);
}

/* ---- what instructions compute ---- */

struct interval numbers_sum(struct interval a, struct interval b) {
    struct interval v;
    if (__builtin_add_overflow(a.least, b.least, &v.least) ||
        __builtin_add_overflow(a.most, b.most, &v.most))
        return numbers_everything;
    return v;
}

struct interval numbers_negative(struct interval a) {
    return a.least == INT64_MIN ? numbers_everything : (struct interval){-a.most, -a.least};
}

static struct interval product(struct interval a, struct interval b) {
    const int64_t x[] = {a.least, a.least, a.most, a.most},
                  y[] = {b.least, b.most, b.least, b.most};
    struct interval v = nothing;
    for (unsigned n = 0; n < 4; n++) {
        int64_t p;
        if (__builtin_mul_overflow(x[n], y[n], &p)) return numbers_everything;
        v = numbers_hull(v, (struct interval){p, p});
    }
    return v;
}

/* All ones up to the highest bit of numbers up to v. */
static int64_t ones(int64_t v) {
    return v > 0 ? (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)v)) : 0;
}

static struct interval bitwise(enum isa_op op, struct interval a, struct interval b) {
    if (op == ISA_and && (a.least >= 0 || b.least >= 0)) {
        int64_t most = a.least < 0 ? b.most : b.least < 0 || a.most < b.most ? a.most : b.most;
        return (struct interval){0, most};
    }
    if (a.least < 0 || b.least < 0) return numbers_everything;
    return (struct interval){0, ones(a.most | b.most)};
}

static struct interval lesser(struct interval a, struct interval b) {
    return (struct interval){a.least < b.least ? a.least : b.least,
                             a.most < b.most ? a.most : b.most};
}

static struct interval greater(struct interval a, struct interval b) {
    return (struct interval){a.least > b.least ? a.least : b.least,
                             a.most > b.most ? a.most : b.most};
}

/* Of numbers that are not negative; by 0: x / 0 is all ones, x % 0 is x. */
static struct interval quotient(struct interval a, struct interval b) {
    if (a.least < 0 || b.least <= 0) return numbers_everything;
    return (struct interval){a.least / b.most, a.most / b.least};
}

static struct interval remainder_of(struct interval a, struct interval b) {
    int64_t by = b.most > 0 ? b.most - 1 : 0;
    if (b.least < 0 || b.least == INT64_MIN) { /* it has x's sign, and is no larger than x */
        return numbers_hull(a, (struct interval){0, 0});
    }
    if (a.least >= 0) return (struct interval){0, b.least > 0 && by < a.most ? by : a.most};
    return b.least > 0 ? (struct interval){-by, by} : numbers_hull(a, (struct interval){0, 0});
}

/* By how much a shift moves; false: not known. */
static bool shift_of(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                     unsigned *by) {
    struct interval v = numbers_signed(x, k, isa_srcs(k, i)[1]);
    if (v.least != v.most) return false;
    *by = (unsigned)((uint64_t)v.least % (8u * isa_type_size[i->type]));
    return true;
}

static struct interval shifted(const struct numbers *x, const struct isa_kernel *k,
                               const struct isa_inst *i, struct interval a) {
    unsigned n;
    if (!shift_of(x, k, i, &n)) return numbers_everything;
    if (i->op == ISA_shl)
        return n < 62 ? product(a, (struct interval){INT64_C(1) << n, INT64_C(1) << n})
                      : numbers_everything;
    if (i->op == ISA_shr_u && a.least < 0) return numbers_everything;
    return (struct interval){a.least >> n, a.most >> n};
}

/* What is known of the ND-range's indices and sizes. */
static struct interval of_range(const struct isa_kernel *k, uint32_t which,
                                const uint32_t size[3]) {
    unsigned d = which % 3;
    int64_t items = k->low_ids ? ISA_LOW_IDS : UINT32_MAX;
    bool groups = which - d == ISA_SPECIAL_group_id_x || which - d == ISA_SPECIAL_num_groups_x;
    if (k->low_ids && which - d == ISA_SPECIAL_global_offset_x) return (struct interval){0, 0};
    return (struct interval){0, groups && k->low_ids && size[0] ? items / size[d] : items};
}
_Static_assert(ISA_SPECIAL_group_id_x % 3 == 0 && ISA_SPECIAL_num_groups_x % 3 == 0 &&
                   ISA_SPECIAL_global_offset_x % 3 == 0,
               "one of each dimension");

/* The same in one launch. */
static struct interval in_launch(const struct affine_launch *l, uint32_t which) {
    unsigned d = which % 3;
    int64_t groups = l->groups[d], items = groups * l->local_size[d], first = l->offset[d];
    switch (which - d) {
    case ISA_SPECIAL_global_id_x: return (struct interval){first, first + items - 1};
    case ISA_SPECIAL_group_id_x: return (struct interval){0, groups - 1};
    case ISA_SPECIAL_global_size_x: return (struct interval){items, items};
    case ISA_SPECIAL_num_groups_x: return (struct interval){groups, groups};
    case ISA_SPECIAL_global_offset_x: return (struct interval){first, first};
    default: return numbers_everything;
    }
}
_Static_assert(ISA_SPECIAL_global_id_x % 3 == 0 && ISA_SPECIAL_global_size_x % 3 == 0,
               "one of each dimension");

static struct interval of_special(const struct numbers *x, const struct isa_kernel *k,
                                  uint32_t which, const uint32_t size[3]) {
    enum { MOST_ITEMS = 1 << 13 }; /* of groups: far more than devices of this kind allow */
    uint32_t local = which - ISA_SPECIAL_local_id_x, sizes = which - ISA_SPECIAL_local_size_x;
    if (which == ISA_SPECIAL_work_dim) return (struct interval){1, 3};
    if (sizes < 3)
        return (struct interval){size[0] ? size[sizes] : 1, size[0] ? size[sizes] : MOST_ITEMS};
    if (local < 3) return (struct interval){0, (size[0] ? size[local] : MOST_ITEMS) - 1};
    if (which < ISA_SPECIAL_work_dim)
        return x->launch ? in_launch(x->launch, which) : of_range(k, which, size);
    if (which != ISA_SPECIAL_thread_id) return (struct interval){0, UINT32_MAX};
    return (struct interval){0, (size[0] ? (int64_t)size[0] * size[1] * size[2] : MOST_ITEMS) - 1};
}

/* What the instruction writes, were there no end of bits. */
static struct interval computed(const struct numbers *x, const struct isa_kernel *k,
                                const struct isa_inst *i, bool is_signed,
                                const struct interval of[2], const uint32_t size[3]) {
    const isa_operand *src = isa_srcs(k, i);
    bool two = i->nsrc > 1 && i->op != ISA_select && isa_operand_type(k, src[1]) == i->type;
    struct interval a = of[0], b = two ? of[1] : a;
    switch (i->op) {
    case ISA_mov: return a;
    case ISA_special: return of_special(x, k, (uint32_t)i->imm, size);
    case ISA_select:
        return numbers_hull(numbers_as(x, k, src[1], is_signed),
                            numbers_as(x, k, src[2], is_signed));
    case ISA_add: return numbers_sum(a, b);
    case ISA_sub: return numbers_sum(a, numbers_negative(b));
    case ISA_mul: return product(a, b);
    case ISA_shl:
    case ISA_shr_u: return shifted(x, k, i, a);
    case ISA_shr_s: return is_signed ? shifted(x, k, i, a) : numbers_everything;
    case ISA_and:
    case ISA_or:
    case ISA_xor: return bitwise((enum isa_op)i->op, a, b);
    case ISA_min_s: return is_signed ? lesser(a, b) : numbers_everything;
    case ISA_max_s: return is_signed ? greater(a, b) : numbers_everything;
    case ISA_min_u: return a.least >= 0 && b.least >= 0 ? lesser(a, b) : numbers_everything;
    case ISA_max_u: return a.least >= 0 && b.least >= 0 ? greater(a, b) : numbers_everything;
    case ISA_div_s: return is_signed ? quotient(a, b) : numbers_everything;
    case ISA_rem_s: return is_signed ? remainder_of(a, b) : numbers_everything;
    case ISA_div_u: return quotient(a, b);
    case ISA_rem_u: return a.least >= 0 && b.least >= 0 ? remainder_of(a, b) : numbers_everything;
    default: return numbers_everything;
    }
}

/* Of a conversion's operand, which is of another type. */
static struct interval converted(const struct numbers *x, const struct isa_kernel *k,
                                 const struct isa_inst *i, bool is_signed) {
    isa_operand src = isa_srcs(k, i)[0];
    if (i->op == ISA_zext) return numbers_as(x, k, src, false);
    if (i->op == ISA_sext) return numbers_as(x, k, src, true);
    return numbers_as(x, k, src, is_signed);
}

struct interval numbers_result(const struct numbers *x, const struct isa_kernel *k,
                               const struct isa_inst *i, bool is_signed,
                               const struct interval src[2], const uint32_t local_size[3]) {
    struct interval all = numbers_whole((enum isa_type)i->type, is_signed);
    bool converts = i->op == ISA_zext || i->op == ISA_sext || i->op == ISA_trunc;
    struct interval v =
        converts ? converted(x, k, i, is_signed) : computed(x, k, i, is_signed, src, local_size);
    return interval_within(v, all.least, all.most) ? v : all;
}

/* ---- low zeros ---- */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned zeros_of(uint64_t bits) {
    return bits ? (unsigned)__builtin_ctzll(bits) : NUMBERS_ZERO;
}

unsigned numbers_zeros(const struct numbers *x, const struct isa_kernel *k, isa_operand o) {
    if (o == ISA_NO_OPERAND) return NUMBERS_ZERO;
    return isa_is_reg(o) ? x->zeros[o] : zeros_of(k->consts[isa_const_index(o)].bits);
}

bool numbers_aligned(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                     unsigned bits) {
    return least(numbers_zeros(x, k, isa_srcs(k, i)[0]), zeros_of((uint32_t)i->imm)) >= bits;
}

bool numbers_in_frame(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                      unsigned bits) {
    int64_t most = numbers_unsigned(x, k, isa_srcs(k, i)[0]).most;
    return numbers_aligned(x, k, i, bits) && i->imm >= 0 &&
           most + i->imm + isa_bytes(i) <= isa_frame_bytes(k);
}

/* The parameter, a value, that bytes of the argument block belong to; or NULL. */
static const struct isa_param *value_at(const struct isa_kernel *k, uint64_t offset, uint64_t end) {
    for (uint32_t n = 0; n < k->nparams; n++) {
        const struct isa_param *p = &k->params[n];
        if (p->kind == ISA_PARAM_VALUE && p->offset <= offset &&
            end <= (uint64_t)p->offset + p->size)
            return p;
    }
    return NULL;
}

bool numbers_argument(const struct numbers *x, const struct isa_kernel *k, const struct isa_inst *i,
                      unsigned d, uint64_t *value) {
    if (!x->launch || i->op != ISA_ld || i->space != ISA_PARAM ||
        isa_srcs(k, i)[0] != ISA_NO_OPERAND)
        return false;
    unsigned size = isa_type_size[i->type];
    uint64_t offset = (uint32_t)i->imm + (uint64_t)d * size, end = offset + size;
    if (end > k->param_bytes || !value_at(k, offset, end)) return false;
    *value = 0;
    memcpy(value, (const char *)x->launch->params + offset, size);
    return true;
}

/* What the launch's argument block holds there: objects' addresses are known to be aligned. */
static unsigned of_argument(const struct numbers *x, const struct isa_kernel *k,
                            const struct isa_inst *i, unsigned d) {
    uint64_t value;
    if (numbers_argument(x, k, i, d, &value)) return zeros_of(value);
    uint32_t offset = (uint32_t)i->imm + d * isa_type_size[i->type];
    const struct isa_param *p = isa_param_at(k, offset);
    if (!p || i->type != ISA_I32 || !isa_param_points(p)) return 0;
    if (p->kind != ISA_PARAM_LOCAL) return NUMBERS_OBJECTS;
    return p->pointee_align ? least(NUMBERS_OBJECTS, zeros_of(p->pointee_align)) : 0;
}

static unsigned moved_up(unsigned bits, unsigned by) {
    return bits == NUMBERS_ZERO ? bits : bits + by;
}

static unsigned moved_down(unsigned bits, unsigned by) {
    return bits == NUMBERS_ZERO ? bits : bits > by ? bits - by : 0;
}

/* Of an operation on integers of one width. */
static unsigned of_arithmetic(const struct numbers *x, const struct isa_kernel *k,
                              const struct isa_inst *i, unsigned a, unsigned b) {
    unsigned by = 0;
    switch (i->op) {
    case ISA_add:
    case ISA_sub:
    case ISA_or:
    case ISA_xor:
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u:
    case ISA_rem_s: /* a - n * b, as far as these wrap around */
    case ISA_rem_u: return least(a, b);
    case ISA_and: return a > b ? a : b;
    case ISA_mul:
    case ISA_mul24_s:
    case ISA_mul24_u: return a + b;
    case ISA_shl: return moved_up(a, shift_of(x, k, i, &by) ? by : 0);
    case ISA_shr_s:
    case ISA_shr_u: return shift_of(x, k, i, &by) ? moved_down(a, by) : 0;
    default: return 0;
    }
}

unsigned numbers_result_zeros(const struct numbers *x, const struct isa_kernel *k,
                              const struct isa_inst *i, unsigned d) {
    const isa_operand *src = isa_srcs(k, i);
    unsigned a = i->nsrc > 0 ? numbers_zeros(x, k, src[0]) : 0;
    unsigned b = i->nsrc > 1 ? numbers_zeros(x, k, src[1]) : 0;
    switch (i->op) {
    case ISA_mov:
    case ISA_abs:
    case ISA_trunc:
    case ISA_zext: return a;
    case ISA_sext: return a < 8u * isa_type_size[i->type2] ? a : NUMBERS_ZERO;
    case ISA_select: return least(b, numbers_zeros(x, k, src[2]));
    case ISA_localaddr:
    case ISA_constaddr: return least(NUMBERS_OBJECTS, zeros_of((uint32_t)i->imm));
    case ISA_ld: return i->space == ISA_PARAM ? of_argument(x, k, i, d) : 0;
    case ISA_printf: return NUMBERS_ZERO;
    default: return least(of_arithmetic(x, k, i, a, b), NUMBERS_ZERO);
    }
}
