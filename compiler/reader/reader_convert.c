/* Expressions made, converted and folded: what C's implicit conversions come to, written as AST
 * nodes. libclang shows that a conversion happens, never which; the two types say it. */
#include "readerstate.h"

struct ast_expr *reader_convert_new(struct reader *r, enum ast_expr_kind kind,
                                    const struct ast_type *type, struct ast_loc loc) {
    struct ast_expr *e = ARENA_NEW(r->arena, struct ast_expr);
    e->kind = kind;
    e->type = type;
    e->loc = loc;
    return e;
}

/* Keeps what a value of the type can hold, sign extended for signed ones. */
static uint64_t wrap(const struct ast_type *t, uint64_t v) {
    switch (t->kind) {
    case AST_BOOL: return v != 0;
    case AST_CHAR: return (uint64_t)(int64_t)(int8_t)v;
    case AST_UCHAR: return (uint8_t)v;
    case AST_SHORT: return (uint64_t)(int64_t)(int16_t)v;
    case AST_USHORT: return (uint16_t)v;
    case AST_INT: return (uint64_t)(int64_t)(int32_t)v;
    case AST_LONG:
    case AST_ULONG: return v;
    default: return (uint32_t)v;
    }
}

struct ast_expr *reader_convert_int(struct reader *r, const struct ast_type *type, uint64_t value,
                                    struct ast_loc loc) {
    struct ast_expr *e = reader_convert_new(r, AST_INT_LIT, type, loc);
    e->integer = wrap(type, value);
    return e;
}

static struct ast_expr *unary(struct reader *r, enum ast_expr_kind kind,
                              const struct ast_type *type, struct ast_expr *a) {
    struct ast_expr *e = reader_convert_new(r, kind, type, a->loc);
    e->a = a;
    return e;
}

struct ast_expr *reader_convert_object(struct reader *r, struct ast_expr *e) {
    struct ast_expr *object = reader_convert_new(r, AST_COMPOUND_LIT, e->type, e->loc);
    object->var = reader_decl_temporary(r, e->type, e, e->loc);
    object->lvalue = true;
    return object;
}

struct ast_expr *reader_convert_rvalue(struct reader *r, struct ast_expr *e) {
    if (e->type->kind == AST_ARRAY) {
        if (!e->lvalue) return e; /* an initialiser */
        return unary(r, AST_DECAY, ast_pointer(r->unit, e->type->elem, e->space, e->quals), e);
    }
    return e->lvalue ? unary(r, AST_LOAD, e->type, e) : e;
}

static struct ast_expr *cast(struct reader *r, enum ast_cast kind, const struct ast_type *to,
                             struct ast_expr *e) {
    struct ast_expr *c = unary(r, AST_CAST, to, e);
    c->cast = kind;
    return c;
}

static struct ast_expr *number(struct reader *r, struct ast_expr *e, const struct ast_type *to) {
    if (e->type == to) return e;
    if (e->kind == AST_INT_LIT && ast_is_integer(to))
        return reader_convert_int(r, to, e->integer, e->loc);
    return cast(r, AST_CAST_NUMBER, to, e);
}

static struct ast_expr *to_pointer(struct reader *r, struct ast_expr *e,
                                   const struct ast_type *to) {
    const struct ast_type *from = e->type;
    if (from->kind == AST_POINTER) {
        if (ast_is_null(e)) return cast(r, AST_CAST_INT_PTR, to, e->a);
        bool same = from->elem == to->elem && from->space == to->space;
        return cast(r, same ? AST_CAST_NONE : AST_CAST_POINTER, to, e);
    }
    if (!ast_is_integer(from)) return NULL;
    return cast(r, AST_CAST_INT_PTR, to, number(r, e, ast_scalar(r->unit, AST_UINT)));
}

static struct ast_expr *to_scalar(struct reader *r, struct ast_expr *e, const struct ast_type *to) {
    const struct ast_type *from = e->type;
    if (ast_is_scalar(from)) return number(r, e, to);
    if (from->kind == AST_POINTER) {
        if (to->kind == AST_BOOL) return cast(r, AST_CAST_PTR_BOOL, to, e);
        if (!ast_is_integer(to)) return NULL;
        return number(r, cast(r, AST_CAST_PTR_INT, ast_scalar(r->unit, AST_UINT), e), to);
    }
    bool bits = from->kind == AST_VECTOR && from->size == to->size;
    return bits ? cast(r, AST_CAST_BITS, to, e) : NULL;
}

