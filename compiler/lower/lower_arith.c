/* Arithmetic, comparison, conversion: of one component, and of expressions made of them. */
#include "lowerstate.h"

#include <string.h>

/* ---- one component ---- */

enum shape { SIGNED, UNSIGNED, FLOATING };

static enum shape shape_of(const struct ast_type *t) {
    return ast_is_float(t) ? FLOATING : ast_is_signed(t) ? SIGNED : UNSIGNED;
}

/* What a sum, difference or product of floats is where the math options say that zeros have no sign
 * and that nothing is infinite or a NaN (5.6.4.2 of 1.2); ISA_NO_OPERAND: it has to be computed. */
static isa_operand assumed(struct lower *l, enum ast_op op, enum isa_type t, isa_operand a,
                           isa_operand b) {
    const struct options *o = l->options;
    uint64_t c, magnitude = ~((uint64_t)1 << (isa_type_size[t] * 8u - 1));
    bool zero_a = lower_is_const(l, a, &c) && !(c & magnitude);
    bool zero_b = lower_is_const(l, b, &c) && !(c & magnitude);
    if (o->no_signed_zeros && op == AST_ADD && zero_a) return b;
    if (o->no_signed_zeros && (op == AST_ADD || op == AST_SUB) && zero_b) return a;
    if (o->no_signed_zeros && op == AST_SUB && zero_a) return lower_op1(l, ISA_fneg, t, b);
    bool vanishes =
        (op == AST_SUB && a == b) || (o->no_signed_zeros && op == AST_MUL && (zero_a || zero_b));
    return o->finite_math && vanishes ? lower_constf(l, t, 0) : ISA_NO_OPERAND;
}

isa_operand lower_arith(struct lower *l, enum ast_op op, const struct ast_type *t, isa_operand a,
                        isa_operand b) {
    static const uint16_t table[][3] = {
        [AST_ADD] = {ISA_add, ISA_add, ISA_fadd},     [AST_SUB] = {ISA_sub, ISA_sub, ISA_fsub},
        [AST_MUL] = {ISA_mul, ISA_mul, ISA_fmul},     [AST_DIV] = {ISA_div_s, ISA_div_u, ISA_fdiv},
        [AST_REM] = {ISA_rem_s, ISA_rem_u, ISA_fmod}, [AST_SHL] = {ISA_shl, ISA_shl, ISA_mov},
        [AST_SHR] = {ISA_shr_s, ISA_shr_u, ISA_mov},  [AST_AND] = {ISA_and, ISA_and, ISA_mov},
        [AST_OR] = {ISA_or, ISA_or, ISA_mov},         [AST_XOR] = {ISA_xor, ISA_xor, ISA_mov},
    };
    if (t->kind == AST_HALF) { /* computed in float */
        a = lower_cvt(l, ISA_h2f, ISA_F32, ISA_I16, ISA_RTE, a);
        b = lower_cvt(l, ISA_h2f, ISA_F32, ISA_I16, ISA_RTE, b);
        isa_operand r = lower_op2(l, (enum isa_op)table[op][FLOATING], ISA_F32, a, b);
        return lower_cvt(l, ISA_f2h, ISA_I16, ISA_F32, ISA_RTE, r);
    }
    enum isa_type it = lower_type(t);
    isa_operand known = ast_is_float(t) ? assumed(l, op, it, a, b) : ISA_NO_OPERAND;
    if (known != ISA_NO_OPERAND) return known;
    uint64_t c;
    if (op == AST_DIV && state_of(l)->fast && ast_is_float(t) && lower_is_const(l, b, &c)) {
        isa_operand one = lower_constf(l, it, 1.0);
        isa_operand reciprocal = lower_op2(l, ISA_fdiv, it, one, b);
        if (isa_is_const(reciprocal)) return lower_op2(l, ISA_fmul, it, a, reciprocal);
    }
    if (t->kind == AST_INT && (op == AST_ADD || op == AST_SUB || op == AST_MUL))
        lower_note_sum(l,
                       op == AST_ADD   ? ISA_INDEX_SUM
                       : op == AST_SUB ? ISA_INDEX_DIFFERENCE
                                       : ISA_INDEX_PRODUCT,
                       a, b);
    isa_operand r = lower_op2(l, (enum isa_op)table[op][shape_of(t)], it, a, b);
    lower_site_computed(l, state_of(l)->computed, r);
    return r;
}

