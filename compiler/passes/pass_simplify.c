/* Algebra on single operations: identities, chains of constants, strength reduction. Floats are
 * touched only where the bits stay the same for every input. */
#include "pass.h"

#include <string.h>

#include "device/isa/compare.h"

struct simplify {
    struct isa_kernel *k;
    pass_def_fn *def;
    void *context;
};

static bool constant(struct simplify *s, isa_operand o, uint64_t *bits) {
    if (!isa_is_const(o)) return false;
    *bits = s->k->consts[isa_const_index(o)].bits;
    return true;
}

static bool is(struct simplify *s, isa_operand o, enum isa_type t, uint64_t bits) {
    uint64_t b;
    return constant(s, o, &b) && b == isa_cut(t, bits);
}

static isa_operand make(struct simplify *s, enum isa_type t, uint64_t bits) {
    return isa_const_new(s->k, t, isa_cut(t, bits));
}

static bool made_by(struct simplify *s, isa_operand o, enum isa_op op, struct pass_node *d) {
    return isa_is_reg(o) && s->def(s->context, o, d) && d->op == op;
}

static int log2_of(uint64_t x) { return x && !(x & (x - 1)) ? __builtin_ctzll(x) : -1; }

static isa_operand rewrite(struct pass_node *n, enum isa_op op, isa_operand a, isa_operand b) {
    n->op = (uint16_t)op;
    n->nsrc = b == ISA_NO_OPERAND ? 1 : 2;
    n->src[0] = a;
    n->src[1] = b;
    n->src[2] = ISA_NO_OPERAND;
    return ISA_NO_OPERAND;
}

/* ---- one function for a family; each returns the result's operand, or ISA_NO_OPERAND having
 * perhaps rewritten *n ---- */

static isa_operand add(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c, c2;
    isa_operand a = n->src[0], b = n->src[1];
    if (!constant(s, b, &c)) {
        if (made_by(s, b, ISA_sub, &d) && is(s, d.src[0], n->type, 0))
            return rewrite(n, ISA_sub, a, d.src[1]);
        if (made_by(s, a, ISA_sub, &d) && d.src[1] == b) return d.src[0];
        return ISA_NO_OPERAND;
    }
    if (!c) return a;
    if (made_by(s, a, ISA_add, &d) && constant(s, d.src[1], &c2))
        return rewrite(n, ISA_add, d.src[0], make(s, n->type, c + c2));
    if (made_by(s, a, ISA_sub, &d) && constant(s, d.src[0], &c2))
        return rewrite(n, ISA_sub, make(s, n->type, c + c2), d.src[1]);
    return ISA_NO_OPERAND;
}

static isa_operand sub(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c;
    isa_operand a = n->src[0], b = n->src[1];
    if (a == b) return make(s, n->type, 0);
    if (constant(s, b, &c)) {
        rewrite(n, ISA_add, a, make(s, n->type, 0 - c));
        return add(s, n);
    }
    if (made_by(s, a, ISA_add, &d)) {
        if (d.src[0] == b) return d.src[1];
        if (d.src[1] == b) return d.src[0];
    }
    if (made_by(s, b, ISA_sub, &d) && is(s, d.src[0], n->type, 0))
        return rewrite(n, ISA_add, a, d.src[1]);
    return ISA_NO_OPERAND;
}

static isa_operand shl(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c, c2;
    unsigned width = isa_type_size[n->type] * 8u;
    if (!constant(s, n->src[1], &c)) return ISA_NO_OPERAND;
    c &= width - 1;
    if (!c) return n->src[0];
    if (made_by(s, n->src[0], ISA_shl, &d) && constant(s, d.src[1], &c2)) {
        c2 &= width - 1;
        if (c + c2 >= width) return make(s, n->type, 0);
        return rewrite(n, ISA_shl, d.src[0], make(s, n->type, c + c2));
    }
    return ISA_NO_OPERAND;
}

static isa_operand mul(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c, c2;
    if (!constant(s, n->src[1], &c)) return ISA_NO_OPERAND;
    if (!c) return n->src[1];
    if (c == 1) return n->src[0];
    if (made_by(s, n->src[0], ISA_mul, &d) && constant(s, d.src[1], &c2)) {
        rewrite(n, ISA_mul, d.src[0], make(s, n->type, c * c2));
        return mul(s, n);
    }
    if (made_by(s, n->src[0], ISA_shl, &d) && constant(s, d.src[1], &c2)) {
        unsigned width = isa_type_size[n->type] * 8u;
        rewrite(n, ISA_mul, d.src[0], make(s, n->type, c << (c2 & (width - 1))));
        return mul(s, n);
    }
    if (log2_of(c) >= 0) {
        rewrite(n, ISA_shl, n->src[0], make(s, n->type, (uint64_t)log2_of(c)));
        return shl(s, n);
    }
    return ISA_NO_OPERAND;
}

