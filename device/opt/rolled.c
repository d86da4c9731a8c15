#include "rolled.h"

#include <string.h>

/* ---- what steps from copy to copy ---- */

static isa_operand *find_counter(struct rolled *x, isa_operand first, int64_t step,
                                 isa_operand stride) {
    for (unsigned n = 0; n < x->ncounters; n++)
        if (x->counters[n].first == first && x->counters[n].step == step &&
            x->counters[n].stride == stride)
            return &x->counters[n].reg;
    return NULL;
}

/* A register that begins with an operand, in front of the loop. */
static void add_counter(struct rolled *x, isa_operand first, int64_t step, isa_operand stride) {
    if (!step || find_counter(x, first, step, stride)) return;
    enum isa_type type = isa_operand_type(x->copy.out, first);
    x->copy.failed |= x->ncounters == ROLLED_COUNTERS;
    if (x->copy.failed) return;
    x->counters[x->ncounters].first = first;
    x->counters[x->ncounters].step = step;
    x->counters[x->ncounters].stride = stride;
    isa_operand by = kernelcopy_number(&x->copy, type, step);
    if (stride != ISA_NO_OPERAND) by = kernelcopy_result(&x->copy, ISA_mul, type, stride, by);
    x->counters[x->ncounters].by = by;
    x->counters[x->ncounters++].reg =
        kernelcopy_result(&x->copy, ISA_mov, type, first, ISA_NO_OPERAND);
}

/* Where a counter gives the address of an access: what it begins with, and by how much it grows,
 * with its displacement. Else ISA_NO_OPERAND. */
static isa_operand counted(const struct repeats_value *v, int32_t further, int64_t *step) {
    *step = (int64_t)((uint64_t)v->step + (uint64_t)(int64_t)further);
    if (v->kind == REPEATS_COMPUTED && v->fixed) return v->written[v->result];
    return v->kind == REPEATS_SAME || v->kind == REPEATS_STEPS ? v->of[0] : ISA_NO_OPERAND;
}

static void add_address(struct rolled *x, const uint32_t *at, int32_t further) {
    int64_t step;
    if (!further) return;
    x->copy.failed |= repeats_source(x->found, at, 0)->stride != ISA_NO_OPERAND;
    isa_operand first = counted(repeats_source(x->found, at, 0), further, &step);
    if (first != ISA_NO_OPERAND) add_counter(x, first, step, ISA_NO_OPERAND);
}

/* What a copy begins an address with that others begin further on; ISA_NO_OPERAND: it does not. */
static isa_operand begun(struct rolled *x, const uint32_t *at, int64_t *step) {
    if (x->found->k->insts[at[0]].op != ISA_mov) return ISA_NO_OPERAND;
    const struct repeats_value *to = repeats_result(x->found, at),
                               *from = repeats_source(x->found, at, 0);
    if (!to || to->kind != REPEATS_INNER || !to->step) return ISA_NO_OPERAND;
    *step = to->step + (from->kind == REPEATS_STEPS ? from->step : 0);
    return from->of[0];
}

static void put_counters(struct rolled *x) {
    const struct repeats *r = x->found;
    x->ncounters = 0;
    for (unsigned v = 0; v < r->nvalues; v++)
        if (r->values[v].kind == REPEATS_STEPS)
            add_counter(x, r->values[v].of[0], r->values[v].step, r->values[v].stride);
        else
            add_address(x, r->values[v].at, r->values[v].further);
    for (unsigned p = 0; p < r->pieces; p++) {
        struct repeats_walk w = {.piece = p};
        while (repeats_walk(r, &w)) {
            int64_t step;
            isa_operand first = begun(x, w.at, &step);
            if (first != ISA_NO_OPERAND) add_counter(x, first, step, ISA_NO_OPERAND);
            add_address(x, w.at, r->further[w.at[0]]);
        }
    }
}

static void put_steps(struct rolled *x) {
    for (unsigned n = 0; n < x->ncounters; n++) {
        isa_operand reg = x->counters[n].reg;
        enum isa_type type = isa_operand_type(x->copy.out, reg);
        kernelcopy_add(&x->copy, ISA_add, type, reg, reg, x->counters[n].by);
    }
}

