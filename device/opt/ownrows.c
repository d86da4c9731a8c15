#include "ownrows.h"

#include "device/analysis/shape.h"

bool ownrows_loads(struct ownrows *o, uint32_t n) {
    const struct isa_inst *i = &o->k->insts[n];
    if (i->op != ISA_ld || i->count != 1 || i->space == ISA_PARAM || i->space == ISA_PRIVATE ||
        i->flags & ISA_VOLATILE || !isa_is_reg(isa_srcs(o->k, i)[0]))
        return false;
    if (!o->shape) o->shape = shape_new(o->k, NULL);
    return o->shape && o->shape->regs[isa_srcs(o->k, i)[0]].span == SHAPE_VARYING;
}

void ownrows_end(struct ownrows *o) { shape_free(o->shape); }
