/* The build log. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ERRORS = 100,
    MAX_WARNINGS = 400,
    MAX_SOURCES = 4096,
    MAX_MESSAGE = 2000,
    LINE_COLUMNS = 100, /* of a source line that are shown */
    LEAD_COLUMNS = 60,  /* of them before the caret, when the line is cut */
};

/* A stretch of text whose first line bears number `first_line`. The last place looked up is kept,
 * so that reports in order of place cost one walk over the text. */
struct diag_source {
    char *name;
    const char *text;
    size_t length;
    uint32_t first_line;
    uint32_t seen_line;
    size_t seen_offset;
    bool is_file; /* a whole one, not what follows a #line */
};

struct diag {
    char *log;
    size_t length, capacity;
    bool failed; /* out of memory */
    bool no_warnings, warnings_are_errors;
    bool muted; /* the last error or warning was not shown: neither are the notes that belong to it
                 */
    unsigned errors, warnings, hidden;
    struct diag_source *sources;
    unsigned nsources, cap_sources;
};

struct diag *diag_new(void) {
    return calloc(1, sizeof(struct diag));
}

void diag_free(struct diag *d) {
    if (!d) return;
    for (unsigned i = 0; i < d->nsources; i++) free(d->sources[i].name);
    free(d->sources);
    free(d->log);
    free(d);
}

void diag_source_from(struct diag *d, const char *name, const char *text, size_t length,
                      uint32_t first_line) {
    struct diag_source *last = d->nsources ? &d->sources[d->nsources - 1] : NULL;
    if (last && !last->is_file && text >= last->text && text < last->text + last->length)
        last->length = (size_t)(text - last->text); /* the same text goes on under another number */
    if (d->nsources == MAX_SOURCES) free(d->sources[--d->nsources].name);
    if (d->nsources == d->cap_sources) {
        unsigned capacity = d->cap_sources ? d->cap_sources * 2 : 8;
        struct diag_source *grown = realloc(d->sources, capacity * sizeof *grown);
        if (!grown) {
            d->failed = true;
            return;
        }
        d->sources = grown;
        d->cap_sources = capacity;
    }
    char *copy = strdup(name);
    if (!copy) {
        d->failed = true;
        return;
    }
    d->sources[d->nsources++] = (struct diag_source){.name = copy,
                                                     .text = text,
                                                     .length = length,
                                                     .first_line = first_line,
                                                     .seen_line = first_line};
}

void diag_source(struct diag *d, const char *name, const char *text, size_t length) {
    unsigned before = d->nsources;
    diag_source_from(d, name, text, length, 1);
    if (d->nsources > before) d->sources[before].is_file = true;
}

void diag_options(struct diag *d, bool no_warnings, bool warnings_are_errors) {
    d->no_warnings = no_warnings;
    d->warnings_are_errors = warnings_are_errors;
}

unsigned diag_errors(const struct diag *d) { return d->errors; }

static void put(struct diag *d, const char *text, size_t n) {
    if (d->failed) return;
    if (d->capacity - d->length <= n) {
        size_t capacity = (d->length + n + 1) * 2;
        char *grown = realloc(d->log, capacity);
        if (!grown) {
            d->failed = true;
            return;
        }
        d->log = grown;
        d->capacity = capacity;
    }
    memcpy(d->log + d->length, text, n);
    d->length += n;
    d->log[d->length] = 0;
}

static void puts_(struct diag *d, const char *text) { put(d, text, strlen(text)); }

/* ---- the source line ---- */

/* Line `line` of the source, without its end. */
static bool line_in(struct diag_source *s, uint32_t line, const char **begin, size_t *length) {
    if (line < s->first_line) return false;
    if (line < s->seen_line || s->seen_offset > s->length) {
        s->seen_line = s->first_line;
        s->seen_offset = 0;
    }
    while (s->seen_line < line) {
        const char *nl = memchr(s->text + s->seen_offset, '\n', s->length - s->seen_offset);
        if (!nl) return false;
        s->seen_offset = (size_t)(nl + 1 - s->text);
        s->seen_line++;
    }
    if (s->seen_offset >= s->length) return false;
    *begin = s->text + s->seen_offset;
    const char *nl = memchr(*begin, '\n', s->length - s->seen_offset);
    *length = nl ? (size_t)(nl - *begin) : s->length - s->seen_offset;
    if (*length && (*begin)[*length - 1] == '\r') --*length;
    return true;
}

/* The newest registration wins: #line may give a number to several lines. */
static bool find_line(struct diag *d, const char *file, uint32_t line, const char **begin,
                      size_t *length) {
    for (unsigned i = d->nsources; i-- > 0;)
        if (strcmp(d->sources[i].name, file) == 0 && line_in(&d->sources[i], line, begin, length))
            return true;
    return false;
}

/* One character at s[0..n): its bytes and the columns it takes on a terminal. `bad`: not to be
 * shown as it is. */
