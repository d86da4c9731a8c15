/* Signatures of the table: names and types of a call against a row, and the enumeration of all
 * functions. */
#include "builtin.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum ast_type_kind kind;
} numbers[] = {{"char", AST_CHAR},     {"uchar", AST_UCHAR}, {"short", AST_SHORT},
               {"ushort", AST_USHORT}, {"int", AST_INT},     {"uint", AST_UINT},
               {"long", AST_LONG},     {"ulong", AST_ULONG}, {"float", AST_FLOAT},
               {"double", AST_DOUBLE}};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static const struct {
    const char *suffix;
    enum isa_rounding rounding;
} roundings[] = {{"_rte", ISA_RTE}, {"_rtz", ISA_RTZ}, {"_rtp", ISA_RTP}, {"_rtn", ISA_RTN}};
enum { ROUNDINGS = sizeof roundings / sizeof roundings[0] };

static const uint32_t vectors[] = {2, 3, 4, 8, 16};
enum { VECTORS = sizeof vectors / sizeof vectors[0] };

static const struct {
    const char *name;
    enum isa_image_dim dim;
    const char *sets;
    uint8_t coordinates;
} images[] = {{"image1d_t", ISA_DIM_1D, "nua", 1},
              {"image1d_array_t", ISA_DIM_1D_ARRAY, "nuya", 2},
              {"image1d_buffer_t", ISA_DIM_1D_BUFFER, "bua", 1},
              {"image2d_t", ISA_DIM_2D, "2oa", 2},
              {"image2d_array_t", ISA_DIM_2D_ARRAY, "nmuya", 4},
              {"image3d_t", ISA_DIM_3D, "3oa", 4}};
enum { IMAGES = sizeof images / sizeof images[0] };

static const struct {
    const char *name;
    enum ast_space space;
    const char *sets;
} spaces[] = {{"__private", AST_PRIVATE, "oa"},
              {"__global", AST_GLOBAL, "goa"},
              {"__local", AST_LOCAL, "loa"},
              {"__constant", AST_CONSTANT, "a"}};
enum { SPACES = sizeof spaces / sizeof spaces[0] };

static bool is_number(enum ast_type_kind k) {
    return k >= AST_CHAR && k <= AST_DOUBLE && k != AST_HALF;
}
static bool is_integer_kind(enum ast_type_kind k) { return k >= AST_CHAR && k <= AST_ULONG; }

enum ast_type_kind builtin_int_kind(enum ast_type_kind k, bool is_unsigned) {
    static const enum ast_type_kind signed_of[] = {
        [AST_CHAR] = AST_CHAR,    [AST_UCHAR] = AST_CHAR, [AST_SHORT] = AST_SHORT,
        [AST_USHORT] = AST_SHORT, [AST_INT] = AST_INT,    [AST_UINT] = AST_INT,
        [AST_LONG] = AST_LONG,    [AST_ULONG] = AST_LONG, [AST_HALF] = AST_SHORT,
        [AST_FLOAT] = AST_INT,    [AST_DOUBLE] = AST_LONG};
    return (enum ast_type_kind)(signed_of[k] + (is_unsigned ? 1 : 0));
}

/* ---- one type of a signature ---- */

/* A type that a letter stands for, as far as the builtins know types: number x count, or something
 * opaque. */
struct signature_shape {
    enum ast_type_kind kind;
    uint32_t count;
};

static unsigned image_row(enum isa_image_dim dim) {
    unsigned i = 0;
    while (i < IMAGES - 1 && images[i].dim != dim) i++;
    return i;
}

