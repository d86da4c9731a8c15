/* Digits: programs whose sizes are powers of two take indices apart and put them together by shifts
 * and bits,
 *
 *     x = i & (n - 1), y = i >> lg;  a[(y << lg) | k]
 *
 * What that comes to is seen in a launch, of which the sizes and arguments are known: the same by
 * sums, products, quotients and remainders, as others write it. Of a kernel for such launches
 * (device/run/digital.h) rows, strides and counters are then seen as of others. So is local memory
 * that each work-item has words of its own in: it is private there. */
#ifndef SIMTCL_DIGITS_H
#define SIMTCL_DIGITS_H

#include "device/analysis/ownwords.h"

/* What instructions become in a launch; all zeros: nothing is known. */
struct digits {
    struct digits_step *steps; /* one for each, owned; NULL: they stay what they are */
    bool numbers;              /* arguments are numbers in it: other launches may have other ones */
    uint32_t own_bytes;        /* of private memory more */
    struct ownwords_array own[OWNWORDS_ARRAYS];
    struct isa_kernel *kernel; /* the other one, owned; NULL: it has not been written */
};

/* Is there anything in the kernel that may be written otherwise in some launch? */
bool digits_may(const struct isa_kernel *k);
/* Of a kernel as compilers make it, in a launch. False: no memory. */
bool digits_find(struct digits *d, const struct isa_kernel *k, const struct affine_launch *l);
/* Writes that kernel. False: no memory. */
bool digits_write(struct digits *d, const struct isa_kernel *k);
void digits_free(struct digits *d);
/* Is it the same kernel in both launches? */
bool digits_same(const struct digits *a, const struct digits *b, const struct isa_kernel *k);

#endif
