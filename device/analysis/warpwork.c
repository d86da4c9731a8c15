#include "warpwork.h"

#include <stdlib.h>
#include <string.h>

#include "itemvalues.h"

static uint16_t count_warps(const struct itemvalues *v) {
    unsigned count = 0;
    for (uint32_t w = 0; w < v->lanes; w += ISA_WARP)
        count += memchr(v->on + w, 1, ISA_WARP) != NULL;
    return (uint16_t)count;
}

uint16_t *warpwork_find(const struct isa_kernel *k, const uint32_t size[3]) {
    uint16_t *of = calloc(k->ninsts + 1ull, sizeof *of);
    struct itemvalues v;
    bool good = itemvalues_begin(&v, k, size, false) && of;
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        of[n] = count_warps(&v);
        itemvalues_pass(&v, n);
    }
    itemvalues_end(&v);
    if (good) return of;
    free(of);
    return NULL;
}

uint64_t warpwork_sum(const struct isa_kernel *k, const uint32_t size[3]) {
    uint16_t *of = warpwork_find(k, size);
    uint64_t sum = 0;
    for (uint32_t n = 0; of && n < k->ninsts; n++) sum += of[n];
    free(of);
    return of ? sum : UINT64_MAX;
}
