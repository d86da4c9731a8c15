#include "counters_coalesce.h"

#include <assert.h>
#include <string.h>

#include "counters_halves.h"

enum { WORD = 4, HALF = ISA_WARP / 2, PITCH = 128 /* of lanes in a column */ };

/* Transactions of a half-warp whose lanes are all on, each with a segment of its own: as many as
 * lanes where they lie in a column. */
static unsigned column(const uint32_t *at, uint32_t bytes) {
    unsigned l = 1;
    for (; l < HALF; l++) {
        uint32_t apart = (at[l] & -bytes) - (at[l - 1] & -bytes);
        if (apart != PITCH && -apart != PITCH) break;
    }
    return l == HALF ? HALF : 0;
}

/* Rows of banks in which a half-warp's transactions lie. They are counted from where the partitions
 * begin to take turns before the lowest: where one ends is known for that alone. */
static unsigned rows_of(const struct coalesce_result *r, unsigned partitions) {
    uint32_t rows[COALESCE_MOST], lowest = UINT32_MAX, count = 0, n;
    for (uint32_t t = 0; t < r->count; t++)
        if (lowest > r->address[t]) lowest = r->address[t];
    lowest -= lowest % (PARTITION_STEP * partitions);
    for (uint32_t t = 0; t < r->count; t++) {
        uint32_t at = r->address[t] - lowest;
        uint32_t row = partition_offset(at, partitions) / PARTITION_ROW * PARTITION_MOST +
                       partition_linear(at, partitions);
        for (n = 0; n < count && rows[n] != row; n++) {
        }
        if (n == count) rows[count++] = row;
    }
    return count;
}

static void add_rows(uint32_t mask, const uint32_t *addresses, unsigned bytes, unsigned partitions,
                     enum coalesce_rule rule, struct coalesced_counts *c) {
    for (unsigned h = 0; h < 2; h++) {
        struct coalesce_result r;
        uint32_t half = mask & (uint32_t)0xffff << h * HALF;
        if (!half) continue;
        coalesce_warp(rule, half, addresses, bytes, &r);
        c->rows += rows_of(&r, partitions);
    }
}

static void add_plainly(uint32_t mask, const uint32_t *addresses, unsigned bytes,
                        unsigned partitions, enum coalesce_rule rule, struct coalesced_counts *c) {
    struct coalesce_result r;
    for (unsigned n = 0; n < COALESCE_RULES; n++) {
        coalesce_warp((enum coalesce_rule)n, mask, addresses, bytes, &r);
        struct coalesced_rule *sum = &c->rules[n];
        sum->coalesced += r.coalesced;
        sum->transactions += r.count;
        sum->moved += r.moved;
        for (unsigned s = 0; n == COALESCE_BY_SEGMENT && s < COALESCE_SIZES; s++)
            c->by_size[s] += r.transactions[s];
        for (uint32_t t = 0; n == rule && t < r.count; t++)
            c->partitions[partition_linear(r.address[t], partitions)]++;
    }
    c->halfwarps += r.halfwarps;
}

static void add_columns(uint32_t mask, const uint32_t *addresses, unsigned bytes,
                        struct coalesced_counts *c) {
    const uint32_t all = 0xffff;
    for (unsigned h = 0; h < 2; h++) {
        struct coalesce_result r;
        if ((mask >> h * HALF & all) != all) continue;
        coalesce_warp(COALESCE_BY_SEGMENT, all << h * HALF, addresses, bytes, &r);
        if (r.count == HALF) c->columns += column(addresses + h * HALF, bytes);
    }
}

static void plainly(const struct counted_lanes *lanes, unsigned bytes, unsigned partitions,
                    enum coalesce_rule rule, struct coalesced_counts *c) {
    uint32_t at[ISA_WARP];
    for (uint32_t n = 0; n < lanes->count; n++) {
        for (unsigned l = 0; l < ISA_WARP; l++) at[l] = lanes->addresses[n][l] + lanes->by;
        if (!lanes->masks[n]) continue;
        add_plainly(lanes->masks[n], at, bytes, partitions, rule, c);
        add_columns(lanes->masks[n], at, bytes, c);
        add_rows(lanes->masks[n], at, bytes, partitions, rule, c);
    }
}

static void private_plainly(const struct counted_lanes *lanes, enum coalesce_rule rule,
                            struct coalesced_rule *c) {
    uint32_t at[ISA_WARP];
    struct coalesced_counts all = {0};
    for (uint32_t n = 0; n < lanes->count; n++) {
        for (unsigned l = 0; l < ISA_WARP; l++)
            at[l] = (lanes->addresses[n][l] + lanes->by) / WORD * (WORD * ISA_WARP) + l * WORD;
        if (lanes->masks[n]) add_plainly(lanes->masks[n], at, WORD, 1, rule, &all);
    }
    *c = all.rules[rule];
}

#if defined __x86_64__
#include <immintrin.h>

enum { SECTOR_SHIFT = 5, STEP_SHIFT = 8, SECTOR = 1 << SECTOR_SHIFT };

#define VECTORS COUNTERS_LANES_VECTORS
#define INLINE  static inline __attribute__((always_inline)) /* so that sums are in registers */

