/* A kernel whose work-items do several elements each, one behind the other,
 *
 *     x = get_global_id(0) * 4;  element(x);  element(x + 1);  element(x + 2);  element(x + 3);
 *
 * or as many work-items apart as there are, as one that goes on in strides of an ND-range that is
 * so many times as long: it can be unfolded. Private to unfold.c. */
#ifndef SIMTCL_APIECE_H
#define SIMTCL_APIECE_H

#include "device/isa/isa.h"

/* Its loop has no bound: the ND-range is *times as long in the one dimension, without an offset.
 * Owned; NULL: elements are not copies of one, they do not follow one another from work-item to
 * work-item, the kernel asks for something else of that dimension, or there is no memory. */
struct isa_kernel *apiece_strides(const struct isa_kernel *k, unsigned *times);

#endif
