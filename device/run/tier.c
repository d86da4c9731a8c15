#include "tier.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/host/forks.h"
#include "device/host/moment.h"
#include "device/host/stack.h"
#include "device/host/thread.h"
#include "device/interp/level.h"
#include "device/analysis/spin.h"
#include "variant.h"

/* ---- what is wanted ---- */

/* Work-group sizes for which a kernel is compiled: a program may try them all and stay with the
 * last. */
enum { MOST_VARIANTS = 64 };

enum {
    WORTH_NS = 2000000,    /* time in the interpreter that makes a kernel worth compiling, */
    WORTH_INST_NS = 20000, /* or so much for each of its instructions: some of what LLVM takes */
    WARP_INST_NS = 16,     /* a guess at the cost of one instruction of a warp there */
    ITERATIONS = 32,       /* and at how many iterations a loop makes */
    CHEAP_VARIANTS = 8,    /* which are worth that; each one more has to be worth */
    WORTH_MORE = 8         /* as many times more */
};
#define MOST_AWAITED_NS 1e10

/* A kernel to be compiled. */
struct request {
    struct tier *tier;
    const struct isa_module *module;
    const struct isa_kernel *kernel;
    const struct code *interpreted;
    struct tier_size size;
    unsigned traits;
    struct isa_module *own; /* the module, where it is in the background: the kernel alone */
    struct request *next;
};

static struct tier_source source;

/* A kernel that is being compiled. */
struct making {
    struct tier *tier; /* NULL: it is gone, and nobody wants the code */
    const struct tier_size *size;
    struct making *next;
};

enum {
    WORKERS = 2,            /* kernels compiled at once in the background */
    WORKER_STACK = 16 << 20 /* what compiles may do so here, and recursively */
};

/* The lock is held for moments only, never while a kernel is compiled. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct request *first, **end;
    struct making *making;
    unsigned threads;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static enum tier_mode mode;
static pthread_once_t started = PTHREAD_ONCE_INIT;

/* The threads that compile do not come along. */
static void before_fork(void) { pthread_mutex_lock(&queue.lock); }
static void after_fork(void) { pthread_mutex_unlock(&queue.lock); }
static void after_fork_in_child(void) {
    queue.making = NULL;
    queue.threads = 0;
    pthread_cond_init(&queue.changed, NULL);
    after_fork();
}

static void start(void) {
    static struct forks_watch watch = {before_fork, after_fork, after_fork_in_child};
    forks_watch(&watch);
}

void tier_source(const struct tier_source *from) { source = *from; }

void tier_configure(enum tier_mode engine, enum native_level most) {
    mode = engine;
    level_limit(most);
}

const char *tier_level_name(void) {
    static const char *const names[] = {
        [NATIVE_BASELINE] = "baseline", [NATIVE_AVX2] = "avx2", [NATIVE_AVX512] = "avx512"};
    return names[level_get()->number];
}

const struct trace *tier_trace(void) { return source.trace ? source.trace() : NULL; }

/* ---- compiling ---- */

static bool is_size(const struct tier_size *a, const struct tier_size *b) {
    return !memcmp(a, b, sizeof *a); /* words only */
}

static struct variant *find(const struct tier *t, const struct tier_size *size) {
    struct variant *v = atomic_load_explicit(&t->variants, memory_order_acquire);
    while (v && !is_size(&v->size, size)) v = v->next;
    return v;
}

static unsigned count_variants(const struct tier *t) {
    unsigned count = 0;
    for (const struct variant *v = atomic_load_explicit(&t->variants, memory_order_acquire); v;
         v = v->next)
        count++;
    return count;
}

static void say_why(const struct isa_kernel *k, const char *why) {
    char text[256];
    if (!source.say) return;
    snprintf(text, sizeof text, "kernel \"%.100s\" stays in the interpreter: %s", k->name, why);
    source.say(text);
}

/* The object that was kept under the key, if it is one of this kernel. */
static bool find_known(const struct native_request *r, const char *key, struct native_object *o) {
    if (!key || !codecache_find(&source.cache, key, o)) return false;
    if (native_object_fits(o, r->kernel)) return true;
    free(o->bytes);
    return false;
}

