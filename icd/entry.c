/* The entry points: the functions callers and loaders see, the dispatch table, and the look-up by
 * name, all made from entries.def. Here an error of the runtime becomes a cl_int and, when
 * SIMTCL_LOG asks for it, a line that says what failed and why.
 *
 * The table and the exported symbols both lead to entry_* functions local to this file. A table of
 * cl* symbols would be resolved to the loader's own in a process that links it, and call itself. */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>
#include <string.h>

#include "runtime/buffer.h"
#include "runtime/context.h"
#include "runtime/counted.h"
#include "runtime/devices.h"
#include "runtime/event.h"
#include "runtime/holds.h"
#include "runtime/image.h"
#include "runtime/kernel.h"
#include "runtime/log.h"
#include "runtime/mem.h"
#include "runtime/modeswitch.h"
#include "runtime/object.h"
#include "runtime/platform.h"
#include "runtime/profiling.h"
#include "runtime/program.h"
#include "runtime/queue.h"
#include "runtime/sampler.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define ENTRY_EXPORT __attribute__((visibility("default")))

static void say(const char *name, struct error e) {
    log_line(LOG_API, "%s: %s: %s", name, fail_name(e.code), e.why);
}

static cl_int answer(const char *name, struct error e) {
    if (__builtin_expect(e.code != CL_SUCCESS, 0) && e.why) say(name, e);
    return e.code;
}

static void answer_to(const char *name, struct error e, cl_int *errcode_ret) {
    answer(name, e);
    if (errcode_ret) *errcode_ret = e.code;
}

static struct error too_new(unsigned since) {
    return fail(CL_INVALID_OPERATION,
                "the function is of OpenCL %u.%u, the version reported is %u.%u", since / 100,
                since / 10 % 10, platform_version() / 100, platform_version() / 10 % 10);
}

static struct error unsupported(cl_int code) {
    return (struct error){code,
                          "the platform does not have the extension or version this belongs to"};
}

/* ---- the functions ---- */

/* What holds a parameter during the call, and the kind of its objects: by its type. */
#define HOLDS_WITH(x)                                                                              \
    _Generic((x),                                                                                  \
        cl_device_id: holds_single,                                                                \
        cl_context: holds_single,                                                                  \
        cl_command_queue: holds_single,                                                            \
        cl_mem: holds_single,                                                                      \
        cl_sampler: holds_single,                                                                  \
        cl_program: holds_single,                                                                  \
        cl_kernel: holds_single,                                                                   \
        cl_event: holds_single,                                                                    \
        const cl_device_id *: holds_list,                                                          \
        const cl_mem *: holds_list,                                                                \
        const cl_program *: holds_list,                                                            \
        const cl_event *: holds_list,                                                              \
        default: holds_nothing)
#define HOLDS_KIND(x)                                                                              \
    _Generic((x),                                                                                  \
        cl_device_id: OBJECT_device,                                                               \
        cl_context: OBJECT_context,                                                                \
        cl_command_queue: OBJECT_queue,                                                            \
        cl_mem: OBJECT_mem,                                                                        \
        cl_sampler: OBJECT_sampler,                                                                \
        cl_program: OBJECT_program,                                                                \
        cl_kernel: OBJECT_kernel,                                                                  \
        cl_event: OBJECT_event,                                                                    \
        const cl_device_id *: OBJECT_device,                                                       \
        const cl_mem *: OBJECT_mem,                                                                \
        const cl_program *: OBJECT_program,                                                        \
        const cl_event *: OBJECT_event,                                                            \
        default: OBJECT_NONE)
