#include "alone.h"

#include "device/analysis/provenance.h"

bool alone_may(const struct isa_kernel *k) {
    return k->nparams <= ALONE_PARAMS && k->ninsts <= ALONE_KERNEL &&
           rewrite_nesting(k) < ISA_MAX_NESTING;
}

uint32_t alone_param(const struct isa_kernel *k, const uint64_t *provenance,
                     const struct isa_inst *s) {
    uint64_t from = provenance_of(k, provenance, s);
    if (!from || from & (from - 1) || from >> ALONE_PARAMS) return 0;
    bool is_volatile = k->params[__builtin_ctzll(from)].qualifiers & ISA_QUAL_VOLATILE;
    return is_volatile ? 0 : (uint32_t)from;
}

/* ---- names ---- */

void alone_keep_names(struct alone_code *x) {
    for (uint32_t r = 0; r < x->old.nregs; r++) x->names[r] = r;
}

void alone_begin(struct alone_code *x, struct isa_kernel *k, struct arena *arena) {
    *x = (struct alone_code){.k = k, .arena = arena, .old = rewrite_take(k, arena)};
    x->names = ARENA_ARRAY(arena, isa_operand, x->old.nregs + 1u);
    alone_keep_names(x);
}

isa_operand alone_name(const struct alone_code *x, isa_operand o) {
    return isa_is_reg(o) ? x->names[o] : o;
}

void alone_put(struct alone_code *x, uint32_t n) {
    const struct isa_inst *i = &x->old.insts[n];
    isa_operand operands[2 * UINT8_MAX];
    for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++)
        operands[o] = alone_name(x, x->old.operands[i->operands + o]);
    rewrite_put(x->k, i, operands, operands + i->ndst);
}

void alone_move(struct isa_kernel *k, isa_operand to, isa_operand from) {
    isa_emit(k, ISA_mov, (enum isa_type)k->reg_types[to], ISA_NONE_T, 1, &to, 1, &from);
}

void alone_rename(struct alone_code *x, uint32_t from, uint32_t to, bool again) {
    struct isa_kernel *k = x->k;
    enum { READ = 1, WRITTEN = 2, OUTSIDE = 4 };
    uint8_t *is = ARENA_ARRAY(x->arena, uint8_t, x->old.nregs + 1u);
    for (uint32_t n = 0; n < x->old.ninsts; n++) {
        const struct isa_inst *i = &x->old.insts[n];
        const isa_operand *all = x->old.operands + i->operands;
        bool inside = n >= from && n <= to;
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
            if (!isa_is_reg(all[o])) continue;
            if (o >= i->ndst)
                is[all[o]] |= inside ? 0 : READ;
            else
                is[all[o]] |= inside ? WRITTEN : OUTSIDE;
        }
    }
    for (uint32_t r = 0; r < x->old.nregs; r++) {
        if (is[r] & READ || !(is[r] & WRITTEN) || (again && !(is[r] & OUTSIDE))) continue;
        x->names[r] = isa_reg_new(k, (enum isa_type)k->reg_types[r]);
        if (is[r] & OUTSIDE) alone_move(k, x->names[r], r);
    }
}

/* ---- versions ---- */

void alone_if(struct alone_code *x, uint32_t params, uint32_t n, uint32_t site) {
    struct isa_kernel *k = x->k;
    k->cur_file = x->old.insts[n].file;
    k->cur_line = x->old.insts[n].line;
    isa_operand bits = isa_const_new(k, ISA_I32, params), alone = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &alone, 0, NULL)->imm = ISA_SPECIAL_alone;
    alone = isa_emit1(k, ISA_and, ISA_I32, ISA_NONE_T, alone, bits, ISA_NO_OPERAND);
    alone = isa_emit1(k, ISA_eq, ISA_PRED, ISA_I32, alone, bits, ISA_NO_OPERAND);
    isa_emit(k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &alone)->site = site;
}

void alone_control(struct alone_code *x, enum isa_op op) {
    isa_emit(x->k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}
