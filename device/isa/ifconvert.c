/* Short branches without a branch: both parts of an if that holds a few pure operations are
 * computed by every lane, and selects pick the results. */
#include "ifconvert.h"

#include <string.h>

#include "rewrite.h"

enum { MAX_LENGTH = 32 }; /* instructions in all */

/* In clocks of isa.def, of which a plain operation has four. */
enum {
    JUMP_CLOCKS = 20,     /* which a CPU often foresees; */
    MASK_CLOCKS = 20,     /* beside it, of masks that are made and moved */
    STORE_CLOCKS = 24,    /* of a store under a mask */
    QUOTIENT_CLOCKS = 16, /* of a division by a constant: a product and shifts; */
    REMAINDER_CLOCKS = 24 /* and another product, and a difference */
};

struct ifconvert_result {
    isa_operand reg, then, otherwise; /* what holds its value after each part */
    bool contained;                   /* nothing outside the if names it */
};

struct ifconvert {
    struct isa_kernel *k;
    uint32_t nregs;
    uint32_t *uses, *defs;            /* of each register, in the whole kernel */
    struct isa_inst tail[MAX_LENGTH]; /* the if being converted */
    isa_operand operands[MAX_LENGTH * 4];
    struct ifconvert_result set[MAX_LENGTH];
    unsigned nset;
};

static bool computes(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return (flags & ISA_OP_PURE) && !(flags & (ISA_OP_MATH | ISA_OP_IMAGE)) && i->ndst == 1 &&
           i->nsrc <= 3;
}

static void count(struct ifconvert *x, const struct isa_inst *i, const isa_operand *operands,
                  int by) {
    for (unsigned n = 0; n < i->ndst; n++)
        if (operands[n] < x->nregs) x->defs[operands[n]] += (uint32_t)by;
    for (unsigned n = i->ndst; n < (unsigned)i->ndst + i->nsrc; n++)
        if (isa_is_reg(operands[n]) && operands[n] < x->nregs) x->uses[operands[n]] += (uint32_t)by;
}

static struct ifconvert_result *find(struct ifconvert *x, isa_operand reg) {
    for (unsigned n = 0; n < x->nset; n++)
        if (x->set[n].reg == reg) return &x->set[n];
    return NULL;
}

/* Do all uses and definitions of a register lie behind `begin`? */
static bool contained(const struct ifconvert *x, isa_operand reg, uint32_t begin) {
    uint32_t uses = 0, defs = 0;
    if (reg >= x->nregs) return true; /* made when an if within this one was converted */
    for (uint32_t i = begin + 1; i < x->k->ninsts; i++) {
        const struct isa_inst *inst = &x->k->insts[i];
        const isa_operand *src = isa_srcs(x->k, inst);
        for (unsigned d = 0; d < inst->ndst; d++) defs += isa_dsts(x->k, inst)[d] == reg;
        for (unsigned s = 0; s < inst->nsrc; s++) uses += src[s] == reg;
    }
    return uses == x->uses[reg] && defs == x->defs[reg];
}

static void add_work(struct ifconvert_case *c, enum isa_op op, bool by_constant) {
    unsigned clocks = isa_op_info[op].clocks;
    c->work++;
    if (clocks > c->dearest) c->dearest = clocks;
    if (by_constant && isa_divides(op))
        clocks = isa_is_quotient(op) ? QUOTIENT_CLOCKS : REMAINDER_CLOCKS;
    c->clocks += clocks;
}

/* Looks at the if that begins at `begin` and ends with the code so far, but for its end. Lists what
 * it assigns. */
static struct ifconvert_case look(struct ifconvert *x, uint32_t begin) {
    struct isa_kernel *k = x->k;
    struct ifconvert_case c = {.k = k, .begin = begin, .end = k->ninsts};
    uint32_t n = c.end - begin;
    if (n < 2 || n > MAX_LENGTH) return c;
    isa_operand p = isa_srcs(k, &k->insts[begin])[0];
    x->nset = 0;
    for (uint32_t i = begin + 1; i < c.end; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (inst->op == ISA_else) continue;
        if (!computes(inst)) return c;
        isa_operand dst = isa_dsts(k, inst)[0];
        if (dst == p) return c;
        if (inst->op != ISA_mov)
            add_work(&c, (enum isa_op)inst->op,
                     inst->nsrc == 2 && isa_is_const(isa_srcs(k, inst)[1]));
        if (!find(x, dst)) x->set[x->nset++] = (struct ifconvert_result){dst, dst, dst, false};
    }
    for (unsigned a = 0; a < x->nset; a++) {
        x->set[a].contained = contained(x, x->set[a].reg, begin);
        if (!x->set[a].contained) add_work(&c, ISA_select, false);
    }
    c.simple = true;
    return c;
}

