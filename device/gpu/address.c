#include "address.h"

#include <stddef.h>
#include <string.h>

#include "heap.h"

static uint32_t up(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }

/* How many ranges begin at or before the address. */
static uint32_t rank(const struct gpu_address_map *m, uint32_t address) {
    uint32_t low = 0, high = m->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void gpu_address_add(struct gpu_address_map *m, uint32_t start, uint32_t bytes, uint32_t device) {
    uint32_t at = rank(m, start);
    if (at && m->ranges[at - 1].start == start) return;
    memmove(m->ranges + at + 1, m->ranges + at, (m->count - at) * sizeof *m->ranges);
    m->ranges[at] = (struct gpu_address_range){start, bytes, device};
    m->count++;
}

void gpu_address_add_constant(struct gpu_addresses *a, uint32_t start, uint32_t bytes) {
    uint32_t before = a->constant.count, first = up(a->constant_bytes, GPU_GRANULE);
    gpu_address_add(&a->constant, start, bytes, first);
    if (a->constant.count > before) a->constant_bytes = first + bytes;
}

uint32_t gpu_address_local_first(uint32_t param_bytes) {
    return up(GPU_SYSTEM_BYTES + param_bytes, 16);
}

const struct gpu_address_range *gpu_address_range(const struct gpu_address_map *m,
                                                  uint32_t address) {
    if (!m->count) return NULL;
    uint32_t n = rank(m, address);
    return &m->ranges[n ? n - 1 : 0];
}

void gpu_address_lanes(const struct gpu_address_map *m, uint32_t mask,
                       const uint32_t from[GPU_LANES], uint32_t to[GPU_LANES]) {
    if (!m->count) {
        memmove(to, from, GPU_LANES * sizeof *to);
        return;
    }
    for (uint32_t left = mask, inside; left; left &= ~inside) {
        const struct gpu_address_range *r = gpu_address_range(m, from[__builtin_ctz(left)]);
        uint32_t delta = r->device - r->start, done[GPU_LANES];
        inside = left & -left; /* even where it is outside of all */
        for (unsigned l = 0; l < GPU_LANES; l++) {
            inside |= (uint32_t)(from[l] - r->start < r->bytes) << l;
            done[l] = from[l] + delta;
        }
        inside &= left;
        for (unsigned l = 0; l < GPU_LANES; l++)
            if (inside >> l & 1) to[l] = done[l];
    }
}
