/* What SIMTCL_CHECK=api tells of commands on the same texels that nothing orders, and that it knows
 * which texels launches read and write.
 *
 *   checked_images wrong | right
 */
#include "checked.h"

#include <stdbool.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 4, TEXEL = 16, ROW = WIDTH * TEXEL, BYTES = ROW * HEIGHT };

static const char source[] =
    "constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "CLK_FILTER_NEAREST;\n"
    "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_LINEAR;\n"
    "constant sampler_t wrap = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | "
    "CLK_FILTER_LINEAR;\n"
    "#define PLACE (int2)(get_global_id(0) % 8, get_global_id(0) / 8)\n"
    "kernel void left(write_only image2d_t i) { write_imagef(i, PLACE, 1); }\n"
    "kernel void right(write_only image2d_t i) { write_imagef(i, PLACE + (int2)(8, 0), 2); }\n"
    "kernel void look(read_only image2d_t i) {\n"
    "    if (read_imagef(i, near, PLACE - (int2)(1, 0)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void centre(read_only image2d_t i) {\n"
    "    if (read_imagef(i, edge, convert_float2(PLACE) + 0.5f).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void between(read_only image2d_t i) {\n"
    "    if (read_imagef(i, edge, convert_float2(PLACE) + 1.0f).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void around(read_only image2d_t i) {\n"
    "    if (read_imagef(i, wrap, (float2)(0.01f, 0.01f)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void beyond(write_only image2d_t i) { write_imagef(i, PLACE + (int2)(16, 0), 3); }\n"
    "kernel void even(write_only image2d_array_t i) {\n"
    "    write_imagef(i, (int4)(PLACE, 0, 0), 4);\n"
    "    write_imagef(i, (int4)(PLACE, 2, 0), 4);\n"
    "}\n"
    "kernel void odd(write_only image2d_array_t i) { write_imagef(i, (int4)(PLACE, 1, 0), 5); }\n"
    "kernel void third(read_only image2d_array_t i) {\n"
    "    if (read_imagef(i, near, (int4)(PLACE, 2, 0)).x == 77) printf(\"x\");\n"
    "}\n"
    "kernel void list(write_only image1d_buffer_t i) { write_imagef(i, get_global_id(0), 6); }\n"
    "kernel void words(global float *a) { a[4 * get_global_id(0) + 64] = 7; }\n";

static cl_command_queue first, second, loose; /* the last one out of order */
static char bytes[BYTES];

static cl_mem image(void) { return checked_image(WIDTH, HEIGHT); }

static cl_mem image_of(cl_mem_object_type type, size_t height, size_t layers, cl_mem buffer) {
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = type,
                          .image_width = WIDTH,
                          .image_height = height,
                          .image_array_size = layers,
                          .buffer = buffer};
    cl_int code;
    cl_mem m = clCreateImage(checked_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    checked_need(code, "clCreateImage");
    return m;
}

static void launch(cl_command_queue q, const char *kernel, cl_mem on) {
    checked_launch(q, kernel, on, HEIGHT * 8, 0, NULL, NULL);
}

static void finish(void) {
    checked_need(clFinish(first), "clFinish");
    checked_need(clFinish(second), "clFinish");
    checked_need(clFinish(loose), "clFinish");
}

static void release(cl_mem m) {
    finish();
    checked_need(clReleaseMemObject(m), "clReleaseMemObject");
}

/* From that column on, so many. */
static void fill(cl_command_queue q, cl_mem m, size_t x, size_t width) {
    size_t origin[3] = {x, 0, 0}, region[3] = {width, HEIGHT, 1};
    float red[4] = {1, 0, 0, 1};
    checked_need(clEnqueueFillImage(q, m, red, origin, region, 0, NULL, NULL), "fill");
}

static void move(cl_command_queue q, cl_mem m, bool write, size_t x, size_t y) {
    size_t origin[3] = {x, y, 0}, region[3] = {2, 2, 1};
    cl_int code =
        write ? clEnqueueWriteImage(q, m, CL_FALSE, origin, region, 0, 0, bytes, 0, NULL, NULL)
              : clEnqueueReadImage(q, m, CL_FALSE, origin, region, 0, 0, bytes, 0, NULL, NULL);
    checked_need(code, "move");
}

static void copy(cl_command_queue q, cl_mem from, cl_mem to, size_t from_x, size_t to_x) {
    size_t a[3] = {from_x, 0, 0}, b[3] = {to_x, 0, 0}, region[3] = {4, HEIGHT, 1};
    checked_need(clEnqueueCopyImage(q, from, to, a, b, region, 0, NULL, NULL), "copy");
}

static void *map(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t x, size_t width) {
    size_t origin[3] = {x, 0, 0}, region[3] = {width, HEIGHT, 1}, pitch;
    cl_int code;
    void *at =
        clEnqueueMapImage(q, m, CL_TRUE, flags, origin, region, &pitch, NULL, 0, NULL, NULL, &code);
    checked_need(code, "clEnqueueMapImage");
    return at;
}

static void unmap(cl_command_queue q, cl_mem m, void *at) {
    checked_need(clEnqueueUnmapMemObject(q, m, at, 0, NULL, NULL), "clEnqueueUnmapMemObject");
}

/* ---- */

