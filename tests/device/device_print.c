#include "device/printf.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "test.h"

static const struct isa_module module = {.data = (uint8_t *)"hello\0world", .data_bytes = 11};
enum { CONSTANTS = 0x4000 };

static uint64_t of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static uint64_t of_double(double d) {
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return bits;
}

/* The text of a format with up to 16 values of one type. */
static const char *text(const char *format, enum isa_type type, uint32_t n,
                        const uint64_t *values) {
    static char text[8192];
    uint8_t types[16];
    memset(types, type, sizeof types);
    size_t length = print_format(text, sizeof text, format, types, values, n, &module, CONSTANTS);
    CHECK(length == strlen(text) || memchr(text, 0, length));
    return text;
}

#define IS(expected, format, type, ...)                                                            \
    do {                                                                                           \
        const uint64_t values[] = {__VA_ARGS__};                                                   \
        const char *got = text(format, type, sizeof values / sizeof *values, values);              \
        if (strcmp(got, expected) != 0) {                                                          \
            fprintf(stderr, "%s: \"%s\", not \"%s\"\n", format, got, expected);                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void integers(void) {
    IS("-1", "%d", ISA_I32, 0xffffffff);
    IS("4294967295", "%u", ISA_I32, 0xffffffff);
    IS("-1", "%hhd", ISA_I32, 0xff);
    IS("255", "%hhu", ISA_I32, 0xffffffff);
    IS("-1", "%hd", ISA_I16, 0xffff);
    IS("18446744073709551615", "%lu", ISA_I64, UINT64_MAX);
    IS("-9223372036854775808", "%ld", ISA_I64, (uint64_t)INT64_MIN);
    IS("1", "%d", ISA_I64, 0x500000001);
    IS("  +42|42   |00042|0x2a|052|2A", "%+5d|%-5d|%05d|%#x|%#o|%X", ISA_I32, 42, 42, 42, 42, 42,
       42);
    IS("   007", "%6.3i", ISA_I32, 7);
    IS("A  B", "%-3c%c", ISA_I32, 'A', 'B');
}

static void doubles(void) {
    IS("1.500000 1.5 1.500000e+00 0x1.8p+0", "%f %g %e %a", ISA_F32, of_float(1.5f), of_float(1.5f),
       of_float(1.5f), of_float(1.5f));
    IS("inf -inf INF nan", "%f %g %F %f", ISA_F32, of_float(INFINITY), of_float(-INFINITY),
       of_float(INFINITY), 0x7fffffff);
    IS("  3.14|+2.7|-0", "%6.2f|%+.1f|%.0f", ISA_F64, of_double(3.14159), of_double(2.718),
       of_double(-0.0));
    IS("1.4013e-45", "%g", ISA_F32, 1);
    IS("0.5 65504", "%hg %g", ISA_I16, 0x3800, 0x7bff);
    IS("2.000000", "%f", ISA_I32, 2);
    IS("-3", "%d", ISA_F32, of_float(-3.7f));
}

static void vectors(void) {
    IS("1,2,3,4", "%v4hld", ISA_I32, 1, 2, 3, 4);
    IS("1.00,2.00,3.00", "%.2v3hlf", ISA_F32, of_float(1), of_float(2), of_float(3));
    IS("0x0a,0xff", "%#04v2hhx", ISA_I8, 10, 255);
    IS("  -1,   2|7", "%4v2hd|%d", ISA_I16, 0xffff, 2, 7);
    IS("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "%v16lu", ISA_I64, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
       11, 12, 13, 14, 15);
    IS("%v5d", "%v5d", ISA_I32, 1);
    IS("%v2s 5", "%v2s %d", ISA_I32, 5);
}

static void strings(void) {
    IS("hello|world", "%s|%s", ISA_I32, CONSTANTS, CONSTANTS + 6);
    IS("   wo|world  |", "%5.2s|%-7s|", ISA_I32, CONSTANTS + 6, CONSTANTS + 6);
    IS("(null) (not a literal)", "%s %s", ISA_I32, 0, CONSTANTS + 11);
    IS("(not a literal)", "%s", ISA_I32, CONSTANTS - 1);
    IS("0x00004000|  0x00000000", "%p|%12p", ISA_I32, CONSTANTS, 0);
    IS("100%", "100%%", ISA_I32, 0);
}

static void odd(void) {
    IS("%", "%", ISA_I32, 1);
    IS("%y%n", "%y%n", ISA_I32, 1);
    IS("%*d", "%*d", ISA_I32, 1);
}

/* An argument that is missing counts as 0. */
static void missing(void) {
    const uint64_t one = 1;
    const uint8_t type = ISA_I32;
    char got[64];
    CHECK(print_format(got, sizeof got, "%d %d %f %s", &type, &one, 1, NULL, 0) == 19);
    CHECK(!strcmp(got, "1 0 0.000000 (null)"));
}

static void long_fields(void) {
    const uint64_t value = of_double(1e308);
    const uint8_t type = ISA_F64;
    static char got[20000];
    CHECK(print_format(got, sizeof got, "%99999999999d", &type, &value, 1, NULL, 0) == 4095);
    CHECK(print_format(got, sizeof got, "%.99999f", &type, &value, 1, NULL, 0) == 309 + 1 + 4095);
    CHECK(print_format(got, 5, "%d%d", &type, &value, 0, NULL, 0) == 2 && !strcmp(got, "00"));
    CHECK(print_format(got, 5, "abcdefgh", NULL, NULL, 0, NULL, 0) == 8 && !strcmp(got, "abcd"));
    CHECK(print_format(NULL, 0, "abc", NULL, NULL, 0, NULL, 0) == 3);
}

static void locale(void) {
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return;
    IS("1.500000", "%f", ISA_F32, of_float(1.5f));
}

TEST_MAIN(TEST(integers), TEST(doubles), TEST(vectors), TEST(strings), TEST(odd), TEST(missing),
          TEST(long_fields), TEST(locale))
