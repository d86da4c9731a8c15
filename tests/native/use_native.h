/* Linked to a test, makes it run on the native engine, whose code LLVM's verifier looks at. */
#ifndef SIMTCL_TESTS_USE_NATIVE_H
#define SIMTCL_TESTS_USE_NATIVE_H

#include "device/native/native.h"

/* Kernels that were compiled, not left to the interpreter. A test may put the counter elsewhere. */
extern unsigned *use_native_compiled;

/* The engine with that counter, for a tier_source of the test's own. */
const struct native_api *use_native_load(void);

#endif
