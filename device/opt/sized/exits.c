/* Exits: by what lanes leave a loop before they do anything in an iteration. Each compares what an
 * iteration steps by a constant with what does not change, so that how often a lane iterates is
 * known when it comes to the loop. */
#include "device/analysis/provenance.h"
#include "device/isa/compare.h"
#include "device/isa/constant.h"
#include "device/opt/unrolled.h"
#include "runs.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEP = 1 << 16,
    MOST_NARROW = 256, /* of a comparison; of what is widened for it */
    SHORT = 8,
    LONG = 24,           /* elements from which on a warp goes along a row, */
    HALF = ISA_WARP / 2, /* one that it loads alone */
    MANY = 4 * ISA_WARP,
    LIGHT = 8, /* operations for each access that this gains, */
    MEDIUM = 16,
    MOST_WORTH = 1 << 20,
    MOST_REGISTERS = 2048 /* bytes that a host's vectors may hold */
};

/* ---- steps ---- */

/* By how much each iteration changes a value. */
struct exit_step {
    bool known;
    int64_t by;
    uint32_t
        extends; /* modulo what this instruction widens, which is stepped by `narrow`; 0: none */
    int64_t narrow;
};

static struct exit_step step_of(const struct runs_finder *f, const struct run_loop *l,
                                isa_operand o, unsigned left);

static bool changes(struct exit_step s) { return !s.known || s.by; }

static struct exit_step sum(struct exit_step a, struct exit_step b, int sign) {
    struct exit_step none = {0};
    if (!a.known || !b.known || (a.extends && b.extends && a.extends != b.extends)) return none;
    if (b.extends) {
        a.extends = b.extends;
        a.narrow = b.narrow;
    }
    a.by += sign * b.by;
    return a;
}

static struct exit_step product(struct exit_step s, int64_t by) {
    const int64_t most = INT64_C(1) << 32;
    s.known &= s.by < most && s.by > -most && by < most && by > -most;
    if (s.known) s.by *= by;
    return s;
}

/* Of what instruction n computes. */
static struct exit_step step_written(const struct runs_finder *f, const struct run_loop *l,
                                     uint32_t n, unsigned left) {
    const struct isa_inst *i = &f->k->insts[n];
    const isa_operand *src = isa_srcs(f->k, i);
    struct exit_step s[2] = {{0}}, none = {0};
    bool same = isa_op_info[i->op].flags & ISA_OP_PURE;
    int64_t c;
    for (unsigned o = 0; o < i->nsrc; o++) {
        struct exit_step of = step_of(f, l, src[o], left);
        same &= !changes(of);
        if (o < 2) s[o] = of;
    }
    if (same) return (struct exit_step){.known = true};
    switch (i->op) {
    case ISA_mov: return s[0];
    case ISA_trunc: return s[0].extends ? none : s[0];
    case ISA_sext:
    case ISA_zext:
        if (!s[0].known || s[0].extends) return none;
        return (struct exit_step){true, s[0].by, n, s[0].by};
    case ISA_add: return sum(s[0], s[1], 1);
    case ISA_sub: return sum(s[0], s[1], -1);
    case ISA_shl:
        if (!constant_signed(f->k, src[1], &c) || c < 0 || c > 31) return none;
        return product(s[0], INT64_C(1) << c);
    case ISA_mul:
        if (constant_signed(f->k, src[1], &c)) return product(s[0], c);
        return constant_signed(f->k, src[0], &c) ? product(s[1], c) : none;
    default: return none;
    }
}

static struct exit_step step_of(const struct runs_finder *f, const struct run_loop *l,
                                isa_operand o, unsigned left) {
    struct exit_step none = {0};
    if (!runs_varies(f, l, o)) return (struct exit_step){.known = true};
    const struct run_counter *c = runs_counter(l, o);
    int64_t by;
    if (c && c->derived) return (struct exit_step){.known = true, .by = c->by};
    if (c && constant_signed(f->k, c->step, &by))
        return (struct exit_step){.known = true, .by = by};
    uint32_t n = runs_writer(f, l, o);
    return c || !left || n == LOOPS_NONE ? none : step_written(f, l, n, left - 1);
}

