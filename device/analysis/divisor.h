/* Whole numbers that divide others. */
#ifndef SIMTCL_DIVISOR_H
#define SIMTCL_DIVISOR_H

#include <stdint.h>

/* The greatest that divides both, its sign aside; the other one where one is 0. */
static inline int64_t divisor_common(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
