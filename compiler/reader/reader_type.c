/* clang's types to the AST's. A clang type is found by the address of its canonical form. */
#include <string.h>

#include "device/isa/isa.h"
#include "readerstate.h"

/* LangAS as libclang gives it; 0 is what has no address space (rvalues, literals). */
enum ast_space reader_type_space(CXType t) {
    if (t.kind == CXType_Invalid) return AST_PRIVATE;
    switch (clang_getAddressSpace(t)) {
    case 1: return AST_GLOBAL;
    case 2: return AST_LOCAL;
    case 3: return AST_CONSTANT;
    default: return AST_PRIVATE; /* 4; and 5, generic: the event lists of clang's builtins */
    }
}

unsigned reader_type_quals(CXType t) {
    if (t.kind == CXType_Invalid) return 0;
    unsigned q = (clang_isConstQualifiedType(t) ? AST_CONST : 0) |
                 (clang_isVolatileQualifiedType(t) ? AST_VOLATILE : 0) |
                 (clang_isRestrictQualifiedType(t) ? AST_RESTRICT : 0);
    t = clang_getCanonicalType(t);
    if (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray)
        q |= (clang_isConstQualifiedType(t) ? AST_CONST : 0) | /* where what is canonical has it */
             reader_type_quals(clang_getArrayElementType(t));  /* it is as const as its elements */
    return q;
}

static const struct scalar {
    enum CXTypeKind from;
    enum ast_type_kind to;
} scalars[] = {
    {CXType_Void, AST_VOID},          {CXType_Bool, AST_BOOL},       {CXType_Char_S, AST_CHAR},
    {CXType_SChar, AST_CHAR},         {CXType_Char_U, AST_UCHAR},    {CXType_UChar, AST_UCHAR},
    {CXType_Short, AST_SHORT},        {CXType_UShort, AST_USHORT},   {CXType_Int, AST_INT},
    {CXType_UInt, AST_UINT},          {CXType_Long, AST_LONG},       {CXType_ULong, AST_ULONG},
    {CXType_LongLong, AST_LONG},      {CXType_ULongLong, AST_ULONG}, {CXType_Half, AST_HALF},
    {CXType_Float16, AST_HALF},       {CXType_Float, AST_FLOAT},     {CXType_Double, AST_DOUBLE},
    {CXType_OCLSampler, AST_SAMPLER}, {CXType_OCLEvent, AST_EVENT},
};