static isa_operand shr(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c, c2;
    unsigned width = isa_type_size[n->type] * 8u;
    if (!constant(s, n->src[1], &c)) return ISA_NO_OPERAND;
    c &= width - 1;
    if (!c) return n->src[0];
    if (made_by(s, n->src[0], (enum isa_op)n->op, &d) && constant(s, d.src[1], &c2)) {
        c += c2 & (width - 1);
        if (c >= width) {
            if (n->op == ISA_shr_u) return make(s, n->type, 0);
            c = width - 1;
        }
        return rewrite(n, (enum isa_op)n->op, d.src[0], make(s, n->type, c));
    }
    if (n->op == ISA_shr_u && made_by(s, n->src[0], ISA_shl, &d) && constant(s, d.src[1], &c2) &&
        (c2 & (width - 1)) == c)
        return rewrite(n, ISA_and, d.src[0], make(s, n->type, isa_cut(n->type, ~(uint64_t)0) >> c));
    return ISA_NO_OPERAND;
}

static isa_operand divide(struct simplify *s, struct pass_node *n) {
    uint64_t c;
    if (!constant(s, n->src[1], &c)) return ISA_NO_OPERAND;
    bool remainder = n->op == ISA_rem_s || n->op == ISA_rem_u;
    if (c == 1) return remainder ? make(s, n->type, 0) : n->src[0];
    int shift = log2_of(c);
    if (shift < 0 || n->op == ISA_div_s || n->op == ISA_rem_s) return ISA_NO_OPERAND;
    if (remainder) return rewrite(n, ISA_and, n->src[0], make(s, n->type, c - 1));
    return rewrite(n, ISA_shr_u, n->src[0], make(s, n->type, (uint64_t)shift));
}

static isa_operand bitwise(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c, c2, ones = isa_cut(n->type, ~(uint64_t)0);
    isa_operand a = n->src[0], b = n->src[1];
    if (a == b) return n->op == ISA_xor ? make(s, n->type, 0) : a;
    if (!constant(s, b, &c)) return ISA_NO_OPERAND;
    switch (n->op) {
    case ISA_and:
        if (c == ones) return a;
        if (!c) return b;
        break;
    case ISA_or:
        if (c == ones) return b;
        if (!c) return a;
        break;
    default:
        if (!c) return a;
        if (c == ones) return rewrite(n, ISA_not, a, ISA_NO_OPERAND);
    }
    if (made_by(s, a, (enum isa_op)n->op, &d) && constant(s, d.src[1], &c2)) {
        uint64_t both = n->op == ISA_and ? c & c2 : n->op == ISA_or ? c | c2 : c ^ c2;
        return rewrite(n, (enum isa_op)n->op, d.src[0], make(s, n->type, both));
    }
    /* a mask that keeps all a widening left */
    if (n->op == ISA_and && made_by(s, a, ISA_zext, &d) &&
        (c & isa_cut(d.type2, ~(uint64_t)0)) == isa_cut(d.type2, ~(uint64_t)0))
        return a;
    return ISA_NO_OPERAND;
}

/* The comparison that holds exactly when d does not. Ordered float comparisons have none. */
static bool negate(struct pass_node *d) {
    bool turned;
    enum isa_op opposite = compare_opposite(d->op, &turned);
    if (opposite == ISA_OP_COUNT) return false;
    d->op = opposite;
    const isa_operand was[2] = {d->src[0], d->src[1]};
    d->src[0] = was[turned];
    d->src[1] = was[!turned];
    return true;
}

static isa_operand invert(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    if (!isa_is_reg(n->src[0]) || !s->def(s->context, n->src[0], &d)) return ISA_NO_OPERAND;
    if (d.op == ISA_not) return d.src[0];
    if (n->type == ISA_PRED && negate(&d)) *n = d;
    return ISA_NO_OPERAND;
}

/* eq, ne of a select between constants, or of a widened value, and a constant. */
static isa_operand equality(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t c;
    isa_operand a = n->src[0], b = n->src[1];
    bool equal = n->op == ISA_eq;
    if (a == b) return make(s, ISA_PRED, equal);
    if (!constant(s, b, &c)) return ISA_NO_OPERAND;
    if (n->type2 == ISA_PRED) {
        if ((c != 0) == equal) return a;
        n->type2 = 0;
        rewrite(n, ISA_not, a, ISA_NO_OPERAND);
        return invert(s, n);
    }
    if ((made_by(s, a, ISA_zext, &d) && c == isa_cut(d.type2, c)) ||
        (made_by(s, a, ISA_sext, &d) && c == isa_cut(n->type2, (uint64_t)isa_signed(d.type2, c)))) {
        n->src[0] = d.src[0];
        n->src[1] = make(s, d.type2, c);
        n->type2 = d.type2;
    }
    return ISA_NO_OPERAND;
}

