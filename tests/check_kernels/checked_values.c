/* A host program with buffers and images of which not all is written before kernels use it
 * (SIMTCL_CHECK=uninit), and with ways to write them that leave nothing to say. */
#include "checked.h"

#include <string.h>

enum { ITEMS = 16, BYTES = ITEMS * sizeof(int) };

static const char source[] = "kernel void pick(global int *out, global const int *in) {\n"
                             "    int i = get_global_id(0);\n"
                             "    out[in[i] & 15] = 1;\n"
                             "}\n"
                             "kernel void limit(global int *out, constant int *in) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (in[i] > 3) out[i] = 3;\n"
                             "}\n"
                             "kernel void copy(global int *out, global const int *in) {\n"
                             "    int i = get_global_id(0);\n"
                             "    out[i] = in[i];\n"
                             "}\n"
                             "kernel void texels(global int *out, read_only image2d_t in) {\n"
                             "    int i = get_global_id(0);\n"
                             "    const sampler_t s = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;\n"
                             "    out[i] = read_imagei(in, s, (int2)(i & 3, i >> 2)).x;\n"
                             "}\n"
                             "kernel void paint(global int *out, write_only image2d_t to) {\n"
                             "    int i = get_global_id(0);\n"
                             "    write_imagei(to, (int2)(i & 3, i >> 2), out[i]);\n"
                             "}\n";

static cl_command_queue queue; /* the first */

static cl_mem buffer(cl_mem_flags flags, void *from) { return checked_buffer(flags, BYTES, from); }

static cl_mem image(void) {
    cl_int code;
    cl_image_format format = {CL_R, CL_SIGNED_INT32};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = ITEMS / 4};
    cl_mem m = clCreateImage(checked_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    checked_need(code, "clCreateImage");
    return m;
}

static void launch(const char *name, cl_mem out, cl_mem in) {
    size_t items = ITEMS;
    cl_int code;
    cl_kernel kernel = clCreateKernel(checked_program, name, &code);
    checked_need(code, "clCreateKernel");
    checked_need(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
    checked_need(clSetKernelArg(kernel, 1, sizeof in, &in), "clSetKernelArg");
    checked_need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel");
    checked_need(clFinish(queue), "clFinish");
    clReleaseKernel(kernel);
}

static void read(cl_mem from) {
    int got[ITEMS];
    checked_need(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, BYTES, got, 0, NULL, NULL),
                 "clEnqueueReadBuffer");
}

static void copy(cl_mem from, cl_mem to) {
    checked_need(clEnqueueCopyBuffer(queue, from, to, 0, 0, BYTES, 0, NULL, NULL),
                 "clEnqueueCopyBuffer");
}

/* What is told. */
static void wrong(cl_mem out) {
    int some[ITEMS] = {0};
    cl_mem never = buffer(CL_MEM_READ_WRITE, NULL), half = buffer(CL_MEM_READ_ONLY, NULL),
           copied = buffer(CL_MEM_READ_WRITE, NULL), empty = image();
    launch("pick", out, never);
    checked_need(clEnqueueWriteBuffer(queue, half, CL_TRUE, 0, BYTES / 2, some, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    launch("limit", out, half);
    copy(never, copied);
    launch("limit", out, copied);
    launch("texels", out, empty);
    launch("copy", out, copied);
    read(out);
    clReleaseMemObject(never);
    clReleaseMemObject(half);
    clReleaseMemObject(copied);
    clReleaseMemObject(empty);
}

/* Told of memory that was all written when kernels used it first. */
static void later(cl_mem out) {
    int some[ITEMS] = {0};
    cl_mem never = buffer(CL_MEM_READ_WRITE, NULL),
           copied = buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, some),
           stored = buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, some),
           released = buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, some);
    for (int n = 0; n < 2; n++) {
        launch("pick", out, copied);
        launch("limit", out, stored);
        launch("copy", stored, copied);
        launch("copy", out, released);
    }
    copy(never, copied);
    launch("pick", out, copied);
    launch("copy", stored, never);
    launch("limit", out, stored);
    clReleaseMemObject(released);
    cl_mem again = buffer(CL_MEM_READ_WRITE, NULL); /* may lie where it was */
    launch("copy", out, again);
    read(out);
    launch("copy", out, again);
    checked_need(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, BYTES, some, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    launch("pick", stored, out);
    launch("limit", out, out);
    read(out);
    clReleaseMemObject(never);
    clReleaseMemObject(copied);
    clReleaseMemObject(stored);
    clReleaseMemObject(again);
}

/* What is not: all of it is written, or nothing depends on it. */
static void right(cl_mem out) {
    int some[ITEMS] = {0}, zero = 0;
    size_t origin[3] = {0, 0, 0}, region[3] = {4, ITEMS / 4, 1};
    cl_int code;
    cl_mem given = buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, some),
           used = buffer(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, some),
           filled = buffer(CL_MEM_READ_WRITE, NULL), mapped = buffer(CL_MEM_READ_WRITE, NULL),
           copied = buffer(CL_MEM_READ_WRITE, NULL), stored = buffer(CL_MEM_READ_WRITE, NULL),
           parts = buffer(CL_MEM_READ_WRITE, NULL), never = buffer(CL_MEM_READ_WRITE, NULL);
    launch("pick", out, given);
    launch("limit", out, used);
    checked_need(clEnqueueFillBuffer(queue, filled, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL),
                 "clEnqueueFillBuffer");
    launch("pick", out, filled);
    void *at =
        clEnqueueMapBuffer(queue, mapped, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &code);
    checked_need(code, "clEnqueueMapBuffer");
    memset(at, 0, BYTES);
    checked_need(clEnqueueUnmapMemObject(queue, mapped, at, 0, NULL, NULL),
                 "clEnqueueUnmapMemObject");
    launch("limit", out, mapped);
    copy(mapped, copied);
    launch("pick", out, copied);
    launch("copy", stored, given);
    launch("pick", out, stored);
    for (int n = 0; n < ITEMS; n += 4)
        checked_need(clEnqueueWriteBuffer(queue, parts, CL_TRUE, n * sizeof(int), 4 * sizeof(int),
                                          some, 0, NULL, NULL),
                     "clEnqueueWriteBuffer");
    launch("limit", out, parts);
    cl_mem painted = image();
    launch("paint", given, painted);
    launch("texels", out, painted);
    checked_need(
        clEnqueueCopyImageToBuffer(queue, painted, never, origin, region, 0, 0, NULL, NULL),
        "clEnqueueCopyImageToBuffer");
    launch("pick", out, never);
    cl_mem all[] = {given, used, filled, mapped, copied, stored, parts, never, painted};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) clReleaseMemObject(all[n]);
    cl_mem again = buffer(CL_MEM_READ_WRITE, NULL); /* may lie where another was */
    read(again); /* bytes that nothing has written are a note alone */
    clReleaseMemObject(again);
}

int main(int argc, char **argv) {
    int zeros[ITEMS] = {0};
    checked_open(source);
    queue = checked_queue;
    cl_mem out = buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zeros);
    const char *what = argc > 1 ? argv[1] : "right";
    (!strcmp(what, "wrong") ? wrong : !strcmp(what, "later") ? later : right)(out);
    clReleaseMemObject(out);
    checked_close();
    return 0;
}
