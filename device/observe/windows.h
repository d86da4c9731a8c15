/* Windows of resident groups: as many as the device holds at a time, in the order in which it hands
 * them out. What groups of one window come to is collected apart, in some windows of a launch.
 * Private to device/observe. */
#ifndef SIMTCL_WINDOWS_H
#define SIMTCL_WINDOWS_H

#include "observe.h"

struct window_plan {
    uint64_t groups; /* of a window; 0: nobody asks */
    uint64_t count;  /* windows of the launch */
    uint32_t seen;   /* of these, looked at */
};

/* Of a launch: by the occupancy of the model's multiprocessors. */
void windows_find(struct window_plan *w, const struct observe_set *set,
                  const struct observe_grid *grid);
/* The window that the group (its number in the order of the launch) belongs to, of those that are
 * looked at; OBSERVE_WINDOWS: none. Which these are depends on their number alone; they do not come
 * at even distances, as what a kernel does to memory often does. */
unsigned windows_of(const struct window_plan *w, uint64_t group);

#endif
