/* Names that came with a later OpenCL C than the program's: a program may have them for its own.
 * Where it does not declare one itself, it may use what the name means later, as drivers of the
 * time let it. Whether it does is read off the tokens: a declared name stands behind a type, and
 * before what ends a declarator. */
#include <string.h>

#include "readerstate.h"

static const struct {
    const char *name;
    unsigned since; /* version of OpenCL C */
    bool keyword;   /* clang's, else a typedef or function of the prelude */
} later[] = {
    {"char3", 110, false},          {"uchar3", 110, false},         {"short3", 110, false},
    {"ushort3", 110, false},        {"int3", 110, false},           {"uint3", 110, false},
    {"long3", 110, false},          {"ulong3", 110, false},         {"float3", 110, false},
    {"double3", 110, false},        {"vec_step", 110, true},        {"printf", 120, false},
    {"image1d_t", 120, true},       {"image1d_array_t", 120, true}, {"image1d_buffer_t", 120, true},
    {"image2d_array_t", 120, true},
};
enum { LATER = sizeof later / sizeof *later };
_Static_assert(LATER <= 32, "they are bits of a mask");

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int find(const char *s, size_t n) {
    for (int i = 0; i < LATER; i++)
        if (strlen(later[i].name) == n && memcmp(later[i].name, s, n) == 0) return i;
    return -1;
}

static bool one_of(const char *s, size_t n, const char *const *list, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (strlen(list[i]) == n && memcmp(list[i], s, n) == 0) return true;
    return false;
}

/* Behind these a name is no declarator, but a type, a tag or part of an expression. */
static bool no_type(const char *s, size_t n) {
    static const char *const words[] = {
        "return",    "case",        "sizeof",     "else",         "do",      "goto",
        "const",     "volatile",    "restrict",   "static",       "inline",  "extern",
        "typedef",   "struct",      "union",      "enum",         "global",  "__global",
        "local",     "__local",     "constant",   "__constant",   "private", "__private",
        "read_only", "__read_only", "write_only", "__write_only", "kernel",  "__kernel"};
    return one_of(s, n, words, sizeof words / sizeof *words);
}

/* The last thing that is no blank in [begin, p); a word as a whole. */
static const char *before(const char *begin, const char *p, size_t *n) {
    while (p > begin && strchr(" \t\r\n\f\v", p[-1])) p--;
    const char *end = p;
    if (p > begin) p--;
    while (is_word(*p) && p > begin && is_word(p[-1])) p--;
    *n = (size_t)(end - p);
    return p;
}

/* Is the name in [p, end) declared there? file_scope: outside of braces. */
static bool declares(const char *begin, const char *p, const char *end, const char *all_end,
                     bool keyword, bool file_scope) {
    size_t n;
    const char *last = before(begin, p, &n);
    if (!n) return false;
    while (end < all_end && strchr(" \t\r\n\f\v", *end)) end++;
    bool starred = *last == '*' && (file_scope || (end < all_end && *end != '('));
    bool typed = is_word(*last) ? !no_type(last, n) && !(*last >= '0' && *last <= '9')
                                : *last == '}' || starred;
    static const char attribute[] = "__attribute__";
    size_t left = (size_t)(all_end - end);
    bool attributed = left > sizeof attribute && memcmp(end, attribute, sizeof attribute - 1) == 0;
    if (!typed || !left || (!attributed && !strchr(";=,([)", *end))) return false;
    return keyword || file_scope;
}

uint32_t reader_names_own(const char *text, size_t length, unsigned cl_std) {
    uint32_t own = 0;
    unsigned braces = 0, brackets = 0;
    const char *end = text + length;
    if (cl_std >= 120) return 0;
    for (const char *p = text; p < end;) {
        if (!is_word(*p)) {
            braces += *p == '{';
            braces -= *p == '}' && braces;
            brackets += *p == '(';
            brackets -= *p == ')' && brackets;
            p++;
            continue;
        }
        const char *stop = p;
        while (stop < end && is_word(*stop)) stop++;
        int i = find(p, (size_t)(stop - p));
        if (i >= 0 && later[i].since > cl_std &&
            declares(text, p, stop, end, later[i].keyword, !braces && !brackets))
            own |= 1u << i;
        p = stop;
    }
    return own;
}

bool reader_names_is_own(uint32_t own, const char *s, size_t n) {
    int i = own ? find(s, n) : -1;
    return i >= 0 && own >> i & 1;
}

bool reader_names_renamed(uint32_t own, const char *s, size_t n) {
    int i = own ? find(s, n) : -1;
    return i >= 0 && own >> i & 1 && later[i].keyword;
}
