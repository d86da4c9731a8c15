#include "memory.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/host/forks.h"
#include "device/host/pool.h"
#include "range.h"

#define SPACE (UINT64_C(1) << 32)
#define HALF  (UINT64_C(1) << 31)

enum {
    /* Addresses 0x7fffffff and 0x80000000 are the two ends of the reservation. Nothing lies near
     * them, so that an address that passes over by a displacement (at most 1 MiB, isa.h) finds
     * nothing, be it added before the address is extended to 64 bits or after. */
    END_BYTES = 1 << 20,
    LEAST_ALIGN = 128,
    BASE_ALIGN =
        2 << 20, /* of the reservation: so an address is as aligned in the host as in the sandbox */
    HIGH_BYTES = 1 << 20, /* ranges from this size on are taken from the top, so that small ones do
                             not split the room */
    HUGE_BYTES =
        4 << 20, /* ranges from this size on ask for huge pages: gathers run almost twice as fast */
    HUGE_PAGE = 2 << 20, /* of which a range that begins with one has one more */
    SLAB_BYTES = 16 << 20,
    SLAB_LARGEST = 1 << 20, /* what a slab may hold */
    /* Each allocation with a guard costs two mappings, of which Linux grants a process so many (the
     * least, where it cannot be asked). When only the host's own are left, allocations that fit a
     * slab share one, without guards between them. */
    MAPPINGS = 65530,
    HOST_MAPPINGS = 16384,
    RESTING_MOST = 256, /* released ranges kept out of use, so that stale pointers fault */
    /* Released ranges of these sizes keep the host's pages, up to so many bytes in all: the next
     * range moves them to where it lies. To have the host find a page anew takes ten times as long
     * as to clear it, and programs that pass images on from kernel to kernel want the same sizes
     * again and again. */
    KEPT_LEAST = 64 << 10,
    KEPT_LARGEST = 64 << 20,
    KEPT_MOST = 128 << 20
};

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

/* A committed range in which allocations lie side by side, in units of LEAST_ALIGN. */
struct slab {
    struct ranges blocks;
    struct range *span;
    struct slab *next;
};

struct memory {
    char *map; /* the mapping: guard, 4 GiB, guard */
    size_t map_bytes;
    char *base;
    uint32_t page;        /* bytes; the unit of `pages` */
    uint64_t limit, used; /* bytes */
    bool shadowed;        /* the upper half is the shadow of the lower one */
    unsigned spans;       /* committed ones */
    struct ranges pages;  /* by address, without page 0 and the last one. A span's owner: its slab,
                             the sandbox itself when it is one allocation, NULL when it is released:
                             then its bytes are those that it keeps */
    struct slab *slabs;
    struct range *resting[RESTING_MOST]; /* a ring, oldest at `rest` */
    unsigned rest, rests;
    uint64_t kept; /* bytes, by them */
    struct memory_window windows[POOL_MAX_WORKERS];
};

/* One lock for all sandboxes, so that fork can hold it: the child must find every tree whole. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint guarded; /* spans in the process */

static void lock_all(void) { pthread_mutex_lock(&lock); }
static void unlock_all(void) { pthread_mutex_unlock(&lock); }
static void watch_fork(void) {
    static struct forks_watch watch = {lock_all, unlock_all, unlock_all};
    forks_watch(&watch);
}

static char *host(const struct memory *m, uint32_t address) { return memory_at(m->base, address); }

/* ---- spans: whole pages with a guard page behind ---- */

static bool decommit(const struct memory *m, uint32_t address, size_t bytes);

static bool commit(const struct memory *m, uint32_t address, size_t bytes) {
    if (mprotect(host(m, address), bytes, PROT_READ | PROT_WRITE) != 0) return false;
    if (m->shadowed &&
        mprotect(host(m, address ^ MEMORY_SHADOW), bytes, PROT_READ | PROT_WRITE) != 0) {
        decommit(m, address, bytes);
        return false;
    }
    if (bytes >= HUGE_BYTES) madvise(host(m, address), bytes, MADV_HUGEPAGE);
    return true;
}

/* Mapping anew gives the pages back, forgets their content and what they were charged in one step.
 */
static bool take_back(const struct memory *m, uint32_t address, size_t bytes) {
    void *at = host(m, address);
    if (mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == at)
        return true;
    madvise(at, bytes, MADV_DONTNEED);
    return mprotect(at, bytes, PROT_NONE) == 0;
}

static bool decommit(const struct memory *m, uint32_t address, size_t bytes) {
    bool good = !m->shadowed || take_back(m, address ^ MEMORY_SHADOW, bytes);
    return take_back(m, address, bytes) && good;
}

