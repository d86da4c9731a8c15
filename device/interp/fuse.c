#include "fuse.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/compare.h"

struct search {
    const struct isa_kernel *k;
    const struct shape *s;
    struct fuse *f;
    uint32_t *written;       /* of each register: where last, FUSE_NONE: nowhere yet */
    uint8_t *writes, *reads; /* of each register, 2 standing for more than one */
    uint32_t run;            /* first instruction since the last that steers control */
};

static void count(uint8_t *n) { *n += *n < 2; }

static bool is_uniform(const struct search *q, isa_operand o) {
    return !isa_is_reg(o) || shape_is_uniform(q->s, o);
}

/* Whether all that instruction i reads, itself and through its parts, is still the same now. */
static bool is_fresh(const struct search *q, uint32_t i) {
    const struct isa_inst *inst = &q->k->insts[i];
    const isa_operand *src = isa_srcs(q->k, inst);
    for (uint32_t n = 0; n < inst->nsrc; n++) {
        if (!isa_is_reg(src[n])) continue;
        uint32_t made = q->f->maker[src[n]];
        if (made != FUSE_NONE) {
            if (!is_fresh(q, made)) return false;
        } else if (q->written[src[n]] != FUSE_NONE && q->written[src[n]] >= i) {
            return false;
        }
    }
    return true;
}

/* The instruction that makes `o`, when it could be a part of the one now looked at. */
static const struct isa_inst *candidate(const struct search *q, isa_operand o) {
    if (!isa_is_reg(o) || q->writes[o] != 1 || q->reads[o] != 1) return NULL;
    uint32_t i = q->written[o];
    if (i == FUSE_NONE || i < q->run || q->f->maker[o] != FUSE_NONE || !is_fresh(q, i)) return NULL;
    return &q->k->insts[i];
}

static bool has_parts(const struct search *q, const struct isa_inst *i) {
    for (uint32_t n = 0; n < i->nsrc; n++)
        if (fuse_maker(q->f, q->k, isa_srcs(q->k, i)[n])) return true;
    return false;
}

static void fuse(struct search *q, isa_operand o, uint32_t user) {
    q->f->maker[o] = q->written[o];
    q->f->into[q->written[o]] = user;
}

/* [uniform + varying], and the varying one may be shifted by a constant. */
static void look_at_address(struct search *q, uint32_t user) {
    const struct isa_inst *i = &q->k->insts[user];
    isa_operand base = isa_srcs(q->k, i)[0];
    if (i->space == ISA_PARAM || i->space == ISA_PRIVATE || i->count != 1) return;
    const struct isa_inst *sum = candidate(q, base);
    if (!sum || sum->op != ISA_add || is_uniform(q, base) || has_parts(q, sum)) return;
    const isa_operand *src = isa_srcs(q->k, sum);
    if (is_uniform(q, src[0]) == is_uniform(q, src[1])) return;
    isa_operand varying = src[is_uniform(q, src[0])];
    const struct isa_inst *shift = candidate(q, varying);
    fuse(q, base, user);
    if (shift && shift->op == ISA_shl && !has_parts(q, shift) &&
        isa_is_const(isa_srcs(q->k, shift)[1]) && !is_uniform(q, isa_srcs(q->k, shift)[0]))
        fuse(q, varying, user);
}

static void look_at_sum(struct search *q, uint32_t user) {
    const struct isa_inst *i = &q->k->insts[user];
    const isa_operand *src = isa_srcs(q->k, i);
    bool uniform = shape_is_uniform(q->s, isa_dsts(q->k, i)[0]);
    for (int n = 0; n < 2; n++) {
        const struct isa_inst *product = candidate(q, src[n]);
        if (!product || product->op != ISA_mul || has_parts(q, product) ||
            is_uniform(q, src[n]) != uniform)
            continue;
        fuse(q, src[n], user);
        return;
    }
}

static void look_at_copy(struct search *q, uint32_t user) {
    isa_operand src = isa_srcs(q->k, &q->k->insts[user])[0];
    const struct isa_inst *value = candidate(q, src);
    uint32_t bad = ISA_OP_MATH | ISA_OP_IMAGE;
    if (value && value->op != ISA_mov && value->op != ISA_bits && value->nsrc &&
        (isa_op_info[value->op].flags & ISA_OP_PURE) && !(isa_op_info[value->op].flags & bad))
        fuse(q, src, user);
}

static void look_at_branch(struct search *q, uint32_t user) {
    isa_operand p = isa_srcs(q->k, &q->k->insts[user])[0];
    const struct isa_inst *test = candidate(q, p);
    if (test && compare_is_integer(test->op) && test->type2 == ISA_I32 && is_uniform(q, p) &&
        shape_branch(q->s, user) >= SHAPE_WARP && is_uniform(q, isa_srcs(q->k, test)[0]) &&
        is_uniform(q, isa_srcs(q->k, test)[1]))
        fuse(q, p, user);
}

static void look_at(struct search *q, uint32_t i) {
    const struct isa_inst *inst = &q->k->insts[i];
    switch (inst->op) {
    case ISA_ld:
    case ISA_st: look_at_address(q, i); break;
    case ISA_add:
        if (inst->type == ISA_I32) look_at_sum(q, i);
        break;
    case ISA_mov: look_at_copy(q, i); break;
    case ISA_if:
    case ISA_breakif: look_at_branch(q, i); break;
    }
}

static void count_uses(struct search *q) {
    for (uint32_t i = 0; i < q->k->ninsts; i++) {
        const struct isa_inst *inst = &q->k->insts[i];
        for (uint32_t n = 0; n < inst->ndst; n++) count(&q->writes[isa_dsts(q->k, inst)[n]]);
        for (uint32_t n = 0; n < inst->nsrc; n++)
            if (isa_is_reg(isa_srcs(q->k, inst)[n])) count(&q->reads[isa_srcs(q->k, inst)[n]]);
    }
}

bool fuse_find(struct fuse *f, const struct isa_kernel *k, const struct shape *s) {
    size_t regs = k->nregs + (size_t)1, insts = k->ninsts + (size_t)1;
    struct search q = {.k = k, .s = s, .f = f};
    f->into = malloc(insts * sizeof *f->into);
    f->maker = malloc(regs * sizeof *f->maker);
    q.written = malloc(regs * sizeof *q.written);
    q.writes = calloc(regs, 2);
    bool good = f->into && f->maker && q.written && q.writes;
    if (good) {
        memset(f->into, 0xff, insts * sizeof *f->into);
        memset(f->maker, 0xff, regs * sizeof *f->maker);
        memset(q.written, 0xff, regs * sizeof *q.written);
        q.reads = q.writes + regs;
        count_uses(&q);
        for (uint32_t i = 0; s && i < k->ninsts; i++) {
            const struct isa_inst *inst = &k->insts[i];
            look_at(&q, i);
            for (uint32_t n = 0; n < inst->ndst; n++) q.written[isa_dsts(k, inst)[n]] = i;
            if (isa_op_info[inst->op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)) q.run = i + 1;
        }
    }
    free(q.written);
    free(q.writes);
    if (!good) fuse_free(f);
    return good;
}

void fuse_free(struct fuse *f) {
    free(f->into);
    free(f->maker);
    *f = (struct fuse){NULL, NULL};
}
