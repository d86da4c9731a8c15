/* The preprocessor: libclang hides what macros expand to, so the program is expanded first
 * (libclang-notes.md, 3). Output holds no macro any more; #line directives keep the places. */
#ifndef SIMTCL_PREPROCESS_H
#define SIMTCL_PREPROCESS_H

#include "compiler/base/options.h"

/* A token whose column in the text is not its column in the source, or that of the macro's name
 * that it came from. */
struct preprocess_place {
    uint32_t offset; /* in the text */
    uint32_t column; /* in the source; 0: unknown */
};

struct preprocessed {
    const char
        *text; /* arena; NUL-terminated; only #line and #pragma lines are left as directives */
    size_t length;
    const struct preprocess_place *places; /* by offset */
    uint32_t nplaces;
    bool columns_known;     /* false: neither the text nor `places` tells them */
    bool is_source;         /* lines of the program's file are those of the source that was given */
    bool expanded_anything; /* a macro was expanded, a conditional was met or a file was included */
    const char **files; /* every file that was read, 0 the program's source, for diag_source; texts
                           live in the arena */
    unsigned nfiles;
    const char *inputs; /* the files that were looked for on disk and what was found
                           (compiler_result.inputs); NULL: more matters than these, __TIME__ say */
    unsigned errors;    /* reported to diag already */
};

/* The macros every program sees: __OPENCL_VERSION__, __OPENCL_C_VERSION__, CL_VERSION_*,
 * __ENDIAN_LITTLE__,
 * __IMAGE_SUPPORT__, __FAST_RELAXED_MATH__, __kernel_exec, NULL, INT_MAX ..., M_PI ..., CLK_*,
 * extension names, and what options define. headers: found before the include folders; may be NULL.
 */
struct preprocessed preprocess(struct arena *arena, struct diag *diag,
                               const struct options *options, const struct compiler_target *target,
                               const char *source, size_t length,
                               const struct compiler_source *headers, size_t nheaders);

/* The #define and #undef lines that precede every program under these options: for a parse of the
 * original source with clang's own predefined macros off (-undef). */
const char *preprocess_predefined(struct arena *arena, const struct options *options,
                                  const struct compiler_target *target);

/* Evaluates an integer constant expression given as text, as #if does, sizeof excepted (attribute
 * arguments). */
bool preprocess_evaluate(const char *text, size_t length, int64_t *value);

#endif
