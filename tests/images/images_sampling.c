/* Reads: every format, addressing mode, filter and kind of coordinates, through samplers that are
 * arguments and samplers that are constants.
 *
 *   sampling [fixed8]      fixed8: against filter weights of 8 bits */
#include <math.h>
#include <stdint.h>

#include "images_reference.h"

enum { READS = 256, SOURCE = 1 << 16, SHOWN = 20 };

static struct host h;
static bool fixed;
static int wrong, checked;

static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                           CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                           CL_ADDRESS_MIRRORED_REPEAT};
static const char *const mode_names[] = {"NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT",
                                         "MIRRORED_REPEAT"};
enum { MODES = 5 };
static const char *const classes[] = {"f", "i", "ui"}, *const results[] = {"float4", "int4",
                                                                           "uint4"};

/* The repeating modes are for normalised coordinates (table 5.12). */
static bool valid(int mode, bool normalised, bool linear, bool real) {
    if (mode >= 3 && !normalised) return false;
    return real || (!normalised && !linear);
}

static char *write_source(void) {
    char *text = malloc(SOURCE), *p = text, *end = text + SOURCE;
    if (!text) exit(EXIT_FAILURE);
    for (size_t k = 0; k < host_nkinds; k++)
        for (int c = 0; c < 3; c++)
            for (int real = 0; real < 2; real++) {
                const struct kind *kind = &host_kinds[k];
                if (real && kind->samplerless) continue;
                p += snprintf(p, (size_t)(end - p),
                              "kernel void read_%s_%s_%d(read_only %s image, sampler_t s,\n"
                              "    global const %s4 *at, global %s *out) {\n"
                              "    size_t i = get_global_id(0); %s4 c = at[i];\n"
                              "    out[i] = read_image%s(image, %s%s); }\n",
                              kind->name, classes[c], real, kind->image, real ? "float" : "int",
                              results[c], real ? "float" : "int", classes[c],
                              kind->samplerless ? "" : "s, ", kind->coordinates);
            }
    for (int m = 0; m < MODES; m++)
        for (int normalised = 0; normalised < 2; normalised++)
            for (int linear = 0; linear < 2; linear++) {
                if (!valid(m, normalised, linear, true)) continue;
                p += snprintf(
                    p, (size_t)(end - p),
                    "kernel void constant_%d%d%d(read_only image2d_t image, sampler_t s,\n"
                    "    global const float4 *at, global float4 *out) {\n"
                    "    const sampler_t own = CLK_NORMALIZED_COORDS_%s | CLK_ADDRESS_%s |\n"
                    "        CLK_FILTER_%s;\n"
                    "    size_t i = get_global_id(0);\n"
                    "    out[i] = read_imagef(image, own, at[i].xy); }\n",
                    m, normalised, linear, normalised ? "TRUE" : "FALSE", mode_names[m],
                    linear ? "LINEAR" : "NEAREST");
            }
    return text;
}

/* A coordinate in texel `whole` of dimension d: in quarters of texels, far from where nearest
 * changes its mind, or for linear, in 1/1024, far from where a weight of 8 bits does; inside for
 * NONE. */
static float coordinate_in(const struct kind *kind, int d, const struct reference_sampler *s,
                           bool real, int whole) {
    int size = (int)kind->size[d];
    bool layer = d >= kind->dimensions;
    if (!real) return (float)whole;
    float part = (float)(1 + host_random() % 3) * 0.25f;
    if (s->linear && !layer) part = (float)(1 + 4 * (host_random() % 256)) / 1024;
    if (layer) return (float)whole + part - 0.5f + (part == 0.25f ? 0.125f : 0);
    float u = (float)whole + part;
    if (s->mode == CL_ADDRESS_NONE && s->linear) u = fminf(fmaxf(u, 0.5f), (float)size - 0.5f);
    return s->normalised ? u / (float)size : u;
}

