/* What the parts of the generator of groups share; see writer_groups.c. */
#ifndef SIMTCL_TESTS_WRITER_GROUPS_H
#define SIMTCL_TESTS_WRITER_GROUPS_H

#include "writer_private.h"

/* What arrays are of: `put` makes one of a uint, `get` a uint of one, `add` one of two. */
struct writer_array {
    const char *name, *put, *get, *add;
    unsigned bytes;
};
/* All, those that have an order, and those that have a sum. */
enum { KINDS = 10, ORDERED = 7, SUMMED = 8 };
extern const struct writer_array writer_arrays[KINDS];

struct writer_text {
    char of[256];
};
__attribute__((format(printf, 1, 2))) struct writer_text writer_text(const char *format, ...);
/* With something in the place of each %s. */
struct writer_text writer_filled(const char *format, const char *with);

/* A uint of v, the table and ids. */
struct writer_text writer_value(struct writer *w);
/* Private arrays at indices that go round. */
void writer_own_arrays(struct writer *w);
/* Elements in a row for each work-item, or in strides: stored, and maybe changed in place. */
void writer_elements(struct writer *w, bool returns);
/* A result for each work-item of a range of two or three dimensions, or of one taken apart. */
void writer_dimensions(struct writer *w);

#endif
