/* Copies of registers that are no more than another name: what reads them reads what they are
 * copies of, where that has not changed by then. Passes that compare code, or that look where a
 * value comes from, see one register. */
#include "device/analysis/warpregions.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

struct copies {
    struct isa_kernel *k;
    struct loops l;
    struct rewrite_readers readers;
    isa_operand *is; /* what each register is a copy of, or itself */
};

/* Whatever reads what instruction n writes is in its part of a region, behind it, and finds `from`
 * as n did. */
static bool is_kept(const struct copies *x, uint32_t n, isa_operand copy, isa_operand from) {
    uint32_t to = x->readers.last[copy];
    return x->readers.first[copy] > n && warpregions_passed(x->k, n, to) &&
           (x->l.ordered[from] || loops_keep(x->k, from, n + 1, to));
}

void opt_copies(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct copies x = {.k = k};
    uint32_t found = 0;
    loops_find(&x.l, k, arena);
    x.readers = rewrite_readers(k, arena);
    x.is = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    for (uint32_t r = 0; r < k->nregs; r++) x.is[r] = r;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        isa_operand *src = isa_srcs(k, i);
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s])) src[s] = x.is[src[s]];
        if (i->op != ISA_mov || !isa_is_reg(src[0])) continue;
        isa_operand copy = isa_dsts(k, i)[0];
        if (copy == src[0] || x.l.defs[copy] != 1 || !x.l.reads[copy] ||
            k->reg_types[copy] != k->reg_types[src[0]] || !is_kept(&x, n, copy, src[0]))
            continue;
        x.is[copy] = src[0];
        uint32_t *last = x.readers.last;
        if (last[src[0]] < last[copy]) last[src[0]] = last[copy];
        found++;
    }
    if (!found) return;
    trace_tell(p, NULL, "%u registers are others", found);
    rewrite_unread(k, arena, x.l.reads);
}
