/* Locks that are held for moments only: worth a short spin, where the C library has it. */
#ifndef SIMTCL_LOCK_H
#define SIMTCL_LOCK_H

#include <pthread.h>

#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define LOCK_SHORT PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define LOCK_SHORT PTHREAD_MUTEX_INITIALIZER
#endif

#endif
