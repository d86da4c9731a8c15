/* Groups that run at once on several threads, and what they do with global memory, which is looked
 * at group by group in their order: so what is found depends on no thread. Whoever ends the group
 * whose turn it is looks at it, and at those behind it that have ended meanwhile. Groups have to be
 * begun in their order. Private to device/check. */
#ifndef SIMTCL_RACE_TURNS_H
#define SIMTCL_RACE_TURNS_H

#include "race_compare.h"

/* What a group has done: of each warp's accesses those that the others must see, in their order. */
struct race_done {
    uint64_t index; /* of the group */
    uint32_t id[3];
    bool begun; /* it is its turn, and some of it has been looked at */
    struct race_step *steps;
    uint64_t count, room;
};

/* NULL: no memory. */
struct race_turns *race_turns_new(struct race_launch *launch);
void race_turns_free(struct race_turns *t); /* NULL is fine */
/* A thread's group begins. Without memory the launch is full. */
struct race_done *race_turns_begin(struct race_turns *t, uint64_t index, const uint32_t id[3]);
/* An access. Where a group has done much it waits for its turn, or until the launch is stopped. */
void race_turns_add(struct race_turns *t, struct race_done *group, uint32_t warp,
                    const struct race_record *r);
/* The group has ended; it is not the thread's any more. May wait, too. */
void race_turns_end(struct race_turns *t, struct race_done *group);
/* It will not end. */
void race_turns_drop(struct race_done *group); /* NULL is fine */

#endif
