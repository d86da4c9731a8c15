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

enum { SECTOR_SHIFT = 5, SECTOR = 1 << SECTOR_SHIFT, STEP_SHIFT = 8 };
_Static_assert(1 << STEP_SHIFT == PARTITION_STEP, "partitions take turns by that many bytes");

#define VECTORS COUNTERS_LANES_VECTORS
#define INLINE  static inline __attribute__((always_inline)) /* so that sums are in registers */

/* What is the same for all half-warps, and what they have come to so far. */
struct vector_counts {
    unsigned bytes, partitions;
    enum coalesce_rule rule;
    __m512i low_bits; /* of addresses: bytes within a word */
    __m512i rows;     /* where lanes' words lie in a row */
    __m512i segment;  /* bits of an address that say in which segment it is, */
    __m512i odd;      /* that a sector is the second of two, */
    __m512i high;     /* that these two are the second half of a segment */
    uint32_t halfwarps;
    uint32_t in_rows, alone; /* in order: rows, and lanes that are in none */
    uint32_t served;         /* by segment: half-warps with no more than the least */
    uint32_t by_size[COALESCE_SIZES];
    uint32_t columns, row_count;
    __m512i sums;      /* transactions: of each lane four bits for each partition, */
    __m512i many[2];   /* bytes: of those of even and of odd numbers */
    struct runs *runs; /* that are to be looked at, all together */
};

/* Of half-warps whose addresses do not fall, side by side: who is in the run of the one before,
 * which lanes there are but for the first, and of their addresses the bits `odd` and `high`. */
struct runs {
    uint32_t same[2 * HALF], inner[2 * HALF], odd[2 * HALF], high[2 * HALF];
    uint32_t count;
} __attribute__((aligned(64)));

INLINE unsigned lanes_in(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }

VECTORS INLINE __m512i set1(uint32_t v) { return _mm512_set1_epi32((int)v); }

VECTORS INLINE __m512i lane_numbers(void) {
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* The lowest active lane's value in all lanes. */
VECTORS INLINE __m512i of_lowest(__m512i v, uint32_t mask) {
    return _mm512_permutexvar_epi32(set1((uint32_t)__builtin_ctz(mask)), v);
}

VECTORS INLINE uint32_t equal(uint32_t mask, __m512i a, __m512i b) {
    return _mm512_mask_cmpeq_epi32_mask((__mmask16)mask, a, b);
}

/* Modulo a number that is no power of two: the quotient is off by one at most. */
VECTORS INLINE __m512i modulo(__m512i v, unsigned by) {
    __m512 inverse = _mm512_set1_ps(1.0f / (float)by);
    __m512i quotient = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(v), inverse));
    __m512i rest = _mm512_sub_epi32(v, _mm512_mullo_epi32(quotient, set1(by)));
    __mmask16 less = _mm512_movepi32_mask(rest);
    rest = _mm512_mask_add_epi32(rest, less, rest, set1(by));
    __mmask16 more = _mm512_cmpge_epi32_mask(rest, set1(by));
    return _mm512_mask_sub_epi32(rest, more, rest, set1(by));
}

/* One transaction in the partition of each lane of the mask. */
VECTORS INLINE void add_partitions(struct vector_counts *c, __m512i at, uint32_t mask) {
    __m512i shift;
    if (c->partitions & (c->partitions - 1)) {
        shift = modulo(_mm512_srli_epi32(at, STEP_SHIFT), c->partitions);
        shift = _mm512_slli_epi32(shift, 2);
    } else {
        shift =
            _mm512_and_epi32(_mm512_srli_epi32(at, STEP_SHIFT - 2), set1((c->partitions - 1) << 2));
    }
    c->sums = _mm512_add_epi32(c->sums, _mm512_maskz_sllv_epi32((__mmask16)mask, set1(1), shift));
}
enum { MOST_IN_SUMS = 15 / 2, MOST_IN_BYTES = UINT8_MAX / 15 }; /* accesses; times of that */
_Static_assert(PARTITION_MOST == 8, "four bits of 32 for each");

/* Where addresses lie in their partitions' rows, counted as rows_of does from where partitions
 * begin to take turns before the lowest. */
struct places {
    __m512i part, row; /* the partition; the row within it, in units of PARTITION_MOST */
};

