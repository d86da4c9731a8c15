/* What SIMTCL_CHECK=api tells of commands on the same bytes that nothing orders, and that whatever
 * orders commands is known.
 *
 *   checked_order wrong | right
 */
#include "checked.h"

#include <string.h>

enum { ITEMS = 256, BYTES = ITEMS * sizeof(int) };

static const char source[] =
    "kernel void low(global int *a) { a[get_global_id(0)] = 1; }\n"
    "kernel void high(global int *a) { a[get_global_id(0) + 128] = 2; }\n"
    "kernel void odd(global int *a) { a[2 * get_global_id(0) + 1] = 3; }\n"
    "kernel void even(global int *a) { a[2 * get_global_id(0)] = 4; }\n"
    "kernel void some(global int *a) { int i = get_global_id(0); if (i == 77) a[i] = 5; }\n"
    "kernel void look(global int *a) { int i = get_global_id(0); if (a[i] == 100) a[i + 128] = 6; "
    "}\n"
    "kernel void count(global int *a) { atomic_inc(a); }\n";

static cl_command_queue first, second, loose; /* the last one out of order */

static cl_mem buffer(void) { return checked_buffer(CL_MEM_READ_WRITE, BYTES, NULL); }

static void launch(cl_command_queue q, const char *kernel, cl_mem on, size_t items) {
    checked_launch(q, kernel, on, items, 0, NULL, NULL);
}

static cl_event launch_event(cl_command_queue q, const char *kernel, cl_mem on, size_t items) {
    cl_event e;
    checked_launch(q, kernel, on, items, 0, NULL, &e);
    return e;
}

static void launch_behind(cl_command_queue q, const char *kernel, cl_mem on, size_t items,
                          cl_event e) {
    checked_launch(q, kernel, on, items, 1, &e, NULL);
    clReleaseEvent(e);
}

