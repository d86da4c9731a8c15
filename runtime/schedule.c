#include "schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "kernel.h"
#include "log.h"

static struct {
    enum launch_order order;
    uint64_t seed;
    uint64_t trials; /* orders that each launch is tried in; 0: none */
} schedule;

enum { MOST_TRIALS = 1000000 };

void schedule_configure(const char *text) {
    static const char all[] = "all:";
    bool tries = !strncmp(text, all, sizeof all - 1);
    const char *number = tries ? text + sizeof all - 1 : text;
    char *end;
    if (!*text) return;
    uint64_t n = strtoull(number, &end, 10);
    if (*end || *number < '0' || *number > '9' || (tries && (!n || n > MOST_TRIALS))) {
        log_line(LOG_FAULT,
                 "SIMTCL_SCHEDULE is \"%s\", known are a seed, a number, and all:N with N from 1 "
                 "to %d: it is "
                 "left out",
                 text, MOST_TRIALS);
        return;
    }
    schedule.order = tries ? LAUNCH_IN_TURN : LAUNCH_SHUFFLED;
    schedule.seed = tries ? 0 : n;
    schedule.trials = tries ? n : 0;
}

void schedule_apply(struct launch *l) {
    l->order = schedule.order;
    l->seed = schedule.seed;
}

/* ---- all:N ---- */

/* The memory that a launch may write: before it, and behind the first order. */
struct trial_memory {
    cl_mem mem; /* whose bytes they are */
    char *before, *after;
};

struct schedule_trials {
    struct launch launch;
    const struct launch *first;
    uint64_t seed;      /* of the order that runs */
    uint64_t differing; /* orders so far whose results were others */
    uint64_t shown;     /* the first of them */
    char text[256];     /* its difference */
    void (*done)(void *user);
    void *user;
    uint32_t count;
    struct trial_memory memory[];
};

void schedule_give_up(struct schedule_trials *t) {
    if (!t) return;
    for (uint32_t n = 0; n < t->count; n++) {
        free(t->memory[n].before);
        free(t->memory[n].after);
    }
    free(t);
}

static char *copy_of(cl_mem mem) {
    char *copy = malloc(mem->size + 1);
    return copy ? memcpy(copy, mem_bytes(mem), mem->size) : NULL;
}

static bool add(struct schedule_trials *t, struct object *o) {
    if (object_kind_of(o) != OBJECT_mem) return true;
    cl_mem root = mem_root((cl_mem)o);
    for (uint32_t n = 0; n < t->count; n++)
        if (t->memory[n].mem == root) return true;
    struct trial_memory *m = &t->memory[t->count++];
    *m = (struct trial_memory){.mem = root, .before = copy_of(root)};
    return m->before != NULL;
}

struct schedule_trials *schedule_begin(struct launch *first, struct object *const objects[],
                                       uint32_t count) {
    if (!schedule.trials) return NULL;
    struct schedule_trials *t = calloc(1, sizeof *t + count * sizeof *t->memory);
    bool good = t != NULL;
    for (uint32_t n = 0; good && n < count; n++) good = add(t, objects[n]);
    if (good) {
        t->first = first;
        return t;
    }
    schedule_give_up(t);
    log_line(LOG_FAULT, "kernel \"%s\" is not tried in other orders: no memory for copies",
             first->kernel->name);
    return NULL;
}

/* The argument whose memory that is. */
static const char *name_of(const struct schedule_trials *t, const struct trial_memory *m) {
    const struct isa_kernel *k = t->first->kernel;
    for (uint32_t n = 0; n < k->nparams; n++) {
        uint32_t address;
        if (k->params[n].kind != ISA_PARAM_GLOBAL) continue;
        memcpy(&address, (const char *)t->first->params + k->params[n].offset, sizeof address);
        if (address - m->mem->address < m->mem->size) return k->params[n].name;
    }
    return NULL;
}

