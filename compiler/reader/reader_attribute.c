/* Attributes and loop pragmas: libclang shows that they are there, the tokens show what they say.
 */
#include <stdlib.h>
#include <string.h>

#include "readerstate.h"

struct argument {
    uint32_t first, end;
}; /* tokens */

/* Splits what stands between the bracket at `open` and the one that closes it at the commas. */
static unsigned arguments(const struct reader *r, uint32_t open, struct argument *out,
                          unsigned room) {
    uint32_t close = reader_text_close(r, open), first = open + 1;
    unsigned n = 0;
    for (uint32_t i = first; i <= close && i < r->text.ntokens; i++) {
        if (i < close && reader_text_is(r, i, "(")) i = reader_text_close(r, i);
        if (i != close && !reader_text_is(r, i, ",")) continue;
        if (n < room && i > first) out[n++] = (struct argument){.first = first, .end = i};
        first = i + 1;
    }
    return n;
}

static char *text_of(struct reader *r, struct argument a) {
    size_t room = 1;
    for (uint32_t i = a.first; i < a.end; i++)
        room += r->text.tokens[i].end - r->text.tokens[i].start + 1u;
    char *text = arena_alloc(r->arena, room), *out = text;
    for (uint32_t i = a.first; i < a.end; i++) {
        const struct token *k = &r->text.tokens[i];
        bool words = i > a.first && k->kind == TOKEN_WORD && k[-1].kind == TOKEN_WORD;
        if (words) *out++ = ' ';
        memcpy(out, r->text.text + k->start, k->end - k->start);
        out += k->end - k->start;
    }
    return text;
}

/* Attribute names may be written with __ around them. */
static char *plain_name(struct reader *r, uint32_t token) {
    char *name = reader_text_token(r, token);
    size_t n = strlen(name);
    if (n > 4 && strncmp(name, "__", 2) == 0 && strcmp(name + n - 2, "__") == 0)
        return arena_strndup(r->arena, name + 2, n - 4);
    return name;
}

static const struct ast_type *named_type(struct reader *r, const char *name) {
    static const struct {
        const char *name;
        enum ast_type_kind kind;
    } names[] = {{"unsigned char", AST_UCHAR}, {"unsigned short", AST_USHORT},
                 {"unsigned int", AST_UINT},   {"unsigned long", AST_ULONG},
                 {"unsigned", AST_UINT},       {"char", AST_CHAR},
                 {"uchar", AST_UCHAR},         {"short", AST_SHORT},
                 {"ushort", AST_USHORT},       {"int", AST_INT},
                 {"uint", AST_UINT},           {"long", AST_LONG},
                 {"ulong", AST_ULONG},         {"half", AST_HALF},
                 {"float", AST_FLOAT},         {"double", AST_DOUBLE}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i].name);
        if (strncmp(name, names[i].name, n) != 0) continue;
        const struct ast_type *t = ast_scalar(r->unit, names[i].kind);
        unsigned count = (unsigned)atoi(name + n);
        if (name[n] == 0) return t;
        if (count == 2 || count == 3 || count == 4 || count == 8 || count == 16)
            return ast_vector(r->unit, t, count);
    }
    return NULL;
}

/* A type of the program's own, by typedef or tag; NULL: none at program scope. */
static const struct ast_type *declared_type(struct reader *r, const char *name) {
    struct reader_kids kids;
    reader_children(r, clang_getTranslationUnitCursor(r->tu), &kids);
    for (unsigned i = kids.n; i-- > 0;) {
        enum CXCursorKind k = kids.at[i].kind;
        if (k != CXCursor_TypedefDecl && k != CXCursor_StructDecl && k != CXCursor_UnionDecl)
            continue;
        if (strcmp(reader_string(r, clang_getCursorSpelling(kids.at[i])), name) == 0)
            return reader_type_of(r, kids.at[i]);
    }
    return NULL;
}

