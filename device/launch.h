/* A launch: one kernel over one ND-range, shared out over the pool's threads, work-group by
 * work-group. */
#ifndef SIMTCL_LAUNCH_H
#define SIMTCL_LAUNCH_H

#include <stddef.h>

#include "device/gpu/registers.h"
#include "device/host/pool.h"
#include "device/texture/texture.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_ACCESS,     /* load or store outside every object */
    FAULT_PRIVATE,    /* outside the work-item's private frame */
    FAULT_BARRIER,    /* a barrier that not all work-items of the group reach */
    FAULT_IMAGE,      /* image argument that does not fit the access */
    FAULT_MISALIGNED, /* reserved for checkers */
    FAULT_TIMEOUT,    /* the launch ran for longer than it may */
    FAULT_UNGUARDED,  /* faults could not have been caught: it was not run */
    FAULT_RESOURCES   /* the host ran out of memory for the launch */
};

/* Why a launch ended early. The first fault wins; the others of the launch are dropped. */
struct fault {
    enum fault_kind kind;
    const char *kernel; /* borrowed from the module */
    const char *file;   /* borrowed from the module; NULL: unknown */
    uint32_t line;      /* 0: unknown */
    uint32_t global_id[3], local_id[3], group_id[3];
    bool item_known;  /* the ids name the work-item; otherwise only group_id holds */
    uint32_t address; /* FAULT_ACCESS, FAULT_PRIVATE */
    uint8_t size;     /* bytes of the access; 0: unknown */
    bool write;
};
/* Writes one line, no newline, that names kernel, source line and work-item. Returns its length as
 * snprintf does. */
int fault_describe(const struct fault *f, char *text, size_t size);

/* In which order a launch's groups run. */
enum launch_order {
    LAUNCH_ANY,     /* by chance: on all threads */
    LAUNCH_IN_TURN, /* one after the other, by their numbers */
    LAUNCH_SHUFFLED /* on one thread, in an order that the launch's seed says, several at once, and
                       their warps in turn: interp/shuffle.h. Where somebody looks on one by one */
};

/* Who looks on (observe/observer.h). */
struct observe_set;
struct observer;
struct observe_result;

/* Whose kernel it is (run/executable.h). */
struct executable;
const struct isa_module *executable_module(const struct executable *x);
/* Sandbox address of the module's constant data, 0: there is none. */
uint32_t executable_constants(const struct executable *x);

struct check_launch;
struct gpu_addresses;

struct launch {
    /* set by the caller, who keeps all of it alive until `finished` has been called */
    struct executable *executable;
    const struct isa_kernel *kernel;
    uint32_t work_dim;
    uint32_t global_size[3], local_size[3],
        offset[3];      /* unused dimensions: 1, 1, 0; global a multiple of local */
    bool chosen;        /* local_size is not the program's: work-items may be in any groups */
    const void *params; /* argument block: kernel->param_bytes bytes; dynamic local arguments hold,
                           as i32, their offset in the group's local memory (behind
                           kernel->local_bytes): see local_args */
    const uint32_t
        *local_args; /* byte offsets in `params` whose i32 is an offset in the group's local memory;
                        the device turns it into an address for each group */
    uint32_t nlocal_args;
    uint32_t
        local_bytes; /* all local memory of a group: kernel->local_bytes and dynamic arguments */
    struct gpu_resources resources; /* the kernel's, with the dynamic arguments' shared memory */
    const struct texture *textures;
    uint32_t ntextures;
    enum launch_order order;
    uint64_t seed;  /* of LAUNCH_SHUFFLED */
    uint64_t asked; /* fault_asked of the host's call; 0: not known */
    bool awaited; /* launch_start: it is brief, and who asks for it mostly waits for it soon, which
                     may run it */
    bool untimed; /* nobody asks for started_ns and ended_ns */
    const struct observe_set *observers; /* who looks on; NULL: nobody */
    /* What the launch came to, for each of them, before finished; not when it ended early. May be
     * NULL. */
    void (*observed)(struct launch *l, const struct observer *who,
                     const struct observe_result *result);
    const struct gpu_addresses
        *addresses; /* gpu/address.h: for observers; NULL: nobody asks for the device's addresses */
    const struct check_launch *check;   /* check/finding.h: for checks; NULL: none is asked for */
    const char *source;                 /* the program's, for a debugger; NULL: not at hand */
    void (*finished)(struct launch *l); /* once, on the thread that ran the last group; fault and
                                           times are set */
    void (*print)(
        struct launch *l, const char *text,
        size_t length); /* printf output, whole lines, in order of work-items; before finished */
    void *user;
    /* set by the device */
    struct fault fault;
    uint64_t started_ns,
        ended_ns; /* CLOCK_MONOTONIC: the first work-group began, the last one ended */
    /* the device's own */
    struct job job;
    void *state;
};

/* Starts a launch and returns at once. False: out of memory, nothing was started and `finished` is
 * not called. */
bool launch_start(struct launch *l);
/* The same, and the calling thread takes part until no work-group is left to hand out: the quickest
 * way for a small launch. `finished` may have been called when it returns. */
bool launch_run(struct launch *l);

/* What it takes, if that is, as far as is known, less time than waking a thread for it does; 0: it
 * is not, or not known. */
uint32_t launch_brief_ns(const struct launch *l);

enum {
    LAUNCH_PRINT_BYTES = 16 << 20
}; /* printf records of one launch; what goes beyond is dropped, and said so */

#endif
