/* Renumbers what is left of registers and constants, and packs the operands. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

bool pass_compact(const struct pass *p) {
    struct isa_kernel *k = p->k;
    struct arena *arena = p->arena;
    uint32_t *reg = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    uint32_t *constant = ARENA_ARRAY(arena, uint32_t, k->nconsts + 1u);
    uint8_t *types = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    struct isa_const *consts = ARENA_ARRAY(arena, struct isa_const, k->nconsts + 1u);
    isa_operand *operands = ARENA_ARRAY(arena, isa_operand, k->noperands + 1u);
    uint32_t nregs = 0, nconsts = 0, at = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        struct isa_inst *inst = &k->insts[i];
        const isa_operand *old = k->operands + inst->operands;
        uint32_t n = (uint32_t)inst->ndst + inst->nsrc;
        inst->operands = at;
        for (uint32_t o = 0; o < n; o++, at++) {
            operands[at] = old[o];
            if (old[o] == ISA_NO_OPERAND) continue;
            if (isa_is_reg(old[o])) {
                if (!reg[old[o]]) {
                    types[nregs] = k->reg_types[old[o]];
                    reg[old[o]] = ++nregs;
                }
                operands[at] = reg[old[o]] - 1;
            } else {
                uint32_t c = isa_const_index(old[o]);
                if (!constant[c]) {
                    consts[nconsts] = k->consts[c];
                    constant[c] = ++nconsts;
                }
                operands[at] = (constant[c] - 1) | ISA_CONST_BIT;
            }
        }
    }
    if (nregs) memcpy(k->reg_types, types, nregs);
    if (nconsts) memcpy(k->consts, consts, nconsts * sizeof *consts);
    if (at) memcpy(k->operands, operands, at * sizeof *operands);
    k->nregs = nregs;
    k->nconsts = nconsts;
    k->noperands = at;
    free(k->const_index); /* it numbers the constants as they were */
    k->const_index = NULL;
    k->cap_const_index = k->const_index_used = 0;
    return false;
}
