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

bool linear_apart(const struct linear_sum *a, const struct linear_sum *b, int32_t *far) {
    struct linear_sum d = *a;
    if (!linear_add_sum(&d, b, UINT32_MAX)) return false;
    for (uint32_t n = 0; n < d.terms; n++)
        if (d.of[n].by) return false;
    *far = (int32_t)d.plus;
    return *far<LINEAR_FAR && * far> - LINEAR_FAR;
}