/* What a letter other than '*', 'M' and '.' means under a complete binding. */
static struct signature_shape shape_of(char letter, const struct builtin_binding *b) {
    switch (letter) {
    case 'g': return (struct signature_shape){b->type, b->count};
    case 'e': return (struct signature_shape){b->type, 1};
    case 'i': return (struct signature_shape){AST_INT, b->count};
    case 'I': return (struct signature_shape){AST_INT, 1};
    case 'U': return (struct signature_shape){AST_UINT, 1};
    case 'z': return (struct signature_shape){builtin_int_kind(b->type, true), b->count};
    case 'x': return (struct signature_shape){builtin_int_kind(b->type, b->is_unsigned), b->count};
    case 'r':
        return (struct signature_shape){b->count == 1 ? AST_INT : builtin_int_kind(b->type, false),
                                        b->count};
    case 'w': return (struct signature_shape){(enum ast_type_kind)(b->type + 2), b->count};
    case 'h': return (struct signature_shape){b->type, b->results};
    case 'q': return (struct signature_shape){builtin_int_kind(b->type, true), b->results};
    case 'f': return (struct signature_shape){AST_FLOAT, b->count};
    case 'c': return (struct signature_shape){b->named, b->count};
    case 'H': return (struct signature_shape){AST_HALF, 1};
    case 'E': return (struct signature_shape){AST_EVENT, 1};
    case 'S': return (struct signature_shape){AST_SAMPLER, 1};
    case 'k': return (struct signature_shape){AST_INT, images[image_row(b->dim)].coordinates};
    case 'K': return (struct signature_shape){AST_FLOAT, images[image_row(b->dim)].coordinates};
    case 'F': return (struct signature_shape){AST_FLOAT, 4};
    case 'N': return (struct signature_shape){AST_INT, 4};
    case 'Q': return (struct signature_shape){AST_UINT, 4};
    case 'D': return (struct signature_shape){AST_INT, 2};
    default: return (struct signature_shape){AST_VOID, 1};
    }
}

static struct signature_shape shape_of_type(const struct ast_type *t) {
    if (t->kind == AST_VECTOR) return (struct signature_shape){t->elem->kind, t->count};
    return (struct signature_shape){t->kind, 1};
}

static unsigned space_row(enum ast_space space) {
    unsigned i = 0;
    while (i < SPACES - 1 && spaces[i].space != space) i++;
    return i;
}

/* Takes from a type what its letter says of the binding. s: at the letter; returns the place behind
 * it. */
static const char *learn(const char *s, const struct ast_type *t, struct builtin_binding *b) {
    struct signature_shape shape = shape_of_type(t);
    switch (*s) {
    case 'g':
        b->type = shape.kind;
        b->count = shape.count;
        break;
    case 'e': b->type = shape.kind; break;
    case 'h': b->results = shape.count; break;
    case 'x':
        b->is_unsigned =
            is_integer_kind(shape.kind) && shape.kind == builtin_int_kind(shape.kind, true);
        break;
    case 'M': b->dim = (enum isa_image_dim)t->image_dim; return s + 2;
    case '*':
        if (t->kind != AST_POINTER) return s + 3;
        b->space = t->space;
        return learn(s + 2, t->elem, b);
    }
    return s + 1;
}

/* Is t what the letter says? */
static bool fits(const char **s, const struct ast_type *t, const struct builtin_binding *b) {
    if (**s == '*') {
        char set = (*s)[1];
        *s += 2;
        if (t->kind != AST_POINTER || !strchr(spaces[space_row(t->space)].sets, set)) return false;
        return fits(s, t->elem, b);
    }
    if (**s == 'M') {
        char set = (*s)[1];
        *s += 2;
        return t->kind == AST_IMAGE &&
               strchr(images[image_row((enum isa_image_dim)t->image_dim)].sets, set);
    }
    struct signature_shape want = shape_of(*(*s)++, b), have = shape_of_type(t);
    return want.kind == have.kind && want.count == have.count;
}

/* ---- matching a call ---- */

static bool skip(const char **s, const char *prefix) {
    size_t n = strlen(prefix);
    if (strncmp(*s, prefix, n) != 0) return false;
    *s += n;
    return true;
}

bool builtin_bind_name(const struct builtin *row, const char *name, struct builtin_binding *b) {
    *b = (struct builtin_binding){.type = AST_VOID, .count = 1, .named = AST_VOID, .results = 1};
    for (const char *p = row->name; *p; p++) {
        if (*p == '@') {
            unsigned i = 0;
            while (i < NUMBERS && !skip(&name, numbers[i].name)) i++;
            if (i == NUMBERS) return false;
            b->named = numbers[i].kind;
        } else if (*p == '#') {
            uint32_t n = 0;
            const char *digits = name;
            for (; *name >= '0' && *name <= '9' && n < 100; name++)
                n = n * 10 + (uint32_t)(*name - '0');
            if (name != digits && (n < 2 || *digits == '0')) return false;
            b->count = n ? n : 1;
            if (b->count > 16 || !(row->counts & 1u << b->count)) return false;
        } else if (*p == '$') {
            b->saturate = skip(&name, "_sat");
            if (b->saturate && !is_integer_kind(b->named)) return false;
        } else if (*p == '%') {
            for (unsigned i = 0; i < ROUNDINGS && !b->rounded; i++)
                if (skip(&name, roundings[i].suffix)) {
                    b->rounded = true;
                    b->rounding = roundings[i].rounding;
                }
        } else if (*p != *name++)
            return false;
    }
    return !*name;
}

