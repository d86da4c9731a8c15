/* Elements that are one of a few, by what has been read:
 *
 *     for (...) count[2 * i + (x[k] <= limit)]++;
 *     for (...) count[3 * i + (x[k] > low) + (x[k] > high)]++;
 *
 * Which of them it is changes; they do not. So there is an `if` for each, which has it at a
 * displacement, so that all can be in registers (opt_keep.c); of two the second one has the other
 * part of the first one's. */
#include "alone.h"
#include "device/analysis/provenance.h"
#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "either.h"
#include "opt_pass.h"

#include <stdlib.h>

enum {
    MOST = 16,         /* places where that is so */
    MOST_INSIDE = 20,  /* instructions that each element has, all together */
    MOST_STRIDE = 64,  /* bytes from one lane's element to the next one's, */
    MOST_FAR = 1 << 19 /* and from one of the elements to another */
};

/* ---- which ---- */

/* May the access be one of a few? How far from the first one they are. */
static bool is_access(const struct isa_inst *i, const struct either_part *of, int32_t *far) {
    bool is = !isa_is_watched(i) && i->space != ISA_PRIVATE && of->stride &&
              of->stride >= -MOST_STRIDE && of->stride <= MOST_STRIDE;
    for (unsigned c = 0; c < EITHER_COMBINED; c++) {
        int64_t by = (int64_t)of->at[c] - of->at[0], at = i->imm + by;
        far[c] = (int32_t)by;
        is &= by >= -MOST_FAR && by <= MOST_FAR && at < ISA_MAX_DISPLACEMENT &&
              at > -ISA_MAX_DISPLACEMENT;
    }
    return is;
}

/* Does no work-item of a warp access what another one does, whichever it chooses? */
static bool is_own(const struct isa_inst *i, const struct either_part *of, const int32_t *far) {
    int64_t stride = of->stride < 0 ? -(int64_t)of->stride : of->stride, bytes = isa_bytes(i);
    bool own = stride >= bytes;
    for (unsigned c = 0; c < EITHER_COMBINED * EITHER_COMBINED; c++) {
        int64_t apart = llabs((int64_t)far[c % EITHER_COMBINED] - far[c / EITHER_COMBINED]);
        own &= stride >= apart + bytes || apart >= ISA_WARP * stride + bytes;
    }
    return own;
}

/* Does instruction n, which reads none of the sums, have to be where those [first, n) are that are
 * inside? */
static bool depends(const struct eithers *x, const struct either *e, uint32_t n) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    bool does = false;
    for (uint32_t m = e->first; m < n && e->first; m++) {
        const struct isa_inst *in = &k->insts[m];
        if (!e->inside[m - e->start]) continue;
        for (unsigned d = 0; d < in->ndst; d++)
            does |= isa_reads(k, i, isa_dsts(k, in)[d]) || isa_writes(k, i, isa_dsts(k, in)[d]);
        for (unsigned d = 0; d < i->ndst; d++) does |= isa_reads(k, in, isa_dsts(k, i)[d]);
        does |= i->op == ISA_ld && in->op == ISA_st;
    }
    return does;
}

/* Is all that reads the sums, to the last access, an access by one, or makes one? */
static bool reads_all(const struct eithers *x, const struct either *e) {
    const struct isa_kernel *k = x->k;
    for (uint32_t n = e->start; n <= e->last; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++) {
            isa_operand reg = isa_dsts(k, &k->insts[n])[d];
            uint32_t reads = 0;
            if (!either_part_of(x, reg)) continue;
            for (uint32_t m = n + 1; m <= e->last; m++)
                for (unsigned s = 0; s < k->insts[m].nsrc; s++)
                    reads += isa_srcs(k, &k->insts[m])[s] == reg;
            if (reads != x->l.reads[reg]) return false;
        }
    return true;
}

/* The register that an address tells apart from others by: without what is added to it. */
static isa_operand key_of(const struct eithers *x, isa_operand o) {
    for (;;) {
        const struct isa_inst *i = &x->k->insts[loops_writer(&x->l, o, 0)];
        const isa_operand *src = isa_srcs(x->k, i);
        isa_operand next = ISA_NO_OPERAND;
        if (i->op == ISA_mov || i->op == ISA_shl || i->op == ISA_mul) next = src[0];
        if ((i->op == ISA_add || i->op == ISA_or) &&
            !either_part_of(x, src[0]) != !either_part_of(x, src[1]))
            next = src[either_part_of(x, src[1]) != NULL];
        if (next == ISA_NO_OPERAND || !either_part_of(x, next)) return o;
        o = next;
    }
}

