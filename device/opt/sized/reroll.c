/* Copies of one piece of code, which the source, or the compiler, has written out, become a loop
 * again where that is a run of elements: its iterations can then be dealt out to lanes. */
#include <stdlib.h>
#include <string.h>

#include "device/analysis/warpregions.h"
#include "device/isa/constant.h"
#include "device/isa/rewrite.h"
#include "repeats.h"
#include "runs.h"

enum {
    MOST_KERNEL = 2000, /* instructions */
    MOST_ROUNDS = 4,    /* loops that are made */
    MOST_COUNTERS = RUNS_COUNTERS - 1
};

struct reroll {
    const struct sized *sized;
    const struct trace_pass *pass;
    struct repeats found;
    struct kernelcopy copy;
    isa_operand turn; /* which copy this is */
    struct {
        isa_operand first, reg;
        int64_t step;
    } counters[MOST_COUNTERS];
    unsigned ncounters;
    struct repeats_value *scope[REPEATS_VALUES]; /* that are computed, in this order */
    unsigned nscope;
    uint32_t loop;             /* where it begins in the copy */
    struct sized_kernel plain; /* without versions */
    bool late;                 /* registers are set where they are first wanted */
};

/* ---- what steps from copy to copy ---- */

static isa_operand *find_counter(struct reroll *x, isa_operand first, int64_t step) {
    for (unsigned n = 0; n < x->ncounters; n++)
        if (x->counters[n].first == first && x->counters[n].step == step)
            return &x->counters[n].reg;
    return NULL;
}

