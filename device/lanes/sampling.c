/* Addressing and filtering (specification 8.2), a warp at a time: each dimension turns coordinates
 * into one or two texel indices and a weight, then the texels of each corner are read and blended.
 *
 * Lanes that are off, and those outside of the image, read some texel of the image, so that no step
 * needs a mask but the last. */
#include "rounding.h"
#include "sampler.h"
#include "texels.h"

/* Where one dimension's coordinate falls. */
struct axis {
    int32_t at[2][ISA_WARP]; /* texels to read: nearest uses the first alone */
    float weight[ISA_WARP];  /* of the second */
} __attribute__((aligned(128)));

enum { FAR = 1 << 30 }; /* no coordinate of an image comes near */

/* A float to an integer; NaN and what is too large give one far outside. */
ALWAYS int32_t whole(float f) {
    f = f > -(float)FAR ? f : -(float)FAR;
    return (int32_t)(f < (float)FAR ? f : (float)FAR);
}

ALWAYS int32_t clamp(int32_t v, int32_t low, int32_t high) {
    v = v < low ? low : v;
    return v > high ? high : v;
}

/* Indices that lie outside become -1, which reads the border, unless the mode brings them inside.
 */
ALWAYS int32_t inside(int32_t at, int32_t size, unsigned mode) {
    if (mode == ISA_ADDRESS_CLAMP_TO_EDGE) return clamp(at, 0, size - 1);
    return (uint32_t)at >= (uint32_t)size ? -1 : at;
}

ALWAYS void integer_axis(struct axis *a, const int32_t *s, int32_t size, unsigned mode) {
    EACH_LANE a->at[0][i] = inside(s[i], size, mode);
}

/* One dimension of a float coordinate times `scale`: the extent, or 1 where the coordinate is not
 * normalised. `mode`, `linear`: constants. */
ALWAYS void real_axis(struct axis *a, const float *s, int32_t size, float scale, unsigned mode,
                      bool linear) {
    EACH_LANE {
        float u = s[i];
        if (mode == ISA_ADDRESS_REPEAT) u = u - floor_f(u);
        if (mode == ISA_ADDRESS_MIRRORED_REPEAT) u = fabsf(u - 2.0f * rint_f(0.5f * u));
        u *= scale;
        if (linear) u -= 0.5f;
        float lower = floor_f(u);
        int32_t first = whole(lower), second = first + 1;
        if (mode == ISA_ADDRESS_REPEAT) {
            first = first < 0 ? first + size : first;
            first = first > size - 1 ? first - size : first;
            second = second > size - 1 ? second - size : second;
        }
        /* a mirrored coordinate is outside by half a texel at most; NaN by more */
        unsigned last = mode == ISA_ADDRESS_MIRRORED_REPEAT ? ISA_ADDRESS_CLAMP_TO_EDGE : mode;
        a->at[0][i] = inside(first, size, last);
        if (linear) {
            a->at[1][i] = inside(second, size, last);
            a->weight[i] = u - lower;
        }
    }
}

/* The repeat modes take normalised coordinates only; with others they are undefined, and read as
 * the border. */
static void find_axis(struct axis *a, const void *s, bool real, int32_t size, uint32_t sampler,
                      bool linear) {
    unsigned mode = sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK;
    bool normal = sampler & ISA_SAMPLER_NORMALIZED;
    float scale = normal ? (float)size : 1;
    if (!normal && mode != ISA_ADDRESS_CLAMP_TO_EDGE) mode = ISA_ADDRESS_CLAMP;
    if (!real) {
        if (mode == ISA_ADDRESS_CLAMP_TO_EDGE)
            integer_axis(a, s, size, ISA_ADDRESS_CLAMP_TO_EDGE);
        else
            integer_axis(a, s, size, ISA_ADDRESS_CLAMP);
        return;
    }
#define MODE(m)                                                                                    \
    if (linear)                                                                                    \
        real_axis(a, s, size, scale, m, true);                                                     \
    else                                                                                           \
        real_axis(a, s, size, scale, m, false);                                                    \
    break;
    switch (mode) {
    case ISA_ADDRESS_CLAMP_TO_EDGE: MODE(ISA_ADDRESS_CLAMP_TO_EDGE)
    case ISA_ADDRESS_REPEAT: MODE(ISA_ADDRESS_REPEAT)
    case ISA_ADDRESS_MIRRORED_REPEAT: MODE(ISA_ADDRESS_MIRRORED_REPEAT)
    default: MODE(ISA_ADDRESS_CLAMP)
    }
}

