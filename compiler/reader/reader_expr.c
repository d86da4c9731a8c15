/* Cursors of expressions to AST expressions. */
#include <string.h>

#include "readerstate.h"

static struct ast_expr *node(struct reader *r, enum ast_expr_kind kind, const struct ast_type *type,
                             CXCursor c) {
    return reader_convert_new(r, kind, type, reader_text_place(r, c));
}

/* The same for what accesses memory or may do so: sites show its text. */
static struct ast_expr *access(struct reader *r, enum ast_expr_kind kind,
                               const struct ast_type *type, CXCursor c) {
    struct ast_expr *e = node(r, kind, type, c);
    e->extent = reader_text_extent(r, c, c);
    return e;
}

struct ast_expr *reader_condition(struct reader *r, CXCursor c) {
    struct ast_expr *e = reader_rvalue(r, c);
    if (!e->extent.length) e->extent = reader_text_extent(r, c, c);
    return e;
}

static _Noreturn void unsupported(struct reader *r, CXCursor c, const char *what) {
    reader_fail(r, reader_text_place(r, c), "%s is not supported", what);
}

static const struct ast_type *value_type(struct reader *r, CXCursor c) {
    return reader_type_value(r, clang_getCursorType(c));
}

/* What an lvalue inherits from the object it is part of. */
static struct ast_expr *part_of(struct ast_expr *e, const struct ast_expr *object) {
    e->lvalue = true;
    e->space = object->space;
    e->quals = object->quals & (AST_CONST | AST_VOLATILE);
    return e;
}

/* What a pointer points to, as an lvalue. */
static struct ast_expr *pointed(struct ast_expr *e, const struct ast_type *pointer) {
    e->lvalue = true;
    e->space = pointer->space;
    e->quals = pointer->quals & (AST_CONST | AST_VOLATILE);
    return e;
}

struct ast_expr *reader_rvalue(struct reader *r, CXCursor c) {
    return reader_convert_rvalue(r, reader_expr(r, c));
}

/* ---- names ---- */

static struct ast_expr *variable(struct reader *r, CXCursor c, struct ast_var *v) {
    static const enum ast_space space[] = {[AST_AUTO] = AST_PRIVATE,
                                           [AST_PARAM] = AST_PRIVATE,
                                           [AST_LOCAL_VAR] = AST_LOCAL,
                                           [AST_CONSTANT_VAR] = AST_CONSTANT};
    struct ast_expr *e = node(r, AST_VAR, v->type, c);
    e->var = v;
    e->lvalue = true;
    e->space = space[v->storage];
    e->quals = v->quals & (AST_CONST | AST_VOLATILE);
    return e;
}

static struct ast_expr *name(struct reader *r, CXCursor c) {
    CXCursor decl = clang_getCursorReferenced(c);
    if (decl.kind == CXCursor_VarDecl || decl.kind == CXCursor_ParmDecl)
        return variable(r, c, reader_decl_find(r, decl));
    if (decl.kind == CXCursor_EnumConstantDecl)
        return reader_convert_int(r, reader_type_of(r, c),
                                  (uint64_t)clang_getEnumConstantDeclValue(decl),
                                  reader_text_place(r, c));
    if (decl.kind == CXCursor_FunctionDecl) unsupported(r, c, "a function used as a value");
    unsupported(r, c, "this name");
}

/* ---- parts of vectors, structs and arrays ---- */

static unsigned hex_lane(char c) {
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
}

/* The lanes a component selector names (6.1.7); the odd and high parts of a vector of 3 reach a
 * fourth. */
static unsigned lanes_of(const char *s, const struct ast_type *vector, uint8_t *lanes) {
    unsigned half = (vector->count + 1) / 2, n = 0;
    int first = -1, step = 1;
    if (strcmp(s, "lo") == 0)
        first = 0;
    else if (strcmp(s, "hi") == 0)
        first = (int)half;
    else if (strcmp(s, "even") == 0)
        first = 0, step = 2;
    else if (strcmp(s, "odd") == 0)
        first = 1, step = 2;
    if (first >= 0) {
        for (; n < half; n++) lanes[n] = (uint8_t)(first + step * (int)n);
        return n;
    }
    bool numbered = (s[0] == 's' || s[0] == 'S') && s[1];
    for (s += numbered; *s && n < 16; s++, n++) {
        static const char letters[] = "xyzw", colours[] = "rgba";
        const char *p;
        if (numbered)
            lanes[n] = (uint8_t)hex_lane(*s);
        else if ((p = strchr(letters, *s)))
            lanes[n] = (uint8_t)(p - letters);
        else if ((p = strchr(colours, *s)))
            lanes[n] = (uint8_t)(p - colours);
        else
            return 0;
    }
    return n;
}

