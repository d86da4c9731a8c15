/* Macros: definition (C99 6.10.3) and expansion (6.10.3.1 to 6.10.3.4), with GNU C's named
 * variadics, `, ## __VA_ARGS__` and C23's __VA_OPT__. Where the standard leaves a choice, clang's
 * is taken. */
#include <string.h>

#include "preprocess_private.h"

enum { PLACE_FLAGS = PP_SPACE | PP_LINE_START | PP_PLACED | PP_INHERITED };
enum { MAX_TOKEN = 1 << 20 }; /* bytes that # or ## may make */

/* ---- definition ---- */

static bool is_reserved(struct pp *pp, const struct pp_name *n) {
    return n == pp->n_defined || n == pp->n_va_args || n == pp->n_va_opt;
}

static bool macro_name(struct pp *pp, struct pp_token *name) {
    pp_lex(pp, name);
    if (name->kind == PP_IDENT && !is_reserved(pp, name->name)) return true;
    if (name->kind == PP_EOF)
        pp_report(pp, DIAG_ERROR, name, "macro name missing");
    else if (name->kind == PP_IDENT)
        pp_report(pp, DIAG_ERROR, name, "'%s' cannot be a macro's name", name->name->text);
    else
        pp_report(pp, DIAG_ERROR, name, "a macro's name must be an identifier");
    return false;
}

static bool add_param(struct pp *pp, struct pp_macro *m, const struct pp_token *t,
                      struct pp_name *n, uint32_t *capacity) {
    if (n->param) {
        pp_report(pp, DIAG_ERROR, t, "two macro parameters named '%s'", n->text);
        return false;
    }
    if (m->nparams == PP_MAX_PARAMS) {
        pp_report(pp, DIAG_ERROR, t, "more than %d macro parameters", PP_MAX_PARAMS);
        return false;
    }
    if (m->nparams == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 8;
        struct pp_name **grown = ARENA_ARRAY(pp->arena, struct pp_name *, *capacity);
        if (m->nparams) memcpy(grown, m->params, m->nparams * sizeof *grown);
        m->params = grown;
    }
    m->params[m->nparams++] = n;
    n->param = m->nparams;
    return true;
}

/* Behind the '(' of a definition, up to its ')'. */
static bool parse_params(struct pp *pp, struct pp_macro *m) {
    struct pp_token t;
    uint32_t capacity = 0;
    pp_lex(pp, &t);
    if (pp_is(&t, ")")) return true;
    for (;;) {
        if (pp_is(&t, "...")) {
            m->variadic = true;
            if (!add_param(pp, m, &t, pp->n_va_args, &capacity)) return false;
            pp_lex(pp, &t);
        } else if (t.kind == PP_IDENT && !is_reserved(pp, t.name)) {
            if (!add_param(pp, m, &t, t.name, &capacity)) return false;
            pp_lex(pp, &t);
            if (pp_is(&t, "...")) {
                m->variadic = true;
                pp_lex(pp, &t);
            }
        } else {
            pp_report(pp, DIAG_ERROR, &t,
                      "expected a parameter's name in the macro's parameter list");
            return false;
        }
        if (pp_is(&t, ")")) return true;
        if (m->variadic || !pp_is(&t, ",")) {
            pp_report(pp, DIAG_ERROR, &t,
                      m->variadic ? "expected ')' behind '...'"
                                  : "expected ',' or ')' in the macro's parameter list");
            return false;
        }
        pp_lex(pp, &t);
    }
}

static bool is_paste(const struct pp_token *t) { return pp_is(t, "##") || pp_is(t, "%:%:"); }

