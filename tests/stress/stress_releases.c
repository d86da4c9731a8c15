/* One thread releases the last reference to an object while another is using it, for every kind of
 * object and all sorts of calls: each call works, or says that the handle is not live. Kernels are
 * made and programs built in the meantime, which hold what they need themselves. */
#include "tests/api/api.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 300, MOST_CALLS = 1 << 20 };

static struct api a;
static cl_mem buffer;
static cl_kernel fill; /* whose arguments are set */

/* A call of a use: gives its code to seen(), which says when the object is gone. */
struct release_use {
    cl_int dead; /* the kind's invalid code */
    bool gone;
};

static bool seen(struct release_use *u, cl_int code, cl_int also) {
    u->gone |= code == u->dead;
    return CHECK(code == CL_SUCCESS || code == u->dead || code == also);
}

static void use_device(struct release_use *u, void *h) {
    cl_int err;
    cl_uint units;
    cl_device_id device = h;
    seen(u, clGetDeviceInfo(h, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), 0);
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    seen(u, err, 0);
    if (c) EXPECT(CL_SUCCESS, clReleaseContext(c));
}

static void use_context(struct release_use *u, void *h) {
    cl_int err;
    const char *text = "kernel void k() {}";
    cl_device_id device;
    seen(u, clGetContextInfo(h, CL_CONTEXT_DEVICES, sizeof device, &device, NULL), 0);
    cl_mem m = clCreateBuffer(h, 0, 64, NULL, &err);
    seen(u, err, 0);
    if (m) EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    cl_command_queue q = clCreateCommandQueue(h, a.device, 0, &err);
    seen(u, err, 0);
    if (q) EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    cl_event e = clCreateUserEvent(h, &err);
    seen(u, err, 0);
    if (e) EXPECT(CL_SUCCESS, clReleaseEvent(e));
    cl_program p = clCreateProgramWithSource(h, 1, &text, NULL, &err);
    seen(u, err, 0);
    if (p) EXPECT(CL_SUCCESS, clReleaseProgram(p));
    cl_sampler s = clCreateSampler(h, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
    seen(u, err, 0);
    if (s) EXPECT(CL_SUCCESS, clReleaseSampler(s));
}

static void use_queue(struct release_use *u, void *h) {
    cl_event e = NULL;
    cl_int value = 7;
    size_t items = 4;
    seen(u, clEnqueueWriteBuffer(h, buffer, CL_FALSE, 0, sizeof value, &value, 0, NULL, NULL), 0);
    seen(u, clEnqueueNDRangeKernel(h, fill, 1, NULL, &items, NULL, 0, NULL, &e), 0);
    if (e) EXPECT(CL_SUCCESS, clReleaseEvent(e));
    seen(u, clFlush(h), 0);
    seen(u, clFinish(h), 0);
    seen(u, clEnqueueReadBuffer(h, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL), 0);
}

static void use_mem(struct release_use *u, void *h) {
    cl_int err, value = 7;
    size_t bytes;
    cl_mem mem = h;
    seen(u, clGetMemObjectInfo(h, CL_MEM_SIZE, sizeof bytes, &bytes, NULL), 0);
    seen(u, clEnqueueWriteBuffer(a.queue, h, CL_FALSE, 0, sizeof value, &value, 0, NULL, NULL), 0);
    seen(u, clEnqueueCopyBuffer(a.queue, h, buffer, 0, 0, 4, 0, NULL, NULL), 0);
    seen(u, clEnqueueMigrateMemObjects(a.queue, 1, &mem, 0, 0, NULL, NULL), 0);
    cl_mem part =
        clCreateSubBuffer(h, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){0, 64}, &err);
    seen(u, err, 0);
    if (part) EXPECT(CL_SUCCESS, clReleaseMemObject(part));
    seen(u, clSetKernelArg(fill, 0, sizeof mem, &mem), 0);
    size_t items = 4;
    seen(u, clEnqueueNDRangeKernel(a.queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL),
         CL_INVALID_KERNEL_ARGS);
    EXPECT(CL_SUCCESS, clFinish(a.queue));
}

static cl_kernel kinds; /* takes an image and a sampler */

