#include "counters_lanes.h"

#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"

static void add_banks(struct banks_result *r, const struct banks_result *one) {
    r->requests += one->requests;
    r->steps += one->steps;
    r->replays += one->replays;
    if (r->degree < one->degree) r->degree = one->degree;
}

#if defined __x86_64__
#include <immintrin.h>

enum { HALF = 16, WORD = 4 };

#define VECTORS COUNTERS_LANES_VECTORS

bool counters_lanes_vectors(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

VECTORS static inline __m512i half_of(const struct counted_lanes *lanes, uint32_t n, unsigned h) {
    return _mm512_add_epi32(_mm512_loadu_si512(lanes->addresses[n] + h * HALF),
                            _mm512_set1_epi32((int)lanes->by));
}

/* Of each lane: which of the mask's lanes before it have the same. */
VECTORS static inline __m512i same_before(__m512i v, uint32_t mask) {
    return _mm512_and_epi32(_mm512_conflict_epi32(v), _mm512_set1_epi32((int)mask));
}

VECTORS static inline uint32_t repeats(__m512i v, uint32_t mask) {
    __m512i before = same_before(v, mask);
    return _mm512_mask_test_epi32_mask((__mmask16)mask, before, before);
}

/* Which lanes meet, of a half-warp's words: kept, as accesses of one place often differ only in
 * where they begin and in who is on. */
struct bank_pattern {
    bool known, words_known;
    __m512i at;
    __m512i in_bank, in_word; /* of each lane: those before it with the same bank, or word */
};

VECTORS static inline void find_pattern(struct bank_pattern *p, __m512i words) {
    __m512i by = _mm512_sub_epi32(words, p->at);
    __m512i first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(by));
    if (p->known && _mm512_cmpeq_epi32_mask(by, first) == 0xffff) return;
    p->in_bank = _mm512_conflict_epi32(_mm512_and_epi32(words, _mm512_set1_epi32(BANKS - 1)));
    p->at = words;
    p->known = true;
    p->words_known = false;
}

VECTORS static inline bool meet_in_word(struct bank_pattern *p, __m512i words, uint32_t mask) {
    if (!p->words_known) p->in_word = _mm512_conflict_epi32(words);
    p->words_known = true;
    return _mm512_mask_test_epi32_mask((__mmask16)mask, p->in_word, _mm512_set1_epi32((int)mask));
}

/* Steps of one request of a half-warp whose words differ, or are all one; 0: they are not. */
VECTORS static inline unsigned steps_of(struct bank_pattern *p, __m512i words, uint32_t mask,
                                        bool write) {
    __m512i lowest = _mm512_permutexvar_epi32(_mm512_set1_epi32(__builtin_ctz(mask)), words);
    unsigned steps = 1;
    if (!write && _mm512_mask_cmpeq_epi32_mask((__mmask16)mask, words, lowest) == mask) return 1;
    find_pattern(p, words);
    __m512i in_bank = _mm512_and_epi32(p->in_bank, _mm512_set1_epi32((int)mask));
    if (!_mm512_mask_test_epi32_mask((__mmask16)mask, in_bank, in_bank)) return 1;
    if (meet_in_word(p, words, mask)) return 0;
    /* As many as the most lanes before one in its bank, and that one. */
    while (_mm512_mask_test_epi32_mask((__mmask16)mask, in_bank, in_bank)) {
        in_bank = _mm512_and_epi32(in_bank, _mm512_sub_epi32(in_bank, _mm512_set1_epi32(1)));
        steps++;
    }
    return steps;
}

