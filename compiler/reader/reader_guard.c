/* Sources that clang's checks do not survive are made into ones that they refuse.
 *
 * - as_type(f), f a builtin function's name: clang reinterprets before it has chosen an overload.
 *   The operand is written behind a comma, ((void)0,f), which asks for one.
 * - (int4)(e), e an event, a sampler, an image, a struct, a pointer or a block: clang converts it
 * to int without asking whether that can be. The operand gets a unary plus, which only numbers
 * have; a bracket with a number's type is no operand, but a cast of it: (int4)(char)e.
 * - {[N] = 1}: clang makes room for N elements, whatever N is, and of [A ... B] makes every one.
 * Both are limited: numbers here, other constant expressions by clang, as (N)<most?(N):-1.
 *
 * - int i = {{}, 1}: clang looks for the first value. C99 has no empty braces (6.7.8); they are
 * taken but where they come first of several.
 *
 * What is put in has no tokens; that is how it is known again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prelude.h"
#include "readerstate.h"

enum {
    MOST_INDEX = 1 << 20,   /* of an element that a designator names */
    MOST_UNKNOWN = 1 << 12, /* the same in a range whose bounds are not known here */
    MOST_WORK = 1 << 22,    /* tokens of initialisers times the elements that they stand for */
    MOST_TEXT = 256,        /* bytes of a bound that is no number */
    NEAR = 1000             /* tokens to either side that are looked at */
};
/* Before an operand; a ) comes behind it. */
static const char *const prefixes[] = {"((void)0,", "+("};
enum { NO_PREFIX = -1, CHOSEN, NUMBER };

struct guard_frame { /* an open bracket */
    char kind;       /* ( [ { */
    bool types;      /* (: stands where a cast may and holds nothing but the name of a type, */
    bool vector;     /* which is a vector's */
    bool numeric;    /* (: holds nothing but a type of numbers */
    bool comma;      /* (: has several operands */
    bool begins;     /* {: an element begins here, */
    bool designates; /* or its designators go on */
    bool first;      /* {: nothing stood in it yet; */
    bool hollow;     /* nothing but braces, */
    uint8_t empty;   /* 1: empty ones come first, 2: and a comma */
    bool casts;      /* (: stands where a cast may, */
    bool incomplete; /* and names a struct without members so far */
    char *patch;     /* (: blanks for the prefix */
    int prefix;      /* that makes the operand safe */
    char *bound;     /* [ of a designator: where the bound that is being read begins */
    bool range;      /* it has two */
    bool known;      /* the value of the first, */
    uint64_t low;    /* which is this */
    uint32_t times;  /* elements that what stands here initialises */
    uint32_t each;   /* {: the same for the element that is being read */
    struct ast_loc loc;
};

struct reader_guard {
    struct guard_frame *frames;
    uint32_t nframes, room;
    uint64_t work;
    struct reader_map vectors; /* typedefs of vectors; keys are hashes of names */
    struct reader_map numbers; /* those of numbers and of vectors */
    const void *name;          /* the last word of a typedef */
    uint32_t depth;            /* of brackets, where it stands */
    bool in_typedef, plain, of_vector;
    bool numeric, of_numbers; /* the last word is a type of numbers; those before are */
    bool after_word;          /* a bracket would be a call, or sizeof's */
    bool after_dot;           /* of a designator */
    bool vector_cast;         /* one has just ended, */
    bool after_cast;          /* and not sizeof's bracket */
    bool operand;             /* what stands before may be one */
    bool caret;               /* ^ does */
    bool reinterpret;         /* as_type stands before the bracket */
    struct reader_map tags;   /* of structs with members */
    uint8_t assembles;        /* 1: asm stands before, 2: and a bracket */
    const void *last;         /* the word that stands before; NULL: none does */
    bool after_tag;           /* it is struct or union */
    bool incomplete_cast;     /* a cast to a struct without members has just ended */
};

static const void *name_key(const char *s, size_t n) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
    return (const void *)(uintptr_t)(h | 8);
}

