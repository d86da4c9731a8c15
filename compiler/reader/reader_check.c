/* What is found out once a function is read: which variables must live in memory, and who calls
 * whom, for recursion is forbidden (6.9.i of 1.2) and clang does not look. */
#include "readerstate.h"

/* A function as a node of the call graph. */
struct reader_calls {
    struct ast_func *func;
    struct call {
        struct call *next;
        struct reader_calls *to;
        struct ast_loc loc;
    } * calls, **end, *now;
    enum { UNSEEN, ACTIVE, DONE } state;
    struct reader_calls *caller; /* while active */
};

static void walk_stmt(struct reader *r, const struct ast_stmt *s);
static void walk_expr(struct reader *r, const struct ast_expr *e);

/* The object an lvalue is part of gets an address. */
static void take_address(const struct ast_expr *e) {
    for (; e; e = e->a) {
        switch (e->kind) {
        case AST_VAR:
        case AST_COMPOUND_LIT: e->var->address_taken = true; return;
        case AST_MEMBER:
        case AST_SWIZZLE: break;
        case AST_INDEX: /* of an array that is itself part of something */
            e = e->a;
            if (e->kind != AST_DECAY) return;
            break;
        default: return;
        }
    }
}

static void walk_var(struct reader *r, const struct ast_var *v) {
    if (v->init) walk_expr(r, v->init);
}

static void walk_index(struct reader *r, const struct ast_expr *e) {
    const struct ast_expr *base = e->a, *i = e->b;
    if (base->kind == AST_DECAY) {
        bool constant =
            i->kind == AST_INT_LIT && (int64_t)i->integer >= 0 && i->integer < base->a->type->count;
        if (!constant) take_address(base->a);
        walk_expr(r, base->a); /* around the decay, which alone would ask for an address */
    } else {
        walk_expr(r, base);
    }
    walk_expr(r, i);
}

static struct reader_calls *graph_node(struct reader *r, struct ast_func *f) {
    struct reader_calls *n = reader_map_find(&r->calls, f);
    if (n) return n;
    n = ARENA_NEW(r->arena, struct reader_calls);
    n->func = f;
    n->end = &n->calls;
    reader_map_add(r, &r->calls, f, n);
    return n;
}

static void note_call(struct reader *r, const struct ast_expr *e) {
    struct call *c = ARENA_NEW(r->arena, struct call);
    struct reader_calls *from = graph_node(r, r->checked);
    c->to = graph_node(r, e->func);
    c->loc = e->loc;
    *from->end = c;
    from->end = &c->next;
}

static void walk_expr(struct reader *r, const struct ast_expr *e) {
    switch (e->kind) {
    case AST_ADDRESS:
    case AST_DECAY: take_address(e->a); break;
    case AST_INDEX: walk_index(r, e); return;
    case AST_COMPOUND_LIT: walk_var(r, e->var); return;
    case AST_STMT_EXPR: walk_stmt(r, e->body); return;
    case AST_CALL: note_call(r, e); break;
    default: break;
    }
    if (e->a) walk_expr(r, e->a);
    if (e->b) walk_expr(r, e->b);
    if (e->c) walk_expr(r, e->c);
    for (uint32_t i = 0; i < e->nargs; i++) walk_expr(r, e->args[i]);
    for (uint32_t i = 0; i < e->ninits; i++) walk_expr(r, e->inits[i].value);
}

static void walk_stmt(struct reader *r, const struct ast_stmt *s) {
    for (uint32_t i = 0; i < s->nstmts; i++) walk_stmt(r, s->stmts[i]);
    for (uint32_t i = 0; i < s->nvars; i++) walk_var(r, s->vars[i]);
    if (s->init) walk_stmt(r, s->init);
    if (s->expr) walk_expr(r, s->expr);
    if (s->step) walk_expr(r, s->step);
    if (s->body) walk_stmt(r, s->body);
    if (s->otherwise) walk_stmt(r, s->otherwise);
}

void reader_check_func(struct reader *r, struct ast_func *f) {
    r->checked = f;
    walk_stmt(r, f->body);
}

/* Depth first, without recursion of our own: a program may chain any number of functions. */
void reader_check_recursion(struct reader *r) {
    for (uint32_t i = 0; i < r->unit->nfuncs; i++) {
        struct reader_calls *n = reader_map_find(&r->calls, r->unit->funcs[i]);
        if (!n || n->state != UNSEEN) continue;
        n->state = ACTIVE;
        n->now = n->calls;
        while (n) {
            struct call *c = n->now;
            if (!c) {
                n->state = DONE;
                n = n->caller;
                continue;
            }
            n->now = c->next;
            if (c->to->state == ACTIVE) {
                if (c->to == n)
                    reader_error(r, c->loc, "recursion is not allowed: '%s' calls itself",
                                 n->func->name);
                else
                    reader_error(
                        r, c->loc,
                        "recursion is not allowed: '%s' calls '%s', which leads back to it",
                        n->func->name, c->to->func->name);
            } else if (c->to->state == UNSEEN) {
                c->to->state = ACTIVE;
                c->to->caller = n;
                c->to->now = c->to->calls;
                n = c->to;
            }
        }
    }
}
