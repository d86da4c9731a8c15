/* Occupancy: how many groups, and so warps, of a kernel are on a multiprocessor at a time, and what
 * keeps others away (guide 2.1.2, 3.2; the calculator that came with CUDA 2). Pure. */
#ifndef SIMTCL_OCCUPANCY_H
#define SIMTCL_OCCUPANCY_H

#include "model.h"
#include "registers.h"

/* What allows no further group. In the order in which the calculator names them when several do. */
enum gpu_limiter {
    GPU_LIMIT_GROUPS,    /* resident groups */
    GPU_LIMIT_WARPS,     /* resident warps */
    GPU_LIMIT_REGISTERS, /* the register file */
    GPU_LIMIT_SHARED,    /* shared memory */
    GPU_LIMITS
};
extern const char *const gpu_limiter_name[GPU_LIMITS];

struct gpu_occupancy {
    uint32_t warps;                /* of a group */
    uint32_t registers, shared;    /* that a group is given, rounded as the device does */
    uint32_t may[GPU_LIMITS];      /* groups that each limit allows; GPU_NO_LIMIT: any number */
    uint32_t groups, active_warps; /* on one multiprocessor; 0: a group does not fit */
    uint32_t most_warps;           /* of the model */
    double occupancy;              /* active_warps / most_warps */
    enum gpu_limiter limiter;      /* the first that allows no more than `groups` */
    uint32_t limiters;             /* all of them, as bits 1 << GPU_LIMIT_* */
    /* What would be better; 0: nothing nearby would. */
    uint32_t smaller_group, larger_group; /* the next work-items a group, in whole warps, with a
                                             higher occupancy */
    uint32_t better_registers; /* the most registers a work-item with which it is higher */
    uint32_t better_shared;    /* the most shared bytes a group with which it is higher */
};
enum { GPU_NO_LIMIT = 0xffff };

/* A kernel's groups of so many work-items (1 or more) on a multiprocessor. r: shared_bytes with the
 * launch's __local arguments. The model `host` gives every group a place: it has no such limits. */
void gpu_occupancy_find(const struct model *m, const struct gpu_resources *r, uint32_t items,
                        struct gpu_occupancy *o);
/* The registers that such a group takes. */
uint32_t gpu_group_registers(const struct model *m, const struct gpu_resources *r, uint32_t items);
/* The largest group, in whole warps, of which one fits on a multiprocessor; at least one warp's,
 * and at most the model's. */
uint32_t gpu_largest_group(const struct model *m, const struct gpu_resources *r);

#endif