static float coordinate(const struct kind *kind, int d, const struct reference_sampler *s,
                        bool real) {
    int size = (int)kind->size[d];
    bool layer = d >= kind->dimensions;
    int low = layer ? -2 : -2 * size, n = layer ? size + 4 : 5 * size;
    if (s->mode == CL_ADDRESS_NONE && !layer) low = 0, n = size;
    return coordinate_in(kind, d, s, real, low + (int)(host_random() % (unsigned)n));
}

/* Half of the reads, sixteen at a time, go through texels in their order or against it. */
static void line_up(float coords[READS][4], const struct kind *kind,
                    const struct reference_sampler *s, bool real) {
    enum { LINE = 16 };
    int size = (int)kind->size[0];
    for (int first = 2 * LINE; size >= LINE && first < READS; first += 4 * LINE) {
        int from = (int)(host_random() % (unsigned)(size - LINE + 1));
        for (int i = 0; i < 2 * LINE; i++) {
            int at = i < LINE ? from + i : from + 2 * LINE - 1 - i;
            coords[first + i][0] = coordinate_in(kind, 0, s, real, at);
            for (int d = 1; d < 3; d++) coords[first + i][d] = coords[first][d];
        }
    }
}

static bool right(cl_channel_type type, const struct reference_sampler *s, const struct kind *kind,
                  bool real, double expected, double magnitude, uint32_t bits) {
    enum images_reference_class class = images_reference_class(type);
    float f;
    int32_t i;
    memcpy(&f, &bits, sizeof f);
    memcpy(&i, &bits, sizeof i);
    if (class == REFERENCE_SIGNED) return i == expected;
    if (class == REFERENCE_UNSIGNED) return bits == expected;
    if (expected != expected) return f != f;
    if (isinf(expected)) return f == expected;
    if (real && s->linear && s->fixed && images_reference_filters_whole(type))
        return f == (float)expected;
    /* A conversion has 1.5 ulp (8.3); a filter's weights have what is left of the coordinates. */
    double tolerance = magnitude * 0x1.8p-23;
    if (real && s->linear)
        for (int d = 0; d < kind->dimensions; d++)
            tolerance += magnitude * ((double)kind->size[d] * 0x1p-20 + 0x1p-20);
    return fabs(f - expected) <= tolerance;
}

