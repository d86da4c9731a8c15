/* Loop-invariant code. A pure operation whose sources no enclosing loop assigns moves before the
 * outermost such loop; more lanes compute it there, which is harmless. Costly operations move only
 * when every iteration would have computed them. A load moves where the loop leaves its memory
 * alone and the first iteration begins with it, so that it is done by the lanes that would have
 * done it. */
#include "device/isa/loops.h"
#include "pass.h"

enum { CHEAP_CLOCKS = 16 }; /* issue cost up to which an operation may be computed in vain */

struct hoist {
    struct isa_kernel *k;
    struct loops l;
    uint32_t *target; /* each instruction: the loop it goes before, 0: it stays */
    uint32_t *home;   /* of ordered registers: the loop their definition is in when all is moved */
    uint8_t *leads;   /* each instruction: all lanes that begin its loop come to it at once */
    unsigned *clobbers; /* each loop: spaces that it may change, a set */
};

static bool movable(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_ld) return !(i->flags & ISA_VOLATILE);
    if (i->site) return false; /* it may go wrong, which only matters where it is wanted */
    return (flags & ISA_OP_PURE) && !(flags & ISA_OP_MEMORY);
}

/* Fills leads and clobbers. */
static void look(struct hoist *h) {
    const struct isa_kernel *k = h->k;
    bool leads = false;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        const uint32_t ends = ISA_OP_JUMP | ISA_OP_REGION_BEGIN | ISA_OP_REGION_END;
        h->leads[i] = leads;
        if (isa_op_info[inst->op].flags & ends) leads = inst->op == ISA_loop;
        for (uint32_t l = h->l.loop_of[i]; l; l = h->l.loops[l].parent)
            h->clobbers[l] |= pass_clobbers(inst);
    }
}

/* Whether instruction i, which is in the loop or begins one that is, may go before it. */
static bool leaves(const struct hoist *h, uint32_t i, const struct isa_inst *inst, uint32_t loop) {
    if (inst->op != ISA_ld || inst->space == ISA_PARAM) return true;
    return h->leads[i] && !(h->clobbers[loop] >> inst->space & 1);
}

/* The innermost loop around instruction i in which source o is assigned. */
static uint32_t bound(const struct hoist *h, uint32_t i, isa_operand o) {
    if (!isa_is_reg(o)) return 0;
    uint32_t loop = h->l.loop_of[i];
    if (h->l.ordered[o]) { /* where its definition ends up: an enclosing loop of i */
        uint32_t home = h->home[o];
        while (loop && h->l.loops[loop].level > h->l.loops[home].level)
            loop = h->l.loops[loop].parent;
        return loop;
    }
    while (loop && !loops_assign(&h->l, o, loop)) loop = h->l.loops[loop].parent;
    return loop;
}

static void decide(struct hoist *h, uint32_t i) {
    struct isa_kernel *k = h->k;
    const struct isa_inst *inst = &k->insts[i];
    const isa_operand *dst = isa_dsts(k, inst), *src = isa_srcs(k, inst);
    uint32_t home = h->l.loop_of[i];
    bool can = home && movable(inst) && inst->ndst;
    for (unsigned d = 0; d < inst->ndst; d++) can = can && h->l.ordered[dst[d]];
    if (can && h->l.conditional[i] && isa_op_info[inst->op].clocks > CHEAP_CLOCKS) can = false;
    if (can) {
        uint32_t stop = 0;
        for (unsigned s = 0; s < inst->nsrc; s++) {
            uint32_t b = bound(h, i, src[s]);
            if (h->l.loops[b].level > h->l.loops[stop].level) stop = b;
        }
        /* Beyond a loop that is itself conditional only what is cheap goes. */
        bool costly = isa_op_info[inst->op].clocks > CHEAP_CLOCKS;
        uint32_t begin = i;
        while (home != stop && leaves(h, begin, inst, home)) {
            begin = h->l.loops[home].begin;
            h->target[i] = home;
            home = h->l.loops[home].parent;
            if (costly && h->l.conditional[begin]) break;
        }
    }
    for (unsigned d = 0; d < inst->ndst; d++)
        if (h->l.ordered[dst[d]]) h->home[dst[d]] = home;
}

bool pass_hoist(const struct pass *p) {
    struct isa_kernel *k = p->k;
    struct arena *arena = p->arena;
    struct hoist h = {.k = k};
    if (!loops_find(&h.l, k, arena)) return false;
    h.target = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    h.home = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    h.leads = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    h.clobbers = ARENA_ARRAY(arena, unsigned, h.l.nloops + 1u);
    look(&h);
    for (uint32_t i = 0; i < k->ninsts; i++) decide(&h, i);
    bool any = false;
    for (uint32_t i = 0; i < k->ninsts && !any; i++) any = h.target[i] != 0;
    if (!any) return false;
    /* What goes before each loop, in order. */
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, h.l.nloops + 2u);
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    for (uint32_t i = k->ninsts; i-- > 0;) {
        if (!h.target[i]) continue;
        next[i] = first[h.target[i]];
        first[h.target[i]] = i + 1;
    }
    struct rewrite_code old = rewrite_take(k, arena);
    uint32_t loop = 0;
    for (uint32_t i = 0; i < old.ninsts; i++) {
        const struct isa_inst *inst = &old.insts[i];
        if (h.target[i]) continue;
        if (inst->op == ISA_loop)
            for (uint32_t m = first[++loop]; m; m = next[m - 1]) {
                const struct isa_inst *moved = &old.insts[m - 1];
                trace_tell(&p->trace, moved, "%s moves before the loop of line %u",
                           isa_op_info[moved->op].name, inst->line);
                const isa_operand *dst = old.operands + moved->operands;
                rewrite_put(k, moved, dst, dst + moved->ndst);
            }
        const isa_operand *dst = old.operands + inst->operands;
        rewrite_put(k, inst, dst, dst + inst->ndst);
    }
    return true;
}
