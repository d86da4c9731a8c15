/* simtcl-info: what the OpenCL driver simtcl is and has on this machine, and whether it works.
 * Status 0: all is well; 1: something is wrong, and it said what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "include/simtcl/self.h"
#include "selftest.h"

enum { TEXT_BYTES = 1 << 15 };

static int wrong;

static void tell_wrong(const char *what) {
    printf("  WRONG: %s\n", what);
    wrong = 1;
}

/* ---- the driver ---- */

static void put_about(const struct driver *d) {
    static char text[TEXT_BYTES];
    if (d->clGetPlatformInfo(d->platform, CL_PLATFORM_ABOUT_SIMTCL, sizeof text, text, NULL)) {
        tell_wrong("the driver is of another version: it does not tell of itself");
        return;
    }
    printf("simtcl\n");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) printf("  %s\n", line);
}

static void put_loader(const struct driver *d) {
    printf("ICD loader\n");
    if (d->listed)
        printf("  lists simtcl\n");
    else
        tell_wrong(d->loader);
}

/* ---- the device ---- */

static const struct {
    cl_device_info query;
    const char *name, *unit;
    unsigned shift; /* of the value, for the unit */
} numbers[] = {
    {CL_DEVICE_MAX_COMPUTE_UNITS, "multiprocessors", "", 0},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, "clock", " MHz", 0},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, "largest work-group", " work-items", 0},
    {CL_DEVICE_LOCAL_MEM_SIZE, "local memory", " KB a work-group", 10},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, "constant memory", " KB", 10},
    {CL_DEVICE_GLOBAL_MEM_SIZE, "global memory", " MB", 20},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, "largest buffer", " MB", 20},
};

static void put_device(const struct driver *d) {
    char text[1024] = "";
    d->clGetDeviceInfo(d->device, CL_DEVICE_NAME, sizeof text, text, NULL);
    printf("device\n  name: %s\n", text);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cl_ulong value = 0; /* little-endian: a cl_uint fits in front */
        d->clGetDeviceInfo(d->device, numbers[i].query, sizeof value, &value, NULL);
        printf("  %s: %llu%s\n", numbers[i].name, (unsigned long long)(value >> numbers[i].shift),
               numbers[i].unit);
    }
    d->clGetDeviceInfo(d->device, CL_DEVICE_VERSION, sizeof text, text, NULL);
    printf("  version: %s (SIMTCL_CL_VERSION)\n", text);
    d->clGetDeviceInfo(d->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);
    printf("  extensions: %s\n  SIMTCL_MODEL=host lifts these limits\n", text);
}

/* ---- the engines ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* In a process of its own: what ends it ends nothing else. */
static void test_engine(const char *engine) {
    double begin = now();
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMTCL_ENGINE", engine, 1);
        setenv("SIMTCL_CACHE", "off", 1);
        execl("/proc/self/exe", "simtcl-info", "--test", (char *)NULL);
        _exit(127);
    }
    if (child > 0) waitpid(child, &status, 0);
    if (status == 0)
        printf("  %s: right, %.0f ms\n", engine, now() - begin);
    else if (WIFSIGNALED(status))
        tell_wrong("the process that tested it was ended by a signal");
    wrong |= status != 0;
}

static int test_here(void) {
    struct driver d;
    const char *engine = getenv("SIMTCL_ENGINE");
    const char *what = driver_find(&d) ? selftest_run(&d) : "there is no driver";
    if (!what) return 0;
    printf("  WRONG: %s: %s\n", engine ? engine : "engine", what);
    return 1;
}

int main(int argc, char **argv) {
    struct driver d;
    if (argc == 2 && !strcmp(argv[1], "--test")) return test_here();
    if (argc > 1) {
        fprintf(stderr, "usage: simtcl-info\n");
        return 2;
    }
    if (!driver_find(&d)) {
        tell_wrong(d.loader);
        tell_wrong("no libsimtcl.so.0 lies where this program was installed");
        return 1;
    }
    put_about(&d);
    put_device(&d);
    put_loader(&d);
    printf("engines\n");
    test_engine("interpreter");
    test_engine("native");
    return wrong;
}
