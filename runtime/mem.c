#include "mem.h"

#include <stdlib.h>

#include "checking.h"
#include "checking_values.h"
#include "context.h"
#include "device/host/stay.h"
#include "devices.h"
#include "info.h"
#include "mapview.h"
#include "platform.h"
#include "scheduler.h"

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_mem_flags host_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

cl_mem mem_root(cl_mem m) {
    while (m->parent) m = m->parent;
    return m;
}

void mem_attach(cl_mem part, cl_mem buffer) {
    part->parent = object_retain(buffer);
    atomic_fetch_add(&mem_root(buffer)->device_uses, 1);
    checking_created(part);
}

/* The caller has given back the object, though commands may still use it. The device's memory is
 * free for what is created next once this holds for a buffer and all its parts: addresses follow
 * from the order of the caller's calls, not from when commands end. */
static void leave(cl_mem m) {
    cl_mem root = mem_root(m);
    if (atomic_exchange(&m->left, true)) return;
    if (atomic_load(&root->device_uses) && atomic_fetch_sub(&root->device_uses, 1) == 1)
        gpu_heap_give(root->context->heap, root->device_address);
}

void mem_free(void *object) {
    cl_mem m = object;
    /* 5.4.1: in the reverse of the order they were set, and before the bytes are gone. */
    for (struct destructor *d = m->destructors, *next; d; d = next) {
        next = d->next;
        unsigned stay = stay_leave();
        d->notify(m, d->user_data);
        stay_return(stay);
        free(d);
    }
    for (struct mapping *p = m->mappings, *next; p; p = next) {
        next = p->next;
        if (p->view) mapview_close(p, true);
        free(p);
    }
    if (m->context) leave(m);
    checking_freed(m);
    if (!m->parent && m->context) memory_release(m->context->memory, m->address);
    object_release(m->parent);
    object_release(m->context);
}

struct error mem_check(cl_mem m) {
    return object_check(m, OBJECT_mem, "memory object");
}

char *mem_bytes(cl_mem m) { return memory_at(memory_base(m->context->memory), m->address); }

static bool several(cl_mem_flags flags) { return flags & (flags - 1); }

