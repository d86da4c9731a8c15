#include "expression.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expression_parser {
    const char *p;
    expression_lookup *lookup;
    void *user;
    char *error;
    jmp_buf fail;
};

static _Noreturn void fail(struct expression_parser *s, const char *why) {
    snprintf(s->error, 128, "%s at \"%.40s\"", why, s->p);
    longjmp(s->fail, 1);
}

static struct expression_number integer(int64_t i) {
    return (struct expression_number){false, i, 0};
}
static struct expression_number real(double f) { return (struct expression_number){true, 0, f}; }
static double as_real(struct expression_number n) { return n.real ? n.f : (double)n.i; }
static int64_t as_integer(struct expression_number n) {
    if (!n.real) return n.i;
    if (!(n.f > -9.2e18)) return INT64_MIN;
    return n.f < 9.2e18 ? (int64_t)n.f : INT64_MAX;
}
static bool truth(struct expression_number n) { return n.real ? n.f != 0 : n.i != 0; }

static void blanks(struct expression_parser *s) {
    while (isspace((unsigned char)*s->p)) s->p++;
}

static bool accept(struct expression_parser *s, const char *token) {
    blanks(s);
    size_t n = strlen(token);
    if (strncmp(s->p, token, n)) return false;
    if (isalnum((unsigned char)token[n - 1]) && (isalnum((unsigned char)s->p[n]) || s->p[n] == '_'))
        return false;
    s->p += n;
    return true;
}

static void expect(struct expression_parser *s, const char *token) {
    if (!accept(s, token)) fail(s, token[0] == ')' ? "missing )" : "missing token");
}

static struct expression_number conditional(struct expression_parser *s);

static struct expression_number cast(const char *type, struct expression_number n) {
    if (!strcmp(type, "float")) return real((float)as_real(n));
    if (!strcmp(type, "double")) return real(as_real(n));
    int64_t i = as_integer(n);
    if (!strcmp(type, "char")) return integer((int8_t)i);
    if (!strcmp(type, "uchar")) return integer((uint8_t)i);
    if (!strcmp(type, "short")) return integer((int16_t)i);
    if (!strcmp(type, "ushort")) return integer((uint16_t)i);
    if (!strcmp(type, "int")) return integer((int32_t)i);
    if (!strcmp(type, "uint")) return integer((uint32_t)i);
    return integer(i);
}

static const char *const casts[] = {"char", "uchar", "short", "ushort", "int",
                                    "uint", "long",  "ulong", "float",  "double"};

static struct expression_number call(struct expression_parser *s, const char *name) {
    struct expression_number a = conditional(s), b = {0};
    if (accept(s, ",")) b = conditional(s);
    expect(s, ")");
    static const struct {
        const char *name;
        double (*f)(double);
    } unary[] = {{"sqrt", sqrt}, {"floor", floor}, {"ceil", ceil}, {"rint", rint},
                 {"fabs", fabs}, {"sin", sin},     {"cos", cos},   {"exp", exp},
                 {"log", log},   {"trunc", trunc}};
    for (size_t i = 0; i < sizeof(unary) / sizeof(*unary); i++)
        if (!strcmp(name, unary[i].name)) return real(unary[i].f(as_real(a)));
    bool both_integers = !a.real && !b.real;
    if (!strcmp(name, "min")) {
        if (both_integers) return a.i < b.i ? a : b;
        return real(fmin(as_real(a), as_real(b)));
    }
    if (!strcmp(name, "max")) {
        if (both_integers) return a.i > b.i ? a : b;
        return real(fmax(as_real(a), as_real(b)));
    }
    if (!strcmp(name, "pow")) return real(pow(as_real(a), as_real(b)));
    if (!strcmp(name, "fmod")) return real(fmod(as_real(a), as_real(b)));
    if (!strcmp(name, "abs")) return a.real ? real(fabs(a.f)) : integer(a.i < 0 ? -a.i : a.i);
    if (!strcmp(name, "popcount")) return integer(__builtin_popcountll((uint64_t)as_integer(a)));
    if (!strcmp(name, "clz")) {
        uint32_t u = (uint32_t)as_integer(a);
        return integer(u ? __builtin_clz(u) : 32);
    }
    if (!strcmp(name, "bits")) {
        float f = (float)as_real(a);
        uint32_t u;
        memcpy(&u, &f, 4);
        return integer(u);
    }
    if (!strcmp(name, "asfloat")) {
        uint32_t u = (uint32_t)as_integer(a);
        float f;
        memcpy(&f, &u, 4);
        return real(f);
    }
    fail(s, "unknown function");
}

