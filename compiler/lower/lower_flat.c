/* goto, and cases inside nested statements. A statement that jumps go into is flattened into
 * segments, one after the other, each a block that is skipped by the lanes whose `state` names a
 * later one. A jump forward sets the state and leaves its segment; a jump back sets it and goes to
 * the next iteration of a loop around the segments. Lanes meet again at every segment. */
#include "lowerstate.h"

#include <string.h>

/* ---- which statements are to be flattened ---- */

enum { OUTERMOST = 1, ENTERED = 2 }; /* flattened here; part of one that is */

struct mark {
    const struct ast_stmt *stmt;
    unsigned bits;
};

struct path {
    const struct ast_stmt **stmts;
    uint32_t n;
    uint32_t order;
    const char *name;
};

/* Of one function. */
struct labels {
    struct mark *marks;
    uint32_t nmarks, cap_marks; /* a table open to hashing */
    struct path *gotos, *targets, *cases;
    uint32_t ngotos, ntargets, ncases, cap_gotos, cap_targets, cap_cases;
    const struct ast_stmt **path;
    uint32_t depth, cap_path, order;
};

static struct mark *slot(struct mark *table, uint32_t cap, const struct ast_stmt *s) {
    uint32_t at = (uint32_t)(((uintptr_t)s >> 4) * 0x9e3779b1u) & (cap - 1);
    while (table[at].stmt && table[at].stmt != s) at = (at + 1) & (cap - 1);
    return &table[at];
}

static unsigned marked(const struct labels *x, const struct ast_stmt *s) {
    return x->cap_marks ? slot(x->marks, x->cap_marks, s)->bits : 0;
}

static void mark(struct lower *l, struct labels *x, const struct ast_stmt *s, unsigned bits) {
    if (x->nmarks * 2 >= x->cap_marks) {
        uint32_t cap = x->cap_marks ? x->cap_marks * 2 : 32;
        struct mark *table = ARENA_ARRAY(l->arena, struct mark, cap);
        for (uint32_t i = 0; i < x->cap_marks; i++)
            if (x->marks[i].stmt) *slot(table, cap, x->marks[i].stmt) = x->marks[i];
        x->marks = table;
        x->cap_marks = cap;
    }
    struct mark *m = slot(x->marks, x->cap_marks, s);
    if (!m->stmt) {
        m->stmt = s;
        x->nmarks++;
    }
    m->bits |= bits;
}

static void *grown(struct lower *l, const void *old, uint32_t n, uint32_t *cap, size_t size) {
    if (n < *cap) return (void *)old;
    uint32_t more = *cap ? *cap * 2 : 16;
    void *fresh = arena_alloc(l->arena, more * size);
    if (n) memcpy(fresh, old, n * size);
    *cap = more;
    return fresh;
}

static struct path here(struct lower *l, struct labels *x, const char *name) {
    struct path p = {.n = x->depth, .order = x->order++, .name = name};
    p.stmts = ARENA_ARRAY(l->arena, const struct ast_stmt *, x->depth);
    memcpy(p.stmts, x->path, x->depth * sizeof *p.stmts);
    return p;
}

static void collect(struct lower *l, struct labels *x, const struct ast_stmt *s) {
    lower_step(l);
    lower_enter(l);
    x->path = grown(l, x->path, x->depth, &x->cap_path, sizeof *x->path);
    x->path[x->depth++] = s;
    if (s->kind == AST_GOTO) {
        x->gotos = grown(l, x->gotos, x->ngotos, &x->cap_gotos, sizeof *x->gotos);
        x->gotos[x->ngotos++] = here(l, x, s->label);
    } else if (s->kind == AST_LABEL) {
        x->targets = grown(l, x->targets, x->ntargets, &x->cap_targets, sizeof *x->targets);
        x->targets[x->ntargets++] = here(l, x, s->label);
    } else if (s->kind == AST_CASE || s->kind == AST_DEFAULT) {
        x->cases = grown(l, x->cases, x->ncases, &x->cap_cases, sizeof *x->cases);
        x->cases[x->ncases++] = here(l, x, NULL);
    }
    if (s->kind == AST_BLOCK)
        for (uint32_t i = 0; i < s->nstmts; i++) collect(l, x, s->stmts[i]);
    if (s->body) collect(l, x, s->body);
    if (s->otherwise) collect(l, x, s->otherwise);
    x->depth--;
    state_of(l)->recursion--;
}

