/* SIMTCL_EXACT=gpu: single precision as compute capability 1.x has it (guide A.2), said in the IR,
 * so that both engines give the same bits without knowing of it.
 *
 *   a * b + c        FMAD, which cuts the product (isa.def: fmad)
 *   x / y            by the reciprocal; both are scaled where it would be lost, 2 ulp (B.1.1)
 *   sqrt(x)          the reciprocal of the reciprocal square root, 3 ulp (3.1.1.1, B.1.1)
 *   NaN              what an operation makes of NaNs, or into one, is 0x7fffffff (canon)
 *   denormals        0 on the way in and out; engines do that by themselves, except in kernels that
 * use doubles: there each operand and result goes through canon
 *
 * What is not published stays as it is, within the bounds that are: the bits of the reciprocal, the
 * reciprocal square root and the transcendental functions. */
#include "pass.h"

struct exactly {
    struct isa_kernel *k;
    const struct isa_inst *i; /* the instruction that is rewritten */
    const uint8_t *seen;      /* of each register: something looks at its bits */
    bool doubles;
    uint32_t changed;
};

/* Hands bit patterns on as they are. */
static bool hands_on(const struct isa_inst *i) {
    switch (i->op) {
    case ISA_mov:
    case ISA_select:
    case ISA_bits:
    case ISA_fneg:
    case ISA_fabs:
    case ISA_copysign: return true;
    default: return !(isa_op_info[i->op].flags & ISA_OP_PURE);
    }
}

static bool computes(const struct isa_inst *i) {
    return !hands_on(i) && (i->type == ISA_F32 || i->type2 == ISA_F32);
}

static bool is_f32(const struct isa_kernel *k, isa_operand o) {
    return o != ISA_NO_OPERAND && isa_operand_type(k, o) == ISA_F32;
}

/* Registers whose bits are handed on, or that a conversion makes bits of. */
static uint8_t *find_seen(const struct isa_kernel *k, struct arena *arena) {
    uint8_t *seen = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        for (unsigned s = 0; s < i->nsrc && hands_on(i); s++)
            if (isa_is_reg(src[s])) seen[src[s]] = 1;
    }
    return seen;
}

static void put(const struct exactly *x, enum isa_op op, enum isa_type t, enum isa_type u,
                isa_operand to, isa_operand a, isa_operand b, isa_operand c) {
    const isa_operand src[3] = {a, b, c};
    unsigned n = c != ISA_NO_OPERAND ? 3 : b != ISA_NO_OPERAND ? 2 : 1;
    struct isa_inst *out = isa_emit(x->k, op, t, u, 1, &to, n, src);
    out->file = x->i->file;
    out->line = x->i->line;
}

static isa_operand make(const struct exactly *x, enum isa_op op, isa_operand a, isa_operand b) {
    isa_operand to = isa_reg_new(x->k, ISA_F32);
    put(x, op, ISA_F32, ISA_NONE_T, to, a, b, ISA_NO_OPERAND);
    return to;
}

static isa_operand number(const struct exactly *x, uint32_t bits) {
    return isa_const_new(x->k, ISA_F32, bits);
}

/* Beyond 2^126 the reciprocal is a denormal, which is 0; so both are made smaller there. */
static void divide(const struct exactly *x, isa_operand to, isa_operand a, isa_operand b) {
    const uint32_t large = 0x7e800000, quarter = 0x3e800000, one = 0x3f800000;
    isa_operand beyond = isa_reg_new(x->k, ISA_PRED), scale = isa_reg_new(x->k, ISA_F32);
    isa_operand size = make(x, ISA_fabs, b, ISA_NO_OPERAND);
    put(x, ISA_flt, ISA_PRED, ISA_F32, beyond, number(x, large), size, ISA_NO_OPERAND);
    put(x, ISA_select, ISA_F32, ISA_NONE_T, scale, beyond, number(x, quarter), number(x, one));
    isa_operand reciprocal = make(x, ISA_native_recip, make(x, ISA_fmul, b, scale), ISA_NO_OPERAND);
    put(x, ISA_fmul, ISA_F32, ISA_NONE_T, to, make(x, ISA_fmul, a, scale), reciprocal,
        ISA_NO_OPERAND);
}

static void compute(const struct exactly *x, const isa_operand *dst, const isa_operand *src) {
    struct isa_inst out = *x->i;
    bool single = out.type == ISA_F32;
    if (single && out.op == ISA_fdiv) {
        divide(x, dst[0], src[0], src[1]);
        return;
    }
    if (single && out.op == ISA_sqrt) {
        isa_operand root = make(x, ISA_rsqrt, src[0], ISA_NO_OPERAND);
        put(x, ISA_native_recip, ISA_F32, ISA_NONE_T, dst[0], root, ISA_NO_OPERAND, ISA_NO_OPERAND);
        return;
    }
    if (single && out.op == ISA_mad) out.op = ISA_fmad;
    rewrite_put(x->k, &out, dst, src);
}

enum { MOST_SOURCES = 4, MOST_RESULTS = 2 };

static void rewrite(struct exactly *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    isa_operand to[MOST_RESULTS], from[MOST_SOURCES];
    if (!computes(i) || i->ndst > MOST_RESULTS || i->nsrc > MOST_SOURCES) {
        rewrite_put(x->k, i, dst, src);
        return;
    }
    for (unsigned s = 0; s < i->nsrc; s++)
        from[s] = x->doubles && is_f32(x->k, src[s]) ? make(x, ISA_canon, src[s], ISA_NO_OPERAND)
                                                     : src[s];
    for (unsigned d = 0; d < i->ndst; d++) {
        bool kept = is_f32(x->k, dst[d]) && (x->doubles || x->seen[dst[d]]);
        to[d] = kept ? isa_reg_new(x->k, ISA_F32) : dst[d];
    }
    compute(x, to, from);
    for (unsigned d = 0; d < i->ndst; d++)
        if (to[d] != dst[d])
            put(x, ISA_canon, ISA_F32, ISA_NONE_T, dst[d], to[d], ISA_NO_OPERAND, ISA_NO_OPERAND);
    x->changed++;
}

bool pass_exact(const struct pass *p) {
    struct isa_kernel *k = p->k;
    struct exactly x = {.k = k, .seen = find_seen(k, p->arena)};
    for (uint32_t r = 0; r < k->nregs; r++) x.doubles |= k->reg_types[r] == ISA_F64;
    struct rewrite_code old = rewrite_take(k, p->arena);
    for (uint32_t n = 0; n < old.ninsts; n++) {
        x.i = &old.insts[n];
        const isa_operand *dst = old.operands + x.i->operands;
        rewrite(&x, dst, dst + x.i->ndst);
    }
    trace_tell(&p->trace, NULL, "%u instructions compute as the GPU does", x.changed);
    return true;
}
