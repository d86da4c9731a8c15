/* Threads of the driver's own in the host's process. Private to device/ and the runtime. */
#ifndef SIMTCL_THREAD_H
#define SIMTCL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts run(argument) on a thread that takes no signals: the host's are its own threads'. Its
 * stack is as large as the host has threads be, but at least `stack` bytes. joined: where the
 * handle goes, for pthread_join; NULL: the thread is detached. False: there is none to be had. */
bool thread_start(pthread_t *joined, size_t stack, void *(*run)(void *argument), void *argument);

#endif