static bool declared_constant(struct reader *r, const char *name, int64_t *value) {
    struct reader_kids kids, inner;
    reader_children(r, clang_getTranslationUnitCursor(r->tu), &kids);
    for (unsigned i = 0; i < kids.n; i++) {
        if (kids.at[i].kind != CXCursor_EnumDecl) continue;
        reader_children(r, kids.at[i], &inner);
        for (unsigned j = 0; j < inner.n; j++) {
            if (strcmp(reader_string(r, clang_getCursorSpelling(inner.at[j])), name) != 0) continue;
            *value = clang_getEnumConstantDeclValue(inner.at[j]);
            return true;
        }
    }
    return false;
}

/* The argument's text with numbers in place of sizeof(type) and enumerators. */
static const char *constant_text(struct reader *r, struct argument a) {
    const char *text = "";
    for (uint32_t i = a.first; i < a.end; i++) {
        const char *word = text_of(r, (struct argument){i, i + 1});
        int64_t value;
        if (reader_text_is(r, i, "sizeof") && reader_text_is(r, i + 1, "(")) {
            struct argument inner = {i + 2, reader_text_close(r, i + 1)};
            if (inner.end >= a.end) return word;
            if (reader_text_is(r, inner.first, "struct") || reader_text_is(r, inner.first, "union"))
                inner.first++;
            const char *name = text_of(r, inner);
            const struct ast_type *t = named_type(r, name);
            if (!t) t = declared_type(r, name);
            if (!t) return word;
            word = arena_printf(r->arena, "%u", t->size);
            i = inner.end;
        } else if (r->text.tokens[i].kind == TOKEN_WORD && declared_constant(r, word, &value)) {
            word = arena_printf(r->arena, "(%lld)", (long long)value);
        }
        text = arena_printf(r->arena, "%s %s", text, word);
    }
    return text;
}

static void sizes(struct reader *r, uint32_t open, uint32_t out[3]) {
    struct argument a[3];
    unsigned n = arguments(r, open, a, 3);
    for (unsigned i = 0; i < n; i++) {
        const char *text = constant_text(r, a[i]);
        int64_t value;
        if (!preprocess_evaluate(text, strlen(text), &value) || value < 0 || value > UINT32_MAX)
            reader_fail(r, reader_text_loc(r, r->text.tokens[a[i].first].start),
                        "'%s' is not an integer constant that an attribute may have",
                        text_of(r, a[i]));
        out[i] = (uint32_t)value;
    }
}

/* 6.7.2: what an attribute says of a kernel, and its text for CL_KERNEL_ATTRIBUTES. */
static void kernel_attribute(struct reader *r, struct ast_func *f, uint32_t token) {
    const char *name = plain_name(r, token);
    uint32_t open = token + 1;
    if (!reader_text_is(r, open, "(")) return;
    if (strcmp(name, "reqd_work_group_size") == 0)
        sizes(r, open, f->required_size);
    else if (strcmp(name, "work_group_size_hint") == 0)
        sizes(r, open, f->size_hint);
    else if (strcmp(name, "vec_type_hint") == 0)
        f->vec_type_hint =
            named_type(r, text_of(r, (struct argument){open + 1, reader_text_close(r, open)}));
    else
        return;
    const char *text = text_of(r, (struct argument){open, reader_text_close(r, open) + 1});
    const char *entry = arena_printf(r->arena, "%s%s", name, text);
    if (strstr(f->attributes, entry)) return; /* the prototype said it as well */
    f->attributes =
        arena_printf(r->arena, "%s%s%s", f->attributes, *f->attributes ? " " : "", entry);
}

void reader_attribute_function(struct reader *r, CXCursor decl, struct ast_func *f) {
    struct reader_kids kids;
    reader_children(r, decl, &kids);
    for (unsigned i = 0; i < kids.n; i++) {
        if (!clang_isAttribute(kids.at[i].kind)) continue;
        uint32_t start = reader_text_start(kids.at[i]);
        if (start < r->text.begin) continue; /* clang's own */
        uint32_t token = reader_text_find(r, start);
        if (reader_text_is(r, token, "__kernel") || reader_text_is(r, token, "kernel"))
            f->is_kernel = true;
        else
            kernel_attribute(r, f, token);
    }
}

