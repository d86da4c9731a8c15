#include "counters_halves.h"

#if defined __x86_64__
#include <immintrin.h>

enum {
    LANES = COUNTERS_HALVES_LANES,
    SECTOR_SHIFT = 5,
    SECTOR = 1 << SECTOR_SHIFT,
    STEP_SHIFT = 8,
    PITCH = 128,        /* of lanes in a column */
    FIELD = 8,          /* bits of a count in a word: half-warps of segments have 16 at most */
    FEW = 4,            /* half-warps that are looked at one by one */
    MOST_IN_BITMAP = 32 /* rows of partitions that a word has bits for */
};
_Static_assert(1 << STEP_SHIFT == PARTITION_STEP, "partitions take turns by that many bytes");
_Static_assert(PARTITION_ROW / PARTITION_STEP == PARTITION_MOST,
               "a row's number and a partition's");

#define VECTORS COUNTERS_LANES_VECTORS
#define INLINE  static inline __attribute__((always_inline))

/* Loops over lanes, whose vectors are to be in registers; clang does so unasked, and gcc -O0 warns
 * that it does not. */
#if defined __clang__ || !defined __OPTIMIZE__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

VECTORS INLINE __m512i set1(uint32_t v) { return _mm512_set1_epi32((int)v); }

INLINE unsigned ones_in(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }

VECTORS INLINE uint32_t sum_of(__m512i v) { return (uint32_t)_mm512_reduce_add_epi32(v); }

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

/* ---- lanes side by side ---- */

/* Of each lane a vector of all half-warps. Those that there are not have no lane on. */
struct side_by_side {
    __m512i at[LANES], masks;
    uint32_t valid; /* bits: half-warps that there are */
};

VECTORS INLINE void turn(const struct counters_halves *h, struct side_by_side *s) {
    __m512i a[LANES], b[LANES];
    s->valid = (1u << h->count) - 1;
    s->masks = _mm512_maskz_load_epi32((__mmask16)s->valid, h->masks);
    UNROLL for (unsigned n = 0; n < LANES; n++) a[n] =
        n < h->count ? _mm512_load_si512(h->at[n]) : _mm512_setzero_si512();
    UNROLL for (unsigned n = 0; n < LANES; n += 2) {
        b[n] = _mm512_unpacklo_epi32(a[n], a[n + 1]);
        b[n + 1] = _mm512_unpackhi_epi32(a[n], a[n + 1]);
    }
    UNROLL for (unsigned n = 0; n < LANES; n += 4) UNROLL for (unsigned k = 0; k < 2; k++) {
        a[n + 2 * k] = _mm512_unpacklo_epi64(b[n + k], b[n + 2 + k]);
        a[n + 2 * k + 1] = _mm512_unpackhi_epi64(b[n + k], b[n + 2 + k]);
    }
    UNROLL for (unsigned n = 0; n < LANES; n += 8) UNROLL for (unsigned k = 0; k < 4; k++) {
        b[n + k] = _mm512_shuffle_i32x4(a[n + k], a[n + 4 + k], 0x88);
        b[n + 4 + k] = _mm512_shuffle_i32x4(a[n + k], a[n + 4 + k], 0xdd);
    }
    UNROLL for (unsigned k = 0; k < 8; k++) {
        s->at[k] = _mm512_shuffle_i32x4(b[k], b[8 + k], 0x88);
        s->at[8 + k] = _mm512_shuffle_i32x4(b[k], b[8 + k], 0xdd);
    }
}

VECTORS INLINE uint32_t with_lane(const struct side_by_side *s, unsigned lane) {
    return _mm512_test_epi32_mask(s->masks, set1(1u << lane));
}

/* Lanes are compared with those before them four at a time, so that none waits for the one before.
 */
enum { FOUR = 4 };
#define EACH_OF_FOUR(f) (f(0), f(1), f(2), f(3))

