/* An optimistic search: each register is 0 until an instruction gives it something else. */
#include "alignment.h"

#include <stdlib.h>

enum { ROUNDS = 16 }; /* then what still changes counts as odd */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned zeros_of(uint64_t bits) {
    return bits ? (unsigned)__builtin_ctzll(bits) : ALIGNMENT_ZERO;
}

unsigned alignment_of(const struct isa_kernel *k, const uint8_t *found, isa_operand o) {
    if (o == ISA_NO_OPERAND) return ALIGNMENT_ZERO;
    return isa_is_reg(o) ? found[o] : zeros_of(k->consts[isa_const_index(o)].bits);
}

bool alignment_suffices(const struct isa_kernel *k, const uint8_t *found, const struct isa_inst *i,
                        unsigned bits) {
    return least(alignment_of(k, found, isa_srcs(k, i)[0]), zeros_of((uint32_t)i->imm)) >= bits;
}

/* What the launch's argument block holds there: objects' addresses are known to be aligned. */
static unsigned of_argument(const struct isa_kernel *k, const struct isa_inst *i, unsigned d) {
    uint32_t offset = (uint32_t)i->imm + d * isa_type_size[i->type];
    for (uint32_t n = 0; i->type == ISA_I32 && n < k->nparams; n++) {
        const struct isa_param *p = &k->params[n];
        if (p->offset != offset) continue;
        if (p->kind == ISA_PARAM_GLOBAL || p->kind == ISA_PARAM_CONSTANT) return ALIGNMENT_OBJECTS;
        if (p->kind == ISA_PARAM_LOCAL)
            return p->pointee_align ? least(ALIGNMENT_OBJECTS, zeros_of(p->pointee_align)) : 0;
    }
    return 0;
}

/* By how much a shift moves; false: not known. */
static bool shift_of(const struct isa_kernel *k, const struct isa_inst *i, unsigned *by) {
    isa_operand o = isa_srcs(k, i)[1];
    if (!isa_is_const(o)) return false;
    *by = (unsigned)(k->consts[isa_const_index(o)].bits % (8u * isa_type_size[i->type]));
    return true;
}

static unsigned moved_up(unsigned bits, unsigned by) {
    return bits == ALIGNMENT_ZERO ? bits : bits + by;
}

static unsigned moved_down(unsigned bits, unsigned by) {
    return bits == ALIGNMENT_ZERO ? bits : bits > by ? bits - by : 0;
}

/* Of an operation on integers of one width. */
static unsigned of_arithmetic(const struct isa_kernel *k, const struct isa_inst *i, unsigned a,
                              unsigned b) {
    unsigned by = 0;
    switch (i->op) {
    case ISA_add:
    case ISA_sub:
    case ISA_or:
    case ISA_xor:
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u:
    case ISA_rem_s: /* a - n * b, as far as these wrap around */
    case ISA_rem_u: return least(a, b);
    case ISA_and: return a > b ? a : b;
    case ISA_mul:
    case ISA_mul24_s:
    case ISA_mul24_u: return a + b;
    case ISA_shl: return moved_up(a, shift_of(k, i, &by) ? by : 0);
    case ISA_shr_s:
    case ISA_shr_u: return shift_of(k, i, &by) ? moved_down(a, by) : 0;
    default: return 0;
    }
}

/* Of destination d. */
static unsigned of_result(const struct isa_kernel *k, const uint8_t *found,
                          const struct isa_inst *i, unsigned d) {
    const isa_operand *src = isa_srcs(k, i);
    unsigned a = i->nsrc > 0 ? alignment_of(k, found, src[0]) : 0;
    unsigned b = i->nsrc > 1 ? alignment_of(k, found, src[1]) : 0;
    switch (i->op) {
    case ISA_mov:
    case ISA_abs:
    case ISA_trunc:
    case ISA_zext: return a;
    case ISA_sext: return a < 8u * isa_type_size[i->type2] ? a : ALIGNMENT_ZERO;
    case ISA_select: return least(b, alignment_of(k, found, src[2]));
    case ISA_localaddr:
    case ISA_constaddr: return least(ALIGNMENT_OBJECTS, zeros_of((uint32_t)i->imm));
    case ISA_ld: return i->space == ISA_PARAM ? of_argument(k, i, d) : 0;
    case ISA_printf: return ALIGNMENT_ZERO;
    default: return least(of_arithmetic(k, i, a, b), ALIGNMENT_ZERO);
    }
}

uint8_t *alignment_find(const struct isa_kernel *k) {
    uint8_t *found = malloc(k->nregs + (size_t)1);
    bool changed = found != NULL;
    for (uint32_t r = 0; found && r < k->nregs; r++)
        found[r] = isa_is_integer(k->reg_types[r]) ? ALIGNMENT_ZERO : 0;
    for (unsigned round = 0; changed; round++) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            for (unsigned d = 0; d < i->ndst; d++) {
                uint8_t *to = &found[isa_dsts(k, i)[d]];
                unsigned bits = of_result(k, found, i, d);
                if (bits >= *to) continue;
                *to = (uint8_t)(round < ROUNDS ? bits : 0);
                changed = true;
            }
        }
    }
    return found;
}
