#include "program.h"

#include <stdlib.h>

#include "binary.h"
#include "cache.h"
#include "context.h"
#include "devices.h"
#include "info.h"
#include "loader.h"
#include "platform.h"
#include "room.h"

struct build *build_new(void) {
    struct build *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    atomic_init(&b->refs, 1);
    b->status = CL_BUILD_NONE;
    b->type = CL_PROGRAM_BINARY_TYPE_NONE;
    return b;
}

struct build *build_retain(struct build *b) {
    if (b) atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
    return b;
}

void build_release(struct build *b) {
    if (!b || atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1) return;
    if (b->executable) executable_release(b->executable);
    isa_module_free(b->module);
    free(b->options);
    free(b->log);
    free(b->object);
    free(b->binary);
    texts_free(&b->texts);
    free(b);
}

void program_free(void *object) {
    cl_program p = object;
    for (cl_uint i = 0; p->builds && i < p->ndevices; i++) build_release(p->builds[i]);
    free(p->builds);
    free(p->devices);
    free(p->source);
    pthread_mutex_destroy(&p->lock);
    object_release(p->context);
}

struct error program_check(cl_program p) {
    return object_check(p, OBJECT_program, "program");
}

struct build *program_build_for(cl_program p, cl_device_id device) {
    struct build *found = NULL;
    pthread_mutex_lock(&p->lock);
    for (cl_device_id d = device; d && !found; d = d->parent)
        for (cl_uint i = 0; i < p->ndevices; i++)
            if (p->devices[i] == d) found = build_retain(p->builds[i]);
    pthread_mutex_unlock(&p->lock);
    return found;
}

struct error program_new(cl_context context, cl_uint ndevices, const cl_device_id *devices,
                         cl_program *result) {
    cl_program p = object_new(OBJECT_program);
    if (!p) return fail_memory();
    pthread_mutex_init(&p->lock, NULL);
    p->context = object_retain(context); /* which holds the devices */
    p->devices = malloc(ndevices * sizeof *devices);
    p->builds = calloc(ndevices, sizeof *p->builds);
    if (!p->devices || !p->builds) {
        object_release(p);
        return fail_memory();
    }
    memcpy(p->devices, devices, ndevices * sizeof *devices);
    p->ndevices = ndevices;
    *result = p;
    return OK;
}

static size_t string_bytes(const char *string, const size_t *lengths, cl_uint i) {
    return lengths && lengths[i] ? lengths[i] : strlen(string);
}

struct error program_create_source(cl_context context, cl_uint count, const char **strings,
                                   const size_t *lengths, cl_program *result) {
    TRY(context_check(context));
    if (!count || !strings) return fail(CL_INVALID_VALUE, "count is 0 or strings is NULL");
    size_t bytes = 0;
    for (cl_uint i = 0; i < count; i++) {
        if (!strings[i]) return fail(CL_INVALID_VALUE, "strings[%u] is NULL", i);
        bytes += string_bytes(strings[i], lengths, i);
    }
    cl_program p;
    TRY(program_new(context, context->ndevices, context->devices, &p));
    p->source = malloc(bytes + 1);
    if (!p->source) {
        object_release(p);
        return fail_memory();
    }
    for (cl_uint i = 0; i < count; i++) {
        size_t length = string_bytes(strings[i], lengths, i);
        memcpy(p->source + p->source_bytes, strings[i], length);
        p->source_bytes += length;
    }
    p->source[bytes] = 0;
    /* A program with source is going to be built; one without, or one that was built before, must
     * not load the compiler. */
    if (!sourcecache_knows(&(struct compiler_cache){.get = cache_get}, p->source, p->source_bytes))
        loader_warm();
    *result = p;
    return OK;
}

/* Binaries to be read, one for each device of the program. */
struct program_binaries {
    cl_program program;
    const size_t *lengths;
    const unsigned char **bytes;
    cl_int *status; /* what goes to binary_status */
};

static struct error read_binary(const struct program_binaries *b, cl_uint i, cl_int *status) {
    *status = CL_INVALID_VALUE;
    if (!b->lengths[i] || !b->bytes[i])
        return fail(CL_INVALID_VALUE, "a binary is NULL or has no bytes");
    struct error error = binary_read(b->program->devices[i]->model, (const char *)b->bytes[i],
                                     b->lengths[i], &b->program->builds[i]);
    *status = error.code;
    return error;
}

/* Reads all of them; the first error. */
static struct error read_binaries(void *binaries) {
    const struct program_binaries *b = binaries;
    struct error first = OK;
    for (cl_uint i = 0; i < b->program->ndevices; i++) {
        cl_int status;
        struct error error = read_binary(b, i, &status);
        if (b->status) b->status[i] = status;
        if (error.code && !first.code) first = error;
    }
    return first;
}

struct error program_create_binary(cl_context context, cl_uint ndevices,
                                   const cl_device_id *devices, const size_t *lengths,
                                   const unsigned char **binaries, cl_int *binary_status,
                                   cl_program *result) {
    TRY(context_check(context));
    if (!ndevices || !devices) return fail(CL_INVALID_VALUE, "the device list is empty or NULL");
    TRY(context_device_list(context, &ndevices, &devices));
    if (!lengths || !binaries) return fail(CL_INVALID_VALUE, "lengths or binaries is NULL");
    cl_program p;
    TRY(program_new(context, ndevices, devices, &p));
    struct program_binaries all = {p, lengths, binaries, binary_status};
    struct error error = room_call(read_binaries, &all);
    if (error.code) {
        object_release(p);
        return error;
    }
    *result = p;
    return OK;
}