/* ---- exits ---- */

/* A comparison, or the opposite of it. */
static bool note_exit(struct runs_finder *f, struct run_loop *l, uint32_t at, bool opposite) {
    const struct isa_inst *i = &f->k->insts[at];
    struct exit_step s[2];
    struct run_exit x = {.at = at, .op = (enum isa_op)i->op};
    if ((i->type2 != ISA_I32 && i->type2 != ISA_I64) || l->nexits == RUNS_EXITS) return false;
    for (unsigned o = 0; o < 2; o++) s[o] = step_of(f, l, isa_srcs(f->k, i)[o], RUNS_CHAIN);
    x.value = changes(s[1]);
    if (changes(s[!x.value]) || !s[x.value].known || !s[x.value].by) return false;
    x.step = s[x.value].by;
    x.extends = s[x.value].extends;
    x.narrow = s[x.value].narrow;
    if (llabs(x.step) > MOST_STEP || (x.extends && llabs(x.narrow) > MOST_NARROW)) return false;
    if (opposite) x.op = compare_opposite(i->op, &x.swapped);
    if (x.op != ISA_eq && !compare_is_order(x.op)) return false;
    /* It goes towards where it is left. */
    bool rises = x.value != x.swapped;
    if (x.op != ISA_eq && (x.step > 0) != rises) return false;
    l->exits[l->nexits++] = x;
    return true;
}

/* Lanes leave where this predicate holds, or does not. */
static bool note_exits(struct runs_finder *f, struct run_loop *l, isa_operand p, uint32_t before,
                       bool opposite, unsigned left) {
    uint32_t n = runs_writer(f, l, p);
    if (n == LOOPS_NONE || n > before || !left) return false;
    const struct isa_inst *i = &f->k->insts[n];
    const isa_operand *src = isa_srcs(f->k, i);
    if (i->op == ISA_not) return note_exits(f, l, src[0], n, !opposite, left - 1);
    if (i->op == (opposite ? ISA_and : ISA_or))
        return note_exits(f, l, src[0], n, opposite, left - 1) &&
               note_exits(f, l, src[1], n, opposite, left - 1);
    return note_exit(f, l, n, opposite);
}

/* ---- what iterations need ---- */

/* Is the instruction in a region within the loop? */
static bool is_nested(const struct runs_finder *f, const struct run_loop *l, uint32_t n) {
    return f->loops.nested[n] || f->loops.loop_of[n] != l->loop;
}

/* Marks what the loop computes a register by, up to what is derived. */
static void mark(const struct runs_finder *f, struct run_loop *l, uint8_t *marks, isa_operand reg,
                 bool all) {
    if (!runs_varies(f, l, reg)) return;
    for (unsigned c = 0; c < l->ncounters && !all; c++)
        if (l->counters[c].reg == reg) {
            l->counters[c].wanted = true;
            if (l->counters[c].derived) return;
        }
    for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        if (!isa_writes(f->k, i, reg) || marks[n]) continue;
        marks[n] = 1;
        for (unsigned s = 0; s < i->nsrc; s++) mark(f, l, marks, isa_srcs(f->k, i)[s], all);
    }
}