/* Adds the bits of lane k to those that `before` has of the lanes from l on with the same key. */
VECTORS INLINE void join_four(const __m512i keys[LANES], const __m512i bits[LANES], unsigned l,
                              unsigned k, __m512i before[FOUR]) {
    __m512i key = keys[k], own = bits[k];
#define JOIN(n)                                                                                    \
    (before[n] = _mm512_mask_or_epi32(before[n], _mm512_cmpeq_epi32_mask(keys[l + (n)], key),      \
                                      before[n], own))
    EACH_OF_FOUR(JOIN);
#undef JOIN
}

/* Lanes with the same key go together, and `bits` of them: what these come to for each group, by
 * the table, is summed. A lane that is off has no bits. first: half-warps of which the lane is the
 * first one of its group. */
VECTORS INLINE __m512i sum_groups(const __m512i keys[LANES], const __m512i bits[LANES],
                                  __m512i table, uint32_t first[LANES]) {
    __m512i sum = _mm512_setzero_si512();
    UNROLL for (unsigned l = 0; l < LANES; l += FOUR) {
        __m512i before[FOUR] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                                _mm512_setzero_si512(), _mm512_setzero_si512()};
        UNROLL for (unsigned k = 0; k < l; k++) join_four(keys, bits, l, k, before);
#define SAME(n, m)                                                                                 \
    (before[n] = _mm512_mask_or_epi32(                                                             \
         before[n], _mm512_cmpeq_epi32_mask(keys[l + n], keys[l + m]), before[n], bits[l + m]))
        SAME(1, 0), SAME(2, 0), SAME(3, 0), SAME(2, 1), SAME(3, 1), SAME(3, 2);
#undef SAME
        /* Each group with this lane, in place of the one without it. */
#define SUM(n)                                                                                     \
    (sum = _mm512_add_epi32(                                                                       \
         sum, _mm512_sub_epi32(                                                                    \
                  _mm512_permutexvar_epi32(_mm512_or_epi32(before[n], bits[l + (n)]), table),      \
                  _mm512_permutexvar_epi32(before[n], table))),                                    \
     first[l + (n)] = _mm512_mask_testn_epi32_mask(                                                \
         _mm512_test_epi32_mask(bits[l + (n)], bits[l + (n)]), before[n], before[n]))
        EACH_OF_FOUR(SUM);
#undef SUM
    }
    return sum;
}

/* ---- partitions ---- */

/* A number below 2^24 divided; the quotient is off by one at first. */
VECTORS INLINE __m512i divided(__m512i v, unsigned by, __m512i *rest) {
    if (!(by & (by - 1))) {
        *rest = _mm512_and_epi32(v, set1(by - 1));
        return _mm512_srli_epi32(v, (unsigned)__builtin_ctz(by));
    }
    __m512 inverse = _mm512_set1_ps(1.0f / (float)by);
    __m512i quotient = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(v), inverse));
    *rest = _mm512_sub_epi32(v, _mm512_mullo_epi32(quotient, set1(by)));
    __mmask16 less = _mm512_movepi32_mask(*rest);
    *rest = _mm512_mask_add_epi32(*rest, less, *rest, set1(by));
    quotient = _mm512_mask_sub_epi32(quotient, less, quotient, set1(1));
    __mmask16 more = _mm512_cmpge_epi32_mask(*rest, set1(by));
    *rest = _mm512_mask_sub_epi32(*rest, more, *rest, set1(by));
    return _mm512_mask_add_epi32(quotient, more, quotient, set1(1));
}

