/* Expressions of random programs. Each is written for a wanted type: scalars behind a cast, vectors
 * of just that type, so that every operation happens in a type chosen here. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writer_private.h"

enum { ROOM = 4096 }; /* for one piece of text */

const char *const writer_base_name[BASES] = {"char", "uchar", "short", "ushort", "int",
                                             "uint", "long",  "ulong", "float",  "double"};
const unsigned writer_base_size[BASES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

unsigned writer_pick(struct writer *w, unsigned n) {
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->random >> 33) % n;
}
bool writer_chance(struct writer *w, unsigned percent) { return writer_pick(w, 100) < percent; }

__attribute__((format(printf, 2, 3))) void writer_put(struct writer *w, const char *format, ...) {
    va_list args;
    if (w->capacity - w->length < ROOM) {
        size_t capacity = w->capacity * 2 + 2 * ROOM;
        char *grown = realloc(w->text, capacity);
        if (!grown) {
            w->failed = true;
            return;
        }
        w->text = grown;
        w->capacity = capacity;
    }
    va_start(args, format);
    int n = vsnprintf(w->text + w->length, ROOM, format, args);
    va_end(args);
    if (n >= ROOM) abort();
    w->length += (size_t)n;
}

/* ---- types ---- */

struct name writer_name_of(struct writer_type t) {
    struct name s;
    if (t.n == 1)
        snprintf(s.text, sizeof s.text, "%s", writer_base_name[t.base]);
    else
        snprintf(s.text, sizeof s.text, "%s%u", writer_base_name[t.base], t.n);
    return s;
}

bool writer_floating(struct writer_type t) { return t.base >= FLOAT; }
static bool is_signed(struct writer_type t) { return writer_floating(t) || t.base % 2 == 0; }

enum base writer_any_base(struct writer *w) {
    return (enum base)writer_pick(w, w->doubles ? 10 : 9);
}
static unsigned any_count(struct writer *w) {
    return (unsigned[]){
        1, 1, 1, 1, 1, 2, 2, 3, 4, 4, 8, 16}[writer_pick(w, writer_chance(w, 8) ? 12 : 10)];
}
struct writer_type writer_any_type(struct writer *w) {
    return (struct writer_type){writer_any_base(w), any_count(w)};
}

static enum base sized(unsigned size, bool sign) {
    enum base b = size == 1 ? UCHAR : size == 2 ? USHORT : size == 4 ? UINT : ULONG;
    return sign ? (enum base)(b - 1) : b;
}
/* What a comparison of vectors of this type gives. */
static struct writer_type mask_of(struct writer_type t) {
    return (struct writer_type){sized(writer_base_size[t.base], true), t.n};
}

/* ---- expressions ---- */

void writer_scalar(struct writer *w, enum base b, unsigned depth) {
    writer_expr(w, (struct writer_type){b, 1}, depth);
}

void writer_masked(struct writer *w, unsigned mask, unsigned depth) {
    writer_put(w, "((uint)");
    writer_scalar(w, UINT, depth);
    writer_put(w, " & %uu)", mask);
}

static void number(struct writer *w, enum base b) {
    static const char *const floats[] = {"0.0",          "-0.0",  "1.0",  "-1.5",      "0.1",
                                         "3.0",          "1e-10", "1e10", "-1e-25",    "-255.5",
                                         "2147483648.0", "0.5",   "1e30", "16777217.0"};
    if (b >= FLOAT)
        writer_put(w, "%s%s", floats[writer_pick(w, sizeof floats / sizeof *floats)],
                   b == FLOAT ? "f" : "");
    else if (writer_chance(w, 70))
        writer_put(w, "(%s)%d", writer_base_name[b], (int)writer_pick(w, 40) - 8);
    else {
        unsigned low = writer_pick(w, ~0u >> 1);
        writer_put(w, "(%s)0x%x%08xul", writer_base_name[b], writer_pick(w, 0x7fff), low);
    }
}

static void load(struct writer *w, struct writer_type t, unsigned depth) {
    const char *e = writer_base_name[t.base], *place = t.base == FLOAT    ? "floats"
                                                       : t.base == DOUBLE ? "doubles"
                                                                          : "table";
    unsigned most = writer_floating(t) ? 255 : 4095 / writer_base_size[t.base];
    while (most & (most + 1)) most |= most >> 1;
    most /= t.n == 3 ? 4 : t.n;
    if (writer_chance(w, 30)) most >>= writer_pick(w, 6); /* a table of a few registers */
    if (t.n == 1) {
        writer_put(w, "((global const %s *)%s)[", e, place);
        writer_masked(w, most, depth + 1);
        writer_put(w, "]");
    } else {
        writer_put(w, "vload%u(", t.n);
        writer_masked(w, most, depth + 1);
        writer_put(w, ", (global const %s *)%s)", e, place);
    }
}

