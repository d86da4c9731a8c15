/* Values: what registers hold in groups of one size, where ids and constants alone tell: for each
 * work-item, or what all of them have the same of. Whoever walks through a kernel has instruction
 * after instruction evaluated; what loops and unknown branches write is not known behind them. */
#ifndef SIMTCL_ITEMVALUES_H
#define SIMTCL_ITEMVALUES_H

#include "device/isa/isa.h"

/* What is added to a value: nothing; where the kernel's own local memory begins; where that begins
 * that its first parameter points to. */
enum itemvalues_base { ITEMVALUES_NUMBER, ITEMVALUES_LOCAL, ITEMVALUES_PARAM };

struct itemvalues {
    const struct isa_kernel *k;
    const uint32_t *size;  /* of a group; NULL: not known, as is allowed for one value alone */
    uint32_t items, lanes; /* work-items; values of a register: of whole warps, or one for all */
    bool arguments;        /* addresses of local memory that is an argument are values */
    uint8_t *known;        /* registers; */
    uint64_t *of;          /* their values, `lanes` of each, as bits of its type; */
    uint32_t *base;        /* enum itemvalues_base, or that and a parameter */
    uint8_t *on;           /* of itemvalues_pass: work-items that may be active; */
    uint8_t *stack;        /* those where regions around began */
    uint32_t begins[ISA_MAX_NESTING + 1], depth;
};

/* For each work-item, of warps that are whole: those behind the group's last one are off; or, one,
 * for all. Nothing is known. False: no memory; itemvalues_end is to be called in any case. */
bool itemvalues_begin(struct itemvalues *v, const struct isa_kernel *k, const uint32_t size[3],
                      bool one);
void itemvalues_end(struct itemvalues *v);
/* A copy of what is known, not for itemvalues_pass; and what is known made that of a copy. */
bool itemvalues_copy(struct itemvalues *to, const struct itemvalues *v);
void itemvalues_restore(struct itemvalues *v, const struct itemvalues *from);

/* What instruction i writes is known, or is no more. */
void itemvalues_evaluate(struct itemvalues *v, const struct isa_inst *i);
/* What the instructions [from, to) write is not known. */
void itemvalues_forget(struct itemvalues *v, uint32_t from, uint32_t to);
/* Past instruction n, for each work-item, of all instructions in their order. */
void itemvalues_pass(struct itemvalues *v, uint32_t n);
/* Where it is one number for all: an operand's value. */
bool itemvalues_constant(const struct itemvalues *v, isa_operand o, struct isa_const *c);
void itemvalues_set(struct itemvalues *v, isa_operand reg, uint64_t bits);

/* Of a register that is known. */
static inline int64_t itemvalues_signed(const struct itemvalues *v, isa_operand reg,
                                        uint32_t item) {
    return isa_signed((enum isa_type)v->k->reg_types[reg], v->of[(size_t)reg * v->lanes + item]);
}

#endif
