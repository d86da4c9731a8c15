/* The order of things: options, preprocessor, reader, lowering, log. */
#include "compiler/compiler.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "device/isa/arena.h"
#include "compiler/base/diag.h"
#include "compiler/lower/lowering.h"
#include "unit.h"
#include "compiler/base/options.h"
#include "compiler/preprocess/preprocess.h"
#include "compiler/reader/reader.h"
#include "compiler/passes/usage.h"

/* The AST is walked recursively and libclang parses so; both bound their depth for a stack of this
 * size. */
enum { STACK_BYTES = 64 << 20, GUARD_BYTES = 1 << 20 };

struct compiler_job {
    const struct compiler_request *request;
    const struct compiler_target *target; /* the request's */
    struct arena *arena;
    struct diag *diag;
    struct options options;
    const char *inputs; /* NULL: cannot be told */
    struct compiler_result result;
};

/* ---- build and compile ---- */

static struct ast_unit *read_source(struct compiler_job *j, struct preprocessed *expanded) {
    const struct compiler_request *q = j->request;
    *expanded = preprocess(j->arena, j->diag, &j->options, j->target, q->source, q->length,
                           q->headers, q->nheaders);
    j->inputs = expanded->inputs;
    if (expanded->errors) return NULL;
    return reader_read(j->arena, j->diag, &j->options, j->target, expanded, q->source, q->length,
                       q->headers, q->nheaders);
}

static void lower(struct compiler_job *j, struct ast_unit **units, unsigned nunits) {
    j->result.module =
        lowering_run(j->arena, j->diag, &j->options, j->target, units, nunits, j->request->trace);
    if (j->result.module && j->options.nv_verbose)
        usage_report(j->diag, j->result.module, j->target->capability);
}

static void build_source(struct compiler_job *j) {
    struct preprocessed expanded;
    struct ast_unit *unit = read_source(j, &expanded);
    if (unit) lower(j, &unit, 1);
}

static void compile_source(struct compiler_job *j) {
    struct preprocessed expanded;
    if (!read_source(j, &expanded)) return;
    struct unit unit = {.options = options_text(j->arena, &j->options),
                        .files = expanded.files,
                        .nfiles = expanded.nfiles,
                        .text = expanded.text,
                        .length = expanded.length,
                        .places = expanded.places,
                        .nplaces = expanded.nplaces,
                        .columns_known = expanded.columns_known};
    struct unit_list object = {&unit, 1};
    if (!unit_write(&object, &j->result.object)) j->result.status = COMPILER_NO_MEMORY;
}

/* ---- link ---- */

/* All units of all objects. False: one is damaged; the log says which. */
static bool gather(struct compiler_job *j, struct unit_list *all) {
    const struct compiler_object *objects = j->request->objects;
    size_t nobjects = j->request->nobjects;
    struct unit_list *parts = ARENA_ARRAY(j->arena, struct unit_list, nobjects);
    *all = (struct unit_list){0};
    for (size_t i = 0; i < nobjects; i++) {
        if (!unit_read(j->arena, objects[i].text, objects[i].length, &parts[i])) {
            diag_report(j->diag, DIAG_ERROR, NULL, 0, 0,
                        "object %zu is damaged, or of another version", i + 1);
            return false;
        }
        all->nunits += parts[i].nunits;
    }
    all->units = ARENA_ARRAY(j->arena, struct unit, all->nunits);
    unsigned n = 0;
    for (size_t i = 0; i < nobjects; i++)
        for (unsigned u = 0; u < parts[i].nunits; u++) all->units[n++] = parts[i].units[u];
    return true;
}

static void make_library(struct compiler_job *j, const struct unit_list *all) {
    for (unsigned i = 0; i < all->nunits; i++)
        all->units[i].fixed |= !j->options.enable_link_options;
    if (!unit_write(all, &j->result.object)) j->result.status = COMPILER_NO_MEMORY;
}

/* The options a unit was compiled with, and those of linking that reach it (5.6.5.2). */
static bool unit_options(struct compiler_job *j, const struct unit *u, struct options *o) {
    const char *text = u->options;
    if (!u->fixed)
        text = arena_printf(j->arena, "%s %s", text, options_text(j->arena, &j->options));
    bool good = options_parse(o, j->arena, j->diag, text, OPTIONS_BUILD, j->target);
    if (u->fixed) return good;
    struct options own;
    good = good && options_parse(&own, j->arena, j->diag, u->options, OPTIONS_BUILD, j->target);
    if (good) o->cl_std = own.cl_std;
    return good;
}

static struct ast_unit *read_unit(struct compiler_job *j, const struct unit *u,
                                  const struct options *o) {
    struct preprocessed expanded = {.text = u->text,
                                    .length = u->length,
                                    .places = u->places,
                                    .nplaces = u->nplaces,
                                    .columns_known = u->columns_known,
                                    .expanded_anything = true,
                                    .files = u->files,
                                    .nfiles = u->nfiles};
    return reader_read(j->arena, j->diag, o, j->target, &expanded, u->text, u->length, NULL, 0);
}

