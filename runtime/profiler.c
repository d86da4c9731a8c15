#include "profiler.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "context.h"
#include "devices.h"
#include "log.h"
#include "motion.h"
#include "profiler_config.h"
#include "queue.h"
#include "scheduler.h"

struct profiler_log {
    const struct profiler_config *config;
    FILE *to;
    uint64_t opened; /* by the clock of events */
    pthread_mutex_t lock;
    /* under the lock: */
    bool closed; /* the context is gone; rows may still be waited for */
    struct profiler_slot *first, **last;
};

/* ---- opening ---- */

static atomic_bool writes;
bool profiler_writes(void) { return atomic_load_explicit(&writes, memory_order_relaxed); }

/* The path for a context and a process. Further contexts of a path without %d, and children of the
 * process that read the environment, have one of their own too. */
static bool path_of(const char *pattern, unsigned context, char *path, size_t size) {
    static _Atomic pid_t first;
    pid_t own = getpid(), none = 0;
    bool number = false, process = false;
    size_t n = 0;
    atomic_compare_exchange_strong(&first, &none, own);
    for (const char *at = pattern; *at && n < size; at++) {
        if (at[0] == '%' && (at[1] == 'd' || at[1] == 'p')) {
            bool is_number = *++at == 'd';
            n += (size_t)snprintf(path + n, size - n, "%ld", is_number ? (long)context : (long)own);
            number |= is_number;
            process |= !is_number;
        } else {
            path[n++] = *at;
        }
    }
    if (n < size) path[n] = '\0';
    if (n < size && !number && context) n += (size_t)snprintf(path + n, size - n, ".%u", context);
    if (n < size && !process && own != first)
        n += (size_t)snprintf(path + n, size - n, ".%ld", (long)own);
    return n < size;
}

/* Nanoseconds that make the time of day of a timestamp; the device's clock knows none. */
static uint64_t timestamp_factor(void) {
    if (clock_on()) return 0;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec - scheduler_now();
}

static void put_columns(const struct profiler_log *l) {
    const struct profiler_config *c = l->config;
    const char *between = "";
    for (unsigned f = 0; f <= PROFILER_FIELDS; f++) {
        if (f == PROFILER_COUNTERS_BEFORE)
            for (unsigned n = 0; n < c->ncounters; n++, between = ",")
                fprintf(l->to, "%s%s", between, gpu_counter_info[c->counters[n]].name);
        if (f == PROFILER_FIELDS || !c->fields[f]) continue;
        fprintf(l->to, "%s%s", between,
                c->csv ? profiler_field_info[f].columns : profiler_field_info[f].name);
        between = ",";
    }
    fputc('\n', l->to);
}

static void put_head(const struct profiler_log *l, cl_context context, unsigned number) {
    fprintf(l->to, "# OPENCL_PROFILE_LOG_VERSION 2.0\n");
    for (cl_uint n = 0; n < context->ndevices; n++)
        fprintf(l->to, "# OPENCL_DEVICE %u %s\n", (unsigned)context->devices[n]->index,
                context->devices[n]->model->name);
    fprintf(l->to, "# OPENCL_CONTEXT %u\n", number + 1);
    if (l->config->csv) fprintf(l->to, "# OPENCL_PROFILE_CSV 1\n");
    fprintf(l->to, "# TIMESTAMPFACTOR %" PRIx64 "\n", timestamp_factor());
    put_columns(l);
    fflush(l->to);
}

struct profiler_log *profiler_log_open(cl_context context) {
    static _Atomic unsigned contexts;
    const struct profiler_config *config = profiler_config_get();
    if (!config) return NULL;
    unsigned number = atomic_fetch_add(&contexts, 1);
    char path[4096];
    struct profiler_log *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    errno = ENAMETOOLONG;
    if (path_of(config->path, number, path, sizeof path)) l->to = fopen(path, "we");
    if (!l->to) {
        log_line(LOG_FAULT, "COMPUTE_PROFILE_LOG: %.500s cannot be written: %s", path,
                 strerror(errno));
        free(l);
        return NULL;
    }
    atomic_store(&writes, true);
    l->config = config;
    l->opened = clock_on() ? clock_host() : scheduler_now();
    l->last = &l->first;
    pthread_mutex_init(&l->lock, NULL);
    put_head(l, context, number);
    return l;
}

