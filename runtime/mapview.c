#include "mapview.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checking.h"
#include "context.h"

enum {
    VIEWS = 1024,   /* at once, with those that nothing is mapped in */
    HITS = 8,       /* that are remembered of each */
    PARTS = 64,     /* mappings that are remembered of each */
    KEPT = 64 << 20 /* bytes whose content is kept of those that nothing is mapped in */
};

/* An access that was found, by the handler of the fault. */
struct mapview_hit {
    atomic_bool there;
    void *address, *at[2];
    bool write;
    uint32_t step; /* of the slot's, when it happened */
};

/* A mapping, for reports. */
struct mapview_part {
    size_t begin, end;
    uint32_t map, unmap;     /* calls; unmap 0: there was none */
    uint32_t opened, closed; /* by which step; closed 0: it is there */
    bool image, write;
    char object[96];
};

struct mapview {
    struct mapview *next; /* of all, the newest first */
    cl_mem root;          /* NULL: nothing is mapped in it, and nothing will be */
    char *device;         /* its bytes in the sandbox */
    unsigned slot, refs;  /* refs: of commands in flight */
    size_t bytes;
    bool emptied; /* its content is gone */
    struct mapping *mappings;
    uint32_t nparts;
    struct mapview_part parts[PARTS]; /* a ring */
};

/* What the handler looks at. */
static struct mapview_slot {
    _Atomic(char *) begin, end; /* NULL: there is none */
    _Atomic uint32_t steps;     /* mappings that were opened or closed */
    atomic_uint nhits;
    struct mapview_hit hits[HITS];
} slots[VIEWS];

static struct {
    pthread_mutex_t lock;
    struct mapview *newest;
    unsigned count;
    size_t kept;
    uint32_t maps[2], unmaps; /* calls */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void mapview_lock(void) { pthread_mutex_lock(&all.lock); }
void mapview_unlock(void) { pthread_mutex_unlock(&all.lock); }

void mapview_forget(void) {
    for (unsigned n = 0; n < VIEWS; n++) {
        for (unsigned h = 0; h < HITS; h++) atomic_store(&slots[n].hits[h].there, false);
        atomic_store(&slots[n].nhits, 0);
    }
}

/* ---- the handler ---- */

static struct mapview_slot *slot_of(const void *host) {
    for (unsigned n = 0; n < VIEWS; n++) {
        char *begin = atomic_load_explicit(&slots[n].begin, memory_order_acquire);
        if (begin && (const char *)host >= begin && (const char *)host < atomic_load(&slots[n].end))
            return &slots[n];
    }
    return NULL;
}

bool mapview_holds(const void *host) { return slot_of(host) != NULL; }

/* In a signal handler. All of the view is opened, so that the host goes on. */
static bool caught(void *address, bool write, void *const at[2]) {
    struct mapview_slot *s = slot_of(address);
    if (!s) return false;
    char *begin = atomic_load(&s->begin);
    if (mprotect(begin, (size_t)(atomic_load(&s->end) - begin), PROT_READ | PROT_WRITE) != 0)
        return false;
    unsigned n = atomic_fetch_add(&s->nhits, 1);
    if (n < HITS) {
        struct mapview_hit *h = &s->hits[n];
        h->address = address;
        h->write = write;
        h->step = atomic_load(&s->steps);
        memcpy(h->at, at, sizeof h->at);
        atomic_store(&h->there, true);
    }
    return true;
}

/* ---- telling ---- */

static const char *module_name(const Dl_info *i) {
    const char *slash = i->dli_fname ? strrchr(i->dli_fname, '/') : NULL;
    return slash ? slash + 1 : i->dli_fname ? i->dli_fname : "?";
}

/* Where the host's code was: a function's name where the loader knows it, or the place in its file.
 * What a function of the C library did its caller has done. */
static void say_where(void *const at[2], char *text, size_t size) {
    Dl_info i, caller;
    const void *place = at[1];
    *text = '\0';
    if (!dladdr(at[0], &i)) return;
    if (!strncmp(module_name(&i), "libc.", 5) && at[1] && dladdr(at[1], &caller))
        i = caller;
    else
        place = at[0];
    if (i.dli_sname)
        snprintf(text, size, "by %.60s of %.40s", i.dli_sname, module_name(&i));
    else
        snprintf(text, size, "by %.40s+0x%zx", module_name(&i),
                 (size_t)((const char *)place - (const char *)i.dli_fbase));
}

static bool holds(const struct mapview_part *p, size_t byte) {
    return byte >= p->begin && byte < p->end;
}

/* The newest mapping by then that had the byte, or else the newest. */
static const struct mapview_part *part_at(const struct mapview *v, size_t byte, uint32_t step) {
    const struct mapview_part *any = NULL;
    for (uint32_t n = v->nparts; n-- && n + PARTS >= v->nparts;) {
        const struct mapview_part *p = &v->parts[n % PARTS];
        if (p->opened > step) continue;
        if (holds(p, byte)) return p;
        if (!any) any = p;
    }
    return any;
}

static void tell_hit(const struct mapview *v, const struct mapview_hit *h) {
    size_t byte = (size_t)((char *)h->address - atomic_load(&slots[v->slot].begin));
    const struct mapview_part *p = part_at(v, byte, h->step);
    if (!p) return; /* it has been forgotten */
    bool gone = p->closed && p->closed <= h->step;
    enum check_rule rule = gone                         ? CHECK_unmapped
                           : h->write && holds(p, byte) ? CHECK_mapped_to_read
                                                        : CHECK_beyond_mapping;
    struct check_finding f = {.rule = rule, .severity = check_rules[rule].severity};
    char where[128];
    say_where(h->at, where, sizeof where);
    snprintf(f.party.subject, sizeof f.party.subject, "%s by the host",
             h->write ? "store" : "load");
    snprintf(f.object, sizeof f.object, "%s", p->object);
    int n = snprintf(f.detail, sizeof f.detail, "byte %zu, mapped by clEnqueueMap%s call %u", byte,
                     p->image ? "Image" : "Buffer", (unsigned)p->map);
    if (gone && p->unmap)
        n += snprintf(f.detail + n, sizeof f.detail - (size_t)n,
                      ", unmapped by clEnqueueUnmapMemObject call %u", (unsigned)p->unmap);
    else if (gone)
        n += snprintf(f.detail + n, sizeof f.detail - (size_t)n, ", released since");
    if (*where) snprintf(f.detail + n, sizeof f.detail - (size_t)n, ", %s", where);
    check_tell(&f);
}

static void tell_hits(const struct mapview *v) {
    for (unsigned n = 0; n < HITS; n++)
        if (atomic_exchange(&slots[v->slot].hits[n].there, false))
            tell_hit(v, &slots[v->slot].hits[n]);
}

void mapview_tell(void) {
    mapview_lock();
    for (const struct mapview *v = all.newest; v; v = v->next) tell_hits(v);
    mapview_unlock();
}

/* ---- views; all under the lock ---- */

static char *base_of(const struct mapview *v) { return atomic_load(&slots[v->slot].begin); }

/* A mapping's rows are whole: from its first byte to its last one. */
static void extent_of(const struct mapview *v, const struct mapping *p, size_t *begin,
                      size_t *end) {
    const struct copy *c = &p->back;
    *begin = (size_t)(c->to - v->device);
    *end = *begin + copy_extent(c->bytes, c->rows, c->slices, c->to_row, c->to_slice);
}

/* Gives the pages of a stretch what those who have them mapped need. */
static void protect(const struct mapview *v, size_t begin, size_t end) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    begin &= ~(page - 1);
    end = (end + page - 1) & ~(page - 1);
    for (size_t at = begin, from = begin; at < end; at = from) {
        int is = -1;
        for (; from < end; from += page) {
            int need = PROT_NONE;
            for (const struct mapping *p = v->mappings; p; p = p->beside) {
                size_t first, last;
                extent_of(v, p, &first, &last);
                if (first >= from + page || last <= from) continue;
                need |= p->write ? PROT_READ | PROT_WRITE : PROT_READ;
            }
            if (is >= 0 && need != is) break;
            is = need;
        }
        mprotect(base_of(v) + at, from - at, is);
    }
}

