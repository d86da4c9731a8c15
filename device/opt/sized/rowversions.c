/* What follows a value of which shape promises nothing is there once more, where it is known that
 * it is evenly spaced over the warp:
 * - Quotients and remainders, as of ids in one dimension that are taken apart by / and %. Where the
 *   warp lies in one row, that is where no lane's remainder begins anew, the quotient is one for
 *   the warp and the remainders are evenly spaced. That is tested for the warp's first lane.
 * - Indices and bounds that are cut off at an edge: where no lane is (cuts.h).
 * - What else is likely to be spaced so (device/analysis/likelysteps.h), as ids in a narrower type.
 *   All lanes are looked at.
 * Another such value that is made of these gets a version in the version. */
#include <stdlib.h>
#include <string.h>

#include "device/analysis/liveranges.h"
#include "device/analysis/warpregions.h"
#include "device/isa/loops.h"
#include "device/isa/compare.h"
#include "device/isa/rewrite.h"
#include "device/analysis/likelysteps.h"
#include "cuts.h"
#include "rowdivisions.h"
#include "sized_pass.h"

enum {
    MOST_INSTS = 400,  /* of a version */
    MOST_KERNEL = 900, /* of the kernel that is made */
    MOST_NESTED = 3,   /* versions in versions */
    MOST_ROOTS = 8,    /* values that a version knows */
    FAR = 1 << 24,     /* from the largest numbers */
    MOST_BETWEEN = 24  /* instructions from the first to the last of them */
};

/* Registers that are likely to be evenly spaced. */
struct row_roots {
    isa_operand of[MOST_ROOTS];
    unsigned count;
};

/* What is computed before the versions. */
enum row_early {
    LATE,     /* in each of them */
    EARLY,    /* as it is the same in both */
    FOR_LATER /* as it is read behind them; the first version has its own, of which more is known */
};

struct row_versioner {
    const struct trace_pass *pass;
    const struct isa_kernel *k; /* as it was */
    const struct shape *shape;
    const int32_t *steps;  /* of its registers: likely ones; */
    uint8_t *ends;         /* by them loops end, all lanes at once if none wraps around */
    const uint8_t *seen;   /* of its instructions: what is not looked at; NULL: all are; */
    const uint8_t *seldom; /* which are there where parameters share memory alone; */
    const uint8_t *kept;   /* `of` from before; NULL: there are none */
    struct kernelcopy copy;
    struct liveranges live; /* of its registers */
    uint8_t *carried;       /* registers: copied into the version that is written, and back; */
    uint8_t *early;         /* instructions: enum row_early; */
    uint8_t *done;          /* the result's instructions: what is seen already; */
    uint8_t *of;            /* `if` of a version, kept from k and new ones: enum sized_version */
};

/* ---- which ---- */

/* Where what follows instruction n ends: with the region around it, or before a barrier, a return
 * or a jump out of it; that is, before the region that one of them is in. */
static uint32_t end_of(const struct isa_kernel *k, uint32_t n) {
    uint32_t depth = 0, begin = n;
    for (; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (!depth) begin = n;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END) && !depth) return n;
        if (i->op == ISA_bar || i->op == ISA_ret || i->op == ISA_printf) return begin;
        if (flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) return begin;
        depth += isa_deeper(i);
    }
    return n;
}

/* Memory is accessed at addresses that are made of the results, or of roots, not of what was read
 * there; of roots by more than one access, or in a loop: for one, rows are found where it is
 * (device/native/mem/dense.c). */
static bool is_worth(const struct row_versioner *v, uint32_t from, uint32_t to, const uint8_t *of,
                     const struct row_roots *roots) {
    const struct isa_kernel *k = v->k;
    uint8_t *made = calloc(k->nregs + 1ull, 1);
    uint32_t accesses = 0, loops = 0;
    for (unsigned r = 0; made && r < roots->count; r++) made[roots->of[r]] = 1;
    for (unsigned round = 0; made && round < 2; round++) { /* loops: once more */
        accesses = 0;
        for (uint32_t n = from; n < to; n++) {
            const struct isa_inst *i = &k->insts[n];
            const isa_operand *src = isa_srcs(k, i);
            uint32_t flags = isa_op_info[i->op].flags;
            bool is = of[n];
            loops += i->op == ISA_loop;
            loops -= i->op == ISA_endloop;
            for (unsigned s = 0; s < i->nsrc; s++) is |= isa_is_reg(src[s]) && made[src[s]];
            bool memory = flags & ISA_OP_MEMORY && i->space != ISA_PRIVATE && i->nsrc;
            if (memory && isa_is_reg(src[0]) && made[src[0]]) accesses += loops ? 2 : 1;
            for (unsigned d = 0; is && flags & ISA_OP_PURE && d < i->ndst; d++)
                made[isa_dsts(k, i)[d]] = 1;
        }
    }
    free(made);
    return accesses > (roots->count ? 1 : 0);
}

