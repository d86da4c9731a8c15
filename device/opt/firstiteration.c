#include "firstiteration.h"

bool firstiteration_needs(struct firstiteration *f, uint32_t loop, isa_operand o, uint32_t before) {
    uint32_t n = loops_writer(f->l, o, loop);
    if (n == LOOPS_NONE || (n < LOOPS_NONE && n >= before)) return true; /* as it comes to it */
    if (n == LOOPS_SEVERAL || !(isa_op_info[f->k->insts[n].op].flags & ISA_OP_PURE)) return false;
    if (f->needs[n]) return f->needs[n] == FIRSTITERATION_NEEDED;
    const struct isa_inst *i = &f->k->insts[n];
    bool good = true;
    for (unsigned s = 0; s < i->nsrc; s++)
        good &= firstiteration_needs(f, loop, isa_srcs(f->k, i)[s], n);
    f->needs[n] = good ? FIRSTITERATION_NEEDED : FIRSTITERATION_NEVER;
    return good;
}

bool firstiteration_leaves(struct firstiteration *f, uint32_t begin, uint32_t last) {
    bool good = true;
    for (uint32_t n = begin + 1; n <= last; n++)
        if (f->k->insts[n].op == ISA_breakif)
            good &= firstiteration_needs(f, loops_at(f->l, begin),
                                         isa_srcs(f->k, &f->k->insts[n])[0], n);
    return good;
}

void firstiteration_put(const struct firstiteration *f, struct kernelcopy *copy, uint32_t begin,
                        uint32_t last, void (*load)(void *context, uint32_t n), void *context) {
    unsigned depth = 0;
    for (uint32_t n = begin + 1; n <= last; n++) {
        const struct isa_inst *i = &copy->k->insts[n];
        copy->at = n;
        if (i->op == ISA_breakif) {
            isa_operand leaves = kernelcopy_named(copy, isa_srcs(copy->k, i)[0]);
            isa_operand stays = kernelcopy_result(copy, ISA_not, ISA_PRED, leaves, ISA_NO_OPERAND);
            kernelcopy_add(copy, ISA_if, ISA_NONE_T, ISA_NO_OPERAND, stays, ISA_NO_OPERAND)->site =
                i->site;
            depth++;
        }
        if (f->needs[n] == FIRSTITERATION_NEEDED) kernelcopy_put_anew(copy, n);
        load(context, n);
    }
    while (depth--) kernelcopy_control(copy, ISA_endif, ISA_NO_OPERAND);
    kernelcopy_keep_names(copy);
}
