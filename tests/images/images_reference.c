#include "images_reference.h"

#include <math.h>
#include <stdint.h>

/* ---- formats (5.3.1.1) ---- */

enum { NONE = 4, ONE = 5 };
/* Of the border, alpha is 1 where it is not stored. The table of 6.12.14.1 (1.2) says 0 for Rx, RGx
 * and RGBx; Khronos's conformance tests say 1. */
static const struct order {
    cl_channel_order order;
    int channels;
    int from[4];
} orders[] = {
    {CL_R, 1, {0, NONE, NONE, ONE}},  {CL_A, 1, {NONE, NONE, NONE, 0}},
    {CL_RG, 2, {0, 1, NONE, ONE}},    {CL_RA, 2, {0, NONE, NONE, 1}},
    {CL_RGB, 3, {0, 1, 2, ONE}},      {CL_RGBA, 4, {0, 1, 2, 3}},
    {CL_BGRA, 4, {2, 1, 0, 3}},       {CL_ARGB, 4, {1, 2, 3, 0}},
    {CL_INTENSITY, 1, {0, 0, 0, 0}},  {CL_LUMINANCE, 1, {0, 0, 0, ONE}},
    {CL_Rx, 1, {0, NONE, NONE, ONE}}, {CL_RGx, 2, {0, 1, NONE, ONE}},
    {CL_RGBx, 3, {0, 1, 2, ONE}},
};

static const struct order *order_of(cl_channel_order order) {
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i].order == order) return &orders[i];
    return NULL;
}

/* Bits of a channel; of the packed types: bytes of the texel, below zero. */
static int bits_of(cl_channel_type type) {
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8: return 8;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT: return 16;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT: return 32;
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555: return -2;
    case CL_UNORM_INT_101010: return -4;
    }
    return 0;
}

enum images_reference_class images_reference_class(cl_channel_type type) {
    switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return REFERENCE_SIGNED;
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return REFERENCE_UNSIGNED;
    }
    return REFERENCE_REAL;
}

size_t images_reference_bytes(const cl_image_format *format) {
    const struct order *o = order_of(format->image_channel_order);
    int bits = bits_of(format->image_channel_data_type);
    return !o ? 0 : bits < 0 ? (size_t)-bits : (size_t)(o->channels * bits / 8);
}

static double half_value(unsigned h) {
    int exponent = h >> 10 & 31;
    double m = h & 1023, v;
    if (exponent == 31)
        v = m != 0 ? NAN : INFINITY;
    else
        v = exponent ? ldexp(1024 + m, exponent - 25) : ldexp(m, -24);
    return h & 0x8000 ? -v : v;
}

/* The stored integer, or the value of a float. */
static double raw_channel(cl_channel_type type, const unsigned char *p) {
    int8_t c;
    int16_t s;
    int32_t i;
    float f;
    uint16_t us;
    uint32_t ui;
    memcpy(&c, p, 1);
    switch (type) {
    case CL_SNORM_INT8:
    case CL_SIGNED_INT8: return c;
    case CL_UNORM_INT8:
    case CL_UNSIGNED_INT8: return *p;
    case CL_SNORM_INT16:
    case CL_SIGNED_INT16: return memcpy(&s, p, 2), s;
    case CL_UNORM_INT16:
    case CL_UNSIGNED_INT16: return memcpy(&us, p, 2), us;
    case CL_HALF_FLOAT: return memcpy(&us, p, 2), half_value(us);
    case CL_SIGNED_INT32: return memcpy(&i, p, 4), i;
    case CL_UNSIGNED_INT32: return memcpy(&ui, p, 4), ui;
    default: return memcpy(&f, p, 4), f;
    }
}

/* What 1.0 is stored as; 0: not normalised. */
static double norm(cl_channel_type type) {
    switch (type) {
    case CL_SNORM_INT8: return 127;
    case CL_UNORM_INT8: return 255;
    case CL_SNORM_INT16: return 32767;
    case CL_UNORM_INT16: return 65535;
    }
    return 0;
}

/* Places and widths of the packed types' fields, red first. */
static const int *fields(cl_channel_type type) {
    static const int f565[6] = {11, 5, 5, 6, 0, 5}, f555[6] = {10, 5, 5, 5, 0, 5},
                     f10[6] = {20, 10, 10, 10, 0, 10};
    return type == CL_UNORM_SHORT_565 ? f565 : type == CL_UNORM_SHORT_555 ? f555 : f10;
}

static unsigned packed_word(cl_channel_type type, const unsigned char *texel) {
    uint16_t h;
    uint32_t w;
    if (bits_of(type) == -2) return memcpy(&h, texel, 2), h;
    return memcpy(&w, texel, 4), w;
}