#define HOLD(before, x)                                                                            \
    if (!e.code) e = HOLDS_WITH(x)(&held, HOLDS_KIND(x), (void *)&(x), (uintptr_t)(before), #x);

/* HOLD of each argument, with the one before it. */
#define HOLD_1(p, a)                                                HOLD(p, a)
#define HOLD_2(p, a, ...)                                           HOLD(p, a) HOLD_1(a, __VA_ARGS__)
#define HOLD_3(p, a, ...)                                           HOLD(p, a) HOLD_2(a, __VA_ARGS__)
#define HOLD_4(p, a, ...)                                           HOLD(p, a) HOLD_3(a, __VA_ARGS__)
#define HOLD_5(p, a, ...)                                           HOLD(p, a) HOLD_4(a, __VA_ARGS__)
#define HOLD_6(p, a, ...)                                           HOLD(p, a) HOLD_5(a, __VA_ARGS__)
#define HOLD_7(p, a, ...)                                           HOLD(p, a) HOLD_6(a, __VA_ARGS__)
#define HOLD_8(p, a, ...)                                           HOLD(p, a) HOLD_7(a, __VA_ARGS__)
#define HOLD_9(p, a, ...)                                           HOLD(p, a) HOLD_8(a, __VA_ARGS__)
#define HOLD_10(p, a, ...)                                          HOLD(p, a) HOLD_9(a, __VA_ARGS__)
#define HOLD_11(p, a, ...)                                          HOLD(p, a) HOLD_10(a, __VA_ARGS__)
#define HOLD_12(p, a, ...)                                          HOLD(p, a) HOLD_11(a, __VA_ARGS__)
#define HOLD_13(p, a, ...)                                          HOLD(p, a) HOLD_12(a, __VA_ARGS__)
#define HOLD_14(p, a, ...)                                          HOLD(p, a) HOLD_13(a, __VA_ARGS__)
#define HOLD_N(n, ...)                                              HOLD_##n(0, __VA_ARGS__)
#define HOLD_COUNT(n, ...)                                          HOLD_N(n, __VA_ARGS__)
#define FIFTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, ...) o
#define COUNT(...)                                                  FIFTEENTH(__VA_ARGS__, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HOLD_ALL(...)                                               __VA_OPT__(HOLD_COUNT(COUNT(__VA_ARGS__), __VA_ARGS__))

#define REFUSED(since) ((since) > 100 && platform_version() < (since))
#define ARGUMENTS(...) __VA_ARGS__
#define BEGIN(name, since, arguments)                                                              \
    struct holds held;                                                                             \
    held.singles = held.lists = held.used = 0;                                                     \
    struct error e = REFUSED(since) ? too_new(since) : OK;                                         \
    HOLD_ALL arguments if (!e.code) e = modeswitch_check(&held, #name);

#define CALL(name, since, function, parameters, arguments)                                         \
    static cl_int CL_API_CALL entry_##name parameters {                                            \
        BEGIN(name, since, arguments)                                                              \
        if (!e.code) e = function arguments;                                                       \
        answer(#name, e);                                                                          \
        holds_end(&held);                                                                          \
        return e.code;                                                                             \
    }
#define MAKE(type, name, since, function, parameters, arguments)                                   \
    static type CL_API_CALL entry_##name parameters {                                              \
        type result = NULL;                                                                        \
        BEGIN(name, since, arguments)                                                              \
        if (!e.code) e = function(ARGUMENTS arguments, &result);                                   \
        answer_to(#name, e, errcode_ret);                                                          \
        holds_end(&held);                                                                          \
        return result;                                                                             \
    }
#define FIND(type, name, parameters, arguments) static type CL_API_CALL entry_##name parameters;
#define NO_CALL(name, code, parameters)                                                            \
    static cl_int CL_API_CALL entry_##name parameters { return answer(#name, unsupported(code)); }
#define NO_MAKE(type, name, code, parameters)                                                      \
    static type CL_API_CALL entry_##name parameters {                                              \
        answer_to(#name, unsupported(code), errcode_ret);                                          \
        return NULL;                                                                               \
    }
#define NO_SLOT_CALL NO_CALL
#define NO_SLOT_MAKE NO_MAKE
#include "entries.def"
#include "extensions.def"
#undef CALL
#undef MAKE
#undef FIND
#undef NO_CALL
#undef NO_MAKE
#undef NO_SLOT_CALL
#undef NO_SLOT_MAKE

/* ---- the exported symbols ---- */

#define SYMBOL(type, name, parameters)                                                             \
    ENTRY_EXPORT type CL_API_CALL name parameters __attribute__((alias("entry_" #name)));
#define CALL(name, since, function, parameters, arguments)       SYMBOL(cl_int, name, parameters)
#define MAKE(type, name, since, function, parameters, arguments) SYMBOL(type, name, parameters)
#define FIND(type, name, parameters, arguments)                  SYMBOL(type, name, parameters)
#define NO_CALL(name, code, parameters)                          SYMBOL(cl_int, name, parameters)
#define NO_MAKE(type, name, code, parameters)                    SYMBOL(type, name, parameters)
#define NO_SLOT_CALL(name, code, parameters)
#define NO_SLOT_MAKE(type, name, code, parameters)
#include "entries.def"
#undef CALL
#undef MAKE
#undef FIND
#undef NO_CALL
#undef NO_MAKE
#undef NO_SLOT_CALL
#undef NO_SLOT_MAKE

/* ---- the dispatch table, slot for slot ---- */

#define CALL(name, since, function, parameters, arguments)       .name = entry_##name,
#define MAKE(type, name, since, function, parameters, arguments) .name = entry_##name,
#define FIND(type, name, parameters, arguments)                  .name = entry_##name,
#define NO_CALL(name, code, parameters)                          .name = entry_##name,
#define NO_MAKE(type, name, code, parameters)                    .name = entry_##name,
#define NO_SLOT_CALL(name, code, parameters)                     .name = (void *)entry_##name,
#define NO_SLOT_MAKE(type, name, code, parameters)               .name = (void *)entry_##name,
static const cl_icd_dispatch dispatch = {
#include "entries.def"
};
#undef CALL
#undef MAKE
#undef FIND
#undef NO_CALL
#undef NO_MAKE
#undef NO_SLOT_CALL
#undef NO_SLOT_MAKE

/* As many entries as slots: with all names different (they are functions), none is left NULL. */
enum {
#define CALL(name, ...)         +1
#define MAKE(type, name, ...)   +1
#define FIND(type, name, ...)   +1
#define NO_CALL(name, ...)      +1
#define NO_MAKE(type, ...)      +1
#define NO_SLOT_CALL(name, ...) +1
#define NO_SLOT_MAKE(type, ...) +1
    DOOR_ENTRIES = 0
#include "entries.def"
#undef CALL
#undef MAKE
#undef FIND
#undef NO_CALL
#undef NO_MAKE
#undef NO_SLOT_CALL
#undef NO_SLOT_MAKE
};
_Static_assert(DOOR_ENTRIES * sizeof(void (*)(void)) == sizeof dispatch, "a slot without an entry");

__attribute__((constructor)) static void entry_constructor(void) { object_set_dispatch(&dispatch); }

/* ---- written by hand ---- */

/* cl_khr_icd: what a loader calls to find the platforms of this library. */
ENTRY_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *platforms,
                                                       cl_uint *n_ret);
ENTRY_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *platforms,
                                                       cl_uint *n_ret) {
    return answer("clIcdGetPlatformIDsKHR", platform_ids(n, platforms, n_ret));
}

/* What can be found by name: everything that does something. A name of an extension that is not
 * there gives NULL, which is how callers find out. */
static const struct named {
    const char *name;
    void (*function)(void);
} functions[] = {
#define CALL(name, since, function, parameters, arguments) {#name, (void (*)(void))entry_##name},
#define MAKE(type, name, since, function, parameters, arguments)                                   \
    {#name, (void (*)(void))entry_##name},
#define FIND(type, name, parameters, arguments) {#name, (void (*)(void))entry_##name},
#define NO_CALL(name, code, parameters)
#define NO_MAKE(type, name, code, parameters)
#define NO_SLOT_CALL(name, code, parameters)
#define NO_SLOT_MAKE(type, name, code, parameters)
#include "entries.def"
#undef CALL
#undef MAKE
#undef FIND
#undef NO_CALL
#undef NO_MAKE
#undef NO_SLOT_CALL
#undef NO_SLOT_MAKE
    {"clIcdGetPlatformIDsKHR", (void (*)(void))clIcdGetPlatformIDsKHR},
};

static const struct named extensions[] = {
#define CALL(name, since, function, parameters, arguments) {#name, (void (*)(void))entry_##name},
#include "extensions.def"
#undef CALL
};

static void *entry_clGetExtensionFunctionAddress(const char *name) {
    for (size_t i = 0; name && i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name)) return (void *)functions[i].function;
    for (size_t i = 0; name && i < sizeof extensions / sizeof *extensions; i++) {
        if (strcmp(extensions[i].name, name) != 0) continue;
        profiling_asked();
        return (void *)extensions[i].function;
    }
    return NULL;
}

static void *entry_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                            const char *name) {
    if (!platform || platform_check(platform).code) return NULL;
    return entry_clGetExtensionFunctionAddress(name);
}

/* No device shares virtual memory with the host. */
static void *entry_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                              cl_uint alignment) {
    answer("clSVMAlloc", unsupported(CL_INVALID_OPERATION));
    return NULL;
}

static void entry_clSVMFree(cl_context context, void *pointer) {
    answer("clSVMFree", unsupported(CL_INVALID_OPERATION));
}
