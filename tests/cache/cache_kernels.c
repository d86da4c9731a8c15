/* Kernels that were compiled before need no helper process, run as they did, and fault as they did.
 */
#include "tests/api/api.h"

#include <fcntl.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"

enum { ITEMS = 64 };

struct kernels_seen {
    bool helper; /* one was started */
    cl_int error, result[ITEMS];
};

static char faults[] = "/tmp/simtcl-faults-XXXXXX";

static void fill(struct api *a, cl_program p, size_t local, struct kernels_seen *s) {
    cl_int err, value = 1000;
    size_t items = ITEMS;
    cl_kernel k = kernels_get(p, "fill");
    cl_mem m = clCreateBuffer(a->context, 0, sizeof s->result, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a->queue, k, 1, NULL, &items, &local, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a->queue, m, CL_TRUE, 0, sizeof s->result, s->result, 0,
                                           NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
}

/* What the log says goes to the file `faults`. */
static void fault(struct api *a, cl_program p, struct kernels_seen *s) {
    cl_int err, address = 0x12340000;
    size_t items = ITEMS;
    cl_event event;
    cl_kernel k = kernels_get(p, "wild");
    cl_mem m = clCreateBuffer(a->context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof address, &address));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a->queue, k, 1, NULL, &items, NULL, 0, NULL, &event));
    clFinish(a->queue);
    EXPECT(CL_SUCCESS, clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s->error,
                                      &s->error, NULL));
}

/* In a new process: fill with groups of that size; of 0: the fault, told to the file. */
static _Noreturn void work(size_t local, const char *file) {
    struct kernels_seen s = {0};
    if (file && dup2(open(file, O_WRONLY | O_TRUNC), STDERR_FILENO) < 0) _exit(3);
    struct api a = api_open();
    cl_program p = kernels_program(&a);
    if (local)
        fill(&a, p, local, &s);
    else
        fault(&a, p, &s);
    s.helper = api_helpers() > 0;
    process_answer(&s, sizeof s, api_failures != 0);
}

static struct kernels_seen look(size_t local, const char *setting) {
    char text[16];
    struct kernels_seen s = {0};
    snprintf(text, sizeof text, "%zu", local);
    CHECK(process_ask((const char *[]){text, local ? NULL : faults, NULL}, setting, &s, sizeof s));
    for (int i = 0; local && i < ITEMS; i++) CHECK(s.result[i] == 1000 + i);
    return s;
}

static void test_known(void) {
    folder_use("8");
    CHECK(look(32, NULL).helper);
    CHECK(folder_count("kernel-") == 1);
    CHECK(!look(32, NULL).helper);
    CHECK(look(16, NULL).helper); /* another size */
    CHECK(!look(16, NULL).helper);
    CHECK(look(32, "SIMTCL_SIMD=baseline").helper); /* other instructions */
    CHECK(!look(32, "SIMTCL_SIMD=baseline").helper);
    CHECK(look(32, "SIMTCL_CACHE=off").helper);
    CHECK(!look(32, "SIMTCL_ENGINE=interpreter").helper);
    CHECK(folder_count("kernel-") == 3);
}

/* A damaged object is never run: the kernel is compiled again, and kept. */
static void test_damage(void) {
    static char bytes[1 << 20];
    folder_use("8");
    look(32, NULL);
    size_t size = folder_read(folder_file("kernel-", 0), bytes);
    CHECK(size > 1000);
    for (size_t part = 0; part < 8; part++) {
        size_t at = part * size / 8;
        size = folder_read(folder_file("kernel-", 0), bytes);
        bytes[at] ^= 4;
        folder_write(folder_file("kernel-", 0), bytes, part == 5 ? at : size);
        CHECK(look(32, NULL).helper);
        CHECK(!look(32, NULL).helper);
    }
}

/* The message names kernel, line and work-item, whoever ran the code. */
static void test_fault(void) {
    static char cold_text[1 << 20], warm_text[1 << 20];
    folder_use("8");
    struct kernels_seen cold = look(0, NULL);
    size_t cold_bytes = folder_read(faults, cold_text);
    struct kernels_seen warm = look(0, NULL);
    size_t warm_bytes = folder_read(faults, warm_text);
    CHECK(cold.helper && !warm.helper && cold.error < 0 && cold.error == warm.error);
    CHECK(cold_bytes == warm_bytes && !memcmp(cold_text, warm_text, cold_bytes));
    CHECK(strstr(warm_text, "kernel \"wild\"") && strstr(warm_text, " line ") &&
          strstr(warm_text, "work-item global"));
}

int main(int argc, char **argv) {
    if (argc > 1) work((size_t)atoi(argv[1]), argv[2]);
    setenv("SIMTCL_ENGINE", "native", 1);
    setenv("SIMTCL_LOG", "fault", 1);
    unsetenv("SIMTCL_SIMD");
    int file = mkstemp(faults);
    CHECK(file >= 0);
    close(file);
    test_known();
    test_damage();
    test_fault();
    unlink(faults);
    return api_result();
}
