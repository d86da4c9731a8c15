/* An OpenCL program in a process of its own, with variables of its own, and what it left behind. */
#ifndef SIMTCL_TESTS_GUEST_H
#define SIMTCL_TESTS_GUEST_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);          \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct guest {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

/* The platform simtcl, its first device, a context and an in-order queue; with source, a program
 * built of it. */
void guest_open(struct guest *h, const char *source);
void guest_close(struct guest *h);
cl_kernel guest_kernel(struct guest *h, const char *name);

/* Runs `program` in a child that has the variables given ("NAME=value", a NULL at the end; all that
 * profiles is unset before) and returns what it wrote to stderr, to be freed. Fails unless it ends
 * with 0. Nothing of OpenCL may have been called before in this process. */
char *guest_run(void (*program)(void), const char *const *variables);
char *guest_file(const char *path); /* all of it, to be freed; NULL: it cannot be read */
/* Does the extended regular expression match the text, from its begin to its end? Cuts both off
 * behind. Complains and returns false otherwise. */
bool guest_matches(const char *text, const char *pattern);

#endif
