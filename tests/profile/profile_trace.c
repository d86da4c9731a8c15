/* SIMTCL_PROFILE=trace: whole files, by the host's clock and by the device's (SIMTCL_TIME=model),
 * held against the times that events gave; and that by the device's clock traces and the profiler's
 * logs are the same to the last digit in every run, on one thread and on eight. */
#include <inttypes.h>
#include <unistd.h>

#include "guest.h"

enum { ITEMS = 4096, BYTES = ITEMS * 4, MOST = 1 << 17 }; /* MOST: runtime/timeline.h */

static const char source[] =
    "__kernel void spin(__global int *a, int n) {\n"
    "    __local int t[64];\n"
    "    int s = 0;\n"
    "    for (int i = 0; i < n; i++) s += a[i];\n"
    "    t[get_local_id(0)] = s;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[get_global_id(0)] = t[63 - get_local_id(0)];\n"
    "}\n"
    "__kernel void empty(__global int *a, int n) {}\n"
    "__kernel void wild(__global int *a, int n) { a[(n << 24) + get_global_id(0)] = 1; }\n";

/* ---- the program ---- */

static FILE *times;

/* Its times, a line; the event is released. */
static void note(cl_event e) {
    cl_ulong t[4];
    cl_int error = 0;
    for (cl_uint n = 0; n < 4; n++)
        error |=
            clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + n, sizeof t[n], &t[n], NULL);
    CHECK(!error, "clGetEventProfilingInfo %d", error);
    fprintf(times, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (uint64_t)t[0],
            (uint64_t)t[1], (uint64_t)t[2], (uint64_t)t[3]);
    clReleaseEvent(e);
}

static cl_event launch(struct guest *h, cl_command_queue q, const char *name, cl_mem a, cl_int n) {
    const size_t global = ITEMS, local = 64;
    cl_event e;
    cl_kernel k = guest_kernel(h, name);
    cl_int error = clSetKernelArg(k, 0, sizeof a, &a) | clSetKernelArg(k, 1, sizeof n, &n);
    error |= clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, &e);
    CHECK(!error, "launch of %s: %d", name, error);
    clReleaseKernel(k);
    return e;
}

/* Commands of all kinds on two queues; those of the list `expected` below, and one that fails. */
static void program(void) {
    static int data[ITEMS];
    struct guest h;
    cl_event e[9];
    cl_int error, zero = 0;
    times = fopen("trace.times", "w");
    CHECK(times, "trace.times");
    guest_open(&h, source);
    cl_command_queue q[2];
    for (int n = 0; n < 2; n++) {
        q[n] = clCreateCommandQueue(h.context, h.device, CL_QUEUE_PROFILING_ENABLE, &error);
        CHECK(!error, "clCreateCommandQueue %d", error);
    }
    cl_mem a = clCreateBuffer(h.context, 0, BYTES, NULL, &error);
    cl_mem b = clCreateBuffer(h.context, CL_MEM_ALLOC_HOST_PTR, BYTES, NULL, &error);
    error |= clEnqueueWriteBuffer(q[0], a, CL_TRUE, 0, BYTES, data, 0, NULL, &e[0]);
    void *mapped =
        clEnqueueMapBuffer(q[0], b, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, &e[1], &error);
    e[2] = launch(&h, q[0], "spin", a, 300);
    error |= clEnqueueWriteBuffer(q[1], b, CL_FALSE, 0, BYTES / 2, mapped, 0, NULL, &e[3]);
    e[4] = launch(&h, q[1], "spin", a, 200);
    error |= clEnqueueMarkerWithWaitList(q[1], 1, &e[2], &e[5]);
    error |= clEnqueueCopyBuffer(q[0], a, b, 0, 0, BYTES, 0, NULL, &e[6]);
    error |= clEnqueueFillBuffer(q[0], a, &zero, sizeof zero, 0, BYTES, 0, NULL, &e[7]);
    error |= clFinish(q[1]) | clFinish(q[0]);
    cl_event wild = launch(&h, q[0], "wild", a, 77);
    CHECK(clFinish(q[0]) == CL_OUT_OF_RESOURCES, "a wild store");
    error |= clReleaseEvent(wild);
    error |= clEnqueueUnmapMemObject(q[0], b, mapped, 0, NULL, &e[8]) | clFinish(q[0]);
    for (int n = 0; n < 9; n++) note(e[n]);
    error |= fclose(times);
    for (int n = 0; n < 2; n++) error |= clReleaseCommandQueue(q[n]);
    error |= clReleaseMemObject(a) | clReleaseMemObject(b);
    CHECK(!error, "error");
    guest_close(&h);
}

