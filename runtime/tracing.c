#include "tracing.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "env.h"
#include "log.h"

/* Every pass and rewrite there is. */
static const char *const names[] = {
    "probes", /* device/run/executable.c, before the host passes */
    "unfold", /* device/run/unfolded.c, of what compilers make */
    "digits", /* device/run/digital.c, of that */
    "regrid", /* device/run/unfolded.c, of what digits leave */
#define STAGE(name, must, what) #name,
#define PASS(name, must, what)  #name,
#include "compiler/passes/passes.def"
#define PASS(name, function, what) name,
#include "device/opt/opt.def"
#undef PASS
#define PASS(name, label, function, what) label,
#include "device/opt/sized/sized.def"
#undef PASS
#define REWRITE(name, label, function, reads, what) label,
#define EMISSION(name, label, what)                 label,
#define STAGE(label, what)                          label,
#include "device/native/plan.def"
};
enum { NAMES = sizeof names / sizeof *names };

static struct trace trace;
static bool told;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void unknown(void *unused, const char *variable, const char *name) {
    (void)unused;
    char known[2048] = "";
    size_t length = 0;
    log_line(LOG_FAULT, "%s: there is no pass \"%s\"", variable, name);
    if (told) return;
    told = true;
    for (size_t i = 0; i < NAMES && length < sizeof known; i++) {
        bool again = false; /* two stages may share a name */
        for (size_t j = 0; j < i; j++) again = again || !strcmp(names[i], names[j]);
        if (!again)
            length += (size_t)snprintf(known + length, sizeof known - length, " %s", names[i]);
    }
    log_text(LOG_FAULT, "passes", known + 1);
}

static void read_environment(void) {
    trace.dump = strdup(env_get(ENV_SIMTCL_DUMP));
    trace.off = strdup(env_get(ENV_SIMTCL_OFF));
    trace.log = log_on(LOG_PASSES);
    trace_check(&trace, names, NAMES, unknown, NULL);
}

const struct trace *tracing_get(void) {
    pthread_once(&once, read_environment);
    return &trace;
}