static struct expression_number primary(struct expression_parser *s) {
    blanks(s);
    if (accept(s, "(")) {
        for (size_t i = 0; i < sizeof(casts) / sizeof(*casts); i++) {
            const char *before = s->p;
            if (accept(s, casts[i]) && accept(s, ")")) {
                struct expression_number n;
                if (accept(s, "-")) {
                    n = primary(s);
                    n = n.real ? real(-n.f) : integer((int64_t)(0 - (uint64_t)n.i));
                } else {
                    n = primary(s);
                }
                return cast(casts[i], n);
            }
            s->p = before;
        }
        struct expression_number n = conditional(s);
        expect(s, ")");
        return n;
    }
    if (isdigit((unsigned char)*s->p) || (*s->p == '.' && isdigit((unsigned char)s->p[1]))) {
        char *end_i, *end_f;
        uint64_t u = strtoull(s->p, &end_i, 0);
        double f = strtod(s->p, &end_f);
        bool is_real = end_f > end_i;
        s->p = is_real ? end_f : end_i;
        bool is_float = false;
        while (strchr("uUlLfF", *s->p) && *s->p) is_float |= *s->p == 'f', s->p++;
        if (is_real) return real(is_float ? (float)f : f);
        return integer((int64_t)u);
    }
    if (isalpha((unsigned char)*s->p) || *s->p == '_') {
        const char *name = s->p;
        while (isalnum((unsigned char)*s->p) || *s->p == '_') s->p++;
        size_t length = (size_t)(s->p - name);
        char text[32];
        snprintf(text, sizeof(text), "%.*s", (int)length, name);
        if (!strcmp(text, "inf")) return real(INFINITY);
        if (!strcmp(text, "nan")) return real(NAN);
        if (accept(s, "(")) return call(s, text);
        struct expression_number value, index;
        bool indexed = accept(s, "[");
        if (indexed) {
            index = conditional(s);
            expect(s, "]");
        }
        if (!s->lookup(s->user, name, length, indexed ? &index : NULL, &value)) {
            s->p = name;
            fail(s, "unknown name, or index out of range,");
        }
        return value;
    }
    fail(s, "expression expected");
}

static struct expression_number unary(struct expression_parser *s) {
    blanks(s);
    if (accept(s, "-")) {
        struct expression_number n = unary(s);
        return n.real ? real(-n.f) : integer((int64_t)(0 - (uint64_t)n.i));
    }
    if (accept(s, "+")) return unary(s);
    if (accept(s, "~")) return integer(~as_integer(unary(s)));
    if (*s->p == '!' && s->p[1] != '=') {
        s->p++;
        return integer(!truth(unary(s)));
    }
    return primary(s);
}

/* Binary operators by precedence, lowest first; longer tokens of a level first. */
static const char *const levels[][5] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { LEVELS = sizeof(levels) / sizeof(*levels) };

static struct expression_number apply(struct expression_parser *s, const char *op,
                                      struct expression_number a, struct expression_number b) {
    bool is_real = a.real || b.real;
    double x = as_real(a), y = as_real(b);
    int64_t i = as_integer(a), j = as_integer(b);
    if (!strcmp(op, "||")) return integer(truth(a) || truth(b));
    if (!strcmp(op, "&&")) return integer(truth(a) && truth(b));
    if (!strcmp(op, "==")) return integer(is_real ? x == y : i == j);
    if (!strcmp(op, "!=")) return integer(is_real ? x != y : i != j);
    if (!strcmp(op, "<=")) return integer(is_real ? x <= y : i <= j);
    if (!strcmp(op, ">=")) return integer(is_real ? x >= y : i >= j);
    if (!strcmp(op, "<<")) return integer((int64_t)((uint64_t)i << (j & 63)));
    if (!strcmp(op, ">>")) return integer(i >> (j & 63));
    switch (op[0]) {
    case '|': return integer(i | j);
    case '^': return integer(i ^ j);
    case '&': return integer(i & j);
    case '<': return integer(is_real ? x < y : i < j);
    case '>': return integer(is_real ? x > y : i > j);
    case '+': return is_real ? real(x + y) : integer((int64_t)((uint64_t)i + (uint64_t)j));
    case '-': return is_real ? real(x - y) : integer((int64_t)((uint64_t)i - (uint64_t)j));
    case '*': return is_real ? real(x * y) : integer((int64_t)((uint64_t)i * (uint64_t)j));
    }
    if (is_real) return op[0] == '/' ? real(x / y) : real(fmod(x, y));
    if (j == 0 || (i == INT64_MIN && j == -1)) fail(s, "division by zero");
    return integer(op[0] == '/' ? i / j : i % j);
}

static bool operator_at(struct expression_parser *s, const char *op) {
    blanks(s);
    size_t n = strlen(op);
    if (strncmp(s->p, op, n)) return false;
    char next = s->p[n];
    if (n == 1 && (next == op[0]) && strchr("|&<>", op[0])) return false; /* the longer operator */
    if (n == 1 && next == '=' && strchr("<>", op[0])) return false;
    s->p += n;
    return true;
}

static struct expression_number binary(struct expression_parser *s, int level) {
    if (level == LEVELS) return unary(s);
    struct expression_number a = binary(s, level + 1);
    for (;;) {
        const char *op = NULL;
        for (int i = 0; i < 5 && levels[level][i] && !op; i++)
            if (operator_at(s, levels[level][i])) op = levels[level][i];
        if (!op) return a;
        a = apply(s, op, a, binary(s, level + 1));
    }
}

static struct expression_number conditional(struct expression_parser *s) {
    struct expression_number n = binary(s, 0);
    if (!accept(s, "?")) return n;
    struct expression_number a = conditional(s);
    expect(s, ":");
    struct expression_number b = conditional(s);
    return truth(n) ? a : b;
}

bool expression_evaluate(const char *text, expression_lookup *lookup, void *user,
                         struct expression_number *value, char error[128]) {
    struct expression_parser s = {.p = text, .lookup = lookup, .user = user, .error = error};
    if (setjmp(s.fail)) return false;
    *value = conditional(&s);
    blanks(&s);
    if (*s.p) fail(&s, "unexpected text");
    return true;
}
