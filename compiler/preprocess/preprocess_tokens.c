/* Bytes to preprocessing tokens (C99 6.4). The text has been made ready by preprocess_files.c: no
 * splices, line ends are '\n', no NUL but the last byte. */
#include <string.h>

#include "preprocess_private.h"

enum { /* classes of bytes */
       C_NAME =
           1, /* may begin an identifier; bytes of UTF-8 sequences may too, clang judges them */
       C_DIGIT = 2,
       C_BLANK = 4,
       C_STOP = 8 /* of interest in a group that is skipped */
};
static const uint8_t class_of[256] = {
    ['a' ... 'z'] = C_NAME,   ['A' ... 'Z'] = C_NAME,  ['_'] = C_NAME,  ['$'] = C_NAME,
    [0x80 ... 0xff] = C_NAME, ['0' ... '9'] = C_DIGIT, [' '] = C_BLANK, ['\t'] = C_BLANK,
    ['\f'] = C_BLANK,         ['\v'] = C_BLANK,        [0] = C_STOP,    ['\n'] = C_STOP,
    ['"'] = C_STOP,           ['\''] = C_STOP,         ['/'] = C_STOP,
};
static inline bool is(char c, unsigned classes) { return class_of[(unsigned char)c] & classes; }

/* Counts the splices up to p. */
static inline void count_splices(struct pp_buffer *b, const char *p) {
    while ((size_t)(p - b->file->text) >= *b->splice) {
        b->line_start = b->file->text + *b->splice++;
        b->line++;
    }
}

/* p is at a '\n': the next line begins behind it. */
static inline const char *newline(struct pp_buffer *b, const char *p) {
    count_splices(b, p);
    b->line++;
    b->line_start = ++p;
    return p;
}

static const char *end_of_line(const char *p) { return strchrnul(p, '\n'); }

/* p is behind the opening of a block comment; gives the place behind its end. */
static const char *skip_comment(struct pp *pp, struct pp_buffer *b, const char *p) {
    count_splices(b, p);
    struct pp_token start = {.line = b->line, .column = (uint32_t)(p - 2 - b->line_start) + 1};
    for (;; p++) {
        while (*p != '*' && *p != '\n' && *p) p++;
        if (*p == '*' && p[1] == '/') return p + 2;
        if (*p == '\n') {
            newline(b, p);
        } else if (!*p) {
            pp_report(pp, DIAG_ERROR, &start, "unterminated /* comment");
            return p;
        }
    }
}

/* The same without counting lines or complaints, for looking ahead. */
static const char *pass_comment(const char *p) {
    const char *end = strstr(p, "*/");
    return end ? end + 2 : p + strlen(p);
}

/* p is behind the opening quote; stops behind the closing one, or at the line's end. */
static const char *scan_literal(const char *p, char quote, bool *closed) {
    while (*p != quote && *p != '\n' && *p)
        if (*p++ == '\\' && *p != '\n' && *p) p++;
    *closed = *p == quote;
    return p + *closed;
}