VECTORS INLINE struct places places_of(unsigned p, __m512i at, uint32_t lowest) {
    struct places s;
    __m512i turn, step;
    lowest >>= STEP_SHIFT;
    step = _mm512_sub_epi32(_mm512_srli_epi32(at, STEP_SHIFT), set1(lowest - lowest % p));
    if (p & (p - 1)) {
        s.part = modulo(step, p);
        turn = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_sub_epi32(step, s.part)),
                                                _mm512_set1_ps(1.0f / (float)p)));
    } else {
        s.part = _mm512_and_epi32(step, set1(p - 1));
        turn = _mm512_srli_epi32(step, (unsigned)__builtin_ctz(p));
    }
    s.row = _mm512_and_epi32(turn, set1(-(uint32_t)(PARTITION_ROW / PARTITION_STEP)));
    return s;
}

/* Different rows among those of the lanes. */
VECTORS INLINE unsigned rows_in(struct places s, uint32_t mask) {
    __m512i before;
    if (!_mm512_mask_test_epi32_mask((__mmask16)mask, s.row, s.row)) /* one of each partition */
        return lanes_in((uint32_t)_mm512_mask_reduce_or_epi32((__mmask16)mask,
                                                              _mm512_sllv_epi32(set1(1), s.part)));
    before = _mm512_and_epi32(_mm512_conflict_epi32(_mm512_or_epi32(s.row, s.part)), set1(mask));
    return lanes_in(_mm512_mask_testn_epi32_mask((__mmask16)mask, before, before));
}

/* rows_of, for transactions at the lanes of the mask. */
VECTORS INLINE unsigned rows_at(const struct vector_counts *c, __m512i at, uint32_t mask) {
    if (!(mask & (mask - 1))) return 1;
    uint32_t lowest = _mm512_mask_reduce_min_epu32((__mmask16)mask, at);
    return rows_in(places_of(c->partitions, at, lowest), mask);
}
_Static_assert(PARTITION_ROW / PARTITION_STEP == PARTITION_MOST,
               "a row's number and a partition's");

/* The same of lanes whose addresses do not fall, side by side, with those before them in `before`;
 * inner: all but the first. What lies less than once round the partitions apart is in as many rows
 * as steps; what lies in one partition has its rows one behind the other. */
VECTORS INLINE unsigned rows_of_runs(const struct vector_counts *c, __m512i at, __m512i before,
                                     uint32_t inner, uint32_t transactions) {
    uint32_t lowest = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(at));
    __m512i step = _mm512_srli_epi32(at, STEP_SHIFT);
    __m512i apart = _mm512_sub_epi32(step, set1(lowest >> STEP_SHIFT));
    if (!_mm512_mask_cmpge_epu32_mask((__mmask16)inner, apart, set1(c->partitions)))
        return 1 + lanes_in(_mm512_mask_cmpneq_epi32_mask((__mmask16)inner, step,
                                                          _mm512_srli_epi32(before, STEP_SHIFT)));
    struct places s = places_of(c->partitions, at, lowest);
    if (equal(inner, s.part, _mm512_broadcastd_epi32(_mm512_castsi512_si128(s.part))) != inner)
        return rows_in(s, transactions);
    __m512i row_before = _mm512_alignr_epi32(s.row, s.row, HALF - 1);
    return 1 + lanes_in(_mm512_mask_cmpneq_epi32_mask((__mmask16)inner, s.row, row_before));
}

VECTORS INLINE void widen_partitions(struct vector_counts *v) {
    const __m512i four = set1(0x0f0f0f0f);
    __m512i odd = _mm512_and_epi32(_mm512_srli_epi32(v->sums, 4), four);
    v->many[0] = _mm512_add_epi32(v->many[0], _mm512_and_epi32(v->sums, four));
    v->many[1] = _mm512_add_epi32(v->many[1], odd);
    v->sums = _mm512_setzero_si512();
}

VECTORS INLINE void end_partitions(struct vector_counts *v, struct coalesced_counts *c) {
    const __m512i bytes = set1(0x00ff00ff);
    for (unsigned p = 0; p < PARTITION_MOST; p += 4)
        for (unsigned odd = 0; odd < 2; odd++) {
            __m512i two = _mm512_and_epi32(_mm512_srli_epi32(v->many[odd], p * 2), bytes);
            uint32_t all = (uint32_t)_mm512_reduce_add_epi32(two);
            c->partitions[p / 2 + odd] += all & 0xffff;
            c->partitions[p / 2 + odd + 4] += all >> 16;
        }
    v->many[0] = v->many[1] = _mm512_setzero_si512();
}