/* Layers of an array: the nearest, clamped. */
static void find_layer(struct axis *a, const void *s, bool real, int32_t layers) {
    const float *f = s;
    const int32_t *n = s;
    if (real) {
        EACH_LANE a->at[0][i] = clamp(whole(rint_f(f[i])), 0, layers - 1);
    } else {
        EACH_LANE a->at[0][i] = clamp(n[i], 0, layers - 1);
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

static int32_t extent(const struct texture *t, int d) {
    return (int32_t)(d == 0 ? t->width : d == 1 ? t->height : t->depth);
}

/* Sandbox addresses of the texels at corner `corner` (bit d: the second index of dimension d).
 * outside: all ones for lanes outside of the image, whose address is that of the first texel.
 * Returns whether there are any. */
static bool corner_addresses(const struct texture *t, const struct axis axes[3], int naxes,
                             unsigned corner, uint32_t *address, uint32_t *outside) {
    int layer = dims[t->dim].layer;
    const uint32_t pitch[3] = {t->texel_bytes, layer == 1 ? t->slice_pitch : t->row_pitch,
                               t->slice_pitch};
    const int32_t *x = axes[0].at[corner & 1];
    EACH_LANE {
        address[i] = (uint32_t)x[i] * pitch[0];
        outside[i] = (uint32_t)(x[i] >> 31);
    }
    for (int d = 1; d < naxes; d++) {
        const int32_t *at = axes[d].at[corner >> d & 1];
        EACH_LANE {
            address[i] += (uint32_t)at[i] * pitch[d];
            outside[i] |= (uint32_t)(at[i] >> 31);
        }
    }
    uint32_t any = 0, first = t->address;
    EACH_LANE {
        address[i] = first + (address[i] & ~outside[i]);
        any |= outside[i];
    }
    return any;
}

/* The word at each lane's address, which is a multiple of 4. */
ALWAYS GUEST void gather(const char *base, const uint32_t *address, uint32_t plus, uint32_t *out) {
#if defined(__AVX512F__)
    for (int h = 0; h < ISA_WARP; h += 16) {
        __m512i at = _mm512_add_epi32(_mm512_load_si512(address + h), _mm512_set1_epi32((int)plus));
        _mm512_store_si512(out + h, _mm512_i32gather_epi32(at, base, 1));
    }
#else
    for (int i = 0; i < ISA_WARP; i++)
        out[i] = *(const uint32_t *)(base + (int32_t)(address[i] + plus));
#endif
}

/* Whether the texels of the warp lie side by side, as they do for most reads of most kernels. */
ALWAYS bool side_by_side(const uint32_t *address, uint32_t bytes) {
    uint32_t wrong = 0, first = address[0];
    EACH_LANE wrong |= address[i] ^ (first + (uint32_t)i * bytes);
    return !wrong;
}

/* Words of such texels. */
ALWAYS GUEST void fetch_row(const char *from, unsigned bytes, union texels *words) {
#define ROW(T, n)                                                                                  \
    for (int k = 0; k < (n); k++) EACH_LANE words->u[k][i] = ((const T *)from)[(n)*i + k];         \
    break
    switch (bytes) {
    case 1: ROW(uint8_t, 1);
    case 2: ROW(uint16_t, 1);
    case 4: ROW(uint32_t, 1);
    case 8: ROW(uint32_t, 2);
    default: ROW(uint32_t, 4);
    }
#undef ROW
}

/* The words of the texels. Small ones lie in an aligned word, which a page has or has not as a
 * whole. */
static void fetch(const char *base, const uint32_t *address, unsigned bytes, union texels *words) {
    if (side_by_side(address, bytes)) {
        fetch_row(base + (int32_t)address[0], bytes, words);
        return;
    }
    if (bytes >= 4) {
        for (unsigned k = 0; k < bytes / 4; k++) gather(base, address, 4 * k, words->u[k]);
        return;
    }
    _Alignas(128) uint32_t aligned[ISA_WARP];
    EACH_LANE aligned[i] = address[i] & ~3u;
    gather(base, aligned, 0, words->u[0]);
    EACH_LANE words->u[0][i] >>= address[i] % 4 * 8;
}

/* What all corners of a read share. */
struct source {
    const char *base;
    const struct texture *t;
    const struct texel_order *order;
    texels_decode_fn *decode;
    uint32_t one;
    struct axis axes[3];
    int naxes;
};

/* The components at a corner. */
static void read_corner(const struct source *s, unsigned corner, union texels *out) {
    _Alignas(128) uint32_t address[ISA_WARP], outside[ISA_WARP];
    union texels words, stored;
    bool border = corner_addresses(s->t, s->axes, s->naxes, corner, address, outside);
    fetch(s->base, address, s->t->texel_bytes, &words);
    s->decode(&words, s->order->channels, &stored);
    for (int c = 0; c < 4; c++) {
        unsigned from = s->order->from[c];
        uint32_t constant = from == TEXEL_ONE ? s->one : 0;
        if (from < TEXEL_ZERO) {
            memcpy(out->u[c], stored.u[from], sizeof out->u[c]);
        } else {
            EACH_LANE out->u[c][i] = constant;
        }
        if (!border) continue;
        uint32_t edge = c == 3 && !s->order->alpha ? s->one : 0;
        EACH_LANE out->u[c][i] = outside[i] ? edge : out->u[c][i];
    }
}

/* The weighted sum of the corners, in the order of the specification's formula. */
static void read_linear(const struct source *s, int filtered, union texels *sum) {
    for (unsigned corner = 0; corner < 1u << filtered; corner++) {
        _Alignas(128) float weight[ISA_WARP];
        union texels texels;
        const float *w = s->axes[0].weight;
        EACH_LANE weight[i] = corner & 1 ? w[i] : 1 - w[i];
        for (int d = 1; d < filtered; d++) {
            w = s->axes[d].weight;
            bool second = corner >> d & 1;
            EACH_LANE weight[i] *= second ? w[i] : 1 - w[i];
        }
        read_corner(s, corner, &texels);
        for (int c = 0; c < 4; c++) {
            if (corner) {
                EACH_LANE sum->f[c][i] += weight[i] * texels.f[c][i];
            } else {
                EACH_LANE sum->f[c][i] = weight[i] * texels.f[c][i];
            }
        }
    }
}

void LANES_NAME(sampler_read)(const char *base, const struct texture *t, uint32_t sampler,
                              const struct sampler_coords *coords, bool real, uint32_t mask,
                              void *const out[4]) {
    unsigned type = (unsigned)t->type - TEXEL_FIRST_TYPE;
    struct source s; /* most of it is axes, which need no zeros */
    s.base = base;
    s.t = t;
    s.order = texel_order(t->order);
    s.one = real ? 0x3f800000u : 1;
    if (!s.order || type >= TEXELS_TYPES) return;
    s.decode = (real ? LANES_NAME(texels_decode_real) : LANES_NAME(texels_decode_integer))[type];
    int filtered = dims[t->dim].filtered, layer = dims[t->dim].layer;
    s.naxes = filtered + (layer >= 0);
    bool linear = coords->real && real && (sampler & ISA_SAMPLER_LINEAR);
    for (int d = 0; d < filtered; d++)
        find_axis(&s.axes[d], coords->at[d], coords->real, extent(t, d), sampler, linear);
    if (layer >= 0)
        find_layer(&s.axes[layer], coords->at[layer], coords->real, (int32_t)t->array_size);
    union texels texels;
    if (linear)
        read_linear(&s, filtered, &texels);
    else
        read_corner(&s, 0, &texels);
    for (int c = 0; c < 4; c++) blend_4(out[c], texels.u[c], out[c], mask);
}

/* Stores the words of one texel. */
ALWAYS GUEST void store(char *to, const union texels *words, unsigned bytes, uint32_t lane) {
    switch (bytes) {
    case 1: *(uint8_t *)to = (uint8_t)words->u[0][lane]; break;
    case 2: *(uint16_t *)to = (uint16_t)words->u[0][lane]; break;
    default:
        for (unsigned k = 0; k < bytes / 4; k++) ((uint32_t *)to)[k] = words->u[k][lane];
    }
}

void LANES_NAME(sampler_write)(char *base, const struct texture *t,
                               const struct sampler_coords *coords, uint32_t mask,
                               const void *const in[4]) {
    const struct texel_order *order = texel_order(t->order);
    unsigned type = (unsigned)t->type - TEXEL_FIRST_TYPE;
    if (!order || type >= TEXELS_TYPES) return;
    int filtered = dims[t->dim].filtered, naxes = filtered + (dims[t->dim].layer >= 0);
    struct axis axes[3];
    for (int d = 0; d < naxes; d++)
        integer_axis(&axes[d], coords->at[d], d < filtered ? extent(t, d) : (int32_t)t->array_size,
                     ISA_ADDRESS_NONE);
    _Alignas(128) uint32_t address[ISA_WARP], outside[ISA_WARP];
    corner_addresses(t, axes, naxes, 0, address, outside);
    /* A component that several are read from is written from the first: red of intensity and
     * luminance. */
    union texels channels, words;
    for (unsigned c = 4; c-- > 0;)
        if (order->from[c] < TEXEL_ZERO)
            memcpy(channels.u[order->from[c]], in[c], sizeof channels.u[0]);
    memset(&words, 0, sizeof words);
    LANES_NAME(texels_encode)[type](&channels, order->channels, &words);
    EACH_ACTIVE(i, mask) {
        if (!outside[i]) store(base + (int32_t)address[i], &words, t->texel_bytes, i);
    }
}
