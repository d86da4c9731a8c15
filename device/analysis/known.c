#include "known.h"

#include <stdlib.h>
#include <string.h>

/* Exponents: of the smallest normal number, of the largest; digits behind the first. */
enum { NORMAL = -126, LARGEST = 127, DIGITS = 23, ANY = 10000 };
/* Rounds until spans that still grow are of any numbers. */
enum { ROUNDS = 6 };

static const struct known_span nothing = {.low = ANY, .high = -ANY};
static const struct known_span anything = {.known = true, .zero = true, .low = -ANY, .high = ANY};

static struct known_span between(int low, int high, bool zero) {
    if (low > high) return (struct known_span){true, zero, ANY, -ANY};
    return (struct known_span){true, zero, (int16_t)(low < -ANY ? -ANY : low),
                               (int16_t)(high > ANY ? ANY : high)};
}

static struct known_span joined(struct known_span a, struct known_span b) {
    return (struct known_span){a.known | b.known, a.zero | b.zero, a.low < b.low ? a.low : b.low,
                               a.high > b.high ? a.high : b.high};
}

static struct known_span of_constant(const struct isa_const *c) {
    if (c->type != ISA_F32) return anything;
    int exponent = (int)(c->bits >> DIGITS & 0xff);
    if (!(c->bits << 33)) return between(ANY, -ANY, true);
    if (!exponent || exponent > LARGEST - NORMAL + 1) return anything;
    return between(exponent - LARGEST, exponent - LARGEST, false);
}

static struct known_span of_operand(const struct known_span *of, const struct isa_kernel *k,
                                    isa_operand o) {
    return isa_is_const(o) ? of_constant(&k->consts[isa_const_index(o)]) : of[o];
}

/* Works with f32 values, and not just with their bits. */
static bool flushes(const struct isa_inst *i) {
    switch (i->op) {
    case ISA_mov:
    case ISA_select:
    case ISA_bits:
    case ISA_fneg:
    case ISA_fabs:
    case ISA_copysign:
    case ISA_s2f:
    case ISA_u2f:
    case ISA_h2f: return false;
    default:
        return isa_op_info[i->op].flags & ISA_OP_PURE &&
               (i->type == ISA_F32 || i->type2 == ISA_F32);
    }
}

static bool all_known(const struct known_span *of, const struct isa_kernel *k,
                      const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(k, i);
    for (unsigned s = 0; s < i->nsrc; s++)
        if (!isa_is_const(src[s]) && !of[src[s]].known) return false;
    return true;
}

/* Sequences for functions of one argument work with its square and its cube. */
static struct known_span of_function(const struct isa_inst *i, struct known_span x) {
    bool wave = i->op == ISA_sin || i->op == ISA_cos || i->op == ISA_native_sin ||
                i->op == ISA_native_cos || i->op == ISA_sincos;
    if (i->nsrc > 1 || x.low < -30 || x.high > (wave ? 60 : 4)) return anything;
    return between(-64, 64, true);
}

