#include "watch.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 10, CASE_S = 240 };

static char folder[] = "/tmp/simtcl-helper-XXXXXX", path[64];
static pid_t owner;

static void remove_folder(void) {
    if (getpid() != owner) return;
    unlink(path);
    rmdir(folder);
}

/* A case's helpers are known by the path they were started by. */
__attribute__((constructor(101))) static void set(int argc, char **argv) {
    const char *target = getenv("WATCH_TARGET");
    (void)argv;
    if (argc < 2 || !mkdtemp(folder) || chmod(folder, 0755)) return;
    snprintf(path, sizeof path, "%s/simtcl-compile", folder);
    if (symlink(target ? target : HELPER_PATH, path)) _exit(3);
    setenv("SIMTCL_HELPER", path, 1);
    setenv("SIMTCL_CACHE", "off", 1);
    setenv("SIMTCL_LOG", "none", 0);
    owner = getpid();
    atexit(remove_folder);
}

static bool run_case(const struct watch_case *c) {
    int status = -1;
    pid_t pid = fork();
    if (!pid) {
        for (int i = 0; i < 3 && c->settings[i]; i++) putenv((char *)(uintptr_t)c->settings[i]);
        alarm(CASE_S);
        execl("/proc/self/exe", "watch", c->name, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return false;
    if (status) fprintf(stderr, "case %s: status %x\n", c->name, (unsigned)status);
    return !status;
}

int watch_main(int argc, char **argv, const struct watch_case *cases, int n) {
    int failed = 0;
    setvbuf(stderr, NULL, _IONBF, 0);
    for (int i = 0; i < n; i++) {
        if (argc < 2) {
            failed += !run_case(&cases[i]);
        } else if (!strcmp(argv[1], cases[i].name)) {
            cases[i].run();
            return api_result();
        }
    }
    return failed || argc > 1 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- processes ---- */

static bool read_file(pid_t pid, const char *name, char *text, size_t size) {
    char file[64];
    snprintf(file, sizeof file, "/proc/%d/%s", (int)pid, name);
    memset(text, 0, size);
    FILE *f = fopen(file, "r");
    size_t n = f ? fread(text, 1, size - 1, f) : 0;
    if (f) fclose(f);
    return n > 0;
}

int watch_find(pid_t *pids, int most) {
    int n = 0;
    DIR *dir = opendir("/proc");
    for (struct dirent *d; dir && (d = readdir(dir));) {
        char command[256];
        if (!isdigit((unsigned char)d->d_name[0])) continue;
        pid_t pid = (pid_t)atoi(d->d_name);
        if (!read_file(pid, "cmdline", command, sizeof command) || strcmp(command, path)) continue;
        if (n < most) pids[n] = pid;
        n++;
    }
    if (dir) closedir(dir);
    return n;
}

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

double watch_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool watch_until(int helpers) {
    pid_t pids[1];
    double begin = watch_seconds();
    while (watch_find(pids, 1) != helpers) {
        if (watch_seconds() - begin > PATIENCE_S) return false;
        pause_ms(2);
    }
    return true;
}

pid_t watch_one(void) {
    pid_t pid = 0;
    if (!CHECK(watch_until(1)) || watch_find(&pid, 1) != 1) return 0;
    return pid;
}

static int count_threads(pid_t pid) {
    char text[4096];
    const char *line =
        read_file(pid, "status", text, sizeof text) ? strstr(text, "\nThreads:") : NULL;
    return line ? atoi(line + strlen("\nThreads:")) : 0;
}

/* The main thread, the one that watches the socket, and one that compiles. */
bool watch_compiles(pid_t helper) { return count_threads(helper) >= 3; }

bool watch_busy(pid_t helper) {
    double begin = watch_seconds();
    while (!watch_compiles(helper)) {
        if (watch_seconds() - begin > PATIENCE_S) return false;
        sched_yield();
    }
    return true;
}

void watch_kill(pid_t helper) {
    double begin = watch_seconds();
    char text[4096];
    CHECK(!kill(helper, SIGKILL));
    while (read_file(helper, "cmdline", text, sizeof text) && watch_seconds() - begin < PATIENCE_S)
        pause_ms(1);
}

int watch_zombies(void) {
    int n = 0;
    DIR *dir = opendir("/proc");
    for (struct dirent *d; dir && (d = readdir(dir));) {
        char text[1024], state = 0;
        int parent = 0;
        if (!isdigit((unsigned char)d->d_name[0])) continue;
        if (!read_file((pid_t)atoi(d->d_name), "stat", text, sizeof text)) continue;
        const char *rest = strrchr(text, ')');
        if (rest && sscanf(rest, ") %c %d", &state, &parent) == 2)
            n += state == 'Z' && parent == (int)getpid();
    }
    if (dir) closedir(dir);
    return n;
}

/* ---- programs ---- */

/* Functions with loops and branches, each called. */
cl_program watch_program(struct api *a, int value, int functions) {
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    for (int i = 0; i < functions; i++)
        fprintf(f,
                "int f%d(int x, int y) { for (int i = 0; i < x; i++) y = y * %d + (i ^ x);"
                " if (y > %d) y -= x; return y; }\n",
                i, i + 3, i);
    fprintf(f, "kernel void k(global int *out) {\nint x = get_global_id(0), n = 0;\n");
    for (int i = 0; i < functions; i++) fprintf(f, "n += f%d(x, n);\n", i);
    fprintf(f, "out[x] = %d%s;\n}\n", value, functions ? " + (n & 0)" : "");
    fclose(f);
    const char *strings = text;
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a->context, 1, &strings, NULL, &err));
    free(text);
    return p;
}

cl_int watch_build(cl_program p) { return clBuildProgram(p, 0, NULL, NULL, NULL, NULL); }

bool watch_works(struct api *a, int value) {
    cl_program p = watch_program(a, value, 0);
    cl_int error = watch_build(p);
    if (error) fprintf(stderr, "the build gave %d\n", (int)error);
    bool good = !error && kernels_run(a, p) == value;
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return good;
}

bool watch_log_has(struct api *a, cl_program p, const char *text) {
    static char log[1 << 16];
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(p, a->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (strstr(log, text)) return true;
    fprintf(stderr, "\"%s\" is not in the log: %s\n", text, log);
    return false;
}
