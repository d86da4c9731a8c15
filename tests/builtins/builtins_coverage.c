/* Every built-in function with every combination of types that the compiler's table allows: a
 * kernel is generated for each, run by the driver and compared with the host's own computation.
 *
 *   coverage [NAME]          only the functions of that name
 *   coverage --sample N      only every Nth: engines that compile each kernel take their time
 *
 * The last line says how many of the table's functions were covered. What a family of signatures
 * needs for a kernel and how its results are checked is one struct family. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum {
    ITEMS = 40,  /* a whole warp and a part of one */
    BATCH = 96,  /* kernels of one program */
    BUFFERS = 7, /* inputs 0 to 4, result, second result */
    RESULT = 5,
    SECOND = 6,
    IMAGE_ARG = BUFFERS + 1,
    BYTES = 2 * ITEMS * 16 * 8,
    MAX_FAILURES = 40
};

struct coverage_type {
    enum ast_type_kind kind; /* AST_VOID: none of the numbers */
    unsigned count;
    bool pointer;
    char space[16], name[24]; /* name: as it is written, without pointer */
};

struct coverage_test {
    struct builtin_case c;
    struct coverage_type result, args[BUILTIN_MAX_ARGS];
    const struct family *family;
};

struct family {
    bool (*suits)(const struct coverage_test *t);
    void (*body)(const struct coverage_test *t, char *text, size_t size);
    bool (*check)(const struct coverage_test *t);
    bool is_image;
};

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static char extensions[2048];
static cl_mem buffers[BUFFERS];
static uint8_t memory[BUFFERS][BYTES];
static unsigned failures;

static void fatal(const char *what, int code) {
    fprintf(stderr, "coverage: %s (%d)\n", what, code);
    exit(2);
}

/* ---- types and layout ---- */

static struct coverage_type parse_type(const char *text) {
    static const struct {
        const char *name;
        enum ast_type_kind kind;
    } names[] = {{"char", AST_CHAR},     {"uchar", AST_UCHAR},  {"short", AST_SHORT},
                 {"ushort", AST_USHORT}, {"int", AST_INT},      {"uint", AST_UINT},
                 {"long", AST_LONG},     {"ulong", AST_ULONG},  {"half", AST_HALF},
                 {"float", AST_FLOAT},   {"double", AST_DOUBLE}};
    struct coverage_type t = {.kind = AST_VOID, .count = 1};
    char word[24] = "";
    if (text[0] == '_')
        sscanf(text, "%15s %23s", t.space, word);
    else
        sscanf(text, "%23s", word);
    t.pointer = strchr(text, '*') != NULL;
    snprintf(t.name, sizeof t.name, "%s", word);
    size_t n = strcspn(word, "0123456789");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && strncmp(names[i].name, word, n) == 0) {
            t.kind = names[i].kind;
            if (word[n]) t.count = (unsigned)atoi(word + n);
        }
    return t;
}

static bool is_void(const struct coverage_type *t) { return strcmp(t->name, "void") == 0; }
static unsigned stride(const struct coverage_type *t) { return t->count == 3 ? 4 : t->count; }

static struct reference_number component(unsigned buffer, const struct coverage_type *t,
                                         size_t index) {
    struct reference_number n = {.kind = t->kind};
    unsigned size = reference_size(t->kind);
    memcpy(&n.bits, memory[buffer] + index * size, size);
    return n;
}

static void store(unsigned buffer, const struct coverage_type *t, size_t index, uint64_t bits) {
    unsigned size = reference_size(t->kind);
    memcpy(memory[buffer] + index * size, &bits, size);
}

static void show(char *text, size_t size, struct reference_number n) {
    if (reference_is_real(n.kind))
        snprintf(text, size, "%La", reference_real(n));
    else
        snprintf(text, size, "%#llx", (unsigned long long)n.bits);
}

/* Says once for each function what is wrong. */
static bool wrong(const struct coverage_test *t, unsigned item, unsigned c, const struct want *w,
                  struct reference_number got, const struct reference_number *args) {
    char signature[200], text[64];
    builtin_signature(&t->c, signature, sizeof signature);
    show(text, sizeof text, got);
    printf("FAILED %s: item %u component %u gives %s", signature, item, c, text);
    if (w->real)
        printf(", not %La (%g ulp)", w->value, w->ulp);
    else
        printf(", not %#llx", (unsigned long long)w->bits);
    for (unsigned i = 0; args && i < t->c.nargs; i++) {
        show(text, sizeof text, args[i]);
        printf("%s%s", i ? ", " : " for (", text);
    }
    puts(args ? ")" : "");
    return false;
}

