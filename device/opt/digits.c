#include "digits.h"

#include <stdlib.h>
#include <string.h>

#include "device/analysis/itemindex.h"
#include "device/analysis/numbers.h"
#include "device/isa/constant.h"
#include "device/isa/loops.h"
#include "digitstep.h"

enum {
    MOST_INSTS = 2000,
    LEAST_ROW = 64 /* elements: a remainder by less is best left as bits */
};

static const struct digits_step stays = {.act = STAYS};

struct digits_finder {
    const struct isa_kernel *k;
    struct loops loops;
    struct numbers values;
    uint8_t *origins; /* of registers: FROM_* */
    struct digits_step *steps;
    struct ownwords own;
    bool numbers; /* of arguments */
};

/* ---- what values come from ---- */

enum { FROM_ID = 1, FROM_MEMORY = 2 };

static uint8_t origin_of(const struct isa_kernel *k, const struct isa_inst *i,
                         const uint8_t *from) {
    uint8_t is = 0;
    if (i->op == ISA_special) return isa_special_uniform[i->imm] ? 0 : FROM_ID;
    if (i->op == ISA_ld && i->space == ISA_PARAM) return 0;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || isa_op_info[i->op].flags & ISA_OP_IMAGE)
        return FROM_MEMORY;
    for (unsigned s = 0; s < i->nsrc; s++)
        if (isa_is_reg(isa_srcs(k, i)[s])) is |= from[isa_srcs(k, i)[s]];
    return is;
}

static void find_origins(const struct isa_kernel *k, uint8_t *from) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint8_t is = i->ndst ? origin_of(k, i, from) : 0;
            for (unsigned d = 0; d < i->ndst; d++) {
                uint8_t *known = &from[isa_dsts(k, i)[d]];
                changed |= (*known | is) != *known;
                *known |= is;
            }
        }
    }
}

static uint8_t origin(const struct digits_finder *f, isa_operand o) {
    return isa_is_reg(o) ? f->origins[o] : 0;
}

static bool is_bitwise(const struct isa_inst *i) {
    return i->op == ISA_or || i->op == ISA_xor || i->op == ISA_and;
}

static bool is_shift(const struct isa_inst *i) {
    return i->op == ISA_shl || i->op == ISA_shr_u || i->op == ISA_shr_s;
}

/* What is left of something without its high bits: as compilers write remainders. */
static bool is_remainder(const struct digits_finder *f, const struct isa_inst *i) {
    const struct isa_inst *whole = loops_definition(&f->loops, f->k, isa_srcs(f->k, i)[1]);
    return whole && whole->op == ISA_and && isa_is_const(isa_srcs(f->k, whole)[1]);
}

/* May it become another one? What is made of memory is no index that is taken apart. */
static bool may_become(const struct digits_finder *f, const struct isa_inst *i) {
    if ((i->type != ISA_I32 && i->type != ISA_I64) || i->nsrc != 2) return false;
    const isa_operand *src = isa_srcs(f->k, i);
    uint8_t from = (uint8_t)(origin(f, src[0]) | origin(f, src[1]));
    if (from & FROM_MEMORY || !isa_is_reg(src[0])) return false;
    if (i->op == ISA_or || i->op == ISA_xor) return true;
    if (i->op == ISA_sub) return from & FROM_ID && is_remainder(f, i);
    if (!(from & FROM_ID) || !(i->op == ISA_and || is_shift(i) || isa_divides(i->op))) return false;
    if (isa_is_reg(src[1])) return true;
    const struct isa_inst *sum = loops_definition(&f->loops, f->k, src[0]); /* may be apart */
    return sum && (sum->op == ISA_add || sum->op == ISA_or || sum->op == ISA_xor);
}

/* ---- numbers ---- */

static bool exact(const struct digits_finder *f, isa_operand o, int64_t *value) {
    struct interval v = numbers_signed(&f->values, f->k, o);
    *value = v.least;
    return v.least == v.most;
}

