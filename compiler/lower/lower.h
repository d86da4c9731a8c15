/* What the files of the lowering (lower*.c, builtin*.c) share: values, the kernel being built, and
 * the handful of emitters all of them use. Private to compiler/. */
#ifndef SIMTCL_LOWER_H
#define SIMTCL_LOWER_H

#include "device/isa/arena.h"
#include "compiler/base/ast.h"
#include "compiler/compiler.h"
#include "compiler/base/diag.h"
#include "compiler/base/options.h"

/* An rvalue: one operand for each scalar component. A scalar or pointer has one, a vector `count`
 * (3 for a vector of 3), a struct or array those of its fields in order, a union its bytes as words
 * as wide as its alignment allows. bool is an i32 0 or 1, half the i16 that holds its bits; images,
 * samplers and events are i32. A value never holds predicates. */
struct value {
    const struct ast_type *type;
    uint32_t n;
    isa_operand *c; /* arena */
};

/* What is being lowered. */
struct lower {
    struct ast_unit *unit; /* of the function being expanded */
    struct isa_module *module;
    struct isa_kernel *k; /* kernel being built; every user function is expanded into it */
    struct arena *arena;
    struct diag *diag;
    const struct compiler_target *target;
    const struct options *options;
    const struct trace *trace; /* of unrolling and the passes; may be NULL */
    unsigned errors;
    bool *newer_builtins; /* builtin.c: the table's rows it has warned of */
    void *state;          /* the lowering's own (lowerstate.h) */
};

/* ---- types ---- */
enum isa_type lower_type(const struct ast_type *scalar_or_pointer); /* of one component */
enum isa_space lower_space(enum ast_space space);
static inline const struct ast_type *lower_element(const struct ast_type *t) {
    return t->kind == AST_VECTOR ? t->elem : t;
}
static inline uint32_t lower_count(const struct ast_type *scalar_or_vector) {
    return scalar_or_vector->kind == AST_VECTOR ? scalar_or_vector->count : 1;
}

/* ---- operands ---- */
struct value lower_value(struct lower *l, const struct ast_type *type,
                         uint32_t n); /* n operands, unset */
isa_operand lower_const(struct lower *l, enum isa_type type, uint64_t bits);
isa_operand lower_constf(struct lower *l, enum isa_type type, double real); /* f32 or f64 */
bool lower_is_const(struct lower *l, isa_operand o, uint64_t *bits);        /* zero extended */
isa_operand lower_reg(
    struct lower *l,
    enum isa_type type); /* a register that may be assigned more than once (lower_mov) */

/* ---- instructions. Operations of constants are folded, identities applied: the result need not be
 * a register, nor a new one. Registers that come out of these are assigned once: never lower_mov to
 * them. ---- */
isa_operand lower_op1(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a);
isa_operand lower_op2(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a,
                      isa_operand b);
isa_operand lower_op3(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a,
                      isa_operand b, isa_operand c);
isa_operand lower_cmp(struct lower *l, enum isa_op op, enum isa_type operands, isa_operand a,
                      isa_operand b); /* a predicate */
isa_operand lower_select(struct lower *l, enum isa_type t, isa_operand p, isa_operand a,
                         isa_operand b); /* p ? a : b; also of predicates */
isa_operand lower_cvt(struct lower *l, enum isa_op op, enum isa_type to, enum isa_type from,
                      enum isa_rounding r, isa_operand a); /* bits, trunc ... f2h */
isa_operand lower_special(struct lower *l, enum isa_special s);
void lower_mov(struct lower *l, isa_operand reg, isa_operand a); /* reg: from lower_reg */
/* Any other instruction, unfolded. dst may be NULL when ndst new registers of `type` shall be made:
 * they are isa_dsts(l->k, inst). The instruction may be changed until the next emit; never NULL. */
struct isa_inst *lower_emit(struct lower *l, enum isa_op op, enum isa_type type,
                            enum isa_type type2, uint32_t ndst, const isa_operand *dst,
                            uint32_t nsrc, const isa_operand *src);

