#include "striploops.h"

#include "kind.h"
#include "warpregions.h"

static enum kind kind(const struct striploops_finder *f, isa_operand o) {
    return kind_of(f->shape, f->k, o);
}

/* Only lanes' own values become what is known by lanes; and no half-warp's scalars are wanted after
 * the loop, of which a strip knows its own. */
static bool values_fit(const struct striploops_finder *f, const struct isa_inst *i, uint32_t end,
                       bool divergent) {
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand dst = isa_dsts(f->k, i)[d];
        if (kind(f, dst) == KIND_VARYING) continue;
        for (unsigned s = 0; s < i->nsrc && !(isa_op_info[i->op].flags & ISA_OP_MEMORY); s++)
            if (kind(f, isa_srcs(f->k, i)[s]) == KIND_VARYING) return false;
        if (f->live->last[dst] > end && (divergent || kind(f, dst) == KIND_HALVES)) return false;
    }
    return true;
}

static bool load_fits(const struct striploops_finder *f, const struct isa_inst *i) {
    if (i->op != ISA_ld || isa_is_watched(i)) return false;
    if (i->space == ISA_PARAM) return true;
    if (i->space == ISA_PRIVATE) return false;
    isa_operand at = isa_srcs(f->k, i)[0], dst = isa_dsts(f->k, i)[0];
    if (kind(f, at) == KIND_UNIFORM) return kind(f, dst) == KIND_UNIFORM;
    if (kind(f, at) == KIND_VARYING || i->count != 1) return false;
    int32_t stride = shape_operand(f->shape, f->k, at).stride;
    return f->fused && stride == (int32_t)isa_type_size[i->type] && kind(f, dst) == KIND_VARYING;
}

/* Sums of elements narrower than words fill vectors as all lanes of a warp. */
static bool sums_narrow(const struct striploops_finder *f, const struct isa_inst *i,
                        uint32_t begin) {
    bool any = false;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand dst = isa_dsts(f->k, i)[d];
        unsigned size = isa_type_size[f->k->reg_types[dst]];
        any |= size && size < 4 && f->live->first[dst] <= begin;
    }
    return any;
}

/* Operations of which hosts have code for vectors of any length. */
static bool computes(const struct striploops_finder *f, const struct isa_inst *i) {
    bool wide = isa_type_size[i->type] == 8 || isa_type_size[i->type2] == 8;
    if (isa_op_info[i->op].flags & ISA_OP_MATH)
        return f->fused && i->op >= ISA_native_rsqrt && i->op <= ISA_native_divide;
    switch (i->op) {
    case ISA_special: return isa_special_uniform[i->imm];
    case ISA_h2f:
    case ISA_f2h:
    case ISA_fma:
    case ISA_mad: return f->fused && (i->op < ISA_h2f || i->mod == ISA_RTE);
    case ISA_s2f:
    case ISA_u2f:
    case ISA_f2f: return i->mod == ISA_RTE;
    case ISA_mulhi_s:
    case ISA_mulhi_u:
    case ISA_fmad: return !wide && f->fused;
    default:
        return isa_op_info[i->op].flags & ISA_OP_PURE && !(isa_op_info[i->op].flags & ISA_OP_IMAGE);
    }
}

bool striploops_fit(const struct striploops_finder *f, uint32_t begin, uint32_t end) {
    bool divergent = false;
    if (!warpregions_closed(f->k, begin, end + 1)) return false;
    for (uint32_t n = begin; n <= end; n++)
        if (f->k->insts[n].op == ISA_if || isa_op_info[f->k->insts[n].op].flags & ISA_OP_JUMP)
            divergent |= shape_branch(f->shape, n) < SHAPE_WARP;
    for (uint32_t n = begin; n <= end; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_PROBE || f->taken[n]) return false;
        if (flags & ISA_OP_CONTROL) continue;
        if (!(flags & ISA_OP_MEMORY ? load_fits(f, i) : computes(f, i))) return false;
        if (sums_narrow(f, i, begin) || !values_fit(f, i, end, divergent)) return false;
    }
    return true;
}
