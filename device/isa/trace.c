#include "trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char separators[] = ",; ", all[] = "all";

/* The next entry of a list; its length in *length. NULL: there is none. */
static const char *next_entry(const char **list, size_t *length) {
    if (!*list) return NULL;
    *list += strspn(*list, separators);
    const char *entry = *list;
    *length = strcspn(entry, separators);
    *list += *length;
    return *length ? entry : NULL;
}

static bool is(const char *text, size_t length, const char *name) {
    return strlen(name) == length && !memcmp(text, name, length);
}

bool trace_off(const struct trace *t, const char *name) {
    const char *list = t ? t->off : NULL, *entry;
    size_t length;
    while ((entry = next_entry(&list, &length)))
        if (is(entry, length, name) || is(entry, length, all)) return true;
    return false;
}

bool trace_dumps(const struct trace *t, const char *name, const char *kernel) {
    const char *list = t ? t->dump : NULL, *entry;
    size_t length;
    while ((entry = next_entry(&list, &length))) {
        const char *colon = memchr(entry, ':', length);
        size_t of_name = colon ? (size_t)(colon - entry) : length;
        if (!is(entry, of_name, name) && !is(entry, of_name, all)) continue;
        if (!colon || is(colon + 1, length - of_name - 1, kernel)) return true;
    }
    return false;
}

bool trace_active(const struct trace *t) {
    return t && (t->log || (t->dump && *t->dump) || (t->off && *t->off));
}

/* ---- writing ---- */

static void write_text(const struct trace *t, const char *text, size_t length) {
    if (t->write) {
        t->write(t->context, text, length);
        return;
    }
    while (length) {
        ssize_t n = write(STDERR_FILENO, text, length);
        if (n <= 0) return;
        text += n;
        length -= (size_t)n;
    }
}

/* In one piece, so that dumps of several threads do not mix. */
void trace_dump_text(const struct trace *t, const char *name, const char *kernel,
                     const char *text) {
    static const char header[] = "// simtcl: kernel \"%s\" after %s\n%s\n";
    int n = snprintf(NULL, 0, header, kernel, name, text);
    char *all = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!all) return;
    snprintf(all, (size_t)n + 1, header, kernel, name, text);
    write_text(t, all, (size_t)n);
    free(all);
}

void trace_dump(const struct trace *t, const char *name, const struct isa_kernel *k) {
    if (!trace_dumps(t, name, k->name)) return;
    char *text = isa_print_kernel(k);
    if (text) trace_dump_text(t, name, k->name, text);
    free(text);
}

bool trace_tells(const struct trace_pass *p) { return p && p->trace && p->trace->log; }

void trace_tell(const struct trace_pass *p, const struct isa_inst *where, const char *format, ...) {
    if (!trace_tells(p)) return;
    char line[512], place[160] = "";
    if (where && where->line) {
        bool named = p->module && where->file < p->module->nfiles &&
                     p->module->files[where->file] && *p->module->files[where->file];
        snprintf(place, sizeof place, " %.100s:%u:", named ? p->module->files[where->file] : "line",
                 where->line);
    }
    int n =
        snprintf(line, sizeof line, "simtcl: kernel \"%.100s\":%s %s: ", p->kernel, place, p->name);
    if (n < 0 || (size_t)n >= sizeof line - 2) return;
    size_t length = (size_t)n;
    va_list args;
    va_start(args, format);
    n = vsnprintf(line + length, sizeof line - length - 1, format, args);
    va_end(args);
    if (n < 0) return;
    length = strlen(line);
    line[length++] = '\n';
    write_text(p->trace, line, length);
}

/* ---- names that are none ---- */

static bool known(const char *const *names, size_t n, const char *text, size_t length) {
    for (size_t i = 0; i < n; i++)
        if (is(text, length, names[i])) return true;
    return false;
}

static void check(const char *list, const char *variable, const char *const *names, size_t n,
                  void (*unknown)(void *, const char *, const char *), void *context) {
    const char *entry;
    size_t length;
    bool dump = !strcmp(variable, "SIMTCL_DUMP");
    while ((entry = next_entry(&list, &length))) {
        const char *colon = dump ? memchr(entry, ':', length) : NULL;
        size_t of_name = colon ? (size_t)(colon - entry) : length;
        char name[64];
        if (known(names, n, entry, of_name) || is(entry, of_name, all)) continue;
        snprintf(name, sizeof name, "%.*s", (int)(of_name < 60 ? of_name : 60), entry);
        unknown(context, variable, name);
    }
}

void trace_check(const struct trace *t, const char *const *names, size_t n,
                 void (*unknown)(void *context, const char *variable, const char *name),
                 void *context) {
    if (!t) return;
    check(t->dump, "SIMTCL_DUMP", names, n, unknown, context);
    check(t->off, "SIMTCL_OFF", names, n, unknown, context);
}
