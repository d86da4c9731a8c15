/* Registers are found whose values the groups of a launch may have different ones of, and code that
 * not all of them may come to, or not as often, over and over until nothing is new. */
#include "evenbarriers.h"

#include <stdlib.h>

#include "provenance.h"

struct even_walk {
    const struct isa_kernel *k;
    uint8_t *own;    /* registers: groups have values of their own */
    uint8_t *parted; /* instructions: a region that they leave at different times */
    uint32_t begin[ISA_MAX_NESTING + 1]; /* regions that are open: where they begin, */
    bool apart[ISA_MAX_NESTING + 1];     /* and whether all groups are there */
    uint32_t depth;
    bool ended; /* some groups may have ended */
    bool changed, even;
};

static bool is_own(const struct even_walk *w, isa_operand o) { return isa_is_reg(o) && w->own[o]; }

/* What the instruction gives may be a group's own. */
static bool gives_own(const struct even_walk *w, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_special)
        return !isa_special_uniform[i->imm] ||
               (i->imm >= ISA_SPECIAL_group_id_x && i->imm <= ISA_SPECIAL_group_id_z);
    if (i->op == ISA_localaddr) return true;
    if (flags & (ISA_OP_MEMORY | ISA_OP_IMAGE)) {
        if (i->space != ISA_PARAM && i->space != ISA_CONSTANT) return true;
    } else if (!(flags & ISA_OP_PURE)) {
        return true;
    }
    for (unsigned s = 0; s < i->nsrc; s++)
        if (is_own(w, isa_srcs(w->k, i)[s])) return true;
    return false;
}

static void note(struct even_walk *w, uint8_t *of) {
    w->changed |= !*of;
    *of = 1;
}

/* Some groups, but not all, leave the regions round here, as far as one of that depth. */
static void leave(struct even_walk *w, uint32_t to) {
    for (uint32_t d = to; d <= w->depth; d++)
        if (d) note(w, &w->parted[w->begin[d]]);
}

static void step(struct even_walk *w, uint32_t n) {
    const struct isa_inst *i = &w->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    bool apart = w->ended || w->apart[w->depth], own = i->nsrc && is_own(w, isa_srcs(w->k, i)[0]);
    if (flags & ISA_OP_REGION_BEGIN) {
        w->begin[++w->depth] = n;
        w->apart[w->depth] = apart || w->parted[n] || (i->op == ISA_if && own);
    } else if (flags & ISA_OP_REGION_END) {
        w->depth--;
    } else if (i->op == ISA_ret) {
        if (!apart) return;
        leave(w, 0);
        w->ended = true;
    } else if (flags & ISA_OP_JUMP) {
        if (apart || (i->op == ISA_breakif && own)) leave(w, w->depth - (uint32_t)i->imm);
    } else if (i->op == ISA_bar) {
        w->even &= !apart;
    } else if (i->ndst && (apart || gives_own(w, i))) {
        for (unsigned d = 0; d < i->ndst; d++) note(w, &w->own[isa_dsts(w->k, i)[d]]);
    }
}

/* A group that asks what others have added to may be told another thing where they go together. */
static bool asks_others(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & ISA_OP_ATOMIC && i->space != ISA_LOCAL &&
            !provenance_only_adds(k, i))
            return true;
    }
    return false;
}

bool evenbarriers_find(const struct isa_kernel *k) {
    struct even_walk w = {.k = k,
                          .own = calloc(k->nregs + 1ull, 1),
                          .parted = calloc(k->ninsts + 1ull, 1),
                          .even = !asks_others(k)};
    bool good = w.own && w.parted;
    do {
        w.changed = w.ended = false;
        w.depth = 0;
        for (uint32_t n = 0; good && w.even && n < k->ninsts; n++) step(&w, n);
    } while (w.changed && w.even);
    free(w.own);
    free(w.parted);
    return good && w.even;
}