/* Adds body tokens until the line ends, or within __VA_OPT__ until its ')'. t is the first. */
static bool parse_tokens(struct pp *pp, struct pp_macro *m, struct pp_token *t, bool in_va_opt) {
    uint32_t first = m->body.count, depth = 0;
    for (;; pp_lex(pp, t)) {
        if (t->kind == PP_EOF) {
            if (!in_va_opt) break;
            pp_report(pp, DIAG_ERROR, t, "missing ')' behind __VA_OPT__");
            return false;
        }
        if (in_va_opt && pp_is(t, ")") && depth-- == 0) break;
        if (in_va_opt && pp_is(t, "(")) depth++;
        struct pp_token b = *t;
        b.flags = m->body.count ? t->flags & PP_SPACE : 0;
        if (is_paste(t)) {
            if (m->body.count == first) {
                pp_report(pp, DIAG_ERROR, t, "'##' at the beginning of %s",
                          in_va_opt ? "__VA_OPT__" : "a macro's replacement");
                return false;
            }
            b.kind = PP_PASTE;
            m->pastes = true;
        } else if (m->function_like && pp_is_hash(t)) {
            struct pp_token hash = *t;
            pp_lex(pp, t);
            if (t->kind != PP_IDENT || !t->name->param) {
                pp_report(pp, DIAG_ERROR, &hash, "'#' is not followed by a macro parameter");
                return false;
            }
            uint8_t flags = b.flags;
            b = *t;
            b.param = t->name->param;
            b.flags = flags | PP_STRINGIZE;
        } else if (t->kind == PP_IDENT && t->name == pp->n_va_opt && m->variadic) {
            if (in_va_opt) {
                pp_report(pp, DIAG_ERROR, t, "__VA_OPT__ within __VA_OPT__");
                return false;
            }
            uint32_t at = m->body.count;
            b.kind = PP_VA_OPT;
            m->pastes = true;
            pp_list_add(pp, &m->body, &b);
            pp_lex(pp, t);
            if (!pp_is(t, "(")) {
                pp_report(pp, DIAG_ERROR, t, "missing '(' behind __VA_OPT__");
                return false;
            }
            pp_lex(pp, t);
            if (!parse_tokens(pp, m, t, true)) return false;
            if (m->body.count > at) m->body.tokens[at].line = m->body.count - at - 1;
            continue;
        } else if (t->kind == PP_IDENT) {
            b.param = t->name->param;
        }
        pp_list_add(pp, &m->body, &b);
    }
    if (m->body.count > first && m->body.tokens[m->body.count - 1].kind == PP_PASTE) {
        pp_report(pp, DIAG_ERROR, t, "'##' at the end of %s",
                  in_va_opt ? "__VA_OPT__" : "a macro's replacement");
        return false;
    }
    return true;
}

static bool parse_definition(struct pp *pp, struct pp_macro *m) {
    struct pp_token t;
    pp_lex(pp, &t);
    if (pp_is(&t, "(") && !(t.flags & PP_SPACE)) {
        m->function_like = true;
        if (!parse_params(pp, m)) return false;
        pp_lex(pp, &t);
    }
    return parse_tokens(pp, m, &t, false);
}

/* 6.10.3 paragraph 2: may `b` replace `a` without a word? */
static bool same_definition(const struct pp_macro *a, const struct pp_macro *b) {
    if (a->builtin || a->function_like != b->function_like || a->variadic != b->variadic ||
        a->nparams != b->nparams || a->body.count != b->body.count)
        return false;
    for (uint32_t i = 0; i < a->nparams; i++)
        if (a->params[i] != b->params[i]) return false;
    for (uint32_t i = 0; i < a->body.count; i++) {
        const struct pp_token *x = &a->body.tokens[i], *y = &b->body.tokens[i];
        if (x->kind != y->kind || x->flags != y->flags || x->param != y->param ||
            x->length != y->length || memcmp(x->text, y->text, x->length) != 0)
            return false;
    }
    return true;
}

void pp_define(struct pp *pp, bool predefined) {
    struct pp_token name;
    if (!macro_name(pp, &name)) return;
    struct pp_macro *m = ARENA_NEW(pp->arena, struct pp_macro), *old = name.name->macro;
    m->name = name.name;
    m->predefined = predefined;
    m->file = pp->buffer->presumed_name;
    m->line = name.line;
    m->column = name.column;
    bool good = parse_definition(pp, m);
    for (uint32_t i = 0; i < m->nparams; i++) m->params[i]->param = 0;
    if (!good || (old && same_definition(old, m))) return;
    /* A program's own M_PI or NULL is its affair; of reserved names it is told. */
    bool reserved = name.length > 2 && memcmp(name.text, "__", 2) == 0;
    if (old && (old->predefined || old->builtin)) {
        if (reserved)
            pp_report(pp, DIAG_WARNING, &name, "'%s' is a predefined macro", m->name->text);
    } else if (old) {
        pp_report(pp, DIAG_WARNING, &name, "macro '%s' redefined", m->name->text);
        if (!pp->quiet)
            diag_report(pp->diag, DIAG_NOTE, old->file, old->line, old->column,
                        "its previous definition is here");
    }
    name.name->macro = m;
}

