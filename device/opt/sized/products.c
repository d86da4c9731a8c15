/* The high half of products of 64 bits, which no vector instruction gives: of four products of
 * halves, each of which has 64 bits. Where both factors are one for the warp it stays: processors
 * have that for one number. */
#include "device/analysis/shape.h"
#include "sized_pass.h"

#include <stdlib.h>

static bool is_high(const struct isa_inst *i) {
    return (i->op == ISA_mulhi_s || i->op == ISA_mulhi_u) && i->type == ISA_I64;
}

static bool differs(const struct shape *s, const struct isa_kernel *k, isa_operand o) {
    struct shape_value v = shape_operand(s, k, o);
    return v.span < SHAPE_WARP || v.stride;
}

static isa_operand wide(struct kernelcopy *c, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(c, op, ISA_I64, a, b);
}

static void put_halves(struct kernelcopy *c, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(c->k, i);
    isa_operand low[2], high[2], half = kernelcopy_number(c, ISA_I64, 32);
    isa_operand ones = kernelcopy_number(c, ISA_I64, UINT32_MAX);
    for (unsigned n = 0; n < 2; n++) {
        low[n] = wide(c, ISA_and, src[n], ones);
        high[n] = wide(c, ISA_shr_u, src[n], half);
    }
    isa_operand carry = wide(c, ISA_shr_u, wide(c, ISA_mul, low[0], low[1]), half);
    isa_operand one = wide(c, ISA_add, wide(c, ISA_mul, high[0], low[1]), carry);
    isa_operand rest = wide(c, ISA_and, one, ones);
    isa_operand other = wide(c, ISA_add, wide(c, ISA_mul, low[0], high[1]), rest);
    isa_operand all = wide(c, ISA_mul, high[0], high[1]);
    all = wide(c, ISA_add, all, wide(c, ISA_shr_u, one, half));
    all = wide(c, ISA_add, all, wide(c, ISA_shr_u, other, half));
    /* A negative factor was 2^64 more. */
    for (unsigned n = 0; n < 2 && i->op == ISA_mulhi_s; n++) {
        isa_operand sign = wide(c, ISA_shr_s, src[n], kernelcopy_number(c, ISA_I64, 63));
        all = wide(c, ISA_sub, all, wide(c, ISA_and, src[1 - n], sign));
    }
    kernelcopy_move(c, isa_dsts(c->k, i)[0], all);
}

/* How many are to be made, marked in `high`. */
static uint32_t choose(const struct sized *s, const struct shape *shape, uint8_t *high) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < s->k->ninsts; n++) {
        const isa_operand *src = isa_srcs(s->k, &s->k->insts[n]);
        high[n] = is_high(&s->k->insts[n]) &&
                  (differs(shape, s->k, src[0]) || differs(shape, s->k, src[1]));
        count += high[n];
    }
    return count;
}

static bool make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made,
                 struct arena *arena) {
    enum { MOST_MADE = 24 /* instructions of one */ };
    uint8_t *high = ARENA_ARRAY(arena, uint8_t, s->k->ninsts + 1u);
    struct shape *shape = shape_new(s->k, s->groups.size);
    uint32_t count = shape ? choose(s, shape, high) : 0;
    struct kernelcopy c;
    bool good = shape;
    shape_free(shape);
    if (!count) return good;
    if (!kernelcopy_begin(&c, s->k, s->k->ninsts + MOST_MADE * count)) return false;
    for (uint32_t n = 0; n < s->k->ninsts && !c.failed; n++) {
        c.at = n;
        if (high[n])
            put_halves(&c, &s->k->insts[n]);
        else
            kernelcopy_put(&c, n);
    }
    *made = (struct sized_kernel){c.out, c.origins, NULL};
    free(c.names);
    trace_tell(p, NULL, "%u high halves of 64 bits are of products of 32", count);
    return !c.failed && kernelcopy_finish(c.out);
}

bool products_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    bool any = false;
    for (uint32_t n = 0; n < s->k->ninsts && !any; n++) any = is_high(&s->k->insts[n]);
    if (!any) return true;
    if (ARENA_FAILS(&t)) return false;
    bool good = make(s, p, made, t.arena);
    arena_free(t.arena);
    return good;
}
