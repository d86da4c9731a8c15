/* 64 threads, each with a context of its own, made and given back several times. */
#include "tests/api/api.h"

#include <pthread.h>

enum { THREADS = 64, ROUNDS = 4, ITEMS = 1000 };

static cl_device_id device;

static void *work(void *arg) {
    for (int round = 0; round < ROUNDS; round++) {
        cl_int err, value = (cl_int)(size_t)arg * ROUNDS + round, got[ITEMS];
        struct api own = {.device = device};
        EXPECT_NEW(CL_SUCCESS, own.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err));
        EXPECT_NEW(CL_SUCCESS, own.queue = clCreateCommandQueue(own.context, device, 0, &err));
        cl_program program = kernels_program(&own);
        cl_kernel fill = kernels_get(program, "fill");
        cl_mem m = clCreateBuffer(own.context, 0, sizeof got, NULL, &err);
        size_t items = ITEMS;
        EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
        EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
        EXPECT(CL_SUCCESS,
               clEnqueueNDRangeKernel(own.queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
        EXPECT(CL_SUCCESS,
               clEnqueueReadBuffer(own.queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        int wrong = 0;
        for (int i = 0; i < ITEMS; i++) wrong += got[i] != value + i;
        CHECK(!wrong);
        EXPECT(CL_SUCCESS, clReleaseMemObject(m));
        EXPECT(CL_SUCCESS, clReleaseKernel(fill));
        EXPECT(CL_SUCCESS, clReleaseProgram(program));
        api_close(&own);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    cl_platform_id platform;
    EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    kernels_binary(&(size_t){0}); /* made once, before the threads share it */
    for (size_t i = 0; i < THREADS; i++)
        if (!CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0)) return 1;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return api_result();
}
