/* What the ways of calling built-in functions have in common: types, what is in the buffers, and
 * the text of kernels. */
#include "coverage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_context coverage_context;
cl_command_queue coverage_queue;
uint8_t coverage_memory[BUFFERS][BYTES];

void coverage_fatal(const char *what, int code) {
    fprintf(stderr, "coverage: %s (%d)\n", what, code);
    exit(2);
}

/* ---- types and layout ---- */

struct coverage_type coverage_parse(const char *text) {
    static const struct {
        const char *name;
        enum ast_type_kind kind;
    } names[] = {{"char", AST_CHAR},     {"uchar", AST_UCHAR},  {"short", AST_SHORT},
                 {"ushort", AST_USHORT}, {"int", AST_INT},      {"uint", AST_UINT},
                 {"long", AST_LONG},     {"ulong", AST_ULONG},  {"half", AST_HALF},
                 {"float", AST_FLOAT},   {"double", AST_DOUBLE}};
    struct coverage_type t = {.kind = AST_VOID, .count = 1};
    char word[24] = "";
    if (text[0] == '_')
        sscanf(text, "%15s %23s", t.space, word);
    else
        sscanf(text, "%23s", word);
    t.pointer = strchr(text, '*') != NULL;
    snprintf(t.name, sizeof t.name, "%s", word);
    size_t n = strcspn(word, "0123456789");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && strncmp(names[i].name, word, n) == 0) {
            t.kind = names[i].kind;
            if (word[n]) t.count = (unsigned)atoi(word + n);
        }
    return t;
}

bool coverage_is_void(const struct coverage_type *t) { return strcmp(t->name, "void") == 0; }
unsigned coverage_stride(const struct coverage_type *t) { return t->count == 3 ? 4 : t->count; }

struct reference_number coverage_component(unsigned buffer, const struct coverage_type *t,
                                           size_t index) {
    struct reference_number n = {.kind = t->kind};
    unsigned size = reference_size(t->kind);
    memcpy(&n.bits, coverage_memory[buffer] + index * size, size);
    return n;
}

void coverage_store(unsigned buffer, const struct coverage_type *t, size_t index, uint64_t bits) {
    unsigned size = reference_size(t->kind);
    memcpy(coverage_memory[buffer] + index * size, &bits, size);
}

static void show(char *text, size_t size, struct reference_number n) {
    if (reference_is_real(n.kind))
        snprintf(text, size, "%La", reference_real(n));
    else
        snprintf(text, size, "%#llx", (unsigned long long)n.bits);
}

/* Says once for each function what is wrong. */
bool coverage_wrong(const struct coverage_test *t, unsigned item, unsigned c, const struct want *w,
                    struct reference_number got, const struct reference_number *args) {
    char signature[200], text[64];
    builtin_signature(&t->c, signature, sizeof signature);
    show(text, sizeof text, got);
    printf("FAILED %s: item %u component %u gives %s", signature, item, c, text);
    if (w->real)
        printf(", not %La (%g ulp)", w->value, w->ulp);
    else
        printf(", not %#llx", (unsigned long long)w->bits);
    for (unsigned i = 0; args && i < t->c.nargs; i++) {
        show(text, sizeof text, args[i]);
        printf("%s%s", i ? ", " : " for (", text);
    }
    puts(args ? ")" : "");
    return false;
}

bool coverage_same(const struct coverage_test *t, unsigned item, unsigned c, uint64_t bits,
                   struct reference_number got) {
    struct want w = {.bits = bits};
    return reference_accepts(&w, got) || coverage_wrong(t, item, c, &w, got, NULL);
}

uint64_t coverage_real_bits(enum ast_type_kind kind, double x) {
    float f = (float)x;
    uint64_t bits = 0;
    if (kind == AST_FLOAT)
        memcpy(&bits, &f, 4);
    else
        memcpy(&bits, &x, 8);
    return bits;
}

/* ---- text ---- */

void coverage_add(char *text, size_t size, const char *format, ...) {
    size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + n, size - n, format, list);
    va_end(list);
}

/* The call, argument i as an element of buffer i; `last` in place of the last when given. */
void coverage_call(const struct coverage_test *t, char *text, size_t size, const char *last) {
    coverage_add(text, size, "%s(", t->c.name);
    for (unsigned a = 0; a < t->c.nargs; a++) {
        if (a) coverage_add(text, size, ", ");
        if (last && a + 1 == t->c.nargs)
            coverage_add(text, size, "%s", last);
        else
            coverage_add(text, size, "((global %s *)b%u)[i]", t->args[a].name, a);
    }
    coverage_add(text, size, ");\n");
}

bool coverage_has(const struct coverage_test *t, const char *letters) {
    return strpbrk(builtin_table[t->c.row].signature, letters) != NULL;
}