/* A register that begins with an operand, in front of the loop. */
static void add_counter(struct reroll *x, isa_operand first, int64_t step) {
    if (!step || find_counter(x, first, step)) return;
    enum isa_type type = isa_operand_type(x->copy.out, first);
    x->copy.failed |= x->ncounters == MOST_COUNTERS;
    if (x->copy.failed) return;
    x->counters[x->ncounters].first = first;
    x->counters[x->ncounters].step = step;
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

static void add_address(struct reroll *x, const uint32_t *at, int32_t further) {
    int64_t step;
    if (!further) return;
    isa_operand first = counted(repeats_source(&x->found, at, 0), further, &step);
    if (first != ISA_NO_OPERAND) add_counter(x, first, step);
}

/* What a copy begins an address with that others begin further on; ISA_NO_OPERAND: it does not. */
static isa_operand begun(struct reroll *x, const uint32_t *at, int64_t *step) {
    if (x->found.k->insts[at[0]].op != ISA_mov) return ISA_NO_OPERAND;
    const struct repeats_value *to = repeats_result(&x->found, at),
                               *from = repeats_source(&x->found, at, 0);
    if (!to || to->kind != REPEATS_INNER || !to->step) return ISA_NO_OPERAND;
    *step = to->step + (from->kind == REPEATS_STEPS ? from->step : 0);
    return from->of[0];
}

static void put_counters(struct reroll *x) {
    const struct repeats *r = &x->found;
    x->ncounters = 0;
    for (unsigned v = 0; v < r->nvalues; v++)
        if (r->values[v].kind == REPEATS_STEPS)
            add_counter(x, r->values[v].of[0], r->values[v].step);
        else
            add_address(x, r->values[v].at, r->values[v].further);
    for (unsigned p = 0; p < r->pieces; p++) {
        struct repeats_walk w = {.piece = p};
        while (repeats_walk(r, &w)) {
            int64_t step;
            isa_operand first = begun(x, w.at, &step);
            if (first != ISA_NO_OPERAND) add_counter(x, first, step);
            add_address(x, w.at, r->further[w.at[0]]);
        }
    }
}

static void put_steps(struct reroll *x) {
    for (unsigned n = 0; n < x->ncounters; n++) {
        isa_operand reg = x->counters[n].reg;
        enum isa_type type = isa_operand_type(x->copy.out, reg);
        kernelcopy_add(&x->copy, ISA_add, type, reg, reg,
                       kernelcopy_number(&x->copy, type, x->counters[n].step));
    }
}

/* The address of an access whose displacement grows from copy to copy. */
static isa_operand address(struct reroll *x, struct repeats_value *v, isa_operand of,
                           int32_t further) {
    struct kernelcopy *c = &x->copy;
    int64_t step;
    isa_operand first = counted(v, further, &step);
    if (first != ISA_NO_OPERAND) return step ? *find_counter(x, first, step) : first;
    isa_operand by = kernelcopy_result(c, ISA_mul, ISA_I32, x->turn,
                                       kernelcopy_number(&x->copy, ISA_I32, further));
    return kernelcopy_result(c, ISA_add, ISA_I32, of, by);
}

/* ---- values ---- */

static void put(struct reroll *x, const uint32_t *at, int32_t further, isa_operand *results);

static isa_operand operand(struct reroll *x, struct repeats_value *v) {
    if (v->kind == REPEATS_STEPS && v->step) return *find_counter(x, v->of[0], v->step);
    if (v->kind != REPEATS_COMPUTED) return v->of[0];
    bool fresh = !v->written;
    for (unsigned o = 0; o < x->found.nvalues && !v->written; o++) { /* other results of it */
        const struct repeats_value *other = &x->found.values[o];
        bool same = other->kind == REPEATS_COMPUTED &&
                    !memcmp(other->at, v->at, x->found.copies * sizeof *v->at);
        if (same) v->written = other->written;
    }
    if (!v->written) {
        uint32_t results = x->found.k->insts[v->at[0]].ndst;
        v->written = ARENA_ARRAY(x->found.arena, isa_operand, results);
        put(x, v->at, v->further, v->written);
    }
    if (fresh) x->scope[x->nscope++] = v;
    return v->written[v->result];
}

/* What was computed in a part of a region is not there behind it. */
static void leave_scope(struct reroll *x, unsigned since) {
    while (x->nscope > since) x->scope[--x->nscope]->written = NULL;
}

/* An instruction of the first copy for all of them; results: gets new ones, or NULL. */
static void put(struct reroll *x, const uint32_t *at, int32_t further, isa_operand *results) {
    const struct isa_inst *i = &x->found.k->insts[at[0]];
    isa_operand src[UINT8_MAX];
    for (unsigned s = 0; s < i->nsrc; s++) src[s] = operand(x, repeats_source(&x->found, at, s));
    int64_t step;
    isa_operand first = begun(x, at, &step);
    if (first != ISA_NO_OPERAND) src[0] = step ? *find_counter(x, first, step) : first;
    if (further) src[0] = address(x, repeats_source(&x->found, at, 0), src[0], further);
    struct isa_inst *is = kernelcopy_put_with(&x->copy, at[0], src);
    for (unsigned c = 1; c < x->found.copies; c++) {
        uint32_t site = x->found.k->insts[at[c]].site;
        if (site && i->site && site != i->site) isa_site_merge(x->copy.out, site, i->site);
    }
    if (!results || x->copy.failed) return;
    for (unsigned d = 0; d < i->ndst; d++) {
        results[d] =
            isa_reg_new(x->copy.out, isa_operand_type(x->found.k, isa_dsts(x->found.k, i)[d]));
        isa_dsts(x->copy.out, is)[d] = results[d];
    }
}

/* ---- the loop ---- */

/* What is computed between the pieces and may not be moved, in its order. */
static void put_before(struct reroll *x, unsigned piece) {
    const struct repeats_piece *p = &x->found.of[piece];
    uint32_t from = piece ? p[-1].to : x->found.begin;
    for (uint32_t n = from; n < p->from; n++)
        for (unsigned v = 0; v < x->found.nvalues; v++) {
            struct repeats_value *is = &x->found.values[v];
            if (is->kind == REPEATS_COMPUTED && is->ordered && is->at[0] == n) operand(x, is);
        }
}

/* What integer operations compute of what is the same in all copies: it is there before the loop.
 */
static void put_fixed(struct reroll *x) {
    for (unsigned v = 0; v < x->found.nvalues; v++) {
        struct repeats_value *is = &x->found.values[v];
        bool steps = is->kind == REPEATS_STEPS && is->step;
        is->fixed = !steps && is->kind != REPEATS_INNER;
        if (is->kind != REPEATS_COMPUTED) continue;
        const struct isa_inst *i = &x->found.k->insts[is->at[0]];
        is->fixed = isa_op_info[i->op].flags & ISA_OP_PURE && !is->ordered &&
                    (i->type == ISA_PRED || isa_is_integer(i->type));
        for (unsigned s = 0; s < i->nsrc; s++)
            is->fixed &= repeats_source(&x->found, is->at, s)->fixed;
        if (is->fixed) operand(x, is);
    }
}

/* The `if` that a copy is in, at the end of the one before: who does not go into it leaves. */
static void put_leave(struct reroll *x) {
    struct repeats_walk w = {.piece = 0};
    if (!repeats_walk(&x->found, &w)) return;
    struct kernelcopy *c = &x->copy;
    bool stays = x->found.of->to == x->found.of->from + 1;
    isa_operand p = operand(x, repeats_source(&x->found, w.at, 0));
    if (x->found.outer != ISA_NO_OPERAND)
        p = kernelcopy_result(c, stays ? ISA_and : ISA_or, ISA_PRED, p, x->found.outer);
    if (stays) p = kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND);
    kernelcopy_control(c, ISA_breakif, p);
}

