/* #if expressions (C99 6.10.1, 6.6): integers of 64 bits, unsigned as soon as one operand is.
 * Pending operators are on a stack of their own, so nesting costs no C stack. */
#include <string.h>

#include "preprocess_private.h"

struct condition_value {
    uint64_t bits;
    bool is_unsigned;
};

enum op {
    OP_PAREN,
    OP_QUESTION, /* these two hold everything below back */
    OP_COLON,
    OP_COMMA,
    OP_LOR,
    OP_LAND,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_GT,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_NOT,
    OP_LNOT,
    OP_NEG,
    OP_PLUS
};

static const struct {
    char text[3];
    uint8_t op, precedence;
} binary[] = {
    {",", OP_COMMA, 1}, {"?", OP_QUESTION, 2}, {"||", OP_LOR, 3},  {"&&", OP_LAND, 4},
    {"|", OP_OR, 5},    {"^", OP_XOR, 6},      {"&", OP_AND, 7},   {"==", OP_EQ, 8},
    {"!=", OP_NE, 8},   {"<", OP_LT, 9},       {">", OP_GT, 9},    {"<=", OP_LE, 9},
    {">=", OP_GE, 9},   {"<<", OP_SHL, 10},    {">>", OP_SHR, 10}, {"+", OP_ADD, 11},
    {"-", OP_SUB, 11},  {"*", OP_MUL, 12},     {"/", OP_DIV, 12},  {"%", OP_REM, 12},
};
static const struct {
    char text[2];
    uint8_t op;
} unary[] = {{"!", OP_LNOT}, {"~", OP_NOT}, {"-", OP_NEG}, {"+", OP_PLUS}};
enum { UNARY_PRECEDENCE = 13 };

struct pending {
    uint8_t op, precedence;
    bool dead;  /* made what follows it unevaluated */
    bool taken; /* ?: the condition */
    struct pp_token token;
};

struct condition {
    struct pp *pp;
    const struct pp_token *where; /* the directive, for errors that have no token */
    struct condition_value *values;
    struct pending *ops;
    uint32_t nvalues, nops, value_capacity, op_capacity;
    unsigned dead; /* > 0: in an operand that is not evaluated */
    bool identifiers, failed;
};

static void fail(struct condition *c, const struct pp_token *t, const char *why) {
    if (!c->failed) pp_report(c->pp, DIAG_ERROR, t && t->kind != PP_EOF ? t : c->where, "%s", why);
    c->failed = true;
}

static void push_value(struct condition *c, uint64_t bits, bool is_unsigned) {
    if (c->nvalues == c->value_capacity) {
        c->value_capacity = c->value_capacity ? c->value_capacity * 2 : 16;
        struct condition_value *grown =
            ARENA_ARRAY(c->pp->arena, struct condition_value, c->value_capacity);
        if (c->nvalues) memcpy(grown, c->values, c->nvalues * sizeof *grown);
        c->values = grown;
    }
    c->values[c->nvalues++] = (struct condition_value){bits, is_unsigned};
}

static struct pending *push_op(struct condition *c, uint8_t op, uint8_t precedence,
                               const struct pp_token *t) {
    if (c->nops == c->op_capacity) {
        c->op_capacity = c->op_capacity ? c->op_capacity * 2 : 16;
        struct pending *grown = ARENA_ARRAY(c->pp->arena, struct pending, c->op_capacity);
        if (c->nops) memcpy(grown, c->ops, c->nops * sizeof *grown);
        c->ops = grown;
    }
    c->ops[c->nops] = (struct pending){.op = op, .precedence = precedence, .token = *t};
    return &c->ops[c->nops++];
}

/* ---- arithmetic ---- */

