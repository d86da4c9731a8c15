#include "reporting.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/host/forks.h"
#include "clock.h"
#include "device/report/report.h"
#include "env.h"
#include "log.h"
#include "motion.h"
#include "platform.h"
#include "timeline.h"

static bool on; /* set once, before the first command */

static void after_fork_in_child(void) {
    report_forget();
    report_unlock();
}

void reporting_begin(void) {
    if (on) return;
    const char *baseline = env_get(ENV_SIMTCL_PROFILE_BASELINE);
    char why[256];
    on = true;
    if (*baseline && !report_compare(baseline, why)) log_line(LOG_FAULT, "SIMTCL_PROFILE: %s", why);
    timeline_begin();
    static struct forks_watch watch = {report_lock, report_unlock, after_fork_in_child};
    forks_watch(&watch);
}

bool reporting_on(void) { return on; }
bool reporting_any(void) { return report_any(); }

void reporting_watch(struct observe_set *set) {
    for (unsigned n = 0; n < REPORT_OBSERVERS; n++) observe_set_add(set, report_observers[n]);
}

/* ---- launches ---- */

static struct report_text text_of(void *user, uint32_t file) {
    const struct build *b = user;
    struct report_text text = {NULL, 0};
    const struct text_file *f = texts_find(&b->texts, file ? b->module->files[file] : "");
    if (!f || !(text.bytes = malloc(f->length + 1))) return text;
    memcpy(text.bytes, f->bytes, f->length + 1);
    text.length = f->length;
    return text;
}

void reporting_launch(const struct launch *l, const struct build *b, const struct observer *who,
                      const struct observe_result *result) {
    struct report_launch r = {.module = b->module, .text = text_of, .user = (void *)(uintptr_t)b};
    memcpy(r.global, l->global_size, sizeof r.global);
    memcpy(r.local, l->local_size, sizeof r.local);
    report_add(&r, who, result);
}

/* ---- the timeline ---- */

/* What is asked for: each span, or where the first one begins and how many there are. */
struct telling {
    void (*each)(void *to, const struct report_span *span);
    void *to;
    uint64_t begin;
    bool begun;
};

static void find_begin(void *user, const struct timeline_record *r) {
    struct telling *t = user;
    if (!t->begun || r->times[EVENT_QUEUED] < t->begin) t->begin = r->times[EVENT_QUEUED];
    t->begun = true;
}

/* In its queue, and where it has some of the device, there too. */
static void tell_record(void *user, const struct timeline_record *r) {
    const struct telling *t = user;
    char queue[64], engine[64];
    snprintf(queue, sizeof queue, r->context > 1 ? "queue %u of %u" : "queue %u",
             (unsigned)r->queue, (unsigned)r->context);
    snprintf(engine, sizeof engine, r->device ? "%s of %u" : "%s",
             r->engines == CLOCK_KERNELS ? "kernels" : "copies", r->device + 1u);
    struct report_span span = {.lane = queue,
                               .name = r->shape ? r->shape->kernel : motion_name(r->type),
                               .kind = r->shape   ? "kernel"
                                       : r->bytes ? "copy"
                                                  : "other",
                               .begin = (double)(r->times[EVENT_START] - t->begin) * 1e-9,
                               .end = (double)(r->times[EVENT_END] - t->begin) * 1e-9,
                               .bytes = r->bytes};
    t->each(t->to, &span);
    span.lane = engine;
    if (r->engines) t->each(t->to, &span);
}

static uint64_t tell_timeline(void (*each)(void *to, const struct report_span *span), void *to) {
    struct telling t = {.each = each, .to = to};
    timeline_each(find_begin, &t);
    return timeline_each(tell_record, &t);
}

/* ---- at the end ---- */

static const struct model *find_board(void) {
    const char *name = env_get(ENV_SIMTCL_PROFILE_BOARD);
    const struct model *m = *name ? model_find(name) : NULL;
    if (*name && !m)
        log_line(LOG_FAULT, "SIMTCL_PROFILE_BOARD is \"%s\", which is no board of models.def",
                 name);
    return m;
}

static struct report_wish wish(void) {
    const char *baseline = env_get(ENV_SIMTCL_PROFILE_BASELINE);
    return (struct report_wish){.model = platform_get()->model,
                                .board = find_board(),
                                .program = program_invocation_short_name,
                                .baseline = *baseline ? baseline : NULL,
                                .model_clock = clock_on(),
                                .timeline = tell_timeline};
}

void reporting_write_page(FILE *to) {
    struct report_wish w = wish();
    report_write_page(&w, to);
    report_write_text(&w, stderr);
}

void reporting_write_data(FILE *to) {
    struct report_wish w = wish();
    report_write_data(&w, to);
}
