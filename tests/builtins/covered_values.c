/* Functions of values: component by component, with a second result, of whole vectors, and those of
 * work-items. */
#include "coverage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- functions of values, component by component ---- */

static bool is_workitem(const struct coverage_test *t) {
    return !strncmp(t->c.name, "get_", 4) && !coverage_has(t, "M");
}
static bool is_whole(const struct coverage_test *t) {
    static const char *const names[] = {
        "any",       "all",         "dot",           "cross",          "length",  "distance",
        "normalize", "fast_length", "fast_distance", "fast_normalize", "shuffle", "shuffle2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(t->c.name, names[i])) return true;
    return false;
}
static bool value_suits(const struct coverage_test *t) {
    return !coverage_has(t, "*MES.v") && !is_workitem(t) && !is_whole(t);
}
static void value_body(const struct coverage_test *t, char *text, size_t size) {
    coverage_add(text, size, COVERAGE_OUT, t->result.name);
    coverage_call(t, text, size, NULL);
}

static bool compare(const struct coverage_test *t, const struct coverage_type *second) {
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < t->result.count; c++) {
            struct reference_number args[BUILTIN_MAX_ARGS];
            for (unsigned a = 0; a < t->c.nargs; a++) {
                unsigned at = t->args[a].count == 1 ? 0 : c;
                args[a] = coverage_component(a, &t->args[a], i * coverage_stride(&t->args[a]) + at);
            }
            struct want first, other;
            if (!reference_value(&t->c, t->result.kind, args, &first, &other)) {
                printf("FAILED %s: the test has no reference for it\n", t->c.name);
                return false;
            }
            struct reference_number got =
                coverage_component(RESULT, &t->result, i * coverage_stride(&t->result) + c);
            if (!reference_accepts(&first, got)) return coverage_wrong(t, i, c, &first, got, args);
            if (!second) continue;
            got = coverage_component(SECOND, second, i * coverage_stride(second) + c);
            if (!reference_accepts(&other, got)) return coverage_wrong(t, i, c, &other, got, args);
        }
    return true;
}
static bool value_check(const struct coverage_test *t) { return compare(t, NULL); }

/* ---- functions that leave a second result where their last argument points ---- */

static bool pointer_suits(const struct coverage_test *t) {
    return !coverage_is_void(&t->result) && t->c.nargs >= 2 && t->args[t->c.nargs - 1].pointer &&
           reference_is_real(t->result.kind) && !coverage_has(t, "Hae");
}
static void pointer_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[t->c.nargs - 1];
    if (!strcmp(p->space, "__global")) {
        coverage_add(text, size, COVERAGE_OUT, t->result.name);
        char last[64];
        snprintf(last, sizeof last, "(global %s *)b6 + i", p->name);
        coverage_call(t, text, size, last);
        return;
    }
    bool local = !strcmp(p->space, "__local");
    coverage_add(text, size, "%s%s t[%d];\n" COVERAGE_OUT, local ? "local " : "", p->name,
                 local ? ITEMS : 1, t->result.name);
    coverage_call(t, text, size, local ? "t + i" : "t");
    coverage_add(text, size, "((global %s *)b6)[i] = t[%s];\n", p->name, local ? "i" : "0");
}
static bool pointer_check(const struct coverage_test *t) {
    return compare(t, &t->args[t->c.nargs - 1]);
}

/* ---- work-items ---- */

static void workitem_body(const struct coverage_test *t, char *text, size_t size) {
    coverage_add(text, size, "((global uint *)b0)[i] = i %% 5;\n");
    value_body(t, text, size);
}
static bool workitem_check(const struct coverage_test *t) {
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned dim = i % 5;
        bool x = dim == 0;
        const char *n = t->c.name + 4;
        uint64_t want = !strcmp(n, "work_dim")                                  ? 1
                        : !strcmp(n, "global_size") || !strcmp(n, "local_size") ? (x ? ITEMS : 1)
                        : !strcmp(n, "global_id") || !strcmp(n, "local_id")     ? (x ? i : 0)
                        : !strcmp(n, "num_groups")                              ? 1
                                                                                : 0;
        if (!coverage_same(t, i, 0, want, coverage_component(RESULT, &t->result, i))) return false;
    }
    return true;
}

/* ---- whole vectors ---- */

static bool whole_check(const struct coverage_test *t) {
    const char *n = t->c.name;
    const struct coverage_type *g = &t->args[0];
    bool fast = !strncmp(n, "fast_", 5);
    if (fast) n += 5;
    for (unsigned i = 0; i < ITEMS; i++) {
        struct reference_number a[16], b[16];
        long double x[16] = {0}, y[16] = {0}, sum = 0;
        for (unsigned c = 0; c < g->count; c++) {
            a[c] = coverage_component(0, g, i * coverage_stride(g) + c);
            x[c] = reference_real(a[c]);
            if (t->c.nargs < 2 || c >= t->args[1].count) continue;
            b[c] = coverage_component(1, &t->args[1], i * coverage_stride(&t->args[1]) + c);
            y[c] = reference_real(b[c]);
        }
        for (unsigned c = 0; c < g->count; c++)
            sum += !strcmp(n, "dot")        ? x[c] * y[c]
                   : !strcmp(n, "distance") ? (x[c] - y[c]) * (x[c] - y[c])
                                            : x[c] * x[c];
        for (unsigned c = 0; c < t->result.count; c++) {
            struct want w = {.real = true, .ulp = fast ? 8192 : 16};
            if (!strcmp(n, "dot")) {
                w.value = sum;
                w.slack = t->c.needs_double ? 1e-12 : 1e-4;
            } else if (!strcmp(n, "length") || !strcmp(n, "distance")) {
                w.value = sqrtl(sum);
            } else if (!strcmp(n, "normalize")) {
                w.value = x[c] / sqrtl(sum);
            } else if (!strcmp(n, "cross")) {
                unsigned j = (c + 1) % 3, k = (c + 2) % 3;
                w.value = c == 3 ? 0 : x[j] * y[k] - x[k] * y[j];
                w.slack = t->c.needs_double ? 1e-12 : 1e-4;
            } else if (!strcmp(n, "any") || !strcmp(n, "all")) {
                bool all = true, any = false;
                for (unsigned k = 0; k < g->count; k++)
                    if (reference_integer(a[k]) < 0)
                        any = true;
                    else
                        all = false;
                w = (struct want){.bits = n[1] == 'l' ? all : any};
            } else { /* shuffle, shuffle2: the mask is the last argument */
                unsigned m = t->c.nargs - 1;
                struct reference_number mask =
                    coverage_component(m, &t->args[m], i * coverage_stride(&t->args[m]) + c);
                unsigned k = (unsigned)mask.bits & (m * g->count - 1);
                w = (struct want){.bits = coverage_component(k / g->count, g,
                                                             i * coverage_stride(g) + k % g->count)
                                              .bits};
            }
            struct reference_number got =
                coverage_component(RESULT, &t->result, i * coverage_stride(&t->result) + c);
            if (!reference_accepts(&w, got)) return coverage_wrong(t, i, c, &w, got, NULL);
        }
    }
    return true;
}

const struct coverage_family covered_values[] = {
    {is_workitem, workitem_body, workitem_check, false},
    {is_whole, value_body, whole_check, false},
    {pointer_suits, pointer_body, pointer_check, false},
    {value_suits, value_body, value_check, false},
    {0},
};
