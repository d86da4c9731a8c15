/* SIMTCL_CHECK=memory: accesses outside of objects. */
#ifndef SIMTCL_MEMORY_CHECK_H
#define SIMTCL_MEMORY_CHECK_H

#include "device/observe/observer.h"

extern const struct observer memory_check;

#endif