/* Everything from statement `from` of a path to its end is jumped into; the one before it is the
 * outermost to be flattened. A switch is flattened as a whole. */
static void mark_path(struct lower *l, struct labels *x, const struct path *p, uint32_t from) {
    while (from > 1 &&
           (p->stmts[from - 1]->kind == AST_CASE || p->stmts[from - 1]->kind == AST_DEFAULT ||
            (p->stmts[from - 1]->kind == AST_BLOCK && p->stmts[from - 2]->kind == AST_SWITCH)))
        from--;
    mark(l, x, p->stmts[from - 1], OUTERMOST);
    for (; from < p->n; from++) mark(l, x, p->stmts[from], ENTERED);
}

static uint32_t common(const struct path *a, const struct path *b) {
    uint32_t n = 0;
    while (n < a->n && n < b->n && a->stmts[n] == b->stmts[n]) n++;
    return n;
}

/* The switch a case belongs to. */
static uint32_t switch_of(const struct path *p) {
    uint32_t n = p->n - 1;
    while (n > 0 && p->stmts[n]->kind != AST_SWITCH) n--;
    return n;
}

static bool directly_inside(const struct path *p, uint32_t at) {
    for (uint32_t i = at + 1; i + 1 < p->n; i++) {
        enum ast_stmt_kind kind = p->stmts[i]->kind;
        if (kind != AST_CASE && kind != AST_DEFAULT && !(kind == AST_BLOCK && i == at + 1))
            return false;
    }
    return true;
}

static struct labels *labels_of(struct lower *l) {
    struct lower_frame *f = state_of(l)->frame;
    struct function *info = f->info;
    if (info->labels) return info->labels;
    struct labels *x = info->labels = ARENA_NEW(l->arena, struct labels);
    collect(l, x, f->func->body);
    for (uint32_t g = 0; g < x->ngotos; g++)
        for (uint32_t t = 0; t < x->ntargets; t++)
            if (!strcmp(x->gotos[g].name, x->targets[t].name))
                mark_path(l, x, &x->targets[t], common(&x->gotos[g], &x->targets[t]));
    for (uint32_t c = 0; c < x->ncases; c++) {
        uint32_t at = switch_of(&x->cases[c]);
        if (!directly_inside(&x->cases[c], at)) mark(l, x, x->cases[c].stmts[at], OUTERMOST);
    }
    for (uint32_t c = 0; c < x->ncases; c++) {
        uint32_t at = switch_of(&x->cases[c]);
        if (marked(x, x->cases[c].stmts[at])) mark_path(l, x, &x->cases[c], at + 1);
    }
    return x;
}

/* Does a goto further down lead to this label? */
static bool goes_back(const struct labels *x, const struct ast_stmt *label) {
    for (uint32_t t = 0; t < x->ntargets; t++) {
        if (x->targets[t].stmts[x->targets[t].n - 1] != label) continue;
        for (uint32_t g = 0; g < x->ngotos; g++)
            if (x->gotos[g].order > x->targets[t].order && !strcmp(x->gotos[g].name, label->label))
                return true;
    }
    return false;
}

/* ---- flattening ---- */

enum flat_kind { DO, DISCARD, LABEL, JUMP, JUMP_IF, JUMP_UNLESS, CHOOSE };

struct flat_op {
    enum flat_kind kind;
    struct ast_stmt *stmt; /* DO, CHOOSE */
    struct ast_expr *expr; /* DISCARD, JUMP_IF, JUMP_UNLESS */
    bool of_loop;          /* JUMP_IF, JUMP_UNLESS: the condition of a loop */
    uint32_t label;        /* CHOOSE: of its end */
    struct jump on_break, on_continue;
};

struct flat_target {
    const struct ast_stmt *stmt; /* label, case or default; NULL: made here */
    uint32_t segment;
    bool back;                    /* something behind it jumps to it */
    const struct ast_stmt *owner; /* case, default: the switch */
};

struct leap {
    uint32_t from, to;
};

struct flat {
    struct flat *up;
    struct flat_op *ops;
    uint32_t nops, cap_ops;
    struct flat_target *targets;
    uint32_t ntargets, cap_targets;
    const struct ast_stmt *owner; /* the switch being flattened */
    isa_operand state;
    uint32_t segment; /* the one being emitted */
    unsigned block, loop;
    struct leap *leaps; /* jumps, by segment */
    uint32_t nleaps, cap_leaps;
};

