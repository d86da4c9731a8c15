/* Building, compiling and linking programs (specification 5.6.2 to 5.6.4). */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "checking.h"
#include "checking_values.h"
#include "compiler/compiler.h"
#include "context.h"
#include "debugging.h"
#include "device/debug/debug.h"
#include "device/host/thread.h"
#include "devices.h"
#include "env.h"
#include "helper/helper.h"
#include "loader.h"
#include "log.h"
#include "platform.h"
#include "program.h"
#include "reporting.h"
#include "room.h"
#include "tracing.h"

static bool texts_wanted(void) { return reporting_on() || checking_on() || debug_on(); }

/* One call of clBuildProgram, clCompileProgram or clLinkProgram, from its checks to its end. */
struct task {
    enum { TASK_BUILD, TASK_COMPILE, TASK_LINK } what;
    cl_program program; /* held */
    cl_uint ndevices;
    cl_device_id *devices; /* a copy */
    char *options;         /* a copy, or NULL */
    program_notify notify;
    void *user_data;
    int folder; /* the one that was current at the call, for who works later; -1: it still is */
    /* compile: headers; link: objects. Copies or held, as the caller's may go while a thread works.
     */
    cl_uint ninputs;
    cl_program *inputs; /* held */
    char **names;
    struct build **objects; /* held */
};

static void task_free(struct task *t) {
    if (!t) return;
    for (cl_uint i = 0; i < t->ninputs; i++) {
        if (t->inputs) object_release(t->inputs[i]);
        if (t->names) free(t->names[i]);
        if (t->objects) build_release(t->objects[i]);
    }
    free(t->inputs);
    free(t->names);
    free(t->objects);
    free(t->devices);
    free(t->options);
    if (t->folder >= 0) close(t->folder);
    object_release(t->program);
    free(t);
}

static struct task *task_new(int what, cl_program p, cl_uint ndevices, const cl_device_id *devices,
                             const char *options, program_notify notify, void *user_data) {
    struct task *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->what = what;
    t->folder = -1;
    t->program = object_retain(p);
    t->ndevices = ndevices;
    t->notify = notify;
    t->user_data = user_data;
    t->devices = malloc(ndevices * sizeof *devices);
    t->options = options ? strdup(options) : NULL;
    if (!t->devices || (options && !t->options)) {
        task_free(t);
        return NULL;
    }
    memcpy(t->devices, devices, ndevices * sizeof *devices);
    return t;
}

static struct compiler_target target_of(cl_program p) {
    const struct model *m = p->devices[0]->model;
    return (struct compiler_target){.cl_version = platform_version(),
                                    .extensions = platform_get()->extensions,
                                    .doubles = m->doubles,
                                    .demotes = !m->doubles,
                                    .exact = platform_exact(),
                                    .images = true,
                                    .capability = (uint8_t)(m->cc_major * 10 + m->cc_minor),
                                    .max_constant_bytes = m->constant_bytes,
                                    .max_local_bytes = m->shared_bytes,
                                    .max_private_bytes = m->private_bytes,
                                    .max_registers = m->unlimited ? 0 : GPU_MAX_REGISTERS,
                                    .registers = m->registers,
                                    .include = env_get(ENV_SIMTCL_INCLUDE),
                                    .beyond = m->unlimited ? NULL : MODEL_BEYOND};
}

/* ---- what the compiler returns, as a build ---- */

static const struct {
    cl_int failed, bad_options;
    const char *verb;
} codes[] = {
    [TASK_BUILD] = {CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, "build"},
    [TASK_COMPILE] = {CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS, "compile"},
    [TASK_LINK] = {CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS, "link"},
};

/* Places a module in the context's sandbox. */
static struct error place(struct build *b, cl_context context) {
    if (b->executable) return OK;
    b->executable = executable_new(context->memory, b->module);
    if (!b->executable)
        return fail(CL_OUT_OF_RESOURCES, "no device memory for the program's constant data");
    return OK;
}

/* Takes over what the compiler allocated. The build's status says how it went, the error why not.
 */
