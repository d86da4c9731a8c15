#include "counters_lanes.h"

#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"

#if defined __x86_64__
#include <immintrin.h>

enum { HALF = 16, WORD = 4 };

#define VECTORS                                                                                    \
    __attribute__((target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl,popcnt,bmi,lzcnt")))

bool counters_lanes_vectors(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

/* Of each lane: which of the mask's lanes before it have the same. */
VECTORS static inline __m512i same_before(__m512i v, uint32_t mask) {
    return _mm512_and_epi32(_mm512_conflict_epi32(v), _mm512_set1_epi32((int)mask));
}

VECTORS static inline uint32_t repeats(__m512i v, uint32_t mask) {
    __m512i before = same_before(v, mask);
    return _mm512_mask_test_epi32_mask((__mmask16)mask, before, before);
}

/* Steps of one request of a half-warp whose words differ, or are all one; 0: they are not. */
VECTORS static inline unsigned steps_of(__m512i words, uint32_t mask, bool write) {
    uint32_t again = repeats(words, mask), before[HALF];
    unsigned most = 0;
    if (again)
        return !write && again == (mask & (mask - 1)) &&
               _mm512_mask_cmpeq_epi32_mask(
                   (__mmask16)mask, words,
                   _mm512_permutexvar_epi32(_mm512_set1_epi32(__builtin_ctz(mask)), words)) == mask;
    __m512i in_bank = same_before(_mm512_and_epi32(words, _mm512_set1_epi32(BANKS - 1)), mask);
    uint32_t later = _mm512_mask_test_epi32_mask((__mmask16)mask, in_bank, in_bank);
    if (!later) return 1;
    _mm512_storeu_si512(before, in_bank);
    for (; later; later &= later - 1) {
        unsigned n = (unsigned)__builtin_popcount(before[__builtin_ctz(later)]);
        if (n > most) most = n;
    }
    return most + 1;
}

static void add_requests(struct banks_result *r, unsigned steps) {
    r->requests++;
    r->steps += steps;
    r->replays += steps - 1;
    if (r->degree < steps) r->degree = steps;
}

VECTORS static void banks(uint32_t mask, const uint32_t *addresses, unsigned bytes, bool write,
                          struct banks_result *r) {
    *r = (struct banks_result){0};
    for (unsigned h = 0; h < 2; h++) {
        uint32_t half = mask >> h * HALF & 0xffff;
        if (!half) continue;
        __m512i at = _mm512_andnot_epi32(_mm512_set1_epi32((int)bytes - 1),
                                         _mm512_loadu_si512(addresses + h * HALF));
        /* Of a wider object's words none differ in more than all: banks move along together. */
        unsigned steps = steps_of(_mm512_srli_epi32(at, 2), half, write);
        if (steps) {
            for (unsigned piece = 0; piece < bytes; piece += WORD) add_requests(r, steps);
            continue;
        }
        struct banks_result one;
        banks_warp(half << h * HALF, addresses, bytes, write, &one);
        r->requests += one.requests;
        r->steps += one.steps;
        r->replays += one.replays;
        if (r->degree < one.degree) r->degree = one.degree;
    }
}

VECTORS static uint32_t conflicts(uint32_t mask, const uint32_t *addresses) {
    __m512i low = _mm512_loadu_si512(addresses), high = _mm512_loadu_si512(addresses + HALF);
    uint32_t first = mask & 0xffff, second = mask >> HALF;
    uint32_t waits = repeats(high, second);
    for (uint32_t left = first; left; left &= left - 1) {
        __m512i one = _mm512_set1_epi32((int)addresses[__builtin_ctz(left)]);
        waits |= _mm512_mask_cmpeq_epi32_mask((__mmask16)second, high, one);
    }
    return (uint32_t)(__builtin_popcount(repeats(low, first)) + __builtin_popcount(waits));
}

VECTORS static uint32_t distinct(uint32_t mask, const uint32_t *addresses) {
    uint32_t count = 0;
    for (unsigned h = 0; h < 2; h++) {
        uint32_t half = mask >> h * HALF & 0xffff;
        __m512i at = _mm512_loadu_si512(addresses + h * HALF);
        count += (uint32_t)__builtin_popcount(half & ~repeats(at, half));
    }
    return count;
}
#else
bool counters_lanes_vectors(void) { return false; }
#define banks                      banks_warp
#define conflicts(mask, addresses) 0
#define distinct(mask, addresses)  0
#endif

void counters_lanes_banks(uint32_t mask, const uint32_t addresses[32], unsigned bytes, bool write,
                          struct banks_result *r) {
    if (counters_lanes_vectors())
        banks(mask, addresses, bytes, write, r);
    else
        banks_warp(mask, addresses, bytes, write, r);
}

uint32_t counters_lanes_conflicts(uint32_t mask, const uint32_t addresses[32]) {
    struct contention_result r;
    if (counters_lanes_vectors()) return conflicts(mask, addresses);
    contention_warp(mask, addresses, &r);
    return r.conflicts;
}

uint32_t counters_lanes_distinct(uint32_t mask, const uint32_t addresses[32]) {
    struct constant_port_result r;
    if (counters_lanes_vectors()) return distinct(mask, addresses);
    constant_port_warp(mask, addresses, &r);
    return r.reads;
}
