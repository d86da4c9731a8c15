/* A kernel test file: its source, and what the comments that begin with `//:` say (kerneltest.c).
 */
#ifndef SIMTCL_TESTS_TESTFILE_H
#define SIMTCL_TESTS_TESTFILE_H

#include <CL/cl.h>

#include "element.h"

enum { MAX_ARGS = 32, MAX_LINES = 64, MAX_TESTS = 512 };

struct test_argument {
    char name[32];
    enum { BUFFER, VALUE, LOCAL, IMAGE, SAME } kind;
    unsigned same; /* the buffer of this argument */
    enum element element;
    size_t count, bytes; /* scalars; bytes of all */
    size_t size[2];      /* of an image */
    const char *init;    /* expression, or the values' text */
    void *before, *after;
    cl_mem memory;
};

struct expectation {
    const char *text;
    double ulp;
};

struct kernel_test {
    char name[64], kernel[64];
    size_t global[3], local[3], offset[3];
    unsigned dim, local_dim, offset_dim, repeat;
    struct test_argument args[MAX_ARGS];
    unsigned nargs;
    struct expectation expects[MAX_LINES];
    unsigned nexpects;
    const char *counts[MAX_LINES]; /* what the GPU is to count */
    unsigned ncounts;
    const char *models; /* it is for; "": those of the file */
    const char *outputs[MAX_LINES];
    unsigned noutputs;
    double ulp;
    const char *reasons[MAX_LINES]; /* words that a fault's reason has */
    unsigned nreasons;
    bool fault, has_launch_error;
    int launch_error;
};

struct test_file {
    const char *name;
    char *text;  /* the source */
    char *notes; /* a copy, cut into directives */
    char options[512];
    const char *versions; /* "": as the options say */
    const char *built;    /* with these options */
    const char *build_error;
    const char *models; /* it is run on: their names, blanks between; "": on any */
    bool needs_doubles, needs_images, needs_atomics64;
    struct kernel_test *tests;
    unsigned ntests;
};

/* Reads it, or complains and returns false; free it either way. */
bool testfile_read(struct test_file *f, const char *name);
void testfile_free(struct test_file *f);
/* Without the blanks around it: cut off behind. */
char *testfile_trim(char *text);

/* Prints what is wrong with a test, or (t NULL) with the file. */
void testfile_report(const struct test_file *f, const struct kernel_test *t, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));
_Noreturn void testfile_die(const char *what, int code);

#endif