static bool same(const struct coverage_test *t, unsigned item, unsigned c, uint64_t bits,
                 struct reference_number got) {
    struct want w = {.bits = bits};
    return reference_accepts(&w, got) || wrong(t, item, c, &w, got, NULL);
}

/* ---- inputs ---- */

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint64_t real_bits(enum ast_type_kind kind, double x) {
    float f = (float)x;
    uint64_t bits = 0;
    if (kind == AST_FLOAT)
        memcpy(&bits, &f, 4);
    else
        memcpy(&bits, &x, 8);
    return bits;
}

/* Functions whose errors grow with their arguments, or that are defined for some only. */
static bool is_tame(const struct coverage_test *t) {
    static const char *const names[] = {"mix", "step",   "smoothstep", "degrees", "radians",
                                        "dot", "length", "normalize",  "cross",   "distance",
                                        "mad", "max",    "min",        "clamp",   "sign"};
    const char *n = t->c.name;
    if (!strncmp(n, "half_", 5) || !strncmp(n, "native_", 7) || !strncmp(n, "fast_", 5))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(n, names[i])) return true;
    return false;
}

static uint64_t input(const struct coverage_test *t, unsigned arg, enum ast_type_kind kind,
                      size_t index) {
    static const double reals[] = {
        0,    1,      -1,     0.5,   -0.5,    1.5,   -2.5,         2,         3,
        -3,   100.25, 65504,  65520, 1e10,    -1e10, 2147483648.0, 1e-5,      -1e-7,
        1e30, 127.5,  -128.5, 255.5, 32767.5, -0.0,  INFINITY,     -INFINITY, NAN};
    static const uint64_t integers[] = {
        0,    1,      ~0ull,  2,          7,          31,         33,         0x80,
        0x7f, 0x8000, 0x7fff, 0x80000000, 0x7fffffff, 1ull << 63, ~0ull >> 1, 255};
    uint64_t random = mix(index * 8 + arg + 77);
    if (reference_is_real(kind)) {
        if (kind == AST_HALF) {
            uint64_t h = random & 0xffff;
            return (h & 0x7c00) == 0x7c00 && h & 0x3ff ? 0x7c00 : h;
        }
        if (is_tame(t)) return real_bits(kind, ((double)(random % 127) - 63) / 8 + 0.0625);
        if (index % 3 == arg % 3)
            return real_bits(kind, reals[(index / 3 + 5 * arg) % (sizeof reals / sizeof *reals)]);
        double x = (double)(int64_t)random / 0x1p63;
        return real_bits(kind, ldexp(x, index % 2 ? 3 : (int)(random % 61) - 30));
    }
    if (strstr(t->c.name, "24") && arg < 2)
        return kind == AST_UINT ? random & 0xffffff : (uint64_t)((int64_t)(random << 40) >> 40);
    if (!strcmp(t->c.name, "ldexp") || !strcmp(t->c.name, "pown") || !strcmp(t->c.name, "rootn"))
        return index % 5 ? (uint64_t)((int64_t)(random % 31) - 15) : integers[index % 16];
    if (index % 2) return integers[(index / 2 + 3 * arg) % (sizeof integers / sizeof *integers)];
    return random >> random % 24;
}

static void fill(const struct coverage_test *t) {
    for (unsigned b = 0; b < RESULT; b++) {
        struct coverage_type type = b < t->c.nargs && t->args[b].kind != AST_VOID
                                        ? t->args[b]
                                        : (struct coverage_type){.kind = AST_UINT, .count = 1};
        size_t n = BYTES / reference_size(type.kind);
        if (n > 2 * ITEMS * 16) n = 2 * ITEMS * 16;
        for (size_t i = 0; i < n; i++) store(b, &type, i, input(t, b, type.kind, i));
    }
    memset(memory[RESULT], 0x5a, sizeof memory[RESULT]);
    memset(memory[SECOND], 0x5a, sizeof memory[SECOND]);
}

/* ---- text ---- */

static void add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(char *text, size_t size, const char *format, ...) {
    size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + n, size - n, format, list);
    va_end(list);
}

#define OUT "((global %s *)b5)[i] = "

/* The call, argument i as an element of buffer i; `last` in place of the last when given. */
static void call(const struct coverage_test *t, char *text, size_t size, const char *last) {
    add(text, size, "%s(", t->c.name);
    for (unsigned a = 0; a < t->c.nargs; a++) {
        if (a) add(text, size, ", ");
        if (last && a + 1 == t->c.nargs)
            add(text, size, "%s", last);
        else
            add(text, size, "((global %s *)b%u)[i]", t->args[a].name, a);
    }
    add(text, size, ");\n");
}

/* ---- functions of values, component by component ---- */

