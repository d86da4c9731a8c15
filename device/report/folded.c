#include "folded.h"

#include <stdlib.h>
#include <string.h>

#include "device/observe/counters_observer.h"
#include "device/observe/time_observer.h"
#include "device/observe/worst_observer.h"

/* ---- kernels ---- */

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_site(const struct isa_site *a, const struct isa_site *b) {
    return a->kind == b->kind && a->space == b->space && a->width == b->width &&
           a->count == b->count && a->file == b->file && a->line == b->line &&
           a->column == b->column && same_text(a->text, b->text);
}

static bool is_of(const struct folded_kernel *f, const struct isa_module *m,
                  const struct observe_result *r) {
    const struct isa_kernel *k = r->kernel, *o = f->kernel;
    if (f->model != r->model || strcmp(k->name, o->name) != 0 || k->nsites != o->nsites ||
        k->ninsts != o->ninsts || f->nfiles != m->nfiles)
        return false;
    if (k->ninsts && memcmp(k->insts, o->insts, k->ninsts * sizeof *k->insts) != 0) return false;
    for (uint32_t n = 0; n < f->nfiles; n++)
        if (strcmp(f->files[n], m->files[n]) != 0) return false;
    for (uint32_t n = 0; n < k->nsites; n++)
        if (!same_site(&k->sites[n], &o->sites[n])) return false;
    return true;
}

static void kernel_free(struct folded_kernel *f) {
    if (!f) return;
    isa_kernel_free(f->kernel);
    for (uint32_t n = 0; n < f->nfiles; n++) {
        free(f->files[n]);
        free(f->texts[n].bytes);
    }
    free(f->files);
    free(f->texts);
    free(f);
}

static struct folded_kernel *kernel_new(const struct report_launch *l,
                                        const struct observe_result *r) {
    const struct isa_module *m = l->module;
    struct folded_kernel *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->model = r->model;
    f->kernel = isa_kernel_copy(r->kernel);
    f->files = calloc(m->nfiles + (size_t)1, sizeof *f->files);
    f->texts = calloc(m->nfiles + (size_t)1, sizeof *f->texts);
    bool good = f->kernel && f->files && f->texts;
    while (good && f->nfiles < m->nfiles) {
        good = (f->files[f->nfiles] = strdup(m->files[f->nfiles]));
        if (good && l->text) f->texts[f->nfiles] = l->text(l->user, f->nfiles);
        f->nfiles += good;
    }
    if (good) return f;
    kernel_free(f);
    return NULL;
}

static struct folded_kernel *find_kernel(struct fold *f, const struct report_launch *l,
                                         const struct observe_result *r) {
    struct folded_kernel **at = &f->kernels;
    while (*at && !is_of(*at, l->module, r)) at = &(*at)->next;
    if (!*at) *at = kernel_new(l, r);
    return *at;
}

/* ---- launches ---- */

static bool same_size(const struct folded_launch *f, const struct report_launch *l) {
    return !memcmp(f->global, l->global, sizeof f->global) &&
           !memcmp(f->local, l->local, sizeof f->local);
}

static void launch_free(struct folded_launch *l) {
    if (!l) return;
    free(l->steps);
    free(l->counted);
    free(l->worst);
    free(l);
}

static struct folded_launch *launch_new(struct folded_kernel *of, const struct report_launch *l,
                                        const struct observe_result *r) {
    struct folded_launch *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->of = of;
    memcpy(n->global, l->global, sizeof n->global);
    memcpy(n->local, l->local, sizeof n->local);
    n->every = r->every;
    n->steps = calloc(of->kernel->ninsts + (size_t)1, sizeof *n->steps);
    n->counted = calloc(1, counters_observer.bytes(of->kernel));
    n->worst = calloc(1, worst_observer.bytes(of->kernel));
    if (n->steps && n->counted && n->worst) return n;
    launch_free(n);
    return NULL;
}

/* The record of the kernel's launches of that size; or, when there is no room for a new one, of
 * another size, best with groups like those. */
static struct folded_launch *find_launch(struct fold *f, struct folded_kernel *of,
                                         const struct report_launch *l,
                                         const struct observe_result *r) {
    struct folded_launch **at = &f->first, *other = NULL, *like = NULL;
    for (; *at; at = &(*at)->next) {
        if ((*at)->of != of) continue;
        if (same_size(*at, l)) return *at;
        if (!memcmp((*at)->local, l->local, sizeof l->local)) like = *at;
        other = *at;
    }
    if (f->count >= FOLDED_MOST) return like ? like : other;
    if ((*at = launch_new(of, l, r))) f->count++;
    return *at;
}

/* The counters observer is told of every launch: it is who counts them. */
static void add_counted(struct folded_launch *f, const struct report_launch *l,
                        const struct observe_result *r) {
    const struct isa_kernel *k = f->of->kernel;
    f->launches += r->launches;
    f->groups += r->groups;
    f->items = r->items;
    f->resources = r->resources;
    if (!same_size(f, l)) f->others += r->launches;
    for (uint32_t n = 0; r->steps && n < k->ninsts; n++) {
        f->steps[n].executions += r->steps[n].executions;
        f->steps[n].lanes += r->steps[n].lanes;
        f->steps[n].jumps += r->steps[n].jumps;
        f->steps[n].diverged += r->steps[n].diverged;
    }
    if (r->accumulator) counters_observer.merge(k, f->counted, r->accumulator);
}

void folded_add(struct fold *f, const struct report_launch *l, const struct observer *who,
                const struct observe_result *r) {
    bool counts = who == &counters_observer;
    struct folded_kernel *of = find_kernel(f, l, r);
    struct folded_launch *launch = of ? find_launch(f, of, l, r) : NULL;
    if (!launch) {
        if (counts) f->left_out += r->launches;
        return;
    }
    if (counts) add_counted(launch, l, r);
    if (who == &worst_observer && r->accumulator)
        worst_observer.merge(of->kernel, launch->worst, r->accumulator);
    if (who == &time_observer) {
        struct gpu_timing t;
        time_of_launch(r, &t);
        gpu_timing_add(&launch->timing, &t);
        launch->seconds += time_of_launches(r);
    }
}

void folded_clear(struct fold *f) {
    for (struct folded_launch *l = f->first, *next; l; l = next) {
        next = l->next;
        launch_free(l);
    }
    for (struct folded_kernel *k = f->kernels, *next; k; k = next) {
        next = k->next;
        kernel_free(k);
    }
    *f = (struct fold){NULL, NULL, 0, 0};
}

struct observe_result folded_result(const struct folded_launch *l, const struct observer *who) {
    return (struct observe_result){.kernel = l->of->kernel,
                                   .files = l->of->files,
                                   .launches = l->launches,
                                   .groups = l->groups,
                                   .every = l->every,
                                   .steps = l->steps,
                                   .model = l->of->model,
                                   .items = l->items,
                                   .resources = l->resources,
                                   .accumulator = who == &worst_observer ? l->worst : l->counted};
}
