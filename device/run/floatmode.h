/* A thread's floating point while it runs kernels: nearest even, no traps; denormals flushed as the
 * device does, except that kernels with doubles keep them (device-model.md, floating point). */
#ifndef SIMTCL_FLOATMODE_H
#define SIMTCL_FLOATMODE_H

#include <stdbool.h>
#include <stdint.h>

#if defined __x86_64__
#include <xmmintrin.h>

typedef unsigned floatmode;
static inline floatmode floatmode_enter(bool flush) {
    floatmode before = _mm_getcsr();
    _mm_setcsr(0x1f80 | (flush ? 0x8040 : 0)); /* all masked; FTZ, DAZ */
    return before;
}
static inline void floatmode_leave(floatmode before) { _mm_setcsr(before); }
#elif defined __aarch64__
typedef uint64_t floatmode;
static inline floatmode floatmode_enter(bool flush) {
    floatmode before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)flush << 24)); /* FZ */
    return before;
}
static inline void floatmode_leave(floatmode before) {
    __asm__ volatile("msr fpcr, %0" ::"r"(before));
}
#else
typedef int floatmode;
static inline floatmode floatmode_enter(bool flush) { return flush; }
static inline void floatmode_leave(floatmode before) { (void)before; }
#endif

#endif
