#include "expand.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/loops.h"
#include "device/isa/rewrite.h"

enum {
    LOOPS_TRIED = 64,
    MOST_COUNTED = 64,  /* iterations of loops that count, and a last look at their heads, */
    MOST_WRITTEN = 512, /* instructions of those, */
    LONG_BODY = 32,     /* and of a body beside which it costs little to count, and */
    MOST_LONG = 192,    /* of such ones without loops in them, written out; */
    MOST_STORING = 320  /* of those that store: elements side by side are one store then */
};

bool expand_begin(struct expander *x, const struct isa_kernel *k, const uint32_t size[3],
                  uint32_t most) {
    x->k = k;
    bool copied = kernelcopy_begin(&x->copy, k, most);
    if (copied) kernelcopy_keep_names(&x->copy);
    return itemvalues_begin(&x->values, k, size, true) && copied && !x->copy.failed;
}

void expand_end(struct expander *x) { itemvalues_end(&x->values); }

/* The sum that a register is of another one and a constant, neither of which changes; or NULL. */
static const struct isa_inst *sum_of(const struct loops *l, const struct isa_kernel *k,
                                     isa_operand o) {
    const struct isa_inst *i = loops_definition(l, k, o);
    const isa_operand *src = i ? isa_srcs(k, i) : NULL;
    bool is = i && i->op == ISA_add && isa_is_reg(src[0]) && isa_is_const(src[1]);
    return is && l->ordered[src[0]] ? i : NULL;
}

/* What is counted up by constants is what it began with and one of them. */
static void join_sums(struct isa_kernel *k, struct arena *arena) {
    struct loops l = {0};
    loops_find(&l, k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n], *from;
        if (i->op != ISA_add || !isa_is_const(isa_srcs(k, i)[1]) ||
            !(from = sum_of(&l, k, isa_srcs(k, i)[0])))
            continue;
        uint64_t by = k->consts[isa_const_index(isa_srcs(k, i)[1])].bits +
                      k->consts[isa_const_index(isa_srcs(k, from)[1])].bits;
        isa_operand sum = isa_const_new(k, (enum isa_type)i->type, isa_cut(i->type, by));
        isa_srcs(k, i)[0] = isa_srcs(k, from)[0];
        isa_srcs(k, i)[1] = sum;
    }
}

/* What iterations write to one register has one each. */
static bool tell_apart(struct isa_kernel *k) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return false;
    rewrite_rename(k, t.arena);
    rewrite_match(k);
    join_sums(k, t.arena);
    arena_free(t.arena);
    return !isa_kernel_failed(k);
}

bool expand_write(struct expander *x) {
    return expand_walk(x, 0, x->k->ninsts) && x->copy.out->ninsts != x->k->ninsts &&
           tell_apart(x->copy.out);
}

/* ---- writing ---- */

/* Where in the work-item's frame an access by a register goes, if that is known there, and in it.
 */
static bool frame_place(const struct expander *x, const struct isa_inst *i, int32_t *place) {
    struct isa_const c;
    if (!(isa_op_info[i->op].flags & ISA_OP_MEMORY) || i->space != ISA_PRIVATE) return false;
    isa_operand at = isa_srcs(x->k, i)[0];
    if (!isa_is_reg(at) || !itemvalues_constant(&x->values, at, &c)) return false;
    int64_t to = (uint32_t)((uint32_t)c.bits + (uint32_t)i->imm);
    *place = (int32_t)to;
    return to + (int64_t)isa_bytes(i) <= isa_frame_bytes(x->k);
}

bool expand_put(struct expander *x, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    isa_operand src[UINT8_MAX];
    struct isa_const c;
    int32_t place;
    bool placed = frame_place(x, i, &place);
    for (unsigned o = 0; o < i->nsrc; o++) {
        isa_operand from = isa_srcs(x->k, i)[o];
        bool base = !o && isa_op_info[i->op].flags & ISA_OP_MEMORY; /* stays a register */
        bool is = !base && isa_is_reg(from) && itemvalues_constant(&x->values, from, &c);
        src[o] = is ? isa_const_new(x->copy.out, c.type, c.bits) : kernelcopy_named(&x->copy, from);
    }
    isa_operand dst = i->ndst == 1 ? isa_dsts(x->k, i)[0] : ISA_NO_OPERAND;
    itemvalues_evaluate(&x->values, i);
    if (itemvalues_constant(&x->values, dst, &c)) {
        isa_operand value = isa_const_new(x->copy.out, (enum isa_type)c.type, c.bits);
        x->copy.at = n;
        kernelcopy_move(&x->copy, kernelcopy_named(&x->copy, dst), value);
    } else if (i->op == ISA_select && isa_is_const(src[0])) { /* one of the others */
        isa_operand one = src[x->copy.out->consts[isa_const_index(src[0])].bits & 1 ? 1 : 2];
        x->copy.at = n;
        if (one != kernelcopy_named(&x->copy, dst))
            kernelcopy_move(&x->copy, kernelcopy_named(&x->copy, dst), one);
    } else {
        if (placed) src[0] = ISA_NO_OPERAND;
        struct isa_inst *put = kernelcopy_put_with(&x->copy, n, src);
        if (placed) put->imm = place;
    }
    return !x->copy.failed;
}