static void use_image(struct release_use *u, void *h) {
    cl_mem mem = h;
    size_t width;
    size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
    cl_uchar texel[4];
    seen(u, clGetImageInfo(h, CL_IMAGE_WIDTH, sizeof width, &width, NULL), 0);
    seen(u, clSetKernelArg(kinds, 3, sizeof mem, &mem), 0);
    seen(u, clEnqueueReadImage(a.queue, h, CL_TRUE, origin, region, 0, 0, texel, 0, NULL, NULL), 0);
}

static void use_sampler(struct release_use *u, void *h) {
    cl_sampler sampler = h;
    cl_filter_mode mode;
    seen(u, clGetSamplerInfo(h, CL_SAMPLER_FILTER_MODE, sizeof mode, &mode, NULL), 0);
    seen(u, clSetKernelArg(kinds, 4, sizeof sampler, &sampler), 0);
}

static void use_program(struct release_use *u, void *h) {
    cl_int err;
    cl_kernel all[16], k = clCreateKernel(h, "fill", &err);
    cl_uint n = 0;
    /* Before it is built, or while this very thread builds it again. */
    seen(u, err, CL_INVALID_PROGRAM_EXECUTABLE);
    if (k) EXPECT(CL_SUCCESS, clReleaseKernel(k));
    seen(u, clBuildProgram(h, 0, NULL, "", NULL, NULL), 0);
    seen(u, clCreateKernelsInProgram(h, 16, all, &n), 0);
    for (cl_uint i = 0; i < n; i++) EXPECT(CL_SUCCESS, clReleaseKernel(all[i]));
    cl_build_status status;
    seen(u,
         clGetProgramBuildInfo(h, a.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL),
         0);
}

static void use_kernel(struct release_use *u, void *h) {
    size_t items = 4, group;
    cl_int value = 3;
    seen(u, clSetKernelArg(h, 0, sizeof buffer, &buffer), 0);
    seen(u, clSetKernelArg(h, 1, sizeof value, &value), 0);
    seen(u, clEnqueueNDRangeKernel(a.queue, h, 1, NULL, &items, NULL, 0, NULL, NULL), 0);
    seen(u, clEnqueueTask(a.queue, h, 0, NULL, NULL), 0);
    seen(u,
         clGetKernelWorkGroupInfo(h, a.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group,
                                  NULL),
         0);
}

static void CL_CALLBACK nothing(cl_event e, cl_int status, void *user) {
    (void)e, (void)status, (void)user;
}

static void use_event(struct release_use *u, void *h) {
    cl_event event = h;
    cl_int status;
    cl_ulong time;
    seen(u, clGetEventInfo(h, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), 0);
    seen(u, clGetEventProfilingInfo(h, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL),
         CL_PROFILING_INFO_NOT_AVAILABLE);
    seen(u, clSetEventCallback(h, CL_COMPLETE, nothing, NULL), 0);
    cl_int code = clEnqueueMarkerWithWaitList(a.queue, 1, &event, NULL);
    u->gone |= code == CL_INVALID_EVENT_WAIT_LIST;
    seen(u, code, CL_INVALID_EVENT_WAIT_LIST);
    seen(u, clWaitForEvents(1, &event), 0);
}

static void use_user_event(struct release_use *u, void *h) {
    cl_event event = h;
    cl_int code = clEnqueueMarkerWithWaitList(a.queue, 1, &event, NULL);
    u->gone |= code == CL_INVALID_EVENT_WAIT_LIST;
    seen(u, code, CL_INVALID_EVENT_WAIT_LIST);
    seen(u, clSetEventCallback(h, CL_COMPLETE, nothing, NULL), 0);
    seen(u, clSetUserEventStatus(h, CL_COMPLETE), CL_INVALID_OPERATION);
}

/* ---- what is made and given back ---- */

static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};

static void *new_device(void) {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 15, 0};
    cl_device_id parts[8];
    cl_uint n = 0;
    EXPECT(CL_SUCCESS, clCreateSubDevices(a.device, equally, 8, parts, &n));
    for (cl_uint i = 1; i < n; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
    return parts[0];
}
static void *new_context(void) { return clCreateContext(NULL, 1, &a.device, NULL, NULL, NULL); }
static void *new_queue(void) { return clCreateCommandQueue(a.context, a.device, 0, NULL); }
static void *new_mem(void) { return clCreateBuffer(a.context, 0, 4096, NULL, NULL); }
static void *new_image(void) {
    return clCreateImage(
        a.context, CL_MEM_READ_ONLY, &rgba,
        &(cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4},
        NULL, NULL);
}
static void *new_sampler(void) {
    return clCreateSampler(a.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);
}
static void *new_program(void) {
    size_t length;
    const unsigned char *binary = (const unsigned char *)kernels_binary(&length);
    return clCreateProgramWithBinary(a.context, 1, &a.device, &length, &binary, NULL, NULL);
}
static cl_program program;
static void *new_kernel(void) { return clCreateKernel(program, "fill", NULL); }
static void *new_event(void) {
    cl_event e = NULL;
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 0, NULL, &e));
    return e;
}
static void *new_user_event(void) { return clCreateUserEvent(a.context, NULL); }

