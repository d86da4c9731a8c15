/* Values of one work-item and of the next are computed one by one. Integers alone: how the host
 * rounds just now is not known. */
#include "itemvalues.h"

#include <stdlib.h>
#include <string.h>

bool itemvalues_begin(struct itemvalues *v, const struct isa_kernel *k, const uint32_t size[3],
                      bool one) {
    uint32_t items = size ? size[0] * size[1] * size[2] : 1;
    *v = (struct itemvalues){.k = k, .size = size, .items = items, .lanes = 1};
    if (!one) v->lanes = (items + ISA_WARP - 1) / ISA_WARP * ISA_WARP;
    v->known = calloc(k->nregs + 1ull, sizeof *v->known);
    v->of = calloc((k->nregs + 1ull) * v->lanes, sizeof *v->of);
    v->base = calloc(k->nregs + 1ull, sizeof *v->base);
    if (!one) {
        v->on = calloc(v->lanes, 1);
        v->stack = malloc((size_t)(ISA_MAX_NESTING + 1) * v->lanes);
        if (!v->on || !v->stack) return false;
        memset(v->on, 1, items);
    }
    return v->known && v->of && v->base;
}

void itemvalues_end(struct itemvalues *v) {
    free(v->known);
    free(v->of);
    free(v->base);
    free(v->on);
    free(v->stack);
    *v = (struct itemvalues){0};
}

void itemvalues_restore(struct itemvalues *v, const struct itemvalues *from) {
    size_t regs = v->k->nregs;
    memcpy(v->known, from->known, regs * sizeof *v->known);
    memcpy(v->of, from->of, regs * v->lanes * sizeof *v->of);
    memcpy(v->base, from->base, regs * sizeof *v->base);
}

bool itemvalues_copy(struct itemvalues *to, const struct itemvalues *v) {
    if (!itemvalues_begin(to, v->k, v->size, v->lanes == 1)) return false;
    itemvalues_restore(to, v);
    return true;
}

void itemvalues_forget(struct itemvalues *v, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &v->k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) v->known[isa_dsts(v->k, i)[d]] = 0;
    }
}

/* ---- one instruction ---- */

static bool special(const struct itemvalues *v, uint32_t which, uint32_t item, uint64_t *value) {
    const uint32_t *size = v->size;
    if (which >= ISA_SPECIAL_local_size_x && which <= ISA_SPECIAL_local_size_z) {
        if (size) *value = size[which - ISA_SPECIAL_local_size_x];
        return size;
    }
    if (v->lanes == 1) return false;
    switch (which) {
    case ISA_SPECIAL_thread_id: *value = item; return true;
    case ISA_SPECIAL_local_id_x: *value = item % size[0]; return true;
    case ISA_SPECIAL_local_id_y: *value = item / size[0] % size[1]; return true;
    case ISA_SPECIAL_local_id_z: *value = item / size[0] / size[1]; return true;
    default: return false;
    }
}

/* All sources of i are known; base: that of the result, as at most one of them has one. */
static bool sources_known(const struct itemvalues *v, const struct isa_inst *i, uint32_t *base) {
    const isa_operand *src = isa_srcs(v->k, i);
    unsigned addresses = 0, last = 0;
    *base = ITEMVALUES_NUMBER;
    for (unsigned s = 0; s < i->nsrc; s++) {
        if (isa_is_const(src[s])) continue;
        if (!isa_is_reg(src[s]) || !v->known[src[s]]) return false;
        if (v->base[src[s]] == ITEMVALUES_NUMBER) continue;
        *base = v->base[src[s]];
        last = s;
        addresses++;
    }
    if (!addresses) return true;
    return addresses == 1 &&
           (i->op == ISA_mov || i->op == ISA_add || (i->op == ISA_sub && last == 0));
}

static bool is_real(unsigned type) { return type >= ISA_F32; }

static bool fold(const struct itemvalues *v, const struct isa_inst *i, uint32_t item,
                 uint64_t *bits) {
    struct isa_const src[3];
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(v->k, i)[s];
        if (isa_is_const(o))
            src[s] = v->k->consts[isa_const_index(o)];
        else
            src[s] = (struct isa_const){.type = v->k->reg_types[o],
                                        .bits = v->of[(size_t)o * v->lanes + item]};
    }
    return isa_fold((enum isa_op)i->op, i->type, i->type2, i->mod, src, i->nsrc, false, bits);
}

