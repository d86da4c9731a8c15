/* What is known before a kernel runs: integer constant expressions, and the module's constant data
 * with the addresses in it. */
#include "lowerstate.h"

#include <string.h>

/* ---- integer constant expressions ---- */

static int64_t fit(const struct ast_type *t, uint64_t v) {
    if (t->kind == AST_BOOL) return v != 0;
    if (!ast_is_integer(t) || t->size >= 8) return (int64_t)v;
    unsigned shift = 64 - t->size * 8;
    return ast_is_signed(t) ? (int64_t)(v << shift) >> shift : (int64_t)(v << shift >> shift);
}

static bool evaluate(struct lower *l, const struct ast_expr *e, unsigned depth, int64_t *out);

static bool binary(struct lower *l, const struct ast_expr *e, unsigned depth, int64_t *out) {
    const struct ast_type *t = e->a->type;
    int64_t a, b;
    if (!evaluate(l, e->a, depth, &a)) return false;
    if (e->op == AST_LAND && !a) return *out = 0, true;
    if (e->op == AST_LOR && a) return *out = 1, true;
    if (!evaluate(l, e->b, depth, &b)) return false;
    bool is_signed = ast_is_signed(t);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b, r;
    unsigned count = (unsigned)(ub & (t->size * 8 - 1));
    switch (e->op) {
    case AST_ADD: r = ua + ub; break;
    case AST_SUB: r = ua - ub; break;
    case AST_MUL: r = ua * ub; break;
    case AST_DIV:
    case AST_REM:
        if (!b || (is_signed && b == -1)) return false;
        if (is_signed)
            r = (uint64_t)(e->op == AST_DIV ? a / b : a % b);
        else
            r = e->op == AST_DIV ? ua / ub : ua % ub;
        break;
    case AST_SHL: r = ua << count; break;
    case AST_SHR: r = is_signed ? (uint64_t)(a >> count) : ua >> count; break;
    case AST_AND: r = ua & ub; break;
    case AST_OR: r = ua | ub; break;
    case AST_XOR: r = ua ^ ub; break;
    case AST_LT: r = is_signed ? a < b : ua < ub; break;
    case AST_GT: r = is_signed ? a > b : ua > ub; break;
    case AST_LE: r = is_signed ? a <= b : ua <= ub; break;
    case AST_GE: r = is_signed ? a >= b : ua >= ub; break;
    case AST_EQ: r = a == b; break;
    case AST_NE: r = a != b; break;
    case AST_LAND:
    case AST_LOR: r = b != 0; break;
    default: return false;
    }
    *out = fit(e->type, r);
    return true;
}

/* A variable in the midst of the code. */
static bool fixed_variable(struct lower *l, const struct ast_expr *e, unsigned depth,
                           int64_t *out) {
    if (!l || e->kind != AST_VAR || (e->quals & AST_VOLATILE)) return false;
    if (e->var->storage == AST_CONSTANT_VAR)
        return e->var->init && ast_is_integer(e->var->type) &&
               evaluate(l, e->var->init, depth, out);
    if (!e->var->lowered) return false;
    const struct variable *v = e->var->lowered;
    uint64_t bits;
    if (v->kernel != state_of(l)->kernel_id) return false;
    const isa_operand *c = v->fixed                                 ? v->fixed
                           : v->kind == VARIABLE_BOUND && v->n == 1 ? v->c
                                                                    : NULL;
    if (!c || !lower_is_const(l, c[0], &bits)) return false;
    *out = fit(e->type, bits);
    return true;
}

