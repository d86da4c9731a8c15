#include "checking.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checking_api.h"
#include "context.h"
#include "device/check/uninit.h"
#include "device/host/forks.h"
#include "device/observe/observe.h"
#include "env.h"
#include "log.h"
#include "mapview.h"
#include "ordering.h"

#define WATCH(name, structure) extern const struct observer structure;
#include "device/check/checks.def"

static const struct {
    enum check_kind kind;
    const struct observer *observer;
} watches[] = {
#define WATCH(name, structure) {CHECK_IS_##name, &structure},
#include "device/check/checks.def"
    {CHECK_KINDS, NULL}};

/* What is written at the end. */
static struct {
    const char *name;
    void (*write)(FILE *to);
    char *path; /* NULL: it is not asked for; of the text: it goes to stderr */
} outputs[] = {{"text", check_write_text, NULL},
               {"json", check_write_json, NULL},
               {"sarif", check_write_sarif, NULL}};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static bool on, kinds[CHECK_KINDS], fatal; /* set once, before the first command */
static pid_t process;

bool checking_on(void) { return on; }
bool checking_kind(enum check_kind kind) { return kinds[kind]; }

/* ---- the environment ---- */

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && !memcmp(at, word, length);
}

static bool take_output(const char *word, size_t name, size_t length) {
    for (unsigned n = 0; n < OUTPUTS; n++) {
        if (!is_word(word, name, outputs[n].name) || length <= name + 1) continue;
        free(outputs[n].path);
        outputs[n].path = strndup(word + name + 1, length - name - 1);
        return true;
    }
    return false;
}

static bool take_kind(const char *word, size_t length) {
    bool any = false, every = is_word(word, length, "1") || is_word(word, length, "all");
    if (is_word(word, length, "0") || is_word(word, length, "none")) return true;
    for (unsigned n = 0; n < CHECK_KINDS; n++) {
        if (!every && !is_word(word, length, check_kind_name[n])) continue;
        any = kinds[n] = on = true;
    }
    return any;
}

static void read_words(const char *text) {
    bool written = false;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ","), name = strcspn(at, ",=");
        bool output = take_output(at, name, length);
        written |= output;
        if (length && !output && !take_kind(at, length))
            log_line(LOG_FAULT, "SIMTCL_CHECK: there is no \"%.*s\"", (int)length, at);
        at += length;
        at += *at == ',';
    }
    if (written && !on) take_kind("1", 1); /* outputs alone: of all */
}

static void read_suppressions(void) {
    const char *path = env_get(ENV_SIMTCL_CHECK_SUPPRESS);
    char why[160], text[64 << 10];
    FILE *from = *path ? fopen(path, "re") : NULL;
    size_t length = from ? fread(text, 1, sizeof text - 1, from) : 0;
    text[length] = '\0';
    if (*path && !from)
        log_line(LOG_FAULT, "SIMTCL_CHECK_SUPPRESS: %.500s: %s", path, strerror(errno));
    if (from) fclose(from);
    if (!check_suppress(text, why))
        log_line(LOG_FAULT, "SIMTCL_CHECK_SUPPRESS: %.500s: %s", path, why);
}

/* A child's files do not take the place of its parent's. */
static FILE *file_of(const char *path) {
    char own[4096];
    if (getpid() == process) return fopen(path, "we");
    snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    return fopen(own, "we");
}

static void tell_left(void);

/* Nothing is waited for: of launches that are still running what was found is told. */
static void write_all(void) {
    mapview_tell();
    tell_left();
    for (unsigned n = 0; n < OUTPUTS; n++) {
        if (!outputs[n].path && n) continue;
        FILE *to = outputs[n].path ? file_of(outputs[n].path) : stderr;
        if (!to) {
            log_line(LOG_FAULT, "SIMTCL_CHECK: %.500s cannot be written: %s", outputs[n].path,
                     strerror(errno));
            continue;
        }
        outputs[n].write(to);
        if (to == stderr)
            fflush(to);
        else if (fclose(to))
            log_line(LOG_FAULT, "SIMTCL_CHECK: %.500s is not complete: %s", outputs[n].path,
                     strerror(errno));
    }
}