static void leave_out(struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    uint32_t begin = l->begin, end = k->insts[begin].match;
    memset(f->left_out, 0, k->ninsts);
    for (unsigned c = 0; c < l->ncounters; c++) l->counters[c].wanted = false;
    for (uint32_t n = begin + 1, t = 0; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool test = t < l->ntests && l->tests[t] == n;
        t += test;
        if (test || isa_op_info[i->op].flags & ISA_OP_PURE) continue;
        f->left_out[n] = 1;
        for (unsigned s = 0; s < i->nsrc; s++) mark(f, l, f->left_out, isa_srcs(k, i)[s], false);
    }
    for (unsigned r = 0; r < l->nreductions; r++)
        mark(f, l, f->left_out, l->reductions[r].reg, false);
    /* So far these are marked that are not. */
    for (uint32_t n = begin + 1; n < end; n++)
        f->left_out[n] = !f->left_out[n] && !(isa_op_info[k->insts[n].op].flags & ISA_OP_REGION);
}

/* Lanes have each their own of it, and it does not change in the loop. */
static bool is_own(const struct runs_finder *f, const struct run_loop *l, isa_operand o) {
    return isa_is_reg(o) && !runs_varies(f, l, o) && !runs_one(f, o, SHAPE_WARP);
}

/* What is stepped, and is made of a value of each lane's own, is a counter itself: lanes' rows may
 * follow one another where what the rows begin by and what is counted in them do not. */
static bool derives(const struct runs_finder *f, const struct run_loop *l, uint32_t n,
                    int64_t *step) {
    const struct isa_inst *i = &f->k->insts[n];
    bool own = false;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->ndst != 1 || is_nested(f, l, n))
        return false;
    isa_operand to = isa_dsts(f->k, i)[0];
    enum isa_type type = (enum isa_type)f->k->reg_types[to];
    if ((type != ISA_I32 && type != ISA_I64) || f->loops.defs[to] != 1 || runs_counter(l, to))
        return false;
    for (unsigned s = 0; s < i->nsrc; s++) own |= is_own(f, l, isa_srcs(f->k, i)[s]);
    struct exit_step of = step_of(f, l, to, RUNS_CHAIN);
    *step = of.by;
    if (!own || !of.known || !of.by || of.extends || llabs(of.by) > MOST_STEP) return false;
    return !isa_reads_between(f->k, to, l->begin + 1, n);
}

static void find_derived(struct runs_finder *f, struct run_loop *l) {
    for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++) {
        struct run_counter c = {.at = n, .derived = true};
        if (l->ncounters == RUNS_COUNTERS || !derives(f, l, n, &c.by)) continue;
        c.reg = isa_dsts(f->k, &f->k->insts[n])[0];
        l->counters[l->ncounters++] = c;
    }
}

/* ---- what may meet ---- */

/* Do two instructions access the same bytes, in each iteration? */
static bool is_same(const struct runs_finder *f, const struct run_loop *l, uint32_t a, uint32_t b) {
    const struct isa_inst *i = &f->k->insts[a], *j = &f->k->insts[b];
    isa_operand p = isa_srcs(f->k, i)[0], q = isa_srcs(f->k, j)[0];
    const struct run_counter *c = isa_is_reg(p) ? runs_counter(l, p) : NULL;
    return i->imm == j->imm && isa_bytes(i) == isa_bytes(j) &&
           (c ? p == q && (a < c->at) == (b < c->at) : runs_same(f, l, p, q, RUNS_CHAIN));
}