static bool evaluate(struct lower *l, const struct ast_expr *e, unsigned depth, int64_t *out) {
    int64_t a;
    if (!depth-- || (!ast_is_integer(e->type) && e->kind != AST_FLOAT_LIT)) return false;
    switch (e->kind) {
    case AST_INT_LIT: *out = fit(e->type, e->integer); return true;
    case AST_LOAD: return fixed_variable(l, e->a, depth, out);
    case AST_CAST:
        if (e->cast != AST_CAST_NUMBER && e->cast != AST_CAST_NONE) return false;
        if (e->a->kind == AST_FLOAT_LIT) {
            double r = e->a->real;
            if (!(r > -9.2e18 && r < 9.2e18)) return false;
            *out = e->type->kind == AST_BOOL ? r != 0 : fit(e->type, (uint64_t)(int64_t)r);
            return true;
        }
        if (!evaluate(l, e->a, depth, &a)) return false;
        *out = fit(e->type, (uint64_t)a);
        return true;
    case AST_UNARY:
        if (!evaluate(l, e->a, depth, &a)) return false;
        if (e->op == AST_NEG)
            a = (int64_t)(0 - (uint64_t)a);
        else if (e->op == AST_NOT)
            a = ~a;
        else if (e->op == AST_LNOT)
            a = !a;
        else if (e->op != AST_PLUS)
            return false;
        *out = fit(e->type, (uint64_t)a);
        return true;
    case AST_BINARY: return ast_is_integer(e->a->type) && binary(l, e, depth, out);
    case AST_COND:
        if (!evaluate(l, e->a, depth, &a)) return false;
        if (!a) return evaluate(l, e->c, depth, out);
        if (e->b) return evaluate(l, e->b, depth, out);
        *out = fit(e->type, (uint64_t)a);
        return true;
    default: return false;
    }
}

enum { MAX_DEPTH = 200 };

bool lower_constant(const struct ast_expr *e, int64_t *integer) {
    return evaluate(NULL, e, MAX_DEPTH, integer);
}

bool lower_evaluate(struct lower *l, const struct ast_expr *e, int64_t *integer) {
    return evaluate(l, e, MAX_DEPTH, integer);
}

/* ---- arrays that nothing changes ---- */

enum { TABLE_BYTES = 4096 };

struct ast_var *lower_element_of(const struct ast_expr *e) {
    bool element = false;
    for (; e->kind == AST_INDEX || e->kind == AST_DECAY || e->kind == AST_MEMBER ||
           (e->kind == AST_CAST && e->a->kind == AST_DECAY && e->cast == AST_CAST_POINTER);
         e = e->a)
        element |= e->kind == AST_INDEX;
    return element && e->kind == AST_VAR && e->var->type->kind == AST_ARRAY ? e->var : NULL;
}

/* What the lowering makes a constant of, whatever the options are. */
static bool is_literal(const struct ast_expr *e) {
    switch (e->kind) {
    case AST_INT_LIT:
    case AST_FLOAT_LIT: return true;
    case AST_CAST:
        return (e->cast == AST_CAST_NUMBER || e->cast == AST_CAST_NONE) && is_literal(e->a);
    case AST_UNARY: return e->op == AST_NEG && is_literal(e->a);
    case AST_BINARY:
        return (e->op == AST_ADD || e->op == AST_SUB || e->op == AST_MUL ||
                (e->op == AST_DIV && ast_is_float(e->type))) &&
               is_literal(e->a) && is_literal(e->b);
    case AST_INIT:
        for (uint32_t i = 0; i < e->ninits; i++)
            if (!is_literal(e->inits[i].value)) return false;
        return true;
    default: return false;
    }
}

bool lower_may_be_table(const struct ast_var *v) {
    return v->storage == AST_AUTO && v->type->kind == AST_ARRAY && v->type->size <= TABLE_BYTES &&
           !(v->quals & AST_VOLATILE) && v->init && v->init->kind == AST_INIT &&
           is_literal(v->init);
}

bool lower_is_table(struct lower *l, struct ast_var *v) {
    if (!v || l->options->opt_disable || l->options->check_values || !lower_may_be_table(v))
        return false;
    const struct variable *x = lower_variable(l, v);
    return x->element_loads && x->element_loads == x->names &&
           (x->placed || l->module->data_bytes + v->type->size < l->target->max_constant_bytes / 2);
}

/* ---- constant data ---- */

static uint32_t reserve(struct lower *l, const void *bytes, uint32_t size, uint32_t align,
                        struct ast_loc loc) {
    if ((uint64_t)l->module->data_bytes + size + align >
        (uint64_t)l->target->max_constant_bytes + align) {
        lower_error(l, loc, "constant data exceeds the device's %u bytes of constant memory%s",
                    l->target->max_constant_bytes, lower_beyond(l));
        lower_stop_quietly(l);
    }
    uint32_t offset = isa_module_add_data(l->module, bytes, size, align ? align : 1);
    if (offset == UINT32_MAX) lower_no_memory(l);
    return offset;
}

