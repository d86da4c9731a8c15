/* How long a board takes for a kernel, and for a copy: from exact counts and the parameters of
 * timing.def, nothing else. docs/time.md has the equations, their sources, and predictions beside
 * measurements. All functions are pure. */
#ifndef SIMTCL_TIME_H
#define SIMTCL_TIME_H

#include "timing.h"

enum gpu_unit {
#define UNIT(name, what, section) GPU_UNIT_##name,
#include "units.def"
#undef UNIT
    GPU_UNITS
};

struct gpu_unit_info {
    const char *name, *what, *section;
};
extern const struct gpu_unit_info gpu_unit_info[GPU_UNITS];

/* How far off predictions are of the published measurements that the unit binds: time_accuracy.def.
 */
struct gpu_accuracy {
    unsigned rows;      /* measurements; 0: none is known */
    double mean, worst; /* by what factor, too long or too short, less 1: 0.1 is a tenth. The
                           geometric mean, and the largest */
};
extern const struct gpu_accuracy gpu_accuracy[GPU_UNITS];

/* What would be repaired: bits 1 << GPU_REPAIR_*. */
enum gpu_repair {
#define REPAIR(name, wrong, change, section) GPU_REPAIR_##name,
#include "repairs.def"
#undef REPAIR
    GPU_REPAIRS
};

struct gpu_repair_info {
    const char *name, *wrong, *change, *section;
};
extern const struct gpu_repair_info gpu_repair_info[GPU_REPAIRS];

/* The parameters of timing.def, by capability. */
enum gpu_timing_parameter {
#define TIMING(name, early, late, unit, what, source) GPU_TIMING_##name,
#include "timing.def"
#undef TIMING
    GPU_TIMING_PARAMETERS
};
struct gpu_timing_info {
    const char *name;
    double values[2]; /* capability 1.0 and 1.1; 1.2 and 1.3 */
    const char *unit, *what, *source;
};
extern const struct gpu_timing_info gpu_timing_info[GPU_TIMING_PARAMETERS];
double gpu_time_parameter(const struct model *m, enum gpu_timing_parameter p);

/* The bytes that a partition of the board's memory could move while it takes a transaction of
 * fewer. */
double gpu_time_transaction(const struct model *m);

struct gpu_prediction {
    double seconds;         /* of one launch, the mean of those counted, with launch_seconds */
    double launch_seconds;  /* from the queue to the first group */
    double clocks;          /* of the shaders, from the first group to the end of the last */
    double busy[GPU_UNITS]; /* the share of these clocks for which the unit is busy, 0 to 1; of
                               latency: the share of them that the longest way of a group takes,
                               times the waves */
    double low, high;       /* seconds if units overlap as well as they can, and if warps come to
                               them at random */
    enum gpu_unit bound;    /* the busiest */
    uint32_t active_groups, active_warps; /* on a multiprocessor; 0: a group does not fit */
    uint32_t waves;                       /* of resident groups, the last of which may be partial */
    double wave_share;                    /* how full the last one is */
    double camping;     /* how many times as long the busiest partition takes as the mean, 1 or
                           more */
    bool camping_known; /* t has addresses for that number of partitions */
};

/* Predicts a launch for the board, which need not be the one that the counts are of: coalescing is
 * known by both rules; partitions for boards with as many as that one, and taken as evenly busy for
 * others. without: repairs, whose costs are left out. A group that does not fit, or a board of
 * unknown clock or bandwidth (the model host): seconds 0. */
void gpu_time_predict(const struct model *m, const struct gpu_timing *t, unsigned without,
                      struct gpu_prediction *p);

/* Seconds of a copy between host and device (guide 3.3). */
double gpu_time_transfer(const struct model *m, uint64_t bytes, bool to_device, bool pinned);
/* Of a copy or fill within the device: read bytes and written bytes. */
double gpu_time_copy(const struct model *m, uint64_t read, uint64_t written);

#endif
