/* The text libclang is given, its tokens, and what can be asked of them.
 *
 * The expanded program holds no macros, so every cursor's offset is the offset of a token here.
 * Each token knows its place in the program as it was written: #line directives tell file and line;
 * its column is that in the expanded text, but where the preprocessor noted another. */
#include <stdio.h>
#include <string.h>

#include "compiler/base/target.h"
#include "prelude.h"
#include "readerstate.h"

struct lexer {
    struct reader *r;
    const char *in, *end;
    char *out;
    uint32_t room; /* of tokens */
    uint32_t line;
    uint16_t file;
    bool fresh;             /* nothing but blanks since the line began */
    const char *line_start; /* of the expanded text */
    uint32_t place;         /* of those the preprocessor noted: the next one */
    struct reader_nest *nest;
    struct reader_guard *guard;
    const char *astype; /* as_type was read, its ( comes next */
};

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* In the source; of what came out of a macro: the column of the macro's name. 0: unknown. */
static uint16_t column_of(struct lexer *l, const char *token) {
    const struct preprocessed *p = l->r->expanded;
    uint32_t offset = (uint32_t)(token - p->text);
    size_t column = (size_t)(token - l->line_start) + 1;
    while (l->place < p->nplaces && p->places[l->place].offset < offset) l->place++;
    if (l->place < p->nplaces && p->places[l->place].offset == offset)
        column = p->places[l->place].column;
    return p->columns_known && column <= UINT16_MAX ? (uint16_t)column : 0;
}

static struct token *add(struct lexer *l, enum token_kind kind, const char *start, size_t length) {
    struct reader_text *t = &l->r->text;
    if (t->ntokens == l->room) {
        /* mostly enough at once: what is not used is never touched */
        uint32_t room = l->room ? l->room * 2 : 1024 + (uint32_t)((l->end - l->in) / 3) * 2;
        struct token *more = ARENA_ARRAY(l->r->arena, struct token, room);
        if (t->ntokens) memcpy(more, t->tokens, t->ntokens * sizeof *more);
        t->tokens = more;
        l->room = room;
    }
    struct token *k = &t->tokens[t->ntokens++];
    *k = (struct token){.start = (uint32_t)(l->out - t->text),
                        .line = l->line,
                        .file = l->file,
                        .column = column_of(l, start),
                        .written = (uint32_t)(start - l->r->expanded->text),
                        .kind = kind};
    memcpy(l->out, start, length);
    l->out += length;
    k->end = (uint32_t)(l->out - t->text);
    return k;
}

static uint16_t file_index(struct reader *r, const char *name, size_t length) {
    struct ast_unit *u = r->unit;
    char *plain = arena_strndup(r->arena, name, length), *end = plain;
    for (const char *p = plain; *p; p++) { /* \" and \\ stand for themselves */
        if (*p == '\\' && p[1]) p++;
        *end++ = *p;
    }
    *end = 0;
    for (uint32_t i = 0; i < u->nfiles; i++)
        if (strcmp(u->files[i], plain) == 0) return (uint16_t)i;
    if (u->nfiles == UINT16_MAX) return 0;
    const char **files = ARENA_ARRAY(r->arena, const char *, u->nfiles + 1);
    memcpy(files, u->files, u->nfiles * sizeof *files);
    files[u->nfiles] = plain;
    u->files = files;
    return (uint16_t)u->nfiles++;
}

static bool skip_word(const char **p, const char *end, const char *word) {
    while (*p < end && (**p == ' ' || **p == '\t')) ++*p;
    size_t n = strlen(word);
    if ((size_t)(end - *p) < n || memcmp(*p, word, n) != 0) return false;
    if (is_word(word[0]) && *p + n < end && is_word((*p)[n])) return false;
    *p += n;
    return true;
}

/* Extensions whose content every device here has. */
static const char always[] = "cl_amd_printf cl_intel_printf cl_clang_storage_class_specifiers";

/* What brings atomics. Their functions are known in any case: the lowering says where the device
 * has not got them. */
static const char atomics[] =
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
    "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";

bool reader_doubles(const struct reader *r) { return r->target->doubles || r->target->demotes; }

const char *reader_extensions(const struct reader *r) {
    const char *list = r->target->extensions ? r->target->extensions : "";
    return arena_printf(r->arena, "%s %s%s", list, atomics,
                        r->target->demotes ? " cl_khr_fp64" : "");
}