/* Of what `i`, which flushes, computes. */
static struct known_span of_result(const struct known_span *of, const struct isa_kernel *k,
                                   const struct isa_inst *i) {
    struct known_span x[3] = {nothing, nothing, nothing};
    for (unsigned s = 0; s < i->nsrc && s < 3; s++) {
        x[s] = of_operand(of, k, isa_srcs(k, i)[s]);
        if (x[s].low < NORMAL || x[s].high > LARGEST) return anything;
    }
    bool none[] = {x[0].high == -ANY, x[1].high == -ANY};
    int low = x[0].low < x[1].low ? x[0].low : x[1].low;
    int high = x[0].high > x[1].high ? x[0].high : x[1].high;
    if (isa_op_info[i->op].flags & ISA_OP_MATH) return of_function(i, x[0]);
    switch (i->op) {
    case ISA_fadd:
    case ISA_fsub: return between(low - DIGITS, high + 1, true);
    case ISA_fmul:
        if (none[0] || none[1]) return between(ANY, -ANY, true);
        return between(x[0].low + x[1].low, x[0].high + x[1].high + 1, x[0].zero || x[1].zero);
    case ISA_fdiv:
        if (x[1].zero) return anything;
        if (none[0]) return between(ANY, -ANY, true);
        return between(x[0].low - x[1].high - 1, x[0].high - x[1].low, x[0].zero);
    case ISA_fma:
    case ISA_mad:
    case ISA_fmad:
        low = none[0] || none[1] ? ANY : x[0].low + x[1].low - DIGITS;
        high = none[0] || none[1] ? -ANY : x[0].high + x[1].high + 1;
        low = (low < x[2].low ? low : x[2].low) - DIGITS;
        return between(low, (high > x[2].high ? high : x[2].high) + 1, true);
    case ISA_sqrt: return between(x[0].low / 2 - 1, x[0].high / 2 + 1, x[0].zero);
    case ISA_fmin:
    case ISA_fmax: return between(low, high, x[0].zero || x[1].zero);
    case ISA_floor:
    case ISA_ceil:
    case ISA_ftrunc:
    case ISA_rint:
    case ISA_round: return between(0, x[0].high < 0 ? 0 : x[0].high + 1, true);
    default: return i->type == ISA_F32 ? anything : between(0, 0, true);
    }
}

bool known_loses_flush(const struct known_span *of, const struct isa_kernel *k,
                       const struct isa_inst *i) {
    if (!i->nsrc || !flushes(i) || !all_known(of, k, i)) return false;
    struct known_span r = of_result(of, k, i);
    return r.low < NORMAL || r.high > LARGEST;
}

/* Those that change from group to group, and from launch to launch, are read from memory. */
static bool special_known(uint32_t special) {
    switch (special) {
    case ISA_SPECIAL_global_id_x:
    case ISA_SPECIAL_global_id_y:
    case ISA_SPECIAL_global_id_z: return false;
    case ISA_SPECIAL_local_size_x:
    case ISA_SPECIAL_local_size_y:
    case ISA_SPECIAL_local_size_z:
    case ISA_SPECIAL_undefined: return true;
    default: return !isa_special_uniform[special];
    }
}

/* A register that is set to zero before a loop would count as known in it: no result of normal
 * numbers and zero is a denormal. */
static struct known_span moved(const struct known_span *of, const struct isa_kernel *k,
                               isa_operand o) {
    struct known_span x = of_operand(of, k, o);
    bool number = isa_operand_type(k, o) >= ISA_F32;
    return x.known && number && x.high == -ANY ? nothing : x;
}

/* Of the float of an integer. */
static struct known_span converted(const struct isa_kernel *k, const struct isa_inst *i) {
    isa_operand from = isa_srcs(k, i)[0];
    enum isa_type type = (enum isa_type)i->type2;
    if (!isa_is_const(from)) return between(0, 8 * isa_type_size[type], true);
    uint64_t bits = k->consts[isa_const_index(from)].bits;
    int64_t value = i->op == ISA_s2f ? isa_signed(type, bits) : (int64_t)isa_cut(type, bits);
    uint64_t size = i->op == ISA_s2f && value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (!size) return between(ANY, -ANY, true);
    int exponent = 63 - __builtin_clzll(size);
    return between(exponent, exponent + 1, false);
}

/* `stored`: spaces, as bits, in which something that is known has been stored. */
static struct known_span of_instruction(const struct known_span *of, const struct isa_kernel *k,
                                        const struct isa_inst *i, uint32_t *stored) {
    const isa_operand *src = isa_srcs(k, i);
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_special) return special_known((uint32_t)i->imm) ? anything : nothing;
    if (i->op == ISA_ld) return *stored >> i->space & 1 ? anything : nothing;
    if (flags & ISA_OP_MEMORY && flags & ISA_OP_WRITES)
        for (unsigned s = 1; s < i->nsrc; s++)
            if (moved(of, k, src[s]).known) *stored |= 1u << i->space;
    if (!(flags & ISA_OP_PURE) || !i->nsrc) return nothing;
    if (i->op == ISA_mov) return moved(of, k, src[0]);
    if (i->op == ISA_select) return joined(moved(of, k, src[1]), moved(of, k, src[2]));
    if (!all_known(of, k, i) || known_loses_flush(of, k, i)) return nothing;
    if (i->type != ISA_F32) return anything;
    if (i->op == ISA_s2f || i->op == ISA_u2f) return converted(k, i);
    if (i->op == ISA_fneg || i->op == ISA_fabs || i->op == ISA_copysign)
        return of_operand(of, k, src[0]);
    if (i->op == ISA_h2f) return between(-24, 16, true);
    return flushes(i) ? of_result(of, k, i) : anything;
}

