/* Stores wait for loads. In straight code that computes several elements one after the other, each
 * from what it loads, the loads lie side by side, and so do the stores, but each load stands behind
 * the store before it. Where the argument that is stored to is alone in its buffer, one version
 * of the code has all loads first, so that engines move each lane's elements together. */
#include "alone.h"
#include "device/analysis/provenance.h"
#include "opt_pass.h"

enum {
    MOST_LENGTH = 400, /* instructions of one piece */
    MOST_STORES = 64,  /* that wait */
    NEAR = 64          /* bytes: elements that may be moved together */
};

/* Straight code. */
struct piece {
    uint32_t from, to; /* instructions, to: the last one */
    uint32_t alone;    /* parameters, as bits; 0: the loads are elsewhere in any case */
    uint32_t known;    /* those that are alone anyway */
};

struct late_finder {
    struct isa_kernel *k;
    const uint64_t *provenance;
    struct piece *pieces;
    uint32_t count;
    bool versions; /* there may be */
};

/* ---- which ---- */

static bool is_global(const struct isa_inst *i, enum isa_op op) {
    return i->op == op && (i->space == ISA_GLOBAL || i->space == ISA_CONSTANT);
}

/* Nothing may be moved past it. */
static bool stops(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    bool moves = i->op == ISA_ld || i->op == ISA_st;
    return flags &
               (ISA_OP_CONTROL | ISA_OP_BARRIER | ISA_OP_ATOMIC | ISA_OP_IMAGE | ISA_OP_PROBE) ||
           (!moves && !(flags & ISA_OP_PURE)) || i->flags & ISA_VOLATILE;
}

/* Is the load n elsewhere than the store s before it? *alone: parameters that have to be. */
static bool may_pass(const struct late_finder *x, uint32_t s, uint32_t n, uint32_t *alone) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *st = &k->insts[s], *ld = &k->insts[n];
    isa_operand base = isa_srcs(k, st)[0];
    if (base == isa_srcs(k, ld)[0] && st->space == ld->space) {
        bool same = ld->imm < st->imm + (int64_t)isa_bytes(st) &&
                    st->imm < ld->imm + (int64_t)isa_bytes(ld);
        if (!same && !isa_writes_between(k, base, s, n)) return true;
    }
    uint32_t param = x->versions ? provenance_param(k, x->provenance, st) : 0;
    *alone |= param;
    return param && !(provenance_of(k, x->provenance, ld) & param);
}

/* Do the two lie side by side? */
static bool is_beside(const struct isa_kernel *k, const struct isa_inst *a,
                      const struct isa_inst *b) {
    int64_t far = (int64_t)a->imm - b->imm, size = isa_type_size[a->type];
    return a->op == b->op && a->space == b->space && a->type == b->type &&
           isa_srcs(k, a)[0] == isa_srcs(k, b)[0] && isa_is_reg(isa_srcs(k, a)[0]) && far &&
           far < NEAR && far > -NEAR && far % size == 0;
}

/* Do loads lie side by side that have a store between them, or stores a load? */
static bool is_worth(const struct isa_kernel *k, const struct piece *piece) {
    for (uint32_t n = piece->from; n <= piece->to; n++) {
        bool load = is_global(&k->insts[n], ISA_ld), between = false;
        if (!load && !is_global(&k->insts[n], ISA_st)) continue;
        for (uint32_t at = n; at-- > piece->from;) {
            between |= is_global(&k->insts[at], load ? ISA_st : ISA_ld);
            if (between && is_beside(k, &k->insts[n], &k->insts[at])) return true;
        }
    }
    return false;
}

/* Is there a load from instruction `from` on that instruction n, a load, lies beside? */
static bool has_neighbour(const struct isa_kernel *k, uint32_t from, uint32_t n) {
    for (uint32_t at = from; at < n; at++)
        if (is_global(&k->insts[at], ISA_ld) && is_beside(k, &k->insts[n], &k->insts[at]))
            return true;
    return false;
}

/* The longest piece from instruction n on, from its first load, or any access, to its last store,
 * or a load beside another one. *next: where another one may begin; false: there is none. */
static bool look(struct late_finder *x, uint32_t n, bool any, uint32_t *next) {
    const struct isa_kernel *k = x->k;
    struct piece piece = {.from = k->ninsts};
    uint32_t stores[MOST_STORES], count = 0;
    bool good = true, behind = false;
    for (; n < k->ninsts && !stops(&k->insts[n]); n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t alone = piece.alone;
        bool load = is_global(i, ISA_ld);
        if ((load || (any && is_global(i, ISA_st))) && piece.from == k->ninsts) piece.from = n;
        if (piece.from == k->ninsts) continue;
        for (uint32_t s = 0; s < count && load && good; s++)
            good = may_pass(x, stores[s], n, &alone);
        if (!good || n - piece.from >= MOST_LENGTH || count == MOST_STORES) break;
        piece.alone = alone;
        behind |= load && count;
        if (is_global(i, ISA_st))
            stores[count++] = n;
        else if (!load || !count || !has_neighbour(k, piece.from, n))
            continue;
        piece.to = n;
    }
    *next = n < k->ninsts && stops(&k->insts[n]) ? n + 1 : n;
    if (piece.from < k->ninsts) piece.known = alone_known(k, piece.from);
    piece.alone &= ~piece.known;
    if (!behind || !is_worth(k, &piece)) return false;
    x->pieces[x->count++] = piece;
    return true;
}

/* ---- writing ---- */

/* A store that waits, with names of its operands. */
struct waiting {
    uint32_t at;
    isa_operand src[1 + UINT8_MAX];
};

/* A load of what one since instruction `from` of the copy has loaded: its results are that one's.
 */
