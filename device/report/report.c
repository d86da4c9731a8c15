#include "report.h"

#include <pthread.h>

#include "data.h"
#include "device/observe/counters_observer.h"
#include "device/observe/time_observer.h"
#include "device/observe/worst_observer.h"
#include "webpage.h"
#include "summary.h"

const struct observer *const report_observers[REPORT_OBSERVERS] = {&counters_observer,
                                                                   &time_observer, &worst_observer};

static struct {
    pthread_mutex_t lock;
    struct fold fold;
    struct baseline *before; /* NULL: none */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void report_lock(void) { pthread_mutex_lock(&all.lock); }
void report_unlock(void) { pthread_mutex_unlock(&all.lock); }

/* Under the lock. */
void report_forget(void) { folded_clear(&all.fold); }

bool report_compare(const char *path, char why[256]) {
    report_lock();
    if (!all.before) all.before = baseline_read(path, why);
    bool good = all.before;
    report_unlock();
    return good;
}

void report_add(const struct report_launch *l, const struct observer *who,
                const struct observe_result *result) {
    report_lock();
    folded_add(&all.fold, l, who, result);
    report_unlock();
}

bool report_any(void) {
    report_lock();
    bool any = all.fold.count;
    report_unlock();
    return any;
}

/* ---- at the end ---- */

static void write_with(const struct report_wish *wish, FILE *to,
                       void (*write)(const struct report_data *d, FILE *to)) {
    struct report_data d;
    report_lock();
    if (data_make(&d, &all.fold, wish, all.before)) write(&d, to);
    data_free(&d);
    report_unlock();
}

void report_write_page(const struct report_wish *wish, FILE *to) {
    write_with(wish, to, webpage_write);
}

void report_write_data(const struct report_wish *wish, FILE *to) {
    write_with(wish, to, data_write);
}

void report_write_text(const struct report_wish *wish, FILE *to) {
    write_with(wish, to, summary_write);
}
