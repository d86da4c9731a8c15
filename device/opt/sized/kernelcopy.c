/* Kernels that are made of another one. */
#include "sized_pass.h"

/* As isa_verify does. */
static void match_regions(struct isa_kernel *k) {
    uint32_t begins[ISA_MAX_NESTING + 1], parts[ISA_MAX_NESTING + 1], depth = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            depth++;
            begins[depth] = parts[depth] = n;
        }
        if (!(flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END))) continue;
        k->insts[parts[depth]].match = n;
        parts[depth] = n;
        if (flags & ISA_OP_REGION_END) k->insts[n].match = begins[depth--];
    }
}

struct isa_kernel *kernelcopy_empty(const struct isa_kernel *k) {
    struct isa_kernel *out = isa_kernel_copy(k);
    if (out) out->ninsts = out->noperands = 0;
    return out;
}

bool kernelcopy_finish(struct isa_kernel *k) {
    if (!isa_sites_finish(k)) return false;
    match_regions(k);
    return true;
}

struct isa_inst *kernelcopy_make(struct isa_kernel *k, const struct isa_inst *place, enum isa_op op,
                                 enum isa_type type, isa_operand to, isa_operand a, isa_operand b) {
    bool compares = isa_op_info[op].operands[0] == 'p' && type != ISA_PRED;
    isa_operand src[] = {a, b};
    k->cur_file = place->file;
    k->cur_line = place->line;
    return isa_emit(k, op, compares ? ISA_PRED : type, compares ? type : ISA_NONE_T,
                    to != ISA_NO_OPERAND, &to, (a != ISA_NO_OPERAND) + (b != ISA_NO_OPERAND), src);
}
