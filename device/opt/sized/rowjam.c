/* Several rows at a time. Where lanes go along one row after the other, and a loop in each
 * iteration makes one value, as in a product of matrices, what waits for itself is that of one row,
 * and what all rows load is loaded by each. So rows are gone along together. */
#include "device/analysis/provenance.h"
#include "runs.h"

enum {
    MOST_SHARED = 100, /* instructions */
    MOST_OWN = 60      /* of each row */
};

struct rowjam {
    const struct runs_finder *f;
    const struct run_loop *l;
};

/* What it loads, nothing in the loop stores. */
static bool repeats(const void *context, uint32_t n) {
    const struct rowjam *x = context;
    const struct isa_inst *i = &x->f->k->insts[n];
    if (i->space != ISA_GLOBAL && i->space != ISA_CONSTANT) return true;
    uint64_t from = provenance_of(x->f->k, x->f->provenance, i);
    for (unsigned p = 0; p < x->l->nplaces; p++)
        if (from >> x->l->places[p].param & 1) return false;
    return true;
}

struct jam *rowjam_find(const struct runs_finder *f, const struct run_loop *l) {
    struct rowjam x = {f, l};
    if (!f->sized->groups.versions ||
        !loops_between(f->k, l->begin + 1, f->k->insts[l->begin].match))
        return NULL;
    struct jam *j = jam_new(f->k, f->arena, l->begin + 1, f->k->insts[l->begin].match, JAM_MOST);
    j->left_out = f->left_out;
    for (unsigned o = 0; o < l->nown; o++) j->own[l->own[o]] = 1;
    for (unsigned n = 0; n < l->ncounters; n++) {
        const struct run_counter *c = &l->counters[n];
        if (c->derived || !runs_one(f, c->reg, SHAPE_WARP)) j->own[c->reg] = 1;
    }
    if (!jam_find(j, repeats, &x)) return NULL;
    jam_fit(j, &f->loops, f->sized->groups.vectors);
    return j->copies > 1 && j->shared <= MOST_SHARED && j->separate <= MOST_OWN ? j : NULL;
}
