/* Probes for one size of work-groups. That size tells of many accesses that lanes are evenly
 * spaced; where an observer only needs to know of such where they begin, modulo some period, their
 * calls become counters. Of the others whose order does not matter to it notes are taken, and of
 * reads of images. Private to device/observe. */
#ifndef SIMTCL_REFINE_H
#define SIMTCL_REFINE_H

#include "probe.h"

/* What stands for calls: counters, one for each place where the lanes may begin. */
struct refine_bins {
    uint32_t call;         /* of the plan's */
    int32_t stride;        /* between lanes */
    bool halves;           /* half-warps are counted one by one */
    bool guess;            /* spaced like that they may be, or not */
    uint32_t lanes;        /* struct observe_period */
    uint32_t first, count; /* counters; lanes 8, 16: one of each combination, though count is 1 */
    uint32_t granule;      /* bytes from one to the next */
    uint32_t param;        /* global and constant memory: the parameter it lies in, + 1; 0: no
                              matter */
};

/* A place for notes: of the plan's call, and the bins, + 1, that these are no part of; 0: none. */
struct refine_place {
    uint32_t call, bins;
};

struct refined {
    uint32_t local_size[3];
    struct isa_kernel *kernel; /* NULL: as it was */
    struct refine_bins *bins;
    uint32_t nbins;
    struct refine_place *notes;
    uint32_t nnotes;
    uint8_t reads;      /* observers, as bits, that are told of image reads later; 0: none */
    uint32_t ncounters; /* of the plan's flow, and bins */
    struct refined *next;
};

/* How many counters they are. */
static inline uint32_t refine_counters(const struct refine_bins *b) {
    return b->lanes > 1 ? 1u << ISA_WARP / b->lanes : b->count;
}

/* What has been made for that size, or NULL. */
const struct refined *refine_find(const struct observe_plan *p, const uint32_t local_size[3]);
void refine_free(struct refined *list);

#endif