/* ---- truth: predicates against the integers the language shows ---- */
isa_operand lower_test(struct lower *l, enum isa_type t,
                       isa_operand a); /* a != 0, integer or float or pointer: a predicate */
isa_operand lower_truth(struct lower *l, isa_operand p); /* i32: 1 or 0 */
isa_operand lower_mask(struct lower *l, enum isa_type t,
                       isa_operand p); /* an integer type: -1 or 0, as vector comparisons give */

/* ---- regions: begin, end in pairs. `level` of lower_break, lower_continue: what lower_begin gave.
 * ---- */
unsigned lower_begin(struct lower *l, enum isa_op loop_or_block);
unsigned lower_if(struct lower *l, isa_operand p);
void lower_else(struct lower *l);
void lower_end(struct lower *l);
void lower_break(struct lower *l, unsigned level);
void lower_breakif(struct lower *l, isa_operand p, unsigned level);
void lower_continue(struct lower *l, unsigned level);

/* ---- memory ---- */
/* pointer + index * size as an i32 operand; what is constant in it goes to *displacement (added
 * to). index: i32. */
isa_operand lower_address(struct lower *l, isa_operand pointer, isa_operand index, uint32_t size,
                          int32_t *displacement);
/* n components of scalar type `t` one after the other at pointer + displacement; half as i16 bits,
 * bool as i32. quals: AST_VOLATILE. align: of the whole in bytes, as far as is known. */
void lower_load(struct lower *l, enum ast_space space, const struct ast_type *t,
                isa_operand pointer, int32_t displacement, unsigned quals, uint32_t align,
                uint32_t n, isa_operand *out);
void lower_store(struct lower *l, enum ast_space space, const struct ast_type *t,
                 isa_operand pointer, int32_t displacement, unsigned quals, uint32_t align,
                 uint32_t n, const isa_operand *in);

/* ---- sites (device/isa): lower_load, lower_store, lower_if, lower_breakif give one to what they
 * emit, of the place that lower_here named last; others call lower_site. ---- */
void lower_here(struct lower *l, const struct ast_expr *e);
/* The site of an instruction that has its space and modifiers; valid until the next emit. */
void lower_site(struct lower *l, struct isa_inst *i, enum isa_site_kind kind);
/* With -fcheck-values: the value was computed as the expression says, in the instruction emitted
 * last if in any; a division, shift or conversion that may go wrong becomes a site. */
void lower_site_computed(struct lower *l, const struct ast_expr *e, isa_operand value);
/* The same of a sum, difference or product of int that is about to be computed for an address. */
void lower_note_sum(struct lower *l, enum isa_index_kind kind, isa_operand a, isa_operand b);

/* ---- conversion, expressions, errors ---- */
/* Converts one scalar as C does (implicit conversion, cast). */
isa_operand lower_convert(struct lower *l, isa_operand a, const struct ast_type *from,
                          const struct ast_type *to);
bool lower_constant(const struct ast_expr *e,
                    int64_t *integer); /* the value of an integer constant expression */
struct value lower_expr(struct lower *l, struct ast_expr *e); /* any rvalue */
_Noreturn void lower_no_memory(struct lower *l);
void lower_error(struct lower *l, struct ast_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lower_warning(struct lower *l, struct ast_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- builtin.c: calls of functions the program does not define ---- */
/* What to lower as argument i of such a call: e->args[i], but of printf's floats the float and not
 * the double that C promotes it to (the device prints either, and a kernel that uses f64 computes
 * otherwise). */
struct ast_expr *builtin_argument(const struct ast_expr *e, uint32_t i);
/* Lowers the call e (e->func has no body) with its arguments (builtin_argument) already lowered in
 * `args`. Returns false when no builtin has that name and those types; otherwise *result is set
 * (type void: n = 0). Errors go to lower_error. */
/* What errors about the device's limits end with: "; ...", or "". */
const char *lower_beyond(const struct lower *l);
bool builtin_call(struct lower *l, const struct ast_expr *e, const struct value *args,
                  struct value *result);
bool builtin_is_long(const char *name); /* engines make dozens of instructions of it */
bool builtin_named(const char *name);   /* some builtin has this name, whatever the types */

#endif
