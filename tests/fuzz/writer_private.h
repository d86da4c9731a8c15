/* What the parts of the generator share; see writer.h. */
#ifndef SIMTCL_TESTS_WRITER_PRIVATE_H
#define SIMTCL_TESTS_WRITER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "writer.h"

enum base { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, BASES };
extern const char *const writer_base_name[BASES];
extern const unsigned writer_base_size[BASES];

struct writer_type {
    enum base base;
    unsigned n;
};

enum { VARIABLES = 24, DEPTH = 3, NEST = 4 };

struct writer_variable {
    struct writer_type type;
    unsigned number;
    bool counter; /* of a loop: not assigned */
};

struct writer {
    uint64_t random;
    char *text;
    size_t length, capacity;
    struct writer_variable vars[VARIABLES];
    unsigned nvars, next, functions, label, labels, nest, loops, switches, budget;
    bool doubles, arrays, images, barriers, divergent, helper, leaves, failed;
};

struct name {
    char text[16];
};

unsigned writer_pick(struct writer *w, unsigned n);
bool writer_chance(struct writer *w, unsigned percent);
__attribute__((format(printf, 2, 3))) void writer_put(struct writer *w, const char *format, ...);

struct name writer_name_of(struct writer_type t);
bool writer_floating(struct writer_type t);
enum base writer_any_base(struct writer *w);
struct writer_type writer_any_type(struct writer *w);

/* An expression of just that type; depth 0: as deep as they get. */
void writer_expr(struct writer *w, struct writer_type t, unsigned depth);
void writer_scalar(struct writer *w, enum base b, unsigned depth);
/* An index between 0 and the mask, all ones. */
void writer_masked(struct writer *w, unsigned mask, unsigned depth);

#endif