static bool has(const struct coverage_test *t, const char *letters) {
    return strpbrk(builtin_table[t->c.row].signature, letters) != NULL;
}
static bool is_workitem(const struct coverage_test *t) {
    return !strncmp(t->c.name, "get_", 4) && !has(t, "M");
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
    return !has(t, "*MES.v") && !is_workitem(t) && !is_whole(t);
}
static void value_body(const struct coverage_test *t, char *text, size_t size) {
    add(text, size, OUT, t->result.name);
    call(t, text, size, NULL);
}

static bool compare(const struct coverage_test *t, const struct coverage_type *second) {
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < t->result.count; c++) {
            struct reference_number args[BUILTIN_MAX_ARGS];
            for (unsigned a = 0; a < t->c.nargs; a++) {
                unsigned at = t->args[a].count == 1 ? 0 : c;
                args[a] = component(a, &t->args[a], i * stride(&t->args[a]) + at);
            }
            struct want first, other;
            if (!reference_value(&t->c, t->result.kind, args, &first, &other)) {
                printf("FAILED %s: the test has no reference for it\n", t->c.name);
                return false;
            }
            struct reference_number got = component(RESULT, &t->result, i * stride(&t->result) + c);
            if (!reference_accepts(&first, got)) return wrong(t, i, c, &first, got, args);
            if (!second) continue;
            got = component(SECOND, second, i * stride(second) + c);
            if (!reference_accepts(&other, got)) return wrong(t, i, c, &other, got, args);
        }
    return true;
}
static bool value_check(const struct coverage_test *t) { return compare(t, NULL); }

/* ---- functions that leave a second result where their last argument points ---- */

static bool pointer_suits(const struct coverage_test *t) {
    return !is_void(&t->result) && t->c.nargs >= 2 && t->args[t->c.nargs - 1].pointer &&
           reference_is_real(t->result.kind) && !has(t, "Hae");
}
static void pointer_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[t->c.nargs - 1];
    if (!strcmp(p->space, "__global")) {
        add(text, size, OUT, t->result.name);
        char last[64];
        snprintf(last, sizeof last, "(global %s *)b6 + i", p->name);
        call(t, text, size, last);
        return;
    }
    bool local = !strcmp(p->space, "__local");
    add(text, size, "%s%s t[%d];\n" OUT, local ? "local " : "", p->name, local ? ITEMS : 1,
        t->result.name);
    call(t, text, size, local ? "t + i" : "t");
    add(text, size, "((global %s *)b6)[i] = t[%s];\n", p->name, local ? "i" : "0");
}
static bool pointer_check(const struct coverage_test *t) {
    return compare(t, &t->args[t->c.nargs - 1]);
}

/* ---- work-items ---- */

static void workitem_body(const struct coverage_test *t, char *text, size_t size) {
    add(text, size, "((global uint *)b0)[i] = i %% 5;\n");
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
        if (!same(t, i, 0, want, component(RESULT, &t->result, i))) return false;
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
            a[c] = component(0, g, i * stride(g) + c);
            x[c] = reference_real(a[c]);
            if (t->c.nargs < 2 || c >= t->args[1].count) continue;
            b[c] = component(1, &t->args[1], i * stride(&t->args[1]) + c);
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
                    component(m, &t->args[m], i * stride(&t->args[m]) + c);
                unsigned k = (unsigned)mask.bits & (m * g->count - 1);
                w = (struct want){
                    .bits = component(k / g->count, g, i * stride(g) + k % g->count).bits};
            }
            struct reference_number got = component(RESULT, &t->result, i * stride(&t->result) + c);
            if (!reference_accepts(&w, got)) return wrong(t, i, c, &w, got, NULL);
        }
    }
    return true;
}

/* ---- vload and vstore ---- */

static bool vload_suits(const struct coverage_test *t) { return !strncmp(t->c.name, "vload", 5); }
static bool vstore_suits(const struct coverage_test *t) { return !strncmp(t->c.name, "vstore", 6); }

/* Elements from one vector in memory to the next. */
static unsigned apart(const struct coverage_test *t, const struct coverage_type *value) {
    return !strncmp(t->c.name, "vloada", 6) || !strncmp(t->c.name, "vstorea", 7) ? stride(value)
                                                                                 : value->count;
}
static const char *stored(const struct coverage_type *p) {
    return p->kind == AST_HALF ? "ushort" : p->name;
}