static bool one_of(const char *const *words, unsigned count, const char *s, size_t n) {
    for (unsigned i = 0; i < count; i++)
        if (strlen(words[i]) == n && memcmp(s, words[i], n) == 0) return true;
    return false;
}
#define ONE_OF(s, n, ...)                                                                          \
    one_of((const char *const[]){__VA_ARGS__},                                                     \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), s, n)

static struct guard_frame *top(struct reader_guard *g) { return &g->frames[g->nframes - 1]; }

static struct guard_frame *push(struct reader *r, struct reader_guard *g, char kind) {
    if (g->nframes == g->room) {
        uint32_t room = g->room ? g->room * 2 : 64;
        struct guard_frame *more = ARENA_ARRAY(r->arena, struct guard_frame, room);
        if (g->nframes) memcpy(more, g->frames, g->nframes * sizeof *more);
        g->frames = more;
        g->room = room;
    }
    uint32_t times = g->nframes ? top(g)->each : 1;
    struct guard_frame *f = &g->frames[g->nframes++];
    *f = (struct guard_frame){.kind = kind,
                              .begins = kind == '{',
                              .first = kind == '{',
                              .hollow = kind == '{',
                              .times = times,
                              .each = times};
    return f;
}

struct reader_guard *reader_guard_new(struct reader *r) {
    struct reader_guard *g = ARENA_NEW(r->arena, struct reader_guard);
    push(r, g, '{')->begins = false;
    return g;
}

/* ---- casts ---- */

static bool names_vector(const struct reader_guard *g, const char *s, size_t n) {
    bool builtin = s[n - 1] >= '0' && s[n - 1] <= '9' && prelude_reinterprets(s, n);
    return builtin || reader_map_find(&g->vectors, name_key(s, n));
}

static bool qualifies(const char *s, size_t n) {
    return ONE_OF(s, n, "const", "volatile", "private", "__private", "global", "__global", "local",
                  "__local", "constant", "__constant");
}

static bool names_number(const struct reader_guard *g, const char *s, size_t n) {
    return prelude_reinterprets(s, n) || reader_map_find(&g->numbers, name_key(s, n)) ||
           ONE_OF(s, n, "unsigned", "signed", "bool", "size_t", "ptrdiff_t", "intptr_t",
                  "uintptr_t");
}

static void typedef_begin(struct reader_guard *g) {
    g->in_typedef = g->plain = g->numeric = g->of_numbers = true;
    g->of_vector = false;
    g->name = NULL;
    g->depth = g->nframes;
}

/* typedef float4 T; and the like: no pointers, no members, no arrays. */
static void typedef_token(struct reader *r, struct reader_guard *g, enum token_kind kind,
                          const char *s, size_t n) {
    bool here = g->nframes == g->depth;
    if (kind == TOKEN_WORD) {
        g->of_vector |= names_vector(g, s, n) || ONE_OF(s, n, "ext_vector_type");
        if (!here || ONE_OF(s, n, "__attribute__")) return;
        g->name = name_key(s, n);
        g->of_numbers &= g->numeric;
        g->numeric = names_number(g, s, n) || qualifies(s, n);
    } else if (*s == '*' || *s == '{' || *s == '[') {
        g->plain = false;
    } else if ((*s == ';' || *s == ',') && here) {
        bool named = g->plain && g->name;
        if (named && g->of_vector && !reader_map_find(&g->vectors, g->name))
            reader_map_add(r, &g->vectors, g->name, g);
        if (named && g->of_numbers && !reader_map_find(&g->numbers, g->name))
            reader_map_add(r, &g->numbers, g->name, g);
        g->numeric = true; /* of what stands before the next name: the same type */
        g->in_typedef = *s == ',';
    }
}

/* Names of clang's that are no functions of OpenCL C and take what clang does not check. */
static bool clangs_own(const char *s, size_t n) {
    static const char *const families[] = {"__builtin_",    "__sync_",          "__atomic_",
                                           "__c11_atomic_", "__opencl_atomic_", "__scoped_atomic_"};
    if (n < 4 || *s != '_') return false;
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);
        if (n > length && memcmp(s, families[i], length) == 0)
            return !ONE_OF(s, n, "__builtin_expect", "__builtin_offsetof",
                           "__builtin_types_compatible_p");
    }
    return false;
}

