#include "splitaddress.h"

#include "kind.h"

enum { MOST_SHIFT = 4 /* a vector of four words */ };

/* Where `reg` was written last before instruction `n`, with no change of mask since, nor a barrier,
 * at which a warp may stop and keep no register that nobody reads behind it; or UINT32_MAX. */
static uint32_t definition(const struct isa_kernel *k, isa_operand reg, uint32_t n) {
    enum { FAR = 64 };
    for (uint32_t back = 0; n-- && back < FAR; back++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)) break;
        if (isa_writes(k, i, reg)) return n;
    }
    return UINT32_MAX;
}

/* Takes apart what instruction n has written, the core, as instruction `at` has it; false: that
 * cannot be. */
static bool take_apart(struct splitaddress *s, const struct isa_kernel *k,
                       const struct shape *shape, uint32_t n, uint32_t at) {
    const struct isa_inst *i = &k->insts[n];
    const isa_operand *src = isa_srcs(k, i);
    if (i->type != ISA_I32 || (i->op != ISA_shl && i->op != ISA_add)) return false;
    unsigned core = i->op == ISA_add && kind_of(shape, k, src[0]) == KIND_UNIFORM;
    if (kind_of(shape, k, src[core]) != KIND_VARYING || isa_writes_between(k, src[core], n, at))
        return false;
    if (i->op == ISA_shl) {
        uint32_t by;
        if (!isa_constant(k, src[1], &by)) return false;
        by %= 32;
        if (s->shift + by > MOST_SHIFT) return false;
        s->shift += by;
    } else {
        isa_operand o = src[1 - core];
        if (s->count == SPLITADDRESS_MOST || kind_of(shape, k, o) != KIND_UNIFORM ||
            isa_writes_between(k, o, n, at))
            return false;
        s->uniform[s->count] = o;
        s->by[s->count++] = s->shift;
    }
    s->core = src[core];
    return true;
}

struct splitaddress splitaddress_of(const struct isa_kernel *k, const struct shape *shape,
                                    uint32_t n) {
    struct splitaddress s = {.core = isa_srcs(k, &k->insts[n])[0]};
    uint32_t at = n;
    while ((at = definition(k, s.core, at)) != UINT32_MAX && take_apart(&s, k, shape, at, n)) {
    }
    return s;
}
