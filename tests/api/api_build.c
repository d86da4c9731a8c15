/* Building, compiling and linking from source (specification 5.6.2 to 5.6.4), with the real
 * compiler. */
#include "api.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static struct api a;
static atomic_int notified;

static void CL_CALLBACK notify(cl_program p, void *user) {
    CHECK(p && user == &notified);
    notified++;
}

static cl_program source(const char *text) {
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    return p;
}

static const char *log_of(cl_program p) {
    static char log[4096];
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return log;
}

static cl_program_binary_type type_of(cl_program p) {
    cl_program_binary_type type = 99;
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    return type;
}

static cl_build_status status_of(cl_program p) {
    cl_build_status status = 99;
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                             &status, NULL));
    return status;
}

static const char good[] =
    "#ifndef N\n#define N 5\n#endif\n"
    "__kernel void k(__global int *out) { out[get_global_id(0)] = get_global_id(0) + N; }\n";

static void test_build(void) {
    cl_program p = source(good);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(status_of(p) == CL_BUILD_SUCCESS && type_of(p) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK(kernels_run(&a, p) == 68);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 1, &a.device, "-D N=100", NULL, NULL));
    CHECK(kernels_run(&a, p) == 163);
    EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 0, NULL, "-frobnicate", NULL, NULL));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, "-DN=7", notify, &notified));
    while (!notified) usleep(1000);
    CHECK(kernels_run(&a, p) == 70);
    EXPECT(CL_SUCCESS, clUnloadCompiler());
    EXPECT(CL_SUCCESS, clUnloadPlatformCompiler(a.platform));
    EXPECT(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(NULL));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    p = source("__kernel void k(__global int *out) {\n    out[0] = missing;\n}\n");
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(status_of(p) == CL_BUILD_ERROR);
    CHECK(strstr(log_of(p), ":2:") && strstr(log_of(p), "missing"));
    cl_int err;
    EXPECT_NEW(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "k", &err));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
}

static cl_program through_binary(cl_program p) {
    size_t size = 0;
    cl_int err, status;
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_program again;
    EXPECT_NEW(CL_SUCCESS,
               again = clCreateProgramWithBinary(a.context, 1, &a.device, &size,
                                                 (const unsigned char **)&bytes, &status, &err));
    free(bytes);
    return again;
}

