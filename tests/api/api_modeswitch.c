/* SIMTCL_FAULT=modeswitch@2: behind the second launch all of the context is lost (guide 2.4); what
 * the program holds can be released, and it may begin anew. */
#include <semaphore.h>

#include "api.h"

API_SETTING("SIMTCL_FAULT", "modeswitch@2")

static cl_event last;
static sem_t freed;

static void CL_CALLBACK tell(cl_mem m, void *user) {
    (void)m;
    sem_post(user);
}

/* Every call with one of the objects, but releases. */
static void test_lost(struct api *a, cl_program p, cl_kernel k, cl_mem m) {
    cl_int err, value = 1;
    size_t items = 1;
    cl_uint n;
    char text[64];
    EXPECT(CL_INVALID_CONTEXT, clFinish(a->queue));
    EXPECT(CL_INVALID_CONTEXT, clFlush(a->queue));
    EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueNDRangeKernel(a->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueTask(a->queue, k, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueReadBuffer(a->queue, m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueWriteBuffer(a->queue, m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMarker(a->queue, &last));
    EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(1, &last));
    EXPECT(CL_INVALID_CONTEXT, clGetEventInfo(last, CL_EVENT_REFERENCE_COUNT, sizeof n, &n, NULL));
    EXPECT(CL_INVALID_CONTEXT, clRetainMemObject(m));
    EXPECT(CL_INVALID_CONTEXT,
           clGetContextInfo(a->context, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    EXPECT(CL_INVALID_CONTEXT, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateBuffer(a->context, 0, 64, NULL, &err));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateCommandQueue(a->context, a->device, 0, &err));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateKernel(p, "fill", &err));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateUserEvent(a->context, &err));
}

/* A buffer, a kernel, and what it writes. */
static cl_int run(struct api *a, cl_kernel k, cl_mem m, cl_int value, cl_event *event) {
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueTask(a->queue, k, 0, NULL, event));
    return value;
}

int main(void) {
    if (!api_ours) return 0;
    struct api a = api_open();
    cl_int err, got = 0;
    cl_program p = kernels_program(&a);
    cl_kernel k = kernels_get(p, "fill");
    cl_mem m;
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, 64, NULL, &err));
    sem_init(&freed, 0, 0);
    EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(m, tell, &freed));
    run(&a, k, m, 5, NULL);
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == 5);
    run(&a, k, m, 6, &last);
    test_lost(&a, p, k, m);

    /* Everything can be given back; the last launch, which nothing can wait for any more, does so
     * when it ends. */
    EXPECT(CL_SUCCESS, clReleaseEvent(last));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    api_close(&a);
    while (sem_wait(&freed)) {
    }

    /* Platform and devices are there, and a new context is as good as the first one was. */
    a = api_open();
    p = kernels_program(&a);
    k = kernels_get(p, "fill");
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, 64, NULL, &err));
    for (cl_int i = 0; i < 4; i++) {
        run(&a, k, m, i, NULL);
        EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
        CHECK(got == i);
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    api_close(&a);
    return api_result();
}
