/* Loops; those with a small, known trip count are unrolled: addresses become displacements, arrays
 * indexed by the counter become registers. */
#include "lowerstate.h"

enum {
    FREE_TRIPS = 64, /* iterations, and instructions, that are unrolled without being asked */
    FREE_SIZE = 512,
    FREE_MATHS = 24,   /* calls of functions that are long themselves; not in such loops */
    ARRAY_TRIPS = 128, /* where arrays of the work-item become registers by that */
    ARRAY_SIZE = 2048,
    ASKED_TRIPS = 1024, /* with #pragma unroll */
    ASKED_SIZE = 16384,
    LARGE_KERNEL = 200000 /* instructions beyond which nothing more is unrolled unasked */
};

/* A for loop over constants. */
struct counted {
    struct ast_var *v;
    int64_t first;
    bool own; /* declared by the loop */
    uint32_t trips;
};

static bool names(const struct ast_expr *e, const struct ast_var *v) {
    return e->kind == AST_VAR && e->var == v;
}

static bool starts(struct lower *l, const struct ast_stmt *s, struct counted *c) {
    struct ast_expr *value;
    if (!s->init || !s->expr || !s->step) return false;
    if (s->init->kind == AST_DECL && s->init->nvars == 1) {
        c->v = s->init->vars[0];
        c->own = true;
        value = c->v->init;
    } else if (s->init->kind == AST_EXPR && s->init->expr && s->init->expr->kind == AST_ASSIGN &&
               s->init->expr->a->kind == AST_VAR) {
        c->v = s->init->expr->a->var;
        c->own = false;
        value = s->init->expr->b;
    } else {
        return false;
    }
    return value && ast_is_integer(c->v->type) && c->v->type->kind != AST_BOOL &&
           !c->v->address_taken && !(c->v->quals & AST_VOLATILE) &&
           c->v->storage != AST_LOCAL_VAR && lower_evaluate(l, value, &c->first);
}

static isa_operand fixed_at(struct lower *l, const struct ast_var *v, int64_t value) {
    return lower_const(l, lower_type(v->type), (uint64_t)value);
}

/* Expressions with commas between them are taken one after the other. */
static struct ast_expr *first_of(struct ast_expr *step) {
    while (step->kind == AST_CAST && step->cast == AST_CAST_VOID) step = step->a;
    return step;
}

static bool steps(const struct ast_expr *e, const struct ast_var *v) {
    return (e->kind == AST_INCDEC || e->kind == AST_COMPOUND_ASSIGN || e->kind == AST_ASSIGN) &&
           names(e->a, v);
}

/* Of a loop's step the one expression that the counter is stepped by; NULL: none is. */
static struct ast_expr *counter_step(struct ast_expr *step, const struct ast_var *v) {
    step = first_of(step);
    if (step->kind != AST_COMMA) return steps(step, v) ? step : NULL;
    struct ast_expr *found = counter_step(step->a, v);
    return found ? found : counter_step(step->b, v);
}

/* Whether others of the step's expressions assign the counter. */
static bool steps_oddly(struct lower *l, struct ast_expr *step, const struct ast_var *v,
                        const struct ast_expr *known) {
    step = first_of(step);
    if (step == known) return false;
    if (step->kind == AST_COMMA)
        return steps_oddly(l, step->a, v, known) || steps_oddly(l, step->b, v, known);
    struct ast_stmt alone = {.kind = AST_EXPR, .expr = step};
    return lower_body_facts(l, &alone, v).assigns;
}

/* The counter's next value; it is fixed to the current one. */
static bool advance(struct lower *l, struct ast_expr *step, const struct ast_var *v,
                    int64_t *value) {
    struct ast_expr now = {
        .kind = AST_VAR, .lvalue = true, .type = v->type, .var = (struct ast_var *)v};
    struct ast_expr read = {.kind = AST_LOAD, .type = v->type, .a = &now};
    struct ast_expr one = {.kind = AST_INT_LIT, .type = v->type, .integer = 1};
    struct ast_expr sum = {.kind = AST_BINARY, .type = v->type, .a = &read, .b = &one};
    struct ast_expr wide = {.kind = AST_CAST, .cast = AST_CAST_NUMBER, .a = &read};
    struct ast_expr back = {.kind = AST_CAST, .cast = AST_CAST_NUMBER, .type = v->type, .a = &sum};
    step = counter_step(step, v);
    if (!step) return false;
    if (step->kind == AST_ASSIGN) return lower_evaluate(l, step->b, value);
    if (step->kind == AST_INCDEC) {
        bool up = step->op == AST_PREINC || step->op == AST_POSTINC;
        sum.op = up ? AST_ADD : AST_SUB;
        return lower_evaluate(l, &sum, value);
    }
    wide.type = sum.type = step->compute ? step->compute : v->type;
    sum.a = &wide;
    sum.b = step->b;
    sum.op = step->op;
    return lower_evaluate(l, &back, value);
}