uint32_t reader_attribute_align(struct reader *r, CXCursor decl, uint32_t align) {
    struct reader_kids kids;
    reader_children(r, decl, &kids);
    for (unsigned i = 0; i < kids.n; i++) {
        if (!clang_isAttribute(kids.at[i].kind)) continue;
        uint32_t token = reader_text_find(r, reader_text_start(kids.at[i]));
        if (strcmp(plain_name(r, token), "aligned") != 0) continue;
        uint32_t wanted[3] = {16}; /* aligned without a number */
        if (reader_text_is(r, token + 1, "(")) sizes(r, token + 1, wanted);
        if (wanted[0] > align) align = wanted[0];
    }
    return align;
}

/* ---- loops ---- */

static bool take(const char **p, const char *word) {
    while (**p == ' ' || **p == '\t') ++*p;
    size_t n = strlen(word);
    if (strncmp(*p, word, n) != 0) return false;
    *p += n;
    return true;
}

static uint32_t factor(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '(') p++;
    if (*p < '0' || *p > '9') return UINT32_MAX;
    unsigned long n = strtoul(p, NULL, 0);
    return n == 0 ? 1 : n >= UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static uint32_t pragma_unroll(const struct reader *r, uint32_t token) {
    const struct token *k = &r->text.tokens[token];
    char line[128]; /* enough for any of these; pragmas end at the line's end */
    size_t n = k->end - k->start < sizeof line - 1 ? k->end - k->start : sizeof line - 1;
    memcpy(line, r->text.text + k->start, n);
    line[n] = 0;
    const char *p = line;
    take(&p, "#");
    take(&p, "pragma");
    if (take(&p, "nounroll")) return 1;
    if (take(&p, "clang")) {
        if (!take(&p, "loop")) return 0;
        if (take(&p, "unroll_count")) return factor(p);
        if (!take(&p, "unroll")) return 0;
        return take(&p, "(disable") || take(&p, "( disable") ? 1 : UINT32_MAX;
    }
    return take(&p, "unroll") ? factor(p) : 0;
}

/* __attribute__((opencl_unroll_hint(n))) whose last bracket is at `close`; *first: where it begins.
 */
static uint32_t attribute_unroll(const struct reader *r, uint32_t close, uint32_t *first) {
    uint32_t i = close;
    while (i > 0 && !reader_text_is(r, i, "__attribute__") &&
           !reader_text_is(r, i, "__attribute") && !reader_text_is(r, i, ";") &&
           !reader_text_is(r, i, "}") && !reader_text_is(r, i, "{"))
        i--;
    *first = i;
    if (!reader_text_is(r, i, "__attribute__") && !reader_text_is(r, i, "__attribute")) {
        *first = 0; /* something else ended there: stop looking */
        return 0;
    }
    for (uint32_t k = i; k < close; k++) {
        if (!reader_text_is(r, k, "opencl_unroll_hint") &&
            !reader_text_is(r, k, "__opencl_unroll_hint__"))
            continue;
        if (!reader_text_is(r, k + 1, "(")) return UINT32_MAX;
        uint32_t end = reader_text_close(r, k + 1);
        if (end >= r->text.ntokens || end == k + 2) return UINT32_MAX;
        const char *from = r->text.text + r->text.tokens[k + 2].start;
        int64_t n;
        if (!preprocess_evaluate(from, r->text.tokens[end].start - r->text.tokens[k + 2].start, &n))
            return 0;
        return n <= 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
    }
    return 0;
}

uint32_t reader_attribute_unroll(const struct reader *r, CXCursor loop) {
    uint32_t i = reader_text_find(r, reader_text_start(loop));
    while (i-- > 0) {
        uint32_t n;
        if (r->text.tokens[i].kind == TOKEN_PRAGMA) {
            if ((n = pragma_unroll(r, i))) return n;
        } else if (i >= 2 && reader_text_is(r, i, ")") && reader_text_is(r, i - 1, ")")) {
            if ((n = attribute_unroll(r, i, &i))) return n;
        } else {
            break;
        }
    }
    return 0;
}
