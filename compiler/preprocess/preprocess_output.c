/* Tokens to text. A token of the source keeps its line, and its column unless an expansion before
 * it took more room; an expansion stands where its macro's name stood. */
#include <string.h>

#include "preprocess_private.h"

enum { MAX_EMPTY_LINES = 16 }; /* beyond it #line is shorter */

static char *reserve(struct pp *pp, size_t n) {
    if (pp->out_length + n > PP_MAX_OUTPUT) {
        pp_stop(pp, "the program is too large when its macros are expanded");
        return NULL;
    }
    if (pp->out_capacity - pp->out_length <=
        n) { /* one more: the arena's zero behind the last byte ends the text */
        size_t capacity = (pp->out_capacity + n) * 2;
        char *grown = arena_alloc(pp->arena, capacity);
        if (pp->out_length) memcpy(grown, pp->out, pp->out_length);
        pp->out = grown;
        pp->out_capacity = capacity;
    }
    return pp->out + pp->out_length;
}

static void write_text(struct pp *pp, const char *text, size_t n) {
    char *to = pp->stopped ? NULL : reserve(pp, n);
    if (!to) return;
    memcpy(to, text, n);
    pp->out_length += n;
    pp->out_column += (uint32_t)n;
}

static void write_blanks(struct pp *pp, uint32_t n) {
    char *to = pp->stopped ? NULL : reserve(pp, n);
    if (!to) return;
    memset(to, ' ', n);
    pp->out_length += n;
    pp->out_column += n;
}

static void write_newline(struct pp *pp) {
    write_text(pp, "\n", 1);
    pp->out_line++;
    pp->out_column = 1;
    pp->out_last.kind = PP_EOF;
}

static void write_place(struct pp *pp, const char *name, uint32_t line) {
    if (pp->out_column > 1) write_newline(pp);
    const char *text = arena_printf(pp->arena, "#line %u \"", line);
    write_text(pp, text, strlen(text));
    for (const char *s = name; *s; s++) {
        if (*s == '"' || *s == '\\') write_text(pp, "\\", 1);
        write_text(pp, s, 1);
    }
    write_text(pp, "\"\n", 2);
    pp->out_name = name;
    pp->out_line = line;
    pp->out_column = 1;
    pp->out_last.kind = PP_EOF;
}

/* Brings the output to that line. */
static void go_to(struct pp *pp, const char *name, uint32_t line) {
    if (name == pp->out_name && line == pp->out_line) return;
    if (name == pp->out_name && line > pp->out_line && line - pp->out_line <= MAX_EMPTY_LINES)
        while (pp->out_line < line && !pp->stopped) write_newline(pp);
    else
        write_place(pp, name, line);
}

/* Would a and b, written without space between, be read as other tokens? May err on the side of
 * yes. */
static bool would_glue(const struct pp_token *a, const struct pp_token *b) {
    if (a->kind == PP_EOF) return false;
    if (a->kind == PP_OTHER || b->kind == PP_OTHER) return true;
    char c = b->text[0];
    bool b_is_word = b->kind == PP_IDENT || b->kind == PP_NUMBER || c == 'L';
    if (a->kind == PP_IDENT) return b_is_word || b->kind == PP_STRING || b->kind == PP_CHAR;
    if (a->kind == PP_NUMBER) return b_is_word || c == '.' || c == '+' || c == '-';
    if (a->kind != PP_PUNCT) return false;
    char last = a->text[a->length - 1];
    if (last == '.') return c == '.' || b->kind == PP_NUMBER;
    return b->kind == PP_PUNCT && strchr("+-&|<>=!*/%^#:", last) && strchr("+-&|<>=*/%#:", c);
}

/* Notes the column of the token that is written next where the text does not show it. */
static void note_column(struct pp *pp, uint32_t column) {
    if (column == pp->out_column) return;
    if (pp->nplaces == pp->place_capacity) {
        uint32_t capacity = pp->place_capacity ? pp->place_capacity * 2 : 64;
        struct preprocess_place *grown = ARENA_ARRAY(pp->arena, struct preprocess_place, capacity);
        if (pp->nplaces) memcpy(grown, pp->places, pp->nplaces * sizeof *grown);
        pp->places = grown;
        pp->place_capacity = capacity;
    }
    pp->places[pp->nplaces++] =
        (struct preprocess_place){.offset = (uint32_t)pp->out_length, .column = column};
}

/* A decimal number of 2^63 or more that does not say u, which clang has in 128 bits. Here it is a
 * ulong, but for 2^63 behind a minus, which makes the least long of it. */
static bool lacks_u(const struct pp *pp, const struct pp_token *t) {
    const uint64_t least = 1ull << 63;
    uint64_t value = 0;
    uint32_t i = 0;
    if (t->kind != PP_NUMBER || t->length < 19 || t->text[0] == '0') return false;
    for (; i < t->length && t->text[i] >= '0' && t->text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(t->text[i] - '0');
        if (value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    while (i < t->length && (t->text[i] == 'l' || t->text[i] == 'L')) i++;
    return i == t->length && value >= least && (value > least || !pp_is(&pp->out_last, "-"));
}

static void write_token(struct pp *pp, const struct pp_token *t) {
    bool ulong = lacks_u(pp, t);
    write_text(pp, t->text, t->length);
    if (ulong) write_text(pp, "u", 1);
    pp->out_last = *t;
}

void pp_emit(struct pp *pp, const struct pp_token *t) {
    const struct pp_token *place = t->flags & PP_PLACED ? t : &pp->site, *last = &pp->out_last;
    if (t->kind == PP_OTHER &&
        (t->text[t->text[0] == 'L'] == '"' || t->text[t->text[0] == 'L'] == '\''))
        pp_report(pp, DIAG_ERROR, t, "missing terminating %c", t->text[t->text[0] == 'L']);
    if (place->line) go_to(pp, pp->buffer->presumed_name, place->line);
    bool own = t->flags & PP_PLACED && !(t->flags & PP_INHERITED);
    bool beside = own && last->flags & PP_PLACED && !(last->flags & PP_INHERITED) &&
                  last->line == t->line &&
                  last->column + last->length == t->column; /* as it was in the source */
    if (t->flags & PP_PLACED && t->column > pp->out_column)
        write_blanks(pp, t->column - pp->out_column);
    else if (t->flags & PP_SPACE ? pp->out_column > 1 : !beside && would_glue(last, t))
        write_blanks(pp, 1);
    note_column(pp, place->line ? place->column : 0);
    write_token(pp, t);
}

void pp_emit_pragma(struct pp *pp, const struct pp_list *line, const struct pp_token *where) {
    const struct pp_token *place = where->flags & PP_PLACED ? where : &pp->site;
    go_to(pp, pp->buffer->presumed_name, place->line);
    if (pp->out_column > 1) write_newline(pp);
    write_text(pp, "#pragma", 7);
    for (uint32_t i = 0; i < line->count; i++) {
        if (i == 0 || line->tokens[i].flags & PP_SPACE ||
            would_glue(&pp->out_last, &line->tokens[i]))
            write_blanks(pp, 1);
        write_token(pp, &line->tokens[i]);
    }
    write_newline(pp);
}

void pp_finish_output(struct pp *pp) {
    if (pp->out_column > 1) write_newline(pp);
    if (!pp->out) pp->out = arena_strdup(pp->arena, "");
}
