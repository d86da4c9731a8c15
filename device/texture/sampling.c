/* Addressing (specification 8.2), a warp at a time: each dimension turns coordinates into the
 * places of one or two texels and their weights; texels.c does the rest.
 *
 * Lanes that are off, and those outside of the image, read some texel of the image, so that no step
 * needs a mask but the last. */
#include "device/simd/blocks.h"
#include "footprint.h"
#include "texture_unit.h"
#include "texels.h"

enum { FAR = 1 << 30 }; /* no coordinate of an image comes near */

/* How a dimension is addressed. */
struct extent {
    int32_t size;
    uint32_t first; /* sandbox address of the first texel, in one of the dimensions */
    uint32_t pitch; /* bytes between texels */
    unsigned shift; /* when not 0, the logarithm of pitch */
    float scale;    /* of coordinates: the size, or 1 where they are not normalised */
    bool fixed;     /* weights of 8 bits */
};

/* To integers; NaN and what is too large give one far outside. */
ALWAYS block_ints whole(block_reals f) {
    block_reals low = block_splat_real(-(float)FAR), high = block_splat_real((float)FAR);
    return block_to_ints(block_least(block_most(f, low), high));
}

ALWAYS block_words pitched(block_words at, const struct extent *e) {
    return e->first + (e->shift ? at << e->shift : at * e->pitch);
}

/* Texels `at` become the first or second of the lanes from `lane` on: those at the edge, or the
 * border when they lie outside. Returns all ones for the border. */
ALWAYS block_words place(struct texels_axis *a, int second, int lane, block_ints at,
                         const struct extent *e, bool edge) {
    uint32_t *offset = a->offset[second] + lane;
    if (edge) {
        block_store(offset, pitched((block_words)block_clamp(at, 0, e->size - 1), e));
        return (block_words){0};
    }
    block_words u = (block_words)at, outside = (block_words)(u >= (uint32_t)e->size);
    block_store(a->outside[second] + lane, outside);
    block_store(offset, pitched(u & ~outside, e));
    return outside;
}

ALWAYS bool integer_axis(struct texels_axis *a, const int32_t *s, const struct extent *e,
                         bool edge) {
    block_words any = {0};
    EACH_BLOCK any |=
        place(a, 0, lane, (block_ints)block_load((const uint32_t *)s + lane), e, edge);
    return block_bits((block_ints)any);
}

/* One dimension of float coordinates. `mode`, `linear`: constants.
 *
 * Fixed: the coordinate less half a texel is rounded to 1/256, halves up, as the weights of the
 * hardware are 1.8 fixed point. */
ALWAYS bool real_axis(struct texels_axis *a, const float *s, const struct extent *e, unsigned mode,
                      bool linear) {
    bool edge = mode == ISA_ADDRESS_CLAMP_TO_EDGE ||
                mode == ISA_ADDRESS_MIRRORED_REPEAT; /* that is outside by half a texel at most */
    int32_t size = e->size;
    block_words any = {0};
    EACH_BLOCK {
        block_reals u = block_load_reals(s + lane);
        if (mode == ISA_ADDRESS_REPEAT) u = u - block_floor(u);
        if (mode == ISA_ADDRESS_MIRRORED_REPEAT)
            u = block_magnitude(u - 2.0f * block_rint(0.5f * u));
        u *= e->scale;
        if (linear) u -= 0.5f;
        if (linear && e->fixed) u = block_floor(u * 256.0f + 0.5f) * 0x1p-8f;
        block_reals lower = block_floor(u);
        block_ints first = whole(lower), second = first + 1;
        if (mode == ISA_ADDRESS_REPEAT) {
            first = block_select_ints(first < 0, first + size, first);
            first = block_select_ints(first > size - 1, first - size, first);
            second = block_select_ints(second > size - 1, second - size, second);
        }
        any |= place(a, 0, lane, first, e, edge);
        if (!linear) continue;
        any |= place(a, 1, lane, second, e, edge);
        block_store_reals(a->weight[0] + lane, 1.0f - (u - lower));
        block_store_reals(a->weight[1] + lane, u - lower);
    }
    return block_bits((block_ints)any);
}

