#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

/* One reason for each thread: an error is looked at before the thread's next call. */
static _Thread_local char fail_text[FAIL_BYTES];

struct error fail(cl_int code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(fail_text, sizeof fail_text, format, args);
    va_end(args);
    return (struct error){code, fail_text};
}

struct error fail_memory(void) {
    return (struct error){CL_OUT_OF_HOST_MEMORY, "the host has no memory left"};
}

static const struct {
    cl_int code;
    const char *name, *meaning;
} codes[] = {
#define ERROR(code, meaning) {code, #code, meaning},
#include "errors.def"
#undef ERROR
};

const char *fail_name(cl_int code) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code) return codes[i].name;
    return "unknown code";
}

const char *fail_meaning(cl_int code) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code) return codes[i].meaning;
    return "unknown code";
}
