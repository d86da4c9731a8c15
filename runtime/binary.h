/* Program binaries: an executable is the text of its warp IR (device/isa/SPEC.md) as it is; a
 * compiled object or a library is the compiler's text behind a first line that says which. */
#ifndef SIMTCL_BINARY_H
#define SIMTCL_BINARY_H

#include "program.h"

/* A binary, whole and undamaged, as a build with status CL_BUILD_NONE; or CL_INVALID_BINARY, also
 * for what the device cannot run. An executable is read without the compiler. */
struct error binary_read(const struct model *device, const char *bytes, size_t length,
                         struct build **result);
/* Makes build->binary, if there is anything to make it of. build may be NULL. */
struct error binary_of(struct build *build);

#endif
