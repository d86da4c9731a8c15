/* Runs kernel tests written as data: a .cl file whose comments say how to run it and what to
 * expect.
 *
 *   kerneltest [--platform NAME] [--digest] FILE.cl ...
 *
 * In the file, lines that begin with `//:`:
 *
 *   //: options -cl-std=CL1.2             build options of the whole file
 *   //: versions 1.0 1.1 1.2              builds and runs it with each of these for -cl-std
 *   //: requires doubles|images|atomics64 skips the file where the device lacks it
 *   //: build-error recursion             the build must fail, and the log hold these words
 *   //: test NAME                         begins a test; what follows belongs to it:
 *   //: kernel K                          (default: NAME)
 *   //: global 64 4    //: local 16 2     ND-range; without local the driver chooses
 *   //: offset 8                          global offset
 *   //: arg out int[64] = -1              a buffer, filled from an expression over i (see
 * expression.h)
 *   //: arg n int 5                       a value; float4 1 2 3 4
 *   //: arg t local 256                   local memory, bytes
 *   //: arg t image2d 64 16 = i           an image to read, of floats in R; i counts texels, row by
 * row
 *   //: expect out = i * n + a[i]         every element, from inputs as they were before; or out =
 * {1, 2, 3}
 *   //: ulp 2                             tolerance of the floating point expectations that follow;
 * default 0
 *   //: repeat 3                          launches it so many times
 *   //: fault [WORDS]                     the launch must end with an error, which the context's
 * callback is told with these words, and the next test run as if nothing was
 *   //: launch-error CODE                 clEnqueueNDRangeKernel must give this code
 *   //: output TEXT                       a line of printf output expected, in order (checked when
 * stdout can be caught)
 *
 * Vectors are their components, so i counts scalars. --digest prints a hash of every buffer after
 * each test, which lets two engines be compared bit for bit. The last line is `N passed, N failed,
 * N skipped`. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expression.h"

enum { MAX_ARGS = 32, MAX_LINES = 64, MAX_TESTS = 512 };

enum element { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, HALF, FLOAT, DOUBLE, ELEMENTS };
static const char *const element_name[ELEMENTS] = {
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"};
static const size_t element_size[ELEMENTS] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};

struct test_argument {
    char name[32];
    enum { BUFFER, VALUE, LOCAL, IMAGE } kind;
    enum element element;
    size_t count, bytes; /* scalars; bytes of all */
    size_t size[2];      /* of an image */
    const char *init;    /* expression, or the values' text */
    void *before, *after;
    cl_mem memory;
};

struct expectation {
    const char *text;
    double ulp;
};

struct kernel_test {
    char name[64], kernel[64];
    size_t global[3], local[3], offset[3];
    unsigned dim, local_dim, offset_dim, repeat;
    struct test_argument args[MAX_ARGS];
    unsigned nargs;
    struct expectation expects[MAX_LINES];
    unsigned nexpects;
    const char *outputs[MAX_LINES];
    unsigned noutputs;
    double ulp;
    const char *reasons[MAX_LINES]; /* words that a fault's reason has */
    unsigned nreasons;
    bool fault, has_launch_error;
    int launch_error;
};

struct test_file {
    const char *name;
    char *text;  /* the source */
    char *notes; /* a copy, cut into directives */
    char options[512];
    const char *versions; /* "": as the options say */
    const char *built;    /* with these options */
    const char *build_error;
    bool needs_doubles, needs_images, needs_atomics64;
    struct kernel_test *tests;
    unsigned ntests;
};

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static char reason[1024]; /* of the last fault */
static bool digest;
static unsigned passed, failed, skipped;