static void vload_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[1];
    unsigned n = apart(t, &t->result);
    if (!strcmp(p->space, "__global") || !strcmp(p->space, "__constant")) {
        add(text, size, OUT "%s(i, (%s %s *)%s);\n", t->result.name, t->c.name, p->space, p->name,
            p->space[2] == 'g' ? "b1" : "b7");
        return;
    }
    bool local = !strcmp(p->space, "__local");
    add(text, size, "%s%s t[%u] __attribute__((aligned(64)));\n", local ? "local " : "", stored(p),
        (local ? ITEMS : 2) * n);
    add(text, size,
        "for (uint j = 0; j < %u; j++) t[%s * %u + j] = ((global %s *)b1)[i * %u + j];\n", n,
        local ? "i" : "1", n, stored(p), n);
    add(text, size, OUT "%s(%s, (%s %s *)t);\n", t->result.name, t->c.name, local ? "i" : "1",
        p->space, p->name);
}
static bool vload_check(const struct coverage_test *t) {
    unsigned n = apart(t, &t->result);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < t->result.count; c++) {
            struct reference_number in = component(1, &t->args[1], i * n + c);
            struct reference_number got = component(RESULT, &t->result, i * stride(&t->result) + c);
            struct want w = {.bits = in.bits};
            if (in.kind == AST_HALF) w = (struct want){.real = true, .value = reference_real(in)};
            if (!reference_accepts(&w, got)) return wrong(t, i, c, &w, got, NULL);
        }
    return true;
}

static void vstore_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[2];
    unsigned n = apart(t, &t->args[0]);
    const char *value = t->args[0].name;
    if (!strcmp(p->space, "__global")) {
        add(text, size, "%s(((global %s *)b0)[i], i, (global %s *)b5);\n", t->c.name, value,
            p->name);
        return;
    }
    bool local = !strcmp(p->space, "__local");
    add(text, size, "%s%s t[%u] __attribute__((aligned(64)));\n", local ? "local " : "", stored(p),
        (local ? ITEMS : 2) * n);
    add(text, size, "%s(((global %s *)b0)[i], %s, (%s %s *)t);\n", t->c.name, value,
        local ? "i" : "1", p->space, p->name);
    add(text, size,
        "for (uint j = 0; j < %u; j++) ((global %s *)b5)[i * %u + j] = t[%s * %u + j];\n",
        t->args[0].count, stored(p), n, local ? "i" : "1", n);
}
static bool vstore_check(const struct coverage_test *t) {
    unsigned n = apart(t, &t->args[0]);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < t->args[0].count; c++) {
            struct reference_number in = component(0, &t->args[0], i * stride(&t->args[0]) + c);
            struct reference_number got = component(RESULT, &t->args[2], i * n + c);
            struct want w = {.bits = in.bits};
            if (got.kind == AST_HALF)
                w = reference_convert(in, AST_HALF, false, t->c.bind.rounded, t->c.bind.rounding);
            if (!reference_accepts(&w, got)) return wrong(t, i, c, &w, got, NULL);
        }
    return true;
}

/* ---- atomics: every item its own place; contention is another test's ---- */

static bool atomic_suits(const struct coverage_test *t) { return !strncmp(t->c.name, "atom", 4); }
static void atomic_body(const struct coverage_test *t, char *text, size_t size) {
    const char *T = t->result.name;
    bool local = !strcmp(t->args[0].space, "__local");
    if (local)
        add(text, size, "local %s p[%d];\n", T, ITEMS);
    else
        add(text, size, "global %s *p = (global %s *)b6;\n", T, T);
    add(text, size, "p[i] = ((global %s *)b0)[i];\n" OUT "%s(p + i", T, T, t->c.name);
    for (unsigned a = 1; a < t->c.nargs; a++) add(text, size, ", ((global %s *)b%u)[i]", T, a);
    add(text, size, ");\n");
    if (local) add(text, size, "((global %s *)b6)[i] = p[i];\n", T);
}
static bool atomic_check(const struct coverage_test *t) {
    const char *op = strchr(t->c.name, '_') + 1;
    for (unsigned i = 0; i < ITEMS; i++) {
        struct reference_number old = component(0, &t->result, i), x = component(1, &t->result, i);
        __int128 a = old.kind == AST_ULONG ? (__int128)old.bits : reference_integer(old),
                 b = old.kind == AST_ULONG ? (__int128)x.bits : reference_integer(x);
        uint64_t y = component(2, &t->result, i).bits;
        uint64_t want = !strcmp(op, "add")       ? old.bits + x.bits
                        : !strcmp(op, "sub")     ? old.bits - x.bits
                        : !strcmp(op, "xchg")    ? x.bits
                        : !strcmp(op, "inc")     ? old.bits + 1
                        : !strcmp(op, "dec")     ? old.bits - 1
                        : !strcmp(op, "cmpxchg") ? (old.bits == x.bits ? y : old.bits)
                        : !strcmp(op, "min")     ? (a < b ? old.bits : x.bits)
                        : !strcmp(op, "max")     ? (a > b ? old.bits : x.bits)
                        : !strcmp(op, "and")     ? (old.bits & x.bits)
                        : !strcmp(op, "or")      ? (old.bits | x.bits)
                                                 : (old.bits ^ x.bits);
        if (!same(t, i, 0, old.bits, component(RESULT, &t->result, i)) ||
            !same(t, i, 1, want, component(SECOND, &t->result, i)))
            return false;
    }
    return true;
}

