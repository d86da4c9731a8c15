#include "atwork.h"

#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t none;
    unsigned threads;
    bool stopped;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER, .none = PTHREAD_COND_INITIALIZER};

/* A child has none of the threads. */
static void before_fork(void) { pthread_mutex_lock(&work.lock); }
static void after_fork(void) { pthread_mutex_unlock(&work.lock); }
static void after_fork_in_child(void) {
    work.threads = 0;
    pthread_cond_init(&work.none, NULL);
    after_fork();
}

__attribute__((constructor)) static void module_loaded(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

bool atwork_begin(void) {
    pthread_mutex_lock(&work.lock);
    bool may = !work.stopped;
    work.threads += may;
    pthread_mutex_unlock(&work.lock);
    return may;
}

void atwork_end(void) {
    pthread_mutex_lock(&work.lock);
    if (!--work.threads) pthread_cond_broadcast(&work.none);
    pthread_mutex_unlock(&work.lock);
}

void atwork_stop(void) {
    pthread_mutex_lock(&work.lock);
    work.stopped = true;
    while (work.threads) pthread_cond_wait(&work.none, &work.lock);
    pthread_mutex_unlock(&work.lock);
}
