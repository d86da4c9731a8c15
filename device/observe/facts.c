#include "facts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "observer.h"

/* A list that only grows, at its beginning. */
struct fact {
    struct fact *next;
    const void *who;
    size_t key_bytes, bytes;
    char data[]; /* the key, then the value */
};

struct facts {
    struct fact *_Atomic first;
    atomic_uint count;
};

struct facts *facts_new(void) {
    return calloc(1, sizeof(struct facts));
}

void facts_free(struct facts *f) {
    struct fact *at = f ? atomic_load(&f->first) : NULL, *next;
    for (; at; at = next) {
        next = at->next;
        free(at);
    }
    free(f);
}

void *facts_get(struct facts *f, const void *who, const void *key, size_t key_bytes) {
    const struct fact *at = f ? atomic_load_explicit(&f->first, memory_order_acquire) : NULL;
    while (at && (at->who != who || at->key_bytes != key_bytes ||
                  (key_bytes && memcmp(at->data, key, key_bytes) != 0)))
        at = at->next;
    void *value = at ? malloc(at->bytes + 1) : NULL;
    return value ? memcpy(value, at->data + key_bytes, at->bytes) : NULL;
}

void facts_keep(struct facts *f, const void *who, const void *key, size_t key_bytes,
                const void *value, size_t bytes) {
    if (!f || atomic_fetch_add(&f->count, 1) >= FACTS_MOST) return;
    struct fact *own = malloc(sizeof *own + key_bytes + bytes);
    if (!own) return;
    *own = (struct fact){
        .next = atomic_load(&f->first), .who = who, .key_bytes = key_bytes, .bytes = bytes};
    if (key_bytes) memcpy(own->data, key, key_bytes);
    memcpy(own->data + key_bytes, value, bytes);
    while (!atomic_compare_exchange_weak(&f->first, &own->next, own)) {
    }
}

void *facts_key(const struct isa_kernel *k, const struct observe_grid *grid,
                const uint32_t offset[3], size_t *bytes) {
    struct {
        uint32_t groups[3], local_size[3], offset[3];
    } sizes;
    memcpy(sizes.groups, grid->groups, sizeof sizes.groups);
    memcpy(sizes.local_size, grid->local_size, sizeof sizes.local_size);
    memcpy(sizes.offset, offset, sizeof sizes.offset);
    char *key = malloc(sizeof sizes + k->param_bytes);
    *bytes = sizeof sizes + k->param_bytes;
    if (!key) return NULL;
    memcpy(key, &sizes, sizeof sizes);
    if (k->param_bytes) memcpy(key + sizeof sizes, grid->params, k->param_bytes);
    return key;
}
