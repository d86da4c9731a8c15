/* Random kernels of warp IR (maker.h) as binaries, all compiled and run by one process, which lives
 * and has no LLVM in it; the helper is killed or stopped while it compiles some of them, which stay
 * in the interpreter then and give the same bits, and the next gets another.
 *
 *   fuzz_natives [--count N] [--seed S] */
#include <signal.h>

#include "maker.h"
#include "tests/helper/misfortune.h"
#include "tests/helper/watch.h"

API_SETTING("SIMTCL_ENGINE", "native")
API_SETTING("SIMTCL_COMPILE_SECONDS", "10")

enum { STOPS = 48, KILLS = 3 }; /* kernels between two of them */

static struct api a;
static cl_mem table, results, counters;
static unsigned ran, faulted, misfortunes, kills;

static void open_all(void) {
    static char noise[MAKER_TABLE];
    cl_buffer_region region = {MAKER_COUNTERS, MAKER_RESULTS - MAKER_COUNTERS};
    cl_int err;
    a = api_open();
    for (unsigned i = 0; i < MAKER_TABLE; i++) noise[i] = (char)(i * 2654435761u >> 13);
    EXPECT_NEW(CL_SUCCESS,
               table = clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, sizeof noise, noise, &err));
    EXPECT_NEW(CL_SUCCESS, results = clCreateBuffer(a.context, 0, MAKER_RESULTS, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, counters = clCreateSubBuffer(results, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                        &region, &err));
}

static void close_all(void) {
    EXPECT(CL_SUCCESS, clReleaseMemObject(counters));
    EXPECT(CL_SUCCESS, clReleaseMemObject(results));
    EXPECT(CL_SUCCESS, clReleaseMemObject(table));
    api_close(&a);
}

/* The kernel from the binary, compiled when it is launched; its status, and what it left. */
static cl_int run_kernel(const char *binary, size_t length, unsigned number, char *left) {
    static const size_t sizes[] = {32, 64, 7, 16, 45, 128};
    size_t local = sizes[number % (sizeof sizes / sizeof *sizes)];
    size_t global = MAKER_ITEMS / local * local;
    char name[16];
    cl_int err, status = 1, zero = 0;
    cl_event e;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS,
               p = clCreateProgramWithBinary(a.context, 1, &a.device, &length,
                                             (const unsigned char **)&binary, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    snprintf(name, sizeof name, "k%u", number);
    cl_kernel k = kernels_get(p, name);
    cl_mem args[] = {table, results, counters};
    for (cl_uint i = 0; i < 3; i++)
        EXPECT(CL_SUCCESS, clSetKernelArg(k, i, sizeof *args, &args[i]));
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a.queue, results, &zero, sizeof zero, 0, MAKER_RESULTS,
                                           0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, k, 1, NULL, &global, &local, 0, NULL, &e));
    clWaitForEvents(1, &e);
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    clFinish(a.queue);
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, results, CL_TRUE, 0, MAKER_RESULTS, left, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return status;
}

static void attempt(const char *binary, size_t length, unsigned number, unsigned at) {
    static char left[2][MAKER_RESULTS];
    int signal_number = at % STOPS == STOPS / 2 ? SIGSTOP : at % KILLS ? 0 : SIGKILL;
    misfortune_begin(signal_number);
    cl_int before = run_kernel(binary, length, number, left[0]);
    unsigned hit = misfortune_end();
    misfortunes += hit != 0;
    kills += hit && signal_number == SIGKILL;
    if (signal_number == SIGSTOP) CHECK(hit);
    cl_int status = signal_number ? run_kernel(binary, length, number, left[1]) : before;
    CHECK(status == before && status <= CL_COMPLETE);
    status == CL_COMPLETE ? ran++ : faulted++;
    if (signal_number && !status) CHECK(!memcmp(left[0], left[1], MAKER_RESULTS));
}

static bool run(uint64_t seed, unsigned count) {
    for (unsigned i = 0; i < count && !api_failures;) {
        struct isa_module *m = maker_module(seed++);
        struct isa_error why;
        size_t length;
        char *binary = isa_verify(m, &why) ? isa_print(m, &length) : NULL;
        CHECK(binary);
        for (unsigned k = 0; binary && k < MAKER_KERNELS && i < count; k++, i++)
            attempt(binary, length, k, i);
        free(binary);
        isa_module_free(m);
        if (api_failures) fprintf(stderr, "seed %llu\n", (unsigned long long)seed - 1);
    }
    CHECK(watch_works(&a, 1000));
    CHECK(!api_mapped("libclang") && !api_mapped("libLLVM"));
    CHECK(!watch_zombies());
    CHECK(kills || count < STOPS); /* or it has shown little */
    return !api_failures;
}

int main(int argc, char **argv) {
    unsigned count = 0;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--count")) count = (unsigned)strtoul(argv[i + 1], NULL, 0);
        if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 0);
    }
    if (!count) {
        fprintf(stderr, "usage: fuzz_natives --count N [--seed S]\n");
        return 2;
    }
    open_all();
    run(seed, count);
    close_all();
    printf("%u kernels ran, %u had a fault; %u helpers were ended on purpose\n", ran, faulted,
           misfortunes);
    return api_result();
}
