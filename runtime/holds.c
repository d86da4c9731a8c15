#include "holds.h"

#include <assert.h>
#include <stdlib.h>

struct error holds_single(struct holds *h, enum object_kind kind, void *parameter, uintptr_t before,
                          const char *what) {
    (void)before;
    void *handle = *(void **)parameter;
    if (!handle) return OK;
    if (!object_retain_live(handle, kind)) return object_dead(handle, kind, what);
    assert(h->singles < HOLDS_SINGLE);
    h->single[h->singles++] = handle;
    return OK;
}

struct error holds_list(struct holds *h, enum object_kind kind, void *parameter, uintptr_t before,
                        const char *what) {
    (void)what;
    void *const *given = *(void **const *)parameter;
    cl_uint n = (cl_uint)before;
    if (!n || !given) return OK;
    assert(h->lists < HOLDS_LISTS);
    void **held = h->room + h->used;
    if (n <= HOLDS_ROOM - h->used)
        h->used += n;
    else if (!(held = malloc(n * sizeof *held)))
        return fail_memory();
    for (cl_uint i = 0; i < n; i++) held[i] = object_retain_live(given[i], kind);
    h->list[h->lists].handles = held;
    h->list[h->lists++].n = n;
    *(void ***)parameter = held;
    return OK;
}

static bool in_room(const struct holds *h, void *const *handles) {
    return handles >= h->room && handles < h->room + HOLDS_ROOM;
}

void holds_end(struct holds *h) {
    for (uint32_t i = 0; i < h->singles; i++) object_release(h->single[i]);
    for (uint32_t l = 0; l < h->lists; l++) {
        for (cl_uint i = 0; i < h->list[l].n; i++) object_release(h->list[l].handles[i]);
        if (!in_room(h, h->list[l].handles)) free(h->list[l].handles);
    }
}
