/* A run is found by how its counters start and by what the loop is left: lanes are a run apart, and
 * an iteration depends on its counters and on what all lanes have the same of. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "device/analysis/provenance.h"
#include "device/analysis/warpregions.h"
#include "device/isa/iteration.h"
#include "device/opt/unrolled.h"

enum { MOST_INSTS = 400 /* of such a loop */ };

/* ---- operands ---- */

bool runs_computes(const struct isa_kernel *k, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++)
        if (k->insts[n].op != ISA_breakif && !(isa_op_info[k->insts[n].op].flags & ISA_OP_PURE))
            return false;
    return true;
}

bool runs_known(const struct runs_finder *f, isa_operand o, uint32_t n) {
    uint32_t at = loops_writer(&f->loops, o, 0);
    return at < n && warpregions_passed(f->k, at, n);
}

uint32_t runs_writer(const struct runs_finder *f, const struct run_loop *l, isa_operand o) {
    uint32_t at = loops_writer(&f->loops, o, 0);
    return at < LOOPS_NONE && loops_inside(&f->loops, f->loops.loop_of[at], l->loop) ? at
                                                                                     : LOOPS_NONE;
}

/* ---- which loops ---- */

/* Images that are read are not stored to; one store of an element's keeps their order. */
static bool moves_texels(const struct runs_finder *f, struct run_loop *l, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    bool stores = i->op == ISA_img_write, again = l->texels && stores;
    if (isa_has_read_write(f->k)) return false;
    l->texels |= stores;
    return (stores || i->op == ISA_img_read) && i->mod != ISA_DIM_1D_BUFFER && !again &&
           !(stores && runs_inner(f, l, n));
}

/* Atomic operations on one parameter's memory, of one kind: whatever their order, they come to the
 * same where nobody looks at what was there. */
static bool joins(const struct runs_finder *f, struct run_loop *l, const struct isa_inst *i) {
    if (!(isa_op_info[i->op].flags & ISA_OP_ATOMIC) || !provenance_only_joins(f->k, i))
        return false;
    uint64_t from = provenance_of(f->k, f->provenance, i);
    if (!from || from & (from - 1) || from > UINT32_MAX) return false;
    if (l->joined && (l->joined != from || l->joins != i->op)) return false;
    l->joined = (uint32_t)from;
    l->joins = (enum isa_op)i->op;
    return true;
}

/* The buffers in which volatile elements are that the instruction accesses. */
static uint64_t watched(const struct runs_finder *f, const struct isa_inst *i) {
    return isa_is_watched(i) ? provenance_of(f->k, f->provenance, i) : 0;
}

/* Nothing but what computes and moves data, within the loop: its own condition, which is found, is
 * all that leaves it. Each volatile element is accessed as often as it says. Who sees what an
 * iteration has stored last sees all that it, and those before it, have stored: an iteration never
 * comes before an earlier one, and those of one turn do one instruction after the other. What is
 * loaded may be another buffer's later state, unless there is but one. */