static bool compute(struct itemvalues *v, const struct isa_inst *i, isa_operand dst) {
    uint64_t *of = v->of + (size_t)dst * v->lanes;
    uint32_t base = ITEMVALUES_NUMBER;
    bool own = i->op == ISA_localaddr, folds = !own && i->op != ISA_special;
    if (own) base = ITEMVALUES_LOCAL;
    if (folds && (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->nsrc > 3 || is_real(i->type) ||
                  is_real(i->type2) || !sources_known(v, i, &base)))
        return false;
    for (uint32_t item = 0; item < v->lanes; item++) {
        if (own)
            of[item] = (uint32_t)i->imm;
        else if (folds ? !fold(v, i, item, &of[item])
                       : !special(v, (uint32_t)i->imm, item, &of[item]))
            return false;
    }
    v->base[dst] = base;
    return true;
}

/* Those that are addresses of local memory. */
static void load_arguments(struct itemvalues *v, const struct isa_inst *i) {
    const struct isa_kernel *k = v->k;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand dst = isa_dsts(k, i)[d];
        uint32_t at = (uint32_t)i->imm + d * isa_type_size[i->type];
        const struct isa_param *p = isa_param_at(k, at);
        if (!p || p->kind != ISA_PARAM_LOCAL) continue;
        memset(v->of + (size_t)dst * v->lanes, 0, v->lanes * sizeof *v->of);
        v->known[dst] = 1;
        v->base[dst] = ITEMVALUES_PARAM + (uint32_t)(p - k->params);
    }
}

void itemvalues_evaluate(struct itemvalues *v, const struct isa_inst *i) {
    const isa_operand *dst = isa_dsts(v->k, i);
    bool known = i->ndst == 1 && compute(v, i, dst[0]);
    for (unsigned d = 0; d < i->ndst; d++) v->known[dst[d]] = known;
    if (v->arguments && i->op == ISA_ld && i->space == ISA_PARAM && i->type == ISA_I32)
        load_arguments(v, i);
}

bool itemvalues_constant(const struct itemvalues *v, isa_operand o, struct isa_const *c) {
    if (isa_is_const(o)) {
        *c = v->k->consts[isa_const_index(o)];
        return true;
    }
    if (!isa_is_reg(o) || !v->known[o] || v->base[o] != ITEMVALUES_NUMBER) return false;
    *c = (struct isa_const){.type = v->k->reg_types[o], .bits = v->of[o]};
    return v->lanes == 1;
}

void itemvalues_set(struct itemvalues *v, isa_operand reg, uint64_t bits) {
    v->known[reg] = 1;
    v->base[reg] = ITEMVALUES_NUMBER;
    for (uint32_t item = 0; item < v->lanes; item++) v->of[(size_t)reg * v->lanes + item] = bits;
}

/* ---- regions ---- */

/* Work-items that an if, or else its other part, keeps on, where that is known. */
static void choose(struct itemvalues *v, const struct isa_inst *branch, bool yes) {
    isa_operand p = isa_srcs(v->k, branch)[0];
    for (uint32_t item = 0; item < v->lanes; item++) {
        bool taken = yes;
        if (isa_is_const(p))
            taken = v->k->consts[isa_const_index(p)].bits;
        else if (v->known[p])
            taken = v->of[(size_t)p * v->lanes + item];
        if (taken != yes) v->on[item] = 0;
    }
}

void itemvalues_pass(struct itemvalues *v, uint32_t n) {
    const struct isa_inst *i = &v->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_REGION_BEGIN) {
        v->begins[++v->depth] = n;
        memcpy(v->stack + (size_t)v->depth * v->lanes, v->on, v->lanes);
        if (i->op == ISA_loop) itemvalues_forget(v, n, i->match);
        if (i->op == ISA_if) choose(v, i, true);
    } else if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
        uint32_t begin = v->begins[v->depth];
        memcpy(v->on, v->stack + (size_t)v->depth * v->lanes, v->lanes);
        /* what decided on it is what it was unless the first part wrote it, which is then forgotten
         */
        itemvalues_forget(v, begin, n);
        if (i->op == ISA_else)
            choose(v, &v->k->insts[begin], false);
        else
            v->depth--;
    } else {
        itemvalues_evaluate(v, i);
    }
}
