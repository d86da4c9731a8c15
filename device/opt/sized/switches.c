/* If-conversion of switches: where the lanes of a warp take different cases, all cases are computed
 * at once, with no jumps, and selects take what each lane's own case gives; as private memory is
 * each lane's own and no lane takes two cases, the first accesses of all cases are one, then the
 * second ones, and so on. Where all lanes take the same case the switch is as it was. */
#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"
#include "device/analysis/warpregions.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "sized_pass.h"

enum {
    MOST = 16,          /* cases */
    MOST_EFFORT = 80,   /* instructions of all of them */
    MOST_NESTING = 4,   /* of ifs in a case */
    MOST_RESULTS = 16,  /* registers that a case writes */
    MOST_KERNEL = 2000, /* instructions */
    NESTED = 4          /* regions that may lie around what a case accesses */
};

/* What the lanes of a case do: instructions [from, to). */
struct switch_case {
    uint32_t from, to;
    isa_operand mask; /* ISA_NO_OPERAND: no lane comes here */
    unsigned depth; /* of ifs that are open, with the masks before them and of their other parts */
    isa_operand before[MOST_NESTING], others[MOST_NESTING];
    struct switch_result { /* what registers are for its lanes */
        isa_operand reg, value;
    } results[MOST_RESULTS];
    unsigned nresults;
};

struct switches {
    const struct isa_kernel *k;
    const struct shape *shape;
    struct numbers bounds;
    struct loops uses; /* of registers */
    isa_operand
        *left; /* what each register is behind the switch at hand; ISA_NO_OPERAND: what it was */
    struct kernelcopy copy;
    struct { /* the one at hand: its outermost block, the comparisons, and where they lead; what the
                innermost block computes before them */
        isa_operand selector;
        uint32_t begin, end, eq[MOST], to[MOST], ncompared;
        uint32_t computed, first; /* from there to the first comparison */
        uint32_t rest;            /* case of lanes that no comparison takes; n: none */
        uint32_t n;
        struct switch_case cases[MOST];
    } at;
};

/* An access of a case's lanes. */
struct switch_access {
    uint32_t n;
    isa_operand mask;
};

/* ---- which switches ---- */

static uint32_t mentions(const struct switches *s, isa_operand reg) {
    return s->uses.defs[reg] + s->uses.reads[reg];
}

static uint32_t count_mentions(const struct isa_kernel *k, isa_operand reg, uint32_t from,
                               uint32_t to) {
    uint32_t count = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++)
            count += isa_dsts(k, i)[o] == reg;
    }
    return count;
}

/* The instruction may be done for lanes that are off. */
static bool computes(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return flags & ISA_OP_PURE && !(flags & (ISA_OP_MATH | ISA_OP_IMAGE)) && i->ndst == 1;
}

static bool accesses_own(const struct isa_inst *i) {
    return (i->op == ISA_ld || i->op == ISA_st) && i->space == ISA_PRIVATE && i->count == 1;
}

/* The body of a case that lies in `around` blocks: up to a break from all of them, or to the end of
 * the last. */
static bool find_case(const struct isa_kernel *k, struct switch_case *a, uint32_t from,
                      uint32_t around) {
    const struct isa_inst *insts = k->insts;
    uint32_t n = from, depth = 0;
    for (;; n++) {
        const struct isa_inst *i = &insts[n];
        if (i->op == ISA_if && depth < MOST_NESTING)
            depth++;
        else if (i->op == ISA_endif)
            depth--;
        else if (i->op != ISA_else && !computes(i) && !accesses_own(i))
            break;
    }
    *a = (struct switch_case){.from = from, .to = n, .mask = ISA_NO_OPERAND};
    if (depth) return false;
    if (insts[n].op == ISA_break && (uint32_t)insts[n].imm == around - 1)
        n++;
    else if (around > 1)
        return false;
    return insts[n].op == ISA_endblock;
}

