#include "loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cache.h"
#include "device/native/native.h"
#include "device/run/tier.h"
#include "env.h"
#include "log.h"
#include "tracing.h"

/* A private module. Its lock is held while it is loaded. */
struct module {
    pthread_mutex_t lock;
    const char *file, *folder; /* folder: of the build tree */
    const char *entry;         /* the symbol it exports: a function that returns its api */
    enum env asked;            /* the variable that may say where it is */
    void (*start)(const void *api);
    const void *api; /* NULL: not loaded yet */
};

static void start_compiler(const void *api) {
    const struct compiler_api *c = api;
    if (c->version == COMPILER_API_VERSION) c->start();
}
static void start_native(const void *api) {
    const struct native_api *n = api;
    if (n->size == sizeof *n) n->start();
}

static struct module compiler = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                 .file = "simtcl-compiler.so",
                                 .folder = "compiler",
                                 .entry = "simtcl_compiler_module",
                                 .asked = ENV_SIMTCL_COMPILER,
                                 .start = start_compiler};
static struct module native = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .file = "simtcl-native.so",
                               .folder = "device/native",
                               .entry = "simtcl_native_module",
                               .asked = ENV_SIMTCL_NATIVE,
                               .start = start_native};
/* Held while a module makes LLVM know its targets, which is one list for both: two at once leave it
 * a ring. Taken after a module's lock. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool warmed, ending; /* ending: the process */
static atomic_bool wanted;         /* a build has come */

/* A child forked while another thread loads would wait for ever. */
static void lock_all(void) {
    pthread_mutex_lock(&compiler.lock);
    pthread_mutex_lock(&native.lock);
    pthread_mutex_lock(&starting);
}
static void unlock_all(void) {
    pthread_mutex_unlock(&starting);
    pthread_mutex_unlock(&native.lock);
    pthread_mutex_unlock(&compiler.lock);
}

/* The process ends. What runs next destroys what the modules use: none may be at work then, nor
 * be used later. `ending` is said before a module that is being loaded is waited for. */
static void at_exit(void) {
    atomic_store(&ending, true);
    lock_all();
    const struct compiler_api *api = compiler.api;
    unlock_all();
    tier_stop();
    if (api && api->version == COMPILER_API_VERSION) api->stop();
}

/* What is registered last runs first, so this is done behind whatever registers handlers of
 * libclang or LLVM: their constructors, their first use. */
static void stay_first(void) { atexit(at_exit); }

/* But the process may end in the midst of those. exit() begins with the destructors of the calling
 * thread's variables, before any handler: this one, of the main thread, waits for a module that is
 * being loaded. Where that thread ends without the process, nothing happens. */
static void main_ends(void *unused) {
    (void)unused;
    lock_all();
    stay_first();
    unlock_all();
}

/* glibc's, of the C++ ABI. */
extern int __cxa_thread_atexit_impl(void (*fn)(void *), void *arg, void *dso);

void loader_watch(void) {
    static atomic_bool watched;
    extern char __dso_handle;
    if (syscall(SYS_gettid) != getpid() || atomic_exchange(&watched, true)) return;
    __cxa_thread_atexit_impl(main_ends, NULL, &__dso_handle);
}

static void say(const char *text) { log_line(LOG_BUILD, "%s", text); }

/* ---- finding and loading ---- */

/* Where a module may be: where the variable says, or relative to this library (installed privately,
 * side by side, in the build tree), or where it was to be installed. */
static bool find_module(const struct module *m, char *path, size_t size) {
    const char *asked = env_get(m->asked);
    if (*asked) {
        snprintf(path, size, "%s", asked);
        return true;
    }
    Dl_info info;
    if (dladdr((void *)(uintptr_t)loader_warm, &info) && info.dli_fname) {
        const char *slash = strrchr(info.dli_fname, '/');
        int length = slash ? (int)(slash - info.dli_fname) : 1;
        const char *here = slash ? info.dli_fname : ".";
        const char *const before[] = {"/simtcl", "", "/../", NULL};
        for (size_t i = 0; before[i]; i++) {
            const char *folder = i == 2 ? m->folder : "";
            snprintf(path, size, "%.*s%s%s/%s", length, here, before[i], folder, m->file);
            if (!access(path, R_OK)) return true;
        }
    }
    snprintf(path, size, "%s/simtcl/%s", SIMTCL_LIBDIR, m->file);
    return !access(path, R_OK);
}