/* Notes the store s and access a, if it is known how they are stepped. */
static bool note_pair(const struct runs_finder *f, struct run_loop *l, uint32_t s, uint32_t a,
                      bool always) {
    const struct isa_inst *i = &f->k->insts[s], *j = &f->k->insts[a];
    isa_operand to = isa_srcs(f->k, i)[0], at = isa_srcs(f->k, j)[0];
    int64_t bytes = isa_bytes(i) > isa_bytes(j) ? isa_bytes(i) : isa_bytes(j);
    for (unsigned p = 0; p < l->npairs; p++) {
        const uint32_t *of = l->pairs[p].of;
        if (l->pairs[p].always == always && is_same(f, l, of[0], s) && is_same(f, l, of[1], a))
            return true;
    }
    if (l->npairs == RUNS_PAIRS || !isa_is_reg(to) || !isa_is_reg(at)) return false;
    struct exit_step x = step_of(f, l, to, RUNS_CHAIN), y = step_of(f, l, at, RUNS_CHAIN);
    bool even = x.by == y.by && llabs(x.by) >= bytes;
    if (!x.known || !y.known || x.extends || y.extends || !(even || l->run) ||
        llabs(x.by) > MOST_STEP || llabs(y.by) > MOST_STEP || runs_inner(f, l, s) ||
        runs_inner(f, l, a))
        return false;
    /* How far apart they are changes from one element to the next, in one run; others of the turn
     * are up to a warp further on. */
    int64_t far = llabs(y.by) * ISA_WARP + llabs(y.by - x.by) * l->run + bytes;
    l->pairs[l->npairs++] = (struct run_pair){.of = {s, a},
                                              .far = (uint32_t)far,
                                              .same = even && isa_bytes(i) == isa_bytes(j),
                                              .always = always};
    return true;
}

/* The address by which most of that parameter's memory is accessed? Of these it is looked at where
 * the version is made whether they meet. */
static bool is_of_place(const struct runs_finder *f, const struct run_loop *l, uint64_t param,
                        isa_operand at) {
    for (unsigned p = 0; p < l->nplaces; p++)
        if (param >> l->places[p].param & 1)
            return at == l->places[p].reg || runs_same(f, l, at, l->places[p].reg, RUNS_CHAIN);
    return false;
}

/* only_always: of those alone that may meet by one parameter. */
static bool find_pairs(const struct runs_finder *f, struct run_loop *l, bool only_always) {
    const struct isa_kernel *k = f->k;
    uint32_t end = k->insts[l->begin].match;
    l->npairs = 0;
    for (uint32_t s = l->begin + 1; s < end; s++) {
        uint64_t to = k->insts[s].op == ISA_st ? provenance_of(k, f->provenance, &k->insts[s]) : 0;
        for (uint32_t a = l->begin + 1; to && a < end; a++) {
            const struct isa_inst *i = &k->insts[a];
            if ((i->op != ISA_ld && i->op != ISA_st) || (i->op == ISA_st && a <= s) ||
                (i->space != ISA_GLOBAL && i->space != ISA_CONSTANT))
                continue;
            bool always = provenance_of(k, f->provenance, i) & to;
            if (always && is_of_place(f, l, to, isa_srcs(k, &k->insts[s])[0]) &&
                is_of_place(f, l, to, isa_srcs(k, i)[0]))
                continue;
            if ((always || !only_always) && !note_pair(f, l, s, a, always)) return false;
        }
    }
    return true;
}

/* ---- the first iteration ---- */

/* What is to be computed once more, for the first iteration: it stands in no loop. */
static bool find_first(struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    memset(f->first, 0, k->ninsts);
    for (unsigned x = 0; x < l->nexits; x++) {
        const struct isa_inst *i = &k->insts[l->exits[x].at];
        for (unsigned s = 0; s < i->nsrc; s++) mark(f, l, f->first, isa_srcs(k, i)[s], true);
    }
    for (unsigned c = 0; c < l->ncounters; c++)
        if (l->counters[c].derived) mark(f, l, f->first, l->counters[c].reg, true);
    for (unsigned p = 0; p < l->npairs; p++)
        for (unsigned s = 0; s < 2; s++)
            mark(f, l, f->first, isa_srcs(k, &k->insts[l->pairs[p].of[s]])[0], true);
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        if (f->first[n] &&
            (runs_inner(f, l, n) || !(isa_op_info[k->insts[n].op].flags & ISA_OP_PURE)))
            return false;
    return true;
}

bool exits_pairs(struct runs_finder *f, struct run_loop *l) {
    return find_pairs(f, l, true) && find_first(f, l);
}