/* Different ones among the lanes' numbers; on: half-warps of which the lane counts. */
VECTORS INLINE uint32_t distinct(__m512i numbers[LANES], const uint32_t on[LANES]) {
    uint32_t count = 0;
    __m512i most = _mm512_setzero_si512(), bits = most;
    UNROLL for (unsigned l = 0; l < LANES; l++) most =
        _mm512_mask_max_epu32(most, (__mmask16)on[l], most, numbers[l]);
    if (!_mm512_cmpge_epu32_mask(most, set1(MOST_IN_BITMAP))) {
        UNROLL for (unsigned l = 0; l < LANES; l++) bits =
            _mm512_or_epi32(bits, _mm512_maskz_sllv_epi32((__mmask16)on[l], set1(1), numbers[l]));
        count = sum_of(bits_of(bits));
        return (count & 0xffff) + (count >> 16);
    }
    UNROLL for (unsigned l = 0; l < LANES; l++) { /* those that do not count are different */
        numbers[l] = _mm512_mask_blend_epi32((__mmask16)on[l], set1(~l), numbers[l]);
        __m512i nearest = set1(~0u);
        UNROLL for (unsigned k = 0; k < l; k++) nearest =
            _mm512_min_epu32(nearest, _mm512_xor_epi32(numbers[l], numbers[k]));
        count += ones_in(on[l] & _mm512_test_epi32_mask(nearest, nearest));
    }
    return count;
}

/* Bytes of both vectors: one for each partition, in turn. */
VECTORS INLINE void add_partitions(const __m512i many[2], struct coalesced_counts *c) {
    for (unsigned p = 0; p < PARTITION_MOST; p += 4)
        for (unsigned odd = 0; odd < 2; odd++) {
            __m512i two = _mm512_srli_epi32(many[odd], p * 2);
            uint32_t all = sum_of(_mm512_and_epi32(two, set1(0x00ff00ff)));
            c->partitions[p / 2 + odd] += all & 0xffff;
            c->partitions[p / 2 + odd + 4] += all >> 16;
        }
}

/* Where transactions lie; on: half-warps of which the lane makes one. A half-warp's rows are
 * counted from where partitions begin to take turns before the lowest of its transactions. */
VECTORS INLINE void count_places(const struct side_by_side *s, const uint32_t on[LANES],
                                 unsigned partitions, struct coalesced_counts *c) {
    const __m512i four = set1(0x0f0f0f0f);
    __m512i rows[LANES], lowest = set1(~0u >> STEP_SHIFT), rest;
    __m512i sums = _mm512_setzero_si512(), many[2] = {sums, sums};
    UNROLL for (unsigned l = 0; l < LANES; l++) lowest = _mm512_mask_min_epu32(
        lowest, (__mmask16)on[l], lowest, _mm512_srli_epi32(s->at[l], STEP_SHIFT));
    divided(lowest, partitions, &rest);
    lowest = _mm512_sub_epi32(lowest, rest);
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        __m512i step = _mm512_sub_epi32(_mm512_srli_epi32(s->at[l], STEP_SHIFT), lowest), part;
        __m512i round = divided(_mm512_maskz_mov_epi32((__mmask16)on[l], step), partitions, &part);
        round = _mm512_and_epi32(round, set1(-(uint32_t)PARTITION_MOST));
        rows[l] = _mm512_or_epi32(round, part);
        sums = _mm512_add_epi32(
            sums, _mm512_maskz_sllv_epi32((__mmask16)on[l], set1(1), _mm512_slli_epi32(part, 2)));
        if (l % (LANES / 2) != LANES / 2 - 1) continue; /* four bits may be full soon */
        many[0] = _mm512_add_epi32(many[0], _mm512_and_epi32(sums, four));
        many[1] = _mm512_add_epi32(many[1], _mm512_and_epi32(_mm512_srli_epi32(sums, 4), four));
        sums = _mm512_setzero_si512();
    }
    add_partitions(many, c);
    c->rows += distinct(rows, on);
}

/* ---- global memory ---- */

/* What the sectors of a segment that are used, a bit each, come to: one transaction, of the least
 * size, in that size's field. */
VECTORS INLINE __m512i least_transactions(void) {
    enum {
        A = 1 << COALESCE_32 * FIELD,
        B = 1 << COALESCE_64 * FIELD,
        C = 1 << COALESCE_128 * FIELD
    };
    return _mm512_setr_epi32(0, A, A, B, A, C, C, C, A, C, C, C, B, C, C, C);
}

