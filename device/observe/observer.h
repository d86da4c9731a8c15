/* Observers: what looks at kernels while they run (counters, checkers, models of time). This is all
 * that one who writes an observer needs to know; observers.def lists those that there are.
 *
 * An observer says of each site of a kernel what it wants to know. What it only wants counted is
 * counted by the engines' own code. For the rest it is called, on the thread that runs the
 * work-group, with that thread's accumulator; so it needs no lock. Which thread runs which group is
 * left to chance: what merge makes of accumulators must not depend on their order. At the end of a
 * launch the accumulators are merged, the result is shown (launch_end) and added to what is kept of
 * the kernel. Of a launch that a fault ended nothing is kept.
 *
 * Sites and masks are those of the device's warp IR, the same on every host and in both engines. */
#ifndef SIMTCL_OBSERVER_H
#define SIMTCL_OBSERVER_H

#include <stdio.h>

#include "device/gpu/registers.h"
#include "device/isa/probes.h"

/* What is wanted of a site. */
enum {
    OBSERVE_COUNTS = 1,    /* struct observe_count: no call */
    OBSERVE_EXECUTION = 2, /* that a warp executes it, with its mask */
    OBSERVE_ADDRESS = 4,   /* and the addresses of its lanes, or an image's coordinates */
    OBSERVE_BRANCH = 8,    /* and which lanes' condition holds */
    OBSERVE_BARRIER = 16,  /* that a warp comes to the barrier */
    OBSERVE_VALUES = 32    /* with addresses of stores: what they store */
};

/* A call that an observer has put into the engines' copy of a kernel itself. */
struct observe_told {
    uint32_t site; /* what it is about: index in the kernel's sites + 1; 0: of no site */
    uint32_t inst; /* and the kernel's instruction */
    uint8_t what;  /* the observer's own: struct observe_event.what */
};

/* What an observer has put there, which lives as long as the copy. */
struct observe_added {
    struct observe_told *calls; /* malloc'ed; struct observe_event.own counts them from 1 */
    uint32_t count;
    void *data; /* the observer's own, freed by `release` */
    void (*release)(void *data);
};

/* What a site came to. */
struct observe_count {
    uint64_t executions; /* of warps, with a lane at least */
    uint64_t lanes;      /* in all of them */
    uint64_t taken;    /* of a branch: lanes whose predicate held: that go into the `if`, or leave;
                          of an inverted site those for which its text does not hold */
    uint64_t diverged; /* of a branch: warps whose lanes went both ways */
};

/* What an instruction of the kernel came to. */
struct observe_step {
    uint64_t executions, lanes; /* as of a site */
    uint64_t jumps;    /* of control flow: warps with a lane that jumps: past the `if`, or to its
                          other part; out of a loop or block; on to the next iteration */
    uint64_t diverged; /* as of a site */
};

struct model;
struct check_launch;
struct gpu_addresses;
struct facts;
struct texture;

/* What of the CPU may be used: the engines' level of instructions. */
enum observe_level { OBSERVE_BASELINE, OBSERVE_AVX2, OBSERVE_AVX512 };

/* A launch, as far as observers need to know. */
struct observe_grid {
    uint32_t groups[3], local_size[3];
    uint32_t items, warps;                 /* of a group */
    const struct gpu_addresses *addresses; /* gpu/address.h; NULL: not known */
    const struct model *model;             /* the device's; NULL: not known */
    struct gpu_resources resources;        /* the kernel's, with the launch's __local arguments */
    const struct texture *textures;        /* the launch's images */
    uint32_t ntextures;
    uint8_t level;                    /* enum observe_level */
    const struct check_launch *check; /* device/check/finding.h; NULL: SIMTCL_CHECK is not set */
    const void *params;               /* the argument block as the launch has it */
    struct facts *facts;              /* of the kernel: facts.h; NULL: nothing is kept */
    bool in_turn;                     /* groups run one after the other, whoever looks on */
    const _Atomic bool *stopped;      /* it becomes true when the launch is ended before its time */
};

enum { OBSERVE_OPERANDS = 5, OBSERVE_VALUES_MOST = OBSERVE_OPERANDS - 1 };

/* Of each lane, in elements of the instruction's type; or one for all. */
struct observe_value {
    const void *at; /* NULL: not told */
    bool uniform;
};

