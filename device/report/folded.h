/* What launches came to, kept until the process ends: those of one kernel and size are one record,
 * and kernels that are built anew from the same source go on with theirs. Private to device/report
 * but for what report.h shows. */
#ifndef SIMTCL_FOLDED_H
#define SIMTCL_FOLDED_H

#include "device/gpu/counters.h"
#include "device/gpu/timing.h"
#include "device/observe/observer.h"
#include "report.h"

enum {
    FOLDED_MOST = 256 /* records; launches of further sizes of a kernel are added to another of its
                       own, those of further kernels are only counted */
};

/* A kernel's copy: programs may be gone long before the end. */
struct folded_kernel {
    struct isa_kernel *kernel;
    char **files; /* of its module */
    uint32_t nfiles;
    struct report_text *texts; /* of each file; no bytes: not known */
    const struct model *model;
    struct folded_kernel *next;
};

struct folded_launch {
    struct folded_kernel *of;
    uint32_t global[3], local[3]; /* of the first launch */
    uint32_t items;               /* of a group */
    struct gpu_resources resources;
    uint64_t launches, others; /* others: of them, those of another size */
    uint64_t groups;
    uint32_t every;
    struct observe_step *steps;
    void *counted, *worst; /* accumulators */
    struct gpu_timing timing;
    double seconds;             /* predicted, of all launches, each by itself */
    struct folded_launch *next; /* in the order of their first launches */
};

struct fold {
    struct folded_kernel *kernels;
    struct folded_launch *first;
    size_t count;
    uint64_t left_out; /* launches */
};

/* Adds what one of the observers says of a launch. Under the caller's lock. Without memory the
 * launch is left out. */
void folded_add(struct fold *f, const struct report_launch *l, const struct observer *who,
                const struct observe_result *r);
/* All begins anew, as for a child. */
void folded_clear(struct fold *f);
/* The result as the observer `counters` or `worst` had it. */
struct observe_result folded_result(const struct folded_launch *l, const struct observer *who);

#endif
