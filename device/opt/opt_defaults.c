/* Ifs whose other part only copies:
 *
 *     v = p ? x[i] : 0;
 *
 * What is copied there is copied before, for all lanes, and the first part writes over it: masks
 * are made and branched by once. */
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* Is the register written by instructions [from, to), whatever lanes do, and not read before? */
static bool is_overwritten(const struct isa_kernel *k, isa_operand reg, uint32_t from,
                           uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_reads(k, i, reg) || isa_op_info[i->op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER))
            return false;
        if (isa_writes(k, i, reg)) return true;
    }
    return false;
}

/* May the other part of the `if` be done before it? */
static bool is_default(const struct isa_kernel *k, uint32_t begin) {
    uint32_t other = k->insts[begin].match, end;
    if (k->insts[begin].op != ISA_if || k->insts[other].op != ISA_else) return false;
    end = k->insts[other].match;
    for (uint32_t n = other + 1; n < end; n++) {
        if (k->insts[n].op != ISA_mov) return false;
        isa_operand reg = isa_dsts(k, &k->insts[n])[0];
        if (isa_reads(k, &k->insts[begin], reg) || !is_overwritten(k, reg, begin + 1, other))
            return false;
    }
    return end > other + 1;
}

void opt_defaults(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    uint8_t *gone = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!is_default(k, n)) continue;
        uint32_t other = k->insts[n].match, end = k->insts[other].match;
        for (uint32_t m = other; m < end; m++) gone[m] = 1;
        trace_tell(p, &k->insts[n], "what the other part of the if copies comes first");
        any = true;
    }
    if (!any) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        if (gone[n]) continue;
        if (i->op == ISA_if && gone[i->match])
            for (uint32_t m = i->match + 1; gone[m]; m++) rewrite_keep(k, &old, m);
        rewrite_keep(k, &old, n);
    }
    if (!isa_kernel_failed(k)) rewrite_match(k);
}
