/* Many entries of the shadow at once, for accesses in whole words. Compiled for each
 * level of instructions by race_lines.c; all give the same. Private to device/check. */
#ifndef SIMTCL_RACE_LINES_H
#define SIMTCL_RACE_LINES_H

#include "race_shadow.h"

/* struct race_entry as a number: where its parts begin. */
enum { RACE_LANE_AT = 40, RACE_BYTES_AT = 45, RACE_MORE_AT = 50 };
#define RACE_STRETCH_BITS ((UINT64_C(1) << 30) - 1)

/* What entries are compared with: those of stretch `own` that have no bit of `busy`, those of
 * stretches from `low` on, but below `first`, and empty ones are in order with it. */
struct race_order {
    uint64_t own, low, first, busy;
};

enum { RACE_WORDS = 32 }; /* that a lane accesses at once, at most */

/* Lanes at places of their own. Off lanes have places, too, which are only read. */
struct race_lanes {
    uint64_t *at[RACE_USES][32]; /* entries of the lane's first word */
    uint32_t mask, words;        /* words: of each lane, a power of two */
    enum race_use use;
    bool atomics, unread; /* some may have been accessed by atomic operations; none was read */
    struct race_order plain, any; /* what writes have to be like, and what reads and atomics */
    uint64_t keeps; /* reads and atomic operations of stretches below that one stay; 0: none */
    uint64_t entry; /* what is left, of lane 0 and without a value */
    const uint16_t *values; /* NULL: 0 */
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
    /* Leaves the entries of lanes that are in order with what is there; those that are not, of
     * which nothing has changed. */
    uint32_t (*scattered)(const struct race_lanes *l);
    /* Does each of 32 lanes lie behind the one before it? Lanes are so many bytes. */
    bool (*rises)(const uint32_t at[32], uint32_t bytes);
    /* The bits in which the address of a lane of the mask differs from `from`. */
    uint32_t (*spread)(const uint32_t at[32], uint32_t mask, uint32_t from);
    /* Lane n's becomes the entry of its word, of the page that the word of `first` is in; of lanes
     * that are off that of `first`. */
    void (*entries)(uint64_t *to[32], uint64_t *page, const uint32_t at[32], uint32_t mask,
                    uint32_t first);
    /* Do 16 lanes lie side by side, so many bytes each? */
    bool (*side_by_side)(const uint32_t at[16], uint32_t bytes);
    /* Hashes of 32 values of 4 bytes; below 1 << 13. */
    void (*hash)(uint16_t hashes[32], const uint32_t values[32]);
};

extern const struct race_lines race_lines_baseline, race_lines_avx2, race_lines_avx512;

#endif
