/* How the runtime says no: OpenCL's code and the reason in words, returned by value. icd/
 * makes a cl_int and, when asked to, a log line of it. */
#ifndef SIMTCL_FAIL_H
#define SIMTCL_FAIL_H

#include <CL/cl.h>

/* why: valid until the thread's next fail(); NULL with CL_SUCCESS, and for an answer that is not
 * worth a line of the log. */
struct error {
    cl_int code;
    const char *why;
};

#define OK ((struct error){CL_SUCCESS, NULL})

/* Leaves the calling function with the error of `call`, if it has one. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        struct error try_error = (call);                                                           \
        if (try_error.code != CL_SUCCESS) return try_error;                                        \
    } while (0)

enum { FAIL_BYTES = 400 }; /* of a reason */
struct error fail(cl_int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct error fail_memory(void); /* CL_OUT_OF_HOST_MEMORY */

const char *fail_name(cl_int code);    /* "CL_INVALID_VALUE", or "unknown code" */
const char *fail_meaning(cl_int code); /* a few words */

#endif
