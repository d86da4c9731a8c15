#include "json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Length of the UTF-8 sequence at `at`, of which `left` bytes are there; 0: there is none. Neither
 * surrogates nor forms that are too long are UTF-8. */
static unsigned sequence(const unsigned char *at, size_t left) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = *at < 0x80       ? 1
                      : *at >> 5 == 6  ? 2
                      : *at >> 4 == 14 ? 3
                      : *at >> 3 == 30 ? 4
                                       : 0;
    if (length < 2) return length;
    if (length > left) return 0;
    uint32_t code = *at & (0xffu >> (length + 1));
    for (unsigned n = 1; n < length; n++) {
        if (at[n] >> 6 != 2) return 0;
        code = code << 6 | (at[n] & 63u);
    }
    bool good = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return good ? length : 0;
}

static void put(struct json_writer *j, const char *text, size_t length) {
    fwrite(text, 1, length, j->to);
    j->bytes += length;
}

static void put_char(struct json_writer *j, char c) { put(j, &c, 1); }
static void put_text(struct json_writer *j, const char *text) { put(j, text, strlen(text)); }

static void put_escaped(struct json_writer *j, unsigned char c) {
    char text[8];
    snprintf(text, sizeof text, "\\u%04x", c);
    put_text(j, text);
}

static void put_string(struct json_writer *j, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    put_char(j, '"');
    while (at < end) {
        unsigned n = sequence(at, (size_t)(end - at));
        if (*at == '"')
            put_text(j, "\\\"");
        else if (*at == '\\')
            put_text(j, "\\\\");
        else if (*at == '\n')
            put_text(j, "\\n");
        else if (*at == '\t')
            put_text(j, "\\t");
        else if (!n || *at < ' ' || *at == '<' || *at == 0x7f)
            put_escaped(j, *at);
        else
            put(j, (const char *)at, n);
        at += n ? n : 1;
    }
    put_char(j, '"');
}

/* What stands before a member: a comma, a line of its own where the text is about many, its key. */
static void before(struct json_writer *j, const char *key) {
    if (j->depth) {
        if (j->some[j->depth - 1]) put_char(j, ',');
        if (key && j->depth < 4) put_char(j, '\n');
        j->some[j->depth - 1] = true;
    }
    if (!key) return;
    put_string(j, key, strlen(key));
    put_char(j, ':');
}

static void begin(struct json_writer *j, const char *key, char bracket) {
    before(j, key);
    assert(j->depth < JSON_DEPTH);
    j->some[j->depth++] = false;
    put_char(j, bracket);
}

void json_object(struct json_writer *j, const char *key) { begin(j, key, '{'); }
void json_array(struct json_writer *j, const char *key) { begin(j, key, '['); }

static void end(struct json_writer *j, char bracket) {
    assert(j->depth);
    j->depth--;
    put_char(j, bracket);
}

void json_end_object(struct json_writer *j) { end(j, '}'); }
void json_end_array(struct json_writer *j) { end(j, ']'); }

void json_bytes(struct json_writer *j, const char *key, const char *text, size_t length) {
    before(j, key);
    put_string(j, text, length);
}

void json_text(struct json_writer *j, const char *key, const char *text) {
    if (text)
        json_bytes(j, key, text, strlen(text));
    else
        json_null(j, key);
}

void json_integer(struct json_writer *j, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    before(j, key);
    put_text(j, text);
}

void json_triple(struct json_writer *j, const char *key, const uint32_t value[3]) {
    json_array(j, key);
    for (int d = 0; d < 3; d++) json_integer(j, NULL, value[d]);
    json_end_array(j);
}

/* The driver may run under a locale that has commas: the C library's formats are not for JSON. */
void json_number(struct json_writer *j, const char *key, double value) {
    char text[40];
    if (!isfinite(value)) {
        json_null(j, key);
        return;
    }
    snprintf(text, sizeof text, "%.9g", value);
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-e", *p)) *p = '.';
    before(j, key);
    put_text(j, text);
}

void json_truth(struct json_writer *j, const char *key, bool value) {
    before(j, key);
    put_text(j, value ? "true" : "false");
}

void json_null(struct json_writer *j, const char *key) {
    before(j, key);
    put_text(j, "null");
}
