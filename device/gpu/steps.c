#include "steps.h"

#include <string.h>

#include "time.h"

enum {
    CLOCKS_OPERATION = 4, /* of a warp: 32 lanes, 8 a clock (guide 3.1.1) */
    CLOCKS_SPECIAL = 16,  /* 2 a clock */
    CLOCKS_DOUBLE = 32    /* 1 a clock */
};

/* What is looked up of registers. */
struct step_finder {
    struct steps *s;
    const struct isa_kernel *k;
    const struct model *m;
    uint32_t *def_at; /* of each register: the last instruction that writes it, + 1 */
};

static bool is_double(const struct isa_inst *i) {
    return i->type == ISA_F64 || i->type2 == ISA_F64;
}

static bool is_long(const struct isa_inst *i) { return i->type == ISA_I64 || i->type2 == ISA_I64; }

static bool is_product(const struct isa_inst *i) {
    return i->op == ISA_mul || i->op == ISA_mulhi_s || i->op == ISA_mulhi_u;
}

/* The instruction itself, and not what prepares its operands. */
static bool is_main(const struct step_finder *f, const struct machine_op *op) {
    const struct isa_inst *i = &f->k->insts[op->inst];
    if (!op->ndefs) return true;
    for (unsigned d = 0; d < i->ndst; d++)
        for (unsigned n = 0; n < op->ndefs; n++)
            if (f->s->code.operands[op->operands + n] == isa_dsts(f->k, i)[d]) return true;
    return false;
}

/* The site of a load that is an operand of this instruction: no instruction of its own. */
static uint32_t operand_site(const struct step_finder *f, const struct isa_inst *i,
                             unsigned space) {
    for (unsigned n = 0; n < i->nsrc; n++) {
        isa_operand o = isa_srcs(f->k, i)[n];
        if (!isa_is_reg(o) || !f->def_at[o]) continue;
        uint32_t at = f->def_at[o] - 1;
        const struct isa_inst *load = &f->k->insts[at];
        if (load->op == ISA_ld && load->space == space && f->s->first[at] == f->s->first[at + 1])
            return load->site;
    }
    return 0;
}

static void price_computation(const struct isa_inst *i, struct device_step *s) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    double clocks = info->clocks;
    s->issues = clocks / CLOCKS_OPERATION;
    if (is_double(i)) {
        s->issues = i->op == ISA_fma ? 1 : s->issues;
        s->dp = s->issues * CLOCKS_DOUBLE;
    } else if (info->unit == ISA_UNIT_SFU && !is_product(i)) {
        s->issues = clocks / CLOCKS_SPECIAL;
        s->sfu = clocks;
    } else {
        /* 64 bits are two halves, and a product of such four. */
        if (is_long(i)) s->issues *= is_product(i) ? 4 : 2;
        s->sp = s->issues * CLOCKS_OPERATION;
    }
}

static void price_access(const struct isa_inst *i, struct device_step *s) {
    bool load = i->op == ISA_ld, atomic = isa_op_info[i->op].flags & ISA_OP_ATOMIC;
    s->issues = 1;
    if (i->op == ISA_img_read) {
        s->kind = STEP_TEXTURE;
    } else if (i->op == ISA_ld && i->space == ISA_CONSTANT) {
        s->kind = STEP_CONSTANT;
        s->sp = CLOCKS_OPERATION;
    } else if (i->space == ISA_LOCAL) { /* a move, to or from s[] */
        s->kind = load || atomic ? STEP_SHARED : STEP_STORE;
        s->sp = CLOCKS_OPERATION;
    } else {
        s->kind = load || (atomic && i->ndst) ? STEP_GLOBAL : STEP_STORE;
    }
}

/* Branches that predication took the place of, and those that compilers spare by testing at a
 * loop's end; signs, which operands have. */
static bool is_spared(const struct isa_inst *i) {
    return (i->op == ISA_if && i->flags & ISA_PREDICATED) || i->op == ISA_endloop ||
           i->op == ISA_fneg || i->op == ISA_fabs;
}

static void price(const struct step_finder *f, uint32_t n, uint32_t before) {
    const struct machine_op *op = &f->s->code.ops[n];
    const struct isa_inst *i = &f->k->insts[op->inst];
    const struct isa_op_info *info = &isa_op_info[i->op];
    struct device_step *s = &f->s->list[n];
    if (!is_main(f, op)) {
        s->issues = 1;
        s->sp = CLOCKS_OPERATION;
        return;
    }
    if (is_spared(i) || info->unit == ISA_UNIT_NONE) return;
    if (info->unit == ISA_UNIT_MEM || info->unit == ISA_UNIT_TEX) {
        price_access(i, s);
        return;
    }
    price_computation(i, s);
    if (info->flags & ISA_OP_BARRIER) s->kind = STEP_BARRIER;
    s->shared = operand_site(f, i, ISA_LOCAL);
    s->constant = operand_site(f, i, ISA_CONSTANT);
    if (s->shared && (i->op == ISA_mad || i->op == ISA_fmad) && s->sp == CLOCKS_OPERATION)
        s->sp = gpu_time_parameter(f->m, GPU_TIMING_shared_operand);
    if (i->op != ISA_fmul || i->type != ISA_F32) return;
    const struct machine_op *last = before == UINT32_MAX ? NULL : &f->s->code.ops[before];
    for (unsigned d = 0; last && d < last->ndefs; d++)
        for (unsigned u = 0; u < op->nuses; u++)
            if (f->s->code.operands[op->operands + op->ndefs + u] ==
                f->s->code.operands[last->operands + d])
                return;
    s->multiply = s->sp;
}

void steps_find(struct steps *s, const struct isa_kernel *k, const struct model *m,
                struct arena *arena) {
    struct step_finder f = {.s = s, .k = k, .m = m};
    machine_select(&s->code, k, arena);
    uint32_t n = s->code.nops;
    s->first = ARENA_ARRAY(arena, uint32_t, k->ninsts + (size_t)2);
    s->order = ARENA_ARRAY(arena, uint32_t, n + (size_t)1);
    s->list = ARENA_ARRAY(arena, struct device_step, n + (size_t)1);
    f.def_at = ARENA_ARRAY(arena, uint32_t, k->nregs + (size_t)1);
    for (uint32_t i = 0; i < k->ninsts; i++)
        for (unsigned d = 0; d < k->insts[i].ndst; d++)
            f.def_at[isa_dsts(k, &k->insts[i])[d]] = i + 1;
    for (uint32_t o = 0; o < n; o++) s->first[s->code.ops[o].inst + 1]++;
    for (uint32_t i = 0; i <= k->ninsts; i++) s->first[i + 1] += s->first[i];
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, k->ninsts + (size_t)2);
    memcpy(next, s->first, (k->ninsts + (size_t)2) * sizeof *next);
    for (uint32_t o = 0; o < n; o++) s->order[next[s->code.ops[o].inst]++] = o;
    for (uint32_t o = 0; o < n; o++) price(&f, s->order[o], o ? s->order[o - 1] : UINT32_MAX);
}
