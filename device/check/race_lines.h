/* Many entries of the shadow at once, for accesses whose lanes lie side by side. Compiled for each
 * level of instructions by race_lines.c; all give the same. Private to device/check. */
#ifndef SIMTCL_RACE_LINES_H
#define SIMTCL_RACE_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* struct race_entry as a number: where its parts begin. */
enum { RACE_LANE_AT = 40, RACE_MORE_AT = 50 };
#define RACE_STRETCH_BITS ((UINT64_C(1) << 30) - 1)

/* What entries are compared with: those of stretch `own` that have no bit of `busy`, those of
 * stretches from `low` on, but below `first`, and empty ones are in order with it. */
struct race_order {
    uint64_t own, low, first, busy;
};

struct race_lines {
    /* Are all of them in order? */
    bool (*in_order)(const uint64_t *entries, uint32_t count, const struct race_order *order);
    /* Are all of stretches below that one, and none empty? */
    bool (*earlier)(const uint64_t *entries, uint32_t count, uint64_t than);
    /* Entries of lanes one after the other, each of 1 << log words, from lane `lane` on; values: of
     * lanes from the first on, NULL: 0. */
    void (*fill)(uint64_t *entries, uint32_t count, uint64_t entry, uint32_t lane, unsigned log,
                 const uint16_t *values);
    /* Do 16 lanes lie side by side, so many bytes each? */
    bool (*side_by_side)(const uint32_t at[16], uint32_t bytes);
    /* Hashes of 32 values of 4 bytes; below 1 << 13. */
    void (*hash)(uint16_t hashes[32], const uint32_t values[32]);
};

extern const struct race_lines race_lines_baseline, race_lines_avx2, race_lines_avx512;

#endif
