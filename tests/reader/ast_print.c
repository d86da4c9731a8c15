/* One line for each statement; expressions in brackets, each with its type where it is not obvious.
 */
#include "ast_print.h"

#include <string.h>

static const char *const op_names[] = {
    [AST_ADD] = "+",       [AST_SUB] = "-",      [AST_MUL] = "*",      [AST_DIV] = "/",
    [AST_REM] = "%",       [AST_SHL] = "<<",     [AST_SHR] = ">>",     [AST_AND] = "&",
    [AST_OR] = "|",        [AST_XOR] = "^",      [AST_LT] = "<",       [AST_GT] = ">",
    [AST_LE] = "<=",       [AST_GE] = ">=",      [AST_EQ] = "==",      [AST_NE] = "!=",
    [AST_LAND] = "&&",     [AST_LOR] = "||",     [AST_NEG] = "-",      [AST_NOT] = "~",
    [AST_LNOT] = "!",      [AST_PLUS] = "+",     [AST_PREINC] = "++_", [AST_PREDEC] = "--_",
    [AST_POSTINC] = "_++", [AST_POSTDEC] = "_--"};
static const char *const cast_names[] = {
    [AST_CAST_NUMBER] = "number",     [AST_CAST_SPLAT] = "splat",
    [AST_CAST_BITS] = "bits",         [AST_CAST_POINTER] = "pointer",
    [AST_CAST_PTR_INT] = "ptr_int",   [AST_CAST_INT_PTR] = "int_ptr",
    [AST_CAST_PTR_BOOL] = "ptr_bool", [AST_CAST_VOID] = "void",
    [AST_CAST_NONE] = "none"};
static const char *const space_names[] = {"private", "global", "local", "constant"};

static void expr(FILE *out, const struct ast_expr *e);
static void stmt(FILE *out, const struct ast_stmt *s, int depth);

static void quals(FILE *out, unsigned q) {
    if (q & AST_CONST) fputs(" const", out);
    if (q & AST_VOLATILE) fputs(" volatile", out);
    if (q & AST_RESTRICT) fputs(" restrict", out);
}

static void string(FILE *out, const struct ast_expr *e) {
    fputc('"', out);
    for (size_t i = 0; i < e->length; i++) {
        unsigned char c = (unsigned char)e->string[i];
        if (c >= ' ' && c < 127 && c != '"' && c != '\\')
            fputc(c, out);
        else
            fprintf(out, "\\%03o", c);
    }
    fputc('"', out);
}

static void operands(FILE *out, const struct ast_expr *e) {
    const struct ast_expr *const three[] = {e->a, e->b, e->c};
    for (int i = 0; i < 3; i++) {
        if (!three[i]) continue;
        fputc(' ', out);
        expr(out, three[i]);
    }
    for (uint32_t i = 0; i < e->nargs; i++) {
        fputc(' ', out);
        expr(out, e->args[i]);
    }
    for (uint32_t i = 0; i < e->ninits; i++) {
        fprintf(out, " @%u ", e->inits[i].offset);
        expr(out, e->inits[i].value);
    }
}

static void head(FILE *out, const struct ast_expr *e) {
    switch (e->kind) {
    case AST_LOAD:
        fprintf(out, "load %s", space_names[e->a->space]);
        quals(out, e->a->quals & AST_VOLATILE);
        break;
    case AST_CAST: fprintf(out, "%s %s", cast_names[e->cast], e->type->name); break;
    case AST_UNARY:
    case AST_BINARY: fprintf(out, "%s %s", op_names[e->op], e->type->name); break;
    case AST_ASSIGN: fprintf(out, "= %s", e->type->name); break;
    case AST_COMPOUND_ASSIGN:
        fprintf(out, "%s= %s in %s", op_names[e->op], e->type->name, e->compute->name);
        break;
    case AST_INCDEC: fprintf(out, "%s %s", op_names[e->op], e->type->name); break;
    case AST_COND: fprintf(out, "%s %s", e->b ? "?" : "?:", e->type->name); break;
    case AST_COMMA: fputs(",", out); break;
    case AST_CALL: fprintf(out, "call %s %s", e->func->name, e->type->name); break;
    case AST_MEMBER: fprintf(out, ".%s", e->field->name ? e->field->name : "(unnamed)"); break;
    case AST_INDEX: fprintf(out, "index %s %s", space_names[e->space], e->type->name); break;
    case AST_DEREF: fprintf(out, "deref %s %s", space_names[e->space], e->type->name); break;
    case AST_ADDRESS: fputs("address", out); break;
    case AST_DECAY: fputs("decay", out); break;
    case AST_SWIZZLE:
        fputs("lanes ", out);
        for (unsigned i = 0; i < e->nlanes; i++) fprintf(out, "%x", e->lanes[i]);
        break;
    case AST_VECTOR_LIT:
    case AST_INIT:
        fprintf(out, "%s %s", e->kind == AST_INIT ? "init" : "vector", e->type->name);
        break;
    default: fprintf(out, "kind %d", e->kind);
    }
}

