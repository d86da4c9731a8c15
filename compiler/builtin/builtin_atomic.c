/* Atomics: atom_* of the extensions of 1.0, atomic_* of 1.1 (6.11.11). */
#include "builtin.h"

#include "compiler/base/target.h"

/* The extension that brings an operation: atomic_* of 1.1 are those of 32 bits by other names, and
 * a device may report 1.1 and have none of them (guide A.1.2, A.1.3). */
static const char *extension_of(const struct builtin_call *c, enum isa_type t, enum isa_op op) {
    static const char *const names[3][2] = {
        {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics"},
        {"cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics"},
        {"cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"}};
    bool base =
        op == ISA_atom_add || op == ISA_atom_sub || op == ISA_atom_xchg || op == ISA_atom_cas;
    bool local = c->args[0].type->space == AST_LOCAL;
    return names[t == ISA_I64 ? 2 : local][!base];
}

static isa_operand atomic(struct builtin_call *c, enum isa_type t, uint32_t nvalues,
                          const isa_operand *values) {
    const struct ast_type *pointer = c->args[0].type;
    isa_operand src[3] = {c->args[0].c[0]};
    if (!isa_is_reg(src[0])) { /* an address has a register as its base */
        src[0] = lower_reg(c->l, ISA_I32);
        lower_mov(c->l, src[0], c->args[0].c[0]);
    }
    for (uint32_t i = 0; i < nvalues; i++) src[i + 1] = values[i];
    enum isa_op op = (enum isa_op)(c->is_float || c->is_signed ? c->b->a : c->b->b);
    const char *extension = extension_of(c, t, op);
    if (!target_extends(c->l->target, extension))
        lower_error(c->l, c->e->loc, "'%s' needs %s, which the device does not have%s",
                    c->e->func->name, extension, lower_beyond(c->l));
    struct isa_inst *inst = lower_emit(c->l, op, t, ISA_NONE_T, 1, NULL, nvalues + 1, src);
    inst->space = (uint8_t)lower_space(pointer->space);
    inst->flags = pointer->quals & AST_VOLATILE ? ISA_VOLATILE : 0;
    lower_site(c->l, inst, ISA_SITE_atomic);
    return isa_dsts(c->l->k, inst)[0];
}

/* The values behind the pointer; a for signed ones, b for unsigned. */
void builtin_atomic(struct builtin_call *c) {
    isa_operand values[2];
    uint32_t n = c->e->nargs - 1;
    for (uint32_t i = 0; i < n; i++) values[i] = c->args[i + 1].c[0];
    c->result.c[0] = atomic(c, c->t, n, values);
}

/* inc and dec: add and subtract 1. */
void builtin_atomic_one(struct builtin_call *c) {
    isa_operand one = builtin_const(c, 1);
    c->result.c[0] = atomic(c, c->t, 1, &one);
}

/* A float is exchanged as its bits. */
void builtin_atomic_float(struct builtin_call *c) {
    isa_operand bits = builtin_bits(c, ISA_I32, ISA_F32, c->args[1].c[0]);
    c->result.c[0] = builtin_bits(c, ISA_F32, ISA_I32, atomic(c, ISA_I32, 1, &bits));
}
