#include "race_lines.h"

#include "device/simd/simd.h"

static bool in_order(const uint64_t *entries, uint32_t count, const struct race_order *order) {
    const struct race_order o = *order;
    uint64_t bad = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t e = entries[n], s = e & RACE_STRETCH_BITS;
        uint64_t own = (s == o.own) & ((e & o.busy) == 0), before = (s >= o.low) & (s < o.first);
        bad |= !((s == 0) | own | before);
    }
    return !bad;
}

static bool earlier(const uint64_t *entries, uint32_t count, uint64_t than) {
    uint64_t bad = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t s = entries[n] & RACE_STRETCH_BITS;
        bad |= (s == 0) | (s >= than);
    }
    return !bad;
}

static void fill(uint64_t *entries, uint32_t count, uint64_t entry, uint32_t lane, unsigned log,
                 const uint16_t *values) {
    for (uint32_t n = 0; n < count; n++)
        entries[n] = entry + ((uint64_t)(lane + (n >> log)) << RACE_LANE_AT);
    for (uint32_t n = 0; values && n < count; n++)
        entries[n] |= (uint64_t)values[n >> log] << RACE_MORE_AT;
}

static bool side_by_side(const uint32_t at[16], uint32_t bytes) {
    uint32_t bad = 0;
    for (uint32_t n = 0; n < 16; n++) bad |= at[n] ^ (at[0] + n * bytes);
    return !bad;
}

static void hash(uint16_t hashes[32], const uint32_t values[32]) {
    for (unsigned n = 0; n < 32; n++) hashes[n] = (uint16_t)(values[n] * 0x9e3779b1u >> 19);
}

const struct race_lines LANES_NAME(race_lines) = {in_order, earlier, fill, side_by_side, hash};
