/* Accesses whose addresses lie a constant apart, however they are computed, have one register and
 * displacements: what lies side by side can be moved as one then, and less is computed. The
 * compiler has done that for what it sees; here are indices of 64 bits that became narrower, and
 * constants within sums.
 *
 * One goes through the kernel once. Each register holds one value after the other, and what it
 * holds may be a sum of others; what a region writes is another value behind it, and from where a
 * loop begins. */
#include "device/analysis/linear.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum {
    MARGIN = 2 * LINEAR_FAR,
    MOST = 20000, /* instructions of a kernel */
    LATEST = 64   /* addresses that are looked at, the latest ones */
};

/* An address that is in a register. */
struct displace_base {
    isa_operand reg;
    uint32_t value;
    struct linear_sum sum;
};

struct displacer {
    struct isa_kernel *k;
    uint32_t *value, values; /* registers: the number of what they hold */
    struct linear_sum *sum;  /* registers: what that is; */
    uint8_t *is_sum;         /* nothing that is known */
    struct displace_base *bases;
    uint32_t nbases;
    uint32_t begins[ISA_MAX_NESTING + 1], depth; /* regions */
};

/* ---- what registers hold ---- */

static void renew(struct displacer *x, isa_operand reg) {
    x->value[reg] = ++x->values;
    x->is_sum[reg] = 0;
}

static void renew_written(struct displacer *x, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) renew(x, isa_dsts(x->k, i)[d]);
    }
}

static bool add(void *context, struct linear_sum *s, isa_operand o, uint32_t by) {
    const struct displacer *x = context;
    uint32_t c;
    if (isa_constant(x->k, o, &c)) {
        s->plus += c * by;
        return true;
    }
    if (!isa_is_reg(o)) return false;
    if (x->is_sum[o]) return linear_add_sum(s, &x->sum[o], by);
    return linear_add(s, o, x->value[o], by);
}

static void write(struct displacer *x, const struct isa_inst *i) {
    struct linear_sum s = {0};
    bool is = i->ndst == 1 && linear_add_result(&s, x->k, i, 1, add, x);
    for (unsigned d = 0; d < i->ndst; d++) renew(x, isa_dsts(x->k, i)[d]);
    if (!is) return;
    x->sum[isa_dsts(x->k, i)[0]] = s;
    x->is_sum[isa_dsts(x->k, i)[0]] = 1;
}

static void pass_region(struct displacer *x, uint32_t n) {
    uint32_t flags = isa_op_info[x->k->insts[n].op].flags;
    if (flags & ISA_OP_REGION_BEGIN) {
        x->begins[x->depth++] = n;
        if (x->k->insts[n].op == ISA_loop) renew_written(x, n, x->k->insts[n].match);
    }
    if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END))
        renew_written(x, x->begins[x->depth - 1], n);
    x->depth -= (flags & ISA_OP_REGION_END) != 0;
}

/* ---- accesses ---- */

static bool fits(const struct isa_inst *i) {
    return (i->op == ISA_ld || i->op == ISA_st) && i->space != ISA_PRIVATE &&
           i->imm < ISA_MAX_DISPLACEMENT - MARGIN && i->imm > MARGIN - ISA_MAX_DISPLACEMENT;
}

/* An address that still is in its register and lies a constant from the sum; NULL: there is none.
 */
static const struct displace_base *base_near(const struct displacer *x, const struct linear_sum *s,
                                             int32_t *far) {
    for (uint32_t n = x->nbases, left = LATEST; n-- && left--;) {
        const struct displace_base *b = &x->bases[n];
        if (x->value[b->reg] == b->value && linear_apart(s, &b->sum, far)) return b;
    }
    return NULL;
}

/* Takes another register for the address of the access, if there is one near it. */
static bool displace(struct displacer *x, struct isa_inst *i) {
    isa_operand *at = &x->k->operands[i->operands + i->ndst];
    int32_t far;
    if (!isa_is_reg(*at) || !x->is_sum[*at]) return false;
    const struct displace_base *b = base_near(x, &x->sum[*at], &far);
    if (!b) {
        x->bases[x->nbases++] = (struct displace_base){*at, x->value[*at], x->sum[*at]};
        return false;
    }
    if (b->reg == *at) return false;
    *at = b->reg;
    i->imm += far;
    return true;
}

void opt_displace(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct displacer *x = ARENA_NEW(arena, struct displacer);
    uint32_t accesses = 0, displaced = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) accesses += fits(&k->insts[n]);
    if (accesses < 2 || k->ninsts > MOST) return;
    x->k = k;
    x->value = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->sum = ARENA_ARRAY(arena, struct linear_sum, k->nregs + 1u);
    x->is_sum = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    x->bases = ARENA_ARRAY(arena, struct displace_base, accesses);
    uint32_t *reads = rewrite_reads(k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (fits(&k->insts[n]) && displace(x, &k->insts[n])) displaced++;
        write(x, &k->insts[n]);
        pass_region(x, n);
    }
    if (!displaced) return;
    trace_tell(p, NULL, "%u accesses are another address and a displacement", displaced);
    rewrite_unread(k, arena, reads);
}