/* ---- copies by the whole group ---- */

static bool copy_suits(const struct coverage_test *t) {
    return !strncmp(t->c.name, "async_", 6) || !strcmp(t->c.name, "prefetch");
}
static bool is_strided(const struct coverage_test *t) {
    return strstr(t->c.name, "strided") != NULL;
}
static bool from_local(const struct coverage_test *t) { return t->args[0].space[2] == 'g'; }
static void copy_body(const struct coverage_test *t, char *text, size_t size) {
    const char *T = t->args[0].name, *more = is_strided(t) ? ", 2" : "";

    if (t->c.name[0] == 'p') {
        add(text, size, "%s((global %s *)b0, 8);\n" OUT "((global %s *)b0)[i];\n", t->c.name, T, T,
            T);
        return;
    }
    add(text, size, "local %s p[%d];\n", T, ITEMS);
    if (from_local(t))
        add(text, size,
            "p[i] = ((global %s *)b1)[i];\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
            "event_t e = %s((global %s *)b5, (const local %s *)p, %d%s, 0);\nwait_group_events(1, "
            "&e);\n",
            T, t->c.name, T, T, ITEMS, more);
    else
        add(text, size,
            "event_t e = %s(p, (const global %s *)b1, %d%s, 0);\nwait_group_events(1, &e);\n" OUT
            "p[i];\n",
            t->c.name, T, ITEMS, more, T);
}
static bool copy_check(const struct coverage_test *t) {
    const struct coverage_type *g = &t->args[0];
    unsigned from = t->c.name[0] == 'p' ? 0 : 1, in = 1, out = 1;
    if (is_strided(t)) *(from_local(t) ? &out : &in) = 2;
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < g->count; c++)
            if (!same(t, i, c, component(from, g, i * in * stride(g) + c).bits,
                      component(RESULT, g, i * out * stride(g) + c)))
                return false;
    return true;
}

/* ---- synchronisation, printf: the neighbour's value arrives ---- */

static bool sync_suits(const struct coverage_test *t) {
    return is_void(&t->result) || !strcmp(t->c.name, "printf");
}
static void sync_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[t->c.nargs - 1];
    add(text, size, "local volatile uint p[%d];\np[i] = ((global uint *)b4)[i];\n", ITEMS);
    if (!strcmp(t->c.name, "printf"))
        add(text, size, "printf(\"\");\n");
    else if (!strcmp(t->c.name, "wait_group_events") && !strcmp(p->space, "__private"))
        add(text, size, "event_t e = 0;\nwait_group_events(1, &e);\n");
    else if (!strcmp(t->c.name, "wait_group_events"))
        add(text, size,
            "p[i] = 0; wait_group_events(1, (%s event_t *)%s);\np[i] = ((global uint *)b4)[i];\n",
            p->space, p->space[2] == 'l' ? "p" : "b6");
    else
        add(text, size, "%s(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", t->c.name);
    add(text, size, "barrier(CLK_LOCAL_MEM_FENCE);\n((global uint *)b5)[i] = p[(i + 1) %% %d];\n",
        ITEMS);
}
static bool sync_check(const struct coverage_test *t) {
    struct coverage_type u = {.kind = AST_UINT, .count = 1};
    for (unsigned i = 0; i < ITEMS; i++)
        if (!same(t, i, 0, component(4, &u, (i + 1) % ITEMS).bits, component(RESULT, &u, i)))
            return false;
    return true;
}

/* ---- images: 8 x 4, two layers or slices; component c of texel (x, y, z) is x + 10y + 100z +
 * 1000c */

enum { WIDTH = 8, HEIGHT = 4, LAYERS = 2 };
static cl_mem image, image_storage;