static uint64_t divide(struct condition *c, const struct pending *w, struct condition_value a,
                       struct condition_value b, bool u) {
    bool remainder = w->op == OP_REM;
    if (b.bits == 0) {
        if (!c->dead) fail(c, &w->token, "division by zero in a preprocessor expression");
        return 0;
    }
    if (u) return remainder ? a.bits % b.bits : a.bits / b.bits;
    if (b.bits == UINT64_MAX)
        return remainder ? 0 : 0 - a.bits; /* -1: the only quotient that can overflow */
    return (uint64_t)(remainder ? (int64_t)a.bits % (int64_t)b.bits
                                : (int64_t)a.bits / (int64_t)b.bits);
}

static uint64_t shift(struct condition_value a, struct condition_value b, bool left) {
    bool negative = !b.is_unsigned && (int64_t)b.bits < 0;
    unsigned n = negative || b.bits > 63 ? 63 : (unsigned)b.bits;
    if (left) return a.bits << n;
    return a.is_unsigned ? a.bits >> n : (uint64_t)((int64_t)a.bits >> n);
}

static bool less(struct condition_value a, struct condition_value b, bool u) {
    return u ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

/* The operation on top of the stack takes its operands and leaves its value. */
static void reduce(struct condition *c) {
    struct pending w = c->ops[--c->nops];
    if (w.dead) c->dead--;
    struct condition_value b = c->values[--c->nvalues];
    if (w.precedence == UNARY_PRECEDENCE) {
        uint64_t r = w.op == OP_LNOT  ? !b.bits
                     : w.op == OP_NOT ? ~b.bits
                     : w.op == OP_NEG ? 0 - b.bits
                                      : b.bits;
        push_value(c, r, w.op != OP_LNOT && b.is_unsigned);
        return;
    }
    struct condition_value a = c->values[--c->nvalues];
    bool u = a.is_unsigned || b.is_unsigned;
    switch ((enum op)w.op) {
    case OP_COLON: push_value(c, w.taken ? a.bits : b.bits, u); break;
    case OP_COMMA: push_value(c, b.bits, b.is_unsigned); break;
    case OP_LOR: push_value(c, a.bits || b.bits, false); break;
    case OP_LAND: push_value(c, a.bits && b.bits, false); break;
    case OP_OR: push_value(c, a.bits | b.bits, u); break;
    case OP_XOR: push_value(c, a.bits ^ b.bits, u); break;
    case OP_AND: push_value(c, a.bits & b.bits, u); break;
    case OP_EQ: push_value(c, a.bits == b.bits, false); break;
    case OP_NE: push_value(c, a.bits != b.bits, false); break;
    case OP_LT: push_value(c, less(a, b, u), false); break;
    case OP_GT: push_value(c, less(b, a, u), false); break;
    case OP_LE: push_value(c, !less(b, a, u), false); break;
    case OP_GE: push_value(c, !less(a, b, u), false); break;
    case OP_SHL: push_value(c, shift(a, b, true), a.is_unsigned); break;
    case OP_SHR: push_value(c, shift(a, b, false), a.is_unsigned); break;
    case OP_ADD: push_value(c, a.bits + b.bits, u); break;
    case OP_SUB: push_value(c, a.bits - b.bits, u); break;
    case OP_MUL: push_value(c, a.bits * b.bits, u); break;
    case OP_DIV:
    case OP_REM: push_value(c, divide(c, &w, a, b, u), u); break;
    default: break;
    }
}

static void reduce_above(struct condition *c, unsigned precedence) {
    while (c->nops && c->ops[c->nops - 1].op > OP_QUESTION &&
           c->ops[c->nops - 1].precedence >= precedence)
        reduce(c);
}

/* ---- operands ---- */

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

static bool integer_suffix(const char *s, size_t n, bool *is_unsigned) {
    unsigned u = 0, l = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == 'u' || s[i] == 'U') {
            u++;
        } else if (s[i] == 'l' || s[i] == 'L') {
            if (l++) return false;
            if (i + 1 < n && s[i + 1] == s[i]) i++;
        } else {
            return false;
        }
    }
    *is_unsigned |= u == 1;
    return u <= 1;
}