VECTORS INLINE void add_transactions(struct vector_counts *c, __m512i at, uint32_t mask) {
    add_partitions(c, at, mask);
    c->row_count += rows_at(c, at, mask);
}

/* Do lanes that lie apart lie in a column? */
VECTORS INLINE bool in_column(__m512i at) {
    __m512i apart = _mm512_sub_epi32(at, _mm512_alignr_epi32(at, at, HALF - 1));
    return equal(0xfffe, _mm512_abs_epi32(apart), set1(PITCH)) == 0xfffe;
}

/* Transactions of a half-warp's segments: of so many, those of which both halves are used, or else
 * both sectors of one. */
INLINE void add_segments(struct vector_counts *v, unsigned all, unsigned both, unsigned half) {
    v->served += all <= (v->bytes == 16 ? 2u : 1u);
    v->by_size[COALESCE_32] += all - both - half;
    v->by_size[COALESCE_64] += half;
    v->by_size[COALESCE_128] += both;
}

/* ---- runs ---- */

/* Bits of each 16. */
VECTORS INLINE __m512i bits_of(__m512i v) {
    const __m512i of =
        _mm512_broadcast_i32x4(_mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0));
    const __m512i low = _mm512_set1_epi8(15);
    __m512i high = _mm512_and_si512(_mm512_srli_epi16(v, 4), low);
    __m512i bytes = _mm512_add_epi8(_mm512_shuffle_epi8(of, _mm512_and_si512(v, low)),
                                    _mm512_shuffle_epi8(of, high));
    return _mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1));
}

/* Marks of lanes spread to those behind them in their runs; same: lanes that are in the run of the
 * lane before. */
VECTORS INLINE __m512i spread(__m512i marks, __m512i same) {
    __m512i two = _mm512_and_epi32(same, _mm512_slli_epi32(same, 1));
    __m512i four = _mm512_and_epi32(two, _mm512_slli_epi32(two, 2));
    __m512i eight = _mm512_and_epi32(four, _mm512_slli_epi32(four, 4));
    marks = _mm512_or_epi32(marks, _mm512_and_epi32(_mm512_slli_epi32(marks, 1), same));
    marks = _mm512_or_epi32(marks, _mm512_and_epi32(_mm512_slli_epi32(marks, 2), two));
    marks = _mm512_or_epi32(marks, _mm512_and_epi32(_mm512_slli_epi32(marks, 4), four));
    return _mm512_or_epi32(marks, _mm512_and_epi32(_mm512_slli_epi32(marks, 8), eight));
}

/* Of masks: lanes that have the bit, but not the lane before. */
VECTORS INLINE __m512i rising(__m512i bits) {
    return _mm512_andnot_epi32(_mm512_slli_epi32(bits, 1), bits);
}

/* So many half-warps from one on, 16 at most: all that runs come to but for partitions. */
VECTORS INLINE void add_runs(struct vector_counts *v, const struct runs *r, uint32_t from,
                             uint32_t count) {
    __mmask16 some = (__mmask16)((1u << count) - 1);
    __m512i same = _mm512_maskz_loadu_epi32(some, r->same + from);
    __m512i inner = _mm512_maskz_loadu_epi32(some, r->inner + from);
    __m512i odd = _mm512_maskz_loadu_epi32(some, r->odd + from);
    __m512i high = _mm512_maskz_loadu_epi32(some, r->high + from);
    __m512i all = _mm512_mask_or_epi32(inner, some, inner, set1(1));
    __m512i first = _mm512_andnot_epi32(same, all);
    __m512i last = _mm512_andnot_epi32(_mm512_srli_epi32(inner, 1), all);
    last = _mm512_or_epi32(_mm512_srli_epi32(first, 1), last);
    __m512i rises = _mm512_and_epi32(rising(high), same);
    __m512i both = _mm512_and_epi32(last, spread(rises, same));
    __m512i turns = _mm512_xor_epi32(high, _mm512_slli_epi32(high, 1));
    rises = _mm512_andnot_epi32(turns, _mm512_and_epi32(rising(odd), same));
    __m512i half = _mm512_and_epi32(_mm512_andnot_epi32(both, last), spread(rises, same));
    __m512i segments = bits_of(_mm512_or_epi32(first, _mm512_slli_epi32(both, HALF)));
    __m512i firsts = _mm512_and_epi32(segments, set1(0xffff));
    v->served += lanes_in(_mm512_mask_cmple_epu32_mask(some, firsts, set1(v->bytes == 16 ? 2 : 1)));
    uint32_t sum = (uint32_t)_mm512_reduce_add_epi32(segments);
    uint32_t halves = (uint32_t)_mm512_reduce_add_epi32(bits_of(half));
    v->by_size[COALESCE_32] += (sum & 0xffff) - (sum >> 16) - halves;
    v->by_size[COALESCE_64] += halves;
    v->by_size[COALESCE_128] += sum >> 16;
}