/* asm "..." is not C's, where asm may be a name; __asm__ is clang's. */
static void assembly(struct reader *r, struct reader_guard *g, enum token_kind kind, const char *s,
                     size_t n, struct ast_loc loc) {
    bool follows = g->assembles == 1 && ONE_OF(s, n, "volatile", "__volatile__", "goto");
    bool text = g->assembles == 2 && kind == TOKEN_STRING;
    if (follows || text) reader_fail(r, loc, "asm: inline PTX is not supported");
    g->assembles = ONE_OF(s, n, "asm") ? 1 : g->assembles == 1 && *s == '(' ? 2 : 0;
}

/* (struct NAME): has NAME members by now? What stands before { is taken for such a name. */
static void tag(struct reader_guard *g, const char *s, size_t n) {
    bool tagged = g->after_tag;
    g->after_tag = ONE_OF(s, n, "struct", "union");
    g->last = name_key(s, n);
    if (tagged) top(g)->incomplete = top(g)->casts && !reader_map_find(&g->tags, g->last);
}

static void word(struct reader *r, struct reader_guard *g, const char *s, size_t n,
                 struct ast_loc loc) {
    struct guard_frame *f = top(g);
    bool vector = names_vector(g, s, n);
    if (clangs_own(s, n)) reader_fail(r, loc, "'%.*s' is clang's, not OpenCL C's", (int)n, s);
    tag(g, s, n);
    if (ONE_OF(s, n, "typedef")) typedef_begin(g);
    f->types &= vector || qualifies(s, n);
    f->numeric &= names_number(g, s, n) || qualifies(s, n);
    f->vector |= vector;
    g->after_word = !ONE_OF(s, n, "return", "case", "else", "do");
}

/* ---- designators ---- */

static _Noreturn void too_large(struct reader *r, struct ast_loc loc) {
    reader_fail(r, loc, "initialiser too large: it may name %d elements", MOST_INDEX);
}

static bool number(const char *from, const char *end, uint64_t *value) {
    char text[32], *stop;
    while (from < end && *from == ' ') from++;
    while (end > from && end[-1] == ' ') end--;
    size_t n = (size_t)(end - from);
    if (n == 0 || n >= sizeof text || *from < '0' || *from > '9') return false;
    memcpy(text, from, n);
    text[n] = 0;
    *value = strtoull(text, &stop, 0);
    return stop[strspn(stop, "uUlL")] == 0;
}

/* Ends a bound: false when its value is not known here; then its text limits it. */
static bool bound(struct reader *r, struct guard_frame *f, char **out, uint64_t *value) {
    size_t n = (size_t)(*out - f->bound);
    int64_t v;
    bool known = number(f->bound, *out, value);
    if (!known && f->range && n <= MOST_TEXT && preprocess_evaluate(f->bound, n, &v) && v >= 0) {
        *value = (uint64_t)v;
        known = true;
    }
    if (known && *value >= MOST_INDEX) too_large(r, f->loc);
    if (known) return true;
    if (n > MOST_TEXT) reader_fail(r, f->loc, "this designator is too long");
    char *end = *out;
    f->bound[-1] = '(';
    end += sprintf(end, ")<%d?(", f->range ? MOST_UNKNOWN : MOST_INDEX);
    memcpy(end, f->bound, n);
    *out = stpcpy(end + n, "):-1 ");
    return false;
}

static void range(struct reader *r, struct guard_frame *f, char **out) {
    f->range = true;
    f->known = bound(r, f, out, &f->low);
}

static void designated(struct reader *r, struct reader_guard *g, char **out) {
    struct guard_frame *f = top(g), *list = f - 1;
    uint64_t high = 0, count = 1;
    bool known = bound(r, f, out, &high);
    if (f->range)
        count = !known ? MOST_UNKNOWN : f->known && f->low <= high ? high - f->low + 1 : high + 1;
    if (list->each * count > MOST_WORK) too_large(r, f->loc);
    list->each *= (uint32_t)count;
    list->designates = true;
}

