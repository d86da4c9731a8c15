/* Kernels whose groups all come to the same barriers, each as often as any other one of the launch:
 * several of them may go together, as if they were one, whose barriers wait for all. */
#ifndef SIMTCL_EVENBARRIERS_H
#define SIMTCL_EVENBARRIERS_H

#include "device/isa/isa.h"

/* Whether, and how often, a barrier is come to hangs on nothing but arguments and sizes, and no
 * group asks what others have added up to. False: it is not known to be so. */
bool evenbarriers_find(const struct isa_kernel *k);

#endif
