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

/* What a generator is: writer_program is made of that. */
void writer_kernel(struct writer *w, unsigned number);
extern const char *const writer_prelude; /* in front of all kernels */

/* A kernel's head: its parameters, `more` behind the pointers; the number of its work-item in the
 * group, `lid`, of `items`, and in the launch, `id`; `row`, where its results are. */
void writer_head(struct writer *w, unsigned number, const char *more);

unsigned writer_pick(struct writer *w, unsigned n);
bool writer_chance(struct writer *w, unsigned percent);
const char *writer_any_of(struct writer *w, const char *const *list, size_t n);
#define ANY(w, ...)                                                                                \
    writer_any_of(w, (const char *[]){__VA_ARGS__},                                                \
                  sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))
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
