/* Lanes as vectors of the level's width, and the words of texels in them: for loops whose values
 * must stay in vector registers from the first step to the last. */
#ifndef SIMTCL_LANES_BLOCKS_H
#define SIMTCL_LANES_BLOCKS_H

#include "rounding.h"

/* Lanes of a block. */
enum { BLOCK = LEVEL_BYTES / 4 };
#define BLOCK_LANES ((uint32_t)((1ull << BLOCK) - 1))

#define EACH_BLOCK for (int lane = 0; lane < ISA_WARP; lane += BLOCK)

typedef float block_reals __attribute__((vector_size(LEVEL_BYTES)));
typedef int32_t block_ints __attribute__((vector_size(LEVEL_BYTES)));
typedef uint32_t block_words __attribute__((vector_size(LEVEL_BYTES)));

ALWAYS block_words block_load(const uint32_t *from) { return *(const block_words *)from; }
ALWAYS block_reals block_load_reals(const float *from) { return *(const block_reals *)from; }
ALWAYS void block_store(uint32_t *to, block_words v) { *(block_words *)to = v; }
ALWAYS void block_store_reals(float *to, block_reals v) { *(block_reals *)to = v; }
ALWAYS block_words block_splat(uint32_t v) { return (block_words){0} + v; }
ALWAYS block_reals block_splat_real(float v) { return (block_reals){0} + v; }
ALWAYS block_reals block_to_reals(block_ints v) { return __builtin_convertvector(v, block_reals); }
ALWAYS block_ints block_to_ints(block_reals v) { return __builtin_convertvector(v, block_ints); }

/* mask: all ones or zero in each lane */
ALWAYS block_words block_select(block_ints mask, block_words yes, block_words no) {
    block_words m = (block_words)mask;
    return (yes & m) | (no & ~m);
}
ALWAYS block_reals block_select_reals(block_ints mask, block_reals yes, block_reals no) {
    return (block_reals)block_select(mask, (block_words)yes, (block_words)no);
}
ALWAYS block_ints block_select_ints(block_ints mask, block_ints yes, block_ints no) {
    return (block_ints)block_select(mask, (block_words)yes, (block_words)no);
}

ALWAYS block_reals block_magnitude(block_reals v) {
    return (block_reals)((block_words)v & 0x7fffffffu);
}

