/* Decoding of what goes beyond registers: memory, images, printf, notes, probes. Each decodes
 * d->inst. */
#ifndef SIMTCL_TRANSFER_H
#define SIMTCL_TRANSFER_H

#include "encode.h"

void transfer_load(struct encoder *d);
void transfer_store(struct encoder *d);
void transfer_atomic(struct encoder *d);
void transfer_image(struct encoder *d);
void transfer_print(struct encoder *d);
void transfer_probe(struct encoder *d);
void transfer_note(struct encoder *d);

#endif