isa_operand lower_compare(struct lower *l, enum ast_op op, const struct ast_type *t, isa_operand a,
                          isa_operand b) {
    static const uint16_t table[][3] = {
        [AST_LT] = {ISA_lt_s, ISA_lt_u, ISA_flt},
        [AST_LE] = {ISA_le_s, ISA_le_u, ISA_fle},
        [AST_EQ] = {ISA_eq, ISA_eq, ISA_feq},
        [AST_NE] = {ISA_ne, ISA_ne, ISA_fne},
    };
    if (op == AST_GT || op == AST_GE) {
        isa_operand swap = a;
        a = b;
        b = swap;
        op = op == AST_GT ? AST_LT : AST_LE;
    }
    enum isa_type it = lower_type(t);
    if (t->kind == AST_HALF) {
        it = ISA_F32;
        a = lower_cvt(l, ISA_h2f, it, ISA_I16, ISA_RTE, a);
        b = lower_cvt(l, ISA_h2f, it, ISA_I16, ISA_RTE, b);
    }
    return lower_cmp(l, (enum isa_op)table[op][shape_of(t)], it, a, b);
}

static isa_operand int_to_int(struct lower *l, isa_operand a, const struct ast_type *from,
                              enum isa_type to) {
    enum isa_type have = lower_type(from);
    unsigned old = isa_type_size[have], new = isa_type_size[to];
    if (old == new) return a;
    enum isa_op op = new < old ? ISA_trunc : ast_is_signed(from) ? ISA_sext : ISA_zext;
    return lower_cvt(l, op, to, have, ISA_RTE, a);
}

isa_operand lower_convert(struct lower *l, isa_operand a, const struct ast_type *from,
                          const struct ast_type *to) {
    if (from == to || from->kind == to->kind) return a;
    enum isa_type have = lower_type(from), want = lower_type(to);
    if (from->kind == AST_HALF) {
        a = lower_cvt(l, ISA_h2f, ISA_F32, ISA_I16, ISA_RTE, a);
        have = ISA_F32;
        if (to->kind == AST_FLOAT) return a;
    }
    bool from_float = ast_is_float(from);
    if (to->kind == AST_BOOL) return lower_truth(l, lower_test(l, have, a));
    if (to->kind == AST_HALF) {
        if (!from_float) {
            enum isa_op op = ast_is_signed(from) ? ISA_s2f : ISA_u2f;
            /* Integers of 32 bits and more are exact in double alone; one rounding decides. */
            enum isa_type through =
                isa_type_size[have] > 2 && l->target->doubles ? ISA_F64 : ISA_F32;
            a = lower_cvt(l, op, through, have, ISA_RTE, a);
            have = through;
        }
        return lower_cvt(l, ISA_f2h, ISA_I16, have, ISA_RTE, a);
    }
    if (ast_is_float(to)) {
        if (from_float) return lower_cvt(l, ISA_f2f, want, have, ISA_RTE, a);
        return lower_cvt(l, ast_is_signed(from) ? ISA_s2f : ISA_u2f, want, have, ISA_RTE, a);
    }
    if (from_float) {
        a = lower_cvt(l, ast_is_signed(to) ? ISA_f2s : ISA_f2u, want, have, ISA_RTZ, a);
        lower_site_computed(l, state_of(l)->computed, a);
        return a;
    }
    return int_to_int(l, a, from, want);
}

isa_operand lower_offset(struct lower *l, isa_operand index, const struct ast_type *t) {
    return int_to_int(l, index, t, ISA_I32);
}

/* ---- binary expressions ---- */

static isa_operand component(const struct value *v, uint32_t i) {
    return v->n == 1 ? v->c[0] : v->c[i];
}

static struct ast_expr *bare(struct ast_expr *e) {
    while (e->kind == AST_CAST && e->cast == AST_CAST_NONE) e = e->a;
    return e;
}

static bool is_product(struct lower *l, const struct ast_expr *e, const struct ast_type *t) {
    const struct ast_type *s = lower_element(t);
    return state_of(l)->contract && (s->kind == AST_FLOAT || s->kind == AST_DOUBLE) &&
           e->kind == AST_BINARY && e->op == AST_MUL && e->type == t;
}