static struct ast_expr *to_vector(struct reader *r, struct ast_expr *e, const struct ast_type *to) {
    if (ast_is_scalar(e->type)) return cast(r, AST_CAST_SPLAT, to, number(r, e, to->elem));
    bool bits = e->type->kind == AST_VECTOR && e->type->size == to->size;
    return bits ? cast(r, AST_CAST_BITS, to, e) : NULL;
}

/* Samplers and events come from integer constants only (6.9.b and p of 1.2): the literal takes
 * their type. */
static struct ast_expr *to_opaque(struct reader *r, struct ast_expr *e, const struct ast_type *to) {
    int64_t value;
    return reader_convert_fold(e, &value) ? reader_convert_int(r, to, (uint64_t)value, e->loc)
                                          : NULL;
}

struct ast_expr *reader_convert(struct reader *r, struct ast_expr *e, const struct ast_type *to) {
    e = reader_convert_rvalue(r, e);
    if (e->type == to) return e;
    struct ast_expr *c = NULL;
    switch (to->kind) {
    case AST_VOID: c = cast(r, AST_CAST_VOID, to, e); break;
    case AST_VECTOR: c = to_vector(r, e, to); break;
    case AST_POINTER: c = to_pointer(r, e, to); break;
    case AST_SAMPLER:
    case AST_EVENT: c = to_opaque(r, e, to); break;
    case AST_IMAGE: /* image2d_t says nothing of access where a function takes it */
        if (e->type->kind == AST_IMAGE) c = cast(r, AST_CAST_NONE, to, e);
        break;
    default:
        if (ast_is_scalar(to)) c = to_scalar(r, e, to);
    }
    if (!c)
        reader_fail(r, e->loc, "conversion from '%s' to '%s' is not supported", e->type->name,
                    to->name);
    return c;
}

/* ---- integer constant expressions ---- */

static bool fold_binary(const struct ast_expr *e, int64_t a, int64_t b, int64_t *v) {
    const struct ast_type *t = e->a->type;
    bool is_signed = ast_is_signed(t);
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    unsigned shift = (unsigned)y & (t->size == 8 ? 63 : 31);
    switch (e->op) {
    case AST_ADD: x += y; break;
    case AST_SUB: x -= y; break;
    case AST_MUL: x *= y; break;
    case AST_DIV:
    case AST_REM:
        if (b == 0 || (is_signed && a == INT64_MIN && b == -1)) return false;
        if (e->op == AST_DIV)
            x = is_signed ? (uint64_t)(a / b) : x / y;
        else
            x = is_signed ? (uint64_t)(a % b) : x % y;
        break;
    case AST_SHL: x <<= shift; break;
    case AST_SHR: x = is_signed ? (uint64_t)(a >> shift) : x >> shift; break;
    case AST_AND: x &= y; break;
    case AST_OR: x |= y; break;
    case AST_XOR: x ^= y; break;
    case AST_LT: x = is_signed ? a < b : x < y; break;
    case AST_GT: x = is_signed ? a > b : x > y; break;
    case AST_LE: x = is_signed ? a <= b : x <= y; break;
    case AST_GE: x = is_signed ? a >= b : x >= y; break;
    case AST_EQ: x = a == b; break;
    case AST_NE: x = a != b; break;
    case AST_LAND: x = a && b; break;
    case AST_LOR: x = a || b; break;
    default: return false;
    }
    *v = (int64_t)wrap(e->type, x);
    return true;
}

bool reader_convert_fold(const struct ast_expr *e, int64_t *v) {
    int64_t a, b;
    if (!ast_is_integer(e->type)) return false;
    switch (e->kind) {
    case AST_INT_LIT: *v = (int64_t)e->integer; return true;
    case AST_CAST:
        if (e->cast != AST_CAST_NUMBER || !reader_convert_fold(e->a, &a)) return false;
        *v = (int64_t)wrap(e->type, (uint64_t)a);
        return true;
    case AST_UNARY:
        if (!reader_convert_fold(e->a, &a)) return false;
        if (e->op == AST_NEG)
            a = (int64_t)(0 - (uint64_t)a);
        else if (e->op == AST_NOT)
            a = ~a;
        else if (e->op == AST_LNOT)
            a = !a;
        else if (e->op != AST_PLUS)
            return false;
        *v = (int64_t)wrap(e->type, (uint64_t)a);
        return true;
    case AST_BINARY:
        return reader_convert_fold(e->a, &a) && reader_convert_fold(e->b, &b) &&
               fold_binary(e, a, b, v);
    case AST_COND:
        if (!e->b || !reader_convert_fold(e->a, &a)) return false;
        return reader_convert_fold(a ? e->b : e->c, v);
    default: return false;
    }
}
