/* Expressions: what each kind gives, conditions, initialisers, calls of built-in functions. */
#include "lowerstate.h"

#include <string.h>

/* ---- cheap expressions: those that may be computed whether or not they are wanted ---- */

enum { CHEAP = 12, NOT_CHEAP = 1000 };

/* Operations it takes; NOT_CHEAP when it has effects, touches memory or costs much. */
static unsigned price(struct lower *l, const struct ast_expr *e, unsigned depth) {
    if (!depth--) return NOT_CHEAP;
    unsigned width = e->type->kind == AST_VECTOR ? e->type->count : 1, n = 0;
    switch (e->kind) {
    case AST_INT_LIT:
    case AST_FLOAT_LIT: return 0;
    case AST_LOAD:
        if (e->a->kind == AST_SWIZZLE || e->a->kind == AST_MEMBER || e->a->kind == AST_VAR)
            return price(l, e->a, depth);
        return NOT_CHEAP;
    case AST_VAR: {
        const struct variable *v = e->var->lowered;
        bool in_register = v && v->kernel == state_of(l)->kernel_id &&
                           (v->kind == VARIABLE_BOUND || v->kind == VARIABLE_REGISTERS);
        return in_register ? 0 : NOT_CHEAP;
    }
    case AST_SWIZZLE:
    case AST_MEMBER: return price(l, e->a, depth);
    case AST_UNARY: return price(l, e->a, depth) + width;
    case AST_CAST:
        if (e->cast == AST_CAST_VOID) return NOT_CHEAP;
        if (l->options->check_values && ast_is_integer(e->type) && !ast_is_integer(e->a->type))
            return NOT_CHEAP; /* it may go out of range */
        return price(l, e->a, depth) + width;
    case AST_VECTOR_LIT:
        for (uint32_t i = 0; i < e->nargs && n < NOT_CHEAP; i++) n += price(l, e->args[i], depth);
        return n;
    case AST_BINARY:
        if (l->options->check_values && (e->op == AST_SHL || e->op == AST_SHR || e->addresses))
            return NOT_CHEAP;
        if (e->op == AST_DIV || e->op == AST_REM) {
            int64_t divisor;
            if (!ast_is_integer(e->type) || !lower_evaluate(l, e->b, &divisor) || divisor <= 0 ||
                (divisor & (divisor - 1)))
                return NOT_CHEAP;
        }
        return price(l, e->a, depth) + price(l, e->b, depth) + width;
    case AST_COND:
        return price(l, e->a, depth) + (e->b ? price(l, e->b, depth) : 0) + price(l, e->c, depth) +
               width;
    default: return NOT_CHEAP;
    }
}

bool lower_cheap(struct lower *l, const struct ast_expr *e) { return price(l, e, 16) <= CHEAP; }

/* ---- small helpers ---- */

struct value lower_vector_of(struct lower *l, const struct ast_type *t, isa_operand splat) {
    struct value v = lower_value(l, t, lower_count(t));
    for (uint32_t i = 0; i < v.n; i++) v.c[i] = splat;
    return v;
}

static struct value one(struct lower *l, const struct ast_type *t, isa_operand c) {
    struct value v = lower_value(l, t, 1);
    v.c[0] = c;
    return v;
}

isa_operand lower_scalar(struct lower *l, struct ast_expr *e) {
    struct value v = lower_expr(l, e);
    return v.n ? v.c[0] : lower_const(l, lower_type(e->type), 0);
}

void lower_discard(struct lower *l, struct ast_expr *e) {
    switch (e->kind) {
    case AST_INCDEC:
        lower_enter(l);
        lower_at(l, e->loc);
        lower_incdec(l, e, false);
        state_of(l)->recursion--;
        return;
    case AST_CAST:
        if (e->cast == AST_CAST_VOID || e->cast == AST_CAST_NONE) {
            lower_discard(l, e->a);
            return;
        }
        break;
    case AST_COMMA:
        lower_discard(l, e->a);
        lower_discard(l, e->b);
        return;
    default: break;
    }
    if (e->lvalue && e->kind != AST_COMPOUND_LIT && !(e->quals & AST_VOLATILE)) {
        lower_place(l, e);
        return;
    }
    lower_expr(l, e);
}

