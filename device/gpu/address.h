/* Where what a launch works on lies on the device: from addresses in the sandbox to those that the
 * device's own allocator (heap.h) would have given. Partitions, banks and sets of caches follow
 * from these, so they are the same in every run and on every host.
 *
 * Global memory: each object that is an argument of the launch is a range. Sandbox and device agree
 * in the lowest 8 bits of an address there, so whatever depends on these alone (segments of
 * coalescing) needs no translation. Constant memory: a launch's constant bank holds the program's
 * data from 0 on, and behind it, each at the next multiple of 256, what constant arguments point
 * to, in the order of the parameters. Local memory: a group's shared memory begins with 16 bytes of
 * the system's and the arguments; local objects lie behind them at the next multiple of 16. */
#ifndef SIMTCL_ADDRESS_H
#define SIMTCL_ADDRESS_H

#include <stdint.h>

enum { GPU_SYSTEM_BYTES = 16, GPU_LANES = 32 };

struct gpu_address_range {
    uint32_t start, bytes; /* in the sandbox */
    uint32_t device;       /* where `start` is on the device */
};

/* Ranges by ascending start, which do not overlap. */
struct gpu_address_map {
    struct gpu_address_range *ranges; /* the owner's, with room for what it adds */
    uint32_t count;
};

/* All of a launch. The owner's, who keeps it as long as the launch. */
struct gpu_addresses {
    struct gpu_address_map global, constant;
    uint32_t local_first;   /* of byte 0 of local memory, in the group's shared memory */
    const uint32_t *images; /* of each image of the launch's table: its first texel */
    uint32_t nimages;
    uint32_t constant_bytes; /* of the constant bank in use */
};

/* Adds a range; one that begins where another does is the same object, and is not added again. */
void gpu_address_add(struct gpu_address_map *m, uint32_t start, uint32_t bytes, uint32_t device);
/* Adds what lies in the constant bank next: `bytes` of the sandbox at `start`. */
void gpu_address_add_constant(struct gpu_addresses *a, uint32_t start, uint32_t bytes);
/* Of an argument block of that size: local_first. */
uint32_t gpu_address_local_first(uint32_t param_bytes);

/* The range that holds `address`; for one outside of all, the nearest before it, or the first.
 * NULL: the map is empty. */
const struct gpu_address_range *gpu_address_range(const struct gpu_address_map *m,
                                                  uint32_t address);
/* The device's address; outside of every range, as far from the nearest one before as it is in the
 * sandbox. An empty map changes nothing. */
static inline uint32_t gpu_address_of(const struct gpu_address_map *m, uint32_t address) {
    const struct gpu_address_range *r = gpu_address_range(m, address);
    return r ? address - r->start + r->device : address;
}
/* The same for the lanes of a mask; the others' results have no meaning. from and to may be one. */
void gpu_address_lanes(const struct gpu_address_map *m, uint32_t mask,
                       const uint32_t from[GPU_LANES], uint32_t to[GPU_LANES]);
/* Of an address of local memory, in the shared memory of its group; base: where the group's local
 * memory lies in the sandbox. */
static inline uint32_t gpu_address_local(const struct gpu_addresses *a, uint32_t base,
                                         uint32_t address) {
    return address - base + a->local_first;
}

#endif
