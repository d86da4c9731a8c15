/* An if in an if, and nothing else but what its condition is computed of, is one if of both
 * conditions: guards for each dimension, or one early return after the other, are one guard. What
 * stood between is computed for all lanes. */
#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "regions.h"

enum {
    MOST_CLOCKS = 256, /* of what stands between */
    MOST_ROUNDS = 4    /* ifs in ifs */
};

/* The part of an if that is not empty, where the other one is. */
struct one_sided {
    uint32_t begin, end; /* its instructions: [begin, end); end 0: there is no such part */
    bool other;          /* it is the one behind `else` */
};

static struct one_sided one_sided_at(const struct isa_kernel *k, uint32_t n) {
    uint32_t m = k->insts[n].match;
    if (k->insts[n].op != ISA_if) return (struct one_sided){0};
    if (k->insts[m].op != ISA_else) return (struct one_sided){n + 1, m, false};
    return m == n + 1 ? (struct one_sided){m + 1, k->insts[m].match, true} : (struct one_sided){0};
}

struct joiner {
    struct isa_kernel *k;
    uint32_t *written, *first, *last; /* of each register: the first instruction that writes it, the
                                         first that reads it, the last one that does either */
    uint32_t *inner;                  /* of each if: the one that it is joined with, or 0 */
};

/* Where registers are written and read. */
static void look_at(struct joiner *x, struct arena *arena) {
    const struct isa_kernel *k = x->k;
    x->written = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->first = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->last = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x->inner = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    for (uint32_t r = 0; r < k->nregs; r++) x->written[r] = x->first[r] = k->ninsts;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *o = isa_dsts(k, i);
        for (unsigned m = 0; m < i->ndst + (unsigned)i->nsrc; m++) {
            uint32_t *first = m < i->ndst ? x->written : x->first;
            if (!isa_is_reg(o[m])) continue;
            if (first[o[m]] == k->ninsts) first[o[m]] = n;
            x->last[o[m]] = n;
        }
    }
}

/* Lanes that do not come to the instruction may do it, too: nobody sees what it gives but what
 * follows up to `end`. */
static bool may_always(const struct joiner *x, uint32_t n, uint32_t end) {
    const struct isa_inst *i = &x->k->insts[n];
    if (!isa_is_timeless(i)) return false;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand reg = isa_dsts(x->k, i)[d];
        if (x->written[reg] != n || x->first[reg] <= n || x->last[reg] >= end) return false;
    }
    return true;
}

/* The if that the one at n holds, or 0. */
static uint32_t inner_of(const struct joiner *x, uint32_t n) {
    const struct isa_kernel *k = x->k;
    struct one_sided outer = one_sided_at(k, n);
    uint32_t clocks = 0, m;
    for (m = outer.begin; m < outer.end && k->insts[m].op != ISA_if; m++) {
        clocks += isa_op_info[k->insts[m].op].clocks;
        if (!may_always(x, m, outer.end) || clocks > MOST_CLOCKS) return 0;
    }
    return m < outer.end && one_sided_at(k, m).end + 1 == outer.end ? m : 0;
}

/* Where the condition holds, or, otherwise, where it does not. */
static isa_operand holds(struct kernelcopy *c, isa_operand p, bool otherwise) {
    return otherwise ? kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND) : p;
}

static void put_both(struct kernelcopy *c, uint32_t n, uint32_t m) {
    struct one_sided outer = one_sided_at(c->k, n), inner = one_sided_at(c->k, m);
    isa_site_remove(c->out, c->k->insts[n].site, ISA_REMOVED_if_converted);
    c->at = m;
    isa_operand p = isa_srcs(c->k, &c->k->insts[n])[0], q = isa_srcs(c->k, &c->k->insts[m])[0];
    bool neither = outer.other && inner.other;
    if (!neither) p = holds(c, p, outer.other), q = holds(c, q, inner.other);
    p = kernelcopy_result(c, neither ? ISA_or : ISA_and, ISA_PRED, p, q);
    kernelcopy_put_with(c, m, &p);
    if (neither) kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
}

static void rewrite(struct joiner *x, struct arena *arena) {
    struct kernelcopy c;
    struct regions r = {.depth = 0};
    uint32_t *outer = ARENA_ARRAY(arena, uint32_t, x->k->ninsts + 1u);
    uint8_t *gone = ARENA_ARRAY(arena, uint8_t, x->k->ninsts + 1u);
    for (uint32_t n = 0; n < x->k->ninsts; n++) {
        uint32_t inner = x->inner[n];
        if (!inner) continue;
        struct one_sided of = one_sided_at(x->k, n);
        outer[inner] = n + 1;
        for (uint32_t m = n; m < of.begin; m++) gone[m] = 1;
        for (uint32_t m = inner; m < one_sided_at(x->k, inner).begin; m++) gone[m] = 1;
        gone[of.end] = 1;
    }
    kernelcopy_take(&c, x->k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !isa_kernel_failed(x->k); n++) {
        uint32_t flags = isa_op_info[c.k->insts[n].op].flags;
        bool kept = !gone[n] || outer[n];
        if (outer[n]) put_both(&c, outer[n] - 1, n);
        if (!gone[n]) regions_put(&r, &c, n);
        if (flags & ISA_OP_REGION_BEGIN) regions_begin(&r, kept);
        if (flags & ISA_OP_REGION_END) regions_end(&r, kept);
    }
}

void opt_join(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        struct joiner x = {.k = k};
        bool any = false;
        look_at(&x, arena);
        for (uint32_t n = 0; n < k->ninsts; n++) {
            if (!(x.inner[n] = inner_of(&x, n))) continue;
            trace_tell(p, &k->insts[n], "one condition with that of the if in it");
            n = x.inner[n]; /* that one with its own in the next round */
            any = true;
        }
        if (!any) return;
        rewrite(&x, arena);
        if (isa_kernel_failed(k)) return;
        rewrite_match(k);
    }
}