/* Which elements there are. False: too many, or accesses differ in that. */
static bool find_elements(const struct eithers *x, struct either *e) {
    e->key = key_of(x, isa_srcs(x->k, &x->k->insts[e->first])[0]);
    const struct either_part *key = either_part_of(x, e->key);
    for (unsigned c = 0; c < 1u << e->nchoices; c++) {
        unsigned n = 0;
        while (n < e->elements && e->tells[n] != key->at[c]) n++;
        if (n == EITHER_ELEMENTS) return false;
        if (n == e->elements) {
            e->tells[n] = key->at[c];
            e->of[e->elements++] = c;
        }
        for (unsigned at = 0; at < EITHER_RUN; at++)
            if (e->far[at][c] != e->far[at][e->of[n]]) return false;
    }
    return e->elements > 1;
}

/* Are the sums made of what the loop does not change? */
static bool stays(const struct eithers *x, const struct either *e) {
    uint32_t loop = x->l.loop_of[e->start];
    bool stays = true;
    for (uint32_t n = e->start; n <= e->last && stays; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        enum either_kind kind = (enum either_kind)e->kinds[n - e->start];
        if (kind != EITHER_SUM && kind != EITHER_CHOSEN) continue;
        for (unsigned s = kind == EITHER_CHOSEN ? 2 : 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(x->k, i)[s];
            stays &= either_part_of(x, o) || !loops_varies(&x->l, o, loop);
        }
    }
    return stays;
}

/* May opt_keep have more than two elements in registers, as the loop does nothing else with their
 * buffer? */
static bool may_keep(const struct eithers *x, const struct either *e) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *first = &k->insts[e->first];
    if (e->elements == 2) return true;
    uint64_t from = x->provenance ? provenance_of(k, x->provenance, first) : UINT64_MAX;
    bool may = first->space == ISA_GLOBAL && from != UINT64_MAX;
    for (uint32_t n = e->before; n < k->insts[e->before].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool moves = i->op == ISA_ld || i->op == ISA_st;
        if (n >= e->start && n <= e->last && e->inside[n - e->start]) continue;
        if (!moves) may &= !(isa_op_info[i->op].flags & (ISA_OP_WRITES | ISA_OP_BARRIER));
        if (moves && i->space == ISA_GLOBAL) may &= !(provenance_of(k, x->provenance, i) & from);
    }
    return may;
}

static bool reads_part(const struct eithers *x, const struct isa_inst *i, unsigned from) {
    bool reads = false;
    for (unsigned s = from; s < i->nsrc; s++)
        reads |= either_part_of(x, isa_srcs(x->k, i)[s]) != NULL;
    return reads;
}

/* Does it write what is chosen by? */
static bool changes(const struct eithers *x, const struct either *e, const struct isa_inst *i) {
    bool does = false;
    for (unsigned c = 0; c < e->nchoices; c++) does |= isa_writes(x->k, i, e->choices[c].by);
    return does;
}

static bool find(struct eithers *x, uint32_t start, struct either *e) {
    const struct isa_kernel *k = x->k;
    bool loads = false, stores = false, own = true;
    uint32_t count = 0, inside = 0;
    *e = (struct either){.start = start};
    x->stamp++;
    if (!x->l.loop_of[start]) return false;
    e->kinds[0] = (uint8_t)either_choice(x, e, start);
    if (e->kinds[0] == EITHER_NONE) return false;
    for (uint32_t n = start + 1; n < k->ninsts && n - start < EITHER_RUN; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool moves = i->op == ISA_ld || i->op == ISA_st, is = false;
        if (!moves && !(isa_op_info[i->op].flags & ISA_OP_PURE)) break;
        if (changes(x, e, i)) break;
        if (moves && either_part_of(x, isa_srcs(k, i)[0])) {
            const struct either_part *of = either_part_of(x, isa_srcs(k, i)[0]);
            if (reads_part(x, i, 1) || !is_access(i, of, e->far[n - start])) return false;
            if (!e->first) e->first = n;
            e->last = n;
            own &= is_own(i, of, e->far[n - start]);
            loads |= i->op == ISA_ld;
            stores |= i->op == ISA_st;
            is = true;
        } else if (reads_part(x, i, 0)) {
            if (!either_add(x, e, n)) return false;
        } else {
            is = depends(x, e, n);
            if (moves && (is || i->op == ISA_st || isa_is_watched(i))) break;
        }
        e->inside[n - start] = is;
        count += is;
        if (is && e->last == n) inside = count;
    }
    e->before = x->l.loops[x->l.loop_of[start]].begin;
    return loads && stores && own && reads_all(x, e) && stays(x, e) && find_elements(x, e) &&
           inside * e->elements <= MOST_INSIDE && may_keep(x, e);
}

