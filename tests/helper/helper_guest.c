/* The host never meets its helper: no LLVM in its memory, nothing to wait for, no signals; and what
 * the host is, how it forks and ends, does not reach the helper. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch.h"

static struct api a;

static void *build_long(void *unused) {
    cl_program p = watch_program(&a, 1, WATCH_LONG);
    watch_build(p);
    clReleaseProgram(p);
    return unused;
}

static void begin_long(void) {
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, build_long, NULL));
    pthread_detach(thread);
    CHECK(watch_busy(watch_one()));
}

/* ---- the host's memory ---- */

static void maps(void) {
    a = api_open();
    for (int i = 0; i < 3; i++) CHECK(watch_works(&a, i + 1));
    CHECK(watch_until(1));
    const char *foreign[] = {"LLVM", "libclang", "simtcl-compile", "libstdc++", "libz3"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) CHECK(!api_mapped(foreign[i]));
    api_close(&a);
}

/* ---- priority ---- */

/* One step below the host's, whatever that is. */
static void yields(void) {
    CHECK(!setpriority(PRIO_PROCESS, 0, 3));
    a = api_open();
    CHECK(watch_works(&a, 1));
    CHECK(getpriority(PRIO_PROCESS, (id_t)watch_one()) == 4);
    api_close(&a);
}

/* ---- waiting ---- */

static atomic_int signals;

static void count(int number) {
    (void)number;
    signals++;
}

static void meets_nothing(void) {
    int status;
    CHECK(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
    CHECK(wait(&status) == -1 && errno == ECHILD);
    CHECK(waitid(P_ALL, 0, &(siginfo_t){0}, WEXITED | WSTOPPED | WNOHANG) == -1 && errno == ECHILD);
    CHECK(!watch_zombies());
    CHECK(signals == 0);
}

static void waits(void) {
    int status = -1;
    struct sigaction action = {.sa_handler = count};
    CHECK(!sigaction(SIGCHLD, &action, NULL));
    a = api_open();
    CHECK(watch_works(&a, 1));
    meets_nothing();
    watch_kill(watch_one());
    meets_nothing();
    CHECK(watch_works(&a, 2));
    meets_nothing();
    pid_t own = fork();
    if (!own) _exit(5);
    CHECK(wait(&status) == own && WEXITSTATUS(status) == 5);
    CHECK(signals == 1);
    signals = 0;
    EXPECT(CL_SUCCESS, clUnloadCompiler());
    CHECK(watch_until(0));
    meets_nothing();
    api_close(&a);
}

/* A process that has asked for its descendants' orphans. */
static void reaper(void) {
    CHECK(!prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    waits();
    signals = 0;
    a = api_open();
    CHECK(watch_works(&a, 1));
    watch_kill(watch_one());
    CHECK(watch_works(&a, 2));
    meets_nothing();
    int asked = 0;
    CHECK(!prctl(PR_GET_CHILD_SUBREAPER, &asked, 0, 0, 0) && asked);
}

/* ---- forks ---- */

static void fork_and_build(int value) {
    int status = -1;
    pid_t pid = fork();
    if (!pid) {
        alarm(60);
        a = api_open();
        CHECK(watch_works(&a, value));
        _exit(api_result());
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void forks(void) {
    fork_and_build(1);
    CHECK(watch_until(0));
    a = api_open();
    CHECK(watch_works(&a, 2));
    pid_t own = watch_one();
    fork_and_build(3); /* with one of its own, which ends with it */
    CHECK(watch_until(1) && watch_one() == own);
    begin_long();
    double begin = watch_seconds();
    fork_and_build(4); /* while a build is under way */
    fork_and_build(5);
    CHECK(watch_seconds() - begin < 30);
    CHECK(watch_works(&a, 6));
    /* A child that was made behind the C library's back. */
    int status = -1;
    long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (!pid) {
        cl_program p = watch_program(&a, 7, 0); /* handles are not refused there */
        _exit(watch_build(p) ? 1 : 0);
    }
    CHECK(waitpid((pid_t)pid, &status, 0) == pid && status == 0);
    CHECK(watch_works(&a, 8));
}

/* ---- ends ---- */

/* A process that does `end` while it builds: its helper goes, and soon. */
static void ends(void (*end)(void)) {
    int status = -1, told[2];
    char ready;
    CHECK(!pipe(told));
    pid_t pid = fork();
    if (!pid) {
        a = api_open();
        begin_long();
        if (write(told[1], "r", 1) != 1) _exit(3);
        end();
        pause();
    }
    CHECK(read(told[0], &ready, 1) == 1);
    double begin = watch_seconds();
    if (!end) CHECK(!kill(pid, SIGKILL));
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(watch_until(0));
    CHECK(watch_seconds() - begin < 5);
    close(told[0]);
    close(told[1]);
}

static void end_by_exit(void) { exit(0); }
static void end_by_abort(void) { kill(getpid(), SIGKILL); }
static void end_by_exec(void) { execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL); }

static void last(void) {
    ends(end_by_exit);
    ends(end_by_abort);
    ends(end_by_exec);
    CHECK(!watch_zombies());
}

/* ---- what is inherited ---- */

static bool status_is(pid_t pid, const char *field, const char *value) {
    char file[64], line[256], wanted[128];
    bool found = false;
    snprintf(file, sizeof file, "/proc/%d/status", (int)pid);
    snprintf(wanted, sizeof wanted, "%s:\t%s\n", field, value);
    FILE *f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f)) found |= !strcmp(line, wanted);
    if (f) fclose(f);
    return found;
}

static void link_is(pid_t pid, const char *name, const char *wanted) {
    char file[64], target[512] = "";
    snprintf(file, sizeof file, "/proc/%d/%s", (int)pid, name);
    if (readlink(file, target, sizeof target - 1) < 0 || strncmp(target, wanted, strlen(wanted))) {
        fprintf(stderr, "%s of the helper: %s\n", name, target);
        CHECK(false);
    }
}

static int count_descriptors(pid_t pid) {
    char folder[64];
    int n = 0;
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)pid);
    DIR *dir = opendir(folder);
    for (struct dirent *d; dir && (d = readdir(dir));) n += d->d_name[0] != '.';
    if (dir) closedir(dir);
    return n;
}

