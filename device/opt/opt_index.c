/* Indices that are computed of the group's index, its size and the index in it, as CUDA's kernels
 * do, are the special registers for that, where the range has no offset: all that asks for indices
 * sees the same kernel, however it is written. What they were made of goes if nobody else reads it.
 */
#include "device/analysis/itemindex.h"
#include "device/isa/kernelcopy.h"
#include "opt_pass.h"

#include <string.h>

enum { OTHER = ITEMINDEX_DIMENSIONS };

/* The dimension whose index the instruction computes, or OTHER. */
static unsigned computes(const struct isa_kernel *k, const struct loops *l,
                         const struct isa_inst *i) {
    if (i->op != ISA_add || (i->type != ISA_I32 && i->type != ISA_I64)) return OTHER;
    struct itemindex x = itemindex_of(k, l, i);
    return x.sum && !x.size ? x.d : OTHER;
}

/* Marks what nobody reads any more once the indices do not. */
static void find_gone(const struct isa_kernel *k, const struct loops *l, const uint8_t *index,
                      uint32_t *reads, uint8_t *gone) {
    memcpy(reads, l->reads, k->nregs * sizeof *reads);
    for (uint32_t n = k->ninsts; n-- > 0;) {
        const struct isa_inst *i = &k->insts[n];
        bool pure = isa_op_info[i->op].flags & ISA_OP_PURE, was = false, is = false;
        for (unsigned d = 0; d < i->ndst; d++) {
            was |= l->reads[isa_dsts(k, i)[d]];
            is |= reads[isa_dsts(k, i)[d]];
        }
        gone[n] = pure && was && !is;
        for (unsigned s = 0; (gone[n] || index[n] != OTHER) && s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s])) reads[isa_srcs(k, i)[s]]--;
    }
}

static void put_index(struct kernelcopy *c, uint32_t n, unsigned d) {
    const struct isa_inst *i = &c->k->insts[n];
    isa_operand id = kernelcopy_special(c, ISA_SPECIAL_global_id_x + d);
    kernelcopy_move(c, isa_dsts(c->k, i)[0],
                    kernelcopy_converted(c, ISA_zext, (enum isa_type)i->type, ISA_I32, id));
}

void opt_index(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l;
    uint32_t found = 0;
    if (!k->low_ids) return;
    loops_find(&l, k, arena);
    uint8_t *index = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint8_t *gone = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint32_t *reads = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        index[n] = (uint8_t)computes(k, &l, &k->insts[n]);
        if (index[n] != OTHER) trace_tell(p, &k->insts[n], "the sum is the work-item's index");
        found += index[n] != OTHER;
    }
    if (!found) return;
    find_gone(k, &l, index, reads, gone);
    struct kernelcopy c;
    kernelcopy_take(&c, k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !c.failed; n++) {
        c.at = n;
        if (index[n] != OTHER)
            put_index(&c, n, index[n]);
        else if (!gone[n])
            kernelcopy_put(&c, n);
    }
}
