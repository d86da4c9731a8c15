/* Macros whose value is computed where they stand: __LINE__ and its like (C99 6.10.8), and the
 * __has_ family with which programs ask what the compiler knows. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "preprocess_private.h"

enum pp_builtin {
    NOT_BUILTIN,
    LINE,
    FILE_NAME,
    BASE_FILE,
    DATE,
    TIME,
    TIMESTAMP,
    COUNTER,
    INCLUDE_LEVEL,
    HAS_INCLUDE,
    HAS_ATTRIBUTE,
    HAS_NOTHING
};

static const struct {
    const char *name;
    enum pp_builtin builtin;
} table[] = {
    {"__LINE__", LINE},
    {"__FILE__", FILE_NAME},
    {"__BASE_FILE__", BASE_FILE},
    {"__DATE__", DATE},
    {"__TIME__", TIME},
    {"__TIMESTAMP__", TIMESTAMP},
    {"__COUNTER__", COUNTER},
    {"__INCLUDE_LEVEL__", INCLUDE_LEVEL},
    {"__has_include", HAS_INCLUDE},
    {"__has_attribute", HAS_ATTRIBUTE},
    {"__has_builtin", HAS_NOTHING}, /* clang's own builtins are no part of the language */
    {"__has_feature", HAS_NOTHING},
    {"__has_extension", HAS_NOTHING},
    {"__has_warning", HAS_NOTHING},
    {"__has_c_attribute", HAS_NOTHING},
    {"__has_cpp_attribute", HAS_NOTHING},
    {"__has_declspec_attribute", HAS_NOTHING},
};

/* Specification 6.11 of 1.2 (6.10 of 1.0), and opencl_unroll_hint of 2.0. */
static const char *const attributes[] = {
    "aligned",
    "packed",
    "endian",
    "vec_type_hint",
    "work_group_size_hint",
    "reqd_work_group_size",
    "opencl_unroll_hint",
    "always_inline",
    "noinline",
    "unused",
};

void pp_builtins_init(struct pp *pp) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct pp_macro *m = ARENA_NEW(pp->arena, struct pp_macro);
        m->name = pp_intern(pp, table[i].name, strlen(table[i].name));
        m->builtin = table[i].builtin;
        m->function_like = m->builtin >= HAS_INCLUDE;
        m->predefined = true;
        m->name->macro = m;
    }
}

static void text_token(struct pp_token *t, enum pp_kind kind, const char *text) {
    *t = (struct pp_token){.kind = kind, .text = text, .length = (uint32_t)strlen(text)};
}

static void number_token(struct pp *pp, struct pp_token *t, uint64_t n) {
    text_token(t, PP_NUMBER, arena_printf(pp->arena, "%llu", (unsigned long long)n));
}

static void string_token(struct pp *pp, struct pp_token *t, const char *s) {
    struct pp_token raw = {.kind = PP_STRING};
    size_t n = strlen(s);
    char *text = arena_alloc(pp->arena, 2 * n + 3), *end = text;
    *end++ = '"';
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') *end++ = '\\';
        *end++ = *s;
    }
    *end++ = '"';
    raw.text = text;
    raw.length = (uint32_t)(end - text);
    *t = raw;
}

static void time_token(struct pp *pp, struct pp_token *t, const char *format) {
    char text[64] = "";
    time_t now = time(NULL);
    struct tm local;
    pp->untold = true;
    if (localtime_r(&now, &local)) strftime(text, sizeof text, format, &local);
    string_token(pp, t, text);
}

/* `( ... )` of __has_x, unexpanded but for __has_include of a macro. False: it was no call. */
static bool has_argument(struct pp *pp, const struct pp_token *name, struct pp_list *arg) {
    struct pp_token t;
    uint32_t depth = 0;
    bool collecting = pp->collecting;
    pp->collecting = true;
    pp_raw(pp, &t);
    bool opened = pp_is(&t, "(");
    while (opened) {
        pp_raw(pp, &t);
        if (t.kind == PP_EOF || (pp_is(&t, ")") && depth-- == 0)) break;
        if (pp_is(&t, "(")) depth++;
        pp_list_add(pp, arg, &t);
    }
    pp->collecting = collecting;
    if (opened && t.kind != PP_EOF && arg->count) return true;
    pp_report(pp, DIAG_ERROR, name, "%s wants an argument in parentheses", name->name->text);
    return false;
}

static bool has_include(struct pp *pp, struct pp_list *arg, const struct pp_token *name) {
    struct pp_list line = {0};
    if (arg->tokens[0].kind == PP_IDENT)
        pp_expand_list(pp, arg, &line);
    else
        pp_list_add_all(pp, &line, arg->tokens, arg->count);
    bool quoted, found = false;
    const char *file = pp_header_name(pp, &line, &quoted);
    if (file)
        found = pp_file_find(pp, file, quoted, false) != NULL;
    else
        pp_report(pp, DIAG_ERROR, name, "expected \"name\" or <name> in __has_include");
    pp_list_release(pp, &line);
    return found;
}

static bool has_attribute(const struct pp_token *t) {
    const char *name = t->text;
    size_t length = t->length;
    if (length > 4 && memcmp(name, "__", 2) == 0 && memcmp(name + length - 2, "__", 2) == 0) {
        name += 2;
        length -= 4;
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (strlen(attributes[i]) == length && memcmp(attributes[i], name, length) == 0)
            return true;
    return false;
}

bool pp_builtin_expand(struct pp *pp, struct pp_macro *m, const struct pp_token *name,
                       struct pp_token *result) {
    struct pp_list arg = {0};
    bool own_place = (name->flags & PP_PLACED) && !(name->flags & PP_INHERITED), value = false;
    switch ((enum pp_builtin)m->builtin) {
    case NOT_BUILTIN: return false;
    case LINE: number_token(pp, result, own_place ? name->line : pp->site_end_line); break;
    case FILE_NAME: string_token(pp, result, pp->buffer->presumed_name); break;
    case BASE_FILE: string_token(pp, result, DIAG_MAIN_FILE); break;
    case DATE: time_token(pp, result, "%b %e %Y"); break;
    case TIME: time_token(pp, result, "%H:%M:%S"); break;
    case TIMESTAMP: time_token(pp, result, "%a %b %e %H:%M:%S %Y"); break;
    case COUNTER: number_token(pp, result, pp->counter++); break;
    case INCLUDE_LEVEL: number_token(pp, result, pp->include_depth); break;
    case HAS_INCLUDE:
    case HAS_ATTRIBUTE:
    case HAS_NOTHING:
        if (has_argument(pp, name, &arg)) {
            if (m->builtin == HAS_INCLUDE) value = has_include(pp, &arg, name);
            if (m->builtin == HAS_ATTRIBUTE) value = has_attribute(&arg.tokens[0]);
        }
        number_token(pp, result, value);
        pp_list_release(pp, &arg);
        break;
    }
    return true;
}