static bool stays(const struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    uint32_t depth = 0, end = k->insts[l->begin].match;
    uint64_t seen[2] = {0}; /* volatile: loaded; loaded or stored */
    for (uint32_t n = l->begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (flags & ISA_OP_JUMP) {
            if (i->op == ISA_ret) return false;
            if ((uint32_t)i->imm < depth) continue;
            if (depth || i->imm || i->op != ISA_breakif || l->ntests == RUNS_TESTS) return false;
            l->tests[l->ntests++] = n;
        } else if (i->op == ISA_ld || i->op == ISA_st) {
            bool own = i->space == ISA_PRIVATE || (i->space == ISA_LOCAL && i->op == ISA_st);
            seen[0] |= i->op == ISA_ld ? watched(f, i) : 0;
            seen[1] |= watched(f, i);
            if (own || (seen[0] && seen[1] & (seen[1] - 1))) return false;
        } else if (flags & ISA_OP_IMAGE
                       ? !moves_texels(f, l, n)
                       : !(flags & (ISA_OP_REGION | ISA_OP_PURE)) && !joins(f, l, i)) {
            return false;
        }
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
    l->test = l->tests[0];
    return l->ntests && !(l->joined && seen[1]);
}

const struct run_counter *runs_counter(const struct run_loop *l, isa_operand reg) {
    for (unsigned n = 0; n < l->ncounters; n++)
        if (l->counters[n].reg == reg) return &l->counters[n];
    return NULL;
}

bool runs_one(const struct runs_finder *f, isa_operand reg, unsigned span) {
    struct shape_value v = f->shape->regs[reg];
    return v.span >= span && !v.stride;
}

/* Registers that the loop steps by what does not change, once in each iteration. */
static bool find_counters(const struct runs_finder *f, struct run_loop *l) {
    for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++) {
        struct loop_counter c;
        if (!loops_step(&f->loops, f->k, n, &c) || c.loop != l->loop || c.down) continue;
        if (isa_is_reg(c.step) && (runs_varies(f, l, c.step) || !runs_one(f, c.step, SHAPE_GROUP)))
            continue;
        if (l->ncounters == RUNS_COUNTERS) return false;
        l->counters[l->ncounters++] = (struct run_counter){.reg = c.reg, .step = c.step, .at = n};
    }
    return l->ncounters;
}

/* What each lane has of its own, and does not change, is given to those that do its iterations. */
static bool note_own(struct run_loop *l, isa_operand o) {
    for (unsigned n = 0; n < l->nown; n++)
        if (l->own[n] == o) return true;
    if (!l->spread || l->nown == RUNS_OWN) return false;
    l->own[l->nown++] = o;
    return true;
}

/* An iteration reads counters, what it has written itself, and what lanes of a span have the same
 * of, or each of its own. */
static bool is_apart(struct runs_finder *f, struct run_loop *l, unsigned span) {
    const struct isa_kernel *k = f->k;
    iteration_find(k, l->begin, f->left_out, f->arena, f->uses);
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (f->left_out[n]) continue;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (!isa_is_reg(o) || runs_counter(l, o) || reductions_has(l, o)) continue;
            if (runs_varies(f, l, o) ? f->uses[o] & ITERATION_READS
                                     : !runs_one(f, o, span) && !note_own(l, o))
                return false;
        }
        if (i->op == ISA_special && !isa_special_uniform[i->imm] &&
            !runs_one(f, isa_dsts(k, i)[0], span))
            return false;
    }
    return true;
}

/* What it writes is not read elsewhere, but for counters and reductions. */
static bool leaves_nothing(const struct runs_finder *f, const struct run_loop *l) {
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        if (n > l->begin && n < f->k->insts[l->begin].match) continue;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(f->k, i)[s];
            if (runs_varies(f, l, o) && !runs_counter(l, o) && !reductions_has(l, o)) return false;
        }
    }
    return true;
}

/* ---- memory ---- */

static struct run_place *place_of(struct run_loop *l, uint32_t param) {
    for (unsigned n = 0; n < l->nplaces; n++)
        if (l->places[n].param == param) return &l->places[n];
    if (l->nplaces == RUNS_PLACES) return NULL;
    l->places[l->nplaces] = (struct run_place){.reg = ISA_NO_OPERAND, .param = param};
    return &l->places[l->nplaces++];
}

