/* Instructions of a kernel that is made of another one. */
#include "dealer.h"

#include "device/isa/rewrite.h"

/* There is room for one more. */
static bool has_room(struct dealer *d) {
    if (d->out->ninsts >= DEALER_MOST) d->failed = true;
    return !d->failed;
}

/* The newest instruction is in the place of instruction n. */
static void note(struct dealer *d, uint32_t n) {
    d->failed = isa_kernel_failed(d->out);
    if (!d->failed) d->origins[d->out->ninsts - 1] = n;
}

struct isa_inst *dealer_make(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type type,
                             isa_operand to, isa_operand a, isa_operand b) {
    if (!has_room(d)) return &d->out->lost;
    struct isa_inst *i = kernelcopy_make(d->out, &d->k->insts[n], op, type, to, a, b);
    note(d, n);
    return i;
}

isa_operand dealer_made(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type type,
                        isa_operand a, isa_operand b) {
    bool compares = isa_op_info[op].operands[0] == 'p';
    isa_operand to = isa_reg_new(d->out, compares ? ISA_PRED : type);
    dealer_make(d, n, op, type, to, a, b);
    return to;
}

isa_operand dealer_converted(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type to,
                             enum isa_type from, isa_operand a) {
    if (to == from || !has_room(d)) return a;
    isa_operand r = isa_reg_new(d->out, to);
    isa_emit(d->out, op, to, from, 1, &r, 1, &a);
    note(d, n);
    return r;
}

isa_operand dealer_chosen(struct dealer *d, uint32_t n, enum isa_type type, isa_operand p,
                          isa_operand yes, isa_operand no) {
    isa_operand r = isa_reg_new(d->out, type), src[] = {p, yes, no};
    if (!has_room(d)) return r;
    isa_emit(d->out, ISA_select, type, ISA_NONE_T, 1, &r, 3, src);
    note(d, n);
    return r;
}

isa_operand dealer_word(struct dealer *d, uint32_t value) {
    return isa_const_new(d->out, ISA_I32, value);
}

isa_operand dealer_special(struct dealer *d, uint32_t n, enum isa_special which) {
    isa_operand to = isa_reg_new(d->out, ISA_I32);
    dealer_make(d, n, ISA_special, ISA_I32, to, ISA_NO_OPERAND, ISA_NO_OPERAND)->imm = which;
    return to;
}

isa_operand dealer_named(const struct dealer *d, isa_operand o) {
    return isa_is_reg(o) ? d->names[o] : o;
}

void dealer_put_to(struct dealer *d, uint32_t n, const isa_operand *to) {
    const struct isa_inst *i = &d->k->insts[n];
    isa_operand src[UINT8_MAX];
    if (!has_room(d)) return;
    for (unsigned s = 0; s < i->nsrc; s++) src[s] = dealer_named(d, isa_srcs(d->k, i)[s]);
    rewrite_put(d->out, i, to, src);
    note(d, n);
}

void dealer_put(struct dealer *d, uint32_t n) {
    const struct isa_inst *i = &d->k->insts[n];
    isa_operand to[UINT8_MAX];
    for (unsigned w = 0; w < i->ndst; w++) to[w] = dealer_named(d, isa_dsts(d->k, i)[w]);
    dealer_put_to(d, n, to);
}

/* What is known of such registers is what is known in the version. */
void dealer_rename(struct dealer *d, struct run_loop *l) {
    const struct isa_kernel *k = d->k;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        for (unsigned w = 0; w < k->insts[n].ndst; w++) {
            isa_operand r = isa_dsts(k, &k->insts[n])[w];
            if (d->names[r] == r) d->names[r] = isa_reg_new(d->out, (enum isa_type)k->reg_types[r]);
        }
    for (unsigned n = 0; n < l->ncounters; n++) l->counters[n].dealt = d->names[l->counters[n].reg];
    for (unsigned n = 0; n < l->nplaces; n++) l->places[n].dealt = d->names[l->places[n].reg];
}

void dealer_keep(struct dealer *d) {
    for (uint32_t r = 0; r < d->k->nregs; r++) d->names[r] = r;
}

bool dealer_reads_later(const struct dealer *d, const struct run_loop *l, isa_operand reg) {
    uint32_t loops = 0;
    for (uint32_t n = 0; n < d->k->ninsts; n++) {
        const struct isa_inst *i = &d->k->insts[n];
        if (i->op == ISA_loop && n < l->begin && i->match > l->begin) loops++;
        if (n > l->begin && n < d->k->insts[l->begin].match) continue;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_srcs(d->k, i)[s] == reg && (n > l->begin || loops)) return true;
    }
    return false;
}

isa_operand dealer_alone(struct dealer *d, const struct run_loop *l) {
    isa_operand all = dealer_word(d, l->alone);
    isa_operand alone = dealer_special(d, l->begin, ISA_SPECIAL_alone);
    alone = dealer_made(d, l->begin, ISA_and, ISA_I32, alone, all);
    return dealer_made(d, l->begin, ISA_eq, ISA_I32, alone, all);
}
