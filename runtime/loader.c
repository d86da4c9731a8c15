#include "loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "device/host/stack.h"
#include "device/native/native.h"
#include "device/run/tier.h"
#include "device/run/watchdog.h"
#include "env.h"
#include "helper/helper.h"
#include "log.h"
#include "tracing.h"

enum { PATH_BYTES = 4096, MOST_SECONDS = 1000000, MOST_MEGABYTES = 1 << 24 };

static void say(const char *text) { log_line(LOG_BUILD, "%s", text); }

/* ---- finding ---- */

/* Where the helper is: where the variable says, or relative to this library (installed, side by
 * side, in the build tree), or where it was to be installed. */
static bool find_helper(char *path, size_t size) {
    const char *asked = env_get(ENV_SIMTCL_HELPER);
    if (*asked) {
        snprintf(path, size, "%s", asked);
        return !access(path, F_OK);
    }
    Dl_info info;
    if (dladdr((void *)(uintptr_t)loader_warm, &info) && info.dli_fname) {
        const char *slash = strrchr(info.dli_fname, '/');
        int length = slash ? (int)(slash - info.dli_fname) : 1;
        const char *here = slash ? info.dli_fname : ".";
        static const char *const before[] = {SIMTCL_LIBEXECDIR_FROM_LIBDIR "/simtcl/", "",
                                             "../helper/"};
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            snprintf(path, size, "%.*s/%ssimtcl-compile", length, here, before[i]);
            if (!access(path, F_OK)) return true;
        }
    }
    snprintf(path, size, "%s/simtcl/simtcl-compile", SIMTCL_LIBEXECDIR);
    return !access(path, F_OK);
}

static void find(void *found) {
    char path[PATH_BYTES];
    *(bool *)found = find_helper(path, sizeof path);
}

bool loader_found(void) {
    bool found = false;
    stack_call(find, &found);
    return found;
}

bool loader_place(char *path, size_t size) { return find_helper(path, size); }

static bool print_file(char *text, size_t size, const char *path) {
    struct stat st;
    if (stat(path, &st)) return false;
    snprintf(text, size, "%s %lld %lld.%09ld\n", path, (long long)st.st_size,
             (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    return true;
}

bool loader_maker(char *text, size_t size) {
    char path[PATH_BYTES];
    Dl_info info;
    int n = snprintf(text, size, "simtcl " SIMTCL_VERSION "\n");
    if (n < 0 || (size_t)n >= size) return false;
    if (!dladdr((void *)(uintptr_t)loader_warm, &info) || !info.dli_fname ||
        !print_file(text + n, size - (size_t)n, info.dli_fname))
        return false;
    size_t used = strlen(text);
    return find_helper(path, sizeof path) && print_file(text + used, size - used, path);
}

/* ---- asking ---- */

/* The variable's number, at least 1; its default where it is none. */
static unsigned read_number(enum env variable, const char *name, unsigned fallback, unsigned most) {
    char *end;
    const char *text = env_get(variable);
    unsigned long n = strtoul(text, &end, 10);
    if (end != text && !*end && *text != '-' && n) return n < most ? (unsigned)n : most;
    log_line(LOG_FAULT, "%s is \"%s\", not a number above 0: it is left out", name, text);
    return fallback;
}

static struct helper_place limits;
static pthread_once_t limits_once = PTHREAD_ONCE_INIT;

static void read_limits(void) {
    enum { SECONDS = 60, MEGABYTES = 2048 };
    limits.seconds =
        read_number(ENV_SIMTCL_COMPILE_SECONDS, "SIMTCL_COMPILE_SECONDS", SECONDS, MOST_SECONDS);
    limits.megabytes =
        read_number(ENV_SIMTCL_COMPILE_MEMORY, "SIMTCL_COMPILE_MEMORY", MEGABYTES, MOST_MEGABYTES);
    limits.keep_errors = trace_active(tracing_get());
}

/* path: of PATH_BYTES, which the place refers to. */
static struct helper_place find_place(char *path) {
    pthread_once(&limits_once, read_limits);
    struct helper_place place = limits;
    if (find_helper(path, PATH_BYTES)) place.path = path;
    return place;
}

/* What the helper is at, for who waits at a terminal. */
struct asking {
    struct watch watch;
    const char *kernel; /* NULL: a program is built */
};

static void say_asking(const struct watch *w, uint64_t ns, bool ended, char *text, size_t size) {
    const struct asking *a = (const struct asking *)w;
    snprintf(text, size, "%s%.100s%s %s %llu s (SIMTCL_COMPILE_SECONDS is %u)",
             a->kernel ? "native code of kernel \"" : "a program", a->kernel ? a->kernel : "",
             a->kernel ? "\"" : "", ended ? "was built in" : "has been building for",
             (unsigned long long)(ns / 1000000000u), limits.seconds);
}

struct error loader_compile(const struct compiler_request *request,
                            struct compiler_result *result) {
    char path[PATH_BYTES], why[HELPER_WHY_BYTES];
    struct helper_place place = find_place(path);
    struct asking asking = {.watch.say = say_asking};
    watchdog_begin_work(&asking.watch);
    bool asked = helper_compile(&place, request, result, why);
    watchdog_end(&asking.watch);
    return asked ? OK : fail(CL_COMPILER_NOT_AVAILABLE, "%s", why);
}

static enum native_status compile_native(const struct native_request *r, struct native_object *o,
                                         const char **why) {
    static _Thread_local char text[HELPER_WHY_BYTES];
    char path[PATH_BYTES];
    struct helper_place place = find_place(path);
    *why = text;
    struct asking asking = {.watch.say = say_asking, .kernel = r->kernel->name};
    watchdog_begin_work(&asking.watch);
    enum native_status status = helper_native(&place, r, o, text);
    watchdog_end(&asking.watch);
    return status;
}

static const struct native_api native = {.compile = compile_native, .library = helper_llvm};

__attribute__((constructor)) static void loader_constructor(void) {
    tier_source(&(struct tier_source){.compiler = &native,
                                      .say = say,
                                      .cache = {loader_maker, cache_get, cache_put},
                                      .trace = tracing_get});
}

static void warm(void *unused) {
    char path[PATH_BYTES];
    struct helper_place place = find_place(path);
    (void)unused;
    helper_warm(&place);
}

void loader_warm(void) { stack_call(warm, NULL); }

void loader_unload(void) { helper_unload(); }
