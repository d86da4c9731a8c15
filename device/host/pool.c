#include "pool.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "forks.h"
#include "cpus.h"
#include "local.h"
#include "lock.h"
#include "moment.h"
#include "stack.h"
#include "stay.h"
#include "thread.h"

enum {
    MOST_WORKERS = POOL_MAX_WORKERS - 64, /* the other slots are for helpers */
    SLOT_WORDS = POOL_MAX_WORKERS / 64,
    SPINS = 100,     /* looks for work before going to sleep: some microseconds */
    LOOK_NS = 30000, /* that one looks who was at a job with others: as long as waking it takes */
    NAP_NS = 100000, /* that a worker sleeps at a time while there are brief jobs; two of these are
                        the longest that one lies */
    WAKES = 2,       /* workers that one wakes, who wake others: a tree, not a queue */
    ALT_STACK = 64 << 10,
    LEAST_STACK = 2 << 20
};

static struct {
    _Alignas(POOL_LINE) pthread_mutex_t lock;
    struct job *first, *last; /* jobs with work to hand out, oldest first */
    unsigned started, idle;   /* workers there are, and those asleep */
    bool napping;             /* one of the sleepers wakes by itself */
    uint64_t briefs;          /* brief jobs so far, */
    uint64_t left;            /* those of them that nobody was called for, */
    uint64_t hurried;         /* and how many of the first are not to lie any longer */
} pool = {.lock = LOCK_SHORT};

/* What idle workers sleep on; each wake changes it. A condition variable would make who wakes wait
 * for sleepers of an earlier wake to be given a processor, which on a busy machine takes long. */
static _Alignas(POOL_LINE) atomic_uint calls;

/* nap: for a while only. True: that is over, and nobody has called. */
static bool sleep_until_called(unsigned seen, bool nap) {
    static const struct timespec a_while = {0, NAP_NS};
    long error =
        syscall(SYS_futex, &calls, FUTEX_WAIT_PRIVATE, seen, nap ? &a_while : NULL, NULL, 0);
    return nap && error && errno == ETIMEDOUT;
}

static void call_workers(unsigned n) {
    atomic_fetch_add(&calls, 1);
    syscall(SYS_futex, &calls, FUTEX_WAKE_PRIVATE, n < INT_MAX ? n : INT_MAX, NULL, NULL, 0);
}

static _Alignas(POOL_LINE)
    atomic_uint queued;     /* jobs in the list, to be looked at without the lock */
static atomic_uint looking; /* workers about to look for a job: they need no waking */
static atomic_uint working; /* threads that run pieces of jobs: workers, and those that help */
static _Alignas(POOL_LINE) atomic_uint threads; /* read by all, changed once */
static atomic_uint wanted;
static _Alignas(POOL_LINE) _Atomic uint64_t slots[SLOT_WORDS]; /* bits of the slots in use */
static THREAD_LOCAL uint64_t held[SLOT_WORDS];                 /* those of this thread */
static THREAD_LOCAL int spare; /* 1 + a slot that this thread holds and does not use, 0: none */
static THREAD_LOCAL unsigned depth; /* jobs that this thread is at, one within another */
static THREAD_LOCAL bool is_worker;

/* ---- fork: the child has one thread, and none of the jobs ---- */

static void before_fork(void) { pthread_mutex_lock(&pool.lock); }
static void after_fork(void) { pthread_mutex_unlock(&pool.lock); }

static void in_child(void) {
    pool.first = pool.last = NULL;
    pool.started = is_worker;
    pool.idle = 0;
    pool.napping = false;
    atomic_store(&queued, 0);
    atomic_store(&looking, 0);
    atomic_store(&working, depth > 0);
    atomic_store(&threads, 0);
    for (unsigned i = 0; i < SLOT_WORDS; i++) atomic_store(&slots[i], held[i]);
    after_fork();
}

/* Not when the pool is first asked for: another thread may fork just then, and its child would wait
 * for that to end. */
__attribute__((constructor)) static void pool_constructor(void) {
    static struct forks_watch watch = {before_fork, after_fork, in_child};
    forks_watch(&watch);
}

/* ---- slots ---- */