/* A comparison of a select between constants: the predicate, its inverse, or neither. */
static isa_operand of_select(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    for (unsigned side = 0; side < 2; side++) {
        if (!isa_is_const(n->src[!side]) || !made_by(s, n->src[side], ISA_select, &d) ||
            !isa_is_const(d.src[1]) || !isa_is_const(d.src[2]))
            continue;
        uint64_t yes, no;
        struct isa_const c[2];
        c[!side] = s->k->consts[isa_const_index(n->src[!side])];
        c[side] = s->k->consts[isa_const_index(d.src[1])];
        if (!isa_fold((enum isa_op)n->op, n->type, n->type2, 0, c, 2, false, &yes)) break;
        c[side] = s->k->consts[isa_const_index(d.src[2])];
        if (!isa_fold((enum isa_op)n->op, n->type, n->type2, 0, c, 2, false, &no)) break;
        if (yes == no) return make(s, ISA_PRED, yes);
        if (yes) return d.src[0];
        n->type2 = ISA_NONE_T;
        rewrite(n, ISA_not, d.src[0], ISA_NO_OPERAND);
        return invert(s, n);
    }
    return ISA_NO_OPERAND;
}

static isa_operand order(struct simplify *s, struct pass_node *n) {
    isa_operand a = n->src[0], b = n->src[1];
    if (a == b) return make(s, ISA_PRED, n->op == ISA_le_s || n->op == ISA_le_u);
    if (n->op == ISA_lt_u && is(s, b, n->type2, 0)) return make(s, ISA_PRED, 0);
    if (n->op == ISA_le_u && is(s, a, n->type2, 0)) return make(s, ISA_PRED, 1);
    return ISA_NO_OPERAND;
}

static isa_operand choose(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    uint64_t p, yes, no;
    isa_operand a = n->src[1], b = n->src[2];
    if (a == b) return a;
    if (constant(s, n->src[0], &p)) return p ? a : b;
    if (made_by(s, n->src[0], ISA_not, &d)) {
        n->src[0] = d.src[0];
        n->src[1] = b;
        n->src[2] = a;
        return choose(s, n);
    }
    /* What was chosen by the same predicate before is known now. */
    if (made_by(s, a, ISA_select, &d) && d.src[0] == n->src[0]) {
        n->src[1] = d.src[1];
        return choose(s, n);
    }
    if (made_by(s, b, ISA_select, &d) && d.src[0] == n->src[0]) {
        n->src[2] = d.src[2];
        return choose(s, n);
    }
    if (n->type == ISA_PRED && constant(s, a, &yes) && constant(s, b, &no)) {
        if (yes) return n->src[0]; /* a == b is gone: 1, 0 */
        rewrite(n, ISA_not, n->src[0], ISA_NO_OPERAND);
        return invert(s, n);
    }
    return ISA_NO_OPERAND;
}

static isa_operand convert(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    if (!isa_is_reg(n->src[0]) || !s->def(s->context, n->src[0], &d)) return ISA_NO_OPERAND;
    switch (n->op) {
    case ISA_bits:
        if (d.op != ISA_bits) break;
        if (d.type2 == n->type) return d.src[0];
        n->src[0] = d.src[0];
        n->type2 = d.type2;
        break;
    case ISA_trunc:
        if (d.op == ISA_trunc) {
            n->src[0] = d.src[0];
            n->type2 = d.type2;
        } else if (d.op == ISA_zext || d.op == ISA_sext) {
            if (d.type2 == n->type) return d.src[0];
            n->src[0] = d.src[0];
            n->type2 = d.type2;
            if (isa_type_size[n->type] > isa_type_size[d.type2]) n->op = d.op;
        }
        break;
    case ISA_zext:
    case ISA_sext:
        if (d.op == n->op || d.op == ISA_zext) {
            n->op = d.op;
            n->src[0] = d.src[0];
            n->type2 = d.type2;
        } else if (d.op == ISA_trunc && n->op == ISA_zext && d.type2 == n->type) {
            uint64_t mask = isa_cut(n->type2, ~(uint64_t)0);
            n->type2 = 0;
            rewrite(n, ISA_and, d.src[0], make(s, n->type, mask));
        }
        break;
    default: break;
    }
    return ISA_NO_OPERAND;
}

