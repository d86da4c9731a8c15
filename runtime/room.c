#include "room.h"

#include <pthread.h>
#include <stdio.h>

#include "device/host/stack.h"

struct room_visit {
    struct error (*run)(void *argument);
    void *argument;
    pthread_t caller;
    struct error error;
    char why[FAIL_BYTES]; /* of an error that another thread has had */
};

static void visit(void *argument) {
    struct room_visit *v = argument;
    v->error = v->run(v->argument);
    if (!v->error.code || !v->error.why || pthread_equal(v->caller, pthread_self())) return;
    snprintf(v->why, sizeof v->why, "%s", v->error.why);
    v->error.why = v->why;
}

struct error room_call(struct error (*run)(void *argument), void *argument) {
    struct room_visit v = {.run = run, .argument = argument, .caller = pthread_self()};
    if (!stack_call(visit, &v)) return fail_memory();
    return v.error.why == v.why ? fail(v.error.code, "%s", v.why) : v.error;
}
