/* SIMTCL_CHECK=align: accesses at addresses that their type does not allow. */
#ifndef SIMTCL_ALIGN_CHECK_H
#define SIMTCL_ALIGN_CHECK_H

#include "device/observe/observer.h"

extern const struct observer align_check;

#endif