/* The object from the cache, or compiled and put there. NULL, or why there is none. */
static const char *make_object(const struct native_request *r, struct native_object *o) {
    static const char *const reasons[] = {[NATIVE_TOO_LARGE] = "it is too large to be compiled",
                                          [NATIVE_NO_MEMORY] = "there is no memory to compile it",
                                          [NATIVE_FAILED] = "it could not be compiled"};
    const struct native_api *api = source.compiler;
    const char *why = NULL;
    char *key = trace_active(r->trace) ? NULL : codecache_key(&source.cache, r);
    enum native_status status = NATIVE_OK;
    if (!find_known(r, key, o)) {
        status = api ? api->compile(r, o, &why) : NATIVE_FAILED;
        if (key && status == NATIVE_OK) codecache_keep(&source.cache, key, api->library(), o);
    }
    free(key);
    if (status == NATIVE_OK) return NULL;
    return why && *why ? why : reasons[status];
}

/* Makes a variant's code and puts it in memory; NULL, or why not. */
static const char *make(const struct native_request *r, struct variant *v) {
    void *function;
    const char *why = make_object(r, &v->object);
    if (why) return why;
    v->ready = elfobject_load(v->object.bytes, v->object.size, NATIVE_FUNCTION, &v->placed,
                              &function, &why);
    free(v->object.bytes);
    v->object.bytes = NULL;
    if (v->ready) *(void **)&v->run = function;
    return why;
}

/* A variant that is not in its list yet, and why it has no code, if that is to be told; NULL: no
 * memory. */
static struct variant *new_variant(const struct request *r, const char **why) {
    struct variant *v = calloc(1, sizeof *v);
    *why = NULL;
    if (!v) return NULL;
    v->code = (struct code){&variant_engine, v};
    v->interpreted = r->interpreted;
    v->size = r->size;
    if (spin_may(r->kernel)) return v;
    struct native_request request = {.module = r->module,
                                     .kernel = r->kernel,
                                     .trace = tier_trace(),
                                     .check = trace_active(tier_trace()),
                                     .level = level_get()->number,
                                     .low_ids = r->size.low_ids,
                                     .cut = r->size.cut,
                                     .flat = r->size.flat,
                                     .along = r->size.along,
                                     .packed = r->size.packed,
                                     .local_step = r->size.local_step,
                                     .flush = !(r->traits & KERNEL_USES_F64)};
    memcpy(request.local_size, r->size.local_size, sizeof request.local_size);
    memcpy(request.group_size, r->size.group_size, sizeof request.group_size);
    *why = make(&request, v);
    if (!v->ready || !v->object.leaves) return v;
    request.general = true;
    v->general = calloc(1, sizeof *v->general);
    if (v->general) *why = make(&request, v->general);
    v->ready = v->general && v->general->ready;
    return v;
}

static void free_variant(struct variant *v) {
    if (!v) return;
    free_variant(v->general);
    elfobject_unload(&v->placed);
    free(v);
}

/* Is somebody compiling it for that size? Under the queue's lock. */
static bool is_made(const struct tier *t, const struct tier_size *size) {
    for (const struct making *m = queue.making; m; m = m->next)
        if (m->tier == t && is_size(m->size, size)) return true;
    return false;
}

/* Under the queue's lock. False: the kernel is not to be compiled for that size (any more). */
static bool making_begin(struct making *own, const struct request *r) {
    if (count_variants(r->tier) >= MOST_VARIANTS || find(r->tier, &r->size)) return false;
    *own = (struct making){r->tier, &r->size, queue.making};
    queue.making = own;
    return true;
}

/* Gives the variant, NULL: none, to its tier, if that is still there; under the queue's lock. True:
 * it is the tier's first. */
static bool making_end(const struct making *own, struct variant *v) {
    struct making **at = &queue.making;
    bool first = false;
    while (*at != own) at = &(*at)->next;
    *at = own->next;
    if (v && own->tier) {
        v->next = atomic_load(&own->tier->variants);
        first = !v->next;
        atomic_store_explicit(&own->tier->variants, v, memory_order_release);
    } else if (v) {
        free_variant(v);
    }
    pthread_cond_broadcast(&queue.changed);
    return first;
}

