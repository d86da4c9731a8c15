/* What SIMTCL_CHECK=memory tells of images of every dimension, and of samplers that are arguments.
 *
 *   checked_texels wrong | right
 */
#include "checked.h"

#include <stdbool.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 4, LAYERS = 3, ITEMS = 64 };

/* of every kernel: an image, and a sampler if it reads; `by` moves the coordinates. */
static const char source[] =
    "#define ID (int)get_global_id(0)\n"
    "kernel void write_1d(write_only image1d_t i, int by) {\n"
    "    if (ID < 16) write_imagef(i, ID + by, 1);\n"
    "}\n"
    "kernel void write_row(write_only image1d_array_t i, int by) {\n"
    "    write_imagef(i, (int2)(ID % 16, ID / 16 % 3 + by), 1);\n"
    "}\n"
    "kernel void write_2d(write_only image2d_t i, int by) {\n"
    "    write_imagef(i, (int2)(ID % 16, ID / 16 - by), 1);\n"
    "}\n"
    "kernel void write_layer(write_only image2d_array_t i, int by) {\n"
    "    write_imagef(i, (int4)(ID % 16, ID / 16, 2 + by, 0), 1);\n"
    "}\n"
    "kernel void read_3d(read_only image3d_t i, sampler_t s, int by) {\n"
    "    if (read_imagef(i, s, (int4)(ID % 16, ID / 16, 2 + by, 0)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void read_layer(read_only image2d_array_t i, sampler_t s, int by) {\n"
    "    if (read_imagef(i, s, (int4)(ID % 16, ID / 16 + by, 9, 0)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void read_real(read_only image2d_t i, sampler_t s, int by) {\n"
    "    float x = by == 7 ? nan(0u) : ID % 16 + by * 0.25f;\n"
    "    if (read_imagef(i, s, (float2)(x, ID / 16)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void read_parts(read_only image2d_t i, sampler_t s, int by) {\n"
    "    if (read_imagef(i, s, (float2)(by + ID / 64.0f, 0.5f)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void read_integers(read_only image2d_t i, sampler_t s, int by) {\n"
    "    if (read_imagef(i, s, (int2)(ID % 16, by)).x == 77) printf(\"x\");\n"
    "}\n";

static const cl_addressing_mode none = CL_ADDRESS_NONE, edge = CL_ADDRESS_CLAMP_TO_EDGE,
                                repeat = CL_ADDRESS_REPEAT;

static cl_mem image(cl_mem_object_type type) {
    bool slices = type == CL_MEM_OBJECT_IMAGE3D;
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = type,
                          .image_width = WIDTH,
                          .image_height = HEIGHT,
                          .image_depth = slices ? LAYERS : 0,
                          .image_array_size = slices ? 0 : LAYERS};
    static float zeros[WIDTH * HEIGHT * LAYERS * 4];
    cl_int code;
    cl_mem m = clCreateImage(checked_context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
                             &desc, zeros, &code);
    checked_need(code, "clCreateImage");
    return m;
}

static void launch(const char *name, cl_mem_object_type type, cl_sampler sampler, cl_int by) {
    size_t items = ITEMS;
    cl_mem m = image(type);
    cl_uint n = 0;
    cl_int code;
    cl_kernel k = clCreateKernel(checked_program, name, &code);
    checked_need(code, "clCreateKernel");
    checked_need(clSetKernelArg(k, n++, sizeof m, &m), "clSetKernelArg");
    if (sampler) checked_need(clSetKernelArg(k, n++, sizeof sampler, &sampler), "clSetKernelArg");
    checked_need(clSetKernelArg(k, n, sizeof by, &by), "clSetKernelArg");
    checked_need(clEnqueueNDRangeKernel(checked_queue, k, 1, NULL, &items, NULL, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel");
    checked_need(clFinish(checked_queue), "clFinish");
    checked_need(clReleaseKernel(k), "clReleaseKernel");
    checked_need(clReleaseMemObject(m), "clReleaseMemObject");
    if (sampler) checked_need(clReleaseSampler(sampler), "clReleaseSampler");
}

static cl_sampler sampler(bool normalised, cl_addressing_mode mode, cl_filter_mode filter) {
    cl_int code;
    cl_sampler s = clCreateSampler(checked_context, normalised, mode, filter, &code);
    checked_need(code, "clCreateSampler");
    return s;
}

static cl_sampler near(cl_addressing_mode mode) { return sampler(false, mode, CL_FILTER_NEAREST); }

static void do_wrong(void) {
    launch("write_1d", CL_MEM_OBJECT_IMAGE1D, NULL, 1);
    launch("write_row", CL_MEM_OBJECT_IMAGE1D_ARRAY, NULL, 1);
    launch("write_2d", CL_MEM_OBJECT_IMAGE2D, NULL, 1);
    launch("write_layer", CL_MEM_OBJECT_IMAGE2D_ARRAY, NULL, 1);
    launch("read_3d", CL_MEM_OBJECT_IMAGE3D, near(none), 1);
    launch("read_layer", CL_MEM_OBJECT_IMAGE2D_ARRAY, near(none), 1);
    launch("read_real", CL_MEM_OBJECT_IMAGE2D, near(none), -1);
    launch("read_real", CL_MEM_OBJECT_IMAGE2D, near(none), 7);
    launch("read_parts", CL_MEM_OBJECT_IMAGE2D, near(repeat), 0);
    launch("read_integers", CL_MEM_OBJECT_IMAGE2D, sampler(true, edge, CL_FILTER_NEAREST), 0);
    launch("read_integers", CL_MEM_OBJECT_IMAGE2D, sampler(false, edge, CL_FILTER_LINEAR), 0);
}

static void do_right(void) {
    launch("write_1d", CL_MEM_OBJECT_IMAGE1D, NULL, 0);
    launch("write_row", CL_MEM_OBJECT_IMAGE1D_ARRAY, NULL, 0);
    launch("write_2d", CL_MEM_OBJECT_IMAGE2D, NULL, 0);
    launch("write_layer", CL_MEM_OBJECT_IMAGE2D_ARRAY, NULL, 0);
    launch("read_3d", CL_MEM_OBJECT_IMAGE3D, near(none), 0);
    launch("read_3d", CL_MEM_OBJECT_IMAGE3D, near(edge), 1);
    launch("read_layer", CL_MEM_OBJECT_IMAGE2D_ARRAY, near(none), 0); /* layers are clamped */
    launch("read_real", CL_MEM_OBJECT_IMAGE2D, near(none), 3);
    launch("read_real", CL_MEM_OBJECT_IMAGE2D, near(edge), 7);
    launch("read_real", CL_MEM_OBJECT_IMAGE2D, sampler(false, edge, CL_FILTER_LINEAR), -1);
    launch("read_parts", CL_MEM_OBJECT_IMAGE2D, sampler(true, repeat, CL_FILTER_LINEAR), 5);
    launch("read_parts", CL_MEM_OBJECT_IMAGE2D, sampler(true, none, CL_FILTER_NEAREST), 0);
    launch("read_integers", CL_MEM_OBJECT_IMAGE2D, near(edge), -2);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    checked_open(source);
    strcmp(argv[1], "wrong") ? do_right() : do_wrong();
    checked_close();
    return 0;
}
