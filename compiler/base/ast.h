/* The program as the reader hands it to the lowering: typed, resolved, every conversion written
 * out.
 *
 * reader.c makes it from libclang's cursors and the expanded text; lower*.c turns it into warp IR.
 * No clang type crosses this line. Everything is allocated in the unit's arena and freed with it.
 */
#ifndef SIMTCL_AST_H
#define SIMTCL_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ast_loc {
    uint32_t line;
    uint16_t file;
    uint16_t column;
}; /* file: index in unit->files; line 0: unknown */

/* The text of an expression: where it begins in the program's source (written), or else in
 * unit->text, and how long it is. length 0: not known. */
struct ast_extent {
    uint32_t begin;
    uint16_t length : 15;
    bool written : 1;
    uint16_t column; /* of its beginning in the source; 0: unknown */
};

/* ---- types (canonical: equal types are one object, so == compares) ---- */
enum ast_type_kind {
    AST_VOID,
    AST_BOOL,
    AST_CHAR,
    AST_UCHAR,
    AST_SHORT,
    AST_USHORT,
    AST_INT,
    AST_UINT,
    AST_LONG,
    AST_ULONG,
    AST_HALF,
    AST_FLOAT,
    AST_DOUBLE,
    AST_VECTOR,
    AST_POINTER,
    AST_ARRAY,
    AST_STRUCT,
    AST_FUNCTION,
    AST_IMAGE,
    AST_SAMPLER,
    AST_EVENT
};
enum ast_space { AST_PRIVATE, AST_GLOBAL, AST_LOCAL, AST_CONSTANT };
enum { AST_CONST = 1, AST_VOLATILE = 2, AST_RESTRICT = 4 };

struct ast_type {
    enum ast_type_kind kind;
    uint32_t size,
        align; /* bytes, as OpenCL C lays them out (vector of 3: size and align of 4; pointer: 4) */
    const struct ast_type *elem; /* vector, array: element; pointer: pointee; function: result */
    uint32_t count;              /* vector: 2, 3, 4, 8, 16; array: elements; function: parameters */
    enum ast_space space;        /* pointer: of the pointee */
    unsigned quals;              /* pointer: AST_* qualifiers of the pointee */
    const struct ast_type **params; /* function */
    struct ast_field *fields;       /* struct, union */
    uint32_t nfields;
    bool is_union;
    uint8_t image_dim,
        image_access; /* image: enum isa_image_dim, ISA_ACCESS_* (none written: read only) */
    const char *name; /* as OpenCL C writes it; of a struct its tag or typedef */
};
struct ast_field {
    const char *name;
    const struct ast_type *type;
    uint32_t offset;
    unsigned quals;
};

/* ---- declarations ---- */
enum ast_storage {
    AST_AUTO,
    AST_PARAM,
    AST_LOCAL_VAR /* __local in a kernel */,
    AST_CONSTANT_VAR /* program scope, or __constant in a kernel */
};

struct ast_var {
    const char *name;
    const struct ast_type *type; /* a parameter of array type is already a pointer */
    unsigned quals;
    enum ast_storage storage;
    uint32_t align;        /* its own, at least the type's */
    struct ast_expr *init; /* NULL: none */
    bool address_taken;    /* & was applied, or it is an array indexed or decayed other than by
                              constant index:    lives in memory. Otherwise registers hold it. */
    struct ast_loc loc;
    const char *type_name;    /* kernel parameters: the type as written, for clGetKernelArgInfo */
    uint8_t access;           /* kernel parameters: ISA_ACCESS_* as written */
    bool is_static;           /* at program scope: of this unit alone */
    bool addresses, launders; /* the lowering's: lower_reach.c */
    void *lowered;            /* the lowering's */
    uint32_t id;              /* unique in the unit */
};

struct ast_func {
    const char *name;
    const struct ast_type *result;
    struct ast_var **params;
    uint32_t nparams;
    struct ast_stmt *body; /* NULL: declared only */
    bool is_kernel, is_static, is_inline, is_variadic;
    bool addresses;                          /* its result becomes part of one: lower_reach.c */
    uint32_t required_size[3], size_hint[3]; /* 0: none */
    const struct ast_type *vec_type_hint;    /* NULL: none */
    const char *attributes;                  /* text for CL_KERNEL_ATTRIBUTES, "" for none */
    struct ast_loc loc;
    void *lowered;
};