/* A free slot, the lowest: what is kept for it is most likely there already. -1: none. */
static int slot_take(void) {
    for (unsigned w = 0; w < SLOT_WORDS; w++) {
        uint64_t used = atomic_load(&slots[w]);
        while (~used) {
            uint64_t bit = ~used & (used + 1);
            if (!atomic_compare_exchange_weak(&slots[w], &used, used | bit)) continue;
            held[w] |= bit;
            return (int)(w * 64) + __builtin_ctzll(bit);
        }
    }
    return -1;
}

static void slot_give(int slot) {
    uint64_t bit = UINT64_C(1) << (slot % 64);
    held[slot / 64] &= ~bit;
    atomic_fetch_and(&slots[slot / 64], ~bit);
}

/* A slot to run in. While a thread ends a job it has that one's slot to spare: what it begins then
 * runs there, and gives it back when it has ended too. */
struct pool_place {
    int slot; /* -1: there is none */
    bool own; /* it is to be given back to the others */
};

static struct pool_place place_begin(void) {
    struct pool_place p = {spare - 1, !spare};
    spare = 0;
    if (p.own) p.slot = slot_take();
    return p;
}

/* Nothing runs there any more, but a job is to be ended. */
static void place_spare(struct pool_place p) {
    if (p.slot >= 0) spare = p.slot + 1;
}

static void place_end(struct pool_place p) {
    if (p.slot < 0 || !p.own) return;
    slot_give(p.slot);
    spare = 0;
}

/* ---- jobs ---- */

static void job_drop(struct job *job) {
    if (atomic_fetch_sub(&job->refs, 1) == 1) job->done(job);
}

static void unlink_job(struct job *job) {
    pthread_mutex_lock(&pool.lock);
    struct job *before = NULL, *at = pool.first;
    while (at && at != job) before = at, at = at->link;
    if (at) {
        *(before ? &before->link : &pool.first) = job->link;
        if (pool.last == job) pool.last = before;
        atomic_fetch_sub(&queued, 1);
    }
    pthread_mutex_unlock(&pool.lock);
}

/* ---- who works: as many threads as pool_threads says, those that help included ---- */

static bool all_work(void) { return atomic_load(&working) >= pool_threads(); }

static void work_begin(void) {
    if (!depth++) atomic_fetch_add(&working, 1);
}

/* The same for a thread that is not at work, if one more may be. */
static bool work_may_begin(void) {
    unsigned n = atomic_load(&working), allowed = pool_threads();
    do {
        if (n >= allowed) return false;
    } while (!atomic_compare_exchange_weak(&working, &n, n + 1));
    depth++;
    return true;
}

static void wake(unsigned most);

static bool work_end(void) {
    if (!--depth) atomic_fetch_sub(&working, 1);
    return !depth;
}

/* Workers look for the next job; in place of a thread that helped another one may come now. */
static void help_end(void) {
    if (work_end() && atomic_load(&queued)) wake(1);
}

/* Who helps with a job that nobody is at comes in any case: it may be what all others wait for. */
static bool help_may_begin(struct job *job) {
    bool may = !depth && work_may_begin();
    if (may) return true;
    pthread_mutex_lock(&pool.lock); /* workers come to jobs under it */
    may = depth || atomic_load(&job->refs) <= 1;
    pthread_mutex_unlock(&pool.lock);
    if (may) work_begin();
    return may;
}

/* ---- pieces ---- */

/* Runs chunks until none is left. The caller has a reference; whoever gets the last chunk takes the
 * job, and the reference that goes with it, off the list. */
static void run_chunks(struct job *job, unsigned slot) {
    for (;;) {
        uint64_t begin = atomic_fetch_add(&job->next, job->chunk);
        if (begin >= job->count) return;
        uint64_t end = job->count - begin > job->chunk ? begin + job->chunk : job->count;
        if (end == job->count) {
            unlink_job(job);
            atomic_fetch_sub(&job->refs, 1);
        }
        job->run(job, begin, end, slot);
    }
}

static bool work_left(const struct job *job) { return atomic_load(&job->next) < job->count; }

/* ---- workers ---- */