VECTORS static void banks(const struct counted_lanes *lanes, unsigned bytes, bool write,
                          struct banks_result *r) {
    __m512i low_bits = _mm512_set1_epi32((int)bytes - 1);
    unsigned requests = bytes > WORD ? bytes / WORD : 1;
    struct bank_pattern patterns[2];
    patterns[0].known = patterns[1].known = false;
    patterns[0].at = patterns[1].at = _mm512_setzero_si512();
    for (uint32_t n = 0; n < lanes->count; n++)
        for (unsigned h = 0; h < 2; h++) {
            uint32_t mask = lanes->masks[n] >> h * HALF & 0xffff;
            if (!mask) continue;
            __m512i places = _mm512_andnot_epi32(low_bits, half_of(lanes, n, h));
            /* Of a wider object's words none differ in more than all: banks move along together. */
            unsigned steps = steps_of(&patterns[h], _mm512_srli_epi32(places, 2), mask, write);
            struct banks_result one = {.requests = requests,
                                       .steps = requests * steps,
                                       .replays = requests * (steps - 1),
                                       .degree = steps};
            if (!steps) {
                uint32_t at[ISA_WARP] = {0};
                _mm512_storeu_si512(at, places);
                banks_warp(mask, at, bytes, write, &one);
            }
            add_banks(r, &one);
        }
}

VECTORS static uint32_t conflicts_of(const struct counted_lanes *lanes, uint32_t n) {
    __m512i low = half_of(lanes, n, 0), high = half_of(lanes, n, 1);
    uint32_t first = lanes->masks[n] & 0xffff, second = lanes->masks[n] >> HALF;
    uint32_t waits = repeats(high, second);
    for (uint32_t left = second ? first : 0; left; left &= left - 1) {
        __m512i one = _mm512_permutexvar_epi32(_mm512_set1_epi32(__builtin_ctz(left)), low);
        waits |= _mm512_mask_cmpeq_epi32_mask((__mmask16)second, high, one);
    }
    return (uint32_t)(__builtin_popcount(repeats(low, first)) + __builtin_popcount(waits));
}

VECTORS static uint32_t conflicts(const struct counted_lanes *lanes) {
    uint32_t sum = 0;
    for (uint32_t n = 0; n < lanes->count; n++) sum += conflicts_of(lanes, n);
    return sum;
}

VECTORS static uint32_t distinct(const struct counted_lanes *lanes) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < lanes->count; n++)
        for (unsigned h = 0; h < 2; h++) {
            uint32_t mask = lanes->masks[n] >> h * HALF & 0xffff;
            if (mask)
                count += (uint32_t)__builtin_popcount(mask & ~repeats(half_of(lanes, n, h), mask));
        }
    return count;
}
#else
bool counters_lanes_vectors(void) { return false; }
#define banks(lanes, bytes, write, r) ((void)0)
#define conflicts(lanes)              0
#define distinct(lanes)               0
#endif

static void moved(const struct counted_lanes *lanes, uint32_t n, uint32_t *at) {
    for (unsigned l = 0; l < ISA_WARP; l++) at[l] = lanes->addresses[n][l] + lanes->by;
}

void counters_lanes_banks(const struct counted_lanes *lanes, unsigned bytes, bool write,
                          struct banks_result *r) {
    *r = (struct banks_result){0};
    if (counters_lanes_vectors()) {
        banks(lanes, bytes, write, r);
        return;
    }
    for (uint32_t n = 0; n < lanes->count; n++) {
        uint32_t at[ISA_WARP];
        struct banks_result one;
        moved(lanes, n, at);
        banks_warp(lanes->masks[n], at, bytes, write, &one);
        add_banks(r, &one);
    }
}

uint32_t counters_lanes_conflicts(const struct counted_lanes *lanes) {
    uint32_t sum = 0;
    if (counters_lanes_vectors()) return conflicts(lanes);
    for (uint32_t n = 0; n < lanes->count; n++) {
        uint32_t at[ISA_WARP];
        struct contention_result r;
        moved(lanes, n, at);
        contention_warp(lanes->masks[n], at, &r);
        sum += r.conflicts;
    }
    return sum;
}

uint32_t counters_lanes_distinct(const struct counted_lanes *lanes) {
    uint32_t sum = 0;
    if (counters_lanes_vectors()) return distinct(lanes);
    for (uint32_t n = 0; n < lanes->count; n++) {
        uint32_t at[ISA_WARP];
        struct constant_port_result r;
        moved(lanes, n, at);
        constant_port_warp(lanes->masks[n], at, &r);
        sum += r.reads;
    }
    return sum;
}