void known_find(const struct isa_kernel *k, struct known_span *of) {
    for (uint32_t r = 0; r < k->nregs; r++) of[r] = nothing;
    uint32_t stored = 0;
    unsigned round = 0;
    for (bool more = true; more; round++) {
        more = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint32_t before = stored;
            struct known_span r = of_instruction(of, k, i, &stored);
            more |= stored != before;
            for (unsigned d = 0; d < i->ndst && r.known; d++) {
                struct known_span *to = &of[isa_dsts(k, i)[d]], all = joined(*to, r);
                if (!memcmp(to, &all, sizeof all)) continue;
                *to = round < ROUNDS ? all : anything;
                more = true;
            }
        }
    }
}

static void find_read(const struct isa_kernel *k, uint8_t *read) {
    memset(read, 1, k->nregs + 1ull);
    for (uint32_t n = 0; n < k->ninsts; n++)
        for (unsigned d = 0; k->insts[n].op != ISA_ld && d < k->insts[n].ndst; d++)
            read[isa_dsts(k, &k->insts[n])[d]] = 0;
}

static bool is_flushed(const uint8_t *flushed, const struct isa_kernel *k, isa_operand o) {
    if (isa_is_reg(o)) return flushed[o];
    if (!isa_is_const(o)) return false;
    uint64_t size = k->consts[isa_const_index(o)].bits & 0x7fffffff;
    return !size || (size >> DIGITS && size <= (uint64_t)0xff << DIGITS);
}

bool known_is_flushed(const struct known *known, const struct isa_kernel *k, isa_operand o) {
    return is_flushed(known->flushed, k, o);
}

/* Does the CPU flush what the instruction computes, or is it of what was flushed? */
static bool writes_flushed(const uint8_t *flushed, const struct isa_kernel *k,
                           const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(k, i);
    if (i->type != ISA_F32) return false;
    switch (i->op) {
    case ISA_fadd:
    case ISA_fsub:
    case ISA_fmul:
    case ISA_fdiv:
    case ISA_fma:
    case ISA_mad:
    case ISA_fmin:
    case ISA_fmax:
    case ISA_sqrt:
    case ISA_s2f:
    case ISA_u2f: return true;
    case ISA_mov:
    case ISA_fneg:
    case ISA_fabs: return is_flushed(flushed, k, src[0]);
    case ISA_select: return is_flushed(flushed, k, src[1]) && is_flushed(flushed, k, src[2]);
    default: return false;
    }
}

static void find_flushed(const struct isa_kernel *k, uint8_t *flushed) {
    memset(flushed, 1, k->nregs + 1ull);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            if (!i->ndst || writes_flushed(flushed, k, i)) continue;
            for (unsigned d = 0; d < i->ndst; d++) {
                more |= flushed[isa_dsts(k, i)[d]];
                flushed[isa_dsts(k, i)[d]] = 0;
            }
        }
    }
}

static bool reinterprets(const struct isa_kernel *k) {
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        any |= i->type == ISA_F32 && (i->op == ISA_ld || i->op == ISA_bits);
    }
    return any;
}

struct known *known_new(const struct isa_kernel *k) {
    size_t regs = k->nregs + 1ull, spans = regs * sizeof(struct known_span);
    struct known *known = malloc(sizeof *known + spans + 2 * regs);
    if (!known) return NULL;
    struct known_span *of = (struct known_span *)(known + 1);
    uint8_t *read = (uint8_t *)(of + regs), *flushed = read + regs;
    known_find(k, of);
    find_read(k, read);
    find_flushed(k, flushed);
    *known = (struct known){of, read, flushed, reinterprets(k)};
    return known;
}
