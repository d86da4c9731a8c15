/* What begins with # (C99 6.10). */
#include <string.h>

#include "preprocess_private.h"

static const struct {
    const char *name;
    enum pp_directive directive;
} table[] = {
    {"if", PP_IF},
    {"ifdef", PP_IFDEF},
    {"ifndef", PP_IFNDEF},
    {"elif", PP_ELIF},
    {"elifdef", PP_ELIFDEF},
    {"elifndef", PP_ELIFNDEF},
    {"else", PP_ELSE},
    {"endif", PP_ENDIF},
    {"include", PP_INCLUDE},
    {"include_next", PP_INCLUDE_NEXT},
    {"import", PP_IMPORT},
    {"define", PP_DEFINE},
    {"undef", PP_UNDEF},
    {"line", PP_LINE},
    {"error", PP_ERROR},
    {"warning", PP_WARNING},
    {"pragma", PP_PRAGMA},
    {"ident", PP_IDENT_STRING},
    {"sccs", PP_IDENT_STRING},
};

/* Pragmas whose arguments are expressions, so macros in them are expanded. All others name things:
 * the extensions of `#pragma OPENCL EXTENSION` are macros, too. */
static const char *const expanded_pragmas[] = {"unroll", "nounroll", "pack", "clang"};

void pp_directives_init(struct pp *pp) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        pp_intern(pp, table[i].name, strlen(table[i].name))->directive =
            (uint8_t)table[i].directive;
}

static void read_line(struct pp *pp, struct pp_list *line) {
    struct pp_token t;
    for (pp_lex(pp, &t); t.kind != PP_EOF; pp_lex(pp, &t)) pp_list_add(pp, line, &t);
}

static void end_of_directive(struct pp *pp, const char *directive) {
    struct pp_token t;
    pp_lex(pp, &t);
    if (t.kind == PP_EOF) return;
    pp_report(pp, DIAG_WARNING, &t, "more tokens at the end of #%s", directive);
    pp_skip_line(pp);
}

/* ---- conditions ---- */

static bool evaluate(struct pp *pp, const struct pp_token *where) {
    struct pp_list line = {0};
    int64_t value;
    read_line(pp, &line);
    bool good = pp_condition(pp, &line, where, &value, true);
    pp_list_release(pp, &line);
    return good && value != 0;
}

static bool is_defined(struct pp *pp, const char *directive) {
    struct pp_token t;
    pp_lex(pp, &t);
    if (t.kind != PP_IDENT) {
        pp_report(pp, DIAG_ERROR, &t,
                  t.kind == PP_EOF ? "macro name missing" : "a macro's name must be an identifier");
        pp_skip_line(pp);
        return false;
    }
    end_of_directive(pp, directive);
    return t.name->macro != NULL;
}

static void open_group(struct pp *pp, const struct pp_token *hash, bool taken) {
    struct pp_group *g = ARENA_NEW(pp->arena, struct pp_group);
    g->outer = pp->buffer->groups;
    g->line = hash->line;
    g->column = hash->column;
    g->taken = taken;
    pp->buffer->groups = g;
}

/* #else or #elif: is it allowed here? */
static bool may_go_on(struct pp *pp, const struct pp_token *t) {
    struct pp_group *g = pp->buffer->groups;
    const char *problem = !g ? "without #if" : g->seen_else ? "behind #else" : NULL;
    if (problem) pp_report(pp, DIAG_ERROR, t, "#%s %s", t->name->text, problem);
    return !problem;
}