/* A token in braces, and what it says of the next. */
static void element(struct reader_guard *g, struct guard_frame *f, enum token_kind kind,
                    const char *s) {
    f->first = f->hollow = false;
    f->empty = f->empty == 1 && kind == TOKEN_PUNCTUATOR && *s == ',' ? 2 : 0;
    bool in_place = f->begins || f->designates;
    bool dot = in_place && kind == TOKEN_PUNCTUATOR && *s == '.';
    f->designates = dot || (g->after_dot && kind == TOKEN_WORD);
    f->begins = kind == TOKEN_PUNCTUATOR && *s == ',';
    g->after_dot = dot;
    if (kind == TOKEN_PUNCTUATOR && (*s == ',' || *s == ';')) f->each = f->times;
}

/* ---- tokens ---- */

static void open(struct reader *r, struct reader_guard *g, char c, struct ast_loc loc) {
    if (c == '{' && g->last && !reader_map_find(&g->tags, g->last))
        reader_map_add(r, &g->tags, g->last, g);
    bool designator = c == '[' && top(g)->kind == '{' && (top(g)->begins || top(g)->designates);
    int prefix = c != '('         ? NO_PREFIX
                 : g->reinterpret ? CHOSEN
                 : g->vector_cast ? NUMBER
                                  : NO_PREFIX;
    if (top(g)->kind == '{') top(g)->begins = top(g)->designates = false;
    top(g)->numeric = false;
    struct guard_frame *f = push(r, g, c);
    f->loc = loc;
    f->casts = c == '(' && !g->after_word;
    f->types = f->numeric = c == '(';
    f->prefix = prefix;
    f->designates = designator;
}

static void close(struct reader *r, struct reader_guard *g, char c, char **out) {
    if (g->nframes == 1) return;
    struct guard_frame *f = top(g);
    if (f->kind == '[' && f->designates && c == ']') designated(r, g, out);
    if (f->patch && !f->comma && !(f->prefix == NUMBER && f->numeric) && c == ')') {
        memcpy(f->patch, prefixes[f->prefix], strlen(prefixes[f->prefix]));
        *(*out)++ = ')';
    }
    if (f->kind == '{' && f->hollow && f[-1].kind == '{' && f[-1].first) f[-1].empty = 1;
    f[-1].first = false;
    f[-1].hollow &= f->kind == '{' && f->hollow;
    g->incomplete_cast = c == ')' && f->incomplete;
    g->vector_cast = c == ')' && f->types && f->vector;
    g->after_cast = f->casts;
    g->nframes--;
}

void reader_guard_reinterpret(struct reader_guard *g) { g->reinterpret = true; }

void reader_guard_before(struct reader *r, struct reader_guard *g, enum token_kind kind,
                         const char *s, size_t n, char **out, struct ast_loc loc) {
    bool punctuator = kind == TOKEN_PUNCTUATOR;
    if (top(g)->empty == 2 && *s != '}')
        reader_fail(r, loc, "empty braces before another initialiser are not C");
    if (top(g)->each > 1 && (g->work += top(g)->each) > MOST_WORK) too_large(r, loc);
    if (g->incomplete_cast && !(punctuator && strchr(")],;{*", *s)))
        reader_fail(r, loc, "a cast to a struct without members");
    if (punctuator && n == 1 && *s == '^' && (!g->operand || (g->vector_cast && g->after_cast)))
        reader_fail(r, loc, "blocks came with OpenCL C 2.0");
    if (g->caret && *s == '{') reader_fail(r, loc, "blocks came with OpenCL C 2.0");
    g->caret = punctuator && n == 1 && *s == '^';
    bool step = punctuator && n == 2 && (*s == '+' || *s == '-') && s[1] == *s;
    if (!step) g->operand = !punctuator || *s == ')' || *s == ']'; /* i++ is one, as i was */
    g->incomplete_cast = false;
    if (kind != TOKEN_NUMBER) assembly(r, g, kind, s, n, loc);
    if (g->in_typedef) typedef_token(r, g, kind, s, n);
    if (punctuator && n == 1 && strchr("([{", *s)) {
        open(r, g, *s, loc);
    } else if (punctuator && n == 1 && strchr(")]}", *s)) {
        close(r, g, *s, out);
        g->after_word = g->after_tag = false;
        g->last = NULL;
        return;
    } else {
        struct guard_frame *f = top(g);
        if (f->kind == '{') element(g, f, kind, s);
        f->comma |= punctuator && *s == ',';
        if (f->kind == '[' && f->designates && !f->range && n == 3 && memcmp(s, "...", 3) == 0)
            range(r, f, out);
        if (kind != TOKEN_WORD) f->types = f->numeric = f->incomplete = false;
    }
    g->after_word = g->vector_cast = false;
    if (kind == TOKEN_WORD)
        word(r, g, s, n, loc);
    else
        g->last = NULL, g->after_tag = false;
}

