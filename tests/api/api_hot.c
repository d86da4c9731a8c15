/* A program from a binary gets hot: native code takes over. */
#include "api.h"

#include <time.h>

enum { ITEMS = 256, ITERATIONS = 20000, PATIENCE_S = 1200 };

static struct api a;

static void run(cl_kernel spin, cl_mem m) {
    cl_int iterations = ITERATIONS, got[ITEMS] = {0};
    size_t items = ITEMS;
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof iterations, &iterations));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, spin, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) CHECK(got[i] == ITERATIONS);
}

/* Native code is executable memory that is of no file. */
static bool has_native_code(void) {
    char line[1024];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        found |= strstr(line, " r-xp 00000000 00:00 0 \n") != NULL;
    if (f) fclose(f);
    return found;
}

API_SETTING("SIMTCL_ENGINE", "auto")
API_SETTING("SIMTCL_CACHE", "off") /* which may know the kernel */

int main(void) {
    a = api_open();
    cl_int err;
    cl_program program = kernels_program(&a);
    cl_kernel spin = kernels_get(program, "spin");
    cl_mem m = clCreateBuffer(a.context, 0, ITEMS * sizeof(cl_int), NULL, &err);
    CHECK(!has_native_code() && !api_helpers());
    time_t begin = time(NULL);
    while (!has_native_code() && !api_failures && time(NULL) - begin < PATIENCE_S) run(spin, m);
    CHECK(has_native_code() && api_helpers() == 1);
    for (int i = 0; i < 3; i++) run(spin, m);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(spin));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