/* whole: what is stored for normalised types that are not packed. */
static void decode(const cl_image_format *format, const unsigned char *texel, bool whole,
                   double out[4]) {
    const struct order *o = order_of(format->image_channel_order);
    cl_channel_type type = format->image_channel_data_type;
    double stored[4] = {0};
    for (int c = 0; c < o->channels; c++) {
        if (bits_of(type) < 0) {
            const int *f = fields(type) + 2 * c;
            unsigned most = (1u << f[1]) - 1;
            stored[c] = (packed_word(type, texel) >> f[0] & most) / (double)most;
        } else {
            stored[c] = raw_channel(type, texel + c * bits_of(type) / 8);
            if (norm(type) != 0 && !whole) stored[c] = fmax(-1, stored[c] / norm(type));
        }
    }
    for (int c = 0; c < 4; c++)
        out[c] = o->from[c] == ONE ? 1 : o->from[c] == NONE ? 0 : stored[o->from[c]];
}

void images_reference_decode(const cl_image_format *format, const unsigned char *texel,
                             double out[4]) {
    decode(format, texel, false, out);
}

/* ---- writing (8.3.1) ---- */

/* Normalised integers may be off by 0.6 from the exact product. */
static bool near(double stored, double value, double one, double least) {
    double exact = value != value ? 0 : fmin(fmax(value * one, least), one);
    return fabs(stored - exact) <= 0.6;
}

static bool written_channel(cl_channel_type type, const unsigned char *p, double value) {
    double stored = raw_channel(type, p);
    static const double most[] = {0, 127, 32767, 0, 2147483647},
                        mostu[] = {0, 255, 65535, 0, 4294967295};
    int bytes = bits_of(type) / 8;
    if (norm(type) != 0) {
        bool is_signed = type == CL_SNORM_INT8 || type == CL_SNORM_INT16;
        return near(stored, value, norm(type), is_signed ? -norm(type) : 0);
    }
    if (type == CL_FLOAT)
        return stored == value || (stored != stored && value != value) ||
               (stored == 0 && fabs(value) < 0x1p-126);
    if (type == CL_HALF_FLOAT) { /* rounded to the nearest even or to zero */
        if (value != value) return stored != stored;
        if (fabs(value) >= 65520) return isinf(stored) || fabs(stored) == 65504;
        double unit = fmax(fabs(value), 0x1p-14);
        return fabs(stored - value) < ldexp(1, ilogb(unit) - 10) &&
               (stored == 0 || stored * value > 0);
    }
    if (images_reference_class(type) == REFERENCE_SIGNED)
        return stored == fmin(fmax(value, -most[bytes] - 1), most[bytes]);
    return stored == fmin(value, mostu[bytes]);
}

bool images_reference_written(const cl_image_format *format, const unsigned char *texel,
                              const double in[4]) {
    const struct order *o = order_of(format->image_channel_order);
    cl_channel_type type = format->image_channel_data_type;
    for (int stored = 0; stored < o->channels; stored++) {
        int c = 0; /* the component that goes there: the first */
        while (o->from[c] != stored) c++;
        if (bits_of(type) < 0) {
            const int *f = fields(type) + 2 * stored;
            unsigned most = (1u << f[1]) - 1;
            if (!near(packed_word(type, texel) >> f[0] & most, in[c], most, 0)) return false;
        } else if (!written_channel(type, texel + stored * bits_of(type) / 8, in[c])) {
            return false;
        }
    }
    return true;
}

/* ---- reading (8.2) ---- */

/* The texels and the second one's weight along one dimension. */
struct axis {
    long at[2];
    double weight;
};

static long address(long i, long size, cl_addressing_mode mode) {
    if (mode == CL_ADDRESS_CLAMP_TO_EDGE) return i < 0 ? 0 : i > size - 1 ? size - 1 : i;
    return i;
}

static struct axis find_axis(double s, long size, const struct reference_sampler *sampler) {
    struct axis a = {{0, 0}, 0};
    bool repeat = sampler->mode == CL_ADDRESS_REPEAT;
    bool mirrored = sampler->mode == CL_ADDRESS_MIRRORED_REPEAT;
    double u = sampler->normalised ? s * (double)size : s;
    if (repeat) u = (s - floor(s)) * (double)size;
    if (mirrored) u = fabs(s - 2.0 * rint(0.5 * s)) * (double)size;
    if (!sampler->linear) {
        long i = (long)floor(u);
        if (repeat && i > size - 1) i -= size;
        if (mirrored && i > size - 1) i = size - 1;
        a.at[0] = address(i, size, sampler->mode);
        return a;
    }
    double v = u - 0.5;
    if (sampler->fixed) v = floor(v * 256 + 0.5) / 256;
    long i0 = (long)floor(v), i1 = i0 + 1;
    a.weight = v - floor(v);
    if (repeat) {
        if (i0 < 0) i0 += size;
        if (i1 > size - 1) i1 -= size;
    } else if (mirrored) {
        if (i0 < 0) i0 = 0;
        if (i1 > size - 1) i1 = size - 1;
    }
    a.at[0] = address(i0, size, sampler->mode);
    a.at[1] = address(i1, size, sampler->mode);
    return a;
}