/* Compiles what making_begin has said is to be. */
static void compile(const struct request *r, const struct making *own) {
    const char *why;
    struct variant *v = new_variant(r, &why);
    pthread_mutex_lock(&queue.lock);
    bool first = making_end(own, v);
    pthread_mutex_unlock(&queue.lock);
    if (why && first) say_why(r->kernel, why);
}

/* Compiles what is asked for, or waits for who does. */
static void compile_now(void *request) {
    const struct request *r = request;
    struct making own;
    pthread_mutex_lock(&queue.lock);
    while (is_made(r->tier, &r->size)) pthread_cond_wait(&queue.changed, &queue.lock);
    bool wanted = making_begin(&own, r);
    pthread_mutex_unlock(&queue.lock);
    if (wanted) compile(r, &own);
}

/* ---- compiling in the background ---- */

static void free_request(struct request *r) {
    if (r) isa_module_free(r->own);
    free(r);
}

/* Ends when there is nothing more to compile. */
static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&queue.lock);
    while (queue.first) {
        struct making own;
        struct request *r = queue.first;
        queue.first = r->next;
        if (!queue.first) queue.end = &queue.first;
        bool wanted = making_begin(&own, r);
        pthread_mutex_unlock(&queue.lock);
        if (wanted) compile(r, &own);
        free_request(r);
        pthread_mutex_lock(&queue.lock);
    }
    queue.threads--;
    pthread_mutex_unlock(&queue.lock);
    return NULL;
}

static bool start_worker(void) { return thread_start(NULL, WORKER_STACK, worker, NULL); }

static bool waiting(const struct request *r) {
    for (const struct request *q = queue.first; q; q = q->next)
        if (q->tier == r->tier && is_size(&q->size, &r->size)) return true;
    return is_made(r->tier, &r->size);
}

/* A request of its own: the kernel may go before it is compiled. NULL: no memory. */
static struct request *new_request(const struct request *wanted) {
    struct request *r = malloc(sizeof *r);
    if (!r) return NULL;
    *r = *wanted;
    r->next = NULL;
    r->own = isa_module_alone(wanted->module, wanted->kernel);
    if (!r->own) {
        free(r);
        return NULL;
    }
    r->module = r->own;
    r->kernel = r->own->kernels[0];
    return r;
}

/* Is it asked for? Then somebody is there who makes it, in a child behind a fork too. Under the
 * queue's lock. */
static bool is_asked(const struct request *wanted) {
    if (!waiting(wanted)) return false;
    if (queue.first && !queue.threads) queue.threads = start_worker();
    return true;
}

static void submit(const struct request *wanted) {
    struct request *r = NULL;
    pthread_mutex_lock(&queue.lock);
    bool there = is_asked(wanted);
    pthread_mutex_unlock(&queue.lock);
    if (there || !(r = new_request(wanted))) return;
    pthread_mutex_lock(&queue.lock);
    if (!queue.end) queue.end = &queue.first;
    there = is_asked(wanted);
    if (!there) {
        *queue.end = r;
        queue.end = &r->next;
        if (queue.threads < WORKERS) queue.threads += start_worker();
    }
    pthread_mutex_unlock(&queue.lock);
    if (there) free_request(r);
}

/* Who asks for the times of a launch wants those of the code that stays: it waits for that, though
 * not longer than the kernel has taken until now and may take this time. */
static void await(const struct request *wanted, double most_ns) {
    uint64_t end = moment_ns() + (uint64_t)most_ns;
    struct timespec until = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
    pthread_mutex_lock(&queue.lock);
    while (queue.threads && waiting(wanted) &&
           !pthread_cond_clockwait(&queue.changed, &queue.lock, CLOCK_MONOTONIC, &until)) {
    }
    pthread_mutex_unlock(&queue.lock);
}

/* Takes back what is asked for; what is being compiled is not waited for. */
static void withdraw(const struct tier *t) {
    pthread_mutex_lock(&queue.lock);
    for (struct request **at = &queue.first, *r; (r = *at);) {
        if (r->tier == t) {
            *at = r->next;
            free_request(r);
        } else {
            at = &r->next;
        }
    }
    queue.end = &queue.first;
    while (*queue.end) queue.end = &(*queue.end)->next;
    for (struct making *m = queue.making; m; m = m->next)
        if (m->tier == t) m->tier = NULL;
    pthread_mutex_unlock(&queue.lock);
}

