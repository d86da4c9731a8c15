/* What the device's rules make of the addresses of one access. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_ACCESS_H
#define SIMTCL_COUNTERS_ACCESS_H

#include "device/gpu/counters.h"
#include "device/gpu/model.h"
#include "observer.h"

/* Adds what loads, stores or atomic operations of one site come to, but for what counters_steps.h
 * knows and for caches. */
void counters_access_add(const struct model *model, const struct observe_accesses *a,
                         struct gpu_counters *into);

/* struct observer's period: what of evenly spaced addresses these rules depend on. Partitions come
 * round with the addresses; which banks are meant does not matter, only which lanes share one. */
bool counters_access_period(const struct model *model, const struct isa_kernel *k,
                            const struct isa_site *site, int32_t stride,
                            struct observe_period *period);

#endif