VECTORS INLINE void end_runs(struct vector_counts *v) {
    uint32_t count = v->runs->count;
    if (count) add_runs(v, v->runs, 0, count < HALF ? count : HALF);
    if (count > HALF) add_runs(v, v->runs, HALF, count - HALF);
    v->runs->count = 0;
}

/* Lanes whose addresses do not fall: each segment is a run of them. They come side by side, with
 * those before them in `before`; inner: all but the first. */
VECTORS INLINE void by_runs(struct vector_counts *v, __m512i at, __m512i before, uint32_t inner) {
    struct runs *r = v->runs;
    uint32_t same = _mm512_mask_cmpeq_epi32_mask((__mmask16)inner, _mm512_and_epi32(at, v->segment),
                                                 _mm512_and_epi32(before, v->segment));
    uint32_t first = ~same & (inner | 1), n = r->count++;
    r->same[n] = same;
    r->inner[n] = inner;
    r->odd[n] = _mm512_test_epi32_mask(at, v->odd);
    r->high[n] = _mm512_test_epi32_mask(at, v->high);
    if (v->rule == COALESCE_BY_SEGMENT) {
        add_partitions(v, at, first);
        v->row_count += rows_of_runs(v, at, before, inner, first);
    }
    if (first == 0xffff && in_column(at)) v->columns += HALF;
}

/* ---- a half-warp ---- */

/* Any lanes: the last one of each segment knows all of it. */
VECTORS INLINE void by_conflicts(struct vector_counts *v, __m512i at, uint32_t mask) {
    __m512i before = _mm512_conflict_epi32(_mm512_and_epi32(at, v->segment));
    before = _mm512_and_epi32(before, set1(mask));
    uint32_t first = _mm512_mask_testn_epi32_mask((__mmask16)mask, before, before), both = 0,
             half = 0;
    if (v->rule == COALESCE_BY_SEGMENT) add_transactions(v, at, first);
    if (first == mask) {
        if (mask == 0xffff && in_column(at)) v->columns += HALF;
    } else {
        uint32_t last = mask & ~(uint32_t)_mm512_mask_reduce_or_epi32((__mmask16)mask, before);
        __m512i all = _mm512_or_epi32(before, _mm512_sllv_epi32(set1(1), lane_numbers()));
        uint32_t odd = mask & _mm512_test_epi32_mask(at, v->odd);
        uint32_t high = mask & _mm512_test_epi32_mask(at, v->high);
        both = _mm512_mask_test_epi32_mask((__mmask16)last, all, set1(high)) &
               _mm512_mask_test_epi32_mask((__mmask16)last, all, set1(mask & ~high));
        half = _mm512_mask_test_epi32_mask((__mmask16)(last & ~both), all, set1(odd)) &
               _mm512_mask_test_epi32_mask((__mmask16)(last & ~both), all, set1(mask & ~odd));
    }
    add_segments(v, lanes_in(first), lanes_in(both), lanes_in(half));
}

VECTORS INLINE void by_segment(struct vector_counts *v, __m512i at, uint32_t mask) {
    __m512i packed = _mm512_maskz_compress_epi32((__mmask16)mask, at);
    __m512i before = _mm512_alignr_epi32(packed, packed, HALF - 1);
    uint32_t inner = (1u << lanes_in(mask)) - 2;
    if (!_mm512_mask_cmplt_epu32_mask((__mmask16)inner, packed, before))
        by_runs(v, packed, before, inner);
    else
        by_conflicts(v, at, mask);
}

