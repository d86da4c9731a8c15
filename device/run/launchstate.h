/* What the device keeps of a launch in flight. */
#ifndef SIMTCL_LAUNCHSTATE_H
#define SIMTCL_LAUNCHSTATE_H

#include "device/analysis/tiles.h"
#include "device/engine.h"
#include "unfolded.h"
#include "watchdog.h"

struct launch_state {
    struct executable_kernel *kernel;
    struct memory *memory;
    uint32_t groups[3]; /* work-groups in each dimension */
    uint32_t items, warps, frame_bytes;
    struct tiles tiling; /* size 0: it is not tiled */
    struct unfolded was;
    const struct isa_kernel *own; /* the launch's, of which digital.h may have made another one */
    uint32_t places,
        local_step; /* groups at once on a thread, and from one's local memory to the next's */
    unsigned traits;
    bool lasting; /* a group of it may run for long */
    struct launch *launch;
    struct watch watch;
    uint64_t first, left; /* of the groups: where the job begins, and how many come behind it */
    atomic_bool watched;  /* `watch` has begun */
    atomic_bool stopped;  /* by a fault; who sets it describes the fault */
    _Atomic uint64_t started_ns;
    struct debug_launch *debug;      /* NULL: no debugger follows it */
    struct print_log *log;           /* NULL: the kernel has no printf */
    struct observe_launch *observed; /* NULL: nobody looks on */
    /* launchlike.h's, over the launches that it serves: */
    struct launch_like {
        bool is;                                                        /* others may be alike, */
        uint32_t global_size[3], local_size[3], offset[3], local_bytes; /* if these are the same */
        uint64_t count;          /* of what the job hands out */
        const struct code *code; /* what groups are run by; NULL: whatever there is then */
        uint32_t launches;
    } like;
};

#endif