/* Goes through the loop without its body, at most `most` times. */
static bool count(struct lower *l, struct ast_stmt *s, struct counted *c, uint32_t most) {
    struct variable *x = lower_variable(l, c->v);
    isa_operand fixed, *was_fixed = x->fixed;
    uint32_t was_kernel = x->kernel;
    int64_t value = c->first, holds = 1;
    bool known = true;
    x->fixed = &fixed;
    x->kernel = state_of(l)->kernel_id;
    for (c->trips = 0; known; c->trips++) {
        fixed = fixed_at(l, c->v, value);
        known = lower_evaluate(l, s->expr, &holds);
        if (!known || !holds) break;
        known = c->trips < most && advance(l, s->step, c->v, &value);
    }
    x->fixed = was_fixed;
    x->kernel = was_kernel;
    return known && !holds;
}

uint32_t lower_trips(struct lower *l, struct ast_stmt *s) {
    struct counted c;
    bool counted = s->kind == AST_FOR && starts(l, s, &c) && count(l, s, &c, FREE_TRIPS);
    return counted && c.trips ? c.trips : 1;
}

/* NULL: the loop is to be written out; or why not. */
static const char *refused(struct lower *l, struct ast_stmt *s, struct counted *c) {
    if (s->unroll == 1) return "#pragma unroll 1";
    if (l->options->opt_disable || trace_off(l->trace, "unroll")) return "unrolling is off";
    if (s->kind != AST_FOR || !starts(l, s, c)) return "it does not count from a constant";
    uint32_t most = s->unroll ? ASKED_TRIPS : ARRAY_TRIPS;
    if (!s->unroll && l->k->ninsts > LARGE_KERNEL) return "the kernel is large already";
    if (!count(l, s, c, most)) return "its trip count is not known, or large";
    if (s->unroll && s->unroll < c->trips) return "its trip count is larger than the pragma's";
    struct body_facts facts = lower_body_facts(l, s->body, c->v);
    bool array = facts.indexes && !facts.strays;
    uint32_t size = s->unroll ? ASKED_SIZE : array ? ARRAY_SIZE : FREE_SIZE;
    if (!s->unroll && !array && c->trips > FREE_TRIPS) return "its trip count is large";
    if (!s->unroll && !array && (uint64_t)facts.maths * c->trips > FREE_MATHS)
        return "it calls long functions too often";
    if (facts.assigns) return "its body assigns the counter";
    if (steps_oddly(l, s->step, c->v, counter_step(s->step, c->v)))
        return "its step assigns the counter more than once";
    return (uint64_t)(facts.cost + 1) * c->trips <= size ? NULL : "it would become large";
}

static bool worth_unrolling(struct lower *l, struct ast_stmt *s, struct counted *c) {
    const char *why = refused(l, s, c);
    const struct trace_pass p = {l->trace, l->module, l->k->name, "unroll"};
    const struct isa_inst here = {.file = l->k->cur_file, .line = l->k->cur_line};
    if (why)
        trace_tell(&p, &here, "the loop stays: %s", why);
    else
        trace_tell(&p, &here, "%u iterations are written out", c->trips);
    return !why;
}

/* The body; `next` says that something follows it in the same iteration. */
static void iteration(struct lower *l, struct ast_stmt *body, bool next, struct jump otherwise) {
    struct lower_frame *f = state_of(l)->frame;
    if (!next || !lower_has_continue(l, body)) {
        f->on_continue = otherwise;
        lower_stmt(l, body, false);
        return;
    }
    unsigned level = lower_begin(l, ISA_block);
    f->on_continue = (struct jump){.kind = JUMP_LEVEL, .level = level};
    lower_stmt(l, body, false);
    lower_end(l);
}

/* What stands beside the counter's own step; that fixes the counter to its next value. */
static void take_step(struct lower *l, struct ast_expr *step, const struct ast_var *v,
                      int64_t *value, isa_operand *fixed) {
    step = first_of(step);
    if (step->kind == AST_COMMA) {
        take_step(l, step->a, v, value, fixed);
        take_step(l, step->b, v, value, fixed);
    } else if (steps(step, v)) {
        advance(l, step, v, value);
        *fixed = fixed_at(l, v, *value);
    } else {
        lower_discard(l, step);
    }
}