/* ---- likely steps ---- */

static int32_t step_of(const struct row_versioner *v, isa_operand reg) {
    struct shape_value known = v->shape->regs[reg];
    return known.span >= SHAPE_WARP ? known.stride : v->steps[reg];
}

/* Counters and limits that are evenly spaced alike: of other loops shape knows that they are one
 * for the warp. Those where parameters share memory are not worth a test for all launches. */
static void find_ends(struct row_versioner *v) {
    const struct isa_kernel *k = v->k;
    uint8_t *leaves = calloc(k->nregs + 1ull, 1);
    v->copy.failed |= !leaves || !v->ends;
    for (uint32_t n = 0; !v->copy.failed && n < k->ninsts; n++)
        if (k->insts[n].op == ISA_breakif && !v->seldom[n] &&
            isa_is_reg(isa_srcs(k, &k->insts[n])[0]))
            leaves[isa_srcs(k, &k->insts[n])[0]] = 1;
    for (uint32_t n = 0; !v->copy.failed && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        if (!compare_is_signed(i->op) || !leaves[isa_dsts(k, i)[0]] ||
            v->shape->regs[isa_dsts(k, i)[0]].span >= SHAPE_WARP || !isa_is_reg(src[0]) ||
            !isa_is_reg(src[1]) || step_of(v, src[0]) != step_of(v, src[1]))
            continue;
        v->ends[src[0]] = v->ends[src[1]] = 1;
    }
    free(leaves);
}

/* The register is likely to be evenly spaced, and shape does not say so, or not far enough from
 * where it wraps around. */
static bool is_likely(const struct row_versioner *v, isa_operand reg) {
    enum isa_type type = (enum isa_type)v->k->reg_types[reg];
    return (type == ISA_I32 || type == ISA_I64) && step_of(v, reg) &&
           (v->ends[reg] || v->shape->regs[reg].span < SHAPE_WARP);
}

/* It may be the first of them. */
static bool converts(const struct isa_inst *i) { return i->op == ISA_sext || i->op == ISA_zext; }

/* What the version [from, to) may know of a register: it is read there; and if it is written there,
 * too, nothing reads that behind it, or comes with it to where it is written again, from n on. */
static bool may_be_root(const struct row_versioner *v, isa_operand reg, uint32_t n, uint32_t from,
                        uint32_t to) {
    const struct isa_kernel *k = v->k;
    bool read = false, written = false, outside = false, known = false;
    for (uint32_t at = 0; at < k->ninsts; at++) {
        const struct isa_inst *i = &k->insts[at];
        bool reads = isa_reads(k, i, reg), writes = isa_writes(k, i, reg);
        bool inside = from <= at && at < to;
        outside |= (reads || writes) && (at < n || at >= to || (at < from && reads && !known));
        known |= writes && n <= at && at < from;
        read |= inside && reads;
        written |= inside && writes;
    }
    return read && !(written && (outside || !known));
}

/* Those from instruction n on, where one of them is; returns where they are known. */
static uint32_t find_roots(const struct row_versioner *v, uint32_t n, struct row_roots *roots) {
    uint32_t from = n;
    roots->count = 0;
    for (uint32_t at = n; at < v->k->ninsts && at - n < MOST_BETWEEN; at++) {
        const struct isa_inst *i = &v->k->insts[at];
        bool param = i->op == ISA_ld && i->space == ISA_PARAM;
        if ((!param && !(isa_op_info[i->op].flags & ISA_OP_PURE)) ||
            rowdivisions_fit(v->k, v->shape, i))
            break;
        bool first = converts(i) || (i->ndst && v->ends[isa_dsts(v->k, i)[0]]);
        if (first && is_likely(v, isa_dsts(v->k, i)[0])) from = at + 1;
        if (from == n) break;
    }
    uint32_t to = from > n ? end_of(v->k, from) : from;
    for (uint32_t r = 0; from > n && r < v->k->nregs && roots->count < MOST_ROOTS; r++)
        if (is_likely(v, r) && may_be_root(v, r, n, from, to)) roots->of[roots->count++] = r;
    return from;
}

