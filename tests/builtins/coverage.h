/* A test of one built-in function with one combination of types, and the families of ways to call
 * functions: what a kernel needs for it, and how its results are checked. */
#ifndef SIMTCL_TESTS_COVERAGE_H
#define SIMTCL_TESTS_COVERAGE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "reference.h"

enum {
    ITEMS = 40,  /* a whole warp and a part of one */
    BUFFERS = 7, /* inputs 0 to 4, result, second result */
    RESULT = 5,
    SECOND = 6,
    BYTES = 2 * ITEMS * 16 * 8
};

struct coverage_type {
    enum ast_type_kind kind; /* AST_VOID: none of the numbers */
    unsigned count;
    bool pointer;
    char space[16], name[24]; /* name: as it is written, without pointer */
};

struct coverage_test {
    struct builtin_case c;
    struct coverage_type result, args[BUILTIN_MAX_ARGS];
    const struct coverage_family *family;
};

struct coverage_family {
    bool (*suits)(const struct coverage_test *t);
    void (*body)(const struct coverage_test *t, char *text, size_t size);
    bool (*check)(const struct coverage_test *t);
    bool is_image;
};

/* The last of each has no functions. */
extern const struct coverage_family covered_values[], covered_memory[], covered_images[];

extern cl_context coverage_context;
extern cl_command_queue coverage_queue;
extern uint8_t coverage_memory[BUFFERS][BYTES]; /* what the buffers begin with, and the results */

void coverage_fatal(const char *what, int code);

struct coverage_type coverage_parse(const char *text);
bool coverage_is_void(const struct coverage_type *t);
/* Components from one value in memory to the next. */
unsigned coverage_stride(const struct coverage_type *t);
struct reference_number coverage_component(unsigned buffer, const struct coverage_type *t,
                                           size_t index);
void coverage_store(unsigned buffer, const struct coverage_type *t, size_t index, uint64_t bits);
uint64_t coverage_real_bits(enum ast_type_kind kind, double x);

/* Tells that component c of an item's result is not as wanted, and of what arguments, which may be
 * NULL; returns false. */
bool coverage_wrong(const struct coverage_test *t, unsigned item, unsigned c, const struct want *w,
                    struct reference_number got, const struct reference_number *args);
/* Has the result these bits? If not, tells so. */
bool coverage_same(const struct coverage_test *t, unsigned item, unsigned c, uint64_t bits,
                   struct reference_number got);

#define COVERAGE_OUT "((global %s *)b5)[i] = "
/* Adds to the text of a kernel. */
void coverage_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The call, argument i as an element of buffer i; `last` in place of the last when given. */
void coverage_call(const struct coverage_test *t, char *text, size_t size, const char *last);
/* Has the signature in the compiler's table one of the letters? */
bool coverage_has(const struct coverage_test *t, const char *letters);

/* A new image with the pattern for the test, or with nothing when the kernel writes it. */
cl_mem covered_images_new(const struct coverage_test *t);
void covered_images_release(void);

#endif
