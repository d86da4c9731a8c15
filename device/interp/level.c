#include "level.h"

#include <pthread.h>

static struct lanes_table lanes;
static struct level level;
static enum native_level most = NATIVE_AVX512;
static pthread_once_t chosen = PTHREAD_ONCE_INIT;

static void choose(void) {
    bool avx2 = most >= NATIVE_AVX2, avx512 = most >= NATIVE_AVX512;
    __builtin_cpu_init();
    avx2 = avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") &&
           __builtin_cpu_supports("lzcnt");
    avx512 = avx512 && avx2 && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
    level.lanes = &lanes;
    if (avx512) {
        lanes_fill_avx512(&lanes);
        level.math = &math_table_avx512;
        level.sampler_read = sampler_read_avx512;
        level.sampler_write = sampler_write_avx512;
        level.number = NATIVE_AVX512;
    } else if (avx2) {
        lanes_fill_avx2(&lanes);
        level.math = &math_table_avx2;
        level.sampler_read = sampler_read_avx2;
        level.sampler_write = sampler_write_avx2;
        level.number = NATIVE_AVX2;
    } else {
        lanes_fill_baseline(&lanes);
        level.math = &math_table_baseline;
        level.sampler_read = sampler_read_baseline;
        level.sampler_write = sampler_write_baseline;
    }
}

void level_limit(enum native_level limit) { most = limit; }

const struct level *level_get(void) {
    pthread_once(&chosen, choose);
    return &level;
}
