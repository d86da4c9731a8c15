/* What only the files of the lowering itself share (lower*.c, lowering.c): the state behind
 * struct lower, places, variables, functions. */
#ifndef SIMTCL_LOWERSTATE_H
#define SIMTCL_LOWERSTATE_H

#include <setjmp.h>

#include "lower.h"
#include "compiler/base/symbols.h"
#include "compiler/passes/pass.h"

/* ---- variables (ast_var.lowered) ---- */
enum variable_kind {
    VARIABLE_NEW,       /* not yet declared */
    VARIABLE_BOUND,     /* never assigned: its initial value */
    VARIABLE_REGISTERS, /* one register for each component */
    VARIABLE_FRAME,     /* an object of the private frame */
    VARIABLE_LOCAL,     /* __local: offset in the group's local memory */
    VARIABLE_CONSTANT   /* offset in the module's constant data */
};
struct variable {
    enum variable_kind kind;
    uint32_t kernel; /* lower_state.kernel_id for which kind and c hold */
    uint32_t n;
    isa_operand *c;    /* bound: the value, registers: they, frame: the object's name */
    uint32_t offset;   /* local: in the group's memory; constant: in the module's data */
    uint32_t assigned; /* how often the program assigns it, its initialiser excepted */
    uint32_t names;    /* how often the program names it, and loads of an element among that */
    uint32_t element_loads;
    bool placed;        /* constants: in the module's data */
    isa_operand *fixed; /* an unrolled loop's counter: its value in this iteration */
};

/* ---- functions (ast_func.lowered) ---- */
struct function {
    struct ast_unit *unit;
    uint32_t cost;  /* about as many instructions as it takes when expanded */
    uint32_t maths; /* of those, what engines make dozens of */
    bool scanned, scanning;
    bool jumps;           /* it holds goto, or case labels inside nested statements */
    bool early_return;    /* a return that is not in tail position */
    bool statement_exprs; /* it holds ({ ... }) */
    bool expanding;
    bool resolved;
    struct ast_func *definition; /* resolved: the function with a body of that name */
    struct labels *labels;       /* lower_flat.c's, once it has looked */
    uint32_t returns;            /* return statements */
};

/* ---- objects and values in memory ---- */
struct part {
    uint32_t offset;
    const struct ast_type *type;
}; /* a component of a type laid out flat */
struct parts {
    uint32_t n;
    struct part *part;
};

/* An lvalue. */
struct place {
    const struct ast_type *type; /* of the whole object, before the swizzle */
    bool in_memory;
    enum ast_space space; /* memory */
    isa_operand pointer;
    int32_t displacement;
    unsigned quals;
    uint32_t align;
    isa_operand *regs;                /* registers: the object's first */
    const struct ast_var *var;        /* registers: of what variable */
    const struct ast_type *lane_type; /* type of the swizzled value; NULL: no swizzle */
    uint8_t lanes[16], nlanes;
};

/* ---- where jumps of the source lead ---- */
struct flat;
struct jump {
    enum { JUMP_NONE, JUMP_LEVEL, JUMP_CONTINUE, JUMP_FLAT } kind;
    unsigned level;    /* of the region to break out of, or the loop to continue */
    struct flat *flat; /* JUMP_FLAT: set its state to `label` and leave the segment */
    uint32_t label;
};

/* What the sites of the instructions emitted next stand for in the source. */
struct here {
    const void *node; /* of the AST; NULL: branches get none */
    struct ast_loc loc;
    uint16_t file;    /* the module's */
    const char *text; /* not folded */
    uint32_t length;  /* of the text; 0: not at hand */
    bool exit;        /* conditions are those of a loop */
    bool inverted;    /* isa_site.inverted */
    uint32_t ordinal; /* of the next site of the node */
};

/* A site, or an expanded call, by what it stands for: code that is lowered several times, in an
 * unrolled loop, keeps its sites. */
struct site_key {
    const void *node;
    uint32_t kernel, call, ordinal;
    uint8_t kind, space, width, count;
};
struct site_slot {
    struct site_key key;
    uint32_t number; /* 0: the slot is free */
};

/* The function being expanded. */
struct lower_frame {
    struct lower_frame *up;
    const struct ast_expr *at; /* the call; NULL: a kernel */
    uint16_t at_file;          /* the module's */
    uint32_t call;             /* in the kernel's list, once it is there; 0: not yet, or a kernel */
    struct ast_func *func;
    struct function *info;
    struct jump on_break, on_continue;
    struct value *result;     /* where the value goes; NULL: void */
    bool result_in_registers; /* ... to registers made beforehand; otherwise *result is set */
    bool has_block;
    bool ends_kernel;  /* a return ends the kernel: it, or a call that is its last statement */
    unsigned block;    /* level of the body's block */
    struct flat *flat; /* innermost */
};