/* Floats from halves; a table of theirs has no NaN. */
static void halves(struct writer *w, struct writer_type t, unsigned depth) {
    unsigned most = t.n == 16 ? 7 : t.n == 1 ? 127 : 128 / (t.n == 3 ? 4 : t.n) - 1;
    if (t.n == 1)
        writer_put(w, "vload_half(");
    else
        writer_put(w, "vload%s_half%u(", writer_chance(w, 50) ? "a" : "", t.n);
    writer_masked(w, most, depth + 1);
    writer_put(w, ", (global const half *)halves)");
}

/* A texel: floats from the one image, whole numbers from the other. */
static void texel(struct writer *w, struct writer_type t, unsigned depth) {
    static const char *const samplers[] = {"near", "smooth", "around"};
    bool real = t.base == FLOAT && writer_chance(w, 60);
    writer_put(w, "read_image%s(%s, %s, ",
               t.base == FLOAT ? "f"
               : t.base == INT ? "i"
                               : "ui",
               t.base == FLOAT ? "flat"
               : t.base == INT ? "deep"
                               : "layers",
               samplers[t.base == FLOAT ? (real ? writer_pick(w, 3) : 0)
                        : real          ? 2
                                        : 0]);
    unsigned n = t.base == FLOAT ? 2 : 4;
    if (real) {
        writer_expr(w, (struct writer_type){FLOAT, n}, depth + 1);
    } else {
        writer_expr(w, (struct writer_type){INT, n}, depth + 1);
        writer_put(w, " & %d", writer_chance(w, 80) ? 7 : -1);
    }
    writer_put(w, ")");
}

/* What each work-item has of its own. Of a place in the group the compiler knows every lane's: so
 * many that are 0 are constants with zeros in some lanes. */
static void whose(struct writer *w, struct writer_type t) {
    writer_put(w, "(%s)", writer_base_name[t.base]);
    unsigned mask;
    switch (writer_pick(w, 6)) {
    case 0: writer_put(w, "(lid < %u)", 1u << writer_pick(w, 5)); break;
    case 1:
        mask = writer_pick(w, 4);
        writer_put(w, "(lid >> %u & %u)", writer_pick(w, 4), mask);
        break;
    case 2:
    case 3: writer_put(w, "lid"); break;
    default: writer_put(w, "id"); break;
    }
}

static void leaf(struct writer *w, struct writer_type t, unsigned depth) {
    const struct writer_variable *same = NULL;
    unsigned at = w->nvars ? writer_pick(w, w->nvars) : 0;
    for (unsigned i = 0; i < w->nvars && !same; i++, at++) {
        const struct writer_variable *v = &w->vars[at % w->nvars];
        if (v->type.base == t.base && v->type.n == t.n) same = v;
    }
    if (same && writer_chance(w, 60)) {
        writer_put(w, "x%u", same->number);
    } else if (writer_chance(w, 25) && depth < 5) {
        if (t.base == FLOAT && writer_chance(w, 20))
            halves(w, t, depth + 1);
        else
            load(w, t, depth + 1);
    } else if (t.n > 1) {
        writer_put(w, "(%s)(", writer_name_of(t).text);
        number(w, t.base);
        writer_put(w, ")");
    } else if (writer_chance(w, 45) && w->nvars) {
        const struct writer_variable *v = &w->vars[writer_pick(w, w->nvars)];
        writer_put(w, "(%s)x%u", writer_base_name[t.base], v->number);
        if (v->type.n > 1) writer_put(w, ".s%x", writer_pick(w, v->type.n));
    } else if (writer_chance(w, 40)) {
        whose(w, t);
    } else {
        writer_put(w, "(");
        number(w, t.base);
        writer_put(w, ")");
    }
}

static void call(struct writer *w, const char *f, struct writer_type t, unsigned args,
                 unsigned depth) {
    bool copies = !strcmp(f, "copysign"); /* a NaN's sign is nobody's promise */
    writer_put(w, "%s(", f);
    for (unsigned i = 0; i < args; i++) {
        if (i) writer_put(w, copies ? ", calm(" : ", ");
        writer_expr(w, t, depth + 1);
    }
    writer_put(w, copies ? "))" : ")");
}