/* ---- outside ---- */

/* What a kernel has to take in the interpreter to be worth compiling for one more size. */
static double least_ns(const struct tier *t, const struct launch *l) {
    double least = (double)l->kernel->ninsts * WORTH_INST_NS;
    unsigned count = count_variants(t);
    if (least < WORTH_NS) least = WORTH_NS;
    if (count >= CHEAP_VARIANTS) least *= WORTH_MORE * (count - CHEAP_VARIANTS + 1);
    return least;
}

/* What this launch may take there, in time of all threads. */
static double guess_ns(const struct launch *l, unsigned traits) {
    double groups = 1, items = 1;
    for (int d = 0; d < 3; d++) {
        groups *= l->global_size[d] / l->local_size[d];
        items *= l->local_size[d];
    }
    double warps = groups * (items < ISA_WARP ? 1 : items / ISA_WARP);
    return warps * l->kernel->ninsts * (traits & KERNEL_LOOPS ? ITERATIONS : 1) * WARP_INST_NS;
}

bool tier_low_ids(const struct launch *l) {
    enum { MOST_BEYOND = 1 << 16 };
    bool low = true;
    for (unsigned d = 0; d < 3; d++)
        low &= !l->offset[d] && l->global_size[d] <= ISA_LOW_IDS - MOST_BEYOND;
    return low;
}

struct tier_size tier_size(const struct launch *l, const struct tiles *t,
                           const struct tiles_traits *traits) {
    struct tier_size size = {.low_ids = tier_low_ids(l),
                             .cut = t ? t->cut : 0,
                             .flat = t && t->row,
                             .along = t ? t->along : 0,
                             .packed = t ? t->packed : 0,
                             .local_step = t ? t->local_step : 0};
    for (unsigned d = 0; d < 3; d++)
        size.local_size[d] = (t ? t->size : l->local_size)[tiles_turned(size.along, d)];
    if (size.packed) {
        uint32_t items = t->size[0] * t->size[1] * t->size[2];
        memcpy(size.local_size, (uint32_t[]){items, 1, 1}, sizeof size.local_size);
    }
    if (t && (traits->asks || t->local_step))
        memcpy(size.group_size, l->local_size, sizeof size.group_size);
    return size;
}

bool tier_compiles(void) { return mode != TIER_INTERPRETER; }

void tier_launch(struct tier *t, const struct launch *l, const struct tier_size *size,
                 const struct isa_kernel *kernel, unsigned traits, const struct code *interpreted) {
    pthread_once(&started, start);
    if (mode == TIER_INTERPRETER || find(t, size)) return;
    struct request r = {.tier = t,
                        .module = executable_module(l->executable),
                        .kernel = kernel,
                        .interpreted = interpreted,
                        .size = *size,
                        .traits = traits};
    if (mode == TIER_AUTO) {
        double spent = (double)atomic_load_explicit(&t->spent_ns, memory_order_relaxed);
        double guess = guess_ns(l, traits);
        if (fmax(spent, guess) < least_ns(t, l)) return;
        submit(&r);
        if (!l->untimed) await(&r, fmin(spent + guess, MOST_AWAITED_NS));
        return;
    }
    stack_call(compile_now, &r); /* or, where there is no thread either, the interpreter it is */
}

bool tier_settled(const struct tier *t, const struct tier_size *size) {
    return mode == TIER_INTERPRETER || find(t, size);
}

void tier_spent(struct tier *t, uint64_t ns) {
    atomic_fetch_add_explicit(&t->spent_ns, ns, memory_order_relaxed);
}

const struct code *tier_code(const struct tier *t, const struct tier_size *size) {
    const struct variant *v = find(t, size);
    return v && v->ready ? &v->code : NULL;
}

void tier_free(struct tier *t) {
    if (mode == TIER_AUTO) withdraw(t);
    for (struct variant *v = atomic_load(&t->variants), *next; v; v = next) {
        next = v->next;
        free_variant(v);
    }
}
