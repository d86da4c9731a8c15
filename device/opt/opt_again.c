/* What straight code of a loop computes or loads again is there already. The compiler has done that
 * where it could; conditions that were under an `if` then are in straight code now. So is what is
 * done before and behind an `if` by which others leave. */
#include "device/analysis/warpregions.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { FAR = 24 /* instructions back */ };

static bool is_region(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & (ISA_OP_REGION | ISA_OP_BARRIER);
}

/* Where an `if` ends whose lanes all leave, where it begins; others come from there. Else n. */
static uint32_t before_exit(const struct isa_kernel *k, uint32_t n) {
    const struct isa_inst *last = &k->insts[n - (n > 0)];
    bool other = false;
    bool leaves = k->insts[n].op == ISA_endif && isa_op_info[last->op].flags & ISA_OP_JUMP &&
                  last->op != ISA_breakif;
    uint32_t begin = leaves ? warpregions_around(k, n, &other) : UINT32_MAX;
    return begin != UINT32_MAX && !other && k->insts[begin].op == ISA_if ? begin : n;
}

static bool is_alike(const struct isa_kernel *k, const struct isa_inst *a,
                     const struct isa_inst *b) {
    if (!rewrite_alike(a, b) || a->imm != b->imm) return false;
    for (unsigned s = 0; s < a->nsrc; s++)
        if (isa_srcs(k, a)[s] != isa_srcs(k, b)[s]) return false;
    return true;
}

/* The instruction before n that gives what n does, or n. */
static uint32_t given_by(const struct isa_kernel *k, const struct loops *l, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    bool loads = i->op == ISA_ld && !(i->flags & ISA_VOLATILE);
    if (i->op == ISA_mov || i->ndst != 1 || !i->nsrc || l->defs[isa_dsts(k, i)[0]] != 1 ||
        (!loads && !(isa_op_info[i->op].flags & ISA_OP_PURE)))
        return n;
    for (uint32_t m = n; m-- && n - m < FAR;) {
        uint32_t begins = before_exit(k, m);
        if (begins != m) {
            m = begins;
            continue;
        }
        const struct isa_inst *b = &k->insts[m];
        if (is_region(b)) return n;
        uint32_t flags = isa_op_info[b->op].flags;
        if (is_alike(k, i, b) && l->defs[isa_dsts(k, b)[0]] == 1) return m;
        if (loads && flags & (ISA_OP_WRITES | ISA_OP_ATOMIC | ISA_OP_EFFECT)) return n;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s]) && isa_writes(k, b, isa_srcs(k, i)[s])) return n;
    }
    return n;
}

void opt_again(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l = {0};
    isa_operand *same = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    uint32_t found = 0;
    if (!loops_find(&l, k, arena)) return;
    for (uint32_t r = 0; r < k->nregs; r++) same[r] = r;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct isa_inst *i = &k->insts[n];
        isa_operand *src = isa_srcs(k, i);
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s])) src[s] = same[src[s]];
        uint32_t m = l.loop_of[n] ? given_by(k, &l, n) : n;
        if (m == n) continue;
        isa_site_merge(k, k->insts[m].site, i->site);
        src[0] = isa_dsts(k, &k->insts[m])[0];
        if (l.ordered[isa_dsts(k, i)[0]]) same[isa_dsts(k, i)[0]] = src[0];
        *i = (struct isa_inst){.op = ISA_mov,
                               .type = i->type,
                               .count = 1,
                               .ndst = 1,
                               .nsrc = 1,
                               .operands = i->operands,
                               .file = i->file,
                               .line = i->line};
        found++;
    }
    if (!found) return;
    trace_tell(p, NULL, "%u values of loops are there already", found);
    rewrite_unread(k, arena, l.reads);
}