static struct error take_result(const struct task *t, struct compiler_result *r, struct build *b) {
    b->log = r->log;
    b->status = CL_BUILD_ERROR;
    if (b->log && *b->log) log_text(LOG_BUILD, codes[t->what].verb, b->log);
    switch (r->status) {
    case COMPILER_NO_MEMORY: return fail_memory();
    case COMPILER_BAD_OPTIONS:
        return fail(codes[t->what].bad_options, "the options are bad: %.*s",
                    (int)strcspn(b->log ? b->log : "", "\n"), b->log ? b->log : "");
    case COMPILER_FAILED:
        return fail(codes[t->what].failed, "%.*s", (int)strcspn(b->log ? b->log : "", "\n"),
                    b->log ? b->log : "");
    case COMPILER_OK: break;
    }
    b->module = r->module;
    b->object = r->object.text;
    b->object_bytes = r->object.length;
    if (b->module) {
        b->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        if (texts_wanted()) texts_read(&b->texts, b->module, t->folder);
        TRY(place(b, t->program->context));
    } else {
        b->type = t->what == TASK_LINK ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                       : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    }
    b->status = CL_BUILD_SUCCESS;
    return OK;
}

/* ---- texts for a report, and for findings ---- */

static void note_source(const struct task *t, struct build *b) {
    if (!texts_wanted()) return;
    texts_add(&b->texts, "", t->program->source, t->program->source_bytes);
    for (cl_uint i = 0; i < t->ninputs; i++)
        if (t->inputs && t->inputs[i]->source)
            texts_add(&b->texts, t->names[i], t->inputs[i]->source, t->inputs[i]->source_bytes);
}

/* Of a link: whose source it is can be told where there is one object alone. */
static void note_objects(struct build *const *objects, cl_uint n, struct build *b) {
    if (!texts_wanted()) return;
    const struct text_file *source = n == 1 ? texts_find(&objects[0]->texts, "") : NULL;
    if (source) texts_add(&b->texts, "", source->bytes, source->length);
    for (cl_uint i = 0; i < n; i++) texts_add_all(&b->texts, &objects[i]->texts);
}

/* ---- the three works, each filling a new build ---- */

/* Asks the cache, then the compiler. */
static struct error ask(const struct task *t, struct compiler_request *q, struct build *b) {
    struct compiler_result r;
    struct compiler_target target = target_of(t->program);
    char maker[LOADER_MAKER_BYTES];
    bool told = !trace_active(tracing_get()) && loader_maker(maker, sizeof maker);
    struct compiler_cache cache = {.maker = maker, .get = cache_get, .put = cache_put};
    q->target = &target;
    q->trace = tracing_get();
    if (t->folder >= 0) q->folder = &t->folder;
    if (told && sourcecache_find(&cache, q, &r)) return take_result(t, &r, b);
    TRY(loader_compile(q, &r));
    if (told) sourcecache_keep(&cache, q, helper_libclang(), &r);
    free(r.inputs);
    return take_result(t, &r, b);
}

static struct error obtain(const struct task *t, struct compiler_request *q, struct build *b) {
    char *debugging = debugging_options(t->options);
    q->options = debugging ? debugging : t->options;
    char *checking = checking_options(q->options);
    if (checking) q->options = checking;
    struct error error = ask(t, q, b);
    free(checking);
    free(debugging);
    return error;
}

static struct error work_build(const struct task *t, struct build *b) {
    struct compiler_request q = {
        .work = COMPILER_BUILD, .source = t->program->source, .length = t->program->source_bytes};
    note_source(t, b);
    return obtain(t, &q, b);
}

static struct error work_compile(const struct task *t, struct build *b) {
    struct compiler_source *headers = calloc(t->ninputs + 1, sizeof *headers);
    if (!headers) return fail_memory();
    for (cl_uint i = 0; i < t->ninputs; i++)
        headers[i] =
            (struct compiler_source){t->names[i], t->inputs[i]->source, t->inputs[i]->source_bytes};
    struct compiler_request q = {.work = COMPILER_COMPILE,
                                 .source = t->program->source,
                                 .length = t->program->source_bytes,
                                 .headers = headers,
                                 .nheaders = t->ninputs};
    note_source(t, b);
    struct error error = obtain(t, &q, b);
    free(headers);
    return error;
}