struct error program_create_built_in(cl_context context, cl_uint ndevices,
                                     const cl_device_id *devices, const char *names,
                                     cl_program *result) {
    (void)result;
    TRY(context_check(context));
    if (!ndevices || !devices) return fail(CL_INVALID_VALUE, "the device list is empty or NULL");
    TRY(context_device_list(context, &ndevices, &devices));
    if (!names) return fail(CL_INVALID_VALUE, "kernel_names is NULL");
    return fail(CL_INVALID_VALUE, "the devices have no built-in kernels");
}

struct error program_retain(cl_program p) {
    return object_user_retain(p, OBJECT_program);
}
struct error program_release(cl_program p) {
    return object_user_release(p, OBJECT_program);
}

/* CL_PROGRAM_BINARY_SIZES; under the program's lock. */
static struct error binary_sizes(cl_program p, struct info out) {
    size_t *sizes = calloc(p->ndevices, sizeof *sizes);
    if (!sizes) return fail_memory();
    struct error error = OK;
    for (cl_uint i = 0; i < p->ndevices && !error.code; i++) {
        error = binary_of(p->builds[i]);
        if (p->builds[i]) sizes[i] = p->builds[i]->binary_bytes;
    }
    if (!error.code) error = info_bytes(out, sizes, p->ndevices * sizeof *sizes);
    free(sizes);
    return error;
}

/* CL_PROGRAM_BINARIES: fills the caller's buffers, leaving out those that are NULL. */
static struct error binaries(cl_program p, struct info out) {
    size_t size = p->ndevices * sizeof(unsigned char *);
    if (out.value) {
        if (out.room < size)
            return fail(CL_INVALID_VALUE,
                        "CL_PROGRAM_BINARIES: param_value_size is %zu, %zu are needed", out.room,
                        size);
        unsigned char **to = out.value;
        for (cl_uint i = 0; i < p->ndevices; i++) {
            TRY(binary_of(p->builds[i]));
            if (to[i] && p->builds[i] && p->builds[i]->binary)
                memcpy(to[i], p->builds[i]->binary, p->builds[i]->binary_bytes);
        }
    }
    if (out.size_ret) *out.size_ret = size;
    return OK;
}

/* The module kernels come from: that of the first device that has one. */
static const struct isa_module *first_module(cl_program p) {
    for (cl_uint i = 0; i < p->ndevices; i++)
        if (build_runs(p->builds[i])) return p->builds[i]->module;
    return NULL;
}

static struct error kernel_names(const struct isa_module *m, struct info out) {
    size_t bytes = 1;
    for (uint32_t i = 0; i < m->nkernels; i++) bytes += strlen(m->kernels[i]->name) + 1;
    char *names = malloc(bytes), *end = names;
    if (!names) return fail_memory();
    for (uint32_t i = 0; i < m->nkernels; i++) {
        if (i) *end++ = ';';
        end = stpcpy(end, m->kernels[i]->name);
    }
    *end = 0;
    struct error error = info_text(out, names);
    free(names);
    return error;
}

/* Queries of what may change while the program is built. */
static struct error built_info(cl_program p, cl_program_info name, struct info out) {
    if (name == CL_PROGRAM_BINARY_SIZES) return binary_sizes(p, out);
    if (name == CL_PROGRAM_BINARIES) return binaries(p, out);
    const struct isa_module *m = first_module(p);
    if (!m) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for any device");
    if (name == CL_PROGRAM_NUM_KERNELS) return info_of(out, size_t, m->nkernels);
    return kernel_names(m, out);
}

struct error program_info(cl_program p, cl_program_info name, size_t size, void *value,
                          size_t *size_ret) {
    TRY(program_check(p));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(p));
    case CL_PROGRAM_CONTEXT: return info_of(out, cl_context, p->context);
    case CL_PROGRAM_NUM_DEVICES: return info_of(out, cl_uint, p->ndevices);
    case CL_PROGRAM_DEVICES: return info_bytes(out, p->devices, p->ndevices * sizeof *p->devices);
    case CL_PROGRAM_SOURCE: return info_text(out, p->source);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES:
        if (platform_version() < 120) break;
        /* fallthrough */
    case CL_PROGRAM_BINARY_SIZES:
    case CL_PROGRAM_BINARIES: {
        pthread_mutex_lock(&p->lock);
        struct error error = built_info(p, name, out);
        pthread_mutex_unlock(&p->lock);
        return error;
    }
    }
    return info_unknown("program", name);
}

struct error program_build_info(cl_program p, cl_device_id device, cl_program_build_info name,
                                size_t size, void *value, size_t *size_ret) {
    TRY(program_check(p));
    bool known = false;
    for (cl_uint i = 0; i < p->ndevices; i++) known |= p->devices[i] == device;
    if (!known) return fail(CL_INVALID_DEVICE, "the device is not one of the program's");
    struct info out = {size, value, size_ret, name};
    struct build *b = program_build_for(p, device);
    pthread_mutex_lock(&p->lock);
    cl_build_status status = b ? b->status : CL_BUILD_NONE;
    struct error error;
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: error = info_of(out, cl_build_status, status); break;
    case CL_PROGRAM_BUILD_OPTIONS: error = info_text(out, b ? b->options : ""); break;
    case CL_PROGRAM_BUILD_LOG: error = info_text(out, b ? b->log : ""); break;
    case CL_PROGRAM_BINARY_TYPE:
        if (platform_version() >= 120) {
            error = info_of(out, cl_program_binary_type, b ? b->type : CL_PROGRAM_BINARY_TYPE_NONE);
            break;
        }
        /* fallthrough */
    default: error = info_unknown("program build", name);
    }
    pthread_mutex_unlock(&p->lock);
    build_release(b);
    return error;
}
