/* What the API tests share: checks that name the call and its place, and a context to work in. */
#ifndef TESTS_API_H
#define TESTS_API_H

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call that is left out (api_may) leaves its variable as it was. */
#if defined __clang__
#pragma GCC diagnostic ignored "-Wsometimes-uninitialized"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

extern atomic_int api_failures;
/* Is the platform simtcl? What only simtcl promises is asked of it alone. */
extern bool api_ours;

/* At a file's level: a variable of the driver that this program sets, or sets where nobody has. It
 * reads them once, when it is first called, which is before main. */
#define API_SETTING(name, value) API_SETENV_(name, value, 1, __LINE__)
#define API_DEFAULT(name, value) API_SETENV_(name, value, 0, __LINE__)
#define API_SETENV_(...)         API_SETENV__(__VA_ARGS__)
#define API_SETENV__(name, value, over, line)                                                      \
    __attribute__((constructor(101))) static void api_setting_##line(void) {                       \
        setenv(name, value, over);                                                                 \
    }

/* EXPECT(CL_INVALID_VALUE, clFoo(...)): a call that returns its error. */
#define EXPECT(code, call)                                                                         \
    do {                                                                                           \
        if (api_may(__FILE__, __LINE__)) api_expect(__FILE__, __LINE__, #call, call, code);        \
    } while (0)
/* EXPECT_NEW(CL_INVALID_VALUE, clCreateFoo(..., &err)): one that leaves it in `err`, and gives an
 * object if and only if it is CL_SUCCESS. */
#define EXPECT_NEW(code, call)                                                                     \
    do {                                                                                           \
        err = 12345;                                                                               \
        if (api_may(__FILE__, __LINE__)) {                                                         \
            void *made_ = (void *)(call);                                                          \
            api_expect(__FILE__, __LINE__, #call, err, code);                                      \
            CHECK(!made_ == (err != CL_SUCCESS));                                                  \
        }                                                                                          \
    } while (0)
#define CHECK(what) api_check(__FILE__, __LINE__, #what, what)
/* A clGet*Info of one value. */
#define EXPECT_INFO(function, object, name, type, value)                                           \
    do {                                                                                           \
        type got_ = (type)0;                                                                       \
        size_t size_ = 0;                                                                          \
        EXPECT(CL_SUCCESS, function(object, name, sizeof got_, &got_, &size_));                    \
        CHECK(size_ == sizeof got_);                                                               \
        CHECK(got_ == (type)(value));                                                              \
    } while (0)

void api_expect(const char *file, int line, const char *call, cl_int got, cl_int wanted);
/* For other drivers, which may crash or hang where simtcl gives an error
 * (tests/api/compare_drivers): with SIMTCL_TEST_PRINT=1 every check prints what it got, the place
 * of the call under way is in the file SIMTCL_TEST_AT, and calls at the places "file:line ..." of
 * SIMTCL_TEST_SKIP are left out. */
bool api_may(const char *file, int line);
/* Notes that the function named at the head of `call` (an assignment may come before) gave this
 * code: what api_errors.def asks for. With SIMTCL_TEST_SEEN the file of that name gets a line for
 * each.
 */
void api_saw(const char *call, cl_int code);
bool api_check(const char *file, int line, const char *what, bool good);
int api_result(void); /* what main returns; prints how many checks failed */

struct api {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
};
struct api api_open(void);
void api_close(struct api *a);
int api_version(cl_device_id device); /* 100, 110, 120 */
bool api_mapped(const char *what);    /* has the process mapped a file of such a name? */
int api_helpers(void);                /* helper processes that it has: sockets it has opened */

/* kernels.c: a program binary of warp IR, and a program made of it; on other platforms than simtcl
 * one made from the same kernels in OpenCL C.
 *   fill(global int *out, int value)                     out[gid x] = value + gid x
 *   wild(global int *out, int address)                   stores at a sandbox address
 *   spin(global int *out, int n)                         counts to n, then out[gid x] = n
 *   shaped(global int *out)                              reqd_work_group_size(8, 4, 1)
 *   kinds(global int *, constant int *, local int *, read_only image2d_t, sampler_t, int,
 * write_only image2d_t)                                     does nothing sum(global int *out, local
 * int *a, local int *b)     uses both local arguments */
const char *kernels_binary(size_t *length);
/* A binary whose one kernel, fill, has one argument, without the names that clGetKernelArgInfo
 * gives. */
const char *kernels_nameless(size_t *length);
cl_program kernels_program(struct api *a);
cl_program kernels_program_for(cl_context context, cl_uint n, const cl_device_id *devices);
cl_kernel kernels_get(cl_program program, const char *name);
/* Runs the program's kernel k(global int *out) over 64 work-items; what the last one wrote. */
cl_int kernels_run(struct api *a, cl_program program);

#endif