/* The pair of instructions at n sends lanes to a case: each by a value of its own. */
static bool is_compared(struct switches *s, uint32_t n) {
    const struct isa_inst *i = &s->k->insts[n];
    const isa_operand *src = isa_srcs(s->k, i);
    if (i->op != ISA_eq || i[1].op != ISA_breakif || !isa_is_reg(src[0]) || !isa_is_const(src[1]))
        return false;
    isa_operand p = isa_dsts(s->k, i)[0];
    if (isa_srcs(s->k, &i[1])[0] != p || mentions(s, p) != 2) return false;
    for (uint32_t c = 0; c < s->at.ncompared; c++) {
        const isa_operand *other = isa_srcs(s->k, &s->k->insts[s->at.eq[c]]);
        if (other[0] != src[0] || other[1] == src[1]) return false;
    }
    s->at.selector = src[0];
    return (uint32_t)i[1].imm <= s->at.n;
}

/* Whether a switch begins at instruction n: blocks in blocks, in the innermost the comparisons. */
static bool find_switch(struct switches *s, uint32_t n) {
    const struct isa_inst *insts = s->k->insts;
    uint32_t blocks = 0;
    s->at.begin = n;
    s->at.end = insts[n].match;
    s->at.ncompared = 0;
    while (insts[n].op == ISA_block) n++, blocks++;
    if (blocks < 2 || blocks - 1 > MOST) return false;
    s->at.n = blocks - 1;
    s->at.computed = n;
    while (computes(&insts[n]) && !(insts[n].op == ISA_eq && insts[n + 1].op == ISA_breakif)) n++;
    s->at.first = n;
    for (; s->at.ncompared < MOST && is_compared(s, n); n += 2) {
        s->at.eq[s->at.ncompared] = n;
        s->at.to[s->at.ncompared++] = (uint32_t)insts[n + 1].imm;
    }
    if (s->at.ncompared < 2) return false;
    s->at.rest = insts[n].op == ISA_break ? (uint32_t)insts[n++].imm : 0;
    if (s->at.rest > s->at.n) return false;
    for (uint32_t c = 0; c < s->at.n; c++) {
        if (insts[n].op != ISA_endblock || !find_case(s->k, &s->at.cases[c], n + 1, s->at.n - c))
            return false;
        n = s->at.cases[c].to;
        if (insts[n].op == ISA_break) n++;
    }
    return n == s->at.end && !shape_is_uniform(s->shape, s->at.selector);
}

/* ---- masks ---- */

static isa_operand compare(struct switches *s, uint32_t n, isa_operand selector, isa_operand to) {
    const struct isa_inst *i = &s->k->insts[n];
    s->copy.at = n;
    if (to == ISA_NO_OPERAND) to = isa_reg_new(s->copy.out, ISA_PRED);
    kernelcopy_add(&s->copy, ISA_eq, (enum isa_type)i->type2, to, selector, isa_srcs(s->k, i)[1]);
    return to;
}

static void choose(struct switches *s) {
    isa_operand taken = ISA_NO_OPERAND;
    for (uint32_t c = 0; c < s->at.ncompared; c++) {
        isa_operand p = compare(s, s->at.eq[c], s->at.selector, ISA_NO_OPERAND);
        taken = kernelcopy_joined(&s->copy, ISA_or, taken, p);
        if (s->at.to[c] == s->at.n) continue;
        isa_operand *mask = &s->at.cases[s->at.to[c]].mask;
        *mask = kernelcopy_joined(&s->copy, ISA_or, *mask, p);
    }
    if (s->at.rest == s->at.n) return;
    isa_operand *mask = &s->at.cases[s->at.rest].mask;
    taken = kernelcopy_result(&s->copy, ISA_not, ISA_PRED, taken, ISA_NO_OPERAND);
    *mask = kernelcopy_joined(&s->copy, ISA_or, *mask, taken);
}

/* ---- all cases at once ---- */

/* What is written at n is wanted nowhere but behind it, in the case and the part of its innermost
 * if: no matter what it is in other lanes. */
static bool is_temporary(const struct switches *s, uint32_t n) {
    isa_operand reg = isa_dsts(s->k, &s->k->insts[n])[0];
    return count_mentions(s->k, reg, n, warpregions_part_end(s->k, n)) == mentions(s, reg);
}

/* The case's registers are named, or what they were before the switch is. */
static void name(struct switches *s, const struct switch_case *a, bool named) {
    for (unsigned r = 0; r < a->nresults; r++)
        s->copy.names[a->results[r].reg] = named ? a->results[r].value : a->results[r].reg;
}

