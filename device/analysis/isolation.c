#include "isolation.h"

#include <stdlib.h>

#include "provenance.h"

enum { PARAMS = 32, IMAGES = 63 /* a bit beside parameters: what is stored to images */ };

/* Where the stores to a parameter go: the register with the address, and what is added. */
struct isolation_place {
    isa_operand at; /* ISA_NO_OPERAND: there is none yet */
    int64_t displacement;
    bool several; /* they go to others, too */
};

struct isolation_walk {
    const struct isa_kernel *k;
    uint64_t *from;          /* registers: provenance */
    uint8_t *steady;         /* registers: the value is one for the work-item, 1 or 0 */
    uint64_t stored, others; /* parameters that are stored to; that are read, or more */
    uint64_t atomic;         /* to whose memory atomic operations are done, */
    uint8_t kind[PARAMS];    /* all of this kind */
    struct isolation_place place[PARAMS];
};

/* Registers that one instruction writes, in no loop. */
static void find_steady(struct isolation_walk *a) {
    enum { NEVER, ONCE, OFTEN };
    uint32_t loops = 0;
    for (uint32_t n = 0; n < a->k->ninsts; n++) {
        const struct isa_inst *i = &a->k->insts[n];
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        for (unsigned d = 0; d < i->ndst; d++) {
            uint8_t *writes = &a->steady[isa_dsts(a->k, i)[d]];
            *writes = *writes == NEVER && !loops ? ONCE : OFTEN;
        }
    }
    for (uint32_t r = 0; r < a->k->nregs; r++) a->steady[r] = a->steady[r] == ONCE;
}

/* A store to parameter p. A lane may store over what another one has stored earlier where there are
 * two stores, or one in a loop; not where they all store to one address of the work-item's. */
static bool stores(struct isolation_walk *a, const struct isa_inst *i, unsigned p, bool in_loop) {
    struct isolation_place *place = &a->place[p];
    isa_operand at = isa_srcs(a->k, i)[0];
    bool first = place->at == ISA_NO_OPERAND, again = a->stored >> p & 1;
    bool same = first || (place->at == at && place->displacement == i->imm);
    if (first) *place = (struct isolation_place){.at = at, .displacement = i->imm};
    place->several |= !same;
    return !(again || in_loop) || (!place->several && isa_is_reg(at) && a->steady[at]);
}

/* A store to an image, which no work-item can read meanwhile where all are for one or the other. */
static enum isolation stores_texel(struct isolation_walk *a, const struct isa_inst *i,
                                   bool in_loop) {
    bool again = a->stored >> IMAGES & 1;
    if (isa_has_read_write(a->k)) return ISOLATION_NONE;
    a->stored |= UINT64_C(1) << IMAGES;
    return again || in_loop || i->mod == ISA_DIM_1D_BUFFER ? ISOLATION_NONE : ISOLATION_ALWAYS;
}

/* An atomic operation on a parameter's memory: whatever their order, those of one kind come to the
 * same where nobody looks at what was there. */
static enum isolation joins(struct isolation_walk *a, const struct isa_inst *i, unsigned p) {
    bool first = !(a->atomic >> p & 1);
    uint8_t kind = i->op == ISA_atom_sub ? ISA_atom_add : (uint8_t)i->op;
    if (!provenance_only_joins(a->k, i) || (!first && a->kind[p] != kind)) return ISOLATION_NONE;
    a->atomic |= UINT64_C(1) << p;
    a->kind[p] = kind;
    return ISOLATION_ALWAYS;
}

/* One access the more, by which work-items may be apart; or not, whatever is launched. */
static enum isolation accesses(struct isolation_walk *a, const struct isa_inst *i, bool in_loop) {
    uint32_t flags = isa_op_info[i->op].flags;
    bool image = flags & ISA_OP_IMAGE, memory = flags & ISA_OP_MEMORY;
    if (image && flags & ISA_OP_WRITES) return stores_texel(a, i, in_loop);
    if (image && i->mod == ISA_DIM_1D_BUFFER) a->others = UINT64_MAX;
    if (!memory || i->space == ISA_PARAM || i->space == ISA_PRIVATE || i->space == ISA_LOCAL)
        return ISOLATION_ALWAYS;
    uint64_t where = provenance_of(a->k, a->from, i);
    if (i->op == ISA_ld) {
        a->others |= where;
        return ISOLATION_ALWAYS;
    }
    if (where & (where - 1) || where >> PARAMS || a->k->nparams > PARAMS) return ISOLATION_NONE;
    if (flags & ISA_OP_ATOMIC) return joins(a, i, (unsigned)__builtin_ctzll(where));
    if (i->op != ISA_st) return ISOLATION_NONE;
    bool good = stores(a, i, (unsigned)__builtin_ctzll(where), in_loop);
    a->stored |= where;
    return good ? ISOLATION_ALWAYS : ISOLATION_OF_LAUNCH;
}

static enum isolation all_accesses(struct isolation_walk *a) {
    uint64_t before[ISA_MAX_NESTING + 1] = {0}, other[ISA_MAX_NESTING + 1] = {0}; /* of an `if` */
    enum isolation all = ISOLATION_ALWAYS, one;
    uint32_t loops = 0, depth = 0;
    for (uint32_t n = 0; n < a->k->ninsts && all != ISOLATION_NONE; n++) {
        const struct isa_inst *i = &a->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        if (flags & ISA_OP_REGION_BEGIN) {
            before[++depth] = a->stored;
            other[depth] = 0;
        } else if (flags & ISA_OP_REGION_ELSE) { /* no lane does both parts */
            other[depth] = a->stored;
            a->stored = before[depth];
        } else if (flags & ISA_OP_REGION_END) {
            a->stored |= other[depth--];
        }
        one = accesses(a, i, loops);
        if (one < all) all = one;
    }
    if (all == ISOLATION_NONE || a->atomic & (a->stored | a->others)) return ISOLATION_NONE;
    if (!(a->stored & a->others)) return all;
    return a->others == UINT64_MAX ? ISOLATION_NONE : ISOLATION_OF_LAUNCH;
}

enum isolation isolation_find(const struct isa_kernel *k, uint32_t *alone) {
    struct isolation_walk a = {
        .k = k, .from = provenance_new(k), .steady = calloc(k->nregs + 1ull, 1)};
    for (unsigned p = 0; p < PARAMS; p++) a.place[p].at = ISA_NO_OPERAND;
    if (a.steady) find_steady(&a);
    enum isolation is = a.from && a.steady ? all_accesses(&a) : ISOLATION_NONE;
    *alone = is != ISOLATION_NONE ? (uint32_t)(a.stored | a.atomic) : 0;
    free(a.from);
    free(a.steady);
    return is;
}