bool builtin_bind_types(const struct builtin *row, const struct ast_expr *e,
                        struct builtin_binding *b) {
    uint32_t count = strchr(row->name, '#') ? b->count : 0;
    const char *s = learn(row->signature, e->type, b) + 1;
    if (*s == '.') return true;
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (!*s) return false;
        s = learn(s, e->args[i]->type, b);
    }
    if (*s || (count && b->count != count && strchr(row->signature, 'g'))) {
        /* vload, vstore_half: the name says how many, and a value must agree. */
        return false;
    }
    if (count) b->count = count;
    if (row->types && (!is_number(b->type) || !(row->types & 1u << b->type))) return false;
    if (b->count > 16 || !(row->counts & 1u << b->count)) return false;
    if (b->results > 16 || (strchr(row->signature, 'h') && !(row->counts & 1u << b->results)))
        return false;

    s = row->signature;
    if (!fits(&s, e->type, b)) return false;
    s++;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!fits(&s, e->args[i]->type, b)) return false;
    return true;
}

/* ---- the enumeration ---- */

static void shape_text(struct signature_shape s, char *text, size_t size) {
    static const char *const others[] = {[AST_VOID] = "void",
                                         [AST_HALF] = "half",
                                         [AST_SAMPLER] = "sampler_t",
                                         [AST_EVENT] = "event_t"};
    const char *name = "void";
    if (is_number(s.kind)) {
        for (unsigned i = 0; i < NUMBERS; i++)
            if (numbers[i].kind == s.kind) name = numbers[i].name;
    } else if (others[s.kind])
        name = others[s.kind];
    if (s.count == 1)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s%u", name, s.count);
}

static const char *type_text(const char *s, const struct builtin *row,
                             const struct builtin_binding *b, char *text, size_t size) {
    if (*s == '*') {
        /* A set of several spaces is the binding's choice; a single one says itself. */
        enum ast_space space = b->space;
        for (unsigned i = 0; i < SPACES; i++)
            if (s[1] == spaces[i].sets[0] && (s[1] == 'g' || s[1] == 'l')) space = spaces[i].space;
        char elem[24];
        s = type_text(s + 2, row, b, elem, sizeof elem);
        snprintf(text, size, "%s %s *", spaces[space_row(space)].name, elem);
        return s;
    }
    if (*s == 'M') {
        snprintf(text, size, "%s %s",
                 strncmp(row->name, "write", 5) ? "__read_only" : "__write_only",
                 images[image_row(b->dim)].name);
        return s + 2;
    }
    if (*s == '.')
        snprintf(text, size, "__constant char *");
    else
        shape_text(shape_of(*s, b), text, size);
    return s + 1;
}

static void name_text(const struct builtin *row, const struct builtin_binding *b, char *text,
                      size_t size) {
    size_t n = 0;
    text[0] = 0;
    for (const char *p = row->name; *p && n < size; p++) {
        if (*p == '@') {
            shape_text((struct signature_shape){b->named, 1}, text + n, size - n);
        } else if (*p == '#') {
            if (b->count > 1) snprintf(text + n, size - n, "%u", b->count);
        } else if (*p == '$') {
            if (b->saturate) snprintf(text + n, size - n, "_sat");
        } else if (*p == '%') {
            if (b->rounded) snprintf(text + n, size - n, "%s", roundings[b->rounding].suffix);
        } else
            snprintf(text + n, size - n, "%c", *p);
        n += strlen(text + n);
    }
}

/* Each choice a row leaves open is a digit; the odometer turns the first that can go on and resets
 * those before it. */

static bool next_type(uint32_t mask, enum ast_type_kind *k) {
    for (uint32_t i = *k + 1u; i <= AST_DOUBLE; i++)
        if (mask & 1u << i) {
            *k = (enum ast_type_kind)i;
            return true;
        }
    return false;
}

static bool next_count(uint32_t mask, uint32_t *count) {
    for (unsigned i = 0; i < VECTORS; i++)
        if (vectors[i] > *count && mask & 1u << vectors[i]) {
            *count = vectors[i];
            return true;
        }
    return false;
}