/* The case's lanes have the value in the register that instruction n writes. */
static void assign(struct switches *s, struct switch_case *a, uint32_t n, isa_operand value) {
    struct kernelcopy *c = &s->copy;
    isa_operand reg = isa_dsts(s->k, &s->k->insts[n])[0];
    enum isa_type type = (enum isa_type)s->k->reg_types[reg];
    unsigned r = 0;
    if (is_temporary(s, n)) {
        c->names[reg] = value;
        return;
    }
    if (a->depth) value = kernelcopy_select(c, type, a->mask, value, c->names[reg]);
    while (r < a->nresults && a->results[r].reg != reg) r++;
    c->failed |= r == MOST_RESULTS;
    if (c->failed) return;
    a->results[r] = (struct switch_result){reg, value};
    a->nresults += r == a->nresults;
    c->names[reg] = value;
}

static void compute(struct switches *s, struct switch_case *a, uint32_t n) {
    isa_operand reg = isa_dsts(s->k, &s->k->insts[n])[0], before = s->copy.names[reg];
    kernelcopy_put_anew(&s->copy, n);
    isa_operand value = s->copy.names[reg];
    s->copy.names[reg] = before;
    assign(s, a, n, value);
}

/* What the case leaves is that of its lanes, what others left that of theirs. */
static void finish(struct switches *s, struct switch_case *a) {
    for (unsigned r = 0; r < a->nresults; r++) {
        isa_operand reg = a->results[r].reg, *left = &s->left[reg];
        enum isa_type type = (enum isa_type)s->k->reg_types[reg];
        if (*left == ISA_NO_OPERAND) *left = reg;
        *left = kernelcopy_select(&s->copy, type, a->mask, a->results[r].value, *left);
    }
    a->nresults = 0;
}

/* Up to the next access of memory, or the end. */
static void advance(struct switches *s, struct switch_case *a) {
    struct kernelcopy *c = &s->copy;
    name(s, a, true);
    for (; a->from < a->to && !accesses_own(&s->k->insts[a->from]); a->from++) {
        const struct isa_inst *i = &s->k->insts[a->from];
        unsigned d = a->depth;
        c->at = a->from;
        switch (i->op) {
        case ISA_if:
            a->before[d] = a->mask;
            a->mask = kernelcopy_joined(&s->copy, ISA_and, a->mask,
                                        kernelcopy_named(c, isa_srcs(s->k, i)[0]));
            a->others[d] = kernelcopy_joined(&s->copy, ISA_xor, a->before[d], a->mask);
            a->depth++;
            break;
        case ISA_else: a->mask = a->others[d - 1]; break;
        case ISA_endif: a->mask = a->before[--a->depth]; break;
        default: compute(s, a, a->from);
        }
    }
    name(s, a, false);
    if (a->from == a->to) finish(s, a);
}

/* The next accesses of all cases that are alike, by those that make them: loads first, so that they
 * are more. */
static unsigned next_accesses(struct switches *s, struct switch_case **of) {
    const struct isa_inst *like = NULL;
    unsigned n = 0;
    for (int stores = 0; stores < 2 && !n; stores++)
        for (uint32_t c = 0; c < s->at.n; c++) {
            struct switch_case *one = &s->at.cases[c];
            const struct isa_inst *i = &s->k->insts[one->from];
            if (one->mask == ISA_NO_OPERAND || one->from == one->to) continue;
            if ((i->op == ISA_st) != stores || (like && i->type != like->type)) continue;
            like = i;
            of[n++] = one;
        }
    return n;
}

static uint32_t frame_end(const struct switches *s, const struct isa_inst *i) {
    return isa_frame_bytes(s->k) - isa_type_size[i->type];
}

/* None of what the offset may be leads out of the frame. */
static bool stays(const struct switches *s, const struct isa_inst *i) {
    int64_t most = numbers_unsigned(&s->bounds, s->k, isa_srcs(s->k, i)[0]).most;
    return i->imm >= 0 && most + i->imm <= frame_end(s, i);
}