/* The instructions of a piece, in the regions that they are in. */
static void put_piece(struct reroll *x, unsigned piece) {
    struct repeats_walk w = {.piece = piece};
    unsigned outside[ISA_MAX_NESTING + 1], depth = 0;
    while (repeats_walk(&x->found, &w)) {
        uint32_t flags = isa_op_info[x->found.k->insts[w.at[0]].op].flags;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) leave_scope(x, outside[depth - 1]);
        put(x, w.at, x->found.further[w.at[0]], NULL);
        if (flags & ISA_OP_REGION_BEGIN) outside[depth++] = x->nscope;
        if (flags & ISA_OP_REGION_END) depth--;
    }
}

static void put_loop(struct reroll *x) {
    struct kernelcopy *c = &x->copy;
    const isa_operand none = ISA_NO_OPERAND;
    c->at = x->found.of[0].from;
    x->nscope = 0;
    put_fixed(x);
    put_counters(x);
    if (c->failed) return;
    x->turn = kernelcopy_result(c, ISA_mov, ISA_I32, kernelcopy_word(c, 0), none);
    x->loop = c->out->ninsts;
    kernelcopy_control(c, ISA_loop, none);
    isa_operand over =
        kernelcopy_result(c, ISA_le_s, ISA_I32, kernelcopy_word(c, x->found.copies), x->turn);
    kernelcopy_control(c, ISA_breakif, over);
    for (unsigned p = 0; p < x->found.pieces; p++) {
        put_before(x, p);
        if (x->found.nested && !p)
            put_leave(x);
        else
            put_piece(x, p);
    }
    put_steps(x);
    kernelcopy_add(c, ISA_add, ISA_I32, x->turn, x->turn, kernelcopy_word(c, 1));
    kernelcopy_control(c, ISA_endloop, none);
}

static bool write(struct reroll *x) {
    struct kernelcopy *c = &x->copy;
    if (!kernelcopy_begin(c, x->found.k, MOST_KERNEL)) return false;
    for (uint32_t n = 0; n < x->found.k->ninsts && !c->failed; n++) {
        if (!x->found.dead[n]) kernelcopy_put(c, n);
        if (n + 1 == x->found.end) put_loop(x);
    }
    return !c->failed && kernelcopy_finish(c->out);
}

/* Copies with loops of their own, that are seen to be some by what their addresses are: where few
 * lanes go side by side, or other code is there for those that are off, they are as good. */
static bool stay_copies(const struct reroll *x, const struct run_loop *l) {
    const struct isa_kernel *k = x->copy.out;
    unsigned loops = 0;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        loops += k->insts[n].op == ISA_loop;
    if (!loops || l->spread || !(x->found.sums || x->late)) return false;
    return l->lanes < (l->partial ? ISA_WARP : ISA_WARP / 2);
}

/* Copies that read values of each lane's own: a warp would go along one run after the other, where
 * most lanes have no element, and hand these values on in each. Where copies are many, and some of
 * them are off, that is less than all of them under masks. */
static bool stay_own(const struct reroll *x, const struct run_loop *l) {
    const struct isa_kernel *k = x->copy.out;
    bool regions = false;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        regions |= isa_op_info[k->insts[n].op].flags & ISA_OP_REGION_BEGIN;
    return l->spread && l->nown && x->found.copies < (regions ? ISA_WARP / 2 : ISA_WARP);
}

/* Does each lane's run begin where the one before ends? Several stores of one element gain more by
 * what else is done with them, where that is not known. */
static bool adjoins(void *context, const struct runs_finder *f, const struct run_loop *l) {
    const struct reroll *x = context;
    unsigned stores = 0;
    if (stay_copies(x, l)) return false;
    for (unsigned p = 0; p < x->found.pieces; p++)
        stores += x->found.k->insts[x->found.of[p].from].op == ISA_st;
    if (stores > 1 && l->spread) return false;
    if (stay_own(x, l)) return false;
    for (unsigned n = 0; n < l->ncounters && l->spread; n++) {
        const struct run_counter *c = &l->counters[n];
        struct shape_value v = f->shape->regs[c->reg];
        int64_t step;
        if (c->derived || !c->wanted || !constant_signed(f->k, c->step, &step)) continue;
        bool known = v.span >= SHAPE_HALF_WARP;
        if (!known || (v.stride && v.stride != step * (int64_t)x->found.copies)) return false;
    }
    return true;
}

