#include "message.h"

#include <stdlib.h>
#include <string.h>

#include "buildid.h"

const char message_build[] = SIMTCL_BUILD_ID;

/* Whoever adds a member to one of these sends it here, too. */
#if defined __x86_64__
_Static_assert(sizeof(struct compiler_target) == 64, "");
_Static_assert(sizeof(struct compiler_request) == 88, "");
_Static_assert(sizeof(struct compiler_result) == 48, "");
_Static_assert(sizeof(struct native_request) == 80, "");
_Static_assert(sizeof(struct native_object) == 40, "");
_Static_assert(sizeof(struct trace) == 40, "");
#endif

static struct wire_in reading(const struct wire_message *m) {
    static const char none[] = "";
    const char *at = m->bytes ? m->bytes : none;
    return (struct wire_in){.at = at, .end = at + m->length};
}

static bool whole(const struct wire_in *i) { return !i->bad && i->at == i->end; }

/* How many things follow, of which each takes 8 bytes at least. */
static size_t take_count(struct wire_in *i) {
    uint64_t n = wire_take_number(i);
    if (n <= (uint64_t)(i->end - i->at) / 8) return (size_t)n;
    i->bad = true;
    return 0;
}

/* ---- what is asked of passes ---- */

static void put_trace(struct wire_out *o, const struct trace *t) {
    wire_put_number(o, trace_active(t));
    if (!trace_active(t)) return;
    wire_put_string(o, t->dump);
    wire_put_string(o, t->off);
    wire_put_number(o, t->log);
}

/* NULL: nothing is asked. */
static const struct trace *take_trace(struct wire_in *i, struct trace *t) {
    *t = (struct trace){0};
    if (!wire_take_number(i)) return NULL;
    t->dump = wire_take_string(i);
    t->off = wire_take_string(i);
    t->log = wire_take_number(i) != 0;
    return t;
}

/* ---- compiling: asks ---- */

void message_put_compile(struct wire_out *o, const struct compiler_request *q) {
    const struct compiler_target *t = q->target;
    wire_put_number(o, (uint64_t)q->work);
    wire_put_number(o, t->cl_version);
    wire_put_string(o, t->extensions);
    wire_put_number(o, t->doubles);
    wire_put_number(o, t->demotes);
    wire_put_number(o, t->exact);
    wire_put_number(o, t->images);
    wire_put_number(o, t->max_constant_bytes);
    wire_put_number(o, t->max_local_bytes);
    wire_put_number(o, t->max_private_bytes);
    wire_put_number(o, t->capability);
    wire_put_number(o, t->max_registers);
    wire_put_number(o, t->registers);
    wire_put_string(o, t->include);
    wire_put_string(o, t->beyond);
    wire_put_string(o, q->options);
    wire_put_number(o, q->source != NULL);
    if (q->source) wire_put_bytes(o, q->source, q->length);
    wire_put_number(o, q->nheaders);
    for (size_t i = 0; i < q->nheaders; i++) {
        wire_put_string(o, q->headers[i].name);
        wire_put_bytes(o, q->headers[i].text, q->headers[i].length);
    }
    wire_put_number(o, q->nobjects);
    for (size_t i = 0; i < q->nobjects; i++)
        wire_put_bytes(o, q->objects[i].text, q->objects[i].length);
    put_trace(o, q->trace);
}

static void take_target(struct wire_in *i, struct compiler_target *t) {
    t->cl_version = (unsigned)wire_take_number(i);
    t->extensions = wire_take_string(i);
    t->doubles = wire_take_number(i) != 0;
    t->demotes = wire_take_number(i) != 0;
    t->exact = wire_take_number(i) != 0;
    t->images = wire_take_number(i) != 0;
    t->max_constant_bytes = (uint32_t)wire_take_number(i);
    t->max_local_bytes = (uint32_t)wire_take_number(i);
    t->max_private_bytes = (uint32_t)wire_take_number(i);
    t->capability = (uint8_t)wire_take_number(i);
    t->max_registers = (uint32_t)wire_take_number(i);
    t->registers = (uint32_t)wire_take_number(i);
    t->include = wire_take_string(i);
    t->beyond = wire_take_string(i);
}

