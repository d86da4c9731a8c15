/* Calls of built-in functions: the table, the way from a call to its row, and what the families
 * share. */
#include "builtin.h"

/* Sets of component types, and of lengths. */
#define BIT(kind) (1u << (kind))
#define NO        0u
#define SPF       BIT(AST_FLOAT)
#define FLT       (SPF | BIT(AST_DOUBLE))
#define SINT      (BIT(AST_CHAR) | BIT(AST_SHORT) | BIT(AST_INT) | BIT(AST_LONG))
#define INT       (SINT | SINT << 1)
#define I32       (BIT(AST_INT) | BIT(AST_UINT))
#define I64       (BIT(AST_LONG) | BIT(AST_ULONG))
#define ALL       (INT | FLT)
#define N1        BIT(1)
#define N34       (BIT(3) | BIT(4))
#define N14       (BIT(1) | BIT(2) | N34)
#define NPOW      (BIT(2) | BIT(4) | BIT(8) | BIT(16))
#define NVEC      (NPOW | BIT(3))
#define NALL      (N1 | NVEC)

const struct builtin builtin_table[] = {
#define EACH(name, signature, types, counts, since, extension, fn, a, b)                           \
    {name, signature, types, counts, since, extension, NULL, builtin_##fn, a, b},
#define WHOLE(name, signature, types, counts, since, extension, fn, a, b)                          \
    {name, signature, types, counts, since, extension, builtin_##fn, NULL, a, b},
#include "builtins.def"
#undef EACH
#undef WHOLE
};
const size_t builtin_count = sizeof builtin_table / sizeof builtin_table[0];

/* ---- helpers ---- */

enum isa_type builtin_int(enum isa_type t) {
    return t == ISA_F32 ? ISA_I32 : t == ISA_F64 ? ISA_I64 : t;
}

isa_operand builtin_bits(struct builtin_call *c, enum isa_type to, enum isa_type from,
                         isa_operand a) {
    return to == from ? a : lower_cvt(c->l, ISA_bits, to, from, ISA_RTE, a);
}

isa_operand builtin_arg(const struct builtin_call *c, unsigned arg, uint32_t component) {
    const struct value *v = &c->args[arg];
    return v->c[v->n == 1 ? 0 : component];
}

bool builtin_constant(const struct builtin_call *c, unsigned arg, uint64_t *bits) {
    int64_t integer;
    if (lower_is_const(c->l, c->args[arg].c[0], bits)) return true;
    if (!lower_constant(c->e->args[arg], &integer)) return false;
    *bits = (uint64_t)integer & UINT32_MAX;
    return true;
}

void builtin_store_out(struct builtin_call *c, unsigned arg, const isa_operand *components) {
    const struct ast_type *pointer = c->args[arg].type, *object = pointer->elem;
    lower_store(c->l, pointer->space, lower_element(object), c->args[arg].c[0], 0, pointer->quals,
                object->align, lower_count(object), components);
}

isa_operand builtin_const(struct builtin_call *c, uint64_t bits) {
    return lower_const(c->l, c->t, bits);
}
isa_operand builtin_constf(struct builtin_call *c, double real) {
    return lower_constf(c->l, c->t, real);
}
isa_operand builtin_op1(struct builtin_call *c, enum isa_op op, isa_operand a) {
    return lower_op1(c->l, op, c->t, a);
}
isa_operand builtin_op2(struct builtin_call *c, enum isa_op op, isa_operand a, isa_operand b) {
    return lower_op2(c->l, op, c->t, a, b);
}
isa_operand builtin_op3(struct builtin_call *c, enum isa_op op, isa_operand x, isa_operand y,
                        isa_operand z) {
    return lower_op3(c->l, op, c->t, x, y, z);
}
isa_operand builtin_cmp(struct builtin_call *c, enum isa_op op, isa_operand a, isa_operand b) {
    return lower_cmp(c->l, op, c->t, a, b);
}
isa_operand builtin_pick(struct builtin_call *c, isa_operand p, isa_operand a, isa_operand b) {
    return lower_select(c->l, c->t, p, a, b);
}

bool builtin_is_fast(const struct builtin_call *c) {
    return c->t == ISA_F32 && c->l->options->fast_relaxed_math;
}

/* ---- calls ---- */

enum isa_type builtin_type(enum ast_type_kind k) {
    static const enum isa_type of[] = {
        [AST_CHAR] = ISA_I8,   [AST_UCHAR] = ISA_I8,  [AST_SHORT] = ISA_I16, [AST_USHORT] = ISA_I16,
        [AST_INT] = ISA_I32,   [AST_UINT] = ISA_I32,  [AST_LONG] = ISA_I64,  [AST_ULONG] = ISA_I64,
        [AST_FLOAT] = ISA_F32, [AST_DOUBLE] = ISA_F64};
    return k <= AST_DOUBLE ? of[k] : ISA_NONE_T;
}

static void lower_each(struct builtin_call *c, uint32_t nargs) {
    isa_operand a[BUILTIN_MAX_ARGS] = {ISA_NO_OPERAND};
    for (uint32_t i = 0; i < c->result.n; i++) {
        for (uint32_t j = 0; j < nargs; j++) a[j] = builtin_arg(c, j, i);
        c->result.c[i] = c->b->each(c, a);
    }
}

struct ast_expr *builtin_argument(const struct ast_expr *e, uint32_t i) {
    struct ast_expr *a = e->args[i];
    bool promoted = i >= e->func->nparams && e->func->is_variadic && a->kind == AST_CAST &&
                    a->cast == AST_CAST_NUMBER && a->type->kind == AST_DOUBLE &&
                    a->a->type->kind == AST_FLOAT;
    return promoted ? a->a : a;
}

/* Drivers of the time took what they knew whatever version was asked for: said once, not refused.
 */
static void newer(struct lower *l, const struct ast_expr *e, size_t row) {
    if (!l->newer_builtins) l->newer_builtins = ARENA_ARRAY(l->arena, bool, builtin_count);
    unsigned since = builtin_table[row].since;
    if (!l->newer_builtins[row])
        lower_warning(l, e->loc, "'%s' with these types came with OpenCL C %u.%u", e->func->name,
                      since / 100, since / 10 % 10);
    l->newer_builtins[row] = true;
}

bool builtin_named(const char *name) {
    struct builtin_binding bind;
    for (size_t i = 0; i < builtin_count; i++)
        if (builtin_bind_name(&builtin_table[i], name, &bind)) return true;
    return false;
}

bool builtin_is_long(const char *name) {
    struct builtin_binding bind;
    for (size_t i = 0; i < builtin_count; i++) {
        const struct builtin *b = &builtin_table[i];
        if (!builtin_bind_name(b, name, &bind)) continue;
        bool square_root = b->a == ISA_sqrt || b->a == ISA_rsqrt;
        return b->each == builtin_math && (square_root || isa_op_info[b->a].flags & ISA_OP_MATH);
    }
    return false;
}

bool builtin_call(struct lower *l, const struct ast_expr *e, const struct value *args,
                  struct value *result) {
    const char *name = e->func->name;
    for (size_t i = 0; i < builtin_count; i++) {
        struct builtin_call c = {.l = l, .b = &builtin_table[i], .e = e, .args = args};
        if (!builtin_bind_name(c.b, name, &c.bind) || !builtin_bind_types(c.b, e, &c.bind))
            continue;
        if (l->options->cl_std < c.b->since) newer(l, e, i);
        c.t = builtin_type(c.bind.type);
        c.is_float = c.bind.type == AST_FLOAT || c.bind.type == AST_DOUBLE;
        c.is_signed = !c.is_float && builtin_int_kind(c.bind.type, false) == c.bind.type;
        c.result = lower_value(l, e->type, e->type->kind == AST_VOID ? 0 : lower_count(e->type));
        if (c.b->each)
            lower_each(&c, e->nargs);
        else
            c.b->whole(&c);
        *result = c.result;
        return true;
    }
    return false;
}