/* ---- writing ---- */

/* Is the register read by what both parts have alone? */
static bool is_within(const struct eithers *x, const struct either *e, isa_operand reg) {
    const struct isa_kernel *k = x->k;
    uint32_t reads = 0;
    for (uint32_t n = e->first; n <= e->last; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc && e->inside[n - e->start]; s++)
            reads += isa_srcs(k, &k->insts[n])[s] == reg;
    return reads == x->l.reads[reg] && x->l.defs[reg] == 1;
}

/* What one of the elements has: by a combination that chooses it. */
static void put_element(const struct eithers *x, struct kernelcopy *c, const struct either *e,
                        unsigned by) {
    for (uint32_t n = e->first; n <= e->last && !c->failed; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        if (!e->inside[n - e->start]) continue;
        for (unsigned d = 0; d < i->ndst; d++)
            if (is_within(x, e, isa_dsts(c->k, i)[d])) kernelcopy_rename(c, isa_dsts(c->k, i)[d]);
        c->at = n;
        kernelcopy_put(c, n)->imm += e->far[n - e->start][by];
    }
}

/* Instruction n of a sum, which is that of the first combination. */
static void put_sum(const struct eithers *x, struct kernelcopy *c, const struct either *e,
                    uint32_t n) {
    const struct isa_kernel *k = c->k;
    const isa_operand *src = isa_srcs(k, &k->insts[n]), *dst = isa_dsts(k, &k->insts[n]);
    enum either_kind kind = (enum either_kind)e->kinds[n - e->start];
    c->at = n;
    if (kind == EITHER_CHOSEN || kind == EITHER_NUMBER)
        kernelcopy_move(c, dst[0], kind == EITHER_CHOSEN ? src[2] : kernelcopy_word(c, 0));
    else if (x->adds[n])
        kernelcopy_add(c, ISA_add, ISA_I32, dst[0], src[0], src[1]);
    else if (kind == EITHER_SUM)
        kernelcopy_put(c, n);
}

static void put_sums(const struct eithers *x, struct kernelcopy *c, const struct either *e) {
    for (uint32_t n = e->start; n <= e->last; n++) put_sum(x, c, e, n);
}

/* What is chosen of an operand of sum n, in the loop: without the rest. */
static isa_operand value(const struct eithers *x, struct kernelcopy *c, const struct either *e,
                         isa_operand o, bool chosen) {
    uint32_t plus = 0, n = isa_is_reg(o) ? loops_writer(&x->l, o, 0) : LOOPS_NONE;
    if (n < e->start || n > e->last || !e->kinds[n - e->start]) {
        const struct isa_inst *d = chosen ? loops_definition(&x->l, c->k, o) : NULL;
        if (!isa_constant(c->k, o, &plus) && d && d->op == ISA_add)
            isa_constant(c->k, isa_srcs(c->k, d)[1], &plus);
        return kernelcopy_word(c, plus);
    }
    if (x->values[o] != ISA_NO_OPERAND) return x->values[o];
    const struct isa_inst *i = &c->k->insts[n];
    const isa_operand *src = isa_srcs(c->k, i);
    isa_operand of[3] = {0};
    for (unsigned s = i->op == ISA_select; s < i->nsrc; s++)
        of[s] = value(x, c, e, src[s], i->op == ISA_select);
    bool adds = i->op == ISA_add || i->op == ISA_or;
    if (i->op == ISA_select)
        x->values[o] = kernelcopy_select(c, ISA_I32, src[0], of[1], of[2]);
    else if (i->op == ISA_mov || (adds && isa_constant(c->out, of[1], &plus) && !plus))
        x->values[o] = of[0];
    else if (adds && isa_constant(c->out, of[0], &plus) && !plus)
        x->values[o] = of[1];
    else
        x->values[o] = kernelcopy_result(c, (enum isa_op)i->op, ISA_I32, of[0], of[1]);
    return x->values[o];
}

