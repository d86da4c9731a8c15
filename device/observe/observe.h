/* What device/run and the engines need of observers: a plan for each kernel that is observed, what
 * a launch collects, and what is kept until the process ends. */
#ifndef SIMTCL_OBSERVE_H
#define SIMTCL_OBSERVE_H

#include "observer.h"

struct model;

enum {
    OBSERVE_MOST = 16,  /* observers at once */
    OBSERVE_WINDOWS = 8 /* of resident groups, that are looked at in a launch */
};

/* Which observers look on. Empty: kernels, and their machine code, are as if there were none. */
struct observe_set {
    const struct observer *list[OBSERVE_MOST];
    unsigned count;
    const struct model *model; /* of the device that they look at; NULL: not known */
    uint32_t
        every; /* one group in so many is looked at, by their numbers from the first on; 0: all */
    bool in_order; /* accesses to constant memory are told at once: struct observer's in_order */
};

/* The set for a launch of the kernel: those who need be told of something. NULL for the set is the
 * empty one. */
struct observe_set observe_set_for(const struct observe_set *set, const struct isa_kernel *k,
                                   const struct observe_grid *grid);

/* The same observers of the same model in the same order? NULL is the empty set. */
bool observe_set_equal(const struct observe_set *a, const struct observe_set *b);

struct observe_plan;   /* of a kernel: probe.h */
struct observe_launch; /* of a launch that is under way */

/* What to ask of a kernel of the module: both are borrowed. NULL: out of memory. */
struct observe_plan *observe_plan_new(const struct isa_module *m, const struct isa_kernel *k,
                                      const struct observe_set *set);
void observe_plan_free(struct observe_plan *p); /* NULL is fine */
/* Puts the probes into a copy of that kernel. False: out of memory; the copy is of no use then. */
bool observe_plan_apply(struct observe_plan *p, struct isa_kernel *copy);

/* The copy for groups of one size, where less has to be called; its instructions have the same
 * numbers. The plan's; `probed` itself where there is nothing to gain. */
const struct isa_kernel *observe_refine(struct observe_plan *p, const struct isa_kernel *probed,
                                        const uint32_t local_size[3]);

/* What is collected: the counters of probes, and what observers have. */
struct observe_sums {
    uint64_t *counters;
    void *accumulators[OBSERVE_MOST];
    uint16_t shared;         /* bits of those that are the launch's */
    struct isa_notes *notes; /* accesses that are not told yet */
    struct isa_reads *reads; /* likewise, of images; NULL: none are noted */
};

/* What one thread collects of a launch; group is the one that it runs. Another group may have other
 * counters. */
struct observe_thread {
    uint64_t *counters; /* of sums[] */
    void **accumulators;
    struct isa_notes *notes;
    struct isa_reads *reads;
    struct isa_guard *guards;    /* of each call; NULL: none is guarded */
    bool guarded;                /* they are found */
    bool again;                  /* as of an event */
    struct observe_sums sums[2]; /* of groups that are looked at, and of those that are not */
    struct observe_sums windows[OBSERVE_WINDOWS]; /* of groups of windows: windows.h */
    const struct window_plan *window_plan;
    void *shared[OBSERVE_MOST]; /* of each observer the launch's state, or what it has of that */
    uint32_t ncounters;         /* of each */
    const struct observe_plan *plan;
    const struct refined *refined;    /* NULL: nothing was */
    const struct observe_move *moves; /* of each call: from the sandbox to the device */
    struct observe_group group;
};

/* A launch begins. params: its argument block, which has to live as long. tell: called at its end
 * with what it came to for each observer of the plan's set, unless it ended early; valid during the
 * call. May be NULL. NULL: out of memory. */
struct observe_launch *observe_launch_begin(struct observe_plan *p, const struct observe_grid *grid,
                                            const void *params,
                                            void (*tell)(void *user, const struct observer *who,
                                                         const struct observe_result *result),
                                            void *user);
/* How many groups a thread may be handed at a time; 0: they have to run one after the other, in the
 * order of their numbers. */
uint64_t observe_at_once(const struct observe_launch *l);
/* May the launch have been looked at enough before its last group has run? Such a one runs its
 * first group by itself. */
bool observe_may_settle(const struct observe_launch *l);
/* Behind the first group: has that observer seen enough of it, or any (NULL)? Then the launch may
 * end here, and another one of the groups that are left begin with what observe_unsettled leaves of
 * the set. */
bool observe_settled(const struct observe_launch *l, const struct observer *who);
/* Takes those who have out of a set. */
void observe_unsettled(const struct observe_launch *l, struct observe_set *set);
/* What slot `slot` of the pool collects of it: made when it is first asked for, by the thread that
 * has the slot. NULL: out of memory. */
struct observe_thread *observe_launch_thread(struct observe_launch *l, unsigned slot);
/* Where the local memory of the groups that it runs lies in the sandbox. */
void observe_local(struct observe_thread *t, uint32_t base);
void observe_group_begin(struct observe_thread *t, const uint32_t group_id[3]);
void observe_group_end(struct observe_thread *t);
/* How a launch has ended. */
enum observe_end { OBSERVE_COMPLETE, OBSERVE_AT_BARRIER, OBSERVE_STOPPED };
/* No thread is at it any more. Where not every group came to its end nothing is kept. */
void observe_launch_end(struct observe_launch *l, enum observe_end end);

/* One operand of a probe_call: 32 lanes (a predicate: bits), or one value for all. */
struct observe_operand {
    const void *at;
    bool uniform;
};
/* A warp came to probe_call number `call`. Called by the interpreter's handler, and through it by
 * native code. */
void observe_call(struct observe_thread *t, uint32_t call, uint32_t warp, uint32_t mask,
                  const struct observe_operand *operands);

/* The same where the one operand is the address of each lane. */
void observe_access(struct observe_thread *t, uint32_t call, uint32_t warp, uint32_t mask,
                    const uint32_t addresses[ISA_WARP]);

/* The notes of that place are to be told: their room is needed. */
void observe_noted(struct observe_thread *t, uint32_t place);

/* What is noted of reads of images is to be told: their room is needed, or the group ends. */
void observe_read(struct observe_thread *t);

/* ---- for the whole process ---- */

/* Adds an observer to a set, and before it the one that it needs, unless they are in it. False: the
 * set is full. */
bool observe_set_add(struct observe_set *set, const struct observer *who);

/* Reads what SIMTCL_PROFILE says: `name[=path],...`. model: of the device. Returns the set, which
 * lives as long as the process; every: as in the set; *unknown is a name that is none, with its
 * length, or NULL. Called once. */
const struct observe_set *observe_configure(const char *text, const struct model *model,
                                            uint32_t every, const char **unknown, int *length);
/* Writes the reports that were configured: to their paths, or to stderr. For the process's end, or
 * the library's: kernels may still be running. */
void observe_report(void);

#endif