static uint32_t first_count(uint32_t mask) {
    uint32_t n = 1;
    if (!(mask & 2)) next_count(mask, &n);
    return n;
}

enum { ALL_NUMBERS = (1u << (AST_DOUBLE + 1)) - (1u << AST_CHAR) - (1u << AST_HALF) };

static char space_set(const struct builtin *row) {
    const char *star = strchr(row->signature, '*');
    return star && (star[1] == 'o' || star[1] == 'a') ? star[1] : 0;
}

static bool next_space(const struct builtin *row, enum ast_space *space) {
    char set = space_set(row);
    for (unsigned i = space_row(*space) + 1; set && i < SPACES; i++)
        if (strchr(spaces[i].sets, set)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static bool next_image(const struct builtin *row, int from, enum isa_image_dim *dim) {
    const char *m = strchr(row->signature, 'M');
    for (int i = from; m && i < (int)IMAGES; i++)
        if (strchr(images[i].sets, m[1])) {
            *dim = images[i].dim;
            return true;
        }
    return false;
}

static struct builtin_binding first_binding(const struct builtin *row) {
    struct builtin_binding b = {.type = AST_VOID,
                                .named = AST_VOID,
                                .count = first_count(row->counts),
                                .results = 1,
                                .space = spaces[0].space};
    if (row->types) next_type(row->types, &b.type);
    if (strchr(row->name, '@')) next_type(ALL_NUMBERS, &b.named);
    if (strchr(row->signature, 'h')) b.results = first_count(row->counts);
    next_image(row, 0, &b.dim);
    return b;
}

static bool next_binding(const struct builtin *row, struct builtin_binding *b) {
    const struct builtin_binding first = first_binding(row);
    if (strchr(row->name, '%')) {
        if (!b->rounded) {
            b->rounded = true;
            b->rounding = roundings[0].rounding;
            return true;
        }
        if (b->rounding + 1u < ROUNDINGS) {
            b->rounding = roundings[b->rounding + 1].rounding;
            return true;
        }
        b->rounded = false;
        b->rounding = first.rounding;
    }
    if (strchr(row->name, '$')) {
        if (!b->saturate && is_integer_kind(b->named)) return b->saturate = true;
        b->saturate = false;
    }
    if (strchr(row->signature, 'x')) {
        if (!b->is_unsigned) return b->is_unsigned = true;
        b->is_unsigned = false;
    }
    if (next_space(row, &b->space)) return true;
    b->space = first.space;
    if (next_image(row, (int)image_row(b->dim) + 1, &b->dim)) return true;
    b->dim = first.dim;
    if (strchr(row->signature, 'h')) {
        if (next_count(row->counts, &b->results)) return true;
        b->results = first.results;
    }
    if (strchr(row->name, '@')) {
        if (next_type(ALL_NUMBERS, &b->named)) return true;
        b->named = first.named;
    }
    if (next_count(row->counts, &b->count)) return true;
    b->count = first.count;
    return row->types && next_type(row->types, &b->type);
}

bool builtin_next(struct builtin_case *c) {
    if (!c->name[0]) {
        c->row = 0;
        c->bind = first_binding(&builtin_table[0]);
    } else if (!next_binding(&builtin_table[c->row], &c->bind)) {
        if (++c->row >= builtin_count) return false;
        c->bind = first_binding(&builtin_table[c->row]);
    }
    const struct builtin *row = &builtin_table[c->row];
    name_text(row, &c->bind, c->name, sizeof c->name);
    const char *s = type_text(row->signature, row, &c->bind, c->result, sizeof c->result) + 1;
    for (c->nargs = 0; *s && c->nargs < BUILTIN_MAX_ARGS; c->nargs++)
        s = type_text(s, row, &c->bind, c->args[c->nargs], sizeof c->args[0]);
    c->needs_double = c->bind.type == AST_DOUBLE || c->bind.named == AST_DOUBLE;
    return true;
}

void builtin_signature(const struct builtin_case *c, char *text, size_t size) {
    int n = snprintf(text, size, "%s %s(", c->result, c->name);
    for (unsigned i = 0; i < c->nargs && n >= 0 && (size_t)n < size; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%s", i ? ", " : "", c->args[i]);
    if (n >= 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, ")");
}
