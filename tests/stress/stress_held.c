/* After clFinish, or the wait for the last event, and the last release the driver holds nothing:
 * the context's memory is unmapped when clReleaseContext returns, whoever ended the last command.
 */
#include "tests/api/api.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

enum { ROUNDS = 3000, ITEMS = 512, GROUP = 32, COUNT = 50, BYTES = 1 << 21 };

static cl_device_id device;
static const char *what;

static bool is_mapped(void *pointer) {
    return !msync((void *)((uintptr_t)pointer & ~(uintptr_t)4095), 4096, MS_ASYNC) ||
           errno != ENOMEM;
}

/* What lies there now, for who has to find out why. */
static void tell_mapping(const void *pointer) {
    char line[256];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2 &&
            begin <= (uintptr_t)pointer && (uintptr_t)pointer < end)
            fprintf(stderr, "%s", line);
    }
    if (maps) fclose(maps);
}

/* The last command: a launch, a large fill or copy, a marker behind a launch. */
static cl_event last_command(struct api *a, int kind, cl_kernel spin, cl_mem from, cl_mem to) {
    size_t items = ITEMS, group = GROUP;
    cl_event e = NULL;
    switch (kind) {
    case 1:
        EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a->queue, to, "abcd", 4, 0, BYTES, 0, NULL, &e));
        break;
    case 2:
        EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(a->queue, from, to, 0, 0, BYTES, 0, NULL, &e));
        break;
    default:
        EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a->queue, spin, 1, NULL, &items, &group, 0, NULL,
                                                  kind == 3 ? NULL : &e));
        if (kind == 3) EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a->queue, 0, NULL, &e));
    }
    return e;
}

static void one_context(int round) {
    cl_int err, n = COUNT, status = CL_QUEUED;
    struct api a = {.device = device};
    a.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    a.queue = clCreateCommandQueue(a.context, device, 0, &err);
    cl_program program = kernels_program(&a);
    cl_kernel spin = kernels_get(program, "spin");
    cl_mem from = clCreateBuffer(a.context, 0, BYTES, NULL, &err),
           to = clCreateBuffer(a.context, 0, BYTES, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof to, &to));
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof n, &n));
    void *pointer =
        clEnqueueMapBuffer(a.queue, to, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &err);
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, to, pointer, 0, NULL, NULL));
    CHECK(is_mapped(pointer));
    cl_event e = last_command(&a, round % 4, spin, from, to);
    bool early = round / 4 % 2; /* released before the end */
    EXPECT(CL_SUCCESS, clReleaseKernel(spin));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    EXPECT(CL_SUCCESS, clReleaseMemObject(from));
    EXPECT(CL_SUCCESS, clReleaseMemObject(to));
    EXPECT(CL_SUCCESS, clFlush(a.queue));
    if (early && round / 8 % 3 != 0) EXPECT(CL_SUCCESS, clReleaseCommandQueue(a.queue));
    if (early && round / 8 % 3 == 0) EXPECT(CL_SUCCESS, clReleaseEvent(e));
    what = (const char *[]){"clFinish", "clWaitForEvents", "clGetEventInfo"}[round / 8 % 3];
    switch (round / 8 % 3) {
    case 0: EXPECT(CL_SUCCESS, clFinish(a.queue)); break;
    case 1: EXPECT(CL_SUCCESS, clWaitForEvents(1, &e)); break;
    default:
        while (status != CL_COMPLETE)
            clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    }
    if (!early || round / 8 % 3 != 0) EXPECT(CL_SUCCESS, clReleaseEvent(e));
    if (!early || round / 8 % 3 == 0) EXPECT(CL_SUCCESS, clReleaseCommandQueue(a.queue));
    EXPECT(CL_SUCCESS, clReleaseContext(a.context));
    if (CHECK(!is_mapped(pointer))) return;
    fprintf(stderr, "round %d: %p is held after %s\n", round, pointer, what);
    tell_mapping(pointer);
}

int main(void) {
    cl_platform_id platform;
    EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    for (int round = 0; round < ROUNDS && !api_failures; round++) one_context(round);
    return api_result();
}