bool ifconvert_pays(const struct ifconvert_case *c, bool divergent, bool stores) {
    unsigned branch = JUMP_CLOCKS + (divergent ? MASK_CLOCKS : 0) + (stores ? STORE_CLOCKS : 0);
    return c->simple && c->clocks <= branch;
}

/* Emits an operation and notes what it reads. */
static void put(struct ifconvert *x, const struct isa_inst *i, isa_operand dst,
                const isa_operand *src) {
    isa_operand all[4] = {dst};
    memcpy(all + 1, src, i->nsrc * sizeof *src);
    rewrite_put(x->k, i, &dst, src);
    count(x, i, all, 1);
}

static void convert(struct ifconvert *x, uint32_t begin) {
    struct isa_kernel *k = x->k;
    uint32_t n = k->ninsts - begin, at = 0;
    for (uint32_t i = 0; i < n; i++) { /* set the code aside */
        x->tail[i] = k->insts[begin + i];
        uint32_t operands = (uint32_t)x->tail[i].ndst + x->tail[i].nsrc;
        memcpy(x->operands + at, k->operands + x->tail[i].operands, operands * sizeof *x->operands);
        x->tail[i].operands = at;
        at += operands;
    }
    isa_operand p = x->operands[x->tail[0].operands];
    isa_site_remove(k, x->tail[0].site, ISA_REMOVED_if_converted);
    k->ninsts = begin;
    bool in_else = false;
    for (uint32_t i = 1; i < n; i++) {
        struct isa_inst *inst = &x->tail[i];
        isa_operand src[3], *o = x->operands + inst->operands;
        if (inst->op == ISA_else) {
            in_else = true;
            continue;
        }
        for (unsigned s = 0; s < inst->nsrc; s++) {
            struct ifconvert_result *a = isa_is_reg(o[1 + s]) ? find(x, o[1 + s]) : NULL;
            src[s] = !a ? o[1 + s] : in_else ? a->otherwise : a->then;
        }
        struct ifconvert_result *a = find(x, o[0]);
        isa_operand result;
        if (inst->op == ISA_mov && !(isa_is_reg(src[0]) && find(x, src[0]))) {
            result = src[0];
        } else {
            result = isa_reg_new(k, isa_operand_type(k, o[0]));
            put(x, inst, result, src);
        }
        if (in_else)
            a->otherwise = result;
        else
            a->then = result;
    }
    for (unsigned a = 0; a < x->nset; a++) {
        struct ifconvert_result *s = &x->set[a];
        if (s->contained) continue;
        isa_operand src[3] = {p, s->then, s->otherwise};
        struct isa_inst choice = {.op = ISA_select,
                                  .type = (uint8_t)isa_operand_type(k, s->reg),
                                  .count = 1,
                                  .ndst = 1,
                                  .nsrc = 3,
                                  .file = x->tail[0].file,
                                  .line = x->tail[0].line};
        put(x, &choice, s->reg, src);
    }
    for (uint32_t i = 0; i < n; i++) count(x, &x->tail[i], x->operands + x->tail[i].operands, -1);
}

/* Regions without a region in them. */
struct innermost {
    uint32_t begin;
    bool outer; /* one was in it, and is still there */
};

bool ifconvert_run(struct isa_kernel *k, struct arena *arena,
                   enum ifconvert_verdict (*decide)(void *context, const struct ifconvert_case *c),
                   void *context) {
    struct ifconvert *x = ARENA_NEW(arena, struct ifconvert);
    x->k = k;
    x->nregs = k->nregs;
    x->uses = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->defs = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    struct rewrite_code old = rewrite_take(k, arena);
    struct innermost open[ISA_MAX_NESTING + 1];
    unsigned depth = 0;
    bool any = false;
    for (uint32_t i = 0; i < old.ninsts; i++)
        count(x, &old.insts[i], old.operands + old.insts[i].operands, 1);
    for (uint32_t i = 0; i < old.ninsts && !isa_kernel_failed(k); i++) {
        const struct isa_inst *inst = &old.insts[i];
        const isa_operand *dst = old.operands + inst->operands;
        uint32_t flags = isa_op_info[inst->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) open[depth++] = (struct innermost){k->ninsts, false};
        if (flags & ISA_OP_REGION_END) {
            const struct innermost *region = &open[--depth];
            struct ifconvert_case c;
            enum ifconvert_verdict verdict = IFCONVERT_LEAVE;
            if (inst->op == ISA_endif && !region->outer) {
                c = look(x, region->begin);
                verdict = decide(context, &c);
            }
            if (verdict == IFCONVERT_SELECT && c.simple) {
                convert(x, region->begin);
                any = true;
                continue;
            }
            if (verdict == IFCONVERT_MARK) k->insts[region->begin].flags |= ISA_PREDICATED;
            if (depth) open[depth - 1].outer = true;
        }
        rewrite_put(k, inst, dst, dst + inst->ndst);
    }
    return any;
}
