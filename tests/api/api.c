#include "api.h"

#include <stdatomic.h>

int api_failures;
static atomic_int failures;

void api_expect(const char *file, int line, const char *call, cl_int got, cl_int wanted) {
    if (got == wanted) return;
    fprintf(stderr, "%s:%d: %s: got %d, expected %d\n", file, line, call, got, wanted);
    api_failures = ++failures;
}

bool api_check(const char *file, int line, const char *what, bool good) {
    if (good) return true;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    api_failures = ++failures;
    return false;
}

int api_result(void) {
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

struct api api_open(void) {
    struct api a = {0};
    cl_int err = 0;
    EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &a.platform, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceIDs(a.platform, CL_DEVICE_TYPE_ALL, 1, &a.device, NULL));
    EXPECT_NEW(CL_SUCCESS, a.context = clCreateContext(NULL, 1, &a.device, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, a.queue = clCreateCommandQueue(a.context, a.device,
                                                          CL_QUEUE_PROFILING_ENABLE, &err));
    if (api_failures) exit(api_result());
    return a;
}

void api_close(struct api *a) {
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(a->queue));
    EXPECT(CL_SUCCESS, clReleaseContext(a->context));
}

int api_version(cl_device_id device) {
    char text[64] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL);
    return strlen(text) > 9 ? (text[7] - '0') * 100 + (text[9] - '0') * 10 : 0;
}

bool api_mapped(const char *what) {
    char line[1024];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) found |= strstr(line, what) != NULL;
    if (f) fclose(f);
    return found;
}
