#include "counters_coalesce.h"

#include <assert.h>
#include <string.h>

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

enum { SECTORS = 4, SECTOR_SHIFT = 5, STEP_SHIFT = 8 };
_Static_assert(1 << STEP_SHIFT == PARTITION_STEP, "partitions take turns by that many bytes");

#define VECTORS COUNTERS_LANES_VECTORS

/* What is the same for all half-warps, and transactions of each partition so far: of each byte of
 * `bytes` those of one partition. */
struct vector_counts {
    unsigned bytes, partitions;
    enum coalesce_rule rule;
    __m512i low_bits; /* of addresses: bytes within a word */
    __m512i rows;     /* where lanes' words lie in a row */
    __m512i sums;
};

static inline unsigned lanes_in(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }

VECTORS static inline __m512i set1(uint32_t v) { return _mm512_set1_epi32((int)v); }

VECTORS static inline __m512i lane_numbers(void) {
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* The lowest active lane's value in all lanes. */
VECTORS static inline __m512i of_lowest(__m512i v, uint32_t mask) {
    return _mm512_permutexvar_epi32(set1((uint32_t)__builtin_ctz(mask)), v);
}

VECTORS static inline uint32_t equal(uint32_t mask, __m512i a, __m512i b) {
    return _mm512_mask_cmpeq_epi32_mask((__mmask16)mask, a, b);
}

/* Modulo a number that is no power of two: the quotient is off by one at most. */
VECTORS static inline __m512i modulo(__m512i v, unsigned by) {
    __m512 inverse = _mm512_set1_ps(1.0f / (float)by);
    __m512i quotient = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(v), inverse));
    __m512i rest = _mm512_sub_epi32(v, _mm512_mullo_epi32(quotient, set1(by)));
    __mmask16 less = _mm512_movepi32_mask(rest);
    rest = _mm512_mask_add_epi32(rest, less, rest, set1(by));
    __mmask16 more = _mm512_cmpge_epi32_mask(rest, set1(by));
    return _mm512_mask_sub_epi32(rest, more, rest, set1(by));
}

/* One transaction in the partition of each lane of the mask. */
VECTORS static inline void add_partitions(struct vector_counts *c, __m512i at, uint32_t mask) {
    __m512i step = _mm512_srli_epi32(at, STEP_SHIFT), one = _mm512_set1_epi64(1);
    if (c->partitions & (c->partitions - 1))
        step = modulo(step, c->partitions);
    else
        step = _mm512_and_epi32(step, set1(c->partitions - 1));
    __m512i shift = _mm512_slli_epi32(step, 3);
    __m512i low = _mm512_maskz_sllv_epi64((__mmask8)mask, one,
                                          _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift)));
    __m512i high = _mm512_maskz_sllv_epi64(
        (__mmask8)(mask >> 8), one, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
    c->sums = _mm512_add_epi64(c->sums, _mm512_add_epi64(low, high));
}

/* Of each 64 bits a byte has up to 4 for each access. */
VECTORS static void end_partitions(struct vector_counts *c, struct coalesced_counts *all) {
    const __m512i bytes = _mm512_set1_epi16(0xff);
    uint64_t even = (uint64_t)_mm512_reduce_add_epi64(_mm512_and_si512(c->sums, bytes));
    uint64_t odd =
        (uint64_t)_mm512_reduce_add_epi64(_mm512_and_si512(_mm512_srli_epi64(c->sums, 8), bytes));
    for (unsigned p = 0; p < PARTITION_MOST; p++)
        all->partitions[p] += (uint32_t)((p % 2 ? odd : even) >> p / 2 * 16 & 0xffff);
    c->sums = _mm512_setzero_si512();
}
enum { MOST_ACCESSES = 63 }; /* before that */
_Static_assert(PARTITION_MOST == 8, "a byte of 64 bits for each");

