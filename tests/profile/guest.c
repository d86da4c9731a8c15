#include "guest.h"

#include <regex.h>
#include <sys/wait.h>
#include <unistd.h>

void guest_open(struct guest *h, const char *source) {
    cl_platform_id platforms[16];
    cl_uint n = 0;
    cl_int error = clGetPlatformIDs(16, platforms, &n);
    memset(h, 0, sizeof *h);
    for (cl_uint i = 0; i < n && i < 16; i++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strcmp(name, "simtcl")) h->platform = platforms[i];
    }
    CHECK(!error && h->platform, "no platform simtcl: %d", error);
    error = clGetDeviceIDs(h->platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL);
    CHECK(!error, "clGetDeviceIDs %d", error);
    h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
    CHECK(!error, "clCreateContext %d", error);
    h->queue = clCreateCommandQueue(h->context, h->device, 0, &error);
    CHECK(!error, "clCreateCommandQueue %d", error);
    if (!source) return;
    h->program = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
    CHECK(!error, "clCreateProgramWithSource %d", error);
    error = clBuildProgram(h->program, 1, &h->device, "", NULL, NULL);
    CHECK(!error, "clBuildProgram %d", error);
}

void guest_close(struct guest *h) {
    if (h->program) clReleaseProgram(h->program);
    clReleaseCommandQueue(h->queue);
    clReleaseContext(h->context);
}

cl_kernel guest_kernel(struct guest *h, const char *name) {
    cl_int error;
    cl_kernel k = clCreateKernel(h->program, name, &error);
    CHECK(!error, "clCreateKernel %s %d", name, error);
    return k;
}

static char *read_all(FILE *f) {
    size_t size = 0, room = 1 << 12, n;
    char *text = malloc(room);
    while (text && (n = fread(text + size, 1, room - size - 1, f)) > 0) {
        size += n;
        if (room - size < 2) text = realloc(text, room *= 2);
    }
    CHECK(text, "memory");
    text[size] = '\0';
    return text;
}

char *guest_run(void (*program)(void), const char *const *variables) {
    static const char *const all[] = {
        "SIMTCL_PROFILE",  "SIMTCL_TIME",         "SIMTCL_PROFILE_SCOPE", "SIMTCL_MODEL",
        "COMPUTE_PROFILE", "COMPUTE_PROFILE_LOG", "COMPUTE_PROFILE_CSV",  "COMPUTE_PROFILE_CONFIG",
        "OPENCL_PROFILE",  "OPENCL_PROFILE_LOG",  "OPENCL_PROFILE_CSV",   "OPENCL_PROFILE_CONFIG"};
    FILE *errors = tmpfile();
    CHECK(errors, "tmpfile");
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0, "fork");
    if (!pid) {
        dup2(fileno(errors), 2);
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) unsetenv(all[n]);
        for (; *variables; variables++) {
            char name[64];
            size_t length = strcspn(*variables, "=");
            snprintf(name, sizeof name, "%.*s", (int)length, *variables);
            setenv(name, *variables + length + 1, 1);
        }
        program();
        exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    rewind(errors);
    char *text = read_all(errors);
    fclose(errors);
    CHECK(!status, "the program ended with %#x: %s", status, text);
    return text;
}

char *guest_file(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    char *text = read_all(f);
    fclose(f);
    return text;
}

bool guest_matches(const char *text, const char *pattern) {
    char whole[4096];
    regex_t r;
    snprintf(whole, sizeof whole, "^%s$", pattern);
    CHECK(!regcomp(&r, whole, REG_EXTENDED | REG_NOSUB), "pattern %s", pattern);
    bool matches = !regexec(&r, text, 0, NULL, 0);
    regfree(&r);
    if (!matches) fprintf(stderr, "this text:\n%s\ndoes not match\n%s\n", text, pattern);
    return matches;
}
