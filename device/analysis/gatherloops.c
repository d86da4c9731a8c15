#include "gatherloops.h"

#include <stdlib.h>

#include "chases.h"

enum {
    MOST_STEP = 1 << 16, /* bytes */
    INSTS_A_GATHER = 5,  /* at most: what a vector of lanes is good at weighs no more; */
    INSTS_COUNTED = 16,  /* where it is known how often lanes iterate, so that both are weighed; */
    INSTS_A_TEST = 11,   /* where what is read tells who leaves, and half of a vector is empty */
    ROW = 8              /* elements of a lane that are loaded one behind the other */
};

static bool is_probe(const struct isa_inst *i) { return isa_op_info[i->op].flags & ISA_OP_PROBE; }

bool gatherloops_plain(const struct isa_inst *i, bool fused) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (!(flags & ISA_OP_PURE) || (flags & ISA_OP_MATH)) return false;
    switch (i->op) {
    case ISA_special: return isa_special_uniform[i->imm];
    case ISA_s2f:
    case ISA_u2f: return i->mod == ISA_RTE;
    case ISA_f2f:
    case ISA_h2f:
    case ISA_f2h: return false;
    case ISA_fma:
    case ISA_mad: return i->type == ISA_F32 || fused;
    default: return true;
    }
}

static bool allowed(const struct isa_inst *i, bool fused) {
    if (i->op == ISA_breakif) return i->imm == 0;
    bool probe = i->op == ISA_probe_count || i->op == ISA_probe_note || i->op == ISA_probe_bins;
    return probe || chases_load(i) || gatherloops_plain(i, fused);
}

/* Neither one address nor elements close together. */
static bool is_gather(const struct isa_kernel *k, const struct shape *shape,
                      const struct isa_inst *i) {
    if (!chases_load(i) || i->space == ISA_PARAM) return false;
    isa_operand at = isa_srcs(k, i)[0];
    int32_t near = 4 * (int32_t)isa_bytes(i);
    return isa_is_reg(at) &&
           (shape->regs[at].span < SHAPE_HALF_WARP || abs(shape->regs[at].stride) > near);
}

unsigned gatherloops_moved(const struct isa_kernel *k, const struct liveranges *live,
                           uint32_t begin, struct gatherloop_register *m) {
    unsigned count = 0;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
            isa_operand reg = k->operands[i->operands + o];
            if (!isa_is_reg(reg)) continue;
            bool result = o < i->ndst && live->last[reg] > k->insts[begin].match;
            unsigned at = 0;
            while (at < count && m[at].reg != reg) at++;
            if (at == count && !result && live->first[reg] > begin) continue;
            if (at == GATHERLOOPS_VALUES) return GATHERLOOPS_VALUES + 1;
            if (at == count) m[count++] = (struct gatherloop_register){.reg = reg};
            m[at].result |= result;
            m[at].written |= o < i->ndst;
        }
    }
    return count;
}

struct gatherloop gatherloops_at(const struct isa_kernel *k, const struct loops *loops,
                                 uint32_t begin) {
    struct gatherloop l = {.loops = loops,
                           .loop = loops_at(loops, begin),
                           .begin = begin,
                           .test = begin,
                           .end = k->insts[begin].match};
    while (l.test < l.end && k->insts[l.test].op != ISA_breakif) l.test++;
    return l;
}

bool gatherloops_grows(const struct isa_kernel *k, const struct gatherloop *l, isa_operand o,
                       uint32_t until, uint32_t *by) {
    bool behind;
    return loops_grows(l->loops, k, o, l->loop, until, by, &behind) && !behind;
}

bool gatherloops_steps(const struct isa_kernel *k, const struct gatherloop *l, uint32_t n,
                       uint32_t *by) {
    const struct isa_inst *i = &k->insts[n];
    return chases_load(i) && i->space != ISA_PARAM && isa_is_reg(isa_srcs(k, i)[0]) &&
           gatherloops_grows(k, l, isa_srcs(k, i)[0], n, by) && *by + MOST_STEP <= 2 * MOST_STEP;
}

/* The comparison that ends the loop, of what grows from iteration to iteration by so much; NULL: it
 * does not end like that. */
static const struct isa_inst *compared(const struct isa_kernel *k, const struct gatherloop *p,
                                       uint32_t by[2]) {
    uint32_t test = loops_compare(p->loops, k, p->test);
    if (test == LOOPS_NONE) return NULL;
    const struct isa_inst *i = &k->insts[test];
    if ((i->op != ISA_eq && i->op < ISA_lt_s) || i->type2 != ISA_I32) return NULL;
    for (unsigned s = 0; s < 2; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (!gatherloops_grows(k, p, o, test, &by[s])) return NULL;
        if (loops_writer(p->loops, o, p->loop) < test) return NULL;
    }
    return i;
}

const struct isa_inst *gatherloops_exact(const struct isa_kernel *k, const struct gatherloop *p,
                                         unsigned *most) {
    uint32_t by[2];
    for (uint32_t n = p->test + 1; n < p->end; n++)
        if (k->insts[n].op == ISA_breakif) return NULL;
    const struct isa_inst *i = compared(k, p, by);
    if (!i || i->op == ISA_lt_u) return NULL; /* nothing is less than 0: none leaves then */
    for (*most = 0; *most < (i->op == ISA_eq ? 2 : 1); ++*most)
        if (by[*most] - by[!*most] == UINT32_MAX && (!by[0] || !by[1])) return i;
    return NULL;
}

