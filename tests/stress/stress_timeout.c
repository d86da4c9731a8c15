/* Kernels that do not end, with SIMTCL_TIMEOUT=0.3: each is stopped with a report that names its
 * line, the queue and the context go on, and a process that ends does not wait. */
#include "tests/api/api.h"

#include <time.h>
#include <unistd.h>

static const char source[] =
    "kernel void ends(global volatile int *a) { a[get_global_id(0)] = 5; }\n"
    "kernel void turns(global volatile int *a) {\n"
    "    while (a[0] >= 0)\n"
    "        a[1] = get_global_id(0);\n" /* line 4 */
    "}\n"
    "kernel void counts(global volatile int *a) {\n"
    "    uint n = 1;\n"
    "    do n = n * 3 + 2; while (n & 3 || n != a[2] * 4 + 1);\n" /* line 8 */
    "    a[3] = n;\n"
    "}\n"
    "kernel void meets(global volatile int *a, local int *l) {\n"
    "    for (int i = 0; a[0] >= 0; i++) {\n" /* line 12 */
    "        l[get_local_id(0)] = i;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        a[1] = l[0];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

static struct api a;
static char report[1024];

static void CL_CALLBACK notify(const char *text, const void *data, size_t size, void *user) {
    (void)data, (void)size, (void)user;
    snprintf(report, sizeof report, "%s", text);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void launch(cl_program p, const char *name, cl_mem m, cl_event *e) {
    size_t items = 256, group = 64;
    cl_kernel k = kernels_get(p, name);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    if (!strcmp(name, "meets")) EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, 4 * group, NULL));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, k, 1, NULL, &items, &group, 0, NULL, e));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
}

static void stops(cl_program p, const char *name, cl_mem m, int first, int last) {
    cl_event e;
    cl_int status = 0, got[4] = {0};
    double begin = now();
    *report = 0;
    launch(p, name, m, &e);
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &e));
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status == CL_OUT_OF_RESOURCES);
    CHECK(now() - begin >= 0.3);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    const char *line = strstr(report, " line ");
    int number = line ? atoi(line + 6) : 0;
    if (!CHECK(strstr(report, name) && strstr(report, "SIMTCL_TIMEOUT") &&
               strstr(report, "work-item global") && number >= first && number <= last))
        fprintf(stderr, "%s: %s\n", name, report);
    launch(p, "ends", m, NULL);
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    CHECK(got[0] == 5 && got[3] == 5);
}

/* With a launch in flight that does not end. */
static void leaves(cl_program p, cl_mem m) {
    launch(p, "turns", m, NULL);
    usleep(50000);
}

int main(void) {
    cl_int err;
    const char *text = source;
    a = api_open();
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(a.queue));
    EXPECT(CL_SUCCESS, clReleaseContext(a.context));
    EXPECT_NEW(CL_SUCCESS, a.context = clCreateContext(NULL, 1, &a.device, notify, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, a.queue = clCreateCommandQueue(a.context, a.device, 0, &err));
    cl_program p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    cl_mem m = clCreateBuffer(a.context, 0, 4096, NULL, &err);
    launch(p, "ends", m, NULL);
    for (int round = 0; round < 2; round++) { /* the second time in native code, if any */
        stops(p, "turns", m, 3, 4);
        stops(p, "counts", m, 8, 8);
        stops(p, "meets", m, 12, 16);
    }
    leaves(p, m);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
    return api_result();
}
