/* A kernel for one size of work-groups. Loops that halve or double what they count, as trees of
 * sums in local memory do, are written out where that size tells every iteration. Others get a
 * version of their body for each power of two that fits a group. Then which lanes take part in an
 * iteration, and where their operands lie, is known. So are short loops that count a known number
 * of times, however they are written. */
#include <stdlib.h>
#include <string.h>

#include "device/isa/rewrite.h"
#include "device/isa/unroll.h"
#include "device/analysis/itemvalues.h"
#include "device/analysis/shape.h"
#include "device/analysis/warpwork.h"
#include "sized_pass.h"

enum {
    LOOPS_TRIED = 64,
    MOST_VERSIONS = 16,
    MOST_HALVED = 20,   /* iterations of loops that halve or double, */
    MOST_COUNTED = 64,  /* and of such as count; */
    MOST_WRITTEN = 512, /* instructions of those, */
    LONG_BODY = 32,     /* and of a body beside which it costs little to count, and */
    MOST_LONG = 192     /* of such ones, written out */
};

struct specialiser {
    const struct isa_kernel *k; /* as it was */
    struct kernelcopy copy;
    const uint32_t *size;
    bool versions;       /* are wanted */
    struct shape *shape; /* of k, once it was asked for */
    uint8_t *made;       /* room for a byte of each register */
    uint32_t tried;
    bool full;                /* there was no room for a loop within */
    struct itemvalues values; /* of k's registers: what all lanes that are on have */
};

static bool walk(void *context, uint32_t from, uint32_t to);

/* Regions around what follows the instruction, of which there are `depth` around. */
static uint32_t depth_behind(uint32_t depth, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_REGION_BEGIN) return depth + 1;
    return flags & ISA_OP_REGION_END ? depth - 1 : depth;
}

/* ---- writing ---- */

static bool put(struct specialiser *s, uint32_t n) {
    const struct isa_inst *i = &s->k->insts[n];
    isa_operand src[UINT8_MAX];
    struct isa_const c;
    for (unsigned o = 0; o < i->nsrc; o++) {
        isa_operand from = isa_srcs(s->k, i)[o];
        bool base = !o && isa_op_info[i->op].flags & ISA_OP_MEMORY; /* stays a register */
        bool is = !base && isa_is_reg(from) && itemvalues_constant(&s->values, from, &c);
        src[o] = is ? isa_const_new(s->copy.out, c.type, c.bits) : from;
    }
    isa_operand dst = i->ndst == 1 ? isa_dsts(s->k, i)[0] : ISA_NO_OPERAND;
    itemvalues_evaluate(&s->values, i);
    if (itemvalues_constant(&s->values, dst, &c)) {
        isa_operand value = isa_const_new(s->copy.out, (enum isa_type)c.type, c.bits);
        s->copy.at = n;
        kernelcopy_move(&s->copy, dst, value);
    } else {
        kernelcopy_put_with(&s->copy, n, src);
    }
    return !s->copy.failed;
}

/* ---- loops ---- */

/* Does instruction n, `depth` regions within a loop, leave or continue it or one around it? */
static bool leaves(const struct isa_inst *i, uint32_t depth) {
    return (isa_op_info[i->op].flags & ISA_OP_JUMP) && i->op != ISA_ret &&
           (uint32_t)i->imm >= depth;
}

static bool own_condition(const struct isa_inst *i, uint32_t depth) {
    return i->op == ISA_breakif && !depth && !i->imm;
}