/* ---- conditions ---- */

static isa_operand short_circuit(struct lower *l, struct ast_expr *e) {
    bool both = e->op == AST_LAND;
    isa_operand a = lower_pred(l, e->a);
    uint64_t known;
    if (lower_is_const(l, a, &known)) {
        lower_site_decided(l, e->a, false, ISA_REMOVED_folded);
        return (known != 0) == both ? lower_pred(l, e->b) : a;
    }
    if (lower_cheap(l, e->b)) {
        isa_operand b = lower_pred(l, e->b);
        return lower_op2(l, both ? ISA_and : ISA_or, ISA_PRED, a, b);
    }
    isa_operand r = lower_reg(l, ISA_PRED);
    lower_mov(l, r, a);
    lower_here_condition(l, e->a, false);
    if (!both) lower_here_inverted(l);
    lower_if(l, both ? a : lower_op1(l, ISA_not, ISA_PRED, a));
    uint32_t mark = l->k->nregs;
    isa_operand b = lower_pred(l, e->b);
    lower_settle(l, r, b, mark);
    lower_end(l);
    return r;
}

isa_operand lower_pred(struct lower *l, struct ast_expr *e) {
    lower_step(l);
    lower_enter(l);
    lower_at(l, e->loc);
    isa_operand p;
    if (e->kind == AST_BINARY && e->type->kind != AST_VECTOR &&
        (e->op == AST_LAND || e->op == AST_LOR)) {
        p = short_circuit(l, e);
    } else if (e->kind == AST_BINARY && e->type->kind != AST_VECTOR && e->op >= AST_LT &&
               e->op <= AST_NE) {
        isa_operand a = lower_scalar(l, e->a), b = lower_scalar(l, e->b);
        lower_at(l, e->loc);
        p = lower_compare(l, e->op, e->a->type, a, b);
    } else if (e->kind == AST_UNARY && e->op == AST_LNOT && e->type->kind != AST_VECTOR) {
        p = lower_op1(l, ISA_not, ISA_PRED, lower_pred(l, e->a));
    } else {
        isa_operand v = lower_scalar(l, e);
        enum isa_type t = lower_type(lower_element(e->type));
        if (e->type->kind == AST_HALF) {
            v = lower_cvt(l, ISA_h2f, ISA_F32, ISA_I16, ISA_RTE, v);
            t = ISA_F32;
        }
        p = lower_test(l, t, v);
    }
    state_of(l)->recursion--;
    return p;
}

static struct value unary(struct lower *l, struct ast_expr *e) {
    if (e->op == AST_LNOT && e->type->kind != AST_VECTOR)
        return one(l, e->type, lower_truth(l, lower_pred(l, e)));
    struct value a = lower_expr(l, e->a), r = lower_value(l, e->type, a.n);
    const struct ast_type *t = lower_element(e->type);
    enum isa_type it = lower_type(t);
    lower_at(l, e->loc);
    for (uint32_t i = 0; i < a.n; i++) {
        isa_operand x = a.c[i];
        switch (e->op) {
        case AST_NEG:
            if (t->kind == AST_HALF)
                x = lower_op2(l, ISA_xor, it, x, lower_const(l, it, 0x8000));
            else if (ast_is_float(t))
                x = lower_op1(l, ISA_fneg, it, x);
            else
                x = lower_op2(l, ISA_sub, it, lower_const(l, it, 0), x);
            break;
        case AST_NOT: x = lower_op1(l, ISA_not, it, x); break;
        case AST_LNOT: {
            isa_operand p = lower_test(l, lower_type(lower_element(e->a->type)), x);
            x = lower_mask(l, it, lower_op1(l, ISA_not, ISA_PRED, p));
            break;
        }
        default: break;
        }
        r.c[i] = x;
    }
    return r;
}