/* More commands than are recorded. */
static void many(void) {
    struct guest h;
    cl_int error = 0;
    guest_open(&h, NULL);
    for (int n = 0; n < MOST + 3; n++) error |= clEnqueueMarkerWithWaitList(h.queue, 0, NULL, NULL);
    error |= clFinish(h.queue);
    CHECK(!error, "error");
    guest_close(&h);
}

/* A kernel without an instruction. */
static void empty(void) {
    struct guest h;
    cl_int error;
    guest_open(&h, source);
    cl_mem a = clCreateBuffer(h.context, 0, BYTES, NULL, &error);
    cl_event e = launch(&h, h.queue, "empty", a, 0);
    error |= clWaitForEvents(1, &e) | clReleaseEvent(e) | clReleaseMemObject(a);
    CHECK(!error, "error");
    guest_close(&h);
}

/* ---- what the trace has to be ---- */

#define LOCK(yes)                    ",\"page_locked\":" yes
#define COPY(bytes, direction, rest) ",\"bytes\":" bytes ",\"direction\":\"" direction "\"" rest
#define SPIN                                                                                       \
    ",\"groups\":[64,1,1],\"local_size\":[64,1,1],\"registers\":R,\"shared_bytes\":280,"           \
    "\"occupancy\":0.500,\"limit\":\"groups\""

static const struct expected {
    const char *name, *category;
    unsigned queue;
    const char *engine; /* NULL: none */
    const char *args;
} expected[] = {
    {"write", "copy", 2, "copies", COPY("16384", "to device", LOCK("false"))},
    {"map", "copy", 2, "copies", COPY("16384", "to host", LOCK("true"))},
    {"spin", "kernel", 2, "kernels", SPIN},
    {"write", "copy", 3, "copies", COPY("8192", "to device", LOCK("true"))},
    {"spin", "kernel", 3, "kernels", SPIN},
    {"marker", "other", 3, NULL, ""},
    {"copy", "copy", 2, "copies", COPY("16384", "on device", "")},
    {"fill", "copy", 2, "copies", COPY("16384", "on device", "")},
    {"unmap", "copy", 2, "copies", COPY("16384", "to device", LOCK("true"))},
};
enum { COMMANDS = sizeof expected / sizeof *expected };

static char *text; /* what the trace has to be */
static size_t length;

#define ADD(...) (length += (size_t)sprintf(text + length, __VA_ARGS__))