static void number(struct condition *c, const struct pp_token *t) {
    const char *s = t->text;
    size_t n = t->length, i = 0;
    unsigned base = 10;
    if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        i = 2;
    } else if (n > 2 && s[0] == '0' && (s[1] == 'b' || s[1] == 'B')) {
        base = 2;
        i = 2;
    } else if (s[0] == '0') {
        base = 8;
    }
    uint64_t v = 0;
    bool is_unsigned = false, overflow = false;
    size_t first = i;
    for (; i < n && digit_of(s[i]) < (int)base; i++) {
        overflow |= v > (UINT64_MAX - (uint64_t)digit_of(s[i])) / base;
        v = v * base + (uint64_t)digit_of(s[i]);
    }
    bool floating = memchr(s, '.', n) || (base != 16 && (memchr(s, 'e', n) || memchr(s, 'E', n)));
    if (floating)
        fail(c, t, "floating point number in a preprocessor expression");
    else if (i == first || !integer_suffix(s + i, n - i, &is_unsigned))
        fail(c, t, "invalid integer constant");
    else if (overflow)
        fail(c, t, "integer constant is too large");
    push_value(c, v, is_unsigned || v > INT64_MAX);
}

/* One character of a constant; *p behind it. */
static uint32_t character(const char **p, const char *end, bool wide) {
    const char *s = *p;
    uint32_t v = (unsigned char)*s++;
    if (v == '\\' && s < end) {
        static const char from[] = "abefnrtv", to[] = "\a\b\033\f\n\r\t\v";
        char e = *s++;
        const char *simple = e ? strchr(from, e) : NULL;
        v = (unsigned char)e;
        if (simple) {
            v = (unsigned char)to[simple - from];
        } else if (e == 'x') {
            for (v = 0; s < end && digit_of(*s) < 16; s++) v = v * 16 + (uint32_t)digit_of(*s);
        } else if (digit_of(e) < 8) {
            v = (uint32_t)digit_of(e);
            for (int k = 0; k < 2 && s < end && digit_of(*s) < 8; k++)
                v = v * 8 + (uint32_t)digit_of(*s++);
        } else if (e == 'u' || e == 'U') {
            v = 0;
            for (int k = e == 'u' ? 4 : 8; k > 0 && s < end && digit_of(*s) < 16; k--)
                v = v * 16 + (uint32_t)digit_of(*s++);
        }
    } else if (wide && v >= 0xc0) {
        unsigned more = v >= 0xf0 ? 3 : v >= 0xe0 ? 2 : 1;
        v &= 0x3fu >> more;
        for (; more && s < end; more--) v = v << 6 | ((unsigned char)*s++ & 0x3f);
    }
    *p = s;
    return v;
}

/* Several characters make an int of them, as clang does. */
static void character_constant(struct condition *c, const struct pp_token *t) {
    bool wide = t->text[0] == 'L';
    const char *p = t->text + 1 + wide, *end = t->text + t->length - 1;
    uint32_t v = 0, count = 0;
    if (p == end) fail(c, t, "empty character constant");
    for (; p < end; count++) {
        uint32_t one = character(&p, end, wide);
        v = wide ? one : v << 8 | (one & 0xff);
    }
    push_value(c, (uint64_t)(count == 1 && !wide ? (int64_t)(int8_t)v : (int64_t)(int32_t)v),
               false);
}

/* defined X, defined (X): not expanded. */
static void defined(struct condition *c, const struct pp_token *op) {
    struct pp_token t, close;
    pp_raw(c->pp, &t);
    bool paren = pp_is(&t, "(");
    if (paren) pp_raw(c->pp, &t);
    if (t.kind != PP_IDENT) {
        fail(c, op, "macro name missing behind 'defined'");
        return;
    }
    if (paren) {
        pp_raw(c->pp, &close);
        if (!pp_is(&close, ")")) fail(c, op, "missing ')' behind 'defined'");
    }
    push_value(c, t.name->macro != NULL, false);
}