void pool_rest(void) {
#if defined __x86_64__
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

/* The host's handlers may ask for an alternate stack, and callbacks of the host run here too. */
static void own_alt_stack(void) {
    stack_t there;
    if (sigaltstack(NULL, &there) != 0 || !(there.ss_flags & SS_DISABLE)) return;
    void *at = mmap(NULL, ALT_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return;
    stack_t own = {.ss_sp = at, .ss_size = ALT_STACK};
    if (sigaltstack(&own, NULL) != 0) munmap(at, ALT_STACK);
}

/* Takes a reference to the oldest job, or gives NULL; called with the lock held. */
static struct job *oldest(void) {
    if (pool.first) atomic_fetch_add(&pool.first->refs, 1);
    return pool.first;
}

/* The same for a worker, who is at work then. */
static struct job *oldest_to_begin(void) {
    return pool.first && work_may_begin() ? oldest() : NULL;
}

/* Looks for a job for a while; longer when the last one was worth several threads, as the next one
 * then mostly is: it would be done before the system has woken them. Looking for as long as that
 * takes is at most twice as dear as whatever would have been best; threads that have work to do and
 * no processor come first. */
static void look(bool longer) {
    uint64_t end = longer ? moment_ns() + LOOK_NS : 0;
    for (;;) {
        for (unsigned i = 0; i < SPINS && !atomic_load(&queued); i++) pool_rest();
        if (!longer || atomic_load(&queued) || moment_ns() >= end) return;
        sched_yield();
    }
}

/* The naps of a worker, under the lock. Who submits a brief job while one naps, or looks for work,
 * calls nobody: it is left to who helps. It does not lie there for ever: nobody who naps or has
 * looked goes to sleep for good while one lies there, unless another one naps; and who takes a job
 * with others behind it calls workers, of whom one naps then. */
struct naps {
    uint64_t briefs; /* pool.briefs when the last one began */
    uint64_t seen;   /* the job that lay there first behind it, 0: none */
};

/* Is the first job left to who helps? As a rule one that a worker finds is just being fetched. */
static bool first_lies(void) { return pool.first && pool.first->left > pool.hurried; }

/* Naps cost more than sleep does: only while brief jobs come. */
static bool may_nap(const struct naps *n) {
    return !pool.napping && (pool.briefs != n->briefs || first_lies());
}

/* Nobody has called. What has lain there for two naps has lain long enough. */
static void nap_is_over(struct naps *n) {
    uint64_t seen = pool.first ? pool.first->left : 0;
    if (seen && seen == n->seen) pool.hurried = pool.left;
    n->seen = seen;
}

/* Sleeps until somebody calls, or naps. */
static void sleep_or_nap(struct naps *n) {
    bool nap = may_nap(n);
    if (nap) n->briefs = pool.briefs;
    pool.idle++;
    pool.napping |= nap;
    unsigned seen = atomic_load(&calls);
    pthread_mutex_unlock(&pool.lock);
    bool over = sleep_until_called(seen, nap);
    pthread_mutex_lock(&pool.lock);
    pool.idle--;
    pool.napping &= !nap;
    if (over) nap_is_over(n);
}

/* Waits for a job, and begins to work. */
static struct job *next_job(struct naps *naps, bool longer) {
    atomic_fetch_add(&looking, 1);
    look(longer);
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_sub(&looking, 1);
    struct job *job;
    while (!(job = first_lies() ? NULL : oldest_to_begin())) sleep_or_nap(naps);
    bool more = job->link || job->count - atomic_load(&job->next) > job->chunk;
    pthread_mutex_unlock(&pool.lock);
    if (more && work_left(job)) wake(WAKES);
    return job;
}

/* Only the signals that the thread's own instructions raise are its business. */
static void take_own_signals(void) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t taken;
    sigemptyset(&taken);
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++) sigaddset(&taken, own[i]);
    pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
}

static void *worker(void *unused) {
    (void)unused;
    is_worker = true;
    take_own_signals();
    pthread_setname_np(pthread_self(), "simtcl");
    own_alt_stack();
    stay_begin();
    int slot;
    struct naps naps = {0};
    bool shared = false; /* the last job was one for several threads */
    while ((slot = slot_take()) < 0) sched_yield();
    for (;;) {
        struct job *job = next_job(&naps, shared);
        shared = job->count > job->chunk;
        run_chunks(job, (unsigned)slot);
        work_end();
        spare = slot + 1;
        job_drop(job);
        spare = 0;
    }
    return NULL;
}

static bool start_worker(void) { return thread_start(NULL, LEAST_STACK, worker, NULL); }

/* With no worker to be had: runs all jobs in the list here. */
static void work_here(void) {
    int slot;
    while ((slot = slot_take()) < 0) sched_yield();
    for (;;) {
        pthread_mutex_lock(&pool.lock);
        struct job *job = oldest();
        pthread_mutex_unlock(&pool.lock);
        if (!job) break;
        work_begin();
        run_chunks(job, (unsigned)slot);
        work_end();
        job_drop(job);
    }
    slot_give(slot);
}

