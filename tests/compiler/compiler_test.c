/* Arena, log, types, options, objects, and the compiler as the driver calls it. */
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "tests/device/test.h"
#include "compiler/base/ast.h"
#include "device/isa/arena.h"
#include "compiler/compiler.h"
#include "compiler/base/diag.h"
#include "device/isa/isa.h"
#include "compiler/driver/unit.h"
#include "compiler/base/options.h"
#include "compiler/preprocess/preprocess.h"

static const struct compiler_target target = {.cl_version = 120,
                                              .extensions =
                                                  "cl_khr_byte_addressable_store cl_khr_fp64",
                                              .doubles = true,
                                              .images = true,
                                              .max_constant_bytes = 65536,
                                              .max_local_bytes = 16384,
                                              .max_private_bytes = 16384};

#ifdef SIMTCL_SANITIZED
enum { PATIENCE = 100 }; /* seconds of the process for what takes one */
#else
enum { PATIENCE = 10 };
#endif

static jmp_buf out_of_memory;

static struct arena *new_arena(void) {
    struct arena *a = arena_new(&out_of_memory);
    CHECK(a);
    return a;
}

/* Time of this process: what else the machine does is not counted. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- arena, types ---- */

static void arena_gives_zeroed_aligned_memory(void) {
    struct arena *a = new_arena();
    for (size_t size = 0; size < 300000; size = size * 2 + 1) {
        unsigned char *p = arena_alloc(a, size);
        CHECK((uintptr_t)p % 16 == 0);
        for (size_t i = 0; i < size; i++) CHECK(p[i] == 0);
        memset(p, 0xff, size);
    }
    CHECK(strcmp(arena_printf(a, "%0400d", 1) + 399, "1") == 0);
    arena_free(a);
}

static void arena_is_bounded(void) {
    struct arena *volatile a = NULL;
    volatile unsigned blocks = 0;
    if (setjmp(out_of_memory) == 0) {
        a = new_arena();
        for (;; blocks++) arena_alloc(a, 64 << 20);
    }
    CHECK(blocks > 4 && blocks < 1000);
    arena_free(a);
}

static void arena_memory_is_used_again(void) {
    struct arena *a = new_arena();
    unsigned char *kept = arena_alloc(a, 40);
    kept[0] = 1;
    struct arena_mark mark = arena_mark(a);
    unsigned char *first = NULL;
    for (size_t iteration = 0; iteration < 40;
         iteration++) { /* 2.5 GB, which is too much, were it not given back */
        unsigned char *small = arena_alloc(a, 24), *large = arena_alloc(a, 64 << 20);
        unsigned char *fresh = arena_alloc(a, 70000);
        CHECK(!small[23] && !large[0] && !large[(64 << 20) - 1] && !fresh[69999]);
        if (first) CHECK(large == first);
        first = large;
        small[23] = large[0] = large[(64 << 20) - 1] = fresh[69999] = 1;
        arena_release(a, mark);
    }
    CHECK(kept[0] == 1);
    arena_free(a);
}

/* Two blocks are given back, and the second one is the first that is used again: nothing follows
 * it. */
static void arena_begins_again_with_a_large_block(void) {
    struct arena *a = new_arena();
    struct arena_mark mark = arena_mark(a);
    arena_alloc(a, 1 << 20);
    arena_alloc(a, 24);
    arena_release(a, mark);
    arena_alloc(a, 1 << 20);
    arena_alloc(a, 24);
    arena_free(a);
}

