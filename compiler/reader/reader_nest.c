/* How deeply a program nests, reckoned from its tokens.
 *
 * clang bounds brackets (-fbracket-depth) but recurses without bound, on a stack that libclang
 * chooses, on prefix operators, casts, ?:, assignments and statements in statements, and its checks
 * recurse on what is left of an operator. So each such token weighs something, measured as the
 * stack clang takes for it, as long as what it stands in is open, and too much weight is an error.
 * A chain of 5,000 additions passes. */
#include <string.h>

#include "prelude.h"
#include "readerstate.h"

enum { PREFIX = 32, NESTS = 8, CHAINS = 1, MOST = 16000 };

struct nest_frame {  /* an open bracket */
    char kind;       /* ( [ or { of a block, l for { of a list */
    bool types;      /* nothing but names of types so far: a cast, maybe */
    bool is_typedef; /* in such a declaration */
    const char *mark;
    uint32_t weight, prefix; /* prefix: of operators and casts whose operand is still to come */
};

struct reader_nest {
    struct nest_frame *frames;
    uint32_t nframes, room;
    uint32_t weight;            /* of all open frames */
    char last;                  /* the last character of the token before */
    bool last_begins;           /* it was else or do */
    bool cast;                  /* it closed a cast */
    struct reader_map typedefs; /* keys are hashes of names */
};

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool one_of(const char *const *words, unsigned count, const char *s, size_t n) {
    for (unsigned i = 0; i < count; i++)
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0) return true;
    return false;
}

/* Two names that share a hash are taken for one: a cast more or less. */
static const void *name_key(const char *s, size_t n) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
    return (const void *)(uintptr_t)(h | 8);
}

static bool names_type(const struct reader_nest *n, const char *s, size_t length) {
    static const char *const words[] = {
        "void",     "bool",       "unsigned", "signed",    "const",  "volatile",
        "restrict", "struct",     "union",    "enum",      "size_t", "ptrdiff_t",
        "intptr_t", "uintptr_t",  "global",   "__global",  "local",  "__local",
        "constant", "__constant", "private",  "__private", "_Bool"};
    return prelude_reinterprets(s, length) ||
           one_of(words, sizeof words / sizeof *words, s, length) ||
           reader_map_find(&n->typedefs, name_key(s, length));
}

static void push(struct reader *r, struct reader_nest *n, char kind, const char *mark) {
    if (n->nframes == n->room) {
        uint32_t room = n->room ? n->room * 2 : 64;
        struct nest_frame *more = ARENA_ARRAY(r->arena, struct nest_frame, room);
        if (n->nframes) memcpy(more, n->frames, n->nframes * sizeof *more);
        n->frames = more;
        n->room = room;
    }
    n->frames[n->nframes++] = (struct nest_frame){.kind = kind, .types = kind == '(', .mark = mark};
}

struct reader_nest *reader_nest_new(struct reader *r) {
    struct reader_nest *n = ARENA_NEW(r->arena, struct reader_nest);
    n->last = ';';
    push(r, n, '{', NULL);
    return n;
}

static struct nest_frame *top(struct reader_nest *n) { return &n->frames[n->nframes - 1]; }

static void lighten(struct reader_nest *n) {
    n->weight -= top(n)->weight + top(n)->prefix;
    top(n)->weight = top(n)->prefix = 0;
}

static void weigh(struct reader_nest *n, uint32_t weight) {
    top(n)->weight += weight;
    n->weight += weight;
}

static void weigh_prefix(struct reader_nest *n) {
    top(n)->prefix += PREFIX;
    n->weight += PREFIX;
}

/* An operator between operands: what was prefixed to the left one has ended. */
static void weigh_infix(struct reader_nest *n, uint32_t weight) {
    n->weight -= top(n)->prefix;
    top(n)->prefix = 0;
    weigh(n, weight);
}

/* The outermost frame is never closed. */
static const char *pop(struct reader_nest *n, char bracket) {
    if (n->nframes == 1) return NULL;
    struct nest_frame f = *top(n);
    lighten(n);
    n->nframes--;
    n->cast = bracket == ')' && f.kind == '(' && f.types && n->last != '(';
    if (n->cast) weigh_prefix(n);
    return f.mark;
}

