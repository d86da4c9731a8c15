/* The helper process, in which libclang and LLVM are: asked here, started when first needed.
 *
 * One process does one thing at a time; when several are asked for at once there are several. A
 * process that crashes, or takes more memory or time than it may, costs what it was doing, and
 * nothing else: the next ask gets a new one. After a fork the child has none of its parent's. */
#ifndef SIMTCL_HELPER_H
#define SIMTCL_HELPER_H

#include "compiler/compiler.h"
#include "device/native/native.h"

/* What may be asked of it, and at what cost. */
struct helper_place {
    const char *path;   /* of the executable; NULL: there is none */
    unsigned seconds;   /* that one ask may take */
    unsigned megabytes; /* of memory that the process may have */
    bool keep_errors;   /* it keeps this process's standard error: what is asked to be told */
};

enum { HELPER_WHY_BYTES = 512 };

/* Compiles as compiler_run does. False: no helper could be started; `why` says why. What goes wrong
 * in the helper is a failure of the build, with a log. Thread safe. */
bool helper_compile(const struct helper_place *place, const struct compiler_request *request,
                    struct compiler_result *result, char why[HELPER_WHY_BYTES]);
/* Compiles a kernel. When it is not NATIVE_OK, `why` says why it stays in the interpreter. Thread
 * safe. */
enum native_status helper_native(const struct helper_place *place,
                                 const struct native_request *request, struct native_object *object,
                                 char why[HELPER_WHY_BYTES]);
/* Starts a process, if there is none, which makes ready for a first build. Failure is silent. */
void helper_warm(const struct helper_place *place);
/* Ends the processes that have nothing to do. */
void helper_unload(void);

/* Paths of the libraries that the helper uses, as it told; NULL before it has. */
const char *helper_libclang(void);
const char *helper_llvm(void);

#endif