/* How many spans the process may have with guards of their own. */
static unsigned guarded_most(void) {
    static atomic_uint known;
    unsigned most = atomic_load(&known);
    if (most) return most;
    char text[24] = "";
    int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    long mappings = n > 0 ? strtol(text, NULL, 10) : MAPPINGS;
    if (mappings > INT_MAX) mappings = INT_MAX;
    most =
        mappings > 2 * HOST_MAPPINGS ? (unsigned)(mappings - HOST_MAPPINGS) / 2 : HOST_MAPPINGS / 2;
    atomic_store(&known, most);
    return most;
}

static uint32_t span_address(const struct memory *m, const struct range *span) {
    return span->start * m->page;
}

/* Of the one allocation of a span. */
static uint32_t object_address(const struct memory *m, const struct range *span) {
    return span_address(m, span) + span->offset;
}

/* ---- released spans: they rest for a while, and may keep their pages ---- */

static struct range *resting(const struct memory *m, unsigned i) {
    return m->resting[(m->rest + i) % RESTING_MOST];
}

/* Gives the host what a resting span keeps; false: it could not be taken away. */
static bool give_kept(struct memory *m, struct range *span) {
    if (!span->bytes) return true;
    if (!decommit(m, span_address(m, span), (size_t)(span->size - 1) * m->page)) return false;
    m->kept -= span->bytes;
    span->bytes = 0;
    return true;
}

/* Pages that could not be taken away from use stay out of use: they may hold old data. */
static void wake_oldest(struct memory *m) {
    struct range *oldest = resting(m, 0);
    if (give_kept(m, oldest)) range_give(&m->pages, oldest);
    m->rest = (m->rest + 1) % RESTING_MOST;
    m->rests--;
}

/* Has a span that is released keep its pages, out of reach; false: it may not. */
static bool keep(struct memory *m, struct range *span, size_t bytes) {
    if (m->shadowed || bytes < KEPT_LEAST || bytes > KEPT_LARGEST) return false;
    for (unsigned i = 0; i < m->rests && m->kept + bytes > KEPT_MOST; i++)
        if (!give_kept(m, resting(m, i))) return false;
    if (mprotect(host(m, span_address(m, span)), bytes, PROT_NONE) != 0) return false;
    span->bytes = bytes;
    m->kept += bytes;
    return true;
}

/* Moves to a new span the pages of a resting one of at least its size and at most twice that, which
 * lies in huge pages as it does; true: it has pages, with old data. The old addresses still fault.
 */
static bool take_kept(struct memory *m, const struct range *span, size_t bytes) {
    struct range *best = NULL;
    char *to = host(m, span_address(m, span));
    for (unsigned i = 0; i < m->rests; i++) {
        struct range *r = resting(m, i);
        if (r->bytes < bytes || r->bytes / 2 > bytes || (best && r->bytes > best->bytes)) continue;
        if (bytes < HUGE_BYTES || (to - host(m, span_address(m, r))) % HUGE_PAGE == 0) best = r;
    }
    if (!best) return false;
    char *from = host(m, span_address(m, best));
    bool moved = mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) ==
                 (void *)to;
    if (!moved) take_back(m, span_address(m, span), bytes);
    give_kept(m, best);
    return moved;
}

/* dirty: whether it holds old data; NULL: it must not. */
static struct range *span_new(struct memory *m, uint64_t size, uint32_t align, bool *dirty) {
    uint64_t pages = (size + m->page - 1) / m->page + 1; /* the last one is the guard */
    uint32_t step = align > m->page ? align / m->page : 1;
    if (pages > HALF / m->page) return NULL;
    struct range *span = NULL;
    /* Where there is room to leave some unused it begins with a huge page. */
    if (size >= HUGE_BYTES && size <= m->limit / 64 && m->used <= m->limit / 4)
        span = range_take(&m->pages, (uint32_t)pages, HUGE_PAGE / m->page, true);
    while (!span && !(span = range_take(&m->pages, (uint32_t)pages, step, size >= HIGH_BYTES))) {
        if (!m->rests) return NULL;
        wake_oldest(m);
    }
    size_t bytes = (pages - 1) * m->page;
    if (dirty) *dirty = take_kept(m, span, bytes);
    if (!commit(m, span_address(m, span), bytes)) {
        if (!dirty || !*dirty || take_back(m, span_address(m, span), bytes))
            range_give(&m->pages, span);
        if (dirty) *dirty = false; /* what is taken in its place is not */
        return NULL;
    }
    atomic_fetch_add(&guarded, 1);
    m->spans++;
    return span;
}

static void span_free(struct memory *m, struct range *span) {
    atomic_fetch_sub(&guarded, 1);
    m->spans--;
    span->owner = NULL;
    span->bytes = 0;
    size_t bytes = (size_t)(span->size - 1) * m->page;
    if (!keep(m, span, bytes) && !decommit(m, span_address(m, span), bytes)) return;
    if (m->rests == RESTING_MOST) wake_oldest(m);
    m->resting[(m->rest + m->rests++) % RESTING_MOST] = span;
}

