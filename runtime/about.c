#include "about.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "cache.h"
#include "device/host/cpus.h"
#include "device/run/tier.h"
#include "env.h"
#include "loader.h"
#include "platform.h"

struct about {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct about *a, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(a->text + a->used, a->size - a->used, format, arguments);
    va_end(arguments);
    if (n > 0) a->used += (size_t)n < a->size - a->used ? (size_t)n : a->size - a->used - 1;
}

static void say_places(struct about *a) {
    char path[4096];
    Dl_info info;
    if (dladdr((void *)(uintptr_t)about_write, &info) && info.dli_fname)
        say(a, "library: %s\n", info.dli_fname);
    bool found = loader_place(path, sizeof path);
    say(a, "helper: %s%s\n", path, found ? "" : " (is not there: no program can be built)");
}

static void say_host(struct about *a) {
    unsigned threads = pool_threads(), cpus = cpus_allowed();
    say(a, "threads: %u (the process may use %u processors)\n", threads, cpus);
    say(a, "SIMD: %s\n", tier_level_name());
}

static void say_cache(struct about *a) {
    char path[4096];
    struct cache_use use;
    if (!cache_use(&use, path, sizeof path))
        say(a, "cache: %s\n", use.most ? "none yet, or no folder that is the user's own" : "off");
    else
        say(a, "cache: %s, %zu entries, %" PRIu64 " of %" PRIu64 " KB\n", path, use.entries,
            use.bytes >> 10, use.most >> 10);
}

static void say_variables(struct about *a) {
    for (int v = 0; v < ENV_VARIABLES; v++) {
        char origin[1200];
        env_origin((enum env)v, origin, sizeof origin);
        say(a, "%s: \"%s\" (%s)\n", env_name((enum env)v), env_get((enum env)v), origin);
    }
    if (*env_wrong()) say(a, "settings that are none:\n%s", env_wrong());
}

void about_write(char *text, size_t size) {
    struct about a = {text, size, 0};
    const struct model *m = platform_get()->model;
    if (size) *text = '\0';
    say(&a, "version: " SIMTCL_VERSION "\n");
    say_places(&a);
    say(&a, "model: %s, compute capability %u.%u\n", m->name, m->cc_major, m->cc_minor);
    say_host(&a);
    say_cache(&a);
    say_variables(&a);
}