/* Half-warps whose lanes all have a segment of their own: those that lie in a column. */
VECTORS INLINE uint32_t in_column(const struct side_by_side *s, uint32_t alone) {
    UNROLL for (unsigned l = 1; l < LANES && alone; l++) {
        __m512i apart = _mm512_abs_epi32(_mm512_sub_epi32(s->at[l], s->at[l - 1]));
        alone = _mm512_mask_cmpeq_epi32_mask((__mmask16)alone, apart, set1(PITCH));
    }
    return alone;
}

INLINE void add_transactions(struct coalesced_counts *c, unsigned size, uint32_t count) {
    c->by_size[size] += count;
    c->rules[COALESCE_BY_SEGMENT].transactions += count;
    c->rules[COALESCE_BY_SEGMENT].moved += count << (SECTOR_SHIFT + size);
}

/* ---- few half-warps: one by one ---- */

/* count_places for one. */
VECTORS INLINE void count_place(__m512i at, uint32_t on, unsigned partitions,
                                struct coalesced_counts *c) {
    __m512i step = _mm512_srli_epi32(at, STEP_SHIFT), part;
    uint32_t lowest = _mm512_mask_reduce_min_epu32((__mmask16)on, step);
    step = _mm512_sub_epi32(step, set1(lowest - lowest % partitions));
    __m512i row = divided(_mm512_maskz_mov_epi32((__mmask16)on, step), partitions, &part);
    row = _mm512_or_epi32(_mm512_and_epi32(row, set1(-(uint32_t)PARTITION_MOST)), part);
    __m512i before = _mm512_and_epi32(_mm512_conflict_epi32(row), set1(on));
    c->rows += ones_in(_mm512_mask_testn_epi32_mask((__mmask16)on, before, before));
    for (unsigned p = 0; p < PARTITION_MOST; p += 4) { /* a byte each; others' are shifted out */
        __m512i by = _mm512_slli_epi32(_mm512_sub_epi32(part, set1(p)), 3);
        uint32_t sum = sum_of(_mm512_maskz_sllv_epi32((__mmask16)on, set1(1), by));
        for (unsigned n = 0; n < 4; n++) c->partitions[p + n] += sum >> n * 8 & 0xff;
    }
}

/* A half-warp's transactions, as least_transactions has them: the last lane of each segment knows
 * all of it. first: lanes that are the first ones of their segments. */
VECTORS INLINE uint32_t transactions_of(__m512i at, uint32_t mask, unsigned sectors,
                                        uint32_t *first) {
    __m512i sector = _mm512_srli_epi32(at, SECTOR_SHIFT);
    __m512i own = _mm512_sllv_epi32(set1(1), _mm512_and_epi32(sector, set1(sectors - 1)));
    __m512i before = _mm512_conflict_epi32(_mm512_and_epi32(sector, set1(-sectors))), used = own;
    before = _mm512_and_epi32(before, set1(mask));
    *first = _mm512_mask_testn_epi32_mask((__mmask16)mask, before, before);
    uint32_t last = mask & ~(uint32_t)_mm512_mask_reduce_or_epi32((__mmask16)mask, before);
    for (unsigned n = 0; *first != mask && n < sectors; n++) {
        __m512i bit = set1(1u << n), those = set1(_mm512_test_epi32_mask(own, bit));
        used = _mm512_mask_or_epi32(used, _mm512_test_epi32_mask(before, those), used, bit);
    }
    return sum_of(_mm512_maskz_permutexvar_epi32((__mmask16)last, used, least_transactions()));
}

VECTORS INLINE bool is_column(__m512i at) {
    __m512i apart = _mm512_sub_epi32(at, _mm512_alignr_epi32(at, at, LANES - 1));
    return _mm512_mask_cmpeq_epi32_mask(0xfffe, _mm512_abs_epi32(apart), set1(PITCH)) == 0xfffe;
}

