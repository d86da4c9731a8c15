#include "cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned affinity(void) {
    for (int most = 1024; most <= 1 << 20;
         most *= 2) { /* the kernel refuses a set smaller than its own */
        cpu_set_t *set = CPU_ALLOC(most);
        if (!set) break;
        size_t bytes = CPU_ALLOC_SIZE(most);
        int error = sched_getaffinity(0, bytes, set) ? errno : 0;
        int count = error ? 0 : CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (!error) return count > 0 ? (unsigned)count : 1;
        if (error != EINVAL) break;
    }
    return 1;
}

/* The first line of a file named by its parts; false: not there. */
static bool read_line(char *line, size_t size, const char *root, const char *path,
                      const char *name) {
    char *file = NULL;
    if (asprintf(&file, "%s%s/%s", root, path, name) < 0) return false;
    FILE *f = fopen(file, "re");
    free(file);
    if (!f) return false;
    bool read = fgets(line, (int)size, f);
    fclose(f);
    return read;
}

static void lower(unsigned *cpus, long long quota, long long period) {
    if (quota <= 0 || period <= 0) return;
    long long allowed = quota / period + (quota % period != 0);
    if (allowed < *cpus) *cpus = (unsigned)allowed;
}

static void quota_v2(unsigned *cpus, const char *root, const char *path) {
    char line[128];
    long long quota, period;
    if (read_line(line, sizeof line, root, path, "cpu.max") &&
        sscanf(line, "%lld %lld", &quota, &period) == 2) /* "max 100000": no quota */
        lower(cpus, quota, period);
}

static void quota_v1(unsigned *cpus, const char *root, const char *path) {
    char line[128];
    if (!read_line(line, sizeof line, root, path, "cpu.cfs_quota_us")) return;
    long long quota = strtoll(line, NULL, 10);
    if (read_line(line, sizeof line, root, path, "cpu.cfs_period_us"))
        lower(cpus, quota, strtoll(line, NULL, 10));
}

/* The quotas of a group and of all above it. In a container the path may be the host's, of which
 * only the root exists. */
static void quota_upward(unsigned *cpus, const char *path, bool v2) {
    static const char *const v1_roots[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    char *at = strdup(path); /* not on the stack: a thread of the host may have 16 KB */
    while (at) {
        char *end = strrchr(at, '/');
        if (end && !end[1]) *end = 0; /* "/" is the root: "" */
        if (v2) {
            quota_v2(cpus, "/sys/fs/cgroup", at);
            quota_v2(cpus, "/sys/fs/cgroup/unified", at);
        } else {
            for (unsigned i = 0; i < sizeof v1_roots / sizeof *v1_roots; i++)
                quota_v1(cpus, v1_roots[i], at);
        }
        end = strrchr(at, '/');
        if (!end) break;
        *end = 0;
    }
    free(at);
}

static bool lists_cpu(const char *controllers) {
    for (const char *c = controllers; *c; c += strcspn(c, ","), c += *c == ',')
        if (strncmp(c, "cpu", 3) == 0 && (c[3] == ',' || !c[3])) return true;
    return false;
}

unsigned cpus_allowed(void) {
    unsigned cpus = affinity();
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (!f) return cpus;
    char *line = NULL; /* "4:cpu,cpuacct:/path", v2: "0::/path" */
    size_t room = 0;
    while (getline(&line, &room, f) >= 0) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path) continue;
        *controllers++ = *path++ = 0;
        if (!*controllers || lists_cpu(controllers)) quota_upward(&cpus, path, !*controllers);
    }
    free(line);
    fclose(f);
    return cpus;
}

unsigned long cpus_cache(void) {
    static const int levels[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                 _SC_LEVEL2_CACHE_SIZE};
    for (unsigned n = 0; n < sizeof levels / sizeof *levels; n++) {
        long bytes = sysconf(levels[n]);
        if (bytes > 0) return (unsigned long)bytes;
    }
    return 0;
}
