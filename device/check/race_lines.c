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

/* Adds what is not in order of so many words of all lanes. */
static void look(uint64_t bad[32], uint64_t *const at[32], uint32_t words,
                 const struct race_order *order) {
    const struct race_order o = *order;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t e[32];
        for (unsigned n = 0; n < 32; n++) e[n] = at[n][w];
        for (unsigned n = 0; n < 32; n++) {
            uint64_t s = e[n] & RACE_STRETCH_BITS;
            uint64_t own = (s == o.own) & ((e[n] & o.busy) == 0);
            uint64_t before = (s >= o.low) & (s < o.first);
            bad[n] |= (uint64_t) !((s == 0) | own | before);
        }
    }
}

/* Lanes whose words this stretch has had already, alone and as a whole. */
static uint32_t had(uint64_t *const at[32], uint32_t lanes, uint32_t words,
                    const struct race_order *order) {
    const uint64_t whole = UINT64_C(15) << RACE_BYTES_AT;
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned n = (unsigned)__builtin_ctz(left);
        for (uint32_t w = 0; w < words; w++) {
            uint64_t e = at[n][w];
            if ((e & RACE_STRETCH_BITS) != order->own || e & order->busy || (e & whole) != whole)
                lanes &= ~(1u << n);
        }
    }
    return lanes;
}

/* Lanes whose words are all of stretches below that one, and none empty. */
static uint32_t kept(uint64_t *const at[32], uint32_t words, uint64_t below) {
    uint64_t other[32] = {0};
    uint32_t lanes = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t e[32];
        for (unsigned n = 0; n < 32; n++) e[n] = at[n][w];
        for (unsigned n = 0; n < 32; n++) {
            uint64_t s = e[n] & RACE_STRETCH_BITS;
            other[n] |= (uint64_t)((s == 0) | (s >= below));
        }
    }
    for (unsigned n = 0; n < 32; n++) lanes |= (uint32_t)!other[n] << n;
    return lanes;
}

static uint32_t bits_of(const uint64_t bad[32]) {
    uint32_t bits = 0;
    for (unsigned n = 0; n < 32; n++) bits |= (uint32_t)bad[n] << n;
    return bits;
}

static void leave(const struct race_lanes *l, uint32_t lanes) {
    uint64_t *const *at = l->at[l->use], entry[32];
    uint32_t words = l->words;
    for (unsigned n = 0; n < 32; n++) entry[n] = l->entry | (uint64_t)n << RACE_LANE_AT;
    for (unsigned n = 0; l->values && n < 32; n++)
        entry[n] |= (uint64_t)l->values[n] << RACE_MORE_AT;
    for (uint32_t left = lanes; left;) { /* of atomic operations the first lane stays */
        bool down = l->use == RACE_ATOMIC;
        unsigned n = down ? 31 - (unsigned)__builtin_clz(left) : (unsigned)__builtin_ctz(left);
        for (uint32_t w = 0; w < words; w++) at[n][w] = entry[n];
        left &= ~(1u << n);
    }
}

static uint32_t scattered(const struct race_lanes *l) {
    uint64_t bad[32] = {0}, used[32] = {0};
    uint32_t stay = 0;
    look(bad, l->at[RACE_STORE], l->words, &l->plain);
    if (l->use != RACE_LOAD && !l->unread) look(bad, l->at[RACE_LOAD], l->words, &l->any);
    if (l->use != RACE_ATOMIC && l->atomics) look(bad, l->at[RACE_ATOMIC], l->words, &l->any);
    uint32_t left = bits_of(bad) & l->mask;
    if (l->use != RACE_STORE) {
        struct race_order order = l->any;
        if (l->use == RACE_ATOMIC) order.own = ~UINT64_C(0); /* the first one stays */
        look(used, l->at[l->use], l->words, &order);
        uint32_t busy = bits_of(used) & l->mask & ~left;
        if (busy && l->use == RACE_ATOMIC) {
            stay = had(l->at[l->use], busy, l->words, &l->any);
            busy &= ~stay;
        }
        if (busy && l->keeps) stay |= kept(l->at[l->use], l->words, l->keeps) & busy;
        left |= busy & ~stay;
    }
    leave(l, l->mask & ~left & ~stay);
    return left;
}

static bool rises(const uint32_t at[32], uint32_t bytes) {
    uint32_t bad = 0;
    for (unsigned n = 0; n < 31; n++) bad |= (at[n + 1] < at[n]) | (at[n + 1] - at[n] < bytes);
    return !bad;
}

static uint32_t spread(const uint32_t at[32], uint32_t mask, uint32_t from) {
    uint32_t all = 0;
    for (unsigned n = 0; n < 32; n++) all |= (at[n] ^ from) & -(mask >> n & 1);
    return all;
}

static void entries(uint64_t *to[32], uint64_t *page, const uint32_t at[32], uint32_t mask,
                    uint32_t first) {
    for (unsigned n = 0; n < 32; n++) {
        uint32_t on = -(mask >> n & 1), from = (at[n] & on) | (first & ~on);
        to[n] = page + from / 4 % RACE_PAGE;
    }
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

const struct race_lines LANES_NAME(race_lines) = {in_order, earlier, fill,         scattered, rises,
                                                  spread,   entries, side_by_side, hash};