struct lower_region {
    uint16_t op;
    bool left;                /* something jumps to its end */
    bool has_else, then_dead; /* if: no lane reaches the end of its first part */
    uint32_t begin;           /* instruction */
};

/* What was noted of the kernel for a debugger (lower_note.c). */
struct noting {
    uint32_t kernel; /* for which the following holds */
    struct noted_type {
        const struct ast_type *type;
        uint32_t number; /* in the kernel's types */
    } * types;
    uint32_t ntypes, cap_types;
    struct noted_scope {
        const struct lower_frame *frame; /* of its statements */
        uint32_t last;                   /* line */
    } * scopes;
    uint32_t cap_scopes;
    uint32_t *scope_of; /* of each variable of the kernel */
    uint32_t cap_vars;
};

/* A string literal in the constant data. */
struct string {
    uint32_t offset;
};

/* A function that has a body. */
struct definition {
    struct ast_func *func;
    struct ast_unit *unit;
    struct definition *next; /* of the same name: the one before */
};

struct lower_state {
    jmp_buf *no_memory;
    jmp_buf *stop; /* an error after which nothing more is lowered */
    struct ast_unit **units;
    unsigned nunits;
    /* registers: which instruction made it (index + 1), and when a variable was last assigned */
    uint32_t *made, *assigned;
    uint32_t cap_made;
    /* open regions */
    struct lower_region regions[ISA_MAX_NESTING];
    unsigned depth;
    bool dead;           /* no lane can get here: nothing is emitted */
    unsigned dead_depth; /* regions begun since */
    bool exact;          /* constants are being laid out: fold floats as the host computes them */
    uint64_t steps;
    unsigned recursion;
    bool contract, fast;
    struct lower_frame *frame;
    struct ast_loc loc; /* of what is being lowered */
    const struct ast_expr
        *addressed; /* whose address is taken: it may be one past an array's end */
    const struct ast_expr
        *computed; /* the arithmetic of which it is; NULL: of nothing in the source */
    struct here here;
    struct site_slot *sites; /* a table open to hashing */
    uint32_t cap_sites, nsites;
    /* the kernel */
    uint32_t kernel_id, *kernel_ids; /* its number, the last number given */
    uint32_t local_bytes;
    struct frame_object *objects; /* pass.h */
    uint32_t nobjects, cap_objects;
    struct noting notes;
    uint32_t *scopes; /* the scope around each; 0 is the kernel's own */
    uint32_t nscopes, cap_scopes, scope;
    /* the module */
    struct isa_kernel *scratch;  /* where initialisers of constants are lowered */
    struct symbols *strings;     /* to struct string */
    struct symbols *definitions; /* names to struct definition */
    struct symbols *constants;   /* names to struct ast_var */
    uint16_t **maps,
        *files; /* of each unit, of the current one: the module's index + 1 of each file */
    struct flat_type {
        const struct ast_type *type;
        struct parts *parts;
    } * flat_types;
    uint32_t cap_flat_types, nflat_types;
};

static inline struct lower_state *state_of(struct lower *l) { return l->state; }

/* lower_emit.c */
_Noreturn void lower_stop(struct lower *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));          /* reports where the lowering is, and ends it */
_Noreturn void lower_stop_quietly(struct lower *l); /* the error was reported */
void lower_at(struct lower *l, struct ast_loc loc);
void lower_find_reach(struct lower *l); /* sets ast_expr.addresses, of all units */
void lower_step(struct lower *l);       /* counts work, stops when it is too much */
void lower_enter(struct lower *l);      /* one level of recursion; leave by recursion-- */
void lower_new_kernel(struct lower *l, struct isa_kernel *k);
isa_operand lower_name(struct lower *l); /* an i32 register that nothing assigns */
void lower_return(struct lower *l);      /* ret */
isa_operand lower_undefined(struct lower *l,
                            enum isa_type t);       /* what a variable holds that nothing has set */
bool lower_settled(struct lower *l, isa_operand o); /* a constant, or a register assigned once */
/* Moves a value that was computed since register `mark` into a variable's register, in the
 * instruction that computed it when that was the last one. */
isa_operand lower_copy(struct lower *l,
                       isa_operand a); /* what a holds now, in a register of its own */
