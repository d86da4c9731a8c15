/* Sources no one would write end in an error or in success, within seconds, and the driver lives
 * on: after each an ordinary program must build. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language_builder.h"

enum { SECONDS = 60 }; /* of the process, which takes a few at most */

static char *text;
static size_t length, room;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...) {
    va_list list;
    if (room - length < 4096) {
        room = room * 2 + (1 << 16);
        text = realloc(text, room);
        if (!text) exit(2);
    }
    va_start(list, format);
    length += (size_t)vsnprintf(text + length, room - length, format, list);
    va_end(list);
}
static void repeat(const char *s, unsigned n) {
    while (n--) add("%s", s);
}

#define BEGIN "kernel void k(global int *o) {\n"

static void ten_megabytes_of_comment(void) {
    add(BEGIN "o[0] = 1; }\n");
    while (length < 10 << 20) add("/* %zu */ // and so on\n", length);
}
static void ten_megabytes_of_statements(void) {
    add(BEGIN);
    while (length < 10 << 20) add("o[%zu] = o[%zu] + 1;\n", length % 1000, length % 777);
    add("}\n");
}
static void ten_megabytes_of_one_line(void) {
    add(BEGIN "o[0] = 1; /*");
    while (length < 10 << 20) add("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    add("*/ }");
}
static void ten_megabytes_of_noise(void) {
    unsigned seed = 12345;
    while (length < 10 << 20) {
        seed = seed * 1103515245 + 12345;
        add("%c", (int)(1 + (seed >> 16) % 255));
    }
}
static void parentheses(void) {
    add(BEGIN "o[0] = ");
    repeat("(", 100000);
    add("1");
    repeat(")", 100000);
    add("; }\n");
}
static void open_parentheses(void) {
    add(BEGIN "o[0] = ");
    repeat("(", 100000);
}
static void braces(void) {
    add(BEGIN);
    repeat("{", 100000);
    repeat("}", 100001);
}
static void brackets(void) {
    add(BEGIN "o[0] = 0");
    repeat("+o[0", 50000);
    repeat("]", 50000);
    add("; }\n");
}
static void unary(void) {
    add(BEGIN "o[0] = ");
    repeat("- ", 100000);
    add("1; }\n");
}
static void ifs(void) {
    add(BEGIN);
    repeat("if (o[0]) ", 20000);
    add("o[1] = 1; }\n");
}
static void elses(void) {
    add(BEGIN);
    for (unsigned i = 0; i < 5000; i++) add("if (o[0] == %u) o[1] = %u; else ", i, i);
    add("o[1] = -1; }\n");
}
static void loops(void) {
    add(BEGIN);
    for (unsigned i = 0; i < 300; i++) add("for (int i%u = 0; i%u < o[%u]; i%u++) {\n", i, i, i, i);
    add("o[0]++;\n");
    repeat("}", 301);
}
static void macro_bomb(void) {
    add("#define M0 1\n");
    for (unsigned i = 1; i < 40; i++) add("#define M%u M%u + M%u\n", i, i - 1, i - 1);
    add(BEGIN "o[0] = M39; }\n");
}
static void macro_arguments(void) {
    add("#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))\n" BEGIN
        "B(o[0]++;) }\n");
}
static void pasting(void) {
    add("#define C(a, b) a##b\n#define D(x) C(x, x)\n#define E(x) D(D(D(D(D(D(D(D(x))))))))\n"
        "#define F(x) E(E(E(E(x))))\n" BEGIN "int F(abcdefgh) = 1; o[0] = 1; }\n");
}
static void conditions(void) {
    repeat("#if 1\n", 100000);
    add(BEGIN "o[0] = 1; }\n");
    repeat("#endif\n", 100000);
}
static void include_itself(void) { add("#include \"absurd.cl\"\n" BEGIN "o[0] = 1; }\n"); }
static void terms(void) {
    add(BEGIN "o[0] = 1");
    for (unsigned i = 0; i < 5000; i++) add(" + o[%u] * %u", i % 50, i);
    add("; }\n");
}
static void kernels(void) {
    for (unsigned i = 0; i < 1000; i++)
        add("kernel void k%u(global int *o) { for (int i = 0; i < %u; i++) o[i] += i; }\n", i, i);
}
static void functions(void) {
    add("int f0(int x) { return x + 1; }\n");
    for (unsigned i = 1; i < 40; i++)
        add("int f%u(int x) { return f%u(x) + f%u(x); }\n", i, i - 1, i - 1);
    add(BEGIN "o[0] = f39(o[1]); }\n");
}
static void deep_calls(void) {
    add("int f0(int x) { return x + 1; }\n");
    for (unsigned i = 1; i < 5000; i++) add("int f%u(int x) { return f%u(x) + 1; }\n", i, i - 1);
    add(BEGIN "o[0] = f4999(o[1]); }\n");
}
static void huge_array(void) {
    add("constant int a[2000000000] = {1};\n" BEGIN
        "int b[2147483647]; o[0] = a[o[1]] + b[o[2]]; }\n");
}
static void huge_type(void) {
    add("struct s0 { int a[1000]; };\n");
    for (unsigned i = 1; i < 20; i++) add("struct s%u { struct s%u a[1000]; };\n", i, i - 1);
    add(BEGIN "struct s19 x; o[0] = sizeof(x); }\n");
}
static void pointers(void) {
    add(BEGIN "int ");
    repeat("*", 20000);
    add("p; o[0] = sizeof(p); }\n");
}
static void parameters(void) {
    add("kernel void k(global int *o");
    for (unsigned i = 0; i < 5000; i++) add(", int a%u", i);
    add(") { o[0] = a4999; }\n");
}
static void cases(void) {
    add(BEGIN "switch (o[0]) {\n");
    for (unsigned i = 0; i < 20000; i++) add("case %u: o[1] += %u; break;\n", i * 3, i);
    add("} }\n");
}
static void initialiser(void) {
    add("constant int a[] = {");
    for (unsigned i = 0; i < 16000; i++) add("%u,", i);
    add("};\n" BEGIN "o[0] = a[o[1]]; }\n");
}
static void string(void) {
    add(BEGIN "printf(\"");
    repeat("xxxxxxxxxxxxxxxx", 100000);
    add("\"); }\n");
}
static void names(void) {
    add(BEGIN "int ");
    repeat("abcdefghijklmnop", 100000);
    add("; o[0] = 1; }\n");
}
static void nothing(void) { add("\n"); }
static void endless_comment(void) { add("/*"); }
static void endless_string(void) { add(BEGIN "printf(\"%%"); }
static void number(void) {
    add(BEGIN "o[0] = ");
    repeat("9", 100000);
    add("; }\n");
}
static void variables(void) {
    add(BEGIN);
    for (unsigned i = 0; i < 5000; i++) add("int v%u = o[%u];\n", i, i);
    add("barrier(CLK_LOCAL_MEM_FENCE);\n");
    for (unsigned i = 0; i < 5000; i++) add("o[%u] = v%u;\n", 4999 - i, i);
    add("}\n");
}

