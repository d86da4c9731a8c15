/* Every model: what clGetDeviceInfo and clGetDeviceIDs answer follows from its row of the guide's
 * table (A.1) and from its compute capability (A.1.1 to A.1.4, A.3), and what it lacks a program is
 * told when it is built. The driver reads SIMTCL_MODEL once, so this program runs itself for each.
 */
#include "api.h"

#include <sys/wait.h>
#include <unistd.h>

#include "device/gpu/capability.h"

static const struct board {
    const char *name;
    unsigned devices, multiprocessors, minor;
} boards[] = {
#define BOARD(name, devices, multiprocessors, minor) {name, devices, multiprocessors, minor},
#include "boards.def"
#undef BOARD
};
enum { BOARDS = sizeof boards / sizeof *boards, MOST_DEVICES = 8 };

#define IS(name, type, value) EXPECT_INFO(clGetDeviceInfo, device, name, type, value)

static bool listed(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *p = list; (p = strstr(p, name)); p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return true;
    return false;
}

/* The first capability, 1.minor, that has the extension. */
static const struct extension {
    const char *name;
    unsigned minor;
} extensions[] = {{"cl_khr_icd", 0},
                  {"cl_khr_byte_addressable_store", 0},
                  {"cl_nv_device_attribute_query", 0},
                  {"cl_nv_compiler_options", 0},
                  {"cl_nv_pragma_unroll", 0},
                  {"cl_khr_global_int32_base_atomics", 1},
                  {"cl_khr_global_int32_extended_atomics", 1},
                  {"cl_khr_local_int32_base_atomics", 2},
                  {"cl_khr_local_int32_extended_atomics", 2},
                  {"cl_khr_int64_base_atomics", 2},
                  {"cl_khr_int64_extended_atomics", 2},
                  {"cl_khr_fp64", 3}};

static void test_queries(cl_device_id device, const struct board *b) {
    char text[1024] = "";
    size_t sizes[3] = {0, 0, 0};
    cl_ulong all = 0, one = 0;
    bool doubles = b->minor >= 3;
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL));
    CHECK(!strcmp(text, b->name));
    IS(CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_GPU);
    IS(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, b->multiprocessors);
    IS(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, cl_uint, 1);
    IS(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, cl_uint, b->minor);
    IS(CL_DEVICE_REGISTERS_PER_BLOCK_NV, cl_uint, b->minor < 2 ? 8192 : 16384);
    IS(CL_DEVICE_WARP_SIZE_NV, cl_uint, 32);
    IS(CL_DEVICE_GPU_OVERLAP_NV, cl_bool, b->minor >= 1);
    IS(CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV, cl_bool, CL_FALSE);
    bool integrated =
        strstr(b->name, "mGPU") || !strcmp(b->name, "ION") || strstr(b->name, "9100M G");
    IS(CL_DEVICE_INTEGRATED_MEMORY_NV, cl_bool, integrated);
    IS(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 512);
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 512 && sizes[1] == 512 && sizes[2] == 64);
    IS(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 16 << 10);
    IS(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 64 << 10);
    IS(CL_DEVICE_ADDRESS_BITS, cl_uint, 32);
    IS(CL_DEVICE_IMAGE_SUPPORT, cl_bool, CL_TRUE);
    IS(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, CL_NONE);
    IS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint, doubles);
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof all, &all, NULL));
    CHECK(!all == !doubles);
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL));
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof one, &one, NULL));
    CHECK(all >= 128 << 20 && all < 4ull << 30 && one <= all && one >= all / 4);
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (!CHECK(listed(text, extensions[i].name) == (b->minor >= extensions[i].minor)))
            fprintf(stderr, "%s: %s\n", b->name, extensions[i].name);
}

