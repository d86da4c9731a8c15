/* Writes JSON (RFC 8259), one member after the other. What is written is a stream's; errors show
 * there. Text may stand in an HTML page: "<" is escaped, and what is no UTF-8 is taken as Latin-1.
 */
#ifndef SIMTCL_JSON_WRITER_H
#define SIMTCL_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

struct json_writer {
    FILE *to;
    uint64_t bytes; /* written so far */
    unsigned depth;
    bool some[JSON_DEPTH]; /* the object or array at each depth has a member */
};

/* key: NULL for what stands in an array, or is all of the text. */
void json_object(struct json_writer *j, const char *key); /* begins one */
void json_array(struct json_writer *j, const char *key);
void json_end_object(struct json_writer *j);
void json_end_array(struct json_writer *j);
void json_text(struct json_writer *j, const char *key, const char *text); /* NULL: null */
void json_bytes(struct json_writer *j, const char *key, const char *text, size_t length);
void json_integer(struct json_writer *j, const char *key, uint64_t value);
/* An array of three: sizes and places of an ND-range. */
void json_triple(struct json_writer *j, const char *key, const uint32_t value[3]);
void json_number(struct json_writer *j, const char *key, double value); /* not finite: null */
void json_truth(struct json_writer *j, const char *key, bool value);
void json_null(struct json_writer *j, const char *key);

#endif