/* Skips to the part of the innermost group that is taken, or behind its #endif. */
static void skip_group(struct pp *pp) {
    struct pp_group *g = pp->buffer->groups;
    uint32_t depth = 0;
    struct pp_token t;
    pp->in_directive = false;
    while (!pp->stopped && pp_skip_to_directive(pp)) {
        pp->in_directive = true;
        pp_lex(pp, &t);
        switch (t.kind == PP_IDENT ? (enum pp_directive)t.name->directive : PP_NO_DIRECTIVE) {
        case PP_IF:
        case PP_IFDEF:
        case PP_IFNDEF: depth++; break;
        case PP_ENDIF:
            if (depth-- > 0) break;
            pp->buffer->groups = g->outer;
            end_of_directive(pp, "endif");
            return;
        case PP_ELSE:
            if (depth || !may_go_on(pp, &t)) break;
            g->seen_else = true;
            if (g->taken) break;
            g->taken = true;
            end_of_directive(pp, "else");
            return;
        case PP_ELIF:
            if (depth || !may_go_on(pp, &t) || g->taken) break;
            if ((g->taken = evaluate(pp, &t))) return;
            break;
        case PP_ELIFDEF:
        case PP_ELIFNDEF:
            if (!depth)
                pp_report(pp, DIAG_ERROR, &t, "#%s is no part of OpenCL C; write #elif defined",
                          t.name->text);
            break;
        default: break;
        }
        pp->in_directive = false;
    }
}

void pp_groups_close(struct pp *pp) {
    for (struct pp_group *g = pp->buffer->groups; g; g = g->outer) {
        struct pp_token where = {.flags = PP_PLACED, .line = g->line, .column = g->column};
        pp_report(pp, DIAG_ERROR, &where, "this conditional has no #endif");
    }
    pp->buffer->groups = NULL;
}

static void condition(struct pp *pp, const struct pp_token *hash, const struct pp_token *t) {
    struct pp_group *g = pp->buffer->groups;
    pp->expanded_anything = true;
    bool taken = false;
    switch ((enum pp_directive)t->name->directive) {
    case PP_IF: open_group(pp, hash, taken = evaluate(pp, t)); break;
    case PP_IFDEF: open_group(pp, hash, taken = is_defined(pp, "ifdef")); break;
    case PP_IFNDEF: open_group(pp, hash, taken = !is_defined(pp, "ifndef")); break;
    case PP_ENDIF:
        if (g)
            pp->buffer->groups = g->outer;
        else
            pp_report(pp, DIAG_ERROR, t, "#endif without #if");
        end_of_directive(pp, "endif");
        return;
    case PP_ELSE:
        if (!may_go_on(pp, t)) return;
        g->seen_else = true;
        end_of_directive(pp, "else");
        break;
    case PP_ELIF: /* the part before was taken */
        if (!may_go_on(pp, t)) return;
        pp_skip_line(pp);
        break;
    default:
        pp_report(pp, DIAG_ERROR, t, "#%s is no part of OpenCL C; write #elif defined",
                  t->name->text);
        return;
    }
    if (!taken) skip_group(pp);
}

/* ---- #include ---- */

const char *pp_header_name(struct pp *pp, const struct pp_list *line, bool *quoted) {
    if (line->count == 0) return NULL;
    const struct pp_token *t = line->tokens;
    *quoted = t->text[0] == '"';
    if (t->kind == PP_STRING && (t->text[0] == '"' || t->text[0] == '<'))
        return arena_strndup(pp->arena, t->text + 1, t->length - 2);
    if (!pp_is(t, "<")) return NULL;
    uint32_t n = 1;
    while (n < line->count && !pp_is(&t[n], ">")) n++;
    return n < line->count ? pp_string_of(pp, t + 1, n - 1, false) : NULL;
}

static void include(struct pp *pp, const struct pp_token *where) {
    bool import = where->name->directive == PP_IMPORT,
         next = where->name->directive == PP_INCLUDE_NEXT;
    struct pp_list line = {0}, expanded = {0};
    struct pp_token t;
    pp_lex_header_name(pp, &t);
    if (t.kind == PP_STRING) {
        pp_list_add(pp, &expanded, &t);
        end_of_directive(pp, where->name->text);
    } else {
        if (t.kind != PP_EOF) {
            pp_list_add(pp, &line, &t);
            read_line(pp, &line);
        }
        pp_expand_list(pp, &line, &expanded);
    }
    pp->expanded_anything = true;
    bool quoted;
    const char *name = pp_header_name(pp, &expanded, &quoted);
    pp_list_release(pp, &line);
    pp_list_release(pp, &expanded);
    if (!name || !*name) {
        pp_report(pp, DIAG_ERROR, where, "expected \"name\" or <name> behind #%s",
                  where->name->text);
        return;
    }
    if (pp->collecting) {
        pp_report(pp, DIAG_ERROR, where, "#%s within the arguments of a macro call",
                  where->name->text);
        return;
    }
    unsigned errors = pp->errors;
    pp->denied = NULL;
    struct pp_file *f = pp_file_find(pp, name, quoted, next);
    if (!f) {
        if (pp->errors == errors && pp->denied)
            pp_report(pp, DIAG_ERROR, &t, "'%s': SIMTCL_INCLUDE does not allow '%s' to be read",
                      name, pp->denied);
        else if (pp->errors == errors)
            pp_report(pp, DIAG_ERROR, &t, "'%s': no such header", name);
    } else if (!f->once || !f->entered) {
        f->once |= import;
        pp_file_enter(pp, f);
    }
}

