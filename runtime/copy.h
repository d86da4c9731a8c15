/* Copies and fills: blocks of rows in slices, each side with its pitches. Everything that moves
 * bytes between host, buffers and images is one of these. */
#ifndef SIMTCL_COPY_H
#define SIMTCL_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "fail.h"

struct command;

struct copy {
    char *to;
    const char *from;
    size_t bytes, rows, slices; /* of a row, in a slice, in all; bytes 0: nothing to do */
    size_t to_row, to_slice, from_row, from_slice;
};

enum { COPY_MAX_PATTERN = 128 }; /* of a fill, bytes */

/* Where a block of bytes x rows x slices begins and ends, from its first byte. */
size_t copy_extent(size_t bytes, size_t rows, size_t slices, size_t row_pitch, size_t slice_pitch);
struct copy copy_linear(char *to, const char *from, size_t bytes);
void copy_now(const struct copy *copy); /* on the calling thread */
/* Where a row, of all of them, begins on each side. */
static inline char *copy_row_to(const struct copy *c, size_t row) {
    return c->to + row / c->rows * c->to_slice + row % c->rows * c->to_row;
}
static inline const char *copy_row_from(const struct copy *c, size_t row) {
    return c->from + row / c->rows * c->from_slice + row % c->rows * c->from_row;
}

/* A command that copies; holds both objects (either may be NULL) until it ends. NULL: out of
 * memory. */
struct command *copy_command(const struct copy *copy, cl_mem a, cl_mem b);
/* A command that repeats a pattern over each row of `copy` (whose `from` is not used). */
struct command *copy_fill_command(const struct copy *copy, const void *pattern, size_t size,
                                  cl_mem a);
/* Has `after` called when the command has ended, before its event says so. */
void copy_set_after(struct command *command, void (*after)(void *user, cl_int status), void *user);

/* The command, which copies nothing, is as if it made that copy, for who looks at what commands
 * access. */
void copy_set_meaning(struct command *command, const struct copy *meant);

#endif