#define IMAGE(name, dim)                                                                           \
    {CXType_OCLImage##name##RO, dim, ISA_ACCESS_READ_ONLY},                                        \
        {CXType_OCLImage##name##WO, dim, ISA_ACCESS_WRITE_ONLY}, {                                 \
        CXType_OCLImage##name##RW, dim, ISA_ACCESS_READ_WRITE                                      \
    }
static const struct image {
    enum CXTypeKind from;
    uint8_t dim, access;
} images[] = {
    IMAGE(1d, ISA_DIM_1D), IMAGE(1dArray, ISA_DIM_1D_ARRAY), IMAGE(1dBuffer, ISA_DIM_1D_BUFFER),
    IMAGE(2d, ISA_DIM_2D), IMAGE(2dArray, ISA_DIM_2D_ARRAY), IMAGE(3d, ISA_DIM_3D),
};

struct fields {
    CXCursor *at;
    unsigned n;
    bool fill;
};

static enum CXVisitorResult count_field(CXCursor c, CXClientData data) {
    struct fields *f = data;
    if (f->fill) f->at[f->n] = c;
    f->n++;
    return CXVisit_Continue;
}

static uint32_t measure(struct reader *r, CXType t, long long bytes) {
    if (bytes < 0) return 0; /* incomplete */
    if (bytes > INT32_MAX) {
        CXString name = clang_getTypeSpelling(t);
        reader_fail(r, r->here, "type '%s' is too large", reader_string(r, name));
    }
    return (uint32_t)bytes;
}

static const struct ast_type *record(struct reader *r, CXType t, const void *key) {
    CXCursor decl = clang_getTypeDeclaration(t);
    CXString spelling = clang_getCursorSpelling(decl);
    const char *name = clang_getCString(spelling);
    if (!name || !*name || strchr(name, '(')) name = "(unnamed)";
    struct ast_type *s = ast_struct(r->unit, name, decl.kind == CXCursor_UnionDecl);
    clang_disposeString(spelling);
    reader_map_add(r, &r->types, key, s); /* first: it may point to itself */
    s->size = measure(r, t, clang_Type_getSizeOf(t));
    long long align = clang_Type_getAlignOf(t);
    if (align < 0) return s; /* declared only: good for pointers to it */
    s->align = (uint32_t)align;
    struct fields f = {0};
    clang_Type_visitFields(t, count_field, &f);
    f.at = ARENA_ARRAY(r->arena, CXCursor, f.n);
    f.n = 0;
    f.fill = true;
    clang_Type_visitFields(t, count_field, &f);
    s->fields = ARENA_ARRAY(r->arena, struct ast_field, f.n);
    s->nfields = f.n;
    for (unsigned i = 0; i < f.n; i++) {
        CXType type = clang_getCursorType(f.at[i]);
        char *field = reader_string(r, clang_getCursorSpelling(f.at[i]));
        long long bits = clang_Cursor_getOffsetOfField(f.at[i]);
        bool unnamed = !*field || strchr(field, '(');
        s->fields[i] = (struct ast_field){.name = unnamed ? NULL : field,
                                          .type = reader_type(r, type),
                                          .offset = bits < 0 ? 0 : (uint32_t)(bits / 8),
                                          .quals = reader_type_quals(type)};
    }
    return s;
}

static const struct ast_type *function(struct reader *r, CXType t) {
    int n = clang_getNumArgTypes(t);
    if (n < 0) n = 0;
    const struct ast_type **params = ARENA_ARRAY(r->arena, const struct ast_type *, (size_t)n);
    for (int i = 0; i < n; i++) params[i] = reader_type(r, clang_getArgType(t, (unsigned)i));
    return ast_function(r->unit, reader_type(r, clang_getResultType(t)), params, (uint32_t)n);
}

static const struct ast_type *convert(struct reader *r, CXType t, const void *key) {
    for (unsigned i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (t.kind == scalars[i].from) return ast_scalar(r->unit, scalars[i].to);
    for (unsigned i = 0; i < sizeof images / sizeof *images; i++) {
        if (t.kind != images[i].from) continue;
        const struct ast_type *type = ast_image(r->unit, images[i].dim, images[i].access);
        bool old = images[i].dim == ISA_DIM_2D || images[i].dim == ISA_DIM_3D;
        if (!old && r->options->cl_std < 120)
            reader_error(r, r->here, "type '%s' needs OpenCL C 1.2", type->name);
        return type;
    }
    CXType elem;
    switch (t.kind) {
    case CXType_Pointer:
        elem = clang_getPointeeType(t);
        return ast_pointer(r->unit, reader_type(r, elem), reader_type_space(elem),
                           reader_type_quals(elem));
    case CXType_ConstantArray:
        elem = clang_getArrayElementType(t);
        measure(r, t, clang_Type_getSizeOf(t));
        return ast_array(r->unit, reader_type(r, elem), (uint32_t)clang_getArraySize(t));
    case CXType_IncompleteArray:
        return ast_array(r->unit, reader_type(r, clang_getArrayElementType(t)), 0);
    case CXType_Vector:
    case CXType_ExtVector:
        return ast_vector(r->unit, reader_type(r, clang_getElementType(t)),
                          (uint32_t)clang_getNumElements(t));
    case CXType_Enum:
        return reader_type(r, clang_getEnumDeclIntegerType(clang_getTypeDeclaration(t)));
    case CXType_Record: return record(r, t, key);
    case CXType_FunctionProto:
    case CXType_FunctionNoProto: return function(r, t);
    default: break;
    }
    CXString name = clang_getTypeSpelling(t);
    reader_fail(r, r->here, "type '%s' is not supported", reader_string(r, name));
}

const struct ast_type *reader_type(struct reader *r, CXType t) {
    t = clang_getUnqualifiedType(clang_getCanonicalType(t));
    const void *key = t.data[0];
    struct ast_type *known = reader_map_find(&r->types, key);
    if (known) return known;
    if (++r->depth > READER_DEPTH) reader_fail(r, r->here, "type nested too deeply");
    const struct ast_type *type = convert(r, t, key);
    r->depth--;
    if (t.kind != CXType_Record) reader_map_add(r, &r->types, key, (void *)type);
    return type;
}

const struct ast_type *reader_type_of(struct reader *r, CXCursor c) {
    return reader_type(r, clang_getCursorType(c));
}

const struct ast_type *reader_type_value(struct reader *r, CXType type) {
    const struct ast_type *t = reader_type(r, type);
    if (t->kind != AST_ARRAY) return t;
    return ast_pointer(r->unit, t->elem, reader_type_space(type), reader_type_quals(type));
}

/* ---- as written ---- */

static bool drop_word(char *text, const char *word) {
    size_t n = strlen(word);
    for (char *p = text; (p = strstr(p, word)); p++) {
        bool begins = p == text || p[-1] == ' ' || p[-1] == '*' || p[-1] == '(';
        if (!begins || (p[n] && !strchr(" *)[", p[n]))) continue;
        char *rest = p + n;
        while (*rest == ' ') rest++;
        memmove(p, rest, strlen(rest) + 1);
        return true;
    }
    return false;
}

/* 1.2, 5.7.3: the type name without qualifiers; a pointer's is its pointee's with a *. Unsigned
 * types go by OpenCL's names. */
const char *reader_type_written(struct reader *r, CXType t) {
    static const char *const dropped[] = {"__global",    "__local",      "__constant",  "__private",
                                          "__generic",   "const",        "volatile",    "restrict",
                                          "__read_only", "__write_only", "__read_write"};
    static const char *const shorter[][2] = {
        {"unsigned char", "uchar"}, {"unsigned short", "ushort"}, {"unsigned int", "uint"},
        {"unsigned long", "ulong"}, {"unsigned", "uint"},         {"signed char", "char"}};
    unsigned stars = 0;
    while (t.kind == CXType_Pointer || t.kind == CXType_ConstantArray ||
           t.kind == CXType_IncompleteArray) {
        stars += t.kind == CXType_Pointer || stars == 0;
        t = t.kind == CXType_Pointer ? clang_getPointeeType(t) : clang_getArrayElementType(t);
    }
    char *text = reader_string(r, clang_getTypeSpelling(t));
    for (unsigned i = 0; i < sizeof dropped / sizeof *dropped; i++)
        while (drop_word(text, dropped[i])) {
        }
    text[strcspn(text, "(")] = 0; /* where an unnamed type stands is no part of its name */
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' ';) text[--n] = 0;
    for (unsigned i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (strcmp(text, shorter[i][0]) == 0) text = arena_strdup(r->arena, shorter[i][1]);
    char *stars_text = arena_alloc(r->arena, stars + 1u);
    memset(stars_text, '*', stars);
    return arena_printf(r->arena, "%s%s", text, stars_text);
}