static void write(cl_command_queue q, cl_mem to, cl_bool blocks, size_t offset, size_t bytes) {
    static char zeros[BYTES];
    checked_need(clEnqueueWriteBuffer(q, to, blocks, offset, bytes, zeros, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
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

static void *map(cl_command_queue q, cl_mem m, cl_map_flags flags, cl_bool blocks) {
    cl_int code;
    void *at = clEnqueueMapBuffer(q, m, blocks, flags, 0, BYTES, 0, NULL, NULL, &code);
    checked_need(code, "clEnqueueMapBuffer");
    return at;
}

/* ---- */

static void do_wrong(void) {
    static int got[ITEMS];
    const int three = 3;
    cl_mem m = buffer(); /* two queues */
    launch(first, "low", m, 128);
    launch(second, "even", m, 128);
    release(m);
    m = buffer(); /* one, out of order */
    launch(loose, "low", m, 128);
    launch(loose, "some", m, 128);
    release(m);
    m = buffer(); /* a store against loads, known before and behind */
    launch(first, "look", m, 128);
    write(second, m, CL_FALSE, 0, 4);
    release(m);
    m = buffer();
    write(first, m, CL_FALSE, 0, BYTES);
    checked_need(clEnqueueReadBuffer(loose, m, CL_FALSE, BYTES / 2, 8, got, 0, NULL, NULL),
                 "clEnqueueReadBuffer");
    release(m);
    m = buffer(); /* a part of the buffer */
    cl_buffer_region half = {BYTES / 2, BYTES / 2};
    cl_int code;
    cl_mem part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    checked_need(code, "clCreateSubBuffer");
    launch(first, "high", m, 128);
    checked_need(clEnqueueFillBuffer(second, part, &three, sizeof three, 4, 8, 0, NULL, NULL),
                 "clEnqueueFillBuffer");
    finish();
    checked_need(clReleaseMemObject(part), "clReleaseMemObject");
    release(m);
    m = buffer(); /* atomic operations against a store */
    launch(first, "count", m, 64);
    launch(second, "some", m, 128);
    launch(second, "low", m, 1);
    release(m);
    m = buffer(); /* the event of another command than the one that matters */
    cl_event e = launch_event(first, "high", m, 128);
    launch(first, "low", m, 128);
    launch_behind(second, "low", m, 128, e);
    release(m);
    m = buffer(); /* a mapping that is given back in another queue */
    void *at = map(first, m, CL_MAP_WRITE, CL_TRUE);
    checked_need(clEnqueueUnmapMemObject(first, m, at, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    checked_need(clEnqueueReadBuffer(second, m, CL_TRUE, 0, 4, got, 0, NULL, NULL),
                 "clEnqueueReadBuffer");
    release(m);
}

static void CL_CALLBACK goes_on(cl_event event, cl_int status, void *user) {
    (void)event, (void)status;
    clSetUserEventStatus(user, CL_COMPLETE);
}

static void do_right(void) {
    static int got[ITEMS];
    cl_mem m = buffer(), other = buffer(), image = checked_image(16, 4);
    cl_event e;
    cl_int code, status;
    launch(first, "low", m, 128); /* halves, every other word, words that nobody else has */
    launch(second, "high", m, 128);
    finish();
    launch(first, "odd", m, 128);
    launch(second, "even", m, 128);
    launch(loose, "low", other, 128);
    finish();
    launch(first, "look", m, 64); /* of loads alone */
    launch(second, "look", m, 64);
    checked_need(clEnqueueReadBuffer(loose, m, CL_FALSE, 0, BYTES, got, 0, NULL, NULL),
                 "clEnqueueReadBuffer");
    finish();
    launch(first, "count", m, 64); /* of atomic operations */
    launch(second, "count", m, 64);
    finish();
    launch(first, "low", m, 128); /* an in-order queue */
    launch(first, "even", m, 128);
    launch_behind(second, "low", m, 128, launch_event(first, "odd", m, 128));
    launch_behind(loose, "low", m, 128, launch_event(second, "even", m, 128));
    finish();
    launch(loose, "low", m, 128); /* barriers and markers */
    checked_need(clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL), "clEnqueueBarrier");
    launch(loose, "even", m, 128);
    checked_need(clEnqueueMarkerWithWaitList(loose, 0, NULL, &e), "clEnqueueMarker");
    launch_behind(first, "low", m, 128, e);
    finish();
    write(first, m, CL_TRUE, 0, BYTES); /* the host waits */
    launch(second, "low", m, 128);
    e = launch_event(second, "low", m, 128);
    checked_need(clWaitForEvents(1, &e), "clWaitForEvents");
    clReleaseEvent(e);
    launch(first, "low", m, 128);
    e = launch_event(first, "high", m, 128);
    do {
        clFlush(first);
        checked_need(
            clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
            "clGetEventInfo");
    } while (status != CL_COMPLETE);
    clReleaseEvent(e);
    launch(second, "low", m, 128);
    finish();
    cl_event gate = clCreateUserEvent(checked_context, &code); /* a callback opens it */
    launch(first, "low", m, 128);
    e = launch_event(first, "odd", m, 128);
    clRetainEvent(gate);
    launch_behind(second, "even", m, 128, gate);
    checked_need(clSetEventCallback(e, CL_COMPLETE, goes_on, gate), "clSetEventCallback");
    clReleaseEvent(e);
    finish();
    clReleaseEvent(gate);
    void *at = map(first, m, CL_MAP_WRITE, CL_TRUE),
         *read = map(second, other, CL_MAP_READ, CL_FALSE);
    checked_need(clFinish(second), "clFinish");
    checked_need(clEnqueueUnmapMemObject(second, other, read, 0, NULL, NULL), "unmap");
    checked_need(clEnqueueUnmapMemObject(first, m, at, 0, NULL, &e), "unmap");
    launch_behind(second, "low", m, 128, e);
    finish();
    size_t origin[3] = {0}, region[3] = {8, 4, 1}, right[3] = {8, 0, 0};
    float red[4] = {1, 0, 0, 1};
    checked_need(clEnqueueFillImage(first, image, red, origin, region, 0, NULL, NULL), "fill");
    checked_need(clEnqueueFillImage(second, image, red, right, region, 0, NULL, NULL), "fill");
    finish();
    for (int n = 0; n < 3000; n++) { /* more than are looked at */
        launch_behind(second, "low", m, 128, launch_event(first, "odd", other, 8));
        if (n % 1000 == 999) write(first, other, CL_FALSE, 0, 8);
    }
    release(m);
    release(other);
    release(image);
}

int main(int argc, char **argv) {
    return checked_main(argc, argv, source, (cl_command_queue *[]){&first, &second, &loose},
                        do_wrong, do_right);
}
