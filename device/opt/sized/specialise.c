/* A kernel for one size of work-groups. Loops that halve or double what they count, as trees of
 * sums in local memory do, are written out where that size tells every iteration. Others get a
 * version of their body for each power of two that fits a group. Then which lanes take part in an
 * iteration, and where their operands lie, is known. So are short loops that count a known number
 * of times, where that size tells how often. */
#include <stdlib.h>
#include <string.h>

#include "device/analysis/shape.h"
#include "device/analysis/warpwork.h"
#include "device/isa/rewrite.h"
#include "device/opt/expand.h"
#include "sized_pass.h"

enum { MOST_VERSIONS = 16, MOST_HALVED = 20 /* iterations of loops that halve or double */ };

struct specialiser {
    struct expander x;
    const uint32_t *size;
    bool versions;       /* are wanted */
    struct shape *shape; /* of the kernel as it was, once it was asked for */
    uint8_t *made;       /* room for a byte of each register */
};

/* ---- loops ---- */

/* Does an iteration make the register of what it was by a shift, a product, a quotient, or a sum of
 * it and itself? */
static bool is_scaled(const struct specialiser *s, uint32_t begin, uint32_t end, isa_operand reg) {
    enum { OF_IT = 1, SCALED = 2 };
    uint8_t *made = s->made;
    bool scaled = false;
    memset(made, 0, s->x.k->nregs);
    made[reg] = OF_IT;
    for (uint32_t n = begin + 1; n < end && !scaled; n++) {
        const struct isa_inst *i = &s->x.k->insts[n];
        uint8_t of = 0, both = OF_IT;
        for (unsigned o = 0; o < i->nsrc; o++) {
            isa_operand src = isa_srcs(s->x.k, i)[o];
            uint8_t by = isa_is_reg(src) ? made[src] : 0;
            of |= by;
            both &= by;
        }
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE)) of = 0;
        bool by = i->op == ISA_shl || i->op == ISA_shr_s || i->op == ISA_shr_u ||
                  i->op == ISA_mul || isa_is_quotient(i->op) || (i->op == ISA_add && both);
        if (of && by) of |= SCALED;
        for (unsigned d = 0; d < i->ndst; d++) {
            made[isa_dsts(s->x.k, i)[d]] = of;
            scaled |= isa_dsts(s->x.k, i)[d] == reg && of & SCALED;
        }
    }
    return scaled;
}

/* Does the instruction, in a loop, halve or double a register? */
static bool halves(const struct specialiser *s, uint32_t begin, uint32_t end, uint32_t n) {
    const struct isa_inst *i = &s->x.k->insts[n];
    return i->ndst == 1 && isa_is_integer(i->type) && isa_op_info[i->op].flags & ISA_OP_PURE &&
           is_scaled(s, begin, end, isa_dsts(s->x.k, i)[0]);
}

/* Is it a loop over local memory that halves or doubles a register? */
static bool is_halving(const struct specialiser *s, uint32_t begin, uint32_t end) {
    bool local = false, halving = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        local |= s->x.k->insts[n].space == ISA_LOCAL;
        halving = halving || halves(s, begin, end, n);
    }
    return local && halving && expand_is_simple(s->x.k, begin, end);
}

static bool unroll_halved(struct expander *x, uint32_t begin, uint32_t end) {
    return expand_unroll(x, begin, end, MOST_HALVED, UINT32_MAX) == UNROLL_OVER;
}

/* ---- versions ---- */

/* The register that the loop halves or doubles at its end, one for the group; ISA_NO_OPERAND: there
 * is none, or a loop in it, which comes first. */
static isa_operand halved(struct specialiser *s, uint32_t begin, uint32_t end) {
    isa_operand found = ISA_NO_OPERAND;
    uint32_t depth = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &s->x.k->insts[n];
        if (i->op == ISA_loop) return ISA_NO_OPERAND;
        if (!depth && i->type == ISA_I32 && halves(s, begin, end, n))
            found = isa_dsts(s->x.k, i)[0];
        depth += isa_deeper(i);
    }
    if (found == ISA_NO_OPERAND) return found;
    if (!s->shape) s->shape = shape_new_lockstep(s->x.k, s->size);
    bool one =
        s->shape && s->shape->regs[found].span == SHAPE_GROUP && s->shape->regs[found].stride == 0;
    return one ? found : ISA_NO_OPERAND;
}