static uint32_t new_target(struct lower *l, struct flat *f, const struct ast_stmt *s, bool back) {
    f->targets = grown(l, f->targets, f->ntargets, &f->cap_targets, sizeof *f->targets);
    f->targets[f->ntargets] = (struct flat_target){.stmt = s, .back = back, .owner = f->owner};
    return f->ntargets++;
}

static struct flat_op *new_op(struct lower *l, struct flat *f, enum flat_kind kind) {
    struct lower_frame *frame = state_of(l)->frame;
    f->ops = grown(l, f->ops, f->nops, &f->cap_ops, sizeof *f->ops);
    f->ops[f->nops] = (struct flat_op){
        .kind = kind, .on_break = frame->on_break, .on_continue = frame->on_continue};
    return &f->ops[f->nops++];
}

static void jump_op(struct lower *l, struct flat *f, enum flat_kind kind, struct ast_expr *e,
                    uint32_t label) {
    struct flat_op *o = new_op(l, f, kind);
    o->expr = e;
    o->label = label;
}

static struct jump to(struct flat *f, uint32_t label) {
    return (struct jump){.kind = JUMP_FLAT, .flat = f, .label = label};
}

static void flatten(struct lower *l, struct flat *f, struct ast_stmt *s, bool outermost);

static void part(struct lower *l, struct flat *f, struct ast_stmt *s) {
    if (s) flatten(l, f, s, false);
}

static void flatten_loop(struct lower *l, struct flat *f, struct ast_stmt *s) {
    struct lower_frame *frame = state_of(l)->frame;
    struct jump on_break = frame->on_break, on_continue = frame->on_continue;
    part(l, f, s->init);
    uint32_t top = new_target(l, f, NULL, true), next = new_target(l, f, NULL, false);
    uint32_t end = new_target(l, f, NULL, false);
    jump_op(l, f, LABEL, NULL, top);
    if (s->kind != AST_DO && s->expr) {
        jump_op(l, f, JUMP_UNLESS, s->expr, end);
        f->ops[f->nops - 1].of_loop = true;
    }
    frame->on_break = to(f, end);
    frame->on_continue = to(f, next);
    part(l, f, s->body);
    frame->on_break = on_break;
    frame->on_continue = on_continue;
    jump_op(l, f, LABEL, NULL, next);
    if (s->step) jump_op(l, f, DISCARD, s->step, 0);
    if (s->kind == AST_DO) {
        jump_op(l, f, JUMP_IF, s->expr, top);
        f->ops[f->nops - 1].of_loop = true;
    } else {
        jump_op(l, f, JUMP, NULL, top);
    }
    jump_op(l, f, LABEL, NULL, end);
}

static void flatten_switch(struct lower *l, struct flat *f, struct ast_stmt *s) {
    struct lower_frame *frame = state_of(l)->frame;
    struct jump on_break = frame->on_break;
    uint32_t end = new_target(l, f, NULL, false);
    struct flat_op *o = new_op(l, f, CHOOSE);
    o->stmt = s;
    o->label = end;
    frame->on_break = to(f, end);
    const struct ast_stmt *owner = f->owner;
    f->owner = s;
    part(l, f, s->body);
    f->owner = owner;
    frame->on_break = on_break;
    jump_op(l, f, LABEL, NULL, end);
}

static void flatten(struct lower *l, struct flat *f, struct ast_stmt *s, bool outermost) {
    const struct labels *x = labels_of(l);
    lower_step(l);
    lower_enter(l);
    uint32_t a, b;
    if (!outermost && !(marked(x, s) & ENTERED)) {
        new_op(l, f, DO)->stmt = s;
    } else
        switch (s->kind) {
        case AST_BLOCK:
            for (uint32_t i = 0; i < s->nstmts; i++) flatten(l, f, s->stmts[i], false);
            break;
        case AST_IF:
            a = new_target(l, f, NULL, false);
            b = new_target(l, f, NULL, false);
            jump_op(l, f, JUMP_UNLESS, s->expr, a);
            flatten(l, f, s->body, false);
            if (s->otherwise) jump_op(l, f, JUMP, NULL, b);
            jump_op(l, f, LABEL, NULL, a);
            part(l, f, s->otherwise);
            jump_op(l, f, LABEL, NULL, b);
            break;
        case AST_FOR:
        case AST_WHILE:
        case AST_DO: flatten_loop(l, f, s); break;
        case AST_SWITCH: flatten_switch(l, f, s); break;
        case AST_LABEL:
        case AST_CASE:
        case AST_DEFAULT:
            jump_op(l, f, LABEL, NULL,
                    new_target(l, f, s, s->kind == AST_LABEL && goes_back(x, s)));
            part(l, f, s->body);
            break;
        default: new_op(l, f, DO)->stmt = s;
        }
    state_of(l)->recursion--;
}

