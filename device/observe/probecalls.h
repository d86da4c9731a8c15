/* Events that engines tell of while they run, on their way to observers. Private to device/observe.
 */
#ifndef SIMTCL_PROBECALLS_H
#define SIMTCL_PROBECALLS_H

#include "probe.h"

/* Is observer number n told of the thread's launch? */
bool probecalls_hears(const struct observe_thread *t, unsigned n);
/* What lanes of a mask do at a call's place, with no addresses or operands yet. */
struct observe_event probecalls_event(const struct observe_thread *t, const struct probe_call *c,
                                      uint32_t warp, uint32_t mask);
/* To all observers of the call. */
void probecalls_tell(const struct observe_thread *t, const struct probe_call *c,
                     const struct observe_event *e);

#endif
