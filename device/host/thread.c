#include "thread.h"

#include <signal.h>

/* A new thread has the mask of the one that makes it. */
static bool create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = !pthread_create(thread, attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

bool thread_start(pthread_t *joined, size_t stack, void *(*run)(void *argument), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    size_t usual = 0;
    if (pthread_attr_init(&attributes)) return false;
    if (!joined) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (!pthread_attr_getstacksize(&attributes, &usual) && usual < stack)
        pthread_attr_setstacksize(&attributes, stack);
    bool made = create(joined ? joined : &thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return made;
}
