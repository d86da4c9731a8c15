#include "model.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/host/pool.h"

/* Of 4 GB boards: a sandbox has 4 GiB of addresses, and some of them are the device's own. It is
 * also what the drivers of the time left to programs. */
#define MOST_MEMORY UINT64_C(0xfffd0000)
#define MEMORY(mb)  ((uint64_t)(mb) << 20 < MOST_MEMORY ? (uint64_t)(mb) << 20 : MOST_MEMORY)

/* Of boards without memory of their own: what is set aside of the host's. */
#define HOST_MB 256

/* Guide A.1.1 to A.1.4: what all have, and what differs. */
#define CC_ALL                                                                                     \
    .cc_major = 1, .max_group = 512, .max_item = {512, 512, 64}, .shared_bytes = 16 << 10,         \
    .constant_bytes = 64 << 10, .private_bytes = 16 << 10, .resident_groups = 8,                   \
    .shared_granule = 512
#define CC_0 CC_ALL, .registers = 8192, .resident_warps = 24, .cluster = 2, .register_granule = 256
#define CC_1 CC_0, .global_atomics = true, .overlap = true
#define CC_2                                                                                       \
    CC_ALL, .registers = 16384, .resident_warps = 32, .cluster = 3, .register_granule = 512,       \
            .global_atomics = true, .shared_atomics = true, .overlap = true
#define CC_3 CC_2, .doubles = true

static const struct model boards[] = {
#define MODEL(board, minor, count, sms, clock, mb, bandwidth, parts)                               \
    {.name = board,                                                                                \
     .cc_minor = minor,                                                                            \
     .devices = count,                                                                             \
     .multiprocessors = sms,                                                                       \
     .clock_mhz = clock,                                                                           \
     .memory_bytes = MEMORY(mb),                                                                   \
     .memory_bandwidth_mbs = bandwidth,                                                            \
     .partitions = parts,                                                                          \
     CC_##minor},
#define INTEGRATED(board, minor, sms, clock, channels, rate)                                       \
    {.name = board,                                                                                \
     .cc_minor = minor,                                                                            \
     .devices = 1,                                                                                 \
     .multiprocessors = sms,                                                                       \
     .clock_mhz = clock,                                                                           \
     .memory_bytes = MEMORY(HOST_MB),                                                              \
     .memory_bandwidth_mbs = (channels)*8 * (rate),                                                \
     .partitions = channels,                                                                       \
     .integrated = true,                                                                           \
     CC_##minor},
#include "models.def"
#undef MODEL
#undef INTEGRATED
};
enum { BOARDS = sizeof boards / sizeof *boards };

/* This machine itself: no GPU's limits, and at least the minimums of OpenCL 1.2, table 4.3. */
static struct model host = {
    .name = "host",
    .cc_major = 1,
    .cc_minor = 3,
    .devices = 1,
    .partitions = 1,
    .max_group = 1024,
    .max_item = {1024, 1024, 1024},
    .registers = 16384,
    .shared_bytes = 64 << 10,
    .constant_bytes = 1 << 20,
    .private_bytes = 64 << 10,
    .resident_groups = 8,
    .resident_warps = 32,
    .cluster = 1,
    .register_granule = 512,
    .shared_granule = 512,
    .overlap = true,
    .global_atomics = true,
    .shared_atomics = true,
    .doubles = true,
    .unlimited = true,
};

static uint32_t host_clock_mhz(void) {
    unsigned long khz = 0;
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "re");
    if (f) {
        if (fscanf(f, "%lu", &khz) != 1) khz = 0;
        fclose(f);
    }
    unsigned mhz = 0;
    char line[256];
    if (!khz && (f = fopen("/proc/cpuinfo", "re"))) {
        while (!mhz && fgets(line, sizeof line, f))
            if (sscanf(line, "cpu MHz : %u", &mhz) != 1) mhz = 0;
        fclose(f);
    }
    if (khz) mhz = (unsigned)(khz / 1000);
    return mhz ? mhz : 1000;
}

static void host_measure(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : MOST_MEMORY;
    host.memory_bytes = bytes < MOST_MEMORY ? bytes : MOST_MEMORY;
    host.multiprocessors = pool_threads();
    host.clock_mhz = host_clock_mhz();
}

const struct model *model_at(unsigned i) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (i < BOARDS) return &boards[i];
    if (i > BOARDS) return NULL;
    pthread_once(&once, host_measure);
    return &host;
}

uint32_t model_clusters(const struct model *m) {
    return (m->multiprocessors + m->cluster - 1) / m->cluster;
}

/* The next character of a name that counts, in lower case; 0 at the end. */
static int next(const char **name) {
    while (**name == ' ' || **name == '\t' || **name == '-' || **name == '_') ++*name;
    int c = (unsigned char)**name;
    *name += c != 0;
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static bool same(const char *a, const char *b) {
    int c;
    do {
        c = next(&a);
        if (c != next(&b)) return false;
    } while (c);
    return true;
}

static const char *without_brand(const char *name) {
    static const char *const brands[] = {"GeForce ", "Tesla ", "Quadro "};
    for (unsigned i = 0; i < sizeof brands / sizeof *brands; i++)
        if (strncmp(name, brands[i], strlen(brands[i])) == 0) return name + strlen(brands[i]);
    return name;
}

const struct model *model_find(const char *name) {
    const char *rest = name ? name : "";
    if (!next(&rest)) name = "Tesla C1060";
    const struct model *m;
    for (unsigned i = 0; (m = model_at(i)); i++)
        if (same(name, m->name) || same(name, without_brand(m->name))) return m;
    return NULL;
}

const struct model *model_or_default(const struct model *m) { return m ? m : model_find(NULL); }