/* The address of an access whose displacement grows from copy to copy. */
static isa_operand address(struct rolled *x, struct repeats_value *v, isa_operand of,
                           int32_t further) {
    struct kernelcopy *c = &x->copy;
    int64_t step;
    isa_operand first = counted(v, further, &step);
    if (first != ISA_NO_OPERAND)
        return step ? *find_counter(x, first, step, ISA_NO_OPERAND) : first;
    isa_operand by = kernelcopy_result(c, ISA_mul, ISA_I32, x->turn,
                                       kernelcopy_number(&x->copy, ISA_I32, further));
    return kernelcopy_result(c, ISA_add, ISA_I32, of, by);
}

/* ---- values ---- */

static void put(struct rolled *x, const uint32_t *at, int32_t further, isa_operand *results);

static isa_operand operand(struct rolled *x, struct repeats_value *v) {
    if (v->kind == REPEATS_STEPS && v->step) return *find_counter(x, v->of[0], v->step, v->stride);
    if (v->kind != REPEATS_COMPUTED) return v->of[0];
    bool fresh = !v->written;
    for (unsigned o = 0; o < x->found->nvalues && !v->written; o++) { /* other results of it */
        const struct repeats_value *other = &x->found->values[o];
        bool same = other->kind == REPEATS_COMPUTED &&
                    !memcmp(other->at, v->at, x->found->copies * sizeof *v->at);
        if (same) v->written = other->written;
    }
    if (!v->written) {
        uint32_t results = x->found->k->insts[v->at[0]].ndst;
        v->written = ARENA_ARRAY(x->found->arena, isa_operand, results);
        put(x, v->at, v->further, v->written);
    }
    if (fresh) x->scope[x->nscope++] = v;
    return v->written[v->result];
}

/* What was computed in a part of a region is not there behind it. */
static void leave_scope(struct rolled *x, unsigned since) {
    while (x->nscope > since) x->scope[--x->nscope]->written = NULL;
}

/* An instruction of the first copy for all of them; results: gets new ones, or NULL. */
static void put(struct rolled *x, const uint32_t *at, int32_t further, isa_operand *results) {
    const struct isa_inst *i = &x->found->k->insts[at[0]];
    isa_operand src[UINT8_MAX];
    for (unsigned s = 0; s < i->nsrc; s++) src[s] = operand(x, repeats_source(x->found, at, s));
    int64_t step;
    isa_operand first = begun(x, at, &step);
    if (first != ISA_NO_OPERAND)
        src[0] = step ? *find_counter(x, first, step, ISA_NO_OPERAND) : first;
    if (further) src[0] = address(x, repeats_source(x->found, at, 0), src[0], further);
    struct isa_inst *is = kernelcopy_put_with(&x->copy, at[0], src);
    for (unsigned c = 1; c < x->found->copies; c++) {
        uint32_t site = x->found->k->insts[at[c]].site;
        if (site && i->site && site != i->site) isa_site_merge(x->copy.out, site, i->site);
    }
    if (!results || x->copy.failed) return;
    for (unsigned d = 0; d < i->ndst; d++) {
        results[d] =
            isa_reg_new(x->copy.out, isa_operand_type(x->found->k, isa_dsts(x->found->k, i)[d]));
        isa_dsts(x->copy.out, is)[d] = results[d];
    }
}

/* ---- the loop ---- */

/* Is the instruction in a piece of the first copy? */
static bool in_pieces(const struct repeats *r, uint32_t n) {
    unsigned p = 0;
    while (p < r->pieces && (n < r->of[p].from || n >= r->of[p].to)) p++;
    return p < r->pieces;
}

/* What is computed between the pieces and may not be moved, in its order; and all that a loop would
 * compute in each of its iterations. */
static void put_before(struct rolled *x, unsigned piece) {
    const struct repeats_piece *p = &x->found->of[piece];
    uint32_t from = piece ? p[-1].to : x->found->begin;
    bool loops = loops_between(x->found->k, p->from, p->to);
    for (uint32_t n = loops ? 0 : from; n < p->from; n++)
        for (unsigned v = 0; v < x->found->nvalues; v++) {
            struct repeats_value *is = &x->found->values[v];
            if (is->kind != REPEATS_COMPUTED || is->at[0] != n) continue;
            if (is->ordered ? n >= from : loops && !in_pieces(x->found, n)) operand(x, is);
        }
}