/* A token where an operand should stand. True: it was one; false: it was a prefix, more must come.
 */
static bool operand(struct condition *c, const struct pp_token *t) {
    if (t->kind == PP_NUMBER) {
        number(c, t);
        return true;
    }
    if (t->kind == PP_CHAR) {
        character_constant(c, t);
        return true;
    }
    if (t->kind == PP_IDENT && c->identifiers) {
        if (t->name == c->pp->n_defined)
            defined(c, t);
        else
            push_value(c, t->name == c->pp->n_true, false); /* a keyword of OpenCL C */
        return true;
    }
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) {
        if (pp_is(t, unary[i].text)) {
            push_op(c, unary[i].op, UNARY_PRECEDENCE, t);
            return false;
        }
    }
    if (pp_is(t, "("))
        push_op(c, OP_PAREN, 0, t);
    else
        fail(c, t,
             t->kind == PP_EOF ? "a value is missing at the end of the preprocessor expression"
                               : "not a value of a preprocessor expression");
    return false;
}

/* ---- operators ---- */

static void colon(struct condition *c, const struct pp_token *t) {
    reduce_above(c, 0);
    struct pending *q = c->nops ? &c->ops[c->nops - 1] : NULL;
    if (!q || q->op != OP_QUESTION) {
        fail(c, t, "':' without '?'");
        return;
    }
    if (q->dead) c->dead--;
    q->op = OP_COLON;
    q->dead = q->taken;
    if (q->dead) c->dead++;
}

/* A token behind an operand. True: an operator, an operand must follow. */
static bool operation(struct condition *c, const struct pp_token *t) {
    if (pp_is(t, ")")) {
        reduce_above(c, 0);
        if (c->nops == 0 || c->ops[c->nops - 1].op != OP_PAREN)
            fail(c, t, c->nops ? "'?' without ':'" : "')' without '('");
        else
            c->nops--;
        return false;
    }
    if (pp_is(t, ":")) {
        colon(c, t);
        return true;
    }
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
        if (!pp_is(t, binary[i].text)) continue;
        unsigned precedence = binary[i].precedence;
        reduce_above(c, precedence + (binary[i].op == OP_QUESTION)); /* ?: groups from the right */
        struct pending *w = push_op(c, binary[i].op, binary[i].precedence, t);
        bool left = c->values[c->nvalues - 1].bits != 0;
        w->taken = left;
        w->dead = (w->op == OP_LAND || w->op == OP_QUESTION) ? !left : w->op == OP_LOR && left;
        if (w->dead) c->dead++;
        if (w->op == OP_QUESTION) c->nvalues--;
        return true;
    }
    fail(c, t, "an operator is missing in the preprocessor expression");
    return false;
}

static void finish(struct condition *c) {
    reduce_above(c, 0);
    if (c->nops)
        fail(c, &c->ops[c->nops - 1].token,
             c->ops[c->nops - 1].op == OP_PAREN ? "'(' without ')'" : "'?' without ':'");
}

bool pp_condition(struct pp *pp, const struct pp_list *line, const struct pp_token *where,
                  int64_t *value, bool identifiers) {
    struct condition c = {.pp = pp, .where = where, .identifiers = identifiers};
    struct pp_token t;
    uint32_t depth = pp->ncontexts;
    bool wants_operand = true;
    pp_context_push(pp, line->tokens, line->count)->barrier = true;
    while (!c.failed) {
        pp_next(pp, &t);
        if (wants_operand) {
            wants_operand = !operand(&c, &t);
        } else if (t.kind == PP_EOF) {
            finish(&c);
            break;
        } else {
            wants_operand = operation(&c, &t);
        }
    }
    while (pp->ncontexts > depth) pp_context_pop(pp);
    *value = c.failed ? 0 : (int64_t)c.values[0].bits;
    return !c.failed;
}