void pp_undef(struct pp *pp) {
    struct pp_token name;
    if (!macro_name(pp, &name)) return;
    if (name.name->macro && name.name->macro->builtin)
        pp_report(pp, DIAG_WARNING, &name, "'%s' is a predefined macro", name.name->text);
    name.name->macro = NULL;
}

/* ---- reading ---- */

static void end_of_input(struct pp_token *t) { *t = (struct pp_token){.kind = PP_EOF, .text = ""}; }

/* The first token of an expansion stands where the macro's name stood. */
static void take_place(struct pp_token *t, const struct pp_token *head) {
    t->flags = (uint8_t)((t->flags & ~PLACE_FLAGS) | (head->flags & PLACE_FLAGS));
    if (head->flags & PP_PLACED) {
        t->flags |= PP_INHERITED;
        t->line = head->line;
        t->column = head->column;
    }
}

/* Contexts come first; true when one had a token, or is one whose end is the end of the input. */
static bool from_context(struct pp *pp, struct pp_token *t) {
    while (pp->ncontexts) {
        struct pp_context *c = &pp->contexts[pp->ncontexts - 1];
        if (c->next < c->count) {
            *t = c->tokens[c->next];
            if (c->next++ == 0 && c->macro) take_place(t, &c->head);
            if (++pp->work > pp->max_work) pp_stop(pp, "macro expansion takes too long");
            return true;
        }
        if (c->barrier) {
            end_of_input(t);
            return true;
        }
        pp_context_pop(pp);
    }
    return false;
}

void pp_raw(struct pp *pp, struct pp_token *t) {
    for (;;) {
        if (pp->stopped) {
            end_of_input(t);
            return;
        }
        if (from_context(pp, t)) break;
        pp_lex(pp, t);
        if (t->kind == PP_EOF) {
            if (pp->collecting || !pp->buffer->includer) return;
            pp_file_leave(pp);
        } else if ((t->flags & PP_LINE_START) && pp_is_hash(t)) {
            pp_directive(pp, t);
        } else {
            break;
        }
    }
    if (pp->carry_space) {
        t->flags |= PP_SPACE;
        pp->carry_space = false;
    }
}

/* Whether the next token is '(', without reading it. */
static bool paren_follows(struct pp *pp) {
    for (uint32_t i = pp->ncontexts; i-- > 0;) {
        const struct pp_context *c = &pp->contexts[i];
        if (c->next < c->count) return pp_is(&c->tokens[c->next], "(");
        if (c->barrier) return false;
    }
    return !pp->stopped && pp_next_is_paren(pp);
}

/* ---- # and ## ---- */

static bool must_escape(const struct pp_token *t) {
    return t->kind == PP_STRING || t->kind == PP_CHAR ||
           (t->kind == PP_OTHER && (t->text[0] == '"' || t->text[0] == '\''));
}

const char *pp_string_of(struct pp *pp, const struct pp_token *t, uint32_t n, bool quote) {
    size_t size = 3;
    for (uint32_t i = 0; i < n; i++)
        size += (size_t)t[i].length * (quote && must_escape(&t[i]) ? 2 : 1) + 1;
    pp->work += size / 8;
    if (size > MAX_TOKEN) {
        pp_stop(pp, "'#' makes too long a string");
        return quote ? "\"\"" : "";
    }
    char *string = arena_alloc(pp->arena, size), *end = string;
    if (quote) *end++ = '"';
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && t[i].flags & PP_SPACE) *end++ = ' ';
        bool escape = quote && must_escape(&t[i]);
        for (uint32_t k = 0; k < t[i].length; k++) {
            if (escape && (t[i].text[k] == '\\' || t[i].text[k] == '"')) *end++ = '\\';
            *end++ = t[i].text[k];
        }
    }
    /* 6.10.3.2: what would escape the closing quote is dropped. */
    char *slash = end;
    while (quote && slash > string + 1 && slash[-1] == '\\') slash--;
    if ((end - slash) % 2) end--;
    if (quote) *end++ = '"';
    *end = 0;
    return string;
}

