/* Statements, but for loops and switches. */
#include "lowerstate.h"

void lower_jump(struct lower *l, const struct jump *j) {
    switch (j->kind) {
    case JUMP_LEVEL: lower_break(l, j->level); break;
    case JUMP_CONTINUE: lower_continue(l, j->level); break;
    case JUMP_FLAT: lower_flat_jump(l, j->flat, j->label); break;
    case JUMP_NONE: lower_stop(l, "a break or continue outside every loop and switch");
    }
}

static void block(struct lower *l, struct ast_stmt *s, bool tail) {
    uint32_t scope = lower_scope_begin(l);
    for (uint32_t i = 0; i < s->nstmts; i++) lower_stmt(l, s->stmts[i], tail && i + 1 == s->nstmts);
    lower_scope_end(l, scope);
}

/* if (a) A else if (b) B ... as a block that each part leaves. */
static void chain(struct lower *l, struct ast_stmt *s) {
    unsigned level = lower_begin(l, ISA_block);
    for (; s && s->kind == AST_IF; s = s->otherwise) {
        lower_at(l, s->loc);
        lower_note_stmt(l);
        isa_operand p = lower_pred(l, s->expr);
        lower_here_condition(l, s->expr, false);
        lower_if(l, p);
        lower_stmt(l, s->body, false);
        if (s->otherwise) lower_break(l, level);
        lower_end(l);
    }
    if (s) lower_stmt(l, s, false);
    lower_end(l);
}

static void branch(struct lower *l, struct ast_stmt *s, bool tail) {
    if (lower_long_chain(s)) {
        chain(l, s);
        return;
    }
    isa_operand p = lower_pred(l, s->expr);
    uint64_t known;
    if (lower_is_const(l, p, &known)) {
        lower_site_decided(l, s->expr, false, ISA_REMOVED_folded);
        if (known)
            lower_stmt(l, s->body, tail);
        else if (s->otherwise)
            lower_stmt(l, s->otherwise, tail);
        return;
    }
    lower_here_condition(l, s->expr, false);
    lower_if(l, p);
    lower_stmt(l, s->body, tail);
    if (s->otherwise) {
        lower_else(l);
        lower_stmt(l, s->otherwise, tail);
    }
    lower_end(l);
}

static void give_back(struct lower *l, struct ast_stmt *s, bool tail) {
    struct lower_frame *f = state_of(l)->frame;
    bool done = s->expr && lower_tail_call(l, s->expr);
    if (s->expr && !f->result && !done) lower_discard(l, s->expr);
    if (s->expr && f->result && !done) {
        uint32_t mark = l->k->nregs;
        struct value v = lower_expr(l, s->expr);
        if (!f->result_in_registers) {
            *f->result = v;
        } else {
            for (uint32_t i = 0; i < v.n && i < f->result->n; i++)
                lower_settle(l, f->result->c[i], v.c[i], v.n == 1 ? mark : UINT32_MAX);
        }
    }
    lower_at(l, s->loc);
    if (tail) return; /* nothing follows */
    if (f->has_block)
        lower_break(l, f->block);
    else
        lower_return(l);
}

/* Does work of its own begin with the statement? Loops note their parts, one by one. */
static bool begins(const struct ast_stmt *s) {
    switch (s->kind) {
    case AST_DECL:
        for (uint32_t i = 0; i < s->nvars; i++)
            if (s->vars[i]->init) return true;
        return false;
    case AST_IF: return !lower_long_chain(s); /* which notes each of its ifs */
    case AST_EXPR: return s->expr != NULL;
    case AST_SWITCH:
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_GOTO:
    case AST_RETURN: return true;
    default: return false;
    }
}

void lower_stmt(struct lower *l, struct ast_stmt *s, bool tail) {
    struct lower_state *state = state_of(l);
    lower_step(l);
    lower_enter(l);
    lower_at(l, s->loc);
    if (begins(s)) lower_note_stmt(l);
    if (!state->frame->info->jumps || !lower_flattened(l, s)) switch (s->kind) {
        case AST_BLOCK: block(l, s, tail); break;
        case AST_DECL:
            for (uint32_t i = 0; i < s->nvars; i++) lower_declare(l, s->vars[i]);
            break;
        case AST_EXPR:
            if (s->expr && !(tail && lower_tail_call(l, s->expr))) lower_discard(l, s->expr);
            break;
        case AST_IF: branch(l, s, tail); break;
        case AST_FOR:
        case AST_WHILE:
        case AST_DO: lower_loop(l, s); break;
        case AST_SWITCH: lower_switch(l, s); break;
        case AST_CASE: /* its place was marked by the switch, or nothing goes to it */
        case AST_DEFAULT:
        case AST_LABEL:
            if (s->body) lower_stmt(l, s->body, tail);
            break;
        case AST_BREAK: lower_jump(l, &state->frame->on_break); break;
        case AST_CONTINUE: lower_jump(l, &state->frame->on_continue); break;
        case AST_GOTO: lower_goto(l, s); break;
        case AST_RETURN: give_back(l, s, tail); break;
        case AST_EMPTY: break;
        }
    state->recursion--;
}