bool runs_same(const struct runs_finder *f, const struct run_loop *l, isa_operand a, isa_operand b,
               unsigned left) {
    if (isa_is_const(a) || isa_is_const(b) || a == ISA_NO_OPERAND || b == ISA_NO_OPERAND)
        return a == b;
    if (a == b && !runs_varies(f, l, a)) return true;
    uint32_t x = runs_writer(f, l, a), y = runs_writer(f, l, b);
    if (x == LOOPS_NONE || y == LOOPS_NONE || !left) return false;
    const struct isa_inst *i = &f->k->insts[x], *j = &f->k->insts[y];
    if (i->op != j->op || i->type != j->type) return false;
    if (i->nsrc != j->nsrc || i->ndst != 1 || i->imm != j->imm) return false;
    if (a == b) return true;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->type2 != j->type2) return false;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand p = isa_srcs(f->k, i)[s], q = isa_srcs(f->k, j)[s];
        const struct run_counter *c = isa_is_reg(p) ? runs_counter(l, p) : NULL;
        bool same = c ? p == q && (x < c->at) == (y < c->at) : runs_same(f, l, p, q, left - 1);
        if (!same) return false;
    }
    return true;
}

static void note(const struct runs_finder *f, const struct run_loop *l, struct run_place *p,
                 uint32_t n) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *i = &k->insts[n];
    isa_operand at = isa_srcs(k, i)[0];
    int32_t end = i->imm + (int32_t)isa_bytes(i);
    if (p->loads + p->stores == 0) {
        p->reg = at;
        p->first = i->imm;
        p->end = end;
    }
    if (i->imm < p->first) p->first = i->imm;
    if (end > p->end) p->end = end;
    const struct run_counter *c = isa_is_reg(at) ? runs_counter(l, at) : NULL;
    p->others |= c ? at != p->reg || n > c->at : !runs_same(f, l, at, p->reg, RUNS_CHAIN);
    p->loads += i->op == ISA_ld;
    p->stores += i->op == ISA_st;
}

bool runs_inner(const struct runs_finder *f, const struct run_loop *l, uint32_t n) {
    uint32_t in = f->loops.loop_of[n];
    return in != l->loop && n != f->loops.loops[in].end;
}

/* An address has one value in an iteration: it is a counter, or written once. */
static bool is_own(const struct runs_finder *f, const struct run_loop *l, isa_operand reg) {
    uint32_t at = runs_writer(f, l, reg);
    return runs_counter(l, reg) || (at != LOOPS_NONE && !runs_inner(f, l, at));
}

/* Elements of one turn are done at once; stores of one instruction are then in the order of lanes,
 * which is theirs. Others must not lie in what another element stores. */
bool runs_checked(const struct run_place *p) { return p->loads + p->stores > 1 || p->again; }

/* What it stores to has one parameter; and where it accesses that more than once, one address for
 * all. */
static bool find_places(struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    uint32_t end = k->insts[l->begin].match;
    for (uint32_t n = l->begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op != ISA_st) continue;
        uint32_t from = i->space == ISA_GLOBAL ? provenance_param(k, f->provenance, i) : 0;
        struct run_place *p = from ? place_of(l, (uint32_t)__builtin_ctz(from)) : NULL;
        if (!p) return false;
        if (!runs_varies(f, l, isa_srcs(k, i)[0])) return false;
        p->again |= runs_inner(f, l, n);
        note(f, l, p, n);
        l->alone |= from;
    }
    for (uint32_t n = l->begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op != ISA_ld || i->space != ISA_GLOBAL) continue;
        uint64_t from = provenance_of(k, f->provenance, i);
        if (from == UINT64_MAX || from & l->joined) return false;
        for (unsigned p = 0; p < l->nplaces; p++)
            if (from >> l->places[p].param & 1) note(f, l, &l->places[p], n);
    }
    for (unsigned p = 0; p < l->nplaces; p++) {
        if (!runs_checked(&l->places[p])) continue;
        if (!is_own(f, l, l->places[p].reg)) return false;
        l->others |= l->places[p].others;
    }
    if (l->alone & l->joined) return false;
    l->alone |= l->joined;
    return l->nplaces || l->nreductions || l->texels;
}

/* ---- finding them ---- */