static void add_us(const char *key, uint64_t ns) {
    ADD(",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void add_name(const char *what, unsigned process, unsigned thread, const char *name) {
    ADD("%s\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}",
        length > 20 ? "," : "", process, thread, what, name);
}

static void add_command(const struct expected *c, unsigned process, unsigned thread,
                        const uint64_t t[4], uint64_t begin) {
    bool moment = t[2] == t[3];
    ADD(",\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"cat\":\"%s\"",
        moment ? "i" : "X", process, thread, c->name, c->category);
    add_us("ts", t[2] - begin);
    if (moment)
        ADD(",\"s\":\"t\"");
    else
        add_us("dur", t[3] - t[2]);
    ADD(",\"args\":{\"context\":1,\"queue\":%u", c->queue);
    add_us("queued", t[0] - begin);
    add_us("submitted", t[1] - begin);
    ADD("%s}}", c->args);
}

static void make_expected(const char *clock) {
    uint64_t t[COMMANDS][4];
    FILE *f = fopen("trace.times", "r");
    CHECK(f, "trace.times");
    for (int n = 0; n < COMMANDS; n++)
        for (int step = 0; step < 4; step++)
            CHECK(fscanf(f, "%" SCNu64, &t[n][step]) == 1, "trace.times, command %d", n);
    fclose(f);
    bool queues[4] = {false}, engines[2] = {false};
    text = malloc(1 << 16);
    length = 0;
    CHECK(text, "memory");
    ADD("{\"traceEvents\":[");
    for (int n = 0; n < COMMANDS; n++) {
        const struct expected *c = &expected[n];
        char name[64];
        if (!n) add_name("process_name", 2, 0, "context 1");
        sprintf(name, "queue %u", c->queue);
        if (!queues[c->queue]) add_name("thread_name", 2, c->queue, name);
        queues[c->queue] = true;
        add_command(c, 2, c->queue, t[n], t[0][0]);
        if (!c->engine) continue;
        unsigned copies = !strcmp(c->engine, "copies");
        if (!n) add_name("process_name", 1, 0, "Tesla C1060");
        sprintf(name, "device 0: %s", c->engine);
        if (!engines[copies]) add_name("thread_name", 1, 1 + copies, name);
        engines[copies] = true;
        add_command(c, 1, 1 + copies, t[n], t[0][0]);
    }
    ADD("\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"device\":\"Tesla "
        "C1060\",\"time\":\"%s\","
        "\"commands_left_out\":0}}\n",
        clock);
}

/* Registers are the compiler's business. */
static void forget_registers(char *trace) {
    char *to = trace;
    for (char *at = trace; *at;) {
        static const char key[] = "\"registers\":";
        bool found = !strncmp(at, key, sizeof key - 1);
        size_t step = found ? sizeof key - 1 : 1;
        memmove(to, at, step);
        to += step;
        at += step;
        if (!found) continue;
        while (*at >= '0' && *at <= '9') at++;
        *to++ = 'R';
    }
    *to = '\0';
}

/* ---- is it JSON (RFC 8259)? ---- */

static const char *json(const char *at);

static const char *blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

static const char *json_text(const char *at) {
    for (at++; *at != '"'; at++) {
        CHECK((unsigned char)*at >= ' ', "a control character, or the end, in a string: %.40s", at);
        if (*at == '\\') at++;
    }
    return at + 1;
}

static const char *json_list(const char *at, char end) {
    at = blanks(at + 1);
    if (*at == end) return at + 1;
    for (;; at++) {
        if (end == '}') {
            at = blanks(at);
            CHECK(*at == '"', "no key: %.40s", at);
            at = blanks(json_text(at));
            CHECK(*at == ':', "no colon: %.40s", at);
            at++;
        }
        at = blanks(json(at));
        if (*at == end) return at + 1;
        CHECK(*at == ',', "no comma: %.40s", at);
    }
}

static const char *json(const char *at) {
    at = blanks(at);
    if (*at == '{') return json_list(at, '}');
    if (*at == '[') return json_list(at, ']');
    if (*at == '"') return json_text(at);
    if (!strncmp(at, "true", 4)) return at + 4;
    if (!strncmp(at, "false", 5)) return at + 5;
    char *end;
    strtod(at, &end);
    CHECK(end != at, "no value: %.40s", at);
    return end;
}

/* ---- */

#define RUN(program, ...) guest_run(program, (const char *const[]){__VA_ARGS__, NULL})

static void quiet(char *errors) {
    CHECK(!strncmp(errors, "simtcl: kernel \"wild\" stopped", 29) &&
              strchr(errors, '\n')[1] == '\0',
          "stderr: %s", errors);
    free(errors);
}

static char *take_file(const char *path) {
    char *content = guest_file(path);
    CHECK(content, "%s is not there", path);
    unlink(path);
    return content;
}

static void test_trace(const char *clock, const char *path) {
    char setting[64], asked[64];
    snprintf(setting, sizeof setting, "SIMTCL_TIME=%s", clock);
    snprintf(asked, sizeof asked, "SIMTCL_PROFILE=trace=%s", path);
    quiet(RUN(program, setting, path ? asked : "SIMTCL_PROFILE=trace"));
    char *trace = take_file(path ? path : "simtcl_trace.json");
    CHECK(!*blanks(json(trace)), "something behind the trace");
    forget_registers(trace);
    make_expected(clock);
    CHECK(!strcmp(trace, text), "the trace\n%s\nhas to be\n%s", trace, text);
    free(trace);
    free(text);
}

/* By the device's clock nothing depends on the host. */
static void test_same(void) {
    char *first[3] = {NULL};
    for (int run = 0; run < 20; run++) {
        quiet(RUN(program, "SIMTCL_TIME=model", "SIMTCL_PROFILE=trace=same.json",
                  "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=same.log",
                  "COMPUTE_PROFILE_CONFIG=same.options",
                  run % 2 ? "SIMTCL_THREADS=1" : "SIMTCL_THREADS=8",
                  run % 3 ? "SIMTCL_ENGINE=auto" : "SIMTCL_ENGINE=interpreter"));
        char *now[3] = {take_file("same.json"), take_file("same.log"), take_file("trace.times")};
        for (int n = 0; n < 3; n++) {
            if (!run) first[n] = now[n];
            CHECK(!strcmp(now[n], first[n]), "run %d gave\n%s\nand the first\n%s", run, now[n],
                  first[n]);
            if (run) free(now[n]);
        }
    }
    /* The log has a row for every kernel and copy that ended well, in the order of the calls. */
    static const char *const rows[] = {
        "# TIMESTAMPFACTOR 0\n", "[ memcpyHtoD ]", "[ memcpyDtoH ]",      "[ spin ]",
        "[ memcpyHtoDasync ]",   "[ spin ]",       "[ memcpyDtoDasync ]", "[ memset ]",
        "[ memcpyHtoDasync ]"};
    const char *at = first[1];
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        CHECK((at = strstr(at, rows[n])), "%s is not where it should be in\n%s", rows[n], first[1]);
        at += strlen(rows[n]);
    }
    CHECK(!strstr(at, "method="), "more rows than commands:\n%s", first[1]);
    for (int n = 0; n < 3; n++) free(first[n]);
}