/* 9.1 of 1.2: enabling what is not supported, or all, is an error; clang only warns. */
static void enable(struct lexer *l, const char *name, size_t n) {
    struct reader *r = l->r;
    const char *have = r->target->extensions ? r->target->extensions : "";
    struct ast_loc loc = {.line = l->line, .file = l->file};
    bool doubles = target_lists("cl_khr_fp64 cl_amd_fp64", name, n);
    if (target_lists("all", name, n))
        reader_error(r, loc, "extensions cannot be enabled all at once");
    else if (doubles && reader_doubles(r))
        r->text.doubles_enabled = true;
    else if (!target_lists(have, name, n) && !target_lists(always, name, n))
        reader_error(r, loc, "extension '%.*s' is not supported%s%s", (int)n, name,
                     target_lists(atomics, name, n) && r->target->beyond ? "; " : "",
                     target_lists(atomics, name, n) && r->target->beyond ? r->target->beyond : "");
}

static void pragma(struct lexer *l, const char *p, const char *end) {
    struct reader_text *t = &l->r->text;
    const char *q = p;
    if ((skip_word(&q, end, "OPENCL") || skip_word(&q, end, "STDC")) &&
        skip_word(&q, end, "FP_CONTRACT") && skip_word(&q, end, "OFF"))
        t->contract_off = true;
    q = p;
    if (!skip_word(&q, end, "OPENCL") || !skip_word(&q, end, "EXTENSION")) return;
    while (q < end && (*q == ' ' || *q == '\t')) q++;
    const char *name = q;
    while (q < end && is_word(*q)) q++;
    size_t n = (size_t)(q - name);
    if (n && skip_word(&q, end, ":") && skip_word(&q, end, "enable")) enable(l, name, n);
}

/* A line that begins with #. Only #line and #pragma are left in expanded text. */
static void directive(struct lexer *l) {
    const char *start = l->in, *p = start + 1;
    const char *end = memchr(p, '\n', (size_t)(l->end - p));
    if (!end) end = l->end;
    if (skip_word(&p, end, "pragma")) {
        pragma(l, p, end);
        add(l, TOKEN_PRAGMA, start, (size_t)(end - start));
        l->in = end;
        return;
    }
    skip_word(&p, end, "line");
    while (p < end && *p == ' ') p++;
    if (p < end && is_digit(*p)) {
        uint32_t line = 0;
        while (p < end && is_digit(*p)) line = line * 10 + (uint32_t)(*p++ - '0');
        while (p < end && *p == ' ') p++;
        if (p < end && *p == '"') {
            const char *name = ++p;
            while (p < end && *p != '"') p += *p == '\\' && p + 1 < end ? 2 : 1;
            l->file = file_index(l->r, name, (size_t)(p - name));
        }
        l->line = line - 1; /* the newline that follows counts */
    }
    memcpy(l->out, start, (size_t)(end - start));
    l->out += end - start;
    l->in = end;
}

static const char *string_end(const char *p, const char *end, char quote) {
    for (p++; p < end && *p != quote && *p != '\n'; p++)
        if (*p == '\\' && p + 1 < end) p++;
    return p < end ? p + 1 : end;
}

static const char *number_end(const char *p, const char *end) {
    while (p < end &&
           (is_word(*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr("eEpP", p[-1]))))
        p++;
    return p;
}

/* Longest first. Those of one character need no entry. */
static const char *const punctuators[] = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
                                          "<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
                                          "%=",  "+=",  "-=",  "&=", "^=", "|=", "##", "::"};

static size_t punctuator_length(const char *p, const char *end) {
    for (unsigned i = 0; i < sizeof punctuators / sizeof *punctuators; i++) {
        size_t n = strlen(punctuators[i]);
        if ((size_t)(end - p) >= n && memcmp(p, punctuators[i], n) == 0) return n;
    }
    return 1;
}