static struct ast_expr *swizzle(struct reader *r, struct ast_expr *base, const char *selector,
                                CXCursor c) {
    if (base->type->kind == AST_POINTER) { /* v->xy */
        struct ast_expr *target = node(r, AST_DEREF, base->type->elem, c);
        target->a = reader_convert_rvalue(r, base);
        base = pointed(target, base->type);
    }
    struct ast_expr *e = access(r, AST_SWIZZLE, reader_type_of(r, c), c);
    e->nlanes = (uint8_t)lanes_of(selector, base->type, e->lanes);
    bool known = e->nlanes > 0;
    for (unsigned i = 0; i < e->nlanes; i++) known = known && e->lanes[i] < 16;
    if (!known) unsupported(r, c, "this vector component");
    e->a = base;
    return base->lvalue ? part_of(e, base) : e;
}

/* A member of an unnamed member is reached through the latter: C says so, libclang hides it. */
static struct ast_expr *member(struct reader *r, struct ast_expr *base, const char *field,
                               struct ast_loc loc) {
    const struct ast_type *s = base->type;
    for (uint32_t i = 0; i < s->nfields; i++) {
        const struct ast_field *f = &s->fields[i];
        bool through = !f->name && f->type->kind == AST_STRUCT;
        if (!through && (!f->name || strcmp(f->name, field) != 0)) continue;
        struct ast_expr *e = reader_convert_new(r, AST_MEMBER, f->type, loc);
        e->a = base;
        e->field = f;
        if (base->lvalue) {
            part_of(e, base);
            e->quals |= f->quals & (AST_CONST | AST_VOLATILE);
        }
        if (through) e = member(r, e, field, loc);
        if (e) return e;
    }
    return NULL;
}

static struct ast_expr *member_ref(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    if (kids->n == 0) unsupported(r, c, "this member access");
    struct ast_expr *base = reader_expr(r, kids->at[0]);
    if (base->type->kind == AST_POINTER) {
        base = reader_convert_rvalue(r, base);
        struct ast_expr *target = reader_convert_new(r, AST_DEREF, base->type->elem, base->loc);
        target->a = base;
        base = pointed(target, base->type);
    }
    char *field = reader_string(r, clang_getCursorSpelling(c));
    struct ast_expr *e = NULL;
    if (base->type->kind == AST_STRUCT) {
        /* an array inside an rvalue needs an object to point into */
        if (!base->lvalue && reader_type_of(r, c)->kind == AST_ARRAY)
            base = reader_convert_object(r, base);
        e = member(r, base, field, reader_text_place(r, c));
    }
    if (e) e->extent = reader_text_extent(r, c, c);
    if (!e) unsupported(r, c, "this member access");
    return e;
}

/* v[i] of a vector, which clang has: a lane, or memory when i is not constant. */
static struct ast_expr *vector_element(struct reader *r, CXCursor c, struct ast_expr *v,
                                       struct ast_expr *i) {
    int64_t lane;
    if (reader_convert_fold(i, &lane) && lane >= 0 && lane < (int64_t)v->type->count) {
        struct ast_expr *e = access(r, AST_SWIZZLE, v->type->elem, c);
        e->a = v;
        e->lanes[0] = (uint8_t)lane;
        e->nlanes = 1;
        return v->lvalue ? part_of(e, v) : e;
    }
    if (!v->lvalue) v = reader_convert_object(r, v);
    unsigned quals = v->quals & (AST_CONST | AST_VOLATILE);
    struct ast_expr *address =
        node(r, AST_ADDRESS, ast_pointer(r->unit, v->type, v->space, quals), c);
    address->a = v;
    struct ast_expr *e = access(r, AST_INDEX, v->type->elem, c);
    e->a = reader_convert(r, address, ast_pointer(r->unit, v->type->elem, v->space, quals));
    e->b = i;
    return pointed(e, e->a->type);
}