void lower_settle(struct lower *l, isa_operand reg, isa_operand a, uint32_t mark);
bool lower_made_constaddr(struct lower *l, isa_operand o, uint32_t *offset);

uint16_t lower_file(struct lower *l, uint16_t file); /* the module's index of a file of the unit */

/* lower_site.c */
void lower_here_condition(struct lower *l, const struct ast_expr *e, bool of_loop);
void lower_here_inverted(
    struct lower *l); /* the place named last: what is tested is its opposite */
void lower_here_stmt(struct lower *l, const struct ast_stmt *s, uint32_t ordinal);
void lower_here_later(
    struct lower *l); /* branches emitted next are given a site by who emits them */
void lower_here_var(struct lower *l, const struct ast_var *v);
/* The number of the call that a function's frame stands for, and of those around it; 0: it is the
 * kernel's. */
uint32_t lower_site_call(struct lower *l, struct lower_frame *f);
/* Where the number is kept that the variable has in the function being expanded; 0 at first. Valid
 * until the next is asked for. */
uint32_t *lower_site_variable(struct lower *l, const struct ast_var *v);
/* The site of an if or breakif at the place named last; leaves: it ends a loop. */
void lower_site_branch(struct lower *l, struct isa_inst *i, bool leaves);
/* A branch that the lowering decided or did without. Conditions that are literals are none. */
void lower_site_decided(struct lower *l, const struct ast_expr *e, bool of_loop,
                        enum isa_site_reason reason);
/* The same of a place that was named, whatever it is. */
void lower_site_removed(struct lower *l, enum isa_site_kind kind, enum isa_site_reason reason);

/* lower_origin.c */
/* Lists a variable in memory that is declared in the kernel; its number. */
uint32_t lower_origin_variable(struct lower *l, const struct ast_var *v, enum isa_space space,
                               uint32_t offset);
/* Finds for each access of the finished kernel the one variable its addresses start from, and says
 * so at its site. Before any pass. */
void lower_origins(struct lower *l);

/* lower_note.c: with -g, what a debugger wants to know; without it, nothing is done. */
void lower_note_stmt(struct lower *l);  /* a statement begins where the lowering is */
void lower_note_scope(struct lower *l); /* the innermost scope ends */
/* The variable's components, from `first` on, are n operands now. */
void lower_note_value(struct lower *l, const struct ast_var *v, uint32_t first, uint32_t n,
                      const isa_operand *c);
/* It lies where it was placed: in the frame, at `object`; in local or constant memory. */
void lower_note_place(struct lower *l, const struct ast_var *v, isa_operand object);
void lower_note_offset(struct lower *l, const struct ast_var *v, enum isa_space space,
                       uint32_t offset);

/* lower_memory.c */
const struct parts *lower_parts(struct lower *l, const struct ast_type *t);
isa_operand lower_object(struct lower *l, uint32_t size, uint32_t align, struct ast_loc loc);
uint32_t lower_scope_begin(struct lower *l); /* returns the scope to give back to lower_scope_end */
void lower_scope_end(struct lower *l, uint32_t outer);
struct value lower_load_object(struct lower *l, const struct ast_type *t, enum ast_space space,
                               isa_operand pointer, int32_t displacement, unsigned quals,
                               uint32_t align);
struct value lower_load_param(struct lower *l, const struct ast_type *t,
                              uint32_t offset); /* of the argument block */
void lower_store_object(struct lower *l, const struct value *v, enum ast_space space,
                        isa_operand pointer, int32_t displacement, unsigned quals, uint32_t align);
struct value lower_read(struct lower *l, const struct place *p);
void lower_write(struct lower *l, const struct place *p, const struct value *v, uint32_t mark);
struct value lower_zero(struct lower *l, const struct ast_type *t);
isa_operand lower_place_address(struct lower *l, const struct place *p);

/* lower_place.c */
struct place lower_place(struct lower *l, struct ast_expr *e);
uint32_t lower_component(struct lower *l, const struct ast_type *t,
                         uint32_t offset); /* index of the component there */
struct variable *lower_variable(struct lower *l, struct ast_var *v);
struct place lower_variable_place(struct lower *l, struct ast_var *v);
void lower_declare(struct lower *l, struct ast_var *v);
void lower_bind(struct lower *l, struct ast_var *v, const struct value *value,
                uint32_t mark); /* parameter or initialised variable */

/* lower_constant.c */
void lower_layout(
    struct lower *l,
    struct ast_var *v); /* gives a __constant variable its place in the module's data */
uint32_t lower_string(struct lower *l, const char *bytes, size_t length);
bool lower_evaluate(struct lower *l, const struct ast_expr *e,
                    int64_t *integer); /* lower_constant, with fixed variables */

