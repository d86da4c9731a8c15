/* Variables of the source, of a kernel that was built with -g: what a debugger shows. */
#ifndef SIMTCL_VARS_H
#define SIMTCL_VARS_H

#include "isa.h"

enum isa_form {
#define ISA_FORM(name, what) ISA_FORM_##name,
#include "vars.def"
    ISA_FORM_COUNT
};

enum {
    ISA_MAX_COMPONENTS = 64,
    ISA_MAX_VARS = 32767
}; /* of a variable in registers; of a kernel */

struct isa_field {
    char *name;
    uint32_t type;   /* index + 1 in the kernel's types */
    uint32_t offset; /* in bytes */
};

/* A type of the source. */
struct isa_vtype {
    char *name;    /* as OpenCL C writes it */
    uint8_t form;  /* enum isa_form */
    uint8_t space; /* pointers: enum isa_space of what they point to */
    uint32_t size; /* in bytes */
    uint32_t of;   /* vectors, arrays, pointers: the element's type, index + 1; 0: unknown (void) */
    uint32_t count;           /* vectors, arrays: elements */
    struct isa_field *fields; /* structs, unions */
    uint32_t nfields;
};

/* A variable: where it lies in registers or in the frame, notes in the code say (var, var_at). */
struct isa_var {
    char *name;
    uint32_t type;   /* index + 1 */
    uint8_t space;   /* ISA_LOCAL, ISA_CONSTANT: it lies there at `offset`; else 0 */
    uint32_t offset; /* in the group's local memory, the module's constant data */
    uint16_t file;
    uint32_t line, column; /* of its declaration; 0: unknown */
    uint32_t last;         /* the last line of its scope */
    uint32_t call;         /* the expanded call it belongs to: index + 1; 0: the kernel */
};

/* var's immediate: the variable's number, and the first component that changes. */
static inline int32_t isa_var_imm(uint32_t var, uint32_t component) {
    return (int32_t)(var << 16 | component);
}
static inline uint32_t isa_var_number(int32_t imm) { return (uint32_t)imm >> 16; }
static inline uint32_t isa_var_component(int32_t imm) { return (uint32_t)imm & 0xffff; }

/* ---- vars.c ---- */
extern const char *const isa_form_name[ISA_FORM_COUNT];
/* Append a copy, names and fields included; index + 1, 0: no memory, and the kernel has failed. */
uint32_t isa_vtype_new(struct isa_kernel *k, const struct isa_vtype *type);
uint32_t isa_var_new(struct isa_kernel *k, const struct isa_var *var);
/* Components that a value of the type has in registers; 0: it has none (an array, a union), or more
 * than ISA_MAX_COMPONENTS. */
uint32_t isa_vtype_components(const struct isa_kernel *k, uint32_t type);
/* Component n of it: its byte, and its type's number. */
uint32_t isa_vtype_component(const struct isa_kernel *k, uint32_t type, uint32_t n,
                             uint32_t *offset);
/* Makes the types and variables of `to`, which has none, those of `from`. */
bool isa_vars_copy(struct isa_kernel *to, const struct isa_kernel *from);
/* Takes a debugger's notes out of the code, and the types and variables with them. True: there were
 * some, and the kernel wants verifying. */
bool isa_vars_strip(struct isa_kernel *k);

#endif
