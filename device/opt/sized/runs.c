/* A run is found by how its counters start and by what the loop is left: lanes are a run apart, and
 * an iteration depends on its counters and on what all lanes have the same of. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "device/analysis/provenance.h"

enum {
    MOST_RUN = 64, /* elements */
    MOST_STEP = 1 << 16,
    MOST_INSTS = 200, /* of such a loop */
    MOST_PARAMS = 32  /* bits of native_run.alone */
};

/* ---- sums ---- */

bool runs_constant(const struct isa_kernel *k, isa_operand o, uint32_t *value) {
    if (!isa_is_const(o) || k->consts[isa_const_index(o)].type != ISA_I32) return false;
    *value = (uint32_t)k->consts[isa_const_index(o)].bits;
    return true;
}

/* base * by + plus, modulo 2^32. */
struct run_sum {
    isa_operand base;
    uint32_t by, plus;
};

/* Is instruction n met on every way to another one? */
static bool is_before(const struct isa_kernel *k, uint32_t to, uint32_t n) {
    uint32_t depth = 0;
    for (uint32_t at = to; at-- > n;) {
        uint32_t flags = isa_op_info[k->insts[at].op].flags;
        if (flags & ISA_OP_REGION_END) depth++;
        if (flags & ISA_OP_REGION_ELSE && !depth) return false;
        if (flags & ISA_OP_REGION_BEGIN && depth) depth--;
    }
    return !depth;
}

/* Is the operand a register that is written once, on every way to instruction n? */
bool runs_known(const struct runs_finder *f, isa_operand o, uint32_t n) {
    return isa_is_reg(o) && f->writes[o] == 1 && f->writer[o] < n &&
           is_before(f->k, n, f->writer[o]);
}

/* What a counter, which is written more than once, is behind instruction `at`. */
struct run_start {
    isa_operand reg;
    uint32_t at;
    struct run_sum sum;
};

static struct run_sum sum_written(const struct runs_finder *f, uint32_t n,
                                  const struct run_start *start, unsigned left);

/* The operand's value before instruction n. Registers are followed to where they are written alone,
 * on every way there. */
static struct run_sum sum_of(const struct runs_finder *f, isa_operand o, uint32_t n,
                             const struct run_start *start, unsigned left) {
    struct run_sum s = {.base = o, .by = 1};
    uint32_t c;
    if (runs_constant(f->k, o, &c)) return (struct run_sum){ISA_NO_OPERAND, 0, c};
    if (start && o == start->reg && n > start->at) return start->sum;
    if (!runs_known(f, o, n) || !left) return s;
    struct run_sum of = sum_written(f, f->writer[o], start, left - 1);
    return of.by ? of : s;
}

/* What an instruction writes; by 0: it is no sum. */
static struct run_sum sum_written(const struct runs_finder *f, uint32_t n,
                                  const struct run_start *start, unsigned left) {
    const struct isa_inst *i = &f->k->insts[n];
    const isa_operand *src = isa_srcs(f->k, i);
    struct run_sum none = {.base = ISA_NO_OPERAND};
    uint32_t c = 0;
    if (i->type != ISA_I32 || !i->nsrc) return none;
    bool first = i->nsrc > 1 && runs_constant(f->k, src[0], &c);
    if (i->op != ISA_mov && !first && !(i->nsrc > 1 && runs_constant(f->k, src[1], &c)))
        return none;
    if (first && i->op != ISA_add && i->op != ISA_mul) return none;
    struct run_sum of = sum_of(f, src[first], n, start, left);
    switch (i->op) {
    case ISA_mov: break;
    case ISA_add: of.plus += c; break;
    case ISA_sub: of.plus -= c; break;
    case ISA_shl: c = 1u << (c & 31); /* fall through */
    case ISA_mul:
        of.by *= c;
        of.plus *= c;
        break;
    default: return none;
    }
    return of;
}

/* ---- which loops ---- */

