/* Of ids that are taken apart by / and %, by shifts and masks where rows are powers of two. */
#include "rowdivisions.h"

#include <string.h>

enum {
    MOST_STRIDE = 64,        /* from lane to lane */
    LEAST_ROW = 2 * ISA_WARP /* lanes: of shorter ones that are known few warps lie in one */
};

/* One that is no int is 0. */
static bool constant_of(const struct isa_kernel *k, isa_operand o, uint32_t *value) {
    if (!isa_is_const(o)) return false;
    uint64_t bits = k->consts[isa_const_index(o)].bits;
    *value = bits <= INT32_MAX ? (uint32_t)bits : 0;
    return true;
}

bool rowdivisions_of(const struct isa_kernel *k, const struct isa_inst *i, struct row_division *d) {
    const isa_operand *src = isa_srcs(k, i);
    uint32_t by;
    if (i->type != ISA_I32 && i->type != ISA_I64) return false;
    if (i->nsrc != 2 || !isa_is_reg(src[0])) return false;
    *d = (struct row_division){.x = src[0], .y = src[1], .type = (enum isa_type)i->type};
    bool known = constant_of(k, src[1], &by);
    switch (i->op) {
    case ISA_div_s: d->is_signed = true; break;
    case ISA_div_u: break;
    case ISA_rem_s: d->is_signed = true; /* fall through */
    case ISA_rem_u: d->remainder = true; break;
    case ISA_shr_u:
        if (!known || by >= 31) return false;
        by = 1u << by;
        break;
    case ISA_and:
        if (!known || !by || by & (by + 1)) return false;
        by++;
        d->remainder = true;
        break;
    default: return false;
    }
    if (known) d->row = by;
    return !known || (by && by <= INT32_MAX);
}

bool rowdivisions_fit(const struct isa_kernel *k, const struct shape *shape,
                      const struct isa_inst *i) {
    struct row_division d;
    if (!rowdivisions_of(k, i, &d)) return false;
    struct shape_value x = shape->regs[d.x], y = shape_operand(shape, k, d.y);
    if (x.span < SHAPE_WARP || x.stride <= 0 || x.stride > MOST_STRIDE) return false;
    if (y.span < SHAPE_WARP || y.stride) return false;
    if (d.row && d.row < LEAST_ROW * (uint32_t)x.stride) return false;
    /* What shape knows; its register may be known the less, which is written elsewhere, too. */
    bool whole = !(d.row % ISA_WARP) && (!d.remainder || !(d.row & (d.row - 1)));
    bool aligned = x.stride == 1 && x.align >= shape_span_bits(SHAPE_WARP);
    if (d.row && whole && aligned && !d.is_signed) return false;
    return shape->regs[isa_dsts(k, i)[0]].span < SHAPE_WARP;
}

/* They have the same operands. */
static bool alike(const struct row_division *a, const struct row_division *b) {
    return a->x == b->x && a->row == b->row && (a->row || a->y == b->y);
}

/* An operand is written by nothing before, nor in a region around it, which may be a loop. */
void rowdivisions_mark(const struct isa_kernel *k, uint32_t from, uint32_t to, uint8_t *of) {
    struct row_division first, d;
    bool good = rowdivisions_of(k, &k->insts[from], &first);
    uint32_t depth = 0, begin = from;
    for (uint32_t n = from; good && n < to; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (rowdivisions_of(k, &k->insts[n], &d) && alike(&d, &first)) of[n] = 1;
        const struct isa_inst *i = &k->insts[n];
        if (isa_writes(k, i, first.x) || (!first.row && isa_writes(k, i, first.y))) {
            good = false;
            if (depth) memset(of + begin, 0, n + 1 - begin);
        }
        if (flags & ISA_OP_REGION_BEGIN && !depth) begin = n;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
}

/* Neither x nor, signed, one of the operands wraps around or is negative. */
isa_operand rowdivisions_test(struct kernelcopy *c, const struct shape *shape, uint32_t n,
                              bool is_signed, struct row_known *r) {
    struct row_division d;
    rowdivisions_of(c->k, &c->k->insts[n], &d);
    uint32_t stride = (uint32_t)shape->regs[d.x].stride, most = stride * (ISA_WARP - 1);
    isa_operand y = d.row ? isa_const_new(c->out, d.type, d.row) : d.y;
    r->offset = kernelcopy_lanes(c, d.type, (int32_t)stride);
    isa_operand first = kernelcopy_result(c, ISA_sub, d.type, d.x, r->offset);
    r->quotient = kernelcopy_result(c, ISA_div_u, d.type, first, y);
    isa_operand row = kernelcopy_result(c, ISA_mul, d.type, r->quotient, y);
    r->column = kernelcopy_result(c, ISA_sub, d.type, first, row);
    isa_operand left = kernelcopy_result(c, ISA_sub, d.type, y, r->column);
    uint64_t all = d.type == ISA_I64 ? UINT64_MAX : UINT32_MAX;
    uint64_t highest = (is_signed ? all / 2 : all) - most;
    isa_operand good =
        kernelcopy_result(c, ISA_lt_u, d.type, isa_const_new(c->out, d.type, most), left);
    isa_operand below =
        kernelcopy_result(c, ISA_le_u, d.type, first, isa_const_new(c->out, d.type, highest));
    good = kernelcopy_result(c, ISA_and, ISA_PRED, good, below);
    if (!is_signed || d.row) return good;
    isa_operand positive =
        kernelcopy_result(c, ISA_le_s, d.type, isa_const_new(c->out, d.type, 0), y);
    return kernelcopy_result(c, ISA_and, ISA_PRED, good, positive);
}
