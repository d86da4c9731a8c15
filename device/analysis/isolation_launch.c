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

/* An argument, or a constant: the same for all work-items. */
static bool is_given(const struct isa_kernel *k, isa_operand o) {
    bool given = isa_is_const(o);
    for (uint32_t n = 0; isa_is_reg(o) && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!isa_writes(k, i, o)) continue;
        if (i->op != ISA_ld || i->space != ISA_PARAM) return false;
        given = true;
    }
    return given;
}

/* The address is a multiple of so many bytes. */
static bool is_aligned(const struct affine_sum *at, unsigned size) {
    bool aligned = at->known && at->low == at->high && at->low % size == 0;
    for (unsigned n = 0; n < at->count; n++) aligned &= at->terms[n].by % size == 0;
    return aligned || size == 1;
}

/* Both store the same element, which is one for all work-items, as flags are: where they meet it
 * does not matter who comes first. */
static bool agree(const struct isa_kernel *k, const struct affine_access *a,
                  const struct affine_access *b) {
    const struct isa_inst *i = &k->insts[a->inst], *j = &k->insts[b->inst];
    if (i->op != ISA_st || j->op != ISA_st || i->type != j->type) return false;
    if (i->nsrc != 2 || j->nsrc != 2 || isa_srcs(k, i)[1] != isa_srcs(k, j)[1]) return false;
    unsigned size = isa_type_size[i->type];
    return is_given(k, isa_srcs(k, i)[1]) && is_aligned(&a->at, size) && is_aligned(&b->at, size);
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
                    agree(k, &all->list[a], &all->list[b]) ||
                    (pairs++ < MOST_PAIRS && affine_apart(k, all, &all->list[a], &all->list[b]));
    affine_free(all);
    free(from);
    return apart;
}
