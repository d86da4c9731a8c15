#include "spills.h"

#include "kind.h"

enum { MOST_REGISTERS = 64 }; /* no vector takes less than one */

/* Vectors that registers hold, those that were used last at the end. */
struct held_vectors {
    struct {
        isa_operand reg;
        uint32_t size;
        bool changed; /* memory does not have it */
    } held[MOST_REGISTERS];
    uint32_t count, used, moved;
};

/* Takes it out; false: it was not there. */
static bool take(struct held_vectors *f, isa_operand reg, bool *changed) {
    uint32_t n = f->count;
    while (n > 0 && f->held[n - 1].reg != reg) n--;
    if (!n) return false;
    *changed = f->held[n - 1].changed;
    f->used -= f->held[n - 1].size;
    for (f->count--; n <= f->count; n++) f->held[n - 1] = f->held[n];
    return true;
}

static void put(struct held_vectors *f, isa_operand reg, uint32_t size, bool changed,
                uint32_t most) {
    bool was;
    while (f->count && (f->used + size > most || f->count == MOST_REGISTERS)) {
        f->moved += f->held[0].changed ? 2 * f->held[0].size : 0;
        take(f, f->held[0].reg, &was);
    }
    f->used += size;
    f->held[f->count].reg = reg;
    f->held[f->count].size = size;
    f->held[f->count++].changed = changed;
}

uint64_t spills_of(const struct isa_kernel *k, const struct shape *shape,
                   const struct liveranges *live, struct spills_registers r, uint32_t begin,
                   uint32_t end) {
    struct held_vectors f = {0};
    uint32_t before = 0;
    /* Once for what is there when it begins again. */
    for (unsigned turn = 0; turn < 2; turn++) {
        before = f.moved;
        for (uint32_t n = begin; n <= end; n++) {
            const struct isa_inst *i = &k->insts[n];
            for (unsigned o = 0; o < i->nsrc + i->ndst; o++) {
                bool written = o >= i->nsrc, changed = false;
                isa_operand reg = written ? isa_dsts(k, i)[o - i->nsrc] : isa_srcs(k, i)[o];
                if (!isa_is_reg(reg) || kind_of(shape, k, reg) != KIND_VARYING) continue;
                enum isa_type type = (enum isa_type)k->reg_types[reg];
                uint32_t size = r.each << (isa_type_size[type] == 8);
                if (type == ISA_PRED) continue;
                if (!take(&f, reg, &changed) && !written) f.moved += size;
                if (written || live->last[reg] != n)
                    put(&f, reg, size, changed || written, r.count);
            }
        }
    }
    return f.moved - before;
}