static void test_link(void) {
    cl_int err;
    cl_program header = source("int twice(int x);\n");
    cl_program main_part = source("#include \"twice.h\"\n__kernel void k(__global int *out) { "
                                  "out[get_global_id(0)] = twice(get_global_id(0)); }\n");
    cl_program other = source("int twice(int x) { return 2 * x; }\n"), linked, library;
    const char *name = "twice.h";
    EXPECT(CL_COMPILE_PROGRAM_FAILURE,
           clCompileProgram(main_part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clCompileProgram(main_part, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clCompileProgram(main_part, 0, NULL, NULL, 0, &header, &name, NULL, NULL));
    EXPECT(CL_INVALID_COMPILER_OPTIONS,
           clCompileProgram(main_part, 0, NULL, "-frobnicate", 1, &header, &name, NULL, NULL));
    EXPECT(CL_SUCCESS, clCompileProgram(main_part, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
    CHECK(type_of(main_part) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    EXPECT(CL_SUCCESS, clCompileProgram(other, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program parts[] = {main_part, other};
    EXPECT_NEW(CL_INVALID_LINKER_OPTIONS,
               clLinkProgram(a.context, 0, NULL, "-frobnicate", 2, parts, NULL, NULL, &err));
    EXPECT(CL_LINK_PROGRAM_FAILURE,
           (linked = clLinkProgram(a.context, 0, NULL, NULL, 1, parts, NULL, NULL, &err), err));
    CHECK(linked && strstr(log_of(linked), "twice"));
    EXPECT(CL_SUCCESS, clReleaseProgram(linked));
    EXPECT_NEW(CL_SUCCESS,
               linked = clLinkProgram(a.context, 0, NULL, NULL, 2, parts, NULL, NULL, &err));
    CHECK(type_of(linked) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE && kernels_run(&a, linked) == 126);
    EXPECT(CL_INVALID_OPERATION, clBuildProgram(linked, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(linked));
    /* An object and a library that went through their binaries. */
    EXPECT_NEW(CL_SUCCESS, library = clLinkProgram(a.context, 0, NULL, "-create-library", 1, &other,
                                                   NULL, NULL, &err));
    CHECK(type_of(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program saved[] = {through_binary(main_part), through_binary(library)};
    CHECK(type_of(saved[0]) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
          type_of(saved[1]) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    notified = 0;
    EXPECT_NEW(CL_SUCCESS,
               linked = clLinkProgram(a.context, 0, NULL, NULL, 2, saved, notify, &notified, &err));
    while (!notified) usleep(1000);
    CHECK(kernels_run(&a, linked) == 126);
    cl_program all[] = {header, main_part, other, library, saved[0], saved[1], linked};
    for (int i = 0; i < 7; i++) EXPECT(CL_SUCCESS, clReleaseProgram(all[i]));
}

static cl_program compiled(const char *source, const char *options) {
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &source, NULL, &err));
    EXPECT(CL_SUCCESS, clCompileProgram(p, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    return p;
}

/* Two units with one name: static, inline and samplers are of each unit, others collide. */
static void test_link_twice(void) {
    static const struct {
        const char *first, *second;
        cl_int result;
    } pairs[] = {
        {"int f(int x) { return x; }", "int f(int x) { return x + 1; }", CL_LINK_PROGRAM_FAILURE},
        {"constant int c = 1;", "constant int c = 1;", CL_LINK_PROGRAM_FAILURE},
        {"constant int c[2] = {1};", "constant float c = 1;", CL_LINK_PROGRAM_FAILURE},
        {"kernel void k(global int *o) { *o = 1; }", "kernel void k(global int *o) { *o = 2; }",
         CL_LINK_PROGRAM_FAILURE},
        {"static int f(int x) { return x; }", "int f(int x) { return x + 1; }", CL_SUCCESS},
        {"inline int f(int x) { return x; }", "inline int f(int x) { return x; }", CL_SUCCESS},
        {"static constant int c = 1;", "constant int c = 2;", CL_SUCCESS},
        {"constant sampler_t s = 0;", "constant sampler_t s = 0;", CL_SUCCESS},
        {"int f(int x); int f(int x);", "int f(int x) { return x; }", CL_SUCCESS},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cl_int err;
        cl_program both[] = {compiled(pairs[i].first, NULL), compiled(pairs[i].second, NULL)};
        cl_program linked = clLinkProgram(a.context, 0, NULL, NULL, 2, both, NULL, NULL, &err);
        if (api_ours && err != pairs[i].result)
            printf("%s | %s: %d\n%s", pairs[i].first, pairs[i].second, err, log_of(linked));
        CHECK(!api_ours || err == pairs[i].result);
        if (api_ours && err) CHECK(linked && strstr(log_of(linked), "defined twice"));
        if (linked) EXPECT(CL_SUCCESS, clReleaseProgram(linked));
        EXPECT(CL_SUCCESS, clReleaseProgram(both[0]));
        EXPECT(CL_SUCCESS, clReleaseProgram(both[1]));
    }
}

/* Parameters may be asked about where the option was given, in binaries and linked programs too. */
static void test_arg_info(void) {
    static const char source[] = "kernel void k(global int *out) { *out = 1; }";
    static const char *const options[] = {"", "-cl-kernel-arg-info"};
    for (unsigned with = 0; with < 2; with++) {
        cl_int err, want = with || !api_ours ? CL_SUCCESS : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
        cl_program object = compiled(source, options[with]), linked, built;
        EXPECT_NEW(CL_SUCCESS,
                   linked = clLinkProgram(a.context, 0, NULL, NULL, 1, &object, NULL, NULL, &err));
        const char *text = source;
        EXPECT_NEW(CL_SUCCESS, built = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
        EXPECT(CL_SUCCESS, clBuildProgram(built, 0, NULL, options[with], NULL, NULL));
        cl_program saved = through_binary(built);
        EXPECT(CL_SUCCESS, clBuildProgram(saved, 0, NULL, NULL, NULL, NULL));
        cl_program all[] = {linked, built, saved};
        for (unsigned i = 0; i < 3; i++) {
            cl_kernel k = kernels_get(all[i], "k");
            char name[8] = "";
            if (with || api_ours)
                EXPECT(want, clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
            if (with) CHECK(!strcmp(name, "out"));
            EXPECT(CL_SUCCESS, clReleaseKernel(k));
            EXPECT(CL_SUCCESS, clReleaseProgram(all[i]));
        }
        EXPECT(CL_SUCCESS, clReleaseProgram(object));
    }
}

/* A saved executable runs in a process that never loads the compiler. */
static void test_saved(void) {
    if (!api_ours) {
        a = api_open();
        return;
    }
    char path[] = "/tmp/simtcl-test-XXXXXX";
    int fd = mkstemp(path);
    pid_t maker = fork();
    if (!maker) {
        a = api_open();
        cl_program p = source(good);
        EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
        size_t size = 0;
        EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
        char *bytes = malloc(size);
        EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
        CHECK(write(fd, bytes, size) == (ssize_t)size);
        _exit(api_result());
    }
    int status = -1;
    CHECK(waitpid(maker, &status, 0) == maker && !status);
    a = api_open();
    off_t size = lseek(fd, 0, SEEK_END);
    unsigned char *bytes = malloc((size_t)size + 1);
    CHECK(pread(fd, bytes, (size_t)size, 0) == size);
    close(fd);
    unlink(path);
    size_t length = (size_t)size;
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS,
               p = clCreateProgramWithBinary(a.context, 1, &a.device, &length,
                                             (const unsigned char **)&bytes, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(kernels_run(&a, p) == 68);
    CHECK(api_helpers() == 0);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    free(bytes);
}

/* What is built for a device runs on its parts too. */
static void test_parts(void) {
    if (api_version(a.device) < 120) return;
    cl_int err, value = 0;
    cl_device_partition_property two[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 2, 0, 0};
    cl_device_id devices[3];
    cl_context context;
    cl_program p;
    cl_kernel k;
    const char *text = "kernel void f(global int *out) { *out = 7; }";
    EXPECT(CL_SUCCESS, clCreateSubDevices(a.device, two, 2, devices, NULL));
    devices[2] = a.device;
    EXPECT_NEW(CL_SUCCESS, context = clCreateContext(NULL, 3, devices, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(context, 1, &text, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 1, &a.device, "", NULL, NULL));
    cl_build_status status = CL_BUILD_NONE;
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, devices[0], CL_PROGRAM_BUILD_STATUS, sizeof status,
                                             &status, NULL));
    CHECK(status == CL_BUILD_SUCCESS);
    EXPECT_NEW(CL_SUCCESS, k = clCreateKernel(p, "f", &err));
    cl_command_queue q = clCreateCommandQueue(context, devices[1], 0, &err);
    cl_mem m = clCreateBuffer(context, 0, sizeof value, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clEnqueueTask(q, k, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK(value == 7);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseContext(context));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(devices[i]));
}

int main(void) {
    test_saved(); /* opens the context: the compiler must not have been loaded */
    test_build();
    test_link();
    test_link_twice();
    test_arg_info();
    test_parts();
    api_close(&a);
    return api_result();
}
