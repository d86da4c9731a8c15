/* By the sizes and arguments of a launch. */
#include <stdlib.h>

#include "affine_apart.h"
#include "isolation.h"
#include "provenance.h"

enum { MOST_ACCESSES = 192, MOST_PAIRS = 1200 }; /* of a kernel that is looked at */

/* Is one of both a store, and can they be to the same parameter's memory? */
static bool may_conflict(const struct isa_kernel *k, const uint64_t *from,
                         const struct affine_access *a, const struct affine_access *b) {
    const struct isa_inst *i = &k->insts[a->inst], *j = &k->insts[b->inst];
    return (i->op == ISA_st || j->op == ISA_st) && i->space != ISA_LOCAL && j->space != ISA_LOCAL &&
           provenance_of(k, from, i) & provenance_of(k, from, j);
}

bool isolation_holds(const struct isa_kernel *k, const struct affine_launch *l, bool thorough) {
    struct affine_accesses *all = affine_find(k, l, MOST_ACCESSES);
    uint64_t *from = provenance_new(k);
    bool apart = all && from;
    uint32_t pairs = 0;
    if (all) all->brief = !thorough;
    for (uint32_t a = 0; apart && a < all->count; a++)
        for (uint32_t b = a; apart && b < all->count; b++)
            apart = !may_conflict(k, from, &all->list[a], &all->list[b]) ||
                    (pairs++ < MOST_PAIRS && affine_apart(k, all, &all->list[a], &all->list[b]));
    affine_free(all);
    free(from);
    return apart;
}