/* The driver is about to copy. */
static void open_pages(const struct mapview *v, size_t begin, size_t end) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), first = begin & ~(page - 1);
    mprotect(base_of(v) + first, end - first, PROT_READ | PROT_WRITE);
}

static void free_view(struct mapview *v) {
    struct mapview_slot *s = &slots[v->slot];
    char *begin = base_of(v);
    struct mapview **at = &all.newest;
    tell_hits(v);
    while (*at != v) at = &(*at)->next;
    *at = v->next;
    all.count--;
    if (!v->emptied) all.kept -= v->bytes;
    atomic_store(&s->begin, NULL);
    munmap(begin, v->bytes);
    free(v);
}

static struct mapview *oldest(bool full) {
    struct mapview *found = NULL;
    for (struct mapview *v = all.newest; v; v = v->next)
        if (!v->root && !v->refs && !(full && v->emptied)) found = v;
    return found;
}

/* Nothing is mapped in it any more. */
static void retire(struct mapview *v) {
    v->root->view = NULL;
    v->root = NULL;
    all.kept += v->bytes;
    for (struct mapview *old; all.kept > KEPT && (old = oldest(true));) {
        madvise(base_of(old), old->bytes, MADV_DONTNEED);
        old->emptied = true;
        all.kept -= old->bytes;
    }
}

