/* What the counters observer makes of addresses by vectors is what the rules say, for accesses of
 * all kinds: coalescing, banks, atomic operations on one place, different addresses. */
#include <stdio.h>
#include <string.h>

#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"
#include "device/observe/counters_coalesce.h"
#include "device/observe/counters_lanes.h"

enum { CASES = 200000, LANES = 32 };

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
    unsigned kind = any(6);
    if (any(2)) base &= ~(uint32_t)255;
    for (unsigned l = 0; l < LANES; l++) {
        switch (kind) {
        case 0: at[l] = base + l * bytes; break;
        case 1: at[l] = base + l * stride; break;
        case 2: at[l] = base + any(600); break;
        case 3: at[l] = base + any(16) * 64; break;
        case 4: at[l] = base + (l ^ 1) * bytes; break;
        default: at[l] = any(1u << 31) * 2; break;
        }
    }
}

static bool same_lanes(uint32_t mask, const uint32_t *at, unsigned bytes) {
    struct banks_result plain, vectors;
    struct contention_result contention;
    struct constant_port_result port;
    bool write = any(2);
    banks_warp(mask, at, bytes, write, &plain);
    counters_lanes_banks(mask, at, bytes, write, &vectors);
    contention_warp(mask, at, &contention);
    constant_port_warp(mask, at, &port);
    return plain.requests == vectors.requests && plain.steps == vectors.steps &&
           plain.replays == vectors.replays && plain.degree == vectors.degree &&
           contention.conflicts == counters_lanes_conflicts(mask, at) &&
           port.reads == counters_lanes_distinct(mask, at);
}

int main(void) {
    unsigned failures = 0;
    for (unsigned n = 0; n < CASES; n++) {
        uint32_t at[LANES], mask = any_mask();
        unsigned bytes = 1u << any(5), partitions = 1 + any(PARTITION_MOST);
        enum coalesce_rule rule = (enum coalesce_rule)any(COALESCE_RULES);
        struct coalesced_counts plain, vectors;
        fill(at, bytes);
        counters_coalesce(mask, at, bytes, partitions, rule, false, &plain);
        counters_coalesce(mask, at, bytes, partitions, rule, true, &vectors);
        if (!memcmp(&plain, &vectors, sizeof plain) && same_lanes(mask, at, bytes)) continue;
        if (!failures++)
            fprintf(stderr, "case %u: mask %08x, words of %u bytes, from %08x\n", n, (unsigned)mask,
                    bytes, (unsigned)at[0]);
    }
    printf("%u of %d differ\n", failures, (int)CASES);
    return failures != 0;
}