VECTORS static void one_by_one(const struct counters_halves *h, unsigned sectors, unsigned least,
                               unsigned partitions, enum coalesce_rule rule,
                               struct coalesced_counts *c) {
    for (unsigned n = 0; n < h->count; n++) {
        __m512i at = _mm512_load_si512(h->at[n]);
        uint32_t on, fields = transactions_of(at, h->masks[n], sectors, &on), all = 0;
        for (unsigned size = 0; size < COALESCE_SIZES; size++) {
            uint32_t count = fields >> size * FIELD & ((1u << FIELD) - 1);
            add_transactions(c, size, count);
            all += count;
        }
        c->rules[COALESCE_BY_SEGMENT].coalesced += all <= least;
        if (all == LANES && is_column(at)) c->columns += LANES;
        if (rule == COALESCE_IN_ORDER) on = h->in_rows >> n & 1 ? 0 : h->masks[n];
        if (on) count_place(at, on, partitions, c);
    }
}

/* ---- many: lane by lane ---- */

VECTORS static void all_at_once(const struct counters_halves *h, unsigned sectors, unsigned least,
                                unsigned partitions, enum coalesce_rule rule,
                                struct coalesced_counts *c) {
    const __m512i field = set1((1u << FIELD) - 1);
    struct side_by_side s;
    __m512i segments[LANES], used[LANES], all = _mm512_setzero_si512();
    uint32_t on[LANES], first[LANES];
    turn(h, &s);
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        __m512i sector = _mm512_srli_epi32(s.at[l], SECTOR_SHIFT);
        on[l] = with_lane(&s, l);
        segments[l] = _mm512_and_epi32(sector, set1(-sectors));
        used[l] = _mm512_maskz_sllv_epi32((__mmask16)on[l], set1(1),
                                          _mm512_and_epi32(sector, set1(sectors - 1)));
    }
    __m512i sums = sum_groups(segments, used, least_transactions(), first);
    for (unsigned size = 0; size < COALESCE_SIZES; size++) {
        __m512i some = _mm512_and_epi32(_mm512_srli_epi32(sums, size * FIELD), field);
        all = _mm512_add_epi32(all, some);
        add_transactions(c, size, sum_of(some));
    }
    c->rules[COALESCE_BY_SEGMENT].coalesced +=
        ones_in(s.valid & _mm512_cmple_epu32_mask(all, set1(least)));
    c->columns += LANES * ones_in(in_column(&s, _mm512_cmpeq_epi32_mask(all, set1(LANES))));
    UNROLL for (unsigned l = 0; l < LANES; l++) on[l] =
        rule == COALESCE_IN_ORDER ? on[l] & ~h->in_rows : first[l];
    count_places(&s, on, partitions, c);
}

void counters_halves_global(struct counters_halves *h, unsigned bytes, unsigned partitions,
                            enum coalesce_rule rule, struct coalesced_counts *c) {
    unsigned sectors = bytes == 1 ? 1 : bytes == 2 ? 2 : 4, least = bytes == 16 ? 2 : 1;
    (h->count <= FEW ? one_by_one : all_at_once)(h, sectors, least, partitions, rule, c);
    h->count = h->in_rows = 0;
}

/* ---- private memory: words of 4 bytes lie beside those of the other lanes ---- */

/* A half-warp's part of a row of words is two sectors, of 8 lanes each. What its words come to:
 * transactions, and above LANES bits the sectors that they move. */
enum { ONE = 1 | 1 << LANES, TWO = 1 | 2 << LANES };

/* One half-warp by itself, as counters_halves_private returns it of many. */
VECTORS INLINE uint32_t words_of_half(__m512i words, uint32_t mask) {
    enum { EIGHT = 0xff };
    __m512i before = _mm512_and_epi32(_mm512_conflict_epi32(words), set1(mask));
    uint32_t first = _mm512_mask_testn_epi32_mask((__mmask16)mask, before, before), high;
    high = _mm512_mask_testn_epi32_mask((__mmask16)(mask & ~EIGHT), before, set1(~(uint32_t)EIGHT));
    return ones_in(first) | (ones_in(first & EIGHT) + ones_in(high)) << LANES;
}