/* Does an iteration make the register of what it was by a shift, a product or a quotient? */
static bool is_scaled(const struct specialiser *s, uint32_t begin, uint32_t end, isa_operand reg) {
    enum { OF_IT = 1, SCALED = 2 };
    uint8_t *made = s->made;
    bool scaled = false;
    memset(made, 0, s->k->nregs);
    made[reg] = OF_IT;
    for (uint32_t n = begin + 1; n < end && !scaled; n++) {
        const struct isa_inst *i = &s->k->insts[n];
        uint8_t of = 0;
        for (unsigned o = 0; o < i->nsrc; o++)
            if (isa_is_reg(isa_srcs(s->k, i)[o])) of |= made[isa_srcs(s->k, i)[o]];
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE)) of = 0;
        bool by = i->op == ISA_shl || i->op == ISA_shr_s || i->op == ISA_shr_u ||
                  i->op == ISA_mul || i->op == ISA_div_u || i->op == ISA_div_s;
        if (of && by) of |= SCALED;
        for (unsigned d = 0; d < i->ndst; d++) {
            made[isa_dsts(s->k, i)[d]] = of;
            scaled |= isa_dsts(s->k, i)[d] == reg && of & SCALED;
        }
    }
    return scaled;
}

/* Does the instruction, in a loop, halve or double a register? */
static bool halves(const struct specialiser *s, uint32_t begin, uint32_t end, uint32_t n) {
    const struct isa_inst *i = &s->k->insts[n];
    return i->ndst == 1 && isa_is_integer(i->type) && isa_op_info[i->op].flags & ISA_OP_PURE &&
           is_scaled(s, begin, end, isa_dsts(s->k, i)[0]);
}

static bool counts(const struct specialiser *s, const struct isa_inst *i) {
    return i->op == ISA_add && isa_is_integer(i->type) && isa_is_const(isa_srcs(s->k, i)[1]);
}

/* What a loop may be written out for. */
enum specialise_loop { LOOP_NOT, LOOP_COUNTS, LOOP_HALVES };

/* Is it a loop that may be written out, were its iterations known? */
static enum specialise_loop kind_of(const struct specialiser *s, uint32_t begin, uint32_t end) {
    bool local = false, halving = false, left = false, counting = false, long_calls = false;
    uint32_t depth = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &s->k->insts[n];
        local |= i->space == ISA_LOCAL;
        halving = halving || halves(s, begin, end, n);
        counting |= counts(s, i);
        long_calls |= (isa_op_info[i->op].flags & ISA_OP_MATH) || i->op == ISA_bar;
        if (own_condition(i, depth))
            left = true;
        else if (leaves(i, depth))
            return LOOP_NOT;
        depth = depth_behind(depth, i);
    }
    if (local && halving && left) return LOOP_HALVES;
    return counting && left && !long_calls ? LOOP_COUNTS : LOOP_NOT;
}

/* Whether lanes leave the loop there is known in this iteration. */
static enum unroll_exit leave_known(void *context, uint32_t at) {
    struct specialiser *s = context;
    const struct isa_inst *i = &s->k->insts[at];
    struct isa_const c;
    if (!itemvalues_constant(&s->values, isa_srcs(s->k, i)[0], &c)) return UNROLL_NOT;
    isa_site_remove(s->copy.out, i->site, ISA_REMOVED_unrolled);
    return c.bits ? UNROLL_OVER : UNROLL_ON;
}

/* Of so many iterations at most, in so many instructions. */
static enum unroll_exit unroll(struct specialiser *s, uint32_t begin, uint32_t end, uint32_t count,
                               uint32_t most) {
    struct unroll u = {&s->copy, begin, end, count, most, walk, leave_known, 0, s, 0};
    return unroll_write(&u);
}

static bool unroll_halved(struct specialiser *s, uint32_t begin, uint32_t end) {
    return unroll(s, begin, end, MOST_HALVED, UINT32_MAX) == UNROLL_OVER;
}

/* Beside a loop within that stays one it costs nothing to count. */
static bool unroll_counted(struct specialiser *s, uint32_t begin, uint32_t end) {
    uint32_t most = end - begin > LONG_BODY ? MOST_LONG : MOST_WRITTEN;
    uint32_t first = s->copy.out->ninsts;
    bool good = unroll(s, begin, end, MOST_COUNTED, most) == UNROLL_OVER;
    for (uint32_t n = first; n < s->copy.out->ninsts; n++)
        good &= s->copy.out->insts[n].op != ISA_loop;
    return good;
}

