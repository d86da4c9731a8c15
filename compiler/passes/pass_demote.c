/* Doubles on devices that have none, below capability 1.3: "each double variable gets converted to
 * single-precision floating-point format (but retains its size of 64 bits) and double-precision
 * floating-point arithmetic gets demoted to single-precision floating-point arithmetic" (guide
 * 3.1.1.1). In memory the float is the lower half of the 64 bits; the upper half is written as 0
 * and not looked at. What the host puts there as a double is read as something else: so it was. */
#include <string.h>

#include "pass.h"

static uint32_t single(uint64_t bits) {
    double wide;
    float narrow;
    uint32_t out;
    memcpy(&wide, &bits, sizeof wide);
    narrow = (float)wide;
    memcpy(&out, &narrow, sizeof out);
    return out;
}

uint64_t pass_demoted(uint64_t bits) { return single(bits); }

uint64_t pass_promoted(uint64_t demoted) {
    uint32_t half = (uint32_t)demoted;
    float narrow;
    double wide;
    uint64_t bits;
    memcpy(&narrow, &half, sizeof narrow);
    wide = narrow;
    memcpy(&bits, &wide, sizeof bits);
    return bits;
}

struct demotion {
    struct isa_kernel *k;
    const struct isa_inst *i;
    uint32_t changed;
};

static uint8_t type_of(uint8_t type) { return type == ISA_F64 ? ISA_F32 : type; }

static isa_operand operand(struct isa_kernel *k, isa_operand o) {
    if (!isa_is_const(o)) return o;
    const struct isa_const *c = &k->consts[isa_const_index(o)];
    return c->type == ISA_F64 ? isa_const_new(k, ISA_F32, single(c->bits)) : o;
}

/* One instruction at the place of the one that is rewritten. */
static void put(const struct demotion *d, enum isa_op op, enum isa_type t, enum isa_type u,
                isa_operand to, isa_operand from) {
    struct isa_inst *out = isa_emit(d->k, op, t, u, 1, &to, 1, &from);
    out->file = d->i->file;
    out->line = d->i->line;
}

/* The float in 64 bits, and the 64 bits of a float. */
static void narrow(const struct demotion *d, isa_operand to, isa_operand wide) {
    isa_operand half = isa_reg_new(d->k, ISA_I32);
    put(d, ISA_trunc, ISA_I32, ISA_I64, half, wide);
    put(d, ISA_bits, ISA_F32, ISA_I32, to, half);
}

static void widen(const struct demotion *d, isa_operand to, isa_operand from) {
    isa_operand half = isa_reg_new(d->k, ISA_I32);
    put(d, ISA_bits, ISA_I32, ISA_F32, half, from);
    put(d, ISA_zext, ISA_I64, ISA_I32, to, half);
}

enum { MOST = 16 }; /* components that one instruction moves */

static void load(const struct demotion *d, const isa_operand *dst, const isa_operand *src) {
    struct isa_inst wide = *d->i;
    isa_operand to[MOST];
    wide.type = ISA_I64;
    for (unsigned n = 0; n < wide.ndst; n++) to[n] = isa_reg_new(d->k, ISA_I64);
    rewrite_put(d->k, &wide, to, src);
    for (unsigned n = 0; n < wide.ndst; n++) narrow(d, dst[n], to[n]);
}

static void store(const struct demotion *d, const isa_operand *src) {
    struct isa_inst wide = *d->i;
    isa_operand from[MOST + 1] = {src[0]};
    wide.type = ISA_I64;
    for (unsigned n = 1; n < wide.nsrc; n++) widen(d, from[n] = isa_reg_new(d->k, ISA_I64), src[n]);
    rewrite_put(d->k, &wide, NULL, from);
}

static void rewrite(struct demotion *d, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = d->i;
    bool from_f64 = i->type2 == ISA_F64, to_f64 = i->type == ISA_F64;
    if (i->op == ISA_ld && to_f64) {
        load(d, dst, src);
    } else if (i->op == ISA_st && to_f64) {
        store(d, src);
    } else if (i->op == ISA_bits && to_f64 != from_f64) {
        to_f64 ? narrow(d, dst[0], src[0]) : widen(d, dst[0], src[0]);
    } else if ((i->op == ISA_bits || i->op == ISA_f2f) && (to_f64 || from_f64)) {
        put(d, ISA_mov, ISA_F32, ISA_NONE_T, dst[0], src[0]);
    } else {
        struct isa_inst out = *i;
        out.type = type_of(i->type);
        out.type2 = type_of(i->type2);
        rewrite_put(d->k, &out, dst, src);
        if (out.type == i->type && out.type2 == i->type2) return;
    }
    d->changed++;
}

bool pass_demote(const struct pass *p) {
    struct isa_kernel *k = p->k;
    struct rewrite_code old = rewrite_take(k, p->arena);
    struct demotion d = {.k = k};
    for (uint32_t r = 0; r < k->nregs; r++) k->reg_types[r] = type_of(k->reg_types[r]);
    for (uint32_t n = 0; n < old.ninsts; n++) {
        const struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        isa_operand *from = ARENA_ARRAY(p->arena, isa_operand, i->nsrc + 1u);
        for (unsigned s = 0; s < i->nsrc; s++) from[s] = operand(k, src[s]);
        d.i = i;
        rewrite(&d, dst, from);
    }
    trace_tell(&p->trace, NULL, "%u instructions of doubles work on floats", d.changed);
    return true;
}
