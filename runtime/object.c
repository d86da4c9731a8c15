#include "object.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "device/host/forks.h"
#include "device/host/lock.h"
#include "context.h"
#include "devices.h"
#include "event.h"
#include "kernel.h"
#include "mem.h"
#include "program.h"
#include "queue.h"
#include "sampler.h"

enum {
    CHUNK_BITS = 16,
    CHUNK_BYTES = 1 << CHUNK_BITS,
    MAX_CHUNKS = 1 << 16, /* 4 GiB of slots */
    MIN_CHUNKS = 1 << 8,
    QUARANTINE = 4096 /* released slots of a kind that stay unused */
};

/* Slots of a kind are a multiple of a cache line: neighbours' counts do not share one. */
static const uint32_t slot_bytes[OBJECT_KIND_COUNT] = {
    0,
#define KIND(name, structure, code) (sizeof(struct structure) + 63) / 64 * 64,
#include "kinds.def"
#undef KIND
};

static void (*const free_of[OBJECT_KIND_COUNT])(void *) = {
    NULL,
#define KIND(name, structure, code) name##_free,
#include "kinds.def"
#undef KIND
};

static const cl_int invalid_code[OBJECT_KIND_COUNT] = {
    0,
#define KIND(name, structure, code) code,
#include "kinds.def"
#undef KIND
};

static const char *const kind_name[OBJECT_KIND_COUNT] = {
    "",
#define KIND(name, structure, code) #name,
#include "kinds.def"
#undef KIND
};

/* A free slot: refs is 0, and the next in the kind's list follows the header. */
struct free_slot {
    struct object object;
    struct free_slot *next;
};

static struct {
    pthread_mutex_t lock;
    uint32_t chunks, used_chunks; /* reserved; handed out */
    uint64_t serial;
    struct {
        struct free_slot *first, **last;
        uint32_t waiting;    /* length of the list */
        char *fresh;         /* slots of the newest chunk that were never used */
        uint32_t fresh_left; /* how many */
    } kind[OBJECT_KIND_COUNT];
} registry = {.lock = LOCK_SHORT};

/* Read without the lock. */
static _Atomic uintptr_t range_begin, range_bytes;
static _Atomic uint8_t chunk_kind[MAX_CHUNKS];
static _Atomic uint32_t generation = 1;

static const void *dispatch_table;

void object_set_dispatch(const void *table) { dispatch_table = table; }
const void *object_dispatch(void) { return dispatch_table; }
uint32_t object_generation(void) { return atomic_load_explicit(&generation, memory_order_relaxed); }

static void before_fork(void) { pthread_mutex_lock(&registry.lock); }
static void after_fork_in_parent(void) { pthread_mutex_unlock(&registry.lock); }
static void after_fork_in_child(void) {
    pthread_mutex_unlock(&registry.lock);
    atomic_fetch_add(&generation, 1);
}

__attribute__((constructor)) static void object_constructor(void) {
    static struct forks_watch watch = {before_fork, after_fork_in_parent, after_fork_in_child};
    forks_watch(&watch);
}

static bool reserve_range(void) {
    for (uint32_t chunks = MAX_CHUNKS; chunks >= MIN_CHUNKS; chunks /= 4) {
        size_t bytes = (size_t)chunks << CHUNK_BITS;
        void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        registry.chunks = chunks;
        atomic_store(&range_begin, (uintptr_t)p);
        atomic_store(&range_bytes, bytes);
        return true;
    }
    return false;
}

static bool add_chunk(enum object_kind kind) {
    if (!registry.chunks && !reserve_range()) return false;
    if (registry.used_chunks == registry.chunks) return false;
    char *chunk = (char *)atomic_load(&range_begin) + ((size_t)registry.used_chunks << CHUNK_BITS);
    if (mprotect(chunk, CHUNK_BYTES, PROT_READ | PROT_WRITE)) return false;
    registry.kind[kind].fresh = chunk;
    registry.kind[kind].fresh_left = CHUNK_BYTES / slot_bytes[kind];
    atomic_store_explicit(&chunk_kind[registry.used_chunks++], kind, memory_order_release);
    return true;
}

/* Under the lock: a slot of the kind, the longest free one if the quarantine is full. */
static struct object *take_slot(enum object_kind kind) {
    if (!registry.kind[kind].fresh_left && registry.kind[kind].waiting < QUARANTINE)
        add_chunk(kind);
    if (registry.kind[kind].fresh_left && registry.kind[kind].waiting < QUARANTINE) {
        struct object *o = (struct object *)registry.kind[kind].fresh;
        registry.kind[kind].fresh += slot_bytes[kind];
        registry.kind[kind].fresh_left--;
        return o;
    }
    struct free_slot *f = registry.kind[kind].first;
    if (!f) return NULL;
    registry.kind[kind].first = f->next;
    registry.kind[kind].waiting--;
    return &f->object;
}

void *object_new(enum object_kind kind) {
    pthread_mutex_lock(&registry.lock);
    struct object *o = take_slot(kind);
    uint64_t serial = ++registry.serial;
    pthread_mutex_unlock(&registry.lock);
    if (!o) return NULL;
    memset((char *)o + sizeof *o, 0, slot_bytes[kind] - sizeof *o);
    o->dispatch = dispatch_table;
    o->generation = object_generation();
    o->serial = serial;
    atomic_store_explicit(&o->users, 1, memory_order_relaxed);
    atomic_store_explicit(&o->refs, 1, memory_order_release);
    return o;
}

void object_make_eternal(void *object) { ((struct object *)object)->generation = 0; }