/* Sees to it that up to `most` workers come: those that are looking anyway, sleepers, or a new one.
 */
static void wake(unsigned most) {
    unsigned allowed = pool_threads(), coming = atomic_load(&looking);
    if (coming >= most || all_work()) return;
    most -= coming;
    pthread_mutex_lock(&pool.lock);
    unsigned sleepers = pool.idle < most ? pool.idle : most;
    bool start = !sleepers && pool.started < allowed;
    pool.started += start;
    pthread_mutex_unlock(&pool.lock);
    if (sleepers) call_workers(sleepers);
    if (!start || start_worker()) return;
    pthread_mutex_lock(&pool.lock);
    bool alone = !--pool.started;
    pthread_mutex_unlock(&pool.lock);
    if (alone) work_here();
}

/* ---- for others ---- */

void pool_limit(unsigned asked) { atomic_store(&wanted, asked); }

unsigned pool_threads(void) {
    unsigned n = atomic_load(&threads);
    if (n) return n;
    unsigned asked = atomic_load(&wanted);
    n = asked ? asked : cpus_allowed();
    if (n > MOST_WORKERS) n = MOST_WORKERS;
    atomic_store(&threads, n);
    return n;
}

static void prepare(struct job *job) {
    if (job->chunk < 1) job->chunk = 1;
    if (job->chunk > job->count) job->chunk = job->count;
    job->brief &= job->chunk == job->count;
    atomic_store_explicit(&job->next, 0, memory_order_relaxed); /* seen with its references */
    job->link = NULL;
}

/* With `refs` references a thread that helps may come, which it may before the job is in the list:
 * it can take the job off when it is. True: it is left to who helps, or naps. */
static bool push(struct job *job, unsigned refs) {
    pthread_mutex_lock(&pool.lock);
    bool left = job->brief && (pool.napping || atomic_load(&looking));
    job->left = left ? ++pool.left : 0;
    pool.briefs += job->brief;
    if (!left && pool.hurried != pool.left) pool.hurried = pool.left; /* a line of the cache's */
    atomic_store(&job->refs, refs);
    *(pool.last ? &pool.last->link : &pool.first) = job;
    pool.last = job;
    atomic_fetch_add(&queued, 1);
    pthread_mutex_unlock(&pool.lock);
    return left;
}

void pool_submit(struct job *job) {
    if (!job->count) {
        job->done(job);
        return;
    }
    unsigned wakes = job->count > job->chunk ? WAKES : 1;
    prepare(job);
    if (!push(job, 1)) wake(wakes);
}

void pool_hurry(void) {
    if (!atomic_load(&queued)) return;
    pthread_mutex_lock(&pool.lock);
    pool.hurried = pool.left;
    pthread_mutex_unlock(&pool.lock);
    wake(1);
}

/* May the calling thread run jobs? */
static bool may_work(void) { return is_worker || stack_suffices(); }

bool pool_help(struct job *job) {
    if (!atomic_load(&job->refs)) return true; /* done */
    if (!help_may_begin(job)) return false;
    unsigned refs = atomic_load(&job->refs);
    while (refs && !atomic_compare_exchange_weak(&job->refs, &refs, refs + 1)) continue;
    if (!refs) return help_end(), true;
    struct pool_place place = {-1, false};
    if (work_left(job) && may_work()) place = place_begin();
    bool helped = place.slot >= 0 || !work_left(job);
    if (place.slot >= 0) run_chunks(job, (unsigned)place.slot);
    help_end();
    place_spare(place);
    job_drop(job);
    place_end(place);
    return helped;
}

void pool_run(struct job *job) {
    struct pool_place place = {-1, false};
    if (job->count && may_work()) place = place_begin();
    if (place.slot < 0) {
        pool_submit(job);
        return;
    }
    prepare(job);
    work_begin();
    bool alone = job->chunk == job->count;
    if (alone) { /* without a reference, it is to others as one that has not been submitted */
        job->run(job, 0, job->count, (unsigned)place.slot);
    } else {
        push(job, 2); /* the list's and this thread's */
        wake(1);
        run_chunks(job, (unsigned)place.slot);
    }
    help_end();
    place_spare(place);
    if (alone)
        job->done(job);
    else
        job_drop(job);
    place_end(place);
}
