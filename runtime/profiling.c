#include "profiling.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "checking.h"
#include "clock.h"
#include "context.h"
#include "device/observe/counters_observer.h"
#include "device/observe/time_observer.h"
#include "env.h"
#include "log.h"
#include "outputs.h"
#include "platform.h"
#include "profiler.h"
#include "queue.h"
#include "reporting.h"

/* Who looks on at every launch: whom the environment asks for, and where the device's clock is on
 * the observer that it needs; the same with the counters. */
static struct observe_set always, counting;
static bool asked_counters;
static atomic_bool api_used;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Of how many work-groups one is counted: the first cluster gets each in its turn. */
static uint32_t read_scope(const struct model *model) {
    const char *scope = env_get(ENV_SIMTCL_PROFILE_SCOPE);
    if (!strcmp(scope, "nv") && clock_on()) {
        log_line(LOG_FAULT, "SIMTCL_PROFILE_SCOPE is nv, but SIMTCL_TIME=model needs all "
                            "work-groups: device is used");
        return 0;
    }
    if (!strcmp(scope, "nv")) return model_clusters(model);
    if (*scope && strcmp(scope, "device") != 0)
        log_line(LOG_FAULT,
                 "SIMTCL_PROFILE_SCOPE is \"%s\", known are device and nv: device is used", scope);
    return 0;
}

/* Nothing is waited for: of launches that are still running nothing is told. */
static void read_environment(void) {
    const char *unknown;
    int length;
    const struct model *model = platform_get()->model;
    const char *text = env_get(ENV_SIMTCL_PROFILE);
    char *rest = malloc(strlen(text) + 1); /* what is no output: observers */
    if (rest) outputs_begin(text, rest);
    const struct observe_set *asked =
        observe_configure(rest ? rest : "", model, read_scope(model), &unknown, &length);
    if (unknown) log_line(LOG_FAULT, "SIMTCL_PROFILE: there is no \"%.*s\"", length, unknown);
    free(rest);
    if (asked->count) atexit(observe_report);
    for (unsigned n = 0; n < asked->count; n++)
        asked_counters |= asked->list[n] == &counters_observer;
    always = *asked;
    if (clock_on()) observe_set_add(&always, &time_observer);
    if (reporting_on()) reporting_watch(&always);
    checking_watch(&always);
    counting = always;
    observe_set_add(&counting, &counters_observer);
}

void profiling_get_ready(void) { pthread_once(&once, read_environment); }

struct profiling_wish profiling_wish(cl_command_queue q) {
    cl_context c = q->context;
    bool begun = atomic_load_explicit(&q->profiles, memory_order_relaxed) ||
                 atomic_load_explicit(&c->profiles, memory_order_relaxed);
    bool kept = begun || (asked_counters && atomic_load(&api_used));
    return (struct profiling_wish){kept || profiler_log_counts(c->log) ? &counting : &always, kept};
}

void profiling_asked(void) { atomic_store(&api_used, true); }

static struct error count_of(cl_context c, cl_command_queue q, _Atomic uint32_t **count) {
    TRY(context_check(c));
    if (q && q->context != c)
        return fail(CL_INVALID_CONTEXT, "the queue belongs to another context");
    *count = q ? &q->profiles : &c->profiles;
    return OK;
}

struct error profiling_begin(cl_context c, cl_command_queue q) {
    _Atomic uint32_t *count;
    TRY(count_of(c, q, &count));
    atomic_fetch_add(count, 1);
    return OK;
}

struct error profiling_end(cl_context c, cl_command_queue q) {
    _Atomic uint32_t *count;
    TRY(count_of(c, q, &count));
    uint32_t begun = atomic_load(count);
    while (begun)
        if (atomic_compare_exchange_weak(count, &begun, begun - 1)) return OK;
    return fail(CL_INVALID_OPERATION, "profiling of the %s has not begun", q ? "queue" : "context");
}