/* What is gone back to. */
struct specialise_state {
    struct itemvalues values;
    uint32_t ninsts, noperands, nregs;
};

static bool save(const struct specialiser *s, struct specialise_state *state) {
    state->ninsts = s->copy.out->ninsts;
    state->noperands = s->copy.out->noperands;
    state->nregs = s->copy.out->nregs;
    return itemvalues_copy(&state->values, &s->values);
}

static void restore(struct specialiser *s, const struct specialise_state *state) {
    itemvalues_restore(&s->values, &state->values);
    s->copy.out->ninsts = state->ninsts;
    s->copy.out->noperands = state->noperands;
    s->copy.out->nregs = state->nregs;
    s->copy.failed = isa_kernel_failed(s->copy.out);
}

/* Writes the loop that begins at `begin` in another way, if that fits, and all loops in it did,
 * too; nothing is changed if not. */
static bool rewrite(struct specialiser *s, uint32_t begin,
                    bool (*way)(struct specialiser *s, uint32_t begin, uint32_t end)) {
    uint32_t end = s->k->insts[begin].match;
    struct specialise_state before = {0};
    bool full = s->full;
    if (s->tried >= LOOPS_TRIED) return false;
    s->tried++;
    s->full = false;
    bool saved = save(s, &before), good = saved && way(s, begin, end) && !s->full;
    s->full |= full || s->copy.failed;
    if (saved && !good) restore(s, &before);
    itemvalues_end(&before.values);
    return good;
}

/* ---- versions ---- */

/* The register that the loop halves or doubles at its end, one for the group; ISA_NO_OPERAND: there
 * is none, or a loop in it, which comes first. */
static isa_operand halved(struct specialiser *s, uint32_t begin, uint32_t end) {
    isa_operand found = ISA_NO_OPERAND;
    uint32_t depth = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &s->k->insts[n];
        if (i->op == ISA_loop) return ISA_NO_OPERAND;
        if (!depth && i->type == ISA_I32 && halves(s, begin, end, n)) found = isa_dsts(s->k, i)[0];
        depth = depth_behind(depth, i);
    }
    if (found == ISA_NO_OPERAND) return found;
    if (!s->shape) s->shape = shape_new_lockstep(s->k, s->size);
    bool one =
        s->shape && s->shape->regs[found].span == SHAPE_GROUP && s->shape->regs[found].stride == 0;
    return one ? found : ISA_NO_OPERAND;
}

static bool write_version(struct specialiser *s, uint32_t begin, uint32_t end, isa_operand reg,
                          uint32_t value) {
    s->copy.at = begin;
    isa_operand is =
        kernelcopy_result(&s->copy, ISA_eq, ISA_I32, reg, kernelcopy_word(&s->copy, value));
    kernelcopy_control(&s->copy, ISA_if, is);
    itemvalues_set(&s->values, reg, value);
    if (s->copy.failed || unroll(s, begin, end, 1, UINT32_MAX) != UNROLL_ON) return false;
    s->copy.at = begin;
    kernelcopy_control(&s->copy, ISA_else, ISA_NO_OPERAND);
    return !s->copy.failed;
}

static bool write_versions(struct specialiser *s, uint32_t begin, uint32_t end) {
    uint32_t items = s->size[0] * s->size[1] * s->size[2], count = 0, top = 1;
    isa_operand reg = halved(s, begin, end);
    if (reg == ISA_NO_OPERAND) return false;
    while (top <= items / 2) top *= 2;
    itemvalues_forget(&s->values, begin, end);
    struct specialise_state before = {0};
    bool good = put(s, begin) && save(s, &before);
    for (uint32_t value = top; good && value && count < MOST_VERSIONS; value /= 2, count++) {
        good = write_version(s, begin, end, reg, value);
        itemvalues_restore(&s->values, &before.values);
    }
    struct unroll other = {&s->copy, begin, end, 1, UINT32_MAX, walk, NULL, count, s, 0};
    good = good && unroll_write(&other) == UNROLL_ON;
    s->copy.at = begin;
    while (good && count--) kernelcopy_control(&s->copy, ISA_endif, ISA_NO_OPERAND);
    itemvalues_forget(&s->values, begin, end);
    itemvalues_end(&before.values);
    return good && put(s, end);
}