struct writer_builtin {
    const char *name;
    unsigned args;
};

/* upsample: the high half keeps the sign. */
static void joined(struct writer *w, struct writer_type t, unsigned depth) {
    unsigned half = writer_base_size[t.base] / 2;
    writer_put(w, "upsample(");
    writer_expr(w, (struct writer_type){sized(half, is_signed(t)), t.n}, depth + 1);
    writer_put(w, ", ");
    writer_expr(w, (struct writer_type){sized(half, false), t.n}, depth + 1);
    writer_put(w, ")");
}

/* What kind of number a float is. */
static void classified(struct writer *w, struct writer_type t, unsigned depth) {
    static const char *const tests[] = {"isnan", "isinf", "isfinite", "isnormal"};
    bool wide = writer_base_size[t.base] == 8 && w->doubles;
    struct writer_type of = {wide ? DOUBLE : FLOAT, t.n};
    writer_put(w, "convert_%s(%s(", writer_name_of(t).text, tests[writer_pick(w, 4)]);
    writer_expr(w, of, depth + 1);
    writer_put(w, "))");
}

static void integer_builtin(struct writer *w, struct writer_type t, unsigned depth) {
    static const struct writer_builtin list[] = {
        {"add_sat", 2}, {"sub_sat", 2}, {"hadd", 2},     {"rhadd", 2},    {"clz", 1},
        {"mad_hi", 3},  {"mad_sat", 3}, {"mul_hi", 2},   {"rotate", 2},   {"min", 2},
        {"max", 2},     {"clamp", 3},   {"popcount", 1}, {"bitselect", 3}};
    const struct writer_builtin *b = &list[writer_pick(w, 14)];
    bool two = writer_chance(w, 50);
    if (writer_chance(w, 15) && !is_signed(t))
        call(w, two ? "abs_diff" : "abs", mask_of(t), two ? 2 : 1, depth);
    else if (writer_chance(w, 15) && (t.base == INT || t.base == UINT))
        call(w, two ? "mul24" : "mad24", t, two ? 2 : 3, depth);
    else if (writer_chance(w, 15) && writer_base_size[t.base] > 1)
        joined(w, t, depth);
    else if (writer_chance(w, 15) && writer_base_size[t.base] >= 4)
        classified(w, t, depth);
    else
        call(w, b->name, t, b->args, depth);
}

static bool is_double(struct writer_type t) { return t.base == DOUBLE; }

/* Functions whose last argument is of another type, or a place for a second result. */
static void odd_builtin(struct writer *w, struct writer_type t, unsigned depth) {
    static const char *const parts[] = {"frexp", "lgamma_r", "remquo", "modf", "fract", "sincos"};
    static const char *const powers[] = {"ldexp", "pown", "rootn"};
    struct writer_type whole = {INT, t.n};
    unsigned n = writer_pick(w, 6), of = writer_pick(w, 3);
    if (writer_chance(w, 40)) {
        writer_put(w, "%s(", powers[of]);
        writer_expr(w, t, depth + 1);
        writer_put(w, ", ");
        writer_expr(w, whole, depth + 2);
        writer_put(w, ")");
        return;
    }
    /* a statement expression: the second result is looked at as well */
    writer_put(w, "({ %s p_; %s q_ = %s(", writer_name_of(n < 3 ? whole : t).text,
               writer_name_of(t).text, parts[n]);
    writer_expr(w, t, depth + 1);
    if (n == 2) {
        writer_put(w, ", ");
        writer_expr(w, t, depth + 1);
    }
    writer_put(w, ", &p_); q_ %s %s%s(p_); })", n == 5 ? "-" : "+", n < 3 ? "convert_" : "",
               n < 3 ? writer_name_of(t).text : "");
}

/* From vectors to a scalar, or between vectors of 3 and 4 components. */
static void geometric(struct writer *w, struct writer_type t, unsigned depth) {
    static const struct writer_builtin lengths[] = {
        {"length", 1}, {"fast_length", 1}, {"distance", 2}, {"dot", 2}, {"fast_distance", 2}};
    static const char *const same[] = {"normalize", "fast_normalize", "cross"};
    unsigned n = writer_pick(w, is_double(t) ? 1 : 5);
    if (t.n == 1) {
        struct writer_type of = {t.base, 2 + writer_pick(w, 3)};
        if (is_double(t)) n = 3;
        call(w, lengths[n].name, of, lengths[n].args, depth);
    } else {
        n = is_double(t) ? 0 : writer_pick(w, t.n == 2 ? 2 : 3);
        call(w, same[n], t, n == 2 ? 2 : 1, depth);
    }
}