/* A warp at a site, before the instruction takes effect. Lanes that are off have no meaning. */
struct observe_event {
    const struct isa_kernel *kernel; /* the device's */
    const struct observe_grid *grid;
    uint32_t group_id[3];
    uint32_t local_base; /* where the group's local memory lies in the sandbox */
    uint32_t site;       /* index in the kernel's sites */
    uint32_t own;        /* of a call that the observer has put there: which, + 1; site may be
                            none then (its index UINT32_MAX), and of what follows only
                            operands are told, of 32 bits all */
    uint8_t what;        /* and its struct observe_told.what */
    const void *data;    /* and struct observe_added.data */
    const struct isa_inst *inst; /* the kernel's instruction */
    uint32_t warp, mask;
    bool again;     /* the launch has failed, and the group runs once more to find out where */
    uint64_t times; /* so many events like this one are told at once: group and warp are not known
                       then, and addresses are right modulo the observer's period */
    uint32_t taken; /* OBSERVE_BRANCH: of mask, lanes whose condition holds */
    /* OBSERVE_ADDRESS of memory: where each lane's access begins (on the device: gpu/address.h, or
     * in the sandbox where that is not known; of private memory the byte of its frame), how many
     * bytes it has, and whether lane l's lies at addresses[0] + l * stride for all lanes, on and
     * off. */
    const uint32_t *addresses;
    const uint32_t *sandbox; /* the same in the sandbox */
    uint32_t bytes;
    bool strided;
    int32_t stride;
    struct observe_value values[OBSERVE_VALUES_MOST]; /* OBSERVE_VALUES: the first components */
    uint32_t object; /* the parameter that the address was made from, + 1; one behind the last: the
                        module's constant data, two: the kernel's local memory; 0: not known */
    struct isa_guard *guard; /* this thread's bounds of the place, which may be moved: they are of
                                the address less the displacement; NULL: there are none */
    /* OBSERVE_ADDRESS of images: for each lane the image's index, the sampler (reads), coordinates;
     * aligned to 64 bytes. */
    const uint32_t *operands[OBSERVE_OPERANDS];
};

/* An access, before it is made. */
struct observe_place {
    uint32_t site, bytes, object; /* as of an event */
    const struct isa_inst *inst;
};

/* Accesses to memory by warps with a lane on, of one site; of which groups and warps, and in which
 * order, is not told. Lane l's of access n begins at addresses[n][l] + by. */
struct observe_accesses {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    uint32_t site, count;
    uint32_t bytes; /* of each lane's */
    uint64_t times; /* as of an event */
    const uint32_t *masks, (*addresses)[ISA_WARP];
    uint32_t by;
};

/* Reads of images by warps with a lane on, each of one image with one sampler, of the group that is
 * running: each warp's in the order in which it makes them. Of each the site, and the kernel's
 * instruction. */
struct observe_reads {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    uint32_t count;
    const struct isa_read *of;
    const uint32_t *sites;
    const struct isa_inst *const *insts;
};

/* The one access of memory that the event tells of; as long as the event. */
static inline struct observe_accesses observe_one(const struct observe_event *e) {
    return (struct observe_accesses){.kernel = e->kernel,
                                     .grid = e->grid,
                                     .site = e->site,
                                     .count = 1,
                                     .bytes = e->bytes,
                                     .times = e->times,
                                     .masks = &e->mask,
                                     .addresses = (const void *)e->addresses};
}

struct observe_group {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    uint32_t group_id[3];
    uint64_t index;      /* in the order in which the device deals groups out: x first */
    uint32_t local_base; /* where its local memory lies in the sandbox */
};

/* What is kept of a kernel, or what one launch came to (launches 1). */
struct observe_result {
    const struct isa_kernel *kernel;
    char *const *files; /* of the kernel's module */
    uint64_t launches, groups;
    uint32_t every;                     /* one group in so many was looked at: these; 0: all */
    const struct observe_count *counts; /* of each site, where any observer wants counts; or NULL */
    const struct observe_step *steps;   /* of each instruction, where any observer wants that */
    const struct model *model;          /* the device's; NULL: not known */
    uint32_t items;                     /* of a group, and what it takes: in the last launch */
    struct gpu_resources resources;
    const void *accumulator; /* the observer's own; NULL when it has none */
};

/* What an observer needs to know of an access whose lanes are evenly spaced and all on: where they
 * begin modulo `bytes`, in steps of `granule` (a power of two that divides them).
 *
 * lanes: of those of which some are off. 0: their addresses; 1: no more than of the others; 8 or
 * 16: all that matters is which so many lanes, from the first on, have one that is on, and of where
 * they begin nothing (bytes is granule, then). */
struct observe_period {
    uint32_t bytes, granule, lanes;
    bool placed; /* it matters where the object lies on the device; else only the lowest 8 bits do,
                    which are those of the sandbox */
    bool warps;  /* a warp is one; else each half-warp can be told of by itself */
};