static bool image_suits(const struct coverage_test *t) { return has(t, "M"); }
static void place(enum isa_image_dim dim, unsigned i, unsigned at[3]) {
    at[0] = i % WIDTH;
    at[1] = i / WIDTH % HEIGHT;
    at[2] = i / (WIDTH * HEIGHT) % LAYERS;
    if (dim == ISA_DIM_1D || dim == ISA_DIM_1D_BUFFER) at[1] = at[2] = 0;
    if (dim == ISA_DIM_1D_ARRAY) {
        at[2] = 0;
        at[1] = i / WIDTH % LAYERS;
    }
    if (dim == ISA_DIM_2D) at[2] = 0;
}
static void image_body(const struct coverage_test *t, char *text, size_t size) {
    enum isa_image_dim dim = t->c.bind.dim;
    if (!strncmp(t->c.name, "get_", 4)) {
        add(text, size, OUT "%s(image);\n", t->result.name, t->c.name);
        return;
    }
    add(text, size, "int x = i %% %d, y = i / %d %% %d, z = i / %d %% %d;\n", WIDTH, WIDTH, HEIGHT,
        WIDTH * HEIGHT, LAYERS);
    bool write = t->c.name[0] == 'w', real = t->c.nargs == 3 && !write && has(t, "K");
    char coordinate[100];
    snprintf(coordinate, sizeof coordinate, "%s",
             dim == ISA_DIM_1D || dim == ISA_DIM_1D_BUFFER ? (real ? "x + 0.5f" : "x")
             : dim == ISA_DIM_1D_ARRAY ? (real ? "(float2)(x + 0.5f, y % 2)" : "(int2)(x, y % 2)")
             : dim == ISA_DIM_2D       ? (real ? "(float2)(x + 0.5f, y + 0.5f)" : "(int2)(x, y)")
             : dim == ISA_DIM_2D_ARRAY
                 ? (real ? "(float4)(x + 0.5f, y + 0.5f, z, 0)" : "(int4)(x, y, z, 0)")
                 : (real ? "(float4)(x + 0.5f, y + 0.5f, z + 0.5f, 0)" : "(int4)(x, y, z, 0)"));
    if (write) {
        if (dim == ISA_DIM_1D || dim == ISA_DIM_1D_BUFFER) add(text, size, "y = z = 0;\n");
        if (dim == ISA_DIM_1D_ARRAY) add(text, size, "y %%= 2; z = 0;\n");
        if (dim == ISA_DIM_2D) add(text, size, "z = 0;\n");
        add(text, size,
            "%s v = (%s)(x + 10 * y + 100 * z, x + 10 * y + 100 * z + 1000, "
            "x + 10 * y + 100 * z + 2000, x + 10 * y + 100 * z + 3000);\n%s(image, %s, v);\n",
            t->args[2].name, t->args[2].name, t->c.name, coordinate);
        return;
    }
    if (t->c.nargs == 3)
        add(text, size,
            "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
            "CLK_FILTER_NEAREST;\n");
    add(text, size, OUT "%s(image, %s%s);\n", t->result.name, t->c.name,
        t->c.nargs == 3 ? "s, " : "", coordinate);
}
static bool is_read(const struct coverage_test *t) { return t->c.name[0] == 'r'; }

static uint32_t texel(char letter, const unsigned at[3], unsigned c) {
    unsigned v = at[0] + 10 * at[1] + 100 * at[2] + 1000 * c;
    uint64_t bits = letter == 'f' ? real_bits(AST_FLOAT, v) : v;
    return (uint32_t)bits;
}

