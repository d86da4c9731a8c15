/* The device, seen from outside: models, sandboxed memory, executables, launches.
 * Knows nothing of OpenCL's types; includes every header of this folder that others may use. */
#ifndef SIMTCL_DEVICE_H
#define SIMTCL_DEVICE_H

#include "isa/isa.h"
#include "model.h"      /* struct model: the GPUs that can be emulated */
#include "memory.h"     /* struct memory: a context's 4 GiB sandbox */
#include "pool.h"       /* struct pool: the host threads */
#include "executable.h" /* struct executable: a module placed in a sandbox */
#include "launch.h"     /* struct launch: one kernel over one ND-range */
#include "texture.h"    /* struct texture: what an image argument is to the device */
#include "texel.h"      /* image formats: their size, and a colour as a texel */

#endif