/* ---- writing ---- */

/* What may be looked at again. */
static void put(struct row_versioner *v, uint32_t n) {
    if (v->early[n] == EARLY) return;
    kernelcopy_put(&v->copy, n);
    if (!v->copy.failed) v->done[v->copy.out->ninsts - 1] = v->seen && v->seen[n];
}

/* Marks registers that loops in [from, to) write. */
static void mark_written(const struct isa_kernel *k, uint32_t from, uint32_t to, uint8_t *written) {
    uint32_t loops = 0;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &k->insts[n];
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        for (unsigned d = 0; loops && d < i->ndst; d++) written[isa_dsts(k, i)[d]] = 1;
    }
}

/* What a register is where the version begins: a constant that is known to have been copied to it.
 * Of the register shape knows less, which other versions write, too. */
static isa_operand start_of(const struct isa_kernel *k, uint32_t from, isa_operand reg) {
    uint32_t at = loops_start(k, from, reg);
    const struct isa_inst *i = at ? &k->insts[at - 1] : NULL;
    return i && i->op == ISA_mov && isa_is_const(isa_srcs(k, i)[0]) ? isa_srcs(k, i)[0] : reg;
}

/* Registers that nothing outside of [from, to) knows get other names: what is known of them is then
 * what is known in this version. They are written before they are read, in the part of a region
 * that all else is in. Others that its loops write are copied to such, and back behind it
 * (end_version). */
static void rename_registers(struct row_versioner *v, uint32_t from, uint32_t to) {
    const struct isa_kernel *k = v->k;
    uint32_t *first = malloc((k->nregs + 1ull) * sizeof *first), /* access; */
        *end = calloc(k->nregs + 1ull, sizeof *end); /* of where others may be; 0: nowhere */
    v->copy.failed |= !first || !end;
    for (uint32_t r = 0; !v->copy.failed && r < k->nregs; r++) first[r] = UINT32_MAX;
    for (uint32_t n = 0; !v->copy.failed && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = i->ndst + (unsigned)i->nsrc; o--;) { /* sources before destinations */
            isa_operand r = isa_dsts(k, i)[o];
            if (!isa_is_reg(r)) continue;
            if (first[r] == UINT32_MAX) {
                first[r] = n;
                if (o < i->ndst && from <= n && n < to) end[r] = warpregions_part_end(k, n);
                if (end[r] > to) end[r] = to;
            }
            if (n >= end[r]) end[r] = 0;
        }
    }
    if (!v->copy.failed) {
        memset(v->carried, 0, k->nregs);
        mark_written(k, from, to, v->carried);
        for (uint32_t n = from; n < to; n++)
            if (v->early[n]) end[isa_dsts(k, &k->insts[n])[0]] = v->early[n] == FOR_LATER ? to : 0;
    }
    for (uint32_t r = 0; !v->copy.failed && r < k->nregs; r++) {
        v->carried[r] &= !end[r];
        if (!end[r] && !v->carried[r]) continue;
        kernelcopy_rename(&v->copy, r);
        if (v->carried[r]) kernelcopy_move(&v->copy, v->copy.names[r], start_of(k, from, r));
    }
    free(first);
    free(end);
}

/* [from, to) in two versions begins, of which this is the first. */
static void begin_version(struct row_versioner *v, isa_operand good, enum sized_version kind,
                          uint32_t from, uint32_t to) {
    kernelcopy_control(&v->copy, ISA_if, good);
    if (!v->copy.failed) v->of[v->copy.out->ninsts - 1] = (uint8_t)kind;
    rename_registers(v, from, to);
}

