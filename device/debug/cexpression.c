#include "cexpression.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct cexpression {
    const struct lanevalue_view *view;
    const char *at;
    char *why;
    unsigned depth, skipped; /* skipped: inside what C does not evaluate */
    jmp_buf failed;
};

static _Noreturn void fail(struct cexpression *x, const char *format, const char *what) {
    if (format) snprintf(x->why, 160, format, what);
    longjmp(x->failed, 1);
}

/* ---- words ---- */

static void blanks(struct cexpression *x) { x->at += strspn(x->at, " \t"); }

/* Operators that begin alike stand longest first where they are asked for. */
static bool take(struct cexpression *x, const char *word) {
    blanks(x);
    size_t n = strlen(word);
    if (strncmp(x->at, word, n) != 0) return false;
    x->at += n;
    return true;
}

static size_t name_here(struct cexpression *x) {
    size_t n = 0;
    blanks(x);
    if (isalpha((unsigned char)*x->at) || *x->at == '_' || *x->at == '$')
        for (n = 1; isalnum((unsigned char)x->at[n]) || x->at[n] == '_';) n++;
    return n;
}

static void expect(struct cexpression *x, const char *word) {
    if (!take(x, word)) fail(x, "'%s' is missing", word);
}

/* ---- values ---- */

static struct lanevalue integer(int64_t i, uint8_t size, bool is_signed) {
    struct lanevalue v = {.form = is_signed ? ISA_FORM_sint : ISA_FORM_uint, .size = size};
    v.loaded = true;
    v.i = size == 8 ? i : is_signed ? (int32_t)i : (int64_t)(uint32_t)i;
    return v;
}

static struct lanevalue real(double r, uint8_t size) {
    return (struct lanevalue){.form = ISA_FORM_real, .size = size, .loaded = true, .r = r};
}

static const struct isa_vtype *type_of(const struct cexpression *x, const struct lanevalue *v) {
    return v->type ? &x->view->d->k->types[v->type - 1] : NULL;
}

/* A number, or a pointer; what is not evaluated is 0. */
static void load(struct cexpression *x, struct lanevalue *v) {
    if (x->skipped && !v->loaded) *v = integer(0, 4, true);
    if (!lanevalue_load(x->view, v, x->why)) fail(x, NULL, NULL);
}

static bool is_pointer(const struct cexpression *x, const struct lanevalue *v) {
    const struct isa_vtype *t = type_of(x, v);
    return t && t->form == ISA_FORM_pointer;
}

static void numbers(struct cexpression *x, struct lanevalue *a, struct lanevalue *b) {
    load(x, a);
    load(x, b);
    if (is_pointer(x, a)) *a = integer(a->i, 4, false);
    if (is_pointer(x, b)) *b = integer(b->i, 4, false);
    a->type = b->type = 0;
}

static double as_real(const struct lanevalue *v) {
    return v->form == ISA_FORM_real   ? v->r
           : v->form == ISA_FORM_uint ? (double)(uint64_t)v->i
                                      : (double)v->i;
}

static struct lanevalue evaluate(struct cexpression *x, unsigned level);

/* ---- primary and postfix ---- */

static struct lanevalue literal(struct cexpression *x) {
    char *end;
    bool hex = x->at[0] == '0' && (x->at[1] == 'x' || x->at[1] == 'X');
    size_t digits = strspn(x->at, hex ? "0123456789abcdefABCDEFxX" : "0123456789");
    bool dot = !hex && (x->at[digits] == '.' || x->at[digits] == 'e' || x->at[digits] == 'E');
    if (dot) {
        double r = strtod(x->at, &end);
        bool single = *end == 'f' || *end == 'F';
        x->at = end + single;
        return real(single ? (double)(float)r : r, single ? 4 : 8);
    }
    unsigned long long n = strtoull(x->at, &end, 0);
    bool u = false, l = false;
    for (; strchr("uUlL", *end) && *end; end++) {
        u |= *end == 'u' || *end == 'U';
        l |= *end == 'l' || *end == 'L';
    }
    x->at = end;
    return integer((int64_t)n, l || n > UINT32_MAX ? 8 : 4,
                   !u && n <= INT64_MAX && (n <= INT32_MAX || l || n > UINT32_MAX));
}

