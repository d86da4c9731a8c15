/* The device's own allocator: where in the device's memory a buffer or image lies. The emulated
 * device gives out granules of 256 bytes, first fit, from address 0 of its memory, so that
 * addresses follow from the order in which a program creates and releases its objects and from
 * nothing else. It hands out addresses alone: the bytes are kept by device/sandbox. Thread safe. */
#ifndef SIMTCL_HEAP_H
#define SIMTCL_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { GPU_GRANULE = 256 }; /* bytes: alignment and unit of what is handed out */

struct gpu_heap;

struct gpu_heap *gpu_heap_new(void); /* NULL: out of memory */
void gpu_heap_free(struct gpu_heap *h);
/* Takes the lowest free granules that hold `bytes`, at least one. False: the host is out of memory,
 * or `bytes` are more than the device's addresses. */
bool gpu_heap_take(struct gpu_heap *h, uint64_t bytes, uint32_t *address);
/* Gives back what take handed out at that address. */
void gpu_heap_give(struct gpu_heap *h, uint32_t address);

#endif
