#include "platform.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "about.h"
#include "debugging.h"
#include "device/run/tier.h"
#include "device/run/watchdog.h"
#include "devices.h"
#include "env.h"
#include "include/simtcl/self.h"
#include "include/simtcl/profile.h"
#include "info.h"
#include "log.h"
#include "modeswitch.h"
#include "object.h"
#include "schedule.h"

static struct _cl_platform_id platform;
static pthread_once_t platform_once = PTHREAD_ONCE_INIT;

static const struct {
    const char *text;
    unsigned version;
} versions[] = {{"1.0", 100}, {"1.1", 110}, {"1.2", 120}};

static unsigned read_version(const char *text) {
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (!strcmp(text, versions[i].text)) return versions[i].version;
    log_line(LOG_FAULT, "SIMTCL_CL_VERSION is \"%s\", known are 1.0, 1.1 and 1.2: 1.2 is used",
             text);
    return 120;
}

static const struct model *read_model(const char *name) {
    const struct model *model = model_find(name);
    if (model) return model;
    log_line(LOG_FAULT, "SIMTCL_MODEL is \"%s\", no known model: the default is used", name);
    return model_find(NULL);
}

static bool read_exact(const char *text) {
    bool gpu = !strcmp(text, "gpu");
    if (*text && !gpu)
        log_line(LOG_FAULT, "SIMTCL_EXACT is \"%s\", known is gpu: it is left out", text);
    return gpu;
}

/* Which of `n` words the variable's text is; the first, which is the default, when it is none. */
static unsigned read_word(const char *variable, const char *text, const char *const words[],
                          unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(text, words[i])) return i;
    if (*text)
        log_line(LOG_FAULT, "%s is \"%s\", known are %s, %s and %s: it is left out", variable, text,
                 words[n - 3], words[n - 2], words[n - 1]);
    return 0;
}

static enum tier_mode read_engine(void) {
    static const char *const words[] = {
        [TIER_AUTO] = "auto", [TIER_INTERPRETER] = "interpreter", [TIER_NATIVE] = "native"};
    return read_word("SIMTCL_ENGINE", env_get(ENV_SIMTCL_ENGINE), words, 3);
}

static enum native_level read_simd(void) {
    static const char *const words[] = {"", "avx512", "avx2", "baseline"};
    static const enum native_level levels[] = {NATIVE_AVX512, NATIVE_AVX512, NATIVE_AVX2,
                                               NATIVE_BASELINE};
    return levels[read_word("SIMTCL_SIMD", env_get(ENV_SIMTCL_SIMD), words, 4)];
}

/* 0, as many as the process may use, for what is no number. */
static unsigned read_threads(const char *text) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (!*end) return n < POOL_MAX_WORKERS ? (unsigned)n : POOL_MAX_WORKERS;
    log_line(LOG_FAULT, "SIMTCL_THREADS is \"%s\", no number: it is left out", text);
    return 0;
}

/* 0, for ever, for what is no number of seconds. */
static uint64_t read_timeout(const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    if (!*end && seconds >= 0 && seconds < 1e9) return (uint64_t)(seconds * 1e9);
    log_line(LOG_FAULT, "SIMTCL_TIMEOUT is \"%s\", no number of seconds: it is left out", text);
    return 0;
}

enum { PROGRESS_NS = 2000000000 }; /* what takes longer is told of */

static void tell_progress(const char *line) { log_line(LOG_PROGRESS, "%s", line); }

static void open_platform(void) {
    if (*env_wrong()) log_text(LOG_FAULT, "settings", env_wrong());
    watchdog_limit(read_timeout(env_get(ENV_SIMTCL_TIMEOUT)));
    if (log_on(LOG_PROGRESS)) watchdog_tell(PROGRESS_NS, tell_progress);
    tier_configure(read_engine(), read_simd());
    schedule_configure(env_get(ENV_SIMTCL_SCHEDULE));
    pool_limit(read_threads(env_get(ENV_SIMTCL_THREADS)));
    debugging_configure();
    modeswitch_configure(env_get(ENV_SIMTCL_FAULT));
    platform.dispatch = object_dispatch();
    platform.version = read_version(env_get(ENV_SIMTCL_CL_VERSION));
    platform.model = read_model(env_get(ENV_SIMTCL_MODEL));
    platform.exact = read_exact(env_get(ENV_SIMTCL_EXACT));
    device_extensions(platform.model, platform.extensions, sizeof platform.extensions);
    for (unsigned i = 0; i < platform.model->devices && i < PLATFORM_MAX_DEVICES; i++) {
        cl_device_id device = device_new_root(platform.model, i);
        if (!device) break;
        platform.devices[platform.ndevices++] = device;
    }
}

cl_platform_id platform_get(void) {
    pthread_once(&platform_once, open_platform);
    return &platform;
}

unsigned platform_version(void) { return platform_get()->version; }
bool platform_exact(void) { return platform_get()->exact; }

struct error platform_check(cl_platform_id p) {
    if (!p || p == &platform) return OK;
    return fail(CL_INVALID_PLATFORM, "%p is not this driver's platform", (void *)p);
}

struct error platform_ids(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
    if (!num_entries && platforms)
        return fail(CL_INVALID_VALUE, "num_entries is 0 but platforms is not NULL");
    if (!platforms && !num_platforms)
        return fail(CL_INVALID_VALUE, "platforms and num_platforms are both NULL");
    if (platforms) platforms[0] = platform_get();
    if (num_platforms) *num_platforms = 1;
    return OK;
}

static struct error tell_about(struct info out) {
    char *text = malloc(ABOUT_BYTES);
    if (!text) return fail_memory();
    about_write(text, ABOUT_BYTES);
    struct error error = info_text(out, text);
    free(text);
    return error;
}

struct error platform_info(cl_platform_id p, cl_platform_info name, size_t size, void *value,
                           size_t *size_ret) {
    TRY(platform_check(p));
    struct info out = {size, value, size_ret, name};
    unsigned version = platform_version();
    char text[sizeof platform.extensions + 64];
    switch (name) {
    case CL_PLATFORM_PROFILE: return info_text(out, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        snprintf(text, sizeof text, "OpenCL %u.%u simtcl " SIMTCL_VERSION, version / 100,
                 version / 10 % 10);
        return info_text(out, text);
    case CL_PLATFORM_NAME: return info_text(out, "simtcl");
    case CL_PLATFORM_VENDOR: return info_text(out, "simtcl");
    case CL_PLATFORM_EXTENSIONS:
        snprintf(text, sizeof text, "%s " SIMTCL_PROFILE_EXTENSION, platform.extensions);
        return info_text(out, text);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return info_text(out, "SIMTCL");
    case CL_PLATFORM_ABOUT_SIMTCL: return tell_about(out);
    default: return info_unknown("platform", name);
    }
}
