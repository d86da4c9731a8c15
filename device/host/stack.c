#include "stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stay.h"
#include "thread.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum {
    ROOM = 256 << 10,    /* for native code with its spilled registers, and what it calls */
    VISIT = 2 << 20,     /* of a thread in place of one that has less */
    MAIN_MOST = 8 << 20, /* of the first thread's stack, where it has no limit */
    LEAST_FRAME = 2048,  /* that the kernel puts on the stack for a signal, where it does not say */
    HANDLER_BYTES = 4 << 10 /* of the handler itself */
};

/* The thread's own stack, as the C library made it. */
static _Thread_local uintptr_t low, high;

extern void *__libc_stack_end; /* glibc's: where the first thread's stack began */

static void measure(void) {
    pthread_attr_t attr;
    void *at = NULL;
    size_t bytes = 0;
    if (syscall(SYS_gettid) == getpid()) { /* pthread_getattr_np would read /proc/self/maps */
        struct rlimit r = {MAIN_MOST, MAIN_MOST};
        getrlimit(RLIMIT_STACK, &r);
        bytes = r.rlim_cur < MAIN_MOST ? (size_t)r.rlim_cur : MAIN_MOST;
        high = (uintptr_t)__libc_stack_end;
        low = high - bytes;
        return;
    }
    high = low = 1;
    if (pthread_getattr_np(pthread_self(), &attr)) return;
    if (!pthread_attr_getstack(&attr, &at, &bytes)) {
        low = (uintptr_t)at;
        high = low + bytes;
    }
    pthread_attr_destroy(&attr);
}

/* A thread without one takes signals on its own stack. */
static bool alternate_suffices(void) {
    stack_t s;
    if (stay_knows(STAY_STACK)) return true;
    unsigned long frame = getauxval(AT_MINSIGSTKSZ);
    bool is = sigaltstack(NULL, &s) || (s.ss_flags & SS_DISABLE) ||
              s.ss_size >= (frame ? frame : LEAST_FRAME) + HANDLER_BYTES;
    if (is) stay_learn(STAY_STACK);
    return is;
}

static bool has_room(void) {
    uintptr_t at = (uintptr_t)__builtin_frame_address(0);
    if (!high) measure();
    return at > low && at < high && at - low >= ROOM;
}

bool stack_suffices(void) { return has_room() && alternate_suffices(); }

struct stack_visit {
    void (*run)(void *argument);
    void *argument;
};

static void *visit(void *context) {
    const struct stack_visit *v = context;
    v->run(v->argument);
    return NULL;
}

bool stack_call(void (*run)(void *argument), void *argument) {
    if (has_room()) {
        run(argument);
        return true;
    }
    struct stack_visit v = {run, argument};
    pthread_t thread;
    int cancel;
    /* A host that cancels the caller must not leave the other with what is gone. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    bool done = thread_start(&thread, VISIT, visit, &v) && !pthread_join(thread, NULL);
    pthread_setcancelstate(cancel, NULL);
    return done;
}