static bool writes(const struct isa_kernel *k, const struct isa_inst *i, isa_operand reg) {
    for (unsigned d = 0; d < i->ndst; d++)
        if (isa_dsts(k, i)[d] == reg) return true;
    return false;
}

/* The last instruction before the loop that writes a register, where all lanes that come to the
 * loop have been there, + 1; 0: there is none of the kind. */
static uint32_t start_of(const struct isa_kernel *k, uint32_t begin, isa_operand reg) {
    uint32_t depth = 0;
    for (uint32_t n = begin; n--;) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_END) depth++;
        if (writes(k, i, reg)) return depth ? 0 : n + 1;
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE) && !depth) return 0;
        if (flags & ISA_OP_REGION_BEGIN) depth--;
    }
    return 0;
}

/* Nothing but what computes and moves data, within the loop: its own condition, which is found, is
 * all that leaves it. */
static bool stays(struct run_loop *l, const struct isa_kernel *k) {
    uint32_t depth = 0, end = k->insts[l->begin].match;
    for (uint32_t n = l->begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        const uint32_t control = ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE | ISA_OP_REGION_END;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (flags & ISA_OP_JUMP) {
            if (i->op == ISA_ret) return false;
            if ((uint32_t)i->imm >= depth && (depth || i->op != ISA_breakif || l->test))
                return false;
            if ((uint32_t)i->imm >= depth) l->test = n;
        } else if (i->op == ISA_ld || i->op == ISA_st) {
            bool own = i->space == ISA_PRIVATE || (i->space == ISA_LOCAL && i->op == ISA_st);
            if (own || i->flags & ISA_VOLATILE) return false;
        } else if (!(flags & control) && (!(flags & ISA_OP_PURE) || flags & ISA_OP_IMAGE)) {
            return false;
        }
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
    return l->test;
}

static const struct run_counter *counter_of(const struct run_loop *l, isa_operand reg) {
    for (unsigned n = 0; n < l->ncounters; n++)
        if (l->counters[n].reg == reg) return &l->counters[n];
    return NULL;
}

bool runs_one(const struct runs_finder *f, isa_operand reg, unsigned span) {
    struct shape_value v = f->shape->regs[reg];
    return v.span >= span && !v.stride;
}

/* The instruction that adds to the counter what it is stepped by at n: that one, or one before of
 * which it is a copy; or NULL. */
static const struct isa_inst *step_of(const struct runs_finder *f, const struct run_loop *l,
                                      uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    isa_operand reg = isa_dsts(f->k, i)[0], of = isa_srcs(f->k, i)[0];
    if (i->op == ISA_mov && isa_is_reg(of) && of != reg) {
        if (f->writes[of] != 1 || f->writer[of] < l->begin || f->writer[of] > n) return NULL;
        if (!is_before(f->k, n, f->writer[of])) return NULL;
        i = &f->k->insts[f->writer[of]];
    }
    bool steps = i->op == ISA_add && isa_srcs(f->k, i)[0] == reg && f->inside[reg] == 1;
    return steps ? i : NULL;
}

/* Registers that the loop steps by what does not change, once in each iteration. */
static bool find_counters(struct runs_finder *f, struct run_loop *l) {
    uint32_t depth = 0, end = f->k->insts[l->begin].match;
    for (uint32_t n = l->begin + 1; n < end; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (!depth && (i->op == ISA_add || i->op == ISA_mov) && i->type == ISA_I32) {
            const struct isa_inst *by = step_of(f, l, n);
            isa_operand step = by ? isa_srcs(f->k, by)[1] : ISA_NO_OPERAND;
            if (by && isa_is_reg(step) && (f->inside[step] || !runs_one(f, step, SHAPE_GROUP)))
                by = NULL;
            if (by && l->ncounters == RUNS_COUNTERS) return false;
            if (by)
                l->counters[l->ncounters++] =
                    (struct run_counter){.reg = isa_dsts(f->k, i)[0], .step = step, .at = n};
        }
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
    return l->ncounters;
}

/* How often it is iterated, by its condition: up to a constant from where a counter starts. */
static bool find_run(struct runs_finder *f, struct run_loop *l) {
    const isa_operand itself = ISA_NO_OPERAND - 1; /* where a start is no sum */
    const struct isa_kernel *k = f->k;
    isa_operand p = isa_srcs(k, &k->insts[l->test])[0];
    uint32_t end = k->insts[l->begin].match;
    if (!isa_is_reg(p) || f->writes[p] != 1 || f->inside[p] != 1) return false;
    l->compare = f->writer[p];
    const struct isa_inst *i = &k->insts[l->compare];
    const isa_operand *src = isa_srcs(k, i);
    if (i->op < ISA_lt_s || i->op > ISA_le_u || i->type2 != ISA_I32 || l->compare > l->test)
        return false;
    const struct run_counter *c = isa_is_reg(src[1]) ? counter_of(l, src[1]) : NULL;
    uint32_t step;
    if (!c || !runs_constant(k, c->step, &step) || !step || step > MOST_STEP ||
        (c->at < l->compare) != (c->at < l->test))
        return false;
    for (uint32_t n = l->begin + 1; n < l->test && c->at > l->test; n++)
        if (!(isa_op_info[k->insts[n].op].flags & ISA_OP_PURE)) return false;
    if (c->at < l->test && l->test + 1 != end) return false;
    uint32_t start = start_of(k, l->begin, c->reg);
    if (!start || !is_before(k, l->test, l->compare)) return false;
    l->start = start - 1;
    if (!runs_known(f, src[0], l->begin)) return false;
    struct run_start from = {c->reg, l->start, sum_written(f, l->start, NULL, RUNS_CHAIN)};
    if (!from.sum.by) from.sum = (struct run_sum){itself, 1, 0};
    struct run_sum to = sum_of(f, src[0], l->begin, &from, RUNS_CHAIN);
    if (from.sum.base != to.base || from.sum.by != to.by) return false;
    if (to.base != itself && !runs_known(f, to.base, l->begin)) return false;
    uint32_t total = to.plus - from.sum.plus;
    if (i->op == ISA_lt_s || i->op == ISA_lt_u) total = total / step * step + step;
    if (total % step || total / step < 2 || total / step > MOST_RUN) return false;
    l->run = total / step;
    l->total = total;
    l->is_signed = i->op == ISA_lt_s || i->op == ISA_le_s;
    return true;
}

/* How much a value grows from lane to lane of a span: by * of, or, where that is no register, by.
 */
struct run_growth {
    bool known;
    uint32_t by;
    isa_operand of;
};

/* An operand that is one for the group, as by * of. */
static struct run_growth factors(const struct runs_finder *f, isa_operand o, uint32_t n) {
    struct run_growth g = {true, 1, o};
    uint32_t c;
    if (runs_constant(f->k, o, &c)) return (struct run_growth){true, c, ISA_NO_OPERAND};
    while (runs_known(f, g.of, n)) {
        n = f->writer[g.of];
        const struct isa_inst *i = &f->k->insts[n];
        const isa_operand *src = isa_srcs(f->k, i);
        bool copies = i->op == ISA_mov && i->type == ISA_I32 && isa_is_reg(src[0]);
        bool times = i->type == ISA_I32 && (i->op == ISA_shl || i->op == ISA_mul) &&
                     isa_is_reg(src[0]) && runs_constant(f->k, src[1], &c);
        if (!copies && !times) break;
        if (times) g.by *= i->op == ISA_shl ? 1u << (c & 31) : c;
        g.of = src[0];
    }
    return g;
}

static struct run_growth growth_of(const struct runs_finder *f, isa_operand o, uint32_t n,
                                   unsigned span, unsigned left);

/* Of what instruction `at` writes. */
static struct run_growth growth_written(const struct runs_finder *f, uint32_t at, unsigned span,
                                        unsigned left) {
    const struct isa_inst *i = &f->k->insts[at];
    const isa_operand *src = isa_srcs(f->k, i);
    struct run_growth none = {.of = ISA_NO_OPERAND}, a, b;
    uint32_t c;
    bool knows = i->op == ISA_mov || i->op == ISA_add || i->op == ISA_sub || i->op == ISA_shl ||
                 i->op == ISA_mul;
    if (!knows || i->type != ISA_I32 || !left) return none;
    a = growth_of(f, src[0], at, span, left - 1);
    if (i->op == ISA_mov || !a.known) return a;
    if (i->op == ISA_shl) {
        if (!runs_constant(f->k, src[1], &c)) return none;
        a.by <<= c & 31;
        return a;
    }
    b = growth_of(f, src[1], at, span, left - 1);
    if (!b.known) return b;
    if (i->op != ISA_mul) {
        if (a.by && b.by && a.of != b.of) return none;
        if (!a.by) a.of = b.of;
        a.by = i->op == ISA_add ? a.by + b.by : a.by - b.by;
        return a;
    }
    if (a.by && b.by) return none;
    if (!a.by && !b.by) return a;
    struct run_growth grows = a.by ? a : b;
    isa_operand factor = a.by ? src[1] : src[0];
    if (isa_is_reg(factor) && !runs_one(f, factor, SHAPE_GROUP)) return none;
    struct run_growth by = factors(f, factor, at);
    if (by.of != ISA_NO_OPERAND && grows.of != ISA_NO_OPERAND) return none;
    grows.by *= by.by;
    if (by.of != ISA_NO_OPERAND) grows.of = by.of;
    return grows;
}

static struct run_growth growth_of(const struct runs_finder *f, isa_operand o, uint32_t n,
                                   unsigned span, unsigned left) {
    struct run_growth g = {.known = true, .of = ISA_NO_OPERAND};
    if (isa_is_const(o)) return g;
    struct shape_value v = f->shape->regs[o];
    g.by = (uint32_t)v.stride;
    if (v.span >= span) return g;
    if (runs_known(f, o, n)) return growth_written(f, f->writer[o], span, left);
    return (struct run_growth){.of = ISA_NO_OPERAND};
}

/* Counters of neighbouring lanes follow one another where the other's run ends, on spans of this
 * kind; and where lanes are off there, all of a span are. */
static bool fits_span(const struct runs_finder *f, const struct run_loop *l, unsigned span) {
    if (shape_full(f->shape, l->begin) < span) return false;
    if (f->sized->items % shape_span_lanes(span)) return false;
    for (unsigned n = 0; n < l->ncounters; n++) {
        const struct run_counter *c = &l->counters[n];
        uint32_t start = start_of(f->k, l->begin, c->reg);
        if (!start) return false;
        struct run_growth step = factors(f, c->step, l->begin),
                          from = growth_written(f, start - 1, span, RUNS_CHAIN);
        if (!from.known || from.of != step.of || from.by != step.by * l->run) return false;
    }
    return true;
}

/* An iteration reads counters, what it has written itself, and what lanes of a span have the same
 * of; the comparison, which is left out, is nobody else's. */
static bool is_apart(struct runs_finder *f, const struct run_loop *l, unsigned span) {
    const struct isa_kernel *k = f->k;
    uint32_t ends[ISA_MAX_NESTING + 1], begins[ISA_MAX_NESTING + 1] = {0}, depth = 0;
    isa_operand p = isa_dsts(k, &k->insts[l->compare])[0];
    memset(f->until, 0, k->nregs * sizeof *f->until);
    memset(f->part, 0, k->nregs * sizeof *f->part);
    ends[0] = k->insts[l->begin].match;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        for (unsigned s = 0; s < i->nsrc && n != l->compare && n != l->test; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (!isa_is_reg(o) || counter_of(l, o)) continue;
            if (o == p || (f->inside[o] ? f->until[o] <= n : !runs_one(f, o, span))) return false;
        }
        if (flags & ISA_OP_REGION_END) depth--;
        if (flags & ISA_OP_REGION_ELSE) ends[depth] = i->match;
        if (flags & ISA_OP_REGION_BEGIN) {
            begins[++depth] = n;
            ends[depth] = i->match;
        }
        for (unsigned w = 0; w < i->ndst; w++) {
            isa_operand r = isa_dsts(k, i)[w];
            uint32_t first = k->insts[begins[depth]].match, end = ends[depth];
            bool is_if = depth && k->insts[begins[depth]].op == ISA_if;
            if (is_if && n > first && f->part[r] == begins[depth] + 1) end = ends[depth - 1];
            if (is_if && n < first) f->part[r] = begins[depth] + 1;
            if (end > f->until[r]) f->until[r] = end;
        }
        if (i->op == ISA_special && !isa_special_uniform[i->imm] &&
            !runs_one(f, isa_dsts(k, i)[0], span))
            return false;
    }
    return true;
}

/* What it writes is not read elsewhere, but for counters. */
static bool leaves_nothing(const struct runs_finder *f, const struct run_loop *l) {
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        if (n > l->begin && n < f->k->insts[l->begin].match) continue;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(f->k, i)[s];
            if (isa_is_reg(o) && f->inside[o] && !counter_of(l, o)) return false;
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

/* Two operands of the loop have the same value in each iteration: they are made alike, of what no
 * instruction in between changes. */
static bool is_same(const struct runs_finder *f, const struct run_loop *l, isa_operand a,
                    isa_operand b, unsigned left) {
    if (isa_is_const(a) || isa_is_const(b) || a == ISA_NO_OPERAND || b == ISA_NO_OPERAND)
        return a == b;
    if (a == b && !f->inside[a]) return true;
    if (f->inside[a] != 1 || f->inside[b] != 1 || !left) return false;
    uint32_t x = f->writer[a], y = f->writer[b];
    const struct isa_inst *i = &f->k->insts[x], *j = &f->k->insts[y];
    if (f->writes[a] != 1 || f->writes[b] != 1 || i->op != j->op || i->type != j->type)
        return false;
    if (i->nsrc != j->nsrc || i->ndst != 1 || i->imm != j->imm) return false;
    if (a == b) return true;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->type2 != j->type2) return false;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand p = isa_srcs(f->k, i)[s], q = isa_srcs(f->k, j)[s];
        const struct run_counter *c = isa_is_reg(p) ? counter_of(l, p) : NULL;
        bool same = c ? p == q && (x < c->at) == (y < c->at) : is_same(f, l, p, q, left - 1);
        if (!same) return false;
    }
    return true;
}

