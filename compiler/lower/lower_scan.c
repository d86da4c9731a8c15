/* A look at code before it is expanded: which variables it assigns, how it returns and jumps, about
 * how large it is. */
#include "lowerstate.h"

enum { MAX_COST = 1 << 24, LONG_CHAIN = 12, MAX_COUNTERS = 8 };

struct lower_scan {
    struct lower *l;
    struct function *info; /* NULL: variables are not marked either */
    const struct ast_var *wanted;
    const struct ast_var *counters[MAX_COUNTERS]; /* of the counted loops around, `wanted` first */
    unsigned ncounters;
    struct body_facts facts;
};

static void expr(struct lower_scan *s, struct ast_expr *e);
static void stmt(struct lower_scan *s, struct ast_stmt *b, bool tail);

/* The variable an lvalue is part of, NULL when it is reached through a pointer. */
static struct ast_var *base_variable(struct ast_expr *e) {
    for (;;) switch (e->kind) {
        case AST_VAR:
        case AST_COMPOUND_LIT: return e->var;
        case AST_MEMBER:
        case AST_SWIZZLE:
        case AST_CAST: e = e->a; break;
        default: return NULL;
        }
}

static void assigned(struct lower_scan *s, struct ast_expr *e) {
    struct ast_var *v = base_variable(e);
    if (!v) return;
    if (v == s->wanted) s->facts.assigns = true;
    if (s->info) lower_variable(s->l, v)->assigned++;
}

/* ---- arrays of the work-item, which become registers where all indices are known ---- */

static bool is_counter(const struct lower_scan *s, const struct ast_var *v) {
    for (unsigned n = 0; n < s->ncounters; n++)
        if (s->counters[n] == v) return true;
    return false;
}

/* An expression of constants and counters. */
static bool is_known(const struct lower_scan *s, const struct ast_expr *e) {
    switch (e->kind) {
    case AST_INT_LIT: return true;
    case AST_VAR: return is_counter(s, e->var);
    case AST_LOAD:
    case AST_CAST:
    case AST_UNARY: return is_known(s, e->a);
    case AST_BINARY: return is_known(s, e->a) && is_known(s, e->b);
    default: return false;
    }
}

static bool is_own_array(const struct ast_expr *e) {
    while (e->kind == AST_DECAY || e->kind == AST_INDEX || e->kind == AST_MEMBER ||
           e->kind == AST_CAST)
        e = e->a;
    return e->kind == AST_VAR && e->var->storage == AST_AUTO && e->var->type->kind == AST_ARRAY;
}

static void indexed(struct lower_scan *s, const struct ast_expr *e) {
    if (!s->wanted || !is_own_array(e->a)) return;
    s->facts.indexes = true;
    if (!is_known(s, e->b)) s->facts.strays = true;
}

/* The variable that a counted loop counts, NULL: it is not one. */
static const struct ast_var *counter_of(struct lower_scan *s, struct ast_stmt *b) {
    if (b->kind != AST_FOR || lower_trips(s->l, b) == 1) return NULL;
    if (b->init->kind == AST_DECL) return b->init->vars[0];
    return b->init->expr->a->var;
}

/* A cost that was `before` ahead of a loop's body and is `after` behind it. */
static uint32_t repeated(uint32_t before, uint32_t after, uint32_t trips) {
    uint64_t all = before + (uint64_t)(after - before) * trips;
    return all < MAX_COST ? (uint32_t)all : MAX_COST;
}

/* Instructions an expression takes by itself. */
static uint32_t own_cost(struct lower_scan *s, struct ast_expr *e) {
    uint32_t width = e->type->kind == AST_VECTOR ? e->type->count : 1;
    switch (e->kind) {
    case AST_BINARY:
    case AST_UNARY:
    case AST_COMPOUND_ASSIGN:
    case AST_INCDEC:
    case AST_COND: return width;
    case AST_CAST: return e->cast == AST_CAST_NUMBER || e->cast == AST_CAST_BITS ? width : 0;
    case AST_INDEX: return 2;
    case AST_DEREF:
    case AST_ASSIGN: return 1;
    case AST_CALL: {
        struct ast_func *f = lower_definition(s->l, e->func);
        if (!f) {
            if (s->facts.maths < MAX_COST && builtin_is_long(e->func->name))
                s->facts.maths += width;
            return 4 * width;
        }
        struct function *info = lower_function(s->l, f);
        if (info->scanning) return 1;
        if (s->facts.maths < MAX_COST) s->facts.maths += info->maths;
        return info->cost + 1;
    }
    default: return 0;
    }
}

/* Where arrays are named, and that an element of one is loaded. */
static void count_names(struct lower_scan *s, const struct ast_expr *e) {
    if (!s->info) return;
    if (e->kind == AST_VAR) lower_variable(s->l, e->var)->names++;
    if (e->kind != AST_LOAD) return;
    struct ast_var *v = lower_element_of(e->a);
    if (v) lower_variable(s->l, v)->element_loads++;
}

static void expr(struct lower_scan *s, struct ast_expr *e) {
    for (; e; e = e->a) { /* chains lean to the left */
        lower_step(s->l);
        lower_enter(s->l);
        if (s->facts.cost < MAX_COST) s->facts.cost += own_cost(s, e);
        if (e->kind == AST_ASSIGN || e->kind == AST_COMPOUND_ASSIGN || e->kind == AST_INCDEC)
            assigned(s, e->a);
        if (e->kind == AST_INDEX) indexed(s, e);
        count_names(s, e);
        if (e->kind == AST_COMPOUND_LIT && e->var->init) expr(s, e->var->init);
        if (e->kind == AST_STMT_EXPR) {
            if (s->info) s->info->statement_exprs = true;
            stmt(s, e->body, false);
        }
        for (uint32_t i = 0; i < e->nargs; i++) expr(s, e->args[i]);
        for (uint32_t i = 0; i < e->ninits; i++) expr(s, e->inits[i].value);
        if (e->b) expr(s, e->b);
        if (e->c) expr(s, e->c);
        state_of(s->l)->recursion--;
    }
}

