/* Code that may run at any instruction of a thread. */
#ifndef SIMTCL_ANYWHERE_H
#define SIMTCL_ANYWHERE_H

/* A function that a signal may call while the thread is within a sanitizer's own code: it is not
 * instrumented, as that code would wait for locks of its own. */
#if defined __clang__ && __has_attribute(disable_sanitizer_instrumentation)
#define ANYWHERE __attribute__((disable_sanitizer_instrumentation))
#else
#define ANYWHERE
#endif

#endif