/* ---- slabs ---- */

static struct slab *slab_new(struct memory *m, uint32_t bytes) {
    struct slab *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    if (!range_add(&s->blocks, 0, bytes / LEAST_ALIGN) ||
        !(s->span = span_new(m, bytes, 1, NULL))) {
        range_clear(&s->blocks);
        free(s);
        return NULL;
    }
    s->span->owner = s;
    s->next = m->slabs;
    m->slabs = s;
    return s;
}

static void slab_free(struct memory *m, struct slab *s) {
    struct slab **at = &m->slabs;
    while (*at != s) at = &(*at)->next;
    *at = s->next;
    span_free(m, s->span);
    range_clear(&s->blocks);
    free(s);
}

/* The address of a block, and in *block its range; 0: no room. */
static uint32_t block_new(struct memory *m, uint64_t size, uint32_t align, struct range **block) {
    uint32_t units = (uint32_t)((size + LEAST_ALIGN - 1) / LEAST_ALIGN);
    for (struct slab *s = m->slabs; s; s = s->next)
        if ((*block = range_take(&s->blocks, units, align / LEAST_ALIGN, false)))
            return span_address(m, s->span) + (*block)->start * LEAST_ALIGN;
    struct slab *s = slab_new(m, SLAB_BYTES);
    if (!s) s = slab_new(m, SLAB_LARGEST + m->page);
    if (!s) return 0;
    if (!(*block = range_take(&s->blocks, units, align / LEAST_ALIGN, false))) {
        slab_free(m, s);
        return 0;
    }
    return span_address(m, s->span) + (*block)->start * LEAST_ALIGN;
}

/* Whole pages go back to the host, which reads as zero. */
static void zero_block(const struct memory *m, char *from, size_t bytes) {
    char *to = from + bytes;
    char *first = (char *)(((uintptr_t)from + m->page - 1) & -(uintptr_t)m->page);
    char *last = (char *)((uintptr_t)to & -(uintptr_t)m->page);
    if (first < last && madvise(first, (size_t)(last - first), MADV_DONTNEED) == 0) {
        memset(from, 0, (size_t)(first - from));
        memset(last, 0, (size_t)(to - last));
    } else {
        memset(from, 0, (size_t)(to - from));
    }
}

/* Blocks are zeroed when released. */
static void block_free(struct memory *m, struct slab *s, struct range *block) {
    uint32_t address = span_address(m, s->span) + block->start * LEAST_ALIGN;
    size_t bytes = (size_t)block->size * LEAST_ALIGN;
    zero_block(m, host(m, address), bytes);
    if (m->shadowed) zero_block(m, host(m, address ^ MEMORY_SHADOW), bytes);
    range_give(&s->blocks, block);
    if (range_empty(&s->blocks)) slab_free(m, s);
}

/* ---- the sandbox ---- */

static bool shadows; /* set once, before the first sandbox */

void memory_shadow(void) { shadows = true; }
bool memory_shadowed(const struct memory *m) { return m->shadowed; }

struct memory *memory_new(uint64_t bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_fork);
    long page = sysconf(_SC_PAGESIZE);
    struct memory *m = calloc(1, sizeof *m);
    if (!m || page < 1 || page > MEMORY_GUARD) return free(m), NULL;
    m->page = (uint32_t)page;
    m->limit = bytes;
    uint32_t half = (uint32_t)(HALF / m->page), all = 2 * half,
             apart = (END_BYTES + m->page - 1) / m->page;
    m->map_bytes = SPACE + 2 * (size_t)MEMORY_GUARD + BASE_ALIGN;
    m->map =
        mmap(NULL, m->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->map == MAP_FAILED) return free(m), NULL;
    uintptr_t low = ((uintptr_t)m->map + MEMORY_GUARD + BASE_ALIGN - 1) & -(uintptr_t)BASE_ALIGN;
    m->base = (char *)low + HALF;
    m->shadowed = shadows;
    if (!range_add(&m->pages, 1, half - apart - 1) ||
        (!shadows && !range_add(&m->pages, half + apart, all - half - apart - 1))) {
        memory_free(m);
        return NULL;
    }
    return m;
}

void memory_free(struct memory *m) {
    if (!m) return;
    lock_all();
    while (m->slabs) slab_free(m, m->slabs);
    atomic_fetch_sub(&guarded, m->spans);
    munmap(m->map, m->map_bytes);
    range_clear(&m->pages);
    unlock_all();
    free(m);
}

/* An allocation of its own pages; bytes: what it counts; offset: where in them, within the first
 * one, it begins; dirty: whether they hold old data. */
