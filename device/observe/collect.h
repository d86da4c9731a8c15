/* What a launch's threads collect, merged at its end. Private to device/observe. */
#ifndef SIMTCL_COLLECT_H
#define SIMTCL_COLLECT_H

#include "probe.h"

/* Bytes of the observer's accumulator; 0: it has none. */
size_t collect_bytes(const struct observer *o, const struct isa_kernel *k);
void collect_merge(const struct observer *o, const struct isa_kernel *k, void *into,
                   const void *from);

#endif