struct error mem_check_flags(cl_mem_flags flags) {
    cl_mem_flags known = access_flags | pointer_flags;
    if (platform_version() >= 120) known |= host_flags;
    if (flags & ~known)
        return fail(CL_INVALID_VALUE, "memory flags 0x%llx", (unsigned long long)(flags & ~known));
    if (several(flags & access_flags))
        return fail(CL_INVALID_VALUE, "more than one of read-write, write-only and read-only");
    if (several(flags & host_flags))
        return fail(CL_INVALID_VALUE, "more than one CL_MEM_HOST_ flag");
    if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return fail(CL_INVALID_VALUE,
                    "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
    return OK;
}

struct error mem_inherit_flags(cl_mem_flags parent, cl_mem_flags *flags) {
    TRY(mem_check_flags(*flags));
    if (*flags & pointer_flags)
        return fail(CL_INVALID_VALUE, "a part of a buffer has no host pointer of its own");
    if (((parent & CL_MEM_WRITE_ONLY) && (*flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
        ((parent & CL_MEM_READ_ONLY) && (*flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))))
        return fail(CL_INVALID_VALUE, "the part asks for access that the buffer does not have");
    if (((parent & CL_MEM_HOST_WRITE_ONLY) && (*flags & CL_MEM_HOST_READ_ONLY)) ||
        ((parent & CL_MEM_HOST_READ_ONLY) && (*flags & CL_MEM_HOST_WRITE_ONLY)) ||
        ((parent & CL_MEM_HOST_NO_ACCESS) &&
         (*flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
        return fail(CL_INVALID_VALUE, "the part gives the host access the buffer does not give");
    if (!(*flags & access_flags)) *flags |= parent & access_flags;
    if (!(*flags & host_flags)) *flags |= parent & host_flags;
    *flags |= parent & pointer_flags;
    return OK;
}

struct error mem_check_host_ptr(cl_mem_flags flags, const void *host_ptr) {
    bool wanted = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (wanted && !host_ptr)
        return fail(CL_INVALID_HOST_PTR, "the flags use host_ptr, which is NULL");
    if (!wanted && host_ptr)
        return fail(CL_INVALID_HOST_PTR,
                    "host_ptr is given without CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR");
    return OK;
}

struct error mem_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size,
                     void *host_ptr, cl_mem *result) {
    cl_mem m = object_new(OBJECT_mem);
    if (!m) return fail_memory();
    m->context = object_retain(context);
    m->type = type;
    m->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
    m->size = size;
    m->host_ptr = host_ptr;
    m->address = memory_alloc(context->memory, size, DEVICE_BASE_ALIGN);
    if (m->address && gpu_heap_take(context->heap, size, &m->device_address)) m->device_uses = 1;
    if (!m->device_uses) {
        object_release(m);
        return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "no room for %zu bytes, %llu are in use",
                    size, (unsigned long long)memory_in_use(context->memory));
    }
    checking_created(m);
    if (!host_ptr) checking_empty(m);
    *result = m;
    return OK;
}

struct error mem_host_may(cl_mem m, bool read, bool write) {
    if (read && (m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return fail(CL_INVALID_OPERATION,
                    "the object's CL_MEM_HOST_ flags forbid the host to read");
    if (write && (m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return fail(CL_INVALID_OPERATION,
                    "the object's CL_MEM_HOST_ flags forbid the host to write");
    return OK;
}

struct error mem_check_enqueue(cl_command_queue q, cl_mem m) {
    TRY(queue_check(q));
    TRY(mem_check(m));
    if (m->context != q->context)
        return fail(CL_INVALID_CONTEXT,
                    "the queue and the memory object are of different contexts");
    return OK;
}

struct error mem_retain(cl_mem m) {
    return object_user_retain(m, OBJECT_mem);
}
struct error mem_release(cl_mem m) {
    TRY(object_user_release(m, OBJECT_mem)); /* held for the call */
    if (!object_users(m)) leave(m);
    return OK;
}

/* 1.0 answers the pointer that was given; later versions only one that is used. */
static void *shown_host_ptr(cl_mem m) {
    return platform_version() < 110 || (m->flags & CL_MEM_USE_HOST_PTR) ? m->host_ptr : NULL;
}

struct error mem_info(cl_mem m, cl_mem_info name, size_t size, void *value, size_t *size_ret) {
    TRY(mem_check(m));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_MEM_TYPE: return info_of(out, cl_mem_object_type, m->type);
    case CL_MEM_FLAGS: return info_of(out, cl_mem_flags, m->flags);
    case CL_MEM_SIZE: return info_of(out, size_t, m->size);
    case CL_MEM_HOST_PTR: return info_of(out, void *, shown_host_ptr(m));
    case CL_MEM_MAP_COUNT: {
        pthread_mutex_lock(&m->context->mem_lock);
        cl_uint count = m->map_count;
        pthread_mutex_unlock(&m->context->mem_lock);
        return info_bytes(out, &count, sizeof count);
    }
    case CL_MEM_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(m));
    case CL_MEM_CONTEXT: return info_of(out, cl_context, m->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        if (platform_version() < 110) break;
        return info_of(out, cl_mem, m->parent);
    case CL_MEM_OFFSET:
        if (platform_version() < 110) break;
        return info_of(out, size_t, m->type == CL_MEM_OBJECT_BUFFER ? m->offset : 0);
    }
    return info_unknown("memory object", name);
}

struct error mem_set_destructor(cl_mem m, void(CL_CALLBACK *notify)(cl_mem mem, void *user),
                                void *user_data) {
    TRY(mem_check(m));
    if (!notify) return fail(CL_INVALID_VALUE, "pfn_notify is NULL");
    struct destructor *d = malloc(sizeof *d);
    if (!d) return fail_memory();
    pthread_mutex_lock(&m->context->mem_lock);
    *d = (struct destructor){m->destructors, notify, user_data};
    m->destructors = d;
    pthread_mutex_unlock(&m->context->mem_lock);
    return OK;
}

struct error mem_check_map_flags(cl_mem m, cl_map_flags flags) {
    cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE;
    if (platform_version() >= 120) known |= CL_MAP_WRITE_INVALIDATE_REGION;
    if (flags & ~known)
        return fail(CL_INVALID_VALUE, "map flags 0x%llx", (unsigned long long)(flags & ~known));
    if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return fail(CL_INVALID_VALUE,
                    "CL_MAP_WRITE_INVALIDATE_REGION excludes CL_MAP_READ and CL_MAP_WRITE");
    return mem_host_may(m, flags & CL_MAP_READ,
                        flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION));
}

/* Is `p` rather to be given back than `q`, with the same pointer? The last one that was made; where
 * what is not mapped may not be used, the least of them, as the host may go on with the others. */
static bool goes_first(const struct mapping *p, const struct mapping *q) {
    return !q || (p->view && p->bytes < q->bytes);
}

/* Takes one mapping, or one of a pointer, off the object's list. */
static struct mapping *take_mapping(cl_mem m, const struct mapping *mapping, const void *pointer) {
    pthread_mutex_lock(&m->context->mem_lock);
    struct mapping **at = NULL;
    for (struct mapping **p = &m->mappings; *p; p = &(*p)->next)
        if (mapping ? *p == mapping : (*p)->pointer == pointer && goes_first(*p, at ? *at : NULL))
            at = p;
    struct mapping *found = at ? *at : NULL;
    if (found) *at = found->next;
    pthread_mutex_unlock(&m->context->mem_lock);
    return found;
}

static void put_mapping(cl_mem m, struct mapping *mapping) {
    pthread_mutex_lock(&m->context->mem_lock);
    mapping->next = m->mappings;
    m->mappings = mapping;
    pthread_mutex_unlock(&m->context->mem_lock);
}

static void count_mapping(cl_mem m, int by) {
    pthread_mutex_lock(&m->context->mem_lock);
    m->map_count += (cl_uint)by;
    pthread_mutex_unlock(&m->context->mem_lock);
}

/* A map in flight: undone when it fails. The command holds the object. */
struct map_undo {
    cl_mem mem;
    struct mapping *mapping; /* which may be gone by then */
    struct mapview *view;    /* held */
    char *device;
    size_t bytes;
    bool writes;
};

static void map_ended(void *user, cl_int status) {
    struct map_undo *undo = user;
    if (status < 0) {
        struct mapping *mapping = take_mapping(undo->mem, undo->mapping, NULL);
        if (mapping) count_mapping(undo->mem, -1); /* otherwise unmap has it */
        if (mapping && mapping->view) mapview_close(mapping, true);
        free(mapping);
    } else {
        if (undo->view) mapview_fetch(undo->view, undo->mapping);
        checking_mapped(undo->mem, undo->device, undo->bytes, undo->writes);
    }
    mapview_release(undo->view);
    free(undo);
}

/* A GPU has memory of its own: there a mapping is a copy, whatever is copied here. */
static void show_moves(struct command *c, cl_mem m, size_t bytes) {
    c->moves = (struct command_moves){bytes, NULL, NULL, m->flags & CL_MEM_ALLOC_HOST_PTR};
}

/* What unmapping has to copy is the way back of what mapping had to. */
static struct copy way_back(const struct copy *out) {
    struct copy back = *out;
    back.to = (char *)out->from;
    back.from = out->to;
    back.to_row = out->from_row;
    back.to_slice = out->from_slice;
    back.from_row = out->to_row;
    back.from_slice = out->to_slice;
    return back;
}

/* The object's bytes, as they are loaded. */
static struct copy fetched(struct copy back) {
    back.from = back.to;
    back.from_row = back.to_row;
    back.from_slice = back.to_slice;
    back.to = NULL;
    return back;
}

struct error mem_map(cl_command_queue q, cl_mem m, cl_command_type type, cl_bool blocking,
                     cl_map_flags flags, const struct copy *out, struct waits waits,
                     cl_event *event, void **result) {
    struct mapping *mapping = malloc(sizeof *mapping);
    struct map_undo *undo = malloc(sizeof *undo);
    struct copy nothing = copy_linear(NULL, NULL, 0);
    /* What is going to be overwritten need not be fetched (5.2.3, CL_MAP_WRITE_INVALIDATE_REGION).
     */
    bool fetch = !(flags & CL_MAP_WRITE_INVALIDATE_REGION), own = out->to != out->from;
    struct command *c = copy_command(fetch && own ? out : &nothing, m, NULL);
    if (!mapping || !undo || !c) {
        free(mapping);
        free(undo);
        if (c) command_free(c);
        return fail_memory();
    }
    size_t bytes = out->bytes * out->rows * out->slices;
    show_moves(c, m, fetch ? bytes : 0);
    *mapping =
        (struct mapping){.mem = m, .pointer = out->to, .bytes = bytes, .back = way_back(out)};
    mapping->write = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    if (!own) mapview_open(m, mapping);
    mapview_retain(mapping->view);
    *undo = (struct map_undo){m, mapping, mapping->view, (char *)out->from, bytes, mapping->write};
    copy_set_after(c, map_ended, undo);
    struct copy loads = fetched(way_back(out));
    if (!own && fetch) copy_set_meaning(c, &loads);
    char *pointer = mapping->pointer;
    put_mapping(m, mapping);
    count_mapping(m, 1);
    TRY(scheduler_enqueue(c, q, type, ORDER_QUEUE, waits, blocking, event));
    *result = pointer;
    return OK;
}

/* The command holds the object. */
static void unmap_ended(void *user, cl_int status) {
    struct mapping *mapping = user;
    count_mapping(mapping->mem, -1);
    if (mapping->view) mapview_close(mapping, status < 0);
    free(mapping);
}

struct error mem_unmap(cl_command_queue q, cl_mem m, void *mapped_ptr, cl_uint nwaits,
                       const cl_event *events, cl_event *event) {
    TRY(mem_check_enqueue(q, m));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    struct mapping *mapping = take_mapping(m, NULL, mapped_ptr);
    if (!mapping)
        return fail(CL_INVALID_VALUE,
                    "%p is not what a map of this object returned, or was unmapped", mapped_ptr);
    bool copies = mapping->write && !mapping->view && mapping->back.to != mapping->back.from;
    struct copy back = copies ? mapping->back : copy_linear(NULL, NULL, 0);
    struct command *c = copy_command(&back, m, NULL);
    if (!c) {
        put_mapping(m, mapping);
        return fail_memory();
    }
    mapping->unmap = mapview_unmapping();
    struct copy meant = mapping->back; /* until now the host may have stored there, or loaded */
    meant.from = NULL;
    if (!mapping->write) meant = fetched(mapping->back);
    if (!copies) copy_set_meaning(c, &meant);
    show_moves(c, m, mapping->write ? mapping->bytes : 0);
    copy_set_after(c, unmap_ended, mapping);
    return scheduler_enqueue(c, q, CL_COMMAND_UNMAP_MEM_OBJECT, ORDER_QUEUE, waits, CL_FALSE,
                             event);
}

/* All devices of a context share its memory: there is nothing to move. */
struct error mem_migrate(cl_command_queue q, cl_uint n, const cl_mem *mems,
                         cl_mem_migration_flags flags, cl_uint nwaits, const cl_event *events,
                         cl_event *event) {
    TRY(queue_check(q));
    if (!n || !mems) return fail(CL_INVALID_VALUE, "the list of memory objects is empty or NULL");
    for (cl_uint i = 0; i < n; i++) TRY(mem_check_enqueue(q, mems[i]));
    if (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                          CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
        return fail(CL_INVALID_VALUE, "migration flags 0x%llx", (unsigned long long)flags);
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    struct command *c = command_new_empty(n, mems);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_MIGRATE_MEM_OBJECTS, ORDER_QUEUE, waits, CL_FALSE,
                             event);
}