static void inherits(void) {
    sigset_t all, before;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct rlimit small = {1 << 16, RLIM_INFINITY}, limit;
    for (int i = 0; i < 20; i++)
        CHECK(open("/dev/zero", O_RDONLY) >= 0); /* the host's, inherited */
    sigfillset(&all);
    CHECK(!sigprocmask(SIG_SETMASK, &all, &before));
    CHECK(!sigaction(SIGTERM, &ignore, NULL) && !sigaction(SIGCHLD, &ignore, NULL) &&
          !sigaction(SIGPIPE, &ignore, NULL) && !sigaction(SIGABRT, &ignore, NULL));
    setenv("LD_PRELOAD", PRELOAD_PATH, 1);
    setenv("LD_LIBRARY_PATH", "/nowhere", 1);
    if (!getrlimit(RLIMIT_STACK, &limit)) small.rlim_max = limit.rlim_max;
    CHECK(!setrlimit(RLIMIT_STACK, &small));
    CHECK(!chdir("/tmp"));
    a = api_open();
    CHECK(watch_works(&a, 1));
    pid_t helper = watch_one();
    CHECK(count_descriptors(helper) == 4);
    for (int fd = 0; fd < 3; fd++) {
        char name[16];
        snprintf(name, sizeof name, "fd/%d", fd);
        link_is(helper, name, "/dev/null");
    }
    link_is(helper, "fd/3", "socket:");
    link_is(helper, "cwd", "/");
    CHECK(status_is(helper, "SigBlk", "0000000000000000"));
    CHECK(status_is(helper, "SigIgn", "0000000000000000"));
    CHECK(getpgid(helper) == helper);
    CHECK(sigprocmask(SIG_SETMASK, NULL, &all) == 0 && sigismember(&all, SIGUSR1));
    /* And the host's children get nothing of the driver's. */
    CHECK(!sigprocmask(SIG_SETMASK, &before, NULL));
    unsetenv("LD_PRELOAD");
    unsetenv("LD_LIBRARY_PATH");
    signal(SIGCHLD, SIG_DFL);
    int status = system("ls -l /proc/self/fd | grep -e pidfd -e socket: | grep -v ' [012] -> '");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    api_close(&a);
}