static void types_are_interned(void) {
    struct ast_unit u = {.arena = new_arena()}, v = {.arena = u.arena};
    const struct ast_type *f = ast_scalar(&u, AST_FLOAT), *f4 = ast_vector(&u, f, 4);
    CHECK(f4 == ast_vector(&v, f, 4) && f4 != ast_vector(&u, f, 3));
    CHECK(ast_vector(&u, f, 3)->size == 16 && !strcmp(f4->name, "float4"));
    const struct ast_type *p = ast_pointer(&u, f4, AST_GLOBAL, AST_CONST);
    CHECK(p == ast_pointer(&v, f4, AST_GLOBAL, AST_CONST) &&
          p != ast_pointer(&u, f4, AST_LOCAL, AST_CONST));
    CHECK(p != ast_pointer(&u, f4, AST_GLOBAL, 0) && p->size == 4);
    const struct ast_type *params[] = {p, f};
    const struct ast_type *function = ast_function(&u, f, params, 2);
    params[0] = f4;
    CHECK(function == ast_function(&u, f, (const struct ast_type *[]){p, f}, 2));
    CHECK(function != ast_function(&u, f, params, 2) && function != ast_function(&u, f, params, 1));
    CHECK(!strcmp(ast_array(&u, ast_array(&u, f, 3), 2)->name, "float[2][3]"));
    CHECK(ast_image(&u, ISA_DIM_2D, ISA_ACCESS_READ_ONLY) ==
          ast_image(&u, ISA_DIM_2D, ISA_ACCESS_READ_ONLY));
    CHECK(ast_struct(&u, "s", false) != ast_struct(&u, "s", false));
    for (uint32_t i = 1; i < 5000; i++) CHECK(ast_array(&u, f, i)->count == i);
    for (uint32_t i = 1; i < 5000; i++) CHECK(ast_array(&u, f, i) == ast_array(&v, f, i));
    arena_free(u.arena);
}

/* ---- the log ---- */

static void check_log(struct diag *d, const char *expected) {
    char *log = diag_take(d);
    if (log && strcmp(log, expected) != 0) fprintf(stderr, "got:\n%sexpected:\n%s", log, expected);
    CHECK(log && strcmp(log, expected) == 0);
    free(log);
    diag_free(d);
}

static void log_shows_lines_and_carets(void) {
    static const char text[] = "a\tb \xc3\xa4\xe4\xb8\xad Q\r\nline two\n\x1b[31m\n";
    struct diag *d = diag_new();
    diag_source(d, DIAG_MAIN_FILE, text, sizeof text - 1);
    diag_source_from(d, "other.cl", text + 13, sizeof text - 14, 50);
    diag_report(d, DIAG_ERROR, NULL, 1, 11, "at %c", 'Q');
    diag_report(d, DIAG_NOTE, NULL, 2, 9, "at the end");
    diag_report(d, DIAG_WARNING, "other.cl", 50, 0, "no column");
    diag_report(d, DIAG_WARNING, NULL, 3, 1, "no escape");
    diag_report(d, DIAG_WARNING, NULL, 0, 0, "no place");
    diag_report(d, DIAG_WARNING, "none.cl", 3, 1, "no text");
    check_log(d, "<program source>:1:11: error: at Q\n"
                 "    a\tb \xc3\xa4\xe4\xb8\xad Q\n"
                 "     \t      ^\n"
                 "<program source>:2:9: note: at the end\n    line two\n            ^\n"
                 "other.cl:50: warning: no column\n    line two\n"
                 "<program source>:3:1: warning: no escape\n     [31m\n    ^\n"
                 "warning: no place\n"
                 "none.cl:3:1: warning: no text\n"
                 "1 error and 4 warnings.\n");
}

static void log_cuts_long_lines(void) {
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = 0;
    for (uint32_t column = 1; column <= 1001; column += 50) {
        struct diag *d = diag_new();
        diag_source(d, DIAG_MAIN_FILE, text, 1000);
        if (column <= 1000) text[column - 1] = '@';
        diag_report(d, DIAG_ERROR, NULL, 1, column, "here");
        if (column <= 1000) text[column - 1] = 'x';
        char *log = diag_take(d), *line = strchr(log, '\n') + 1, *under = strchr(line, '\n') + 1;
        size_t at = strcspn(under, "^");
        CHECK(under - line < 120 && under[at] == '^');
        CHECK(column > 1000 ? line[at] == '\n' : line[at] == '@');
        free(log);
        diag_free(d);
    }
}