/* ---- a ? b : c ---- */

static struct value vector_choice(struct lower *l, struct ast_expr *e) {
    struct value a = lower_expr(l, e->a), b = e->b ? lower_expr(l, e->b) : a;
    struct value c = lower_expr(l, e->c), r = lower_value(l, e->type, lower_count(e->type));
    enum isa_type st = lower_type(e->a->type->elem), t = lower_type(lower_element(e->type));
    lower_at(l, e->loc);
    for (uint32_t i = 0; i < r.n; i++) {
        /* the most significant bit decides (6.3.i) */
        isa_operand p = lower_cmp(l, ISA_lt_s, st, a.c[i], lower_const(l, st, 0));
        r.c[i] = lower_select(l, t, p, b.n == 1 ? b.c[0] : b.c[i], c.n == 1 ? c.c[0] : c.c[i]);
    }
    return r;
}

static void into(struct lower *l, const struct value *r, struct ast_expr *e) {
    if (!r->n) {
        lower_discard(l, e);
        return;
    }
    uint32_t mark = l->k->nregs;
    struct value v = lower_expr(l, e);
    for (uint32_t i = 0; i < r->n && i < v.n; i++)
        lower_settle(l, r->c[i], v.c[i], v.n == 1 ? mark : UINT32_MAX);
}

static struct value choice(struct lower *l, struct ast_expr *e) {
    if (e->a->type->kind == AST_VECTOR) return vector_choice(l, e);
    const struct parts *parts = lower_parts(l, e->type);
    if (!e->b) { /* GNU: a ?: c */
        struct value a = lower_expr(l, e->a);
        isa_operand p = lower_test(l, lower_type(e->a->type), a.c[0]);
        isa_operand yes = lower_convert(l, a.c[0], e->a->type, e->type),
                    r = lower_reg(l, lower_type(e->type));
        lower_mov(l, r, yes);
        lower_here_condition(l, e->a, false);
        lower_here_inverted(l);
        lower_if(l, lower_op1(l, ISA_not, ISA_PRED, p));
        lower_mov(l, r, lower_scalar(l, e->c));
        lower_end(l);
        return one(l, e->type, r);
    }
    isa_operand p = lower_pred(l, e->a);
    uint64_t known;
    if (lower_is_const(l, p, &known)) {
        lower_site_decided(l, e->a, false, ISA_REMOVED_folded);
        return lower_expr(l, known ? e->b : e->c);
    }
    if (parts->n && lower_cheap(l, e->b) && lower_cheap(l, e->c)) {
        struct value b = lower_expr(l, e->b), c = lower_expr(l, e->c);
        struct value r = lower_value(l, e->type, parts->n);
        lower_at(l, e->loc);
        for (uint32_t i = 0; i < r.n; i++)
            r.c[i] = lower_select(l, lower_type(parts->part[i].type), p, b.c[i], c.c[i]);
        return r;
    }
    struct value r = lower_value(l, e->type, parts->n);
    for (uint32_t i = 0; i < r.n; i++) r.c[i] = lower_reg(l, lower_type(parts->part[i].type));
    lower_here_condition(l, e->a, false);
    lower_if(l, p);
    into(l, &r, e->b);
    lower_else(l);
    into(l, &r, e->c);
    lower_end(l);
    return r;
}

/* ---- objects ---- */

static struct value assign(struct lower *l, struct ast_expr *e) {
    uint32_t mark = l->k->nregs;
    struct value v = lower_expr(l, e->b);
    struct place p = lower_place(l, e->a);
    lower_at(l, e->loc);
    lower_here(l, e->a);
    lower_write(l, &p, &v, mark);
    if (!p.in_memory) return lower_read(l, &p);
    v.type = e->type;
    return v;
}

/* Puts a value's components at their places in a flat value. False: some fall between its parts, as
 * when a union is initialised through another member than the one it is laid out by. */