static void unroll(struct lower *l, struct ast_stmt *s, const struct counted *c) {
    struct lower_frame *f = state_of(l)->frame;
    struct variable *x = lower_variable(l, c->v);
    struct jump nowhere = {.kind = JUMP_NONE};
    bool leaves = lower_has_break(l, s->body);
    if (c->own) {
        struct ast_expr *init = c->v->init;
        c->v->init = NULL;
        lower_declare(l, c->v);
        c->v->init = init;
    }
    struct place p = lower_variable_place(l, c->v);
    unsigned level = 0;
    lower_site_decided(l, s->expr, true, ISA_REMOVED_unrolled);
    if (leaves) {
        level = lower_begin(l, ISA_block);
        f->on_break = (struct jump){.kind = JUMP_LEVEL, .level = level};
    }
    int64_t value = c->first;
    isa_operand *fixed = ARENA_NEW(l->arena, isa_operand), *was = x->fixed;
    for (uint32_t t = 0; t < c->trips; t++) {
        lower_step(l);
        *fixed = fixed_at(l, c->v, value);
        if (!c->own) lower_mov(l, p.regs[0], *fixed);
        x->fixed = fixed;
        lower_at(l, s->loc);
        lower_note_value(l, c->v, 0, 1, fixed);
        lower_note_stmt(l);
        iteration(l, s->body, true, nowhere);
        take_step(l, s->step, c->v, &value, fixed);
        x->fixed = was;
    }
    if (!c->own) {
        lower_mov(l, p.regs[0], fixed_at(l, c->v, value));
        lower_note_value(l, c->v, 0, 1, p.regs);
    }
    if (leaves) lower_end(l);
}

/* A loop's condition. */
static void leave_unless(struct lower *l, struct ast_expr *e, unsigned level) {
    uint64_t known;
    lower_at(l, e->loc);
    lower_note_stmt(l);
    isa_operand p = lower_op1(l, ISA_not, ISA_PRED, lower_pred(l, e));
    lower_here_condition(l, e, true);
    if (lower_is_const(l, p, &known)) lower_site_decided(l, e, true, ISA_REMOVED_folded);
    lower_breakif(l, p, level);
}

static void general(struct lower *l, struct ast_stmt *s) {
    struct lower_frame *f = state_of(l)->frame;
    unsigned level = lower_begin(l, ISA_loop);
    struct jump again = {.kind = JUMP_CONTINUE, .level = level};
    f->on_break = (struct jump){.kind = JUMP_LEVEL, .level = level};
    if (s->kind != AST_DO && s->expr) leave_unless(l, s->expr, level);
    iteration(l, s->body, s->kind == AST_DO || s->step, again);
    if (s->step) {
        lower_at(l, s->step->loc);
        lower_note_stmt(l);
        lower_discard(l, s->step);
    }
    if (s->kind == AST_DO) leave_unless(l, s->expr, level);
    lower_end(l);
}

/* do { ... } while (0) */
static void once(struct lower *l, struct ast_stmt *s) {
    struct lower_frame *f = state_of(l)->frame;
    bool leaves = lower_has_break(l, s->body) || lower_has_continue(l, s->body);
    unsigned level = leaves ? lower_begin(l, ISA_block) : 0;
    f->on_break = f->on_continue = (struct jump){.kind = JUMP_LEVEL, .level = level};
    lower_stmt(l, s->body, false);
    if (leaves) lower_end(l);
}

void lower_loop(struct lower *l, struct ast_stmt *s) {
    struct lower_frame *f = state_of(l)->frame;
    struct jump on_break = f->on_break, on_continue = f->on_continue;
    uint32_t scope = lower_scope_begin(l);
    struct counted c;
    int64_t known;
    if (s->kind == AST_DO && lower_evaluate(l, s->expr, &known) && !known) {
        lower_site_decided(l, s->expr, true, ISA_REMOVED_folded);
        once(l, s);
    } else if (worth_unrolling(l, s, &c)) {
        unroll(l, s, &c);
    } else {
        if (s->init) lower_stmt(l, s->init, false);
        general(l, s);
    }
    f->on_break = on_break;
    f->on_continue = on_continue;
    lower_scope_end(l, scope);
}