/* A { begins a list (of initialisers, enumerators, members) where no statement can stand. */
static char brace_kind(struct reader_nest *n) {
    char outer = top(n)->kind, before = n->last;
    if (before == '=' || before == ']') return 'l';
    if (before == ',' || before == '{' || before == '(')
        return outer == 'l' || outer == '(' ? 'l' : '{';
    return is_word(before) && !n->last_begins ? 'l' : '{';
}

static void operator(struct reader_nest *n, const char *s, size_t length) {
    char last = n->last;
    bool operand = (is_word(last) || strchr(")]\"'", last)) && !n->cast;
    bool assigns = s[length - 1] == '=' && !(length == 2 && strchr("=<>!", *s));
    bool suffix =
        length == 2 && (*s == '+' || *s == '-') && (s[1] == *s || s[1] == '>'); /* ++ -- -> */
    if (assigns)
        weigh_infix(n, NESTS);
    else if (!operand || (length == 1 && (*s == '!' || *s == '~')))
        weigh_prefix(n);
    else if (suffix)
        weigh(n, CHAINS);
    else
        weigh_infix(n, CHAINS);
}

static const char *punctuator(struct reader *r, struct reader_nest *n, const char *s, size_t length,
                              const char *mark) {
    switch (*s) {
    case '(':
        if (n->last == ')')
            weigh_prefix(n); /* behind a cast to a type we do not know, or a call of a call */
        push(r, n, '(', mark);
        return NULL;
    case '[':
        weigh(n, n->last == ']' ? NESTS : CHAINS);
        push(r, n, '[', NULL);
        return NULL;
    case '{': push(r, n, brace_kind(n), NULL); return NULL;
    case ')':
    case ']':
    case '}': return pop(n, *s);
    case ';': top(n)->is_typedef = false; break;
    case ',':
        if (top(n)->kind == 'l')
            lighten(n);
        else
            weigh_infix(n, CHAINS);
        break;
    case '?':
    case ':': weigh_infix(n, NESTS); break;
    case '.': weigh(n, CHAINS); break;
    default: operator(n, s, length);
    }
    if (*s != '*') top(n)->types = false;
    return NULL;
}

static void word(struct reader *r, struct reader_nest *n, const char *s, size_t length) {
    static const char *const nesting[] = {"if",     "for",  "while",   "do",
                                          "switch", "case", "default", "else"};
    if (one_of(nesting, sizeof nesting / sizeof *nesting, s, length)) weigh(n, NESTS);
    if (length == 6 && memcmp(s, "sizeof", 6) == 0) weigh_prefix(n);
    if (length == 7 && memcmp(s, "typedef", 7) == 0) top(n)->is_typedef = true;
    if (top(n)->is_typedef) {
        const void *key = name_key(s, length);
        if (!reader_map_find(&n->typedefs, key)) reader_map_add(r, &n->typedefs, key, n);
    }
    if (top(n)->types && !names_type(n, s, length)) top(n)->types = false;
}

const char *reader_nest_token(struct reader *r, struct reader_nest *n, enum token_kind kind,
                              const char *text, size_t length, const char *mark,
                              struct ast_loc loc) {
    const char *closed = NULL;
    bool is_else = kind == TOKEN_WORD && length == 4 && memcmp(text, "else", 4) == 0;
    bool ended = n->last == ';' || n->last == '}';
    bool was_cast = n->cast;
    if (ended && (top(n)->kind == '{' || top(n)->kind == 'l') && !is_else) lighten(n);
    if (kind == TOKEN_WORD)
        word(r, n, text, length);
    else if (kind == TOKEN_PUNCTUATOR)
        closed = punctuator(r, n, text, length, mark);
    else
        top(n)->types = false;
    if (was_cast) n->cast = n->cast && *text == ')';
    n->last = text[length - 1];
    n->last_begins = is_else || (kind == TOKEN_WORD && length == 2 && memcmp(text, "do", 2) == 0);
    if (n->weight > MOST) reader_fail(r, loc, "expression or statement nested too deeply");
    return closed;
}
