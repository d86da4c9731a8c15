/* Hostile kernels, all in one process: wild addresses of every kind and width, atomics, copies,
 * images, loops that do not end, barriers where not all come. Each ends in a result or a fault; the
 * host's memory is as it was, and a good kernel gives the right result in the same context.
 *
 *   hostile_kernels SEED COUNT */
#include "hostile.h"
#include "hostile_source.h"

API_DEFAULT("SIMTCL_TIMEOUT", "0.1")
API_DEFAULT("SIMTCL_LOG", "none")

enum { CONTEXT_KERNELS = 50 };

/* Of the built kernel, with arguments as the seed has them. */
static void launch(struct hostile_field *f, cl_program p, unsigned local_bytes) {
    static const cl_int values[] = {0, 1, -1, 100, 5000, 1 << 30, INT32_MAX, INT32_MIN};
    static const size_t groups[] = {1, 7, 32, 64, 128};
    cl_kernel k = kernels_get(p, "k");
    cl_int n = HOSTILE_ANY(values), m = HOSTILE_ANY(values);
    bool swapped = hostile_chance(2);
    const struct {
        size_t size;
        const void *value;
    } args[] = {{sizeof(cl_mem), swapped ? &f->host : &f->device},
                {sizeof(cl_mem), hostile_chance(8) ? (swapped ? &f->device : &f->host) : NULL},
                {sizeof(cl_mem), &f->device},
                {local_bytes, NULL},
                {sizeof(cl_mem), &f->read},
                {sizeof(cl_mem), &f->write},
                {sizeof(cl_sampler), &f->sampler},
                {sizeof n, &n},
                {sizeof m, &m}};
    for (cl_uint i = 0; i < sizeof args / sizeof *args; i++)
        EXPECT(CL_SUCCESS, clSetKernelArg(k, i, args[i].size, args[i].value));
    size_t group = HOSTILE_ANY(groups);
    hostile_launch(f, k, group * (1 + hostile_chance(6)), &group);
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
}

static int run(uint64_t seed, unsigned count, volatile unsigned *at) {
    struct hostile_field f = hostile_open();
    for (*at = 0; *at < count; ++*at) {
        unsigned local_bytes;
        cl_int err;
        hostile_seed(seed + *at);
        const char *text = hostile_source(&local_bytes);
        cl_program p;
        EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(f.a.context, 1, &text, NULL, &err));
        /* Each is good OpenCL C: a refusal would be a compiler that has died. */
        EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
        if (api_failures) return 1;
        launch(&f, p, local_bytes);
        EXPECT(CL_SUCCESS, clReleaseProgram(p));
        if (!hostile_good(&f)) return 1;
        if (*at % CONTEXT_KERNELS == CONTEXT_KERNELS - 1) f = hostile_again(&f);
    }
    fprintf(stderr, "%u kernels: %u ran, %u had a fault, %u were refused\n", count, f.ran,
            f.faulted, f.refused);
    hostile_close(&f);
    return api_result();
}

static void show(uint64_t seed) {
    unsigned local_bytes;
    hostile_seed(seed);
    fputs(hostile_source(&local_bytes), stderr);
}

int main(int argc, char **argv) {
    static const struct hostile_test test = {"hostile_kernels", run, show};
    return hostile_main(argc, argv, &test);
}
