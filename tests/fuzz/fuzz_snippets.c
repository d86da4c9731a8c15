/* Sources that once killed the process, and random snippets of OpenCL C (snippet.h), all built by
 * one process, which lives and has no compiler in it; now and then the helper is killed, stopped or
 * given what is too large, and the next build gets another.
 *
 *   fuzz_snippets [--count N] [--seed S] [--print]
 *
 * A snippet is taken, or refused with a log; one that ends the helper is a failure, and printed.
 * --print shows every source and the first line of its log. */
#include <signal.h>

#include "snippet.h"
#include "tests/helper/misfortune.h"
#include "tests/helper/watch.h"

API_SETTING("SIMTCL_COMPILE_SECONDS", "10")
API_SETTING("SIMTCL_COMPILE_MEMORY", "120")

enum { EVERY = 400 }; /* snippets between two misfortunes */
static const char too_long[] = "the compiler was stopped after 10 seconds";

static struct api a;
static bool printing;
static unsigned built, refused, failures, misfortunes;

static const char *const killers[] = {
    "kernel void k(global uint *o) { *o = as_uint(sqrt); }",
    "kernel void k(global float4 *o) { *o = as_float4(printf); }",
    "kernel void k(global int4 *o) { event_t e = 0; *o = (int4)(e); }",
    "kernel void k(global int4 *o, sampler_t s) { *o = (int4)(s); }",
    "constant char a[] = {[0xfffffff0] = 1}; kernel void k(global char *o) { *o = a[0]; }",
    "constant int a[] = {[0x7ffffff] = 1}; kernel void k(global int *o) { *o = a[0]; }",
    "kernel void k(global int *o) { int a[] = {[0 ... 100000000] = 3}; *o = a[1]; }"};

/* The log, which lies where the next call's does. */
static const char *build(const char *source, cl_int *error) {
    static char *log;
    size_t size = 0;
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &source, NULL, &err));
    *error = clBuildProgram(p, 0, NULL, NULL, NULL, NULL);
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    free(log);
    log = calloc(1, size + 1);
    if (!log) exit(2);
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return log;
}

/* Has the helper, not the compiler, failed? */
static bool ended(const char *log) { return !strncmp(log, "error: the compiler ", 20); }

static void say(const char *what, uint64_t seed, const char *source, const char *log) {
    printf("%s %llu\n%s==> %.*s\n", what, (unsigned long long)seed, source, (int)strcspn(log, "\n"),
           log);
}

static void attempt(const char *source, uint64_t seed) {
    cl_int error;
    const char *log = build(source, &error);
    if (strstr(log, too_long)) log = build(source, &error); /* the machine may have been busy */
    built += error == CL_SUCCESS;
    refused += error == CL_BUILD_PROGRAM_FAILURE;
    if (printing) say("----", seed, source, error ? log : "built");
    if (!error || (error == CL_BUILD_PROGRAM_FAILURE && *log && !ended(log))) return;
    failures++;
    say("====", seed, source, log);
}

static void strike(uint64_t seed, unsigned round) {
    static const int numbers[] = {SIGKILL, SIGSEGV, SIGKILL, SIGSTOP};
    int number = numbers[round % (sizeof numbers / sizeof *numbers)];
    cl_int error;
    misfortune_begin(number);
    const char *log = build(snippet_source(seed), &error);
    bool hit = misfortune_end() != 0;
    misfortunes += hit;
    CHECK(!error || error == CL_BUILD_PROGRAM_FAILURE);
    if (number == SIGSTOP) CHECK(hit && strstr(log, too_long));
    CHECK(watch_works(&a, (int)seed));
}

/* More than the helper may have. */
static void too_large(void) {
#ifndef SIMTCL_SANITIZED /* there is no limit then */
    cl_program p = watch_program(&a, 1, WATCH_ENDLESS);
    CHECK(watch_build(p) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(watch_log_has(&a, p, "the compiler ran out of memory: it may have 120 MB") ||
          watch_log_has(&a, p, too_long)); /* before it had used so much, on a busy machine */
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    misfortunes++;
#endif
    CHECK(watch_works(&a, 77));
}

static void run(uint64_t seed, unsigned count) {
    for (size_t i = 0; i < sizeof killers / sizeof *killers; i++) {
        attempt(killers[i], i);
        CHECK(refused == i + 1);
        CHECK(watch_works(&a, (int)i));
    }
    built = refused = 0;
    for (unsigned i = 0; i < count; i++) {
        attempt(snippet_source(seed + i), seed + i);
        if (i % EVERY == EVERY / 2) strike(seed + i, i / EVERY);
        if (i == count / 2) too_large();
    }
    CHECK(watch_works(&a, 1000));
    CHECK(!api_mapped("libclang") && !api_mapped("libLLVM"));
    CHECK(!watch_zombies());
}

int main(int argc, char **argv) {
    unsigned count = 4000;
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--print"))
            printing = true;
        else if (!strcmp(argv[i], "--count") && i + 1 < argc)
            count = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 0);
        else
            count = 0;
    }
    if (argc < 2 || !count) {
        fprintf(stderr, "usage: fuzz_snippets --count N [--seed S] [--print]\n");
        return 2;
    }
    a = api_open();
    run(seed, count);
    api_close(&a);
    printf("%u snippets: %u built, %u refused, %u failures; %u helpers were ended on purpose\n",
           count, built, refused, failures, misfortunes);
    return api_result() || failures;
}
