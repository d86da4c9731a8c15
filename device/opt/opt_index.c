/* Indices that are computed of the group's index, its size and the index in it, as CUDA's kernels
 * do, are the special registers for that, where the range has no offset: all that asks for indices
 * sees the same kernel, however it is written. What they were made of goes if nobody else reads it.
 */
#include "device/analysis/itemindex.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { OTHER = ITEMINDEX_DIMENSIONS };

/* The dimension whose index the instruction computes, or OTHER. */
static unsigned computes(const struct isa_kernel *k, const struct loops *l,
                         const struct isa_inst *i) {
    if (i->op != ISA_add || (i->type != ISA_I32 && i->type != ISA_I64)) return OTHER;
    struct itemindex x = itemindex_of(k, l, i);
    return x.sum && !x.size ? x.d : OTHER;
}

static void put_index(struct kernelcopy *c, uint32_t n, unsigned d) {
    const struct isa_inst *i = &c->k->insts[n];
    isa_operand id = kernelcopy_special(c, ISA_SPECIAL_global_id_x + d);
    kernelcopy_move(c, isa_dsts(c->k, i)[0],
                    kernelcopy_converted(c, ISA_zext, (enum isa_type)i->type, ISA_I32, id));
}

void opt_index(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l;
    uint32_t found = 0, nregs = k->nregs;
    if (!k->low_ids) return;
    loops_find(&l, k, arena);
    uint8_t *index = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        index[n] = (uint8_t)computes(k, &l, &k->insts[n]);
        if (index[n] != OTHER) trace_tell(p, &k->insts[n], "the sum is the work-item's index");
        found += index[n] != OTHER;
    }
    if (!found) return;
    struct kernelcopy c;
    kernelcopy_take(&c, k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !c.failed; n++) {
        c.at = n;
        if (index[n] != OTHER)
            put_index(&c, n, index[n]);
        else
            kernelcopy_put(&c, n);
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, l.reads, nregs);
    rewrite_match(k);
}