static void end_version(struct row_versioner *v, uint32_t from, uint32_t to) {
    for (uint32_t r = 0; !v->copy.failed && r < v->k->nregs; r++)
        if (v->carried[r] && v->live.last[r] >= to) kernelcopy_move(&v->copy, r, v->copy.names[r]);
    kernelcopy_otherwise(&v->copy, from, to, v->early);
    memset(v->early + from, 0, to - from);
}

/* Does it take no longer than a test of whether it is needed? */
static bool is_short(const struct isa_inst *i) { return !isa_divides(i->op) && i->type != ISA_F64; }

/* Can instruction n be done where `from` is? It computes, in no region, the only value of its
 * register, which nothing reads before, of what is there. of: what the first version has otherwise.
 */
static enum row_early early_of(const struct row_versioner *v, uint32_t from, uint32_t n,
                               const uint8_t *of, const struct row_roots *roots) {
    const struct isa_kernel *k = v->k;
    const struct isa_inst *i = &k->insts[n];
    enum row_early early = of[n] ? FOR_LATER : EARLY;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->ndst != 1) return LATE;
    isa_operand dst = isa_dsts(k, i)[0];
    if (isa_writes_between(k, dst, 0, n) || isa_writes_between(k, dst, n + 1, k->ninsts) ||
        isa_reads_between(k, dst, from, n))
        return LATE;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        for (unsigned r = 0; r < roots->count; r++)
            if (roots->of[r] == o) early = FOR_LATER;
        for (uint32_t at = from; isa_is_reg(o) && at < n; at++) {
            if (!isa_writes(k, &k->insts[at], o)) continue;
            if (v->early[at] == LATE) return LATE;
            if (v->early[at] == FOR_LATER) early = FOR_LATER;
        }
    }
    return early == EARLY || is_short(i) ? early : LATE;
}

/* Is the result of instruction n read behind the versions of [from, to), or is one made of it that
 * is? */
static bool is_for_later(const struct row_versioner *v, uint32_t n, uint32_t to) {
    isa_operand dst = isa_dsts(v->k, &v->k->insts[n])[0];
    bool later = v->live.last[dst] >= to;
    for (uint32_t at = n + 1; !later && at < to; at++)
        later = v->early[at] == FOR_LATER && isa_reads(v->k, &v->k->insts[at], dst);
    return later;
}

/* What both versions of [from, to) would compute alike is computed before them, and what of the
 * rest is read behind them: of that nothing is known if each version has a value of its own. */
static void put_early(struct row_versioner *v, uint32_t from, uint32_t to, const uint8_t *of,
                      const struct row_roots *roots) {
    uint32_t depth = 0;
    for (uint32_t n = from; n < to; n++) {
        v->early[n] = depth ? LATE : (uint8_t)early_of(v, from, n, of, roots);
        depth += isa_deeper(&v->k->insts[n]);
    }
    for (uint32_t n = to; n-- > from;)
        if (v->early[n] == FOR_LATER && !is_for_later(v, n, to)) v->early[n] = LATE;
    for (uint32_t n = from; n < to; n++) {
        if (v->early[n] != LATE) kernelcopy_put(&v->copy, n);
        if (v->early[n] == EARLY && !v->copy.failed)
            v->done[v->copy.out->ninsts - 1] = v->seen && v->seen[n];
    }
}

/* of: the divisions that the first one knows. */
static void write_divided(struct row_versioner *v, uint32_t from, uint32_t to, const uint8_t *of) {
    struct row_division d = {0};
    struct row_known r = {ISA_NO_OPERAND, ISA_NO_OPERAND, ISA_NO_OPERAND};
    bool is_signed = false;
    for (uint32_t n = from; n < to; n++)
        if (of[n] && rowdivisions_of(v->k, &v->k->insts[n], &d)) is_signed |= d.is_signed;
    v->copy.at = from;
    isa_operand good = rowdivisions_test(&v->copy, v->shape, from, is_signed, &r);
    begin_version(v, good, SIZED_VERSION, from, to);
    for (uint32_t n = from; n < to; n++) {
        isa_operand dst = of[n] ? v->copy.names[isa_dsts(v->k, &v->k->insts[n])[0]] : 0;
        v->copy.at = n;
        if (!of[n])
            put(v, n);
        else if (rowdivisions_of(v->k, &v->k->insts[n], &d) && d.remainder)
            kernelcopy_add(&v->copy, ISA_add, d.type, dst, r.column, r.offset);
        else
            kernelcopy_move(&v->copy, dst, r.quotient);
    }
    end_version(v, from, to);
}

