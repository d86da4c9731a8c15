/* Asking a new process of the same test program. */
#ifndef TESTS_CACHE_PROCESS_H
#define TESTS_CACHE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs this program anew with up to three arguments (NULL: no more) and one more variable in its
 * environment ("NAME=value" or NULL). False: it gave no answer of that size, or another status than
 * 0. */
bool process_ask(const char *const arguments[3], const char *setting, void *answer, size_t size);
/* In the new process: the answer. Ends it, with that status. */
_Noreturn void process_answer(const void *answer, size_t size, int status);

#endif