static void note(const struct runs_finder *f, const struct run_loop *l, struct run_place *p,
                 uint32_t n) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *i = &k->insts[n];
    isa_operand at = isa_srcs(k, i)[0];
    int32_t end = i->imm + (int32_t)(isa_type_size[i->type] * i->count);
    if (p->loads + p->stores == 0) {
        p->reg = at;
        p->first = i->imm;
        p->end = end;
    }
    if (i->imm < p->first) p->first = i->imm;
    if (end > p->end) p->end = end;
    const struct run_counter *c = isa_is_reg(at) ? counter_of(l, at) : NULL;
    p->others |= c ? at != p->reg || n > c->at : !is_same(f, l, at, p->reg, RUNS_CHAIN);
    p->loads += i->op == ISA_ld;
    p->stores += i->op == ISA_st;
}

/* Is the instruction in a loop within the loop? */
static bool is_inner(const struct run_loop *l, const struct isa_kernel *k, uint32_t n) {
    for (uint32_t at = l->begin + 1; at < n; at++)
        if (k->insts[at].op == ISA_loop && k->insts[at].match > n) return true;
    return false;
}

/* An address has one value in an iteration: it is a counter, or written once. */
static bool is_own(const struct runs_finder *f, const struct run_loop *l, isa_operand reg) {
    return counter_of(l, reg) || (f->writes[reg] == 1 && !is_inner(l, f->k, f->writer[reg]));
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
        uint64_t from = provenance_of(k, f->provenance, i);
        if (i->space != ISA_GLOBAL || from & (from - 1) || from >> MOST_PARAMS) return false;
        uint32_t param = (uint32_t)__builtin_ctzll(from);
        struct run_place *p = place_of(l, param);
        if (!p || k->params[param].qualifiers & ISA_QUAL_VOLATILE) return false;
        if (!isa_is_reg(isa_srcs(k, i)[0]) || !f->inside[isa_srcs(k, i)[0]]) return false;
        p->again |= is_inner(l, k, n);
        note(f, l, p, n);
        l->alone |= 1u << param;
    }
    for (uint32_t n = l->begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op != ISA_ld || i->space != ISA_GLOBAL) continue;
        uint64_t from = provenance_of(k, f->provenance, i);
        if (from == UINT64_MAX) return false;
        for (unsigned p = 0; p < l->nplaces; p++)
            if (from >> l->places[p].param & 1) note(f, l, &l->places[p], n);
    }
    for (unsigned p = 0; p < l->nplaces; p++)
        if (runs_checked(&l->places[p]) && (l->places[p].others || !is_own(f, l, l->places[p].reg)))
            return false;
    return l->nplaces;
}

