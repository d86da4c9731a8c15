/* Calls: a function of the program is expanded in place, any other is a built-in one. */
#include "lowerstate.h"

#include <stdio.h>
#include <string.h>

/* "(float4, int)" */
static const char *types_of(struct lower *l, const struct value *args, uint32_t n) {
    char text[256];
    size_t at = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < n && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i ? ", " : "",
                               args[i].type->name ? args[i].type->name : "?");
    return arena_strdup(l->arena, text);
}

static bool is_format(const struct ast_expr *e) {
    while (e->kind == AST_CAST || e->kind == AST_DECAY || e->kind == AST_LOAD) e = e->a;
    return e->kind == AST_STRING_LIT;
}

static struct value *arguments(struct lower *l, struct ast_expr *e, bool builtin) {
    struct value *args = ARENA_ARRAY(l->arena, struct value, e->nargs ? e->nargs : 1);
    for (uint32_t i = 0; i < e->nargs; i++) {
        struct ast_expr *arg = builtin ? builtin_argument(e, i) : e->args[i];
        if (i == 0 && e->func->is_variadic && is_format(arg)) { /* no constant memory for it */
            args[i] = lower_value(l, arg->type, 1);
            args[i].c[0] = lower_const(l, ISA_I32, 0);
            continue;
        }
        args[i] = lower_expr(l, arg);
        args[i].type = arg->type;
    }
    return args;
}

/* Where the body's value goes. */
static void prepare_result(struct lower *l, struct lower_frame *frame, struct value *result) {
    const struct ast_type *t = frame->func->result;
    if (t->kind == AST_VOID) return;
    const struct parts *p = lower_parts(l, t);
    *result = lower_value(l, t, p->n);
    frame->result = result;
    frame->result_in_registers = frame->info->early_return || frame->info->returns > 1;
    for (uint32_t i = 0; i < p->n; i++) {
        enum isa_type part = lower_type(p->part[i].type);
        /* the constant is for a body whose end is reached without a value */
        result->c[i] = frame->result_in_registers ? lower_reg(l, part) : lower_const(l, part, 0);
    }
}

/* Expands the body of f. inherit: the function being expanded returns with it, so a return goes
 * where that one's returns go. */
static struct value expand(struct lower *l, struct ast_expr *e, struct ast_func *f,
                           const struct value *args, const struct lower_frame *inherit) {
    struct lower_state *s = state_of(l);
    struct function *info = lower_function(l, f);
    if (info->expanding)
        lower_stop(l, "'%s' calls itself; recursion is not allowed (6.8.i)", f->name);
    if (f->nparams > e->nargs) lower_stop(l, "too few arguments for '%s'", f->name);
    struct ast_loc loc = s->loc;
    struct ast_unit *unit = l->unit;
    lower_enter(l);
    info->expanding = true;
    struct value result = lower_value(l, e->type, 0);
    struct lower_frame frame = {
        .up = s->frame, .at = e, .at_file = lower_file(l, e->loc.file), .func = f, .info = info};
    uint32_t scope = lower_scope_begin(l);
    s->frame = &frame;
    lower_unit(l, info->unit);
    for (uint32_t i = 0; i < f->nparams; i++) lower_bind(l, f->params[i], &args[i], UINT32_MAX);
    bool block = false;
    if (inherit) {
        frame.result = inherit->result;
        frame.result_in_registers = inherit->result_in_registers;
        frame.has_block = inherit->has_block;
        frame.block = inherit->block;
        frame.ends_kernel = inherit->ends_kernel;
    } else {
        prepare_result(l, &frame, &result);
        block = frame.has_block = info->early_return;
        if (block) frame.block = lower_begin(l, ISA_block);
    }
    lower_stmt(l, f->body, true);
    if (block) lower_end(l);
    result.type = e->type;
    s->frame = frame.up;
    lower_scope_end(l, scope);
    info->expanding = false;
    lower_unit(l, unit);
    s->recursion--;
    lower_at(l, loc);
    if (!inherit) lower_note_stmt(l); /* the caller's goes on */
    return result;
}

bool lower_tail_call(struct lower *l, struct ast_expr *e) {
    const struct lower_frame *caller = state_of(l)->frame;
    if (e->kind == AST_CAST && e->cast == AST_CAST_VOID) e = e->a;
    if (e->kind != AST_CALL) return false;
    struct ast_func *f = lower_definition(l, e->func);
    if (!f || f->result != caller->func->result) return false;
    if (!lower_function(l, f)->early_return) return false; /* it needs no block of its own */
    if (!caller->has_block && !caller->ends_kernel) return false;
    lower_at(l, e->loc);
    expand(l, e, f, arguments(l, e, false), caller);
    return true;
}

struct value lower_call(struct lower *l, struct ast_expr *e) {
    struct ast_func *f = lower_definition(l, e->func);
    struct value *args = arguments(l, e, !f), result = lower_value(l, e->type, 0);
    lower_at(l, e->loc);
    if (f) return expand(l, e, f, args, NULL);
    unsigned errors = l->errors;
    lower_here(l, e);
    if (builtin_call(l, e, args, &result)) {
        if (result.n || e->type->kind == AST_VOID) {
            result.type = e->type;
            return result;
        }
    } else if (errors == l->errors && !builtin_named(e->func->name)) {
        lower_error(l, e->loc, "function '%s' is declared, but not defined", e->func->name);
    } else if (errors == l->errors) {
        lower_error(l, e->loc, "no builtin '%s' takes (%s)", e->func->name,
                    types_of(l, args, e->nargs));
    }
    return lower_zero(l, e->type);
}