static void log_obeys_options(void) {
    struct diag *d = diag_new();
    diag_options(d, true, true);
    diag_report(d, DIAG_WARNING, NULL, 1, 1, "not seen");
    diag_report(d, DIAG_NOTE, NULL, 1, 1, "nor this");
    check_log(d, "");
    d = diag_new();
    diag_options(d, false, true);
    diag_report(d, DIAG_WARNING, NULL, 0, 0, "w");
    CHECK(diag_errors(d) == 1);
    check_log(d, "error: w\n1 error.\n");
    d = diag_new();
    for (int i = 0; i < 1000; i++) diag_report(d, DIAG_ERROR, NULL, 0, 0, "e");
    CHECK(diag_errors(d) == 1000);
    char *log = diag_take(d);
    CHECK(strstr(log, "900 more errors not shown\n1000 errors.\n") && strlen(log) < 2000);
    free(log);
    diag_free(d);
}

/* ---- options ---- */

static bool parse(struct options *o, struct arena *a, const char *text, enum options_use use,
                  char **log) {
    struct diag *d = diag_new();
    bool good = options_parse(o, a, d, text, use, &target);
    CHECK(good == (diag_errors(d) == 0));
    char *all = diag_take(d);
    if (log)
        *log = all;
    else
        free(all);
    diag_free(d);
    return good;
}

static void options_are_split_as_by_drivers(void) {
    struct arena *a = new_arena();
    struct options o;
    CHECK(parse(&o, a, NULL, OPTIONS_BUILD, NULL) && o.cl_std == 120 && !o.cl_std_given);
    CHECK(parse(&o, a,
                "  -DA -D B=1\t-D  'C=a b' -D\"D=x y\" -DE=\\\"s\\\" -DF=a\\ b -DG=C:\\dir -UH "
                "-DI(x)=x -D J= ",
                OPTIONS_BUILD, NULL));
    static const char *const defines[] = {"A",     "B=1",       "C=a b", "D=x y",  "E=\"s\"",
                                          "F=a b", "G=C:\\dir", "!H",    "I(x)=x", "J="};
    CHECK(o.ndefines == sizeof defines / sizeof *defines);
    for (unsigned i = 0; i < o.ndefines; i++) CHECK(!strcmp(o.defines[i], defines[i]));
    CHECK(parse(&o, a, "-I. -I /tmp/x -I\"a b\" -I c\\ d", OPTIONS_COMPILE, NULL) &&
          o.nincludes == 4);
    CHECK(!strcmp(o.includes[1], "/tmp/x") && !strcmp(o.includes[2], "a b") &&
          !strcmp(o.includes[3], "c d"));
    arena_free(a);
}

static void options_mean_what_they_say(void) {
    struct arena *a = new_arena();
    struct options o;
    CHECK(parse(&o, a, "-cl-fast-relaxed-math -cl-std=CL1.1 -w", OPTIONS_BUILD, NULL));
    CHECK(o.fast_relaxed_math && o.finite_math && o.unsafe_math && o.mad_enable &&
          o.no_signed_zeros);
    CHECK(o.cl_std == 110 && o.cl_std_given && o.no_warnings && !o.opt_disable &&
          !o.denorms_are_zero);
    CHECK(parse(&o, a,
                "-cl-nv-maxrregcount=32 -cl-nv-opt-level 0 -cl-nv-verbose -Werror -g -O3 -x clc",
                OPTIONS_BUILD, NULL));
    CHECK(o.nv_maxrregcount == 32 && o.nv_opt_level == 0 && o.opt_disable && o.nv_verbose &&
          o.warnings_are_errors);
    CHECK(parse(&o, a, "-create-library -enable-link-options -cl-denorms-are-zero", OPTIONS_LINK,
                NULL));
    CHECK(o.create_library && o.enable_link_options && o.denorms_are_zero);
    const char *text = options_text(a, &o);
    struct options again;
    CHECK(parse(&again, a, text, OPTIONS_BUILD, NULL) && again.denorms_are_zero &&
          again.cl_std == 120);
    arena_free(a);
}

