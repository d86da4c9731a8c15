/* Races as they are found, counted by place (two sites, and the kind): texts are made of the first
 * one, and of those that happened earlier than what was told before; all others are a number, which
 * is told in the end. Private to device/check. */
#ifndef SIMTCL_RACE_TOLD_H
#define SIMTCL_RACE_TOLD_H

#include "finding.h"

struct race_party {
    uint32_t site, group[3], thread; /* thread: its number in the group */
    bool known;                      /* else only the group is */
};

/* Two accesses that nothing orders. */
struct race_meeting {
    enum check_rule rule;
    struct race_party party, other;
    uint32_t address, bytes;
    bool local;
};

struct race_place {
    struct race_meeting m;      /* the earliest; bytes 0: none */
    struct check_finding found; /* as it was told */
    uint64_t more;              /* that have not been told */
};
struct race_told {             /* zeros: nothing was found */
    struct race_place *places; /* a table by hash */
    uint32_t count, room;      /* room: a power of two */
};

/* One was found in the launch. */
void race_told_add(struct race_told *t, const struct check_launch *launch,
                   const struct isa_kernel *k, const uint32_t local_size[3],
                   const struct race_meeting *m);
/* Tells how many there were, and forgets all. */
void race_told_end(struct race_told *t);

#endif
