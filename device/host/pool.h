/* The host threads that run work: started when first needed, as many as the process may use
 * (affinity, cgroup quota) or as pool_limit says, detached, with every asynchronous signal blocked.
 *
 * A job is a range of indices shared out in chunks. Workers take the oldest job with work left. A
 * thread outside may help with a job (a tiny launch then costs no hand-over). So that such a job
 * does not cost the waking of a worker either, one of the workers naps while there are many: it
 * wakes by itself now and then, and takes what has been left lying. Survives fork: the child starts
 * with no workers and starts its own. */
#ifndef SIMTCL_POOL_H
#define SIMTCL_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    POOL_MAX_WORKERS = 256, /* slots; helpers from outside take slots too */
    POOL_LINE = 64 /* of the cache: what one thread writes is apart from what others read */
};

/* Embedded in its owner, who keeps it alive until `done` has been called. */
struct job {
    /* Runs indices [begin, end) on slot `slot` (< POOL_MAX_WORKERS; no two threads share one at a
     * time). */
    void (*run)(struct job *job, uint64_t begin, uint64_t end, unsigned slot);
    void (*done)(struct job *job); /* once, after the last index, on the thread that ran it; may
                                      free the job */
    uint64_t count;                /* indices */
    uint64_t chunk;                /* indices handed out at a time, at least 1 */
    bool brief; /* a lone chunk that takes less time than waking a worker does, and who submits it
                   mostly comes to help soon: it may lie for a while when a worker naps */
    /* the pool's: */
    struct job *link;
    uint64_t left; /* brief: its number among those for whom nobody was called, 0: it is none */
    char before[POOL_LINE];
    _Atomic uint64_t next;
    _Atomic unsigned
        refs; /* the queue's and one of each thread that is at it; the last to go calls done */
    char behind[POOL_LINE];
};

void pool_submit(
    struct job *job); /* never blocks; count 0 calls done at once. Only when no thread at all can be
                         started does the job run here, before pool_submit returns. */
void pool_run(struct job *job); /* pool_submit and pool_help in one, without waking a worker for a
                                   lone chunk */
bool pool_help(
    struct job *job); /* runs chunks of this job on the calling thread until none is left
                         to hand out; false when as many threads as there are to be are at work,
                         one of them at this job, when no slot was free, or the thread's stack is
                         too small. Jobs may still be running elsewhere. One that has not been
                         submitted, whose structure is zeroed, is left alone. The caller must own
                         the job's lifetime (a reference of its own to the owner). */
/* Nobody comes to help with what has been submitted so far: what lies there for that goes to a
 * worker now. Cheap when nothing does. */
void pool_hurry(void);
/* Between two looks at what another thread is about to change. */
void pool_rest(void);
/* How many threads are to work at once; 0: as many as the process may use. Before the first job. */
void pool_limit(unsigned threads);
/* How many workers there are or will be, and how many threads work at once, those that help
 * included; threads that pool_run keeps to their own jobs may be more. */
unsigned pool_threads(void);

#endif