static void report(const struct test_file *f, const struct kernel_test *t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void report(const struct test_file *f, const struct kernel_test *t, const char *format,
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

static _Noreturn void die(const char *what, int code) {
    fprintf(stderr, "kerneltest: %s (%d)\n", what, code);
    exit(2);
}

/* ---- elements ---- */

static float half_to_float(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    float f = exponent == 31  ? (mantissa ? NAN : INFINITY)
              : exponent == 0 ? ldexpf((float)mantissa, -24)
                              : ldexpf((float)(mantissa | 1024), exponent - 25);
    return h & 0x8000 ? -f : f;
}

static struct expression_number element_get(enum element e, const void *data, size_t i) {
    struct expression_number n = {false, 0, 0};
    switch (e) {
    case CHAR: n.i = ((const int8_t *)data)[i]; break;
    case UCHAR: n.i = ((const uint8_t *)data)[i]; break;
    case SHORT: n.i = ((const int16_t *)data)[i]; break;
    case USHORT: n.i = ((const uint16_t *)data)[i]; break;
    case INT: n.i = ((const int32_t *)data)[i]; break;
    case UINT: n.i = ((const uint32_t *)data)[i]; break;
    case LONG:
    case ULONG: n.i = ((const int64_t *)data)[i]; break;
    case HALF:
        n.real = true;
        n.f = half_to_float(((const uint16_t *)data)[i]);
        break;
    case FLOAT:
        n.real = true;
        n.f = ((const float *)data)[i];
        break;
    case DOUBLE:
        n.real = true;
        n.f = ((const double *)data)[i];
        break;
    case ELEMENTS: break;
    }
    return n;
}

static void element_set(enum element e, void *data, size_t i, struct expression_number n) {
    double f = n.real ? n.f : (double)n.i;
    bool fits = f >= -0x1p63 && f < 0x1p63;
    int64_t v = !n.real ? n.i : fits ? (int64_t)f : 0;
    switch (e) {
    case CHAR:
    case UCHAR: ((uint8_t *)data)[i] = (uint8_t)v; break;
    case SHORT:
    case USHORT:
    case HALF: ((uint16_t *)data)[i] = (uint16_t)v; break; /* half: its bits */
    case INT:
    case UINT: ((uint32_t *)data)[i] = (uint32_t)v; break;
    case LONG:
    case ULONG: ((int64_t *)data)[i] = v; break;
    case FLOAT: ((float *)data)[i] = (float)f; break;
    case DOUBLE: ((double *)data)[i] = f; break;
    case ELEMENTS: break;
    }
}

/* "float4" -> FLOAT, 4. */
static bool element_parse(const char *text, enum element *e, size_t *width) {
    for (int i = 0; i < ELEMENTS; i++) {
        size_t n = strlen(element_name[i]);
        if (strncmp(text, element_name[i], n)) continue;
        char *end;
        unsigned long w = strtoul(text + n, &end, 10);
        if (*end && *end != '[') continue;
        *e = (enum element)i;
        *width = w ? w : 1;
        return true;
    }
    return false;
}

/* ---- reading the directives ---- */

static char *word(char **p) {
    while (isspace((unsigned char)**p)) ++*p;
    char *begin = *p;
    while (**p && !isspace((unsigned char)**p)) ++*p;
    if (**p) *(*p)++ = '\0';
    return begin;
}

static char *rest(char *p) {
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
    if (!strcmp(type, "image2d")) {
        a->kind = IMAGE;
        a->element = FLOAT;
        a->count = 1;
        for (unsigned d = 0; d < 2; d++) a->count *= a->size[d] = strtoul(p, &p, 0);
        a->bytes = a->count * sizeof(float);
        a->init = rest(p);
        if (*a->init == '=') a->init = rest((char *)a->init + 1);
        return a->count > 0;
    }
    size_t width;
    if (!element_parse(type, &a->element, &width)) return false;
    char *bracket = strchr(type, '[');
    a->kind = bracket ? BUFFER : VALUE;
    a->count = width * (bracket ? strtoul(bracket + 1, NULL, 0) : 1);
    a->bytes = a->count * element_size[a->element];
    if (!bracket && width == 3) a->bytes += element_size[a->element];
    a->init = rest(p);
    if (*a->init == '=') a->init = rest((char *)a->init + 1);
    return a->count > 0;
}

static bool read_directive(struct test_file *f, char *p) {
    struct kernel_test *t = f->ntests ? &f->tests[f->ntests - 1] : NULL;
    char *key = word(&p);
    if (!strcmp(key, "options")) {
        snprintf(f->options, sizeof(f->options), "%s", rest(p));
    } else if (!strcmp(key, "versions")) {
        f->versions = rest(p);
    } else if (!strcmp(key, "requires")) {
        char *what = rest(p);
        f->needs_doubles |= !strcmp(what, "doubles");
        f->needs_images |= !strcmp(what, "images");
        f->needs_atomics64 |= !strcmp(what, "atomics64");
    } else if (!strcmp(key, "build-error")) {
        f->build_error = rest(p);
    } else if (!strcmp(key, "test")) {
        if (f->ntests == MAX_TESTS) return false;
        t = &f->tests[f->ntests++];
        memset(t, 0, sizeof(*t));
        snprintf(t->name, sizeof(t->name), "%s", rest(p));
        snprintf(t->kernel, sizeof(t->kernel), "%s", t->name);
        t->dim = t->repeat = 1;
        t->global[0] = 1;
    } else if (!t) {
        return false;
    } else if (!strcmp(key, "kernel")) {
        snprintf(t->kernel, sizeof(t->kernel), "%s", rest(p));
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
        t->reasons[t->nreasons++] = rest(p);
    } else if (!strcmp(key, "launch-error")) {
        t->has_launch_error = true;
        t->launch_error = (int)strtol(p, NULL, 0);
    } else if (!strcmp(key, "expect")) {
        if (t->nexpects == MAX_LINES) return false;
        t->expects[t->nexpects++] = (struct expectation){rest(p), t->ulp};
    } else if (!strcmp(key, "output")) {
        if (t->noutputs == MAX_LINES) return false;
        t->outputs[t->noutputs++] = rest(p);
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
    if (!text) die("out of memory", 0);
    text[size] = '\0';
    return text;
}

static bool file_read(struct test_file *f, const char *name) {
    *f = (struct test_file){.name = name, .text = read_text(name), .versions = ""};
    f->notes = strdup(f->text);
    f->tests = calloc(MAX_TESTS, sizeof(*f->tests));
    if (!f->notes || !f->tests) die("out of memory", 0);
    unsigned line = 1;
    for (char *p = f->notes, *next; p; p = next, line++) {
        next = strchr(p, '\n');
        if (next) *next++ = '\0';
        if (strncmp(p, "//:", 3)) continue;
        if (!read_directive(f, p + 3)) {
            report(f, NULL, "line %u is no directive: %s", line, p);
            return false;
        }
    }
    return true;
}

static void file_free(struct test_file *f) {
    free(f->text);
    free(f->notes);
    free(f->tests);
}

/* ---- values ---- */

struct scope {
    const struct kernel_test *test;
    size_t i;
};

static bool lookup(void *user, const char *name, size_t length,
                   const struct expression_number *index, struct expression_number *value) {
    const struct scope *s = user;
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

static bool fill(const struct test_file *f, struct kernel_test *t, struct test_argument *a) {
    char error[128];
    a->before = calloc(1, a->bytes);
    if (!a->before) die("out of memory", 0);
    bool list = a->kind == VALUE || a->init[0] == '{';
    char *values = strdup(a->init), *save = NULL;
    char *item = list ? strtok_r(values, a->kind == VALUE ? " ,{}" : ",{}", &save) : NULL;
    for (size_t i = 0; i < a->count && *a->init; i++) {
        struct scope scope = {t, i};
        struct expression_number n;
        if (list && !item) break;
        if (!expression_evaluate(list ? item : a->init, lookup, &scope, &n, error)) {
            report(f, t, "argument %s: %s", a->name, error);
            free(values);
            return false;
        }
        element_set(a->element, a->before, i, n);
        if (list) item = strtok_r(NULL, a->kind == VALUE ? " ,{}" : ",{}", &save);
    }
    free(values);
    return true;
}

/* Units in the last place of a float (or double) between a result and the exact value. */
static double ulps(enum element e, double got, double want) {
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    if (got == want) return 0;
    if (isnan(got) || isinf(want) || isinf(got)) return INFINITY;
    int exponent;
    frexp(want, &exponent);
    int digits = e == DOUBLE ? 53
                 : e == HALF ? 11
                             : 24,
        least = e == DOUBLE ? -1021
                : e == HALF ? -13
                            : -125;
    if (exponent < least) exponent = least;
    return fabs(got - want) / ldexp(1, exponent - digits);
}

static bool element_matches(struct test_argument *a, size_t i, struct expression_number want,
                            double ulp) {
    struct expression_number got = element_get(a->element, a->after, i);
    if (got.real) {
        double w = want.real ? want.f : (double)want.i;
        if (ulp == 0 && a->element == FLOAT) w = (float)w;
        return ulps(a->element, got.f, w) <= ulp;
    }
    unsigned char bytes[8];
    element_set(a->element, bytes, 0, want);
    return !memcmp(bytes, (char *)a->after + i * element_size[a->element],
                   element_size[a->element]);
}

static bool expect_check(const struct test_file *f, struct kernel_test *t,
                         const struct expectation *e) {
    char name[32], error[128];
    const char *equals = strchr(e->text, '=');
    if (!equals || sscanf(e->text, "%31[A-Za-z0-9_]", name) != 1) {
        report(f, t, "expect what? %s", e->text);
        return false;
    }
    struct test_argument *a = NULL;
    for (unsigned k = 0; k < t->nargs; k++)
        if (!strcmp(t->args[k].name, name) && t->args[k].kind == BUFFER) a = &t->args[k];
    if (!a) {
        report(f, t, "no buffer is named %s", name);
        return false;
    }
    const char *text = equals + 1 + strspn(equals + 1, " ");
    bool list = text[0] == '{', right = true;
    char *values = strdup(text), *save = NULL;
    char *item = list ? strtok_r(values, ",{}", &save) : values;
    size_t wrong = 0;
    for (size_t i = 0; i < a->count && item; i++) {
        struct scope scope = {t, i};
        struct expression_number want;
        if (!expression_evaluate(item, lookup, &scope, &want, error)) {
            report(f, t, "expect %s: %s", name, error);
            right = false;
            break;
        }
        if (!element_matches(a, i, want, e->ulp)) {
            struct expression_number got = element_get(a->element, a->after, i);
            if (wrong++ < 4) {
                if (got.real)
                    report(f, t, "%s[%zu] is %.9g (%a), expected %.9g", name, i, got.f, got.f,
                           want.real ? want.f : (double)want.i);
                else
                    report(f, t, "%s[%zu] is %lld (0x%llx), expected %lld", name, i,
                           (long long)got.i, (unsigned long long)got.i,
                           (long long)(want.real ? (int64_t)want.f : want.i));
            }
            right = false;
        }
        if (list) item = strtok_r(NULL, ",{}", &save);
    }
    if (wrong > 4) report(f, t, "%s: %zu elements of %zu are wrong", name, wrong, a->count);
    free(values);
    return right;
}

/* ---- running ---- */

static int saved_stdout = -1;
static FILE *caught;

static void catch_output(void) {
    fflush(stdout);
    caught = tmpfile();
    if (!caught) die("tmpfile", 0);
    saved_stdout = dup(1);
    dup2(fileno(caught), 1);
}

static char *caught_output(void) {
    fflush(stdout);
    dup2(saved_stdout, 1);
    close(saved_stdout);
    long size = ftell(caught);
    fseek(caught, 0, SEEK_END);
    size = ftell(caught);
    rewind(caught);
    char *text = calloc(1, (size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, caught) != (size_t)size) die("reading output", 0);
    fclose(caught);
    return text;
}

static bool outputs_check(const struct test_file *f, const struct kernel_test *t, char *text) {
    bool right = true;
    char *save = NULL, *line = strtok_r(text, "\n", &save);
    for (unsigned i = 0; i < t->noutputs; i++) {
        char got[512];
        snprintf(got, sizeof(got), "%s", line ? line : "");
        if (strcmp(rest(got), t->outputs[i])) {
            report(f, t, "output line %u is \"%s\", expected \"%s\"", i + 1, got, t->outputs[i]);
            right = false;
        }
        line = line ? strtok_r(NULL, "\n", &save) : NULL;
    }
    if (line) {
        report(f, t, "unexpected output \"%s\"", line);
        right = false;
    }
    return right;
}

static uint64_t hash(const void *data, size_t size) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) h = (h ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return h;
}

static cl_mem image_create(const struct test_argument *a, cl_int *error) {
    cl_image_format format = {CL_R, CL_FLOAT};
    return clCreateImage2D(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, a->size[0],
                           a->size[1], 0, a->before, error);
}

static bool arguments_set(const struct test_file *f, struct kernel_test *t, cl_kernel kernel) {
    for (unsigned k = 0; k < t->nargs; k++) {
        struct test_argument *a = &t->args[k];
        cl_int error = CL_SUCCESS;
        const void *value = NULL;
        size_t size = a->bytes;
        if (a->kind != LOCAL && !fill(f, t, a)) return false;
        if (a->kind == VALUE) value = a->before;
        if (a->kind == BUFFER) {
            a->memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a->bytes,
                                       a->before, &error);
            value = &a->memory;
            size = sizeof(cl_mem);
        }
        if (a->kind == IMAGE) {
            a->memory = image_create(a, &error);
            value = &a->memory;
            size = sizeof(cl_mem);
        }
        if (error == CL_SUCCESS) error = clSetKernelArg(kernel, k, size, value);
        if (error != CL_SUCCESS) {
            report(f, t, "argument %s: error %d", a->name, error);
            return false;
        }
    }
    return true;
}

static bool launch(const struct test_file *f, struct kernel_test *t, cl_kernel kernel) {
    for (unsigned r = 0; r < t->repeat; r++) {
        cl_event event = NULL;
        *reason = 0;
        cl_int error =
            clEnqueueNDRangeKernel(queue, kernel, t->dim, t->offset_dim ? t->offset : NULL,
                                   t->global, t->local_dim ? t->local : NULL, 0, NULL, &event);
        if (t->has_launch_error) {
            if (event) clReleaseEvent(event);
            if (error != t->launch_error)
                report(f, t, "launch gives %d, expected %d", error, t->launch_error);
            return error == t->launch_error;
        }
        if (error != CL_SUCCESS) {
            report(f, t, "launch gives %d", error);
            return false;
        }
        clWaitForEvents(1, &event); /* after which all output is there, before clFinish */
        cl_int status = 1;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
        clReleaseEvent(event);
        if (t->fault ? status >= 0 : status != CL_COMPLETE) {
            report(f, t,
                   t->fault ? "no fault was found (status %d)" : "the launch ended with status %d",
                   status);
            return false;
        }
        for (unsigned w = 0; w < t->nreasons; w++) {
            if (strstr(reason, t->reasons[w])) continue;
            report(f, t, "the reason is \"%s\", expected \"%s\"", reason, t->reasons[w]);
            return false;
        }
    }
    return true;
}

static bool results_read(const struct test_file *f, struct kernel_test *t) {
    for (unsigned k = 0; k < t->nargs; k++) {
        struct test_argument *a = &t->args[k];
        if (a->kind != BUFFER) continue;
        a->after = malloc(a->bytes);
        if (!a->after) die("out of memory", 0);
        cl_int error =
            clEnqueueReadBuffer(queue, a->memory, CL_TRUE, 0, a->bytes, a->after, 0, NULL, NULL);
        if (error != CL_SUCCESS) {
            report(f, t, "reading %s gives %d", a->name, error);
            return false;
        }
        if (digest)
            printf("%s:%s:%s %016llx\n", f->name, t->name, a->name,
                   (unsigned long long)hash(a->after, a->bytes));
    }
    return true;
}

static bool test_run(const struct test_file *f, struct kernel_test *t, cl_program program) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, t->kernel, &error);
    if (!kernel) {
        report(f, t, "clCreateKernel gives %d", error);
        return false;
    }
    bool right = arguments_set(f, t, kernel);
    if (right) {
        catch_output();
        /* reports of the launch itself are caught as well: they are printed again below */
        right = launch(f, t, kernel);
        char *text = caught_output();
        if (right)
            right = outputs_check(f, t, text);
        else
            fputs(text, stdout);
        free(text);
    }
    if (right && !t->fault && !t->has_launch_error) {
        right = results_read(f, t);
        for (unsigned k = 0; right && k < t->nexpects; k++)
            right = expect_check(f, t, &t->expects[k]);
    }
    for (unsigned k = 0; k < t->nargs; k++) {
        struct test_argument *a = &t->args[k];
        if (a->memory) clReleaseMemObject(a->memory);
        free(a->before);
        free(a->after);
        a->memory = NULL;
        a->before = a->after = NULL;
    }
    clReleaseKernel(kernel);
    return right;
}

