#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/host/cpus.h"
#include "message.h"
#include "spawn.h"

enum {
    MOST = 16,      /* processes at once for each kind of ask, if there are as many processors, */
    LEAST_MOST = 2, /* or so many */
    PLACES = 2 * MOST,
    MOST_IDLE = 2,   /* that are kept for later */
    GREETING_S = 60, /* that a process may take to begin, loading its libraries */
    PATH_BYTES = 4096
};

struct helper {
    struct spawn_process process;
    bool there, busy;
    bool greeted;        /* it has told of its build and libraries */
    enum wire_kind kind; /* what it was asked for last */
};

static struct {
    pthread_mutex_t lock; /* held while a process is started, so that no fork comes between */
    pthread_cond_t freed;
    struct helper helpers[PLACES];
    pid_t owner; /* the process whose helpers these are; 0: nobody's yet */
    char libclang[PATH_BYTES], llvm[PATH_BYTES]; /* written once, when `told` is false */
    bool told, watching;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};

/* ---- processes: under the pool's lock ---- */

/* What is the parent's is closed, not ended. */
static void forget_all(void) {
    for (int i = 0; i < PLACES; i++) {
        struct spawn_process *p = &pool.helpers[i].process;
        if (!pool.helpers[i].there) continue;
        if (p->socket >= 0) close(p->socket);
        if (p->pidfd >= 0) close(p->pidfd);
        pool.helpers[i] = (struct helper){0};
    }
}

static void before_fork(void) { pthread_mutex_lock(&pool.lock); }
static void after_fork(void) { pthread_mutex_unlock(&pool.lock); }
static void after_fork_in_child(void) {
    forget_all();
    pthread_cond_init(&pool.freed, NULL);
    after_fork();
}

