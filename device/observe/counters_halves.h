/* Halves: half-warps side by side. Sixteen are looked at together, by vectors that have one lane of
 * each: lanes that meet are found by comparing every two, without a branch that could be guessed
 * wrong. For CPUs with AVX-512 (counters_lanes_vectors). Private to device/observe. */
#ifndef SIMTCL_COUNTERS_HALVES_H
#define SIMTCL_COUNTERS_HALVES_H

#include "counters_coalesce.h"

enum { COUNTERS_HALVES = 16, COUNTERS_HALVES_LANES = ISA_WARP / 2 };

/* `count` half-warps: which lanes are on, and where each begins. */
struct counters_halves {
    uint32_t at[COUNTERS_HALVES][COUNTERS_HALVES_LANES] __attribute__((aligned(64)));
    uint32_t masks[COUNTERS_HALVES] __attribute__((aligned(64)));
    uint32_t count;
};

/* Accesses of `bytes` to global memory: adds what counters_coalesce gives. Those that follow each
 * other are best of one warp. */
void counters_halves_global(const struct counted_lanes *lanes, unsigned bytes, unsigned partitions,
                            enum coalesce_rule rule, struct coalesced_counts *c);
/* The words of 4 bytes that lanes move of their frames, by number: adds what
 * counters_coalesce_private gives. None is left then. */
void counters_halves_private(struct counters_halves *h, enum coalesce_rule rule,
                             struct coalesced_rule *c);

#endif