bool lower_has_case(const struct ast_stmt *s) {
    switch (s->kind) {
    case AST_CASE:
    case AST_DEFAULT: return true;
    case AST_SWITCH: return false;
    case AST_BLOCK:
        for (uint32_t i = 0; i < s->nstmts; i++)
            if (lower_has_case(s->stmts[i])) return true;
        return false;
    default:
        return (s->body && lower_has_case(s->body)) ||
               (s->otherwise && lower_has_case(s->otherwise));
    }
}

/* Case labels elsewhere than directly in the body need the general treatment of jumps. */
static bool plain_switch(const struct ast_stmt *body) {
    uint32_t n = body->kind == AST_BLOCK ? body->nstmts : 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct ast_stmt *s = body->kind == AST_BLOCK ? body->stmts[i] : body;
        while (s && (s->kind == AST_CASE || s->kind == AST_DEFAULT)) s = s->body;
        if (s && lower_has_case(s)) return false;
    }
    return true;
}

bool lower_long_chain(const struct ast_stmt *s) {
    unsigned links = 0;
    for (; s && s->kind == AST_IF; s = s->otherwise)
        if (++links > LONG_CHAIN) return true;
    return false;
}

/* Its initialiser; that of a table costs nothing where the code runs. */
static void declared(struct lower_scan *s, struct ast_var *v) {
    uint32_t before = s->facts.cost;
    expr(s, v->init);
    if (lower_may_be_table(v)) s->facts.cost = before;
}

static void stmt(struct lower_scan *s, struct ast_stmt *b, bool tail) {
    lower_step(s->l);
    lower_enter(s->l);
    switch (b->kind) {
    case AST_BLOCK:
        for (uint32_t i = 0; i < b->nstmts; i++) stmt(s, b->stmts[i], tail && i + 1 == b->nstmts);
        break;
    case AST_DECL:
        for (uint32_t i = 0; i < b->nvars; i++)
            if (b->vars[i]->init) declared(s, b->vars[i]);
        break;
    case AST_IF:
        s->facts.cost += 3;
        tail = tail && !lower_long_chain(b);
        expr(s, b->expr);
        stmt(s, b->body, tail);
        if (b->otherwise) stmt(s, b->otherwise, tail);
        break;
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
    case AST_SWITCH: {
        s->facts.cost += 4;
        if (b->kind == AST_SWITCH && s->info && !plain_switch(b->body)) s->info->jumps = true;
        if (b->init) stmt(s, b->init, false);
        if (b->expr) expr(s, b->expr);
        if (b->step) expr(s, b->step);
        uint32_t before = s->facts.cost, maths = s->facts.maths, trips = lower_trips(s->l, b);
        const struct ast_var *counter = s->wanted ? counter_of(s, b) : NULL;
        if (counter && s->ncounters < MAX_COUNTERS)
            s->counters[s->ncounters++] = counter;
        else
            s->facts.strays |= b->kind != AST_SWITCH;
        stmt(s, b->body, false);
        if (is_counter(s, counter)) s->ncounters--;
        s->facts.cost = repeated(before, s->facts.cost, trips);
        s->facts.maths = repeated(maths, s->facts.maths, trips);
        break;
    }
    case AST_GOTO:
        if (s->info) s->info->jumps = true;
        break;
    case AST_RETURN:
        if (s->info) {
            s->info->returns++;
            if (!tail) s->info->early_return = true;
        }
        if (b->expr) expr(s, b->expr);
        break;
    default:
        if (b->expr) expr(s, b->expr);
        if (b->body) stmt(s, b->body, false);
    }
    state_of(s->l)->recursion--;
}

void lower_scan(struct lower *l, struct ast_func *f) {
    struct function *info = f->lowered;
    struct lower_scan s = {.l = l, .info = info};
    info->scanning = true;
    stmt(&s, f->body, true);
    info->scanning = false;
    info->scanned = true;
    info->cost = s.facts.cost;
    info->maths = s.facts.maths;
    if (info->jumps && info->returns) info->early_return = true;
}

struct body_facts lower_body_facts(struct lower *l, struct ast_stmt *body,
                                   const struct ast_var *v) {
    struct lower_scan s = {.l = l, .wanted = v, .counters = {v}, .ncounters = 1};
    stmt(&s, body, false);
    return s.facts;
}

static bool leaves(const struct ast_stmt *s, enum ast_stmt_kind kind) {
    switch (s->kind) {
    case AST_FOR:
    case AST_WHILE:
    case AST_DO: return false;
    case AST_SWITCH: return kind == AST_CONTINUE && leaves(s->body, kind);
    case AST_BLOCK:
        for (uint32_t i = 0; i < s->nstmts; i++)
            if (leaves(s->stmts[i], kind)) return true;
        return false;
    default:
        return s->kind == kind || (s->body && leaves(s->body, kind)) ||
               (s->otherwise && leaves(s->otherwise, kind));
    }
}

bool lower_has_continue(struct lower *l, const struct ast_stmt *body) {
    return state_of(l)->frame->info->statement_exprs || leaves(body, AST_CONTINUE);
}

bool lower_has_break(struct lower *l, const struct ast_stmt *body) {
    return state_of(l)->frame->info->statement_exprs || leaves(body, AST_BREAK);
}