/* ---- finding them ---- */

static bool fits(struct runs_finder *f, uint32_t begin, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    *l = (struct run_loop){.begin = begin};
    if (k->insts[begin].match - begin > MOST_INSTS || !stays(l, k)) return false;
    memset(f->inside, 0, k->nregs * sizeof *f->inside);
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++)
        for (unsigned w = 0; w < k->insts[n].ndst; w++) f->inside[isa_dsts(k, &k->insts[n])[w]]++;
    if (!find_counters(f, l) || !find_run(f, l) || !leaves_nothing(f, l) || !find_places(f, l))
        return false;
    unsigned span = SHAPE_WARP;
    while (span > SHAPE_VARYING && !(fits_span(f, l, span) && is_apart(f, l, span))) span--;
    l->lanes = span > SHAPE_VARYING ? shape_span_lanes(span) : 0;
    return l->lanes;
}

bool runs_find(struct runs_finder *f, const struct sized *s, struct runs *found) {
    const struct isa_kernel *k = s->k;
    *found = (struct runs){0};
    *f = (struct runs_finder){.sized = s, .k = k};
    f->shape = shape_new(k, s->groups.size);
    f->provenance = provenance_new(k);
    f->writes = sized_of_registers(s, sizeof *f->writes);
    f->writer = sized_of_registers(s, sizeof *f->writer);
    f->inside = sized_of_registers(s, sizeof *f->inside);
    f->until = sized_of_registers(s, sizeof *f->until);
    f->part = sized_of_registers(s, sizeof *f->part);
    if (!f->shape || !f->provenance || !f->writes || !f->writer || !f->inside || !f->until ||
        !f->part)
        return false;
    for (uint32_t n = 0; n < k->ninsts; n++)
        for (unsigned w = 0; w < k->insts[n].ndst; w++) {
            f->writes[isa_dsts(k, &k->insts[n])[w]]++;
            f->writer[isa_dsts(k, &k->insts[n])[w]] = n;
        }
    for (uint32_t n = 0; n < k->ninsts && found->count < RUNS_LOOPS; n++)
        if (k->insts[n].op == ISA_loop && fits(f, n, &found->of[found->count])) {
            found->count++;
            n = k->insts[n].match;
        }
    return true;
}

void runs_end(struct runs_finder *f) {
    shape_free(f->shape);
    free(f->provenance);
    free(f->writes);
    free(f->writer);
    free(f->inside);
    free(f->until);
    free(f->part);
}