static struct error work_link(const struct task *t, struct build *b) {
    struct compiler_object *objects = calloc(t->ninputs + 1, sizeof *objects);
    if (!objects) return fail_memory();
    for (cl_uint i = 0; i < t->ninputs; i++)
        objects[i] = (struct compiler_object){t->objects[i]->object, t->objects[i]->object_bytes};
    struct compiler_request q = {.work = COMPILER_LINK, .objects = objects, .nobjects = t->ninputs};
    note_objects(t->objects, t->ninputs, b);
    struct error error = obtain(t, &q, b);
    free(objects);
    return error;
}

/* A program from a binary that is a compiled object or library is linked alone. */
static struct error work_object(const struct task *t, const struct build *old, struct build *b) {
    struct compiler_object object = {old->object, old->object_bytes};
    struct compiler_request q = {.work = COMPILER_LINK, .objects = &object, .nobjects = 1};
    if (texts_wanted()) texts_add_all(&b->texts, &old->texts);
    return obtain(t, &q, b);
}

/* ---- running a task ---- */

static bool in_task(const struct task *t, cl_device_id device) {
    for (cl_uint i = 0; i < t->ndevices; i++)
        if (t->devices[i] == device) return true;
    return false;
}

/* The build becomes that of all the task's devices, or of one. */
static void set_build(const struct task *t, cl_device_id only, struct build *b) {
    cl_program p = t->program;
    pthread_mutex_lock(&p->lock);
    for (cl_uint i = 0; i < p->ndevices; i++) {
        if (only ? p->devices[i] != only : !in_task(t, p->devices[i])) continue;
        build_release(p->builds[i]);
        p->builds[i] = build_retain(b);
    }
    pthread_mutex_unlock(&p->lock);
}

static struct build *new_build(const struct task *t) {
    struct build *b = build_new();
    if (!b) return NULL;
    b->options = t->options ? strdup(t->options) : NULL;
    if (!t->options || b->options) return b;
    build_release(b);
    return NULL;
}

/* One result for all devices: they are of one model. */
static struct error run_shared(const struct task *t) {
    struct build *b = new_build(t);
    if (!b) return fail_memory();
    b->status = CL_BUILD_ERROR;
    struct error error = OK;
    switch (t->what) {
    case TASK_BUILD: error = work_build(t, b); break;
    case TASK_COMPILE: error = work_compile(t, b); break;
    case TASK_LINK: error = work_link(t, b); break;
    }
    set_build(t, NULL, b);
    build_release(b);
    return error;
}

/* A device's executable from a binary is only placed in the sandbox: nothing is compiled. */
static struct error run_placed(const struct task *t, struct build *b) {
    char *options = t->options ? strdup(t->options) : NULL;
    if (t->options && !options) return fail_memory();
    pthread_mutex_lock(&t->program->lock);
    free(b->options);
    b->options = options;
    struct error error = place(b, t->program->context);
    b->status = error.code ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    pthread_mutex_unlock(&t->program->lock);
    return error;
}

/* The object stays what it was, and gets the log of the failed build. */
static void keep_failure(const struct task *t, struct build *old, struct build *failed) {
    pthread_mutex_lock(&t->program->lock);
    old->status = CL_BUILD_ERROR;
    if (failed) {
        free(old->log);
        old->log = failed->log;
        failed->log = NULL;
    }
    pthread_mutex_unlock(&t->program->lock);
}

static struct error run_binary(const struct task *t, cl_device_id device) {
    struct build *old = program_build_for(t->program, device);
    struct error error;
    if (old->module) {
        error = run_placed(t, old);
    } else {
        struct build *b = new_build(t);
        error = b ? work_object(t, old, b) : fail_memory();
        if (error.code)
            keep_failure(t, old, b);
        else
            set_build(t, device, b);
        build_release(b);
    }
    build_release(old);
    return error;
}

static struct error run_task(void *task) {
    const struct task *t = task;
    struct error error = OK;
    if (t->what != TASK_BUILD || t->program->source)
        error = run_shared(t);
    else
        for (cl_uint i = 0; i < t->ndevices && !error.code; i++)
            error = run_binary(t, t->devices[i]);
    pthread_mutex_lock(&t->program->lock);
    t->program->building = false;
    pthread_mutex_unlock(&t->program->lock);
    return error;
}

/* Says why to the log, as nobody sees the return value; the program's status and build log stay. */
static void *run_alone(void *task) {
    struct task *t = task;
    struct error error = room_call(run_task, t);
    if (error.code)
        log_line(LOG_API, "%s in the background: %s: %s", codes[t->what].verb,
                 fail_name(error.code), error.why);
    t->notify(t->program, t->user_data);
    task_free(t);
    return NULL;
}