bool expand_walk(void *expander, uint32_t from, uint32_t to) {
    struct expander *x = expander;
    uint32_t begins[ISA_MAX_NESTING + 1], depth = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (i->op == ISA_loop && x->write_out(x, n)) {
            n = i->match;
            continue;
        }
        if (flags & ISA_OP_REGION_BEGIN) begins[++depth] = n;
        if (i->op == ISA_loop) itemvalues_forget(&x->values, n, i->match);
        if (!expand_put(x, n)) return false;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END))
            itemvalues_forget(&x->values, begins[depth], n);
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    return true;
}

/* ---- a loop in another way ---- */

/* What is gone back to. */
struct expand_state {
    struct itemvalues values;
    isa_operand *names;
    uint32_t ninsts, noperands, nregs;
};

static bool save(const struct expander *x, struct expand_state *state) {
    state->ninsts = x->copy.out->ninsts;
    state->noperands = x->copy.out->noperands;
    state->nregs = x->copy.out->nregs;
    state->names = malloc((x->k->nregs + 1ull) * sizeof *state->names);
    if (!state->names) return false;
    memcpy(state->names, x->copy.names, x->k->nregs * sizeof *state->names);
    return itemvalues_copy(&state->values, &x->values);
}

static void restore(struct expander *x, const struct expand_state *state) {
    itemvalues_restore(&x->values, &state->values);
    x->copy.out->ninsts = state->ninsts;
    x->copy.out->noperands = state->noperands;
    x->copy.out->nregs = state->nregs;
    memcpy(x->copy.names, state->names, x->k->nregs * sizeof *state->names);
    x->copy.failed = isa_kernel_failed(x->copy.out);
}

bool expand_try(struct expander *x, uint32_t begin,
                bool (*way)(struct expander *x, uint32_t begin, uint32_t end)) {
    uint32_t end = x->k->insts[begin].match;
    struct expand_state before = {0};
    bool full = x->full;
    if (x->tried >= LOOPS_TRIED) return false;
    x->tried++;
    x->full = false;
    bool saved = save(x, &before), good = saved && way(x, begin, end) && !x->full;
    x->full |= full || x->copy.failed;
    if (saved && !good) restore(x, &before);
    itemvalues_end(&before.values);
    free(before.names);
    return good;
}

/* Whether lanes leave the loop there is known in this iteration; or what follows is for those that
 * do not. */
static enum unroll_exit leave_known(void *context, uint32_t at) {
    struct expander *x = context;
    isa_operand p = isa_srcs(x->k, &x->k->insts[at])[0];
    struct isa_const c;
    if (itemvalues_constant(&x->values, p, &c)) return c.bits ? UNROLL_OVER : UNROLL_ON;
    if (x->ifs >= x->most_ifs) return UNROLL_NOT;
    x->ifs++;
    x->copy.at = at;
    isa_operand stays = kernelcopy_result(&x->copy, ISA_not, ISA_PRED,
                                          kernelcopy_named(&x->copy, p), ISA_NO_OPERAND);
    kernelcopy_control(&x->copy, ISA_if, stays);
    return UNROLL_ON;
}

/* Registers that nothing but the loop knows, and that each iteration writes before it reads them:
 * reads are in the region of the first write, or in regions in it. */
static uint8_t *own_new(const struct isa_kernel *k, uint32_t begin, uint32_t end) {
    enum { UNKNOWN, OWN, OTHER };
    uint8_t *own = calloc(k->nregs + 1ull, 1);
    uint16_t *deep = calloc(k->nregs + 1ull, sizeof *deep);
    uint32_t *part = calloc(k->nregs + 1ull, sizeof *part), parts[ISA_MAX_NESTING + 2] = {begin},
             depth = 0;
    for (uint32_t n = 0; own && deep && part && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i), *dst = isa_dsts(k, i);
        bool inside = begin < n && n < end;
        for (unsigned o = 0; o < i->nsrc; o++) {
            if (!isa_is_reg(src[o])) continue;
            isa_operand r = src[o];
            bool known = inside && own[r] == OWN && depth >= deep[r] && parts[deep[r]] == part[r];
            if (!known) own[r] = OTHER;
        }
        if (inside && isa_op_info[i->op].flags & ISA_OP_REGION_END) depth--;
        for (unsigned d = 0; d < i->ndst; d++) {
            if (!inside) own[dst[d]] = OTHER;
            if (own[dst[d]] != UNKNOWN) continue;
            own[dst[d]] = OWN;
            deep[dst[d]] = (uint16_t)depth;
            part[dst[d]] = parts[depth];
        }
        if (inside && isa_op_info[i->op].flags & ISA_OP_REGION_BEGIN) depth++;
        if (inside && isa_op_info[i->op].flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE))
            parts[depth] = n;
    }
    for (uint32_t r = 0; own && r < k->nregs; r++) own[r] = own[r] == OWN;
    bool good = deep && part;
    free(deep);
    free(part);
    if (good) return own;
    free(own);
    return NULL;
}

