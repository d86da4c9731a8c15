/* By the arguments of a launch. */
#include <string.h>

#include "turned.h"
#include "unfold.h"

enum { MOST_DEPTH = 16 /* operations that are looked through */ };

static bool value_of(const struct isa_kernel *k, isa_operand o, const void *params, unsigned depth,
                     uint64_t *value) {
    const struct isa_inst *by = NULL;
    struct isa_const src[3];
    if (isa_is_const(o)) {
        *value = k->consts[isa_const_index(o)].bits;
        return true;
    }
    for (uint32_t n = 0; isa_is_reg(o) && n < k->ninsts; n++) {
        if (!isa_writes(k, &k->insts[n], o)) continue;
        if (by) return false;
        by = &k->insts[n];
    }
    if (!by || !depth || by->ndst != 1 || by->nsrc > 3) return false;
    if (by->op == ISA_ld) {
        uint32_t size = isa_type_size[by->type];
        if (by->space != ISA_PARAM || by->count != 1 || isa_srcs(k, by)[0] != ISA_NO_OPERAND ||
            (uint32_t)by->imm + size > k->param_bytes)
            return false;
        *value = 0;
        memcpy(value, (const char *)params + by->imm, size);
        return true;
    }
    for (unsigned s = 0; s < by->nsrc; s++) {
        isa_operand o = isa_srcs(k, by)[s];
        src[s] = (struct isa_const){.type = isa_operand_type(k, o)};
        if (src[s].type == ISA_F32 || src[s].type == ISA_F64) return false;
        if (!value_of(k, o, params, depth - 1, &src[s].bits)) return false;
    }
    return isa_op_info[by->op].flags & ISA_OP_PURE &&
           isa_fold((enum isa_op)by->op, (enum isa_type)by->type, (enum isa_type)by->type2, by->mod,
                    src, by->nsrc, false, value);
}

bool unfold_bound(const struct isa_kernel *k, isa_operand bound, const void *params,
                  int64_t *value) {
    uint64_t bits;
    if (!value_of(k, bound, params, MOST_DEPTH, &bits)) return false;
    *value = isa_signed(isa_operand_type(k, bound), bits);
    return true;
}

/* How far, in this launch; `most` where that is not known. */
static uint64_t bytes_of(const struct unfold *u, const struct linegrowth *g, const void *params,
                         uint64_t most) {
    int64_t times = 1;
    bool known = g->known && (g->factor == ISA_NO_OPERAND ||
                              unfold_bound(u->kernel, g->factor, params, &times));
    if (!known || times < INT32_MIN || times > INT32_MAX) return most;
    return g->by * (uint64_t)(times < 0 ? -times : times);
}

bool unfold_near(const struct unfold *u, const void *params) {
    return turned_near(bytes_of(u, &u->along, params, 0),
                       bytes_of(u, &u->across, params, UINT64_MAX),
                       u->along.factor != ISA_NO_OPERAND);
}