/* Runs the task here, or on a thread of its own when there is somebody to notify. Owns the task.
 * The caller has claimed the program. */
static struct error start_task(struct task *t) {
    if (t->notify) t->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (t->notify && thread_start(NULL, 0, run_alone, t)) return OK;
    struct error error = room_call(run_task, t);
    if (t->notify) t->notify(t->program, t->user_data);
    task_free(t);
    return error;
}

/* A program is built by one call at a time, and not under the feet of its kernels. Its devices'
 * status is CL_BUILD_IN_PROGRESS from here on. */
static struct error claim(struct task *t) {
    cl_program p = t->program;
    struct build *mark = NULL;
    if (p->source) {
        mark = build_new();
        if (!mark) return fail_memory();
        mark->status = CL_BUILD_IN_PROGRESS;
    }
    struct error error = OK;
    pthread_mutex_lock(&p->lock);
    if (p->building)
        error = fail(CL_INVALID_OPERATION, "the program is being built by another call");
    else if (atomic_load(&p->kernels))
        error = fail(CL_INVALID_OPERATION, "kernel objects of the program exist");
    for (cl_uint i = 0; !error.code && !mark && i < p->ndevices; i++)
        if (in_task(t, p->devices[i])) p->builds[i]->status = CL_BUILD_IN_PROGRESS;
    if (!error.code) p->building = true;
    pthread_mutex_unlock(&p->lock);
    if (!error.code && mark) set_build(t, NULL, mark);
    build_release(mark);
    return error;
}

static struct error claim_and_start(struct task *t) {
    if (!t) return fail_memory();
    struct error error = claim(t);
    if (!error.code) return start_task(t);
    task_free(t);
    return error;
}

/* Device list and callback, as all three calls have them. */
static struct error check_common(cl_program p, cl_uint *ndevices, const cl_device_id **devices,
                                 program_notify notify, const void *user_data) {
    if (!*ndevices != !*devices)
        return fail(CL_INVALID_VALUE, "num_devices and device_list contradict each other");
    if (!notify && user_data)
        return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
    for (cl_uint i = 0; i < *ndevices; i++) {
        bool known = false;
        for (cl_uint j = 0; j < p->ndevices; j++) known |= p->devices[j] == (*devices)[i];
        if (!known)
            return fail(CL_INVALID_DEVICE, "device_list[%u] is not a device of the program", i);
    }
    if (!*ndevices) {
        *ndevices = p->ndevices;
        *devices = p->devices;
    }
    return OK;
}

/* ---- entry points ---- */

struct error build_program(cl_program p, cl_uint ndevices, const cl_device_id *devices,
                           const char *options, program_notify notify, void *user_data) {
    TRY(program_check(p));
    TRY(check_common(p, &ndevices, &devices, notify, user_data));
    if (p->linked) return fail(CL_INVALID_OPERATION, "the program was made by clLinkProgram");
    for (cl_uint i = 0; !p->source && i < ndevices; i++) {
        struct build *b = program_build_for(p, devices[i]);
        bool loaded = b && (b->module || b->object);
        build_release(b);
        if (!loaded) return fail(CL_INVALID_BINARY, "no binary was loaded for device_list[%u]", i);
    }
    return claim_and_start(task_new(TASK_BUILD, p, ndevices, devices, options, notify, user_data));
}

static struct error add_headers(struct task *t, cl_uint n, const cl_program *headers,
                                const char **names) {
    t->inputs = calloc(n + 1, sizeof *t->inputs);
    t->names = calloc(n + 1, sizeof *t->names);
    if (!t->inputs || !t->names) return fail_memory();
    for (; t->ninputs < n; t->ninputs++) {
        t->inputs[t->ninputs] = object_retain(headers[t->ninputs]);
        t->names[t->ninputs] = strdup(names[t->ninputs]);
        if (!t->names[t->ninputs]) {
            object_release(headers[t->ninputs]);
            return fail_memory();
        }
    }
    return OK;
}

