/* printf (6.12.13 of 1.2): the format goes to the module, and the arguments, checked against it, to
 * the operation: vectors as their components, integers narrower than int widened, %s as an address.
 */
#include "builtin.h"

#include <string.h>

enum { MAX_VALUES = 200 }; /* operands of one instruction are counted in a byte */

struct values {
    isa_operand v[MAX_VALUES];
    uint32_t n;
};

/* A conversion of the format. */
struct conversion {
    const char *text;
    int length;
    char letter;
    uint32_t vector;
};

static const struct ast_expr *literal(const struct ast_expr *e) {
    while (e->kind == AST_CAST || e->kind == AST_DECAY || e->kind == AST_LOAD ||
           e->kind == AST_ADDRESS)
        e = e->a;
    return e->kind == AST_STRING_LIT ? e : NULL;
}

static const char *digits(const char *s) {
    while (*s >= '0' && *s <= '9') s++;
    return s;
}

/* s: behind the '%'. False when there is no such conversion; its text is set either way. */
static bool parse(const char *s, struct conversion *conv) {
    const char *begin = s;
    *conv = (struct conversion){.text = begin - 1};
    s += strspn(s, "-+ #0");
    s = digits(s);
    if (*s == '.') s = digits(s + 1);
    if (*s == 'v') {
        const char *end = digits(++s);
        for (; s < end && conv->vector < 100; s++)
            conv->vector = conv->vector * 10 + (uint32_t)(*s - '0');
        s = end;
        uint32_t n = conv->vector;
        if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16) s = "";
    }
    bool modified = *s == 'h' || *s == 'l';
    if (*s == 'h' && (s[1] == 'h' || (s[1] == 'l' && conv->vector))) s++;
    if (modified) s++;
    conv->letter = *s;
    bool known =
        *s && strchr(modified || conv->vector ? "diouxXfFeEgGaA" : "diouxXfFeEgGaAcsp", *s);
    conv->length = known ? (int)(s - begin) + 2 : (int)strcspn(begin, " \t\n") + 1;
    return known;
}

/* The format as this printf knows it: C's letters for the size of size_t, ptrdiff_t (32 bits here)
 * and intmax_t (64), which 6.12.13.2 does not have but programs hold, go. */
static const char *known_sizes(struct lower *l, const struct ast_expr *format) {
    char *text = arena_strndup(l->arena, format->string, strnlen(format->string, format->length));
    char *to = text;
    for (const char *s = text; *s;) {
        bool conversion = *s == '%' && s[1] != '%';
        size_t n = conversion ? 1 + strspn(s + 1, "-+ #0123456789.") : *s == '%' ? 2 : 1;
        memmove(to, s, n);
        to += n;
        s += n;
        if (!conversion || !*s || !strchr("ztj", *s) || !s[1] || !strchr("diouxX", s[1])) continue;
        if (*s++ == 'j') *to++ = 'l';
    }
    *to = 0;
    return text;
}

/* Why the argument does not suit the conversion; NULL: it does. */
static const char *refusal(const struct conversion *conv, const struct ast_expr *e) {
    const struct ast_type *t = e->type;
    if (conv->letter == 's')
        return ast_is_null(e) || (t->kind == AST_POINTER && t->space == AST_CONSTANT)
                   ? NULL
                   : "takes a string literal";
    if (conv->letter == 'p') return t->kind == AST_POINTER ? NULL : "takes a pointer";
    if (conv->vector)
        return t->kind == AST_VECTOR && t->count == conv->vector ? NULL
                                                                 : "takes a vector of that length";
    return ast_is_scalar(t) ? NULL : "takes a scalar";
}

static void add(struct lower *l, struct values *to, const struct value *v) {
    const struct ast_type *t = v->type->kind == AST_VECTOR ? v->type->elem : v->type;
    bool narrow = ast_is_integer(t) && t->kind != AST_BOOL && t->size < 4;
    for (uint32_t i = 0; i < v->n && to->n < MAX_VALUES; i++)
        to->v[to->n++] = !narrow ? v->c[i]
                                 : lower_cvt(l, ast_is_signed(t) ? ISA_sext : ISA_zext, ISA_I32,
                                             lower_type(t), ISA_RTE, v->c[i]);
}

void builtin_printf(struct builtin_call *c) {
    struct lower *l = c->l;
    const struct ast_expr *e = c->e, *format = e->nargs ? literal(e->args[0]) : NULL;
    c->result.c[0] = lower_const(l, ISA_I32, 0);
    if (!format) {
        lower_error(l, e->loc, "the format of printf must be a string literal");
        return;
    }
    const char *text = known_sizes(l, format);
    struct values values = {.n = 0};
    uint32_t arg = 1;
    for (const char *s = text; (s = strchr(s, '%'));) {
        if (s[1] == '%') {
            s += 2;
            continue;
        }
        struct conversion conv;
        if (!parse(s + 1, &conv)) {
            lower_error(l, e->loc, "printf has no conversion '%.*s'", conv.length, conv.text);
            return;
        }
        if (arg >= e->nargs) {
            lower_error(l, e->loc, "printf lacks an argument for '%.*s'", conv.length, conv.text);
            return;
        }
        const char *why = refusal(&conv, e->args[arg]);
        if (why) {
            lower_error(l, e->args[arg]->loc, "'%.*s' of printf %s", conv.length, conv.text, why);
            return;
        }
        add(l, &values, &c->args[arg++]);
        s += conv.length;
    }
    if (values.n == MAX_VALUES) {
        lower_error(l, e->loc, "printf of %d or more values", MAX_VALUES);
        return;
    }
    uint32_t index = isa_module_add_format(l->module, text);
    if (index == ~0u) lower_no_memory(l);
    struct isa_inst *i =
        lower_emit(l, ISA_printf, ISA_I32, ISA_NONE_T, 1, NULL, values.n, values.v);
    i->imm = (int32_t)index;
    c->result.c[0] = isa_dsts(l->k, i)[0];
}