static void link_units(struct compiler_job *j, const struct unit_list *all) {
    struct ast_unit **units = ARENA_ARRAY(j->arena, struct ast_unit *, all->nunits);
    struct options merged = {0}, o;
    bool good = true;
    for (unsigned i = 0; i < all->nunits; i++) {
        good &=
            unit_options(j, &all->units[i], &o) && (units[i] = read_unit(j, &all->units[i], &o));
        if (i == 0)
            merged = o;
        else
            options_merge(&merged, &o);
    }
    diag_options(j->diag, j->options.no_warnings, j->options.warnings_are_errors);
    if (!good) return;
    merged.nv_verbose = j->options.nv_verbose;
    merged.nv_maxrregcount = j->options.nv_maxrregcount;
    merged.no_warnings = j->options.no_warnings;
    merged.warnings_are_errors = j->options.warnings_are_errors;
    j->options = merged;
    lower(j, units, all->nunits);
}

static void link_objects(struct compiler_job *j) {
    struct unit_list all;
    j->inputs = "";
    if (!gather(j, &all)) return;
    if (j->options.create_library)
        make_library(j, &all);
    else
        link_units(j, &all);
}

/* ---- running ---- */

static bool parse_options(struct compiler_job *j) {
    static const enum options_use use[] = {[COMPILER_BUILD] = OPTIONS_BUILD,
                                           [COMPILER_COMPILE] = OPTIONS_COMPILE,
                                           [COMPILER_LINK] = OPTIONS_LINK};
    bool good = options_parse(&j->options, j->arena, j->diag, j->request->options,
                              use[j->request->work], j->target);
    if (good && j->options.enable_link_options && !j->options.create_library) {
        diag_report(j->diag, DIAG_ERROR, NULL, 0, 0,
                    "build option '-enable-link-options': only with -create-library");
        good = false;
    }
    if (!good) j->result.status = COMPILER_BAD_OPTIONS;
    return good;
}

static void run(struct compiler_job *j) {
    if (!parse_options(j)) return;
    switch (j->request->work) {
    case COMPILER_BUILD: build_source(j); break;
    case COMPILER_COMPILE: compile_source(j); break;
    case COMPILER_LINK: link_objects(j); break;
    }
    bool made = j->result.module || j->result.object.text;
    if (j->result.status == COMPILER_OK && (!made || diag_errors(j->diag)))
        j->result.status = COMPILER_FAILED;
}

static void forget(struct compiler_result *r, enum compiler_status status) {
    isa_module_free(r->module);
    free(r->object.text);
    r->module = NULL;
    r->object = (struct compiler_object){0};
    r->status = status;
}

static void work(struct compiler_job *j) {
    jmp_buf out_of_memory;
    j->diag = diag_new();
    j->arena = j->diag ? arena_new(&out_of_memory) : NULL;
    if (j->arena && setjmp(out_of_memory) == 0)
        run(j);
    else
        j->result.status = COMPILER_NO_MEMORY;
    if (j->result.status != COMPILER_NO_MEMORY && !(j->result.log = diag_take(j->diag)))
        j->result.status = COMPILER_NO_MEMORY;
    if (j->result.status != COMPILER_OK) forget(&j->result, j->result.status);
    if (j->result.status == COMPILER_OK && j->inputs) j->result.inputs = strdup(j->inputs);
    arena_free(j->arena);
    diag_free(j->diag);
}

static void *job_thread(void *argument) {
    work(argument);
    return NULL;
}

/* On a thread of its own, for its stack. The host's signal handlers are not to run on it. */
static struct compiler_result start(struct compiler_job *j) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    int cancel;
    if (pthread_attr_init(&attributes) != 0)
        return (struct compiler_result){.status = COMPILER_NO_MEMORY};
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setguardsize(&attributes, GUARD_BYTES);
    sigfillset(&all);
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(&thread, &attributes, job_thread, j);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error) return (struct compiler_result){.status = COMPILER_NO_MEMORY};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_join(thread, NULL);
    pthread_setcancelstate(cancel, NULL);
    return j->result;
}

struct compiler_result compiler_run(const struct compiler_request *request) {
    struct compiler_job j = {.request = request, .target = request->target};
    return start(&j);
}

void compiler_warm(void) { reader_warm(); }

const char *compiler_library(void) { return reader_library(); }

/* For who keeps nothing. */
static struct compiler_result run_once(const struct compiler_request *request) {
    struct compiler_result r = compiler_run(request);
    free(r.inputs);
    r.inputs = NULL;
    return r;
}

struct compiler_result compiler_build(const struct compiler_target *t, const char *source,
                                      size_t length, const char *options) {
    return run_once(&(struct compiler_request){.work = COMPILER_BUILD,
                                               .target = t,
                                               .options = options,
                                               .source = source,
                                               .length = length});
}

struct compiler_result compiler_compile(const struct compiler_target *t, const char *source,
                                        size_t length, const struct compiler_source *headers,
                                        size_t nheaders, const char *options) {
    return run_once(&(struct compiler_request){.work = COMPILER_COMPILE,
                                               .target = t,
                                               .options = options,
                                               .source = source,
                                               .length = length,
                                               .headers = headers,
                                               .nheaders = nheaders});
}

struct compiler_result compiler_link(const struct compiler_target *t,
                                     const struct compiler_object *objects, size_t nobjects,
                                     const char *options) {
    return run_once(&(struct compiler_request){.work = COMPILER_LINK,
                                               .target = t,
                                               .options = options,
                                               .objects = objects,
                                               .nobjects = nobjects});
}
