/* SIMTCL_CHECK=uninit, images: which texels are set. Private to device/check. */
#ifndef SIMTCL_UNINIT_IMAGE_H
#define SIMTCL_UNINIT_IMAGE_H

#include "device/observe/observer.h"

/* A read or write of an image, before it takes effect. Texels that are written are set, whatever
 * with; reads that take one that is not set are told. */
void uninit_image(const struct observe_event *e);

#endif