static bool opens_bracket(const struct lexer *l, const char *p) {
    while (p < l->end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
    return p < l->end && *p == '(';
}

/* The bracket that as_type() opened ends with the type's name. */
static void nest(struct lexer *l, enum token_kind kind, const char *s, size_t n) {
    struct ast_loc loc = {.line = l->line, .file = l->file};
    reader_guard_before(l->r, l->guard, kind, s, n, &l->out, loc);
    const char *type = reader_nest_token(l->r, l->nest, kind, s, n, l->astype, loc);
    l->astype = NULL;
    if (!type) return;
    *l->out++ = ',';
    while (is_word(*type)) *l->out++ = *type++;
}

/* as_type(x) becomes __builtin_astype(x,type): a node with an extent of its own. */
static void word(struct lexer *l, const char *start, size_t n) {
    static const char builtin[] = "__builtin_astype";
    if (n > 3 && memcmp(start, "as_", 3) == 0 && prelude_reinterprets(start + 3, n - 3) &&
        opens_bracket(l, start + n)) {
        struct token *k = add(l, TOKEN_WORD, start, n);
        l->out = stpcpy(l->r->text.text + k->start, builtin);
        k->end = (uint32_t)(l->out - l->r->text.text);
        l->astype = start + 3;
        reader_guard_reinterpret(l->guard);
        l->r->text.has_astype = true;
        return;
    }
    struct token *k = add(l, TOKEN_WORD, start, n);
    if (!reader_names_renamed(l->r->own, start, n)) return;
    l->out = l->r->text.text + k->start;
    l->out = stpcpy(l->out, READER_OWN);
    memcpy(l->out, start, n);
    l->out += n;
    k->end = (uint32_t)(l->out - l->r->text.text);
}

static void lex(struct lexer *l) {
    while (l->in < l->end) {
        char c = *l->in;
        if (c == '#' && l->fresh) {
            directive(l);
            continue;
        }
        if (strchr(" \t\r\f\v\\\n", c)) { /* NUL as well */
            if (c == '\n') {
                l->line++;
                l->fresh = true;
                l->line_start = l->in + 1;
            }
            *l->out++ = c ? c : ' ';
            l->in++;
            continue;
        }
        const char *start = l->in, *stop;
        enum token_kind kind = TOKEN_PUNCTUATOR;
        l->fresh = false;
        if (is_digit(c) || (c == '.' && start + 1 < l->end && is_digit(start[1]))) {
            kind = TOKEN_NUMBER;
            stop = number_end(start + 1, l->end);
        } else if (c == '"' || c == '\'') {
            kind = TOKEN_STRING;
            stop = string_end(start, l->end, c);
        } else if (is_word(c)) {
            kind = TOKEN_WORD;
            for (stop = start; stop < l->end && is_word(*stop);) stop++;
        } else {
            stop = start + punctuator_length(start, l->end);
        }
        nest(l, kind, start, (size_t)(stop - start));
        if (kind == TOKEN_WORD)
            word(l, start, (size_t)(stop - start));
        else
            add(l, kind, start, (size_t)(stop - start));
        if (kind == TOKEN_PUNCTUATOR)
            reader_guard_after(l->guard, start, (size_t)(stop - start), &l->out);
        l->in = stop;
    }
    *l->out = 0;
    l->r->text.length = (size_t)(l->out - l->r->text.text);
}

/* Where an extension is not a macro clang hides the builtins that come with it. */
static const char *extension_macros(struct reader *r) {
    const char *list = reader_extensions(r);
    char *text = arena_alloc(r->arena, strlen(list) * 12 + 32), *end = text;
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " ");
        if (n) end += sprintf(end, "#define %.*s 1\n", (int)n, p);
        p += n + (p[n] == ' ');
    }
    return text;
}

void reader_text_make(struct reader *r) {
    size_t prelude_length, growth;
    r->own = reader_names_own(r->expanded->text, r->expanded->length, r->options->cl_std);
    const char *prelude = prelude_text(r->arena, reader_doubles(r), false, r->own,
                                       extension_macros(r), &prelude_length);
    const char *in = r->expanded->text, *end = in + r->expanded->length;
    growth = reader_guard_room(in, r->expanded->length);
    if (r->own) growth += r->expanded->length; /* a renamed one is longer than the prefix */
    for (const char *p = in; (p = memmem(p, (size_t)(end - p), "as_", 3)); p += 3) growth += 32;
    if ((uint64_t)prelude_length + r->expanded->length + growth >= UINT32_MAX / 2)
        reader_fail(r, (struct ast_loc){0}, "program too large");
    struct reader_text *t = &r->text;
    t->text = arena_alloc(r->arena, prelude_length + r->expanded->length + growth + 1);
    memcpy(t->text, prelude, prelude_length);
    t->begin = (uint32_t)prelude_length;
    struct lexer l = {.r = r,
                      .in = in,
                      .end = end,
                      .out = t->text + prelude_length,
                      .line = 1,
                      .fresh = true,
                      .line_start = in};
    l.nest = reader_nest_new(r);
    l.guard = reader_guard_new(r);
    lex(&l);
}

/* ---- questions ---- */

uint32_t reader_text_start(CXCursor c) {
    unsigned offset = 0;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(c)), NULL, NULL, NULL,
                              &offset);
    return offset;
}

