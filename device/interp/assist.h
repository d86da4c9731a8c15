/* Executes single instructions for native code: what its compiler leaves to C. */
#ifndef SIMTCL_ASSIST_H
#define SIMTCL_ASSIST_H

#include "device/native/native.h"

/* native_run.assist, by the interpreter's handlers. */
void assist_run(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask,
                const void *const *src, void *const *dst);

/* native_run.tell, noted and read. */
void assist_tell(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask,
                 const uint32_t *addresses);
void assist_noted(struct native_run *r, uint32_t place);
void assist_read(struct native_run *r);
/* native_run.image. */
void assist_image(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask, uint32_t image,
                  uint32_t sampler, uint32_t (*rows)[ISA_WARP]);

#endif