uint32_t lower_string(struct lower *l, const char *bytes, size_t length) {
    struct lower_state *s = state_of(l);
    struct string *known = symbols_find(s->strings, bytes, length);
    if (known) return known->offset;
    char *copy = arena_strndup(l->arena, bytes, length); /* with the NUL that ends it */
    struct string *p = ARENA_NEW(l->arena, struct string);
    p->offset = reserve(l, copy, (uint32_t)length + 1, 1, s->loc);
    symbols_set(s->strings, l->arena, copy, length, p);
    return p->offset;
}

/* Writes the components of a constant to the module's data. */
static bool write_value(struct lower *l, const struct value *v, uint32_t offset, uint32_t end) {
    const struct parts *p = lower_parts(l, v->type);
    for (uint32_t i = 0; i < v->n; i++) {
        uint32_t at = offset + p->part[i].offset, size = p->part[i].type->size, address;
        uint64_t bits;
        if ((uint64_t)at + size > end) return false;
        if (lower_is_const(l, v->c[i], &bits)) {
            if (l->target->demotes && p->part[i].type->kind == AST_DOUBLE)
                bits = pass_demoted(bits);
            memcpy(l->module->data + at, &bits, size);
        } else if (size == 4 && lower_made_constaddr(l, v->c[i], &address)) {
            memcpy(l->module->data + at, &address, size);
            if (!isa_module_add_reloc(l->module, at)) lower_no_memory(l);
        } else {
            return false;
        }
    }
    return true;
}

static bool write_initialiser(struct lower *l, struct ast_expr *e, const struct ast_type *t,
                              uint32_t offset) {
    uint32_t end = offset + t->size;
    if (e->kind == AST_STRING_LIT) {
        size_t n = e->length < t->size ? e->length : t->size;
        memcpy(l->module->data + offset, e->string, n);
        return true;
    }
    if (e->kind != AST_INIT) {
        struct value v = lower_expr(l, e);
        return write_value(l, &v, offset, end);
    }
    for (uint32_t i = 0; i < e->ninits; i++) {
        struct ast_expr *value = e->inits[i].value;
        if ((uint64_t)e->inits[i].offset + value->type->size > t->size) return false;
        if (!write_initialiser(l, value, value->type, offset + e->inits[i].offset)) return false;
    }
    return true;
}

/* The variable of that name which has an initialiser: another unit may declare it only. */
static struct ast_var *defined(struct lower *l, struct ast_var *v) {
    struct lower_state *s = state_of(l);
    for (unsigned u = 0; u < s->nunits && !v->init; u++)
        for (uint32_t i = 0; i < s->units[u]->nconstants; i++) {
            struct ast_var *other = s->units[u]->constants[i];
            if (other->init && !strcmp(other->name, v->name) && other->type->size == v->type->size)
                return other;
        }
    return v;
}

void lower_layout(struct lower *l, struct ast_var *v) {
    struct ast_var *d = defined(l, v);
    struct variable *x = lower_variable(l, d);
    if (!x->placed) {
        uint32_t align = d->align > d->type->align ? d->align : d->type->align;
        char *zero = arena_alloc(l->arena, d->type->size ? d->type->size : 1);
        x->offset = reserve(l, zero, d->type->size, align, d->loc);
        x->placed = true; /* its initialiser may take its address */
        if (d->init) {
            /* Lowered into a kernel that is thrown away: what is left must be constants. */
            struct lower_state *outer = state_of(l), inner = *outer;
            struct isa_kernel *k = l->k;
            inner.made = inner.assigned = NULL;
            inner.cap_made = 0;
            inner.objects = NULL;
            inner.scopes = NULL;
            inner.cap_objects = inner.cap_scopes = 0;
            inner.exact = true;
            inner.frame = NULL;
            l->state = &inner;
            lower_new_kernel(l, outer->scratch);
            if (!write_initialiser(l, d->init, d->type, x->offset))
                lower_error(l, d->loc, "the initialiser of '%s' is not a constant", d->name);
            outer->steps = inner.steps;
            outer->flat_types = inner.flat_types;
            outer->cap_flat_types = inner.cap_flat_types;
            outer->nflat_types = inner.nflat_types;
            l->state = outer;
            l->k = k;
        }
    }
    lower_variable(l, v)->offset = x->offset;
}