static void log_free(struct profiler_log *l) {
    fclose(l->to);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void profiler_log_close(struct profiler_log *l) {
    if (!l) return;
    pthread_mutex_lock(&l->lock);
    l->closed = true;
    bool waits = l->first;
    pthread_mutex_unlock(&l->lock);
    if (!waits) log_free(l);
}

bool profiler_log_counts(const struct profiler_log *l) { return l && l->config->ncounters; }

/* ---- rows ---- */

struct profiler_row {
    const char *method;
    const struct profiler_launch *launch; /* NULL: a copy */
    uint64_t start, end, enqueued, cpu;   /* nanoseconds; enqueued since the log's begin */
    unsigned stream;
    size_t bytes;
    enum motion_direction direction;
    bool locked;
};

enum { VALUES = 3 };

struct profiler_values {
    char text[VALUES][256];
    unsigned count;
};

static void add(struct profiler_values *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct profiler_values *v, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(v->text[v->count++], sizeof *v->text, format, list);
    va_end(list);
}

static void add_3(struct profiler_values *v, const uint32_t of[3]) {
    for (unsigned d = 0; d < 3; d++) add(v, "%" PRIu32, of[d]);
}

static void add_us(struct profiler_values *v, uint64_t ns) { add(v, "%.3f", (double)ns / 1000); }

/* Nothing where the row has no such field. */
static void values_of(const struct profiler_row *r, enum profiler_field field,
                      struct profiler_values *v) {
    const struct profiler_launch *l = r->launch;
    enum profiler_of of = profiler_field_info[field].of;
    v->count = 0;
    if ((of == PROFILER_KERNELS && !l) || (of == PROFILER_COPIES && l)) return;
    switch (field) {
    case PROFILER_gpustarttimestamp: add(v, "%" PRIx64, r->start); break;
    case PROFILER_gpuendtimestamp: add(v, "%" PRIx64, r->end); break;
    case PROFILER_timestamp: add_us(v, r->enqueued); break;
    case PROFILER_method: add(v, "%s", r->method); break;
    case PROFILER_gputime: add_us(v, r->end - r->start); break;
    case PROFILER_cputime: add_us(v, r->cpu); break;
    case PROFILER_ndrangesize: add_3(v, l->groups); break;
    case PROFILER_workgroupsize: add_3(v, l->local_size); break;
    case PROFILER_stapmemperworkgroup: add(v, "%" PRIu32, l->shared_bytes); break;
    case PROFILER_dynsmemperworkgroup: add(v, "%" PRIu32, l->dynamic_bytes); break;
    case PROFILER_regperworkitem: add(v, "%" PRIu32, l->registers); break;
    case PROFILER_occupancy:
        if (l) add(v, "%.3f", l->occupancy);
        break;
    case PROFILER_streamid: add(v, "%u", r->stream); break;
    case PROFILER_localworkgroupsize: add(v, "%d", !l->chosen); break;
    case PROFILER_memtransfersize: add(v, "%zu", r->bytes); break;
    case PROFILER_memtransferdir:
        if (r->direction != MOTION_ON_DEVICE) add(v, "%d", r->direction == MOTION_TO_HOST);
        break;
    case PROFILER_memtransferhostmemtype:
        if (r->direction != MOTION_ON_DEVICE) add(v, "%d", r->locked);
        break;
    case PROFILER_FIELDS: break;
    }
}

static unsigned columns_of(enum profiler_field field) {
    unsigned n = 1;
    for (const char *at = profiler_field_info[field].columns; *at; at++) n += *at == ',';
    return n;
}

static void put_field(const struct profiler_log *l, const struct profiler_row *r,
                      enum profiler_field field, const char **between) {
    struct profiler_values v;
    values_of(r, field, &v);
    if (l->config->csv) {
        for (unsigned n = 0; n < columns_of(field); n++, *between = ",")
            fprintf(l->to, "%s%s", *between, n < v.count ? v.text[n] : "");
    } else if (v.count) {
        fprintf(l->to, "%s%s=[ ", *between, profiler_field_info[field].name);
        for (unsigned n = 0; n < v.count; n++) fprintf(l->to, "%s%s", n ? ", " : "", v.text[n]);
        fprintf(l->to, " ]");
        *between = " ";
    }
}

static void put_counter(const struct profiler_log *l, const struct profiler_row *r,
                        enum gpu_counter c, const char **between) {
    const struct gpu_counters *counted = r->launch ? r->launch->counters : NULL;
    if (l->config->csv) {
        fprintf(l->to, "%s", *between);
        if (counted) fprintf(l->to, "%" PRIu64, counted->value[c]);
        *between = ",";
    } else if (counted) {
        fprintf(l->to, "%s%s=[ %" PRIu64 " ]", *between, gpu_counter_info[c].name,
                counted->value[c]);
        *between = " ";
    }
}

/* Under the lock. */
static void put_row(struct profiler_log *l, const struct profiler_row *r) {
    const struct profiler_config *c = l->config;
    const char *between = "";
    for (unsigned f = 0; f <= PROFILER_FIELDS; f++) {
        if (f == PROFILER_COUNTERS_BEFORE)
            for (unsigned n = 0; n < c->ncounters; n++) put_counter(l, r, c->counters[n], &between);
        if (f < PROFILER_FIELDS && c->fields[f]) put_field(l, r, (enum profiler_field)f, &between);
    }
    fputc('\n', l->to);
    fflush(l->to);
}

/* ---- rows that wait for their times ---- */

/* What a row points to is its own then. */
struct profiler_slot {
    struct profiler_slot *next;
    struct profiler_log *log;
    bool used, blocking, settled, timed;
    struct profiler_row row;
    struct profiler_launch launch;
    struct gpu_counters counters;
};

struct profiler_slot *profiler_slot_new(struct profiler_log *l) {
    struct profiler_slot *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->log = l;
    pthread_mutex_lock(&l->lock);
    *l->last = s;
    l->last = &s->next;
    pthread_mutex_unlock(&l->lock);
    return s;
}

/* Without memory for a kernel's name it has none. */
static void keep_row(struct profiler_slot *s, const struct profiler_row *r, bool blocking) {
    s->row = *r;
    s->used = true;
    s->blocking = blocking;
    if (!r->launch) return;
    s->launch = *r->launch;
    s->launch.kernel = strdup(r->launch->kernel);
    s->row.method = s->launch.kernel ? s->launch.kernel : "";
    s->row.launch = &s->launch;
    if (!s->launch.counters) return;
    s->counters = *s->launch.counters;
    s->launch.counters = &s->counters;
}

static void slot_free(struct profiler_slot *s) {
    if (s->row.launch) free((char *)s->launch.kernel);
    free(s);
}

/* One of the two things that it waits for has come: writes it, and what waited for it. */
static void slot_step(struct profiler_slot *s, bool *step) {
    struct profiler_log *l = s->log;
    pthread_mutex_lock(&l->lock);
    *step = true;
    while ((s = l->first) && s->settled && s->timed) {
        if (!(l->first = s->next)) l->last = &l->first;
        if (s->used) put_row(l, &s->row);
        slot_free(s);
    }
    bool over = l->closed && !l->first;
    pthread_mutex_unlock(&l->lock);
    if (over) log_free(l);
}

void profiler_slot_settle(struct profiler_slot *s) { slot_step(s, &s->settled); }

void profiler_slot_time(struct profiler_slot *s, const uint64_t times[EVENT_TIMES]) {
    struct profiler_row *r = &s->row;
    r->start = times[EVENT_START];
    r->end = times[EVENT_END];
    r->enqueued = times[EVENT_QUEUED] - s->log->opened;
    r->cpu = clock_call(times, s->blocking);
    slot_step(s, &s->timed);
}

/* Writes it, unless it has to wait for its times. */
static void tell_row(struct profiler_log *l, const struct command *c,
                     const struct profiler_row *r) {
    if (c->slot) {
        keep_row(c->slot, r, c->blocking);
    } else if (!clock_on()) {
        pthread_mutex_lock(&l->lock);
        put_row(l, r);
        pthread_mutex_unlock(&l->lock);
    }
}

static struct profiler_row row_of(const struct profiler_log *l, cl_event e) {
    const struct command *c = e->command;
    struct profiler_row r = {.stream = e->queue->stream, .enqueued = c->begun - l->opened};
    r.cpu = (c->blocking ? scheduler_now() : c->enqueued) - c->begun;
    return r;
}

void profiler_log_launch(struct profiler_log *l, cl_event e, const struct profiler_launch *launch) {
    struct profiler_row r = row_of(l, e);
    r.method = launch->kernel;
    r.launch = launch;
    r.start = launch->start;
    r.end = launch->end;
    tell_row(l, e->command, &r);
}

static const char *method_of(cl_command_type type, bool blocking) {
    if (type == CL_COMMAND_FILL_BUFFER || type == CL_COMMAND_FILL_IMAGE) return "memset";
    switch (motion_direction(type)) {
    case MOTION_TO_DEVICE: return blocking ? "memcpyHtoD" : "memcpyHtoDasync";
    case MOTION_TO_HOST: return blocking ? "memcpyDtoH" : "memcpyDtoHasync";
    default: return "memcpyDtoDasync";
    }
}

void profiler_log_copy(struct profiler_log *l, cl_event e) {
    const struct command *c = e->command;
    struct profiler_row r = row_of(l, e);
    if (!c->moves.bytes) return;
    r.method = method_of(e->type, c->blocking);
    r.direction = motion_direction(e->type);
    r.start = e->times[EVENT_START];
    r.end = scheduler_now();
    r.bytes = c->moves.bytes;
    r.locked = motion_locked(e);
    tell_row(l, c, &r);
}