static void take_headers(struct wire_in *i, struct message_compile *c) {
    size_t n = take_count(i);
    c->headers = calloc(n + 1, sizeof *c->headers);
    i->bad |= !c->headers;
    for (size_t k = 0; k < n && !i->bad; k++) {
        c->headers[k].name = wire_take_string(i);
        c->headers[k].text = wire_take_bytes(i, &c->headers[k].length);
        i->bad |= !c->headers[k].name || !c->headers[k].text;
    }
    c->request.headers = c->headers;
    c->request.nheaders = n;
}

static void take_objects(struct wire_in *i, struct message_compile *c) {
    size_t n = take_count(i);
    c->objects = calloc(n + 1, sizeof *c->objects);
    i->bad |= !c->objects;
    for (size_t k = 0; k < n && !i->bad; k++) {
        c->objects[k].text = (char *)(uintptr_t)wire_take_bytes(i, &c->objects[k].length);
        i->bad |= !c->objects[k].text;
    }
    c->request.objects = c->objects;
    c->request.nobjects = n;
}

bool message_take_compile(const struct wire_message *m, struct message_compile *c) {
    struct wire_in i = reading(m);
    *c = (struct message_compile){0};
    struct compiler_request *q = &c->request;
    uint64_t work = wire_take_number(&i);
    q->work = (enum compiler_work)work;
    take_target(&i, &c->target);
    q->target = &c->target;
    q->options = wire_take_string(&i);
    if (wire_take_number(&i)) q->source = wire_take_bytes(&i, &q->length);
    take_headers(&i, c);
    take_objects(&i, c);
    q->trace = take_trace(&i, &c->trace);
    bool good = whole(&i) && work <= COMPILER_LINK && c->target.extensions &&
                (q->work == COMPILER_LINK || q->source);
    if (!good) message_free_compile(c);
    return good;
}

void message_free_compile(struct message_compile *c) {
    free(c->headers);
    free(c->objects);
    *c = (struct message_compile){0};
}

/* ---- compiling: answers ---- */

void message_put_compiled(struct wire_out *o, const struct compiler_result *r) {
    size_t length = 0;
    char *module = r->module ? isa_print(r->module, &length) : NULL;
    wire_put_number(o, (uint64_t)r->status);
    wire_put_string(o, r->log);
    wire_put_string(o, r->inputs);
    wire_put_bytes(o, module ? module : "", length);
    wire_put_bytes(o, r->object.text ? r->object.text : "", r->object.length);
    o->failed |= r->module && !module;
    free(module);
}

static char *copy(const char *bytes, size_t length) {
    char *to = malloc(length + 1);
    if (to) memcpy(to, bytes, length + 1);
    return to;
}

/* False: what came is neither a module nor an object. */
static bool take_product(struct compiler_result *r, const char *module, size_t module_bytes,
                         const char *object, size_t object_bytes) {
    struct isa_error why;
    if (!module || !object || !module_bytes == !object_bytes) return false;
    if (module_bytes) {
        r->module = isa_parse(module, module_bytes, &why);
        if (!r->module && strstr(why.text, "out of memory")) r->status = COMPILER_NO_MEMORY;
        return r->module || r->status == COMPILER_NO_MEMORY;
    }
    if (!unit_check(object, object_bytes)) return false;
    r->object = (struct compiler_object){copy(object, object_bytes), object_bytes};
    if (!r->object.text) r->status = COMPILER_NO_MEMORY;
    return true;
}

bool message_take_compiled(const struct wire_message *m, struct compiler_result *r) {
    struct wire_in i = reading(m);
    size_t module_bytes, object_bytes;
    uint64_t status = wire_take_number(&i);
    const char *log = wire_take_string(&i), *inputs = wire_take_string(&i);
    const char *module = wire_take_bytes(&i, &module_bytes);
    const char *object = wire_take_bytes(&i, &object_bytes);
    *r = (struct compiler_result){.status = (enum compiler_status)status};
    if (!whole(&i) || status > COMPILER_NO_MEMORY) return false;
    if (status == COMPILER_NO_MEMORY) return true;
    if (!log) return false;
    if (status == COMPILER_OK && !take_product(r, module, module_bytes, object, object_bytes))
        return false;
    if (r->status != COMPILER_NO_MEMORY && !(r->log = copy(log, strlen(log))))
        r->status = COMPILER_NO_MEMORY;
    if (r->status == COMPILER_OK && inputs) r->inputs = copy(inputs, strlen(inputs));
    if (r->status == COMPILER_NO_MEMORY) {
        isa_module_free(r->module);
        free(r->object.text);
        *r = (struct compiler_result){.status = COMPILER_NO_MEMORY};
    }
    return true;
}

