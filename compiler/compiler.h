/* OpenCL C to warp IR. The one public header of this folder.
 *
 * The compiler runs in the helper process (helper/helper.h), which the driver asks; what is told of
 * compilers below the line "the driver's part" needs no libclang. */
#ifndef SIMTCL_COMPILER_H
#define SIMTCL_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/isa/isa.h"
#include "device/isa/trace.h"

/* A named piece of source: a header for compile, or one unit for build. */
struct compiler_source {
    const char *name;
    const char *text;
    size_t length;
};

/* What the device can do, as far as the language shows it. */
struct compiler_target {
    unsigned
        cl_version; /* 100, 110 or 120: the device's; -cl-std may ask for less or more up to 120 */
    const char
        *extensions; /* CL_DEVICE_EXTENSIONS; each becomes a macro and an extension clang knows */
    bool doubles, images;
    bool exact;         /* floats are computed as the GPU does (SIMTCL_EXACT=gpu) */
    bool demotes;       /* without doubles: programs may use them, and get floats (guide 3.1.1.1) */
    uint8_t capability; /* 10 to 13: compute capability 1.0 to 1.3 */
    uint32_t max_constant_bytes, max_local_bytes, max_private_bytes;
    uint32_t max_registers; /* of a work-item: what goes beyond is spilled; 0: no limit */
    uint32_t registers;     /* of a multiprocessor, for groups of a required size */
    const char
        *include;       /* folders whose files may be included, separated by colons; "none"; NULL or
                           "": any file */
    const char *beyond; /* what to say behind an error about one of these; NULL: nothing */
};

enum compiler_status {
    COMPILER_OK,
    COMPILER_FAILED,      /* the log says why */
    COMPILER_BAD_OPTIONS, /* CL_INVALID_BUILD_OPTIONS (or _COMPILER_OPTIONS, _LINKER_OPTIONS); the
                             log says which */
    COMPILER_NO_MEMORY
};

/* A unit that was compiled but not linked: its preprocessed source, in a text that can be saved. */
struct compiler_object {
    char *text;
    size_t length;
};

/* What is asked of the compiler. Unused fields are 0. */
struct compiler_request {
    enum compiler_work {
        COMPILER_BUILD,   /* source to module in one step (clBuildProgram; specification 5.4) */
        COMPILER_COMPILE, /* one unit, with headers that #include finds by name (clCompileProgram)
                           */
        COMPILER_LINK     /* objects to a module, or with -create-library to an object
                             (clLinkProgram) */
    } work;
    const struct compiler_target *target;
    const char *options; /* as the caller gave them, may be NULL */
    const char *source;
    size_t length;
    const struct compiler_source *headers;
    size_t nheaders;
    const struct compiler_object *objects;
    size_t nobjects;
    const struct trace *trace; /* of its passes; may be NULL */
    const int
        *folder; /* descriptor of the folder that relative paths mean; NULL: the current one */
};

struct compiler_result {
    enum compiler_status status;
    struct isa_module
        *module; /* build, link: verified; the caller frees with isa_module_free; NULL on failure */
    struct compiler_object object; /* compile, link -create-library: the caller frees text */
    char *log; /* malloc'ed, never NULL unless COMPILER_NO_MEMORY: the build log, "" when there is
                  nothing to say */
    char *inputs; /* what the result depends on besides the request, for sourcecache_keep:
                     malloc'ed, the caller frees; NULL: on something that cannot be told */
};

/* Compiles on a thread of its own. Thread safe. */
struct compiler_result compiler_run(const struct compiler_request *request);
/* compiler.c: the same in three shapes, for programs that link the compiler statically; they give
 * no inputs. */
struct compiler_result compiler_build(const struct compiler_target *t, const char *source,
                                      size_t length, const char *options);
struct compiler_result compiler_compile(const struct compiler_target *t, const char *source,
                                        size_t length, const struct compiler_source *headers,
                                        size_t nheaders, const char *options);
struct compiler_result compiler_link(const struct compiler_target *t,
                                     const struct compiler_object *objects, size_t nobjects,
                                     const char *options);
/* Loads what the first build would have to load. */
void compiler_warm(void);
/* Path of the libclang in use, or NULL. */
const char *compiler_library(void);

/* ---- the driver's part ---- */

/* unit.c: is it a compiler_object's text, whole and undamaged? */
bool unit_check(const char *text, size_t length);

/* ---- sourcecache.c: results that are known: a program that was compiled before needs no compiler.
 * ---- */

/* Where results are kept between processes. maker: names the driver and its helper, of which no
 * other's results will do. get: malloc'ed bytes with a NUL behind them, or NULL. */
struct compiler_cache {
    const char *maker;
    void *(*get)(const char *kind, const void *key, size_t key_bytes, size_t *bytes);
    void (*put)(const char *kind, const void *key, size_t key_bytes, const void *value,
                size_t bytes);
};
/* The result the compiler would give, its log included, if it is known and every file it read is
 * what it was. */
bool sourcecache_find(const struct compiler_cache *cache, const struct compiler_request *request,
                      struct compiler_result *result);
/* Keeps a result that is good and whose inputs are known. library: compiler_library's. */
void sourcecache_keep(const struct compiler_cache *cache, const struct compiler_request *request,
                      const char *library, const struct compiler_result *result);
/* Has such a source been kept, whatever its options? */
bool sourcecache_knows(const struct compiler_cache *cache, const char *source, size_t length);

#endif
