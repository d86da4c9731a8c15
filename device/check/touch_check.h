/* SIMTCL_CHECK=api: which bytes of buffers launches access that nothing orders with others. */
#ifndef SIMTCL_TOUCH_CHECK_H
#define SIMTCL_TOUCH_CHECK_H

#include "device/observe/observer.h"

extern const struct observer touch_check;

#endif
