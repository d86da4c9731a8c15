/* A record of launches as the report shows it: what was counted, what is predicted, what holds it
 * back, and what would be better. Private to device/report. */
#ifndef SIMTCL_VIEW_H
#define SIMTCL_VIEW_H

#include "device/gpu/occupancy.h"
#include "device/gpu/time.h"
#include "folded.h"

enum { VIEW_TEXT = 240 };

/* One repair: how long a launch would take without that cost. */
struct view_repair {
    enum gpu_repair which;
    double seconds, gain;   /* of a launch: then, and how much less that is */
    uint32_t site;          /* where most of the cost is: index + 1; 0: nowhere in particular */
    char detail[VIEW_TEXT]; /* what was counted of it, one sentence */
};

struct report_view {
    const struct folded_launch *launch;
    const struct model *model;
    struct observe_result counted, worst;
    struct gpu_counters all, *sites; /* of each site */
    struct gpu_occupancy occupancy;
    struct gpu_prediction time;              /* seconds 0: none is predicted */
    double flops;                            /* of all launches */
    double total;                            /* predicted seconds of all launches */
    struct view_repair repairs[GPU_REPAIRS]; /* those that gain, the best first */
    unsigned nrepairs;
    char verdict[VIEW_TEXT];
};

/* NULL: no memory. view_free frees it. */
struct report_view *view_new(const struct folded_launch *l);
void view_free(struct report_view *v);
/* Bytes of global memory that move, by the rule of the model. */
uint64_t view_moved(const struct model *m, const struct gpu_counters *c, bool load);
/* "1.23 ms" */
const char *view_seconds(double seconds, char text[24]);

#endif
