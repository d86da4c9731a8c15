/* What a kernel takes of a multiprocessor of compute capability 1.x: registers, shared memory,
 * private memory, constants. Pure: of the finished warp IR alone, the same on every host. */
#ifndef SIMTCL_REGISTERS_H
#define SIMTCL_REGISTERS_H

#include "device/isa/arena.h"
#include "device/isa/isa.h"

enum {
    GPU_MIN_REGISTERS = 2,
    GPU_MAX_REGISTERS = 124
};                                     /* that a work-item can have: the last 4 are reserved */
enum { GPU_SHARED_SYSTEM_BYTES = 16 }; /* of a group: its size, its index, the grid's size */

struct gpu_resources {
    uint32_t registers;      /* 32-bit registers of a work-item */
    uint32_t shared_bytes;   /* shared memory of a group: system words, arguments and __local
                                variables;   who launches adds what __local arguments ask for */
    uint32_t argument_bytes; /* of these: system words and arguments */
    uint32_t local_bytes;    /* private ("CUDA local") memory of a work-item, spills included */
    uint32_t spill_bytes;    /* of these: registers that found no place */
    uint32_t constant_bytes; /* bank c[1]: constants that do not fit in an instruction */
};

/* The resources of a verified kernel. False: no memory. */
bool gpu_resources_find(const struct isa_kernel *k, struct gpu_resources *r);

/* Which of the kernel's first `among` registers had best be kept in private memory, for it to get
 * by with so many: sets chosen[] to 1 and returns how many; 0: it does already, or nothing more
 * would help. The kernel's regions must nest; it need not have been verified. */
uint32_t gpu_spill_choose(const struct isa_kernel *k, struct arena *arena, uint32_t registers,
                          uint32_t among, uint8_t *chosen);

#endif
