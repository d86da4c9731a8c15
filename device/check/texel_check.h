/* SIMTCL_CHECK=memory: coordinates outside of images. */
#ifndef SIMTCL_TEXEL_CHECK_H
#define SIMTCL_TEXEL_CHECK_H

#include "device/observe/observer.h"

extern const struct observer texel_check;

#endif