static void expr(FILE *out, const struct ast_expr *e) {
    switch (e->kind) {
    case AST_INT_LIT:
        if (ast_is_signed(e->type))
            fprintf(out, "%lld:%s", (long long)e->integer, e->type->name);
        else
            fprintf(out, "%llu:%s", (unsigned long long)e->integer, e->type->name);
        return;
    case AST_FLOAT_LIT: fprintf(out, "%a:%s", e->real, e->type->name); return;
    case AST_STRING_LIT: string(out, e); return;
    case AST_VAR: fputs(e->var->name, out); return;
    case AST_COMPOUND_LIT:
        fprintf(out, "(object%s %s ", e->var->address_taken ? "&" : "", e->type->name);
        expr(out, e->var->init);
        fputc(')', out);
        return;
    case AST_STMT_EXPR:
        fprintf(out, "(stmt %s {\n", e->type->name);
        stmt(out, e->body, 8);
        fputs("})", out);
        return;
    default: break;
    }
    fputc('(', out);
    head(out, e);
    operands(out, e);
    fputc(')', out);
}

static void var(FILE *out, const struct ast_var *v) {
    static const char *const storage[] = {"auto", "param", "local", "constant"};
    fprintf(out, "%s%s %s: %s", storage[v->storage], v->address_taken ? "&" : "", v->name,
            v->type->name);
    quals(out, v->quals);
    if (v->align != v->type->align) fprintf(out, " align %u", v->align);
    if (v->type_name) fprintf(out, " '%s'", v->type_name);
    if (v->access) fprintf(out, " access %u", v->access);
    if (!v->init) return;
    fputs(" = ", out);
    expr(out, v->init);
}

static void indent(FILE *out, int depth) { fprintf(out, "%*s", depth * 2, ""); }

static void labelled(FILE *out, const char *label, const struct ast_stmt *s, int depth) {
    if (!s) return;
    indent(out, depth);
    fprintf(out, "%s\n", label);
    stmt(out, s, depth + 1);
}

static void stmt(FILE *out, const struct ast_stmt *s, int depth) {
    static const char *const names[] = {
        [AST_BLOCK] = "block",     [AST_DECL] = "decl",     [AST_EXPR] = "expr",
        [AST_IF] = "if",           [AST_FOR] = "for",       [AST_WHILE] = "while",
        [AST_DO] = "do",           [AST_SWITCH] = "switch", [AST_CASE] = "case",
        [AST_DEFAULT] = "default", [AST_BREAK] = "break",   [AST_CONTINUE] = "continue",
        [AST_GOTO] = "goto",       [AST_LABEL] = "label",   [AST_RETURN] = "return",
        [AST_EMPTY] = "empty"};
    if (s->kind == AST_DECL) {
        for (uint32_t i = 0; i < s->nvars; i++) {
            indent(out, depth);
            var(out, s->vars[i]);
            fputc('\n', out);
        }
        return;
    }
    indent(out, depth);
    fprintf(out, "%u: %s", s->loc.line, names[s->kind]);
    if (s->label) fprintf(out, " %s", s->label);
    if (s->kind == AST_CASE) fprintf(out, " %lld...%lld", (long long)s->low, (long long)s->high);
    if (s->unroll) fprintf(out, " unroll %u", s->unroll);
    if (s->expr) {
        fputc(' ', out);
        expr(out, s->expr);
    }
    fputc('\n', out);
    labelled(out, "init", s->init, depth + 1);
    if (s->step) {
        indent(out, depth + 1);
        fputs("step ", out);
        expr(out, s->step);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < s->nstmts; i++) stmt(out, s->stmts[i], depth + 1);
    if (s->body) stmt(out, s->body, depth + 1);
    labelled(out, "else", s->otherwise, depth);
}

static void sizes(FILE *out, const char *name, const uint32_t n[3]) {
    if (n[0] || n[1] || n[2]) fprintf(out, " %s %u,%u,%u", name, n[0], n[1], n[2]);
}

static void func(FILE *out, const struct ast_func *f) {
    fprintf(out, "%s%s %s: %s", f->body ? "" : "declared ", f->is_kernel ? "kernel" : "function",
            f->name, f->result->name);
    if (f->is_static) fputs(" static", out);
    if (f->is_variadic) fputs(" variadic", out);
    sizes(out, "required", f->required_size);
    sizes(out, "hint", f->size_hint);
    if (f->vec_type_hint) fprintf(out, " hint %s", f->vec_type_hint->name);
    if (*f->attributes) fprintf(out, " '%s'", f->attributes);
    fputc('\n', out);
    for (uint32_t i = 0; i < f->nparams; i++) {
        fputs("  ", out);
        var(out, f->params[i]);
        fputc('\n', out);
    }
    if (f->body) stmt(out, f->body, 1);
}

void ast_print_unit(FILE *out, const struct ast_unit *u) {
    if (u->fp_contract_off) fputs("contract off\n", out);
    for (uint32_t i = 0; i < u->nconstants; i++) {
        var(out, u->constants[i]);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < u->nfuncs; i++) func(out, u->funcs[i]);
}
