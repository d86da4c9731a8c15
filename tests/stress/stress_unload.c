/* dlopen and dlclose of the driver by a host that is not linked with it, with the driver's threads
 * started, and with work in flight. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 64 << 20 };

static int failures;

static void must(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "not so: %s\n", what);
    failures++;
}
#define MUST(what) must(what, #what)

/* name: the driver's function of that name, by its type in the header. */
#define FIND(name) __typeof__(&name) p##name = (__typeof__(&name))dlsym(driver, #name)

static void round_trip(const char *path, int leave_running) {
    void *driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    FIND(clGetPlatformIDs);
    FIND(clGetDeviceIDs);
    FIND(clCreateContext);
    FIND(clCreateCommandQueue);
    FIND(clCreateBuffer);
    FIND(clEnqueueFillBuffer);
    FIND(clEnqueueReadBuffer);
    FIND(clFlush);
    FIND(clReleaseMemObject);
    FIND(clReleaseCommandQueue);
    FIND(clReleaseContext);
    cl_platform_id platform;
    cl_device_id device;
    cl_int err, value = 42, got = 0;
    MUST(pclGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    MUST(pclGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    cl_context context = pclCreateContext(NULL, 1, &device, NULL, NULL, &err);
    cl_command_queue queue = pclCreateCommandQueue(context, device, 0, &err);
    cl_mem m = pclCreateBuffer(context, 0, BYTES, NULL, &err);
    MUST(m != NULL);
    MUST(pclEnqueueFillBuffer(queue, m, &value, sizeof value, 0, BYTES, 0, NULL, NULL) ==
         CL_SUCCESS);
    MUST(pclEnqueueReadBuffer(queue, m, CL_TRUE, BYTES - 4, 4, &got, 0, NULL, NULL) == CL_SUCCESS);
    MUST(got == value);
    if (leave_running) {
        for (int i = 0; i < 8; i++)
            MUST(pclEnqueueFillBuffer(queue, m, &value, sizeof value, 0, BYTES, 0, NULL, NULL) ==
                 CL_SUCCESS);
        MUST(pclFlush(queue) == CL_SUCCESS);
    } else {
        MUST(pclReleaseMemObject(m) == CL_SUCCESS);
        MUST(pclReleaseCommandQueue(queue) == CL_SUCCESS);
        MUST(pclReleaseContext(context) == CL_SUCCESS);
    }
    MUST(dlclose(driver) == 0);
}

int main(int argc, char **argv) {
    if (argc < 2) return EXIT_FAILURE;
    for (int i = 0; i < 3; i++) round_trip(argv[1], 0);
    round_trip(argv[1], 1);
    round_trip(argv[1], 1);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
