/* Snippets of OpenCL C with builtin names, opaque types and designators where nobody would write
 * them. */
#ifndef SIMTCL_TESTS_SNIPPET_H
#define SIMTCL_TESTS_SNIPPET_H

#include <stdint.h>

/* A source with kernel k, the same for the same seed; lies in memory that the next call fills. */
const char *snippet_source(uint64_t seed);

#endif
