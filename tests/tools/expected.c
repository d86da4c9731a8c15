#include "expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool expected_lookup(void *user, const char *name, size_t length,
                     const struct expression_number *index, struct expression_number *value) {
    const struct expected_scope *s = user;
    if (length == 1 && name[0] == 'i' && !index) {
        *value = (struct expression_number){false, (int64_t)s->i, 0};
        return true;
    }
    for (unsigned k = 0; k < s->test->nargs; k++) {
        const struct test_argument *a = &s->test->args[k];
        if (strlen(a->name) != length || strncmp(a->name, name, length) || !a->before) continue;
        int64_t at = index ? (index->real ? (int64_t)index->f : index->i) : 0;
        if (at < 0 || (size_t)at >= a->count) return false;
        *value = element_get(a->element, a->before, (size_t)at);
        return true;
    }
    return false;
}

bool expected_fill(const struct test_file *f, struct kernel_test *t, struct test_argument *a) {
    char error[128];
    a->before = calloc(1, a->bytes);
    if (!a->before) testfile_die("out of memory", 0);
    bool list = a->kind == VALUE || a->init[0] == '{';
    char *values = strdup(a->init), *save = NULL;
    char *item = list ? strtok_r(values, a->kind == VALUE ? " ,{}" : ",{}", &save) : NULL;
    for (size_t i = 0; i < a->count && *a->init; i++) {
        struct expected_scope scope = {t, i};
        struct expression_number n;
        if (list && !item) break;
        if (!expression_evaluate(list ? item : a->init, expected_lookup, &scope, &n, error)) {
            testfile_report(f, t, "argument %s: %s", a->name, error);
            free(values);
            return false;
        }
        element_set(a->element, a->before, i, n);
        if (list) item = strtok_r(NULL, a->kind == VALUE ? " ,{}" : ",{}", &save);
    }
    free(values);
    return true;
}

static bool element_matches(struct test_argument *a, size_t i, struct expression_number want,
                            double ulp) {
    struct expression_number got = element_get(a->element, a->after, i);
    if (got.real) {
        double w = want.real ? want.f : (double)want.i;
        if (ulp == 0 && a->element == FLOAT) w = (float)w;
        return element_ulps(a->element, got.f, w) <= ulp;
    }
    unsigned char bytes[8];
    element_set(a->element, bytes, 0, want);
    return !memcmp(bytes, (char *)a->after + i * element_size[a->element],
                   element_size[a->element]);
}

bool expected_check(const struct test_file *f, struct kernel_test *t, const struct expectation *e) {
    char name[32], error[128];
    const char *equals = strchr(e->text, '=');
    if (!equals || sscanf(e->text, "%31[A-Za-z0-9_]", name) != 1) {
        testfile_report(f, t, "expect what? %s", e->text);
        return false;
    }
    struct test_argument *a = NULL;
    for (unsigned k = 0; k < t->nargs; k++)
        if (!strcmp(t->args[k].name, name) && t->args[k].kind == BUFFER) a = &t->args[k];
    if (!a) {
        testfile_report(f, t, "no buffer is named %s", name);
        return false;
    }
    const char *text = equals + 1 + strspn(equals + 1, " ");
    bool list = text[0] == '{', right = true;
    char *values = strdup(text), *save = NULL;
    char *item = list ? strtok_r(values, ",{}", &save) : values;
    size_t wrong = 0;
    for (size_t i = 0; i < a->count && item; i++) {
        struct expected_scope scope = {t, i};
        struct expression_number want;
        if (!expression_evaluate(item, expected_lookup, &scope, &want, error)) {
            testfile_report(f, t, "expect %s: %s", name, error);
            right = false;
            break;
        }
        if (!element_matches(a, i, want, e->ulp)) {
            struct expression_number got = element_get(a->element, a->after, i);
            if (wrong++ < 4) {
                if (got.real)
                    testfile_report(f, t, "%s[%zu] is %.9g (%a), expected %.9g", name, i, got.f,
                                    got.f, want.real ? want.f : (double)want.i);
                else
                    testfile_report(f, t, "%s[%zu] is %lld (0x%llx), expected %lld", name, i,
                                    (long long)got.i, (unsigned long long)got.i,
                                    (long long)(want.real ? (int64_t)want.f : want.i));
            }
            right = false;
        }
        if (list) item = strtok_r(NULL, ",{}", &save);
    }
    if (wrong > 4)
        testfile_report(f, t, "%s: %zu elements of %zu are wrong", name, wrong, a->count);
    free(values);
    return right;
}