static bool write_version(struct specialiser *s, uint32_t begin, uint32_t end, isa_operand reg,
                          uint32_t value) {
    s->x.copy.at = begin;
    isa_operand is =
        kernelcopy_result(&s->x.copy, ISA_eq, ISA_I32, reg, kernelcopy_word(&s->x.copy, value));
    kernelcopy_control(&s->x.copy, ISA_if, is);
    itemvalues_set(&s->x.values, reg, value);
    if (s->x.copy.failed || expand_unroll(&s->x, begin, end, 1, UINT32_MAX) != UNROLL_ON)
        return false;
    s->x.copy.at = begin;
    kernelcopy_control(&s->x.copy, ISA_else, ISA_NO_OPERAND);
    return !s->x.copy.failed;
}

static bool write_versions(struct expander *x, uint32_t begin, uint32_t end) {
    struct specialiser *s = (struct specialiser *)x;
    uint32_t items = s->size[0] * s->size[1] * s->size[2], count = 0, top = 1;
    isa_operand reg = halved(s, begin, end);
    if (reg == ISA_NO_OPERAND) return false;
    while (top <= items / 2) top *= 2;
    itemvalues_forget(&s->x.values, begin, end);
    struct itemvalues before = {0};
    bool good = expand_put(x, begin) && itemvalues_copy(&before, &x->values);
    for (uint32_t value = top; good && value && count < MOST_VERSIONS; value /= 2, count++) {
        good = write_version(s, begin, end, reg, value);
        itemvalues_restore(&x->values, &before);
    }
    struct unroll other = {&s->x.copy, begin, end, 1, UINT32_MAX, expand_walk, NULL, count, x, 0};
    good = good && unroll_write(&other) == UNROLL_ON;
    s->x.copy.at = begin;
    while (good && count--) kernelcopy_control(&s->x.copy, ISA_endif, ISA_NO_OPERAND);
    itemvalues_forget(&s->x.values, begin, end);
    itemvalues_end(&before);
    return good && expand_put(x, end);
}

/* ---- the kernel ---- */

static bool write_out(struct expander *x, uint32_t begin) {
    struct specialiser *s = (struct specialiser *)x;
    if (!is_halving(s, begin, x->k->insts[begin].match)) return expand_counted(x, begin);
    return expand_try(x, begin, unroll_halved) ||
           (s->versions && expand_try(x, begin, write_versions));
}

static bool has_candidate(const struct specialiser *s) {
    for (uint32_t n = 0; n < s->x.k->ninsts; n++)
        if (s->x.k->insts[n].op == ISA_loop &&
            (expand_may_count(s->x.k, n, s->x.k->insts[n].match) ||
             is_halving(s, n, s->x.k->insts[n].match)))
            return true;
    return false;
}

/* A kernel that does the same in groups of `size`, of at most `most` instructions; none where it
 * would not be better, or there is no memory. versions: bodies of loops may be there several times,
 * for several values. */
static void specialise(const struct isa_kernel *k, const uint32_t size[3], uint32_t most,
                       bool versions, struct sized_kernel *made) {
    struct specialiser s = {
        .x = {.k = k, .write_out = write_out}, .size = size, .versions = versions};
    if (k->ninsts >= most || !(s.made = calloc(k->nregs + 1ull, 1))) return;
    if (!has_candidate(&s)) {
        free(s.made);
        return;
    }
    s.versions &= rewrite_nesting(k) + MOST_VERSIONS <= ISA_MAX_NESTING;
    bool good =
        expand_begin(&s.x, k, size, most) && expand_write(&s.x) && kernelcopy_finish(s.x.copy.out);
    shape_free(s.shape);
    free(s.made);
    expand_end(&s.x);
    if (good)
        sized_kernel_take(made, &s.x.copy);
    else
        kernelcopy_drop(&s.x.copy);
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