/* A new image with the pattern, or with nothing when the kernel writes it. */
static void image_prepare(const struct coverage_test *t) {
    static uint32_t texels[LAYERS * HEIGHT * WIDTH][4];
    enum isa_image_dim dim = t->c.bind.dim;
    const char *name = strstr(t->c.name, "image");
    char letter = !strncmp(t->c.name, "get_", 4) ? 'f' : name[5] == 'f' ? 'f' : name[5];
    cl_image_format format = {CL_RGBA, letter == 'f'   ? CL_FLOAT
                                       : letter == 'i' ? CL_SIGNED_INT32
                                                       : CL_UNSIGNED_INT32};
    cl_image_desc desc = {.image_width = WIDTH};
    size_t region[3] = {WIDTH, 1, 1}, origin[3] = {0};
    switch (dim) {
    case ISA_DIM_1D: desc.image_type = CL_MEM_OBJECT_IMAGE1D; break;
    case ISA_DIM_1D_BUFFER: desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; break;
    case ISA_DIM_1D_ARRAY:
        desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
        desc.image_array_size = region[1] = LAYERS;
        break;
    case ISA_DIM_2D:
        desc.image_type = CL_MEM_OBJECT_IMAGE2D;
        desc.image_height = region[1] = HEIGHT;
        break;
    case ISA_DIM_2D_ARRAY:
        desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
        desc.image_height = region[1] = HEIGHT;
        desc.image_array_size = region[2] = LAYERS;
        break;
    default:
        desc.image_type = CL_MEM_OBJECT_IMAGE3D;
        desc.image_height = region[1] = HEIGHT;
        desc.image_depth = region[2] = LAYERS;
    }
    cl_int code = CL_SUCCESS;
    if (dim == ISA_DIM_1D_BUFFER) {
        desc.buffer = image_storage =
            clCreateBuffer(context, CL_MEM_READ_WRITE, WIDTH * 16, NULL, &code);
    }
    image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    if (code) fatal("clCreateImage", code);
    for (unsigned z = 0; z < region[2]; z++)
        for (unsigned y = 0; y < region[1]; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                for (unsigned c = 0; c < 4; c++)
                    texels[(z * region[1] + y) * WIDTH + x][c] =
                        is_read(t) ? texel(letter, (unsigned[]){x, y, z}, c) : 0;
    code = clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
    if (code) fatal("clEnqueueWriteImage", code);
}

static bool image_check(const struct coverage_test *t) {
    enum isa_image_dim dim = t->c.bind.dim;
    const char *name = strstr(t->c.name, "image");
    struct coverage_type four = {.kind = name[5] == 'f' ? AST_FLOAT : AST_INT, .count = 4};
    if (!strncmp(t->c.name, "get_", 4)) {
        const char *n = t->c.name + 10;
        unsigned v = !strcmp(n, "width")               ? WIDTH
                     : !strcmp(n, "height")            ? HEIGHT
                     : !strcmp(n, "depth")             ? LAYERS
                     : !strcmp(n, "array_size")        ? LAYERS
                     : !strcmp(n, "channel_data_type") ? CL_FLOAT
                     : !strcmp(n, "channel_order")     ? CL_RGBA
                                                       : 0;
        const unsigned sizes[4] = {WIDTH, HEIGHT, LAYERS, 0};
        for (unsigned c = 0; c < t->result.count; c++)
            if (!same(t, 0, c, t->result.count > 1 ? sizes[c] : v,
                      component(RESULT, &t->result, c)))
                return false;
        return true;
    }
    bool write = !is_read(t);
    if (write) {
        size_t region[3] = {WIDTH, 1, 1}, origin[3] = {0};
        if (dim == ISA_DIM_2D || dim == ISA_DIM_2D_ARRAY || dim == ISA_DIM_3D) region[1] = HEIGHT;
        if (dim == ISA_DIM_1D_ARRAY) region[1] = LAYERS;
        if (dim == ISA_DIM_2D_ARRAY || dim == ISA_DIM_3D) region[2] = LAYERS;
        cl_int code = clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0,
                                         memory[RESULT], 0, NULL, NULL);
        if (code) fatal("clEnqueueReadImage", code);
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned at[3];
        place(dim, i, at);
        size_t from = i;
        if (write) {
            unsigned rows = dim == ISA_DIM_1D_ARRAY ? LAYERS : HEIGHT;
            from = (at[2] * rows + at[1]) * WIDTH + at[0];
        }
        for (unsigned c = 0; c < 4; c++)
            if (!same(t, i, c, texel(name[5], at, c), component(RESULT, &four, from * 4 + c)))
                return false;
    }
    return true;
}

static const struct family families[] = {
    {image_suits, image_body, image_check, true},
    {is_workitem, workitem_body, workitem_check, false},
    {is_whole, value_body, whole_check, false},
    {vload_suits, vload_body, vload_check, false},
    {vstore_suits, vstore_body, vstore_check, false},
    {atomic_suits, atomic_body, atomic_check, false},
    {copy_suits, copy_body, copy_check, false},
    {sync_suits, sync_body, sync_check, false},
    {pointer_suits, pointer_body, pointer_check, false},
    {value_suits, value_body, value_check, false},
};

/* ---- running ---- */

static void source_of(const struct coverage_test *t, unsigned index, char *text, size_t size) {
    add(text, size,
        "kernel void k%u(global uchar *b0, global uchar *b1, global uchar *b2, global uchar *b3, "
        "global uchar *b4, global uchar *b5, global uchar *b6, constant uchar *b7",
        index);
    if (t->family->is_image) add(text, size, ", %s image", t->c.args[0]);
    add(text, size, ") {\nuint i = get_local_id(0);\n");
    t->family->body(t, text, size);
    add(text, size, "}\n");
}

static cl_program build(const char *source) {
    cl_int code;
    cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (code) fatal("clCreateProgramWithSource", code);
    code = clBuildProgram(p, 1, &device, "-cl-std=CL1.2", NULL, NULL);
    if (!code) return p;
    static char log[20000];
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("build failed (%d): %.3000s\n", code, log);
    clReleaseProgram(p);
    return NULL;
}