#define SOURCE(name)                                                                               \
    { #name, name }
static const struct {
    const char *name;
    void (*make)(void);
} sources[] = {
    SOURCE(ten_megabytes_of_comment),
    SOURCE(ten_megabytes_of_statements),
    SOURCE(ten_megabytes_of_one_line),
    SOURCE(ten_megabytes_of_noise),
    SOURCE(parentheses),
    SOURCE(open_parentheses),
    SOURCE(braces),
    SOURCE(brackets),
    SOURCE(unary),
    SOURCE(ifs),
    SOURCE(elses),
    SOURCE(loops),
    SOURCE(macro_bomb),
    SOURCE(macro_arguments),
    SOURCE(pasting),
    SOURCE(conditions),
    SOURCE(include_itself),
    SOURCE(terms),
    SOURCE(kernels),
    SOURCE(functions),
    SOURCE(deep_calls),
    SOURCE(huge_array),
    SOURCE(huge_type),
    SOURCE(pointers),
    SOURCE(parameters),
    SOURCE(cases),
    SOURCE(initialiser),
    SOURCE(string),
    SOURCE(names),
    SOURCE(nothing),
    SOURCE(endless_comment),
    SOURCE(endless_string),
    SOURCE(number),
    SOURCE(variables),
};

int main(int argc, char **argv) {
    unsigned failed = 0, n = 0;
    language_open();
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (argc > 1 && strcmp(argv[1], sources[i].name)) continue;
        length = 0;
        sources[i].make();
        struct language_build b = language_build(text, NULL);
        bool good = b.seconds < SECONDS && (b.good || *b.log);
        printf("%-28s %9zu bytes %6.2f s  %.*s\n", sources[i].name, length, b.seconds,
               b.good ? 5 : (int)strcspn(b.log, "\n"), b.good ? "built" : b.log);
        fflush(stdout);
        if (!language_build(BEGIN "o[0] = 1; }\n", NULL).good) good = false;
        n++;
        failed += !good;
    }
    free(text);
    language_close();
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