static void unknown_options_are_named(void) {
    static const struct {
        const char *text;
        enum options_use use;
        const char *named;
    } bad[] = {
        {"-bogus", OPTIONS_BUILD, "'-bogus'"},
        {"-cl-bogus", OPTIONS_BUILD, "'-cl-bogus'"},
        {"-cl-mad-enable2", OPTIONS_BUILD, "'-cl-mad-enable2'"},
        {"x", OPTIONS_BUILD, "'x'"},
        {"-D", OPTIONS_BUILD, "'-D'"},
        {"-D 1x", OPTIONS_BUILD, "'-D'"},
        {"-I", OPTIONS_BUILD, "'-I'"},
        {"-cl-std=CL2.0", OPTIONS_BUILD, "OpenCL C is 1.2"},
        {"-cl-std=CL3.0", OPTIONS_BUILD, "'-cl-std=CL3.0'"},
        {"-cl-std", OPTIONS_BUILD, "'-cl-std'"},
        {"-cl-nv-maxrregcount=x", OPTIONS_BUILD, "'-cl-nv-maxrregcount=x'"},
        {"-cl-nv-opt-level=9", OPTIONS_BUILD, "'-cl-nv-opt-level=9'"},
        {"-x spir", OPTIONS_BUILD, "SPIR"},
        {"-fshort-enums", OPTIONS_BUILD, "'-fshort-enums'"},
        {"-include x.h", OPTIONS_BUILD, "'-include'"},
        {"'-w", OPTIONS_BUILD, "quotation"},
        {"-create-library", OPTIONS_BUILD, "'-create-library'"},
        {"-create-library", OPTIONS_COMPILE, "'-create-library'"},
        {"-DX", OPTIONS_LINK, "'-DX'"},
        {"-cl-std=CL1.2", OPTIONS_LINK, "'-cl-std=CL1.2'"},
    };
    struct arena *a = new_arena();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct options o;
        char *log;
        bool good = parse(&o, a, bad[i].text, bad[i].use, &log);
        if (good || !strstr(log, bad[i].named)) fprintf(stderr, "%s: %s\n", bad[i].text, log);
        CHECK(!good && strstr(log, bad[i].named));
        free(log);
    }
    arena_free(a);
}

/* ---- the preprocessor, where files of text cannot say it ---- */

static struct preprocessed expand(struct arena *a, struct diag *d, const char *text,
                                  size_t length) {
    struct options o;
    CHECK(options_parse(&o, a, d, "", OPTIONS_BUILD, &target));
    return preprocess(a, d, &o, &target, text, length, NULL, 0);
}

static void check_expansion(const char *text, size_t length, const char *expected) {
    struct arena *a = new_arena();
    struct diag *d = diag_new();
    struct preprocessed p = expand(a, d, text, length);
    if (strcmp(p.text, expected) != 0) fprintf(stderr, "got:\n%s", p.text);
    CHECK(!strcmp(p.text, expected) && p.text[p.length] == 0);
    diag_free(d);
    arena_free(a);
}
#define CHECK_EXPANSION(text, expected) check_expansion(text, sizeof text - 1, expected)

static void odd_bytes_are_read(void) {
    CHECK_EXPANSION("", "");
    CHECK_EXPANSION("x", "x\n");
    CHECK_EXPANSION("\xef\xbb\xbfx\r\ny\rz", "x\ny\nz\n");
    CHECK_EXPANSION("a\\\r\nb\\ \nc __LINE__", "abc\n\n  3\n");
    CHECK_EXPANSION("a\0b\f\vc", "a b  c\n");
    CHECK_EXPANSION("#define A 1\\", "");
    CHECK_EXPANSION("#define A \\\n 1\nA __LINE__\n", "\n\n1 3\n");
    CHECK_EXPANSION("/* open", "");
    CHECK_EXPANSION("?\?= \\u00e4b \xc3\xa4 @ ` \\", "?\?= \\u00e4b \xc3\xa4 @ ` \\\n");
    CHECK_EXPANSION("#if 0\n'\n#endif\nx", "\n\n\nx\n");
}

