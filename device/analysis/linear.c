#include "linear.h"

bool linear_add(struct linear_sum *s, isa_operand reg, uint32_t value, uint32_t by) {
    uint32_t n = 0;
    while (n < s->terms && (s->of[n].reg != reg || s->of[n].value != value)) n++;
    if (n == LINEAR_TERMS) return false;
    if (n == s->terms) s->of[s->terms++] = (struct linear_term){reg, value, 0};
    s->of[n].by += by;
    return true;
}

bool linear_add_sum(struct linear_sum *s, const struct linear_sum *other, uint32_t by) {
    s->plus += other->plus * by;
    for (uint32_t n = 0; n < other->terms; n++)
        if (!linear_add(s, other->of[n].reg, other->of[n].value, other->of[n].by * by))
            return false;
    return true;
}

bool linear_add_result(struct linear_sum *s, const struct isa_kernel *k, const struct isa_inst *i,
                       uint32_t by,
                       bool (*add)(void *context, struct linear_sum *s, isa_operand o, uint32_t by),
                       void *context) {
    const isa_operand *src = isa_srcs(k, i);
    uint32_t c;
    if (i->type != ISA_I32 || i->type2 != ISA_NONE_T) return false;
    switch (i->op) {
    case ISA_mov: return add(context, s, src[0], by);
    case ISA_add: return add(context, s, src[0], by) && add(context, s, src[1], by);
    case ISA_sub: return add(context, s, src[0], by) && add(context, s, src[1], 0 - by);
    case ISA_shl: return isa_constant(k, src[1], &c) && add(context, s, src[0], by << (c & 31));
    case ISA_mul: return isa_constant(k, src[1], &c) && add(context, s, src[0], by * c);
    default: return false;
    }
}

bool linear_apart(const struct linear_sum *a, const struct linear_sum *b, int32_t *far) {
    struct linear_sum d = *a;
    if (!linear_add_sum(&d, b, UINT32_MAX)) return false;
    for (uint32_t n = 0; n < d.terms; n++)
        if (d.of[n].by) return false;
    *far = (int32_t)d.plus;
    return *far<LINEAR_FAR && * far> - LINEAR_FAR;
}