/* What integer operations compute of what is the same in all copies: it is there before the loop.
 */
static void put_fixed(struct rolled *x) {
    for (unsigned v = 0; v < x->found->nvalues; v++) {
        struct repeats_value *is = &x->found->values[v];
        bool steps = is->kind == REPEATS_STEPS && is->step;
        is->fixed = !steps && is->kind != REPEATS_INNER;
        if (is->kind != REPEATS_COMPUTED) continue;
        const struct isa_inst *i = &x->found->k->insts[is->at[0]];
        is->fixed = isa_op_info[i->op].flags & ISA_OP_PURE && !is->ordered &&
                    (i->type == ISA_PRED || isa_is_integer(i->type));
        for (unsigned s = 0; s < i->nsrc; s++)
            is->fixed &= repeats_source(x->found, is->at, s)->fixed;
        if (is->fixed) operand(x, is);
    }
}

/* The `if` that a copy is in, at the end of the one before: who does not go into it leaves. */
static void put_leave(struct rolled *x) {
    struct repeats_walk w = {.piece = 0};
    if (!repeats_walk(x->found, &w)) return;
    struct kernelcopy *c = &x->copy;
    bool stays = x->found->of->to == x->found->of->from + 1;
    isa_operand p = operand(x, repeats_source(x->found, w.at, 0));
    if (x->found->outer != ISA_NO_OPERAND)
        p = kernelcopy_result(c, stays ? ISA_and : ISA_or, ISA_PRED, p, x->found->outer);
    if (stays) p = kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND);
    kernelcopy_control(c, ISA_breakif, p);
}

/* The instructions of a piece, in the regions that they are in. */
static void put_piece(struct rolled *x, unsigned piece) {
    struct repeats_walk w = {.piece = piece};
    unsigned outside[ISA_MAX_NESTING + 1], depth = 0;
    while (repeats_walk(x->found, &w)) {
        uint32_t flags = isa_op_info[x->found->k->insts[w.at[0]].op].flags;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) leave_scope(x, outside[depth - 1]);
        put(x, w.at, x->found->further[w.at[0]], NULL);
        if (flags & ISA_OP_REGION_BEGIN) outside[depth++] = x->nscope;
        if (flags & ISA_OP_REGION_END) depth--;
    }
}

static void put_loop(struct rolled *x) {
    struct kernelcopy *c = &x->copy;
    const isa_operand none = ISA_NO_OPERAND;
    c->at = x->found->of[0].from;
    x->nscope = 0;
    put_fixed(x);
    put_counters(x);
    if (c->failed) return;
    x->turn = kernelcopy_result(c, ISA_mov, ISA_I32, kernelcopy_word(c, 0), none);
    x->loop = c->out->ninsts;
    kernelcopy_control(c, ISA_loop, none);
    isa_operand over =
        kernelcopy_result(c, ISA_le_s, ISA_I32, kernelcopy_word(c, x->found->copies), x->turn);
    kernelcopy_control(c, ISA_breakif, over);
    for (unsigned p = 0; p < x->found->pieces; p++) {
        put_before(x, p);
        if (x->found->nested && !p)
            put_leave(x);
        else
            put_piece(x, p);
    }
    put_steps(x);
    kernelcopy_add(c, ISA_add, ISA_I32, x->turn, x->turn, kernelcopy_word(c, 1));
    kernelcopy_control(c, ISA_endloop, none);
}

bool rolled_write(struct rolled *x, struct repeats *found, uint32_t most) {
    struct kernelcopy *c = &x->copy;
    *x = (struct rolled){.found = found};
    if (!kernelcopy_begin(c, found->k, most)) return false;
    for (uint32_t n = 0; n < found->k->ninsts && !c->failed; n++) {
        if (!found->dead[n]) kernelcopy_put(c, n);
        if (n + 1 == found->end) put_loop(x);
    }
    return !c->failed && kernelcopy_finish(c->out);
}
