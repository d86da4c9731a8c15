#include "keep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/host/forks.h"
#include "collect.h"
#include "counters_observer.h"
#include "sites_observer.h"
#include "time_observer.h"

/* One kernel, for one observer. Programs that are built anew from the same source go on with the
 * same one. */
struct kept {
    const struct observer *observer;
    struct isa_kernel *kernel; /* a copy: name and sites */
    char **files;
    uint32_t nfiles;
    uint64_t launches, groups;
    uint32_t items; /* of a group of the last launch */
    struct gpu_resources resources;
    const struct model *model;
    struct observe_count *counts;
    struct observe_step *steps; /* NULL: the observer does not want them */
    void *accumulator;          /* NULL: the observer has none */
    struct kept *next;
};

static struct {
    pthread_mutex_t lock;
    struct kept *first;
    size_t count;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What was asked for, set once before the first kernel. */
static struct {
    struct observe_set set;
    bool reports[OBSERVE_MOST]; /* was asked for; else another needs it */
    char *paths[OBSERVE_MOST];  /* NULL: stderr */
    pid_t process;
} asked;

static const struct {
    const char *name;
    const struct observer *observer;
} known[] = {
#define OBSERVER(name, structure, what) {#name, &structure},
#include "observers.def"
#undef OBSERVER
};

/* ---- kernels ---- */

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_site(const struct isa_site *a, const struct isa_site *b) {
    return a->kind == b->kind && a->space == b->space && a->width == b->width &&
           a->count == b->count && a->fate == b->fate && a->reason == b->reason &&
           a->file == b->file && a->line == b->line && a->column == b->column &&
           a->call == b->call && a->into == b->into && same_text(a->text, b->text);
}

static bool is_of(const struct kept *e, const struct observe_plan *p, const struct observer *who) {
    const struct isa_kernel *k = p->kernel, *o = e->kernel;
    if (e->observer != who || e->model != p->set.model || strcmp(k->name, o->name) != 0 ||
        k->nsites != o->nsites || k->ncalls != o->ncalls)
        return false;
    if (e->nfiles != p->module->nfiles) return false;
    for (uint32_t n = 0; n < e->nfiles; n++)
        if (strcmp(e->files[n], p->module->files[n]) != 0) return false;
    for (uint32_t n = 0; n < k->nsites; n++)
        if (!same_site(&k->sites[n], &o->sites[n])) return false;
    return !who->steps ||
           (k->ninsts == o->ninsts &&
            (!k->ninsts || !memcmp(k->insts, o->insts, k->ninsts * sizeof *k->insts)));
}

static void kept_free(struct kept *e) {
    if (!e) return;
    isa_kernel_free(e->kernel);
    for (uint32_t n = 0; e->files && n < e->nfiles; n++) free(e->files[n]);
    free(e->files);
    free(e->counts);
    free(e->steps);
    free(e->accumulator);
    free(e);
}

static struct kept *kept_new(const struct observe_plan *p, const struct observer *who) {
    const struct isa_module *m = p->module;
    struct kept *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->observer = who;
    e->model = p->set.model;
    e->kernel = isa_kernel_copy(p->kernel);
    e->counts = calloc(p->kernel->nsites + (size_t)1, sizeof *e->counts);
    e->files = calloc(m->nfiles + (size_t)1, sizeof *e->files);
    if (who->steps) e->steps = calloc(p->kernel->ninsts + (size_t)1, sizeof *e->steps);
    bool good = e->kernel && e->counts && e->files && (e->steps || !who->steps);
    for (e->nfiles = 0; good && e->nfiles < m->nfiles; e->nfiles++)
        good = (e->files[e->nfiles] = strdup(m->files[e->nfiles]));
    size_t bytes = collect_bytes(who, p->kernel);
    if (bytes) good = good && (e->accumulator = calloc(1, bytes));
    if (good) return e;
    kept_free(e);
    return NULL;
}

/* Under the lock; n: of the plan's observers. Records stay until the process ends. */
static struct kept *find(struct observe_plan *p, unsigned n) {
    if (p->kept[n]) return p->kept[n];
    struct kept **at = &all.first;
    while (*at && !is_of(*at, p, p->set.list[n])) at = &(*at)->next;
    if (!*at && (*at = kept_new(p, p->set.list[n]))) all.count++;
    return p->kept[n] = *at;
}

static void keep(struct kept *e, const struct observe_result *launch, const void *accumulator) {
    e->launches += launch->launches;
    e->groups += launch->groups;
    e->items = launch->items;
    e->resources = launch->resources;
    for (uint32_t n = 0; launch->counts && n < e->kernel->nsites; n++) {
        e->counts[n].executions += launch->counts[n].executions;
        e->counts[n].lanes += launch->counts[n].lanes;
        e->counts[n].taken += launch->counts[n].taken;
        e->counts[n].diverged += launch->counts[n].diverged;
    }
    for (uint32_t n = 0; e->steps && launch->steps && n < e->kernel->ninsts; n++) {
        e->steps[n].executions += launch->steps[n].executions;
        e->steps[n].lanes += launch->steps[n].lanes;
        e->steps[n].jumps += launch->steps[n].jumps;
        e->steps[n].diverged += launch->steps[n].diverged;
    }
    if (e->accumulator) collect_merge(e->observer, launch->kernel, e->accumulator, accumulator);
}

void keep_launch(struct observe_plan *p, const struct observe_result *launch,
                 void *const *accumulators) {
    pthread_mutex_lock(&all.lock);
    for (unsigned n = 0; n < p->set.count; n++) {
        struct kept *e = p->set.list[n]->report ? find(p, n) : NULL;
        if (e) keep(e, launch, accumulators[n]);
    }
    pthread_mutex_unlock(&all.lock);
}

/* ---- what was asked for ---- */

/* A child has run no kernel yet; what it comes to is its own. */
static void before_fork(void) { pthread_mutex_lock(&all.lock); }
static void after_fork(void) { pthread_mutex_unlock(&all.lock); }
static void after_fork_in_child(void) {
    for (struct kept *e = all.first; e; e = e->next) {
        e->launches = e->groups = 0;
        memset(e->counts, 0, e->kernel->nsites * sizeof *e->counts);
        if (e->steps) memset(e->steps, 0, e->kernel->ninsts * sizeof *e->steps);
        if (e->accumulator) memset(e->accumulator, 0, collect_bytes(e->observer, e->kernel));
    }
    pthread_mutex_unlock(&all.lock);
}

static const struct observer *named(const char *name, size_t length) {
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (strlen(known[n].name) == length && !memcmp(known[n].name, name, length))
            return known[n].observer;
    return NULL;
}

bool observe_set_add(struct observe_set *set, const struct observer *who) {
    for (unsigned n = 0; n < set->count; n++)
        if (set->list[n] == who) return true;
    if (who->needs && !observe_set_add(set, who->needs)) return false;
    if (set->count == OBSERVE_MOST) return false;
    set->list[set->count++] = who;
    return true;
}

/* The observer reports at the end: to a path, or to stderr. What is only needed by another does
 * not. */
static void ask(const struct observer *o, const char *path, size_t length) {
    unsigned n = 0;
    if (!observe_set_add(&asked.set, o)) return;
    while (asked.set.list[n] != o) n++;
    asked.reports[n] = true;
    if (length) asked.paths[n] = strndup(path, length);
}

const struct observe_set *observe_configure(const char *text, const struct model *model,
                                            uint32_t every, const char **unknown, int *length) {
    *unknown = NULL;
    asked.set.model = model;
    asked.set.every = every;
    for (const char *at = text; *at;) {
        size_t all_of_it = strcspn(at, ","), name = strcspn(at, ",=");
        const struct observer *o = named(at, name);
        if (name && !o) {
            *unknown = at;
            *length = (int)name;
        } else if (o) {
            ask(o, at + name + 1, all_of_it > name + 1 ? all_of_it - name - 1 : 0);
        }
        at += all_of_it;
        at += *at == ',';
    }
    asked.process = getpid();
    static struct forks_watch watch = {before_fork, after_fork, after_fork_in_child};
    if (asked.set.count) forks_watch(&watch);
    return &asked.set;
}

/* A child's report does not take the place of its parent's. */
static FILE *file_of(const char *path) {
    char own[4096];
    if (getpid() == asked.process) return fopen(path, "we");
    snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    return fopen(own, "we");
}

/* Under the lock. n: of the configured observers. */
static void report(unsigned n, struct observe_result *results) {
    const struct observer *o = asked.set.list[n];
    size_t count = 0;
    if (!o->report || !asked.reports[n]) return;
    for (const struct kept *e = all.first; e; e = e->next) {
        if (!e->launches || e->observer != o) continue;
        results[count++] = (struct observe_result){.kernel = e->kernel,
                                                   .files = e->files,
                                                   .launches = e->launches,
                                                   .groups = e->groups,
                                                   .every = asked.set.every,
                                                   .items = e->items,
                                                   .resources = e->resources,
                                                   .counts = e->counts,
                                                   .steps = e->steps,
                                                   .model = e->model,
                                                   .accumulator = e->accumulator};
    }
    if (!count) return;
    FILE *to = asked.paths[n] ? file_of(asked.paths[n]) : stderr;
    if (!to) {
        fprintf(stderr, "simtcl: %s cannot be written\n", asked.paths[n]);
        return;
    }
    o->report(results, count, to, asked.paths[n] != NULL);
    if (asked.paths[n])
        fclose(to);
    else
        fflush(to);
}

void observe_report(void) {
    if (!asked.set.count) return;
    pthread_mutex_lock(&all.lock);
    struct observe_result *results = calloc(all.count + 1, sizeof *results);
    for (unsigned n = 0; results && n < asked.set.count; n++) report(n, results);
    free(results);
    pthread_mutex_unlock(&all.lock);
}