static void texel_at(const struct reference_image *image, const long at[3], bool whole,
                     double out[4]) {
    const size_t *size = image->kind->size;
    const struct order *o = order_of(image->format.image_channel_order);
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= (long)size[d]) {
            out[0] = out[1] = out[2] = 0;
            out[3] = o->from[3] == ONE ? 1 : 0;
            return;
        }
    size_t index = ((size_t)at[2] * size[1] + (size_t)at[1]) * size[0] + (size_t)at[0];
    decode(&image->format, image->bytes + index * images_reference_bytes(&image->format), whole,
           out);
}

/* In units of 1/256, halves up. */
static double to_256th(double w) { return floor(w * 256 + 0.5) / 256; }

/* The GPU's weights of all corners (bit d: second along axis d), which add up to 1. */
static void fixed_weights(const struct axis axes[3], int dimensions, double weight[8]) {
    double x = axes[0].weight, y = axes[1].weight, z = axes[2].weight;
    weight[0] = 1 - x, weight[1] = x;
    if (dimensions == 1) return;
    for (int layer = 0; layer < dimensions - 1; layer++) {
        double whole = dimensions == 2 ? 1 : layer ? z : 1 - z;
        double second = to_256th(whole * x), first = whole - second, *w = weight + 4 * layer;
        w[0] = to_256th(first * (1 - y)), w[2] = first - w[0];
        w[3] = to_256th(second * y), w[1] = second - w[3];
    }
}

bool images_reference_filters_whole(cl_channel_type type) { return norm(type) != 0; }

/* What the GPU makes of a sum of stored numbers: 16 bits, halves up, and bytes by these steps. */
static double whole_value(cl_channel_type type, double sum) {
    double s = sum * 256, bits = floor(sum + 0.5);
    if (type == CL_UNORM_INT8) bits = s + floor(s / 256 + 0.5);
    if (type == CL_SNORM_INT8) bits = s + floor((floor(s / 16) + floor(s / 4096)) / 8 + 0.5);
    bool is_signed = type == CL_SNORM_INT8 || type == CL_SNORM_INT16;
    return is_signed ? fmax(bits, -32767) / 32767 : bits / 65535;
}

void images_reference_read(const struct reference_image *image,
                           const struct reference_sampler *sampler, bool real, const float at[3],
                           double out[4], double *magnitude) {
    const struct kind *kind = image->kind;
    struct axis axes[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{0, 0}, 0}};
    for (int d = 0; d < kind->dimensions; d++) {
        long size = (long)kind->size[d];
        if (real)
            axes[d] = find_axis(at[d], size, sampler);
        else
            axes[d].at[0] = address((long)at[d], size, sampler->mode);
    }
    if (kind->layers) {
        int d = kind->dimensions;
        axes[d].at[0] = address((long)rint(at[d]), (long)kind->size[d], CL_ADDRESS_CLAMP_TO_EDGE);
    }
    *magnitude = 0;
    for (int c = 0; c < 4; c++) out[c] = 0;
    cl_channel_type type = image->format.image_channel_data_type;
    const struct order *o = order_of(image->format.image_channel_order);
    bool linear = real && sampler->linear;
    bool whole = linear && sampler->fixed && images_reference_filters_whole(type);
    double fixed[8];
    if (linear && sampler->fixed) fixed_weights(axes, kind->dimensions, fixed);
    for (unsigned corner = 0; corner < (linear ? 1u << kind->dimensions : 1); corner++) {
        long index[3];
        double weight = 1, texel[4];
        for (int d = 0; d < 3; d++) {
            unsigned second = d < kind->dimensions ? corner >> d & 1 : 0;
            index[d] = axes[d].at[second];
            if (linear && d < kind->dimensions)
                weight *= second ? axes[d].weight : 1 - axes[d].weight;
        }
        if (linear && sampler->fixed) weight = fixed[corner];
        texel_at(image, index, whole, texel);
        for (int c = 0; c < 4; c++) {
            *magnitude = fmax(*magnitude, fabs(texel[c]));
            out[c] += weight * texel[c];
        }
    }
    for (int c = 0; whole && c < 4; c++)
        if (o->from[c] < NONE) out[c] = whole_value(type, out[c]);
}
