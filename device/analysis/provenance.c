/* Provenance: the objects that an address may lie in, as far as it is made of theirs. */
#include "provenance.h"

#include <stdlib.h>

static uint64_t of_parameter(const struct isa_kernel *k, const struct isa_inst *i) {
    enum { CONSTANTS = 62 /* the module's own, which nothing stores to */ };
    if (i->op == ISA_localaddr) return 0;
    if (i->op == ISA_constaddr) return UINT64_C(1) << CONSTANTS;
    const struct isa_param *p = isa_param_at(k, (uint32_t)i->imm);
    bool other = !p || !isa_param_points(p) || p->kind == ISA_PARAM_LOCAL;
    return other ? 0 : UINT64_C(1) << ((p - k->params) % 64);
}

static uint64_t of_array(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op == ISA_constaddr) return 0;
    enum { FACTOR = 0x9e3779b1u, SHIFT = 32 - 6 /* offsets spread over 64 bits */ };
    if (i->op == ISA_localaddr) return UINT64_C(1) << ((uint32_t)i->imm * FACTOR >> SHIFT);
    const struct isa_param *p = isa_param_at(k, (uint32_t)i->imm);
    return p && p->kind == ISA_PARAM_LOCAL ? UINT64_C(1) << ((p - k->params) % 64) : 0;
}

/* The object whose address the instruction is the first to give; 0: none. */
typedef uint64_t object_fn(const struct isa_kernel *k, const struct isa_inst *i);

/* Those of what an instruction computes, as far as they are known. */
static uint64_t made_of(const struct isa_kernel *k, const uint64_t *provenance,
                        const struct isa_inst *i, object_fn *object) {
    uint64_t from = 0;
    if ((i->op == ISA_ld && i->space == ISA_PARAM) || i->op == ISA_localaddr ||
        i->op == ISA_constaddr)
        return object(k, i);
    if (i->op != ISA_add && i->op != ISA_sub && i->op != ISA_mov && i->op != ISA_select &&
        i->op != ISA_lane_at)
        return 0;
    for (unsigned s = 0; s < i->nsrc; s++)
        if (isa_is_reg(isa_srcs(k, i)[s])) from |= provenance[isa_srcs(k, i)[s]];
    return from;
}

/* Is what is chosen between an address and something else that may be one? */
static bool chooses(const struct isa_kernel *k, const uint64_t *provenance,
                    const struct isa_inst *i) {
    if (i->op != ISA_select) return false;
    isa_operand yes = isa_srcs(k, i)[1], no = isa_srcs(k, i)[2];
    return isa_is_reg(yes) && isa_is_reg(no) && !provenance[yes] != !provenance[no];
}

static void spread(const struct isa_kernel *k, uint64_t *provenance, object_fn *object) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint64_t from = made_of(k, provenance, i, object);
            for (unsigned d = 0; from && d < i->ndst; d++) {
                uint64_t *to = &provenance[isa_dsts(k, i)[d]];
                changed |= (*to | from) != *to;
                *to |= from;
            }
        }
    }
}

/* An address that is also written by what is not known to be one, a load for example, may be
 * anywhere. */
static void find(const struct isa_kernel *k, uint64_t *provenance, object_fn *object) {
    for (bool changed = true; changed;) {
        changed = false;
        spread(k, provenance, object);
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            if (made_of(k, provenance, i, object) && !chooses(k, provenance, i)) continue;
            if (i->op == ISA_mov && !isa_is_reg(isa_srcs(k, i)[0])) continue; /* no object */
            for (unsigned d = 0; d < i->ndst; d++) {
                uint64_t *to = &provenance[isa_dsts(k, i)[d]];
                changed |= *to && *to != UINT64_MAX;
                if (*to) *to = UINT64_MAX;
            }
        }
    }
}

uint64_t *provenance_new(const struct isa_kernel *k) {
    uint64_t *of = calloc(k->nregs + 1ull, sizeof *of);
    if (of) find(k, of, of_parameter);
    return of;
}

uint64_t *provenance_new_local(const struct isa_kernel *k) {
    uint64_t *of = calloc(k->nregs + 1ull, sizeof *of);
    if (of) find(k, of, of_array);
    return of;
}

uint64_t provenance_of(const struct isa_kernel *k, const uint64_t *of, const struct isa_inst *i) {
    isa_operand at = isa_srcs(k, i)[0];
    uint64_t found = isa_is_reg(at) ? of[at] : 0;
    return found ? found : UINT64_MAX;
}

uint32_t provenance_param(const struct isa_kernel *k, const uint64_t *of,
                          const struct isa_inst *i) {
    uint64_t from = provenance_of(k, of, i);
    if (from & (from - 1) || from >> PROVENANCE_PARAMS || k->nparams > 64) return 0;
    return (uint32_t)from;
}

bool provenance_sums(const struct isa_inst *i) {
    return (i->op == ISA_atom_add || i->op == ISA_atom_sub) && i->type == ISA_I32 &&
           i->space == ISA_GLOBAL;
}

bool provenance_only_joins(const struct isa_kernel *k, const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_ATOMIC && i->op != ISA_atom_cas &&
           i->op != ISA_atom_xchg && i->space == ISA_GLOBAL &&
           !isa_reads_between(k, isa_dsts(k, i)[0], 0, k->ninsts);
}

bool provenance_only_adds(const struct isa_kernel *k, const struct isa_inst *i) {
    return provenance_sums(i) && provenance_only_joins(k, i);
}

uint32_t provenance_added(const struct isa_kernel *k, const uint64_t *of) {
    uint64_t added = 0, others = 0;
    if (k->nparams > 64) return 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & ISA_OP_IMAGE) return 0; /* which may be made of a buffer */
        if (!(isa_op_info[i->op].flags & ISA_OP_MEMORY) || i->space != ISA_GLOBAL) continue;
        uint64_t from = provenance_of(k, of, i);
        *(provenance_only_adds(k, i) && !(from & (from - 1)) ? &added : &others) |= from;
    }
    for (uint32_t p = 0; p < k->nparams; p++)
        if ((added & ~others) >> p & 1 && !(k->params[p].qualifiers & ISA_QUAL_VOLATILE))
            return p + 1;
    return 0;
}

uint64_t provenance_read(const struct isa_kernel *k, const uint64_t *of) {
    uint64_t read = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool memory = isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space == ISA_GLOBAL;
        if (memory && i->ndst) read |= provenance_of(k, of, i);
    }
    return read;
}

const char *provenance_not_added(const struct isa_kernel *k, const uint64_t *of,
                                 const struct isa_inst *i, uint32_t param) {
    uint64_t from = provenance_of(k, of, i);
    if (!provenance_only_adds(k, i)) return "what was there is used";
    if (!from || from & (from - 1)) return "it may be the memory of several parameters";
    if (!param)
        return "its memory is accessed in another way too, by this kernel or as an image, or "
               "volatile";
    return from == UINT64_C(1) << (param - 1) ? NULL : "another parameter has the tables";
}
