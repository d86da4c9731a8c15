/* How often each piece of a kernel runs, from as few counters as will do.
 *
 * The kernel is cut into blocks: instructions that the same warps reach with the same lanes. Lanes
 * that go into a branch come out of it, and warps do where they stay whole; so the blocks are the
 * edges of a graph through whose nodes lanes (and, with what splits and joins them, warps) flow.
 * Counters stand on the edges that are left when a spanning tree is taken out, the rest follows
 * from what flows in and out of each node. What is known anyway (every warp of the launch enters
 * the kernel once; behind a region that all lanes leave for its end things are as before it) costs
 * nothing, and where shape analysis proves that all of a work-group is here lanes follow from
 * warps. */
#ifndef SIMTCL_COUNTFLOW_H
#define SIMTCL_COUNTFLOW_H

#include "device/analysis/shape.h"
#include "device/isa/isa.h"
#include "observer.h"

enum { COUNTFLOW_NONE = -1 };
enum countflow_of { COUNTFLOW_WARPS, COUNTFLOW_LANES, COUNTFLOW_KINDS };

/* One edge. Edge 0 is the kernel's first block. */
struct countflow_edge {
    uint32_t from, to;                /* nodes; 0 is outside of the kernel */
    uint32_t at;                      /* counted before this instruction */
    int32_t counter[COUNTFLOW_KINDS]; /* COUNTFLOW_NONE: it follows from others */
    uint32_t copies;                  /* has the values of this edge, + 1; 0: it has not */
    isa_operand splits;               /* of warps that go both ways at a branch: its predicate */
    uint8_t depth;                    /* loops around it */
    bool countable;                   /* there is a place where only it passes */
    bool lanes; /* lanes pass too: else it has warps that split, or that join again */
    bool whole; /* all lanes of the group, whenever a warp passes */
    bool late;  /* rather to be counted than another of the same depth: it passes less often */
};

/* Where an instruction's counts are: edges, COUNTFLOW_NONE where there is none. */
struct countflow_step {
    int32_t block;                /* with which warps come to it */
    int32_t taken, jumps, splits; /* of a branch */
};

struct countflow {
    struct countflow_edge *edges;
    struct countflow_step *steps; /* of each instruction */
    uint32_t nedges, nsteps, nnodes, ncounters;
    uint32_t cap_edges;
};

/* Of a kernel that isa_verify has passed, and its shape. False: out of memory; free either way. */
bool countflow_find(struct countflow *f, const struct isa_kernel *k, const struct shape *s);
void countflow_free(struct countflow *f);

/* What the counters say of a launch of so many groups: counts of each of the kernel's sites, and
 * steps, of each instruction (NULL: not asked for), which are added to. False: out of memory. */
bool countflow_solve(const struct countflow *f, const struct isa_kernel *k,
                     const uint64_t *counters, uint64_t groups, uint32_t items,
                     struct observe_count *counts, struct observe_step *steps);

#endif