/* The least displacement. */
static int32_t displacement(const struct switches *s, struct switch_case *const *of, unsigned n) {
    int32_t least = s->k->insts[of[0]->from].imm;
    for (unsigned c = 1; c < n; c++)
        if (s->k->insts[of[c]->from].imm < least) least = s->k->insts[of[c]->from].imm;
    return least;
}

/* Each lane's own operand, and so much more. */
static isa_operand operands(struct switches *s, struct switch_case *const *of, unsigned n,
                            unsigned source, enum isa_type type, int32_t less) {
    struct kernelcopy *c = &s->copy;
    isa_operand all = ISA_NO_OPERAND;
    for (unsigned k = 0; k < n; k++) {
        const struct isa_inst *i = &s->k->insts[of[k]->from];
        name(s, of[k], true);
        isa_operand o = kernelcopy_named(c, isa_srcs(s->k, i)[source]);
        name(s, of[k], false);
        isa_operand more = kernelcopy_word(c, (uint32_t)i->imm - (uint32_t)less);
        if (o == ISA_NO_OPERAND)
            o = more;
        else if (!source && i->imm != less)
            o = kernelcopy_result(c, ISA_add, type, o, more);
        all = k ? kernelcopy_select(c, type, of[k]->mask, o, all) : o;
    }
    return all;
}

/* Where an offset leads out of the frame each case makes its own access, so that it is the right
 * one that is told of. */