/* ---- the kernel ---- */

/* Makes a loop of copies in a kernel, if there are some. */
static bool roll(struct reroll *x, const struct isa_kernel *k, struct arena *arena,
                 struct sized_kernel *made) {
    repeats_begin(&x->found, k, arena);
    while (repeats_next(&x->found)) {
        if (write(x) && runs_takes(x->sized, x->copy.out, x->loop, adjoins, x)) {
            trace_tell(x->pass, &k->insts[x->found.of[0].from],
                       "%u copies of a run's element are a loop", x->found.copies);
            sized_kernel_take(made, &x->copy);
            return true;
        }
        kernelcopy_drop(&x->copy);
    }
    return false;
}

/* The `else` of a version by opt_late, for where parameters are alone, or 0. */
static uint32_t version_else(const struct isa_kernel *k, uint32_t n, const uint8_t *alone) {
    const struct isa_inst *i = &k->insts[n];
    if (i->op != ISA_if || !isa_is_reg(isa_srcs(k, i)[0]) || !alone[isa_srcs(k, i)[0]]) return 0;
    for (uint32_t at = n; at < i->match; at++)
        if (k->insts[at].op == ISA_loop) return 0;
    return k->insts[i->match].op == ISA_else ? i->match : 0;
}

/* The kernel with the other parts alone of such versions; false: there are none, or no memory. */
static bool write_without_versions(struct reroll *x, const struct isa_kernel *k,
                                   struct arena *arena) {
    uint8_t *alone = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    uint32_t ends[ISA_MAX_NESTING + 1], depth = 0;
    bool any = false;
    if (!kernelcopy_begin(&x->copy, k, MOST_KERNEL)) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool is = i->op == ISA_special && i->imm == ISA_SPECIAL_alone;
        for (unsigned s = 0; s < i->nsrc; s++)
            is |= isa_is_reg(isa_srcs(k, i)[s]) && alone[isa_srcs(k, i)[s]] &&
                  (i->op == ISA_and || i->op == ISA_eq);
        for (unsigned d = 0; d < i->ndst; d++) alone[isa_dsts(k, i)[d]] = is;
        uint32_t other = version_else(k, n, alone);
        any |= other != 0;
        if (other) {
            ends[depth++] = k->insts[other].match;
            n = other;
        } else if (depth && ends[depth - 1] == n) {
            depth--;
        } else {
            kernelcopy_put(&x->copy, n);
        }
    }
    return any && !x->copy.failed && kernelcopy_finish(x->copy.out);
}

/* ---- what copies begin with ---- */

static bool touches(const struct isa_kernel *k, uint32_t from, uint32_t to, isa_operand reg) {
    return isa_reads_between(k, reg, from, to) || isa_writes_between(k, reg, from, to);
}

/* Where a register is first wanted that instruction n sets, in the region that it is in; else n.
 * *far: behind another region, or a store. */
static uint32_t first_use(const struct isa_kernel *k, const struct loops *l, uint32_t n,
                          bool *far) {
    const struct isa_inst *i = &k->insts[n];
    isa_operand src = i->op == ISA_mov ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
    if (src == ISA_NO_OPERAND || (isa_is_reg(src) && l->defs[src] != 1)) return n;
    isa_operand reg = isa_dsts(k, i)[0];
    bool passes = false;
    for (uint32_t at = n + 1; at < k->ninsts; at++) {
        uint32_t flags = isa_op_info[k->insts[at].op].flags;
        bool begins = flags & ISA_OP_REGION_BEGIN;
        uint32_t end = begins ? warpregions_end(k, at) + 1 : at + 1;
        if (touches(k, at, end, reg)) {
            *far |= passes;
            return at;
        }
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END | ISA_OP_JUMP)) return n;
        if (!warpregions_closed(k, at, end)) return n;
        passes |= begins || flags & ISA_OP_WRITES;
        at = end - 1;
    }
    return n;
}

/* The kernel with registers that copies begin with set where they are first wanted: sources set
 * several at a time. False: all are, or no memory. */
static bool write_late(struct reroll *x, const struct isa_kernel *k, struct arena *arena) {
    uint32_t *late = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u); /* from where on, + 1 */
    struct loops l;
    bool any = false;
    loops_find(&l, k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t at = k->insts[n].ndst == 1 ? first_use(k, &l, n, &any) : n;
        if (at != n) late[n] = at + 1;
    }
    if (!any || !kernelcopy_begin(&x->copy, k, MOST_KERNEL)) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        for (uint32_t m = 0; m < n; m++)
            if (late[m] == n + 1) kernelcopy_put(&x->copy, m);
        if (!late[n]) kernelcopy_put(&x->copy, n);
    }
    return !x->copy.failed && kernelcopy_finish(x->copy.out);
}