/* product + or - other, in one rounding (6.12's FP_CONTRACT): negate says which of them is
 * subtracted. */
static struct value contracted(struct lower *l, const struct ast_type *t, struct ast_expr *product,
                               const struct value *other, bool negate_product, bool negate_other) {
    struct value a = lower_expr(l, product->a), b = lower_expr(l, product->b);
    enum isa_type it = lower_type(lower_element(t));
    struct value r = lower_value(l, t, lower_count(t));
    for (uint32_t i = 0; i < r.n; i++) {
        isa_operand x = component(&a, i), y = component(&b, i), z = component(other, i);
        if (negate_product) x = lower_op1(l, ISA_fneg, it, x);
        if (negate_other) z = lower_op1(l, ISA_fneg, it, z);
        r.c[i] = lower_op3(l, ISA_mad, it, x, y, z);
    }
    return r;
}

static struct value componentwise(struct lower *l, enum ast_op op, const struct ast_type *t,
                                  const struct value *a, const struct value *b) {
    const struct ast_type *e = lower_element(t);
    struct value r = lower_value(l, t, lower_count(t));
    for (uint32_t i = 0; i < r.n; i++)
        r.c[i] = lower_arith(l, op, e, component(a, i), component(b, i));
    return r;
}

static struct value shifted(struct lower *l, enum ast_op op, const struct ast_type *t,
                            const struct value *a, const struct value *b) {
    const struct ast_type *e = lower_element(t), *count = lower_element(b->type);
    struct value r = lower_value(l, t, lower_count(t));
    for (uint32_t i = 0; i < r.n; i++)
        r.c[i] = lower_arith(l, op, e, component(a, i),
                             int_to_int(l, component(b, i), count, lower_type(e)));
    return r;
}

static struct value one(struct lower *l, const struct ast_type *t, isa_operand c) {
    struct value v = lower_value(l, t, 1);
    v.c[0] = c;
    return v;
}

static uint32_t pointee_size(const struct ast_type *pointer) { return pointer->elem->size; }

static struct value moved_pointer(struct lower *l, const struct ast_type *t, isa_operand pointer,
                                  isa_operand index, const struct ast_type *index_type, bool back) {
    isa_operand i = lower_offset(l, index, index_type);
    if (back) i = lower_op2(l, ISA_sub, ISA_I32, lower_const(l, ISA_I32, 0), i);
    int32_t displacement = 0;
    pointer = lower_address(l, pointer, i, pointee_size(t), &displacement);
    isa_operand at = lower_const(l, ISA_I32, (uint32_t)displacement);
    return one(l, t, lower_op2(l, ISA_add, ISA_I32, pointer, at));
}

static struct value pointer_difference(struct lower *l, struct ast_expr *e) {
    isa_operand a = lower_scalar(l, e->a), b = lower_scalar(l, e->b);
    uint32_t size = pointee_size(e->a->type);
    isa_operand bytes = lower_op2(l, ISA_sub, ISA_I32, a, b);
    if (size && !(size & (size - 1))) /* a multiple of it */
        bytes = lower_op2(l, ISA_shr_s, ISA_I32, bytes,
                          lower_const(l, ISA_I32, (unsigned)__builtin_ctz(size)));
    else if (size)
        bytes = lower_op2(l, ISA_div_s, ISA_I32, bytes, lower_const(l, ISA_I32, size));
    return one(l, e->type, lower_convert(l, bytes, ast_scalar(l->unit, AST_INT), e->type));
}

static struct value pointer_arith(struct lower *l, struct ast_expr *e) {
    bool left = e->a->type->kind == AST_POINTER, right = e->b->type->kind == AST_POINTER;
    if (left && right) return pointer_difference(l, e);
    isa_operand a = lower_scalar(l, e->a), b = lower_scalar(l, e->b);
    if (left) return moved_pointer(l, e->type, a, b, e->b->type, e->op == AST_SUB);
    return moved_pointer(l, e->type, b, a, e->a->type, false);
}

static bool compares(enum ast_op op) { return op >= AST_LT && op <= AST_NE; }