/* The bits that a source of instruction n may have; all of them where it may be negative. */
static uint64_t bits_of(const struct digits_finder *f, uint32_t n, unsigned s) {
    struct interval v = numbers_read(&f->values, f->k, n, s);
    if (v.least < 0) return UINT64_MAX;
    if (v.least == v.most) return (uint64_t)v.least;
    unsigned zeros = numbers_zeros(&f->values, f->k, isa_srcs(f->k, &f->k->insts[n])[s]);
    uint64_t bits = v.most ? UINT64_MAX >> __builtin_clzll((uint64_t)v.most) : 0;
    return zeros < 64 ? bits >> zeros << zeros : 0;
}

static bool is_power(int64_t v) { return v > 0 && !(v & (v - 1)); }

/* ---- lengths ---- */

/* The argument that an operand is; false: it is none. */
static bool is_argument(const struct digits_finder *f, isa_operand o, uint32_t *offset) {
    const struct isa_inst *i = loops_definition(&f->loops, f->k, o);
    if (!i || i->op != ISA_ld || i->space != ISA_PARAM || i->type != ISA_I32 || i->count != 1 ||
        isa_srcs(f->k, i)[0] != ISA_NO_OPERAND)
        return false;
    *offset = (uint32_t)i->imm;
    return true;
}

/* Is it an argument or a size, less one? */
static bool is_less_one(const struct digits_finder *f, isa_operand o, struct digits_step *by) {
    const struct isa_inst *i = loops_definition(&f->loops, f->k, o);
    bool less = i && ((i->op == ISA_add && constant_is(f->k, isa_srcs(f->k, i)[1], -1)) ||
                      (i->op == ISA_sub && constant_is(f->k, isa_srcs(f->k, i)[1], 1)));
    if (!less) return false;
    isa_operand whole = isa_srcs(f->k, i)[0];
    by->from = ARGUMENT;
    if (is_argument(f, whole, &by->what)) return true;
    i = loops_definition(&f->loops, f->k, whole);
    by->from = SPECIAL;
    by->what = i && i->op == ISA_special ? (uint32_t)i->imm : 0;
    return i && i->op == ISA_special && isa_special_uniform[i->imm];
}

/* Something of that length: an argument or a size of which somebody takes one away, as masks are
 * made; any other one; one whose power of two it is. */
static bool find_length(const struct digits_finder *f, int64_t length, struct digits_step *by) {
    const struct isa_kernel *k = f->k;
    int64_t v;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned s = 0; s < 2 && i->op == ISA_and && i->type == ISA_I32; s++)
            if (exact(f, isa_srcs(k, i)[s], &v) && v == length - 1 &&
                is_less_one(f, isa_srcs(k, i)[s], by))
                return true;
    }
    for (unsigned power = 0; power < 2; power++) {
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            if (i->op != ISA_ld || i->ndst != 1 || !is_argument(f, isa_dsts(k, i)[0], &by->what) ||
                !exact(f, isa_dsts(k, i)[0], &v))
                continue;
            by->from = power ? POWER : ARGUMENT;
            if (power ? v >= 0 && v < 31 && INT64_C(1) << v == length : v == length) return true;
        }
    }
    return false;
}

/* ---- what becomes of instructions ---- */

/* The register holds what it held where it was written, whoever reads it. */
static bool is_kept(const struct digits_finder *f, isa_operand o) {
    return isa_is_reg(o) && f->loops.ordered[o] && isa_operand_type(f->k, o) == ISA_I32;
}

/* The sum is a work-item's index as a special register gives it (opt_index.c), and may be taken
 * apart into rows. */
static bool is_index(const struct digits_finder *f, const struct isa_inst *sum, int64_t length) {
    struct itemindex x = itemindex_of(f->k, &f->loops, sum);
    return length >= LEAST_ROW && x.d < ITEMINDEX_DIMENSIONS && !x.size;
}

