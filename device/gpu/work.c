#include "work.h"

#include <string.h>

#include "device/isa/arena.h"
#include "way.h"

/* Of lanes that could be on, those that are not: a group's last warp may have fewer. */
static double share_off(const struct gpu_run *run, uint32_t inst) {
    double full = (double)run->items / run->warps;
    double lanes = (double)run->lanes[inst] / ((double)run->executions[inst] * full);
    return lanes < 1 ? 1 - lanes : 0;
}

/* A warp none of whose lanes' predicate holds takes the issue alone. */
static void add_units(const struct gpu_run *run, const struct steps *s, double *sums) {
    for (uint32_t n = 0; n < s->code.nops; n++) {
        const struct device_step *step = &s->list[n];
        uint32_t inst = s->code.ops[n].inst;
        double warps = (double)run->executions[inst];
        sums[GPU_SUM_instructions] += (double)run->issued[inst] * step->issues;
        if (!run->executions[inst]) continue;
        sums[GPU_SUM_sp] += warps * step->sp;
        sums[GPU_SUM_sfu] += warps * step->sfu;
        sums[GPU_SUM_dp] += warps * step->dp;
        sums[GPU_SUM_multiplies] += warps * step->multiply;
        sums[GPU_SUM_divergent] += warps * (step->sp + step->sfu + step->dp) * share_off(run, inst);
    }
}

bool gpu_work_add(const struct gpu_run *run, struct gpu_timing *t) {
    struct arena_try memory;
    double sums[GPU_TIMING_SUMS] = {0}, waits[GPU_TIMING_RULES][GPU_WAITS];
    if (!run->kernel->ninsts) return true; /* the source has an empty body */
    if (ARENA_FAILS(&memory)) return false;
    struct steps s;
    steps_find(&s, run->kernel, run->model, memory.arena);
    add_units(run, &s, sums);
    for (int r = 0; r < GPU_TIMING_RULES; r++)
        way_find(run, &s, (enum gpu_timing_rule)r, memory.arena, waits[r]);
    arena_free(memory.arena);
    for (unsigned n = 0; n < GPU_TIMING_SUMS; n++) t->sums[n] += sums[n];
    for (unsigned r = 0; r < GPU_TIMING_RULES; r++)
        for (unsigned n = 0; n < GPU_WAITS; n++) t->waits[r][n] += waits[r][n];
    return true;
}