/* lower_expr.c, lower_arith.c, lower_init.c, lower_call.c */
isa_operand lower_pred(struct lower *l, struct ast_expr *e);   /* a condition */
isa_operand lower_scalar(struct lower *l, struct ast_expr *e); /* one component */
void lower_discard(struct lower *l, struct ast_expr *e);
isa_operand lower_arith(struct lower *l, enum ast_op op, const struct ast_type *t, isa_operand a,
                        isa_operand b);
isa_operand lower_compare(struct lower *l, enum ast_op op, const struct ast_type *t, isa_operand a,
                          isa_operand b); /* a predicate */
isa_operand lower_offset(struct lower *l, isa_operand index,
                         const struct ast_type *t); /* an integer as an i32 */
struct value lower_binary(struct lower *l, struct ast_expr *e);
struct value lower_cast(struct lower *l, struct ast_expr *e);
struct value lower_incdec(struct lower *l, struct ast_expr *e, bool wanted);
struct value lower_compound(struct lower *l, struct ast_expr *e);
struct value lower_init(struct lower *l, struct ast_expr *e);
struct value lower_call(struct lower *l, struct ast_expr *e);
bool lower_tail_call(
    struct lower *l,
    struct ast_expr *e); /* the caller returns what e returns; false: nothing was done */
struct value lower_vector_of(struct lower *l, const struct ast_type *t, isa_operand splat);
bool lower_cheap(struct lower *l,
                 const struct ast_expr *e); /* may be computed whether or not it is wanted */

/* lower_function.c */
/* Makes a function with a body known by its name; an error when another unit has it as well. */
void lower_define(struct lower *l, struct ast_func *f, struct ast_unit *unit);
/* The same for variables at program scope. */
void lower_define_constant(struct lower *l, struct ast_var *v, struct ast_unit *unit);
struct function *lower_function(struct lower *l, struct ast_func *f);
struct ast_func *lower_definition(
    struct lower *l, struct ast_func *f); /* the function with a body of that name, or NULL */
void lower_unit(struct lower *l, struct ast_unit *u); /* what follows belongs to this unit */
void lower_kernel(struct lower *l, struct ast_func *f);

/* lower_stmt.c, lower_loop.c, lower_switch.c, lower_flat.c */
void lower_stmt(struct lower *l, struct ast_stmt *s,
                bool tail); /* tail: nothing of the function follows it */
void lower_loop(struct lower *l, struct ast_stmt *s);
uint32_t lower_trips(
    struct lower *l,
    struct ast_stmt *s); /* a loop's trip count, when that is a small constant; otherwise 1 */
void lower_switch(struct lower *l, struct ast_stmt *s);
isa_operand lower_case(struct lower *l, const struct ast_stmt *s, const struct ast_type *t,
                       isa_operand value); /* does it apply? a predicate */
void lower_jump(struct lower *l, const struct jump *j);
bool lower_flattened(
    struct lower *l,
    struct ast_stmt *s); /* lowers s when jumps cross it; false: it is left to the caller */
void lower_flatten(struct lower *l, struct ast_stmt *s);
void lower_flat_jump(struct lower *l, struct flat *f, uint32_t label);
void lower_goto(struct lower *l, struct ast_stmt *s);

/* lower_constant.c */
struct ast_var *lower_element_of(const struct ast_expr *e); /* the array; NULL: of none */
bool lower_may_be_table(const struct ast_var *v);           /* by its declaration */
/* An array of the work-item of which a function only loads elements, all of them constants: it lies
 * in the module's data. */
bool lower_is_table(struct lower *l, struct ast_var *v);

/* lower_scan.c */
void lower_scan(struct lower *l, struct ast_func *f);
struct body_facts {
    uint32_t cost;  /* instructions, about */
    uint32_t maths; /* of those, what engines make dozens of */
    bool assigns;   /* the variable asked for */
    bool indexes;   /* arrays of the work-item */
    bool strays; /* by other than counters of loops whose trip counts are known; or has other loops
                  */
};
struct body_facts lower_body_facts(struct lower *l, struct ast_stmt *body, const struct ast_var *v);
bool lower_has_continue(
    struct lower *l,
    const struct ast_stmt *body); /* one that belongs to the loop whose body this is */
bool lower_has_break(struct lower *l, const struct ast_stmt *body);
bool lower_long_chain(const struct ast_stmt *s); /* so many else ifs that they are not nested */
bool lower_has_case(const struct ast_stmt *s);   /* a case or default of the switch around */

#endif
