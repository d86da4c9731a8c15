/* Decoding of what goes beyond registers: memory, images, printf. Each decodes d->inst. */
#ifndef SIMTCL_TRANSFER_H
#define SIMTCL_TRANSFER_H

#include "encode.h"

void transfer_load(struct emitter *d);
void transfer_store(struct emitter *d);
void transfer_atomic(struct emitter *d);
void transfer_image(struct emitter *d);
void transfer_print(struct emitter *d);

#endif
