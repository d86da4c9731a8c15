#include "json_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

/* Memory of a tree: blocks that are freed together. */
struct json_block {
    struct json_block *next;
    size_t used, size;
    char bytes[];
};

struct json_tree {
    struct json_block *blocks;
    struct json_value root;
};

struct json_parser {
    struct json_tree *tree;
    const char *at, *end, *begin;
    const char *why; /* NULL: all is well */
    unsigned depth;
};

static void *room(struct json_parser *p, size_t bytes) {
    bytes = (bytes + 15) & ~(size_t)15;
    struct json_block *b = p->tree->blocks;
    if (!b || b->size - b->used < bytes) {
        size_t size = bytes > 1 << 16 ? bytes : 1 << 16;
        b = malloc(sizeof *b + size);
        if (!b) {
            p->why = "no memory";
            return NULL;
        }
        *b = (struct json_block){p->tree->blocks, 0, size};
        p->tree->blocks = b;
    }
    void *at = b->bytes + b->used;
    b->used += bytes;
    return at;
}

static bool refuse(struct json_parser *p, const char *why) {
    if (!p->why) p->why = why;
    return false;
}

static void skip(struct json_parser *p) {
    while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at) p->at++;
}

static bool next_is(struct json_parser *p, char c) {
    skip(p);
    if (p->at >= p->end || *p->at != c) return false;
    p->at++;
    return true;
}

/* ---- strings ---- */

static bool hex4(struct json_parser *p, uint32_t *code) {
    *code = 0;
    if (p->end - p->at < 4) return refuse(p, "a \\u is cut off");
    for (int n = 0; n < 4; n++) {
        char c = *p->at++;
        const char *digits = "0123456789abcdef", *d = c ? strchr(digits, c | 32) : NULL;
        if (!d) return refuse(p, "a \\u has no hexadecimal digits");
        *code = *code << 4 | (uint32_t)(d - digits);
    }
    return true;
}

static char *put_code(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

/* Behind \u. A surrogate without its other half becomes U+FFFD. */
static bool unicode(struct json_parser *p, char **to) {
    uint32_t code, low;
    if (!hex4(p, &code)) return false;
    if (code >> 10 == 0xd800 >> 10 && p->end - p->at >= 6 && p->at[0] == '\\' && p->at[1] == 'u') {
        p->at += 2;
        if (!hex4(p, &low)) return false;
        if (low >> 10 == 0xdc00 >> 10)
            code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
        else
            code = 0xfffd;
    }
    if (!code) return refuse(p, "a text has the character 0");
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    *to = put_code(*to, code);
    return true;
}

static bool escaped(struct json_parser *p, char **to) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    if (p->at >= p->end) return refuse(p, "a text has no end");
    char c = *p->at++;
    if (c == 'u') return unicode(p, to);
    const char *which = c ? strchr(from, c) : NULL;
    if (!which) return refuse(p, "no such escape in a text");
    *(*to)++ = into[which - from];
    return true;
}

/* Behind the quotation mark. What it becomes is no longer than it is. */
static const char *string(struct json_parser *p) {
    const char *end = p->at;
    while (end < p->end && *end != '"') end += *end == '\\' && end + 1 < p->end ? 2 : 1;
    if (end >= p->end) return refuse(p, "a text has no end"), NULL;
    char *text = room(p, (size_t)(end - p->at) + 1), *to = text;
    if (!text) return NULL;
    while (p->at < end) {
        unsigned char c = (unsigned char)*p->at++;
        if (c < ' ') return refuse(p, "a text has a character below 32"), NULL;
        if (c != '\\')
            *to++ = (char)c;
        else if (!escaped(p, &to))
            return NULL;
    }
    p->at = end + 1;
    *to = '\0';
    return text;
}

/* ---- values ---- */

static bool value(struct json_parser *p, struct json_value *v);

static bool word(struct json_parser *p, struct json_value *v, const char *text, enum json_kind kind,
                 double number) {
    size_t length = strlen(text);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, text, length) != 0)
        return refuse(p, "no value");
    p->at += length;
    v->kind = kind;
    v->number = number;
    return true;
}

