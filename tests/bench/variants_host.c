/* The kernels' own text, as C. */
#include "variants_host.h"
#include <stdint.h>

typedef uint32_t uint;
#define HOST
#include "variants/habits.h"
#include "variants/transpose_out.cl"
#include "variants/transpose_in.cl"
#include "variants/scale_add.cl"
#include "variants/mirror.cl"
#include "variants/stencil.cl"
#include "variants/blur.cl"
#include "variants/convolve.cl"
#include "variants/product.cl"
#include "variants/gray.cl"
#include "variants/life.cl"
#include "variants/escape.cl"
#include "variants/axpy.cl"
#include "variants/column_sum.cl"
#include "variants/row_sum.cl"
#include "variants/pairs.cl"
#include "variants/nearest.cl"
#include "variants/rounds.cl"
#include "variants/gather.cl"
#include "variants/checksum.cl"
#include "variants/steps.cl"
#include "variants/energy.cl"
#include "variants/row_dot.cl"
#include "variants/group_sum.cl"
#include "variants/group_turn.cl"
#include "variants/group_product.cl"

#define KERNEL(name, type, kind, traits, w, h, d, tw, th, td)                                      \
    static void run_##name(const void *a, const void *b, void *out, int width, int height,         \
                           int depth) {                                                            \
        name(a, b, out, width, height, depth);                                                     \
    }
#include "variants.def"

void variants_host_run(int n, const void *a, const void *b, void *out, int w, int h, int d) {
    static void (*const all[])(const void *, const void *, void *, int, int, int) = {
#define KERNEL(name, type, kind, traits, w, h, d, tw, th, td) run_##name,
#include "variants.def"
    };
    all[n](a, b, out, w, h, d);
}