/* ---- expressions ---- */
enum ast_expr_kind {
    AST_INT_LIT, /* integer: also enum constants, characters, sizeof, true/false; null pointers are
                    a cast of it */
    AST_FLOAT_LIT,  /* real */
    AST_STRING_LIT, /* string, length: unescaped bytes; type: array of constant char */
    AST_VAR,        /* var: an lvalue */
    AST_FUNC,       /* func: only as callee */
    AST_LOAD,       /* a: lvalue to rvalue */
    AST_CAST,       /* cast, a: rvalue to another type */
    AST_UNARY,      /* op, a */
    AST_BINARY, /* op, a, b: both already of the operation's type, but shifts and pointer arithmetic
                 */
    AST_ASSIGN, /* a = b; gives the new value as an rvalue */
    AST_COMPOUND_ASSIGN, /* a op= b: computed in type `compute` (a converted to it, b already is;
                            shifts and pointers: b as is), then converted back */
    AST_INCDEC,          /* op says which of the four; a: lvalue */
    AST_COND,   /* a ? b : c; scalar a: branches; vector a: per component. b may be NULL: GNU a ?: c
                 */
    AST_COMMA,  /* a, b */
    AST_CALL,   /* callee func (user function, or builtin when func->body is NULL after the whole
                   unit), args */
    AST_MEMBER, /* a.field: a is an lvalue (result lvalue) or an rvalue struct (result rvalue) */
    AST_INDEX,  /* a[b]: a is a pointer rvalue, result an lvalue */
    AST_DEREF,  /* *a: lvalue */
    AST_ADDRESS, /* &a: a is an lvalue */
    AST_DECAY,   /* a: array lvalue to pointer to its first element */
    AST_SWIZZLE, /* a: vector lvalue or rvalue; lanes[nlanes]; lvalue when a is one (type: element
                    when nlanes is 1) */
    AST_VECTOR_LIT, /* vector literal: args of scalars and vectors whose components fill it; one
                       scalar: splat */
    AST_INIT, /* initialiser of an array, struct or union, fully resolved: inits[]; the rest is zero
               */
    AST_COMPOUND_LIT, /* (type){...}: an lvalue; var is the unnamed object with its init */
    AST_STMT_EXPR     /* ({ ... }): body; value of its last expression statement */
};

enum ast_op {
    AST_ADD,
    AST_SUB,
    AST_MUL,
    AST_DIV,
    AST_REM,
    AST_SHL,
    AST_SHR,
    AST_AND,
    AST_OR,
    AST_XOR,
    AST_LT,
    AST_GT,
    AST_LE,
    AST_GE,
    AST_EQ,
    AST_NE,
    AST_LAND,
    AST_LOR, /* scalars give int 0/1, vectors a signed integer vector 0/-1 */
    AST_NEG,
    AST_NOT,
    AST_LNOT,
    AST_PLUS,
    AST_PREINC,
    AST_PREDEC,
    AST_POSTINC,
    AST_POSTDEC
};

enum ast_cast {
    AST_CAST_NUMBER,  /* scalar to scalar: integer, float, bool (conversion to bool is != 0), by the
                         types; same-shape vectors never */
    AST_CAST_SPLAT,   /* scalar (already of the element type) to vector */
    AST_CAST_BITS,    /* as_type, and vector bit casts: same size, bits kept */
    AST_CAST_POINTER, /* pointer to pointer */
    AST_CAST_PTR_INT,
    AST_CAST_INT_PTR, /* a null pointer constant is INT_PTR of literal 0 */
    AST_CAST_PTR_BOOL,
    AST_CAST_VOID,
    AST_CAST_NONE /* only qualifiers differ */
};

struct ast_init {
    uint32_t offset;
    struct ast_expr *value;
}; /* byte offset from the object's beginning; value is a scalar, pointer, vector or struct rvalue
    */

/* A large program has millions of these, so what only some kinds have shares its place. */
struct ast_expr {
    enum ast_expr_kind kind : 8;
    enum ast_op op : 8;
    enum ast_cast cast : 8;
    bool lvalue : 1;
    bool addresses : 1; /* it is computed for an address: lower_reach.c */
    uint8_t nlanes;
    enum ast_space space : 8; /* lvalues: where the object lies */
    unsigned quals : 8;       /* lvalues: AST_CONST, AST_VOLATILE of the object */
    uint32_t nargs, ninits;   /* 0 where there are none */
    struct ast_loc loc;
    struct ast_extent extent;    /* of accesses, calls, and conditions */
    const struct ast_type *type; /* of the value, unqualified; of an lvalue: the object's */
    struct ast_expr *a, *b, *c;
    union {
        uint64_t integer; /* sign extended for signed types */
        double real;
        struct {
            const char *string;
            size_t length;
        };
        struct {
            struct ast_func *func;
            struct ast_expr **args;
        };
        struct ast_var *var;
        const struct ast_field *field;
        const struct ast_type *compute; /* AST_COMPOUND_ASSIGN */
        uint8_t lanes[16];
        struct ast_init *inits;
        struct ast_stmt *body;
    };
};

