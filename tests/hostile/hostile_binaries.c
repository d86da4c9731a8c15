/* Damaged program binaries, all in one process: each is refused, or its kernels end in a result or
 * a fault; the host's memory is as it was, and a good kernel gives the right result in the same
 * context.
 *
 *   hostile_binaries SEED COUNT */
#include "hostile.h"
#include "hostile_damage.h"
#include "hostile_source.h"

API_DEFAULT("SIMTCL_TIMEOUT", "0.05")
API_DEFAULT("SIMTCL_LOG", "none")

enum { CONTEXT_BINARIES = 200, RANDOM = 8, MAX_KERNELS = 64, MAX_RUN = 3 };

/* In HOSTILE_TESTS, the folder of all tests. */
static const char *const files[] = {
    "language/calls.cl",    "language/barriers.cl",     "language/divergence.cl",
    "language/pointers.cl", "language/printf.cl",       "language/atomics64.cl",
    "language/switches.cl", "language/vectors.cl",      "lower/objects.cl",
    "native/privatised.cl", "native/strided_copies.cl", "native/transposed.cl"};
enum { FILES = sizeof files / sizeof *files };

static char *originals[FILES + RANDOM];

static char *read_source(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", HOSTILE_TESTS, name);
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (!f || !text || !fread(text, 1, (1 << 16) - 1, f)) exit(2);
    fclose(f);
    return text;
}

static char *binary_of(struct hostile_field *f, const char *source) {
    size_t size = 0;
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(f->a.context, 1, &source, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    char *binary = calloc(1, size + 1);
    if (!binary) exit(2);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return binary;
}

static void take_originals(struct hostile_field *f) {
    for (unsigned i = 0; i < FILES; i++) {
        char *source = read_source(files[i]);
        originals[i] = binary_of(f, source);
        free(source);
    }
    for (unsigned i = 0; i < RANDOM; i++) {
        unsigned local_bytes;
        hostile_seed(i + 1);
        originals[FILES + i] = binary_of(f, hostile_source(&local_bytes));
    }
}

/* Sets an argument to the first thing that it takes. */
static bool set(struct hostile_field *f, cl_kernel k, cl_uint index) {
    static const cl_int values[64] = {7, 1, 3, 1 << 20, -1, 5};
    const struct {
        size_t size;
        const void *value;
    } all[] = {{sizeof(cl_mem), hostile_chance(2) ? &f->host : &f->device},
               {sizeof(cl_mem), &f->read},
               {sizeof(cl_mem), &f->write},
               {sizeof(cl_sampler), &f->sampler},
               {4u << hostile_chance(10), NULL}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!clSetKernelArg(k, index, all[i].size, all[i].value)) return true;
    for (size_t size = 1; size <= sizeof values; size++)
        if (!clSetKernelArg(k, index, size, values)) return true;
    return false;
}

static void launch(struct hostile_field *f, cl_kernel k) {
    cl_uint args = 0;
    size_t required[3] = {0}, group = 8u << hostile_chance(4);
    clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL);
    clGetKernelWorkGroupInfo(k, f->a.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                             required, NULL);
    for (cl_uint i = 0; i < args; i++)
        if (!set(f, k, i)) return;
    if (required[0]) group = required[0];
    if (group <= 4096) hostile_launch(f, k, group * (1 + hostile_chance(3)), &group);
}

/* True: the binary was accepted. */
static bool attempt(struct hostile_field *f, const char *binary, size_t length) {
    cl_kernel kernels[MAX_KERNELS];
    cl_uint n = 0;
    cl_int err;
    cl_program p = clCreateProgramWithBinary(f->a.context, 1, &f->a.device, &length,
                                             (const unsigned char **)&binary, NULL, &err);
    if (!p) return false;
    bool built = !clBuildProgram(p, 0, NULL, NULL, NULL, NULL);
    if (built && !clCreateKernelsInProgram(p, MAX_KERNELS, kernels, &n)) {
        for (cl_uint i = 0; i < n; i++) {
            if (n <= MAX_RUN || hostile_chance(n) < MAX_RUN) launch(f, kernels[i]);
            EXPECT(CL_SUCCESS, clReleaseKernel(kernels[i]));
        }
    }
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return built;
}

static char *damaged(uint64_t seed, size_t *length) {
    hostile_seed(seed);
    const char *whole = HOSTILE_ANY(originals);
    return hostile_damage(whole, HOSTILE_ANY(originals), length);
}

static int run(uint64_t seed, unsigned count, volatile unsigned *at) {
    struct hostile_field f = hostile_open();
    unsigned accepted = 0;
    take_originals(&f);
    for (*at = 0; *at < count; ++*at) {
        size_t length;
        char *binary = damaged(seed + *at, &length);
        accepted += attempt(&f, binary, length);
        free(binary);
        if (!hostile_good(&f)) return 1;
        if (*at % CONTEXT_BINARIES == CONTEXT_BINARIES - 1) f = hostile_again(&f);
    }
    fprintf(stderr, "%u binaries, %u of them accepted, %u launches ran, %u had a fault\n", count,
            accepted, f.ran, f.faulted);
    hostile_close(&f);
    for (size_t i = 0; i < sizeof originals / sizeof *originals; i++) free(originals[i]);
    CHECK(count < 100 || accepted >= count / 10); /* or the rest has shown little */
    return api_result();
}

static void show(uint64_t seed) {
    size_t length;
    struct hostile_field f = hostile_open();
    take_originals(&f);
    char *binary = damaged(seed, &length);
    fwrite(binary, 1, length, stderr);
    free(binary);
    hostile_close(&f);
}

int main(int argc, char **argv) {
    static const struct hostile_test test = {"hostile_binaries", run, show};
    return hostile_main(argc, argv, &test);
}
