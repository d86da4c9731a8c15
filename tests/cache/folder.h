/* A cache folder of a test's own, and what may happen to its files. */
#ifndef TESTS_CACHE_FOLDER_H
#define TESTS_CACHE_FOLDER_H

#include <stddef.h>

/* Makes an empty folder and points SIMTCL_CACHE_DIR at it (megabytes: SIMTCL_CACHE). Removed at
 * exit by the process that made it. Returns its path. */
const char *folder_use(const char *megabytes);
void folder_empty(void);
/* The path of the n-th file whose name begins so, or NULL; valid until the next call. */
const char *folder_file(const char *begin, unsigned n);
unsigned folder_count(const char *begin);
size_t folder_bytes(void); /* of all files */
/* Reads a file of at most 1 MiB. */
size_t folder_read(const char *path, char *bytes);
void folder_write(const char *path, const char *bytes, size_t size);

#endif
