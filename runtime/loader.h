/* The private modules, compiler and native engine: found beside this library or where they were
 * installed, each loaded when first needed with local symbols, never unloaded. Whoever runs kernels
 * asks for the native engine by itself (device/tier.h). */
#ifndef SIMTCL_LOADER_H
#define SIMTCL_LOADER_H

#include "compiler/compiler.h"
#include "fail.h"

/* The compiler, or CL_COMPILER_NOT_AVAILABLE with what the dynamic linker said. Thread safe. */
struct error loader_compiler(const struct compiler_api **api);
bool loader_found(void); /* is the compiler where it may be? Without loading it */
/* The process may end while a module is loaded or at work. When the caller is the main thread,
 * which mostly ends it, its end will wait for them. For whatever makes a context. */
void loader_watch(void);
/* What makes results: the driver and a module, as they lie on disk (nothing is loaded). Another
 * build of either is named otherwise. False: there is no module. */
enum loader_module { LOADER_COMPILER, LOADER_NATIVE };
enum { LOADER_MAKER_BYTES = 8448 };
bool loader_maker(enum loader_module which, char *text, size_t size);
/* Starts to load the compiler, with what the first build loads, on a thread of its own. Once in a
 * process. */
void loader_warm(void);
/* clUnloadCompiler: does nothing unless it has been loaded. */
void loader_unload(void);
/* Runs fn(arg) on a new detached thread with all signals blocked; false if there can be none. */
bool loader_thread(void (*fn)(void *), void *arg);

#endif
