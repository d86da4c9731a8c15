/* Probes: the instructions that tell observers of a kernel. One pass puts them into a copy of it,
 * upstream of both engines and of what these do to kernels; neither engine knows what they are for.
 */
#ifndef SIMTCL_PROBE_H
#define SIMTCL_PROBE_H

#include <stdatomic.h>

#include "countflow.h"
#include "observe.h"

/* A probe_call: what is told, and to which observers of the set (bits). */
struct probe_call {
    uint32_t site, inst;
    uint8_t what;
    uint16_t observers;
    int32_t displacement;
    uint32_t bytes;
    bool strided; /* of the address, as shape analysis knows it */
    int32_t stride;
    uint32_t param;   /* global and constant memory: the parameter that it lies in, + 1 (one behind
                         the last: the module's constant data); 0: not known */
    uint32_t object;  /* as of an event */
    bool guarded;     /* all whom it is told have bounds */
    bool sandbox;     /* and look at addresses in the sandbox alone */
    uint32_t own;     /* as of an event: the site may be none, and only operands are told */
    uint8_t own_what; /* likewise: `what` */
};

/* What is added to the addresses of a call; not known: it depends on the address. */
struct observe_move {
    int64_t by;
    bool known;
};

struct refined;

/* What is put into a kernel. Read by any number of threads, but for `kept`. */
struct observe_plan {
    const struct isa_module *module; /* borrowed, as the kernel is */
    const struct isa_kernel *kernel; /* the device's, borrowed */
    struct observe_set set;
    bool counts, steps; /* some observer wants them */
    struct countflow flow;
    struct probe_call *calls;
    uint32_t *call_at; /* of each instruction: its call, + 1 */
    uint32_t ncalls;
    struct observe_added added[OBSERVE_MOST]; /* by each observer */
    struct refined *_Atomic refined;          /* for sizes of groups: refine.h */
    /* keep.c's records of the kernel for each observer, under its lock; NULL: none yet */
    struct kept *kept[OBSERVE_MOST];
};

#endif
