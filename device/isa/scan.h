/* Reading the text form: characters, words, numbers, strings, and the first error. */
#ifndef SIMTCL_ISA_SCAN_H
#define SIMTCL_ISA_SCAN_H

#include "isa_private.h"

struct scan {
    const char *at, *end;
    uint32_t line;
    struct isa_error *error;
};

struct scan_word {
    const char *text;
    size_t length;
};

/* Sets the error, with the current line; always false. */
bool scan_fail(struct scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Blanks and comments; they end before the end of the line. */
void scan_blank(struct scan *s);
/* Blanks, comments and empty lines. False: the text has ended. */
bool scan_to_line(struct scan *s);
/* Nothing more on this line. */
bool scan_end_line(struct scan *s);
bool scan_at_end_line(struct scan *s);

bool scan_take(struct scan *s, char c);   /* takes c, blanks before it, when it comes next */
bool scan_expect(struct scan *s, char c); /* as scan_take; an error otherwise */
/* Letters, digits and underscores, right here; length 0: none. */
struct scan_word scan_word(struct scan *s);
bool scan_is(struct scan_word w, const char *word);
/* Index of the word among names (NULL entries match nothing), or `count`. */
unsigned scan_find(struct scan_word w, const char *const *names, unsigned count);

bool scan_uint(struct scan *s, uint64_t limit, uint64_t *n); /* at most `limit`; decimal or 0x */
bool scan_u32(struct scan *s, uint32_t *n);
bool scan_int(struct scan *s, int64_t least, uint64_t most, uint64_t *bits);
bool scan_hex(struct scan *s, unsigned digits, uint64_t *n); /* exactly so many digits */
/* A quoted string, unescaped, malloc'ed; NULL: error is set. */
char *scan_string(struct scan *s);

#endif
