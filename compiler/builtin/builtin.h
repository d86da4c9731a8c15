/* Built-in functions: the table of builtins.def, how a call finds its row, and what the families
 * (builtin_*.c) share. Private to compiler/ and its tests.
 *
 * A row names a function or, with the letters that builtins.def explains, a set of them; its
 * signature says which types go together. A binding is one choice of everything a row leaves open,
 * so row + binding = one function of one signature. Matching a call finds the binding, the
 * enumeration goes through all of them: the two cannot disagree. */
#ifndef SIMTCL_BUILTIN_H
#define SIMTCL_BUILTIN_H

#include "compiler/lower/lower.h"

enum { BUILTIN_MAX_ARGS = 5 }; /* of a signature; printf takes more */

/* What a row leaves open. */
struct builtin_binding {
    enum ast_type_kind type;    /* the generic type's components (g, e, s, z, w ...) */
    uint32_t count;             /* how many: 1 scalar, else vector */
    enum ast_type_kind named;   /* type in the name (@), letter c */
    uint32_t results;           /* components of letter h */
    bool saturate;              /* $ */
    bool rounded;               /* % gave a rounding ... */
    enum isa_rounding rounding; /* ... this one */
    bool is_unsigned;           /* letter x: the unsigned one of its two types */
    enum ast_space space;       /* of the pointer */
    enum isa_image_dim dim;     /* of the image */
};

struct builtin_call;
/* Lowers a whole call: sets c->result's operands. */
typedef void builtin_whole_fn(struct builtin_call *c);
/* Lowers one component: a[] holds one operand of each argument (a scalar's only one, broadcast). */
typedef isa_operand builtin_each_fn(struct builtin_call *c, const isa_operand *a);

struct builtin {
    const char *name; /* see builtins.def */
    const char *signature;
    uint32_t types;        /* bit 1 << ast_type_kind: what the generic type's components may be */
    uint32_t counts;       /* bit 1 << components */
    unsigned since;        /* version of OpenCL C: 100, 110, 120 */
    const char *extension; /* that brings it, or "" (doubles need cl_khr_fp64 besides) */
    builtin_whole_fn *whole;
    builtin_each_fn *each; /* one of the two */
    int a, b;              /* the lowering's parameters, mostly enum isa_op */
};
extern const struct builtin builtin_table[];
extern const size_t builtin_count;

struct builtin_call {
    struct lower *l;
    const struct builtin *b;
    struct builtin_binding bind;
    const struct ast_expr *e;
    const struct value *args;
    struct value result; /* type and n set, operands allocated */
    enum isa_type t;     /* of the generic type's components */
    bool is_float, is_signed;
};

/* ---- the enumeration: every function of every row, for tests and for the coverage figure ---- */
struct builtin_case {
    size_t row;
    struct builtin_binding bind;
    /* Filled by builtin_next: the parts of a declaration, types as OpenCL C writes them. */
    char name[40], result[24], args[BUILTIN_MAX_ARGS][40];
    unsigned nargs;
    bool needs_double;
};
/* Goes to the next function; the first when *c is zeroed. False after the last. printf is one case,
 * its format alone. */
bool builtin_next(struct builtin_case *c);
/* "result name(arg, arg)"; the text is cut to size. */
void builtin_signature(const struct builtin_case *c, char *text, size_t size);

/* ---- builtin_signature.c: a call against a row ---- */
/* Does the row name this function? Binds what the name says. */
bool builtin_bind_name(const struct builtin *b, const char *name, struct builtin_binding *bind);
/* Do the call's types fit, given what the name said? Binds the rest. */
bool builtin_bind_types(const struct builtin *b, const struct ast_expr *e,
                        struct builtin_binding *bind);
/* The integer as wide as k. */
enum ast_type_kind builtin_int_kind(enum ast_type_kind k, bool is_unsigned);

/* ---- builtin.c: what the families share ---- */
enum isa_type builtin_type(enum ast_type_kind number);
/* i32 of f32, i64 of f64, an integer itself. */
enum isa_type builtin_int(enum isa_type t);
/* The same bits as another type of that width; the operand itself when it is the same type. */
isa_operand builtin_bits(struct builtin_call *c, enum isa_type to, enum isa_type from,
                         isa_operand a);
/* A component of an argument; of a scalar the only one. */
isa_operand builtin_arg(const struct builtin_call *c, unsigned arg, uint32_t component);
/* Is a scalar argument of 32 bits known now? */
bool builtin_constant(const struct builtin_call *c, unsigned arg, uint64_t *bits);
/* Stores components where an argument points, as an object of the pointee's type. */
void builtin_store_out(struct builtin_call *c, unsigned arg, const isa_operand *components);
/* Under -cl-fast-relaxed-math, and of floats? */
bool builtin_is_fast(const struct builtin_call *c);

/* The emitters of lower.h in type c->t. */
isa_operand builtin_const(struct builtin_call *c, uint64_t bits);
isa_operand builtin_constf(struct builtin_call *c, double real);
isa_operand builtin_op1(struct builtin_call *c, enum isa_op op, isa_operand a);
isa_operand builtin_op2(struct builtin_call *c, enum isa_op op, isa_operand a, isa_operand b);
isa_operand builtin_op3(struct builtin_call *c, enum isa_op op, isa_operand x, isa_operand y,
                        isa_operand z);
isa_operand builtin_cmp(struct builtin_call *c, enum isa_op op, isa_operand a, isa_operand b);
isa_operand builtin_pick(struct builtin_call *c, isa_operand p, isa_operand a, isa_operand b);

/* ---- the lowerings the table names ---- */
#define EACH(name, signature, types, counts, since, extension, fn, a, b)                           \
    builtin_each_fn builtin_##fn;
#define WHOLE(name, signature, types, counts, since, extension, fn, a, b)                          \
    builtin_whole_fn builtin_##fn;
#include "builtins.def"
#undef EACH
#undef WHOLE

#endif
