/* Reading the text form: see scan.h. Any bytes may come; nothing here looks beyond `end`. */
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scan_fail(struct scan *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(s->error->text, sizeof s->error->text, format, list);
    va_end(list);
    s->error->line = s->line;
    return false;
}

void scan_blank(struct scan *s) {
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r')) s->at++;
    if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '/')
        while (s->at < s->end && *s->at != '\n') s->at++;
}

bool scan_to_line(struct scan *s) {
    for (;;) {
        scan_blank(s);
        if (s->at == s->end) return false;
        if (*s->at != '\n') return true;
        s->at++;
        s->line++;
    }
}

bool scan_at_end_line(struct scan *s) {
    scan_blank(s);
    return s->at == s->end || *s->at == '\n';
}

bool scan_end_line(struct scan *s) {
    return scan_at_end_line(s) || scan_fail(s, "the line should end here");
}

bool scan_take(struct scan *s, char c) {
    scan_blank(s);
    if (s->at == s->end || *s->at != c) return false;
    s->at++;
    return true;
}

bool scan_expect(struct scan *s, char c) {
    return scan_take(s, c) || scan_fail(s, "'%c' is missing", c);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

struct scan_word scan_word(struct scan *s) {
    struct scan_word w = {.text = s->at};
    while (s->at < s->end && is_word(*s->at)) s->at++;
    w.length = (size_t)(s->at - w.text);
    return w;
}

bool scan_is(struct scan_word w, const char *word) {
    return strlen(word) == w.length && !memcmp(word, w.text, w.length);
}

unsigned scan_find(struct scan_word w, const char *const *names, unsigned count) {
    unsigned n = 0;
    while (n < count && !(names[n] && scan_is(w, names[n]))) n++;
    return n;
}

static int digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

bool scan_uint(struct scan *s, uint64_t limit, uint64_t *n) {
    scan_blank(s);
    int base = 10;
    if (s->end - s->at > 2 && s->at[0] == '0' && s->at[1] == 'x') {
        base = 16;
        s->at += 2;
    }
    if (s->at == s->end || digit(*s->at) >= base) return scan_fail(s, "a number is missing");
    uint64_t value = 0;
    for (; s->at < s->end && digit(*s->at) < base; s->at++) {
        unsigned d = (unsigned)digit(*s->at);
        if (value > (UINT64_MAX - d) / (unsigned)base)
            return scan_fail(s, "the number is too large");
        value = value * (unsigned)base + d;
    }
    if (value > limit) return scan_fail(s, "the number is too large");
    *n = value;
    return true;
}

bool scan_u32(struct scan *s, uint32_t *n) {
    uint64_t value;
    if (!scan_uint(s, UINT32_MAX, &value)) return false;
    *n = (uint32_t)value;
    return true;
}

bool scan_int(struct scan *s, int64_t least, uint64_t most, uint64_t *bits) {
    if (!scan_take(s, '-')) return scan_uint(s, most, bits);
    if (!scan_uint(s, 0 - (uint64_t)least, bits)) return false;
    *bits = 0 - *bits;
    return true;
}

bool scan_hex(struct scan *s, unsigned digits, uint64_t *n) {
    uint64_t value = 0;
    for (unsigned d = 0; d < digits; d++, s->at++) {
        if (s->at == s->end || digit(*s->at) == 16)
            return scan_fail(s, "%u hexadecimal digits are missing", digits - d);
        value = value << 4 | (unsigned)digit(*s->at);
    }
    *n = value;
    return true;
}

static bool unescape(struct scan *s, char **out) {
    char c = *s->at++;
    if (c == '\n' || !c) return scan_fail(s, "the string does not end");
    if (c == '\\') {
        if (s->at == s->end) return scan_fail(s, "the string does not end");
        c = *s->at++;
        uint64_t code = 0;
        switch (c) {
        case 'n': c = '\n'; break;
        case 't': c = '\t'; break;
        case '"':
        case '\\': break;
        case 'x':
            if (!scan_hex(s, 2, &code)) return false;
            if (!code) return scan_fail(s, "a string cannot hold \\x00");
            c = (char)code;
            break;
        default: return scan_fail(s, "unknown escape in a string");
        }
    }
    *(*out)++ = c;
    return true;
}

char *scan_string(struct scan *s) {
    if (!scan_expect(s, '"')) return NULL;
    const char *close = s->at;
    while (close < s->end && *close != '"' && *close != '\n')
        close += *close == '\\' && s->end - close > 1 ? 2 : 1;
    char *string = malloc((size_t)(close - s->at) + 1), *out = string;
    if (!string) {
        scan_fail(s, "out of memory");
        return NULL;
    }
    while (s->at < s->end && *s->at != '"')
        if (!unescape(s, &out)) {
            free(string);
            return NULL;
        }
    if (s->at == s->end) {
        scan_fail(s, "the string does not end");
        free(string);
        return NULL;
    }
    s->at++;
    *out = 0;
    return string;
}