/* Vectors: -1 where it holds (6.3 of the specification). */
static struct value vector_truth(struct lower *l, struct ast_expr *e) {
    struct value a = lower_expr(l, e->a), b = lower_expr(l, e->b);
    const struct ast_type *t = lower_element(e->a->type), *bt = lower_element(e->b->type);
    enum isa_type rt = lower_type(e->type->elem);
    struct value r = lower_value(l, e->type, e->type->count);
    for (uint32_t i = 0; i < r.n; i++) {
        isa_operand p;
        if (compares(e->op)) {
            p = lower_compare(l, e->op, t, component(&a, i), component(&b, i));
        } else {
            isa_operand x = lower_test(l, lower_type(t), component(&a, i));
            isa_operand y = lower_test(l, lower_type(bt), component(&b, i));
            p = lower_op2(l, e->op == AST_LAND ? ISA_and : ISA_or, ISA_PRED, x, y);
        }
        r.c[i] = lower_mask(l, rt, p);
    }
    return r;
}

/* One link of a chain a op b op c ..., its left side computed already. */
static struct value link(struct lower *l, struct ast_expr *e, const struct value *a) {
    struct ast_expr *right = bare(e->b);
    bool sum = e->op == AST_ADD || e->op == AST_SUB;
    lower_at(l, e->loc);
    if (sum && is_product(l, right, e->type))
        return contracted(l, e->type, right, a, e->op == AST_SUB, false);
    struct value b = lower_expr(l, e->b);
    lower_at(l, e->loc);
    state_of(l)->computed = e;
    bool shift = e->op == AST_SHL || e->op == AST_SHR;
    struct value v =
        shift ? shifted(l, e->op, e->type, a, &b) : componentwise(l, e->op, e->type, a, &b);
    state_of(l)->computed = NULL;
    return v;
}

static bool chains(const struct ast_expr *e) {
    return e->kind == AST_BINARY && e->op <= AST_XOR && e->type->kind != AST_POINTER &&
           e->a->type->kind != AST_POINTER;
}

/* Arithmetic. Programs hold sums of thousands of terms: the left spine is walked, not recursed. */
static struct value arithmetic(struct lower *l, struct ast_expr *e) {
    uint32_t n = 0;
    for (struct ast_expr *p = e; chains(p); p = bare(p->a)) n++;
    struct ast_expr **spine = ARENA_ARRAY(l->arena, struct ast_expr *, n), *p = e;
    for (uint32_t i = n; i-- > 0; p = bare(p->a)) spine[i] = p;
    struct value v;
    uint32_t next = 0;
    /* a*b + c, a*b - c */
    if (n > 1 && is_product(l, spine[0], spine[1]->type) &&
        (spine[1]->op == AST_ADD || spine[1]->op == AST_SUB)) {
        struct value other = lower_expr(l, spine[1]->b);
        v = contracted(l, spine[1]->type, spine[0], &other, false, spine[1]->op == AST_SUB);
        next = 2;
    } else {
        v = lower_expr(l, spine[0]->a);
    }
    for (; next < n; next++) {
        bool follows =
            next + 1 < n && (spine[next + 1]->op == AST_ADD || spine[next + 1]->op == AST_SUB);
        if (follows && is_product(l, spine[next], spine[next + 1]->type)) {
            /* the product is a chain of factors: the last one joins the sum that follows */
            struct ast_expr *sum = spine[next + 1];
            struct value b = lower_expr(l, spine[next]->b), c = lower_expr(l, sum->b);
            enum isa_type t = lower_type(lower_element(sum->type));
            struct value r = lower_value(l, sum->type, lower_count(sum->type));
            lower_at(l, sum->loc);
            for (uint32_t i = 0; i < r.n; i++) {
                isa_operand z = component(&c, i);
                if (sum->op == AST_SUB) z = lower_op1(l, ISA_fneg, t, z);
                r.c[i] = lower_op3(l, ISA_mad, t, component(&v, i), component(&b, i), z);
            }
            v = r;
            next++;
        } else {
            v = link(l, spine[next], &v);
        }
    }
    v.type = e->type;
    return v;
}