/* ---- statements ---- */
enum ast_stmt_kind {
    AST_BLOCK,
    AST_DECL,
    AST_EXPR,
    AST_IF,
    AST_FOR,
    AST_WHILE,
    AST_DO,
    AST_SWITCH,
    AST_CASE,
    AST_DEFAULT,
    AST_BREAK,
    AST_CONTINUE,
    AST_GOTO,
    AST_LABEL,
    AST_RETURN,
    AST_EMPTY
};
struct ast_stmt {
    enum ast_stmt_kind kind;
    struct ast_loc loc;
    struct ast_stmt **stmts; /* block */
    uint32_t nstmts;
    struct ast_var **vars; /* decl */
    uint32_t nvars;
    struct ast_expr *expr; /* expression, condition, returned value (NULL: none) */
    struct ast_stmt *init; /* for: NULL when missing */
    struct ast_expr *step; /* for: NULL when missing; expr NULL: no condition */
    struct ast_stmt *body,
        *otherwise;           /* if: then, else; loops, switch, case, default, label: body */
    int64_t low, high;        /* case: low == high but for GNU ranges */
    const char *label;        /* goto, label */
    struct ast_extent extent; /* case: to the end of its value */
    uint32_t unroll; /* loops: #pragma unroll n or opencl_unroll_hint(n); 0: nothing said, 1: do
                        not, ~0u: fully */
};

struct ast_unit {
    struct ast_func *
        *funcs; /* in order of definition; those without body are builtins or missing */
    uint32_t nfuncs;
    struct ast_var **constants; /* program-scope variables */
    uint32_t nconstants;
    const char **files; /* 0: the program's source */
    uint32_t nfiles;
    const char *text;     /* the expanded program, for extents; NUL-terminated */
    const char *source;   /* as it was written, likewise */
    bool fp_contract_off; /* #pragma OPENCL FP_CONTRACT OFF at program scope, anywhere before use:
                             conservative */
    struct arena *arena;
};

/* ast.c: types are interned for each arena, so units of one build share them. ast_scalar also gives
 * void (size 1, as GNU C's pointer arithmetic wants), samplers and events. ast_struct gives a new,
 * empty type each time: its maker fills in fields, size and align. image: enum isa_image_dim,
 * ISA_ACCESS_*. */
const struct ast_type *ast_scalar(struct ast_unit *u, enum ast_type_kind kind);
const struct ast_type *ast_vector(struct ast_unit *u, const struct ast_type *elem, uint32_t count);
const struct ast_type *ast_pointer(struct ast_unit *u, const struct ast_type *to,
                                   enum ast_space space, unsigned quals);
const struct ast_type *ast_array(struct ast_unit *u, const struct ast_type *elem, uint32_t count);
const struct ast_type *ast_function(struct ast_unit *u, const struct ast_type *result,
                                    const struct ast_type *const *params, uint32_t nparams);
const struct ast_type *ast_image(struct ast_unit *u, uint8_t dim, uint8_t access);
struct ast_type *ast_struct(struct ast_unit *u, const char *name, bool is_union);
static inline bool ast_is_integer(const struct ast_type *t) {
    return t->kind >= AST_BOOL && t->kind <= AST_ULONG;
}
static inline bool ast_is_signed(const struct ast_type *t) {
    return t->kind == AST_CHAR || t->kind == AST_SHORT || t->kind == AST_INT || t->kind == AST_LONG;
}
static inline bool ast_is_float(const struct ast_type *t) {
    return t->kind >= AST_HALF && t->kind <= AST_DOUBLE;
}
static inline bool ast_is_scalar(const struct ast_type *t) {
    return t->kind >= AST_BOOL && t->kind <= AST_DOUBLE;
}
static inline bool ast_is_null(const struct ast_expr *e) { /* a null pointer constant */
    return e->kind == AST_CAST && e->cast == AST_CAST_INT_PTR && e->a->kind == AST_INT_LIT &&
           e->a->integer == 0;
}

#endif
