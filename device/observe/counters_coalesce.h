/* What coalescing makes of warps' accesses by both rules, counts alone: the same as
 * device/gpu/coalesce.h gives, without the transactions themselves. It runs for every access whose
 * addresses follow no pattern. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_COALESCE_H
#define SIMTCL_COUNTERS_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "counters_lanes.h"
#include "device/gpu/coalesce.h"
#include "device/gpu/partition.h"

/* By one rule. */
struct coalesced_rule {
    uint32_t coalesced, transactions, moved;
};

struct coalesced_counts {
    uint32_t halfwarps; /* with an active lane */
    struct coalesced_rule rules[COALESCE_RULES];
    uint32_t by_size[COALESCE_SIZES];    /* COALESCE_BY_SEGMENT */
    uint32_t columns;                    /* likewise: those of half-warps whose lanes are all on and
                                            lie 128 bytes from one to the next */
    uint32_t partitions[PARTITION_MOST]; /* by the rule that is said */
    uint32_t rows; /* likewise: of each half-warp, rows of the partitions' banks that it comes to */
};

/* Of all accesses together. bytes: of a lane's word, as coalesce_warp takes them; partitions of the
 * device, and the rule by which they are counted. vectors: AVX-512 may be used where the CPU has
 * it. */
void counters_coalesce(const struct counted_lanes *lanes, unsigned bytes, unsigned partitions,
                       enum coalesce_rule rule, bool vectors, struct coalesced_counts *counts);

/* The same of private memory, where words of 4 bytes lie beside those of the other lanes: the lanes
 * begin at a byte of their frames, and each moves the word that this is in. By one rule. */
void counters_coalesce_private(const struct counted_lanes *lanes, enum coalesce_rule rule,
                               bool vectors, struct coalesced_rule *counts);

#endif
