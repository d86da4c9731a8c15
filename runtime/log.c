#include "log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "env.h"

static const struct {
    const char *name;
    unsigned classes;
} names[] = {
    {"api", LOG_API},           {"build", LOG_BUILD},
    {"fault", LOG_FAULT},       {"passes", LOG_PASSES},
    {"progress", LOG_PROGRESS}, {"all", LOG_API | LOG_BUILD | LOG_FAULT | LOG_PROGRESS},
};

enum { LOG_KNOWN = 0x100 };
static _Atomic unsigned log_classes; /* 0: SIMTCL_LOG not read yet */

/* "api,build": the classes named; faults are always among them unless "none" is, and on a terminal
 * what takes long. */
static unsigned read_classes(const char *text) {
    unsigned classes = LOG_FAULT | (isatty(STDERR_FILENO) == 1 ? LOG_PROGRESS : 0);
    while (*text) {
        size_t length = strcspn(text, ", ;");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strlen(names[i].name) == length && !strncasecmp(names[i].name, text, length))
                classes |= names[i].classes;
        if (length == 4 && !strncasecmp(text, "none", 4)) return LOG_KNOWN;
        text += length;
        text += strspn(text, ", ;");
    }
    return classes | LOG_KNOWN;
}

bool log_on(enum log_class which) {
    unsigned classes = atomic_load_explicit(&log_classes, memory_order_relaxed);
    if (!classes) {
        classes = read_classes(env_get(ENV_SIMTCL_LOG));
        atomic_store_explicit(&log_classes, classes, memory_order_relaxed);
    }
    return classes & which;
}

static void write_all(const char *text, size_t length) {
    while (length) {
        ssize_t n = write(STDERR_FILENO, text, length);
        if (n <= 0) return;
        text += n;
        length -= (size_t)n;
    }
}

void log_line(enum log_class which, const char *format, ...) {
    if (!log_on(which)) return;
    char line[1024] = "simtcl: ";
    size_t start = strlen(line);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line + start, sizeof line - start - 1, format, args);
    va_end(args);
    size_t length = start + (n < 0 ? 0 : (size_t)n);
    if (length > sizeof line - 2) length = sizeof line - 2;
    line[length] = '\n';
    write_all(line, length + 1);
}

void log_text(enum log_class which, const char *title, const char *text) {
    if (!log_on(which)) return;
    while (*text) {
        size_t length = strcspn(text, "\n");
        log_line(which, "%s: %.*s", title, (int)(length < 900 ? length : 900), text);
        text += length;
        if (*text) text++;
    }
}
