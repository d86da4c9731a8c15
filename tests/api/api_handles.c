/* Any pointer may come as a handle: NULL, of another kind, inside an object, released, nothing at
 * all. */
#include "api.h"

static struct api a;

/* Every call with one handle, on a handle that is not of its kind. */
static void refuse_all(void *h) {
    EXPECT(CL_INVALID_DEVICE, clRetainDevice(h));
    EXPECT(CL_INVALID_CONTEXT, clRetainContext(h));
    EXPECT(CL_INVALID_CONTEXT, clReleaseContext(h));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(h));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(h));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(h));
    EXPECT(CL_INVALID_MEM_OBJECT, clRetainMemObject(h));
    EXPECT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(h));
    EXPECT(CL_INVALID_SAMPLER, clRetainSampler(h));
    EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(h));
    EXPECT(CL_INVALID_PROGRAM, clRetainProgram(h));
    EXPECT(CL_INVALID_PROGRAM, clReleaseProgram(h));
    EXPECT(CL_INVALID_KERNEL, clRetainKernel(h));
    EXPECT(CL_INVALID_KERNEL, clReleaseKernel(h));
    EXPECT(CL_INVALID_EVENT, clRetainEvent(h));
    EXPECT(CL_INVALID_EVENT, clReleaseEvent(h));
    EXPECT(CL_INVALID_EVENT, clWaitForEvents(1, (cl_event *)&h));
}

int main(void) {
    if (!api_ours) return 0; /* others crash, as they may */
    a = api_open();
    cl_int err, local = 0;
    void *heap = malloc(64);
    refuse_all(NULL);
    refuse_all((void *)1);
    refuse_all((void *)-64);
    refuse_all(&local);
    refuse_all(heap);
    refuse_all((void *)refuse_all);
    free(heap);
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    for (int offset = 1; offset <= 4096; offset *= 2) refuse_all((char *)m + offset);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    refuse_all(m);
    /* A released handle stays dead while thousands of others come and go. */
    cl_event dead = clCreateUserEvent(a.context, &err);
    EXPECT(CL_SUCCESS, clReleaseEvent(dead));
    for (int i = 0; i < 4000; i++) {
        cl_event e = clCreateUserEvent(a.context, &err);
        CHECK(e != dead);
        EXPECT(CL_SUCCESS, clReleaseEvent(e));
        EXPECT(CL_INVALID_EVENT, clReleaseEvent(dead));
    }
    api_close(&a);
    refuse_all(a.context);
    refuse_all(a.queue);
    return api_result();
}
