/* What SIMTCL_CHECK=api tells of mapped memory that the host uses as it may not, and that mappings
 * used as they may be work as they do without it.
 *
 *   checked_mapped wrong | right
 */
#include "checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, BYTES = 4 * PAGE };

static const char source[] = "kernel void more(global int *all) { all[get_global_id(0)] += 1; }\n";

static cl_command_queue queue; /* the first */

static char *map(cl_mem m, cl_map_flags flags, size_t offset, size_t bytes) {
    cl_int code;
    char *at = clEnqueueMapBuffer(queue, m, CL_TRUE, flags, offset, bytes, 0, NULL, NULL, &code);
    checked_need(code, "clEnqueueMapBuffer");
    return at;
}

static float *map_image(cl_mem m, size_t x, size_t width, size_t height, size_t *pitch) {
    size_t origin[3] = {x}, region[3] = {width, height, 1};
    cl_int code;
    float *at = clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region,
                                  pitch, NULL, 0, NULL, NULL, &code);
    checked_need(code, "clEnqueueMapImage");
    return at;
}

static void unmap(cl_mem m, void *at) {
    checked_need(clEnqueueUnmapMemObject(queue, m, at, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    checked_need(clFinish(queue), "clFinish");
}

static void store(char *at, int value) { *(volatile char *)at = (char)value; }
static int load(const char *at) { return *(const volatile char *)at; }

static void want(int good, const char *what) {
    if (good) return;
    printf("wrong: %s\n", what);
    exit(1);
}

static void want_byte(cl_mem m, size_t offset, int value) {
    char got;
    checked_need(clEnqueueReadBuffer(queue, m, CL_TRUE, offset, 1, &got, 0, NULL, NULL),
                 "clEnqueueReadBuffer");
    want(got == (char)value, "a byte of a buffer");
}

/* ---- */

static void do_wrong(void) {
    cl_mem first = checked_buffer(0, BYTES, NULL), second = checked_buffer(0, BYTES, NULL),
           third = checked_buffer(0, BYTES, NULL), fourth = checked_buffer(0, BYTES, NULL),
           image = checked_image(16, 4), fifth = checked_buffer(0, BYTES, NULL);
    char *at = map(first, CL_MAP_WRITE, 0, BYTES);
    memset(at, 7, BYTES);
    unmap(first, at);
    want(load(at + 100) == 7, "what lay there is read");
    store(at + 100, 8); /* told once, with the load */
    want_byte(first, 100, 7);

    at = map(second, CL_MAP_READ, PAGE, PAGE);
    unmap(second, at);
    map(second, CL_MAP_READ, 0, BYTES); /* is left mapped; the first one is not */
    store(at, 1);

    at = map(third, CL_MAP_WRITE_INVALIDATE_REGION, 0, PAGE);
    load(at + 2 * PAGE); /* beside what is mapped */
    unmap(third, at);

    at = map(fourth, CL_MAP_READ, 0, PAGE);
    store(at + 5, 9);
    unmap(fourth, at);
    want_byte(fourth, 5, 9); /* as on a device that shares its memory with the host */

    size_t pitch;
    at = (char *)map_image(image, 0, 16, 4, &pitch);
    unmap(image, at);
    load(at + 16);

    at = map(fifth, CL_MAP_WRITE, 0, BYTES);
    checked_need(clReleaseMemObject(fifth), "clReleaseMemObject");
    load(at);
    cl_mem all[] = {first, second, third, fourth, image};
    for (unsigned n = 0; n < 5; n++) checked_need(clReleaseMemObject(all[n]), "clReleaseMemObject");
}

/* Mappings that meet see each other's bytes, what is beside them is as it was, and each is given
 * back by itself. */
static void meet(void) {
    cl_mem m = checked_buffer(0, BYTES, NULL);
    cl_buffer_region half = {BYTES / 2, BYTES / 2};
    cl_int code;
    cl_mem part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    checked_need(code, "clCreateSubBuffer");
    char *low = map(m, CL_MAP_WRITE, 0, BYTES / 2 + 8);
    memset(low, 1, BYTES / 2 + 8);
    char *all = map(m, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES);
    want(all[0] == 1 && all[BYTES / 2 + 7] == 1 && all[BYTES / 2 + 8] == 0, "the bytes of both");
    want(all == low, "one object's mappings lie as it does");
    all[1] = 2;
    want(low[1] == 2, "a byte of both");
    char *high = map(part, CL_MAP_READ, 0, 16);
    want(high[7] == 1 && high[8] == 0, "a part's bytes");
    unmap(m, low);
    want_byte(m, 1, 2);
    all[1] = 3;
    all[BYTES - 1] = 4;
    unmap(m, all);
    unmap(part, high);
    want_byte(m, 1, 3);
    want_byte(m, BYTES - 1, 4);
    checked_launch(queue, "more", m, 1, 0, NULL, NULL);
    low = map(m, CL_MAP_READ, 0, 4);
    want(low[0] == 2, "what a kernel has stored");
    unmap(m, low);
    checked_need(clReleaseMemObject(part), "clReleaseMemObject");
    checked_need(clReleaseMemObject(m), "clReleaseMemObject");
}

/* Columns of an image. */
static void meet_image(void) {
    cl_mem m = checked_image(16, 4);
    size_t pitch;
    float *left = map_image(m, 0, 4, 4, &pitch), *right = map_image(m, 12, 4, 4, &pitch);
    size_t row = pitch / sizeof *left, last = 3 * row + 15;
    left[row] = 1;
    right[last] = 2; /* of its last texel */
    unmap(m, left);
    unmap(m, right);
    left = map_image(m, 0, 16, 4, &pitch);
    want(left[row] == 1 && left[4 * 12 + last] == 2 && left[0] == 0, "texels");
    unmap(m, left);
    checked_need(clReleaseMemObject(m), "clReleaseMemObject");
}

/* Memory of the host's own is always its. */
static void own_memory(void) {
    static char bytes[BYTES];
    cl_mem m = checked_buffer(CL_MEM_USE_HOST_PTR, BYTES, bytes);
    char *at = map(m, CL_MAP_WRITE, 8, 8);
    want(at == bytes + 8, "the host's own memory");
    store(at, 1);
    unmap(m, at);
    store(at, 2);
    want_byte(m, 8, 1);
    checked_need(clReleaseMemObject(m), "clReleaseMemObject");
}

/* Mapped before the command has run, and source of another. */
static void later(void) {
    cl_mem from = checked_buffer(CL_MEM_ALLOC_HOST_PTR, BYTES, NULL),
           to = checked_buffer(0, BYTES, NULL);
    cl_int code;
    char *pinned = map(from, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES);
    memset(pinned, 5, BYTES);
    checked_need(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, BYTES, pinned, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    cl_event gate = clCreateUserEvent(checked_context, &code), mapped;
    char *at =
        clEnqueueMapBuffer(queue, to, CL_FALSE, CL_MAP_READ, 0, BYTES, 1, &gate, &mapped, &code);
    checked_need(code, "clEnqueueMapBuffer");
    checked_need(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    checked_need(clWaitForEvents(1, &mapped), "clWaitForEvents");
    want(at[BYTES - 1] == 5, "what was written before");
    unmap(to, at);
    unmap(from, pinned);
    clReleaseEvent(gate);
    clReleaseEvent(mapped);
    for (int n = 0; n < 3000; n++) { /* more than are remembered */
        at = map(to, n % 2 ? CL_MAP_READ : CL_MAP_WRITE, (size_t)n % PAGE, PAGE);
        if (n % 2 == 0) store(at, n);
        unmap(to, at);
    }
    want_byte(to, 2998, 2998);
    checked_need(clReleaseMemObject(from), "clReleaseMemObject");
    checked_need(clReleaseMemObject(to), "clReleaseMemObject");
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    checked_open(source);
    queue = checked_queue;
    if (strcmp(argv[1], "wrong") != 0) {
        meet();
        meet_image();
        own_memory();
        later();
    } else {
        do_wrong();
    }
    checked_close();
    return 0;
}
