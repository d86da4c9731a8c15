#include "hostile.h"

#include <signal.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 120, ITEMS = 128, GROUP = 32, RETRIES = 100 };

/* ---- chance ---- */

static uint64_t state;

void hostile_seed(uint64_t seed) { state = seed * 0xd1342543de82ef95u + 1; }

unsigned hostile_chance(unsigned n) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}

/* ---- a field ---- */

static const char good_source[] =
    "int twice(int x) { return 2 * x; }\n"
    "kernel void good(global const int *in, global int *out) {\n"
    "    local int l[32];\n"
    "    int a[8], g = get_global_id(0), i = get_local_id(0), sum = 0;\n"
    "    l[i] = in[g];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int j = 0; j < 8; j++) a[(j + in[g]) & 7] = l[(i + j) & 31];\n"
    "    for (int j = 0; j < 8; j++) sum += twice(a[j]);\n"
    "    out[g] = sum;\n"
    "}\n";

/* Did the last fault come from SIMTCL_TIMEOUT? A busy machine may stop any launch. */
static atomic_bool timed_out;

static void CL_CALLBACK notify(const char *text, const void *data, size_t size, void *user) {
    (void)data, (void)size, (void)user;
    if (strstr(text, "SIMTCL_TIMEOUT")) timed_out = true;
}

