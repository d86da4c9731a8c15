/* switch: one block for each place cases lead to, nested, so that a lane leaves as many of them as
 * brings it to its case and falls through from there. */
#include "lowerstate.h"

enum { MAX_SEGMENTS = 48 }; /* more do not nest: lower_flat.c */

isa_operand lower_case(struct lower *l, const struct ast_stmt *s, const struct ast_type *t,
                       isa_operand value) {
    enum isa_type it = lower_type(t);
    isa_operand low = lower_const(l, it, (uint64_t)s->low);
    if (s->low == s->high) return lower_cmp(l, ISA_eq, it, value, low);
    isa_operand high = lower_const(l, it, (uint64_t)s->high);
    enum isa_op op = ast_is_signed(t) ? ISA_le_s : ISA_le_u;
    return lower_op2(l, ISA_and, ISA_PRED, lower_cmp(l, op, it, low, value),
                     lower_cmp(l, op, it, value, high));
}

/* The statement behind a chain of case labels. */
static struct ast_stmt *behind(struct ast_stmt *s) {
    while (s && (s->kind == AST_CASE || s->kind == AST_DEFAULT)) s = s->body;
    return s;
}

static bool is_label(const struct ast_stmt *s) {
    return s->kind == AST_CASE || s->kind == AST_DEFAULT;
}

void lower_switch(struct lower *l, struct ast_stmt *s) {
    struct lower_state *state = state_of(l);
    struct ast_stmt *body = s->body, **list = body->kind == AST_BLOCK ? body->stmts : &s->body;
    uint32_t n = body->kind == AST_BLOCK ? body->nstmts : 1, nsegments = 0;
    /* Every labelled statement of the body begins a segment. */
    for (uint32_t i = 0; i < n; i++) nsegments += is_label(list[i]);
    if (nsegments > MAX_SEGMENTS || state->depth + nsegments + 16 > ISA_MAX_NESTING) {
        lower_flatten(l, s);
        return;
    }
    isa_operand value = lower_scalar(l, s->expr);
    const struct ast_type *t = s->expr->type;
    uint32_t scope = lower_scope_begin(l);
    unsigned outer = lower_begin(l, ISA_block), levels[MAX_SEGMENTS];
    for (uint32_t k = nsegments; k-- > 0;) levels[k] = lower_begin(l, ISA_block);
    unsigned otherwise = outer;
    for (uint32_t i = 0, k = 0; i < n; i++) {
        if (!is_label(list[i])) continue;
        for (struct ast_stmt *c = list[i]; c && is_label(c); c = c->body) {
            lower_at(l, c->loc);
            if (c->kind == AST_DEFAULT)
                otherwise = levels[k];
            else {
                isa_operand p = lower_case(l, c, t, value);
                lower_here_stmt(l, c, 0);
                lower_breakif(l, p, levels[k]);
            }
        }
        k++;
    }
    lower_break(l, otherwise);
    struct jump on_break = state->frame->on_break;
    state->frame->on_break = (struct jump){.kind = JUMP_LEVEL, .level = outer};
    for (uint32_t i = 0; i < n; i++) {
        struct ast_stmt *p = list[i];
        if (is_label(p)) {
            lower_end(l);
            p = behind(p);
        }
        if (p) lower_stmt(l, p, false);
    }
    state->frame->on_break = on_break;
    lower_end(l);
    lower_scope_end(l, scope);
}
