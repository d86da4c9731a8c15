/* Tiers: which kernels get native code, and when. Kernels start in the interpreter; what the
 * native engine makes of a kernel for a work-group size takes over for the groups that start after
 * it is ready. */
#ifndef SIMTCL_TIER_H
#define SIMTCL_TIER_H

#include "codecache.h"
#include "device/analysis/tiles.h"
#include "device/engine.h"

/* Where native code comes from. */
struct tier_source {
    /* Who compiles, on any number of threads at once; NULL: every kernel stays in the interpreter.
     */
    const struct native_api *compiler;
    void (*say)(const char *text); /* told once why a kernel stays there; may be NULL */
    struct codecache cache;
    /* What is asked of passes and rewrites, read when it is first wanted; lives for ever. May be
     * NULL. */
    const struct trace *(*trace)(void);
};
/* Called once, before the first launch. */
void tier_source(const struct tier_source *source);
/* What runs kernels. AUTO: those that cost time are compiled while the interpreter runs them;
 * NATIVE: each is compiled before its first group runs. */
enum tier_mode { TIER_AUTO, TIER_INTERPRETER, TIER_NATIVE };
/* What the user asks for: an engine, and the most that it takes of the processor. Called before the
 * first launch; AUTO, and whatever there is, where it has not been. */
void tier_configure(enum tier_mode engine, enum native_level most);
/* May kernels be compiled? */
bool tier_compiles(void);
/* What is taken of the processor, as SIMTCL_SIMD names it. */
const char *tier_level_name(void);
/* What is asked of passes and rewrites: tier_source's; NULL: nothing. */
const struct trace *tier_trace(void);

/* The native code of one kernel of an executable. */
struct tier {
    struct variant *_Atomic variants;
    _Atomic uint64_t spent_ns; /* in launches of the kernel */
};

/* What code is for: native_request's words. */
struct tier_size {
    uint32_t local_size[3], group_size[3], low_ids, cut, flat, along, packed, local_step;
};
/* isa_kernel.low_ids of a launch; tiles may reach beyond the range. */
bool tier_low_ids(const struct launch *l);
/* That of a launch; t: how it is tiled, NULL: it is not. */
struct tier_size tier_size(const struct launch *l, const struct tiles *t,
                           const struct tiles_traits *traits);

/* A launch is about to start of the kernel, which is as it is run and lives as long as the tier:
 * has it compiled now, soon or not (tier_mode). */
void tier_launch(struct tier *t, const struct launch *l, const struct tier_size *size,
                 const struct isa_kernel *kernel, unsigned traits, const struct code *interpreted);
/* Nothing is to come for that: it has been compiled, or nothing ever is. */
bool tier_settled(const struct tier *t, const struct tier_size *size);
/* A launch took so long. */
void tier_spent(struct tier *t, uint64_t ns);
/* The native code for that, or NULL. */
const struct code *tier_code(const struct tier *t, const struct tier_size *size);
/* Waits for nothing that is compiled in the background. */
void tier_free(struct tier *t);

#endif