/* ---- emitting the segments ---- */

static void leap(struct lower *l, struct flat *f, uint32_t to) {
    f->leaps = grown(l, f->leaps, f->nleaps, &f->cap_leaps, sizeof *f->leaps);
    f->leaps[f->nleaps++] = (struct leap){f->segment, to};
}

void lower_flat_jump(struct lower *l, struct flat *f, uint32_t label) {
    uint32_t segment = f->targets[label].segment;
    leap(l, f, segment);
    lower_mov(l, f->state, lower_const(l, ISA_I32, segment));
    if (segment <= f->segment)
        lower_continue(l, f->loop);
    else
        lower_break(l, f->block);
}

void lower_goto(struct lower *l, struct ast_stmt *s) {
    for (struct flat *f = state_of(l)->frame->flat; f; f = f->up)
        for (uint32_t t = 0; t < f->ntargets; t++) {
            const struct ast_stmt *label = f->targets[t].stmt;
            if (!label || label->kind != AST_LABEL || strcmp(label->label, s->label)) continue;
            lower_flat_jump(l, f, t);
            return;
        }
    lower_stop(l, "goto '%s' leads into or out of a statement expression", s->label);
}

/* A switch whose cases are segments. */
static void choose(struct lower *l, struct flat *f, const struct flat_op *o) {
    struct ast_expr *e = o->stmt->expr;
    isa_operand value = lower_scalar(l, e), next;
    uint32_t otherwise = f->targets[o->label].segment;
    for (uint32_t t = 0; t < f->ntargets; t++)
        if (f->targets[t].owner == o->stmt && f->targets[t].stmt &&
            f->targets[t].stmt->kind == AST_DEFAULT)
            otherwise = f->targets[t].segment;
    next = lower_const(l, ISA_I32, otherwise);
    leap(l, f, otherwise);
    for (uint32_t t = 0; t < f->ntargets; t++) {
        const struct ast_stmt *s = f->targets[t].stmt;
        if (f->targets[t].owner != o->stmt || !s || s->kind != AST_CASE) continue;
        isa_operand p = lower_case(l, s, e->type, value);
        isa_operand segment = lower_const(l, ISA_I32, f->targets[t].segment);
        next = lower_select(l, ISA_I32, p, segment, next);
        lower_here_stmt(l, s, 0);
        lower_site_removed(l, ISA_SITE_branch, ISA_REMOVED_if_converted);
        leap(l, f, f->targets[t].segment);
    }
    lower_mov(l, f->state, next);
    lower_break(l, f->block);
}

static void emit_op(struct lower *l, struct flat *f, const struct flat_op *o) {
    struct lower_frame *frame = state_of(l)->frame;
    isa_operand p;
    uint64_t known;
    frame->on_break = o->on_break;
    frame->on_continue = o->on_continue;
    switch (o->kind) {
    case DO: lower_stmt(l, o->stmt, false); break;
    case DISCARD: lower_discard(l, o->expr); break;
    case LABEL: break;
    case JUMP: lower_flat_jump(l, f, o->label); break;
    case CHOOSE:
        lower_at(l, o->stmt->loc);
        choose(l, f, o);
        break;
    case JUMP_IF:
    case JUMP_UNLESS:
        p = lower_pred(l, o->expr);
        if (o->kind == JUMP_UNLESS) p = lower_op1(l, ISA_not, ISA_PRED, p);
        if (lower_is_const(l, p, &known)) {
            lower_site_decided(l, o->expr, o->of_loop, ISA_REMOVED_folded);
            if (known) lower_flat_jump(l, f, o->label);
            break;
        }
        lower_here_condition(l, o->expr, o->of_loop);
        if (o->of_loop == (o->kind == JUMP_IF)) lower_here_inverted(l);
        lower_if(l, p);
        lower_flat_jump(l, f, o->label);
        lower_end(l);
    }
}