static cl_int release_device(void *h) { return clReleaseDevice(h); }
static cl_int release_context(void *h) { return clReleaseContext(h); }
static cl_int release_queue(void *h) { return clReleaseCommandQueue(h); }
static cl_int release_mem(void *h) { return clReleaseMemObject(h); }
static cl_int release_sampler(void *h) { return clReleaseSampler(h); }
static cl_int release_program(void *h) { return clReleaseProgram(h); }
static cl_int release_kernel(void *h) { return clReleaseKernel(h); }
static cl_int release_event(void *h) { return clReleaseEvent(h); }

static const struct kind {
    const char *name;
    void *(*make)(void);
    void (*use)(struct release_use *u, void *h);
    cl_int (*release)(void *h);
    cl_int dead;
} kinds_of_object[] = {
    {"device", new_device, use_device, release_device, CL_INVALID_DEVICE},
    {"context", new_context, use_context, release_context, CL_INVALID_CONTEXT},
    {"queue", new_queue, use_queue, release_queue, CL_INVALID_COMMAND_QUEUE},
    {"buffer", new_mem, use_mem, release_mem, CL_INVALID_MEM_OBJECT},
    {"image", new_image, use_image, release_mem, CL_INVALID_MEM_OBJECT},
    {"sampler", new_sampler, use_sampler, release_sampler, CL_INVALID_SAMPLER},
    {"program", new_program, use_program, release_program, CL_INVALID_PROGRAM},
    {"kernel", new_kernel, use_kernel, release_kernel, CL_INVALID_KERNEL},
    {"event", new_event, use_event, release_event, CL_INVALID_EVENT},
    {"user event", new_user_event, use_user_event, release_event, CL_INVALID_EVENT},
};

/* ---- the two threads ---- */

static pthread_barrier_t meet;
static void *shared;

static void *use_until_gone(void *arg) {
    const struct kind *kind = arg;
    for (int round = 0; round < ROUNDS; round++) {
        struct release_use u = {.dead = kind->dead};
        pthread_barrier_wait(&meet);
        for (int calls = 0; !u.gone && calls < MOST_CALLS; calls++) kind->use(&u, shared);
        CHECK(u.gone);
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

static void pass_time(int round) {
    for (atomic_int i = 0; i < round % 50 * 400; i++) continue;
}

static void run(const struct kind *kind) {
    pthread_t user;
    if (!CHECK(pthread_create(&user, NULL, use_until_gone, (void *)kind) == 0)) exit(1);
    int failures = api_failures;
    for (int round = 0; round < ROUNDS; round++) {
        shared = kind->make();
        CHECK(shared);
        pthread_barrier_wait(&meet);
        pass_time(round);
        EXPECT(CL_SUCCESS, kind->release(shared));
        pthread_barrier_wait(&meet);
        /* What a command still holds has no reference of the caller's either. */
        EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof buffer, &buffer));
    }
    pthread_join(user, NULL);
    if (api_failures != failures) fprintf(stderr, "with a %s\n", kind->name);
}

int main(void) {
    cl_int err, value = 1;
    a = api_open();
    program = kernels_program(&a);
    fill = kernels_get(program, "fill");
    kinds = kernels_get(program, "kinds");
    EXPECT_NEW(CL_SUCCESS, buffer = clCreateBuffer(a.context, 0, 4096, NULL, &err));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof buffer, &buffer));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    pthread_barrier_init(&meet, NULL, 2);
    for (size_t i = 0; i < sizeof kinds_of_object / sizeof *kinds_of_object; i++)
        run(&kinds_of_object[i]);
    pthread_barrier_destroy(&meet);
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseKernel(kinds));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