static struct ast_expr *subscript(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    if (kids->n != 2) unsupported(r, c, "this subscript");
    struct ast_expr *a = reader_expr(r, kids->at[0]), *b = reader_expr(r, kids->at[1]);
    if (ast_is_integer(a->type)) { /* 3[p] */
        struct ast_expr *t = a;
        a = b;
        b = t;
    }
    b = reader_convert_rvalue(r, b);
    int64_t value;
    if (reader_convert_fold(b, &value)) b = reader_convert_int(r, b->type, (uint64_t)value, b->loc);
    if (a->type->kind == AST_VECTOR) return vector_element(r, c, a, b);
    a = reader_convert_rvalue(r, a);
    if (a->type->kind != AST_POINTER || !ast_is_integer(b->type))
        unsupported(r, c, "this subscript");
    struct ast_expr *e = access(r, AST_INDEX, a->type->elem, c);
    e->a = a;
    e->b = b;
    return pointed(e, a->type);
}

/* ---- operators ---- */

static struct ast_expr *increment(struct reader *r, CXCursor c, enum ast_op op,
                                  struct ast_expr *a) {
    struct ast_expr *e = node(r, AST_INCDEC, a->type, c);
    e->op = op;
    e->a = a;
    return e;
}

static struct ast_expr *dereference(struct reader *r, CXCursor c, struct ast_expr *a) {
    a = reader_convert_rvalue(r, a);
    if (a->type->kind != AST_POINTER || a->type->elem->kind == AST_FUNCTION)
        unsupported(r, c, "this dereference");
    bool array = a->kind == AST_DECAY; /* *array is array[0], which registers can hold */
    struct ast_expr *e = access(r, array ? AST_INDEX : AST_DEREF, a->type->elem, c);
    e->a = a;
    if (array) e->b = reader_convert_int(r, ast_scalar(r->unit, AST_INT), 0, e->loc);
    return pointed(e, a->type);
}

static struct ast_expr *address(struct reader *r, CXCursor c, struct ast_expr *a) {
    if (a->kind == AST_DEREF) return a->a;
    if (!a->lvalue && a->kind == AST_VECTOR_LIT) a = reader_convert_object(r, a);
    if (!a->lvalue || a->kind == AST_SWIZZLE) unsupported(r, c, "the address of this expression");
    unsigned quals = a->quals & (AST_CONST | AST_VOLATILE);
    struct ast_expr *e = node(r, AST_ADDRESS, ast_pointer(r->unit, a->type, a->space, quals), c);
    e->a = a;
    return e;
}

/* What a plus that the guard put in has promoted. */
static struct ast_expr *unpromoted(struct ast_expr *e) {
    bool promotes = e->kind == AST_CAST && e->cast == AST_CAST_NUMBER && e->type->kind == AST_INT &&
                    ast_is_integer(e->a->type) && e->a->type->size < 4;
    return promotes ? e->a : e;
}

static struct ast_expr *unary(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    if (kids->n == 0) unsupported(r, c, "this operator");
    struct ast_expr *a = reader_expr(r, kids->at[kids->n - 1]);
    enum ast_op op;
    switch (clang_getCursorUnaryOperatorKind(c)) {
    case CXUnaryOperator_PostInc: return increment(r, c, AST_POSTINC, a);
    case CXUnaryOperator_PostDec: return increment(r, c, AST_POSTDEC, a);
    case CXUnaryOperator_PreInc: return increment(r, c, AST_PREINC, a);
    case CXUnaryOperator_PreDec: return increment(r, c, AST_PREDEC, a);
    case CXUnaryOperator_AddrOf: return address(r, c, a);
    case CXUnaryOperator_Deref: return dereference(r, c, a);
    case CXUnaryOperator_Extension: return a;
    case CXUnaryOperator_Plus:
        if (reader_guard_put(r, reader_text_start(c)))
            return kids->at[0].kind == CXCursor_UnexposedExpr ? unpromoted(a) : a;
        op = AST_PLUS;
        break;
    case CXUnaryOperator_Minus: op = AST_NEG; break;
    case CXUnaryOperator_Not: op = AST_NOT; break;
    case CXUnaryOperator_LNot: op = AST_LNOT; break;
    default: unsupported(r, c, "this operator");
    }
    struct ast_expr *e = node(r, AST_UNARY, value_type(r, c), c);
    e->op = op;
    e->a = reader_convert_rvalue(r, a);
    if (op != AST_LNOT) e->a = reader_convert(r, e->a, e->type);
    return e;
}

