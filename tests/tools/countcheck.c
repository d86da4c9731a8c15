#include "countcheck.h"

#include <stdio.h>
#include <string.h>

#include "expected.h"

/* The operator of a condition. */
static const struct comparison {
    const char *text;
    enum { EQUAL, UNEQUAL, AT_MOST, AT_LEAST, LESS, MORE } what;
} comparisons[] = {{"==", EQUAL},    {"!=", UNEQUAL}, {"<=", AT_MOST},
                   {">=", AT_LEAST}, {"<", LESS},     {">", MORE}};

/* The first comparison of the text, outside of brackets, and where it is; NULL: there is none. */
static const struct comparison *find(const char *text, const char **at) {
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
        if (depth) continue;
        if (!strncmp(text, "<<", 2) || !strncmp(text, ">>", 2)) {
            text++;
            continue;
        }
        for (size_t n = 0; n < sizeof comparisons / sizeof *comparisons; n++) {
            if (strncmp(text, comparisons[n].text, strlen(comparisons[n].text)) != 0) continue;
            *at = text;
            return &comparisons[n];
        }
        if (*text == '=') return NULL; /* what a buffer is to hold, which may be compared values */
    }
    return NULL;
}

bool countcheck_is(const char *text) {
    const char *at;
    return find(text, &at) != NULL;
}

struct counted_scope {
    const struct kernel_test *test;
    const struct simtcl_profile *profile;
    cl_kernel kernel;
    cl_event event;
};

static bool flag_of(const struct counted_scope *s, const char *counter, cl_bitfield flag) {
    cl_bitfield flags = 0;
    cl_context context;
    cl_device_id device;
    cl_platform_id platform;
    clGetEventInfo(s->event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    s->profile->counter_info(platform, counter, CL_COUNTER_FLAGS_SIMTCL, sizeof flags, &flags,
                             NULL);
    return flags & flag;
}

/* Of a line of the source: of all of its sites. False: it has none. */
static bool of_line(const struct counted_scope *s, const char *counter, cl_uint line,
                    cl_ulong *value) {
    cl_uint sites = 0, of_site = 0;
    bool found = false, maximum = flag_of(s, counter, CL_COUNTER_MAXIMUM_SIMTCL);
    const struct simtcl_profile *p = s->profile;
    *value = 0;
    p->kernel_info(s->kernel, NULL, CL_KERNEL_SITES_SIMTCL, sizeof sites, &sites, NULL);
    for (cl_uint n = 1; n <= sites; n++) {
        cl_ulong one = 0;
        p->site_info(s->kernel, NULL, n, CL_SITE_LINE_SIMTCL, sizeof of_site, &of_site, NULL);
        if (of_site != line || p->event_counter(s->event, n, counter, &one)) continue;
        found = true;
        *value = !maximum ? *value + one : one > *value ? one : *value;
    }
    return found;
}

/* A counter, of the kernel or [line]; else one of the test's arguments. */
static bool lookup(void *user, const char *name, size_t length,
                   const struct expression_number *index, struct expression_number *value) {
    const struct counted_scope *s = user;
    struct expected_scope arguments = {s->test, 0};
    char counter[64];
    cl_ulong counted;
    snprintf(counter, sizeof counter, "%.*s", (int)length, name);
    cl_int error = s->profile->event_counter(s->event, CL_ALL_SITES_SIMTCL, counter, &counted);
    if (error || length >= sizeof counter)
        return expected_lookup(&arguments, name, length, index, value);
    if (index && !of_line(s, counter, (cl_uint)index->i, &counted)) return false;
    *value = (struct expression_number){false, (int64_t)counted, 0};
    return true;
}

static bool holds(const struct comparison *c, double left, double right) {
    switch (c->what) {
    case EQUAL: return left == right;
    case UNEQUAL: return left != right;
    case AT_MOST: return left <= right;
    case AT_LEAST: return left >= right;
    case LESS: return left < right;
    default: return left > right;
    }
}

bool countcheck_holds(const struct test_file *f, const struct kernel_test *t, const char *text,
                      const struct simtcl_profile *p, cl_kernel kernel, cl_event event) {
    struct counted_scope s = {t, p, kernel, event};
    struct expression_number sides[2];
    char left[256], error[128];
    const char *at = text;
    const struct comparison *c = find(text, &at);
    snprintf(left, sizeof left, "%.*s", (int)(at - text), text);
    const char *texts[] = {testfile_trim(left), at + strlen(c->text)};
    for (int n = 0; n < 2; n++) {
        if (expression_evaluate(texts[n], lookup, &s, &sides[n], error)) continue;
        testfile_report(f, t, "expect %s: %s", text, error);
        return false;
    }
    double numbers[2];
    for (int n = 0; n < 2; n++) numbers[n] = sides[n].real ? sides[n].f : (double)sides[n].i;
    if (holds(c, numbers[0], numbers[1])) return true;
    testfile_report(f, t, "%s is %.15g, expected %s %.15g", texts[0], numbers[0], c->text,
                    numbers[1]);
    return false;
}
