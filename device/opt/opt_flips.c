/* Numbers that are 0 or 1: what is 1 where they are 0, or where two of them differ, and the lowest
 * bit of their sum, is by `^`, however it is written: as what is chosen by a comparison, or as a
 * difference from 1. So passes that follow see it as one thing. */
#include "device/analysis/numbers.h"
#include "device/isa/constant.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* What takes an instruction's place: a ^ b ^ inverse. */
struct flip {
    bool is;
    isa_operand a, b; /* b may be ISA_NO_OPERAND */
    bool inverse;
};

struct flips_finder {
    const struct isa_kernel *k;
    struct loops l;
    struct numbers numbers;
};

static bool is_flag(const struct flips_finder *f, isa_operand o, unsigned type) {
    if (!isa_is_reg(o) || isa_operand_type(f->k, o) != type) return false;
    struct interval i = numbers_signed(&f->numbers, f->k, o);
    return i.least >= 0 && i.most <= 1;
}

/* The instruction that gives an operand of instruction n, where what it reads has not changed
 * since; or NULL. */
static const struct isa_inst *made_by(const struct flips_finder *f, isa_operand o, uint32_t n) {
    const struct isa_inst *i = loops_definition(&f->l, f->k, o);
    if (!i || i > &f->k->insts[n]) return NULL;
    for (const struct isa_inst *m = i; m < &f->k->insts[n]; m++) {
        if (isa_op_info[m->op].flags & ISA_OP_CONTROL) return NULL;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_writes(f->k, m, isa_srcs(f->k, i)[s])) return NULL;
    }
    return i;
}

/* Of what is chosen by a comparison. */
static struct flip chosen(const struct flips_finder *f, const struct isa_inst *i, uint32_t n) {
    const isa_operand *src = isa_srcs(f->k, i);
    bool yes = constant_is(f->k, src[1], 1) && constant_is(f->k, src[2], 0),
         no = constant_is(f->k, src[1], 0) && constant_is(f->k, src[2], 1);
    const struct isa_inst *p = yes || no ? made_by(f, src[0], n) : NULL;
    struct flip r = {0};
    if (!p || (p->op != ISA_eq && p->op != ISA_ne) || p->type2 != i->type) return r;
    r.a = isa_srcs(f->k, p)[0];
    r.b = isa_srcs(f->k, p)[1];
    r.inverse = yes == (p->op == ISA_eq);
    bool zero = constant_is(f->k, r.b, 0), one = constant_is(f->k, r.b, 1);
    r.is = is_flag(f, r.a, i->type) && (zero || one || is_flag(f, r.b, i->type));
    r.inverse ^= one;
    if (zero || one) r.b = ISA_NO_OPERAND;
    return r;
}

static struct flip flip_of(const struct flips_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n], *sum;
    const isa_operand *src = isa_srcs(f->k, i);
    struct flip r = {.b = ISA_NO_OPERAND};
    switch (i->op) {
    case ISA_select: return isa_is_integer(i->type) ? chosen(f, i, n) : r;
    case ISA_sub:
        r.is = constant_is(f->k, src[0], 1) && is_flag(f, src[1], i->type);
        r.a = src[1];
        r.inverse = true;
        return r;
    case ISA_and:
        if (i->type == ISA_PRED || !constant_is(f->k, src[1], 1)) return r;
        sum = made_by(f, src[0], n);
        if (!sum || sum->op != ISA_add) return r;
        r.a = isa_srcs(f->k, sum)[0];
        r.b = isa_srcs(f->k, sum)[1];
        r.inverse = constant_is(f->k, r.b, 1);
        r.is = is_flag(f, r.a, i->type) && (r.inverse || is_flag(f, r.b, i->type));
        if (r.inverse) r.b = ISA_NO_OPERAND;
        return r;
    default: return r;
    }
}

static void write(struct isa_kernel *k, const struct flip *r, isa_operand to) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, to);
    isa_operand a = r->a, one = isa_const_new(k, t, 1);
    bool both = r->b != ISA_NO_OPERAND;
    if (both && r->inverse) a = isa_emit1(k, ISA_xor, t, ISA_NONE_T, a, r->b, ISA_NO_OPERAND);
    if (both || r->inverse)
        isa_emit(k, ISA_xor, t, ISA_NONE_T, 1, &to, 2, (isa_operand[]){a, r->inverse ? one : r->b});
    else
        isa_emit(k, ISA_mov, t, ISA_NONE_T, 1, &to, 1, &a);
}

void opt_flips(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct flips_finder f = {.k = k};
    struct flip *of = ARENA_ARRAY(arena, struct flip, k->ninsts + 1u);
    uint32_t flips = 0;
    loops_find(&f.l, k, arena);
    numbers_find(&f.numbers, k, NULL, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        of[n] = flip_of(&f, n);
        flips += of[n].is;
    }
    if (!flips) return;
    uint32_t *reads = rewrite_reads(k, arena), nregs = k->nregs;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        k->cur_file = old.insts[n].file;
        k->cur_line = old.insts[n].line;
        if (of[n].is)
            write(k, &of[n], old.operands[old.insts[n].operands]);
        else
            rewrite_keep(k, &old, n);
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, reads, nregs);
    const struct isa_inst whole = {.line = 0};
    trace_tell(p, &whole, "%u numbers of 0 and 1 are by `^`", flips);
}