bool exits_even(const struct run_loop *l) {
    for (unsigned n = 0; n < l->ncounters; n++)
        if ((l->counters[n].at < l->test) != (l->counters[n].at < l->tests[l->ntests - 1]))
            return false;
    return true;
}

bool exits_find(struct runs_finder *f, struct run_loop *l) {
    l->nexits = 0;
    l->bottom = !runs_computes(f->k, l->begin + 1, l->tests[l->ntests - 1]);
    if (l->bottom && !runs_computes(f->k, l->test, f->k->insts[l->begin].match)) return false;
    if (!exits_even(l)) return false;
    for (unsigned t = 0; t < l->ntests; t++)
        if (!note_exits(f, l, isa_srcs(f->k, &f->k->insts[l->tests[t]])[0], l->tests[t], false,
                        RUNS_CHAIN))
            return false;
    l->paired = (!l->joined && find_pairs(f, l, false)) || find_pairs(f, l, true);
    if (!l->paired) l->npairs = 0;
    find_derived(f, l);
    return exits_prepare(f, l);
}

bool exits_apart(const struct runs_finder *f, const struct run_loop *l) {
    for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        if (i->op != ISA_st) continue;
        struct exit_step by = step_of(f, l, isa_srcs(f->k, i)[0], RUNS_CHAIN);
        if (!by.known || by.extends || runs_inner(f, l, n) || llabs(by.by) > MOST_STEP)
            return false;
        for (unsigned p = 0; p < l->nplaces; p++)
            if (llabs(by.by) < l->places[p].end - l->places[p].first) return false;
    }
    return !l->texels;
}

bool exits_prepare(struct runs_finder *f, struct run_loop *l) {
    bool apart = find_first(f, l);
    leave_out(f, l);
    return apart;
}

/* ---- what is gained ---- */

/* What an iteration accesses by an address, at most. */
static int64_t all_bytes(const struct isa_kernel *k, const struct run_loop *l, isa_operand at) {
    int64_t bytes[2] = {0};
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool access = i->op == ISA_ld || i->op == ISA_st;
        if (access && isa_srcs(k, i)[0] == at) bytes[i->op == ISA_st] += isa_bytes(i);
    }
    return bytes[bytes[1] > bytes[0]];
}

/* By how much each iteration is likely to move an address: what a loop within the loop steps is
 * moved as what it starts with. */
static struct exit_step likely_step(const struct runs_finder *f, const struct run_loop *l,
                                    isa_operand at) {
    struct exit_step s = step_of(f, l, at, RUNS_CHAIN);
    uint32_t n = l->begin + 1, end = f->k->insts[l->begin].match;
    if (s.known || runs_counter(l, at)) return s;
    while (n < end && !isa_writes(f->k, &f->k->insts[n], at)) n++;
    return n < end && !runs_inner(f, l, n) ? step_written(f, l, n, RUNS_CHAIN) : s;
}

/* Marks what an iteration makes of counters: f->counted. */
static void mark_counted(const struct runs_finder *f, const struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    memset(f->counted, 0, k->nregs * sizeof *f->counted);
    for (unsigned n = 0; n < l->ncounters; n++) f->counted[l->counters[n].reg] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint32_t counted = 0;
            for (unsigned s = 0; s < i->nsrc; s++)
                if (isa_is_reg(isa_srcs(k, i)[s])) counted |= f->counted[isa_srcs(k, i)[s]];
            for (unsigned d = 0; counted && d < i->ndst; d++) {
                changed |= !f->counted[isa_dsts(k, i)[d]];
                f->counted[isa_dsts(k, i)[d]] = 1;
            }
        }
    }
}

