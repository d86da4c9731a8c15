/* Declarations: functions, kernels and their parameters, variables. */
#include <string.h>

#include "device/isa/isa.h"
#include "readerstate.h"

static struct ast_var *new_var(struct reader *r, const char *name, const struct ast_type *type,
                               enum ast_storage storage) {
    struct ast_var *v = ARENA_NEW(r->arena, struct ast_var);
    v->name = name;
    v->type = type;
    v->storage = storage;
    v->align = type->align;
    v->id = r->next_id++;
    return v;
}

struct ast_var *reader_decl_temporary(struct reader *r, const struct ast_type *type,
                                      struct ast_expr *init, struct ast_loc loc) {
    struct ast_var *v = new_var(r, "", type, AST_AUTO);
    v->init = init;
    v->loc = loc;
    return v;
}

/* ---- variables ---- */

static enum ast_storage storage_of(const struct reader *r, CXCursor decl, CXType type) {
    if (decl.kind == CXCursor_ParmDecl) return AST_PARAM;
    CXCursor parent = clang_getCursorSemanticParent(decl);
    if (!r->function || parent.kind != CXCursor_FunctionDecl) return AST_CONSTANT_VAR;
    switch (reader_type_space(type)) {
    case AST_LOCAL: return AST_LOCAL_VAR;
    case AST_CONSTANT: return AST_CONSTANT_VAR;
    default: return AST_AUTO;
    }
}

/* The variable that all declarations of one name share, made at first sight. */
struct ast_var *reader_decl_find(struct reader *r, CXCursor decl) {
    CXCursor canonical = decl.kind == CXCursor_ParmDecl ? decl : clang_getCanonicalCursor(decl);
    struct ast_var *v = reader_map_find(&r->vars, canonical.data[0]);
    if (v) return v;
    CXType type = clang_getCursorType(decl);
    v = new_var(r, reader_string(r, clang_getCursorSpelling(decl)), reader_type(r, type),
                storage_of(r, decl, type));
    v->quals = reader_type_quals(type);
    v->loc = reader_text_place(r, decl);
    reader_map_add(r, &r->vars, canonical.data[0], v);
    return v;
}

struct ast_var *reader_decl_var(struct reader *r, CXCursor decl) {
    r->here = reader_text_place(r, decl);
    struct ast_var *v = reader_decl_find(r, decl);
    v->type = reader_type_of(r, decl); /* an array's length may come with a later declaration */
    v->align =
        reader_attribute_align(r, decl, v->align > v->type->align ? v->align : v->type->align);
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    if (clang_isExpression(init.kind)) v->init = reader_init(r, init, v->type);
    return v;
}

/* ---- functions ---- */

/* Every declaration of a function is this one object; each overload of a builtin is one of its own.
 */
struct ast_func *reader_decl_func(struct reader *r, CXCursor decl) {
    const void *key = clang_getCanonicalCursor(decl).data[0];
    struct ast_func *f = reader_map_find(&r->funcs, key);
    if (f) return f;
    CXType type = clang_getCursorType(decl);
    f = ARENA_NEW(r->arena, struct ast_func);
    f->name = reader_string(r, clang_getCursorSpelling(decl));
    f->loc = reader_text_place(r, decl);
    f->attributes = "";
    f->is_variadic = clang_isFunctionTypeVariadic(type) && clang_getNumArgTypes(type) > 0;
    f->is_static = clang_Cursor_getStorageClass(decl) == CX_SC_Static;
    reader_map_add(r, &r->funcs, key, f);
    f->result = reader_type(r, clang_getResultType(type));
    int n = clang_getNumArgTypes(type);
    f->nparams = n > 0 ? (uint32_t)n : 0;
    f->params = ARENA_ARRAY(r->arena, struct ast_var *, f->nparams);
    for (uint32_t i = 0; i < f->nparams; i++) {
        CXType param = clang_getArgType(type, i);
        f->params[i] = new_var(r, "", reader_type_value(r, param), AST_PARAM);
    }
    if (r->ndeclared == r->declared_room) {
        uint32_t room = r->declared_room ? r->declared_room * 2 : 32;
        struct ast_func **more = ARENA_ARRAY(r->arena, struct ast_func *, room);
        if (r->ndeclared) memcpy(more, r->declared, r->ndeclared * sizeof *more);
        r->declared = more;
        r->declared_room = room;
    }
    r->declared[r->ndeclared++] = f;
    return f;
}