struct value lower_binary(struct lower *l, struct ast_expr *e) {
    if (compares(e->op) || e->op == AST_LAND || e->op == AST_LOR) {
        if (e->type->kind == AST_VECTOR) return vector_truth(l, e);
        return one(l, e->type, lower_truth(l, lower_pred(l, e)));
    }
    if (e->a->type->kind == AST_POINTER || e->b->type->kind == AST_POINTER)
        return pointer_arith(l, e);
    return arithmetic(l, e);
}

/* ---- as_type: the same bits in components of another width ---- */

static isa_operand as_int(struct lower *l, isa_operand a, enum isa_type t) {
    if (t == ISA_F32) return lower_cvt(l, ISA_bits, ISA_I32, t, ISA_RTE, a);
    if (t == ISA_F64) return lower_cvt(l, ISA_bits, ISA_I64, t, ISA_RTE, a);
    return a;
}

static enum isa_type int_of(enum isa_type t) {
    return t == ISA_F32 ? ISA_I32 : t == ISA_F64 ? ISA_I64 : t;
}

static struct value same_bits(struct lower *l, const struct value *v, const struct ast_type *to) {
    enum isa_type from = lower_type(lower_element(v->type)), want = lower_type(lower_element(to));
    enum isa_type small = int_of(from), large = int_of(want);
    uint32_t have = isa_type_size[from], need = isa_type_size[want];
    struct value r = lower_value(l, to, lower_count(to));
    for (uint32_t i = 0; i < r.n; i++) {
        uint32_t at =
            i * need / have; /* component of v it begins in; one beyond its end is undefined */
        isa_operand bits;
        if (have >= need) {
            if (at >= v->n) {
                r.c[i] = lower_const(l, want, 0);
                continue;
            }
            bits = as_int(l, v->c[at], from);
            unsigned shift = (i * need % have) * 8;
            bits = lower_op2(l, ISA_shr_u, small, bits, lower_const(l, small, shift));
            if (have > need) bits = lower_cvt(l, ISA_trunc, large, small, ISA_RTE, bits);
        } else {
            bits = lower_const(l, large, 0);
            for (uint32_t j = 0; j < need / have && at + j < v->n; j++) {
                isa_operand piece = as_int(l, v->c[at + j], from);
                piece = lower_cvt(l, ISA_zext, large, small, ISA_RTE, piece);
                piece = lower_op2(l, ISA_shl, large, piece, lower_const(l, large, j * have * 8));
                bits = lower_op2(l, ISA_or, large, bits, piece);
            }
        }
        r.c[i] = want == large ? bits : lower_cvt(l, ISA_bits, want, large, ISA_RTE, bits);
    }
    return r;
}

struct value lower_cast(struct lower *l, struct ast_expr *e) {
    if (e->cast == AST_CAST_VOID) {
        lower_discard(l, e->a);
        return lower_value(l, e->type, 0);
    }
    struct value v = lower_expr(l, e->a);
    lower_at(l, e->loc);
    switch (e->cast) {
    case AST_CAST_NUMBER: {
        struct value r = lower_value(l, e->type, v.n);
        const struct ast_type *from = lower_element(e->a->type), *to = lower_element(e->type);
        state_of(l)->computed = e;
        for (uint32_t i = 0; i < v.n; i++) r.c[i] = lower_convert(l, v.c[i], from, to);
        state_of(l)->computed = NULL;
        return r;
    }
    case AST_CAST_SPLAT: return lower_vector_of(l, e->type, v.c[0]);
    case AST_CAST_BITS:
        if (e->type->kind == AST_POINTER || e->a->type->kind == AST_POINTER) break;
        return same_bits(l, &v, e->type);
    case AST_CAST_PTR_INT:
        return one(l, e->type,
                   int_to_int(l, v.c[0], ast_scalar(l->unit, AST_UINT), lower_type(e->type)));
    case AST_CAST_INT_PTR: return one(l, e->type, lower_offset(l, v.c[0], e->a->type));
    case AST_CAST_PTR_BOOL: return one(l, e->type, lower_truth(l, lower_test(l, ISA_I32, v.c[0])));
    default: break;
    }
    v.type = e->type;
    return v;
}

/* ---- ++, --, op= ---- */