struct hostile_field hostile_open(void) {
    static const cl_image_format format = {CL_RGBA, CL_FLOAT};
    struct hostile_field f = {.a = api_open()};
    const char *text = good_source;
    cl_context_properties platform[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)f.a.platform,
                                        0};
    cl_int err;
    api_close(&f.a);
    cl_context c;
    EXPECT_NEW(CL_SUCCESS, c = clCreateContext(platform, 1, &f.a.device, notify, NULL, &err));
    f.a.context = c;
    EXPECT_NEW(CL_SUCCESS, f.a.queue = clCreateCommandQueue(c, f.a.device, 0, &err));
    EXPECT_NEW(CL_SUCCESS, f.good_program = clCreateProgramWithSource(c, 1, &text, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(f.good_program, 0, NULL, NULL, NULL, NULL));
    f.good = kernels_get(f.good_program, "good");
    EXPECT_NEW(CL_SUCCESS, f.in = clCreateBuffer(c, 0, 4 * ITEMS, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, f.out = clCreateBuffer(c, 0, 4 * ITEMS, NULL, &err));
    EXPECT(CL_SUCCESS, clSetKernelArg(f.good, 0, sizeof f.in, &f.in));
    EXPECT(CL_SUCCESS, clSetKernelArg(f.good, 1, sizeof f.out, &f.out));
    EXPECT_NEW(CL_SUCCESS, f.device = clCreateBuffer(c, 0, HOSTILE_BYTES, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, f.host = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, HOSTILE_BYTES,
                                                   canaries_host(HOSTILE_BYTES), &err));
    EXPECT_NEW(CL_SUCCESS, f.read = clCreateImage2D(c, CL_MEM_READ_ONLY, &format, HOSTILE_TEXELS,
                                                    HOSTILE_TEXELS, 0, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, f.write = clCreateImage2D(c, CL_MEM_WRITE_ONLY, &format, HOSTILE_TEXELS,
                                                     HOSTILE_TEXELS, 0, NULL, &err));
    EXPECT_NEW(CL_SUCCESS,
               f.sampler = clCreateSampler(c, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &err));
    return f;
}

void hostile_close(struct hostile_field *f) {
    EXPECT(CL_SUCCESS, clReleaseKernel(f->good));
    EXPECT(CL_SUCCESS, clReleaseProgram(f->good_program));
    EXPECT(CL_SUCCESS, clReleaseSampler(f->sampler));
    cl_mem all[] = {f->in, f->out, f->device, f->host, f->read, f->write};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        EXPECT(CL_SUCCESS, clReleaseMemObject(all[i]));
    api_close(&f->a);
}

struct hostile_field hostile_again(struct hostile_field *f) {
    hostile_close(f);
    struct hostile_field again = hostile_open();
    again.ran = f->ran;
    again.faulted = f->faulted;
    again.refused = f->refused;
    return again;
}

bool hostile_launch(struct hostile_field *f, cl_kernel k, size_t items, const size_t *group) {
    cl_int status = -1, err;
    cl_event e;
    if (clEnqueueNDRangeKernel(f->a.queue, k, 1, NULL, &items, group, 0, NULL, &e)) {
        f->refused++;
    } else {
        clWaitForEvents(1, &e);
        clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        EXPECT(CL_SUCCESS, clReleaseEvent(e));
        CHECK(status <= CL_COMPLETE);
        status == CL_COMPLETE ? f->ran++ : f->faulted++;
    }
    clFinish(f->a.queue);
    void *at;
    EXPECT_NEW(CL_SUCCESS,
               at = clEnqueueMapBuffer(f->a.queue, f->host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                       HOSTILE_BYTES, 0, NULL, NULL, &err));
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(f->a.queue, f->host, at, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(f->a.queue));
    return status == CL_COMPLETE;
}

/* One run of the good kernel; false: a fault. */
static bool run_good(struct hostile_field *f, const cl_int *in, cl_int *out) {
    size_t items = ITEMS, group = GROUP;
    cl_int status = -1;
    cl_event e;
    EXPECT(CL_SUCCESS,
           clEnqueueWriteBuffer(f->a.queue, f->in, CL_TRUE, 0, 4 * ITEMS, in, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(f->a.queue, f->good, 1, NULL, &items, &group, 0, NULL, &e));
    clWaitForEvents(1, &e);
    clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    clFinish(f->a.queue);
    return !status &&
           !clEnqueueReadBuffer(f->a.queue, f->out, CL_TRUE, 0, 4 * ITEMS, out, 0, NULL, NULL);
}

bool hostile_good(struct hostile_field *f) {
    cl_int in[ITEMS], out[ITEMS] = {0};
    int wrong = 0, before = api_failures;
    for (int i = 0; i < ITEMS; i++) in[i] = (cl_int)hostile_chance(1 << 20);
    for (int n = 0; n < RETRIES; n++) {
        timed_out = false;
        if (run_good(f, in, out) || !timed_out) break;
    }
    for (int i = 0; i < ITEMS; i++) {
        cl_int sum = 0;
        for (int j = 0; j < 8; j++) sum += 2 * in[i / GROUP * GROUP + (i + j) % GROUP];
        wrong += out[i] != sum;
    }
    CHECK(!wrong);
    CHECK(canaries_live());
    return api_failures == before && !api_result();
}

/* ---- main ---- */

_Noreturn static void in_child(const struct hostile_test *test, uint64_t seed, unsigned count,
                               volatile unsigned *at) {
    struct rlimit core = {0, 0};
    setrlimit(RLIMIT_CORE, &core);
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(null, 1) != 1) exit(2); /* what hostile kernels print */
    close(null);
    canaries_place();
    exit(test->run(seed, count, at));
}

int hostile_main(int argc, char **argv, const struct hostile_test *test) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s SEED COUNT\n", test->name);
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 0);
    unsigned count = (unsigned)strtoul(argv[2], NULL, 0);
    volatile unsigned *at =
        mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return 2;
    pid_t child = fork(), got = 0;
    if (child < 0) return 2;
    if (child == 0) in_child(test, seed, count, at);
    int status = 0;
    unsigned last = 0, idle = 0; /* polls since the child came on */
    while (!(got = waitpid(child, &status, WNOHANG))) {
        usleep(10000);
        idle = *at == last ? idle + 1 : 0;
        last = *at;
        if (idle == SECONDS * 100) {
            fprintf(stderr, "it hangs\n");
            kill(child, SIGKILL);
        }
    }
    if (got == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    fprintf(stderr, "==== %s %llu 1: %s %d\n", test->name, (unsigned long long)(seed + *at),
            WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    test->show(seed + *at);
    return 1;
}
