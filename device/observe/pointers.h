/* Which parameter's object an address lies in. Private to device/observe. */
#ifndef SIMTCL_POINTERS_H
#define SIMTCL_POINTERS_H

#include "device/isa/isa.h"

enum { POINTERS_NOWHERE = 0, POINTERS_ANYWHERE = UINT32_MAX };

/* Of each register: the parameter, a pointer, from which it is counted, + 1, the module's constant
 * data counting as one more parameter and the kernel's local memory as the next; NOWHERE: none, it
 * is a number; ANYWHERE: not known. The caller frees; NULL: no memory. */
uint32_t *pointers_find(const struct isa_kernel *k);

#endif
