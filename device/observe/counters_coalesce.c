#include "counters_coalesce.h"

#include <string.h>

#include "counters_lanes.h"

static void plainly(uint32_t mask, const uint32_t *addresses, unsigned bytes, unsigned partitions,
                    enum coalesce_rule rule, struct coalesced_counts *c) {
    struct coalesce_result r;
    memset(c, 0, sizeof *c);
    for (unsigned n = 0; n < COALESCE_RULES; n++) {
        coalesce_warp((enum coalesce_rule)n, mask, addresses, bytes, &r);
        c->halfwarps = r.halfwarps;
        c->rules[n] = (struct coalesced_rule){r.coalesced, r.count, r.moved};
        if (n == COALESCE_BY_SEGMENT) memcpy(c->by_size, r.transactions, sizeof c->by_size);
        for (uint32_t t = 0; n == rule && t < r.count; t++)
            c->partitions[partition_linear(r.address[t], partitions)]++;
    }
}

#if defined __x86_64__
#include <immintrin.h>

enum { HALF = 16, SECTOR_SHIFT = 5 };

#define VECTORS                                                                                    \
    __attribute__((target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl,popcnt,bmi,lzcnt")))

static inline unsigned lanes_in(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }

/* One transaction in the partition of each lane of the mask: a byte for each partition, added up.
 */
VECTORS static inline void add_partitions(struct coalesced_counts *c, __m512i at, uint32_t mask,
                                          unsigned partitions) {
    __m512i step = _mm512_srli_epi32(at, 8);
    if (!(partitions & (partitions - 1))) {
        __m512i shift =
            _mm512_slli_epi32(_mm512_and_epi32(step, _mm512_set1_epi32((int)partitions - 1)), 3);
        __m512i one = _mm512_set1_epi64(1);
        __m512i low = _mm512_maskz_sllv_epi64((__mmask8)mask, one,
                                              _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift)));
        __m512i high = _mm512_maskz_sllv_epi64(
            (__mmask8)(mask >> 8), one, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
        uint64_t all = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(low, high));
        __m256i counts = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)all));
        __m256i *sums = (__m256i *)(void *)c->partitions;
        _mm256_storeu_si256(sums, _mm256_add_epi32(_mm256_loadu_si256(sums), counts));
        return;
    }
    uint32_t steps[HALF];
    _mm512_storeu_si512(steps, step);
    for (; mask; mask &= mask - 1) c->partitions[steps[__builtin_ctz(mask)] % partitions]++;
}

VECTORS static inline void in_order(struct coalesced_counts *c, __m512i at, uint32_t mask,
                                    unsigned bytes, unsigned partitions, bool wanted) {
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    struct coalesced_rule *r = &c->rules[COALESCE_IN_ORDER];
    __m512i row = _mm512_sub_epi32(at, _mm512_mullo_epi32(lanes, _mm512_set1_epi32((int)bytes)));
    __m512i lowest = _mm512_maskz_compress_epi32((__mmask16)mask, row);
    uint32_t base = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(lowest));
    uint32_t equal =
        _mm512_mask_cmpeq_epi32_mask((__mmask16)mask, row, _mm512_set1_epi32((int)base));
    if (bytes >= 4 && equal == mask && !(base & (HALF * bytes - 1))) {
        unsigned count = bytes == 16 ? 2 : 1;
        r->coalesced++;
        r->transactions += count;
        r->moved += HALF * bytes;
        if (wanted) c->partitions[partition_linear(base, partitions)] += count;
        return;
    }
    r->transactions += lanes_in(mask);
    r->moved += lanes_in(mask) << SECTOR_SHIFT;
    if (wanted) add_partitions(c, at, mask, partitions);
}

VECTORS static inline unsigned size_of(unsigned used, unsigned most) {
    if (most == COALESCE_128 && used & 3 && used & 12) return COALESCE_128;
    if (most == COALESCE_128) used |= used >> 2;
    return most >= COALESCE_64 && (used & 3) == 3 ? COALESCE_64 : COALESCE_32;
}

VECTORS static inline void by_segment(struct coalesced_counts *c, __m512i at, uint32_t mask,
                                      unsigned bytes, unsigned partitions, bool wanted) {
    struct coalesced_rule *r = &c->rules[COALESCE_BY_SEGMENT];
    unsigned most = bytes == 1 ? COALESCE_32 : bytes == 2 ? COALESCE_64 : COALESCE_128;
    __m512i segment = _mm512_srl_epi32(at, _mm_cvtsi32_si128((int)(SECTOR_SHIFT + most)));
    __m512i before = _mm512_and_epi32(_mm512_conflict_epi32(segment), _mm512_set1_epi32((int)mask));
    uint32_t first = _mm512_mask_testn_epi32_mask((__mmask16)mask, before, before);
    unsigned count = lanes_in(first);
    r->transactions += count;
    r->coalesced += count <= (bytes == 16 ? 2u : 1u);
    if (wanted) add_partitions(c, at, first, partitions);
    if (first == mask) { /* each lane has a segment of its own */
        c->by_size[COALESCE_32] += count;
        r->moved += count << SECTOR_SHIFT;
        return;
    }
    __m512i sector =
        _mm512_and_epi32(_mm512_srli_epi32(at, SECTOR_SHIFT), _mm512_set1_epi32((1 << most) - 1));
    uint32_t in[4];
    for (unsigned s = 0; s < 4; s++)
        in[s] = _mm512_cmpeq_epi32_mask(sector, _mm512_set1_epi32((int)s));
    uint32_t segments[HALF];
    _mm512_storeu_si512(segments, segment);
    for (; first; first &= first - 1) {
        __m512i own = _mm512_set1_epi32((int)segments[__builtin_ctz(first)]);
        uint32_t served = _mm512_mask_cmpeq_epi32_mask((__mmask16)mask, segment, own);
        unsigned used = 0;
        for (unsigned s = 0; s < 4; s++) used |= (unsigned)((served & in[s]) != 0) << s;
        unsigned size = size_of(used, most);
        c->by_size[size]++;
        r->moved += 1u << (SECTOR_SHIFT + size);
    }
}

VECTORS static void by_vectors(uint32_t mask, const uint32_t *addresses, unsigned bytes,
                               unsigned partitions, enum coalesce_rule rule,
                               struct coalesced_counts *c) {
    memset(c, 0, sizeof *c);
    for (unsigned h = 0; h < 2; h++, mask >>= HALF, addresses += HALF) {
        uint32_t half = mask & 0xffff;
        if (!half) continue;
        __m512i at =
            _mm512_andnot_epi32(_mm512_set1_epi32((int)bytes - 1), _mm512_loadu_si512(addresses));
        c->halfwarps++;
        in_order(c, at, half, bytes, partitions, rule == COALESCE_IN_ORDER);
        by_segment(c, at, half, bytes, partitions, rule == COALESCE_BY_SEGMENT);
    }
}
#endif

void counters_coalesce(uint32_t mask, const uint32_t addresses[32], unsigned bytes,
                       unsigned partitions, enum coalesce_rule rule, bool vectors,
                       struct coalesced_counts *c) {
#if defined __x86_64__
    if (vectors && counters_lanes_vectors()) {
        by_vectors(mask, addresses, bytes, partitions, rule, c);
        return;
    }
#endif
    plainly(mask, addresses, bytes, partitions, rule, c);
}