static const int8_t operators[] = {
    [CXBinaryOperator_Mul] = AST_MUL,       [CXBinaryOperator_Div] = AST_DIV,
    [CXBinaryOperator_Rem] = AST_REM,       [CXBinaryOperator_Add] = AST_ADD,
    [CXBinaryOperator_Sub] = AST_SUB,       [CXBinaryOperator_Shl] = AST_SHL,
    [CXBinaryOperator_Shr] = AST_SHR,       [CXBinaryOperator_LT] = AST_LT,
    [CXBinaryOperator_GT] = AST_GT,         [CXBinaryOperator_LE] = AST_LE,
    [CXBinaryOperator_GE] = AST_GE,         [CXBinaryOperator_EQ] = AST_EQ,
    [CXBinaryOperator_NE] = AST_NE,         [CXBinaryOperator_And] = AST_AND,
    [CXBinaryOperator_Xor] = AST_XOR,       [CXBinaryOperator_Or] = AST_OR,
    [CXBinaryOperator_LAnd] = AST_LAND,     [CXBinaryOperator_LOr] = AST_LOR,
    [CXBinaryOperator_MulAssign] = AST_MUL, [CXBinaryOperator_DivAssign] = AST_DIV,
    [CXBinaryOperator_RemAssign] = AST_REM, [CXBinaryOperator_AddAssign] = AST_ADD,
    [CXBinaryOperator_SubAssign] = AST_SUB, [CXBinaryOperator_ShlAssign] = AST_SHL,
    [CXBinaryOperator_ShrAssign] = AST_SHR, [CXBinaryOperator_AndAssign] = AST_AND,
    [CXBinaryOperator_XorAssign] = AST_XOR, [CXBinaryOperator_OrAssign] = AST_OR,
};

static struct ast_expr *assign(struct reader *r, CXCursor c, struct ast_expr *a,
                               struct ast_expr *b) {
    struct ast_expr *e = node(r, AST_ASSIGN, a->type, c);
    e->a = a;
    e->b = reader_convert(r, b, a->type);
    return e;
}

static struct ast_expr *binary(struct reader *r, CXCursor c, struct ast_expr *a,
                               struct ast_expr *b) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    if (kind == CXBinaryOperator_Assign) return assign(r, c, a, b);
    b = reader_convert_rvalue(r, b);
    struct ast_expr *e = node(r, AST_BINARY, NULL, c);
    if (kind == CXBinaryOperator_Comma) {
        e->kind = AST_COMMA;
        e->a = a->type->kind == AST_VOID || !a->lvalue ? a : reader_convert_rvalue(r, a);
        e->b = b;
        e->type = b->type;
        return e;
    }
    if (kind < CXBinaryOperator_Mul || kind > CXBinaryOperator_LOr || kind == CXBinaryOperator_Cmp)
        unsupported(r, c, "this operator");
    a = reader_convert_rvalue(r, a);
    if (kind == CXBinaryOperator_Add && b->type->kind == AST_POINTER) { /* i + p is p + i */
        struct ast_expr *t = a;
        a = b;
        b = t;
    }
    e->op = (enum ast_op)operators[kind];
    e->a = a;
    e->b = b;
    e->type = value_type(r, c);
    return e;
}

/* An operator whose left operand is one, and so on, is read from the innermost out: a sum may have
 * thousands of terms. */
static struct ast_expr *binary_chain(struct reader *r, CXCursor c) {
    struct link {
        struct link *outer;
        CXCursor op, right;
    } *links = NULL;
    struct reader_kids kids;
    do {
        reader_children(r, c, &kids);
        if (kids.n != 2) unsupported(r, c, "this operator");
        struct link *l = ARENA_NEW(r->arena, struct link);
        *l = (struct link){.outer = links, .op = c, .right = kids.at[1]};
        links = l;
        c = kids.at[0];
    } while (c.kind == CXCursor_BinaryOperator);
    struct ast_expr *e = reader_expr(r, c);
    for (; links; links = links->outer) {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(links->op);
        bool decides = kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr;
        if (decides && !e->extent.length) e->extent = reader_text_extent(r, c, c);
        e = binary(r, links->op, e, reader_expr(r, links->right));
        c = links->op;
    }
    return e;
}

