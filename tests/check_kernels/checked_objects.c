/* What SIMTCL_CHECK=api tells of objects and callbacks, and what it does not.
 *
 *   checked_objects wrong | right
 */
#include "checked.h"

#include <stdatomic.h>
#include <string.h>

enum { BYTES = 1024 };

static const char source[] = "kernel void one(global int *to) { to[get_global_id(0)] = 1; }\n"
                             "kernel void two(write_only image2d_t to) {\n"
                             "    write_imagef(to, (int2)(get_global_id(0), 0), (float4)(2));\n"
                             "}\n";

static cl_command_queue queue; /* the first */

static cl_mem buffer(void) { return checked_buffer(CL_MEM_READ_WRITE, BYTES, NULL); }

static cl_mem part(cl_mem of) {
    cl_buffer_region region = {BYTES / 2, BYTES / 2};
    cl_int code;
    cl_mem m = clCreateSubBuffer(of, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    checked_need(code, "clCreateSubBuffer");
    return m;
}

static cl_mem image(void) { return checked_image(16, 1); }

static cl_sampler sampler(void) {
    cl_int code;
    cl_sampler s =
        clCreateSampler(checked_context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    checked_need(code, "clCreateSampler");
    return s;
}

static void launch(const char *name, cl_mem to) {
    checked_launch(queue, name, to, 16, 0, NULL, NULL);
    checked_need(clFinish(queue), "clFinish");
}

static void *map(cl_mem m, cl_map_flags flags) {
    cl_int code;
    void *at = clEnqueueMapBuffer(queue, m, CL_TRUE, flags, 0, BYTES / 2, 0, NULL, NULL, &code);
    checked_need(code, "clEnqueueMapBuffer");
    return at;
}

static void *map_image(cl_mem m) {
    size_t origin[3] = {0}, region[3] = {16, 1, 1}, pitch;
    cl_int code;
    void *at = clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0,
                                 NULL, NULL, &code);
    checked_need(code, "clEnqueueMapImage");
    return at;
}

static void unmap(cl_mem m, void *at) {
    checked_need(clEnqueueUnmapMemObject(queue, m, at, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    checked_need(clFinish(queue), "clFinish");
}

/* ---- callbacks ---- */

struct objects_call {
    cl_mem m;
    cl_event other;
    atomic_int ended;
};

static void CL_CALLBACK waits_for_event(cl_event event, cl_int status, void *user) {
    struct objects_call *c = user;
    (void)event, (void)status;
    clWaitForEvents(1, &c->other);
    c->ended = 1;
}

static void CL_CALLBACK reads(cl_event event, cl_int status, void *user) {
    struct objects_call *c = user;
    int value;
    (void)event, (void)status;
    clEnqueueReadBuffer(queue, c->m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL);
    c->ended = 1;
}

static void CL_CALLBACK writes(cl_event event, cl_int status, void *user) {
    struct objects_call *c = user;
    int value = 0;
    (void)event, (void)status;
    clEnqueueWriteBuffer(queue, c->m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL);
    c->ended = 1;
}

/* Enqueues more, without waiting for it, and gives the other event back. */
static void CL_CALLBACK enqueues(cl_event event, cl_int status, void *user) {
    static const int value = 3;
    struct objects_call *c = user;
    (void)event, (void)status;
    clEnqueueWriteBuffer(queue, c->m, CL_FALSE, 0, sizeof value, &value, 0, NULL, NULL);
    clFlush(queue);
    clReleaseEvent(c->other);
    c->ended = 1;
}

static void call(void(CL_CALLBACK *callback)(cl_event, cl_int, void *), struct objects_call *c) {
    int zero = 0;
    cl_event written;
    c->ended = 0;
    checked_need(
        clEnqueueWriteBuffer(queue, c->m, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, &written),
        "clEnqueueWriteBuffer");
    checked_need(clSetEventCallback(written, CL_COMPLETE, callback, c), "clSetEventCallback");
    while (!c->ended) clFlush(queue);
    clReleaseEvent(written);
}

static cl_event marked(void) {
    cl_event event;
    checked_need(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event),
                 "clEnqueueMarkerWithWaitList");
    checked_need(clFinish(queue), "clFinish");
    return event;
}

/* ---- */

static void do_wrong(void) {
    cl_mem b = buffer(), p = part(b), i = image();
    map(b, CL_MAP_WRITE_INVALIDATE_REGION);
    launch("one", p); /* a part of what is mapped */
    map_image(i);
    launch("two", i);
    struct objects_call c = {.m = buffer(), .other = marked()};
    call(waits_for_event, &c);
    call(reads, &c);
    call(writes, &c);
    clReleaseEvent(c.other);
    clReleaseMemObject(b); /* its part is left, and so is the image */
    sampler();
    clRetainProgram(checked_program);
    clRetainCommandQueue(queue);
    clRetainContext(checked_context);
    clReleaseMemObject(c.m);
}

static void do_right(void) {
    cl_mem b = buffer(), p = part(b), i = image();
    void *at = map(b, CL_MAP_READ); /* the host only reads */
    launch("two", i);
    unmap(b, at);
    at = map(b, CL_MAP_READ | CL_MAP_WRITE);
    unmap(b, at);
    launch("one", b); /* it is not mapped any more */
    at = map(b, CL_MAP_WRITE);
    cl_mem other = buffer();
    launch("one", other); /* another one is */
    unmap(b, at);
    at = map_image(i);
    unmap(i, at);
    launch("two", i);
    struct objects_call c = {.m = other, .other = marked()};
    call(enqueues, &c);
    checked_need(clFinish(queue), "clFinish");
    cl_sampler s = sampler();
    clRetainSampler(s);
    clReleaseSampler(s);
    clReleaseSampler(s);
    clReleaseMemObject(b); /* before its part */
    clReleaseMemObject(p);
    clReleaseMemObject(i);
    clReleaseMemObject(other);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    checked_open(source);
    queue = checked_queue;
    strcmp(argv[1], "wrong") ? do_right() : do_wrong();
    checked_close();
    return 0;
}