/* Is the operand a * length + b, with b less than that? Then its quotient is a, and b is left. */
static bool is_apart(const struct digits_finder *f, isa_operand o, int64_t length,
                     isa_operand *quotient, isa_operand *rest) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *sum = loops_definition(&f->loops, k, o);
    if (!sum || sum->type != ISA_I32 || is_index(f, sum, length)) return false;
    uint32_t n = (uint32_t)(sum - k->insts);
    if (sum->op != ISA_add && f->steps[n].act != SUM) return false;
    for (unsigned s = 0; s < 2; s++) {
        isa_operand whole = isa_srcs(k, sum)[s];
        const struct isa_inst *i = loops_definition(&f->loops, k, whole);
        struct interval b = numbers_read(&f->values, k, n, !s);
        int64_t by;
        *rest = isa_srcs(k, sum)[!s];
        if (!i || !is_kept(f, *rest) || !interval_within(b, 0, length - 1)) continue;
        if (!interval_within(numbers_signed(&f->values, k, whole), 0, INT32_MAX - length)) continue;
        for (unsigned t = 0; t < 2; t++) {
            bool shift = i->op == ISA_shl && !t;
            if (!shift && i->op != ISA_mul) continue;
            *quotient = isa_srcs(k, i)[t];
            if (!is_kept(f, *quotient) || !exact(f, isa_srcs(k, i)[!t], &by)) continue;
            struct interval a = numbers_signed(&f->values, k, *quotient);
            if (shift && (by < 0 || by > 30)) continue;
            if (shift) by = INT64_C(1) << by;
            if (by == length && interval_within(a, 0, INT32_MAX / length)) return true;
        }
    }
    return false;
}

/* Is the operand a multiple of the length in this launch, each time that it is read? */
static bool is_multiple(const struct digits_finder *f, isa_operand o, int64_t length,
                        unsigned left) {
    const struct isa_kernel *k = f->k;
    int64_t value;
    if (exact(f, o, &value)) return value % length == 0;
    if (is_power(length) && INT64_C(1) << (numbers_zeros(&f->values, k, o) & 31) >= length)
        return true;
    const struct isa_inst *i = loops_definition(&f->loops, k, o);
    if (!i || !left) return false;
    const isa_operand *src = isa_srcs(k, i);
    switch (i->op) {
    case ISA_mov: return is_multiple(f, src[0], length, left - 1);
    case ISA_mul:
        return is_multiple(f, src[0], length, left - 1) || is_multiple(f, src[1], length, left - 1);
    case ISA_add:
    case ISA_sub:
        return is_multiple(f, src[0], length, left - 1) && is_multiple(f, src[1], length, left - 1);
    case ISA_shl:
        return isa_is_const(src[1]) && exact(f, src[1], &value) && value < 31 &&
               ((INT64_C(1) << value) % length == 0 || is_multiple(f, src[0], length, left - 1));
    default: return false;
    }
}

/* The sum that an operand is, but for what adds nothing, as of numbers without a sign; or NULL. */
static const struct isa_inst *sum_of(const struct digits_finder *f, isa_operand o) {
    const struct isa_inst *sum = loops_definition(&f->loops, f->k, o);
    while (sum && sum->op == ISA_add) {
        const isa_operand *src = isa_srcs(f->k, sum);
        int64_t value[2] = {1, 1};
        for (unsigned s = 0; s < 2; s++)
            if (!exact(f, src[s], &value[s])) value[s] = 1;
        if (value[0] && value[1]) break;
        sum = loops_definition(&f->loops, f->k, src[!value[0]]);
    }
    return sum && sum->type == ISA_I32 ? sum : NULL;
}

/* Is the operand a sum of a multiple of the length and of something else, neither of them negative?
 */