static uint32_t span_alloc(struct memory *m, uint64_t size, uint32_t align, uint64_t bytes,
                           uint32_t offset, bool *dirty) {
    struct range *span = span_new(m, size, align, dirty);
    if (!span) return 0;
    span->owner = m;
    span->bytes = bytes;
    span->offset = offset;
    m->used += bytes;
    return object_address(m, span);
}

/* Where an allocation begins whose end is to meet the guard, as nearly as its alignment lets it: an
 * access past the end is commoner than one before the beginning. */
static uint32_t offset_to_guard(const struct memory *m, uint64_t size, uint32_t align) {
    uint64_t room = (size + m->page - 1) / m->page * m->page;
    return (uint32_t)(room - size) & -align;
}

/* Clears the pages of an allocation, without the lock: nobody else knows of it. */
static void clear(const struct memory *m, uint32_t address, uint64_t size) {
    uint32_t first = address & -m->page;
    memset(host(m, first), 0, (size_t)(address - first + size + m->page - 1) & -(size_t)m->page);
}

static uint32_t block_alloc(struct memory *m, uint64_t size, uint32_t align) {
    struct range *block;
    uint32_t address = block_new(m, size, align, &block);
    if (!address) return 0;
    block->bytes = size;
    m->used += size;
    return address;
}

uint32_t memory_alloc(struct memory *m, uint64_t size, uint32_t align) {
    if (align < LEAST_ALIGN) align = LEAST_ALIGN;
    if (!size || size > HALF || align > BASE_ALIGN) return 0;
    bool fits_slab = size <= SLAB_LARGEST && align <= m->page, dirty = false;
    uint32_t address = 0;
    lock_all();
    if (size <= m->limit && m->used <= m->limit - size) {
        if (!fits_slab || atomic_load(&guarded) < guarded_most())
            address = span_alloc(m, size, align, size, offset_to_guard(m, size, align), &dirty);
        if (!address && fits_slab) address = block_alloc(m, size, align);
    }
    unlock_all();
    if (address && dirty) clear(m, address, size);
    return address;
}

uint32_t memory_reserve(struct memory *m, uint64_t size, uint32_t align) {
    if (!size || size > HALF || align > BASE_ALIGN) return 0;
    bool dirty = false;
    lock_all();
    uint32_t address = span_alloc(m, size, align, 0, 0, &dirty);
    unlock_all();
    if (address && dirty) clear(m, address, size);
    return address;
}

void memory_release(struct memory *m, uint32_t address) {
    if (!address) return;
    lock_all();
    struct range *span = range_find(&m->pages, address / m->page);
    if (span && span->owner == m && object_address(m, span) == address) {
        m->used -= span->bytes;
        span_free(m, span);
    } else if (span && span->owner && span->owner != m) {
        struct slab *s = span->owner;
        uint32_t offset = address - span_address(m, span);
        struct range *block = range_find(&s->blocks, offset / LEAST_ALIGN);
        if (block && block->start * LEAST_ALIGN == offset) {
            m->used -= block->bytes;
            block_free(m, s, block);
        }
    }
    unlock_all();
}

uint32_t memory_object(struct memory *m, uint32_t address, uint64_t *bytes) {
    uint32_t first = 0;
    lock_all();
    struct range *span = range_find(&m->pages, address / m->page), *found = NULL;
    if (span && span->owner == m) {
        found = span;
        first = object_address(m, span);
    } else if (span && span->owner) {
        struct slab *s = span->owner;
        uint32_t start = span_address(m, span);
        found = range_find(&s->blocks, (address - start) / LEAST_ALIGN);
        first = found ? start + found->start * LEAST_ALIGN : 0;
    }
    *bytes = found ? found->bytes : 0;
    unlock_all();
    return found && *bytes ? first : 0;
}

bool memory_protect(struct memory *m, uint32_t address) {
    lock_all();
    struct range *span = range_find(&m->pages, address / m->page);
    bool done = span && span->owner == m &&
                mprotect(host(m, address), (size_t)(span->size - 1) * m->page, PROT_READ) == 0;
    unlock_all();
    return done;
}

bool memory_lead(struct memory *m, uint32_t address, uint32_t bytes) {
    uint32_t none = bytes > m->page ? bytes - m->page : 0;
    if (none && mprotect(host(m, address), none, PROT_NONE) != 0) return false;
    if (mprotect(host(m, address + none), bytes - none, PROT_READ) != 0) return false;
    (void)*(volatile char *)host(m, address + none);
    return true;
}

char *memory_base(const struct memory *m) { return m->base; }

uint64_t memory_in_use(const struct memory *m) {
    lock_all();
    uint64_t used = m->used;
    unlock_all();
    return used;
}

bool memory_contains(const struct memory *m, const void *at) {
    return (uintptr_t)at - (uintptr_t)m->map < m->map_bytes;
}

struct memory_window *memory_window(struct memory *m, unsigned slot) {
    return &m->windows[slot];
}