/* The length of a universal character name at p, or 0 (C99 6.4.3). */
static unsigned universal_name(const char *p) {
    if (p[0] != '\\' || (p[1] != 'u' && p[1] != 'U')) return 0;
    unsigned digits = p[1] == 'u' ? 4 : 8;
    for (unsigned i = 0; i < digits; i++) {
        char c = p[2 + i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return 0;
    }
    return 2 + digits;
}

static const char *scan_name(const char *p) {
    for (unsigned n;; p += n) {
        while (is(*p, C_NAME | C_DIGIT)) p++;
        if (!(n = universal_name(p))) return p;
    }
}

/* A preprocessing number takes in more than numbers (C99 6.4.8). */
static const char *scan_number(const char *p) {
    for (;;) {
        if ((*p == 'e' || *p == 'E' || *p == 'p' || *p == 'P') && (p[1] == '+' || p[1] == '-'))
            p += 2;
        else if (is(*p, C_NAME | C_DIGIT) || *p == '.')
            p++;
        else
            return p;
    }
}

/* The length of the punctuator at p, or 0. */
static unsigned punctuator(const char *p) {
    char c = p[0], d = p[1];
    switch (c) {
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case ',':
    case ';':
    case '?':
    case '~': return 1;
    case '.': return d == '.' && p[2] == '.' ? 3 : 1;
    case '+': return d == '+' || d == '=' ? 2 : 1;
    case '-': return d == '-' || d == '=' || d == '>' ? 2 : 1;
    case '*':
    case '/':
    case '^':
    case '!':
    case '=': return d == '=' ? 2 : 1;
    case '&': return d == '&' || d == '=' ? 2 : 1;
    case '|': return d == '|' || d == '=' ? 2 : 1;
    case '<':
        if (d == '<') return p[2] == '=' ? 3 : 2;
        return d == '=' || d == ':' || d == '%' ? 2 : 1;
    case '>':
        if (d == '>') return p[2] == '=' ? 3 : 2;
        return d == '=' ? 2 : 1;
    case ':': return d == '>' ? 2 : 1;
    case '#': return d == '#' ? 2 : 1;
    case '%':
        if (d == ':') return p[2] == '%' && p[3] == ':' ? 4 : 2;
        return d == '=' || d == '>' ? 2 : 1;
    default: return 0;
    }
}

/* Skips white space and comments. Returns the flags the next token gets. */
static const char *skip_space(struct pp *pp, struct pp_buffer *b, const char *p, unsigned *flags) {
    for (;; *flags |= PP_SPACE) {
        if (is(*p, C_BLANK)) {
            do p++;
            while (is(*p, C_BLANK));
        } else if (*p == '\n' && !pp->in_directive) {
            p = newline(b, p);
            b->line_is_fresh = true;
        } else if (*p == '/' && p[1] == '/') {
            p = end_of_line(p);
        } else if (*p == '/' && p[1] == '*') {
            p = skip_comment(pp, b, p + 2);
        } else {
            return p;
        }
    }
}

static void scan_token(struct pp *pp, struct pp_token *t, const char *p) {
    const char *begin = p;
    bool closed;
    if (is(*p, C_NAME) || universal_name(p)) {
        p = scan_name(p);
        if (p == begin + 1 && *begin == 'L' && (*p == '"' || *p == '\'')) {
            t->kind = *p == '"' ? PP_STRING : PP_CHAR;
            p = scan_literal(p + 1, *p, &closed);
            if (!closed) t->kind = PP_OTHER;
        } else {
            t->kind = PP_IDENT;
            t->name = pp_intern(pp, begin, (size_t)(p - begin));
        }
    } else if (is(*p, C_DIGIT) || (*p == '.' && is(p[1], C_DIGIT))) {
        t->kind = PP_NUMBER;
        p = scan_number(p + 1);
    } else if (*p == '"' || *p == '\'') {
        p = scan_literal(p + 1, *p, &closed);
        t->kind = !closed ? PP_OTHER : *begin == '"' ? PP_STRING : PP_CHAR;
    } else {
        unsigned n = punctuator(p);
        t->kind = n ? PP_PUNCT : PP_OTHER;
        p += n ? n : 1;
    }
    t->text = begin;
    t->length = (uint32_t)(p - begin);
}

static const char *start_token(struct pp *pp, struct pp_token *t) {
    struct pp_buffer *b = pp->buffer;
    unsigned flags = 0;
    const char *p = skip_space(pp, b, b->p, &flags);
    count_splices(b, p);
    if (b->line_is_fresh) flags |= PP_LINE_START;
    *t = (struct pp_token){.flags = (uint8_t)(flags | PP_PLACED),
                           .line = b->line,
                           .column = (uint32_t)(p - b->line_start) + 1,
                           .text = p};
    return p;
}

static void end_token(struct pp *pp, const struct pp_token *t) {
    pp->buffer->p = t->text + t->length;
    if (t->kind != PP_EOF) pp->buffer->line_is_fresh = false;
}

void pp_lex(struct pp *pp, struct pp_token *t) {
    const char *p = start_token(pp, t);
    if (*p && *p != '\n') scan_token(pp, t, p);
    end_token(pp, t);
}

void pp_lex_header_name(struct pp *pp, struct pp_token *t) {
    const char *p = start_token(pp, t);
    if (*p == '<' || *p == '"') {
        char close = *p == '<' ? '>' : '"';
        const char *end = p + 1;
        while (*end != close && *end != '\n' && *end) end++;
        if (*end == close) {
            t->kind = PP_STRING;
            t->length = (uint32_t)(end + 1 - p);
            end_token(pp, t);
            return;
        }
    }
    if (*p && *p != '\n') scan_token(pp, t, p);
    end_token(pp, t);
}

void pp_skip_line(struct pp *pp) {
    struct pp_token t;
    do pp_lex(pp, &t);
    while (t.kind != PP_EOF);
}

bool pp_skip_to_directive(struct pp *pp) {
    struct pp_buffer *b = pp->buffer;
    const char *p = b->p;
    bool begin = false; /* p is at the first token of a line */
    for (;;) {
        unsigned flags = 0;
        while (!is(*p, C_STOP) && !begin) p++;
        if (begin) p = skip_space(pp, b, p, &flags);
        bool hash = begin && (*p == '#' || (*p == '%' && p[1] == ':'));
        begin = false;
        if (hash) {
            b->p = p + (*p == '#' ? 1 : 2);
            b->line_is_fresh = false;
            return true;
        }
        switch (*p) {
        case 0:
            count_splices(b, p);
            b->p = p;
            return false;
        case '\n':
            p = newline(b, p);
            begin = true;
            break;
        case '"':
        case '\'': p = scan_literal(p + 1, *p, &(bool){false}); break;
        case '/':
            if (p[1] == '*')
                p = skip_comment(pp, b, p + 2);
            else
                p = p[1] == '/' ? end_of_line(p) : p + 1;
            break;
        default: break; /* the line's first token; the scan goes on from it */
        }
    }
}

bool pp_next_is_paren(struct pp *pp) {
    for (const char *p = pp->buffer->p;;) {
        if (is(*p, C_BLANK) || *p == '\n')
            p++;
        else if (*p == '/' && p[1] == '/')
            p = end_of_line(p);
        else if (*p == '/' && p[1] == '*')
            p = pass_comment(p + 2);
        else
            return *p == '(';
    }
}

/* ---- text that is in no file ---- */

static const uint32_t no_splices[] = {UINT32_MAX};

static void open_text(struct pp *pp, struct pp_buffer *b, struct pp_file *f, const char *text,
                      size_t length) {
    struct pp_buffer *outer = pp->buffer;
    *f = (struct pp_file){.text = text, .length = length};
    *b = (struct pp_buffer){.file = f,
                            .presumed_name = outer ? outer->presumed_name : DIAG_MAIN_FILE,
                            .p = text,
                            .line_start = text,
                            .splice = no_splices,
                            .line = outer ? outer->line : 1,
                            .includer = outer};
    pp->buffer = b;
}

bool pp_lex_text(struct pp *pp, const char *text, size_t length, struct pp_token *t) {
    struct pp_buffer buffer;
    struct pp_file file;
    open_text(pp, &buffer, &file, text, length);
    *t = (struct pp_token){.kind = PP_EOF, .text = text};
    bool comment = text[0] == '/' && (text[1] == '/' || text[1] == '*');
    if (length && !comment && !is(*text, C_BLANK)) scan_token(pp, t, text);
    pp->buffer = buffer.includer;
    return t->kind != PP_EOF && t->length == length;
}

void pp_lex_all(struct pp *pp, const char *text, size_t length, struct pp_list *l) {
    struct pp_buffer buffer;
    struct pp_file file;
    bool in_directive = pp->in_directive;
    open_text(pp, &buffer, &file, text, length);
    pp->in_directive = false;
    struct pp_token t;
    for (pp_lex(pp, &t); t.kind != PP_EOF; pp_lex(pp, &t)) {
        t.flags &= (uint8_t)~PP_PLACED;
        pp_list_add(pp, l, &t);
    }
    pp->in_directive = in_directive;
    pp->buffer = buffer.includer;
}
