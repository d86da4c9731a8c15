#include "counters_halves.h"

#if defined __x86_64__
#include <immintrin.h>

enum {
    LANES = COUNTERS_HALVES_LANES,
    SECTOR_SHIFT = 5,
    SECTOR = 1 << SECTOR_SHIFT,
    STEP_SHIFT = 8,
    PITCH = 128, /* of lanes in a column */
    WORD = 4,
    FIELD = 8,       /* bits of a count in a word: half-warps of segments have 16 at most */
    FEW = 4,         /* half-warps that are looked at one by one */
    IN_BITMAP = 32,  /* rows of partitions that a word has bits for */
    MOST_BITMAPS = 8 /* beyond, each lane's is compared with each other's */
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

/* Of each of a word's four bytes what they come to in all words. */
VECTORS INLINE __m128i bytes_of(__m512i v) {
    const __m512i by_byte =
        _mm512_broadcast_i32x4(_mm_set_epi8(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0));
    v = _mm512_maddubs_epi16(_mm512_shuffle_epi8(v, by_byte), _mm512_set1_epi8(1));
    v = _mm512_madd_epi16(v, _mm512_set1_epi16(1));
    __m256i two = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
}

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

/* Of half-warps lanes, of lanes half-warps. */
VECTORS INLINE void turn(__m512i a[LANES], __m512i at[LANES]) {
    __m512i b[LANES];
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
        at[k] = _mm512_shuffle_i32x4(b[k], b[8 + k], 0x88);
        at[8 + k] = _mm512_shuffle_i32x4(b[k], b[8 + k], 0xdd);
    }
}

VECTORS INLINE __mmask16 with_lane(const struct side_by_side *s, unsigned lane) {
    return _mm512_test_epi32_mask(s->masks, set1(1u << lane));
}

/* Lanes are compared with those before them four at a time, so that none waits for the one before.
 */
enum { FOUR = 4 };

/* Leaves the lanes that are on in some half-warp, in their order: they are few where loops end for
 * one after the other. on: half-warps that have them; in the end those that are valid, and for the
 * rest of the lanes none. Returns how many. */
VECTORS INLINE unsigned keep_lanes(struct side_by_side *s, __mmask16 on[LANES]) {
    unsigned count = 0;
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        __mmask16 some = (__mmask16)(on[l] & s->valid);
        s->at[count] = s->at[l];
        on[count] = some;
        count += some != 0;
    }
    for (unsigned l = count; l < LANES; l++) on[l] = 0;
    return count;
}

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
 * the table, is summed. A lane that is off has no bits. lanes: of the first so many, a multiple of
 * FOUR. first: half-warps of which the lane is the first one of its group. */
