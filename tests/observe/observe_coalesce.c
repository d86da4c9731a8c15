/* What the counters observer makes of addresses by vectors is what the rules say, for accesses of
 * all kinds: coalescing, banks, atomic operations on one place, different addresses. */
#include <stdio.h>
#include <string.h>

#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"
#include "device/observe/counters_coalesce.h"
#include "device/observe/counters_lanes.h"

enum { CASES = 50000, LANES = 32 };

static uint64_t state = 1;

static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

static uint32_t any_mask(void) {
    switch (any(4)) {
    case 0: return ~0u;
    case 1: return ~0u >> any(32);
    case 2: return 1u << any(32);
    default: return any(1u << 31) | 1;
    }
}

static void fill(uint32_t *at, unsigned bytes) {
    uint32_t base = any(1u << 30) * 4, stride = any(48) - 8;
    unsigned kind = any(7);
    if (any(2)) base &= ~(uint32_t)255;
    for (unsigned l = 0; l < LANES; l++) {
        switch (kind) {
        case 0: at[l] = base + l * bytes; break;
        case 1: at[l] = base + l * stride; break;
        case 2: at[l] = base + any(600); break;
        case 3: at[l] = base + any(16) * 64; break;
        case 4: at[l] = base + (l ^ 1) * bytes; break;
        case 5: at[l] = base + l * (stride % 4 ? 128 : -128u) + any(8) / 7; break;
        default: at[l] = any(1u << 31) * 2; break;
        }
    }
}

/* All accesses of a case together. */
enum { MOST = 80 };
struct accesses {
    uint32_t count, masks[MOST], at[MOST][LANES];
};

static bool same_lanes(const struct accesses *a, const struct counted_lanes *lanes,
                       unsigned bytes) {
    struct banks_result all = {0}, vectors;
    uint32_t conflicts = 0, reads = 0;
    bool write = any(2);
    for (uint32_t n = 0; n < a->count; n++) {
        struct banks_result plain;
        struct contention_result contention;
        struct constant_port_result port;
        banks_warp(a->masks[n], a->at[n], bytes, write, &plain);
        contention_warp(a->masks[n], a->at[n], &contention);
        constant_port_warp(a->masks[n], a->at[n], &port);
        all.requests += plain.requests;
        all.steps += plain.steps;
        all.replays += plain.replays;
        if (all.degree < plain.degree) all.degree = plain.degree;
        conflicts += contention.conflicts;
        reads += port.reads;
    }
    counters_lanes_banks(lanes, bytes, write, &vectors);
    return all.requests == vectors.requests && all.steps == vectors.steps &&
           all.replays == vectors.replays && all.degree == vectors.degree &&
           conflicts == counters_lanes_conflicts(lanes) && reads == counters_lanes_distinct(lanes);
}

/* Of private memory, whose words lie 32 times as far apart as their bytes in a frame: in 4 GiB. */
static bool same_private(const struct counted_lanes *lanes, enum coalesce_rule rule) {
    enum { FRAME = 1 << 26 };
    static uint32_t at[MOST][LANES];
    struct counted_lanes inside = *lanes;
    struct coalesced_rule plain, vectors;
    for (uint32_t n = 0; n < lanes->count; n++)
        for (unsigned l = 0; l < LANES; l++) at[n][l] = lanes->addresses[n][l] % FRAME;
    inside.addresses = (const void *)at;
    counters_coalesce_private(&inside, rule, false, &plain);
    counters_coalesce_private(&inside, rule, true, &vectors);
    return !memcmp(&plain, &vectors, sizeof plain);
}

/* What the vectors are given lies `by` lower. All may lie close together. */
static void fill_all(struct accesses *a, uint32_t (*low)[LANES], unsigned bytes, uint32_t by) {
    uint32_t close = any(4) ? 0 : 1u << any(18), base = any(1u << 30) * 4;
    a->count = any(8) ? 1 + any(3) : any(MOST);
    for (uint32_t n = 0; n < a->count; n++) {
        a->masks[n] = any(16) ? any_mask() : 0;
        fill(a->at[n], bytes);
        for (unsigned l = 0; l < LANES && close; l++) a->at[n][l] = base + any(close);
        for (unsigned l = 0; l < LANES; l++) low[n][l] = a->at[n][l] - by;
    }
}

/* Those of a loop that lanes leave one after the other, each on a way of its own; some are never in
 * it. */
static void fill_loop(struct accesses *a, uint32_t (*low)[LANES], uint32_t by) {
    uint32_t step = 1u << any(6), far = 1u << any(20), base = any(1u << 30) * 4, never = any_mask();
    uint32_t start[LANES], iterations[LANES];
    a->count = 1 + any(MOST - 1);
    for (unsigned l = 0; l < LANES; l++) {
        start[l] = base + any(far);
        iterations[l] = never >> l & 1 ? 0 : any(a->count + 1);
    }
    for (uint32_t n = 0; n < a->count; n++) {
        a->masks[n] = 0;
        for (unsigned l = 0; l < LANES; l++) {
            a->masks[n] |= (uint32_t)(n < iterations[l]) << l;
            a->at[n][l] = start[l] + n * step;
            low[n][l] = a->at[n][l] - by;
        }
    }
}

int main(void) {
    static struct accesses a;
    static uint32_t low[MOST][LANES];
    unsigned failures = 0;
    for (unsigned n = 0; n < CASES; n++) {
        unsigned bytes = 1u << any(5), partitions = 1 + any(PARTITION_MOST);
        enum coalesce_rule rule = (enum coalesce_rule)any(COALESCE_RULES);
        struct coalesced_counts plain, vectors;
        uint32_t by = any(2) * 4 * any(1000);
        if (any(4))
            fill_all(&a, low, bytes, by);
        else
            fill_loop(&a, low, by);
        struct counted_lanes lanes = {a.count, a.masks, (const void *)low, by};
        counters_coalesce(&lanes, bytes, partitions, rule, false, &plain);
        counters_coalesce(&lanes, bytes, partitions, rule, true, &vectors);
        if (!memcmp(&plain, &vectors, sizeof plain) && same_lanes(&a, &lanes, bytes) &&
            same_private(&lanes, rule))
            continue;
        if (!failures++)
            fprintf(stderr, "case %u: %u accesses, the first of mask %08x, words of %u bytes\n", n,
                    (unsigned)a.count, (unsigned)a.masks[0], bytes);
    }
    printf("%u of %d differ\n", failures, (int)CASES);
    return failures != 0;
}