/* The first instruction of the outermost `if`, in no loop that is in it, before which instruction n
 * may be done; `at`: where all others are. n: it stays. */
static uint32_t earliest(const struct isa_kernel *k, const struct loops *l, const uint32_t *at,
                         const uint32_t *ifs, uint32_t depth, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    uint32_t place = n;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->ndst != 1) return n;
    if (!isa_is_integer((enum isa_type)i->type) || l->defs[isa_dsts(k, i)[0]] != 1) return n;
    while (depth && ifs[depth - 1] != UINT32_MAX) {
        uint32_t before = ifs[--depth], end = warpregions_end(k, before);
        isa_operand reg = isa_dsts(k, i)[0]; /* lanes that are off there have none of it behind */
        if (repeats_read_outside(k, reg, before, end)) return place;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (!isa_is_reg(o)) continue;
            if (l->defs[o] != 1 || at[l->writers[o]] > before) return place;
        }
        place = before;
    }
    return place;
}

/* The kernel with what parts of ifs compute of what is there before them computed there. False:
 * there is none, or no memory. */
static bool write_early(struct reroll *x, const struct isa_kernel *k, struct arena *arena) {
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    uint32_t ifs[ISA_MAX_NESTING + 1], depth = 0;
    struct loops l;
    bool any = false;
    loops_find(&l, k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_END) depth--;
        at[n] = earliest(k, &l, at, ifs, depth, n);
        any |= at[n] != n;
        if (flags & ISA_OP_REGION_BEGIN) ifs[depth++] = k->insts[n].op == ISA_if ? n : UINT32_MAX;
    }
    if (!any || !kernelcopy_begin(&x->copy, k, MOST_KERNEL)) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        for (uint32_t m = n + 1; m < k->ninsts; m++)
            if (at[m] == n) kernelcopy_put(&x->copy, m);
        if (at[n] == n) kernelcopy_put(&x->copy, n);
    }
    return !x->copy.failed && kernelcopy_finish(x->copy.out);
}

/* Makes a loop of copies in the kernel that is written so; false: there are none. */
static bool roll_written(struct reroll *x, bool written, struct arena *arena,
                         struct sized_kernel *made) {
    bool good = written;
    if (good) {
        sized_kernel_take(made, &x->copy);
        good = roll(x, made->kernel, arena, made);
    } else {
        kernelcopy_drop(&x->copy);
    }
    if (!good) sized_kernel_drop(made);
    return good;
}

static bool roll_early(struct reroll *x, const struct isa_kernel *k, struct arena *arena,
                       struct sized_kernel *made) {
    return roll_written(x, write_early(x, k, arena), arena, made);
}

/* Makes a loop of copies that begin so; false: there are none. */
static bool roll_late(struct reroll *x, const struct isa_kernel *k, struct arena *arena,
                      struct sized_kernel *made) {
    x->late = true;
    return roll_written(x, write_late(x, k, arena), arena, made);
}

/* First where the other parts of versions for launches are there alone, as they hold all copies in
 * their order. */
static void make(struct reroll *x, struct arena *arena, struct sized_kernel *made) {
    const struct isa_kernel *k = x->sized->k;
    bool again = write_without_versions(x, k, arena);
    if (again) {
        sized_kernel_take(&x->plain, &x->copy);
        again = roll(x, x->plain.kernel, arena, &x->plain);
    } else {
        kernelcopy_drop(&x->copy);
    }
    if (again) {
        *made = x->plain;
        x->plain = (struct sized_kernel){0};
    }
    if (!again)
        again = roll(x, k, arena, made) || roll_early(x, k, arena, made) ||
                roll_late(x, k, arena, made);
    for (unsigned n = 1; n < MOST_ROUNDS && again; n++)
        if (!roll(x, made->kernel ? made->kernel : k, arena, made)) break;
}

bool reroll_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    if (s->k->probed || s->k->ninsts > MOST_KERNEL || rewrite_nesting(s->k) + 4 > ISA_MAX_NESTING)
        return true;
    struct reroll *x = calloc(1, sizeof *x);
    bool good = false;
    if (x && !ARENA_FAILS(&t)) {
        x->sized = s;
        x->pass = p;
        make(x, t.arena, made);
        arena_free(t.arena);
        good = true;
    }
    if (x) kernelcopy_drop(&x->copy);
    if (x) sized_kernel_drop(&x->plain);
    free(x);
    return good;
}