/* Says where the memory differs from what the first order left. False: nowhere. */
static bool differs(struct schedule_trials *t, const struct trial_memory *m) {
    const char *now = mem_bytes(m->mem);
    size_t size = m->mem->size, at = 0;
    if (!memcmp(now, m->after, size)) return false;
    while (now[at] == m->after[at]) at++;
    at &= ~(size_t)3;
    uint32_t word[2] = {0};
    size_t bytes = size - at < 4 ? size - at : 4;
    memcpy(&word[0], m->after + at, bytes);
    memcpy(&word[1], now + at, bytes);
    const char *name = name_of(t, m);
    if (!t->shown)
        snprintf(t->text, sizeof t->text,
                 "argument \"%s\", byte %zu of %zu: 0x%08" PRIx32 ", and 0x%08" PRIx32,
                 name ? name : "?", at, size, word[0], word[1]);
    return true;
}

static void compare(struct schedule_trials *t) {
    bool other = false;
    if (t->launch.fault.kind != FAULT_NONE) {
        other = true;
        if (!t->shown) fault_describe(&t->launch.fault, t->text, sizeof t->text);
    }
    for (uint32_t n = 0; n < t->count && !other; n++) other = differs(t, &t->memory[n]);
    if (!other) return;
    if (!t->shown) t->shown = t->seed;
    t->differing++;
}

static void tell(const struct schedule_trials *t) {
    const char *name = t->first->kernel->name;
    if (!t->differing) return;
    log_line(LOG_FAULT,
             "kernel \"%s\" gives other results in other orders: %s with SIMTCL_SCHEDULE=%" PRIu64
             "; in %" PRIu64 " of %" PRIu64 " orders",
             name, t->text, t->shown, t->differing, schedule.trials);
}

static void end(struct schedule_trials *t) {
    for (uint32_t n = 0; n < t->count; n++)
        memcpy(mem_bytes(t->memory[n].mem), t->memory[n].after, t->memory[n].mem->size);
    tell(t);
    void (*done)(void *) = t->done;
    void *user = t->user;
    schedule_give_up(t);
    done(user);
}

static void try_next(struct schedule_trials *t);

static void tried(struct launch *l) {
    struct schedule_trials *t = l->user;
    compare(t);
    try_next(t);
}

static void try_next(struct schedule_trials *t) {
    if (++t->seed > schedule.trials) {
        end(t);
        return;
    }
    for (uint32_t n = 0; n < t->count; n++)
        memcpy(mem_bytes(t->memory[n].mem), t->memory[n].before, t->memory[n].mem->size);
    const struct launch *first = t->first;
    t->launch = (struct launch){.executable = first->executable,
                                .kernel = first->kernel,
                                .work_dim = first->work_dim,
                                .params = first->params,
                                .local_args = first->local_args,
                                .nlocal_args = first->nlocal_args,
                                .local_bytes = first->local_bytes,
                                .resources = first->resources,
                                .textures = first->textures,
                                .ntextures = first->ntextures,
                                .order = LAUNCH_SHUFFLED,
                                .seed = t->seed,
                                .addresses = first->addresses,
                                .finished = tried,
                                .user = t};
    memcpy(t->launch.global_size, first->global_size, sizeof first->global_size);
    memcpy(t->launch.local_size, first->local_size, sizeof first->local_size);
    memcpy(t->launch.offset, first->offset, sizeof first->offset);
    if (launch_start(&t->launch)) return;
    log_line(LOG_FAULT, "kernel \"%s\" is not tried in all orders: no memory", first->kernel->name);
    end(t);
}

void schedule_try(struct schedule_trials *t, void (*done)(void *user), void *user) {
    t->done = done;
    t->user = user;
    for (uint32_t n = 0; n < t->count; n++) {
        if ((t->memory[n].after = copy_of(t->memory[n].mem))) continue;
        log_line(LOG_FAULT, "kernel \"%s\" is not tried in other orders: no memory for copies",
                 t->first->kernel->name);
        schedule_give_up(t);
        done(user);
        return;
    }
    try_next(t);
}