VECTORS INLINE __m512i sum_groups(const __m512i keys[LANES], const __m512i bits[LANES],
                                  unsigned lanes, __m512i table, __mmask16 first[LANES]) {
    __m512i sum = _mm512_setzero_si512();
    UNROLL for (unsigned l = 0; l < lanes; l += FOUR) {
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

/* Different ones among the numbers of so many lanes; on: half-warps of which the lane counts. */
VECTORS INLINE uint32_t distinct(__m512i numbers[LANES], unsigned lanes,
                                 const __mmask16 on[LANES]) {
    uint32_t count = 0;
    __m512i most = _mm512_setzero_si512(), sum = most, none = most;
    UNROLL for (unsigned l = 0; l < lanes; l++) most =
        _mm512_mask_max_epu32(most, on[l], most, numbers[l]);
    if (!_mm512_cmpge_epu32_mask(most, set1(IN_BITMAP * MOST_BITMAPS))) {
        uint32_t begin = 0;
        do {
            __m512i bits = none, from = set1(begin);
            /* Numbers of other bitmaps are shifted out. */
            UNROLL for (unsigned l = 0; l < lanes; l++) bits = _mm512_or_epi32(
                bits, _mm512_maskz_sllv_epi32(on[l], set1(1), _mm512_sub_epi32(numbers[l], from)));
            sum = _mm512_add_epi32(sum, bits_of(bits));
            begin += IN_BITMAP;
        } while (_mm512_cmpge_epu32_mask(most, set1(begin)));
        count = sum_of(sum);
        return (count & 0xffff) + (count >> 16);
    }
    for (unsigned l = 0; l < lanes; l++) { /* those that do not count are different */
        numbers[l] = _mm512_mask_blend_epi32(on[l], set1(~l), numbers[l]);
        __m512i nearest = set1(~0u);
        for (unsigned k = 0; k < l; k++)
            nearest = _mm512_min_epu32(nearest, _mm512_xor_epi32(numbers[l], numbers[k]));
        count += ones_in(on[l] & _mm512_test_epi32_mask(nearest, nearest));
    }
    return count;
}

/* Bytes of both vectors: one for each partition, in turn. */
VECTORS INLINE void add_partitions(const __m512i many[2], struct coalesced_counts *c) {
    __m128i even = bytes_of(many[0]), odd = bytes_of(many[1]);
    __m128i sums[] = {_mm_unpacklo_epi32(even, odd), _mm_unpackhi_epi32(even, odd)};
    for (unsigned p = 0; p < PARTITION_MOST; p += 4) {
        void *at = &c->partitions[p];
        _mm_storeu_si128(at, _mm_add_epi32(_mm_loadu_si128(at), sums[p / 4]));
    }
}
_Static_assert(PARTITION_MOST == 8, "two vectors of four");

/* Where transactions of so many lanes lie; on: half-warps of which the lane makes one. A
 * half-warp's rows are counted from where partitions begin to take turns before the lowest of its
 * transactions.
 */
VECTORS INLINE void count_places(const __m512i at[LANES], unsigned lanes, const __mmask16 on[LANES],
                                 unsigned partitions, struct coalesced_counts *c) {
    const __m512i four = set1(0x0f0f0f0f), one = set1(1);
    const __m512i turns = set1(-(uint32_t)PARTITION_MOST);
    __m512i rows[LANES], lowest = set1(~0u >> STEP_SHIFT), rest;
    __m512i sums = _mm512_setzero_si512(), many[2] = {sums, sums};
    UNROLL for (unsigned l = 0; l < lanes; l++) lowest =
        _mm512_mask_min_epu32(lowest, on[l], lowest, _mm512_srli_epi32(at[l], STEP_SHIFT));
    divided(lowest, partitions, &rest);
    lowest = _mm512_sub_epi32(lowest, rest);
    UNROLL for (unsigned l = 0; l < lanes; l++) {
        __m512i step = _mm512_sub_epi32(_mm512_srli_epi32(at[l], STEP_SHIFT), lowest), part;
        __m512i round = divided(_mm512_maskz_mov_epi32(on[l], step), partitions, &part);
        rows[l] = _mm512_or_epi32(_mm512_and_epi32(round, turns), part);
        sums = _mm512_mask_add_epi32(sums, on[l], sums,
                                     _mm512_sllv_epi32(one, _mm512_slli_epi32(part, 2)));
        bool full = l % (LANES / 2) == LANES / 2 - 1; /* four bits may be soon */
        if (!full && l + 1 != lanes) continue;
        many[0] = _mm512_add_epi32(many[0], _mm512_and_epi32(sums, four));
        many[1] = _mm512_add_epi32(many[1], _mm512_and_epi32(_mm512_srli_epi32(sums, 4), four));
        sums = _mm512_setzero_si512();
    }
    add_partitions(many, c);
    c->rows += distinct(rows, lanes, on);
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

/* What is the same for all half-warps. */
struct halves_request {
    unsigned bytes, sectors, least, partitions;
    enum coalesce_rule rule;
    __m512i low_bits; /* of addresses: bytes within a word */
};

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

/* Half-warp n of those that are kept. */
VECTORS INLINE void one_half(const struct halves_request *r, __m512i at, uint32_t mask, bool placed,
                             struct coalesced_counts *c) {
    uint32_t on, fields = transactions_of(at, mask, r->sectors, &on), all = 0;
    for (unsigned size = 0; size < COALESCE_SIZES; size++) {
        uint32_t count = fields >> size * FIELD & ((1u << FIELD) - 1);
        add_transactions(c, size, count);
        all += count;
    }
    c->rules[COALESCE_BY_SEGMENT].coalesced += all <= r->least;
    if (all == LANES && is_column(at)) c->columns += LANES;
    if (r->rule == COALESCE_IN_ORDER) on = placed ? mask : 0;
    if (on) count_place(at, on, r->partitions, c);
}

/* ---- many: lane by lane ---- */

/* For the first so many lanes, a multiple of FOUR; on: half-warps that have them. lanes, and
 * whether the partitions' number is a power of two, are constants where this is called. */
VECTORS INLINE void lane_by_lane(const struct side_by_side *s, uint32_t placed,
                                 const __mmask16 on[LANES], const struct halves_request *r,
                                 unsigned lanes, unsigned partitions, struct coalesced_counts *c) {
    const __m512i field = set1((1u << FIELD) - 1);
    __m512i segments[LANES], used[LANES], all = _mm512_setzero_si512();
    __mmask16 first[LANES];
    UNROLL for (unsigned l = 0; l < lanes; l++) {
        __m512i sector = _mm512_srli_epi32(s->at[l], SECTOR_SHIFT);
        segments[l] = _mm512_and_epi32(sector, set1(-r->sectors));
        used[l] =
            _mm512_maskz_sllv_epi32(on[l], set1(1), _mm512_and_epi32(sector, set1(r->sectors - 1)));
    }
    __m512i sums = sum_groups(segments, used, lanes, least_transactions(), first);
    uint32_t by_size[4] __attribute__((aligned(16)));
    _mm_store_si128((void *)by_size, bytes_of(sums));
    for (unsigned size = 0; size < COALESCE_SIZES; size++) {
        all = _mm512_add_epi32(all, _mm512_and_epi32(_mm512_srli_epi32(sums, size * FIELD), field));
        add_transactions(c, size, by_size[size]);
    }
    c->rules[COALESCE_BY_SEGMENT].coalesced +=
        ones_in(s->valid & _mm512_cmple_epu32_mask(all, set1(r->least)));
    if (lanes == LANES)
        c->columns += LANES * ones_in(in_column(s, _mm512_cmpeq_epi32_mask(all, set1(LANES))));
    if (r->rule == COALESCE_IN_ORDER) {
        UNROLL for (unsigned l = 0; l < lanes; l++) first[l] = (__mmask16)(on[l] & placed);
    }
    count_places(s->at, lanes, first, partitions, c);
}

/* on: as keep_lanes takes it. placed: of COALESCE_IN_ORDER, half-warps whose partitions are to be
 * counted. */
VECTORS static void all_at_once(struct side_by_side *s, __mmask16 on[LANES], uint32_t placed,
                                const struct halves_request *r, struct coalesced_counts *c) {
    unsigned lanes = keep_lanes(s, on);
    switch (r->partitions == PARTITION_MOST ? (lanes + FOUR - 1) / FOUR : 0) {
    case 1: lane_by_lane(s, placed, on, r, FOUR, PARTITION_MOST, c); break;
    case 2: lane_by_lane(s, placed, on, r, 2 * FOUR, PARTITION_MOST, c); break;
    case 3: lane_by_lane(s, placed, on, r, 3 * FOUR, PARTITION_MOST, c); break;
    case 4: lane_by_lane(s, placed, on, r, LANES, PARTITION_MOST, c); break;
    default: lane_by_lane(s, placed, on, r, LANES, r->partitions, c);
    }
}

/* ---- rows ---- */

/* The transactions of a row, which lie in one row of a partition's banks. */
static void add_row(struct coalesced_counts *c, const struct halves_request *r, uint32_t at) {
    c->partitions[partition_linear(at, r->partitions)] += r->least;
    c->rows++;
}

/* Half-warps whose lanes that are on lie in a row that begins where rows do; where it begins. */
VECTORS INLINE uint32_t find_rows(const struct side_by_side *s, const __mmask16 on[LANES],
                                  unsigned bytes, __m512i *begin) {
    __m512i most = _mm512_setzero_si512(), by = most;
    *begin = set1(~0u);
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        __m512i row = _mm512_sub_epi32(s->at[l], by);
        *begin = _mm512_mask_min_epu32(*begin, on[l], *begin, row);
        most = _mm512_mask_max_epu32(most, on[l], most, row);
        by = _mm512_add_epi32(by, set1(bytes));
    }
    uint32_t aligned = _mm512_testn_epi32_mask(*begin, set1(LANES * bytes - 1));
    return aligned & _mm512_mask_cmpeq_epi32_mask((__mmask16)s->valid, *begin, most);
}

/* What rows are by COALESCE_IN_ORDER, and those of which all lanes are on, by segment, too. alone:
 * lanes that are in none. */
VECTORS INLINE void count_rows(const struct halves_request *r, uint32_t rows, uint32_t full,
                               uint32_t alone, __m512i begin, struct coalesced_counts *c) {
    struct coalesced_rule *order = &c->rules[COALESCE_IN_ORDER];
    struct coalesced_rule *segment = &c->rules[COALESCE_BY_SEGMENT];
    uint32_t begins[COUNTERS_HALVES] __attribute__((aligned(64)));
    order->coalesced += ones_in(rows);
    order->transactions += ones_in(rows) * r->least + alone;
    order->moved += ones_in(rows) * LANES * r->bytes + (alone << SECTOR_SHIFT);
    if (!rows) return;
    segment->coalesced += ones_in(full);
    segment->transactions += ones_in(full) * r->least;
    segment->moved += ones_in(full) * LANES * r->bytes;
    c->by_size[r->bytes == WORD ? (unsigned)COALESCE_64 : (unsigned)COALESCE_128] +=
        ones_in(full) * r->least;
    _mm512_store_si512(begins, begin);
    for (uint32_t left = r->rule == COALESCE_IN_ORDER ? rows : full; left; left &= left - 1)
        add_row(c, r, begins[__builtin_ctz(left)]);
}

VECTORS INLINE __m512i read_half(const struct counted_lanes *lanes, uint32_t n, unsigned half,
                                 const struct halves_request *r) {
    __m512i at = _mm512_loadu_si512(lanes->addresses[n] + half * LANES);
    return _mm512_andnot_epi32(r->low_bits, _mm512_add_epi32(at, set1(lanes->by)));
}

/* Of up to sixteen accesses from n on one half. */
VECTORS static void count_sixteen(const struct counted_lanes *lanes, uint32_t n, unsigned half,
                                  const struct halves_request *r, struct coalesced_counts *c) {
    uint32_t count = lanes->count - n;
    if (count > COUNTERS_HALVES) count = COUNTERS_HALVES;
    struct side_by_side s = {.valid = (1u << count) - 1};
    __m512i a[LANES], begin = _mm512_setzero_si512();
    s.masks = _mm512_maskz_loadu_epi32((__mmask16)s.valid, lanes->masks + n);
    s.masks = half ? _mm512_srli_epi32(s.masks, LANES) : _mm512_and_epi32(s.masks, set1(0xffff));
    s.valid &= _mm512_test_epi32_mask(s.masks, s.masks);
    if (!s.valid) return;
    UNROLL for (unsigned k = 0; k < LANES; k++) a[k] =
        k < count ? read_half(lanes, n + k, half, r) : _mm512_setzero_si512();
    turn(a, s.at);
    __mmask16 on[LANES];
    UNROLL for (unsigned l = 0; l < LANES; l++) on[l] = with_lane(&s, l);
    uint32_t rows = r->bytes < WORD ? 0 : find_rows(&s, on, r->bytes, &begin);
    uint32_t full = rows & _mm512_cmpeq_epi32_mask(s.masks, set1(0xffff));
    __m512i alone = _mm512_maskz_mov_epi32((__mmask16)(s.valid & ~rows), bits_of(s.masks));
    c->halfwarps += ones_in(s.valid);
    count_rows(r, rows, full, sum_of(alone), begin, c);
    s.valid &= ~full;
    if (ones_in(s.valid) > FEW) {
        all_at_once(&s, on, ~rows, r, c);
        return;
    }
    for (uint32_t left = s.valid; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(left);
        uint32_t mask = lanes->masks[n + k] >> half * LANES & 0xffff;
        one_half(r, read_half(lanes, n + k, half, r), mask, !(rows >> k & 1), c);
    }
}

VECTORS void counters_halves_global(const struct counted_lanes *lanes, unsigned bytes,
                                    unsigned partitions, enum coalesce_rule rule,
                                    struct coalesced_counts *c) {
    const struct halves_request r = {.bytes = bytes,
                                     .sectors = bytes == 1   ? 1
                                                : bytes == 2 ? 2
                                                             : 4,
                                     .least = bytes == 16 ? 2 : 1,
                                     .partitions = partitions,
                                     .rule = rule,
                                     .low_bits = set1(bytes - 1)};
    for (uint32_t n = 0; n < lanes->count; n += COUNTERS_HALVES)
        for (unsigned half = 0; half < 2; half++) count_sixteen(lanes, n, half, &r, c);
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
    __mmask16 first[LANES];
    UNROLL for (unsigned l = 0; l < LANES; l++) bits[l] =
        _mm512_maskz_mov_epi32((__mmask16)on[l], set1(l < LANES / 2 ? 1 : 2));
    return sum_groups(words, bits, LANES, table, first);
}

VECTORS static __m512i words_of(const struct counters_halves *h) {
    struct side_by_side s = {.valid = (1u << h->count) - 1};
    __m512i a[LANES], lowest = set1(~0u), most = _mm512_setzero_si512();
    uint32_t on[LANES];
    s.masks = _mm512_maskz_load_epi32((__mmask16)s.valid, h->masks);
    UNROLL for (unsigned n = 0; n < LANES; n++) a[n] =
        n < h->count ? _mm512_load_si512(h->at[n]) : _mm512_setzero_si512();
    turn(a, s.at);
    UNROLL for (unsigned l = 0; l < LANES; l++) {
        on[l] = with_lane(&s, l);
        lowest = _mm512_mask_min_epu32(lowest, (__mmask16)on[l], lowest, s.at[l]);
        most = _mm512_mask_max_epu32(most, (__mmask16)on[l], most, s.at[l]);
    }
    if (_mm512_mask_cmpge_epu32_mask((__mmask16)s.valid, _mm512_sub_epi32(most, lowest),
                                     set1(IN_BITMAP)))
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
    h->count = 0;
}
#endif
