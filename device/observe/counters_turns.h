/* Turns: in which order the warps of a group read through a cache. Groups run on any thread, and
 * warps of a group in an order that the engine chooses. So that hits and misses are the same
 * whatever it is, each group begins with an empty cache, as if it were alone; what its warps read
 * is noted, and looked up when the group ends: one read of each warp in turn. A warp that reads
 * more than there is room for gets a cache of its own for all that it reads in the group. Private
 * to device/observe. */
#ifndef SIMTCL_COUNTERS_TURNS_H
#define SIMTCL_COUNTERS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    COUNTERS_TURNS_WARPS = 32,   /* of a group, at most */
    COUNTERS_TURNS_WORDS = 2000, /* warps' lie in different sets of the host's cache */
    COUNTERS_TURNS_MOST = 255,   /* places of one read */
    COUNTERS_TURNS_SHARED = COUNTERS_TURNS_WARPS,
    COUNTERS_TURNS_CACHES /* one of each warp's own, and that which they share */
};

/* What the warps of a group have read. Begins as zeros. */
struct counters_turns {
    bool alone[COUNTERS_TURNS_WARPS];
    uint32_t used[COUNTERS_TURNS_WARPS];
    uint32_t words[COUNTERS_TURNS_WARPS][COUNTERS_TURNS_WORDS]; /* reads: a head, then places */
};

/* Whom reads are told, in order: `empty` comes before the first read of a group from that cache, of
 * COUNTERS_TURNS_CACHES; `read` for each read, with the places that were noted. */
struct counters_turns_reader {
    void (*empty)(void *user, unsigned cache);
    void (*read)(void *user, unsigned cache, uint32_t site, const uint32_t *places, unsigned count);
    void *user;
};

/* A read by a warp (of the group's, counted from 0), which a site made, of up to
 * COUNTERS_TURNS_MOST places; none: it is not noted. */
void counters_turns_note(struct counters_turns *t, const struct counters_turns_reader *to,
                         uint32_t warp, uint32_t site, const uint32_t *places, unsigned count);
/* The group has ended. */
void counters_turns_end(struct counters_turns *t, const struct counters_turns_reader *to);

#endif