/* ---- #line ---- */

static void line(struct pp *pp, const struct pp_list *raw, const struct pp_token *where,
                 bool marker) {
    struct pp_list l = {0};
    pp_expand_list(pp, raw, &l);
    struct pp_buffer *b = pp->buffer;
    uint64_t n = 0;
    bool good = l.count && l.tokens[0].kind == PP_NUMBER;
    for (uint32_t i = 0; good && i < l.tokens[0].length; i++) {
        char c = l.tokens[0].text[i];
        good = c >= '0' && c <= '9';
        n = n * 10 + (uint64_t)(c - '0');
        if (n > INT32_MAX) good = false; /* 6.10.4 */
    }
    bool named = l.count > 1;
    if (named &&
        (l.tokens[1].kind != PP_STRING || l.tokens[1].text[0] != '"' || (l.count > 2 && !marker)))
        good = false;
    if (!good) {
        pp_report(pp, DIAG_ERROR, where, "expected #line NUMBER or #line NUMBER \"name\"");
    } else {
        pp->renumbered = true;
        if (named) b->presumed_name = pp_unquote(pp, &l.tokens[1]);
        b->line = (uint32_t)n - 1; /* the directive's own; the next line's is n */
        size_t at = (size_t)(strchrnul(b->p, '\n') - b->file->text);
        if (!pp->quiet && at < b->file->length)
            diag_source_from(pp->diag, b->presumed_name, b->file->text + at + 1,
                             b->file->length - at - 1, (uint32_t)n);
    }
    pp_list_release(pp, &l);
}

/* ---- #pragma ---- */

const char *pp_unquote(struct pp *pp, const struct pp_token *t) {
    const char *s = t->text, *end = t->text + t->length - 1;
    if (*s == 'L') s++;
    char *text = arena_alloc(pp->arena, t->length), *to = text;
    for (s++; s < end; s++) {
        if (*s == '\\' && s + 1 < end && (s[1] == '"' || s[1] == '\\')) s++;
        *to++ = *s;
    }
    return text;
}

static bool is_word(const struct pp_token *t, const char *word) {
    return t->kind == PP_IDENT && strcmp(t->name->text, word) == 0;
}

/* #pragma push_macro("X"), pop_macro: clang could not carry them out, it sees no macro. */
static bool save_or_restore(struct pp *pp, const struct pp_list *l) {
    const struct pp_token *t = l->tokens;
    bool push = is_word(t, "push_macro");
    if ((!push && !is_word(t, "pop_macro")) || l->count != 4 || !pp_is(&t[1], "(") ||
        t[2].kind != PP_STRING || !pp_is(&t[3], ")"))
        return false;
    const char *text = pp_unquote(pp, &t[2]);
    struct pp_name *n = pp_intern(pp, text, strlen(text));
    if (push) {
        struct pp_saved *saved = ARENA_NEW(pp->arena, struct pp_saved);
        *saved = (struct pp_saved){n->saved, n->macro};
        n->saved = saved;
    } else if (n->saved) {
        n->macro = n->saved->macro;
        n->saved = n->saved->next;
    }
    return true;
}

