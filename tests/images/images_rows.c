/* Pixels by work-items' ids, as most kernels have them, against the same pixels by coordinates that
 * come from memory: side by side, mirrored, and partly outside. */
#include <stdint.h>

#include "images_reference.h"

enum { WIDTH = 67, HEIGHT = 19, ACROSS = 64, DOWN = 16, ITEMS = ACROSS * DOWN, SHOWN = 20 };
enum { SOURCE = 1 << 14 };

static const struct kind kind = {.type = CL_MEM_OBJECT_IMAGE2D,
                                 .name = "2d",
                                 .image = "image2d_t",
                                 .coordinates = "c.xy",
                                 .dimensions = 2,
                                 .size = {WIDTH, HEIGHT, 1}};
static const char *const classes[] = {"f", "i", "ui"}, *const values[] = {"float4", "int4",
                                                                          "uint4"};
/* Where a work-item's x and y are from. */
static const char *const origins[] = {"get_global_id(0), y = get_global_id(1)",
                                      "ids[i].x, y = ids[i].y"};
static const size_t groups[][2] = {{16, 16}, {32, 4}, {64, 2}, {8, 8}, {16, 1}, {1, 16}};
enum { GROUPS = sizeof groups / sizeof *groups };
/* Offsets of the pixels: inside, across an edge, beyond it; where there is a part of a pixel. */
static const float offsets[][2] = {{0, 0}, {2, 3}, {-3, 0}, {5, -2}, {0.3f, 0.7f}, {-70, 1}};
enum { OFFSETS = sizeof offsets / sizeof *offsets };

static struct host h;
static int wrong, checked;
static cl_mem ids, data, out;

static char *write_source(void) {
    char *text = malloc(SOURCE), *p = text, *end = text + SOURCE;
    if (!text) exit(EXIT_FAILURE);
    for (int c = 0; c < 3; c++)
        for (int from = 0; from < 2; from++)
            for (int mirrored = 0; mirrored < 2; mirrored++) {
                const char *way = mirrored ? "63 - x" : "x";
                const char *begin = "size_t i = get_global_id(1) * 64 + get_global_id(0);";
                p += snprintf(p, (size_t)(end - p),
                              "kernel void whole_%s%d%d(read_only image2d_t image, sampler_t s,\n"
                              "    global const int2 *ids, float dx, float dy, global %s *out) {\n"
                              "    %s int x = %s;\n"
                              "    out[i] = read_image%s(image, s,\n"
                              "        (int2)(%s + (int)dx, y + (int)dy)); }\n",
                              classes[c], from, mirrored, values[c], begin, origins[from],
                              classes[c], way);
                p += snprintf(p, (size_t)(end - p),
                              "kernel void real_%s%d%d(read_only image2d_t image, sampler_t s,\n"
                              "    global const int2 *ids, float dx, float dy, global %s *out) {\n"
                              "    %s int x = %s;\n"
                              "    out[i] = read_image%s(image, s,\n"
                              "        (float2)((float)(%s) + dx, (float)y + dy)); }\n",
                              classes[c], from, mirrored, values[c], begin, origins[from],
                              classes[c], way);
                p += snprintf(p, (size_t)(end - p),
                              "kernel void write_%s%d%d(write_only image2d_t image,\n"
                              "    global const %s *in, global const int2 *ids, float dx,\n"
                              "    float dy) {\n"
                              "    %s int x = %s;\n"
                              "    write_image%s(image, (int2)(%s + (int)dx, y + (int)dy),\n"
                              "        in[i]); }\n",
                              classes[c], from, mirrored, values[c], begin, origins[from],
                              classes[c], way);
            }
    return text;
}

static cl_kernel kernel_of(cl_program program, const char *what, enum images_reference_class class,
                           int from, int mirrored) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s%d%d", what, classes[class], from, mirrored);
    return host_kernel(program, name);
}

static void run(cl_kernel kernel, const size_t *group) {
    size_t global[2] = {ACROSS, DOWN};
    MUST(clEnqueueNDRangeKernel(h.queue, kernel, 2, NULL, global, group, 0, NULL, NULL));
    MUST(clReleaseKernel(kernel));
}

static void compare(const char *what, const cl_image_format *format, const size_t *group,
                    const float *offset, const void *a, const void *b, size_t bytes) {
    checked++;
    if (!memcmp(a, b, bytes) || wrong++ >= SHOWN) return;
    fprintf(stderr, "%s: order 0x%x type 0x%x groups of %zux%zu, offset (%g, %g): not the same\n",
            what, format->image_channel_order, format->image_channel_data_type, group[0], group[1],
            (double)offset[0], (double)offset[1]);
}

