/* Cursors of statements to AST statements. */
#include "readerstate.h"

static struct ast_stmt *node(struct reader *r, enum ast_stmt_kind kind, CXCursor c) {
    struct ast_stmt *s = ARENA_NEW(r->arena, struct ast_stmt);
    s->kind = kind;
    s->loc = reader_text_place(r, c);
    return s;
}

static _Noreturn void unsupported(struct reader *r, CXCursor c) {
    char *kind = reader_string(r, clang_getCursorKindSpelling(c.kind));
    bool assembly = c.kind == CXCursor_GCCAsmStmt || c.kind == CXCursor_MSAsmStmt;
    reader_fail(r, reader_text_place(r, c), "%s is not supported",
                assembly ? "asm: inline PTX" : kind);
}

static void need(struct reader *r, CXCursor c, const struct reader_kids *kids, unsigned n) {
    if (kids->n != n) unsupported(r, c);
}

static struct ast_stmt *block(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    struct ast_stmt *s = node(r, AST_BLOCK, c);
    s->nstmts = kids->n;
    s->stmts = ARENA_ARRAY(r->arena, struct ast_stmt *, kids->n);
    for (unsigned i = 0; i < kids->n; i++) s->stmts[i] = reader_stmt(r, kids->at[i]);
    return s;
}

/* Types, enumerators and prototypes declared here are found when they are used. */
static struct ast_stmt *declaration(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    struct ast_stmt *s = node(r, AST_EMPTY, c);
    s->vars = ARENA_ARRAY(r->arena, struct ast_var *, kids->n);
    for (unsigned i = 0; i < kids->n; i++) {
        CXCursor d = kids->at[i];
        if (d.kind != CXCursor_VarDecl) continue;
        struct ast_var *v = reader_decl_var(r, d);
        if (clang_Cursor_getStorageClass(d) != CX_SC_Extern) s->vars[s->nvars++] = v;
    }
    if (s->nvars > 0) s->kind = AST_DECL;
    return s;
}

/* An expression whose value nobody wants. */
static struct ast_stmt *expression(struct reader *r, CXCursor c) {
    struct ast_stmt *s = node(r, AST_EXPR, c);
    s->expr = reader_rvalue(r, c);
    return s;
}

/* Which of the three parts of a for statement are there: libclang leaves out what is not written,
 * without a trace. */
static void for_parts(const struct reader *r, CXCursor c, bool present[3]) {
    uint32_t open = reader_text_find(r, reader_text_start(c)) + 1;
    uint32_t close = reader_text_close(r, open), part = 0;
    present[0] = present[1] = present[2] = false;
    for (uint32_t i = open + 1; i < close && i < r->text.ntokens; i++) {
        if (r->text.tokens[i].kind == TOKEN_PRAGMA) continue;
        if (reader_text_is(r, i, ";")) {
            if (++part > 2) break;
            continue;
        }
        present[part] = true;
        bool opens =
            reader_text_is(r, i, "(") || reader_text_is(r, i, "[") || reader_text_is(r, i, "{");
        if (opens) i = reader_text_close(r, i);
    }
}

static struct ast_stmt *for_loop(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    bool present[3];
    struct ast_stmt *s = node(r, AST_FOR, c);
    for_parts(r, c, present);
    need(r, c, kids, 1u + present[0] + present[1] + present[2]);
    unsigned i = 0;
    if (present[0]) s->init = reader_stmt(r, kids->at[i++]);
    if (present[1]) s->expr = reader_condition(r, kids->at[i++]);
    if (present[2]) s->step = reader_rvalue(r, kids->at[i++]);
    s->body = reader_stmt(r, kids->at[i]);
    return s;
}

static int64_t case_value(struct reader *r, CXCursor c) {
    struct ast_expr *e = reader_rvalue(r, c);
    int64_t value;
    if (!reader_convert_fold(e, &value)) reader_fail(r, e->loc, "this case label is not supported");
    return value;
}

