/* Writes: every format and kind of image, with values at and beyond the ends of the range, and
 * coordinates outside, which write nothing. */
#include <math.h>
#include <stdint.h>

#include "images_reference.h"

enum { WRITES = 256, SOURCE = 1 << 14, SHOWN = 20 };

static struct host h;
static int wrong, checked;
static bool volumes; /* may be written */
static const char *const classes[] = {"f", "i", "ui"}, *const values[] = {"float4", "int4",
                                                                          "uint4"};

static char *write_source(void) {
    char *text = malloc(SOURCE), *p = text, *end = text + SOURCE;
    if (!text) exit(EXIT_FAILURE);
    for (size_t k = 0; k < host_nkinds; k++) {
        const struct kind *kind = &host_kinds[k];
        if (kind->type == CL_MEM_OBJECT_IMAGE3D) {
            if (!volumes) continue;
            p += snprintf(p, (size_t)(end - p),
                          "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n");
        }
        for (int c = 0; c < 3; c++)
            p += snprintf(p, (size_t)(end - p),
                          "kernel void write_%s_%s(write_only %s image, global const int4 *at,\n"
                          "    global const %s *in) {\n"
                          "    size_t i = get_global_id(0); int4 c = at[i];\n"
                          "    write_image%s(image, %s, in[i]); }\n",
                          kind->name, classes[c], kind->image, values[c], classes[c],
                          kind->coordinates);
    }
    return text;
}

/* A value of every size, and what the ends of ranges make of it. */
static double value(enum images_reference_class class, uint32_t *bits) {
    static const float reals[] = {0,       1,          -1,       0.5f,     -0.5f,     2,     -2,
                                  65504,   65519,      65520,    1e10f,    -1e10f,    6e-8f, 3e-8f,
                                  6.1e-5f, 1.0f / 255, 0.49999f, INFINITY, -INFINITY, NAN};
    static const int32_t wholes[] = {0,      1,     -1,    127,       128,      -128,
                                     -129,   255,   256,   32767,     32768,    -32768,
                                     -32769, 65535, 65536, INT32_MAX, INT32_MIN};
    unsigned which = host_random();
    if (class == REFERENCE_REAL) {
        float f = which % 3 ? (float)(which % 65536) / 32768 - 0.75f
                            : reals[which / 3 % (sizeof reals / sizeof *reals)];
        memcpy(bits, &f, sizeof f);
        return f;
    }
    int32_t i =
        which % 2 ? (int32_t)(which << 3) : wholes[which / 2 % (sizeof wholes / sizeof *wholes)];
    *bits = (uint32_t)i;
    return class == REFERENCE_SIGNED ? (double)i : (double)*bits;
}

static void try_format(cl_program program, const struct kind *kind, const cl_image_format *format) {
    static unsigned char bytes[4096], before[4096];
    static int32_t at[WRITES][4];
    static uint32_t in[WRITES][4];
    static double exact[WRITES][4];
    size_t texel = images_reference_bytes(format), *size = (size_t *)kind->size;
    size_t texels = size[0] * size[1] * size[2], n = texels * texel;
    if (!texel || n > sizeof bytes) return;
    enum images_reference_class class = images_reference_class(format->image_channel_data_type);
    for (size_t i = 0; i < n; i++) before[i] = bytes[i] = (unsigned char)(i * 37 + 11);
    cl_int err;
    cl_mem buffer, m = host_image(&h, kind, CL_MEM_READ_WRITE, format, bytes, n, &buffer);
    /* Each texel of the image at most once; every fourth write goes astray. */
    for (int i = 0; i < WRITES; i++) {
        size_t t = (size_t)i % texels;
        at[i][0] = (int32_t)(t % size[0]);
        at[i][1] = (int32_t)(t / size[0] % size[1]);
        at[i][2] = (int32_t)(t / size[0] / size[1]);
        if ((size_t)i >= texels || i % 4 == 3)
            at[i][0] = i % 8 == 3 ? -1 - i : (int32_t)size[0] + i;
        for (int c = 0; c < 4; c++) exact[i][c] = value(class, &in[i][c]);
    }
    cl_mem places = clCreateBuffer(h.context, CL_MEM_COPY_HOST_PTR, sizeof at, at, &err);
    host_must(err, "clCreateBuffer");
    cl_mem data = clCreateBuffer(h.context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &err);
    host_must(err, "clCreateBuffer");
    char name[64];
    snprintf(name, sizeof name, "write_%s_%s", kind->name, classes[class]);
    cl_kernel kernel = host_kernel(program, name);
    MUST(clSetKernelArg(kernel, 0, sizeof m, &m));
    MUST(clSetKernelArg(kernel, 1, sizeof places, &places));
    MUST(clSetKernelArg(kernel, 2, sizeof data, &data));
    size_t items = WRITES, zero[3] = {0, 0, 0};
    MUST(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    MUST(clEnqueueReadImage(h.queue, m, CL_TRUE, zero, size, 0, 0, bytes, 0, NULL, NULL));
    for (size_t t = 0; t < texels; t++) {
        bool written = t < WRITES && t % 4 != 3;
        checked++;
        if (written ? images_reference_written(format, bytes + t * texel, exact[t])
                    : !memcmp(bytes + t * texel, before + t * texel, texel))
            continue;
        if (wrong++ < SHOWN)
            fprintf(stderr,
                    "%s: order 0x%x type 0x%x texel %zu %s (%.9g, %.9g, %.9g, %.9g): %02x...\n",
                    name, format->image_channel_order, format->image_channel_data_type, t,
                    written ? "is not" : "was not to change;", exact[t][0], exact[t][1],
                    exact[t][2], exact[t][3], bytes[t * texel]);
    }
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseMemObject(m));
    MUST(clReleaseMemObject(places));
    MUST(clReleaseMemObject(data));
    if (buffer) MUST(clReleaseMemObject(buffer));
}

int main(void) {
    static char extensions[4096];
    h = host_open();
    MUST(clGetDeviceInfo(h.device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    volumes = strstr(extensions, "cl_khr_3d_image_writes") != NULL;
    char *source = write_source();
    cl_program program = host_build(&h, source);
    free(source);
    for (size_t k = 0; k < host_nkinds; k++) {
        cl_image_format formats[HOST_FORMATS];
        if (host_kinds[k].type == CL_MEM_OBJECT_IMAGE3D && !volumes) continue;
        cl_uint n = host_formats(&h, &host_kinds[k], CL_MEM_WRITE_ONLY, formats);
        for (cl_uint i = 0; i < n; i++) try_format(program, &host_kinds[k], &formats[i]);
    }
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(h.queue));
    MUST(clReleaseContext(h.context));
    printf("%d texels checked, %d wrong\n", checked, wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
