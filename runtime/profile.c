#include "profile.h"

#include <pthread.h>
#include <stdlib.h>

#include "env.h"
#include "log.h"
#include "platform.h"

static const struct observe_set *set;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Nothing is waited for: of launches that are still running nothing is told. */
static void read_environment(void) {
    const char *unknown;
    int length;
    set = observe_configure(env_get(ENV_SIMTCL_PROFILE), platform_get()->model, &unknown, &length);
    if (unknown) log_line(LOG_FAULT, "SIMTCL_PROFILE: there is no \"%.*s\"", length, unknown);
    if (set->count) atexit(observe_report);
}

const struct observe_set *profile_get(void) {
    pthread_once(&once, read_environment);
    return set;
}