/* ---- the kernel ---- */

static bool write_out(struct specialiser *s, uint32_t begin) {
    switch (kind_of(s, begin, s->k->insts[begin].match)) {
    case LOOP_COUNTS: return rewrite(s, begin, unroll_counted);
    case LOOP_HALVES:
        return rewrite(s, begin, unroll_halved) ||
               (s->versions && rewrite(s, begin, write_versions));
    default: return false;
    }
}

/* Writes instructions [from, to), whole regions. */
static bool walk(void *context, uint32_t from, uint32_t to) {
    struct specialiser *s = context;
    uint32_t begins[ISA_MAX_NESTING + 1], depth = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &s->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (i->op == ISA_loop && write_out(s, n)) {
            n = i->match;
            continue;
        }
        if (flags & ISA_OP_REGION_BEGIN) begins[++depth] = n;
        if (i->op == ISA_loop) itemvalues_forget(&s->values, n, i->match);
        if (!put(s, n)) return false;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END))
            itemvalues_forget(&s->values, begins[depth], n);
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    return true;
}

static bool has_candidate(const struct specialiser *s) {
    for (uint32_t n = 0; n < s->k->ninsts; n++)
        if (s->k->insts[n].op == ISA_loop && kind_of(s, n, s->k->insts[n].match)) return true;
    return false;
}

/* A kernel that does the same in groups of `size`, of at most `most` instructions; none where it
 * would not be better, or there is no memory. versions: bodies of loops may be there several times,
 * for several values. */
static void specialise(const struct isa_kernel *k, const uint32_t size[3], uint32_t most,
                       bool versions, struct sized_kernel *made) {
    struct specialiser s = {.k = k, .size = size, .versions = versions};
    if (k->ninsts >= most || !(s.made = calloc(k->nregs + 1ull, 1))) return;
    if (!has_candidate(&s)) {
        free(s.made);
        return;
    }
    s.versions &= rewrite_nesting(k) + MOST_VERSIONS <= ISA_MAX_NESTING;
    bool good = kernelcopy_begin(&s.copy, k, most) && itemvalues_begin(&s.values, k, size, true) &&
                walk(&s, 0, k->ninsts) && s.copy.out->ninsts != k->ninsts &&
                kernelcopy_finish(s.copy.out);
    shape_free(s.shape);
    free(s.made);
    itemvalues_end(&s.values);
    if (good)
        sized_kernel_take(made, &s.copy);
    else
        kernelcopy_drop(&s.copy);
}

/* What is expanded must not cost the group its lockstep, nor the kernel its code. */
bool specialise_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    enum { MOST = 800, LOCKSTEP = 6400 };
    bool lockstep = s->warps <= s->groups.lockstep;
    uint32_t most = MOST;
    specialise(s->k, s->groups.size, most, lockstep && s->groups.versions, made);
    if (lockstep && LOCKSTEP / s->warps < most &&
        (!made->kernel ||
         warpwork_part(made->kernel, s->groups.size) * made->kernel->ninsts * s->warps >
             LOCKSTEP)) {
        sized_kernel_drop(made);
        most = LOCKSTEP / s->warps;
        specialise(s->k, s->groups.size, most, s->groups.versions, made);
    }
    if (made->kernel)
        trace_tell(p, NULL, "%u instructions instead of %u", made->kernel->ninsts, s->k->ninsts);
    else
        trace_tell(p, NULL,
                   "no: no loop halves, doubles or counts as often as is known, or more than %u "
                   "instructions",
                   most);
    return true;
}