static void expanded_anything_is_said(void) {
    static const struct {
        const char *text;
        bool expanded;
    } cases[] = {{"kernel void k() {}", false}, {"#define A 1\nx", false},
                 {"#pragma unroll\n", false},   {"#define A 1\nA", true},
                 {"#if 1\n#endif", true},       {"__LINE__", true},
                 {"_Pragma(\"unroll\")", true}, {"#ifdef X\n#endif", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *a = new_arena();
        struct diag *d = diag_new();
        CHECK(expand(a, d, cases[i].text, strlen(cases[i].text)).expanded_anything ==
              cases[i].expanded);
        diag_free(d);
        arena_free(a);
    }
}

static void expressions_are_evaluated(void) {
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } cases[] = {{"16 /2 * 2", true, 16},
                 {"-1", true, -1},
                 {"(1 << 4) | 3", true, 19},
                 {"1 ? 2 : 3", true, 2},
                 {"", false, 0},
                 {"x", false, 0},
                 {"1 / 0", false, 0},
                 {"sizeof(int)", false, 0},
                 {"1 2", false, 0},
                 {"(1", false, 0},
                 {"0x10u", true, 16},
                 {"'a'", true, 97},
                 {"__LINE__", false, 0},
                 {"/* c */ 4", true, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 0;
        bool good = preprocess_evaluate(cases[i].text, strlen(cases[i].text), &value);
        CHECK(good == cases[i].good && (!good || value == cases[i].value));
    }
}

/* "prefix", then `line` with the number of each iteration for every %d, then "suffix". */
static char *repeated(const char *prefix, const char *line, unsigned iterations,
                      const char *suffix) {
    size_t size = strlen(prefix) + strlen(suffix) + iterations * (strlen(line) + 30) + 1;
    char *text = malloc(size), *end = text;
    CHECK(text);
    end = stpcpy(end, prefix);
    for (unsigned i = 0; i < iterations; i++) end += sprintf(end, line, i + 1, i, i);
    stpcpy(end, suffix);
    return text;
}

static void expect_quick_error(char *text, const char *error) {
    struct arena *a = new_arena();
    struct diag *d = diag_new();
    double begin = now();
    struct preprocessed p = expand(a, d, text, strlen(text));
    double seconds = now() - begin;
    char *log = diag_take(d);
    if (seconds > PATIENCE || !p.errors || !strstr(log, error))
        fprintf(stderr, "%.1f s: %s", seconds, log);
    CHECK(p.errors && strstr(log, error) && seconds < PATIENCE);
    free(log);
    diag_free(d);
    arena_free(a);
    free(text);
}

static void bombs_end_in_errors(void) {
    expect_quick_error(repeated("#define A0 x\n", "#define A%d A%d A%d\n", 40, "A40\n"),
                       "takes too long");
    expect_quick_error(repeated("#define A0\n", "#define A%d A%d A%d\n", 40, "A40\n"),
                       "takes too long");
    expect_quick_error(
        repeated("#define F(x) x x\n", "F(", 40, "a))))))))))))))))))))))))))))))))))))))))\n"),
        "too large");
    expect_quick_error(repeated("#define D(x) P(x,x)\n#define P(a,b) a##b\n", "D(", 40,
                                "a))))))))))))))))))))))))))))))))))))))))\n"),
                       "too long a token");
    expect_quick_error(repeated("#define S(x) T(x)\n#define T(x) #x\n", "S(", 40,
                                "\"\\\"\"))))))))))))))))))))))))))))))))))))))))\n"),
                       "too long a string");
    expect_quick_error(repeated("#define f(x) x\n", "f(", 100000, ""), "no end");
}

static void depth_needs_no_stack(void) {
    struct arena *a = new_arena();
    struct diag *d = diag_new();
    enum { DEPTH = 100000 };
    char *text = malloc(3 * DEPTH + 100), *end = stpcpy(text, "#define f(x) x\n#if ");
    CHECK(text);
    end = (char *)memset(end, '(', DEPTH) + DEPTH;
    *end++ = '1';
    end = (char *)memset(end, ')', DEPTH) + DEPTH;
    stpcpy(end, "\nyes\n#endif\n");
    struct preprocessed p = expand(a, d, text, strlen(text));
    CHECK(!p.errors && strstr(p.text, "yes"));
    end = stpcpy(text, "#define f(x) x\nf(");
    end = (char *)memset(end, '(', DEPTH) + DEPTH;
    end = (char *)memset(end, ')', DEPTH) + DEPTH;
    stpcpy(end, ")\n");
    p = expand(a, d, text, strlen(text));
    CHECK(!p.errors && p.length > 2 * DEPTH);
    diag_free(d);
    arena_free(a);
    free(text);
}

static void large_sources_are_fast(void) {
    char *text = repeated("#define MAD(a, b, c) ((a) * (b) + (c))\n",
                          "    float v%d = MAD(x[%d], y[%d], 0.5f); /* some words about it */\n",
                          100000, "");
    struct arena *a = new_arena();
    struct diag *d = diag_new();
    double begin = now();
    CHECK(!expand(a, d, text, strlen(text)).errors);
    CHECK(now() - begin < PATIENCE);
    diag_free(d);
    arena_free(a);
    free(text);
}

/* ---- objects ---- */

static void objects_survive_and_damage_shows(void) {
    struct unit units[2] = {{.options = "-w",
                             .files = (const char *[]){"<program source>", "a b.h"},
                             .nfiles = 2,
                             .text = "x\ny\n",
                             .length = 4},
                            {.options = "-w -cl-mad-enable",
                             .fixed = true,
                             .files = (const char *[]){"q"},
                             .nfiles = 1,
                             .text = "",
                             .length = 0}};
    struct unit_list o = {units, 2}, back;
    struct compiler_object text;
    struct arena *a = new_arena();
    CHECK(unit_write(&o, &text) && unit_check(text.text, text.length));
    CHECK(unit_read(a, text.text, text.length, &back) && back.nunits == 2);
    CHECK(!strcmp(back.units[0].files[1], "a b.h") && !strcmp(back.units[0].text, "x\ny\n") &&
          !back.units[0].fixed);
    CHECK(!strcmp(back.units[1].options, "-w -cl-mad-enable") && back.units[1].fixed);
    for (size_t i = 0; i < text.length; i++) {
        CHECK(!unit_check(text.text, i));
        for (int bit = 0; bit < 8; bit++) {
            text.text[i] ^= (char)(1 << bit);
            CHECK(!unit_check(text.text, text.length));
            text.text[i] ^= (char)(1 << bit);
        }
    }
    CHECK(!unit_check("", 0) && !unit_check("simtcl-object 1 99999999999999999999 0 0\n", 41));
    free(text.text);
    arena_free(a);
}

/* ---- the whole ---- */

static void drop(struct compiler_result *r) {
    isa_module_free(r->module);
    free(r->object.text);
    free(r->log);
}

static struct compiler_result build(const char *source, const char *options) {
    return compiler_build(&target, source, strlen(source), options);
}

static void expect(const char *source, const char *options, enum compiler_status status,
                   const char *in_log) {
    struct compiler_result r = build(source, options);
    bool as_expected = r.status == status && r.log && strstr(r.log, in_log) &&
                       !r.module == (status != COMPILER_OK);
    if (!as_expected) fprintf(stderr, "status %d: %s\n", r.status, r.log);
    CHECK(as_expected);
    drop(&r);
}

#define KERNEL "kernel void k(global int *p) { p[0] = N; }\n"

/* Where sites are does not depend on the way to the program; objects of version 1 did not keep it.
 */
static void objects_keep_columns(void) {
    static const char source[] =
        "#define TWICE(x) ((x) * 2)\n"
        "kernel void k(global int *p) { p[TWICE(3)] = 1; p[1] = TWICE(p[2]); p[3] = 2; }\n";
    struct compiler_result direct = build(source, "");
    struct compiler_result c = compiler_compile(&target, source, strlen(source), NULL, 0, "");
    CHECK(direct.module && c.object.text);
    struct compiler_result r = compiler_link(&target, &c.object, 1, "");
    const struct isa_kernel *a = direct.module->kernels[0], *b = r.module->kernels[0];
    CHECK(a->nsites == 4 && b->nsites == 4);
    for (uint32_t n = 0; n < 4; n++) {
        CHECK(a->sites[n].line == 2 && b->sites[n].line == 2);
        CHECK(a->sites[n].column > 0 && a->sites[n].column == b->sites[n].column);
    }
    drop(&r);
    static const char old[] = "unit 0 0 1 42\n\nfile 1 x\n"
                              "kernel void k(global int *p) { p[3] = 1; }\nend\n";
    char text[256];
    int n = snprintf(text, sizeof text, "simtcl-object 1 1 %zu %016llx\n%s", sizeof old - 1,
                     (unsigned long long)isa_checksum(old, sizeof old - 1), old);
    CHECK(unit_check(text, (size_t)n));
    r = compiler_link(&target, &(struct compiler_object){text, (size_t)n}, 1, "");
    CHECK(r.module && r.module->kernels[0]->nsites == 1);
    CHECK(r.module->kernels[0]->sites[0].line == 1 && !r.module->kernels[0]->sites[0].column);
    drop(&r);
    drop(&c);
    drop(&direct);
}

static void programs_are_built(void) {
    expect(KERNEL, "-DN=1", COMPILER_OK, "");
    expect(KERNEL, "", COMPILER_FAILED, "<program source>:1:");
    expect(KERNEL, "-DN", COMPILER_OK, "");
    expect(KERNEL, "-bogus", COMPILER_BAD_OPTIONS, "'-bogus'");
    expect("#error no\n", "", COMPILER_FAILED, "#error no");
    expect("#warning x\n" KERNEL, "-DN=1", COMPILER_OK, "warning: #warning x");
    expect("#warning x\n" KERNEL, "-DN=1 -w", COMPILER_OK, "");
    expect("#warning x\n" KERNEL, "-DN=1 -Werror", COMPILER_FAILED, "error: #warning x");
    expect(KERNEL, "-DN=1 -cl-nv-verbose", COMPILER_OK, "Compiling entry function 'k' for 'sm_");
}

static struct compiler_object compiled(const char *source, const char *options,
                                       const struct compiler_source *headers, size_t n) {
    struct compiler_result r =
        compiler_compile(&target, source, strlen(source), headers, n, options);
    if (r.status != COMPILER_OK) fprintf(stderr, "%s\n", r.log);
    CHECK(r.status == COMPILER_OK && r.object.text && !r.module &&
          unit_check(r.object.text, r.object.length));
    free(r.log);
    return r.object;
}

static void units_are_linked(void) {
    static const struct compiler_source header = {"twice.h", "int twice(int x);\n", 18};
    struct compiler_object objects[2] = {
        compiled("#include \"twice.h\"\nkernel void k(global int *p) { p[0] = twice(p[0]); }\n", "",
                 &header, 1),
        compiled("int twice(int x) { return x * N; }\n", "-DN=2", NULL, 0)};
    struct compiler_result r = compiler_link(&target, objects, 2, "");
    if (r.status != COMPILER_OK) fprintf(stderr, "%s\n", r.log);
    CHECK(r.status == COMPILER_OK && r.module && isa_module_find(r.module, "k"));
    drop(&r);
    r = compiler_link(&target, objects, 1, "");
    CHECK(r.status == COMPILER_FAILED && !r.module && strstr(r.log, "twice"));
    drop(&r);
    struct compiler_result library = compiler_link(&target, &objects[1], 1, "-create-library");
    CHECK(library.status == COMPILER_OK && library.object.text && !library.module);
    struct compiler_object with_library[2] = {objects[0], library.object};
    r = compiler_link(&target, with_library, 2, "-cl-mad-enable");
    CHECK(r.status == COMPILER_OK && r.module);
    drop(&r);
    r = compiler_link(&target, objects, 2, "-enable-link-options");
    CHECK(r.status == COMPILER_BAD_OPTIONS);
    drop(&r);
    objects[0].text[30] ^= 1;
    r = compiler_link(&target, objects, 2, "");
    CHECK(r.status == COMPILER_FAILED && strstr(r.log, "object 1 is damaged"));
    drop(&r);
    drop(&library);
    free(objects[0].text);
    free(objects[1].text);
}

/* Too deep is an error, never a crash. */
static void deep_programs_are_survived(void) {
    static const struct {
        const char *prefix, *iteration, *suffix;
    } deep[] = {
        {"kernel void k(global int *p) { p[0] = 0", " + %d", "; }"},
        {"kernel void k(global int *p) { p[0] = ", "(", "1"},
        {"kernel void k(global int *p) { p[0] = ", "-~", "p[1]; }"},
        {"kernel void k(global int *p) { ", "{", "p[0] = 1;"},
        {"kernel void k(global int *p) { ", "if (p[%d]) ", "p[0] = 1; }"},
        {"kernel void k(global int *p) { ", "for (;;) ", "p[0] = 1; }"},
        {"kernel void k(global int *p) { p[0] = ", "p[0] ? 1 : ", "2; }"},
        {"kernel void k(global int *p) { p[0] = ", "p[", "0; }"},
        {"kernel void k(global int *p) { int ", "*", "q; }"},
        {"struct ", "{ struct ", "{ int x; } a; };"},
    };
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        for (unsigned iterations = 100; iterations <= 100000; iterations *= 1000) {
            char *text = repeated(deep[i].prefix, deep[i].iteration, iterations, deep[i].suffix);
            struct compiler_result r = build(text, "-w");
            CHECK(r.status == COMPILER_OK || r.status == COMPILER_FAILED ||
                  r.status == COMPILER_NO_MEMORY);
            drop(&r);
            free(text);
        }
    }
}