static void test_most(void) {
    free(RUN(many, "SIMTCL_PROFILE=trace=many.json"));
    char *trace = take_file("many.json");
    CHECK(strstr(trace, "\"commands_left_out\":3}}\n"), "%s", trace + strlen(trace) - 100);
    CHECK(!*blanks(json(trace)), "something behind the trace");
    free(trace);
}

static void expect_errors(char *errors, const char *expected_errors) {
    CHECK(!strcmp(errors, expected_errors), "stderr: %s", errors);
    free(errors);
}

static void nothing(void) {
    struct guest h;
    guest_open(&h, NULL);
    guest_close(&h);
}

int main(void) {
    FILE *f = fopen("same.options", "w");
    CHECK(f && fputs("timestamp\ngpustarttimestamp\ngpuendtimestamp\nstreamid\n", f) >= 0 &&
              !fclose(f),
          "same.options");
    test_trace("model", "model.json");
    test_trace("wall", NULL);
    test_same();
    test_most();
    expect_errors(RUN(empty, "SIMTCL_TIME=model"), "");
    expect_errors(RUN(nothing, "SIMTCL_PROFILE=trace=missing/trace"),
                  "simtcl: SIMTCL_PROFILE: missing/trace cannot be written: No such file or "
                  "directory\n");
    expect_errors(RUN(nothing, "SIMTCL_PROFILE=traces,trace=a.json,counters"),
                  "simtcl: SIMTCL_PROFILE: there is no \"traces\"\n");
    free(take_file("a.json"));
    expect_errors(RUN(nothing, "SIMTCL_TIME=gpu"),
                  "simtcl: SIMTCL_TIME is \"gpu\", known are wall and model: wall is used\n");
    expect_errors(RUN(nothing, "SIMTCL_TIME=model", "SIMTCL_PROFILE_SCOPE=nv"),
                  "simtcl: SIMTCL_PROFILE_SCOPE is nv, but SIMTCL_TIME=model needs all "
                  "work-groups: device is used\n");
    expect_errors(RUN(nothing, "SIMTCL_TIME=model", "SIMTCL_MODEL=host"),
                  "simtcl: SIMTCL_TIME is model, but host is no GPU: wall is used\n");
    unlink("same.options");
    unlink("trace.times");
    puts("traced");
    return 0;
}