/* The first one knows that no lane is cut off. */
static void write_uncut(struct row_versioner *v, const struct cuts *cuts) {
    v->copy.at = cuts->from;
    begin_version(v, cuts_test(cuts, &v->copy), SIZED_VERSION, cuts->from, cuts->to);
    for (uint32_t n = cuts->from; n < cuts->to; n++) {
        const struct isa_inst *i = &v->k->insts[n];
        v->copy.at = n;
        if (!cuts->of[n])
            put(v, n);
        else
            kernelcopy_move(&v->copy, v->copy.names[isa_dsts(v->k, i)[0]],
                            kernelcopy_named(&v->copy, isa_srcs(v->k, i)[cuts->of[n] - 1]));
    }
    end_version(v, cuts->from, cuts->to);
}

/* What is known to be far from where numbers wrap around, so that intervals tell so of what is made
 * of it; a value that is not so is another one then. */
static isa_operand within(struct kernelcopy *c, enum isa_type type, isa_operand o) {
    const uint64_t most = (type == ISA_I64 ? INT64_MAX : INT32_MAX) - FAR;
    isa_operand least = kernelcopy_number(c, type, -(int64_t)most);
    o = kernelcopy_result(c, ISA_min_s, type, o, isa_const_new(c->out, type, most));
    return kernelcopy_result(c, ISA_max_s, type, o, least);
}

/* The first one knows that lanes are all there, and the roots evenly spaced. */
static void write_spaced(struct row_versioner *v, uint32_t from, uint32_t to,
                         const struct row_roots *roots) {
    struct kernelcopy *c = &v->copy;
    isa_operand all = ISA_NO_OPERAND, first[MOST_ROOTS], offset[MOST_ROOTS];
    c->at = from;
    for (unsigned r = 0; r < roots->count; r++) {
        isa_operand root = roots->of[r];
        enum isa_type type = (enum isa_type)v->k->reg_types[root];
        offset[r] = kernelcopy_lanes(c, type, step_of(v, root));
        isa_operand base = kernelcopy_result(c, ISA_sub, type, root, offset[r]);
        first[r] = kernelcopy_result(c, ISA_lane_at, type, base, kernelcopy_word(c, 0));
        first[r] = within(c, type, first[r]);
        isa_operand same = kernelcopy_result(c, ISA_eq, type, base, first[r]);
        all = r ? kernelcopy_result(c, ISA_and, ISA_PRED, all, same) : same;
    }
    all = kernelcopy_select(c, ISA_I32, all, kernelcopy_word(c, 1), kernelcopy_word(c, 0));
    all = kernelcopy_result(c, ISA_lane_add, ISA_I32, all, ISA_NO_OPERAND);
    all = kernelcopy_result(c, ISA_eq, ISA_I32, all, kernelcopy_word(c, ISA_WARP));
    begin_version(v, all, SIZED_VERSION_WHOLE, from, to);
    for (unsigned r = 0; !c->failed && r < roots->count; r++) {
        enum isa_type type = (enum isa_type)v->k->reg_types[roots->of[r]];
        kernelcopy_rename(c, roots->of[r]);
        kernelcopy_add(c, ISA_add, type, c->names[roots->of[r]], first[r], offset[r]);
    }
    for (uint32_t n = from; n < to; n++) put(v, n);
    end_version(v, from, to);
}

/* Versions from instruction n on, if they are worth it; returns where they end, or n. */
static uint32_t write_at(struct row_versioner *v, uint32_t n, uint8_t *of) {
    struct row_roots roots = {.count = 0};
    struct cuts cuts = {.k = v->k, .shape = v->shape, .from = n, .to = end_of(v->k, n), .of = of};
    memset(of, 0, v->k->ninsts);
    bool divides = rowdivisions_fit(v->k, v->shape, &v->k->insts[n]),
         cut = cuts_may(&v->k->insts[n]) && cuts_find(&cuts) && of[n];
    if (!divides && !cut) memset(of, 0, v->k->ninsts);
    uint32_t from = divides || cut ? n : find_roots(v, n, &roots), to = end_of(v->k, from);
    if ((!divides && !cut && !roots.count) || to - from > MOST_INSTS) return n;
    if (divides) rowdivisions_mark(v->k, n, to, of);
    if (!is_worth(v, from, to, of, &roots)) return n;
    trace_tell(v->pass, &v->k->insts[n], "%u instructions once more", to - from);
    kernelcopy_put_range(&v->copy, n, from);
    put_early(v, from, to, of, &roots);
    if (divides)
        write_divided(v, from, to, of);
    else if (cut)
        write_uncut(v, &cuts);
    else
        write_spaced(v, from, to, &roots);
    return to;
}