struct error build_compile(cl_program p, cl_uint ndevices, const cl_device_id *devices,
                           const char *options, cl_uint nheaders, const cl_program *headers,
                           const char **names, program_notify notify, void *user_data) {
    TRY(program_check(p));
    TRY(check_common(p, &ndevices, &devices, notify, user_data));
    if (nheaders ? !headers || !names : headers || names)
        return fail(CL_INVALID_VALUE, "num_input_headers, input_headers and header_include_names "
                                      "contradict each other");
    for (cl_uint i = 0; i < nheaders; i++) {
        TRY(program_check(headers[i]));
        if (headers[i]->context != p->context)
            return fail(CL_INVALID_CONTEXT, "input_headers[%u] is of another context", i);
        if (!names[i]) return fail(CL_INVALID_VALUE, "header_include_names[%u] is NULL", i);
        if (!headers[i]->source)
            return fail(CL_INVALID_OPERATION, "input_headers[%u] has no source", i);
    }
    if (!p->source) return fail(CL_INVALID_OPERATION, "the program was not created from source");
    struct task *t = task_new(TASK_COMPILE, p, ndevices, devices, options, notify, user_data);
    if (!t) return fail_memory();
    struct error error = add_headers(t, nheaders, headers, names);
    if (error.code) {
        task_free(t);
        return error;
    }
    return claim_and_start(t);
}

static bool is_object(const struct build *b) {
    return b && b->object && (b->status == CL_BUILD_SUCCESS || b->status == CL_BUILD_NONE);
}

/* The inputs' objects for one device: all of them or, for a device to be left out, none. */
static struct error take_objects(struct task *t, cl_device_id device, const cl_program *programs,
                                 cl_uint n) {
    for (; t->ninputs < n; t->ninputs++) {
        t->objects[t->ninputs] = program_build_for(programs[t->ninputs], device);
        if (is_object(t->objects[t->ninputs])) continue;
        cl_uint i = t->ninputs++;
        return fail(CL_INVALID_OPERATION,
                    "input_programs[%u] has no compiled object for the device", i);
    }
    return OK;
}

struct error build_link(cl_context context, cl_uint ndevices, const cl_device_id *devices,
                        const char *options, cl_uint nprograms, const cl_program *programs,
                        program_notify notify, void *user_data, cl_program *result) {
    TRY(context_check(context));
    TRY(context_device_list(context, &ndevices, &devices));
    if (!nprograms || !programs)
        return fail(CL_INVALID_VALUE, "the list of input programs is empty or NULL");
    if (!notify && user_data)
        return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
    for (cl_uint i = 0; i < nprograms; i++) {
        TRY(program_check(programs[i]));
        if (programs[i]->context != context)
            return fail(CL_INVALID_CONTEXT, "input_programs[%u] is of another context", i);
    }
    /* Not started yet: what was linked before needs no linker. */
    if (!loader_found())
        return fail(CL_LINKER_NOT_AVAILABLE, "the compiler, which links, is not there");
    cl_program p;
    TRY(program_new(context, ndevices, devices, &p));
    struct task *t = task_new(TASK_LINK, p, ndevices, devices, options, notify, user_data);
    if (t) t->objects = calloc(nprograms, sizeof *t->objects);
    struct error error =
        t && t->objects ? take_objects(t, devices[0], programs, nprograms) : fail_memory();
    struct build *mark = error.code ? NULL : build_new();
    if (!error.code && !mark) error = fail_memory();
    if (error.code) {
        task_free(t);
        object_release(p);
        return error;
    }
    mark->status = CL_BUILD_IN_PROGRESS;
    set_build(t, NULL, mark);
    build_release(mark);
    p->building = p->linked = true;
    error = start_task(t);
    /* 5.6.3: a link that could begin returns its program, whose log says why it failed. */
    if (error.code == CL_INVALID_LINKER_OPTIONS || error.code == CL_OUT_OF_HOST_MEMORY ||
        error.code == CL_COMPILER_NOT_AVAILABLE)
        object_release(p);
    else
        *result = p;
    return error.code == CL_COMPILER_NOT_AVAILABLE ? fail(CL_LINKER_NOT_AVAILABLE, "%s", error.why)
                                                   : error;
}

struct error build_unload(void) {
    loader_unload();
    return OK;
}

struct error build_unload_platform(cl_platform_id platform) {
    if (!platform) return fail(CL_INVALID_PLATFORM, "platform is NULL");
    TRY(platform_check(platform));
    loader_unload();
    return OK;
}