__attribute__((constructor)) static void helper_constructor(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* A child that was made without the C library's fork has its parent's, too. */
static void check_owner(void) {
    if (pool.owner == getpid()) return;
    if (pool.owner) forget_all();
    pool.owner = getpid();
}

static void drop(struct helper *h) {
    spawn_end(&h->process);
    *h = (struct helper){0};
}

static bool start(const struct helper_place *place, struct helper *h, char *why) {
    char megabytes[16];
    char *arguments[] = {(char *)(uintptr_t)place->path, megabytes, NULL};
    char *environment[] = {NULL};
    const char *step;
    snprintf(megabytes, sizeof megabytes, "%u", place->megabytes);
    if (!place->path) {
        snprintf(why, HELPER_WHY_BYTES, "the compiler, simtcl-compile, is not there");
        return false;
    }
    if (!spawn_process(place->path, arguments, environment, place->keep_errors, &h->process,
                       &step)) {
        int error = errno;
        snprintf(why, HELPER_WHY_BYTES, "%.300s could not be started: %s: %s", place->path, step,
                 strerror(error));
        return false;
    }
    h->there = h->busy = true;
    return true;
}

/* One that is idle and alive, made busy; NULL: there is none. */
static struct helper *find_idle(void) {
    for (int i = 0; i < PLACES; i++) {
        struct helper *h = &pool.helpers[i];
        if (!h->there || h->busy) continue;
        if (!wire_closed(h->process.socket)) {
            h->busy = true;
            return h;
        }
        drop(h);
    }
    return NULL;
}

static struct helper *find_room(void) {
    for (int i = 0; i < PLACES; i++)
        if (!pool.helpers[i].there) return &pool.helpers[i];
    return NULL;
}

/* Are there as many at asks of the kind as there may be? Builds and kernels are counted apart: a
 * program that waits for a build does not wait for kernels that are compiled in the background. */
static bool many(enum wire_kind kind) {
    unsigned cpus = cpus_allowed(), n = 0;
    unsigned most = cpus < LEAST_MOST ? LEAST_MOST : cpus < MOST ? cpus : MOST;
    for (int i = 0; i < PLACES; i++) {
        const struct helper *h = &pool.helpers[i];
        n += h->there && h->busy && h->kind == kind;
    }
    return n >= most;
}

/* A busy helper for the caller alone; NULL, and why there is none. */
static struct helper *acquire(const struct helper_place *place, enum wire_kind kind, char *why) {
    struct helper *h = NULL;
    pthread_mutex_lock(&pool.lock);
    check_owner();
    while (many(kind)) {
        pthread_cond_wait(&pool.freed, &pool.lock);
        check_owner();
    }
    if (!(h = find_idle())) {
        struct helper *room = find_room(); /* as neither kind has all that it may have */
        if (room && start(place, room, why)) h = room;
    }
    if (h) h->kind = kind;
    pthread_mutex_unlock(&pool.lock);
    return h;
}

static void release(struct helper *h, bool good) {
    unsigned idle = 0;
    pthread_mutex_lock(&pool.lock);
    for (int i = 0; i < PLACES; i++) idle += pool.helpers[i].there && !pool.helpers[i].busy;
    h->busy = false;
    if (!good || idle >= MOST_IDLE) drop(h);
    pthread_cond_broadcast(&pool.freed); /* of either kind */
    pthread_mutex_unlock(&pool.lock);
}

/* ---- an ask ---- */

enum helper_outcome {
    ANSWERED,
    NO_HELPER,    /* none could be started, or not one of this build */
    OUT_OF_TIME,  /* more than it may take */
    OUT_OF_SPACE, /* more memory than it may have, or has */
    CRASHED,
    NONSENSE, /* it answered what is none */
    NO_MEMORY /* here */
};

struct ask {
    const struct helper_place *place;
    enum wire_kind kind;
    struct wire_out payload;
    const struct trace *trace;
    int folder;          /* the host's, or -1 */
    bool greeted, taken; /* how far the helper came */
    char *why;           /* of HELPER_WHY_BYTES: for NO_HELPER and CRASHED */
};

/* The helper's greeting: its build, where its libraries are. */
static bool take_hello(struct ask *a, struct helper *h, const struct wire_message *m) {
    struct wire_in i = {.at = m->bytes, .end = m->bytes ? m->bytes + m->length : NULL};
    const char *build = wire_take_string(&i), *libclang = wire_take_string(&i);
    const char *llvm = wire_take_string(&i);
    if (!build || strcmp(build, message_build) != 0) {
        snprintf(a->why, HELPER_WHY_BYTES, "%.300s belongs to another build of the driver",
                 a->place->path);
        return false;
    }
    pthread_mutex_lock(&pool.lock);
    h->greeted = true;
    if (!pool.told) {
        snprintf(pool.libclang, sizeof pool.libclang, "%s", libclang ? libclang : "");
        snprintf(pool.llvm, sizeof pool.llvm, "%s", llvm ? llvm : "");
        pool.told = true;
    }
    pthread_mutex_unlock(&pool.lock);
    return true;
}

static void take_text(const struct trace *t, const struct wire_message *m) {
    if (t && t->write)
        t->write(t->context, m->bytes, m->length);
    else if (m->length && write(STDERR_FILENO, m->bytes, m->length) < 0)
        return;
}

static enum helper_outcome take_death(struct ask *a, const struct wire_message *m) {
    static const char memory[] = "memory";
    if (m->length == strlen(memory) && !memcmp(m->bytes, memory, m->length)) return OUT_OF_SPACE;
    snprintf(a->why, HELPER_WHY_BYTES, "%.*s", (int)(m->length < 200 ? m->length : 200),
             m->bytes ? m->bytes : "");
    return CRASHED;
}

/* Until the answer has come, or what else ends the ask. */
static enum helper_outcome await_answer(struct ask *a, struct helper *h, int64_t deadline,
                                        struct wire_message *answer) {
    for (;;) {
        int64_t until = h->greeted ? deadline : deadline + GREETING_S * 1000;
        enum wire_status status = wire_receive(h->process.socket, answer, false, until);
        switch (status) {
        case WIRE_CLOSED: return CRASHED;
        case WIRE_LATE: return OUT_OF_TIME;
        case WIRE_DAMAGED: return NONSENSE;
        case WIRE_NO_MEMORY: return NO_MEMORY;
        case WIRE_OK: break;
        }
        enum helper_outcome end = ANSWERED;
        bool more = true;
        if (answer->kind == WIRE_HELLO && !h->greeted) {
            if (!take_hello(a, h, answer)) end = NO_HELPER;
            a->greeted = true;
        } else if (answer->kind == WIRE_TAKEN && h->greeted) {
            a->taken = true;
        } else if (answer->kind == WIRE_TEXT && a->taken) {
            take_text(a->trace, answer);
        } else if (answer->kind == WIRE_DIED) {
            end = take_death(a, answer);
        } else if (answer->kind == WIRE_DONE && a->taken) {
            more = false;
        } else {
            end = NONSENSE;
        }
        if (!more) return ANSWERED;
        free(answer->bytes);
        *answer = (struct wire_message){0};
        if (end != ANSWERED) return end;
    }
}

static enum helper_outcome talk(struct ask *a, struct helper *h, struct wire_message *answer) {
    int64_t deadline = wire_now() + (int64_t)a->place->seconds * 1000;
    a->greeted = h->greeted;
    a->taken = false;
    enum wire_status status = wire_send(h->process.socket, a->kind, a->payload.bytes,
                                        a->payload.length, a->folder, deadline);
    if (status == WIRE_LATE) return OUT_OF_TIME;
    return await_answer(a, h, deadline, answer); /* which may be why it was not sent */
}

/* Asks a helper. One that had ended before it took the ask (somebody killed it, or it had no memory
 * left) is no reason to fail: another is asked. With ANSWERED the caller frees answer->bytes, and
 * releases the helper when it has seen what the answer is worth. */
static enum helper_outcome exchange(struct ask *a, struct helper **answering,
                                    struct wire_message *answer) {
    enum helper_outcome outcome = NO_MEMORY;
    enum { TRIES = 3 };
    *answering = NULL;
    *answer = (struct wire_message){0};
    *a->why = 0;
    for (int i = 0; i < TRIES && !a->payload.failed; i++) {
        struct helper *h = acquire(a->place, a->kind, a->why);
        if (!h) return NO_HELPER;
        outcome = talk(a, h, answer);
        if (outcome == ANSWERED)
            *answering = h;
        else
            release(h, false);
        if (outcome != CRASHED || a->taken) break;
    }
    if (outcome == CRASHED && !a->greeted) {
        snprintf(a->why, HELPER_WHY_BYTES, "%.300s ended before it had begun", a->place->path);
        outcome = NO_HELPER;
    }
    return outcome;
}

/* What to tell of an outcome that is no answer. */
static void describe(const struct ask *a, enum helper_outcome outcome,
                     char text[HELPER_WHY_BYTES]) {
    char detail[256];
    switch (outcome) {
    case OUT_OF_TIME:
        snprintf(text, HELPER_WHY_BYTES,
                 "the compiler was stopped after %u seconds (SIMTCL_COMPILE_SECONDS)",
                 a->place->seconds);
        break;
    case OUT_OF_SPACE:
        snprintf(text, HELPER_WHY_BYTES,
                 "the compiler ran out of memory: it may have %u MB (SIMTCL_COMPILE_MEMORY)",
                 a->place->megabytes);
        break;
    case CRASHED:
        snprintf(detail, sizeof detail, "%.200s", a->why);
        snprintf(text, HELPER_WHY_BYTES, "the compiler crashed%s%s", *detail ? ": " : "", detail);
        break;
    case NONSENSE:
        snprintf(text, HELPER_WHY_BYTES, "the compiler answered what the driver does not accept");
        break;
    case NO_MEMORY: snprintf(text, HELPER_WHY_BYTES, "there is no memory"); break;
    case ANSWERED:
    case NO_HELPER: break;
    }
}

/* ---- outside ---- */

static bool fail_build(struct compiler_result *r, const struct ask *a,
                       enum helper_outcome outcome) {
    char text[HELPER_WHY_BYTES + 16], why[HELPER_WHY_BYTES];
    *r = (struct compiler_result){.status = COMPILER_NO_MEMORY};
    if (outcome == NO_MEMORY) return true;
    describe(a, outcome, why);
    snprintf(text, sizeof text, "error: %s\n", why);
    r->log = strdup(text);
    if (r->log) r->status = COMPILER_FAILED;
    return true;
}

bool helper_compile(const struct helper_place *place, const struct compiler_request *request,
                    struct compiler_result *result, char why[HELPER_WHY_BYTES]) {
    struct wire_message answer;
    struct helper *h;
    struct ask a = {.place = place, .kind = WIRE_COMPILE, .trace = request->trace, .why = why};
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    message_put_compile(&a.payload, request);
    int here = request->folder ? -1 : open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    a.folder = request->folder ? *request->folder : here;
    enum helper_outcome outcome = exchange(&a, &h, &answer);
    if (here >= 0) close(here);
    free(a.payload.bytes);
    if (outcome == ANSWERED && !message_take_compiled(&answer, result)) outcome = NONSENSE;
    if (h) release(h, outcome == ANSWERED);
    free(answer.bytes);
    pthread_setcancelstate(cancel, NULL);
    if (outcome == NO_HELPER) return false;
    return outcome == ANSWERED || fail_build(result, &a, outcome);
}

enum native_status helper_native(const struct helper_place *place,
                                 const struct native_request *request, struct native_object *object,
                                 char why[HELPER_WHY_BYTES]) {
    static const char *const reasons[] = {[NATIVE_OK] = "",
                                          [NATIVE_TOO_LARGE] = "it is too large to be compiled",
                                          [NATIVE_NO_MEMORY] = "there is no memory to compile it",
                                          [NATIVE_FAILED] = "it could not be compiled"};
    enum native_status status = NATIVE_FAILED;
    struct wire_message answer;
    struct helper *h;
    struct ask a = {
        .place = place, .kind = WIRE_NATIVE, .trace = request->trace, .folder = -1, .why = why};
    *object = (struct native_object){0};
    message_put_native(&a.payload, request);
    enum helper_outcome outcome = exchange(&a, &h, &answer);
    free(a.payload.bytes);
    if (outcome == ANSWERED && !message_take_object(&answer, request->kernel, &status, object))
        outcome = NONSENSE;
    if (h) release(h, outcome == ANSWERED);
    free(answer.bytes);
    if (outcome == ANSWERED)
        snprintf(why, HELPER_WHY_BYTES, "%s", reasons[status]);
    else
        describe(&a, outcome, why);
    return outcome == ANSWERED ? status : NATIVE_FAILED;
}

void helper_warm(const struct helper_place *place) {
    char why[HELPER_WHY_BYTES];
    bool any = false;
    pthread_mutex_lock(&pool.lock);
    check_owner();
    for (int i = 0; i < PLACES; i++) any |= pool.helpers[i].there;
    if (!any && place->path && start(place, &pool.helpers[0], why)) pool.helpers[0].busy = false;
    pthread_mutex_unlock(&pool.lock);
}

void helper_unload(void) {
    pthread_mutex_lock(&pool.lock);
    check_owner();
    for (int i = 0; i < PLACES; i++)
        if (pool.helpers[i].there && !pool.helpers[i].busy) drop(&pool.helpers[i]);
    pthread_mutex_unlock(&pool.lock);
}

static const char *told(const char *path) {
    pthread_mutex_lock(&pool.lock);
    bool there = pool.told && *path;
    pthread_mutex_unlock(&pool.lock);
    return there ? path : NULL;
}

const char *helper_libclang(void) { return told(pool.libclang); }
const char *helper_llvm(void) { return told(pool.llvm); }