/* One choice between two. */
static void put_two(const struct eithers *x, struct kernelcopy *c, const struct either *e) {
    isa_operand p = e->choices[0].by;
    if (e->choices[0].bit)
        p = kernelcopy_result(c, ISA_ne, ISA_I32, x->values[p], kernelcopy_word(c, 0));
    kernelcopy_control(c, ISA_if, p);
    put_element(x, c, e, 1);
    kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
    put_element(x, c, e, 0);
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

static void put_each(const struct eithers *x, struct kernelcopy *c, const struct either *e) {
    isa_operand is = value(x, c, e, e->key, false);
    for (unsigned n = 0; n < e->elements; n++) {
        isa_operand tells = kernelcopy_word(c, (uint32_t)e->tells[n]);
        c->at = e->first;
        kernelcopy_control(c, ISA_if, kernelcopy_result(c, ISA_eq, ISA_I32, is, tells));
        put_element(x, c, e, e->of[n]);
        kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
    }
}

static void put(const struct eithers *x, struct kernelcopy *c, const struct either *e) {
    for (uint32_t n = e->start; n <= e->last; n++) {
        bool number = e->kinds[n - e->start] == EITHER_NUMBER;
        isa_operand dst = number ? isa_dsts(c->k, &c->k->insts[n])[0] : ISA_NO_OPERAND;
        if (number) kernelcopy_rename(c, dst);
        if (number) x->values[dst] = c->names[dst];
        if (!e->inside[n - e->start] && (number || !e->kinds[n - e->start])) kernelcopy_put(c, n);
    }
    c->at = e->first;
    if (e->nchoices == 1)
        put_two(x, c, e);
    else
        put_each(x, c, e);
    kernelcopy_keep_names(c);
}

static bool find_all(struct eithers *x, struct arena *arena, const struct trace_pass *p) {
    const struct isa_kernel *k = x->k;
    x->parts = ARENA_ARRAY(arena, struct either_part, k->nregs + 1u);
    x->adds = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->values = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    x->list = ARENA_ARRAY(arena, struct either, MOST);
    x->provenance = alone_may(k) ? alone_provenance(k, arena) : NULL;
    x->shape = shape_new(k, NULL);
    for (uint32_t r = 0; r < k->nregs; r++) x->values[r] = ISA_NO_OPERAND;
    for (uint32_t n = 0; x->shape && n < k->ninsts && x->count < MOST; n++) {
        struct either *e = &x->list[x->count];
        if (!find(x, n, e)) continue;
        trace_tell(p, &k->insts[e->first], "each of %u elements has a part of an if", e->elements);
        x->count++;
        n = e->last;
    }
    shape_free(x->shape);
    return x->count;
}

/* May there be choices? */
static bool chooses(const struct isa_inst *i) {
    bool op = i->op == ISA_select || i->op == ISA_and || i->op == ISA_shr_u || i->op == ISA_min_s ||
              i->op == ISA_min_u || i->op == ISA_rem_u;
    return op && i->type == ISA_I32;
}

void opt_either(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct eithers x = {.k = k};
    struct kernelcopy c;
    uint32_t n = 0;
    bool any = false;
    for (; n < k->ninsts && !any; n++) any = chooses(&k->insts[n]);
    if (!any || rewrite_nesting(k) >= ISA_MAX_NESTING) return;
    loops_find(&x.l, k, arena);
    numbers_find(&x.numbers, k, NULL, arena);
    if (!find_all(&x, arena, p)) return;
    kernelcopy_take(&c, k, arena);
    kernelcopy_keep_names(&c);
    x.k = (struct isa_kernel *)c.k;
    const struct either *e = x.list, *end = x.list + x.count;
    for (n = 0; n < c.k->ninsts && !isa_kernel_failed(k); n++) {
        for (const struct either *of = x.list; of < end; of++)
            if (of->before == n) put_sums(&x, &c, of);
        if (e < end && n == e->start) {
            put(&x, &c, e);
            n = e++->last;
        } else {
            kernelcopy_put(&c, n);
        }
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, x.l.reads, c.k->nregs);
}