/* The type an integer takes in an operation (6.2.6: C99's integer promotions). */
static const struct ast_type *promoted(struct reader *r, const struct ast_type *t) {
    return ast_is_integer(t) && t->size < 4 ? ast_scalar(r->unit, AST_INT) : t;
}

/* clang converts the right operand to the type of the computation and hides what happens to the
 * left. */
static struct ast_expr *compound(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    if (kids->n != 2 || kind < CXBinaryOperator_MulAssign || kind > CXBinaryOperator_OrAssign)
        unsupported(r, c, "this operator");
    struct ast_expr *a = reader_expr(r, kids->at[0]), *b = reader_rvalue(r, kids->at[1]);
    struct ast_expr *e = node(r, AST_COMPOUND_ASSIGN, a->type, c);
    e->op = (enum ast_op)operators[kind];
    e->a = a;
    e->b = b;
    if (a->type->kind == AST_POINTER)
        e->compute = a->type;
    else if (e->op == AST_SHL || e->op == AST_SHR)
        e->compute = promoted(r, a->type);
    else
        e->compute = b->type;
    return e;
}

static struct ast_expr *conditional(struct reader *r, CXCursor c, CXCursor condition, CXCursor *yes,
                                    CXCursor no) {
    struct ast_expr *e = node(r, AST_COND, value_type(r, c), c);
    e->a = reader_condition(r, condition);
    if (yes)
        e->b = reader_convert(r, reader_expr(r, *yes), e->type);
    else
        e->a = reader_convert(r, e->a, e->type); /* the usual conversions keep nonzero nonzero */
    e->c = reader_convert(r, reader_expr(r, no), e->type);
    return e;
}

/* ---- calls ---- */

static struct ast_func *callee(struct reader *r, CXCursor c) {
    while (c.kind != CXCursor_DeclRefExpr) {
        struct reader_kids kids;
        reader_children(r, c, &kids);
        bool transparent = c.kind == CXCursor_UnexposedExpr || c.kind == CXCursor_ParenExpr;
        if (!transparent || kids.n != 1) unsupported(r, c, "a call through a pointer");
        c = kids.at[0];
    }
    CXCursor decl = clang_getCursorReferenced(c);
    if (decl.kind != CXCursor_FunctionDecl) unsupported(r, c, "a call through a pointer");
    return reader_decl_func(r, decl);
}

static struct ast_expr *call(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    if (kids->n == 0) unsupported(r, c, "this call");
    struct ast_expr *e = access(r, AST_CALL, value_type(r, c), c);
    e->func = callee(r, kids->at[0]);
    e->nargs = kids->n - 1;
    if (e->nargs < e->func->nparams) unsupported(r, c, "this call");
    e->args = ARENA_ARRAY(r->arena, struct ast_expr *, e->nargs);
    for (uint32_t i = 0; i < e->nargs; i++) {
        e->args[i] = reader_rvalue(r, kids->at[i + 1]);
        if (i < e->func->nparams)
            e->args[i] = reader_convert(r, e->args[i], e->func->params[i]->type);
    }
    return e;
}

/* ---- compound literals and what libclang does not expose ---- */

static struct ast_expr *compound_literal(struct reader *r, CXCursor c,
                                         const struct reader_kids *kids) {
    const struct ast_type *type = reader_type_of(r, c);
    if (kids->n == 0) unsupported(r, c, "this literal");
    struct ast_expr *value = reader_init(r, kids->at[kids->n - 1], type);
    if (type->kind == AST_VECTOR) return value;
    return reader_convert_object(r, value);
}

