/* Reads JSON (RFC 8259) into a tree. What it is given may be anything. */
#ifndef SIMTCL_JSON_READER_H
#define SIMTCL_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind { JSON_NULL, JSON_TRUTH, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

struct json_value {
    enum json_kind kind;
    const char *key;                 /* of a member of an object, else NULL */
    double number;                   /* a truth: 0 or 1 */
    const char *text;                /* UTF-8, without \u0000 */
    struct json_value *first, *next; /* members; the next one in what this is a member of */
    size_t count;                    /* of members */
};

struct json_tree; /* values live as long as it does */

/* A tree of the text, or NULL with why not, one line, and the line of the text (0: no memory). */
struct json_tree *json_read(const char *text, size_t length, char why[80], size_t *line);
void json_tree_free(struct json_tree *t); /* NULL is fine */
const struct json_value *json_root(const struct json_tree *t);
/* The member of that name, or NULL; v may be NULL or anything. */
const struct json_value *json_member(const struct json_value *v, const char *key);
/* The member's value where it is a number, a text; else what is given here. */
double json_number_of(const struct json_value *v, const char *key, double otherwise);
const char *json_text_of(const struct json_value *v, const char *key, const char *otherwise);

#endif