/* A host that has closed its standard descriptors. */
static void closed(void) {
    int keep = dup(STDERR_FILENO);
    for (int fd = 0; fd < 3; fd++) close(fd);
    a = api_open();
    bool good = watch_works(&a, 1);
    pid_t helper = watch_one();
    int n = count_descriptors(helper);
    dup2(keep, STDERR_FILENO);
    CHECK(good && n == 4);
    link_is(helper, "fd/3", "socket:");
}

/* ---- the folder ---- */

static void write_header(const char *folder, int value) {
    char path[128];
    CHECK(!mkdir(folder, 0700));
    snprintf(path, sizeof path, "%s/inc", folder);
    CHECK(!mkdir(path, 0700));
    snprintf(path, sizeof path, "%s/inc/value.h", folder);
    FILE *f = fopen(path, "w");
    if (CHECK(f != NULL)) fprintf(f, "#define VALUE %d\n", value);
    if (f) fclose(f);
}

static cl_int include(void) {
    const char *text = "#include \"value.h\"\n"
                       "kernel void k(global int *out) { out[get_global_id(0)] = VALUE; }";
    cl_int err, value = -1;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    if (!clBuildProgram(p, 0, NULL, "-I inc", NULL, NULL)) value = kernels_run(&a, p);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return value;
}

static void *include_there(void *folder) {
    /* This thread's folder alone. */
    if (syscall(SYS_unshare, CLONE_FS) || chdir(folder)) return (void *)0;
    for (int i = 0; i < 20; i++)
        if (include() != 2) return (void *)0;
    return (void *)1;
}

static atomic_int built;

static void CL_CALLBACK count_build(cl_program p, void *unused) {
    (void)p, (void)unused;
    built++;
}

/* A build in the background means the folder of its call, whatever comes after. */
static void include_later(const char *here, const char *elsewhere) {
    enum { BUILDS = 8 };
    const char *text = "#include \"value.h\"\n"
                       "kernel void k(global int *out) { out[get_global_id(0)] = VALUE; }";
    cl_int err;
    cl_program p[BUILDS];
    CHECK(!chdir(here));
    for (int i = 0; i < BUILDS; i++) {
        EXPECT_NEW(CL_SUCCESS, p[i] = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
        EXPECT(CL_SUCCESS, clBuildProgram(p[i], 0, NULL, "-I inc", count_build, NULL));
    }
    CHECK(!chdir(elsewhere));
    double begin = watch_seconds();
    while (built < BUILDS && watch_seconds() - begin < 60) sched_yield();
    for (int i = 0; i < BUILDS; i++) {
        CHECK(kernels_run(&a, p[i]) == 1);
        EXPECT(CL_SUCCESS, clReleaseProgram(p[i]));
    }
}

static void folders(void) {
    char root[] = "/tmp/simtcl-folders-XXXXXX", one[64], two[64];
    CHECK(mkdtemp(root) != NULL);
    snprintf(one, sizeof one, "%s/one", root);
    snprintf(two, sizeof two, "%s/two", root);
    write_header(one, 1);
    write_header(two, 2);
    a = api_open();
    CHECK(include() == -1);
    CHECK(!chdir(one) && include() == 1);
    CHECK(!chdir(two) && include() == 2);
    CHECK(!chdir(one));
    pthread_t thread;
    void *good;
    CHECK(!pthread_create(&thread, NULL, include_there, two));
    for (int i = 0; i < 20; i++) CHECK(include() == 1);
    pthread_join(thread, &good);
    CHECK(good != NULL);
    include_later(one, two);
    CHECK(!chdir("/"));
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK(system(command) == 0);
    api_close(&a);
}

int main(int argc, char **argv) {
    static const struct watch_case cases[] = {
        {"maps", maps, {"SIMTCL_ENGINE=native"}},
        {"yields", yields, {0}},
        {"waits", waits, {0}},
        {"reaper", reaper, {0}},
        {"forks", forks, {0}},
        {"last", last, {0}},
        {"inherits", inherits, {0}},
        {"closed", closed, {0}},
        {"folders", folders, {0}},
    };
    return watch_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