/* Under the module's lock. */
static struct error load(struct module *m) {
    char path[4096];
    if (!find_module(m, path, sizeof path))
        return fail(CL_COMPILER_NOT_AVAILABLE,
                    "%s is neither beside the driver nor in " SIMTCL_LIBDIR "/simtcl", m->file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return fail(CL_COMPILER_NOT_AVAILABLE, "%s", dlerror());
    const void *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(handle, m->entry);
    m->api = entry ? entry() : NULL;
    if (m->api) {
        pthread_mutex_lock(&starting);
        m->start(m->api);
        pthread_mutex_unlock(&starting);
        stay_first();
        return OK;
    }
    dlclose(handle);
    return fail(CL_COMPILER_NOT_AVAILABLE, "%s is not a module of the driver", path);
}

static bool print_file(char *text, size_t size, const char *path) {
    struct stat st;
    if (stat(path, &st)) return false;
    snprintf(text, size, "%s %lld %lld.%09ld\n", path, (long long)st.st_size,
             (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    return true;
}

bool loader_maker(enum loader_module which, char *text, size_t size) {
    char path[4096];
    Dl_info info;
    int n = snprintf(text, size, "simtcl " SIMTCL_VERSION "\n");
    if (n < 0 || (size_t)n >= size) return false;
    if (!dladdr((void *)(uintptr_t)loader_warm, &info) || !info.dli_fname ||
        !print_file(text + n, size - (size_t)n, info.dli_fname))
        return false;
    size_t used = strlen(text);
    return find_module(which == LOADER_COMPILER ? &compiler : &native, path, sizeof path) &&
           print_file(text + used, size - used, path);
}

static struct error get(struct module *m, const void **api) {
    pthread_mutex_lock(&m->lock);
    struct error error = m->api || atomic_load(&ending) ? OK : load(m);
    if (atomic_load(&ending)) error = fail(CL_COMPILER_NOT_AVAILABLE, "the process is ending");
    *api = error.code ? NULL : m->api;
    pthread_mutex_unlock(&m->lock);
    return error;
}

bool loader_found(void) {
    char path[4096];
    return find_module(&compiler, path, sizeof path) && !access(path, R_OK);
}

static struct error compiler_api(const struct compiler_api **api) {
    const void *found;
    TRY(get(&compiler, &found));
    *api = found;
    if ((*api)->version == COMPILER_API_VERSION) return OK;
    return fail(CL_COMPILER_NOT_AVAILABLE, "%s belongs to another version of the driver",
                compiler.file);
}

struct error loader_compiler(const struct compiler_api **api) {
    atomic_store(&wanted, true);
    return compiler_api(api);
}

/* The one who asks checks the version. */
static const struct native_api *load_native(void) {
    const void *found;
    struct error error = get(&native, &found);
    if (error.code) log_line(LOG_BUILD, "kernels stay in the interpreter: %s", error.why);
    return found;
}

static bool name_native(char *text, size_t size) { return loader_maker(LOADER_NATIVE, text, size); }

__attribute__((constructor)) static void loader_constructor(void) {
    tier_source(&(struct tier_source){.load = load_native,
                                      .say = say,
                                      .cache = {name_native, cache_get, cache_put},
                                      .trace = tracing_get});
    pthread_atfork(lock_all, unlock_all, unlock_all);
}

/* ---- threads ---- */

static void warm(void *unused) {
    (void)unused;
    const struct compiler_api *api;
    if (compiler_api(&api).code == CL_SUCCESS && !atomic_load(&wanted)) api->warm();
    stay_first();
}

void loader_warm(void) {
    if (!atomic_exchange(&warmed, true)) loader_thread(warm, NULL);
}

void loader_unload(void) {
    pthread_mutex_lock(&compiler.lock);
    const struct compiler_api *api = compiler.api;
    pthread_mutex_unlock(&compiler.lock);
    if (api && api->version == COMPILER_API_VERSION) api->unload();
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
