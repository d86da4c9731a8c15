/* A kernel as native code, and how groups run it. */
#ifndef SIMTCL_VARIANT_H
#define SIMTCL_VARIANT_H

#include "device/native/native.h"
#include "elfobject.h"
#include "tier.h"

/* A kernel for groups, or tiles, of one size. A failure is kept as well, so that it is not tried
 * again. */
struct variant {
    struct code code;
    struct native_object object; /* its bytes are not kept */
    struct elfobject placed;
    native_fn run;
    bool ready;
    struct variant *general; /* for groups that leave; NULL: none does */
    const struct code *interpreted;
    struct tier_size size;
    struct variant *next;
};
/* Runs groups by variants. */
extern const struct engine variant_engine;

#endif
