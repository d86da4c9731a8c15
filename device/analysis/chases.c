#include "chases.h"

#include <stdlib.h>

/* Marks in `set` the registers that instructions of the loop make of those in it. */
static void follow(const struct isa_kernel *k, uint32_t begin, uint32_t end, uint8_t *set) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = begin + 1; n < end; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool from = false;
            for (unsigned s = 0; s < i->nsrc; s++)
                from |= isa_is_reg(isa_srcs(k, i)[s]) && set[isa_srcs(k, i)[s]];
            for (unsigned d = 0; from && d < i->ndst; d++) {
                changed |= !set[isa_dsts(k, i)[d]];
                set[isa_dsts(k, i)[d]] = 1;
            }
        }
    }
}

/* `set`: of registers, all 0. */
static bool chases(const struct isa_kernel *k, uint32_t begin, uint32_t end, uint8_t *set) {
    for (uint32_t n = begin + 1; n < end; n++)
        if (chases_load(&k->insts[n]))
            for (unsigned d = 0; d < k->insts[n].ndst; d++) set[isa_dsts(k, &k->insts[n])[d]] = 1;
    follow(k, begin, end, set);
    /* Those stay that an iteration reads before it writes them. */
    for (uint32_t n = end; n-- > begin + 1;) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) set[isa_dsts(k, i)[d]] &= 1;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (isa_is_reg(o) && set[o]) set[o] = 3;
        }
    }
    for (uint32_t r = 0; r < k->nregs; r++) set[r] >>= 1;
    follow(k, begin, end, set);
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (chases_load(i) && i->nsrc && isa_is_reg(isa_srcs(k, i)[0]) && set[isa_srcs(k, i)[0]])
            return true;
    }
    return false;
}

bool chases_loads(const struct isa_kernel *k, uint32_t begin) {
    uint8_t *set = calloc(k->nregs + 1ull, 1);
    bool is = !set || chases(k, begin, k->insts[begin].match, set);
    free(set);
    return is;
}
