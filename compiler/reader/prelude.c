#include "prelude.h"

#include "readerstate.h"

#include <stdio.h>
#include <string.h>

static const struct element {
    const char *name;
    const char *definition; /* NULL: a keyword of clang's */
} elements[] = {
    {"char", NULL},  {"uchar", "unsigned char"}, {"short", NULL}, {"ushort", "unsigned short"},
    {"int", NULL},   {"uint", "unsigned int"},   {"long", NULL},  {"ulong", "unsigned long"},
    {"float", NULL}, {"double", NULL},           {"half", NULL},
};
enum { NELEMENTS = sizeof elements / sizeof *elements, DOUBLE = 9, HALF = 10 };
static const unsigned widths[] = {2, 3, 4, 8, 16};
enum { NWIDTHS = sizeof widths / sizeof *widths };

/* Flag 3 makes the prelude a system header to clang: no warning about it, and a program may define
 * `uint` once more. */
static const char head[] = "# 1 \"<prelude>\" 3\n"
                           "#define __opencl_c_named_address_space_builtins 1\n"
                           "typedef unsigned int size_t, uintptr_t, cl_mem_fence_flags; typedef "
                           "int ptrdiff_t, intptr_t;\n";
static const char print[] =
    "int printf(__constant const char *restrict, ...) __attribute__((format(printf, 1, 2)));\n";
/* One half alone is aligned as it is: clang declares these for vectors only. */
static const char halves[] = "#define vloada_half vload_half\n"
                             "#define vstorea_half vstore_half\n"
                             "#define vstorea_half_rte vstore_half_rte\n"
                             "#define vstorea_half_rtz vstore_half_rtz\n"
                             "#define vstorea_half_rtp vstore_half_rtp\n"
                             "#define vstorea_half_rtn vstore_half_rtn\n";
static const char tail[] = "# 1 \"<program source>\"\n";

static bool is_own(uint32_t own, const char *element, unsigned width) {
    char name[16];
    int n = snprintf(name, sizeof name, "%s%u", element, width);
    return reader_names_is_own(own, name, (size_t)n);
}

const char *prelude_text(struct arena *arena, bool doubles, bool reinterpretations, uint32_t own,
                         const char *macros, size_t *length) {
    size_t room = sizeof head + sizeof print + sizeof halves + sizeof tail + strlen(macros) +
                  NELEMENTS * (NWIDTHS + 1) * 160;
    char *text = arena_alloc(arena, room), *end = stpcpy(text, head);
    if (!reader_names_is_own(own, "printf", 6)) end = stpcpy(end, print);
    for (unsigned i = 0; i < NELEMENTS; i++) {
        const struct element *e = &elements[i];
        if (i == DOUBLE && !doubles) continue;
        if (e->definition)
            end += snprintf(end, room - (size_t)(end - text), "typedef %s %s;\n", e->definition,
                            e->name);
        for (unsigned w = 0; i != HALF && w < NWIDTHS; w++) {
            if (is_own(own, e->name, widths[w])) continue;
            end += snprintf(end, room - (size_t)(end - text),
                            "typedef %s %s%u __attribute__((ext_vector_type(%u)));\n", e->name,
                            e->name, widths[w], widths[w]);
        }
        if (!reinterpretations) continue;
        end +=
            snprintf(end, room - (size_t)(end - text),
                     "#define as_%s(x) __builtin_astype(((void)0, (x)), %s)\n", e->name, e->name);
        for (unsigned w = 0; i != HALF && w < NWIDTHS; w++) {
            if (is_own(own, e->name, widths[w])) continue;
            end += snprintf(end, room - (size_t)(end - text),
                            "#define as_%s%u(x) __builtin_astype(((void)0, (x)), %s%u)\n", e->name,
                            widths[w], e->name, widths[w]);
        }
    }
    end = stpcpy(end, halves);
    end = stpcpy(stpcpy(end, macros), tail);
    *length = (size_t)(end - text);
    return text;
}

bool prelude_reinterprets(const char *name, size_t length) {
    for (unsigned i = 0; i < NELEMENTS; i++) {
        size_t n = strlen(elements[i].name);
        if (length < n || memcmp(name, elements[i].name, n) != 0) continue;
        if (length == n) return true;
        for (unsigned w = 0; i != HALF && w < NWIDTHS; w++) {
            char digits[4];
            size_t d = (size_t)snprintf(digits, sizeof digits, "%u", widths[w]);
            if (length == n + d && memcmp(name + n, digits, d) == 0) return true;
        }
    }
    return false;
}
