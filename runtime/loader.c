#include "loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/tier.h"
#include "env.h"
#include "log.h"

#define MODULE "simtcl-compiler.so"

static struct {
    pthread_mutex_t lock;
    const struct compiler_api *api;
    bool warmed;
} loader = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A child forked while another thread loads would wait for ever. */
static void before_fork(void) { pthread_mutex_lock(&loader.lock); }
static void after_fork(void) { pthread_mutex_unlock(&loader.lock); }

static const struct native_api *load_native(void) {
    const struct compiler_api *api;
    return loader_compiler(&api).code == CL_SUCCESS ? api->native : NULL;
}

static void say(const char *text) { log_line(LOG_BUILD, "%s", text); }

__attribute__((constructor)) static void loader_constructor(void) {
    tier_source(load_native, say);
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* Where the module may be, first the place that is asked for, then relative to this library:
 * installed privately, side by side, in the build tree; then where it was to be installed. */
static const char *const places[] = {"/simtcl/" MODULE, "/" MODULE, "/../compiler/" MODULE};

static bool find_module(char *path, size_t size) {
    const char *asked = env_get(ENV_SIMTCL_COMPILER);
    if (*asked) {
        snprintf(path, size, "%s", asked);
        return true;
    }
    Dl_info info;
    if (dladdr((void *)(uintptr_t)loader_warm, &info) && info.dli_fname) {
        const char *slash = strrchr(info.dli_fname, '/');
        int length = slash ? (int)(slash - info.dli_fname) : 1;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            snprintf(path, size, "%.*s%s", length, slash ? info.dli_fname : ".", places[i]);
            if (!access(path, R_OK)) return true;
        }
    }
    snprintf(path, size, "%s/simtcl/" MODULE, SIMTCL_LIBDIR);
    return !access(path, R_OK);
}

static struct error load(const struct compiler_api **api) {
    char path[4096];
    if (!find_module(path, sizeof path))
        return fail(CL_COMPILER_NOT_AVAILABLE,
                    MODULE " is neither beside the driver nor in " SIMTCL_LIBDIR "/simtcl");
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) return fail(CL_COMPILER_NOT_AVAILABLE, "%s", dlerror());
    const struct compiler_api *(*open_module)(void) = NULL;
    *(void **)&open_module = dlsym(module, "simtcl_compiler_module");
    const struct compiler_api *found = open_module ? open_module() : NULL;
    if (!found || found->version != COMPILER_API_VERSION) {
        dlclose(module);
        return fail(CL_COMPILER_NOT_AVAILABLE, "%s belongs to another version of the driver", path);
    }
    *api = found;
    return OK;
}

struct error loader_compiler(const struct compiler_api **api) {
    pthread_mutex_lock(&loader.lock);
    struct error error = loader.api ? OK : load(&loader.api);
    *api = loader.api;
    pthread_mutex_unlock(&loader.lock);
    return error;
}

static void warm(void *unused) {
    (void)unused;
    const struct compiler_api *api;
    if (loader_compiler(&api).code == CL_SUCCESS) api->warm();
}

void loader_warm(void) {
    pthread_mutex_lock(&loader.lock);
    bool first = !loader.warmed;
    loader.warmed = true;
    pthread_mutex_unlock(&loader.lock);
    if (first) loader_thread(warm, NULL);
}

void loader_unload(void) {
    pthread_mutex_lock(&loader.lock);
    const struct compiler_api *api = loader.api;
    pthread_mutex_unlock(&loader.lock);
    if (api) api->unload();
}

struct start {
    void (*fn)(void *);
    void *arg;
};

static void *run(void *start) {
    struct start s = *(struct start *)start;
    free(start);
    s.fn(s.arg);
    return NULL;
}

bool loader_thread(void (*fn)(void *), void *arg) {
    struct start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (struct start){fn, arg};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    bool started = !pthread_create(&thread, &attr, run, start);
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started) free(start);
    return started;
}