/* Buffers of a context over all the board's devices are seen by each of them. */
static void test_devices(const cl_device_id *devices, cl_uint n) {
    struct api a = {.device = devices[0]};
    cl_int err, value = 0;
    cl_command_queue queues[MOST_DEVICES] = {NULL};
    EXPECT_NEW(CL_SUCCESS, a.context = clCreateContext(NULL, n, devices, NULL, NULL, &err));
    cl_program p = kernels_program_for(a.context, n, devices);
    cl_kernel fill = kernels_get(p, "fill");
    cl_mem m;
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, 64, NULL, &err));
    for (cl_uint i = 0; i < n; i++) {
        EXPECT_NEW(CL_SUCCESS, queues[i] = clCreateCommandQueue(a.context, devices[i], 0, &err));
        cl_int given = (cl_int)i + 5;
        EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
        EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof given, &given));
        EXPECT(CL_SUCCESS, clEnqueueTask(queues[i], fill, 0, NULL, NULL));
        EXPECT(CL_SUCCESS, clFinish(queues[i]));
        EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues[i], m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
        CHECK(value == given);
        EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues[0], m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
        CHECK(value == given);
    }
    for (cl_uint i = 0; i < n; i++) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[i]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseContext(a.context));
}

/* What is built on each capability: from 1.minor on without a word; before, the log has `words` and
 * the program is built or not. */
static const struct source {
    unsigned minor;
    bool built;
    const char *words, *text;
} sources[] = {
    {1, false, "cl_khr_global_int32_base_atomics",
     "kernel void k(global int *p) { atomic_inc(p); }"},
    {1, false, "cl_khr_global_int32_extended_atomics",
     "kernel void k(global uint *p) { atomic_min(p, 3u); }"},
    {1, false, "cl_khr_global_int32_base_atomics",
     "kernel void k(global float *p) { atomic_xchg(p, 1.0f); }"},
    {1, false, "cl_khr_global_int32_base_atomics",
     "kernel void k(global int *p) { atom_add(p, 2); }"},
    {1, false, "cl_khr_global_int32_base_atomics",
     "#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable\n"
     "kernel void k(global int *p) { atom_add(p, 2); }"},
    {2, false, "cl_khr_local_int32_base_atomics",
     "kernel void k(global int *p) { local int n; n = 0; barrier(1); atomic_add(&n, 1);"
     " barrier(1); p[0] = n; }"},
    {2, false, "cl_khr_local_int32_extended_atomics",
     "kernel void k(local int *p) { atomic_or(p, 1); }"},
    {2, false, "cl_khr_int64_base_atomics", "kernel void k(global long *p) { atom_add(p, 2L); }"},
    {2, false, "cl_khr_int64_extended_atomics",
     "kernel void k(global ulong *p) { atom_max(p, 2UL); }"},
    {3, true, "it is demoted to single precision",
     "kernel void k(global double *p) { p[0] = p[1] * p[2]; }"},
    {3, true, "kernel 'k' uses double precision",
     "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
     "kernel void k(global float *p) { double2 d = (double2)(p[0], p[1]); p[0] = dot(d, sin(d)); "
     "}"},
    {0, true, "", "kernel void k(global float *p) { p[0] = p[1] * 2.5 + p[2]; }"},
};