/* Locales have commas of their own: strtod is not for JSON. Exact as far as 53 bits go. */
static bool number(struct json_parser *p, struct json_value *v) {
    double sign = 1, mantissa = 0;
    int exponent = 0, given = 0, digits = 0;
    bool less = false;
    if (*p->at == '-') sign = -1, p->at++;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++, digits++)
        mantissa = mantissa * 10 + (*p->at - '0');
    if (!digits) return refuse(p, "no value");
    if (p->at < p->end && *p->at == '.')
        for (p->at++; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++, exponent--)
            mantissa = mantissa * 10 + (*p->at - '0');
    if (p->at < p->end && (*p->at | 32) == 'e') {
        p->at++;
        if (p->at < p->end && (*p->at == '-' || *p->at == '+')) less = *p->at++ == '-';
        for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
            if (given < 1000) given = given * 10 + (*p->at - '0');
        exponent += less ? -given : given;
    }
    v->kind = JSON_NUMBER;
    double scale = 1;
    for (int n = exponent < 0 ? -exponent : exponent; n && scale < 1e300; n--) scale *= 10;
    v->number = sign * (exponent < 0 ? mantissa / scale : mantissa * scale);
    return true;
}

static bool members(struct json_parser *p, struct json_value *v, char end) {
    struct json_value **last = &v->first;
    if (++p->depth > MOST_DEPTH) return refuse(p, "it is nested too deep");
    v->kind = end == '}' ? JSON_OBJECT : JSON_ARRAY;
    while (!next_is(p, end)) {
        if (v->count && !next_is(p, ',')) return refuse(p, "a comma is missing");
        struct json_value *m = room(p, sizeof *m);
        if (!m) return false;
        *m = (struct json_value){JSON_NULL};
        if (end == '}' && (!next_is(p, '"') || !(m->key = string(p)) || !next_is(p, ':')))
            return refuse(p, "a member has no name");
        if (!value(p, m)) return false;
        *last = m;
        last = &m->next;
        v->count++;
    }
    p->depth--;
    return true;
}

static bool value(struct json_parser *p, struct json_value *v) {
    skip(p);
    if (p->at >= p->end) return refuse(p, "it ends too early");
    switch (*p->at) {
    case '{': p->at++; return members(p, v, '}');
    case '[': p->at++; return members(p, v, ']');
    case '"':
        p->at++;
        v->kind = JSON_TEXT;
        return (v->text = string(p));
    case 't': return word(p, v, "true", JSON_TRUTH, 1);
    case 'f': return word(p, v, "false", JSON_TRUTH, 0);
    case 'n': return word(p, v, "null", JSON_NULL, 0);
    default: return number(p, v);
    }
}

struct json_tree *json_read(const char *text, size_t length, char why[80], size_t *line) {
    struct json_tree *t = calloc(1, sizeof *t);
    struct json_parser p = {.tree = t, .at = text, .begin = text, .end = text + length};
    *line = 0;
    snprintf(why, 80, "no memory");
    if (!t) return NULL;
    if (value(&p, &t->root)) {
        skip(&p);
        if (p.at != p.end) refuse(&p, "something follows its end");
    }
    if (!p.why) return t;
    *line = 1;
    for (const char *c = text; c < p.at && c < p.end; c++) *line += *c == '\n';
    snprintf(why, 80, "%s", p.why);
    json_tree_free(t);
    return NULL;
}

void json_tree_free(struct json_tree *t) {
    if (!t) return;
    for (struct json_block *b = t->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(t);
}

const struct json_value *json_root(const struct json_tree *t) { return &t->root; }

const struct json_value *json_member(const struct json_value *v, const char *key) {
    if (!v || v->kind != JSON_OBJECT) return NULL;
    for (const struct json_value *m = v->first; m; m = m->next)
        if (!strcmp(m->key, key)) return m;
    return NULL;
}

double json_number_of(const struct json_value *v, const char *key, double otherwise) {
    const struct json_value *m = json_member(v, key);
    return m && m->kind == JSON_NUMBER ? m->number : otherwise;
}

const char *json_text_of(const struct json_value *v, const char *key, const char *otherwise) {
    const struct json_value *m = json_member(v, key);
    return m && m->kind == JSON_TEXT ? m->text : otherwise;
}