/* Behind all that the host has to do at its end. */
__attribute__((destructor)) static void end_badly(void) {
    if (!on || !fatal || !check_any(CHECK_ERROR)) return;
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

static void before_fork(void);
static void after_fork(void);

/* Objects stay: a child may have been given their context. */
static void after_fork_in_child(void) {
    check_forget();
    mapview_forget();
    after_fork();
}

void checking_watch(struct observe_set *set) {
    read_words(env_get(ENV_SIMTCL_CHECK));
    if (!on) return;
    read_suppressions();
    if (kinds[CHECK_IS_uninit]) memory_shadow();
    fatal = !strcmp(env_get(ENV_SIMTCL_CHECK_FATAL), "1");
    process = getpid();
    for (unsigned n = 0; watches[n].observer; n++)
        if (kinds[watches[n].kind]) observe_set_add(set, watches[n].observer);
    static struct forks_watch watch = {before_fork, after_fork, after_fork_in_child};
    forks_watch(&watch);
    atexit(write_all);
}

/* ---- memory objects ---- */

/* All that there are, of which parts of others own no bytes of a sandbox, and as many of the
 * released ones as are remembered. */
struct known_object {
    const struct memory *memory;
    struct check_object object;
    cl_mem mem; /* NULL: released */
};
enum { RELEASED = 256 };
static struct {
    pthread_mutex_t lock;
    struct known_object *live, released[RELEASED];
    size_t count, room, gone; /* gone: how many have been released */
    uint32_t objects, calls[3];
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void before_fork(void) {
    mapview_lock();
    pthread_mutex_lock(&known.lock);
    uninit_lock(); /* who holds it tells findings */
    check_lock();
}

static void after_fork(void) {
    check_unlock();
    uninit_unlock();
    pthread_mutex_unlock(&known.lock);
    mapview_unlock();
}

static unsigned sort_of(cl_mem m) { return mem_is_image(m) ? 1 : m->parent ? 2 : 0; }

void checking_describe(cl_mem m, char *text, size_t size) {
    static const char *const name[] = {"buffer", "image", "sub-buffer"}, *const maker[] = {
                                                                             "clCreateBuffer",
                                                                             "clCreateImage",
                                                                             "clCreateSubBuffer"};
    int n = snprintf(text, size, "%s %u, %zu bytes, created at %s call %u", name[sort_of(m)],
                     (unsigned)m->number, m->size, maker[sort_of(m)], (unsigned)m->made);
    if (n >= 0 && (size_t)n >= size && size) text[size - 1] = '\0';
}

static void fill_object(struct check_object *o, cl_mem m, unsigned space) {
    *o = (struct check_object){.address = m->address,
                               .bytes = m->size,
                               .space = (uint8_t)space,
                               .unreadable = m->flags & CL_MEM_WRITE_ONLY,
                               .unwritable = m->flags & CL_MEM_READ_ONLY};
    checking_describe(m, o->name, sizeof o->name);
}

void checking_created(cl_mem m) {
    if (!on) return;
    pthread_mutex_lock(&known.lock);
    m->number = ++known.objects;
    m->made = ++known.calls[sort_of(m)];
    if (known.count == known.room) {
        size_t room = known.room * 2 + 64;
        struct known_object *more = realloc(known.live, room * sizeof *more);
        if (more) {
            known.live = more;
            known.room = room;
        }
    }
    if (known.count < known.room) {
        struct known_object *k = &known.live[known.count++];
        *k = (struct known_object){.memory = m->context->memory, .mem = m};
        fill_object(&k->object, m, ISA_GLOBAL);
        if (m->parent) k->object.bytes = 0;
    }
    pthread_mutex_unlock(&known.lock);
}

void checking_freed(cl_mem m) {
    if (!on) return;
    pthread_mutex_lock(&known.lock);
    for (size_t n = 0; n < known.count; n++) {
        if (known.live[n].mem != m) continue;
        if (!m->parent) {
            struct known_object *gone = &known.released[known.gone++ % RELEASED];
            *gone = known.live[n];
            gone->mem = NULL;
        }
        known.live[n] = known.live[--known.count];
        break;
    }
    pthread_mutex_unlock(&known.lock);
}

/* What is there when the process ends. */
static void tell_left(void) {
    pthread_mutex_lock(&known.lock);
    for (size_t n = 0; kinds[CHECK_IS_api] && n < known.count; n++)
        checking_left(known.live[n].mem);
    pthread_mutex_unlock(&known.lock);
    if (kinds[CHECK_IS_api]) checking_left_others();
}

static bool holds(const struct known_object *k, const struct memory *memory, uint32_t address) {
    return k->memory == memory && address - k->object.address < k->object.bytes;
}

/* ---- launches ---- */

struct checked {
    struct check_launch launch;
    struct build *build; /* held */
    const struct memory *memory;
    cl_mem *roots; /* of l->check->touched's objects */
    struct check_object params[];
};

static bool find_object(void *user, uint32_t address, struct check_object *object, bool *released) {
    const struct checked *c = user;
    bool found = false;
    pthread_mutex_lock(&known.lock);
    for (size_t n = 0; !found && n < known.count; n++) {
        if (!holds(&known.live[n], c->memory, address)) continue;
        *object = known.live[n].object;
        *released = false;
        found = true;
    }
    for (size_t n = known.gone; !found && n-- && n + RELEASED >= known.gone;) {
        if (!holds(&known.released[n % RELEASED], c->memory, address)) continue;
        *object = known.released[n % RELEASED].object;
        *released = true;
        found = true;
    }
    pthread_mutex_unlock(&known.lock);
    return found;
}

static bool find_line(void *user, uint32_t file, uint32_t line, char *text, size_t size) {
    const struct checked *c = user;
    const struct isa_module *m = c->build->module;
    const struct text_file *f =
        file < m->nfiles ? texts_find(&c->build->texts, file ? m->files[file] : "") : NULL;
    const char *at = f ? f->bytes : NULL;
    for (uint32_t n = 1; at && n < line; n++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at) return false;
    size_t length = strcspn(at, "\r\n");
    if (length >= size) length = size - 1;
    memcpy(text, at, length);
    text[length] = '\0';
    return true;
}

/* What it accesses is to be marked. Without memory it is not. */
static void mark_accesses(struct checked *c, cl_kernel k, const struct isa_kernel *code) {
    struct touched *t = touched_new(code->nparams);
    c->roots = calloc(code->nparams + 1, sizeof *c->roots);
    for (uint32_t n = 0; t && c->roots && n < code->nparams; n++) {
        const struct kernel_arg *a = &k->args[n];
        bool accessed = a->kind == ISA_PARAM_GLOBAL || a->kind == ISA_PARAM_CONSTANT ||
                        a->kind == ISA_PARAM_IMAGE;
        if (!a->object || !accessed) continue;
        cl_mem root = mem_root(a->object);
        c->roots[touched_add(t, root->address, root->size)] = root;
    }
    c->launch.touched = t;
}

void checking_ended(struct checked *c, cl_event e) {
    const struct touched *t = c ? c->launch.touched : NULL;
    for (uint32_t n = 0; t && c->roots && n < t->count; n++)
        ordering_touched(e, c->roots[n], &t->objects[n]);
}

struct checked *checking_new(cl_command_queue q, cl_kernel k, const struct build *b,
                             struct launch *l) {
    static _Atomic uint64_t launches;
    const struct isa_kernel *code = l->kernel;
    if (!on) return NULL;
    struct checked *c = calloc(1, sizeof *c + code->nparams * sizeof *c->params);
    if (!c) return NULL;
    c->build = build_retain((struct build *)(uintptr_t)b);
    c->memory = k->program->context->memory;
    c->launch = (struct check_launch){.memory = k->program->context->memory,
                                      .number = atomic_fetch_add(&launches, 1) + 1,
                                      .module = b->module,
                                      .params = c->params,
                                      .constants = executable_constants(b->executable),
                                      .find = find_object,
                                      .line = find_line,
                                      .user = c};
    memcpy(c->launch.offset, l->offset, sizeof l->offset);
    for (uint32_t n = 0; n < code->nparams; n++) {
        const struct kernel_arg *a = &k->args[n];
        struct check_object *o = &c->params[n];
        if (a->kind == ISA_PARAM_LOCAL) {
            *o = (struct check_object){.bytes = a->size, .space = ISA_LOCAL};
            memcpy(&o->address, (const char *)l->params + code->params[n].offset,
                   sizeof o->address);
            snprintf(o->name, sizeof o->name, "%u bytes of local memory", (unsigned)a->size);
        } else if (a->kind == ISA_PARAM_GLOBAL || a->kind == ISA_PARAM_CONSTANT) {
            unsigned space = a->kind == ISA_PARAM_GLOBAL ? ISA_GLOBAL : ISA_CONSTANT;
            if (a->object)
                fill_object(o, a->object, space);
            else
                *o = (struct check_object){.space = (uint8_t)space};
        } else if (a->kind == ISA_PARAM_IMAGE && a->object) {
            fill_object(o, a->object, ISA_NO_SPACE);
        }
    }
    if (ordering_wanted(q)) mark_accesses(c, k, code);
    l->check = &c->launch;
    checking_args(k, code, l->check);
    return c;
}

void checking_free(struct checked *c) {
    if (!c) return;
    build_release(c->build);
    touched_free(c->launch.touched);
    free(c->roots);
    free(c);
}
