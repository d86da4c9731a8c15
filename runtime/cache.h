/* The disk cache: results that were made once, in files of the user's cache folder. It knows
 * nothing of what it keeps; compiler/ and device/ say what an entry holds and what it depends on.
 *
 * Any number of processes may use a folder at once: an entry appears whole, under its name, by a
 * rename. Whatever is wrong (no folder, no rights, no space, damage) is a miss and silence. The
 * folder and its files must be the user's own, and nobody else may be able to write to them.
 * Nothing is kept in memory and no lock is held, so a fork at any time is fine. */
#ifndef SIMTCL_CACHE_H
#define SIMTCL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value kept for a key: malloc'ed, its size in *bytes, with a NUL behind it; NULL: there is
 * none. kind: a word, in the file's name. The key is compared as a whole. */
void *cache_get(const char *kind, const void *key, size_t key_bytes, size_t *bytes);
/* Keeps a value, in place of what is there, and removes the oldest when the folder has become
 * larger than SIMTCL_CACHE allows. */
void cache_put(const char *kind, const void *key, size_t key_bytes, const void *value,
               size_t bytes);

struct cache_use {
    size_t entries;
    uint64_t bytes, most; /* 0: there is to be none */
};
/* What is in it, and where. False: no folder. */
bool cache_use(struct cache_use *use, char *path, size_t size);

#endif