/* Of a length that is known; by what it is left nobody else reads. */
static bool fits_length(struct runs_finder *f, struct run_loop *l) {
    if (!runlengths_find(f, l) || (l->others && !exits_pairs(f, l))) return false;
    unsigned span = SHAPE_WARP;
    while (span > SHAPE_VARYING && !(runlengths_fit(f, l, span) && is_apart(f, l, span))) span--;
    l->lanes = span > SHAPE_VARYING ? shape_span_lanes(span) : 0;
    return l->lanes && !(l->npairs && l->down);
}

static bool fits_spread(struct runs_finder *f, struct run_loop *l) {
    l->spread = true;
    l->lanes = ISA_WARP;
    l->full = shape_full(f->shape, l->begin) >= SHAPE_WARP && f->sized->items % ISA_WARP == 0;
    if (l->nreductions && !f->rows)
        f->rows = unrolled_find(f->k, f->arena, f->provenance, UNROLLED_JOINED);
    if (!exits_find(f, l) || (!l->paired && l->others) || !is_apart(f, l, SHAPE_WARP) ||
        !exits_gain(f, l))
        return false;
    l->jam = l->joined || l->nreductions ? NULL : rowjam_find(f, l);
    return true;
}

static bool fits(struct runs_finder *f, uint32_t begin, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    *l = (struct run_loop){.begin = begin, .loop = loops_at(&f->loops, begin)};
    if (k->insts[begin].match - begin > MOST_INSTS || !stays(f, l)) return false;
    if (!find_counters(f, l)) return false;
    reductions_find(f, l);
    if (!leaves_nothing(f, l) || !find_places(f, l)) return false;
    struct run_loop found = *l;
    if (l->nreductions || !fits_length(f, l)) {
        *l = found;
        return fits_spread(f, l);
    }
    if ((l->ncuts || l->partial) && fits_spread(f, &found)) {
        l->other = ARENA_NEW(f->arena, struct run_loop);
        *l->other = found;
    }
    return true;
}

bool runs_find(struct runs_finder *f, const struct sized *s, struct runs *found) {
    const struct isa_kernel *k = s->k;
    struct arena_try t;
    *found = (struct runs){0};
    *f = (struct runs_finder){.sized = s, .k = k};
    if (ARENA_FAILS(&t)) return false;
    bool any = loops_find(&f->loops, k, t.arena);
    f->uses = ARENA_ARRAY(t.arena, uint8_t, k->nregs + 1u);
    f->counted = ARENA_ARRAY(t.arena, uint8_t, k->nregs + 1u);
    f->left_out = ARENA_ARRAY(t.arena, uint8_t, k->ninsts + 1u);
    f->first = ARENA_ARRAY(t.arena, uint8_t, k->ninsts + 1u);
    f->arena = t.arena;
    if (!any) return true;
    f->shape = shape_new_lockstep(k, s->groups.size);
    f->provenance = provenance_new(k);
    if (!f->shape || !f->provenance) return false;
    for (uint32_t n = 0; n < k->ninsts && found->count < RUNS_LOOPS; n++)
        if (k->insts[n].op == ISA_loop && fits(f, n, &found->of[found->count])) {
            found->count++;
            n = k->insts[n].match;
        }
    return true;
}

void runs_end(struct runs_finder *f) {
    arena_free(f->arena);
    shape_free(f->shape);
    free(f->provenance);
}

bool runs_takes(const struct sized *s, const struct isa_kernel *k, uint32_t begin,
                bool (*fits)(void *context, const struct runs_finder *f, const struct run_loop *l),
                void *context) {
    struct sized with = *s;
    struct runs_finder *f = calloc(1, sizeof *f);
    struct runs *found = calloc(1, sizeof *found);
    bool takes = false;
    with.k = k;
    if (f && found && runs_find(f, &with, found))
        for (unsigned n = 0; n < found->count; n++)
            takes |= found->of[n].begin == begin && fits(context, f, &found->of[n]);
    if (f) runs_end(f);
    free(found);
    free(f);
    return takes;
}