uint32_t reader_text_end(CXCursor c) {
    unsigned offset = 0;
    clang_getSpellingLocation(clang_getRangeEnd(clang_getCursorExtent(c)), NULL, NULL, NULL,
                              &offset);
    return offset;
}

uint32_t reader_text_find(const struct reader *r, uint32_t offset) {
    uint32_t low = 0, high = r->text.ntokens;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->text.tokens[middle].end > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool reader_text_is(const struct reader *r, uint32_t token, const char *word) {
    if (token >= r->text.ntokens) return false;
    const struct token *k = &r->text.tokens[token];
    size_t n = strlen(word);
    return k->end - k->start == n && memcmp(r->text.text + k->start, word, n) == 0;
}

char *reader_text_token(struct reader *r, uint32_t token) {
    if (token >= r->text.ntokens) return arena_strdup(r->arena, "");
    const struct token *k = &r->text.tokens[token];
    return arena_strndup(r->arena, r->text.text + k->start, k->end - k->start);
}

uint32_t reader_text_close(const struct reader *r, uint32_t token) {
    uint32_t depth = 0;
    for (uint32_t i = token; i < r->text.ntokens; i++) {
        if (r->text.tokens[i].kind != TOKEN_PUNCTUATOR) continue;
        char c = r->text.text[r->text.tokens[i].start];
        if (c == '(' || c == '[' || c == '{') depth++;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i;
    }
    return r->text.ntokens;
}

struct ast_loc reader_text_loc(const struct reader *r, uint32_t offset) {
    uint32_t i = reader_text_find(r, offset);
    if (offset < r->text.begin || i >= r->text.ntokens) return (struct ast_loc){0};
    const struct token *k = &r->text.tokens[i];
    return (struct ast_loc){.line = k->line, .file = k->file, .column = k->column};
}

struct ast_loc reader_text_place(const struct reader *r, CXCursor c) {
    unsigned offset = 0;
    clang_getSpellingLocation(clang_getCursorLocation(c), NULL, NULL, NULL, &offset);
    return reader_text_loc(r, offset);
}

/* ---- extents ---- */

enum { MAX_EXTENT = (1 << 15) - 1 };

static void index_lines(struct reader *r) {
    const char *begin = r->source, *end = begin + r->source_length;
    uint32_t n = 2;
    for (const char *p = begin; (p = memchr(p, '\n', (size_t)(end - p))); p++) n++;
    uint32_t *lines = ARENA_ARRAY(r->arena, uint32_t, n);
    n = 1;
    for (const char *p = begin; (p = memchr(p, '\n', (size_t)(end - p)));)
        lines[++n] = (uint32_t)(++p - begin);
    r->text.lines = lines;
    r->text.nlines = n;
}

/* Where the source holds a token that it has as such; UINT32_MAX: it came out of a macro, or is of
 * another file. */
static uint32_t in_source(struct reader *r, const struct token *k) {
    bool told = r->expanded->is_source && r->source_length < UINT32_MAX;
    if (!told || k->file != 0 || !k->column) return UINT32_MAX;
    if (!r->text.lines) index_lines(r);
    if (!k->line || k->line > r->text.nlines) return UINT32_MAX;
    uint64_t at = (uint64_t)r->text.lines[k->line] + k->column - 1, length = k->end - k->start;
    if (at + length > r->source_length) return UINT32_MAX;
    bool same = !memcmp(r->source + at, r->expanded->text + k->written, length);
    return same ? (uint32_t)at : UINT32_MAX;
}

struct ast_extent reader_text_extent(struct reader *r, CXCursor from, CXCursor to) {
    struct ast_extent e = {0};
    uint32_t start = reader_text_start(from), end = reader_text_end(to);
    if (start < r->text.begin || end <= start) return e;
    uint32_t first = reader_text_find(r, start), last = reader_text_find(r, end - 1);
    if (last >= r->text.ntokens || last < first) return e;
    const struct token *f = &r->text.tokens[first], *l = &r->text.tokens[last];
    if (l->end - l->start >= MAX_EXTENT) return e;
    uint32_t begin = in_source(r, f), behind = in_source(r, l), length = l->end - l->start;
    e.written = begin != UINT32_MAX && behind != UINT32_MAX && begin <= behind;
    e.begin = e.written ? begin : f->written;
    length += (e.written ? behind : l->written) - e.begin;
    e.length = length < MAX_EXTENT ? length : MAX_EXTENT;
    e.column = f->column;
    return e;
}