static size_t character(const char *s, size_t n, unsigned *columns, bool *bad) {
    unsigned char c = (unsigned char)s[0];
    *columns = 1;
    *bad = c < 0x20 || c == 0x7f;
    if (c < 0x80) return 1;
    size_t size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    *bad = c < 0xc2 || c > 0xf4 || size > n;
    uint32_t code = c & (0x7fu >> size);
    for (size_t i = 1; i < size && !*bad; i++) {
        *bad = ((unsigned char)s[i] & 0xc0) != 0x80;
        code = code << 6 | ((unsigned char)s[i] & 0x3f);
    }
    if (*bad) return 1;
    if (code < 0xa0) *bad = true; /* C1 controls */
    if ((code >= 0x300 && code < 0x370) || code == 0x200b || code == 0xfeff) *columns = 0;
    if ((code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
        (code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
        (code >= 0xfe30 && code < 0xfe70) || (code >= 0xff00 && code < 0xff61) ||
        (code >= 0x1f300 && code < 0x1fb00) || (code >= 0x20000 && code < 0x3fffe))
        *columns = 2;
    return size;
}

/* The byte at which a cut line starts so that `caret` lies LEAD_COLUMNS behind it. */
static size_t cut_before(const char *s, size_t caret) {
    size_t start = caret > LEAD_COLUMNS ? caret - LEAD_COLUMNS : 0;
    while (start > 0 && start < caret && ((unsigned char)s[start] & 0xc0) == 0x80) start++;
    return start;
}

/* Writes the line and, under byte `column` (from 1; 0: nowhere), a caret. Tabs stay tabs on both
 * lines, so the caret stands right at any tab width. */
static void put_line(struct diag *d, const char *s, size_t length, uint32_t column) {
    size_t caret = column ? column - 1 : 0;
    if (caret > length) caret = length;
    size_t start = length > LINE_COLUMNS ? cut_before(s, caret) : 0;
    if (length - start < LINE_COLUMNS && start > 0)
        start = cut_before(
            s, length > LINE_COLUMNS - LEAD_COLUMNS ? length - (LINE_COLUMNS - LEAD_COLUMNS) : 0);
    if (start > caret) start = cut_before(s, caret);
    char under[2 * LINE_COLUMNS + 64];
    size_t n = 0;
    unsigned shown = 0;
    puts_(d, start ? "    ..." : "    ");
    if (start) {
        memset(under, ' ', 3);
        n = 3;
    }
    size_t i = start;
    while (i < length && shown < LINE_COLUMNS) {
        unsigned columns;
        bool bad;
        size_t size = character(s + i, length - i, &columns, &bad);
        if (s[i] == '\t')
            put(d, "\t", 1);
        else if (bad)
            puts_(d, (unsigned char)s[i] < 0x20 ? " " : "?");
        else
            put(d, s + i, size);
        if (bad) columns = 1;
        if (i + size <= caret)
            for (unsigned k = 0; k < columns && n < sizeof under; k++)
                under[n++] = s[i] == '\t' ? '\t' : ' ';
        shown += columns + (columns == 0); /* a run of combining marks ends too */
        i += size;
    }
    puts_(d, i < length ? "...\n" : "\n");
    if (!column) return;
    puts_(d, "    ");
    put(d, under, n);
    puts_(d, "^\n");
}

/* ---- reports ---- */

static bool shown(struct diag *d, enum diag_severity s, bool placed) {
    if (s == DIAG_NOTE) return !(placed && d->muted);
    if (s == DIAG_ERROR) {
        d->muted = ++d->errors > MAX_ERRORS;
        d->hidden += d->muted;
    } else {
        d->muted = d->no_warnings || d->warnings == MAX_WARNINGS;
        d->warnings += !d->muted;
    }
    return !d->muted;
}

static void put_message(struct diag *d, const char *format, va_list args) {
    char message[MAX_MESSAGE];
    int n = vsnprintf(message, sizeof message, format, args);
    if (n < 0) return;
    puts_(d, message);
    if ((size_t)n >= sizeof message) puts_(d, "...");
    puts_(d, "\n");
}

void diag_report(struct diag *d, enum diag_severity s, const char *file, uint32_t line,
                 uint32_t column, const char *format, ...) {
    static const char *const word[] = {"note: ", "warning: ", "error: "};
    if (s == DIAG_WARNING && d->warnings_are_errors && !d->no_warnings) s = DIAG_ERROR;
    if (!shown(d, s, line != 0)) return;
    if (!file) file = DIAG_MAIN_FILE;
    if (line) {
        char place[32];
        puts_(d, file);
        if (column)
            snprintf(place, sizeof place, ":%u:%u: ", line, column);
        else
            snprintf(place, sizeof place, ":%u: ", line);
        puts_(d, place);
    }
    puts_(d, word[s]);
    va_list args;
    va_start(args, format);
    put_message(d, format, args);
    va_end(args);
    const char *text;
    size_t length;
    if (line && find_line(d, file, line, &text, &length)) put_line(d, text, length, column);
}

void diag_text(struct diag *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_message(d, format, args);
    va_end(args);
}

static void put_count(struct diag *d, unsigned n, const char *what) {
    char text[48];
    snprintf(text, sizeof text, "%u %s%s", n, what, n == 1 ? "" : "s");
    puts_(d, text);
}

char *diag_take(struct diag *d) {
    if (d->hidden) {
        put_count(d, d->hidden, "more error");
        puts_(d, " not shown\n");
    }
    if (d->errors) put_count(d, d->errors, "error");
    if (d->errors && d->warnings) puts_(d, " and ");
    if (d->warnings) put_count(d, d->warnings, "warning");
    if (d->errors || d->warnings) puts_(d, ".\n");
    if (d->failed) return NULL;
    char *log = d->log ? d->log : calloc(1, 1);
    d->log = NULL;
    d->length = d->capacity = 0;
    d->errors = d->warnings = d->hidden = 0;
    return log;
}