/* Numbers the segments: one begins at every label that operations stand before. Returns the last.
 */
static uint32_t number(struct flat *f) {
    uint32_t segment = 0;
    bool empty = true;
    for (uint32_t i = 0; i < f->nops; i++) {
        if (f->ops[i].kind != LABEL) {
            empty = false;
            continue;
        }
        if (!empty) segment++;
        empty = true;
        f->targets[f->ops[i].label].segment = segment;
    }
    return segment;
}

/* Can a lane come to a segment on its way to a later one? */
static bool passed(const struct flat *f, uint32_t segment, uint32_t loop_at) {
    for (uint32_t i = 0; i < f->nleaps; i++) {
        const struct leap *j = &f->leaps[i];
        if (j->to > segment && (j->from < segment || (j->from >= j->to && segment >= loop_at)))
            return true;
    }
    return false;
}

static void emit(struct lower *l, struct flat *f, const struct ast_stmt *whole) {
    struct lower_frame *frame = state_of(l)->frame;
    uint32_t last = number(f), loop_at = UINT32_MAX;
    for (uint32_t t = 0; t < f->ntargets; t++)
        if (f->targets[t].back && f->targets[t].segment < loop_at) loop_at = f->targets[t].segment;
    f->state = lower_reg(l, ISA_I32);
    lower_mov(l, f->state, lower_const(l, ISA_I32, 0));
    f->up = frame->flat;
    frame->flat = f;
    uint32_t i = 0, *tests = ARENA_ARRAY(l->arena, uint32_t, last + 1u); /* instruction + 1 */
    for (uint32_t s = 0; s <= last; s++) {
        f->segment = s;
        if (s == loop_at) f->loop = lower_begin(l, ISA_loop);
        f->block = lower_begin(l, ISA_block);
        if (s != last && (s || loop_at == 0)) {
            isa_operand at = lower_const(l, ISA_I32, s);
            isa_operand p = lower_cmp(l, ISA_lt_u, ISA_I32, at, f->state);
            tests[s] = state_of(l)->dead ? 0 : l->k->ninsts;
            lower_here_later(l);
            lower_breakif(l, p, f->block);
        }
        for (; i < f->nops; i++) {
            const struct flat_op *o = &f->ops[i];
            if (o->kind == LABEL && f->targets[o->label].segment > s) break;
            emit_op(l, f, o);
        }
        lower_end(l);
    }
    if (loop_at != UINT32_MAX) {
        lower_break(l, f->loop);
        lower_end(l);
    }
    for (uint32_t s = 0; s <= last; s++) {
        if (!tests[s]) continue;
        bool stays = passed(f, s, loop_at);
        if (stays || l->options->opt_disable) {
            lower_here_stmt(l, whole, s);
            lower_site(l, &l->k->insts[tests[s]], ISA_SITE_branch);
        }
        if (stays) continue;
        struct isa_inst *test = &l->k->insts[tests[s] - 1];
        test->op = ISA_mov;
        test->type2 = ISA_NONE_T;
        test->nsrc = 1;
        isa_srcs(l->k, test)[0] = lower_const(l, ISA_PRED, 0);
    }
    frame->flat = f->up;
}

void lower_flatten(struct lower *l, struct ast_stmt *s) {
    struct lower_frame *frame = state_of(l)->frame;
    struct labels *x = labels_of(l);
    struct jump on_break = frame->on_break, on_continue = frame->on_continue;
    if (s->kind == AST_SWITCH) /* one that has too many cases to nest is not marked yet */
        for (uint32_t c = 0; c < x->ncases; c++) {
            uint32_t at = switch_of(&x->cases[c]);
            if (x->cases[c].stmts[at] == s) mark_path(l, x, &x->cases[c], at + 1);
        }
    struct flat *f = ARENA_NEW(l->arena, struct flat);
    flatten(l, f, s, true);
    emit(l, f, s);
    frame->on_break = on_break;
    frame->on_continue = on_continue;
}

bool lower_flattened(struct lower *l, struct ast_stmt *s) {
    unsigned bits = marked(labels_of(l), s);
    if (!(bits & OUTERMOST)) return false;
    lower_flatten(l, s);
    return true;
}