void reader_guard_after(struct reader_guard *g, const char *s, size_t n, char **out) {
    struct guard_frame *f = top(g);
    if (*s == '(' && f->prefix != NO_PREFIX) {
        size_t length = strlen(prefixes[f->prefix]);
        f->patch = *out;
        memset(*out, ' ', length);
        *out += length;
        g->reinterpret = false;
    }
    bool begins_bound = (*s == '[' && n == 1) || (n == 3 && memcmp(s, "...", 3) == 0);
    if (f->kind == '[' && f->designates && begins_bound) {
        *(*out)++ = ' ';
        f->bound = *out;
    }
}

size_t reader_guard_room(const char *text, size_t length) {
    size_t room = length;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '(' || text[i] == '[' || text[i] == '.') room += 64;
    return room;
}

/* ---- what was put in ---- */

bool reader_guard_put(const struct reader *r, uint32_t offset) {
    char c = offset < r->text.length ? r->text.text[offset] : 0;
    if (offset < r->text.begin || (c != '+' && c != '(')) return false;
    uint32_t i = reader_text_find(r, offset);
    return i == r->text.ntokens || r->text.tokens[i].start > offset;
}

static bool ends_statement(const struct reader *r, uint32_t i) {
    const struct token *k = &r->text.tokens[i];
    return k->kind == TOKEN_PUNCTUATOR && strchr(";{}", r->text.text[k->start]);
}

bool reader_guard_near(const struct reader *r, uint32_t offset) {
    uint32_t at = reader_text_find(r, offset), first = at;
    if (reader_guard_put(r, offset)) return true;
    while (first > 0 && at - first < NEAR && !ends_statement(r, first - 1)) first--;
    for (uint32_t i = first; i < r->text.ntokens && i < at + NEAR; i++) {
        uint32_t start = r->text.tokens[i].start;
        if (start > 0 && reader_guard_put(r, start - 1)) return true;
        if (i >= at && ends_statement(r, i)) return false;
    }
    return at - first >= NEAR;
}

CXCursor reader_guard_operand(struct reader *r, CXCursor c) {
    struct reader_kids kids;
    if (c.kind != CXCursor_ParenExpr || !reader_guard_put(r, reader_text_start(c))) return c;
    reader_children(r, c, &kids);
    if (kids.n != 1 || kids.at[0].kind != CXCursor_BinaryOperator) return c;
    reader_children(r, kids.at[0], &kids);
    return kids.n == 2 ? kids.at[1] : c;
}

bool reader_guard_explain(struct reader *r, uint32_t offset, const char *message) {
    if (!reader_guard_put(r, offset)) return false;
    struct ast_loc loc = reader_text_loc(r, offset);
    const char *type = strchr(message, '\''), *end = type ? strchr(type + 1, '\'') : NULL;
    if (r->text.text[offset] == '+' && end)
        reader_error(r, loc, "a vector cannot be made of a value of type %.*s",
                     (int)(end + 1 - type), type);
    else if (r->text.text[offset] == '(' && strstr(message, "designator"))
        reader_error(r, loc, "initialiser too large: a designator may be %d at most, in a range %d",
                     MOST_INDEX - 1, MOST_UNKNOWN - 1);
    else
        return false;
    return true;
}