static struct mapview *view_new(cl_mem root) {
    struct mapview *old;
    if (all.count == VIEWS && (old = oldest(false))) free_view(old);
    struct mapview *v = all.count < VIEWS ? calloc(1, sizeof *v) : NULL;
    if (!v) return NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    v->bytes = (root->size + page - 1) & ~(page - 1);
    char *base =
        mmap(NULL, v->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return free(v), NULL;
    while (atomic_load(&slots[v->slot].begin)) v->slot++;
    struct mapview_slot *s = &slots[v->slot];
    atomic_store(&s->nhits, 0);
    atomic_store(&s->steps, 0);
    atomic_store(&s->end, base + v->bytes);
    atomic_store_explicit(&s->begin, base, memory_order_release);
    v->root = root;
    v->device = mem_bytes(root);
    v->next = all.newest;
    all.newest = v;
    all.count++;
    return root->view = v;
}

static void note_part(struct mapview *v, cl_mem m, struct mapping *p) {
    struct mapview_part *part = &v->parts[v->nparts % PARTS];
    bool image = mem_is_image(m);
    *part = (struct mapview_part){.map = ++all.maps[image],
                                  .opened = atomic_fetch_add(&slots[v->slot].steps, 1) + 1,
                                  .image = image,
                                  .write = p->write};
    extent_of(v, p, &part->begin, &part->end);
    checking_describe(m, part->object, sizeof part->object);
    p->part = v->nparts++;
}

bool mapview_open(cl_mem m, struct mapping *p) {
    cl_mem root = mem_root(m);
    if (!checking_kind(CHECK_IS_api)) return false;
    if (!fault_watch(caught)) return false;
    mapview_lock();
    struct mapview *v = root->view ? root->view : view_new(root);
    if (v) {
        size_t begin, end;
        extent_of(v, p, &begin, &end);
        p->view = v;
        p->back.from = p->pointer = base_of(v) + begin;
        p->beside = v->mappings;
        v->mappings = p;
        note_part(v, m, p);
        protect(v, begin, end);
    }
    mapview_unlock();
    return v != NULL;
}

/* ---- copies ---- */

/* Bytes of a row of the view are fetched but for those of rows of other mappings that the host may
 * be writing: of `other` from row `row` on, and of those beside it. */
static void fetch(const struct mapview *v, const struct mapping *p, const struct mapping *other,
                  size_t row, char *from, char *to) {
    for (; other; other = other->beside, row = 0) {
        if (other == p || !other->write) continue;
        for (; row < other->back.rows * other->back.slices; row++) {
            char *begin = (char *)copy_row_from(&other->back, row),
                 *end = begin + other->back.bytes;
            if (begin >= to || end <= from) continue;
            if (begin > from) fetch(v, p, other, row + 1, from, begin);
            if (end >= to) return;
            from = end;
        }
    }
    if (from < to) memcpy(from, v->device + (from - base_of(v)), (size_t)(to - from));
}

void mapview_fetch(struct mapview *v, const struct mapping *p) {
    mapview_lock();
    const struct mapping *there = v->mappings;
    while (there && there != p) there = there->beside;
    if (there) {
        size_t begin, end;
        extent_of(v, p, &begin, &end);
        open_pages(v, begin, end);
        for (size_t row = 0; row < p->back.rows * p->back.slices; row++) {
            char *from = (char *)copy_row_from(&p->back, row);
            fetch(v, p, v->mappings, 0, from, from + p->back.bytes);
        }
        protect(v, begin, end);
    }
    mapview_unlock();
}

/* Has the host stored into what it had mapped to read, and gone on? */
static bool was_stored(const struct mapview *v) {
    for (unsigned n = 0; n < HITS; n++) {
        const struct mapview_hit *h = &slots[v->slot].hits[n];
        if (atomic_load(&h->there) && h->write) return true;
    }
    return false;
}

/* Which of several mappings with one pointer the host gives back it does not say: all that begin
 * where this one does are copied. */
static void give_back(const struct mapview *v, const struct mapping *p) {
    bool stored = was_stored(v);
    for (const struct mapping *other = v->mappings; other; other = other->beside) {
        size_t begin, end;
        if (other->pointer != p->pointer || !(other->write || stored)) continue;
        extent_of(v, other, &begin, &end);
        open_pages(v, begin, end);
        copy_now(&other->back);
        protect(v, begin, end);
    }
}

void mapview_close(struct mapping *p, bool lost) {
    struct mapview *v = p->view;
    size_t begin, end;
    mapview_lock();
    uint32_t step = atomic_fetch_add(&slots[v->slot].steps, 1) + 1;
    extent_of(v, p, &begin, &end);
    if (!lost) give_back(v, p);
    struct mapping **at = &v->mappings;
    while (*at != p) at = &(*at)->beside;
    *at = p->beside;
    if (v->nparts - p->part <= PARTS) {
        struct mapview_part *part = &v->parts[p->part % PARTS];
        part->unmap = p->unmap;
        part->closed = step;
    }
    protect(v, begin, end);
    if (!v->mappings) retire(v);
    mapview_unlock();
}

void mapview_retain(struct mapview *v) {
    if (!v) return;
    mapview_lock();
    v->refs++;
    mapview_unlock();
}

void mapview_release(struct mapview *v) {
    if (!v) return;
    mapview_lock();
    v->refs--;
    mapview_unlock();
}

uint32_t mapview_unmapping(void) {
    mapview_lock();
    uint32_t call = ++all.unmaps;
    mapview_unlock();
    return call;
}