struct observer {
    const char *name;
    /* Another observer, whose sums it reads: that one is in the same set. NULL: none. */
    const struct observer *needs;
    /* What it wants of a site: OBSERVE_* bits. Those that do not fit the site's kind are ignored.
     */
    unsigned (*wants)(const struct isa_kernel *k, const struct isa_site *site);
    /* In its place, of all sites at once: what[n] is that of site n, and 0 at first. False: no
     * memory. */
    bool (*wants_each)(const struct isa_kernel *k, uint8_t *what);
    bool steps;   /* it wants counts of every instruction */
    bool sandbox; /* addresses in the sandbox are all that it looks at: where that is so of all who
                     are told, struct observe_event.addresses are these, too */
    /* Puts more into the engines' copy of a kernel, in which there are the probes of sites already:
     * probe_calls, among others, numbered from `first` on (tells.h puts them there). The copy is
     * verified behind it. False: no memory. NULL: nothing. */
    bool (*instrument)(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added);
    /* Bytes of an accumulator, which begins as zeros; NULL: it needs none. */
    size_t (*bytes)(const struct isa_kernel *k);
    /* Each may be NULL. */
    /* It is enough to be told of memory's addresses like that. Where all who look on have this
     * they cost less; other observers, and engines that tell at once, still bring events. */
    void (*accesses)(void *accumulator, const struct observe_accesses *a);
    /* It is enough to be told of reads of images like that, before the group ends. Likewise. */
    void (*reads)(void *accumulator, const struct observe_reads *r);
    /* With `accesses`: whether it is enough to be told of a site's accesses like that, in the end
     * and many at once: struct observe_event.times. */
    bool (*period)(const struct model *model, const struct isa_kernel *k,
                   const struct isa_site *site, int32_t stride, struct observe_period *period);
    /* Whether, in a launch with such addresses, accesses to constant memory have to be told at
     * once, each warp's in the order in which it makes them: by events, as if there were no
     * `accesses`.
     */
    bool (*in_order)(const struct gpu_addresses *addresses);
    /* Of memory: it need only be told of those that have a lane for which address - begin >=
     * extent, modulo 2^32; where a group's local memory lies at local_base. Where all whom a site
     * is told have this it costs little, so long as no lane lies outside. It may be told of others,
     * too. */
    struct isa_guard (*guard)(const struct isa_kernel *k, const struct observe_grid *grid,
                              const struct observe_place *place, uint32_t local_base);
    void (*event)(void *accumulator, const struct observe_event *e);
    void (*group_begin)(void *accumulator, const struct observe_group *g);
    void (*group_end)(void *accumulator, const struct observe_group *g);
    /* Of a launch that is about to begin: need it be told of nothing? Then the launch runs as if it
     * did not look on. */
    bool (*idle)(const struct isa_kernel *k, const struct observe_grid *grid);
    /* What it has of a launch, and not of each thread: in place of an accumulator. Where it gives
     * something the groups run one after the other, by their numbers, so that what is found depends
     * on no thread; but see at_once. launch_leave gets it when the launch has ended, whatever
     * became of it. NULL: nothing is to be looked at, or there is no memory: it is told of nothing
     * then. */
    void *(*launch_enter)(const struct isa_kernel *k, const struct observe_grid *grid);
    void (*launch_leave)(void *state, bool complete);
    /* The groups of this launch may run at once on all threads, so many of a thread's together,
     * which are begun in the order of their numbers; 0: not. NULL: not. */
    uint64_t (*at_once)(const void *state);
    /* What a thread has of a launch with a state, in its place: its accumulator; NULL: no memory.
     * thread_leave gets it before launch_leave gets the state. */
    void *(*thread_enter)(void *state);
    void (*thread_leave)(void *accumulator);
    /* May the first group say all of the launch? state: what launch_enter gave (if that was NULL
     * it is not asked); without one NULL. And when that group has ended: has it? state: the same,
     * or the accumulator. Then the other groups run as if the observer did not look on. */
    bool (*may_settle)(const struct isa_kernel *k, const struct observe_grid *grid,
                       const void *state);
    bool (*settled)(const struct isa_kernel *k, const struct observe_grid *grid, const void *state);
    /* A fault has ended the launch; of a thread's accumulator. at_barrier: it was that not all
     * work-items of a group came to a barrier. */
    void (*stopped)(void *accumulator, bool at_barrier);
    void (*launch_begin)(const struct isa_kernel *k, const struct observe_grid *grid);
    void (*merge)(const struct isa_kernel *k, void *into,
                  const void *from); /* NULL: sums of uint64_t */
    /* All that the launch's threads collected is in this accumulator; before launch_end, and before
     * it is added to what is kept of the kernel. */
    void (*finish)(const struct isa_kernel *k, const struct observe_grid *grid, void *accumulator);
    /* What the groups of a window came to that were resident together: the first, the next and so
     * on of as many as the device holds, in the order of their numbers. Told of some windows of
     * each launch, spread over it, before finish. needed: the accumulator of the observer that it
     * needs, merged, for these groups. */
    void (*window)(void *accumulator, const struct isa_kernel *k, const struct observe_grid *grid,
                   const void *needed);
    /* The launch's result as the needed observer gets it: behind that one's finish. windows: there
     * were so many, and so many were told of. */
    void (*conclude)(void *accumulator, const struct observe_result *needed,
                     const struct observe_grid *grid, uint64_t windows, uint64_t seen);
    void (*launch_end)(const struct observe_result *launch, const struct observe_grid *grid);
    /* The process ends: tells about all kernels, in the order of their first launches. csv: for a
     * program to read. */
    void (*report)(const struct observe_result *kernels, size_t count, FILE *to, bool csv);
};

#endif
