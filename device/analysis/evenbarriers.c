/* Registers are found whose values the groups of a launch may have different ones of, and code that
 * not all of them may come to, or not as often, over and over until nothing is new. */
#include "evenbarriers.h"

#include <stdlib.h>

#include "provenance.h"

/* What a register's value comes from, other than arguments and sizes. */
enum { OWN_GROUP = 1, OWN_ITEM = 2, OWN_MEMORY = 4 };

/* Who comes to the instructions of a region. */
enum comers {
    COME_ALL,    /* all groups, */
    COME_PASSED, /* those that end by a guard, or */
    COME_SOME
};

struct even_walk {
    const struct isa_kernel *k;
    uint8_t *own;    /* registers */
    uint8_t *parted; /* instructions: a region that groups leave at times of their own */
    uint32_t begin[ISA_MAX_NESTING + 1]; /* regions that are open: where they begin, */
    uint8_t comers[ISA_MAX_NESTING + 1]; /* enum comers */
    uint32_t depth, loops;
    bool ended; /* some groups may have ended other than by a guard */
    bool changed, even;
};

static uint8_t own_of(const struct even_walk *w, isa_operand o) {
    return isa_is_reg(o) ? w->own[o] : 0;
}

static uint8_t of_special(uint32_t which) {
    if (!isa_special_uniform[which]) return OWN_ITEM;
    return which >= ISA_SPECIAL_group_id_x && which <= ISA_SPECIAL_group_id_z ? OWN_GROUP : 0;
}

static uint8_t result_of(const struct even_walk *w, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    uint8_t own = 0;
    if (i->op == ISA_special) return of_special((uint32_t)i->imm);
    if (i->op == ISA_localaddr) return OWN_GROUP;
    bool moves = flags & (ISA_OP_MEMORY | ISA_OP_IMAGE), fixed = i->space == ISA_PARAM;
    if (moves ? !fixed && i->space != ISA_CONSTANT : !(flags & ISA_OP_PURE)) return OWN_MEMORY;
    for (unsigned s = 0; s < i->nsrc; s++) own |= own_of(w, isa_srcs(w->k, i)[s]);
    return own;
}

static void note(struct even_walk *w, uint8_t *of, uint8_t what) {
    w->changed |= (*of | what) != *of;
    *of |= what;
}

/* Some groups, but not all, leave the regions round here, as far as one of that depth. */
static void leave(struct even_walk *w, uint32_t to) {
    for (uint32_t d = to ? to : 1; d <= w->depth; d++) note(w, &w->parted[w->begin[d]], 1);
}

/* All that come into the `if` end there, and wait for nobody before. */
static bool ends(const struct isa_kernel *k, uint32_t begin) {
    uint32_t end = k->insts[begin].match;
    return end > begin && k->insts[end].op == ISA_endif && k->insts[end - 1].op == ISA_ret &&
           !isa_waits_between(k, begin, end);
}

/* A guard is an `if` that is left for good, without a barrier in it, that hangs on where the
 * work-item is, in no loop: those that have ended no barrier waits for. An `if` with barriers some
 * groups may pass as a whole, others not, and a tile would in part. Where one hangs on the group
 * alone a group would end, or not, with all its warps, and a tile would not. */
static enum comers comers_of(const struct even_walk *w, uint32_t n, enum comers round) {
    const struct isa_inst *i = &w->k->insts[n];
    uint8_t by = i->op == ISA_if ? own_of(w, isa_srcs(w->k, i)[0]) : 0;
    if (w->parted[n]) return COME_SOME;
    if (!by || round == COME_SOME) return round;
    bool guard = by & OWN_ITEM && !(by & OWN_MEMORY) && !w->loops && round == COME_ALL;
    return guard && ends(w->k, n) ? COME_PASSED : COME_SOME;
}

static void step(struct even_walk *w, uint32_t n) {
    const struct isa_inst *i = &w->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    enum comers comers = w->ended ? COME_SOME : (enum comers)w->comers[w->depth];
    bool own = i->nsrc && own_of(w, isa_srcs(w->k, i)[0]);
    if (flags & ISA_OP_REGION_BEGIN) {
        w->begin[++w->depth] = n;
        w->comers[w->depth] = (uint8_t)comers_of(w, n, comers);
        w->loops += i->op == ISA_loop;
    } else if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
        w->loops -= i->op == ISA_endloop;
        w->depth -= (flags & ISA_OP_REGION_END) != 0;
    } else if (i->op == ISA_ret) {
        if (comers == COME_SOME) leave(w, 0);
        w->ended |= comers == COME_SOME;
    } else if (flags & ISA_OP_JUMP) {
        uint32_t to = w->depth - (uint32_t)i->imm;
        bool some = comers == COME_SOME || (i->op == ISA_breakif && own);
        if (some || comers != w->comers[to]) leave(w, to);
    } else if (i->op == ISA_bar) {
        w->even &= comers == COME_ALL;
    } else if (i->ndst) {
        uint8_t what = result_of(w, i) | (comers == COME_SOME ? OWN_MEMORY : 0);
        for (unsigned d = 0; d < i->ndst; d++) note(w, &w->own[isa_dsts(w->k, i)[d]], what);
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
        w.depth = w.loops = 0;
        for (uint32_t n = 0; good && w.even && n < k->ninsts; n++) step(&w, n);
    } while (w.changed && w.even);
    free(w.own);
    free(w.parted);
    return good && w.even;
}
