/* Programs that nest without end, are huge, damaged or out of memory: an answer, never a crash. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reader/reader.h"

enum { ROOM = 4 << 20 };
static int failures;

struct limits_program {
    char *text;
    size_t length;
    const struct compiler_source *headers;
    size_t nheaders;
    bool good;
    char *log;
};

static void *read_program(void *data) {
    struct limits_program *p = data;
    static const struct options options = {.cl_std = 120};
    static const struct compiler_target target = {
        .cl_version = 120, .extensions = "cl_khr_fp64", .doubles = true, .images = true};
    jmp_buf out_of_memory;
    struct arena *volatile arena = NULL;
    struct diag *volatile diag = diag_new();
    if (diag && setjmp(out_of_memory) == 0 && (arena = arena_new(&out_of_memory))) {
        struct preprocessed t =
            preprocess(arena, diag, &options, &target, p->text, p->length, p->headers, p->nheaders);
        p->good = t.errors == 0 && reader_read(arena, diag, &options, &target, &t, p->text,
                                               p->length, p->headers, p->nheaders);
    }
    p->log = diag ? diag_take(diag) : NULL;
    diag_free(diag);
    arena_free(arena);
    return NULL;
}

/* As the compiler's driver does: on a thread with a stack of 64 MiB. */
static void run(struct limits_program *p) {
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 20);
    p->good = false;
    p->log = NULL;
    if (pthread_create(&thread, &attr, read_program, p) == 0) pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
}

static void append(struct limits_program *p, const char *s) {
    size_t n = strlen(s);
    if (p->length + n >= ROOM) abort();
    memcpy(p->text + p->length, s, n + 1);
    p->length += n;
}

static void expect(struct limits_program *p, bool good, const char *what) {
    run(p);
    if (p->good != good) {
        printf("%s: %s\n%.2000s\n", what, good ? "refused" : "accepted", p->log ? p->log : "");
        failures++;
    }
    free(p->log);
}

/* begin, then n times a, the middle, n times b, the end */
static void repeat(bool good, const char *a, unsigned n, const char *middle, const char *b,
                   const char *what) {
    struct limits_program p = {.text = malloc(ROOM)};
    if (!p.text) abort();
    append(&p, "kernel void k(global int *o, int a, float f) { ");
    for (unsigned i = 0; i < n; i++) append(&p, a);
    append(&p, middle);
    for (unsigned i = 0; i < n; i++) append(&p, b);
    append(&p, " }\n");
    expect(&p, good, what);
    free(p.text);
}

static void sums(void) {
    static const struct {
        const char *first, *rest, *what;
    } kinds[] = {
        {"o[0] = a", " + a", "a sum of 5000 terms"},
        {"o[0] = a", " + f", "a sum of 5000 terms of two types"},
        {"o[0] = a", " + o[1]", "a sum of 5000 elements"},
        {"o[0] = (a)", " - (a)", "a sum of 5000 terms in brackets"},
        {"a++", ", a++", "5000 commas"},
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct limits_program p = {.text = malloc(ROOM)};
        if (!p.text) abort();
        append(&p, "kernel void k(global int *o, int a, float f) { ");
        append(&p, kinds[i].first);
        for (unsigned n = 0; n < 5000; n++) append(&p, kinds[i].rest);
        append(&p, "; }\n");
        expect(&p, true, kinds[i].what);
        free(p.text);
    }
}

static void hostile(void) {
    static const struct {
        const char *a, *middle, *b;
    } kinds[] = {
        {"!", "a;", ""},
        {"- ", "a;", ""},
        {"(int)", "a;", ""},
        {"(int)-", "a;", ""},
        {"sizeof ", "a;", ""},
        {"a ? 1 : ", "a;", ""},
        {"a = ", "a;", ""},
        {"if (a) ", ";", ""},
        {"for (;;) ", ";", ""},
        {"(", "a", ")"},
        {"{", "a;", "}"},
        {"o[", "0", "]"},
        {"else ", ";", ""},
        {"*&", "a;", ""},
        {"case 1: ", ";", ""},
        {"({", "1;", "});"},
        {"do ", "a;", "while(a);"},
        {"[", "", ""},
        {"struct {", "int x;", "};"},
        {"a ?: ", "1;", ""},
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        repeat(false, kinds[i].a, 100000, kinds[i].middle, kinds[i].b, kinds[i].a);
    repeat(true, "o[0] = a;\n", 2000, "", "", "2000 statements");
    repeat(true, "if (a) ;\nelse ", 500, ";", "", "500 times else if");
}

/* Every beginning of a program, and every program with one character changed. */
static void damage(void) {
    static const char text[] =
        "typedef struct { int a[2]; float4 v; } S; constant S c = {{1, 2}, .v = {1, 2, 3, 4}};\n"
        "kernel void k(global S *o, local float t[4][4]) { for (int i = 0; i < 3; i++) { S s = "
        "{.a[1] = i};\n"
        "o[i].v.xy = as_float2((int2)(i, c.a[i])) + t[1][i]; o[0] = i ? s : (S){{1}}; } }\n";
    struct limits_program p = {.text = malloc(ROOM)};
    if (!p.text) abort();
    unsigned seed = 1;
    for (unsigned i = 0; i < 400; i++) {
        memcpy(p.text, text, sizeof text);
        p.length = sizeof text - 1;
        if (i < 100) {
            p.length = i * (sizeof text - 1) / 100;
        } else {
            seed = seed * 1664525 + 1013904223;
            p.text[(seed >> 8) % p.length] = "(){}[];,.*&+-=<>#\"'\\x0 \n"[(seed >> 3) % 25];
        }
        run(&p);
        free(p.log);
    }
    free(p.text);
}

static void headers(void) {
    static const char header[] = "#define ADD(x) ((x) + 1)\nint helper(int);\n",
                      broken[] = "int broken(int x) { return y; }\n";
    const struct compiler_source sources[] = {{"sub/add.h", header, sizeof header - 1},
                                              {"broken.h", broken, sizeof broken - 1}};
    struct limits_program p = {.headers = sources, .nheaders = 2};
    p.text = strdup("#include \"sub/add.h\"\nkernel void k(global int *o) { int unused; o[0] == 1; "
                    "o[0] = ADD(helper(2)); }\n");
    if (!p.text) abort();
    p.length = strlen(p.text);
    expect(&p, true, "a header");
    free(p.text);
    p.text = strdup("#include \"broken.h\"\n");
    if (!p.text) abort();
    p.length = strlen(p.text);
    run(&p);
    if (p.good || !p.log || !strstr(p.log, "broken.h:1:28")) {
        printf("an error in a header: its place is not told\n%s\n", p.log ? p.log : "");
        failures++;
    }
    free(p.log);
    free(p.text);
}

int main(void) {
    reader_warm();
    sums();
    hostile();
    damage();
    headers();
    return failures != 0;
}