/* As rounding.h has them, which gives the same bits. */
ALWAYS block_reals block_floor(block_reals v) {
#if defined(__AVX512F__)
    return (block_reals)_mm512_roundscale_ps((__m512)v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (block_reals)_mm256_floor_ps((__m256)v);
#else
    for (int i = 0; i < BLOCK; i++) v[i] = floor_f(v[i]);
    return v;
#endif
}
ALWAYS block_reals block_rint(block_reals v) {
#if defined(__AVX512F__)
    return (block_reals)_mm512_roundscale_ps((__m512)v,
                                             _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (block_reals)_mm256_round_ps((__m256)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    for (int i = 0; i < BLOCK; i++) v[i] = rint_f(v[i]);
    return v;
#endif
}

ALWAYS block_ints block_splat_int(int32_t v) { return (block_ints){0} + v; }
ALWAYS block_ints block_clamp(block_ints v, int32_t low, int32_t high) {
    block_ints l = block_splat_int(low), h = block_splat_int(high);
#if defined(__AVX512F__)
    return (block_ints)_mm512_min_epi32(_mm512_max_epi32((__m512i)v, (__m512i)l), (__m512i)h);
#elif defined(__AVX2__)
    return (block_ints)_mm256_min_epi32(_mm256_max_epi32((__m256i)v, (__m256i)l), (__m256i)h);
#else
    v = block_select_ints(v < l, l, v);
    return block_select_ints(v > h, h, v);
#endif
}

/* a where it is less (more) than b, otherwise b, also where one is a NaN: what x86's minimum
 * (maximum) gives. */
ALWAYS block_reals block_least(block_reals a, block_reals b) {
#if defined(__AVX512F__)
    return (block_reals)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (block_reals)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return block_select_reals(a < b, a, b);
#endif
}
ALWAYS block_reals block_most(block_reals a, block_reals b) {
#if defined(__AVX512F__)
    return (block_reals)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (block_reals)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return block_select_reals(a > b, a, b);
#endif
}

/* 0, 1, 2 ... */
ALWAYS block_words block_ramp(void) {
    static const uint32_t ramp[16]
        __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return block_load(ramp);
}

/* One bit for each lane whose mask is set. */
ALWAYS uint32_t block_bits(block_ints mask) { return (uint32_t)bits_4((level_vector)mask); }

/* Whether texels lie one behind the other, as they do for most accesses of most kernels. `step` is
 * their size, or less 0 where the last comes first. */
ALWAYS bool block_is_row(block_words address, uint32_t step) {
    block_words row = block_splat(address[0]) + block_ramp() * step;
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi32_mask((__m512i)address, (__m512i)row) == BLOCK_LANES;
#else
    return block_bits((block_ints)(address == row)) == BLOCK_LANES;
#endif
}

ALWAYS block_words block_reversed(block_words v) {
    block_words back = v;
    for (int i = 0; i < BLOCK; i++) back[i] = v[BLOCK - 1 - i];
    return back;
}

/* The 32-bit word at each lane's address. */
ALWAYS GUEST block_words block_gather(const char *base, block_words address) {
#if defined(__AVX512F__)
    return (block_words)_mm512_i32gather_epi32((__m512i)address, base, 1);
#elif defined(__AVX2__)
    return (block_words)_mm256_i32gather_epi32((const int *)(const void *)base, (__m256i)address,
                                               1);
#else
    block_words v;
    for (int i = 0; i < BLOCK; i++) {
        uint32_t word;
        memcpy(&word, base + (int32_t)address[i], sizeof word);
        v[i] = word;
    }
    return v;
#endif
}

/* The words of texels in a row: of `bytes` each (a constant). */
ALWAYS GUEST void block_fetch_row(const char *from, unsigned bytes, block_words words[4]) {
    if (bytes == 4) {
        memcpy(&words[0], from, sizeof words[0]);
    } else if (bytes > 4) {
        uint32_t all[4 * BLOCK];
        memcpy(all, from, BLOCK * bytes);
        for (unsigned k = 0; k < bytes / 4; k++)
            for (unsigned i = 0; i < BLOCK; i++) words[k][i] = all[i * (bytes / 4) + k];
    } else if (bytes == 2) {
        typedef uint16_t halves __attribute__((vector_size(LEVEL_BYTES / 2)));
        halves v;
        memcpy(&v, from, sizeof v);
        words[0] = __builtin_convertvector(v, block_words);
    } else {
        typedef uint8_t parts __attribute__((vector_size(LEVEL_BYTES / 4)));
        parts v;
        memcpy(&v, from, sizeof v);
        words[0] = __builtin_convertvector(v, block_words);
    }
}

/* The words of the texels at `address`. Small ones lie in an aligned word, which a page has or has
 * not as a whole; what else is in it stays above them. */
ALWAYS GUEST void block_fetch(const char *base, block_words address, unsigned bytes,
                              block_words words[4]) {
    if (block_is_row(address, bytes)) {
        block_fetch_row(base + (int32_t)address[0], bytes, words);
    } else if (block_is_row(address, 0 - bytes)) {
        block_fetch_row(base + (int32_t)address[BLOCK - 1], bytes, words);
        for (unsigned k = 0; k < (bytes + 3) / 4; k++) words[k] = block_reversed(words[k]);
    } else if (bytes >= 4) {
        for (unsigned k = 0; k < bytes / 4; k++) words[k] = block_gather(base, address + 4 * k);
    } else {
        words[0] = block_gather(base, address & ~3u) >> (address % 4 * 8);
    }
}

ALWAYS GUEST void block_put_row(char *to, unsigned bytes, const block_words words[4]) {
    if (bytes == 4) {
        memcpy(to, &words[0], sizeof words[0]);
    } else if (bytes > 4) {
        uint32_t all[4 * BLOCK];
        for (unsigned k = 0; k < bytes / 4; k++)
            for (unsigned i = 0; i < BLOCK; i++) all[i * (bytes / 4) + k] = words[k][i];
        memcpy(to, all, BLOCK * bytes);
    } else if (bytes == 2) {
        typedef uint16_t halves __attribute__((vector_size(LEVEL_BYTES / 2)));
        halves v = __builtin_convertvector(words[0], halves);
        memcpy(to, &v, sizeof v);
    } else {
        typedef uint8_t parts __attribute__((vector_size(LEVEL_BYTES / 4)));
        parts v = __builtin_convertvector(words[0], parts);
        memcpy(to, &v, sizeof v);
    }
}

/* Stores the texels of the lanes in `on`, the highest one last. */
ALWAYS GUEST void block_put(char *base, block_words address, unsigned bytes,
                            const block_words words[4], uint32_t on) {
    if (on == BLOCK_LANES && block_is_row(address, bytes)) {
        block_put_row(base + (int32_t)address[0], bytes, words);
        return;
    }
#if defined(__AVX512F__)
    if (bytes >= 4) {
        for (unsigned k = 0; k < bytes / 4; k++)
            _mm512_mask_i32scatter_epi32(base, (__mmask16)on, (__m512i)(address + 4 * k),
                                         (__m512i)words[k], 1);
        return;
    }
#endif
    uint32_t at[BLOCK], parts[4][BLOCK];
    memcpy(at, &address, sizeof at);
    for (unsigned k = 0; k < (bytes + 3) / 4; k++) memcpy(parts[k], &words[k], sizeof parts[k]);
    EACH_ACTIVE(i, on) {
        char *to = base + (int32_t)at[i];
        if (bytes < 4) {
            memcpy(to, &parts[0][i], bytes);
            continue;
        }
        for (unsigned k = 0; k < bytes / 4; k++) memcpy(to + 4 * k, &parts[k][i], 4);
    }
}

#endif