static struct ast_stmt *case_label(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    struct ast_stmt *s = node(r, AST_CASE, c);
    if (kids->n != 2 && kids->n != 3) unsupported(r, c);
    s->low = case_value(r, kids->at[0]);
    s->high = kids->n == 3 ? case_value(r, kids->at[1]) : s->low;
    s->extent = reader_text_extent(r, c, kids->at[kids->n - 2]);
    s->body = reader_stmt(r, kids->at[kids->n - 1]);
    return s;
}

static struct ast_stmt *jump(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    struct ast_stmt *s = node(r, AST_GOTO, c);
    need(r, c, kids, 1);
    s->label = reader_string(r, clang_getCursorSpelling(kids->at[0]));
    return s;
}

static struct ast_stmt *give_back(struct reader *r, CXCursor c, const struct reader_kids *kids) {
    struct ast_stmt *s = node(r, AST_RETURN, c);
    if (kids->n > 0) s->expr = reader_convert(r, reader_expr(r, kids->at[0]), r->function->result);
    return s;
}

static struct ast_stmt *stmt(struct reader *r, CXCursor c) {
    struct reader_kids kids;
    struct ast_stmt *s;
    if (clang_isExpression(c.kind)) return expression(r, c);
    reader_children(r, c, &kids);
    switch (c.kind) {
    case CXCursor_CompoundStmt: return block(r, c, &kids);
    case CXCursor_DeclStmt: return declaration(r, c, &kids);
    case CXCursor_NullStmt: return node(r, AST_EMPTY, c);
    case CXCursor_IfStmt:
        if (kids.n != 2 && kids.n != 3) break;
        s = node(r, AST_IF, c);
        s->expr = reader_condition(r, kids.at[0]);
        s->body = reader_stmt(r, kids.at[1]);
        if (kids.n == 3) s->otherwise = reader_stmt(r, kids.at[2]);
        return s;
    case CXCursor_ForStmt:
        s = for_loop(r, c, &kids);
        s->unroll = reader_attribute_unroll(r, c);
        return s;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: {
        need(r, c, &kids, 2);
        bool first = c.kind == CXCursor_WhileStmt; /* is the condition */
        s = node(r, first ? AST_WHILE : AST_DO, c);
        if (first) s->expr = reader_condition(r, kids.at[0]);
        s->body = reader_stmt(r, kids.at[first]);
        if (!first) s->expr = reader_condition(r, kids.at[1]);
        s->unroll = reader_attribute_unroll(r, c);
        return s;
    }
    case CXCursor_SwitchStmt:
        need(r, c, &kids, 2);
        s = node(r, AST_SWITCH, c);
        s->expr = reader_condition(r, kids.at[0]);
        s->body = reader_stmt(r, kids.at[1]);
        return s;
    case CXCursor_CaseStmt: return case_label(r, c, &kids);
    case CXCursor_DefaultStmt:
        need(r, c, &kids, 1);
        s = node(r, AST_DEFAULT, c);
        s->body = reader_stmt(r, kids.at[0]);
        return s;
    case CXCursor_LabelStmt:
        need(r, c, &kids, 1);
        s = node(r, AST_LABEL, c);
        s->label = reader_string(r, clang_getCursorSpelling(c));
        s->body = reader_stmt(r, kids.at[0]);
        return s;
    case CXCursor_GotoStmt: return jump(r, c, &kids);
    case CXCursor_BreakStmt: return node(r, AST_BREAK, c);
    case CXCursor_ContinueStmt: return node(r, AST_CONTINUE, c);
    case CXCursor_ReturnStmt: return give_back(r, c, &kids);
    case CXCursor_UnexposedStmt: /* attributes, then the statement they are about */
        if (kids.n > 0) return reader_stmt(r, kids.at[kids.n - 1]);
        break;
    default: break;
    }
    unsupported(r, c);
}

struct ast_stmt *reader_stmt(struct reader *r, CXCursor c) {
    reader_enter(r, c);
    r->here = reader_text_place(r, c);
    struct ast_stmt *s = stmt(r, c);
    reader_leave(r);
    return s;
}