VECTORS INLINE void add_half(struct vector_counts *v, __m512i at, uint32_t mask) {
    __m512i row = _mm512_sub_epi32(at, v->rows), first = of_lowest(row, mask);
    if (v->bytes >= WORD && equal(mask, row, first) == mask &&
        !_mm512_test_epi32_mask(first, set1(HALF * v->bytes - 1))) {
        uint32_t count = v->bytes == 16 ? 2 : 1;
        v->in_rows++;
        if (v->rule == COALESCE_IN_ORDER || mask == 0xffff) {
            add_partitions(v, first, count == 2 ? 3 : 1);
            v->row_count++;
        }
        if (mask == 0xffff) { /* the same by segment */
            v->by_size[v->bytes == WORD ? COALESCE_64 : COALESCE_128] += count;
            v->served++;
            return;
        }
    } else {
        v->alone += lanes_in(mask);
        if (v->rule == COALESCE_IN_ORDER) add_transactions(v, at, mask);
    }
    by_segment(v, at, mask);
}

static void add_sums(const struct vector_counts *v, struct coalesced_counts *c) {
    struct coalesced_rule *order = &c->rules[COALESCE_IN_ORDER];
    struct coalesced_rule *segment = &c->rules[COALESCE_BY_SEGMENT];
    c->halfwarps += v->halfwarps;
    c->columns += v->columns;
    c->rows += v->row_count;
    order->coalesced += v->in_rows;
    order->transactions += v->in_rows * (v->bytes == 16 ? 2 : 1) + v->alone;
    order->moved += v->in_rows * HALF * v->bytes + (v->alone << SECTOR_SHIFT);
    segment->coalesced += v->served;
    for (unsigned size = 0; size < COALESCE_SIZES; size++) {
        c->by_size[size] += v->by_size[size];
        segment->transactions += v->by_size[size];
        segment->moved += v->by_size[size] << (SECTOR_SHIFT + size);
    }
}

VECTORS static void by_vectors(const struct counted_lanes *lanes, unsigned bytes,
                               unsigned partitions, enum coalesce_rule rule,
                               struct coalesced_counts *c) {
    struct vector_counts v = {.bytes = bytes, .partitions = partitions, .rule = rule};
    struct runs runs;
    uint32_t segment = SECTOR << (bytes == 1 ? 0 : bytes == 2 ? 1 : 2);
    v.low_bits = set1(bytes - 1);
    v.segment = set1(-segment);
    v.odd = set1(SECTOR & (segment - 1));
    v.high = set1(2 * SECTOR & (segment - 1));
    v.rows = _mm512_mullo_epi32(lane_numbers(), set1(bytes));
    v.sums = v.many[0] = v.many[1] = _mm512_setzero_si512();
    v.runs = &runs;
    runs.count = 0;
    for (uint32_t n = 0; n < lanes->count; n++) {
        for (unsigned h = 0; h < 2; h++) {
            uint32_t mask = lanes->masks[n] >> h * HALF & 0xffff;
            v.halfwarps += mask != 0;
            __m512i at = _mm512_loadu_si512(lanes->addresses[n] + h * HALF);
            at = _mm512_andnot_epi32(v.low_bits, _mm512_add_epi32(at, set1(lanes->by)));
            if (mask) add_half(&v, at, mask);
        }
        if (n % MOST_IN_SUMS == MOST_IN_SUMS - 1) widen_partitions(&v);
        if (n % HALF == HALF - 1) end_runs(&v);
        if (n % (MOST_IN_SUMS * MOST_IN_BYTES) == MOST_IN_SUMS * MOST_IN_BYTES - 1)
            end_partitions(&v, c);
    }
    widen_partitions(&v);
    end_partitions(&v, c);
    end_runs(&v);
    add_sums(&v, c);
}

/* A half-warp's part of a row of words is two sectors, of 8 lanes each: those of lanes that move
 * the same word of their frames go together. */
VECTORS INLINE void private_half(struct coalesced_rule *c, __m512i word, uint32_t mask,
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
        for (uint32_t k = 0; k < nrest; k++) {
            const uint32_t *at = lanes->addresses[rest[k]];
            uint32_t mask = lanes->masks[rest[k]], low = mask & 0xffff, high = mask >> HALF;
            if (low) private_half(&sum, words_of_half(at, lanes->by, 0), low, rule);
            if (high) private_half(&sum, words_of_half(at, lanes->by, 1), high, rule);
        }
    }
    *c = sum;
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