static char *build_log(cl_program program) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (!log) die("out of memory", 0);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return log;
}

static bool device_has(const struct test_file *f) {
    char extensions[4096] = "";
    cl_bool images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL);
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images), &images, NULL);
    return (!f->needs_doubles || strstr(extensions, "cl_khr_fp64")) &&
           (!f->needs_images || images) &&
           (!f->needs_atomics64 || strstr(extensions, "cl_khr_int64_base_atomics"));
}

static void build_run(struct test_file *f, const char *options) {
    f->built = options;
    cl_int error;
    const char *source = f->text;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    if (!program) die("clCreateProgramWithSource", error);
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    char *log = build_log(program);
    if (f->build_error) {
        bool right = error == CL_BUILD_PROGRAM_FAILURE && strstr(log, f->build_error);
        if (!right)
            report(f, NULL, "build gives %d, not a failure with \"%s\"; log:\n%s", error,
                   f->build_error, log);
        right ? passed++ : failed++;
    } else if (error != CL_SUCCESS) {
        report(f, NULL, "build gives %d; log:\n%s", error, log);
        failed += f->ntests ? f->ntests : 1;
    } else {
        for (unsigned i = 0; i < f->ntests; i++)
            test_run(f, &f->tests[i], program) ? passed++ : failed++;
        if (!f->ntests) passed++; /* that it builds was the test */
    }
    free(log);
    clReleaseProgram(program);
}