/* Do texels lie side by side, before and after? */
static void texel_steps(const struct runs_finder *f, const struct run_loop *l,
                        const struct isa_inst *i, bool *before, bool *after) {
    unsigned first = isa_first_coordinate(i), end = first + isa_image_coordinates[i->mod];
    *before = *after = true;
    for (unsigned s = first; s < end; s++) {
        isa_operand o = isa_srcs(f->k, i)[s];
        struct shape_value v = {.span = SHAPE_WARP};
        if (isa_is_reg(o)) v = f->shape->regs[o];
        struct exit_step by = step_of(f, l, o, RUNS_CHAIN);
        *before &= v.span >= SHAPE_HALF_WARP && llabs(v.stride) == (s == first);
        *after &= by.known && llabs(by.by) == (s == first);
    }
}

/* Of rows that are joined in a loop without others, by the words that an iteration loads: shorter
 * ones are gone along by all lanes at once, each its own, by several elements at a time where those
 * are loaded as rows (rowunroll.c). What each row costs besides hangs on how many of the host's
 * registers a warp takes, and on what is still loaded from anywhere. */
static uint32_t worth_of(const struct runs_finder *f, const struct run_loop *l, uint32_t words,
                         uint32_t gathers) {
    uint32_t registers = MOST_REGISTERS / f->sized->groups.vectors;
    switch (unrolled_way(f->rows, l->begin)) {
    case UNROLLED_ROWS: return (48 + 16 * registers) * l->nreductions / words;
    case UNROLLED_EVEN: return HALF + 2 * registers;
    default: return words > gathers ? 2 + 2 * registers + HALF * gathers : MOST_WORTH;
    }
}

/* Accesses that lie side by side where lanes take a run's elements in turn, and did not before, for
 * those of which it is the other way round; in loops within the loop there are more. What was one
 * element for all lanes does not lie side by side where other ones are between. */
bool exits_gain(const struct runs_finder *f, struct run_loop *l) {
    enum { OFTEN = 8 };
    const struct isa_kernel *k = f->k;
    uint32_t gain = 0, loss = 0, operations = 0, words = 0, gathers = 0;
    bool inner = false;
    mark_counted(f, l);
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t often = runs_inner(f, l, n) ? OFTEN : 1;
        inner |= often > 1;
        if (!f->left_out[n]) operations += often * (isa_op_info[i->op].flags & ISA_OP_MATH ? 8 : 1);
        bool access = (i->op == ISA_ld || i->op == ISA_st) &&
                      (i->space == ISA_GLOBAL || i->space == ISA_CONSTANT);
        isa_operand at = access ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        bool texel = i->op == ISA_img_read || i->op == ISA_img_write, before, after, gaps = false;
        if (!isa_is_reg(at) && !texel) continue;
        if (texel) {
            texel_steps(f, l, i, &before, &after);
        } else {
            int64_t near = (i->op == ISA_st ? 1 : 2) * all_bytes(k, l, at);
            struct shape_value v = f->shape->regs[at];
            struct exit_step s = likely_step(f, l, at);
            before = v.span >= SHAPE_HALF_WARP && llabs(v.stride) <= near;
            after = s.known ? llabs(s.by) <= near : runs_one(f, at, SHAPE_WARP) && !f->counted[at];
            bool one = v.span >= SHAPE_WARP && !v.stride;
            gaps = one && s.known && llabs(s.by) > (int64_t)isa_bytes(i);
        }
        if (after && !before) gain += often;
        gathers += !after && !before;
        if (after && !before && !texel) words += (isa_bytes(i) + 3) / 4;
        if (before && (!after || gaps)) loss += often;
    }
    bool masked = f->sized->groups.masked, loads = !l->nplaces && !l->texels;
    bool light = operations <= (loads ? MEDIUM : LIGHT) * gain;
    /* Of what has fewer elements lanes are off. */
    l->worth = light && masked ? SHORT : LONG;
    if (loads) l->worth = !light ? MANY : masked ? HALF : 2 * ISA_WARP;
    if (l->nreductions && light && !inner && words) l->worth = worth_of(f, l, words, gathers);
    return gain > 2 * loss && l->worth < MOST_WORTH;
}
