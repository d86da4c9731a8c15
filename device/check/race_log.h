/* What the warps of a group have done since the last barrier that all of them came to, until it is
 * looked at in an order that no engine has a say in: step by step, which barriers part, and in each
 * warp by warp. */
#ifndef SIMTCL_RACE_LOG_H
#define SIMTCL_RACE_LOG_H

#include "device/observe/observer.h"

/* An access by a warp. */
struct race_record {
    uint32_t site, mask;
    uint32_t step;     /* barriers that the warp had passed */
    uint32_t interval; /* of them, those that order this memory */
    uint32_t at[ISA_WARP];
    uint16_t values[ISA_WARP]; /* of stores: hashes, below 1 << 13 */
    uint16_t bytes;
    uint8_t kind; /* enum isa_site_kind */
    bool local, strided;
    int32_t stride;
};

struct race_warp {
    uint32_t step, local, global; /* barriers passed: all, and those that order such memory */
    struct race_record *records;
    uint32_t count, room, next; /* next: the first that has not been looked at */
};

struct race_lines;

struct race_log {
    const struct race_lines *lines;
    struct race_warp *warps;
    uint32_t nwarps;
    uint64_t count;
};

bool race_log_new(struct race_log *l, uint32_t warps, const struct race_lines *lines);
void race_log_free(struct race_log *l);
/* For a group that begins. */
void race_log_clear(struct race_log *l);
/* An event of memory. False: without memory for it, it is left out. */
bool race_log_add(struct race_log *l, const struct observe_event *e);
/* A warp comes to a barrier. Whether all of the group have now come as far. */
bool race_log_barrier(struct race_log *l, const struct observe_event *e);
/* Looks at all, and forgets it. */
void race_log_flush(struct race_log *l,
                    void (*look)(void *user, uint32_t warp, const struct race_record *r),
                    void *user);

#endif