static void do_wrong(void) {
    size_t origin[3] = {0}, region[3] = {4, HEIGHT, 1};
    cl_mem m = image(), other; /* two launches that write */
    launch(first, "right", m);
    launch(second, "right", m);
    release(m);
    m = image(); /* one that reads, beside its own column */
    launch(loose, "left", m);
    launch(loose, "look", m);
    release(m);
    m = image(); /* a filter reaches the next column */
    launch(first, "right", m);
    launch(second, "between", m);
    release(m);
    m = image(); /* and around the image */
    fill(first, m, WIDTH - 1, 1);
    launch(second, "around", m);
    release(m);
    m = image(); /* without launches */
    fill(first, m, 4, 8);
    move(second, m, true, 3, 1);
    release(m);
    m = image(), other = image();
    launch(first, "left", m);
    copy(second, m, other, 6, 0);
    finish();
    move(first, other, false, 2, 0);
    copy(second, m, other, 0, 3);
    finish();
    release(other);
    other = checked_buffer(CL_MEM_READ_WRITE, BYTES, NULL); /* buffers become images */
    launch(first, "words", other);
    checked_need(clEnqueueCopyBufferToImage(second, other, m, 512, origin, region, 0, NULL, NULL),
                 "clEnqueueCopyBufferToImage");
    finish();
    launch(first, "look", m);
    checked_need(clEnqueueCopyBufferToImage(second, other, m, 0, origin, region, 0, NULL, NULL),
                 "clEnqueueCopyBufferToImage");
    finish();
    release(other);
    release(m);
    m = image(); /* mappings */
    void *at = map(first, m, CL_MAP_READ, 0, 4);
    launch(second, "left", m);
    unmap(first, m, at);
    finish();
    at = map(first, m, CL_MAP_WRITE, 10, 4);
    unmap(first, m, at);
    launch(second, "right", m);
    release(m);
    m = image_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, HEIGHT, 3, NULL); /* a layer */
    launch(first, "even", m);
    launch(second, "third", m);
    release(m);
    m = checked_buffer(CL_MEM_READ_WRITE, BYTES, NULL); /* an image that is a buffer */
    other = image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0, m);
    checked_launch(first, "list", other, WIDTH, 0, NULL, NULL);
    checked_launch(second, "words", m, 1, 0, NULL, NULL);
    finish();
    checked_launch(first, "list", other, WIDTH + 4, 0, NULL, NULL);
    checked_need(clEnqueueWriteBuffer(second, m, CL_FALSE, ROW - 4, 8, bytes, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    finish();
    release(other);
    release(m);
}

static void do_right(void) {
    size_t origin[3] = {0}, region[3] = {4, HEIGHT, 1}, right[3] = {8, 0, 0};
    cl_mem m = image(), other = image();
    launch(first, "left", m); /* halves */
    launch(second, "right", m);
    launch(loose, "beyond", m);
    finish();
    launch(first, "look", m); /* loads alone; the border is nobody's */
    launch(second, "between", m);
    launch(loose, "around", m);
    move(loose, m, false, 0, 0);
    finish();
    launch(first, "right", m); /* what a filter weighs by nothing */
    launch(second, "centre", m);
    finish();
    launch(first, "look", m);
    fill(second, m, 9, 7);
    move(loose, m, true, 7, 0);
    finish();
    launch(first, "left", m); /* copies of other parts, and of what has ended */
    copy(second, m, other, 8, 0);
    move(loose, other, true, 4, 0);
    finish();
    copy(first, m, other, 0, 4);
    launch(second, "look", m);
    finish();
    cl_mem buffer = checked_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
    launch(first, "look", m);
    checked_need(clEnqueueCopyImageToBuffer(second, m, buffer, origin, region, 768, 0, NULL, NULL),
                 "clEnqueueCopyImageToBuffer");
    checked_need(clEnqueueCopyBufferToImage(loose, buffer, m, 0, right, region, 0, NULL, NULL),
                 "clEnqueueCopyBufferToImage");
    finish();
    launch(loose, "left", m); /* a barrier, an event, an in-order queue */
    checked_need(clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL), "clEnqueueBarrier");
    cl_event e;
    checked_launch(loose, "look", m, 8, 0, NULL, &e);
    checked_launch(first, "left", m, 8, 1, &e, NULL);
    launch(first, "look", m);
    clReleaseEvent(e);
    finish();
    void *at = map(first, m, CL_MAP_WRITE, 8, 8), *read = map(second, m, CL_MAP_READ, 0, 8);
    unmap(second, m, read);
    unmap(first, m, at);
    finish();
    launch(second, "right", m);
    release(m);
    release(other);
    m = image_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, HEIGHT, 3, NULL);
    launch(first, "even", m);
    launch(second, "odd", m);
    finish();
    launch(first, "third", m);
    launch(second, "odd", m);
    release(m);
    m = image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0, buffer);
    checked_launch(first, "list", m, WIDTH, 0, NULL, NULL);
    checked_need(clEnqueueWriteBuffer(second, buffer, CL_FALSE, ROW, 64, bytes, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    release(m);
    release(buffer);
}

int main(int argc, char **argv) {
    return checked_main(argc, argv, source, (cl_command_queue *[]){&first, &second, &loose},
                        do_wrong, do_right);
}
