/* The quotas of cgroups: on a machine that has 64 CPUs, whose files are these here. */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>

#include "device/host/cpus.h"
#include "device/host/pool.h"
#include "test.h"

enum { CPUS = 64 };

/* Pairs of a path and what the file holds; NULL ends them. */
static const char *const *files;

FILE *fopen(const char *path, const char *mode) {
    if (!strcmp(path, "/proc/self/cgroup") || !strncmp(path, "/sys/fs/cgroup", 14)) {
        for (const char *const *f = files; *f; f += 2)
            if (!strcmp(f[0], path)) return fmemopen((void *)(size_t)f[1], strlen(f[1]), "r");
        return NULL;
    }
    FILE *(*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    return real(path, mode);
}

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set) {
    (void)pid;
    CPU_ZERO_S(bytes, set);
    for (int i = 0; i < CPUS; i++) CPU_SET_S(i, bytes, set);
    return 0;
}

static unsigned allowed(const char *const *there) {
    files = there;
    return cpus_allowed();
}
#define ALLOWED(...) allowed((const char *const[]){__VA_ARGS__, NULL})
#define SELF         "/proc/self/cgroup"
#define V2           "/sys/fs/cgroup"
#define V1           "/sys/fs/cgroup/cpu"

static void no_groups(void) {
    CHECK(allowed((const char *const[]){NULL}) == CPUS);
    CHECK(ALLOWED(SELF, "0::/\n") == CPUS);
    CHECK(ALLOWED(SELF, "0::/\n", V2 "/cpu.max", "max 100000\n") == CPUS);
}

static void second_version(void) {
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "400000 100000\n") == 4);
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "250000 100000\n") == 3); /* up */
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "1000 100000\n") == 1);
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "9999900000 100000\n") == CPUS);
    /* the least of all above counts */
    CHECK(ALLOWED(SELF, "0::/a/b/c\n", V2 "/a/b/c/cpu.max", "max 100000\n", V2 "/a/cpu.max",
                  "500000 100000\n", V2 "/a/b/cpu.max", "700000 100000\n") == 5);
    /* in a container the path is the host's, and only the root is there */
    CHECK(ALLOWED(SELF, "0::/docker/123\n", V2 "/cpu.max", "200000 100000\n") == 2);
    CHECK(ALLOWED(SELF, "1:cpuset:/\n0::/box\n", V2 "/unified/box/cpu.max", "600000 100000\n") ==
          6);
}

static void first_version(void) {
    CHECK(ALLOWED(SELF, "4:cpu,cpuacct:/box\n", V1 "/box/cpu.cfs_quota_us", "300000\n",
                  V1 "/box/cpu.cfs_period_us", "100000\n") == 3);
    CHECK(ALLOWED(SELF, "4:cpuacct,cpu:/box\n", V1 ",cpuacct/box/cpu.cfs_quota_us", "50000\n",
                  V1 ",cpuacct/box/cpu.cfs_period_us", "10000\n") == 5);
    CHECK(ALLOWED(SELF, "4:cpu:/box\n", V1 "/box/cpu.cfs_quota_us", "-1\n",
                  V1 "/box/cpu.cfs_period_us", "100000\n") == CPUS);
    CHECK(ALLOWED(SELF, "4:cpuset:/box\n", V1 "/box/cpu.cfs_quota_us", "300000\n",
                  V1 "/box/cpu.cfs_period_us", "100000\n") == CPUS);
}

static void nonsense(void) {
    CHECK(ALLOWED(SELF, "nothing\n::\n0:\n") == CPUS);
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "many few\n") == CPUS);
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "100000 0\n") == CPUS);
    CHECK(ALLOWED(SELF, "0::/box\n", V2 "/box/cpu.max", "-5 100000\n") == CPUS);
}

/* What runs kernels has as many threads. */
static void threads(void) {
    files = (const char *const[]){SELF, "0::/box\n", V2 "/box/cpu.max", "300000 100000\n", NULL};
    CHECK(pool_threads() == 3);
}

TEST_MAIN(TEST(no_groups), TEST(second_version), TEST(first_version), TEST(nonsense), TEST(threads))