static bool is_again(struct kernelcopy *c, uint32_t n, uint32_t from) {
    const struct isa_inst *i = &c->k->insts[n];
    if (!is_global(i, ISA_ld)) return false;
    isa_operand base = kernelcopy_named(c, isa_srcs(c->k, i)[0]);
    for (uint32_t at = from; at < c->out->ninsts; at++) {
        const struct isa_inst *is = &c->out->insts[at];
        if (is->op != ISA_ld || is->space != i->space || is->type != i->type ||
            is->count != i->count || is->imm != i->imm || isa_srcs(c->out, is)[0] != base)
            continue;
        for (unsigned d = 0; d < i->ndst; d++)
            c->names[isa_dsts(c->k, i)[d]] = isa_dsts(c->out, is)[d];
        isa_site_merge(c->out, is->site, i->site);
        return true;
    }
    return false;
}

/* Are two stores to different places, where these parameters are alone? */
static bool are_apart(const struct late_finder *x, const struct isa_kernel *k, uint32_t a,
                      uint32_t b, uint32_t alone) {
    const struct isa_inst *i = &k->insts[a], *j = &k->insts[b];
    uint32_t p = provenance_param(k, x->provenance, i), q = provenance_param(k, x->provenance, j);
    return p && q && p != q && (p | q) & alone;
}

/* The stores, those that lie side by side one after the other, where others between do not mind. */
static void put_stores(const struct late_finder *x, struct kernelcopy *c, struct waiting *stores,
                       uint32_t count, uint32_t alone) {
    const struct isa_kernel *k = c->k;
    for (uint32_t n = 0; n < count; n++) {
        const struct waiting *w = &stores[n];
        if (w->at == c->k->ninsts) continue;
        bool apart = true;
        uint32_t first = w->at;
        kernelcopy_put_with(c, first, w->src);
        for (uint32_t m = n + 1; m < count && apart; m++) {
            struct waiting *next = &stores[m];
            if (next->at == k->ninsts) continue;
            if (next->src[0] != w->src[0]) {
                apart = are_apart(x, k, first, next->at, alone);
                continue;
            }
            kernelcopy_put_with(c, next->at, next->src);
            next->at = k->ninsts;
        }
    }
}

/* The loads, and what is computed, and then the stores. Each result has a register of its own. */
static void put_late(const struct late_finder *x, struct kernelcopy *c, const struct piece *piece,
                     struct arena *arena) {
    struct waiting *stores = ARENA_ARRAY(arena, struct waiting, MOST_STORES + 1u);
    uint32_t count = 0, from = c->out->ninsts;
    for (uint32_t n = piece->from; n <= piece->to; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        if (!is_global(i, ISA_st)) {
            if (!is_again(c, n, from)) kernelcopy_put_anew(c, n);
            continue;
        }
        struct waiting *w = &stores[count++];
        w->at = n;
        for (unsigned s = 0; s < i->nsrc; s++)
            w->src[s] = kernelcopy_named(c, isa_srcs(c->k, i)[s]);
    }
    put_stores(x, c, stores, count, piece->alone | piece->known);
}

/* Registers that are read elsewhere, or by the piece before it writes them, as it may be in a loop,
 * get what their last name has. */
static void put_back(struct kernelcopy *c, const struct piece *piece, struct arena *arena) {
    uint8_t *read = ARENA_ARRAY(arena, uint8_t, c->k->nregs + 1u);
    uint8_t *written = ARENA_ARRAY(arena, uint8_t, c->k->nregs + 1u);
    for (uint32_t n = 0; n < c->k->ninsts; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        const isa_operand *src = isa_srcs(c->k, i);
        bool inside = n >= piece->from && n <= piece->to;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s]) && !(inside && written[src[s]])) read[src[s]] = 1;
        for (unsigned d = 0; d < i->ndst && inside; d++) written[isa_dsts(c->k, i)[d]] = 1;
    }
    for (uint32_t r = 0; r < c->k->nregs; r++)
        if (c->names[r] != r && read[r]) kernelcopy_move(c, r, c->names[r]);
    kernelcopy_keep_names(c);
}

static void rewrite(struct late_finder *x, struct arena *arena) {
    struct kernelcopy c;
    uint32_t n = 0;
    kernelcopy_take(&c, x->k, arena);
    for (uint32_t p = 0; p < x->count && !c.failed; p++) {
        const struct piece *piece = &x->pieces[p];
        kernelcopy_put_range(&c, n, piece->from);
        c.at = piece->from;
        if (piece->alone) alone_if(&c, piece->alone, 0);
        put_late(x, &c, piece, arena);
        put_back(&c, piece, arena);
        n = piece->to + 1;
        if (piece->alone) kernelcopy_otherwise(&c, piece->from, n, NULL);
    }
    kernelcopy_put_range(&c, n, c.k->ninsts);
}

void opt_late(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    const uint64_t *provenance = alone_provenance(k, arena);
    struct late_finder x = {.k = k, .provenance = provenance};
    x.pieces = ARENA_ARRAY(arena, struct piece, k->ninsts + 1u);
    x.versions = provenance && alone_may(k);
    for (uint32_t n = 0, next; provenance && n < k->ninsts; n = next)
        if (!look(&x, n, true, &next)) look(&x, n, false, &next);
    for (uint32_t n = 0; n < x.count; n++)
        trace_tell(p, &k->insts[x.pieces[n].from], "loads of %u instructions come before stores%s",
                   x.pieces[n].to - x.pieces[n].from + 1,
                   x.pieces[n].alone ? ", where the buffer is no other argument's" : "");
    if (x.count) rewrite(&x, arena);
}
