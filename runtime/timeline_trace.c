/* The timeline in Chrome's trace format: an object of JSON with the list traceEvents, times in
 * microseconds from the first command on. Process 1 is the board, with a thread for each engine;
 * process 1 + n is the n-th context, with a thread for each queue. */
#include <inttypes.h>
#include <stdlib.h>

#include "clock.h"
#include "motion.h"
#include "platform.h"
#include "timeline.h"

/* A thread of the trace that has been named. */
struct trace_thread {
    uint32_t process, thread;
};

struct trace_file {
    FILE *to;
    uint64_t begin; /* of the first command */
    bool begun;
    const char *between;
    struct trace_thread *threads;
    size_t nthreads;
};

static void put_text(struct trace_file *f, const char *text) {
    fputc('"', f->to);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(f->to, "\\%c", c);
        else if (c < ' ')
            fprintf(f->to, "\\u%04x", c);
        else
            fputc(c, f->to);
    }
    fputc('"', f->to);
}

static void put_us(struct trace_file *f, const char *key, uint64_t ns) {
    fprintf(f->to, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void put_begin(struct trace_file *f, const char *kind, uint32_t process, uint32_t thread) {
    fprintf(f->to, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, f->between, kind,
            process, thread);
    f->between = ",";
}

static void put_name(struct trace_file *f, const char *what, uint32_t process, uint32_t thread,
                     const char *name) {
    put_begin(f, "M", process, thread);
    fprintf(f->to, ",\"name\":\"%s\",\"args\":{\"name\":", what);
    put_text(f, name);
    fputs("}}", f->to);
}

/* At the first event of a thread: its name, and that of a process at its first thread. Without
 * memory they have none. */
static void name_thread(struct trace_file *f, uint32_t process, uint32_t thread, const char *who,
                        const char *name) {
    bool known = false;
    for (size_t n = 0; n < f->nthreads; n++) {
        known |= f->threads[n].process == process;
        if (f->threads[n].process == process && f->threads[n].thread == thread) return;
    }
    struct trace_thread *grown = realloc(f->threads, (f->nthreads + 1) * sizeof *grown);
    if (!grown) return;
    f->threads = grown;
    f->threads[f->nthreads++] = (struct trace_thread){process, thread};
    if (!known) put_name(f, "process_name", process, 0, who);
    put_name(f, "thread_name", process, thread, name);
}

static void put_3(struct trace_file *f, const char *key, const uint32_t of[3]) {
    fprintf(f->to, ",\"%s\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", key, of[0], of[1], of[2]);
}

static void put_args(struct trace_file *f, const struct timeline_record *r) {
    static const char *const directions[] = {"none", "to device", "to host", "on device"};
    const struct timeline_shape *s = r->shape;
    fprintf(f->to, ",\"args\":{\"context\":%" PRIu32 ",\"queue\":%" PRIu32, r->context, r->queue);
    put_us(f, "queued", r->times[EVENT_QUEUED] - f->begin);
    put_us(f, "submitted", r->times[EVENT_SUBMIT] - f->begin);
    if (s) {
        put_3(f, "groups", s->groups);
        put_3(f, "local_size", s->local_size);
        fprintf(f->to, ",\"registers\":%" PRIu32 ",\"shared_bytes\":%" PRIu32, s->registers,
                s->shared_bytes);
        fprintf(f->to, ",\"occupancy\":%.3f,\"limit\":\"%s\"", s->occupancy, s->limiter);
    } else if (r->bytes) {
        enum motion_direction direction = motion_direction(r->type);
        fprintf(f->to, ",\"bytes\":%" PRIu64 ",\"direction\":\"%s\"", r->bytes,
                directions[direction]);
        if (direction != MOTION_ON_DEVICE)
            fprintf(f->to, ",\"page_locked\":%s", r->locked ? "true" : "false");
    }
    fputs("}}", f->to);
}

/* The command as a stretch of a thread; a moment when it took no time. */
static void put_command(struct trace_file *f, const struct timeline_record *r, uint32_t process,
                        uint32_t thread) {
    uint64_t start = r->times[EVENT_START], took = r->times[EVENT_END] - start;
    put_begin(f, took ? "X" : "i", process, thread);
    fputs(",\"name\":", f->to);
    put_text(f, r->shape ? r->shape->kernel : motion_name(r->type));
    fprintf(f->to, ",\"cat\":\"%s\"", r->shape ? "kernel" : r->bytes ? "copy" : "other");
    put_us(f, "ts", start - f->begin);
    if (took)
        put_us(f, "dur", took);
    else
        fputs(",\"s\":\"t\"", f->to);
    put_args(f, r);
}

static void find_begin(void *user, const struct timeline_record *r) {
    struct trace_file *f = user;
    if (!f->begun || r->times[EVENT_QUEUED] < f->begin) f->begin = r->times[EVENT_QUEUED];
    f->begun = true;
}

static void put_record(void *user, const struct timeline_record *r) {
    struct trace_file *f = user;
    char name[64], who[64];
    snprintf(who, sizeof who, "context %" PRIu32, r->context);
    snprintf(name, sizeof name, "queue %" PRIu32, r->queue);
    name_thread(f, 1 + r->context, r->queue, who, name);
    put_command(f, r, 1 + r->context, r->queue);
    if (!r->engines) return;
    bool kernels = r->engines == CLOCK_KERNELS;
    uint32_t thread = 1 + 2u * r->device + !kernels;
    snprintf(name, sizeof name, "device %u: %s", r->device, kernels ? "kernels" : "copies");
    name_thread(f, 1, thread, platform_get()->model->name, name);
    put_command(f, r, 1, thread);
}

void timeline_write_trace(FILE *to) {
    struct trace_file f = {.to = to, .between = ""};
    fputs("{\"traceEvents\":[", to);
    timeline_each(find_begin, &f);
    uint64_t beyond = timeline_each(put_record, &f);
    fprintf(to, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"device\":");
    put_text(&f, platform_get()->model->name);
    fprintf(to, ",\"time\":\"%s\",\"commands_left_out\":%" PRIu64 "}}\n",
            clock_on() ? "model" : "wall", beyond);
    free(f.threads);
}