static void float_builtin(struct writer *w, struct writer_type t, unsigned depth) {
    static const struct writer_builtin plain[] = {
        {"fabs", 1}, {"floor", 1},    {"ceil", 1},   {"trunc", 1},     {"rint", 1},
        {"fma", 3},  {"round", 1},    {"sqrt", 1},   {"mad", 3},       {"fmod", 2},
        {"mix", 3},  {"step", 2},     {"sign", 1},   {"fmin", 2},      {"fmax", 2},
        {"fdim", 2}, {"copysign", 2}, {"min", 2},    {"max", 2},       {"clamp", 3},
        {"logb", 1}, {"maxmag", 2},   {"minmag", 2}, {"nextafter", 2}, {"smoothstep", 3}};
    static const struct writer_builtin maths[] = {
        {"remainder", 2}, {"rsqrt", 1},   {"sin", 1},    {"cos", 1},    {"exp", 1},
        {"log", 1},       {"exp2", 1},    {"log2", 1},   {"atan2", 2},  {"pow", 2},
        {"hypot", 2},     {"cbrt", 1},    {"tanh", 1},   {"acos", 1},   {"tan", 1},
        {"degrees", 1},   {"radians", 1}, {"asin", 1},   {"atan", 1},   {"sinh", 1},
        {"cosh", 1},      {"asinh", 1},   {"acosh", 1},  {"atanh", 1},  {"sinpi", 1},
        {"cospi", 1},     {"tanpi", 1},   {"asinpi", 1}, {"acospi", 1}, {"atanpi", 1},
        {"atan2pi", 2},   {"exp10", 1},   {"expm1", 1},  {"log10", 1},  {"log1p", 1},
        {"erf", 1},       {"erfc", 1},    {"lgamma", 1}, {"tgamma", 1}, {"powr", 2}};
    static const struct writer_builtin fast[] = {
        {"native_sin", 1},  {"native_cos", 1},    {"native_tan", 1},   {"native_exp", 1},
        {"native_log", 1},  {"native_exp2", 1},   {"native_log2", 1},  {"native_sqrt", 1},
        {"native_powr", 2}, {"native_divide", 2}, {"native_recip", 1}, {"native_rsqrt", 1},
        {"half_sin", 1},    {"half_exp", 1},      {"half_powr", 2},    {"half_rsqrt", 1}};
    unsigned kind = writer_pick(w, 12);
    const struct writer_builtin *b = &plain[writer_pick(w, sizeof plain / sizeof *plain)];
    if (kind >= 6) b = &maths[writer_pick(w, sizeof maths / sizeof *maths)];
    if (kind >= 10 && !is_double(t)) b = &fast[writer_pick(w, sizeof fast / sizeof *fast)];
    if (kind == 5)
        odd_builtin(w, t, depth);
    else if (kind == 4 && t.n <= 4)
        geometric(w, t, depth);
    else
        call(w, b->name, t, b->args, depth);
}

/* convert_T with any suffix, from any type of as many components. */
static void conversion(struct writer *w, struct writer_type t, unsigned depth) {
    static const char *const rounding[] = {"", "", "_rte", "_rtz", "_rtp", "_rtn"};
    struct writer_type from = {writer_any_base(w), t.n};
    const char *rounded = rounding[writer_pick(w, 6)];
    writer_put(w, "convert_%s%s%s(", writer_name_of(t).text,
               !writer_floating(t) && writer_chance(w, 40) ? "_sat" : "", rounded);
    writer_expr(w, from, depth + 1);
    writer_put(w, ")");
}

/* The bits of a value of the same size; NaNs have been replaced before anyone looks. */
static void bits(struct writer *w, struct writer_type t, unsigned depth) {
    struct writer_type from = {writer_any_base(w), t.n};
    if (writer_floating(t) || writer_base_size[from.base] != writer_base_size[t.base])
        from.base = sized(writer_base_size[t.base], writer_chance(w, 50));
    if (writer_floating(t)) { /* no NaN, no denormal */
        from.base = sized(writer_base_size[t.base], false);
        writer_put(w, "as_%s((", writer_name_of(t).text);
        writer_expr(w, from, depth + 1);
        writer_put(w, t.base == FLOAT ? ") & 0x807fffffu | 0x3f000000u)"
                                      : ") & 0x800ffffffffffffful | 0x3fe0000000000000ul)");
        return;
    }
    writer_put(w, "as_%s(%s(", writer_name_of(t).text, writer_floating(from) ? "calm" : "");
    writer_expr(w, from, depth + 1);
    writer_put(w, "))");
}