/* Returns whether some lanes are outside. The repeat modes take normalised coordinates only; with
 * others they are undefined, and read as the border. */
static bool find_axis(struct texels_axis *a, const void *s, bool real, const struct extent *e,
                      uint32_t sampler, bool linear) {
    unsigned mode = sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK;
    bool edge = mode == ISA_ADDRESS_CLAMP_TO_EDGE;
    if (!(sampler & ISA_SAMPLER_NORMALIZED) && !edge) mode = ISA_ADDRESS_CLAMP;
    if (!real) return edge ? integer_axis(a, s, e, true) : integer_axis(a, s, e, false);
#define MODE(m) return linear ? real_axis(a, s, e, m, true) : real_axis(a, s, e, m, false);
    switch (mode) {
    case ISA_ADDRESS_CLAMP_TO_EDGE: MODE(ISA_ADDRESS_CLAMP_TO_EDGE)
    case ISA_ADDRESS_REPEAT: MODE(ISA_ADDRESS_REPEAT)
    case ISA_ADDRESS_MIRRORED_REPEAT: MODE(ISA_ADDRESS_MIRRORED_REPEAT)
    default: MODE(ISA_ADDRESS_CLAMP)
    }
#undef MODE
}

/* Layers of an array, the nearest, clamped: moves the texels of the first axis there. */
static void add_layer(struct texels_axis *a, const void *s, bool real, const struct texture *t,
                      bool linear) {
    int32_t last = (int32_t)t->array_size - 1;
    EACH_BLOCK {
        block_words bits = block_load((const uint32_t *)s + lane);
        block_ints at = real ? whole(block_rint((block_reals)bits)) : (block_ints)bits;
        block_words by = (block_words)block_clamp(at, 0, last) * t->slice_pitch;
        for (int second = 0; second <= linear; second++) {
            uint32_t *offset = a->offset[second] + lane;
            block_store(offset, block_load(offset) + by);
        }
    }
}

/* How many dimensions are filtered, and which coordinate is the layer (-1: none). */
static const struct {
    uint8_t filtered;
    int8_t layer;
} dims[ISA_DIM_COUNT] = {
    [ISA_DIM_1D] = {1, -1}, [ISA_DIM_1D_ARRAY] = {1, 1}, [ISA_DIM_1D_BUFFER] = {1, -1},
    [ISA_DIM_2D] = {2, -1}, [ISA_DIM_2D_ARRAY] = {2, 2}, [ISA_DIM_3D] = {3, -1},
};

static struct extent extent(const struct texture *t, unsigned d) {
    const uint32_t size[3] = {t->width, t->height, t->depth},
                   pitch[3] = {t->texel_bytes, t->row_pitch, t->slice_pitch};
    return (struct extent){.size = (int32_t)size[d],
                           .first = d ? 0 : t->address,
                           .pitch = pitch[d],
                           .shift = d ? 0 : (unsigned)__builtin_ctz(t->texel_bytes),
                           .scale = 1};
}

static const struct texels_format *format_of(const struct texture *t,
                                             const struct texel_order **order) {
    *order = texel_order(t->order);
    return *order ? LANES_NAME(texels_format)(t->type, (*order)->channels) : NULL;
}

/* The results lie as rows of all channels do. */
static bool in_order(const struct texel_order *order, void *const out[4]) {
    bool same = order->channels == 4 && (uintptr_t)out[0] % _Alignof(struct texels_rows) == 0;
    for (unsigned c = 0; c < 4; c++)
        same &= order->from[c] == c && out[c] == (char *)out[0] + c * sizeof(uint32_t[ISA_WARP]);
    return same;
}