VECTORS INLINE __m512i set1(uint32_t v) { return _mm512_set1_epi32((int)v); }

/* Of masks: the lowest bit of each eight lanes with one that is on. */
VECTORS INLINE __m512i eights(__m512i masks) {
    masks = _mm512_or_epi32(masks, _mm512_srli_epi32(masks, 4));
    masks = _mm512_or_epi32(masks, _mm512_srli_epi32(masks, 2));
    masks = _mm512_or_epi32(masks, _mm512_srli_epi32(masks, 1));
    return _mm512_and_epi32(masks, set1(0x01010101));
}

/* Bits that are bytes' lowest: their sum. */
VECTORS INLINE uint32_t bits_in(__m512i bits) {
    __m512i sums = _mm512_mullo_epi32(bits, set1(0x01010101));
    return (uint32_t)_mm512_reduce_add_epi32(_mm512_srli_epi32(sums, 24));
}

/* So many masks of warps, each of whose lanes move one word of their frames; 0: none. */
VECTORS INLINE void private_rows(struct coalesced_rule *c, __m512i masks, enum coalesce_rule rule) {
    __m512i some = eights(masks);
    __m512i halves = _mm512_or_epi32(some, _mm512_srli_epi32(some, 8));
    uint32_t all = bits_in(_mm512_and_epi32(halves, set1(0x00010001)));
    c->coalesced += all;
    c->transactions += all;
    c->moved += (rule == COALESCE_IN_ORDER ? 2 * all : bits_in(some)) << SECTOR_SHIFT;
}

/* Which lanes' words are not those of the lowest active lane. */
VECTORS INLINE uint32_t others(__m512i low, __m512i high, uint32_t by, const uint32_t *at,
                               uint32_t mask) {
    __m512i one = set1((at[__builtin_ctz(mask)] + by) >> 2);
    __mmask16 a = _mm512_mask_cmpneq_epi32_mask((__mmask16)mask, low, one);
    __mmask16 b = _mm512_mask_cmpneq_epi32_mask((__mmask16)(mask >> HALF), high, one);
    return (uint32_t)b << HALF | a;
}

VECTORS INLINE __m512i words_of_half(const uint32_t *at, uint32_t by, unsigned h) {
    return _mm512_srli_epi32(_mm512_add_epi32(_mm512_loadu_si512(at + h * HALF), set1(by)), 2);
}

VECTORS static void private_by_vectors(const struct counted_lanes *lanes, enum coalesce_rule rule,
                                       struct coalesced_rule *c) {
    struct coalesced_rule sum = {0};
    struct counters_halves halves;
    halves.count = 0;
    for (uint32_t begin = 0; begin < lanes->count; begin += HALF) {
        uint32_t rows[HALF] __attribute__((aligned(64))) = {0}, rest[HALF];
        uint32_t count = lanes->count - begin, nrows = 0, nrest = 0;
        for (uint32_t n = begin; n < begin + (count < HALF ? count : HALF); n++) {
            uint32_t mask = lanes->masks[n];
            const uint32_t *at = lanes->addresses[n];
            __m512i low = words_of_half(at, lanes->by, 0), high = words_of_half(at, lanes->by, 1);
            bool row = !mask || !others(low, high, lanes->by, at, mask);
            rows[nrows] = row ? mask : 0; /* no branch: which it is is hard to foretell */
            rest[nrest] = n;
            nrows += row;
            nrest += !row;
        }
        private_rows(&sum, _mm512_load_si512(rows), rule);
        for (uint32_t k = 0; k < 2 * nrest; k++) {
            const uint32_t *at = lanes->addresses[rest[k / 2]];
            uint32_t mask = lanes->masks[rest[k / 2]] >> k % 2 * HALF & 0xffff;
            /* No branch: which they are is hard to foretell. */
            halves.masks[halves.count] = mask;
            _mm512_store_si512(halves.at[halves.count], words_of_half(at, lanes->by, k % 2));
            halves.count += mask != 0;
            if (halves.count == COUNTERS_HALVES) counters_halves_private(&halves, rule, &sum);
        }
    }
    counters_halves_private(&halves, rule, &sum);
    *c = sum;
}
#else
#define counters_halves_global plainly
#define private_by_vectors     private_plainly
#endif

void counters_coalesce(const struct counted_lanes *lanes, unsigned bytes, unsigned partitions,
                       enum coalesce_rule rule, bool vectors, struct coalesced_counts *c) {
    assert(bytes >= 1 && bytes <= 16 && partitions >= 1 && partitions <= PARTITION_MOST);
    memset(c, 0, sizeof *c);
    if (vectors && counters_lanes_vectors())
        counters_halves_global(lanes, bytes, partitions, rule, c);
    else
        plainly(lanes, bytes, partitions, rule, c);
}

void counters_coalesce_private(const struct counted_lanes *lanes, enum coalesce_rule rule,
                               bool vectors, struct coalesced_rule *c) {
    *c = (struct coalesced_rule){0};
    if (vectors && counters_lanes_vectors())
        private_by_vectors(lanes, rule, c);
    else
        private_plainly(lanes, rule, c);
}