static void try_read(cl_program program, cl_mem image, const cl_image_format *format,
                     const char *what, int mirrored, cl_sampler sampler, const size_t *group,
                     const float *offset) {
    static uint32_t got[2][ITEMS][4];
    enum images_reference_class class = images_reference_class(format->image_channel_data_type);
    for (int from = 0; from < 2; from++) {
        cl_kernel kernel = kernel_of(program, what, class, from, mirrored);
        MUST(clSetKernelArg(kernel, 0, sizeof image, &image));
        MUST(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
        MUST(clSetKernelArg(kernel, 2, sizeof ids, &ids));
        MUST(clSetKernelArg(kernel, 3, sizeof *offset, &offset[0]));
        MUST(clSetKernelArg(kernel, 4, sizeof *offset, &offset[1]));
        MUST(clSetKernelArg(kernel, 5, sizeof out, &out));
        run(kernel, group);
        MUST(clEnqueueReadBuffer(h.queue, out, CL_TRUE, 0, sizeof got[from], got[from], 0, NULL,
                                 NULL));
    }
    compare(what, format, group, offset, got[0], got[1], sizeof got[0]);
}

static void try_write(cl_program program, cl_mem image, const cl_image_format *format, int mirrored,
                      const size_t *group, const float *offset) {
    static unsigned char got[2][WIDTH * HEIGHT * 16];
    static const uint32_t clear[4];
    size_t zero[3] = {0, 0, 0}, size[3] = {WIDTH, HEIGHT, 1};
    size_t bytes = WIDTH * HEIGHT * images_reference_bytes(format);
    enum images_reference_class class = images_reference_class(format->image_channel_data_type);
    for (int from = 0; from < 2; from++) {
        cl_kernel kernel = kernel_of(program, "write", class, from, mirrored);
        MUST(clEnqueueFillImage(h.queue, image, clear, zero, size, 0, NULL, NULL));
        MUST(clSetKernelArg(kernel, 0, sizeof image, &image));
        MUST(clSetKernelArg(kernel, 1, sizeof data, &data));
        MUST(clSetKernelArg(kernel, 2, sizeof ids, &ids));
        MUST(clSetKernelArg(kernel, 3, sizeof *offset, &offset[0]));
        MUST(clSetKernelArg(kernel, 4, sizeof *offset, &offset[1]));
        run(kernel, group);
        MUST(clEnqueueReadImage(h.queue, image, CL_TRUE, zero, size, 0, 0, got[from], 0, NULL,
                                NULL));
    }
    compare("write", format, group, offset, got[0], got[1], bytes);
}

static void try_format(cl_program program, const cl_image_format *format) {
    static unsigned char bytes[WIDTH * HEIGHT * 16];
    size_t texel = images_reference_bytes(format), n = WIDTH * HEIGHT * texel;
    if (!texel) return;
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)host_random();
    if (format->image_channel_data_type == CL_FLOAT ||
        format->image_channel_data_type == CL_HALF_FLOAT)
        for (size_t i = 1; i < n; i += 2) bytes[i] &= 0xbb; /* finite */
    cl_mem buffer, image = host_image(&h, &kind, CL_MEM_READ_WRITE, format, bytes, n, &buffer);
    bool real = images_reference_class(format->image_channel_data_type) == REFERENCE_REAL;
    for (int kinds = 0; kinds < 6; kinds++) {
        static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE,
                                                   CL_ADDRESS_REPEAT};
        cl_int err;
        cl_bool normalised = kinds % 3 == 2;
        cl_sampler sampler =
            clCreateSampler(h.context, normalised, modes[kinds % 3],
                            kinds < 3 && real ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &err);
        host_must(err, "clCreateSampler");
        for (unsigned g = 0; g < GROUPS; g++)
            for (unsigned o = 0; o < OFFSETS; o++)
                for (int mirrored = 0; mirrored < 2; mirrored++) {
                    if (!normalised)
                        try_read(program, image, format, "whole", mirrored, sampler, groups[g],
                                 offsets[o]);
                    if (real || kinds >= 3)
                        try_read(program, image, format, "real", mirrored, sampler, groups[g],
                                 offsets[o]);
                }
        MUST(clReleaseSampler(sampler));
    }
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned o = 0; o < OFFSETS; o++)
            for (int mirrored = 0; mirrored < 2; mirrored++)
                try_write(program, image, format, mirrored, groups[g], offsets[o]);
    MUST(clReleaseMemObject(image));
}

/* What work-items write: numbers of all sizes, and what is none. */
static void fill(uint32_t (*in)[4]) {
    static const float reals[] = {0, 1, -1, 0.5f, 1.0f / 255, 2, 1e10f, -1e-40f};
    for (int i = 0; i < ITEMS; i++)
        for (int c = 0; c < 4; c++) {
            unsigned which = host_random();
            float f = which % 3 ? (float)(which % 65536) / 32768 - 0.5f : reals[which / 3 % 8];
            memcpy(&in[i][c], &f, sizeof f);
            if (which % 7 == 0) in[i][c] = which % 2 ? 0x7fc00000 : which % 600 - 300;
        }
}

int main(void) {
    static int32_t at[ITEMS][2];
    static uint32_t in[ITEMS][4];
    cl_int err;
    h = host_open();
    char *source = write_source();
    cl_program program = host_build(&h, source);
    free(source);
    fill(in);
    for (int i = 0; i < ITEMS; i++) at[i][0] = i % ACROSS, at[i][1] = i / ACROSS;
    ids = clCreateBuffer(h.context, CL_MEM_COPY_HOST_PTR, sizeof at, at, &err);
    host_must(err, "clCreateBuffer");
    data = clCreateBuffer(h.context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &err);
    host_must(err, "clCreateBuffer");
    out = clCreateBuffer(h.context, 0, sizeof in, NULL, &err);
    host_must(err, "clCreateBuffer");
    cl_image_format formats[HOST_FORMATS];
    cl_uint n = host_formats(&h, &kind, CL_MEM_READ_WRITE, formats);
    for (cl_uint i = 0; i < n; i++) try_format(program, &formats[i]);
    MUST(clReleaseMemObject(ids));
    MUST(clReleaseMemObject(data));
    MUST(clReleaseMemObject(out));
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(h.queue));
    MUST(clReleaseContext(h.context));
    printf("%d launches compared, %d wrong\n", checked, wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
