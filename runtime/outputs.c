#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "reporting.h"
#include "timeline.h"

static const struct {
    const char *name, *file;
    void (*begin)(void);
    bool (*any)(void);
    void (*write)(FILE *to);
} known[] = {
#define OUTPUT(name, file, begin, any, write, what) {#name, file, begin, any, write},
#include "outputs.def"
#undef OUTPUT
};
enum { OUTPUTS = sizeof known / sizeof *known };

static char *paths[OUTPUTS]; /* NULL: it is not asked for */
static pid_t process;

/* A child's files do not take the place of its parent's. */
static FILE *file_of(const char *path) {
    char own[4096];
    if (getpid() == process) return fopen(path, "we");
    snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    return fopen(own, "we");
}

static void write_all(void) {
    for (unsigned n = 0; n < OUTPUTS; n++) {
        if (!paths[n] || !known[n].any()) continue;
        FILE *to = file_of(paths[n]);
        if (!to) {
            log_line(LOG_FAULT, "SIMTCL_PROFILE: %.500s cannot be written: %s", paths[n],
                     strerror(errno));
            continue;
        }
        known[n].write(to);
        if (fclose(to))
            log_line(LOG_FAULT, "SIMTCL_PROFILE: %.500s is not complete: %s", paths[n],
                     strerror(errno));
    }
}

/* False: the word, `name` bytes of which are its name, is none of them. */
static bool take(const char *word, size_t name, size_t length) {
    for (unsigned n = 0; n < OUTPUTS; n++) {
        if (strlen(known[n].name) != name || memcmp(known[n].name, word, name) != 0) continue;
        free(paths[n]);
        paths[n] =
            length > name + 1 ? strndup(word + name + 1, length - name - 1) : strdup(known[n].file);
        return true;
    }
    return false;
}

void outputs_begin(const char *text, char *rest) {
    bool any = false;
    char *end = rest;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ","), name = strcspn(at, ",=");
        if (!take(at, name, length)) {
            if (end != rest) *end++ = ',';
            memcpy(end, at, length);
            end += length;
        }
        at += length;
        at += *at == ',';
    }
    *end = '\0';
    process = getpid();
    for (unsigned n = 0; n < OUTPUTS; n++) {
        any |= paths[n] != NULL;
        if (paths[n]) known[n].begin();
    }
    if (any) atexit(write_all);
}