static bool is_split(const struct digits_finder *f, isa_operand o, int64_t length,
                     isa_operand *multiple, isa_operand *other) {
    enum { MOST_STEPS = 8 };
    const struct isa_inst *sum = sum_of(f, o);
    if (!sum || is_index(f, sum, length)) return false;
    uint32_t n = (uint32_t)(sum - f->k->insts);
    if (sum->op != ISA_add && f->steps[n].act != SUM) return false;
    struct interval a = numbers_read(&f->values, f->k, n, 0),
                    b = numbers_read(&f->values, f->k, n, 1);
    if (a.least < 0 || b.least < 0 || a.most + b.most > INT32_MAX) return false;
    for (unsigned s = 0; s < 2; s++) {
        *multiple = isa_srcs(f->k, sum)[s];
        *other = isa_srcs(f->k, sum)[!s];
        if (is_kept(f, *other) && (is_kept(f, *multiple) || isa_is_const(*multiple)) &&
            is_multiple(f, *multiple, length, MOST_STEPS))
            return true;
    }
    return false;
}

/* A shift, a mask or a division as one of these, by a length. */
static struct digits_step divided(const struct digits_finder *f, uint32_t n, int64_t length,
                                  bool remains) {
    const struct isa_inst *i = &f->k->insts[n];
    const isa_operand *src = isa_srcs(f->k, i);
    struct digits_step step = {.act = remains ? REST : QUOTIENT};
    struct interval x = numbers_read(&f->values, f->k, n, 0);
    isa_operand quotient, rest;
    if (i->type != ISA_I32 || x.least < 0) return stays;
    if (is_apart(f, src[0], length, &quotient, &rest))
        return (struct digits_step){.act = PART, .part = remains ? rest : quotient};
    if (is_split(f, src[0], length, &quotient, &rest))
        return (struct digits_step){
            .act = remains ? OF_PART : OF_BOTH, .part = rest, .what = quotient};
    if (isa_divides(i->op) || isa_is_const(src[1]) || length < LEAST_ROW || x.most < length ||
        !is_power(length) || !find_length(f, length, &step))
        return stays;
    return step;
}

static struct digits_step of_bits(const struct digits_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    uint64_t a = bits_of(f, n, 0), b = bits_of(f, n, 1);
    int64_t mask;
    if (i->op != ISA_and) return a & b ? stays : (struct digits_step){.act = SUM};
    if (!exact(f, isa_srcs(f->k, i)[1], &mask)) return stays;
    if (a != UINT64_MAX && !(a & ~(uint64_t)mask)) return (struct digits_step){.act = SAME};
    isa_operand multiple, rest;
    int64_t length = mask & -mask; /* where only low bits go, it is the multiple of that below */
    if (mask < 0 && is_power(length) && mask == -length &&
        is_split(f, isa_srcs(f->k, i)[0], length, &multiple, &rest))
        return (struct digits_step){.act = OF_BOTH, .part = rest, .what = multiple};
    if (!is_power(mask + 1)) return stays;
    return divided(f, n, mask + 1, true);
}

static struct digits_step of_shift(const struct digits_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    struct digits_step step = {.act = PRODUCT};
    int64_t by;
    bool known = exact(f, isa_srcs(f->k, i)[1], &by) && by >= 0 && by < 31;
    if (!known || i->type != ISA_I32) return stays;
    if (i->op != ISA_shl) return divided(f, n, INT64_C(1) << by, false);
    bool constant = isa_is_const(isa_srcs(f->k, i)[1]);
    return !constant && find_length(f, INT64_C(1) << by, &step) ? step : stays;
}

/* A number less what it has of high bits: the low ones, of what is no multiple of theirs. */
static struct digits_step of_difference(const struct digits_finder *f, uint32_t n) {
    const isa_operand *src = isa_srcs(f->k, &f->k->insts[n]);
    const struct isa_inst *high = loops_definition(&f->loops, f->k, src[1]);
    const struct isa_inst *whole = sum_of(f, src[0]);
    int64_t mask;
    isa_operand multiple, rest;
    if (!whole || whole != sum_of(f, isa_srcs(f->k, high)[0])) return stays;
    if (!exact(f, isa_srcs(f->k, high)[1], &mask) || mask >= 0 || !is_power(-mask)) return stays;
    if (!is_split(f, src[0], -mask, &multiple, &rest)) return stays;
    return (struct digits_step){.act = LOW_BITS, .part = rest, .what = (uint32_t)(-mask - 1)};
}

