/* SIMTCL_CHECK=uninit, images: which texels are set. Private to device/check. */
#ifndef SIMTCL_UNINIT_IMAGE_H
#define SIMTCL_UNINIT_IMAGE_H

#include "device/observe/observer.h"

struct memory;

/* What a thread knows of a launch's images. */
enum { UNINIT_IMAGES = 256 };
struct uninit_images {
    uint8_t known[UNINIT_IMAGES]; /* 0: not looked at; 1: all of it is set; 2: not all */
};

/* Is all of the image set? As long as nothing makes its memory anew that stays so. */
bool uninit_image_is_set(struct memory *m, const struct texture *t);

/* A read or write of an image, before it takes effect. Texels that are written are set, whatever
 * with; reads that take one that is not set are told. */
void uninit_image(struct uninit_images *images, const struct observe_event *e);

#endif