bool gatherloops_ahead(const struct isa_kernel *k, const struct gatherloop *l, uint32_t n,
                       bool fused) {
    const struct isa_inst *i = &k->insts[n];
    uint32_t by;
    return gatherloops_plain(i, fused) && i->ndst == 1 && isa_dsts(k, i)[0] != isa_srcs(k, i)[0] &&
           gatherloops_grows(k, l, isa_dsts(k, i)[0], l->end, &by);
}

isa_operand gatherloops_probed(const struct isa_kernel *k, const struct isa_inst *i) {
    return i->nsrc ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
}

enum gatherloops_note gatherloops_told(const struct isa_kernel *k, const struct gatherloop *p,
                                       uint32_t n, uint32_t *by) {
    const struct isa_inst *i = &k->insts[n];
    isa_operand o = gatherloops_probed(k, i);
    if (!isa_is_reg(o)) return GATHERLOOPS_NONE;
    if (i->op == ISA_probe_count) {
        bool test = n < p->test && o == gatherloops_probed(k, &k->insts[p->test]) &&
                    loops_writer(p->loops, o, p->loop) < n;
        return test ? GATHERLOOPS_TEST : GATHERLOOPS_UNKNOWN;
    }
    if (k->reg_types[o] != ISA_I32) return GATHERLOOPS_UNKNOWN;
    return gatherloops_grows(k, p, o, n, by) ? GATHERLOOPS_STEPPED : GATHERLOOPS_RECORDED;
}

unsigned gatherloops_recorded(const struct isa_kernel *k, const struct gatherloop *p) {
    unsigned count = 0;
    uint32_t by;
    for (uint32_t n = p->begin + 1; n < p->end; n++)
        count += is_probe(&k->insts[n]) && gatherloops_told(k, p, n, &by) == GATHERLOOPS_RECORDED;
    return count;
}

/* Is what probes of the loop tell known when its lanes have run? */
static bool is_told(const struct isa_kernel *k, const struct gatherloop *p) {
    uint32_t by, probes = 0;
    unsigned most;
    for (uint32_t n = p->begin + 1; n < p->end; n++) {
        if (!is_probe(&k->insts[n])) continue;
        probes++;
        if (gatherloops_told(k, p, n, &by) == GATHERLOOPS_UNKNOWN) return false;
    }
    return !probes || (probes <= GATHERLOOPS_PROBES && gatherloops_exact(k, p, &most));
}

bool gatherloops_tests(const struct isa_kernel *k, uint32_t begin) {
    isa_operand loaded[GATHERLOOPS_INSTS];
    unsigned count = 0;
    for (uint32_t n = begin + 1; n < k->insts[begin].match && count < GATHERLOOPS_INSTS; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool of_loads = chases_load(i) && i->space != ISA_PARAM;
        for (unsigned c = 0; c < count; c++) of_loads |= isa_reads(k, i, loaded[c]);
        if (of_loads && i->op == ISA_breakif) return true;
        if (of_loads && i->ndst) loaded[count++] = isa_dsts(k, i)[0];
    }
    return false;
}

/* Does straight code load many elements by one register? Those are of a row, and moved together
 * (elementrows.h). */
static bool has_rows(const struct isa_kernel *k, uint32_t begin) {
    isa_operand base = ISA_NO_OPERAND;
    unsigned row = 0, most = 0;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & ISA_OP_JUMP) row = 0;
        if (!chases_load(i) || i->space == ISA_PARAM) continue;
        row = isa_srcs(k, i)[0] == base ? row + 1 : 1;
        base = isa_srcs(k, i)[0];
        if (row > most) most = row;
    }
    return most >= ROW;
}

bool gatherloops_whole(const struct isa_kernel *k, const struct shape *shape,
                       const struct liveranges *live, const struct isa_inst *i, uint32_t end) {
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand dst = isa_dsts(k, i)[d];
        if (live->last[dst] > end && shape->regs[dst].span >= SHAPE_HALF_WARP) return true;
    }
    return false;
}

bool gatherloops_fit(const struct isa_kernel *k, const struct loops *loops,
                     const struct shape *shape, const struct liveranges *live, uint32_t begin,
                     bool fused) {
    struct gatherloop p = gatherloops_at(k, loops, begin);
    uint32_t end = k->insts[begin].match, gathers = 0, count = 0;
    struct gatherloop_register m[GATHERLOOPS_VALUES];
    bool left = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!allowed(i, fused)) return false;
        count += !is_probe(i);
        if (is_gather(k, shape, i)) gathers += i->count;
        left |= isa_op_info[i->op].flags & ISA_OP_JUMP;
        if (gatherloops_whole(k, shape, live, i, end)) return false;
    }
    if (count > GATHERLOOPS_INSTS || !left) return false;
    if (gatherloops_tests(k, begin) && has_rows(k, begin)) return false;
    unsigned which;
    uint32_t most = gatherloops_tests(k, begin)        ? INSTS_A_TEST
                    : gatherloops_exact(k, &p, &which) ? INSTS_COUNTED
                                                       : INSTS_A_GATHER;
    return gathers && count <= most * gathers &&
           gatherloops_moved(k, live, begin, m) <= GATHERLOOPS_VALUES && !chases_loads(k, begin) &&
           is_told(k, &p);
}