static isa_operand sign(struct simplify *s, struct pass_node *n) {
    struct pass_node d;
    if (!isa_is_reg(n->src[0]) || !s->def(s->context, n->src[0], &d)) return ISA_NO_OPERAND;
    if (n->op == ISA_fneg) return d.op == ISA_fneg ? d.src[0] : ISA_NO_OPERAND;
    if (d.op == ISA_fabs) return n->src[0];
    if (d.op == ISA_fneg) n->src[0] = d.src[0];
    return ISA_NO_OPERAND;
}

/* A division by a power of two is the multiplication by its reciprocal, exactly. */
static isa_operand divide_float(struct simplify *s, struct pass_node *n) {
    uint64_t c;
    if (!constant(s, n->src[1], &c)) return ISA_NO_OPERAND;
    unsigned fraction = n->type == ISA_F32 ? 23 : 52;
    uint64_t bias = n->type == ISA_F32 ? 127 : 1023;
    uint64_t sign = (uint64_t)1 << (isa_type_size[n->type] * 8u - 1);
    uint64_t exponent = (c & ~sign) >> fraction;
    if ((c & (((uint64_t)1 << fraction) - 1)) || exponent < 2 || exponent > 2 * bias - 2)
        return ISA_NO_OPERAND;
    return rewrite(n, ISA_fmul, n->src[0],
                   make(s, n->type, (c & sign) | (2 * bias - exponent) << fraction));
}

static isa_operand fold(struct simplify *s, struct pass_node *n) {
    struct isa_const c[3];
    uint64_t bits;
    for (unsigned i = 0; i < n->nsrc; i++) {
        if (!isa_is_const(n->src[i])) return ISA_NO_OPERAND;
        c[i] = s->k->consts[isa_const_index(n->src[i])];
    }
    if (!isa_fold((enum isa_op)n->op, n->type, n->type2, n->mod, c, n->nsrc, false, &bits))
        return ISA_NO_OPERAND;
    return make(s, n->type, bits);
}

static isa_operand step(struct simplify *s, struct pass_node *n) {
    isa_operand r = fold(s, n);
    if (r != ISA_NO_OPERAND) return r;
    if (n->op >= ISA_eq && n->op <= ISA_funo) {
        uint16_t op = n->op;
        r = of_select(s, n);
        if (r != ISA_NO_OPERAND || n->op != op) return r;
    }
    if ((isa_op_info[n->op].flags & ISA_OP_COMMUTES) && isa_is_const(n->src[0]) &&
        !isa_is_const(n->src[1])) {
        isa_operand a = n->src[0];
        n->src[0] = n->src[1];
        n->src[1] = a;
    }
    switch (n->op) {
    case ISA_mov: return n->src[0];
    case ISA_add: return add(s, n);
    case ISA_sub: return sub(s, n);
    case ISA_mul: return mul(s, n);
    case ISA_shl: return shl(s, n);
    case ISA_shr_s:
    case ISA_shr_u: return shr(s, n);
    case ISA_div_s:
    case ISA_div_u:
    case ISA_rem_s:
    case ISA_rem_u: return divide(s, n);
    case ISA_and:
    case ISA_or:
    case ISA_xor: return bitwise(s, n);
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u: return n->src[0] == n->src[1] ? n->src[0] : ISA_NO_OPERAND;
    case ISA_not: return invert(s, n);
    case ISA_eq:
    case ISA_ne: return equality(s, n);
    case ISA_lt_s:
    case ISA_le_s:
    case ISA_lt_u:
    case ISA_le_u: return order(s, n);
    case ISA_select: return choose(s, n);
    case ISA_bits:
        if (n->type == n->type2) return n->src[0];
        return convert(s, n);
    case ISA_trunc:
    case ISA_zext:
    case ISA_sext: return convert(s, n);
    case ISA_fneg:
    case ISA_fabs: return sign(s, n);
    case ISA_fdiv: return divide_float(s, n);
    default: return ISA_NO_OPERAND;
    }
}

isa_operand pass_simplify(struct isa_kernel *k, struct pass_node *n, pass_def_fn *def,
                          void *context) {
    struct simplify s = {k, def, context};
    /* Every rule shortens a chain of definitions or moves to a cheaper operation; the bound only
     * keeps a very long chain from being followed to its end at every link. */
    for (int round = 0; round < 8; round++) {
        struct pass_node before = *n;
        isa_operand r = step(&s, n);
        if (r != ISA_NO_OPERAND) return r;
        if (!memcmp(&before, n, sizeof before)) break;
    }
    return ISA_NO_OPERAND;
}