static void access_apart(struct switches *s, struct switch_case *const *of, unsigned n,
                         isa_operand offset, int32_t by) {
    struct kernelcopy *c = &s->copy;
    isa_operand most = kernelcopy_word(c, frame_end(s, &s->k->insts[of[0]->from]));
    offset = kernelcopy_result(c, ISA_add, ISA_I32, offset, kernelcopy_word(c, (uint32_t)by));
    kernelcopy_control(c, ISA_if, kernelcopy_result(c, ISA_lt_u, ISA_I32, most, offset));
    for (unsigned k = 0; k < n; k++) {
        kernelcopy_control(c, ISA_if, of[k]->mask);
        name(s, of[k], true);
        kernelcopy_put(c, of[k]->from);
        name(s, of[k], false);
        kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
    }
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

/* Loads that stay in the frame may be made for all lanes. */
static void access_together(struct switches *s, struct switch_case **of, unsigned n) {
    const struct isa_inst *like = &s->k->insts[of[0]->from];
    const isa_operand none = ISA_NO_OPERAND;
    enum isa_type type = (enum isa_type)like->type;
    struct kernelcopy *c = &s->copy;
    bool load = like->op == ISA_ld, stay = true;
    isa_operand on = none, value = none, to = load ? isa_reg_new(c->out, type) : none;
    int32_t by = displacement(s, of, n);
    c->at = of[0]->from;
    for (unsigned k = 0; k < n; k++) {
        on = kernelcopy_joined(&s->copy, ISA_or, on, of[k]->mask);
        stay &= stays(s, &s->k->insts[of[k]->from]);
    }
    isa_operand offset = operands(s, of, n, 0, ISA_I32, by);
    if (!load) value = operands(s, of, n, 1, type, 0);
    if (!isa_is_reg(offset)) offset = kernelcopy_result(c, ISA_mov, ISA_I32, offset, none);
    if (load && !stay) kernelcopy_move(c, to, isa_const_new(c->out, type, 0));
    if (!load || !stay) kernelcopy_control(c, ISA_if, on);
    if (!stay) access_apart(s, of, n, offset, by);
    struct isa_inst *i = kernelcopy_add(c, (enum isa_op)like->op, type, to, offset, value);
    i->space = ISA_PRIVATE;
    i->imm = by;
    i->site = like->site;
    if (!load || !stay) kernelcopy_control(c, ISA_endif, none);
    for (unsigned k = 0; k < n; k++) {
        name(s, of[k], true);
        if (load) assign(s, of[k], of[k]->from, to);
        name(s, of[k], false);
        of[k]->from++;
    }
}

static void convert(struct switches *s) {
    struct switch_case *of[MOST];
    struct kernelcopy *c = &s->copy;
    for (uint32_t r = 0; r < s->k->nregs; r++) s->left[r] = ISA_NO_OPERAND;
    choose(s);
    for (unsigned n = 1; n;) {
        for (uint32_t c = 0; c < s->at.n; c++)
            if (s->at.cases[c].mask != ISA_NO_OPERAND) advance(s, &s->at.cases[c]);
        n = next_accesses(s, of);
        if (n) access_together(s, of, n);
    }
    c->at = s->at.begin;
    for (uint32_t r = 0; r < s->k->nregs; r++)
        if (s->left[r] != ISA_NO_OPERAND) kernelcopy_move(c, r, s->left[r]);
    kernelcopy_keep_names(c);
}

/* The switch, and what it is where its lanes differ. */
static void write_versions(struct switches *s) {
    struct kernelcopy *c = &s->copy;
    const isa_operand none = ISA_NO_OPERAND, x = s->at.selector;
    enum isa_type type = (enum isa_type)s->k->reg_types[x];
    kernelcopy_put_range(c, s->at.computed, s->at.first);
    c->at = s->at.begin;
    isa_operand first = kernelcopy_result(c, ISA_lane_first, type, x, none);
    isa_operand other = kernelcopy_result(c, ISA_ne, type, x, first);
    isa_operand one = kernelcopy_word(c, 1), zero = kernelcopy_word(c, 0);
    other = kernelcopy_select(c, ISA_I32, other, one, zero);
    isa_operand others = kernelcopy_result(c, ISA_lane_add, ISA_I32, other, none);
    kernelcopy_control(c, ISA_if, kernelcopy_result(c, ISA_eq, ISA_I32, others, zero));
    for (uint32_t n = s->at.begin, compared = 0; n <= s->at.end; n++)
        if (compared < s->at.ncompared && n == s->at.eq[compared])
            compare(s, s->at.eq[compared++], first, isa_dsts(s->k, &s->k->insts[n])[0]);
        else if (n < s->at.computed || n >= s->at.first)
            kernelcopy_put(c, n);
    c->at = s->at.begin;
    kernelcopy_control(c, ISA_else, none);
    convert(s);
    kernelcopy_control(c, ISA_endif, none);
}

/* ---- the kernel ---- */

/* Writes the copy; false: there is no switch, or no room. */
static bool write(struct switches *s, const struct trace_pass *p) {
    bool any = false;
    kernelcopy_keep_names(&s->copy);
    for (uint32_t n = 0; !s->copy.failed && n < s->k->ninsts; n++) {
        const struct isa_inst *i = &s->k->insts[n];
        bool nested = i->op == ISA_block && i[1].op == ISA_block;
        bool longer = nested && i->match - n > MOST_EFFORT;
        if (nested && !longer && find_switch(s, n)) {
            trace_tell(p, i, "%u cases", s->at.ncompared);
            write_versions(s);
            n = s->at.end;
            any = true;
            continue;
        }
        if (nested)
            trace_tell(p, i, "no: %s",
                       longer ? "it is too long" : "no switch of short cases that lanes differ in");
        kernelcopy_put(&s->copy, n);
    }
    return any && !s->copy.failed && kernelcopy_finish(s->copy.out);
}

static bool has_candidate(const struct isa_kernel *k) {
    for (uint32_t n = 0; n + 1 < k->ninsts; n++)
        if (k->insts[n].op == ISA_block && k->insts[n + 1].op == ISA_block) return true;
    return false;
}

bool switches_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    const struct isa_kernel *k = s->k;
    struct arena_try t;
    if (k->probed || k->ninsts > MOST_KERNEL / 2 || !has_candidate(k) ||
        rewrite_nesting(k) + NESTED > ISA_MAX_NESTING)
        return true;
    if (ARENA_FAILS(&t)) return false;
    struct switches *w = ARENA_NEW(t.arena, struct switches);
    w->k = k;
    w->left = ARENA_ARRAY(t.arena, isa_operand, k->nregs + 1u);
    loops_find(&w->uses, k, t.arena);
    numbers_find(&w->bounds, k, s->groups.size, t.arena);
    struct shape *shape = shape_new_lockstep(k, s->groups.size);
    w->shape = shape;
    if (shape && kernelcopy_begin(&w->copy, k, MOST_KERNEL) && write(w, p))
        sized_kernel_take(made, &w->copy);
    else
        kernelcopy_drop(&w->copy);
    shape_free(shape);
    arena_free(t.arena);
    return shape;
}
