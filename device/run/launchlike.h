/* Launches of a kernel are often alike: in shape, with nobody who looks on. What was found out to
 * start one holds for the next, which goes on with its state. */
#ifndef SIMTCL_LAUNCHLIKE_H
#define SIMTCL_LAUNCHLIKE_H

#include "launchstate.h"

/* The state of an earlier launch that was like this one, or NULL. */
struct launch_state *launchlike_find(const struct launch *l);
/* The launch is prepared, for so many indices: may others be like it? Not where what was decided
 * hangs on its arguments or its memory, nor as long as its kernel's code may become better. */
void launchlike_note(struct launch_state *s, const struct launch *l, uint64_t count);
/* The launch has ended: its state is kept, or freed. */
void launchlike_keep(struct launch_state *s, const struct launch *l);

#endif
