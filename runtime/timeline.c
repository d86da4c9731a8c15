#include "timeline.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/host/forks.h"

/* Records lie in blocks, so that none ever moves; a shape is kept once, in a table by its hash. */
enum { BLOCK = 1024, BLOCKS = TIMELINE_MOST / BLOCK, BUCKETS = 256 };

struct timeline_kept_shape {
    struct timeline_shape shape;
    struct timeline_kept_shape *next;
    char kernel[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static struct timeline_record *blocks[BLOCKS];
static uint32_t count;
static uint64_t beyond;
static struct timeline_kept_shape *shapes[BUCKETS];

static atomic_bool on;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void after_fork_in_child(void) { /* which has run no command yet */
    count = 0;
    beyond = 0;
    pthread_mutex_unlock(&lock);
}

static void begin(void) {
    static struct forks_watch watch = {before_fork, after_fork, after_fork_in_child};
    forks_watch(&watch);
    atomic_store(&on, true);
}

void timeline_begin(void) { pthread_once(&once, begin); }
bool timeline_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }

/* Under the lock; numbers begin at 1. */
static struct timeline_record *at(uint32_t number) {
    return &blocks[(number - 1) / BLOCK][(number - 1) % BLOCK];
}

/* Under the lock. */
static bool have_room(void) {
    if (count == TIMELINE_MOST) return false;
    struct timeline_record **block = &blocks[count / BLOCK];
    return *block || (*block = malloc(BLOCK * sizeof **block));
}

uint32_t timeline_add(const struct timeline_record *record) {
    if (!timeline_on()) return 0;
    uint32_t number = 0;
    pthread_mutex_lock(&lock);
    if (have_room())
        *at(number = ++count) = *record;
    else
        beyond++;
    pthread_mutex_unlock(&lock);
    return number;
}

static bool same_shape(const struct timeline_shape *a, const struct timeline_shape *b) {
    return !strcmp(a->kernel, b->kernel) && !memcmp(a->groups, b->groups, sizeof a->groups) &&
           !memcmp(a->local_size, b->local_size, sizeof a->local_size) &&
           a->registers == b->registers && a->shared_bytes == b->shared_bytes &&
           a->occupancy == b->occupancy;
}

static unsigned bucket_of(const struct timeline_shape *s) {
    uint32_t hash = s->shared_bytes;
    for (const char *c = s->kernel; *c; c++) hash = hash * 31 + (unsigned char)*c;
    for (int d = 0; d < 3; d++) hash = (hash * 31 + s->groups[d]) * 31 + s->local_size[d];
    return (hash ^ hash >> 8 ^ hash >> 16) % BUCKETS;
}

/* Under the lock. NULL: out of memory. */
static const struct timeline_shape *keep_shape(const struct timeline_shape *s) {
    struct timeline_kept_shape **bucket = &shapes[bucket_of(s)];
    for (struct timeline_kept_shape *k = *bucket; k; k = k->next)
        if (same_shape(&k->shape, s)) return &k->shape;
    size_t length = strlen(s->kernel) + 1;
    struct timeline_kept_shape *k = malloc(sizeof *k + length);
    if (!k) return NULL;
    memcpy(k->kernel, s->kernel, length);
    k->shape = *s;
    k->shape.kernel = k->kernel;
    k->next = *bucket;
    *bucket = k;
    return &k->shape;
}

void timeline_set_shape(uint32_t record, const struct timeline_shape *shape) {
    if (!record) return;
    pthread_mutex_lock(&lock);
    if (record <= count) at(record)->shape = keep_shape(shape);
    pthread_mutex_unlock(&lock);
}

void timeline_set_times(uint32_t record, const uint64_t times[EVENT_TIMES]) {
    if (!record) return;
    pthread_mutex_lock(&lock);
    if (record <= count) { /* otherwise of the parent */
        memcpy(at(record)->times, times, sizeof at(record)->times);
        at(record)->ended = true;
    }
    pthread_mutex_unlock(&lock);
}

uint64_t timeline_each(void (*each)(void *user, const struct timeline_record *record), void *user) {
    pthread_mutex_lock(&lock);
    for (uint32_t n = 1; n <= count; n++)
        if (at(n)->ended) each(user, at(n));
    uint64_t left_out = beyond;
    pthread_mutex_unlock(&lock);
    return left_out;
}
