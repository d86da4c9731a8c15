#include "heap.h"

#include <pthread.h>
#include <stdlib.h>

#include "device/sandbox/range.h"

enum { GRANULES = 1 << 24 }; /* 4 GiB of them */

struct gpu_heap {
    pthread_mutex_t lock;
    struct ranges granules;
};

struct gpu_heap *gpu_heap_new(void) {
    struct gpu_heap *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    if (!range_add(&h->granules, 0, GRANULES)) return free(h), NULL;
    pthread_mutex_init(&h->lock, NULL);
    return h;
}

void gpu_heap_free(struct gpu_heap *h) {
    if (!h) return;
    range_clear(&h->granules);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

bool gpu_heap_take(struct gpu_heap *h, uint64_t bytes, uint32_t *address) {
    uint64_t granules = bytes ? (bytes - 1) / GPU_GRANULE + 1 : 1;
    if (granules > GRANULES) return false;
    pthread_mutex_lock(&h->lock);
    struct range *taken = range_take(&h->granules, (uint32_t)granules, 1, false);
    if (taken) *address = taken->start * GPU_GRANULE;
    pthread_mutex_unlock(&h->lock);
    return taken;
}

void gpu_heap_give(struct gpu_heap *h, uint32_t address) {
    pthread_mutex_lock(&h->lock);
    struct range *taken = range_find(&h->granules, address / GPU_GRANULE);
    if (taken && (uint64_t)taken->start * GPU_GRANULE == address) range_give(&h->granules, taken);
    pthread_mutex_unlock(&h->lock);
}