/* ---- machine code ---- */

void message_put_native(struct wire_out *o, const struct native_request *q) {
    size_t length = 0;
    char *module = isa_print_alone(q->module, q->kernel, &length);
    wire_put_bytes(o, module ? module : "", length);
    o->failed |= !module;
    free(module);
    wire_put_number(o, q->kernel->probed);
    for (int d = 0; d < 3; d++) wire_put_number(o, q->local_size[d]);
    for (int d = 0; d < 3; d++) wire_put_number(o, q->group_size[d]);
    wire_put_number(o, q->low_ids);
    wire_put_number(o, q->cut);
    wire_put_number(o, q->flat);
    wire_put_number(o, q->along);
    wire_put_number(o, q->packed);
    wire_put_number(o, q->local_step);
    wire_put_number(o, (uint64_t)q->level);
    wire_put_number(o, q->general);
    wire_put_number(o, q->flush);
    wire_put_number(o, q->check);
    put_trace(o, q->trace);
}

bool message_take_native(const struct wire_message *m, struct message_native *n) {
    struct wire_in i = reading(m);
    struct isa_error why;
    size_t length;
    *n = (struct message_native){0};
    const char *module = wire_take_bytes(&i, &length);
    bool probed = wire_take_number(&i) != 0;
    for (int d = 0; d < 3; d++) n->request.local_size[d] = (uint32_t)wire_take_number(&i);
    for (int d = 0; d < 3; d++) n->request.group_size[d] = (uint32_t)wire_take_number(&i);
    n->request.low_ids = wire_take_number(&i) != 0;
    n->request.cut = (uint32_t)wire_take_number(&i);
    n->request.flat = wire_take_number(&i) != 0;
    uint64_t along = wire_take_number(&i);
    n->request.packed = (uint32_t)wire_take_number(&i);
    n->request.local_step = (uint32_t)wire_take_number(&i);
    uint64_t level = wire_take_number(&i);
    n->request.along = (uint32_t)along;
    n->request.level = (enum native_level)level;
    n->request.general = wire_take_number(&i) != 0;
    n->request.flush = wire_take_number(&i) != 0;
    n->request.check = wire_take_number(&i) != 0;
    n->request.trace = take_trace(&i, &n->trace);
    if (!whole(&i) || !module || along > 2 || level > NATIVE_AVX512) return false;
    n->module = isa_parse_copy(module, length, probed, &why);
    if (!n->module || n->module->nkernels != 1) {
        message_free_native(n);
        return false;
    }
    n->request.module = n->module;
    n->request.kernel = n->module->kernels[0];
    return true;
}

void message_free_native(struct message_native *n) {
    isa_module_free(n->module);
    *n = (struct message_native){0};
}

void message_put_object(struct wire_out *o, enum native_status status,
                        const struct native_object *object) {
    wire_put_number(o, (uint64_t)status);
    wire_put_bytes(o, object->bytes, object->bytes ? object->size : 0);
    wire_put_number(o, object->bundle);
    wire_put_number(o, object->state_bytes);
    wire_put_number(o, object->streamed);
    wire_put_number(o, object->privatised_param);
    wire_put_number(o, object->alone);
    wire_put_number(o, object->leaves);
}

bool message_take_object(const struct wire_message *m, const struct isa_kernel *kernel,
                         enum native_status *status, struct native_object *object) {
    struct wire_in i = reading(m);
    *object = (struct native_object){0};
    uint64_t code = wire_take_number(&i);
    const char *bytes = wire_take_bytes(&i, &object->size);
    object->bundle = (uint32_t)wire_take_number(&i);
    object->state_bytes = (uint32_t)wire_take_number(&i);
    object->streamed = (uint32_t)wire_take_number(&i);
    object->privatised_param = (uint32_t)wire_take_number(&i);
    object->alone = (uint32_t)wire_take_number(&i);
    object->leaves = (uint32_t)wire_take_number(&i);
    *status = (enum native_status)code;
    if (!whole(&i) || code > NATIVE_FAILED || !bytes) return false;
    if (code != NATIVE_OK) return true;
    if (!native_object_fits(object, kernel)) return false;
    object->bytes = copy(bytes, object->size);
    if (!object->bytes) *status = NATIVE_NO_MEMORY;
    return true;
}
