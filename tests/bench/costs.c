/* What operations of a warp cost in native code on this host, at each level: the numbers that
 * decisions between ways of doing a thing are made of (device/costs/costs.def). A loop with
 * sixteen of an operation is timed against the same with eight; eight chains keep the host busy.
 *
 *   costs [--runs N] [--tiny] [level ...]      (baseline avx2 avx512)
 *
 * In units of an exclusive or and an addition of 32 integers, whose nanoseconds are printed, too.
 * Results are checked: the chains of each kernel come to the same on all levels. */
#include "chosen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHAINS = 2, TURNS = 4, ITEMS = 32, TABLE = 1024, MOST_LEVELS = 3 };

/* X is a chain's value, K a number from 0 that is another for each operation, I the iteration. */
static const struct operation {
    const char *name, *type, *text;
} operations[] = {
    {"add_xor", "int", "(X ^ (I + K)) + K"},
    {"multiply_add", "int", "X * (I | 3) + K"},
    {"select", "int", "X > I ? X - 3 : X + 5"},
    {"shift", "int", "(X << 1) ^ (X >> 7)"},
    {"add_xor_long", "long", "(X ^ (I + K)) + K"},
    {"multiply_add_long", "long", "X * (I | 3) + K"},
    {"fma", "float", "mad(X, 0.9990234375f, 1.5f)"},
    {"divide", "float", "1.5f / X"},
    {"native_divide", "float", "native_divide(1.5f, X)"},
    {"sqrt", "float", "sqrt(X + 2.0f)"},
    {"native_sqrt", "float", "native_sqrt(X + 2.0f)"},
    {"native_sin", "float", "native_sin(X)"},
    {"row", "int", "X + table[((I + K * 3) & 511) + lane]"},
    {"row_odd", "int", "X + table[((I + K * 3) & 511) + lane + 1]"},
    {"row_turned", "int", "X + table[((I + K * 3) & 511) + 31 - lane]"},
    {"every_second", "int", "X + table[((I + K * 3) & 511) + lane * 2]"},
    {"every_seventh", "int", "X + table[((I + K * 3) & 511) + lane * 7]"},
    {"one_word", "int", "(X ^ table[(I + K * 3) & 511]) + K"},
    {"gather", "int", "X + table[(X ^ K) & 1023]"},
    {"gather_bytes", "int", "X + ((global const uchar *)table)[(X ^ K) & 4095]"},
    {"gather_local", "int", "X + shared[(X ^ K) & 1023]"},
    {"row_local", "int", "X + shared[((I + K * 3) & 511) + lane]"},
    {"branch_all", "int", "X + 1; if (I > -1 - K) X ^= I"},
    {"branch_some", "int", "X + 1; if (X & 1) X = X * 5 + I"},
    {"scatter", "int", "X + 1; out[LAST + ((X ^ K) & 1023)] = I"},
    {"store_row", "int", "X + 1; out[LAST + ((I + K * 3) & 511) + lane] = I"},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

struct cost {
    double ns;
    uint64_t sum; /* of what the chains came to */
};

static _Noreturn void fail(const char *what, int error) {
    fprintf(stderr, "costs: %s (%d)\n", what, error);
    exit(2);
}
static void check(cl_int error, const char *what) {
    if (error != CL_SUCCESS) fail(what, error);
}
#define CHECK(call) check(call, #call)

static double cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- the kernels ---- */

struct text {
    char *at;
    size_t used, size;
};

static void put(struct text *t, const char *s, size_t n) {
    if (t->used + n + 1 > t->size) {
        t->size = 2 * t->size + n + 4096;
        t->at = realloc(t->at, t->size);
        if (!t->at) fail("memory", 0);
    }
    memcpy(t->at + t->used, s, n);
    t->used += n;
    t->at[t->used] = 0;
}
static void puts_to(struct text *t, const char *s) { put(t, s, strlen(s)); }

static void put_number(struct text *t, const char *before, int n, const char *behind) {
    char s[160];
    snprintf(s, sizeof s, "%s%d%s", before, n, behind);
    puts_to(t, s);
}

/* One operation on one chain. */
static void put_operation(struct text *t, const char *s, int chain, int k) {
    put_number(t, "        x", chain, " = ");
    for (; *s; s++) {
        bool word = (s[1] < 'A' || s[1] > 'Z');
        if (*s == 'X' && word)
            put_number(t, "x", chain, "");
        else if (*s == 'K' && word)
            put_number(t, "", k, "");
        else
            put(t, s, 1);
    }
    puts_to(t, ";\n");
}

/* A kernel that does the operation `turns` times on each chain in each iteration. */
static void put_kernel(struct text *t, const struct operation *o, int turns) {
    bool shared = strstr(o->text, "shared") != NULL;
    put_number(t, "kernel void k", turns, "(global int *out, global const int *table, int n) {\n");
    puts_to(t, "    const int lane = get_local_id(0);\n");
    if (shared)
        puts_to(t, "    local int shared[1056];\n"
                   "    for (int i = lane; i < 1056; i += 32) shared[i] = table[i];\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n");
    for (int c = 0; c < CHAINS; c++) {
        puts_to(t, "    ");
        puts_to(t, o->type);
        put_number(t, " x", c, "");
        put_number(t, " = table[lane + ", c, "];\n");
    }
    puts_to(t, "    for (int I = 0; I < n; I++) {\n");
    for (int turn = 0; turn < turns; turn++)
        for (int c = 0; c < CHAINS; c++) put_operation(t, o->text, c, turn * CHAINS + c);
    puts_to(t, "    }\n    out[lane] = (int)(x0");
    for (int c = 1; c < CHAINS; c++) put_number(t, " + x", c, "");
    puts_to(t, ");\n}\n");
}

/* ---- one level ---- */

struct stand {
    struct session session;
    cl_mem out, table;
};

static cl_kernel build(struct stand *d, const struct operation *o, int turns) {
    struct text t = {0};
    char name[16];
    cl_int err;
    puts_to(&t, "#define LAST 64\n");
    put_kernel(&t, o, turns);
    const char *text = t.at;
    cl_program p = clCreateProgramWithSource(d->session.context, 1, &text, NULL, &err);
    check(err, "clCreateProgramWithSource");
    if (clBuildProgram(p, 1, &d->session.device, "", NULL, NULL) != CL_SUCCESS) fail(t.at, 0);
    snprintf(name, sizeof name, "k%d", turns);
    cl_kernel k = clCreateKernel(p, name, &err);
    check(err, "clCreateKernel");
    CHECK(clReleaseProgram(p));
    free(t.at);
    return k;
}

/* Nanoseconds of an iteration, the least of some runs; adds what the chains came to. */
static double run(struct stand *d, cl_kernel k, cl_int n, int runs, uint64_t *sum) {
    size_t items = ITEMS;
    cl_int got[ITEMS];
    double best = 1e30;
    CHECK(clSetKernelArg(k, 0, sizeof d->out, &d->out));
    CHECK(clSetKernelArg(k, 1, sizeof d->table, &d->table));
    CHECK(clSetKernelArg(k, 2, sizeof n, &n));
    for (int r = 0; r < runs; r++) {
        double begin = cpu_now();
        CHECK(clEnqueueNDRangeKernel(d->session.queue, k, 1, NULL, &items, &items, 0, NULL, NULL));
        CHECK(clFinish(d->session.queue));
        double took = (cpu_now() - begin) / n;
        if (took < best) best = took;
    }
    CHECK(
        clEnqueueReadBuffer(d->session.queue, d->out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) *sum = *sum * 31 + (uint32_t)got[i];
    return best;
}

static void measure(bool tiny, int runs, struct cost of[OPERATIONS]) {
    struct stand d = {0};
    cl_int err, table[TABLE + 32 * 8];
    chosen_open(&d.session, "simtcl");
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++)
        table[i] = (cl_int)(i * 2654435761u >> 5);
    d.table = clCreateBuffer(d.session.context, CL_MEM_COPY_HOST_PTR, sizeof table, table, &err);
    check(err, "clCreateBuffer");
    d.out = clCreateBuffer(d.session.context, 0, sizeof table + 4096, NULL, &err);
    check(err, "clCreateBuffer");
    for (int i = 0; i < OPERATIONS; i++) {
        cl_int n = tiny ? 20 : 100000;
        cl_kernel once = build(&d, &operations[i], TURNS),
                  twice = build(&d, &operations[i], 2 * TURNS);
        double less = run(&d, once, n, runs, &of[i].sum);
        of[i].ns = (run(&d, twice, n, runs, &of[i].sum) - less) / (CHAINS * TURNS);
        CHECK(clReleaseKernel(once));
        CHECK(clReleaseKernel(twice));
    }
    CHECK(clReleaseMemObject(d.table));
    CHECK(clReleaseMemObject(d.out));
    CHECK(clReleaseCommandQueue(d.session.queue));
    CHECK(clReleaseContext(d.session.context));
}

/* In a process of its own, as the driver reads its variables once. */
static void measure_level(const char *level, bool tiny, int runs, struct cost of[OPERATIONS]) {
    int fd[2], status = -1;
    size_t size = OPERATIONS * sizeof *of;
    if (pipe(fd) != 0) fail("pipe", 0);
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMTCL_SIMD", level, 1);
        setenv("SIMTCL_ENGINE", "native", 1);
        setenv("SIMTCL_THREADS", "1", 1);
        measure(tiny, runs, of);
        exit(write(fd[1], of, size) == (ssize_t)size ? 0 : 2);
    }
    close(fd[1]);
    bool known = child > 0 && read(fd[0], of, size) == (ssize_t)size;
    close(fd[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || status || !known) fail(level, status);
}

int main(int argc, char **argv) {
    const char *levels[MOST_LEVELS] = {"baseline", "avx2", "avx512"};
    static struct cost of[MOST_LEVELS][OPERATIONS];
    int runs = 20, n = 0;
    bool tiny = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--tiny"))
            tiny = true;
        else if (!strcmp(argv[i], "--runs") && i + 1 < argc)
            runs = atoi(argv[++i]);
        else if (n < MOST_LEVELS)
            levels[n++] = argv[i];
    }
    if (!n) n = MOST_LEVELS;
    if (tiny) runs = 1;
    printf("%-16s", "");
    for (int l = 0; l < n; l++) {
        measure_level(levels[l], tiny, runs, of[l]);
        printf(" %10s", levels[l]);
    }
    printf("\n%-16s", "add_xor, ns");
    for (int l = 0; l < n; l++) printf(" %10.2f", of[l][0].ns);
    printf("\n");
    for (int i = 0; i < OPERATIONS; i++) {
        printf("%-16s", operations[i].name);
        for (int l = 0; l < n; l++) {
            if (of[l][i].sum != of[0][i].sum) fail(operations[i].name, l);
            printf(" %10.1f", of[l][i].ns / of[l][0].ns);
        }
        printf("\n");
    }
    return 0;
}
