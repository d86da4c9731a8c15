/* What versions of runs have in common. */
#include "dealer.h"

/* What is known of such registers is what is known in the version. */
void dealer_rename(struct kernelcopy *c, struct run_loop *l) {
    const struct isa_kernel *k = c->k;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        for (unsigned w = 0; w < k->insts[n].ndst; w++) {
            isa_operand r = isa_dsts(k, &k->insts[n])[w];
            if (c->names[r] == r) kernelcopy_rename(c, r);
        }
    for (unsigned n = 0; n < l->ncounters; n++) l->counters[n].dealt = c->names[l->counters[n].reg];
    for (unsigned n = 0; n < l->nreductions; n++)
        l->reductions[n].dealt = c->names[l->reductions[n].reg];
    for (unsigned n = 0; n < l->nplaces; n++) l->places[n].dealt = c->names[l->places[n].reg];
}

bool dealer_reads_later(const struct isa_kernel *k, const struct run_loop *l, isa_operand reg) {
    uint32_t loops = 0, end = k->insts[l->begin].match;
    bool begun = loops_start_outside(k, l->begin, reg); /* else it reads what it left itself */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop && n < l->begin && i->match > l->begin) loops++;
        if (n > l->begin && n < end && (begun || !loops)) continue;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_srcs(k, i)[s] == reg && (n > l->begin || loops)) return true;
    }
    return false;
}