static struct digits_step becomes(const struct digits_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    int64_t length;
    if (!may_become(f, i)) return stays;
    if (is_bitwise(i)) return of_bits(f, n);
    if (i->op == ISA_sub) return of_difference(f, n);
    if (is_shift(i)) return of_shift(f, n);
    if (!exact(f, isa_srcs(f->k, i)[1], &length) || length <= 0) return stays;
    return divided(f, n, length, i->op == ISA_rem_u || i->op == ISA_rem_s);
}

static void look(struct digits_finder *f, const struct isa_kernel *k, struct arena *arena) {
    *f = (struct digits_finder){.k = k, .origins = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u)};
    find_origins(k, f->origins);
    loops_find(&f->loops, k, arena);
}

/* What becomes of accesses to local memory. */
static uint32_t find_own(struct digits_finder *f, const struct affine_launch *l,
                         struct arena *arena) {
    const struct isa_kernel *k = f->k;
    uint32_t found = 0;
    if (!ownwords_may(k)) return 0;
    ownwords_find(&f->own, k, l, arena);
    for (uint32_t n = 0; f->own.bytes && n < k->ninsts; n++) {
        const struct ownwords_place *p = &f->own.of[n];
        if (!p->is) continue;
        f->steps[n] = (struct digits_step){
            .act = p->moves ? OWN_MOVES : OWN, .part = p->array, .what = p->at};
        found++;
    }
    return found;
}

/* What becomes of all instructions in a launch, in the arena; returns of how many. */
static uint32_t find(struct digits_finder *f, const struct isa_kernel *k,
                     const struct affine_launch *l, struct arena *arena) {
    uint32_t found = 0;
    look(f, k, arena);
    f->steps = ARENA_ARRAY(arena, struct digits_step, k->ninsts + 1u);
    numbers_of_launch(&f->values, k, l, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        f->steps[n] = becomes(f, n);
        found += f->steps[n].act != STAYS;
    }
    found += find_own(f, l, arena);
    uint32_t known = digits_known(k, &f->loops, &f->values, f->steps, arena);
    f->numbers = known;
    return found + known;
}

bool digits_may(const struct isa_kernel *k) {
    struct digits_finder f;
    struct arena_try t;
    bool may = false;
    if (k->probed || k->ninsts > MOST_INSTS || ARENA_FAILS(&t)) return false;
    look(&f, k, t.arena);
    may = ownwords_may(k) || digits_may_know(k, &f.loops, t.arena);
    for (uint32_t n = 0; n < k->ninsts && !may; n++) may = may_become(&f, &k->insts[n]);
    arena_free(t.arena);
    return may;
}

bool digits_find(struct digits *d, const struct isa_kernel *k, const struct affine_launch *l) {
    struct digits_finder f;
    struct arena_try t;
    size_t bytes = k->ninsts * sizeof *d->steps;
    *d = (struct digits){.kernel = NULL};
    if (ARENA_FAILS(&t)) return false;
    bool any = find(&f, k, l, t.arena);
    d->steps = any ? malloc(bytes) : NULL;
    if (d->steps) memcpy(d->steps, f.steps, bytes);
    d->numbers = f.numbers;
    d->own_bytes = f.own.bytes;
    memcpy(d->own, f.own.array, sizeof d->own);
    arena_free(t.arena);
    return !any || d->steps;
}

void digits_free(struct digits *d) {
    isa_kernel_free(d->kernel);
    free(d->steps);
}

bool digits_same(const struct digits *a, const struct digits *b, const struct isa_kernel *k) {
    return a->steps && b->steps && a->own_bytes == b->own_bytes &&
           !memcmp(a->own, b->own, sizeof a->own) &&
           !memcmp(a->steps, b->steps, k->ninsts * sizeof *a->steps);
}
