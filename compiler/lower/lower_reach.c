/* With -fcheck-values: which sums, differences and products of int become parts of addresses, as
 * indices or by variables, parameters and results that do. What is computed of one otherwise (the
 * remainder, a mask, a shift, a conversion to float) need not be right to be a right index: there
 * the way ends, and a variable that its own value goes through so is left out. */
#include "lowerstate.h"

enum { ROUNDS = 32 }; /* of looking for more; long ways backwards through loops are cut off */

struct lower_reach {
    struct lower *l;
    struct ast_func *function;
    bool launders; /* looks for variables to leave out */
    bool more;     /* a variable, parameter or function has been marked */
};

static void stmt(struct lower_reach *r, struct ast_stmt *b);
static void walk(struct lower_reach *r, struct ast_expr *e);

static bool keeps_on(enum ast_op op) { return op == AST_ADD || op == AST_SUB || op == AST_MUL; }

/* The variable whose value, or a component of it, is meant. */
static struct ast_var *variable_of(const struct ast_expr *e) {
    while (e->kind == AST_MEMBER || e->kind == AST_SWIZZLE ||
           (e->kind == AST_CAST && e->cast == AST_CAST_NONE))
        e = e->a;
    return e->kind == AST_VAR && e->var->type->kind != AST_ARRAY ? e->var : NULL;
}

static void mark_variable(struct lower_reach *r, struct ast_var *v) {
    if (!v || v->addresses || v->launders) return;
    v->addresses = r->more = true;
}

/* The value becomes a part of an address. */
static void mark(struct lower_reach *r, struct ast_expr *e) {
    for (; e; e = e->a) {
        struct ast_func *f = NULL;
        lower_step(r->l);
        lower_enter(r->l);
        bool on = false;
        switch (e->kind) {
        case AST_LOAD:
        case AST_SWIZZLE: on = !variable_of(e->a); break;
        case AST_CAST: on = !ast_is_float(lower_element(e->a->type)); break;
        case AST_UNARY: on = e->op == AST_NEG || e->op == AST_PLUS; break;
        case AST_BINARY:
            if (!(on = keeps_on(e->op))) break;
            e->addresses = true;
            mark(r, e->b);
            break;
        case AST_COND:
            mark(r, e->b ? e->b : e->a);
            mark(r, e->c);
            break;
        case AST_COMMA: mark(r, e->b); break;
        case AST_VECTOR_LIT:
            for (uint32_t n = 0; n < e->nargs; n++) mark(r, e->args[n]);
            break;
        case AST_CALL:
            f = lower_definition(r->l, e->func);
            if (f && !f->addresses) f->addresses = r->more = true;
            break;
        default: break;
        }
        if (e->a && (e->kind == AST_LOAD || e->kind == AST_SWIZZLE || e->kind == AST_ASSIGN ||
                     e->kind == AST_COMPOUND_ASSIGN || e->kind == AST_INCDEC))
            mark_variable(r, variable_of(e->a));
        state_of(r->l)->recursion--;
        if (!on || e->kind == AST_LOAD) break;
    }
}

static bool mentions(const struct ast_expr *e, const struct ast_var *v, unsigned depth) {
    if (!e || !depth) return false;
    if (e->kind == AST_VAR) return e->var == v;
    return mentions(e->a, v, depth - 1) || mentions(e->b, v, depth - 1) ||
           mentions(e->c, v, depth - 1);
}

static bool cuts(const struct ast_expr *e) {
    while (e->kind == AST_CAST) e = e->a;
    return e->kind == AST_BINARY && !keeps_on(e->op);
}

/* A variable gets the value. */
static void given(struct lower_reach *r, struct ast_var *v, struct ast_expr *value) {
    if (!v || !value) return;
    if (r->launders)
        v->launders |= cuts(value) && mentions(value, v, 16);
    else if (v->addresses)
        mark(r, value);
}

static void changed(struct lower_reach *r, struct ast_expr *e) {
    struct ast_var *v = variable_of(e->a);
    if (!v || e->compute->kind == AST_POINTER) return;
    if (r->launders) {
        v->launders |= !keeps_on(e->op);
    } else if (v->addresses) {
        e->addresses = keeps_on(e->op);
        mark(r, e->b);
    }
}

static void passed(struct lower_reach *r, const struct ast_expr *e) {
    const struct ast_func *f = lower_definition(r->l, e->func);
    for (uint32_t n = 0; f && n < e->nargs && n < f->nparams; n++)
        given(r, f->params[n], e->args[n]);
}

/* All that is in an expression. */
static void walk(struct lower_reach *r, struct ast_expr *e) {
    for (; e; e = e->a) { /* chains lean to the left */
        lower_step(r->l);
        lower_enter(r->l);
        bool moves = e->kind == AST_BINARY && e->type->kind == AST_POINTER;
        if (e->kind == AST_INDEX && !r->launders) mark(r, e->b);
        if (moves && !r->launders) mark(r, e->a->type->kind == AST_POINTER ? e->b : e->a);
        if (e->kind == AST_COMPOUND_ASSIGN && e->compute->kind == AST_POINTER && !r->launders)
            mark(r, e->b);
        if (e->kind == AST_ASSIGN) given(r, variable_of(e->a), e->b);
        if (e->kind == AST_COMPOUND_ASSIGN) changed(r, e);
        if (e->kind == AST_CALL) passed(r, e);
        if (e->kind == AST_COMPOUND_LIT && e->var->init) walk(r, e->var->init);
        if (e->kind == AST_STMT_EXPR) stmt(r, e->body);
        for (uint32_t n = 0; n < e->nargs; n++) walk(r, e->args[n]);
        for (uint32_t n = 0; n < e->ninits; n++) walk(r, e->inits[n].value);
        if (e->b) walk(r, e->b);
        if (e->c) walk(r, e->c);
        state_of(r->l)->recursion--;
    }
}

static void stmt(struct lower_reach *r, struct ast_stmt *b) {
    if (!b) return;
    lower_step(r->l);
    lower_enter(r->l);
    for (uint32_t n = 0; n < b->nstmts; n++) stmt(r, b->stmts[n]);
    for (uint32_t n = 0; n < b->nvars; n++) {
        given(r, b->vars[n], b->vars[n]->init);
        if (b->vars[n]->init) walk(r, b->vars[n]->init);
    }
    if (b->kind == AST_RETURN && b->expr && r->function->addresses && !r->launders)
        mark(r, b->expr);
    if (b->expr) walk(r, b->expr);
    if (b->step) walk(r, b->step);
    stmt(r, b->init);
    stmt(r, b->body);
    stmt(r, b->otherwise);
    state_of(r->l)->recursion--;
}

static void look(struct lower_reach *r) {
    const struct lower_state *s = state_of(r->l);
    for (unsigned u = 0; u < s->nunits; u++) {
        lower_unit(r->l, s->units[u]);
        for (uint32_t n = 0; n < s->units[u]->nfuncs; n++) {
            r->function = s->units[u]->funcs[n];
            if (r->function->body) stmt(r, r->function->body);
        }
    }
}

void lower_find_reach(struct lower *l) {
    struct lower_reach r = {.l = l, .launders = true};
    struct lower_state *s = state_of(l);
    struct isa_kernel *outer = l->k;
    l->k = s->scratch; /* there is none yet */
    look(&r);
    r.launders = false;
    r.more = true;
    for (unsigned n = 0; n < ROUNDS && r.more; n++) {
        r.more = false;
        s->steps = 0;
        look(&r);
    }
    s->steps = 0;
    l->k = outer;
}