/* Is it the address of a slot of that kind? */
static bool is_slot(const void *handle, enum object_kind kind) {
    uintptr_t offset = (uintptr_t)handle - atomic_load_explicit(&range_begin, memory_order_relaxed);
    if (offset >= atomic_load_explicit(&range_bytes, memory_order_relaxed)) return false;
    if (atomic_load_explicit(&chunk_kind[offset >> CHUNK_BITS], memory_order_acquire) != kind)
        return false;
    uint32_t in_chunk = offset & (CHUNK_BYTES - 1);
    return in_chunk % slot_bytes[kind] == 0 && in_chunk + slot_bytes[kind] <= CHUNK_BYTES;
}

void *object_retain_live(const void *handle, enum object_kind kind) {
    if (!is_slot(handle, kind)) return NULL;
    struct object *o = (struct object *)handle;
    uint32_t refs = atomic_load_explicit(&o->refs, memory_order_relaxed);
    do {
        if (!refs) return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&o->refs, &refs, refs + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    if (!o->generation || o->generation == object_generation()) return o;
    object_release(o);
    return NULL;
}

struct error object_dead(const void *handle, enum object_kind kind, const char *what) {
    return fail(invalid_code[kind],
                "%s %p is no live %s of this process: released, of another kind, or not a handle",
                what, handle, kind_name[kind]);
}

struct error object_check(const void *handle, enum object_kind kind, const char *what) {
    if (handle) return OK;
    return fail(invalid_code[kind], "%s is NULL, or one of a list that is not live", what);
}

enum object_kind object_kind_of(const void *o) {
    return atomic_load_explicit(
        &chunk_kind[((uintptr_t)o - atomic_load(&range_begin)) >> CHUNK_BITS],
        memory_order_relaxed);
}

const char *object_kind_name(enum object_kind kind) { return kind_name[kind]; }

uint64_t object_count(enum object_kind kind) {
    uint64_t count = 0;
    pthread_mutex_lock(&registry.lock);
    for (uint32_t n = 0; n < registry.used_chunks; n++) {
        const char *chunk = (char *)atomic_load(&range_begin) + ((size_t)n << CHUNK_BITS);
        if (atomic_load(&chunk_kind[n]) != kind) continue;
        for (uint32_t at = 0; at + slot_bytes[kind] <= CHUNK_BYTES; at += slot_bytes[kind]) {
            const struct object *o = (const struct object *)(chunk + at);
            count += o->generation == object_generation() && atomic_load(&o->refs) &&
                     atomic_load(&o->users);
        }
    }
    pthread_mutex_unlock(&registry.lock);
    return count;
}

uint64_t object_serial(void) {
    pthread_mutex_lock(&registry.lock);
    uint64_t serial = registry.serial;
    pthread_mutex_unlock(&registry.lock);
    return serial;
}

static void free_slot(struct object *o, enum object_kind kind) {
    struct free_slot *f = (struct free_slot *)o;
    pthread_mutex_lock(&registry.lock);
    f->next = NULL;
    if (!registry.kind[kind].first) registry.kind[kind].last = &registry.kind[kind].first;
    *registry.kind[kind].last = f;
    registry.kind[kind].last = &f->next;
    registry.kind[kind].waiting++;
    pthread_mutex_unlock(&registry.lock);
}

void *object_retain(void *object) {
    struct object *o = object;
    atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
    return o;
}

void object_release(void *object) {
    struct object *o = object;
    if (!o || atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) != 1) return;
    enum object_kind kind = object_kind_of(o);
    free_of[kind](o);
    free_slot(o, kind);
}

bool object_release_shared(void *object) {
    struct object *o = object;
    uint32_t refs = atomic_load_explicit(&o->refs, memory_order_relaxed);
    do {
        if (refs == 1) return false;
    } while (!atomic_compare_exchange_weak_explicit(&o->refs, &refs, refs - 1, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return true;
}

bool object_park(void *object) {
    struct object *o = object;
    uint32_t own = 1;
    return atomic_compare_exchange_strong_explicit(&o->refs, &own, 0, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

void object_renew(void *object) {
    struct object *o = object;
    memset((char *)o + sizeof *o, 0, slot_bytes[object_kind_of(o)] - sizeof *o);
    atomic_store_explicit(&o->refs, 1, memory_order_release);
}

void object_discard(void *object) { free_slot(object, object_kind_of(object)); }

struct error object_user_retain(void *handle, enum object_kind kind) {
    TRY(object_check(handle, kind, kind_name[kind]));
    struct object *o = handle;
    /* The first of the caller's references brings the one hold that all of them share. */
    if (atomic_fetch_add_explicit(&o->users, 1, memory_order_relaxed) == 0) object_retain(o);
    return OK;
}

struct error object_user_release(void *handle, enum object_kind kind) {
    TRY(object_check(handle, kind, kind_name[kind]));
    struct object *o = handle;
    uint32_t users = atomic_load_explicit(&o->users, memory_order_relaxed);
    do {
        if (!users)
            return fail(invalid_code[kind], "the %s was released more often than retained",
                        kind_name[kind]);
    } while (!atomic_compare_exchange_weak_explicit(&o->users, &users, users - 1,
                                                    memory_order_acq_rel, memory_order_relaxed));
    if (users == 1) object_release(o);
    return OK;
}

void object_conceal(void *object) {
    atomic_store_explicit(&((struct object *)object)->users, 0, memory_order_relaxed);
}

void object_publish(void *object) {
    struct object *o = object;
    atomic_store_explicit(&o->users, 1, memory_order_relaxed);
    object_retain(o);
}

cl_uint object_users(const void *object) {
    return atomic_load_explicit(&((const struct object *)object)->users, memory_order_relaxed);
}
