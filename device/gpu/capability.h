/* What a program's code needs of a device: a binary may have been made for a larger one. */
#ifndef SIMTCL_CAPABILITY_H
#define SIMTCL_CAPABILITY_H

#include <stddef.h>

#include "device/isa/isa.h"
#include "model.h"

/* Has the model all that the verified module needs: double precision, atomic operations (guide
 * A.1.2 to A.1.4), and room in each kind of memory (A.1.1)? If not, `why` (of `size` bytes) says
 * what it lacks. Whether a launch fits is for gpu/occupancy.h. Pure. */
bool gpu_can_run(const struct model *m, const struct isa_module *module, char *why, size_t size);

#endif