static bool is_word(const char *name, size_t length, const char *word) {
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

/* get_global_id(0) and its like. */
static bool work_item(struct cexpression *x, const char *name, size_t length, struct lanevalue *v) {
    static const char *const words[] = {"get_global_id",    "get_local_id",    "get_group_id",
                                        "get_local_size",   "get_global_size", "get_num_groups",
                                        "get_global_offset"};
    const struct debug_launch *d = x->view->d;
    struct scene_item item = scene_item(d, x->view->warp, x->view->lane);
    for (unsigned n = 0; n < sizeof words / sizeof *words; n++) {
        if (!is_word(name, length, words[n])) continue;
        expect(x, "(");
        struct lanevalue which = evaluate(x, 0);
        load(x, &which);
        expect(x, ")");
        unsigned i = which.i >= 0 && which.i < 3 ? (unsigned)which.i : 3;
        const struct launch *l = d->l;
        uint32_t values[] = {
            i < 3 ? item.global[i] : 0,    i < 3 ? item.local[i] : 0,
            i < 3 ? d->g->group_id[i] : 0, i < 3 ? l->local_size[i] : 1,
            i < 3 ? l->global_size[i] : 1, i < 3 ? l->global_size[i] / l->local_size[i] : 1,
            i < 3 ? l->offset[i] : 0};
        *v = integer(values[n], 4, false);
        return true;
    }
    return false;
}

static struct lanevalue primary(struct cexpression *x) {
    struct lanevalue v;
    const struct lanevalue_view *view = x->view;
    blanks(x);
    if (take(x, "(")) {
        v = evaluate(x, 0);
        expect(x, ")");
        return v;
    }
    if (isdigit((unsigned char)*x->at) || (*x->at == '.' && isdigit((unsigned char)x->at[1])))
        return literal(x);
    size_t length = name_here(x);
    if (!length)
        fail(x, *x->at ? "an expression is missing at '%.40s'" : "an expression is missing%s",
             x->at);
    const char *name = x->at;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    x->at += length;
    uint32_t variable = scene_find(view->d, name, length, view->call, view->file, view->line);
    if (variable) {
        if (lanevalue_of(view, variable, &v, x->why)) return v;
        if (x->skipped) return integer(0, 4, true);
        fail(x, NULL, NULL);
    }
    if (work_item(x, name, length, &v)) return v;
    if (is_word(name, length, "lane")) return integer(view->lane, 4, false);
    if (is_word(name, length, "warp")) return integer(view->warp, 4, false);
    fail(x, "no variable '%s' is seen here", word);
}

/* An array's elements are those of a pointer to its first. */
static struct lanevalue element(struct cexpression *x, struct lanevalue v, int64_t index) {
    const struct isa_vtype *t = type_of(x, &v);
    struct lanevalue to;
    if (t && (t->form == ISA_FORM_array || t->form == ISA_FORM_vector)) {
        if (index < 0 || index >= t->count) {
            if (x->skipped)
                index = 0;
            else
                fail(x, "the index is outside of %s", t->name);
        }
        return lanevalue_part(&v, t->of, (uint32_t)index * x->view->d->k->types[t->of - 1].size);
    }
    load(x, &v);
    if (!lanevalue_pointee(x->view, &v, index, &to, x->why)) fail(x, NULL, NULL);
    return to;
}

static struct lanevalue component(struct cexpression *x, const struct lanevalue *v,
                                  const struct isa_vtype *t, const char *name, size_t length) {
    static const char letters[] = "xyzw", digits[] = "0123456789abcdef",
                      large[] = "0123456789ABCDEF";
    const char *at = length == 1 ? strchr(letters, *name) : NULL;
    uint32_t n = at && *at ? (uint32_t)(at - letters) : UINT32_MAX;
    if (length == 2 && (*name == 's' || *name == 'S')) {
        if ((at = strchr(digits, name[1])) && *at)
            n = (uint32_t)(at - digits);
        else if ((at = strchr(large, name[1])) && *at)
            n = (uint32_t)(at - large);
    }
    if (n >= t->count) fail(x, "%s has no such component", t->name);
    return lanevalue_part(v, t->of, n * x->view->d->k->types[t->of - 1].size);
}

static struct lanevalue member(struct cexpression *x, struct lanevalue v, bool arrow) {
    if (arrow) v = element(x, v, 0);
    const struct isa_vtype *t = type_of(x, &v);
    size_t length = name_here(x);
    const char *name = x->at;
    x->at += length;
    if (!t || !length) fail(x, "no field is named%s", "");
    if (t->form == ISA_FORM_vector) return component(x, &v, t, name, length);
    for (uint32_t n = 0; n < t->nfields; n++)
        if (is_word(name, length, t->fields[n].name))
            return lanevalue_part(&v, t->fields[n].type, t->fields[n].offset);
    fail(x, "%s has no such field", t->name);
}

static struct lanevalue postfix(struct cexpression *x) {
    struct lanevalue v = primary(x);
    for (;;) {
        if (take(x, "[")) {
            struct lanevalue index = evaluate(x, 0);
            load(x, &index);
            expect(x, "]");
            v = element(x, v, index.i);
        } else if (take(x, "->")) {
            v = member(x, v, true);
        } else if (take(x, ".")) {
            v = member(x, v, false);
        } else {
            return v;
        }
    }
}

static struct lanevalue address_of(struct cexpression *x, const struct lanevalue *v) {
    if (v->loaded || v->bytes) fail(x, "it has no address: registers hold it%s", "");
    const struct isa_kernel *k = x->view->d->k;
    for (uint32_t t = 1; t <= k->ntypes; t++)
        if (k->types[t - 1].form == ISA_FORM_pointer && k->types[t - 1].of == v->type &&
            k->types[t - 1].space == v->space)
            return (struct lanevalue){
                .type = t, .form = ISA_FORM_uint, .size = 4, .loaded = true, .i = v->address};
    struct lanevalue place = integer(v->address, 4, false);
    place.is_place = true;
    place.space = v->space;
    return place;
}

static struct lanevalue unary(struct cexpression *x) {
    if (++x->depth > DEEPEST) fail(x, "the expression nests too deeply%s", "");
    struct lanevalue v;
    blanks(x);
    char c = *x->at;
    if (c && strchr("-+!~*&", c)) {
        x->at++;
        v = unary(x);
        if (c == '&') {
            v = address_of(x, &v);
        } else if (c == '*') {
            v = element(x, v, 0);
        } else {
            struct lanevalue zero = integer(0, 4, true);
            numbers(x, &v, &zero);
            if (c == '!') v = integer(!lanevalue_true(&v), 4, true);
            if (c == '~' && v.form == ISA_FORM_real) fail(x, "~ is for integers%s", "");
            if (c == '~') v = integer(~v.i, v.size, v.form == ISA_FORM_sint);
            if (c == '-')
                v = v.form == ISA_FORM_real
                        ? real(-v.r, v.size)
                        : integer(-(uint64_t)v.i, v.size, v.form == ISA_FORM_sint);
        }
    } else {
        v = postfix(x);
    }
    x->depth--;
    return v;
}

/* ---- binary operators ---- */

enum operator{
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQ,
    NE,
    LE,
    GE,
    LT,
    GT,
    SHL,
    SHR,
    ADD,
    SUB,
    MUL,
    DIV,
    REM,
    NONE
};

/* Longer words stand before their beginnings. `not`: what must not follow. */
static const struct {
    const char *word, *not ;
    uint8_t level;
    uint8_t op;
} operators[] = {{"||", "", 1, OR},     {"&&", "", 2, AND},     {"|", "|", 3, BIT_OR},
                 {"^", "", 4, BIT_XOR}, {"&", "&", 5, BIT_AND}, {"==", "", 6, EQ},
                 {"!=", "", 6, NE},     {"<<", "", 8, SHL},     {">>", "", 8, SHR},
                 {"<=", "", 7, LE},     {">=", "", 7, GE},      {"<", "<", 7, LT},
                 {">", ">", 7, GT},     {"+", "", 9, ADD},      {"-", "", 9, SUB},
                 {"*", "", 10, MUL},    {"/", "", 10, DIV},     {"%", "", 10, REM}};
enum { LEVELS = 10 };

static enum operator operator_here(struct cexpression *x, unsigned level) {
    blanks(x);
    for (size_t n = 0; n < sizeof operators / sizeof *operators; n++) {
        size_t length = strlen(operators[n].word);
        char next = strncmp(x->at, operators[n].word, length) == 0 ? x->at[length] : '\0';
        if (strncmp(x->at, operators[n].word, length) != 0) continue;
        if (*operators[n].not &&next == *operators[n].not ) continue;
        if (operators[n].level != level) return NONE;
        x->at += length;
        return (enum operator)operators[n].op;
    }
    return NONE;
}

static struct lanevalue of_reals(struct cexpression *x, enum operator op, double a, double b,
                                 uint8_t size) {
    switch (op) {
    case EQ: return integer(a == b, 4, true);
    case NE: return integer(a != b, 4, true);
    case LE: return integer(a <= b, 4, true);
    case GE: return integer(a >= b, 4, true);
    case LT: return integer(a < b, 4, true);
    case GT: return integer(a > b, 4, true);
    case ADD: a += b; break;
    case SUB: a -= b; break;
    case MUL: a *= b; break;
    case DIV: a /= b; break;
    default: fail(x, "the operator is for integers%s", "");
    }
    return real(size == 4 ? (double)(float)a : a, size);
}

static struct lanevalue of_integers(struct cexpression *x, enum operator op, struct lanevalue a,
                                    struct lanevalue b) {
    bool shift = op == SHL || op == SHR;
    uint8_t size = !shift && b.size > a.size ? b.size : a.size;
    bool is_signed = a.form == ISA_FORM_sint && (shift || b.form == ISA_FORM_sint);
    if (!shift && a.size != b.size)
        is_signed = a.size > b.size ? a.form == ISA_FORM_sint : b.form == ISA_FORM_sint;
    a = integer(a.i, size, is_signed);
    if (!shift) b = integer(b.i, size, is_signed);
    uint64_t u = (uint64_t)a.i, w = (uint64_t)b.i;
    unsigned count = (unsigned)w & (size * 8u - 1);
    if ((op == DIV || op == REM) && !b.i) {
        if (!x->skipped) fail(x, "division by zero%s", "");
        b.i = 1;
        w = 1;
    }
    bool overflow = is_signed && b.i == -1;
    switch (op) {
    case BIT_OR: u |= w; break;
    case BIT_XOR: u ^= w; break;
    case BIT_AND: u &= w; break;
    case SHL: u <<= count; break;
    case SHR: u = is_signed ? (uint64_t)(a.i >> count) : u >> count; break;
    case ADD: u += w; break;
    case SUB: u -= w; break;
    case MUL: u *= w; break;
    case DIV: u = overflow ? 0 - u : is_signed ? (uint64_t)(a.i / b.i) : u / w; break;
    case REM: u = overflow ? 0 : is_signed ? (uint64_t)(a.i % b.i) : u % w; break;
    case EQ: return integer(u == w, 4, true);
    case NE: return integer(u != w, 4, true);
    case LE: return integer(is_signed ? a.i <= b.i : u <= w, 4, true);
    case GE: return integer(is_signed ? a.i >= b.i : u >= w, 4, true);
    case LT: return integer(is_signed ? a.i < b.i : u < w, 4, true);
    case GT: return integer(is_signed ? a.i > b.i : u > w, 4, true);
    default: break;
    }
    return integer((int64_t)u, size, is_signed);
}

/* An array where a pointer is wanted. */
static void decay(struct cexpression *x, struct lanevalue *v) {
    const struct isa_vtype *t = type_of(x, v);
    if (!t || t->form != ISA_FORM_array || v->bytes) return;
    struct lanevalue first = lanevalue_part(v, t->of, 0);
    *v = address_of(x, &first);
}

static struct lanevalue combine(struct cexpression *x, enum operator op, struct lanevalue a,
                                struct lanevalue b) {
    decay(x, &a);
    decay(x, &b);
    load(x, &a);
    load(x, &b);
    if ((op == ADD || op == SUB) && is_pointer(x, &a) && !is_pointer(x, &b)) {
        struct lanevalue to;
        if (!lanevalue_pointee(x->view, &a, op == ADD ? b.i : -b.i, &to, x->why))
            fail(x, NULL, NULL);
        a.i = to.address;
        return a;
    }
    if (op == SUB && is_pointer(x, &a) && a.type == b.type && type_of(x, &a)->of)
        return integer((int32_t)(a.i - b.i) /
                           (int32_t)x->view->d->k->types[type_of(x, &a)->of - 1].size,
                       4, true);
    numbers(x, &a, &b);
    if (a.form != ISA_FORM_real && b.form != ISA_FORM_real) return of_integers(x, op, a, b);
    uint8_t size =
        (a.form == ISA_FORM_real && a.size == 8) || (b.form == ISA_FORM_real && b.size == 8) ? 8
                                                                                             : 4;
    return of_reals(x, op, as_real(&a), as_real(&b), size);
}

static struct lanevalue binary(struct cexpression *x, unsigned level) {
    if (level > LEVELS) return unary(x);
    struct lanevalue a = binary(x, level + 1);
    for (;;) {
        enum operator op = operator_here(x, level);
        if (op == NONE) return a;
        if (op == OR || op == AND) {
            load(x, &a);
            bool decided = lanevalue_true(&a) == (op == OR);
            x->skipped += decided;
            struct lanevalue b = binary(x, level + 1);
            load(x, &b);
            x->skipped -= decided;
            a = integer(decided ? op == OR : lanevalue_true(&b), 4, true);
        } else {
            a = combine(x, op, a, binary(x, level + 1));
        }
    }
}

/* level 0: all of it, the conditional operator included. */
static struct lanevalue evaluate(struct cexpression *x, unsigned level) {
    if (++x->depth > DEEPEST) fail(x, "the expression nests too deeply%s", "");
    struct lanevalue v = binary(x, level + 1);
    if (take(x, "?")) {
        load(x, &v);
        bool first = lanevalue_true(&v);
        x->skipped += !first;
        struct lanevalue a = evaluate(x, 0);
        x->skipped -= !first;
        expect(x, ":");
        x->skipped += first;
        struct lanevalue b = evaluate(x, 0);
        x->skipped -= first;
        v = first ? a : b;
    }
    x->depth--;
    return v;
}

bool cexpression_value(const struct lanevalue_view *at, const char *text, struct lanevalue *v,
                       char why[160]) {
    struct cexpression x = {.view = at, .at = text, .why = why};
    if (setjmp(x.failed)) return false;
    *v = evaluate(&x, 0);
    blanks(&x);
    if (*x.at) fail(&x, "'%.40s' is not understood", x.at);
    return true;
}