void pp_pragma(struct pp *pp, struct pp_list *l, const struct pp_token *where) {
    if (l->count == 0) return;
    struct pp_token *first = &l->tokens[0];
    if (save_or_restore(pp, l)) return;
    if (is_word(first, "once") && l->count == 1) {
        if (pp->buffer->includer) pp->buffer->file->once = true;
        return;
    }
    for (size_t i = 0; i < sizeof expanded_pragmas / sizeof *expanded_pragmas; i++) {
        if (first->kind != PP_IDENT || strcmp(first->name->text, expanded_pragmas[i]) != 0)
            continue;
        struct pp_list all = {0}, rest = {first + 1, l->count - 1, 0};
        pp_list_add(pp, &all, first);
        pp_expand_list(pp, &rest, &all);
        pp_emit_pragma(pp, &all, where);
        pp_list_release(pp, &all);
        return;
    }
    pp_emit_pragma(pp, l, where);
}

/* 6.10.9: _Pragma ( string ) */
void pp_pragma_operator(struct pp *pp, const struct pp_token *name) {
    struct pp_token open, string, close;
    pp_next(pp, &open);
    if (pp_is(&open, "(")) {
        pp_next(pp, &string);
        if (string.kind == PP_STRING) {
            pp_next(pp, &close);
            if (pp_is(&close, ")")) {
                struct pp_list l = {0};
                const char *text = pp_unquote(pp, &string);
                pp->expanded_anything = true;
                pp_lex_all(pp, text, strlen(text), &l);
                pp_pragma(pp, &l, name);
                pp_list_release(pp, &l);
                return;
            }
        }
    }
    pp_report(pp, DIAG_ERROR, name, "_Pragma wants a string in parentheses");
}

/* ---- #error and all the others ---- */

static void message(struct pp *pp, enum diag_severity s, const struct pp_token *where) {
    const char *begin = pp->buffer->p, *end = strchrnul(begin, '\n');
    while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) end--;
    int n = end - begin > 1000 ? 1000 : (int)(end - begin);
    pp_report(pp, s, where, "#%s %.*s", where->name->text, n, begin);
}

static void named(struct pp *pp, const struct pp_token *hash, const struct pp_token *t) {
    struct pp_list l = {0};
    switch ((enum pp_directive)t->name->directive) {
    case PP_IF:
    case PP_IFDEF:
    case PP_IFNDEF:
    case PP_ELIF:
    case PP_ELIFDEF:
    case PP_ELIFNDEF:
    case PP_ELSE:
    case PP_ENDIF: condition(pp, hash, t); break;
    case PP_INCLUDE:
    case PP_INCLUDE_NEXT:
    case PP_IMPORT: include(pp, t); break; /* skips its own line when it enters a file */
    case PP_DEFINE: pp_define(pp, false); break;
    case PP_UNDEF: pp_undef(pp); break;
    case PP_LINE:
        read_line(pp, &l);
        line(pp, &l, t, false);
        break;
    case PP_ERROR: message(pp, DIAG_ERROR, t); break;
    case PP_WARNING: message(pp, DIAG_WARNING, t); break;
    case PP_PRAGMA:
        read_line(pp, &l);
        pp_pragma(pp, &l, t);
        break;
    case PP_IDENT_STRING: break;
    case PP_NO_DIRECTIVE:
        pp_report(pp, DIAG_ERROR, t, "#%.100s is no preprocessing directive", t->name->text);
        break;
    }
    pp_list_release(pp, &l);
}

void pp_directive(struct pp *pp, const struct pp_token *hash) {
    struct pp_buffer *b = pp->buffer;
    struct pp_token t;
    pp->in_directive = true;
    pp_lex(pp, &t);
    if (t.kind == PP_IDENT) {
        named(pp, hash, &t);
    } else if (t.kind == PP_NUMBER) { /* # 12 "name" 1: what a preprocessor wrote */
        struct pp_list l = {0};
        pp_list_add(pp, &l, &t);
        read_line(pp, &l);
        line(pp, &l, &t, true);
        pp_list_release(pp, &l);
    } else if (t.kind != PP_EOF) {
        pp_report(pp, DIAG_ERROR, &t, "no preprocessing directive");
    }
    pp->in_directive = true;
    if (pp->buffer == b) pp_skip_line(pp);
    pp->in_directive = false;
}
