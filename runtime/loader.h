/* The compiler and the native engine, which run in the helper process (helper/helper.h): where its
 * executable is, what it may cost, and the driver's way to it. */
#ifndef SIMTCL_LOADER_H
#define SIMTCL_LOADER_H

#include "compiler/compiler.h"
#include "fail.h"

/* Compiles; or CL_COMPILER_NOT_AVAILABLE and why no helper could be started. Whatever goes wrong in
 * the helper is a failed build with a log. Thread safe. */
struct error loader_compile(const struct compiler_request *request, struct compiler_result *result);
bool loader_found(void); /* is the helper where it may be? Without starting it */
/* Where it is, or where it was looked for last; whether it is there. */
bool loader_place(char *path, size_t size);
/* What makes results: the driver and the helper, as they lie on disk. Another build of either is
 * named otherwise. False: there is no helper. */
enum { LOADER_MAKER_BYTES = 8448 };
bool loader_maker(char *text, size_t size);
/* Starts a helper, which makes ready for the first build, unless there is one. */
void loader_warm(void);
/* clUnloadCompiler: ends the helpers that have nothing to do. */
void loader_unload(void);

#endif
