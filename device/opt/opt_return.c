/* Early returns. Where lanes return early all that follows is in the other part of an `if` instead:
 * it is seen there that what begins at the return ends with the kernel, and that lanes which are on
 * are those that pass a guard. */
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* The last barrier, or 0. */
static uint32_t last_barrier(const struct isa_kernel *k) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_bar) found = n;
    return found;
}

/* Marks each `endif` of an `if` that is in no region, ends with a return and has no other part, and
 * behind which something is done but nothing waits for lanes that have returned. Returns how many.
 */
static uint32_t find(const struct isa_kernel *k, const struct trace_pass *p, uint8_t *returns) {
    uint32_t barrier = last_barrier(k), most = ISA_MAX_NESTING - rewrite_nesting(k), count = 0,
             depth = 0, begin = 0;
    bool other = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN && !depth++) begin = n, other = false;
        if (flags & ISA_OP_REGION_ELSE && depth == 1) other = true;
        if (!(flags & ISA_OP_REGION_END) || --depth) continue;
        if (i->op != ISA_endif || other || i[-1].op != ISA_ret || n + 1 == k->ninsts ||
            n < barrier || count == most)
            continue;
        trace_tell(p, &k->insts[begin], "what follows is guarded in place of a return");
        returns[n] = 1;
        count++;
    }
    return count;
}

void opt_return(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    uint8_t *returns = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint32_t count = find(k, p, returns);
    if (!count) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (returns[n + 1]) continue; /* the return itself */
        if (returns[n])
            isa_emit(k, ISA_else, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
        else
            rewrite_keep(k, &old, n);
    }
    for (; count; count--) isa_emit(k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}