VECTORS static inline void in_order(struct vector_counts *v, struct coalesced_counts *c, __m512i at,
                                    uint32_t mask) {
    struct coalesced_rule *r = &c->rules[COALESCE_IN_ORDER];
    __m512i row = _mm512_sub_epi32(at, v->rows), first = of_lowest(row, mask);
    bool wanted = v->rule == COALESCE_IN_ORDER;
    if (v->bytes >= WORD && equal(mask, row, first) == mask &&
        !_mm512_test_epi32_mask(first, set1(HALF * v->bytes - 1))) {
        unsigned count = v->bytes == 16 ? 2 : 1;
        r->coalesced++;
        r->transactions += count;
        r->moved += HALF * v->bytes;
        for (unsigned n = 0; wanted && n < count; n++) add_partitions(v, first, 1);
        return;
    }
    r->transactions += lanes_in(mask);
    r->moved += lanes_in(mask) << SECTOR_SHIFT;
    if (wanted) add_partitions(v, at, mask);
}

/* Transactions of segments, a bit each, of which sectors are used: lanes of one bit each in
 * used[]. */
VECTORS static inline void add_segments(struct coalesced_counts *c, uint32_t segments,
                                        const uint32_t used[SECTORS]) {
    uint32_t both = (used[0] | used[1]) & (used[2] | used[3]) & segments;
    uint32_t half = ((used[0] & used[1]) | (used[2] & used[3])) & segments & ~both;
    unsigned count[COALESCE_SIZES] = {
        [COALESCE_64] = lanes_in(half), [COALESCE_128] = lanes_in(both)};
    count[COALESCE_32] = lanes_in(segments) - count[COALESCE_64] - count[COALESCE_128];
    for (unsigned size = 0; size < COALESCE_SIZES; size++) {
        c->by_size[size] += count[size];
        c->rules[COALESCE_BY_SEGMENT].moved += count[size] << (SECTOR_SHIFT + size);
    }
}

/* Do lanes that lie apart lie in a column? */
VECTORS static inline bool in_column(__m512i at) {
    __m512i apart = _mm512_sub_epi32(at, _mm512_alignr_epi32(at, at, HALF - 1));
    return equal(0xfffe, _mm512_abs_epi32(apart), set1(PITCH)) == 0xfffe;
}

VECTORS static inline void by_segment(struct vector_counts *v, struct coalesced_counts *c,
                                      __m512i at, uint32_t mask) {
    struct coalesced_rule *r = &c->rules[COALESCE_BY_SEGMENT];
    unsigned most = v->bytes == 1 ? COALESCE_32 : v->bytes == 2 ? COALESCE_64 : COALESCE_128;
    __m512i segment = _mm512_srl_epi32(at, _mm_cvtsi32_si128((int)(SECTOR_SHIFT + most)));
    __m512i sector = _mm512_and_epi32(_mm512_srli_epi32(at, SECTOR_SHIFT), set1((1u << most) - 1));
    uint32_t in[SECTORS], used[SECTORS], first = mask & -mask, last = first;
    for (unsigned s = 0; s < SECTORS; s++) in[s] = equal(mask, sector, set1(s));
    if (equal(mask, segment, of_lowest(segment, mask)) == mask) {
        for (unsigned s = 0; s < SECTORS; s++) used[s] = in[s] ? first : 0;
    } else {
        __m512i before = _mm512_and_epi32(_mm512_conflict_epi32(segment), set1(mask));
        first = _mm512_mask_testn_epi32_mask((__mmask16)mask, before, before);
        if (first == mask) { /* each lane has a segment of its own */
            last = mask;
            memset(used, 0, sizeof used);
            if (mask == 0xffff && in_column(at)) c->columns += HALF;
        } else { /* the last lane of each knows all of its segment */
            last = mask & ~(uint32_t)_mm512_mask_reduce_or_epi32((__mmask16)mask, before);
            __m512i all = _mm512_or_epi32(before, _mm512_sllv_epi32(set1(1), lane_numbers()));
            for (unsigned s = 0; s < SECTORS; s++)
                used[s] = _mm512_test_epi32_mask(all, set1(in[s]));
        }
    }
    unsigned count = lanes_in(first);
    r->transactions += count;
    r->coalesced += count <= (v->bytes == 16 ? 2u : 1u);
    add_segments(c, last, used);
    if (v->rule == COALESCE_BY_SEGMENT) add_partitions(v, at, first);
}