struct value lower_incdec(struct lower *l, struct ast_expr *e, bool wanted) {
    struct place p = lower_place(l, e->a);
    lower_here(l, e->a);
    struct value old = lower_read(l, &p);
    bool post = e->op == AST_POSTINC || e->op == AST_POSTDEC;
    bool up = e->op == AST_PREINC || e->op == AST_POSTINC;
    if (post && wanted && !p.in_memory) /* the registers are about to change */
        for (uint32_t i = 0; i < old.n; i++) {
            isa_operand copy = lower_copy(l, old.c[i]);
            old.c[i] = copy;
        }
    uint32_t mark = l->k->nregs;
    struct value new;
    const struct ast_type *t = e->a->type;
    if (t->kind == AST_POINTER) {
        new = moved_pointer(l, t, old.c[0], lower_const(l, ISA_I32, up ? 1 : UINT32_MAX),
                            ast_scalar(l->unit, AST_INT), false);
    } else {
        const struct ast_type *s = lower_element(t);
        const struct ast_type *real = ast_scalar(l->unit, AST_FLOAT);
        new = lower_value(l, t, old.n);
        for (uint32_t i = 0; i < old.n; i++) {
            if (s->kind == AST_BOOL) { /* ++ gives true, -- the opposite */
                isa_operand yes = lower_const(l, ISA_I32, 1);
                new.c[i] = up ? yes : lower_op2(l, ISA_xor, ISA_I32, old.c[i], yes);
                continue;
            }
            isa_operand step = s->kind == AST_HALF
                                   ? lower_convert(l, lower_constf(l, ISA_F32, 1), real, s)
                               : ast_is_float(s) ? lower_constf(l, lower_type(s), 1.0)
                                                 : lower_const(l, lower_type(s), 1);
            new.c[i] = lower_arith(l, up ? AST_ADD : AST_SUB, s, old.c[i], step);
        }
    }
    lower_here(l, e->a);
    lower_write(l, &p, &new, mark);
    if (!wanted || post) return old;
    return p.in_memory ? new : lower_read(l, &p);
}

struct value lower_compound(struct lower *l, struct ast_expr *e) {
    const struct ast_type *t = e->a->type, *compute = e->compute ? e->compute : t;
    struct ast_expr *right = bare(e->b);
    bool sum = e->op == AST_ADD || e->op == AST_SUB;
    bool joins = sum && t == compute && is_product(l, right, t);
    struct value b = {0}, c = {0}, r;
    /* The right side comes first: it may call functions, and the place is read only after it. */
    if (joins) {
        b = lower_expr(l, right->a);
        c = lower_expr(l, right->b);
    } else {
        b = lower_expr(l, e->b);
    }
    struct place p = lower_place(l, e->a);
    uint32_t mark = l->k->nregs;
    lower_here(l, e->a);
    struct value old = lower_read(l, &p);
    lower_at(l, e->loc);
    if (t->kind == AST_POINTER) {
        r = moved_pointer(l, t, old.c[0], b.c[0], e->b->type, e->op == AST_SUB);
    } else if (joins) {
        enum isa_type it = lower_type(lower_element(t));
        r = lower_value(l, t, old.n);
        for (uint32_t i = 0; i < old.n; i++) {
            isa_operand x = component(&b, i);
            if (e->op == AST_SUB) x = lower_op1(l, ISA_fneg, it, x);
            r.c[i] = lower_op3(l, ISA_mad, it, x, component(&c, i), old.c[i]);
        }
    } else {
        const struct ast_type *from = lower_element(t), *to = lower_element(compute);
        struct value a = lower_value(l, compute, old.n);
        state_of(l)->computed = e;
        for (uint32_t i = 0; i < old.n; i++) a.c[i] = lower_convert(l, old.c[i], from, to);
        bool shift = e->op == AST_SHL || e->op == AST_SHR;
        struct value v =
            shift ? shifted(l, e->op, compute, &a, &b) : componentwise(l, e->op, compute, &a, &b);
        r = lower_value(l, t, old.n);
        for (uint32_t i = 0; i < old.n; i++) r.c[i] = lower_convert(l, v.c[i], to, from);
        state_of(l)->computed = NULL;
    }
    lower_here(l, e->a);
    lower_write(l, &p, &r, mark);
    return p.in_memory ? r : lower_read(l, &p);
}