static bool fill(struct lower *l, const struct value *r, const struct value *v, uint32_t offset) {
    const struct parts *to = lower_parts(l, r->type), *from = lower_parts(l, v->type);
    uint32_t at = v->n ? lower_component(l, r->type, offset + from->part[0].offset) : 0;
    for (uint32_t c = 0; c < v->n; c++) {
        while (at < to->n && to->part[at].offset < offset + from->part[c].offset) at++;
        if (at == to->n || to->part[at].offset != offset + from->part[c].offset ||
            lower_type(to->part[at].type) != lower_type(from->part[c].type) ||
            to->part[at].type->size != from->part[c].type->size)
            return false;
        r->c[at] = v->c[c];
    }
    return true;
}

static struct value initial(struct lower *l, struct ast_expr *e) {
    if (e->kind != AST_STRING_LIT) return lower_expr(l, e);
    struct value v = lower_zero(l, e->type); /* initialises an array of characters */
    for (uint32_t c = 0; c < v.n && c < e->length; c++)
        v.c[c] = lower_const(l, ISA_I8, (uint8_t)e->string[c]);
    return v;
}

struct value lower_init(struct lower *l, struct ast_expr *e) {
    struct value r = lower_zero(l, e->type);
    struct value *v = ARENA_ARRAY(l->arena, struct value, e->ninits ? e->ninits : 1);
    bool fits = true;
    for (uint32_t i = 0; i < e->ninits; i++) v[i] = initial(l, e->inits[i].value);
    for (uint32_t i = 0; i < e->ninits && fits; i++) fits = fill(l, &r, &v[i], e->inits[i].offset);
    if (fits) return r;
    isa_operand object = lower_object(l, e->type->size, e->type->align, e->loc);
    r = lower_zero(l, e->type);
    lower_here(l, e);
    lower_store_object(l, &r, AST_PRIVATE, object, 0, 0, e->type->align);
    for (uint32_t i = 0; i < e->ninits; i++)
        lower_store_object(l, &v[i], AST_PRIVATE, object, (int32_t)e->inits[i].offset, 0, 1);
    return lower_load_object(l, e->type, AST_PRIVATE, object, 0, 0, e->type->align);
}

static struct value vector_literal(struct lower *l, struct ast_expr *e) {
    struct value r = lower_value(l, e->type, lower_count(e->type));
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->nargs; i++) {
        struct value v = lower_expr(l, e->args[i]);
        for (uint32_t c = 0; c < v.n && n < r.n; c++) r.c[n++] = v.c[c];
        if (e->nargs == 1 && v.n == 1)
            while (n < r.n) r.c[n++] = v.c[0];
    }
    while (n < r.n) r.c[n++] = lower_const(l, lower_type(lower_element(e->type)), 0);
    return r;
}

static struct value rvalue_member(struct lower *l, struct ast_expr *e) {
    if (e->a->type->is_union) { /* seen as another type: through memory */
        struct place p = lower_place(l, e);
        lower_here(l, e);
        return lower_read(l, &p);
    }
    struct value a = lower_expr(l, e->a);
    uint32_t first = lower_component(l, e->a->type, e->field->offset);
    struct value r = lower_value(l, e->type, lower_parts(l, e->type)->n);
    memcpy(r.c, a.c + first, r.n * sizeof *r.c);
    return r;
}

static struct value rvalue_swizzle(struct lower *l, struct ast_expr *e) {
    struct value a = lower_expr(l, e->a), r = lower_value(l, e->type, e->nlanes);
    for (uint32_t i = 0; i < r.n; i++) r.c[i] = a.c[e->lanes[i] < a.n ? e->lanes[i] : 0];
    return r;
}

