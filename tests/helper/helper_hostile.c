/* Helpers that answer anything but what they should: a build that fails, a kernel that stays in the
 * interpreter, and a host that lives. */
#include "watch.h"

static struct api a;

static void expect_failure(const char *said) {
    a = api_open();
    for (int i = 0; i < 3; i++) {
        cl_program p = watch_program(&a, 1, 0);
        CHECK(watch_build(p) == CL_BUILD_PROGRAM_FAILURE);
        CHECK(watch_log_has(&a, p, said));
        EXPECT(CL_SUCCESS, clReleaseProgram(p));
    }
    CHECK(watch_until(0));
    api_close(&a);
}

static void nonsense(void) { expect_failure("answered what the driver does not accept"); }
static void crash(void) { expect_failure("the compiler crashed"); }
static void hang(void) { expect_failure("the compiler was stopped after 1 seconds"); }

static void unavailable(void) {
    a = api_open();
    cl_program p = watch_program(&a, 1, 0);
    CHECK(watch_build(p) == CL_COMPILER_NOT_AVAILABLE);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
}

/* Programs from binaries, whose native code is none. */
static void bad_code(void) {
    cl_int err, value = 9, got[64];
    size_t items = 64;
    a = api_open();
    cl_program p = kernels_program(&a);
    cl_kernel fill = kernels_get(p, "fill");
    cl_mem m = clCreateBuffer(a.context, 0, sizeof got, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 64; i++) CHECK(got[i] == 9 + i);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
}

int main(int argc, char **argv) {
    const char *names[] = {"garbage", "huge", "early", "module", "object", "strings", "status"};
    enum { NAMES = sizeof names / sizeof *names };
    static char targets[NAMES + 6][600];
    struct watch_case cases[NAMES + 6];
    int n = 0;
    for (int i = 0; i < NAMES; i++) cases[n++] = (struct watch_case){names[i], nonsense, {0}};
    cases[n++] = (struct watch_case){"cut", crash, {0}};
    cases[n++] = (struct watch_case){"hang", hang, {NULL, "SIMTCL_COMPILE_SECONDS=1"}};
    cases[n++] = (struct watch_case){"build", unavailable, {0}};
    cases[n++] = (struct watch_case){"code", bad_code, {NULL, "SIMTCL_ENGINE=native"}};
    cases[n++] = (struct watch_case){"fields", bad_code, {NULL, "SIMTCL_ENGINE=native"}};
    for (int i = 0; i < n; i++) { /* a link of the case's name tells the impostor what to do */
        snprintf(targets[i], sizeof targets[i], "WATCH_TARGET=%s-%s", IMPOSTOR_PATH, cases[i].name);
        cases[i].settings[0] = targets[i];
    }
    return watch_main(argc, argv, cases, n);
}
