/* The last launches of a kernel that were asked about: launches are often alike, or take turns. */
#ifndef SIMTCL_LASTLAUNCHES_H
#define SIMTCL_LASTLAUNCHES_H

#include <stdatomic.h>

#include "device/analysis/affine.h"

enum { LASTLAUNCHES = 4, LASTLAUNCHES_PARAMS = 256 /* bytes of arguments, at most */ };

struct last_launch {
    bool known;
    struct affine_launch launch;
    char params[LASTLAUNCHES_PARAMS];
};

/* What has been found out of some. All 0: of none; `busy` is to be cleared, too. */
struct last_launches {
    atomic_flag busy;
    unsigned next; /* to be forgotten */
    bool apart[LASTLAUNCHES], thorough[LASTLAUNCHES];
    struct last_launch of[LASTLAUNCHES];
};

/* Is it that launch, with so many bytes of arguments? */
bool lastlaunches_is(const struct last_launch *last, const struct affine_launch *l, uint32_t bytes);
void lastlaunches_note(struct last_launch *last, const struct affine_launch *l, uint32_t bytes);
/* The same as isolation_holds; thorough where so many instructions of warps are worth it, or where
 * the launch is like an earlier one: there may be more. Any number of threads may ask. */
bool lastlaunches_apart(struct last_launches *all, const struct isa_kernel *k,
                        const struct affine_launch *l, double insts);

#endif
