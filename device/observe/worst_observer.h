/* The observer that keeps, for each site, the access that costs the device most: which warp, which
 * lanes, which addresses, for a report to draw. */
#ifndef SIMTCL_WORST_OBSERVER_H
#define SIMTCL_WORST_OBSERVER_H

#include "worst_read.h"

enum {
    WORST_GROUPS = 8 /* launches of so many groups have every access looked at; of larger ones as
                         many in proportion, chosen by their addresses; those of full, evenly
                         spaced half-warps all */
};

/* An access of a half-warp. Which one is kept does not depend on how work-groups are run, nor on
 * the order in which it is told: of several that cost the same one that is not evenly spaced, then
 * the one whose lanes and addresses are least. */
struct worst_access {
    uint32_t cost; /* transactions, passes, addresses or turns; 0: none was seen */
    bool even;     /* all lanes, evenly spaced: addresses begin in the first period of the memory
                      partitions, or in the first word */
    uint32_t mask; /* bits of the half-warp */
    uint32_t addresses[WORST_LANES]; /* as struct observe_event has them; of lanes off 0 */
};

extern const struct observer worst_observer;

/* Of a site (index in the kernel's sites): r as this observer's launch_end gets it. */
const struct worst_access *worst_of_site(const struct observe_result *r, uint32_t site);

/* The same of a site that reads an image. */
const struct worst_read *worst_read_of_site(const struct observe_result *r, uint32_t site);

/* The instructions that a site's access is on the device, each of one word a lane: request.h.
 * Returns how many. */
struct request_word;
unsigned worst_words(const struct isa_site *site, struct request_word *words);

#endif
