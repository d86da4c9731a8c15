#include "countcheck.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void testfile_report(const struct test_file *f, const struct kernel_test *t, const char *format,
                     ...) {
    va_list list;
    va_start(list, format);
    printf("FAILED %s%s%s", f->name, t ? ":" : "", t ? t->name : "");
    if (f->built && *f->built) printf(" (%s)", f->built);
    printf(": ");
    vprintf(format, list);
    putchar('\n');
    va_end(list);
}

_Noreturn void testfile_die(const char *what, int code) {
    fprintf(stderr, "kerneltest: %s (%d)\n", what, code);
    exit(2);
}

static char *word(char **p) {
    while (isspace((unsigned char)**p)) ++*p;
    char *begin = *p;
    while (**p && !isspace((unsigned char)**p)) ++*p;
    if (**p) *(*p)++ = '\0';
    return begin;
}

char *testfile_trim(char *p) {
    while (isspace((unsigned char)*p)) p++;
    size_t n = strlen(p);
    while (n && isspace((unsigned char)p[n - 1])) p[--n] = '\0';
    return p;
}

static unsigned sizes(char *p, size_t out[3]) {
    unsigned n = 0;
    for (char *w; n < 3 && *(w = word(&p)); n++) out[n] = strtoul(w, NULL, 0);
    return n;
}

static bool read_argument(struct kernel_test *t, char *p) {
    if (t->nargs == MAX_ARGS) return false;
    struct test_argument *a = &t->args[t->nargs++];
    snprintf(a->name, sizeof(a->name), "%s", word(&p));
    char *type = word(&p);
    if (!strcmp(type, "local")) {
        a->kind = LOCAL;
        a->bytes = strtoul(p, NULL, 0);
        return a->bytes > 0;
    }
    if (!strcmp(type, "same")) {
        const char *other = testfile_trim(p);
        a->kind = SAME;
        while (a->same + 1 < t->nargs && strcmp(t->args[a->same].name, other)) a->same++;
        return t->args[a->same].kind == BUFFER;
    }
    if (!strcmp(type, "image2d")) {
        a->kind = IMAGE;
        a->element = FLOAT;
        a->count = 1;
        for (unsigned d = 0; d < 2; d++) a->count *= a->size[d] = strtoul(p, &p, 0);
        a->bytes = a->count * sizeof(float);
        a->init = testfile_trim(p);
        if (*a->init == '=') a->init = testfile_trim((char *)a->init + 1);
        return a->count > 0;
    }
    size_t width;
    if (!element_parse(type, &a->element, &width)) return false;
    char *bracket = strchr(type, '[');
    a->kind = bracket ? BUFFER : VALUE;
    a->count = width * (bracket ? strtoul(bracket + 1, NULL, 0) : 1);
    a->bytes = a->count * element_size[a->element];
    if (!bracket && width == 3) a->bytes += element_size[a->element];
    a->init = testfile_trim(p);
    if (*a->init == '=') a->init = testfile_trim((char *)a->init + 1);
    return a->count > 0;
}

static bool read_directive(struct test_file *f, char *p) {
    struct kernel_test *t = f->ntests ? &f->tests[f->ntests - 1] : NULL;
    char *key = word(&p);
    if (!strcmp(key, "options")) {
        snprintf(f->options, sizeof(f->options), "%s", testfile_trim(p));
    } else if (!strcmp(key, "versions")) {
        f->versions = testfile_trim(p);
    } else if (!strcmp(key, "model")) {
        *(t ? &t->models : &f->models) = testfile_trim(p);
    } else if (!strcmp(key, "requires")) {
        char *what = testfile_trim(p);
        f->needs_doubles |= !strcmp(what, "doubles");
        f->needs_images |= !strcmp(what, "images");
        f->needs_atomics64 |= !strcmp(what, "atomics64");
    } else if (!strcmp(key, "build-error")) {
        f->build_error = testfile_trim(p);
    } else if (!strcmp(key, "test")) {
        if (f->ntests == MAX_TESTS) return false;
        t = &f->tests[f->ntests++];
        memset(t, 0, sizeof(*t));
        snprintf(t->name, sizeof(t->name), "%s", testfile_trim(p));
        snprintf(t->kernel, sizeof(t->kernel), "%s", t->name);
        t->models = "";
        t->dim = t->repeat = 1;
        t->global[0] = 1;
    } else if (!t) {
        return false;
    } else if (!strcmp(key, "kernel")) {
        snprintf(t->kernel, sizeof(t->kernel), "%s", testfile_trim(p));
    } else if (!strcmp(key, "global")) {
        t->dim = sizes(p, t->global);
    } else if (!strcmp(key, "local")) {
        t->local_dim = sizes(p, t->local);
    } else if (!strcmp(key, "offset")) {
        t->offset_dim = sizes(p, t->offset);
    } else if (!strcmp(key, "arg")) {
        return read_argument(t, p);
    } else if (!strcmp(key, "ulp")) {
        t->ulp = strtod(p, NULL);
    } else if (!strcmp(key, "repeat")) {
        t->repeat = (unsigned)strtoul(p, NULL, 0);
    } else if (!strcmp(key, "fault")) {
        t->fault = true;
        if (t->nreasons == MAX_LINES) return false;
        t->reasons[t->nreasons++] = testfile_trim(p);
    } else if (!strcmp(key, "launch-error")) {
        t->has_launch_error = true;
        t->launch_error = (int)strtol(p, NULL, 0);
    } else if (!strcmp(key, "expect") && countcheck_is(p)) {
        if (t->ncounts == MAX_LINES) return false;
        t->counts[t->ncounts++] = testfile_trim(p);
    } else if (!strcmp(key, "expect")) {
        if (t->nexpects == MAX_LINES) return false;
        t->expects[t->nexpects++] = (struct expectation){testfile_trim(p), t->ulp};
    } else if (!strcmp(key, "output")) {
        if (t->noutputs == MAX_LINES) return false;
        t->outputs[t->noutputs++] = testfile_trim(p);
    } else {
        return false;
    }
    return true;
}

static char *read_text(const char *name) {
    FILE *f = fopen(name, "rb");
    if (!f) {
        perror(name);
        exit(2);
    }
    size_t size = 0, room = 1 << 16, n;
    char *text = malloc(room);
    while (text && (n = fread(text + size, 1, room - size - 1, f)) > 0) {
        size += n;
        if (room - size < 2) text = realloc(text, room *= 2);
    }
    fclose(f);
    if (!text) testfile_die("out of memory", 0);
    text[size] = '\0';
    return text;
}

bool testfile_read(struct test_file *f, const char *name) {
    *f = (struct test_file){.name = name, .text = read_text(name), .versions = "", .models = ""};
    f->notes = strdup(f->text);
    f->tests = calloc(MAX_TESTS, sizeof(*f->tests));
    if (!f->notes || !f->tests) testfile_die("out of memory", 0);
    unsigned line = 1;
    for (char *p = f->notes, *next; p; p = next, line++) {
        next = strchr(p, '\n');
        if (next) *next++ = '\0';
        if (strncmp(p, "//:", 3)) continue;
        if (!read_directive(f, p + 3)) {
            testfile_report(f, NULL, "line %u is no directive: %s", line, p);
            return false;
        }
    }
    return true;
}

void testfile_free(struct test_file *f) {
    free(f->text);
    free(f->notes);
    free(f->tests);
}