static struct pp_token stringize(struct pp *pp, const struct pp_list *arg) {
    struct pp_token t = {.kind = PP_STRING};
    t.text = pp_string_of(pp, arg->tokens, arg->count, true);
    t.length = (uint32_t)strlen(t.text);
    return t;
}

/* left ## right at the end of `out`, whose last token is left. */
static void paste(struct pp *pp, struct pp_list *out, const struct pp_token *right) {
    struct pp_token *left = &out->tokens[out->count - 1];
    uint8_t space = left->flags & PP_SPACE;
    if (right->kind == PP_PLACEMARKER) return;
    if (left->kind == PP_PLACEMARKER) {
        *left = *right;
        left->flags = (uint8_t)((left->flags & ~PP_SPACE) | space);
        return;
    }
    size_t length = (size_t)left->length + right->length;
    pp->work += length / 8;
    if (length > MAX_TOKEN) {
        pp_stop(pp, "'##' makes too long a token");
        return;
    }
    char *text = arena_alloc(pp->arena, length + 1);
    memcpy(text, left->text, left->length);
    memcpy(text + left->length, right->text, right->length);
    struct pp_token result;
    if (pp_lex_text(pp, text, length, &result)) {
        result.flags = space;
        out->tokens[out->count - 1] = result;
    } else {
        pp_report(pp, DIAG_ERROR, &pp->site, "'##' forms '%.200s', which is not a token", text);
        pp_list_add(pp, out, right);
    }
}

/* ---- substitution ---- */

struct call {
    struct pp_macro *macro;
    uint32_t args; /* index of the first in pp->args */
    bool elided;   /* the variadic arguments were left out together with their comma */
    bool space;    /* white space is due before the next token */
};

static struct pp_arg *arg_of(struct pp *pp, const struct call *call, unsigned param) {
    return &pp->args[call->args + param - 1];
}

void pp_expand_list(struct pp *pp, const struct pp_list *in, struct pp_list *out) {
    if (pp->call_depth == PP_MAX_CALL_DEPTH) {
        pp_stop(pp, "macro calls nest too deeply");
        return;
    }
    struct pp_token t, site = pp->site;
    uint32_t end_line = pp->site_end_line, depth = pp->ncontexts;
    bool carry = pp->carry_space;
    pp->carry_space = false;
    pp->call_depth++;
    pp_context_push(pp, in->tokens, in->count)->barrier = true;
    for (pp_next(pp, &t); t.kind != PP_EOF; pp_next(pp, &t)) pp_list_add(pp, out, &t);
    while (pp->ncontexts > depth) pp_context_pop(pp);
    pp->call_depth--;
    pp->carry_space = carry;
    pp->site = site;
    pp->site_end_line = end_line;
}

static struct pp_list expanded(struct pp *pp, const struct call *call, unsigned param) {
    struct pp_list raw = arg_of(pp, call, param)->raw, out = {0};
    if (!arg_of(pp, call, param)->is_expanded) {
        bool any = false;
        for (uint32_t i = 0; i < raw.count && !any; i++)
            any = raw.tokens[i].kind == PP_IDENT && raw.tokens[i].name->macro;
        if (!any) return raw;
        pp_expand_list(pp, &raw, &out);
        arg_of(pp, call, param)->expanded = out; /* args may have moved meanwhile */
        arg_of(pp, call, param)->is_expanded = true;
    }
    return arg_of(pp, call, param)->expanded;
}

/* Appends an operand: tokens of an argument, or one of the body. An empty one beside ## leaves a
 * placemarker. */