void LANES_NAME(sampler_read)(const char *base, const struct texture *t, uint32_t sampler,
                              const struct sampler_coords *coords, bool real, uint32_t mask,
                              void *const out[4]) {
    const struct texel_order *order;
    const struct texels_format *format = format_of(t, &order);
    if (!format) return;
    struct texels_access a; /* most of it is axes, which need no zeros */
    a.base = (char *)(uintptr_t)base;
    a.naxes = dims[t->dim].filtered;
    a.border = false;
    bool linear = coords->real && real && (sampler & ISA_SAMPLER_LINEAR) && format->linear;
    a.fixed = t->fixed_weights;
    for (unsigned d = 0; d < a.naxes; d++) {
        struct extent e = extent(t, d);
        if (sampler & ISA_SAMPLER_NORMALIZED) e.scale = (float)e.size;
        e.fixed = t->fixed_weights;
        a.border |= find_axis(&a.axes[d], coords->at[d], coords->real, &e, sampler, linear);
    }
    int layer = dims[t->dim].layer;
    if (layer >= 0) add_layer(&a.axes[0], coords->at[layer], coords->real, t, linear);
    texels_read_fn *fetch = linear ? format->linear : real ? format->nearest : format->integer;
    if (mask == UINT32_MAX && in_order(order, out)) {
        fetch(&a, out[0]);
        return;
    }
    struct texels_rows rows;
    uint32_t one = real ? 0x3f800000u : 1;
    EACH_LANE {
        rows.u[TEXEL_ZERO][i] = 0;
        rows.u[TEXEL_ONE][i] = one;
    }
    fetch(&a, &rows);
    for (int c = 0; c < 4; c++) {
        const uint32_t *row = rows.u[order->from[c]];
        if (mask == UINT32_MAX)
            memcpy(out[c], row, sizeof rows.u[0]);
        else
            blend_4(out[c], row, out[c], mask);
    }
}

void LANES_NAME(sampler_write)(char *base, const struct texture *t,
                               const struct sampler_coords *coords, uint32_t mask,
                               const void *const in[4]) {
    const struct texel_order *order;
    const struct texels_format *format = format_of(t, &order);
    if (!format) return;
    struct texels_access a;
    a.base = base;
    a.naxes = dims[t->dim].filtered;
    for (unsigned d = 0; d < a.naxes; d++) {
        struct extent e = extent(t, d);
        integer_axis(&a.axes[d], coords->at[d], &e, false);
    }
    if (dims[t->dim].layer >= 0) {
        struct extent layers = {.size = (int32_t)t->array_size, .pitch = t->slice_pitch};
        integer_axis(&a.axes[a.naxes], coords->at[dims[t->dim].layer], &layers, false);
        a.naxes++;
    }
    /* A component that several are read from is written from the first: red of intensity and
     * luminance. */
    const void *channels[4] = {in[0], in[0], in[0], in[0]};
    for (unsigned c = 4; c-- > 0;)
        if (order->from[c] < TEXEL_ZERO) channels[order->from[c]] = in[c];
    format->write(&a, mask, channels);
}

/* ---- for those who look on ---- */

void LANES_NAME(footprint_find)(const struct texture *t, uint32_t sampler,
                                const void *const coordinates[3], bool real, bool linear,
                                struct footprint *f) {
    const uint32_t size[3] = {t->width, t->height, t->depth};
    linear = linear && real && sampler & ISA_SAMPLER_LINEAR;
    for (unsigned d = 0; d < 3; d++) {
        f->count[d] = 0;
        f->border[d] = false;
        if (d >= dims[t->dim].filtered) continue;
        struct extent e = {.size = (int32_t)size[d], .pitch = 1, .scale = 1};
        if (sampler & ISA_SAMPLER_NORMALIZED) e.scale = (float)e.size;
        e.fixed = t->fixed_weights;
        f->count[d] = linear ? 2 : 1;
        f->border[d] = find_axis(&f->axes[d], coordinates[d], real, &e, sampler, linear);
    }
    if (dims[t->dim].layer < 0) return;
    struct texture layers = *t;
    layers.slice_pitch = 1;
    f->count[2] = 1;
    memset(f->axes[2].offset[0], 0, sizeof f->axes[2].offset[0]);
    add_layer(&f->axes[2], coordinates[dims[t->dim].layer], real, &layers, false);
}