VECTORS static __m512i words_one_by_one(const struct counters_halves *h) {
    uint32_t of[COUNTERS_HALVES] __attribute__((aligned(64))) = {0};
    for (unsigned n = 0; n < h->count; n++)
        of[n] = words_of_half(_mm512_load_si512(h->at[n]), h->masks[n]);
    return _mm512_load_si512(of);
}

/* Words that are close together: a bit each. */
VECTORS INLINE __m512i by_bits(const __m512i words[LANES], const uint32_t on[LANES],
                               __m512i lowest) {
    __m512i part[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()}, count[2];
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        __m512i *p = &part[l / (LANES / 2)];
        *p = _mm512_or_epi32(*p, _mm512_maskz_sllv_epi32((__mmask16)on[l], set1(1),
                                                         _mm512_sub_epi32(words[l], lowest)));
    }
    __m512i both = _mm512_and_epi32(part[0], part[1]), any = _mm512_or_epi32(part[0], part[1]);
    count[0] = bits_of(any);
    count[1] = _mm512_add_epi32(count[0], bits_of(both));
    for (unsigned n = 0; n < 2; n++)
        count[n] = _mm512_add_epi32(_mm512_and_epi32(count[n], set1(0xffff)),
                                    _mm512_srli_epi32(count[n], 16));
    return _mm512_or_epi32(count[0], _mm512_slli_epi32(count[1], LANES));
}

/* Any: each has a bit for either sector that it is in. */
VECTORS INLINE __m512i by_groups(const __m512i words[LANES], const uint32_t on[LANES]) {
    const __m512i table = _mm512_setr_epi32(0, ONE, ONE, TWO, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    __m512i bits[LANES];
    uint32_t first[LANES];
    UNROLL for (unsigned l = 0; l < LANES; l++) bits[l] =
        _mm512_maskz_mov_epi32((__mmask16)on[l], set1(l < LANES / 2 ? 1 : 2));
    return sum_groups(words, bits, table, first);
}

VECTORS static __m512i words_of(const struct counters_halves *h) {
    struct side_by_side s;
    __m512i lowest = set1(~0u), most = _mm512_setzero_si512();
    uint32_t on[LANES];
    turn(h, &s);
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        on[l] = with_lane(&s, l);
        lowest = _mm512_mask_min_epu32(lowest, (__mmask16)on[l], lowest, s.at[l]);
        most = _mm512_mask_max_epu32(most, (__mmask16)on[l], most, s.at[l]);
    }
    if (_mm512_mask_cmpge_epu32_mask((__mmask16)s.valid, _mm512_sub_epi32(most, lowest),
                                     set1(MOST_IN_BITMAP)))
        return by_groups(s.at, on);
    return by_bits(s.at, on, lowest);
}

VECTORS void counters_halves_private(struct counters_halves *h, enum coalesce_rule rule,
                                     struct coalesced_rule *c) {
    if (!h->count) return;
    __m512i sums = h->count <= FEW ? words_one_by_one(h) : words_of(h);
    uint32_t all = sum_of(sums), valid = (1u << h->count) - 1;
    uint32_t rows = valid & _mm512_cmpeq_epi32_mask(_mm512_and_epi32(sums, set1(0xffff)), set1(1));
    c->coalesced += ones_in(rows);
    if (rule == COALESCE_IN_ORDER) {
        uint32_t others = valid & ~rows;
        uint32_t lanes =
            sum_of(_mm512_maskz_mov_epi32((__mmask16)others, bits_of(_mm512_load_si512(h->masks))));
        c->transactions += ones_in(rows) + lanes;
        c->moved += (2 * ones_in(rows) + lanes) << SECTOR_SHIFT;
    } else {
        c->transactions += all & 0xffff;
        c->moved += (all >> LANES) << SECTOR_SHIFT;
    }
    h->count = h->in_rows = 0;
}
#endif
