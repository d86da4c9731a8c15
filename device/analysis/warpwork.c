#include "warpwork.h"

#include <string.h>

#include "itemvalues.h"

double warpwork_part(const struct isa_kernel *k, const uint32_t size[3]) {
    struct itemvalues v;
    bool good = itemvalues_begin(&v, k, size, false);
    double done = 0, all = 0;
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        for (uint32_t w = 0; w < v.lanes; w += ISA_WARP, all++)
            done += memchr(v.on + w, 1, ISA_WARP) != NULL;
        itemvalues_pass(&v, n);
    }
    itemvalues_end(&v);
    return good && all > 0 ? done / all : 1;
}
