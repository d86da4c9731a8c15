/* Early returns. Where lanes return early all that follows is in the other part of an `if` instead:
 * it is seen there that what begins at the return ends with the kernel, and that lanes which are on
 * are those that pass a guard. */
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* The instruction at `begin`, which is in no region, begins an `if` that ends with a return, and
 * behind it nothing waits for lanes that have returned. */
static bool returns_early(const struct isa_kernel *k, uint32_t begin) {
    const struct isa_inst *i = &k->insts[begin];
    if (i->op != ISA_if || k->insts[i->match].op != ISA_endif || i->match == begin + 1 ||
        k->insts[i->match - 1].op != ISA_ret || i->match + 1 == k->ninsts)
        return false;
    for (uint32_t n = i->match; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_bar) return false;
    return true;
}

static uint32_t deepest(const struct isa_kernel *k) {
    uint32_t depth = 0, most = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (depth > most) most = depth;
    }
    return most;
}

void opt_return(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    uint8_t *returns = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint32_t count = 0, depth = 0, most = ISA_MAX_NESTING - deepest(k);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (!depth && count < most && returns_early(k, n)) {
            trace_tell(p, &k->insts[n], "what follows is guarded in place of a return");
            returns[k->insts[n].match] = 1;
            count++;
        }
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    if (!count) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (returns[n + 1]) continue; /* the return itself */
        if (returns[n])
            isa_emit(k, ISA_else, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
        else
            rewrite_put(k, i, dst, dst + i->ndst);
    }
    for (; count; count--) isa_emit(k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}