static bool includes(const char *name, const char *list, const char *words) {
    struct compiler_target limited = target;
    char source[600];
    limited.include = list;
    snprintf(source, sizeof source,
             "#include \"%s\"\nkernel void k(global int *o) { int unused; o[0] = N; }", name);
    struct compiler_result r = compiler_build(&limited, source, strlen(source), NULL);
    bool good = r.module != NULL;
    CHECK(good || !words || strstr(r.log, words));
    isa_module_free(r.module);
    free(r.log);
    return good;
}

static void write_file(const char *folder, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    CHECK(f && fputs("#define N 1\n", f) >= 0 && fclose(f) == 0);
}

/* SIMTCL_INCLUDE: folders, what lies in them, no way out by .. or links. */
static void includes_are_limited(void) {
    char top[] = "/tmp/simtcl-includes-XXXXXX", in[200], out[200], both[500], path[300], link[300];
    CHECK(mkdtemp(top));
    snprintf(in, sizeof in, "%s/in", top);
    snprintf(out, sizeof out, "%s/in-out", top);
    snprintf(both, sizeof both, "/nowhere:%s", in);
    CHECK(mkdir(in, 0700) == 0 && mkdir(out, 0700) == 0);
    write_file(in, "a.h");
    write_file(out, "a.h");
    snprintf(path, sizeof path, "%s/a.h", out);
    snprintf(link, sizeof link, "%s/link.h", in);
    CHECK(symlink(path, link) == 0);
    CHECK(includes(path, "", NULL) && includes(path, NULL, NULL));
    CHECK(!includes(path, "none", "SIMTCL_INCLUDE") && !includes(path, in, "SIMTCL_INCLUDE"));
    CHECK(!includes(link, in, "SIMTCL_INCLUDE"));
    snprintf(path, sizeof path, "%s/../in-out/a.h", in);
    CHECK(!includes(path, both, "SIMTCL_INCLUDE"));
    snprintf(path, sizeof path, "%s/a.h", in);
    CHECK(includes(path, in, NULL) && includes(path, both, NULL) && includes(path, "/", NULL));
    CHECK(!includes(path, "none", "SIMTCL_INCLUDE"));
    CHECK(!includes("nowhere.h", in, "no such header"));
    CHECK(remove(path) == 0 && remove(link) == 0 && remove(in) == 0);
    snprintf(path, sizeof path, "%s/a.h", out);
    CHECK(remove(path) == 0 && remove(out) == 0 && remove(top) == 0);
}

TEST_MAIN(TEST(arena_gives_zeroed_aligned_memory), TEST(arena_is_bounded),
          TEST(arena_memory_is_used_again), TEST(arena_begins_again_with_a_large_block),
          TEST(types_are_interned), TEST(log_shows_lines_and_carets), TEST(log_cuts_long_lines),
          TEST(log_obeys_options), TEST(options_are_split_as_by_drivers),
          TEST(options_mean_what_they_say), TEST(unknown_options_are_named),
          TEST(odd_bytes_are_read), TEST(expanded_anything_is_said),
          TEST(expressions_are_evaluated), TEST(bombs_end_in_errors), TEST(depth_needs_no_stack),
          TEST(large_sources_are_fast), TEST(objects_survive_and_damage_shows),
          TEST(objects_keep_columns), TEST(programs_are_built), TEST(units_are_linked),
          TEST(deep_programs_are_survived), TEST(includes_are_limited))
