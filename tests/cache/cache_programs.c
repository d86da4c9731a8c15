/* Programs that were built before need no compiler, and are what they were: each step is a process
 * of its own, which tells what it saw. */
#include "tests/api/api.h"

#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"

struct programs_seen {
    bool compiler; /* a helper process was started */
    cl_int error, result;
    char log[4096];
};

static const char *const settings[] = {"SIMTCL_CL_VERSION", "SIMTCL_MODEL", "SIMTCL_CACHE"};

static cl_int run(struct api *a, cl_program p) {
    cl_int err, value = 0;
    cl_kernel k = clCreateKernel(p, "f", &err);
    cl_mem m = clCreateBuffer(a->context, 0, sizeof value, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clEnqueueTask(a->queue, k, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a->queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    return value;
}

/* In a new process: the program by compile and link when it says `separately`, by build otherwise.
 */
static void work(const char *text, const char *options, bool separately, struct programs_seen *s) {
    cl_int err;
    struct api a = api_open();
    cl_program p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err), built = p;
    if (separately) {
        s->error = clCompileProgram(p, 0, NULL, options, 0, NULL, NULL, NULL, NULL);
        if (!s->error)
            built = clLinkProgram(a.context, 0, NULL, NULL, 1, &p, NULL, NULL, &s->error);
    } else {
        s->error = clBuildProgram(p, 0, NULL, options, NULL, NULL);
    }
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_LOG, sizeof s->log, s->log, NULL));
    if (!s->error) s->result = run(&a, built);
    s->compiler = api_helpers() > 0;
}

static struct programs_seen look_at(const char *text, const char *options, bool separately,
                                    const char *setting) {
    struct programs_seen s = {.error = 1};
    CHECK(process_ask((const char *[]){text, separately ? "separately" : "built", options}, setting,
                      &s, sizeof s));
    return s;
}
static struct programs_seen look(const char *text, const char *options) {
    return look_at(text, options, false, NULL);
}

#define COLD(seen_)                                                                                \
    do {                                                                                           \
        struct programs_seen s_ = seen_;                                                           \
        CHECK(!s_.error && s_.compiler);                                                           \
    } while (0)
#define WARM(seen_)                                                                                \
    do {                                                                                           \
        struct programs_seen s_ = seen_;                                                           \
        CHECK(!s_.error && !s_.compiler);                                                          \
    } while (0)

static const char program[] = "kernel void f(global int *out) {\n"
                              "    int x;\n"
                              "    if (x = VALUE) *out = x;\n" /* of which clang warns */
                              "}\n";

static void test_same(void) {
    folder_use("8");
    struct programs_seen cold = look(program, "-DVALUE=7"), warm = look(program, "-DVALUE=7");
    CHECK(cold.compiler && !cold.error && cold.result == 7);
    CHECK(!warm.compiler && !warm.error && warm.result == 7);
    CHECK(strstr(cold.log, "<program source>:3:") && !strcmp(cold.log, warm.log));
    cold = look(program, "-cl-nv-verbose -DVALUE=8");
    warm = look(program, "-cl-nv-verbose -DVALUE=8");
    CHECK(cold.compiler && cold.result == 8 && !warm.compiler && warm.result == 8);
    CHECK(!strcmp(cold.log, warm.log));
    /* A program that fails is not kept. */
    cold = look("kernel void f(global int *out) { *out = y; }", NULL);
    warm = look("kernel void f(global int *out) { *out = y; }", NULL);
    CHECK(cold.error == CL_BUILD_PROGRAM_FAILURE && warm.error == CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(cold.log, "error") && !strcmp(cold.log, warm.log));
}