/* Part of an iteration, which begins with registers of its own. */
static bool walk_iteration(void *expander, uint32_t from, uint32_t to) {
    struct expander *x = expander;
    for (uint32_t r = 0; from == x->begin + 1 && r < x->k->nregs; r++)
        if (x->own[r]) kernelcopy_rename(&x->copy, r);
    return expand_walk(x, from, to);
}

enum unroll_exit expand_unroll(struct expander *x, uint32_t begin, uint32_t end, uint32_t count,
                               uint32_t most) {
    struct unroll u = {&x->copy, begin, end, count, most, walk_iteration, leave_known, 0, x, 0};
    const uint8_t *around = x->own;
    uint32_t begin_around = x->begin;
    uint8_t *own = own_new(x->k, begin, end);
    if (!own) return UNROLL_NOT;
    x->own = own;
    x->begin = begin;
    enum unroll_exit exit = unroll_write(&u);
    x->own = around;
    x->begin = begin_around;
    free(own);
    for (uint32_t n = begin; n < end && exit == UNROLL_OVER; n++)
        if (x->k->insts[n].op == ISA_breakif)
            isa_site_remove(x->copy.out, x->k->insts[n].site, ISA_REMOVED_unrolled);
    return exit;
}

bool expand_unroll_left(struct expander *x, uint32_t begin, uint32_t end, uint32_t count,
                        uint32_t most, uint32_t ifs) {
    x->most_ifs = ifs;
    x->ifs = 0;
    bool good = expand_unroll(x, begin, end, count, most) == UNROLL_OVER;
    for (; x->ifs; x->ifs--) kernelcopy_control(&x->copy, ISA_endif, ISA_NO_OPERAND);
    x->most_ifs = 0;
    itemvalues_forget(&x->values, begin, end);
    return good;
}

/* ---- loops that count ---- */

/* Does the instruction, `depth` regions within a loop, leave or continue it or one around it? */
static bool leaves(const struct isa_inst *i, uint32_t depth) {
    return (isa_op_info[i->op].flags & ISA_OP_JUMP) && i->op != ISA_ret &&
           (uint32_t)i->imm >= depth;
}

bool expand_is_simple(const struct isa_kernel *k, uint32_t begin, uint32_t end) {
    bool left = false;
    uint32_t depth = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_breakif && !depth && !i->imm)
            left = true;
        else if (leaves(i, depth))
            return false;
        depth += isa_deeper(i);
    }
    return left;
}

/* A quotient or a remainder by what no constant tells: beside it, too, it costs little to count,
 * and each has its version (sized/rowversions.c). */
static bool divides(const struct isa_kernel *k, const struct isa_inst *i) {
    return isa_divides(i->op) && isa_is_integer(i->type) && isa_is_reg(isa_srcs(k, i)[1]);
}

bool expand_may_count(const struct isa_kernel *k, uint32_t begin, uint32_t end) {
    bool counts = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & ISA_OP_MATH || i->op == ISA_bar || divides(k, i))
            return false;
        bool steps = i->op == ISA_add || i->op == ISA_shl || i->op == ISA_shr_u;
        counts |= steps && isa_is_integer(i->type) && isa_is_const(isa_srcs(k, i)[1]);
    }
    return counts && expand_is_simple(k, begin, end);
}

/* Beside a loop within that stays one it costs nothing to count. */
static bool unroll_counted(struct expander *x, uint32_t begin, uint32_t end) {
    bool nest = false, stores = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        nest |= x->k->insts[n].op == ISA_loop;
        stores |= x->k->insts[n].op == ISA_st && x->k->insts[n].space == ISA_GLOBAL;
    }
    uint32_t most = stores ? MOST_STORING : MOST_LONG;
    if (nest || end - begin <= LONG_BODY) most = MOST_WRITTEN;
    uint32_t first = x->copy.out->ninsts;
    uint32_t count = MOST_COUNTED - (x->k->insts[end - 1].op == ISA_breakif);
    bool good = expand_unroll(x, begin, end, count, most) == UNROLL_OVER;
    for (uint32_t n = first; n < x->copy.out->ninsts; n++)
        good &= x->copy.out->insts[n].op != ISA_loop;
    return good;
}

bool expand_counted(struct expander *x, uint32_t begin) {
    return expand_may_count(x->k, begin, x->k->insts[begin].match) &&
           expand_try(x, begin, unroll_counted);
}