/* A node without a name and with one child: a conversion, a vector component, or as_type(). */
static struct ast_expr *unexposed_one(struct reader *r, CXCursor c, CXCursor child) {
    uint32_t start = 0;
    if (r->text.has_astype || child.kind == CXCursor_TypeRef) {
        start = reader_text_start(c);
        uint32_t first = reader_text_find(r, start);
        if (start != reader_text_start(child) && reader_text_is(r, first, "__builtin_astype")) {
            struct ast_expr *e = node(r, AST_CAST, reader_type_of(r, c), c);
            e->a = reader_rvalue(r, reader_guard_operand(r, child));
            e->cast = AST_CAST_BITS;
            return e->a->type == e->type ? e->a : e;
        }
    }
    struct ast_expr *e = reader_expr(r, child);
    const struct ast_type *inner = e->type->kind == AST_POINTER ? e->type->elem : e->type;
    if (inner->kind == AST_VECTOR) {
        uint32_t end = reader_text_end(c), last = reader_text_find(r, end - 1);
        bool selects =
            last > 0 && (reader_text_is(r, last - 1, ".") || reader_text_is(r, last - 1, "->"));
        if (selects && end != reader_text_end(child))
            return swizzle(r, e, reader_text_token(r, last), c);
    }
    const struct ast_type *type = reader_type_of(r, c);
    if (type->kind ==
        AST_ARRAY) /* a wrapper such as __func__'s; or the load of an array parameter */
        return e->type->kind == AST_ARRAY ? e : reader_convert_rvalue(r, e);
    return reader_convert(r, e, type);
}

static struct ast_expr *unexposed(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    if (kids->n == 1 && clang_isExpression(kids->at[0].kind))
        return unexposed_one(r, c, kids->at[0]);
    uint32_t first = reader_text_find(r, reader_text_start(c));
    const char *text = reader_text_token(r, first);
    if (strcmp(text, "__builtin_offsetof") == 0 ||
        strcmp(text, "__builtin_types_compatible_p") == 0)
        return reader_literal_int(r, c);
    if (strcmp(text, "__builtin_astype") == 0 &&
        kids->n > 0) /* the type's name is a child as well */
        for (unsigned i = 0; i < kids->n; i++)
            if (clang_isExpression(kids->at[i].kind)) return unexposed_one(r, c, kids->at[i]);
    if (kids->n == 4 && strncmp(text, "__builtin_", 10) != 0) /* a ?: c shows a three times */
        return conditional(r, c, kids->at[0], NULL, kids->at[3]);
    unsupported(r, c, arena_printf(r->arena, "expression beginning with '%s'", text));
}

static struct ast_expr *statement_expr(struct reader *r, CXCursor c,
                                       const struct reader_kids *kids) {
    if (kids->n != 1) unsupported(r, c, "this expression");
    struct ast_expr *e = node(r, AST_STMT_EXPR, value_type(r, c), c);
    e->body = reader_stmt(r, kids->at[0]);
    return e;
}

static struct ast_expr *expr(struct reader *r, CXCursor c) {
    struct reader_kids kids;
    switch (c.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr: return reader_literal_int(r, c); /* sizeof, alignof, vec_step */
    case CXCursor_FloatingLiteral: return reader_literal_real(r, c);
    case CXCursor_StringLiteral: return reader_literal_string(r, c);
    case CXCursor_DeclRefExpr: return name(r, c);
    case CXCursor_BinaryOperator: return binary_chain(r, c);
    case CXCursor_InitListExpr: return reader_init(r, c, reader_type_of(r, c));
    default: break;
    }
    reader_children(r, c, &kids);
    switch (c.kind) {
    case CXCursor_ParenExpr:
        if (kids.n == 1) return reader_expr(r, kids.at[0]);
        break;
    case CXCursor_UnexposedExpr: return unexposed(r, c, &kids);
    case CXCursor_MemberRefExpr: return member_ref(r, c, &kids);
    case CXCursor_CallExpr: return call(r, c, &kids);
    case CXCursor_ArraySubscriptExpr: return subscript(r, c, &kids);
    case CXCursor_UnaryOperator: return unary(r, c, &kids);
    case CXCursor_CompoundAssignOperator: return compound(r, c, &kids);
    case CXCursor_ConditionalOperator:
        if (kids.n == 3) return conditional(r, c, kids.at[0], &kids.at[1], kids.at[2]);
        break;
    case CXCursor_CStyleCastExpr:
        if (kids.n > 0)
            return reader_convert(r, reader_expr(r, kids.at[kids.n - 1]), reader_type_of(r, c));
        break;
    case CXCursor_CompoundLiteralExpr: return compound_literal(r, c, &kids);
    case CXCursor_StmtExpr: return statement_expr(r, c, &kids);
    default: break;
    }
    unsupported(r, c, reader_string(r, clang_getCursorKindSpelling(c.kind)));
}

struct ast_expr *reader_expr(struct reader *r, CXCursor c) {
    reader_enter(r, c);
    struct ast_expr *e = expr(r, c);
    reader_leave(r);
    return e;
}