static void test_builds(const struct api *a, unsigned minor) {
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const struct source *s = &sources[i];
        bool has = minor >= s->minor;
        char log[4096] = "";
        cl_int err;
        cl_program p;
        EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a->context, 1, (const char **)&s->text,
                                                             NULL, &err));
        EXPECT(has || s->built ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE,
               clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
        EXPECT(CL_SUCCESS,
               clGetProgramBuildInfo(p, a->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        bool as_said = has ? !*log : strstr(log, s->words) && strstr(log, "SIMTCL_MODEL=host");
        if (!CHECK(as_said)) fprintf(stderr, "1.%u: %s\n%s\n", minor, s->text, log);
        EXPECT(CL_SUCCESS, clReleaseProgram(p));
    }
}

/* Binaries that were made for a larger device are refused, with the reason: from 1.minor on they
 * are taken. */
static const struct binary {
    unsigned minor;
    const char *words, *kernel;
} binaries[] = {
    {3, "double precision",
     ".kernel \"k\"\n.regs 2\n{\n    fmul.f64 %d1, 0d4000000000000000, 0d4000000000000000\n}\n"},
    {1, "atomic operations of 32 bits in global memory",
     ".kernel \"k\"\n.regs 2\n{\n    atom_add.global.volatile.i32 %i1, [%i0], 1\n}\n"},
    {2, "atomic operations of 32 bits in local memory",
     ".kernel \"k\"\n.regs 2\n{\n    atom_add.local.volatile.i32 %i1, [%i0], 1\n}\n"},
    {2, "atomic operations of 64 bits in global memory",
     ".kernel \"k\"\n.regs 2\n{\n    atom_add.global.volatile.i64 %l1, [%i0], 1\n}\n"},
    {9, "16388 bytes of local memory", ".kernel \"k\"\n.local_bytes 16388\n.regs 1\n{\n}\n"},
    {9, "16400 bytes of private memory", ".kernel \"k\"\n.private_bytes 16400\n.regs 1\n{\n}\n"},
    {0, "", ".kernel \"k\"\n.local_bytes 16384\n.private_bytes 16384\n.regs 1\n{\n}\n"},
};

/* The reason, as the log has it. */
static bool says_why(const char *text, size_t length, unsigned minor, const char *words) {
    struct isa_error error;
    char why[256] = "";
    struct isa_module *module = isa_parse(text, length, &error);
    unsigned i = 0;
    while (model_at(i)->cc_minor != minor) i++;
    bool can = !CHECK(module) || gpu_can_run(model_at(i), module, why, sizeof why);
    isa_module_free(module);
    return !can && strstr(why, words) && strstr(why, "kernel k") && strstr(why, model_at(i)->name);
}

static void test_binaries(const struct api *a, unsigned minor) {
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        const struct binary *b = &binaries[i];
        char text[512];
        const unsigned char *bytes = (const unsigned char *)text;
        size_t length = (size_t)snprintf(text, sizeof text, "simtcl-ir 2\n\n%s", b->kernel);
        cl_int err, status = 1, expected = minor >= b->minor ? CL_SUCCESS : CL_INVALID_BINARY;
        cl_program p =
            clCreateProgramWithBinary(a->context, 1, &a->device, &length, &bytes, &status, &err);
        if (!CHECK(err == expected && status == expected && !p == (err != CL_SUCCESS) &&
                   (p || says_why(text, length, minor, b->words))))
            fprintf(stderr, "1.%u: %s: %d\n", minor, b->words, err);
        if (p) EXPECT(CL_SUCCESS, clReleaseProgram(p));
    }
}

static void test_board(const struct board *b, bool builds) {
    struct api a = api_open();
    cl_device_id devices[MOST_DEVICES];
    cl_uint n = 0;
    EXPECT(CL_SUCCESS, clGetDeviceIDs(a.platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &n));
    CHECK(n == b->devices);
    for (cl_uint i = 0; i < n; i++) test_queries(devices[i], b);
    test_devices(devices, n);
    if (builds) test_builds(&a, b->minor);
    if (builds) test_binaries(&a, b->minor);
    api_close(&a);
}

/* This program for one board. */
static bool run(const char *program, const struct board *b, bool builds) {
    char number[16];
    int status = -1;
    snprintf(number, sizeof number, "%d", (int)(b - boards));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMTCL_MODEL", b->name, 1);
        execl("/proc/self/exe", program, number, builds ? "builds" : "", (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && !status;
}

int main(int argc, char **argv) {
    if (!api_ours) return 0;
    if (argc == 3) {
        test_board(&boards[atoi(argv[1])], *argv[2]);
        return api_result();
    }
    unsigned built = 0, minor;
    for (unsigned i = 0; i < BOARDS; i++) {
        const struct board *b = &boards[i];
        bool first = !(built >> b->minor & 1); /* one of each capability builds programs */
        built |= 1u << b->minor;
        if (!CHECK(run(argv[0], b, first))) fprintf(stderr, "%s fails\n", b->name);
    }
    CHECK(built == 0xf);
    /* There is none that the table of the guide does not have. */
    for (minor = 0; model_at(minor); minor++) continue;
    CHECK(minor == BOARDS + 1);
    return api_result();
}
