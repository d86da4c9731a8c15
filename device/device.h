/* The device, seen from outside: models, sandboxed memory, executables, launches.
 * Knows nothing of OpenCL's types; includes every header of this folder that others may use. */
#ifndef SIMTCL_DEVICE_H
#define SIMTCL_DEVICE_H

#include "device/isa/isa.h"
#include "device/gpu/model.h"         /* struct model: the GPUs that can be emulated */
#include "device/gpu/capability.h"    /* what a program needs of a model */
#include "device/gpu/registers.h"     /* struct gpu_resources: what a kernel takes of one */
#include "device/gpu/counters.h"      /* struct gpu_counters: what the GPU would have counted */
#include "device/gpu/occupancy.h"     /* struct gpu_occupancy: how many groups run at a time */
#include "device/gpu/time.h"          /* struct gpu_prediction: how long it would have taken */
#include "device/gpu/heap.h"          /* struct gpu_heap: the device's own allocator */
#include "device/gpu/address.h"       /* struct gpu_addresses: where it would have put things */
#include "device/sandbox/memory.h"    /* struct memory: a context's 4 GiB sandbox */
#include "device/sandbox/hostfault.h" /* fault_watch: faults of the host's own */
#include "device/host/pool.h"         /* struct pool: the host threads */
#include "device/run/executable.h"    /* struct executable: a module placed in a sandbox */
#include "launch.h"                   /* struct launch: one kernel over one ND-range */
#include "device/texture/texture.h"   /* struct texture: what an image argument is to the device */
#include "device/texture/texel.h"     /* image formats: their size, and a colour as a texel */

#endif