static void append(struct pp *pp, struct call *call, struct pp_list *out, const struct pp_token *t,
                   uint32_t n, bool paste_before, bool paste_after) {
    static const struct pp_token placemarker = {.kind = PP_PLACEMARKER, .text = ""};
    if (n == 0) {
        if (!paste_before && !paste_after) return;
        t = &placemarker;
        n = 1;
    }
    uint32_t first = out->count;
    if (paste_before && first > 0) {
        first--;
        paste(pp, out, t);
    } else {
        struct pp_token head = *t;
        head.flags = (uint8_t)((head.flags & ~PP_SPACE) | (call->space ? PP_SPACE : 0));
        call->space = false;
        pp_list_add(pp, out, &head);
    }
    pp_list_add_all(pp, out, t + 1, n - 1);
    for (uint32_t i = first; i < out->count; i++)
        out->tokens[i].flags &= (uint8_t) ~(PLACE_FLAGS & ~PP_SPACE);
}

/* `, ## args`: true when that is what stands here, and it has been dealt with. */
static bool comma_args(struct pp *pp, struct call *call, struct pp_list *out,
                       const struct pp_list *raw) {
    if (out->count == 0 || !pp_is(&out->tokens[out->count - 1], ",")) return false;
    if (raw->count) {
        append(pp, call, out, raw->tokens, raw->count, false, false);
        return true;
    }
    /* In strict C99 the comma stays when there are no named parameters; OpenCL C is such. */
    if (!call->elided || call->macro->nparams < 2) return false;
    out->count--;
    call->space = false;
    return true;
}

static void substitute(struct pp *pp, struct call *call, const struct pp_token *body, uint32_t n,
                       struct pp_list *out) {
    const struct pp_macro *m = call->macro;
    for (uint32_t i = 0; i < n && !pp->stopped; i++) {
        const struct pp_token *b = &body[i];
        uint32_t inner = b->kind == PP_VA_OPT ? b->line : 0;
        bool before = i > 0 && b[-1].kind == PP_PASTE,
             after = i + inner + 1 < n && b[inner + 1].kind == PP_PASTE;
        if (b->kind == PP_PASTE) continue;
        if (!before && (b->flags & PP_SPACE)) call->space = true;
        if (b->flags & PP_STRINGIZE) {
            struct pp_token string = stringize(pp, &arg_of(pp, call, b->param)->raw);
            append(pp, call, out, &string, 1, before, after);
        } else if (b->kind == PP_VA_OPT) {
            struct pp_list list = {0};
            struct call within = *call;
            within.space = false;
            if (expanded(pp, call, m->nparams).count) substitute(pp, &within, b + 1, inner, &list);
            append(pp, call, out, list.tokens, list.count, before, after);
            pp_list_release(pp, &list);
            i += inner;
        } else if (b->param && (before || after)) {
            struct pp_list raw = arg_of(pp, call, b->param)->raw;
            bool variadic = m->variadic && b->param == m->nparams;
            if (before && variadic && comma_args(pp, call, out, &raw)) continue;
            append(pp, call, out, raw.tokens, raw.count, before, after);
        } else if (b->param) {
            struct pp_list list = expanded(pp, call, b->param);
            append(pp, call, out, list.tokens, list.count, false, false);
        } else {
            append(pp, call, out, b, 1, before, after);
        }
    }
}

/* Placemarkers have done their work; the white space they carry goes to what follows. */
static void drop_placemarkers(struct call *call, struct pp_list *l) {
    uint32_t kept = 0;
    bool space = false;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->tokens[i].kind == PP_PLACEMARKER) {
            space |= (l->tokens[i].flags & PP_SPACE) != 0;
            continue;
        }
        l->tokens[kept] = l->tokens[i];
        if (space) l->tokens[kept].flags |= PP_SPACE;
        space = false;
        kept++;
    }
    l->count = kept;
    call->space |= space;
}

/* ---- calls ---- */

static void note_definition(struct pp *pp, const struct pp_macro *m) {
    if (!pp->quiet && m->file)
        diag_report(pp->diag, DIAG_NOTE, m->file, m->line, m->column, "macro '%s' is defined here",
                    m->name->text);
}

