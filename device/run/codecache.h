/* Compiled kernels that are known: an entry holds the object the native engine made of a kernel,
 * under all that the object depends on. */
#ifndef SIMTCL_CODECACHE_H
#define SIMTCL_CODECACHE_H

#include "device/native/native.h"

/* Where objects are kept between processes; all NULL: nowhere. */
struct codecache {
    /* Names the driver and its helper, of which no other's objects will do; false: it cannot
     * be told. */
    bool (*maker)(char *text, size_t size);
    /* malloc'ed bytes, or NULL. */
    void *(*get)(const char *kind, const void *key, size_t key_bytes, size_t *bytes);
    void (*put)(const char *kind, const void *key, size_t key_bytes, const void *value,
                size_t bytes);
};

/* What is asked, as text: the request, its kernel's IR, the processor, the maker. NULL: nothing can
 * be kept. The caller frees. */
char *codecache_key(const struct codecache *cache, const struct native_request *r);
/* The object for a key, if there is one and the library that made it is what it was. The caller
 * frees object->bytes. */
bool codecache_find(const struct codecache *cache, const char *key, struct native_object *object);
/* library: native_api's. */
void codecache_keep(const struct codecache *cache, const char *key, const char *library,
                    const struct native_object *object);

#endif
