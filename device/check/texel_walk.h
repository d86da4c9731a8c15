/* The texels that accesses of images take, one by one: for checks that keep something of each of an
 * image's bytes. Private to device/check. */
#ifndef SIMTCL_TEXEL_WALK_H
#define SIMTCL_TEXEL_WALK_H

#include "device/observe/observer.h"
#include "device/texture/texture.h"

/* A texel at those coordinates, at that address of the sandbox. False: the lane's others do not
 * matter. */
typedef bool texel_walk_fn(void *user, const struct texture *t, unsigned lane, const uint32_t at[3],
                           uint32_t address);

/* Lanes of `left` that access the same image as the first, by the same sampler. */
uint32_t texel_walk_alike(const struct observe_event *e, uint32_t left);
/* What such lanes read, but for the border and texels of weight 0; what they write. */
void texel_walk(const struct observe_event *e, uint32_t lanes, texel_walk_fn *take, void *user);

#endif
