/* Two copies of the driver in one process, as two loaders may bring them: each has its devices,
 * threads and handler of SIGSEGV, a kernel that goes astray in one ends that launch alone, and one
 * that is unloaded leaves the other working. */
#include "tests/api/api.h"

#include <dlfcn.h>
#include <signal.h>

enum { COPIES = 2, ROUNDS = 20 };

/* A copy's functions, found by name. */
#define FUNCTIONS(F)                                                                               \
    F(clGetPlatformIDs)                                                                            \
    F(clGetDeviceIDs)                                                                              \
    F(clCreateContext)                                                                             \
    F(clCreateCommandQueue)                                                                        \
    F(clCreateProgramWithBinary)                                                                   \
    F(clBuildProgram)                                                                              \
    F(clCreateKernel)                                                                              \
    F(clCreateBuffer)                                                                              \
    F(clSetKernelArg)                                                                              \
    F(clEnqueueTask)                                                                               \
    F(clEnqueueReadBuffer)                                                                         \
    F(clWaitForEvents)                                                                             \
    F(clFinish)                                                                                    \
    F(clReleaseEvent)                                                                              \
    F(clReleaseKernel)                                                                             \
    F(clReleaseMemObject)                                                                          \
    F(clReleaseProgram)                                                                            \
    F(clReleaseCommandQueue)                                                                       \
    F(clReleaseContext)

struct driver_copy {
    void *library;
#define F(name) __typeof__(&name) name;
    FUNCTIONS(F)
#undef F
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel fill, wild;
    cl_mem m;
};

static struct driver_copy copies[COPIES];

static void open_copy(struct driver_copy *c, const char *path) {
    c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!c->library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
#define F(name) *(void **)&c->name = dlsym(c->library, #name);
    FUNCTIONS(F)
#undef F
    cl_platform_id platform;
    cl_device_id device;
    cl_int err;
    size_t length;
    const unsigned char *binary = (const unsigned char *)kernels_binary(&length);
    EXPECT(CL_SUCCESS, c->clGetPlatformIDs(1, &platform, NULL));
    EXPECT(CL_SUCCESS, c->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    EXPECT_NEW(CL_SUCCESS, c->context = c->clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, c->queue = c->clCreateCommandQueue(c->context, device, 0, &err));
    EXPECT_NEW(CL_SUCCESS, c->program = c->clCreateProgramWithBinary(c->context, 1, &device,
                                                                     &length, &binary, NULL, &err));
    EXPECT(CL_SUCCESS, c->clBuildProgram(c->program, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_SUCCESS, c->fill = c->clCreateKernel(c->program, "fill", &err));
    EXPECT_NEW(CL_SUCCESS, c->wild = c->clCreateKernel(c->program, "wild", &err));
    EXPECT_NEW(CL_SUCCESS, c->m = c->clCreateBuffer(c->context, 0, 64, NULL, &err));
    EXPECT(CL_SUCCESS, c->clSetKernelArg(c->fill, 0, sizeof c->m, &c->m));
    EXPECT(CL_SUCCESS, c->clSetKernelArg(c->wild, 0, sizeof c->m, &c->m));
}

static void use_copy(struct driver_copy *c, cl_int value) {
    cl_int got = 0, address = 12;
    cl_event e;
    EXPECT(CL_SUCCESS, c->clSetKernelArg(c->wild, 1, sizeof address, &address));
    EXPECT(CL_SUCCESS, c->clEnqueueTask(c->queue, c->wild, 0, NULL, &e));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, c->clWaitForEvents(1, &e));
    EXPECT(CL_SUCCESS, c->clReleaseEvent(e));
    EXPECT(CL_SUCCESS, c->clSetKernelArg(c->fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, c->clEnqueueTask(c->queue, c->fill, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, c->clEnqueueReadBuffer(c->queue, c->m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == value);
}

static void close_copy(struct driver_copy *c) {
    EXPECT(CL_SUCCESS, c->clReleaseMemObject(c->m));
    EXPECT(CL_SUCCESS, c->clReleaseKernel(c->fill));
    EXPECT(CL_SUCCESS, c->clReleaseKernel(c->wild));
    EXPECT(CL_SUCCESS, c->clReleaseProgram(c->program));
    EXPECT(CL_SUCCESS, c->clReleaseCommandQueue(c->queue));
    EXPECT(CL_SUCCESS, c->clReleaseContext(c->context));
    CHECK(dlclose(c->library) == 0);
}

int main(int argc, char **argv) {
    if (argc <= COPIES) return EXIT_FAILURE;
    for (int i = 0; i < COPIES; i++) open_copy(&copies[i], argv[1 + i]);
    CHECK(copies[0].clGetPlatformIDs != copies[1].clGetPlatformIDs);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COPIES; i++) use_copy(&copies[i], round * COPIES + i + 1);
    close_copy(&copies[1]);
    use_copy(&copies[0], 1000);
    open_copy(&copies[1], argv[2]);
    use_copy(&copies[1], 2000);
    use_copy(&copies[0], 3000);
    close_copy(&copies[0]);
    use_copy(&copies[1], 4000);
    close_copy(&copies[1]);
    return api_result();
}