static void file_run(struct test_file *f) {
    if (!device_has(f)) {
        skipped += f->ntests ? f->ntests : 1;
        return;
    }
    char options[600], version[8];
    const char *p = f->versions;
    if (!*p) build_run(f, f->options);
    for (int n = 0; sscanf(p, "%7s%n", version, &n) == 1; p += n) {
        snprintf(options, sizeof(options), "%s -cl-std=CL%s", f->options, version);
        build_run(f, options);
    }
}

static void CL_CALLBACK tell(const char *text, const void *data, size_t size, void *user) {
    (void)data, (void)size, (void)user;
    snprintf(reason, sizeof reason, "%s", text);
}

static void open_device(const char *platform_name) {
    cl_platform_id platforms[32], platform = NULL;
    cl_uint count = 0;
    cl_int error = clGetPlatformIDs(32, platforms, &count);
    for (cl_uint i = 0; error == CL_SUCCESS && i < count && i < 32 && !platform; i++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL);
        if (strstr(name, platform_name)) platform = platforms[i];
    }
    if (!platform) die("no such platform", error);
    if ((error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)))
        die("clGetDeviceIDs", error);
    context = clCreateContext(NULL, 1, &device, tell, NULL, &error);
    if (!context) die("clCreateContext", error);
    queue = clCreateCommandQueue(context, device, 0, &error);
    if (!queue) die("clCreateCommandQueue", error);
}

int main(int argc, char **argv) {
    const char *platform = "simtcl";
    int first = 1;
    for (; first < argc && !strncmp(argv[first], "--", 2); first++) {
        if (!strcmp(argv[first], "--digest"))
            digest = true;
        else if (!strcmp(argv[first], "--platform") && first + 1 < argc)
            platform = argv[++first];
        else
            die("usage: kerneltest [--platform NAME] [--digest] FILE.cl ...", 0);
    }
    open_device(platform);
    for (int i = first; i < argc; i++) {
        struct test_file f;
        if (file_read(&f, argv[i]))
            file_run(&f);
        else
            failed++;
        file_free(&f);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