static void test_misses(void) {
    folder_use("8");
    const char *text = "kernel void f(global int *out) { *out = 1; }";
    COLD(look(text, NULL));
    WARM(look(text, NULL));
    WARM(look(text, ""));
    COLD(look("kernel void f(global int *out) { *out = 2; }", NULL));
    COLD(look(text, "-cl-mad-enable"));
    COLD(look_at(text, NULL, false, "SIMTCL_CL_VERSION=1.1"));
    COLD(look_at(text, NULL, false, "SIMTCL_MODEL=host"));
    COLD(look_at(text, NULL, false, "SIMTCL_CACHE=off"));
    WARM(look(text, NULL));
    /* Time goes by. */
    text = "kernel void f(global int *out) { *out = sizeof(__TIME__); }";
    COLD(look(text, NULL));
    COLD(look(text, NULL));
    /* Compiled, then linked. */
    text = "kernel void f(global int *out) { *out = 5; }";
    struct programs_seen cold = look_at(text, NULL, true, NULL),
                         warm = look_at(text, NULL, true, NULL);
    CHECK(cold.compiler && cold.result == 5 && !warm.compiler && warm.result == 5);
}

static void write_header(const char *path, const char *text) {
    folder_write(path, text, strlen(text));
}

static void test_headers(void) {
    char first[600], second[600], options[1300];
    char folder[] = "/tmp/simtcl-headers-XXXXXX";
    folder_use("8");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    CHECK(!mkdir(first, 0700) && !mkdir(second, 0700));
    snprintf(options, sizeof options, "-I%s -I %s", first, second);
    strcat(first, "/h.h");
    strcat(second, "/h.h");
    const char *text = "#include \"h.h\"\n"
                       "#if __has_include(\"absent.h\")\n"
                       "#define VALUE 9\n"
                       "#endif\n"
                       "kernel void f(global int *out) { *out = VALUE; }";
    write_header(second, "#define VALUE 1\n");
    CHECK(look(text, options).result == 1);
    struct programs_seen s = look(text, options);
    CHECK(!s.compiler && s.result == 1);
    write_header(second, "#define VALUE 2\n"); /* changed */
    s = look(text, options);
    CHECK(s.compiler && s.result == 2);
    WARM(look(text, options));
    write_header(first, "#define VALUE 3\n"); /* one that is found before it */
    s = look(text, options);
    CHECK(s.compiler && s.result == 3);
    WARM(look(text, options));
    CHECK(!unlink(first)); /* and is gone again */
    s = look(text, options);
    CHECK(s.compiler && s.result == 2);
    char *slash = strrchr(first, '/');
    strcpy(slash, "/absent.h"); /* asked for, and now there */
    write_header(first, "");
    s = look(text, options);
    CHECK(s.compiler && s.result == 9);
    WARM(look(text, options));
    CHECK(!unlink(first) && !unlink(second));
    CHECK(look(text, options).error == CL_BUILD_PROGRAM_FAILURE);
    *slash = *strrchr(second, '/') = 0;
    CHECK(!rmdir(first) && !rmdir(second) && !rmdir(folder));
}

/* A damaged entry costs a build and is then made good. */
static void test_damage(void) {
    static char bytes[1 << 20];
    folder_use("8");
    look(program, "-DVALUE=7");
    size_t size = folder_read(folder_file("program-", 0), bytes);
    CHECK(size > 300);
    for (size_t part = 0; part < 6; part++) {
        size_t at = part * size / 6;
        size_t left = folder_read(folder_file("program-", 0), bytes);
        bytes[at] ^= 4;
        folder_write(folder_file("program-", 0), bytes, part == 3 ? at : left); /* once cut short */
        struct programs_seen s = look(program, "-DVALUE=7");
        CHECK(s.compiler && s.result == 7);
        s = look(program, "-DVALUE=7");
        CHECK(!s.compiler && s.result == 7);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) {
        struct programs_seen s = {0};
        work(argv[1], argv[3], !strcmp(argv[2], "separately"), &s);
        process_answer(&s, sizeof s, api_failures != 0);
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) unsetenv(settings[i]);
    test_same();
    test_misses();
    test_headers();
    test_damage();
    return api_result();
}
