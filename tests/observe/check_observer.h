/* An observer for tests: asks for everything, as calls and as counts, and compares the two. */
#ifndef SIMTCL_TESTS_CHECK_OBSERVER_H
#define SIMTCL_TESTS_CHECK_OBSERVER_H

#include "device/observe/observe.h"

/* Calls for every event, and counts: what was counted must be what the calls add up to. */
extern const struct observer check_observer;
/* Counts alone. */
extern const struct observer check_counts;

/* The counters observer; check_digest is made of all its counters, of kernel and sites. */
const struct observer *check_counters(void);

/* What the last launch came to: one number made of all counts, and launches so far. */
extern uint64_t check_digest;
extern unsigned check_launches, check_failures;
/* The last launch's, of each site: a copy. */
extern struct observe_count *check_last;
extern uint64_t check_groups; /* begun and ended, as the calls have it */

/* Gives every instruction that could have a site one of its own. */
void check_number_sites(struct isa_module *m);

#endif