static void comparison(struct writer *w, struct writer_type of, unsigned depth) {
    static const char *const order[] = {"<", ">", "<=", ">=", "==", "!="};
    static const char *const tests[] = {"isless", "isgreaterequal", "islessgreater", "isunordered",
                                        "isnotequal"};
    if (writer_floating(of) && writer_chance(w, 40)) {
        writer_put(w, "(");
        call(w, tests[writer_pick(w, 5)], of, 2, depth);
        writer_put(w, ")");
        return;
    }
    writer_put(w, "(");
    writer_expr(w, of, depth + 1);
    writer_put(w, " %s ", order[writer_pick(w, 6)]);
    writer_expr(w, of, depth + 1);
    writer_put(w, ")");
}

static void choice(struct writer *w, struct writer_type t, unsigned depth) {
    struct writer_type mask = t.n > 1 ? mask_of(t) : writer_any_type(w);
    if (t.n == 1) mask.n = 1;
    writer_put(w, "(");
    if (t.n > 1) { /* the mask's components are all ones or none */
        struct writer_type of = {writer_floating(t) || writer_chance(w, 50) ? t.base : mask.base,
                                 t.n};
        comparison(w, of, depth + 1);
    } else {
        comparison(w, mask, depth + 1);
    }
    writer_put(w, " ? ");
    writer_expr(w, t, depth + 1);
    writer_put(w, " : ");
    writer_expr(w, t, depth + 1);
    writer_put(w, ")");
}

static void binary(struct writer *w, struct writer_type t, unsigned depth) {
    static const char *const whole[] = {"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"};
    writer_put(w, "(");
    writer_expr(w, t, depth + 1);
    writer_put(w, " %s ",
               writer_floating(t) ? (const char *[]){"+", "-", "*", "/"}[writer_pick(w, 4)]
                                  : whole[writer_pick(w, writer_chance(w, 15) ? 10 : 8)]);
    if (t.n > 1 && writer_chance(w, 20)) /* a scalar is widened */
        writer_expr(w, (struct writer_type){t.base, 1}, depth + 1);
    else
        writer_expr(w, t, depth + 1);
    writer_put(w, ")");
}

/* Components by a mask of numbers. */
static void shuffled(struct writer *w, struct writer_type t, unsigned depth) {
    bool two = writer_chance(w, 50);
    struct writer_type from = {t.base, (unsigned[]){2, 4, 8}[writer_pick(w, 3)]};
    struct writer_type mask = {sized(writer_base_size[t.base], false), t.n};
    writer_put(w, two ? "shuffle2(" : "shuffle(");
    for (unsigned i = 0; i < (two ? 2 : 1); i++) {
        writer_expr(w, from, depth + 1);
        writer_put(w, ", ");
    }
    writer_expr(w, mask, depth + 1);
    writer_put(w, ")");
}

static void selected(struct writer *w, struct writer_type t, unsigned depth) {
    struct writer_type mask = {sized(writer_base_size[t.base], writer_chance(w, 50)), t.n};
    writer_put(w, "select(");
    for (unsigned i = 0; i < 2; i++) {
        writer_expr(w, t, depth + 1);
        writer_put(w, ", ");
    }
    writer_expr(w, mask, depth + 1);
    writer_put(w, ")");
}