static bool launch(const struct coverage_test *t, cl_program program, unsigned index) {
    char name[16];
    snprintf(name, sizeof name, "k%u", index);
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (code) fatal("clCreateKernel", code);
    fill(t);
    image = image_storage = NULL;
    if (t->family->is_image) image_prepare(t);
    for (unsigned b = 0; b < BUFFERS && !code; b++) {
        code =
            clEnqueueWriteBuffer(queue, buffers[b], CL_FALSE, 0, BYTES, memory[b], 0, NULL, NULL);
        if (!code) code = clSetKernelArg(kernel, b, sizeof(cl_mem), &buffers[b]);
    }
    if (!code) code = clSetKernelArg(kernel, BUFFERS, sizeof(cl_mem), &buffers[1]);
    if (!code && image) code = clSetKernelArg(kernel, IMAGE_ARG, sizeof(cl_mem), &image);
    size_t items = ITEMS;
    if (!code) code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    for (unsigned b = RESULT; b <= SECOND && !code; b++)
        code = clEnqueueReadBuffer(queue, buffers[b], CL_TRUE, 0, BYTES, memory[b], 0, NULL, NULL);
    bool good = !code && t->family->check(t);
    if (code) printf("FAILED %s: the launch gives %d\n", t->c.name, code);
    if (image) clReleaseMemObject(image);
    if (image_storage) clReleaseMemObject(image_storage);
    clReleaseKernel(kernel);
    return good;
}

/* Returns how many of the tests passed. */
static unsigned run(const struct coverage_test *tests, unsigned n) {
    static char source[BATCH * 2048];
    source[0] = 0;
    for (unsigned i = 0; i < n; i++) source_of(&tests[i], i, source, sizeof source);
    cl_program program = build(source);
    if (!program && n > 1) { /* which? */
        unsigned half = n / 2;
        return run(tests, half) + run(tests + half, n - half);
    }
    unsigned passed = 0;
    for (unsigned i = 0; program && i < n; i++) passed += launch(&tests[i], program, i);
    if (!program) {
        char signature[200];
        builtin_signature(&tests[0].c, signature, sizeof signature);
        printf("FAILED %s: is refused\n%s", signature, source);
    }
    failures += n - passed;
    if (program) clReleaseProgram(program);
    return passed;
}

/* A function of an extension that the device does not have must be refused. */
static bool refused(const struct coverage_test *t) {
    static char source[4096];
    source[0] = 0;
    source_of(t, 0, source, sizeof source);
    const char *text = source;
    cl_int code;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (!code) code = clBuildProgram(p, 1, &device, "-cl-std=CL1.2", NULL, NULL);
    clReleaseProgram(p);
    if (code != CL_BUILD_PROGRAM_FAILURE) printf("FAILED %s: is accepted\n", t->c.name);
    return code == CL_BUILD_PROGRAM_FAILURE;
}

static void open_device(void) {
    cl_platform_id platforms[8];
    cl_uint n = 0;
    cl_int code = clGetPlatformIDs(8, platforms, &n);
    if (code || !n) fatal("clGetPlatformIDs", code);
    code = clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (code) fatal("clGetDeviceIDs", code);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code) fatal("clCreateContext", code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    if (code) fatal("clCreateCommandQueue", code);
    for (unsigned b = 0; b < BUFFERS; b++) {
        buffers[b] = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
        if (code) fatal("clCreateBuffer", code);
    }
}

int main(int argc, char **argv) {
    static struct coverage_test tests[BATCH];
    struct builtin_case c = {0};
    unsigned pending = 0, covered = 0, total = 0, absent = 0, seen = 0;
    bool sampled = argc > 2 && !strcmp(argv[1], "--sample");
    unsigned every = sampled ? (unsigned)strtoul(argv[2], NULL, 0) : 1;
    open_device();
    while (builtin_next(&c)) {
        if (argc > 1 && !sampled && strcmp(argv[1], c.name)) continue;
        if (every > 1 && seen++ % every) continue;
        total++;
        struct coverage_test *t = &tests[pending];
        *t = (struct coverage_test){.c = c, .result = parse_type(c.result)};
        for (unsigned i = 0; i < c.nargs; i++) t->args[i] = parse_type(c.args[i]);
        for (size_t i = 0; i < sizeof families / sizeof *families && !t->family; i++)
            if (families[i].suits(t)) t->family = &families[i];
        const char *extension = builtin_table[c.row].extension;
        if (!t->family) {
            printf("FAILED %s: the test has no way to call it\n", c.name);
            failures++;
        } else if ((c.needs_double && !strstr(extensions, "cl_khr_fp64")) ||
                   !strstr(extensions, extension)) {
            bool good = refused(t);
            covered += good;
            failures += !good;
            absent++;
        } else if (++pending == BATCH) {
            covered += run(tests, pending);
            pending = 0;
        }
        if (failures >= MAX_FAILURES) break;
    }
    if (pending) covered += run(tests, pending);
    for (unsigned b = 0; b < BUFFERS; b++) clReleaseMemObject(buffers[b]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%u of %u built-in functions covered (name x types), %.1f %%; %u of them are refused as "
           "the "
           "device lacks their extension\n",
           covered, total, total ? 100.0 * covered / total : 0, absent);
    return failures || !covered;
}