VECTORS static void by_vectors(const struct counted_lanes *lanes, unsigned bytes,
                               unsigned partitions, enum coalesce_rule rule,
                               struct coalesced_counts *c) {
    struct vector_counts v = {.bytes = bytes, .partitions = partitions, .rule = rule};
    v.low_bits = set1(bytes - 1);
    v.rows = _mm512_mullo_epi32(lane_numbers(), set1(bytes));
    v.sums = _mm512_setzero_si512();
    for (uint32_t n = 0; n < lanes->count; n++) {
        for (unsigned h = 0; h < 2; h++) {
            uint32_t mask = lanes->masks[n] >> h * HALF & 0xffff;
            if (!mask) continue;
            __m512i at = _mm512_loadu_si512(lanes->addresses[n] + h * HALF);
            at = _mm512_andnot_epi32(v.low_bits, _mm512_add_epi32(at, set1(lanes->by)));
            c->halfwarps++;
            in_order(&v, c, at, mask);
            by_segment(&v, c, at, mask);
        }
        if (n % MOST_ACCESSES == MOST_ACCESSES - 1) end_partitions(&v, c);
    }
    end_partitions(&v, c);
}

/* A half-warp's part of a row of words is two sectors, of 8 lanes each: those of lanes that move
 * the same word of their frames go together. */
VECTORS static inline void private_half(struct coalesced_rule *c, __m512i word, uint32_t mask,
                                        enum coalesce_rule rule) {
    enum { EIGHT = 0xff };
    bool same = equal(mask, word, of_lowest(word, mask)) == mask;
    if (rule == COALESCE_IN_ORDER) {
        c->coalesced += same;
        c->transactions += same ? 1 : lanes_in(mask);
        c->moved += (same ? 2 : lanes_in(mask)) << SECTOR_SHIFT;
        return;
    }
    uint32_t first = mask & -mask, low = mask & EIGHT, high = mask & ~(uint32_t)EIGHT;
    unsigned sectors = !!low + !!high;
    if (!same) {
        __m512i before = _mm512_and_epi32(_mm512_conflict_epi32(word), set1(mask));
        first = _mm512_mask_testn_epi32_mask((__mmask16)mask, before, before);
        high = _mm512_mask_testn_epi32_mask((__mmask16)high, before, set1(~(uint32_t)EIGHT));
        sectors = lanes_in(first & EIGHT) + lanes_in(high);
    }
    c->coalesced += lanes_in(first) == 1;
    c->transactions += lanes_in(first);
    c->moved += sectors << SECTOR_SHIFT;
}

VECTORS static void private_by_vectors(const struct counted_lanes *lanes, enum coalesce_rule rule,
                                       struct coalesced_rule *c) {
    __m512i by = set1(lanes->by);
    for (uint32_t n = 0; n < lanes->count; n++)
        for (unsigned h = 0; h < 2; h++) {
            uint32_t mask = lanes->masks[n] >> h * HALF & 0xffff;
            __m512i at = _mm512_loadu_si512(lanes->addresses[n] + h * HALF);
            if (mask) private_half(c, _mm512_srli_epi32(_mm512_add_epi32(at, by), 2), mask, rule);
        }
}
#else
#define by_vectors         plainly
#define private_by_vectors private_plainly
#endif

void counters_coalesce(const struct counted_lanes *lanes, unsigned bytes, unsigned partitions,
                       enum coalesce_rule rule, bool vectors, struct coalesced_counts *c) {
    assert(bytes >= 1 && bytes <= 16 && partitions >= 1 && partitions <= PARTITION_MOST);
    memset(c, 0, sizeof *c);
    if (vectors && counters_lanes_vectors())
        by_vectors(lanes, bytes, partitions, rule, c);
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