static void try_reads(cl_kernel kernel, const char *what, const struct reference_image *image,
                      cl_mem m, const struct reference_sampler *s, bool real) {
    static float coords[READS][4];
    static int32_t whole[READS][4];
    static uint32_t got[READS][4];
    cl_int err;
    const struct kind *kind = image->kind;
    cl_sampler sampler = clCreateSampler(h.context, s->normalised, s->mode,
                                         s->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &err);
    host_must(err, "clCreateSampler");
    for (int i = 0; i < READS; i++)
        for (int d = 0; d < 3; d++) {
            bool used = d < kind->dimensions + kind->layers;
            coords[i][d] = used ? coordinate(kind, d, s, real) : 0;
        }
    line_up(coords, kind, s, real);
    for (int i = 0; i < READS; i++)
        for (int d = 0; d < 3; d++) whole[i][d] = (int32_t)coords[i][d];
    cl_mem at = clCreateBuffer(h.context, CL_MEM_COPY_HOST_PTR, sizeof coords,
                               real ? (void *)coords : (void *)whole, &err);
    host_must(err, "clCreateBuffer");
    cl_mem out = clCreateBuffer(h.context, 0, sizeof got, NULL, &err);
    host_must(err, "clCreateBuffer");
    MUST(clSetKernelArg(kernel, 0, sizeof m, &m));
    MUST(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    MUST(clSetKernelArg(kernel, 2, sizeof at, &at));
    MUST(clSetKernelArg(kernel, 3, sizeof out, &out));
    size_t n = READS;
    MUST(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
    MUST(clEnqueueReadBuffer(h.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    cl_channel_type type = image->format.image_channel_data_type;
    for (int i = 0; i < READS; i++) {
        double expected[4], magnitude;
        images_reference_read(image, s, real, coords[i], expected, &magnitude);
        for (int c = 0; c < 4; c++) {
            checked++;
            if (right(type, s, kind, real, expected[c], magnitude, got[i][c])) continue;
            if (wrong++ >= SHOWN) continue;
            float f;
            memcpy(&f, &got[i][c], sizeof f);
            fprintf(stderr,
                    "%s: order 0x%x type 0x%x mode 0x%x %s %s at (%g, %g, %g), component %d: "
                    "%g or %#x, not %.9g\n",
                    what, image->format.image_channel_order, image->format.image_channel_data_type,
                    s->mode, s->normalised ? "normalised" : "in texels",
                    s->linear ? "linear" : "nearest", (double)coords[i][0], (double)coords[i][1],
                    (double)coords[i][2], c, (double)f, got[i][c], expected[c]);
        }
    }
    MUST(clReleaseMemObject(at));
    MUST(clReleaseMemObject(out));
    MUST(clReleaseSampler(sampler));
}

/* Texels of all values; floats that a filter can add up. */
static void fill(const cl_image_format *format, unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)host_random();
    if (format->image_channel_data_type == CL_FLOAT)
        for (size_t i = 0; i < n; i += 4) {
            float f = (float)((int)(host_random() % 20001) - 10000) / 64;
            memcpy(bytes + i, &f, 4);
        }
    if (format->image_channel_data_type == CL_HALF_FLOAT)
        for (size_t i = 1; i < n; i += 2) bytes[i] &= 0xbb; /* finite, and denormals */
}

static void try_format(cl_program program, const struct kind *kind, const cl_image_format *format) {
    static unsigned char bytes[4096];
    size_t texel = images_reference_bytes(format);
    size_t n = kind->size[0] * kind->size[1] * kind->size[2] * texel;
    if (!texel || n > sizeof bytes) return;
    fill(format, bytes, n);
    cl_mem buffer, m = host_image(&h, kind, CL_MEM_READ_ONLY, format, bytes, n, &buffer);
    struct reference_image image = {kind, *format, bytes};
    enum images_reference_class class = images_reference_class(format->image_channel_data_type);
    for (int real = 0; real < 2; real++) {
        if (real && kind->samplerless) continue;
        char name[64];
        snprintf(name, sizeof name, "read_%s_%s_%d", kind->name, classes[class], real);
        cl_kernel kernel = host_kernel(program, name);
        for (int m0 = 0; m0 < MODES; m0++)
            for (int normalised = 0; normalised < 2; normalised++)
                for (int linear = 0; linear < (class == REFERENCE_REAL ? 2 : 1); linear++) {
                    if (!valid(m0, normalised, linear, real)) continue;
                    if (kind->samplerless && m0 != 0) continue;
                    struct reference_sampler s = {normalised, linear, fixed, modes[m0]};
                    try_reads(kernel, name, &image, m, &s, real);
                    if (!real || kind->type != CL_MEM_OBJECT_IMAGE2D || class != REFERENCE_REAL)
                        continue;
                    char own[64];
                    snprintf(own, sizeof own, "constant_%d%d%d", m0, normalised, linear);
                    cl_kernel constant = host_kernel(program, own);
                    try_reads(constant, own, &image, m, &s, real);
                    MUST(clReleaseKernel(constant));
                }
        MUST(clReleaseKernel(kernel));
    }
    MUST(clReleaseMemObject(m));
    if (buffer) MUST(clReleaseMemObject(buffer));
}

int main(int argc, char **argv) {
    fixed = argc > 1 && !strcmp(argv[1], "fixed8");
    h = host_open();
    char *source = write_source();
    cl_program program = host_build(&h, source);
    free(source);
    for (size_t k = 0; k < host_nkinds; k++) {
        cl_image_format formats[HOST_FORMATS];
        cl_uint n = host_formats(&h, &host_kinds[k], CL_MEM_READ_ONLY, formats);
        printf("%s: %u formats\n", host_kinds[k].name, n);
        for (cl_uint i = 0; i < n; i++) try_format(program, &host_kinds[k], &formats[i]);
    }
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(h.queue));
    MUST(clReleaseContext(h.context));
    printf("%d components checked, %d wrong\n", checked, wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