/* Writes v->copy.out; false: there is nothing to write, or no room. */
static bool write(struct row_versioner *v) {
    uint8_t *of = calloc(v->k->ninsts + 1ull, 1);
    uint32_t versions = 0;
    v->copy.failed |= !of;
    kernelcopy_keep_names(&v->copy);
    for (uint32_t n = 0, end; !v->copy.failed && n < v->k->ninsts; n = end) {
        end = v->seen && v->seen[n] ? n : write_at(v, n, of);
        versions += end > n;
        if (end == n) put(v, end++);
    }
    free(of);
    return versions && !v->copy.failed;
}

/* ---- the kernel ---- */

static bool has_candidate(const struct row_versioner *v) {
    struct row_division d;
    for (uint32_t n = 0; n < v->k->ninsts; n++)
        if ((!v->seen || !v->seen[n]) &&
            (rowdivisions_of(v->k, &v->k->insts[n], &d) || converts(&v->k->insts[n]) ||
             cuts_may(&v->k->insts[n]) || v->k->insts[n].op == ISA_breakif))
            return true;
    return false;
}

/* One more version in the kernel that was made before, if there is something to be known; *seen: of
 * its instructions, then of the new ones. */
static bool round_of(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made,
                     uint8_t **seen) {
    struct row_versioner v = {
        .pass = p, .k = made->kernel ? made->kernel : s->k, .seen = *seen, .kept = made->versions};
    if (!has_candidate(&v)) return false;
    struct shape *shape = shape_new_lockstep(v.k, s->groups.size);
    int32_t *steps = shape ? likelysteps_new(v.k, shape, SHAPE_WARP) : NULL;
    bool good = steps && liveranges_find(&v.live, v.k, shape);
    v.shape = shape;
    v.steps = steps;
    v.ends = calloc(v.k->nregs + 1ull, 1);
    uint8_t *seldom = warpregions_seldom(v.k);
    v.seldom = seldom;
    good = kernelcopy_begin(&v.copy, v.k, MOST_KERNEL) && good && seldom;
    if (good) find_ends(&v);
    v.carried = calloc(v.k->nregs + 1ull, 1);
    v.early = calloc(v.k->ninsts + 1ull, 1);
    v.done = malloc(MOST_KERNEL);
    v.of = calloc(MOST_KERNEL, 1);
    if (v.done) memset(v.done, 1, MOST_KERNEL); /* new ones are */
    good = good && v.carried && v.early && v.done && v.of && write(&v) &&
           kernelcopy_finish(v.copy.out);
    for (uint32_t n = 0; good && v.kept && n < v.copy.out->ninsts; n++)
        if (v.copy.out->insts[n].op == ISA_if && !v.of[n]) v.of[n] = v.kept[v.copy.origins[n]];
    shape_free(shape);
    free(steps);
    free(v.ends);
    free(v.carried);
    free(v.early);
    free(v.live.first);
    free(v.live.last);
    free(v.live.zero);
    free(seldom);
    free(*seen);
    *seen = v.done;
    if (good) {
        sized_kernel_take(made, &v.copy);
        made->versions = v.of;
    } else {
        kernelcopy_drop(&v.copy);
        free(v.of);
    }
    return good;
}

bool rowversions_make(const struct sized *s, const struct trace_pass *p,
                      struct sized_kernel *made) {
    uint8_t *seen = NULL;
    if (s->k->probed || s->k->ninsts >= MOST_KERNEL ||
        rewrite_nesting(s->k) + MOST_NESTED > ISA_MAX_NESTING)
        return true;
    for (unsigned n = 0; n < MOST_NESTED && round_of(s, p, made, &seen); n++) {
    }
    free(seen);
    return true;
}
