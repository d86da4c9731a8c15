#include "debugging.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/check/finding.h"
#include "device/debug/debug.h"
#include "env.h"
#include "log.h"

static void heard(const struct check_finding *f) {
    char text[512];
    snprintf(text, sizeof text, "finding: %s%s%s", check_rules[f->rule].text,
             *f->party.subject ? ": " : "", f->party.subject);
    debug_finding(text);
}

void debugging_configure(void) {
    char why[200];
    if (!*env_get(ENV_SIMTCL_BREAK)) return;
    if (!debug_configure(env_get(ENV_SIMTCL_BREAK), env_get(ENV_SIMTCL_BREAK_COMMANDS), why))
        log_line(LOG_FAULT, "SIMTCL_BREAK: %s", why);
    check_listen(heard);
}

char *debugging_options(const char *options) {
    char *all;
    if (!debug_on()) return NULL;
    return asprintf(&all, "-g %s", options ? options : "") < 0 ? NULL : all;
}

void debugging_launch(struct launch *l, const struct texts *texts) {
    const struct text_file *source = debug_on() ? texts_find(texts, "") : NULL;
    l->source = source ? source->bytes : NULL;
}