static struct ast_var *param(struct reader *r, CXCursor decl) {
    CXType type = clang_getCursorType(decl);
    const struct ast_type *t = reader_type_value(r, type);
    struct ast_var *v = new_var(r, reader_string(r, clang_getCursorSpelling(decl)), t, AST_PARAM);
    bool array = type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
    v->quals = array ? 0 : reader_type_quals(type);
    v->loc = reader_text_place(r, decl);
    v->type_name = reader_type_written(r, type);
    v->access = t->kind == AST_IMAGE ? t->image_access : ISA_ACCESS_NONE;
    reader_map_add(r, &r->vars, decl.data[0], v);
    return v;
}

static void define(struct reader *r, CXCursor decl, struct ast_func *f) {
    struct reader_kids kids;
    r->here = f->loc = reader_text_place(r, decl);
    int n = clang_Cursor_getNumArguments(decl);
    f->nparams = n > 0 ? (uint32_t)n : 0;
    f->params = ARENA_ARRAY(r->arena, struct ast_var *, f->nparams);
    for (uint32_t i = 0; i < f->nparams; i++)
        f->params[i] = param(r, clang_Cursor_getArgument(decl, i));
    r->function = f;
    reader_children(r, decl, &kids);
    for (unsigned i = 0; i < kids.n; i++)
        if (kids.at[i].kind == CXCursor_CompoundStmt) f->body = reader_stmt(r, kids.at[i]);
    r->function = NULL;
    if (!f->body) reader_fail(r, f->loc, "function '%s' has a body that is not supported", f->name);
    reader_check_func(r, f);
    r->unit->funcs[r->unit->nfuncs++] = f;
}

static void function(struct reader *r, CXCursor decl) {
    struct reader_kids kids;
    r->here = reader_text_place(r, decl);
    struct ast_func *f = reader_decl_func(r, decl);
    reader_attribute_function(r, decl, f);
    if (clang_Cursor_getStorageClass(decl) == CX_SC_Static) f->is_static = true;
    if (clang_Cursor_isFunctionInlined(decl)) f->is_inline = true;
    reader_children(r, decl, &kids); /* clang_isCursorDefinition looks at every declaration */
    for (unsigned i = 0; i < kids.n; i++)
        if (kids.at[i].kind == CXCursor_CompoundStmt) define(r, decl, f);
}

/* ---- the whole unit ---- */

static void variable(struct reader *r, CXCursor decl) {
    bool known = reader_map_find(&r->vars, clang_getCanonicalCursor(decl).data[0]);
    struct ast_var *v = reader_decl_var(r, decl);
    if (clang_Cursor_getStorageClass(decl) == CX_SC_Static) v->is_static = true;
    if (!known) r->unit->constants[r->unit->nconstants++] = v;
}

static void declaration(struct reader *r, CXCursor c) {
    switch (c.kind) {
    case CXCursor_FunctionDecl: function(r, c); break;
    case CXCursor_VarDecl: variable(r, c); break;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_StaticAssert: break;
    default:
        if (!reader_text_is(r, reader_text_find(r, reader_text_start(c)), ";"))
            reader_fail(r, reader_text_place(r, c), "this declaration is not supported");
    }
}

void reader_decl_unit(struct reader *r) {
    struct reader_kids kids;
    struct ast_unit *u = r->unit;
    reader_children(r, clang_getTranslationUnitCursor(r->tu), &kids);
    u->funcs = ARENA_ARRAY(r->arena, struct ast_func *, kids.n);
    u->constants = ARENA_ARRAY(r->arena, struct ast_var *, kids.n);
    for (unsigned i = 0; i < kids.n; i++)
        if (reader_text_start(kids.at[i]) >= r->text.begin) declaration(r, kids.at[i]);
    reader_check_recursion(r);
    uint32_t defined = u->nfuncs;
    struct ast_func **all = ARENA_ARRAY(r->arena, struct ast_func *, defined + r->ndeclared);
    if (defined) memcpy(all, u->funcs, defined * sizeof *all);
    for (uint32_t i = 0; i < r->ndeclared; i++)
        if (!r->declared[i]->body) all[u->nfuncs++] = r->declared[i];
    u->funcs = all;
    u->fp_contract_off = r->text.contract_off;
}
