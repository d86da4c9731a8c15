/* Random OpenCL C: kernels k0 .. (global char *table, global char *rows, global int *sums, images)
 * over every type. */
#ifndef SIMTCL_TESTS_WRITER_H
#define SIMTCL_TESTS_WRITER_H

#include <stdbool.h>
#include <stdint.h>

enum { WRITER_KERNELS = 12, WRITER_ROW = 256, WRITER_SUMS = 64 };
/* Images, behind the other parameters: a two-dimensional one of floats that is read, one of three
 * dimensions of int, an array of two dimensions of uint, and a line of floats that is written, a
 * texel by each work-item. The texels, in the table, are any. */
enum { WRITER_IMAGES = 4 };
/* In the table: any bytes; then floats and doubles, of which none is denormal. */
enum { WRITER_FLOATS = 8192, WRITER_DOUBLES = 12288, WRITER_COUNT = 256, WRITER_TABLE = 16384 };
enum { WRITER_LARGE_TABLE = 131072 }; /* where the range is larger */

/* How a generator's kernels are run, and what it is called. Without images there may be four
 * arguments in their place: a width up to 48, a number of elements up to 2500, one of rounds up to
 * 5, and 16, 32, 64 or 128. */
struct writer_kind {
    const char *name;
    bool images,
        spread; /* spread: over four times as many work-items, in a range of two dimensions */
};
extern const struct writer_kind writer_kind;

/* A program of WRITER_KERNELS kernels, the same for the same seed; the caller frees it, NULL: no
 * memory. What a kernel leaves in its rows is defined to the bit: no bits of a NaN are looked at,
 * no order of evaluation matters, every index is inside, barriers stand where all come. */
char *writer_program(uint64_t seed);

#endif
