#include "forks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static _Atomic(struct forks_watch *) last;

/* What `before` was called of is what is called after: more may come in between. */
static _Thread_local const struct forks_watch *called;

static void before(void) {
    called = atomic_load(&last);
    for (const struct forks_watch *w = called; w; w = w->next) w->before();
}

/* The first one first. */
static void after(const struct forks_watch *w, bool child) {
    if (!w) return;
    after(w->next, child);
    (child ? w->in_child : w->in_parent)();
}

static void in_parent(void) { after(called, false); }
static void in_child(void) { after(called, true); }

__attribute__((constructor)) static void forks_constructor(void) {
    pthread_atfork(before, in_parent, in_child);
}

void forks_watch(struct forks_watch *watch) {
    struct forks_watch *head = atomic_load(&last);
    do {
        for (const struct forks_watch *w = head; w; w = w->next)
            if (w == watch) return;
        watch->next = head;
    } while (!atomic_compare_exchange_weak(&last, &head, watch));
}