/* Reads "( ... )" into the arguments. False: not a valid call; it was reported and read away. */
static bool collect(struct pp *pp, struct call *call, const struct pp_token *name,
                    struct pp_token *close) {
    const struct pp_macro *m = call->macro;
    struct pp_token t;
    uint32_t depth = 0, given = 1, tokens = 0;
    bool collecting = pp->collecting;
    pp->collecting = true;
    pp_raw(pp, &t); /* the parenthesis */
    for (;;) {
        pp_raw(pp, &t);
        if (t.kind == PP_EOF) break;
        if (t.kind == PP_PUNCT) {
            char c = t.text[0];
            if (c == '(') depth++;
            if (c == ')' && depth-- == 0) break;
            if (c == ',' && depth == 0 && !(m->variadic && given >= m->nparams)) {
                given++;
                continue;
            }
        }
        tokens++;
        if (given <= m->nparams) pp_list_add(pp, &pp->args[call->args + given - 1].raw, &t);
    }
    pp->collecting = collecting;
    *close = t;
    if (t.kind == PP_EOF) {
        if (!pp->stopped) {
            pp_report(pp, DIAG_ERROR, name, "the call of macro '%s' has no end", m->name->text);
            note_definition(pp, m);
        }
        return false;
    }
    call->elided = m->variadic && (given + 1 == m->nparams || (m->nparams == 1 && tokens == 0));
    bool none = given == 1 && tokens == 0;
    bool few = given < m->nparams && !call->elided;
    bool many = given > m->nparams && !(m->nparams == 0 && none);
    if (!few && !many) return true;
    pp_report(pp, DIAG_ERROR, name, "too %s arguments for macro '%s'", few ? "few" : "many",
              m->name->text);
    note_definition(pp, m);
    return false;
}

/* The replacement of a call or of a body with ## becomes a context. */
static void push_replacement(struct pp *pp, struct call *call, const struct pp_token *name,
                             struct pp_list *list) {
    if (call->macro->pastes) drop_placemarkers(call, list);
    struct pp_context *c = pp_context_push(pp, list->tokens, list->count);
    c->owned = *list;
    c->macro = call->macro;
    c->head = *name;
    c->space_at_end = call->space;
    call->macro->disabled = true;
}

static void set_site(struct pp *pp, const struct pp_token *name, const struct pp_token *end) {
    bool own = (name->flags & PP_PLACED) && !(name->flags & PP_INHERITED);
    if (own) pp->site = *name;
    if (own || (end->flags & PP_PLACED)) pp->site_end_line = end->line;
}

/* Starts the expansion of m. False: `name` is to be taken as it now is (not a call, or a computed
 * value). */
static bool enter(struct pp *pp, struct pp_macro *m, struct pp_token *name) {
    struct call call = {.macro = m};
    struct pp_token close = *name;
    if (m->builtin) {
        struct pp_token result;
        if (!pp_builtin_expand(pp, m, name, &result)) return false;
        pp->expanded_anything = true;
        set_site(pp, name, name);
        take_place(&result, name);
        *name = result;
        return false;
    }
    if (m->function_like && !paren_follows(pp)) return false;
    pp->expanded_anything = true;
    if (!m->function_like && !m->pastes) {
        set_site(pp, name, name);
        struct pp_context *c = pp_context_push(pp, m->body.tokens, m->body.count);
        c->macro = m;
        c->head = *name;
        m->disabled = true;
        return true;
    }
    struct pp_list out = {0};
    call.args = pp_args_push(pp, m->nparams);
    bool good = !m->function_like || collect(pp, &call, name, &close);
    set_site(pp, name, &close);
    if (good) substitute(pp, &call, m->body.tokens, m->body.count, &out);
    pp_args_pop(pp, m->nparams);
    if (good) push_replacement(pp, &call, name, &out);
    return good;
}

void pp_next(struct pp *pp, struct pp_token *t) {
    do {
        pp_raw(pp, t);
        if (t->kind != PP_IDENT || !t->name->macro || t->flags & PP_PAINTED) return;
        if (t->name->macro->disabled) {
            t->flags |= PP_PAINTED;
            return;
        }
    } while (enter(pp, t->name->macro, t));
}