static struct value statement_expr(struct lower *l, struct ast_expr *e) {
    struct ast_stmt *body = e->body;
    uint32_t scope = lower_scope_begin(l);
    struct value r = lower_value(l, e->type, 0);
    for (uint32_t i = 0; i < body->nstmts; i++) {
        struct ast_stmt *s = body->stmts[i];
        bool last = i + 1 == body->nstmts && s->kind == AST_EXPR && e->type->kind != AST_VOID;
        if (last)
            r = lower_expr(l, s->expr);
        else
            lower_stmt(l, s, false);
    }
    /* Its variables may be assigned again before the value is used. */
    for (uint32_t i = 0; i < r.n; i++)
        if (!lower_settled(l, r.c[i])) r.c[i] = lower_copy(l, r.c[i]);
    lower_scope_end(l, scope);
    if (!r.n && e->type->kind != AST_VOID) r = lower_zero(l, e->type);
    return r;
}

static struct value load(struct lower *l, struct ast_expr *e) {
    struct place p = lower_place(l, e->a);
    lower_at(l, e->loc);
    lower_here(l, e->a);
    struct value v = lower_read(l, &p);
    v.type = e->type;
    return v;
}

struct value lower_expr(struct lower *l, struct ast_expr *e) {
    lower_step(l);
    lower_enter(l);
    lower_at(l, e->loc);
    struct value v;
    enum isa_type t = lower_type(lower_element(e->type));
    struct place p;
    switch (e->kind) {
    case AST_INT_LIT:
        if (ast_is_float(e->type))
            v = one(l, e->type, lower_constf(l, t, (double)(int64_t)e->integer));
        else
            v = one(l, e->type, lower_const(l, t, e->integer));
        break;
    case AST_FLOAT_LIT:
        if (e->type->kind == AST_HALF)
            v = one(l, e->type,
                    lower_convert(l, lower_constf(l, ISA_F32, e->real),
                                  ast_scalar(l->unit, AST_FLOAT), e->type));
        else
            v = one(l, e->type, lower_constf(l, t, e->real));
        break;
    case AST_LOAD: v = load(l, e); break;
    case AST_CAST: v = lower_cast(l, e); break;
    case AST_UNARY: v = unary(l, e); break;
    case AST_BINARY: v = lower_binary(l, e); break;
    case AST_ASSIGN: v = assign(l, e); break;
    case AST_COMPOUND_ASSIGN: v = lower_compound(l, e); break;
    case AST_INCDEC: v = lower_incdec(l, e, true); break;
    case AST_COND: v = choice(l, e); break;
    case AST_COMMA:
        lower_discard(l, e->a);
        v = lower_expr(l, e->b);
        break;
    case AST_CALL: v = lower_call(l, e); break;
    case AST_ADDRESS:
    case AST_DECAY:
        if (e->kind == AST_ADDRESS) state_of(l)->addressed = e->a;
        p = lower_place(l, e->a);
        if (!p.in_memory) { /* a register has no address */
            struct value held = lower_read(l, &p);
            isa_operand object = lower_object(l, e->a->type->size, e->a->type->align, e->loc);
            p = (struct place){.type = e->a->type,
                               .in_memory = true,
                               .space = AST_PRIVATE,
                               .pointer = object,
                               .align = e->a->type->align};
            lower_here(l, e->a);
            lower_write(l, &p, &held, UINT32_MAX);
        }
        v = one(l, e->type, lower_place_address(l, &p));
        break;
    case AST_SWIZZLE:
        if (!e->lvalue) {
            v = rvalue_swizzle(l, e);
            break;
        }
        v = load(l, &(struct ast_expr){.kind = AST_LOAD, .a = e, .type = e->type, .loc = e->loc});
        break;
    case AST_MEMBER:
        if (!e->lvalue) {
            v = rvalue_member(l, e);
            break;
        }
        v = load(l, &(struct ast_expr){.kind = AST_LOAD, .a = e, .type = e->type, .loc = e->loc});
        break;
    case AST_VECTOR_LIT: v = vector_literal(l, e); break;
    case AST_INIT: v = lower_init(l, e); break;
    case AST_STMT_EXPR: v = statement_expr(l, e); break;
    case AST_FUNC: lower_stop(l, "a function's name is no value");
    default: /* an lvalue without its load */
        p = lower_place(l, e);
        lower_here(l, e);
        v = lower_read(l, &p);
    }
    state_of(l)->recursion--;
    return v;
}
