/* Probes, which observers put into a kernel (device/observe): what their operands mean, and the
 * memory that they write and read. */
#ifndef SIMTCL_ISA_PROBES_H
#define SIMTCL_ISA_PROBES_H

#include "isa.h"

enum isa_count { /* mod of probe_count: what it adds to counters that follow each other */
                 ISA_COUNT_WARPS = 1,  /* 1, when a lane counts */
                 ISA_COUNT_LANES = 2,  /* the lanes that count */
                 ISA_COUNT_SPLITS = 4, /* 1, when some active lanes count and some do not */
                 ISA_COUNT_MODS = 8
};

enum isa_bins { /* sources of probe_bins: counter imm + (address + displacement) / granule % bins
                   grows by 1 */
                ISA_BINS_ADDRESS,      /* of the warp's first lane; halves: of each half-warp's, */
                ISA_BINS_DISPLACEMENT, /* which are counted one by one */
                ISA_BINS_GRANULE,      /* a power of two */
                ISA_BINS_COUNT,
                ISA_BINS_HALVES, /* 0 or 1 */
                ISA_BINS_NOTES,  /* of what is not counted: the immediate of the probe_note */
                ISA_BINS_STRIDE, /* bytes between lanes */
                ISA_BINS_GUESS,  /* 0 or 1: whether they are so far apart is not known */
                ISA_BINS_LANES,  /* 0: what some lanes do alone is noted; 1: it is counted in a row
                                    of the notes, where there is one; 8, 16: all that matters is
                                    which so many lanes have one that is on. Bins, of which
                                    there is one, are then 2^(32 / lanes), by a bit for each */
                ISA_BINS_SOURCES
};

/* What a probe_note writes: addresses of warps with a lane on, told when there are so many. Its
 * layout is known to native code. */
enum { ISA_NOTES = 16, ISA_ROWS = 256 };
struct isa_notes {
    _Alignas(128) uint32_t count;
    uint32_t scattered; /* where lanes are guessed to be evenly spaced: not 0: of late they were
                           not, and all are noted */
    uint32_t masks[ISA_NOTES];
    _Alignas(128) uint32_t addresses[ISA_NOTES][ISA_WARP];
    /* Evenly spaced lanes that are not all on, and in which bin the first of them begins. Those of
     * halves are half-warps. Each has one place, by isa_row_hash; those that come later than
     * another one are notes. */
    struct isa_row {
        uint32_t mask, bin; /* mask 0: none */
        uint64_t times;
    } rows[ISA_ROWS];
};

/* Where it is in rows. Native code computes the same. */
#define ISA_ROW_MASK UINT32_C(0x9e3779b1)
#define ISA_ROW_BIN  UINT32_C(0x85ebca6b)
enum { ISA_ROW_SHIFT = 24 };
static inline uint32_t isa_row_hash(uint32_t mask, uint32_t bin) {
    return (mask * ISA_ROW_MASK ^ bin * ISA_ROW_BIN) >> ISA_ROW_SHIFT;
}
_Static_assert(ISA_ROWS == UINT64_C(1) << (32 - ISA_ROW_SHIFT), "a place for each hash");

/* What a probe_read writes: reads of images by warps with a lane on, in the order in which they are
 * made; told when there are so many, and when the group ends. Its layout is known to native code.
 */
enum { ISA_READS = 8, ISA_READ_COORDINATES = 3 };
struct isa_reads {
    _Alignas(128) uint32_t count;
    struct isa_read {
        _Alignas(128) uint32_t at[ISA_READ_COORDINATES][ISA_WARP]; /* as bits */
        uint32_t call, warp, mask, image, sampler;
    } of[ISA_READS];
};

/* What a probe_guard compares with: all is well where address - begin < extent, modulo 2^32, for
 * each active lane. extent is at most 2^31. Its layout is known to native code. */
struct isa_guard {
    uint32_t begin, extent;
};

/* A source of a probe that is a constant. */
static inline uint32_t isa_probe_constant(const struct isa_kernel *k, const struct isa_inst *i,
                                          unsigned source) {
    return (uint32_t)k->consts[isa_const_index(isa_srcs(k, i)[source])].bits;
}
/* How many counters, from the first one on, hold all those that probes add to as they count, not as
 * addresses say. */
uint32_t isa_probe_counters(const struct isa_kernel *k);

#endif