/* Part of a wider vector, or a vector put together. */
static void parts(struct writer *w, struct writer_type t, unsigned depth) {
    if (writer_chance(w, 15) && (t.n == 2 || t.n >= 4)) {
        shuffled(w, t, depth);
        return;
    }
    static const char *const halves[] = {"lo", "hi", "odd", "even"};
    unsigned wide = t.n == 1 ? 4 : t.n == 3 ? 4 : t.n * 2;
    if (t.n <= 4 && writer_chance(w, 50)) {
        writer_put(w, "(");
        writer_expr(w, (struct writer_type){t.base, wide}, depth + 1);
        if (t.n == 2 && writer_chance(w, 40)) {
            writer_put(w, ").%s", halves[writer_pick(w, 4)]);
        } else {
            writer_put(w, ").s");
            for (unsigned i = 0; i < t.n; i++) writer_put(w, "%x", writer_pick(w, wide));
        }
    } else if (t.n > 1) {
        writer_put(w, "(%s)(", writer_name_of(t).text);
        for (unsigned i = 0; i < t.n;) {
            unsigned n = t.n - i >= 2 && writer_chance(w, 40) ? 2 : 1;
            if (i) writer_put(w, ", ");
            writer_expr(w, (struct writer_type){t.base, n}, depth + 1 + (t.n > 4));
            i += n;
        }
        writer_put(w, ")");
    } else {
        leaf(w, t, depth);
    }
}

/* What only one type has. */
static bool special(struct writer *w, struct writer_type t, unsigned depth) {
    bool texels = t.base == FLOAT || t.base == INT || t.base == UINT;
    if (w->images && !w->helper && t.n == 4 && texels) {
        texel(w, t, depth);
        return true;
    }
    if (!w->arrays && t.base != UCHAR && !(w->functions && t.base == UINT)) return false;
    if (t.n == 4 && t.base == SHORT) {
        writer_put(w, "av[");
        writer_masked(w, 3, depth + 1);
        writer_put(w, "]");
    } else if (t.n != 1) {
        return false;
    } else if (t.base == INT || t.base == FLOAT) {
        writer_put(w, t.base == INT ? "ai[" : "af[");
        writer_masked(w, t.base == INT ? 7 : 3, depth + 1);
        writer_put(w, "]");
    } else if (t.base == LONG) {
        writer_put(w, writer_chance(w, 50) ? "peel(r, (int)" : "(long)(r.c + r.v.y + (int)");
        writer_scalar(w, INT, depth + 1);
        writer_put(w, ")");
    } else if (w->functions && t.base == UINT) {
        writer_put(w, "f%u((int)", writer_pick(w, w->functions));
        writer_scalar(w, INT, depth + 1);
        writer_put(w, ", ");
        writer_scalar(w, FLOAT, depth + 1);
        writer_put(w, ", table, id, lid)");
    } else if (t.base == UCHAR) {
        writer_put(w, "(uchar)any(");
        struct writer_type of = {sized(1u << writer_pick(w, 3), true),
                                 (unsigned[]){2, 3, 4}[writer_pick(w, 3)]};
        comparison(w, of, depth + 1);
        writer_put(w, ")");
    } else {
        return false;
    }
    return true;
}

void writer_expr(struct writer *w, struct writer_type t, unsigned depth) {
    if (t.n == 1) writer_put(w, "(%s)", writer_base_name[t.base]);
    unsigned kind = depth >= DEPTH ? 99 : writer_pick(w, 30);
    if (kind < 10) {
        binary(w, t, depth);
    } else if (kind < 13) {
        conversion(w, t, depth);
    } else if (kind < 14) {
        bits(w, t, depth);
    } else if (kind < 16) {
        if (writer_chance(w, 25))
            selected(w, t, depth);
        else
            choice(w, t, depth);
    } else if (kind < 18) {
        parts(w, t, depth);
    } else if (kind < 21) {
        if (writer_floating(t))
            float_builtin(w, t, depth);
        else
            integer_builtin(w, t, depth);
    } else if (kind < 22 && !writer_floating(t)) {
        struct writer_type of = {writer_chance(w, 50) || writer_base_size[t.base] < 4 ||
                                         (t.base >= LONG && !w->doubles)
                                     ? t.base
                                     : (writer_base_size[t.base] == 4 ? FLOAT : DOUBLE),
                                 t.n};
        if (t.n > 1) writer_put(w, "as_%s", writer_name_of(t).text);
        comparison(w, of, depth);
    } else if (kind < 23 && !writer_floating(t)) {
        writer_put(w, writer_chance(w, 60) ? "(~" : "(-");
        writer_expr(w, t, depth + 1);
        writer_put(w, ")");
    } else if (kind < 24 && t.n == 1 && !writer_floating(t)) {
        writer_put(w, "(");
        writer_scalar(w, writer_any_base(w), depth + 1);
        writer_put(w, writer_chance(w, 50) ? " && " : " || ");
        writer_scalar(w, writer_any_base(w), depth + 1);
        writer_put(w, ")");
    } else if (kind > 26 || !special(w, t, depth)) {
        leaf(w, t, depth);
    }
}
